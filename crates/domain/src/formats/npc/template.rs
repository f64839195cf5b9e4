//! Templates, alternatives and amounts: what one statement becomes.
//!
//! In:   an `action` or `goal` statement.
//! Out:  one declaration per combination of its *dimensions* (its parameters, and lists that it
//!       counts with, as `gold -= 10` with `var gold: 0, 10, 20`) and per alternative of its
//!       conditions. What it asks of an amount stays one set, how an amount moves stays one shift.
//! Cost: one step per combination; their number is checked against the limits first.
//!
//! A combination that asks for a value a variable does not have, contradicts itself, or changes
//! nothing (*each* of its changes finds its value already), simply does not exist. A statement
//! of which nothing exists is an error; one that can be done and never changes anything stays,
//! with warnings. A statement of one action is judged the same way.

mod alternatives;
mod amounts;
mod combine;
mod dimensions;
mod facts;
mod instances;
mod misread;
mod needs;
mod sets;
mod targets;
mod terms;

pub(super) use dimensions::values_of_parameter;
pub(super) use needs::declare_lacks;
pub(super) use targets::wanted;

use super::syntax::*;
use crate::build::{
    ActionDraft, GoalDraft, ModelBuilder, Reference, kinds_of, least_cost, overrides_of,
};
use crate::diagnostics::Code;
use crate::model::{Comparison, ValueId, VariableId};
use crate::source::Span;
use alternatives::Tree;
use dimensions::{Dimension, Source};
use instances::{Whole, kinds_with_arguments, with_arguments};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

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
    operand: Operand,
    span: Span,
    /// Where [`Combination::requires`] says what the value is.
    now: Option<usize>,
}

/// All that is asked of a variable whose values stay a set: all of these trees speak of it alone.
struct Asked {
    variable: VariableId,
    trees: Vec<Tree>,
    span: Span,
}

/// A variable whose value only an alternative says, or says more closely.
struct Open {
    variable: VariableId,
    is_amount: bool,
    /// Whether a name tells its value: not if only needs speak of it.
    is_told: bool,
}

/// What a condition compares with, or an effect counts by.
#[derive(Clone, Copy)]
enum Operand {
    Term(Term),
    Number(i64),
}

/// An effect after names are found.
struct EffectTerm {
    variable: VariableId,
    kind: OutcomeKind,
    span: Span,
    /// Where [`Combination::requires`] says what the value was before.
    before: Option<usize>,
    /// Where among [`Expansion::open`] its variable is, if only alternatives speak of it.
    open: Option<usize>,
}

enum OutcomeKind {
    Set(Term),
    /// Of a list: from value to value.
    Add {
        negative: bool,
        amount: Operand,
    },
    /// Of an amount.
    Shift {
        negative: bool,
        amount: Operand,
        stop: Option<Operand>,
    },
}

/// The statement with names found, before it is written out.
struct Expansion<'t> {
    head: &'t Head<'t>,
    /// What it becomes: `actions` or `goals`.
    what: &'static str,
    dimensions: Vec<Dimension<'t>>,
    /// Position of each parameter among the dimensions.
    parameters: HashMap<&'t str, usize>,
    demands: Vec<Demand>,
    outcomes: Vec<EffectTerm>,
    /// Conditions with `or`, all of which must hold.
    trees: Vec<Tree>,
    /// How many of them are written; the others come from needs, and no name tells them.
    n_told: usize,
    /// What is asked of variables whose values stay a set, by variable.
    asked: Vec<Asked>,
    /// Amounts that are compared with amounts.
    comparisons: Vec<(Comparison, Span)>,
    /// Whether what it becomes is named without the numbers of amounts.
    tells_words_only: bool,
    /// Where [`Combination::requires`] says what the value of a variable is.
    places: Places,
    /// The variables that alternatives speak of and nothing fixes, in the order of the text.
    open: Vec<Open>,
    /// What stands in a name for one of them that is left open, if anything does.
    blank: Option<String>,
    /// A variable that it speaks of does not exist for these parameters.
    is_missing: Cell<bool>,
}

/// Where something is said of variables; by variable.
#[derive(Default)]
struct Places(Vec<(VariableId, usize)>);

