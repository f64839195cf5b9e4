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
use super::expand::is_exact;
use super::syntax::*;
use crate::build::{ActionDraft, GoalDraft, ModelBuilder, Reference};
use crate::diagnostics::Code;
use crate::model::{CheckUse, Fact, ValueId, VariableId};
use crate::names;
use crate::number::Milli;
use crate::source::Span;
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
}

enum OutcomeKind {
    Set(Term),
    Add { negative: bool, amount: Operand },
}

/// The statement with names found, before it is written out.
struct Plan<'t> {
    head: &'t Head<'t>,
    dimensions: Vec<Dimension<'t>>,
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
    let plan = Plan::of(&syntax.head, &syntax.conditions, &syntax.effects, builder);
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
    let exact = syntax.conditions.iter().fold(true, |all, c| is_exact(c, builder) && all);
    let plan = Plan::of(&syntax.head, &syntax.conditions, &[], builder).filter(|_| exact);
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
    let mut uses: Vec<CheckUse> = Vec::new();
    for word in &syntax.checks {
        let check = builder.check_named(word.name.text, word.name.span)?;
        let expected = !word.negated;
        match uses.iter().find(|other| other.check == check) {
            Some(other) if other.expected != expected => {
                contradictory_check(syntax.head.name.text, word.name.text, word.name.span, builder);
                return None;
            }
            Some(_) => {}
            None => uses.push(CheckUse { check, expected }),
        }
    }
    Some(uses)
}

pub(crate) fn contradictory_check(
    action: &str,
    check: &str,
    span: Span,
    builder: &mut ModelBuilder<'_>,
) {
    builder.report.say(
        Code::ContradictoryCheck,
        span,
        format!("`{action}` asks for `{check}` and for `not {check}`"),
        "keep one: with both, the action could never run",
    );
}

