//! Templates and integer sugar: one statement, many ground actions or goals.
//!
//! In:   an `action` or `goal` statement.
//! Out:  one declaration per combination of its *dimensions*: its parameters, and every
//!       variable that it compares or counts with (`ammo -= 1 while ammo >= 1`).
//! Cost: one step per combination; their number is checked against the limits first.
//!
//! A combination that asks for a value a variable does not have, contradicts itself, or moves
//! a value to where it is, simply does not exist; a statement of which nothing exists is an
//! error.

use super::amounts;
use super::expand::{Role, is_exact};
use super::syntax::*;
use crate::build::{ActionDraft, GoalDraft, ModelBuilder, Reference};
use crate::diagnostics::Code;
use crate::model::{CheckId, CheckUse, Fact, ValueId, VariableId};
use crate::names;
use crate::number::Milli;
use crate::source::Span;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Something that a statement is written out over: values given by name.
struct Dimension<'t> {
    /// The parameter, or nothing for a variable that is counted with.
    parameter: Option<Word<'t>>,
    variable: VariableId,
    size: usize,
}

/// A value in a statement: fixed, or taken from a dimension.
#[derive(Clone, Copy)]
enum Term {
    /// This value of the variable it stands for.
    Value(ValueId),
    /// The value of this dimension.
    Dimension(usize),
}

/// A condition after names are found.
struct Demand {
    variable: VariableId,
    relation: Relation,
    term: Operand,
    span: Span,
    /// Where [`Combination::requires`] says what the value is.
    now: Option<usize>,
}

/// What a condition compares with, or an effect counts by.
#[derive(Clone, Copy)]
enum Operand {
    Term(Term),
    Number(i64),
}

/// An effect after names are found.
struct Outcome {
    variable: VariableId,
    kind: OutcomeKind,
    span: Span,
    /// Where [`Combination::requires`] says what the value was before.
    before: Option<usize>,
}

enum OutcomeKind {
    Set(Term),
    Add { negative: bool, amount: Operand },
}

/// The statement with names found, before it is written out.
struct Plan<'t> {
    head: &'t Head<'t>,
    /// What it becomes: `actions` or `goals`.
    what: &'static str,
    dimensions: Vec<Dimension<'t>>,
    /// Position of each parameter among the dimensions.
    parameters: HashMap<&'t str, usize>,
    demands: Vec<Demand>,
    outcomes: Vec<Outcome>,
}

/// One combination: the requirements and settings of a ground action.
struct Combination {
    requires: Vec<(Fact, Span)>,
    sets: Vec<(Fact, Span)>,
}

/// Declares the ground actions of a statement.
pub(super) fn actions(syntax: &ActionSyntax<'_>, builder: &mut ModelBuilder<'_>) {
    let cost = match &syntax.cost {
        Some(word) => amounts::cost(word.text, word.span, builder),
        None => Some(Milli::ONE),
    };
    let checks = checks(syntax, builder);
    let plan = Plan::of("actions", &syntax.head, &syntax.conditions, &syntax.effects, builder);
    let (Some(cost), Some(checks), Some(plan)) = (cost, checks, plan) else {
        builder.add_broken(syntax.head.name.text);
        return;
    };
    let overrides: Rc<[Reference]> = syntax.overrides.clone().into();
    plan.write_out(builder, |builder, name, suffix, combination| {
        builder.declare_action(ActionDraft {
            name,
            requires: combination.requires,
            sets: combination.sets,
            checks: checks.clone(),
            overrides: Rc::clone(&overrides),
            cost,
            was: with_suffix(&syntax.was, suffix),
            span: syntax.head.span,
        })
    });
}

/// Declares the ground goals of a statement.
pub(super) fn goals(syntax: &GoalSyntax<'_>, builder: &mut ModelBuilder<'_>) {
    let priority = match &syntax.priority {
        Some(word) => amounts::priority(word.text, word.span, builder),
        None => Some(Milli::ONE),
    };
    let mut exact = true;
    for condition in &syntax.conditions {
        exact &= is_exact(condition, Role::Goal, builder);
    }
    let plan = Plan::of("goals", &syntax.head, &syntax.conditions, &[], builder);
    let plan = plan.filter(|_| exact);
    let (Some(priority), Some(plan)) = (priority, plan) else {
        builder.add_broken(syntax.head.name.text);
        return;
    };
    plan.write_out(builder, |builder, name, suffix, combination| {
        builder.declare_goal(GoalDraft {
            name,
            wants: combination.requires,
            priority,
            was: with_suffix(&syntax.was, suffix),
            span: syntax.head.span,
        })
    });
}