impl Places {
    /// Their positions in a row; of a variable that comes several times, the first.
    fn of(row: impl Iterator<Item = VariableId>) -> Places {
        let mut places: Vec<_> = row.enumerate().map(|(at, variable)| (variable, at)).collect();
        places.sort_unstable();
        places.dedup_by_key(|(variable, _)| *variable);
        Places(places)
    }

    fn get(&self, variable: VariableId) -> Option<usize> {
        let found = self.0.binary_search_by_key(&variable, |(variable, _)| *variable);
        found.ok().map(|at| self.0[at].1)
    }
}

/// Why an instance of a statement is none.
enum Gone {
    /// A variable that it speaks of does not exist for its parameters.
    Missing,
    /// Something is wrong with the statement, and was reported.
    Broken,
}

/// Declares the ground actions of a statement.
pub(super) fn actions(syntax: &ActionSyntax<'_>, builder: &mut ModelBuilder) {
    let cost = builder.price(syntax.cost);
    let name = syntax.head.name.text;
    if reserved_words(syntax, builder) {
        builder.add_broken(name);
        return;
    }
    let of_kinds = syntax.kinds.iter().flat_map(|kind| &kind.checks);
    let checks: Vec<CheckWord<'_>> = syntax.checks.iter().chain(of_kinds).copied().collect();
    let whole = Whole {
        what: "actions",
        head: &syntax.head,
        conditions: &syntax.conditions,
        effects: &syntax.effects,
        checks: &checks,
        needs: &syntax.needs,
    };
    let overrides = overrides_of(&syntax.overrides);
    let mut is_judged = false;
    let mut prepare = |plan: &Expansion<'_>, builder: &mut ModelBuilder| {
        is_judged = true;
        let arguments = plan.arguments(&checks, builder);
        let (own, of_kinds) = arguments.split_at(syntax.checks.len());
        let own = builder.checks(name, &with_arguments(&syntax.checks, own));
        let kinds = kinds_with_arguments(&syntax.kinds, of_kinds);
        let (checks, kinds) = (own, builder.kinds(name, &kinds)?);
        let cost = cost?.unwrap_or_else(|| least_cost(&kinds));
        Some((checks?, kinds_of(kinds), cost))
    };
    let needs = !syntax.needs.is_empty();
    whole.write_out(builder, &mut prepare, &mut |builder, prepared, name, suffix, ground| {
        let (checks, kinds, cost) = prepared;
        let same = builder.model.find_action(&name);
        let own = same.filter(|_| needs);
        let own = own.filter(|&first| builder.model[first].span() == syntax.head.span);
        let next = if same.is_some() { builder.next_variant(&name) } else { 1 };
        let variant = match (own, syntax.variant) {
            (None, None) => 1,
            (None, Some(word)) if word.text.parse() != Ok(next) || next == 1 => {
                let text = format!("there is no variant of `{name}` before this one");
                let cure = "write it without `variant`; the next of the same name is `variant 2`";
                builder.report.say(Code::Expected, word.span, text, cure);
                return Ok(());
            }
            _ => next,
        };
        builder.declare_action(ActionDraft {
            name,
            requires: ground.requires,
            sets: ground.sets,
            ranges: ground.ranges,
            comparisons: ground.comparisons,
            shifts: ground.shifts,
            checks: checks.clone(),
            overrides: overrides.clone(),
            cost: *cost,
            parts: Vec::new(),
            kinds: kinds.clone(),
            variant,
            was: with_suffix(&syntax.was, suffix),
            is_alone: false,
            span: syntax.head.span,
        })
    });
    // A mistake elsewhere in the statement hides none of its checks.
    if !is_judged && checks.iter().all(|check| check.argument.is_none()) {
        _ = builder.checks(name, &syntax.checks);
        _ = builder.kinds(name, &syntax.kinds);
    }
}

