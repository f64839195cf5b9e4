//! One combination of a statement's values: what it requires and sets, and which of its changes
//! change something.
//!
//! In:   a value for each dimension.
//! Out:  facts; nothing if a value that is asked for does not exist or a comparison is false.
//! Cost: one step per condition and change.

use super::{EffectTerm, Expansion, Operand, OutcomeKind, Term};
use crate::build::ModelBuilder;
use crate::diagnostics::Code;
use crate::formats::npc::syntax::Relation;
use crate::model::{Fact, ValueId, VariableId};
use crate::names;
use crate::source::Span;
use std::collections::HashMap;

/// One combination: the requirements and settings of a ground action.
#[derive(Clone)]
pub(super) struct Combination {
    pub(super) requires: Vec<(Fact, Span)>,
    pub(super) sets: Vec<(Fact, Span)>,
    /// The statement's name with its parameters, if this is one of several alternatives.
    pub(super) stands_for: Option<String>,
}

/// The values that a combination fixes.
#[derive(Clone, Copy)]
pub(super) struct Current<'c> {
    pub(super) places: &'c HashMap<VariableId, usize>,
    pub(super) requires: &'c [(Fact, Span)],
}

impl Current<'_> {
    pub(super) fn value(&self, variable: VariableId) -> Option<ValueId> {
        let place = self.places.get(&variable)?;
        self.requires.get(*place).map(|(fact, _)| fact.value)
    }
}

impl EffectTerm {
    /// Whether a combination, with these values of the variables that only alternatives speak
    /// of, leaves it open that the change changes something.
    pub(super) fn moves(
        &self,
        set: Fact,
        combination: &Combination,
        open: &[Option<ValueId>],
    ) -> bool {
        let required = self.before.and_then(|at| combination.requires.get(at));
        let chosen = self.open.and_then(|at| open.get(at).copied().flatten());
        required.is_none_or(|(fact, _)| *fact != set) && chosen.is_none_or(|is| is != set.value)
    }
}

impl Expansion<'_> {
    /// The requirements and settings of one combination; `None` if it does not exist.
    pub(super) fn combination(
        &self,
        choice: &[ValueId],
        builder: &ModelBuilder,
    ) -> Option<Combination> {
        let mut requires = Vec::new();
        for (dimension, &value) in self.dimensions.iter().zip(choice) {
            if dimension.parameter.is_none() {
                requires.push((Fact { variable: dimension.variable, value }, self.head.span));
            }
        }
        let resolve = |variable, term| self.value_in(variable, term, choice, builder);
        for demand in self.demands.iter().filter(|demand| demand.relation == Relation::Is) {
            let Operand::Term(term) = demand.operand else { continue };
            let value = resolve(demand.variable, term)?;
            requires.push((Fact { variable: demand.variable, value }, demand.span));
        }
        let now = |at: Option<usize>| at.and_then(|at| requires.get(at)).map(|(f, _)| f.value);
        for demand in self.demands.iter().filter(|demand| demand.relation != Relation::Is) {
            let current = builder.value_name(demand.variable, now(demand.now)?);
            let other = self.operand_name(demand.variable, demand.operand, choice, builder);
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
                    let amount = self.operand_name(outcome.variable, *amount, choice, builder);
                    let (current, amount) =
                        (names::as_integer(current)?, names::as_integer(&amount)?);
                    let sum = if *negative { current - amount } else { current + amount };
                    builder.model.value_named(outcome.variable, &sum.to_string())?
                }
            };
            sets.push((Fact { variable: outcome.variable, value }, outcome.span));
        }
        Some(Combination { requires, sets, stands_for: None })
    }

    /// Warns of each change that finds its value wherever the statement can be done.
    pub(super) fn warn_of_idle_changes(&self, moves: &[bool], builder: &mut ModelBuilder) {
        let name = format!("{}{}", self.head.name.text, self.suffix(&[], &[], builder));
        let idle = self.outcomes.iter().zip(moves).filter(|(_, moves)| !**moves);
        for outcome in idle.map(|(outcome, _)| outcome) {
            let variable = &builder.model[outcome.variable].name;
            let value = match outcome.kind {
                OutcomeKind::Set(Term::Value(value)) => builder.value_name(outcome.variable, value),
                OutcomeKind::Set(Term::Dimension(at)) => {
                    self.dimensions[at].parameter.map_or("", |parameter| parameter.text)
                }
                OutcomeKind::Add { .. } => {
                    let text = format!("`{name}` counts `{variable}` by nothing");
                    let cure = "count by another number than 0, or leave it out";
                    builder.report.say(Code::SetsWhatItRequires, outcome.span, text, cure);
                    continue;
                }
            };
            let fact = (variable.to_string(), value.to_string());
            builder.warn_sets_what_it_requires(&name, fact, outcome.span);
        }
    }

    /// The term as a value of `variable`; `None` if it has no value of that name.
    fn value_in(
        &self,
        variable: VariableId,
        term: Term,
        choice: &[ValueId],
        builder: &ModelBuilder,
    ) -> Option<ValueId> {
        match term {
            Term::Value(value) => Some(value),
            Term::Dimension(at) if self.dimensions[at].variable == variable => Some(choice[at]),
            Term::Dimension(at) => {
                let name = builder.value_name(self.dimensions[at].variable, choice[at]);
                builder.model.value_named(variable, name)
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
                builder.value_name(self.dimensions[at].variable, choice[at]).to_string()
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