/// Former names of a template's members: `walk` was `go`, so `walk(pipe)` was `go(pipe)`.
fn with_suffix(was: &[Reference], suffix: &str) -> Vec<Reference> {
    let name = |word: &Reference| match word.name.contains('(') {
        true => word.name.clone(),
        false => format!("{}{suffix}", word.name),
    };
    was.iter().map(|word| Reference { name: name(word), span: word.span }).collect()
}

fn checks(syntax: &ActionSyntax<'_>, builder: &mut ModelBuilder<'_>) -> Option<Vec<CheckUse>> {
    let mut uses = CheckUses::default();
    let mut complete = true;
    for word in &syntax.checks {
        let name = (word.name.text, word.name.span);
        complete &= uses.add(syntax.head.name.text, name, !word.negated, builder);
    }
    complete.then_some(uses.list)
}

/// The checks of one action, each once.
#[derive(Default)]
pub(crate) struct CheckUses {
    pub(crate) list: Vec<CheckUse>,
    seen: HashMap<CheckId, (bool, Span)>,
}

impl CheckUses {
    /// Adds a check; `false`, with a report, if it cannot be added.
    pub(crate) fn add(
        &mut self,
        action: &str,
        (name, span): (&str, Span),
        expected: bool,
        builder: &mut ModelBuilder<'_>,
    ) -> bool {
        let Some(check) = builder.check_named(name, span) else { return false };
        match self.seen.get(&check) {
            None => {
                self.seen.insert(check, (expected, span));
                self.list.push(CheckUse { check, expected });
                true
            }
            Some(&(first, _)) if first == expected => true,
            Some(&(_, first)) => {
                builder.report.say_also(
                    Code::ContradictoryCheck,
                    span,
                    (first, "the opposite is here"),
                    format!("`{action}` asks for `{name}` and for its opposite"),
                    "keep one: with both, the action could never run",
                );
                false
            }
        }
    }
}