/// Whether an action with kinds has a check that is called like a word between checks of
/// kinds; reported if so.
fn reserved_words(syntax: &ActionSyntax<'_>, builder: &mut ModelBuilder) -> bool {
    let checks = || syntax.checks.iter().chain(syntax.kinds.iter().flat_map(|kind| &kind.checks));
    let is_word = |check: &&CheckWord<'_>| matches!(check.name.text, "not" | "and");
    let Some(check) = checks().find(is_word).filter(|_| !syntax.kinds.is_empty()) else {
        return false;
    };
    let text = format!("`{}` cannot be the name of a check beside `kinds`", check.name.text);
    let cure = "name a check there; `not` and `and` stand between the checks of kinds";
    builder.report.say(Code::BadName, check.name.span, text, cure);
    true
}

/// Declares the ground goals of a statement.
pub(super) fn goals(syntax: &GoalSyntax<'_>, builder: &mut ModelBuilder) {
    let priority = builder.priority(syntax.priority);
    let whole = Whole {
        what: "goals",
        head: &syntax.head,
        conditions: &syntax.conditions,
        effects: &[],
        checks: &[],
        needs: &[],
    };
    let span = syntax.head.span;
    let mut prepare = |_: &Expansion<'_>, _: &mut ModelBuilder| priority;
    whole.write_out(builder, &mut prepare, &mut |builder, priority, name, suffix, ground| {
        let implied = || ground.stands_for.map(|name| Reference { name: name.into(), span });
        builder.declare_goal(GoalDraft {
            name,
            wants: ground.requires,
            ranges: ground.ranges,
            comparisons: ground.comparisons,
            priority: *priority,
            serves: syntax.serves.as_ref().map(Reference::to_owned).or_else(implied),
            was: with_suffix(&syntax.was, suffix),
            span: syntax.head.span,
        })
    });
}

