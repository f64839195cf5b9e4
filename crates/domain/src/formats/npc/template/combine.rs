//! Writes a statement out: every combination of the values of its dimensions.

use super::{Operand, OutcomeKind, Plan, Term};
use crate::build::{Clash, ModelBuilder};
use crate::diagnostics::Code;
use crate::formats::npc::syntax::{Arguments, Relation};
use crate::model::{Fact, ValueId, VariableId};
use crate::names;
use crate::source::Span;

/// One combination: the requirements and settings of a ground action.
pub(super) struct Combination {
    pub(super) requires: Vec<(Fact, Span)>,
    pub(super) sets: Vec<(Fact, Span)>,
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
            // Former names of a template's members end alike; a ground name has its own.
            let former = if is_template { suffix.as_str() } else { "" };
            match declare(builder, name, former, combination) {
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
