//! One combination of a statement's values: what it requires and changes, and which of its
//! changes change something.
//!
//! In:   a value for each dimension.
//! Out:  facts, sets of values and shifts; nothing if a value that is asked for does not exist or
//!       a comparison is false.
//! Cost: one step per condition and change.

use super::alternatives::Found;
use super::dimensions::Source;
use super::sets::Runs;
use super::{Demand, EffectTerm, Expansion, Operand, OutcomeKind, Places, Term};
use crate::amounts::ValueSet;
use crate::build::ModelBuilder;
use crate::diagnostics::Code;
use crate::formats::npc::syntax::Relation;
use crate::model::{Comparison, Fact, Shift, ValueId, VariableId};
use crate::names;
use crate::source::Span;
use std::rc::Rc;

/// What conditions leave of a variable, and where they stand.
type SetLeft = (VariableId, Rc<Runs>, Span);

/// One combination: the requirements and changes of a ground action.
#[derive(Clone)]
pub(super) struct Combination {
    pub(super) requires: Vec<(Fact, Span)>,
    /// What is left of variables whose values stay a set.
    pub(super) ranges: Vec<SetLeft>,
    pub(super) comparisons: Vec<(Comparison, Span)>,
    /// One for each of [`Expansion::outcomes`].
    pub(super) changes: Vec<Made>,
    /// The statement's name with its parameters, if this is one of several alternatives.
    pub(super) stands_for: Option<String>,
}

/// What a change comes to.
#[derive(Clone, Copy)]
pub(super) enum Made {
    Set(Fact),
    Shift(Shift),
}

/// What a combination says of variables.
#[derive(Clone, Copy)]
pub(super) struct Current<'c> {
    pub(super) places: &'c Places,
    pub(super) combination: &'c Combination,
}

impl Current<'_> {
    /// The value of a variable, if it is fixed.
    pub(super) fn value(&self, variable: VariableId) -> Option<ValueId> {
        let place = self.places.get(variable)?;
        self.combination.requires.get(place).map(|(fact, _)| fact.value)
    }

    /// What is left of a variable whose values stay a set.
    pub(super) fn set(&self, variable: VariableId) -> Option<&Runs> {
        let mut sets = self.combination.ranges.iter();
        sets.find(|(of, ..)| *of == variable).map(|(_, set, _)| &**set)
    }
}

impl EffectTerm {
    /// Whether a combination, with these words of the variables that only alternatives speak
    /// of, leaves it open that the change changes something.
    pub(super) fn moves(
        &self,
        made: Made,
        combination: &Combination,
        open: &[Option<ValueId>],
        builder: &ModelBuilder,
    ) -> bool {
        let required = self.before.and_then(|at| combination.requires.get(at));
        let chosen = self.open.and_then(|at| open.get(at).copied().flatten());
        let asked = combination.ranges.iter().filter(|(variable, ..)| *variable == self.variable);
        let sets = asked.map(|(_, set, _)| Runs::clone(set));
        let left = sets.reduce(|all, one| all.both(&one));
        let known = required.map(|(fact, _)| fact.value).or(chosen);
        let before = known.or_else(|| left.as_ref().and_then(Runs::only));
        match made {
            Made::Set(set) => before.is_none_or(|is| is != set.value),
            Made::Shift(shift) => {
                let n_values = builder.model[shift.variable].values().len() as u16;
                let all = ValueSet::all(n_values);
                let left = left.and_then(|left| ValueSet::of_runs(left.to_positions()));
                let left = match before {
                    Some(value) => ValueSet::one(value.0 as u16),
                    None => left.unwrap_or(all),
                };
                shift.by.moves(&left)
            }
        }
    }
}