/// Former names of a template's members: `walk` was `go`, so `walk(pipe)` was `go(pipe)`.
pub(super) fn with_suffix(was: &[Reference<'_>], suffix: &str) -> Vec<Reference<'static>> {
    let name = |word: &Reference<'_>| match word.name.contains('(') {
        true => word.name.to_string(),
        false => format!("{}{suffix}", word.name),
    };
    was.iter().map(|word| Reference { name: name(word).into(), span: word.span }).collect()
}

impl<'t> Expansion<'t> {
    fn new(what: &'static str, head: &'t Head<'t>) -> Self {
        Expansion {
            head,
            what,
            dimensions: Vec::new(),
            parameters: HashMap::new(),
            demands: Vec::new(),
            outcomes: Vec::new(),
            trees: Vec::new(),
            n_told: 0,
            asked: Vec::new(),
            comparisons: Vec::new(),
            tells_words_only: false,
            places: Places::default(),
            open: Vec::new(),
            blank: None,
            is_missing: Cell::new(false),
        }
    }

    /// An instance of a statement over these parameters.
    fn of(
        whole: &Whole<'t, 't>,
        dimensions: Vec<Dimension<'t>>,
        builder: &mut ModelBuilder,
    ) -> Result<Self, Gone> {
        let Whole { what, head, conditions, effects, .. } = *whole;
        let mut plan = Expansion::new(what, head);
        let named = dimensions.iter().enumerate();
        plan.parameters = named.filter_map(|(at, it)| Some((it.parameter?.text, at))).collect();
        plan.dimensions = dimensions;
        let errors = builder.report.errors();
        let mut complete = plan.head_names_amounts(builder);
        for condition in conditions {
            let tree = plan.tree(condition, false, builder);
            complete &= tree.is_some();
            tree.into_iter().for_each(|tree| plan.add_condition(tree));
        }
        for effect in effects {
            complete &= plan.add_effect(effect, builder).is_some();
        }
        if !complete {
            let missing = plan.is_missing.get() && builder.report.errors() == errors;
            return Err(if missing { Gone::Missing } else { Gone::Broken });
        }
        plan.warn_unused_parameters(whole, builder);
        plan.add_needs(whole.needs, builder);
        plan.warn_of_words_beside_slots(builder);
        plan.warn_of_empty_conditions(builder);
        plan.keep_amounts_whole(builder);
        plan.add_counted_variables(builder);
        plan.find_current_values();
        plan.find_open_variables(builder);
        plan.blank = plan.blank_word(builder);
        Ok(plan)
    }

    /// Takes a condition in: what must hold whatever happens as demands, alternatives as trees.
    fn add_condition(&mut self, tree: Tree) {
        match tree {
            Tree::Leaf(demand) => self.demands.push(demand),
            Tree::Compared(it, span) => self.comparisons.push((it, span)),
            Tree::All(list) => list.into_iter().for_each(|tree| self.add_condition(tree)),
            Tree::Any(_) => self.trees.push(tree),
        }
    }

    /// A condition with its names found. Negation moves inward; every mistake is told, so none
    /// ends the walk.
    fn tree(
        &self,
        formula: &Formula<'_>,
        negated: bool,
        builder: &mut ModelBuilder,
    ) -> Option<Tree> {
        let (list, all) = match formula {
            Formula::One(condition) => return self.condition(condition, negated, builder),
            Formula::Bare(word, after) => {
                self.report_bare(*word, *after, negated, builder);
                return None;
            }
            Formula::Not(inner) => return self.tree(inner, !negated, builder),
            Formula::All(list) => (list, !negated),
            Formula::Any(list) => (list, negated),
        };
        let trees: Vec<_> = list.iter().map(|f| self.tree(f, negated, builder)).collect();
        let trees: Option<Vec<Tree>> = trees.into_iter().collect();
        trees.map(if all { Tree::All } else { Tree::Any })
    }

    fn condition(
        &self,
        condition: &Condition<'_>,
        negated: bool,
        builder: &mut ModelBuilder,
    ) -> Option<Tree> {
        let Condition { variable: word, argument, relation, value, span } = *condition;
        let variable = self.variable(word, argument, relation.is_by_size(), builder)?;
        let relation = if negated { relation.opposite() } else { relation };
        if let Some(group) = self.group(variable, relation, value, builder) {
            let leaf = |value| {
                let operand = Operand::Term(Term::Value(ValueId::at(value)));
                Tree::Leaf(Demand { variable, relation, operand, span, now: None })
            };
            let one = group.len() == 1;
            let leaves = group.map(leaf).collect();
            return Some(match relation {
                Relation::Is if !one => Tree::Any(leaves),
                _ => Tree::All(leaves),
            });
        }
        if let Some(other) = self.other_amount(variable, value, builder) {
            let (left, right) = ((variable, word.span), (other, value.span));
            let compared = builder.comparison(left, relation, right)?;
            return Some(Tree::Compared(compared, span));
        }
        let ordered = relation.is_by_size();
        if ordered {
            let sign = condition.relation.sign();
            self.needs_numbers(variable, sign, span, Code::ComparesWords, builder)?;
        }
        let operand = match ordered {
            true => self.number(variable, value, builder)?,
            false => Operand::Term(self.term(variable, value, builder)?),
        };
        Some(Tree::Leaf(Demand { variable, relation, operand, span, now: None }))
    }

    fn add_effect(&mut self, effect: &Effect<'_>, builder: &mut ModelBuilder) -> Option<()> {
        let variable = match self.misread_effect(effect, builder) {
            true => return None,
            false => {
                let counts = matches!(effect.change, Change::Add { .. });
                self.variable(effect.variable, effect.argument, counts, builder)?
            }
        };
        let (kind, end) = match effect.change {
            Change::Move { from, to } => {
                let to_term = self.term(variable, to, builder);
                if let Some(from) = from {
                    let span = effect.variable.span.to(from.span);
                    let operand = Operand::Term(self.term(variable, from, builder)?);
                    let relation = Relation::Is;
                    self.demands.push(Demand { variable, relation, operand, span, now: None });
                }
                (OutcomeKind::Set(to_term?), to.span)
            }
            Change::Add { negative, amount, stop } => {
                let end = stop.map_or(amount.span, |stop| stop.span);
                let span = effect.variable.span.to(amount.span);
                let sign = if negative { "-=" } else { "+=" };
                self.needs_numbers(variable, sign, span, Code::CountsWithWords, builder)?;
                let by = self.number(variable, amount, builder)?;
                let kind = match builder.model[variable].values().ends() {
                    Some(_) => self.shift(variable, negative, (by, amount), stop, builder)?,
                    None => self.add(variable, negative, by, stop, builder)?,
                };
                (kind, end)
            }
        };
        let span = effect.variable.span.to(end);
        self.outcomes.push(EffectTerm { variable, kind, span, before: None, open: None });
        Some(())
    }

    fn warn_unused_parameters(&self, whole: &Whole<'_, '_>, builder: &mut ModelBuilder) {
        if self.dimensions.is_empty() {
            return;
        }
        let of_checks = whole.checks.iter().filter_map(|check| check.argument);
        let of_needs = whole.needs.iter().copied();
        let mut used: HashSet<&str> = of_checks.chain(of_needs).map(|word| word.text).collect();
        for formula in whole.conditions {
            formula.each_condition(&mut |condition| {
                used.insert(condition.value.text);
                used.extend(condition.argument.map(|word| word.text));
            });
        }
        for effect in whole.effects {
            used.extend(effect.argument.map(|word| word.text));
            match effect.change {
                Change::Move { from, to } => used.extend(from.iter().chain([&to]).map(|w| w.text)),
                Change::Add { amount, stop, .. } => {
                    used.extend([amount.text].into_iter().chain(stop.map(|stop| stop.text)));
                }
            }
        }
        for dimension in &self.dimensions {
            let Some(parameter) = dimension.parameter else { continue };
            // What a slot holds is for the code that does the action.
            let is_slot = matches!(dimension.source, Source::Select(_));
            if !is_slot && !used.contains(parameter.text) {
                let text = format!("parameter `{}` is not used", parameter.text);
                let cure = "use it as a value, or remove it";
                builder.report.say(Code::UnusedParameter, parameter.span, text, cure);
            }
        }
    }

    /// Whether it asks for values and sets values, and nothing else: then nothing is counted,
    /// and nothing left open.
    fn is_of_facts(&self) -> bool {
        self.trees.is_empty()
            && self.comparisons.is_empty()
            && self.demands.iter().all(|demand| demand.relation == Relation::Is)
            && self.outcomes.iter().all(|outcome| matches!(outcome.kind, OutcomeKind::Set(_)))
    }

    /// Lists that are compared or counted with, unless an equation pins them.
    fn add_counted_variables(&mut self, builder: &ModelBuilder) {
        if self.is_of_facts() {
            return;
        }
        let equations = self.demands.iter().filter(|d| d.relation == Relation::Is);
        let mut known: HashSet<VariableId> = equations.map(|d| d.variable).collect();
        let compared = self.demands.iter().filter(|d| d.relation != Relation::Is);
        let counted = self.outcomes.iter().filter(|o| matches!(o.kind, OutcomeKind::Add { .. }));
        for variable in compared.map(|d| d.variable).chain(counted.map(|o| o.variable)) {
            if known.insert(variable) {
                let size = builder.model[variable].values.len();
                self.dimensions.push(Dimension::counted(variable, size));
            }
        }
    }

    /// Finds once where every combination says what a variable's value is: the requirements
    /// come in the order of [`Expansion::combination`].
    fn find_current_values(&mut self) {
        let counted = self.dimensions.iter().filter_map(Dimension::counted_variable);
        let equations = self.demands.iter().filter(|d| d.relation == Relation::Is);
        let required = counted.chain(equations.map(|d| d.variable));
        self.places = Places::of(required);
        for demand in &mut self.demands {
            demand.now = self.places.get(demand.variable);
        }
        for outcome in &mut self.outcomes {
            outcome.before = self.places.get(outcome.variable);
        }
    }

    /// Finds the variables whose value only an alternative says.
    fn find_open_variables(&mut self, builder: &ModelBuilder) {
        if self.trees.is_empty() {
            return;
        }
        let mut seen = HashSet::new();
        for (at, tree) in self.trees.iter().enumerate() {
            let is_told = at < self.n_told;
            tree.each_demand(&mut |demand| {
                let variable = demand.variable;
                if self.places.get(variable).is_none() && seen.insert(variable) {
                    let is_amount = builder.model[variable].values().ends().is_some();
                    self.open.push(Open { variable, is_amount, is_told });
                }
            });
        }
        let places = Places::of(self.open.iter().map(|open| open.variable));
        for outcome in &mut self.outcomes {
            outcome.open = places.get(outcome.variable);
        }
    }
}