impl<'t> Plan<'t> {
    fn of(
        head: &'t Head<'t>,
        conditions: &[Condition<'_>],
        effects: &[Effect<'_>],
        builder: &mut ModelBuilder<'_>,
    ) -> Option<Self> {
        let mut plan =
            Plan { head, dimensions: Vec::new(), demands: Vec::new(), outcomes: Vec::new() };
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
        Some(plan)
    }

    fn add_parameters(&mut self, builder: &mut ModelBuilder<'_>) -> bool {
        let Arguments::Parameters(parameters) = &self.head.arguments else { return true };
        let mut complete = true;
        for parameter in parameters {
            let same = |d: &Dimension<'_>| d.parameter.is_some_and(|p| p.text == parameter.name.text);
            if let Some(first) = self.dimensions.iter().find(|d| same(d)) {
                let first = first.parameter.map_or(parameter.name.span, |word| word.span);
                builder.report.say_twice(
                    Code::ParameterTwice,
                    parameter.name.span,
                    first,
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
            self.needs_numbers(variable, condition.span, Code::ComparesWords, builder)?;
        }
        let term = match ordered {
            true => self.number(condition.value, builder)?,
            false => Operand::Term(self.term(variable, condition.value, builder)?),
        };
        let relation = condition.relation;
        self.demands.push(Demand { variable, relation, term, span: condition.span });
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
                    self.demands.push(Demand { variable, relation: Relation::Is, term, span });
                }
                OutcomeKind::Set(to_term?)
            }
            Change::Add { negative, amount } => {
                let span = effect.variable.span.to(amount.span);
                self.needs_numbers(variable, span, Code::CountsWithWords, builder)?;
                OutcomeKind::Add { negative, amount: self.number(amount, builder)? }
            }
        };
        let end = match effect.change {
            Change::Move { to, .. } => to.span,
            Change::Add { amount, .. } => amount.span,
        };
        self.outcomes.push(Outcome { variable, kind, span: effect.variable.span.to(end) });
        Some(())
    }

    fn dimension_of(&self, name: &str) -> Option<usize> {
        self.dimensions.iter().position(|d| d.parameter.is_some_and(|p| p.text == name))
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
                format!("`{}` is not a whole number here", word.text),
                "compare and count with whole numbers, as in `ammo >= 1` and `ammo -= 1`",
            );
        }
        number
    }

    /// `Some` if all values of the variable are numbers; reported if not.
    fn needs_numbers(
        &self,
        variable: VariableId,
        span: Span,
        code: Code,
        builder: &mut ModelBuilder<'_>,
    ) -> Option<()> {
        let all_numbers = {
            let values = builder.value_names(variable);
            values.iter().all(|value| names::as_integer(value).is_some())
        };
        if all_numbers {
            return Some(());
        }
        let name = builder.variable_name(variable).to_string();
        let (what, cure) = match code {
            Code::ComparesWords => {
                ("compare by size", "compare words with `=` or `!=`".to_string())
            }
            _ => ("count with", format!("move it by name, as in `{name} one_value -> another`")),
        };
        let text = format!("the values of `{name}` are not numbers to {what}");
        builder.report.say(code, span, text, cure);
        None
    }

    fn warn_unused_parameters(
        &self,
        conditions: &[Condition<'_>],
        effects: &[Effect<'_>],
        builder: &mut ModelBuilder<'_>,
    ) {
        for parameter in self.dimensions.iter().filter_map(|dimension| dimension.parameter) {
            let in_condition = conditions.iter().any(|c| c.value.text == parameter.text);
            let in_effect = effects.iter().any(|effect| match effect.change {
                Change::Move { from, to } => {
                    to.text == parameter.text || from.is_some_and(|f| f.text == parameter.text)
                }
                Change::Add { amount, .. } => amount.text == parameter.text,
            });
            if !in_condition && !in_effect {
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
        let compared = self.demands.iter().filter(|d| d.relation != Relation::Is);
        let counted = self.outcomes.iter().filter(|o| matches!(o.kind, OutcomeKind::Add { .. }));
        let candidates = compared.map(|d| d.variable).chain(counted.map(|o| o.variable));
        let mut wanted: Vec<VariableId> = Vec::new();
        for variable in candidates {
            let pinned =
                self.demands.iter().any(|d| d.relation == Relation::Is && d.variable == variable);
            if !pinned && !wanted.contains(&variable) {
                wanted.push(variable);
            }
        }
        self.dimensions.extend(wanted.into_iter().map(|variable| {
            let size = builder.value_names(variable).len();
            Dimension { parameter: None, variable, size }
        }));
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
        let total = self.dimensions.iter().try_fold(1usize, |n, d| n.checked_mul(d.size));
        let limit = builder.limits().template;
        let Some(total) = total.filter(|&total| total <= limit) else {
            builder.report.say(
                Code::TemplateTooLarge,
                self.head.span,
                format!("`{}` would become more than {limit} ones", self.head.name.text),
                "use fewer parameters, fewer counted variables, or variables with fewer values",
            );
            return;
        };
        let is_template = !self.dimensions.is_empty();
        let mut exist = 0;
        for number in 0..total {
            let choice = self.choice(number);
            let Some(combination) = self.combination(&choice, builder) else { continue };
            if is_template && combination.stands_still() {
                continue;
            }
            let suffix = self.suffix(&choice, builder);
            let name = format!("{}{suffix}", self.head.name.text);
            match declare(builder, name, &suffix, combination) {
                Ok(()) => exist += 1,
                // In a template a contradiction is a combination that does not exist.
                Err(_) if is_template => {}
                Err(clash) => {
                    builder.report_clash(clash, self.head.name.text);
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
        let now = |variable: VariableId| {
            requires.iter().find(|(fact, _)| fact.variable == variable).map(|(fact, _)| fact.value)
        };
        for demand in self.demands.iter().filter(|demand| demand.relation != Relation::Is) {
            let current = builder.value_name(demand.variable, now(demand.variable)?);
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
                    let current = builder.value_name(outcome.variable, now(outcome.variable)?);
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

impl Combination {
    /// Whether an effect moves a value to where it already is.
    fn stands_still(&self) -> bool {
        self.sets.iter().any(|(set, _)| self.requires.iter().any(|(fact, _)| fact == set))
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