impl Expansion<'_> {
    /// The requirements and changes of one combination; `None` if it does not exist.
    pub(super) fn combination(
        &self,
        choice: &[ValueId],
        builder: &mut ModelBuilder,
    ) -> Found<Option<Combination>> {
        let Some(requires) = self.facts_required(choice, builder) else { return Ok(None) };
        let Some(ranges) = self.sets_left(choice, builder)? else { return Ok(None) };
        let changes = self.changes(choice, &requires, builder);
        Ok(changes.map(|changes| Combination {
            requires,
            ranges,
            comparisons: self.comparisons.clone(),
            changes,
            stands_for: None,
        }))
    }

    fn facts_required(
        &self,
        choice: &[ValueId],
        builder: &ModelBuilder,
    ) -> Option<Vec<(Fact, Span)>> {
        let mut requires = Vec::with_capacity(self.dimensions.len() + self.demands.len());
        for (dimension, &value) in self.dimensions.iter().zip(choice) {
            if let Some(variable) = dimension.counted_variable() {
                requires.push((Fact { variable, value }, self.head.span));
            }
        }
        for demand in self.demands.iter().filter(|demand| demand.relation == Relation::Is) {
            let Operand::Term(term) = demand.operand else { continue };
            let value = self.value_in(demand.variable, term, choice, builder)?;
            requires.push((Fact { variable: demand.variable, value }, demand.span));
        }
        for demand in self.demands.iter().filter(|demand| demand.relation != Relation::Is) {
            let now = demand.now.and_then(|at| requires.get(at))?;
            if !self.meets(demand, now.0.value, choice, builder) {
                return None;
            }
        }
        Some(requires)
    }

    /// What conditions leave of the variables whose values stay a set; `None` if it is nothing.
    fn sets_left(
        &self,
        choice: &[ValueId],
        builder: &mut ModelBuilder,
    ) -> Found<Option<Vec<SetLeft>>> {
        let mut sets = Vec::with_capacity(self.asked.len());
        for asked in &self.asked {
            let mut left: Option<Runs> = None;
            for tree in &asked.trees {
                let allowed = self.allowed_by_tree(tree, choice, builder)?;
                left = Some(left.map_or(allowed.clone(), |left| left.both(&allowed)));
            }
            let Some(left) = left.filter(|left| !left.is_empty()) else { return Ok(None) };
            sets.push((asked.variable, Rc::new(left), asked.span));
        }
        Ok(Some(sets))
    }

    fn changes(
        &self,
        choice: &[ValueId],
        requires: &[(Fact, Span)],
        builder: &ModelBuilder,
    ) -> Option<Vec<Made>> {
        let mut changes = Vec::with_capacity(self.outcomes.len());
        for outcome in &self.outcomes {
            let variable = outcome.variable;
            let value = match &outcome.kind {
                OutcomeKind::Set(term) => self.value_in(variable, *term, choice, builder)?,
                OutcomeKind::Shift { negative, amount, stop } => {
                    let by = self.number_of(variable, *amount, choice, builder)?;
                    // What stops never moves the other way, so less than nothing is nothing.
                    let by = if stop.is_some() { by.max(0) } else { by };
                    let by = if *negative { -by } else { by };
                    let stop = match stop {
                        None => None,
                        Some(stop) => Some(self.number_of(variable, *stop, choice, builder)?),
                    };
                    changes.push(Made::Shift(builder.shift_of(variable, by, stop)?));
                    continue;
                }
                OutcomeKind::Add { negative, amount } => {
                    let now = outcome.before.and_then(|at| requires.get(at))?;
                    let current = builder.value_name(variable, now.0.value);
                    let amount = self.operand_name(variable, *amount, choice, builder);
                    let (current, amount) =
                        (names::as_integer(current)?, names::as_integer(&amount)?);
                    let sum = if *negative { current - amount } else { current + amount };
                    builder.model.value_named(variable, &sum.to_string())?
                }
            };
            changes.push(Made::Set(Fact { variable, value }));
        }
        Some(changes)
    }

    /// Warns of each change that finds its value wherever the statement can be done.
    pub(super) fn warn_of_idle_changes(&self, moves: &[bool], builder: &mut ModelBuilder) {
        let idle = self.outcomes.iter().zip(moves).filter(|(_, moves)| !**moves);
        for outcome in idle.map(|(outcome, _)| outcome) {
            let name = format!("{}{}", self.head.name.text, self.suffix(&[], None, builder));
            let variable = &builder.model[outcome.variable].name();
            let value = match outcome.kind {
                OutcomeKind::Set(Term::Value(value)) => {
                    builder.model[outcome.variable].values().name_of(value.index()).into_owned()
                }
                OutcomeKind::Set(Term::Dimension(at)) => {
                    self.dimensions[at].parameter.map_or("", |parameter| parameter.text).to_string()
                }
                OutcomeKind::Add { .. } | OutcomeKind::Shift { .. } => {
                    let is_shift = matches!(outcome.kind, OutcomeKind::Shift { .. });
                    let code =
                        if is_shift { Code::CountsByNothing } else { Code::SetsWhatItRequires };
                    let by_zero = self.counts_by_zero(outcome);
                    let text = match by_zero {
                        true => format!("`{name}` counts `{variable}` by nothing"),
                        false => format!("`{name}` finds `{variable}` where it stops, or beyond"),
                    };
                    let cure = match by_zero {
                        true => "count by another number than 0, or leave it out",
                        false => "let it stop at another number, or leave it out",
                    };
                    builder.report.say(code, outcome.span, text, cure);
                    continue;
                }
            };
            let fact = (variable.to_string(), value);
            builder.warn_sets_what_it_requires(&name, fact, outcome.span);
        }
    }

    /// Whether a change counts by zero, or may do so by a parameter.
    fn counts_by_zero(&self, outcome: &EffectTerm) -> bool {
        match &outcome.kind {
            OutcomeKind::Set(_) => false,
            OutcomeKind::Add { amount, .. } | OutcomeKind::Shift { amount, .. } => {
                !matches!(amount, Operand::Number(number) if *number != 0)
            }
        }
    }

    /// Whether a value of its variable meets a condition.
    pub(super) fn meets(
        &self,
        demand: &Demand,
        value: ValueId,
        choice: &[ValueId],
        builder: &ModelBuilder,
    ) -> bool {
        let Demand { variable, relation, operand, .. } = *demand;
        match builder.model[variable].values().ends() {
            Some((low, _)) => match self.number_of(variable, operand, choice, builder) {
                Some(number) => relation.holds(low + i64::from(value.0), number),
                None => relation == Relation::IsNot,
            },
            None => match operand {
                Operand::Term(term) if !relation.is_by_size() => {
                    let other = self.value_in(variable, term, choice, builder);
                    (other == Some(value)) == (relation == Relation::Is)
                }
                _ => {
                    let now = builder.value_name(variable, value);
                    holds(relation, now, &self.operand_name(variable, operand, choice, builder))
                }
            },
        }
    }

    /// The term as a value of `variable`; `None` if it has no value of that name.
    pub(super) fn value_in(
        &self,
        variable: VariableId,
        term: Term,
        choice: &[ValueId],
        builder: &ModelBuilder,
    ) -> Option<ValueId> {
        match term {
            Term::Value(value) => Some(value),
            Term::Dimension(at) => {
                let (dimension, value) = (&self.dimensions[at], choice[at]);
                if dimension.source == Source::Variable(variable) {
                    return Some(value);
                }
                if let Some(slot) = dimension.slot(value, builder) {
                    return builder.model.slot_value(variable, slot);
                }
                // A plain word is no slot, even if it is called like one.
                let found = builder.model.value_named(variable, dimension.name(value, builder))?;
                builder.model.value_slot(variable, found).is_none().then_some(found)
            }
        }
    }

    pub(super) fn operand_name(
        &self,
        variable: VariableId,
        operand: Operand,
        choice: &[ValueId],
        builder: &ModelBuilder,
    ) -> String {
        match operand {
            Operand::Number(number) => number.to_string(),
            Operand::Term(Term::Value(value)) => builder.value_name(variable, value).to_string(),
            Operand::Term(Term::Dimension(at)) => {
                self.dimensions[at].name(choice[at], builder).to_string()
            }
        }
    }
}

/// Whether the relation holds between two values, by size only between numbers.
pub(super) fn holds(relation: Relation, left: &str, right: &str) -> bool {
    match relation.is_by_size() {
        false => relation.holds(left, right),
        true => names::as_integer(left)
            .zip(names::as_integer(right))
            .is_some_and(|(left, right)| relation.holds(left, right)),
    }
}