impl<'t> Plan<'t> {
    fn of(
        what: &'static str,
        head: &'t Head<'t>,
        conditions: &[Condition<'_>],
        effects: &[Effect<'_>],
        builder: &mut ModelBuilder<'_>,
    ) -> Option<Self> {
        let mut plan = Plan {
            head,
            what,
            dimensions: Vec::new(),
            parameters: HashMap::new(),
            demands: Vec::new(),
            outcomes: Vec::new(),
        };
        let mut complete = plan.add_parameters(builder);
        for condition in conditions {
            complete &= plan.add_condition(condition, builder).is_some();
        }
        for effect in effects {
            complete &= plan.add_effect(effect, builder).is_some();
        }
        if !complete {
            return None;
        }
        plan.warn_unused_parameters(conditions, effects, builder);
        plan.add_counted_variables(builder);
        plan.find_current_values();
        Some(plan)
    }

    fn add_parameters(&mut self, builder: &mut ModelBuilder<'_>) -> bool {
        let Arguments::Parameters(parameters) = &self.head.arguments else { return true };
        let mut complete = true;
        for parameter in parameters {
            if let Some(&first) = self.parameters.get(parameter.name.text) {
                let first = self.dimensions[first].parameter;
                builder.report.say_twice(
                    Code::ParameterTwice,
                    parameter.name.span,
                    first.map_or(parameter.name.span, |word| word.span),
                    format!("parameter `{}` is declared twice", parameter.name.text),
                    "rename one".to_string(),
                );
                complete = false;
                continue;
            }
            let found = builder.find_variable(parameter.variable.text, parameter.variable.span);
            let Some(variable) = found else {
                complete = false;
                continue;
            };
            let size = builder.value_names(variable).len();
            self.parameters.insert(parameter.name.text, self.dimensions.len());
            self.dimensions.push(Dimension { parameter: Some(parameter.name), variable, size });
        }
        complete
    }

    fn add_condition(
        &mut self,
        condition: &Condition<'_>,
        builder: &mut ModelBuilder<'_>,
    ) -> Option<()> {
        let word = condition.variable;
        let variable = builder.find_variable(word.text, word.span)?;
        let ordered = !matches!(condition.relation, Relation::Is | Relation::IsNot);
        if ordered {
            let sign = condition.relation.sign();
            self.needs_numbers(variable, sign, condition.span, Code::ComparesWords, builder)?;
        }
        let term = match ordered {
            true => self.number(condition.value, builder)?,
            false => Operand::Term(self.term(variable, condition.value, builder)?),
        };
        let relation = condition.relation;
        self.demands.push(Demand { variable, relation, term, span: condition.span, now: None });
        Some(())
    }

    fn add_effect(&mut self, effect: &Effect<'_>, builder: &mut ModelBuilder<'_>) -> Option<()> {
        let variable = builder.find_variable(effect.variable.text, effect.variable.span)?;
        let kind = match effect.change {
            Change::Move { from, to } => {
                let to_term = self.term(variable, to, builder);
                if let Some(from) = from {
                    let span = effect.variable.span.to(from.span);
                    let term = Operand::Term(self.term(variable, from, builder)?);
                    let relation = Relation::Is;
                    self.demands.push(Demand { variable, relation, term, span, now: None });
                }
                OutcomeKind::Set(to_term?)
            }
            Change::Add { negative, amount } => {
                let span = effect.variable.span.to(amount.span);
                let sign = if negative { "-=" } else { "+=" };
                self.needs_numbers(variable, sign, span, Code::CountsWithWords, builder)?;
                OutcomeKind::Add { negative, amount: self.number(amount, builder)? }
            }
        };
        let end = match effect.change {
            Change::Move { to, .. } => to.span,
            Change::Add { amount, .. } => amount.span,
        };
        let span = effect.variable.span.to(end);
        self.outcomes.push(Outcome { variable, kind, span, before: None });
        Some(())
    }

    fn dimension_of(&self, name: &str) -> Option<usize> {
        self.parameters.get(name).copied()
    }

    fn term(
        &self,
        variable: VariableId,
        word: Word<'_>,
        builder: &mut ModelBuilder<'_>,
    ) -> Option<Term> {
        if let Some(dimension) = self.dimension_of(word.text) {
            return Some(Term::Dimension(dimension));
        }
        builder.find_value(variable, word.text, word.span).map(Term::Value)
    }

    fn number(&self, word: Word<'_>, builder: &mut ModelBuilder<'_>) -> Option<Operand> {
        if let Some(dimension) = self.dimension_of(word.text) {
            return Some(Operand::Term(Term::Dimension(dimension)));
        }
        let number = names::as_integer(word.text).map(Operand::Number);
        if number.is_none() {
            builder.report.say(
                Code::BadInteger,
                word.span,
                format!("`{}` is not a whole number", word.text),
                "compare and count with whole numbers, as in `ammo >= 1` and `ammo -= 1`",
            );
        }
        number
    }

    /// `Some` if all values of the variable are numbers; reported if not.
    fn needs_numbers(
        &self,
        variable: VariableId,
        sign: &str,
        span: Span,
        code: Code,
        builder: &mut ModelBuilder<'_>,
    ) -> Option<()> {
        let values = builder.value_names(variable);
        let Some(word) = values.iter().find(|value| names::as_integer(value).is_none()) else {
            return Some(());
        };
        let name = builder.variable_name(variable);
        let text = format!("`{sign}` needs numbers, and `{name}` has values such as `{word}`");
        let cure = match code {
            Code::ComparesWords => format!(
                "compare words by `=` or `!=`, or give `{name}` numbers: `var {name}: 0..6`"
            ),
            _ => format!(
                "move it from word to word, as in `{name} {word} -> {}`, \
                 or give `{name}` numbers: `var {name}: 0..6`",
                values.iter().find(|value| *value != word).unwrap_or(word)
            ),
        };
        builder.report.say(code, span, text, cure);
        None
    }

    fn warn_unused_parameters(
        &self,
        conditions: &[Condition<'_>],
        effects: &[Effect<'_>],
        builder: &mut ModelBuilder<'_>,
    ) {
        let mut used: HashSet<&str> = conditions.iter().map(|c| c.value.text).collect();
        for effect in effects {
            match effect.change {
                Change::Move { from, to } => used.extend(from.iter().chain([&to]).map(|w| w.text)),
                Change::Add { amount, .. } => used.extend([amount.text]),
            }
        }
        for parameter in self.dimensions.iter().filter_map(|dimension| dimension.parameter) {
            if !used.contains(parameter.text) {
                builder.report.say(
                    Code::UnusedParameter,
                    parameter.span,
                    format!("parameter `{}` is not used", parameter.text),
                    "use it as a value, or remove it",
                );
            }
        }
    }

    /// Variables that are compared or counted with, unless an equation pins them.
    fn add_counted_variables(&mut self, builder: &ModelBuilder<'_>) {
        let equations = self.demands.iter().filter(|d| d.relation == Relation::Is);
        let mut known: HashSet<VariableId> = equations.map(|d| d.variable).collect();
        let compared = self.demands.iter().filter(|d| d.relation != Relation::Is);
        let counted = self.outcomes.iter().filter(|o| matches!(o.kind, OutcomeKind::Add { .. }));
        for variable in compared.map(|d| d.variable).chain(counted.map(|o| o.variable)) {
            if known.insert(variable) {
                let size = builder.value_names(variable).len();
                self.dimensions.push(Dimension { parameter: None, variable, size });
            }
        }
    }

    /// Finds once where every combination says what a variable's value is: the requirements
    /// come in the order of [`Plan::combination`].
    fn find_current_values(&mut self) {
        let counted = self.dimensions.iter().filter(|d| d.parameter.is_none());
        let equations = self.demands.iter().filter(|d| d.relation == Relation::Is);
        let required = counted.map(|d| d.variable).chain(equations.map(|d| d.variable));
        let mut places = HashMap::new();
        for (at, variable) in required.enumerate() {
            places.entry(variable).or_insert(at);
        }
        for demand in &mut self.demands {
            demand.now = places.get(&demand.variable).copied();
        }
        for outcome in &mut self.outcomes {
            outcome.before = places.get(&outcome.variable).copied();
        }
    }

    /// Calls `declare` for every combination that exists.
    fn write_out(
        &self,
        builder: &mut ModelBuilder<'_>,
        mut declare: impl FnMut(
            &mut ModelBuilder<'_>,
            String,
            &str,
            Combination,
        ) -> Result<(), (Code, crate::build::Clash)>,
    ) {
        let Some(total) = self.n_combinations(builder) else {
            builder.add_broken(self.head.name.text);
            return;
        };
        let is_template = !self.dimensions.is_empty();
        let size = 1 + self.dimensions.len() + self.demands.len() + self.outcomes.len();
        let mut exist = 0;
        for number in 0..total {
            if is_template && builder.is_full() {
                builder.add_broken(self.head.name.text);
                return;
            }
            let choice = self.choice(number);
            let combination = self.combination(&choice, builder);
            let combination = combination.filter(|c| !(is_template && self.stands_still(c)));
            let Some(combination) = combination else {
                // What does not exist was looked at all the same.
                builder.spend(size, self.head.span);
                continue;
            };
            let suffix = self.suffix(&choice, builder);
            let name = format!("{}{suffix}", self.head.name.text);
            match declare(builder, name, &suffix, combination) {
                Ok(()) => exist += 1,
                // In a template a contradiction is a combination that does not exist.
                Err(_) if is_template => {
                    builder.spend(size, self.head.span);
                }
                Err(clash) => {
                    builder.report_clash(clash, self.head.name.text);
                    builder.add_broken(self.head.name.text);
                    exist += 1;
                }
            }
        }
        if exist == 0 {
            builder.add_broken(self.head.name.text);
            builder.report.say(
                Code::NothingExists,
                self.head.span,
                format!("no combination of values makes `{}` possible", self.head.name.text),
                "check the ranges: the values it needs and sets must exist together",
            );
        }
    }

    /// How many combinations there are; `None`, with a report, if they are too many.
    fn n_combinations(&self, builder: &mut ModelBuilder<'_>) -> Option<usize> {
        let total = self.dimensions.iter().try_fold(1usize, |n, d| n.checked_mul(d.size));
        let limit = builder.limits().template;
        if total.is_some_and(|total| total <= limit) {
            return total;
        }
        let count = total.map_or("far too many".to_string(), |total| total.to_string());
        let (name, what) = (self.head.name.text, self.what);
        builder.report.say(
            Code::TemplateTooLarge,
            self.head.span,
            format!("`{name}` would become {count} {what}; the limit is {limit}"),
            "use fewer parameters, fewer counted variables, or variables with fewer values",
        );
        None
    }

    /// Whether an effect moves a value to where it already is.
    fn stands_still(&self, combination: &Combination) -> bool {
        self.outcomes.iter().zip(&combination.sets).any(|(outcome, (set, _))| {
            outcome.before.is_some_and(|at| combination.requires[at].0 == *set)
        })
    }

    /// The value of each dimension in combination `number`; the last changes fastest.
    fn choice(&self, mut number: usize) -> Vec<ValueId> {
        let mut choice = vec![ValueId::at(0); self.dimensions.len()];
        for (dimension, slot) in self.dimensions.iter().zip(&mut choice).rev() {
            *slot = ValueId::at(number % dimension.size);
            number /= dimension.size;
        }
        choice
    }

    /// `(pipe)`, `(bread joe)`, or nothing.
    fn suffix(&self, choice: &[ValueId], builder: &ModelBuilder<'_>) -> String {
        let mut words: Vec<&str> = Vec::new();
        if let Arguments::Values(values) = &self.head.arguments {
            words.extend(values.iter().map(|word| word.text));
        }
        for (dimension, value) in self.dimensions.iter().zip(choice) {
            words.push(&builder.value_names(dimension.variable)[value.index()]);
        }
        if words.is_empty() { String::new() } else { format!("({})", words.join(" ")) }
    }

    /// The requirements and settings of one combination; `None` if it does not exist.
    fn combination(&self, choice: &[ValueId], builder: &ModelBuilder<'_>) -> Option<Combination> {
        let mut requires = Vec::new();
        for (dimension, &value) in self.dimensions.iter().zip(choice) {
            if dimension.parameter.is_none() {
                requires.push((Fact { variable: dimension.variable, value }, self.head.span));
            }
        }
        let resolve = |variable, term| self.value_in(variable, term, choice, builder);
        for demand in self.demands.iter().filter(|demand| demand.relation == Relation::Is) {
            let Operand::Term(term) = demand.term else { continue };
            let value = resolve(demand.variable, term)?;
            requires.push((Fact { variable: demand.variable, value }, demand.span));
        }
        let now = |at: Option<usize>| at.and_then(|at| requires.get(at)).map(|(f, _)| f.value);
        for demand in self.demands.iter().filter(|demand| demand.relation != Relation::Is) {
            let current = builder.value_name(demand.variable, now(demand.now)?);
            let other = self.operand_name(demand.variable, demand.term, choice, builder)?;
            if !holds(demand.relation, current, &other) {
                return None;
            }
        }
        let mut sets = Vec::new();
        for outcome in &self.outcomes {
            let value = match &outcome.kind {
                OutcomeKind::Set(term) => resolve(outcome.variable, *term)?,
                OutcomeKind::Add { negative, amount } => {
                    let current = builder.value_name(outcome.variable, now(outcome.before)?);
                    let amount = self.operand_name(outcome.variable, *amount, choice, builder)?;
                    let (current, amount) =
                        (names::as_integer(current)?, names::as_integer(&amount)?);
                    let sum = if *negative { current - amount } else { current + amount };
                    builder.value_of(outcome.variable, &sum.to_string())?
                }
            };
            sets.push((Fact { variable: outcome.variable, value }, outcome.span));
        }
        Some(Combination { requires, sets })
    }

    /// The term as a value of `variable`; `None` if it has no value of that name.
    fn value_in(
        &self,
        variable: VariableId,
        term: Term,
        choice: &[ValueId],
        builder: &ModelBuilder<'_>,
    ) -> Option<ValueId> {
        match term {
            Term::Value(value) => Some(value),
            Term::Dimension(at) if self.dimensions[at].variable == variable => Some(choice[at]),
            Term::Dimension(at) => {
                let name = builder.value_name(self.dimensions[at].variable, choice[at]);
                builder.value_of(variable, name)
            }
        }
    }

    fn operand_name(
        &self,
        variable: VariableId,
        operand: Operand,
        choice: &[ValueId],
        builder: &ModelBuilder<'_>,
    ) -> Option<String> {
        Some(match operand {
            Operand::Number(number) => number.to_string(),
            Operand::Term(Term::Value(value)) => builder.value_name(variable, value).to_string(),
            Operand::Term(Term::Dimension(at)) => {
                builder.value_name(self.dimensions[at].variable, choice[at]).to_string()
            }
        })
    }
}

fn holds(relation: Relation, left: &str, right: &str) -> bool {
    match relation {
        Relation::Is => left == right,
        Relation::IsNot => left != right,
        _ => {
            let (Some(left), Some(right)) = (names::as_integer(left), names::as_integer(right))
            else {
                return false;
            };
            match relation {
                Relation::Less => left < right,
                Relation::AtMost => left <= right,
                Relation::More => left > right,
                _ => left >= right,
            }
        }
    }
}
