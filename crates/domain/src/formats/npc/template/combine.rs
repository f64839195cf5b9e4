//! Writes a statement out: every combination of the values of its dimensions, and in each
//! every alternative of its conditions.

use super::alternatives::{Alternative, Evaluation};
use super::{Operand, OutcomeKind, Plan, Term};
use crate::build::{Clash, ModelBuilder};
use crate::diagnostics::Code;
use crate::formats::npc::syntax::{Arguments, Relation};
use crate::model::{Fact, ValueId, VariableId};
use crate::names;
use crate::source::Span;
use std::collections::{HashMap, HashSet};

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
    places: &'c HashMap<VariableId, usize>,
    requires: &'c [(Fact, Span)],
}

impl Current<'_> {
    pub(super) fn value(&self, variable: VariableId) -> Option<ValueId> {
        let place = self.places.get(&variable)?;
        self.requires.get(*place).map(|(fact, _)| fact.value)
    }
}

/// What to do with each ground action or goal: its name, how its former names end, itself.
type Declare<'d> =
    dyn FnMut(&mut ModelBuilder<'_>, String, &str, Combination) -> Result<(), (Code, Clash)> + 'd;

/// How far writing out has come.
#[derive(Default)]
struct Progress {
    /// Ground actions or goals that exist.
    exist: usize,
    /// Alternatives looked at.
    looked_at: usize,
    /// A limit was passed, and said to be.
    stopped: bool,
}

impl Plan<'_> {
    /// Calls `declare` for every combination that exists.
    pub(super) fn write_out(
        &self,
        builder: &mut ModelBuilder<'_>,
        mut declare: impl FnMut(
            &mut ModelBuilder<'_>,
            String,
            &str,
            Combination,
        ) -> Result<(), (Code, Clash)>,
    ) {
        let Some(total) = self.n_combinations(builder) else {
            builder.add_broken(self.head.name.text);
            return;
        };
        let size = 1 + self.dimensions.len() + self.demands.len() + self.outcomes.len();
        let mut progress = Progress::default();
        let constant = self.alternatives_are_constant();
        let mut alternatives: Option<Vec<Alternative>> = None;
        for number in 0..total {
            if self.is_template() && builder.is_full() {
                progress.stopped = true;
                break;
            }
            let choice = self.choice(number);
            let combination = self.combination(&choice, builder);
            let combination = combination.filter(|c| !(self.is_template() && self.stands_still(c)));
            let Some(combination) = combination else {
                // What does not exist was looked at all the same.
                builder.spend(size, self.head.span);
                continue;
            };
            if self.trees.is_empty() {
                self.declare(&choice, &[], combination, builder, &mut progress, &mut declare);
                continue;
            }
            if alternatives.is_none() || !constant {
                let current = Current { places: &self.places, requires: &combination.requires };
                let mut evaluation = Evaluation { plan: self, choice: &choice, current, builder };
                match evaluation.all(&self.trees) {
                    Ok(found) => alternatives = Some(found),
                    Err(_) => {
                        progress.stopped = true;
                        break;
                    }
                }
            }
            let found = alternatives.as_deref().unwrap_or_default();
            self.each_alternative(
                &choice,
                found,
                &combination,
                builder,
                &mut progress,
                &mut declare,
            );
            if progress.stopped {
                break;
            }
        }
        if progress.stopped {
            builder.add_broken(self.head.name.text);
        } else if progress.exist == 0 {
            builder.add_broken(self.head.name.text);
            self.report_nothing_exists(builder);
        }
    }

    /// Whether it stands for several actions or goals, some of which may not exist.
    fn is_template(&self) -> bool {
        !self.dimensions.is_empty() || !self.trees.is_empty()
    }

    /// Declares a combination once for each way to choose values from its alternatives.
    fn each_alternative(
        &self,
        choice: &[ValueId],
        alternatives: &[Alternative],
        combination: &Combination,
        builder: &mut ModelBuilder<'_>,
        progress: &mut Progress,
        declare: &mut Declare<'_>,
    ) {
        let mut seen = HashSet::new();
        for alternative in alternatives {
            let limit = builder.limits().template;
            let more = alternative.n_choices().and_then(|n| n.checked_add(progress.looked_at));
            progress.looked_at = more.unwrap_or(usize::MAX);
            if progress.looked_at > limit {
                self.too_large(more, builder);
                progress.stopped = true;
                return;
            }
            let sets: Vec<(usize, Vec<ValueId>)> = alternative.choices().collect();
            for mut number in 0..alternative.n_choices().unwrap_or(0) {
                let mut values: Vec<Option<ValueId>> = vec![None; self.open.len()];
                for (at, set) in sets.iter().rev() {
                    values[*at] = Some(set[number % set.len()]);
                    number /= set.len();
                }
                let looser = |other: &Alternative| other.leaves_more_open(alternative, &values);
                let known = alternatives.iter().any(looser) || !seen.insert(values.clone());
                let room = builder.spend(1 + alternatives.len() / 8, self.head.span);
                if known || !room {
                    continue;
                }
                let mut one = combination.clone();
                let facts = self.open.iter().zip(&values);
                let facts = facts.filter_map(|(&variable, value)| {
                    Some((Fact { variable, value: (*value)? }, self.head.span))
                });
                one.requires.extend(facts);
                let moves_nowhere = |set: &(Fact, Span)| {
                    one.requires[combination.requires.len()..].iter().any(|need| need.0 == set.0)
                };
                if !one.sets.iter().any(moves_nowhere) {
                    self.declare(choice, &values, one, builder, progress, declare);
                }
            }
        }
    }

    /// Declares one ground action or goal.
    fn declare(
        &self,
        choice: &[ValueId],
        open: &[Option<ValueId>],
        mut combination: Combination,
        builder: &mut ModelBuilder<'_>,
        progress: &mut Progress,
        declare: &mut Declare<'_>,
    ) {
        let base = self.head.name.text;
        let is_template = self.is_template();
        let suffix = self.suffix(choice, open, builder);
        let written = self.dimensions.iter().filter(|d| d.parameter.is_some()).count();
        if written < self.dimensions.len() || !self.open.is_empty() {
            let explicit = self.suffix(&choice[..written], &[], builder);
            combination.stands_for = Some(format!("{base}{explicit}"));
        }
        // Former names of a template's members end alike; a ground name has its own.
        let former = if is_template { suffix.as_str() } else { "" };
        match declare(builder, format!("{base}{suffix}"), former, combination) {
            Ok(()) => progress.exist += 1,
            // In a template a contradiction is a combination that does not exist.
            Err(_) if is_template => {
                builder.spend(1 + self.demands.len() + self.outcomes.len(), self.head.span);
            }
            Err(clash) => {
                builder.report_clash(clash, base);
                builder.add_broken(base);
                progress.exist += 1;
            }
        }
    }

    /// How many combinations there are; `None`, with a report, if they are too many.
    fn n_combinations(&self, builder: &mut ModelBuilder<'_>) -> Option<usize> {
        let total = self.dimensions.iter().try_fold(1usize, |n, d| n.checked_mul(d.size));
        if total.is_some_and(|total| total <= builder.limits().template) {
            return total;
        }
        self.too_large(total, builder);
        None
    }

    fn too_large(&self, total: Option<usize>, builder: &mut ModelBuilder<'_>) {
        let limit = builder.limits().template;
        let count = total.map_or("far too many".to_string(), |total| total.to_string());
        let (name, what) = (self.head.name.text, self.what);
        builder.report.say(
            Code::TemplateTooLarge,
            self.head.span,
            format!("`{name}` would become {count} {what}; the limit is {limit}"),
            "use fewer parameters, fewer counted variables, or variables with fewer values",
        );
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
    fn suffix(
        &self,
        choice: &[ValueId],
        open: &[Option<ValueId>],
        builder: &ModelBuilder<'_>,
    ) -> String {
        let mut words: Vec<&str> = Vec::new();
        if let Arguments::Values(values) = &self.head.arguments {
            words.extend(values.iter().map(|word| word.text));
        }
        for (dimension, value) in self.dimensions.iter().zip(choice) {
            words.push(&builder.value_names(dimension.variable)[value.index()]);
        }
        for (&variable, value) in self.open.iter().zip(open) {
            words.push(value.map_or(&self.blank[..], |value| builder.value_name(variable, value)));
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
        Some(Combination { requires, sets, stands_for: None })
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

    pub(super) fn operand_name(
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

/// Whether the relation holds between two values.
pub(super) fn holds(relation: Relation, left: &str, right: &str) -> bool {
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
