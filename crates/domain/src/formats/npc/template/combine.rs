//! Writes a statement out: every combination of the values of its dimensions, and in each
//! every alternative of its conditions.
//!
//! In:   a statement with names found.
//! Out:  a declaration for each that exists. One that changes nothing does not exist beside
//!       others that do; if there is no other, all of them stay, and the warnings say so.
//! Cost: one step per combination and alternative, twice if nothing changes anything.

use super::Expansion;
use super::alternatives::{Alternative, Evaluation};
use super::facts::{Combination, Current};
use crate::build::{Clash, ModelBuilder};
use crate::diagnostics::Code;
use crate::formats::npc::syntax::Arguments;
use crate::model::{Fact, ValueId};
use std::collections::HashSet;

/// What to do with each ground action or goal: its name, how its former names end, itself.
type Declare<'d> =
    dyn FnMut(&mut ModelBuilder, String, &str, Combination) -> Result<(), (Code, Clash)> + 'd;

/// How far writing out has come.
#[derive(Default)]
struct Progress {
    /// Whether combinations that change nothing are declared too.
    keeps_idle: bool,
    /// Some combination was left out because it changes nothing.
    has_idle: bool,
    /// Ground actions or goals that exist.
    exist: usize,
    /// Which of the statement's changes change something in one of them.
    moves: Vec<bool>,
    /// Alternatives looked at.
    looked_at: usize,
    /// A mistake was found or a limit passed, and said to be.
    stopped: bool,
}

impl Expansion<'_> {
    /// Calls `declare` for every combination that exists.
    pub(super) fn write_out(&self, builder: &mut ModelBuilder, declare: &mut Declare<'_>) {
        let Some(total) = self.n_combinations(builder) else {
            builder.add_broken(self.head.name.text);
            return;
        };
        let mut progress = self.declare_all(total, false, builder, declare);
        if progress.exist == 0 && progress.has_idle && !progress.stopped {
            // It can be done but never changes anything: odd, and no mistake.
            progress = self.declare_all(total, true, builder, declare);
        }
        if progress.stopped {
            builder.add_broken(self.head.name.text);
        } else if progress.exist == 0 {
            builder.add_broken(self.head.name.text);
            self.report_nothing_exists(builder);
        } else {
            self.warn_of_idle_changes(&progress.moves, builder);
        }
    }

    /// Declares every combination that exists; those that change nothing only if asked to.
    fn declare_all(
        &self,
        total: usize,
        keeps_idle: bool,
        builder: &mut ModelBuilder,
        declare: &mut Declare<'_>,
    ) -> Progress {
        let moves = vec![false; self.outcomes.len()];
        let mut progress = Progress { keeps_idle, moves, ..Progress::default() };
        let constant = self.alternatives_are_constant();
        let mut alternatives: Option<Vec<Alternative>> = None;
        for number in 0..total {
            if self.is_template() && builder.is_full() {
                progress.stopped = true;
            }
            if progress.stopped {
                break;
            }
            let choice = self.choice(number);
            let Some(combination) = self.combination(&choice, builder) else {
                // What does not exist was looked at all the same.
                builder.spend(self.size(), self.head.span);
                continue;
            };
            if self.trees.is_empty() {
                self.declare(&choice, &[], combination, builder, &mut progress, declare);
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
            self.each_alternative(&choice, found, &combination, builder, &mut progress, declare);
        }
        progress
    }

    /// What it takes to look at a combination.
    fn size(&self) -> usize {
        1 + self.dimensions.len() + self.demands.len() + self.outcomes.len()
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
        builder: &mut ModelBuilder,
        progress: &mut Progress,
        declare: &mut Declare<'_>,
    ) {
        let mut seen = HashSet::new();
        for alternative in alternatives {
            let limit = builder.limits.template;
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
                self.declare(choice, &values, one, builder, progress, declare);
            }
        }
    }

    /// Declares one ground action or goal. An action that changes nothing is none of several;
    /// one whose changes hold in part already changes the rest.
    fn declare(
        &self,
        choice: &[ValueId],
        open: &[Option<ValueId>],
        mut combination: Combination,
        builder: &mut ModelBuilder,
        progress: &mut Progress,
        declare: &mut Declare<'_>,
    ) {
        let each_change = self.outcomes.iter().zip(&combination.sets);
        let moves: Vec<bool> =
            each_change.map(|(outcome, set)| outcome.moves(set.0, &combination, open)).collect();
        if !moves.is_empty() && !moves.contains(&true) && !progress.keeps_idle {
            progress.has_idle = true;
            builder.spend(self.size(), self.head.span);
            return;
        }
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
            Ok(()) => {
                progress.exist += 1;
                progress.moves.iter_mut().zip(moves).for_each(|(some, one)| *some |= one);
            }
            // In a template a contradiction is a combination that does not exist.
            Err(_) if is_template => {
                builder.spend(1 + self.demands.len() + self.outcomes.len(), self.head.span);
            }
            Err(clash) => {
                builder.report_clash(clash, base);
                progress.stopped = true;
            }
        }
    }

    /// How many combinations there are; `None`, with a report, if they are too many.
    fn n_combinations(&self, builder: &mut ModelBuilder) -> Option<usize> {
        let total = self.dimensions.iter().try_fold(1usize, |n, d| n.checked_mul(d.size));
        if total.is_some_and(|total| total <= builder.limits.template) {
            return total;
        }
        self.too_large(total, builder);
        None
    }

    fn too_large(&self, total: Option<usize>, builder: &mut ModelBuilder) {
        let limit = builder.limits.template;
        let count = total.map_or("far too many".to_string(), |total| total.to_string());
        let (name, what) = (self.head.name.text, self.what);
        let text = format!("`{name}` would become {count} {what}; the limit is {limit}");
        let cure = "use fewer parameters, fewer counted variables, or variables with fewer values";
        builder.report.say(Code::TemplateTooLarge, self.head.span, text, cure);
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
    pub(super) fn suffix(
        &self,
        choice: &[ValueId],
        open: &[Option<ValueId>],
        builder: &ModelBuilder,
    ) -> String {
        let mut words: Vec<&str> = Vec::new();
        if let Arguments::Values(values) = &self.head.arguments {
            words.extend(values.iter().map(|word| word.text));
        }
        for (dimension, value) in self.dimensions.iter().zip(choice) {
            words.push(&builder.model[dimension.variable].values[value.index()]);
        }
        for (&variable, value) in self.open.iter().zip(open) {
            words.push(value.map_or(&self.blank[..], |value| builder.value_name(variable, value)));
        }
        if words.is_empty() { String::new() } else { format!("({})", words.join(" ")) }
    }
}
