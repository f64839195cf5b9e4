//! Writes a statement out: every combination of the values of its dimensions, and in each
//! every alternative of its conditions.
//!
//! In:   a statement with names found.
//! Out:  a declaration for each that exists. One that changes nothing does not exist beside
//!       others that do; if there is no other, all of them stay, and the warnings say so.
//! Cost: one step per combination and alternative, twice if nothing changes anything.

use super::Expansion;
use super::alternatives::{Alternative, Evaluation};
use super::facts::{Combination, Current, Made};
use super::sets::Runs;
use crate::amounts::ValueSet;
use crate::build::{Clash, ModelBuilder};
use crate::diagnostics::Code;
use crate::formats::npc::syntax::{Arguments, Head, Word};
use crate::model::{Comparison, Fact, Range, Shift, ValueId, VariableId};
use crate::source::Span;
use std::collections::HashSet;

/// A ground action or goal.
pub(super) struct Ground {
    pub(super) requires: Vec<(Fact, Span)>,
    pub(super) ranges: Vec<(Range, Span)>,
    pub(super) comparisons: Vec<(Comparison, Span)>,
    pub(super) sets: Vec<(Fact, Span)>,
    pub(super) shifts: Vec<(Shift, Span)>,
    /// The statement's name with its parameters, if this is one of several alternatives.
    pub(super) stands_for: Option<String>,
}

/// What to do with each ground action or goal: its name, how its former names end, itself.
type Declare<'d> = dyn FnMut(&mut ModelBuilder, String, &str, Ground) -> Result<(), Clash> + 'd;

/// An alternative with a word for each word variable that it speaks of (by position in
/// [`Expansion::open`]).
#[derive(Clone, Copy)]
pub(super) struct Chosen<'c> {
    alternative: &'c Alternative,
    words: &'c [Option<ValueId>],
}

/// How far writing out has come.
#[derive(Default)]
pub(super) struct Progress {
    /// Whether combinations that change nothing are declared too.
    pub(super) keeps_idle: bool,
    /// Some combination was left out because it changes nothing.
    pub(super) has_idle: bool,
    /// Ground actions or goals that exist.
    pub(super) exist: usize,
    /// Which of the statement's changes change something in one of them.
    pub(super) moves: Vec<bool>,
    /// The same of the one that is looked at.
    pub(super) one_moves: Vec<bool>,
    /// Alternatives looked at.
    pub(super) looked_at: usize,
    /// A mistake was found or a limit passed, and said to be.
    pub(super) stopped: bool,
}

impl Expansion<'_> {
    /// Declares every combination that exists; those that change nothing only if asked to.
    pub(super) fn declare_all(
        &self,
        total: usize,
        builder: &mut ModelBuilder,
        progress: &mut Progress,
        declare: &mut Declare<'_>,
    ) {
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
            let Ok(combination) = self.combination(&choice, builder) else {
                progress.stopped = true;
                break;
            };
            let Some(combination) = combination else {
                // What does not exist was looked at all the same.
                builder.spend(self.size(), self.head.span);
                continue;
            };
            if self.trees.is_empty() {
                self.declare(&choice, None, combination, builder, progress, declare);
                continue;
            }
            if alternatives.is_none() || !constant {
                let current = Current { places: &self.places, combination: &combination };
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
            self.each_alternative(&choice, found, &combination, builder, progress, declare);
        }
    }

    /// What it takes to look at a combination.
    fn size(&self) -> usize {
        let asked = self.asked.len() + self.comparisons.len();
        1 + self.dimensions.len() + self.demands.len() + self.outcomes.len() + asked
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
            let n_choices = alternative.n_choices(self);
            let more = n_choices.and_then(|n| n.checked_add(progress.looked_at));
            progress.looked_at = more.unwrap_or(usize::MAX);
            if progress.looked_at > limit {
                too_large(self.head, self.what, more, builder);
                progress.stopped = true;
                return;
            }
            let (amounts, words): (Vec<_>, Vec<_>) =
                alternative.sets().iter().partition(|(at, _)| self.open[*at].is_amount);
            let words: Vec<(usize, Vec<ValueId>)> =
                words.into_iter().map(|(at, set)| (*at, set.values().collect())).collect();
            let span = self.head.span;
            for mut number in 0..n_choices.unwrap_or(0) {
                let mut values: Vec<Option<ValueId>> = vec![None; self.open.len()];
                for (at, set) in words.iter().rev() {
                    values[*at] = Some(set[number % set.len()]);
                    number /= set.len();
                }
                let looser = |other: &Alternative| other.leaves_more_open(alternative, &values);
                let key = (values.clone(), amounts.clone(), alternative.comparisons.clone());
                let known = alternatives.iter().any(looser) || !seen.insert(key);
                let room = builder.spend(1 + alternatives.len() / 8, span);
                if known || !room {
                    continue;
                }
                let mut one = combination.clone();
                let facts = self.open.iter().zip(&values);
                let facts = facts.filter_map(|(open, value)| {
                    Some((Fact { variable: open.variable, value: (*value)? }, span))
                });
                one.requires.extend(facts);
                let sets =
                    amounts.iter().map(|(at, set)| (self.open[*at].variable, set.clone(), span));
                one.ranges.extend(sets);
                one.comparisons.extend(alternative.comparisons.iter().map(|it| (*it, span)));
                let chosen = Chosen { alternative, words: &values };
                self.declare(choice, Some(chosen), one, builder, progress, declare);
                if progress.stopped {
                    return;
                }
            }
        }
    }

    /// Declares one ground action or goal. An action that changes nothing is none of several;
    /// one whose changes hold in part already changes the rest.
    fn declare(
        &self,
        choice: &[ValueId],
        chosen: Option<Chosen<'_>>,
        mut combination: Combination,
        builder: &mut ModelBuilder,
        progress: &mut Progress,
        declare: &mut Declare<'_>,
    ) {
        let words = chosen.map_or(&[][..], |chosen| chosen.words);
        let each_change = self.outcomes.iter().zip(&combination.changes);
        let moves = &mut progress.one_moves;
        moves.clear();
        moves.extend(
            each_change.map(|(outcome, made)| outcome.moves(*made, &combination, words, builder)),
        );
        if !moves.is_empty() && !moves.contains(&true) && !progress.keeps_idle {
            progress.has_idle = true;
            builder.spend(self.size(), self.head.span);
            return;
        }
        let base = self.head.name.text;
        let is_template = self.is_template();
        let suffix = self.suffix(choice, chosen, builder);
        let written = self.dimensions.iter().filter(|d| d.parameter.is_some()).count();
        if written < self.dimensions.len() || chosen.is_some() {
            let explicit = self.suffix(&choice[..written], None, builder);
            combination.stands_for = (explicit != suffix).then(|| format!("{base}{explicit}"));
        }
        let Some(ground) = self.ground(combination, builder) else {
            progress.stopped = true;
            return;
        };
        // Former names of a template's members end alike; a ground name has its own.
        let former = if is_template { suffix.as_str() } else { "" };
        match declare(builder, [base, &suffix].concat(), former, ground) {
            Ok(()) => {
                progress.exist += 1;
                let Progress { moves, one_moves, .. } = progress;
                moves.iter_mut().zip(one_moves).for_each(|(some, one)| *some |= *one);
            }
            // In a template a contradiction is a combination that does not exist.
            Err(clash) if is_template && !clash.is_of_all() => {
                builder.spend(1 + self.demands.len() + self.outcomes.len(), self.head.span);
            }
            Err(clash) => {
                // A number that never fits says more than that nothing is left.
                let is_told = matches!(clash, Clash::NothingLeft { .. })
                    && self.report_number_that_never_fits(builder);
                if !is_told {
                    builder.report_clash(clash, base);
                }
                progress.stopped = true;
            }
        }
    }

    /// The combination as it is declared; `None`, with a report, if a set has too many parts.
    fn ground(&self, it: Combination, builder: &mut ModelBuilder) -> Option<Ground> {
        let (mut sets, mut shifts) = (Vec::with_capacity(it.changes.len()), Vec::new());
        let mut ranges = Vec::with_capacity(it.ranges.len());
        for (variable, set, span) in &it.ranges {
            let values = self.set_of(*variable, set, *span, builder)?;
            ranges.push((Range { variable: *variable, values }, *span));
        }
        for (outcome, made) in self.outcomes.iter().zip(it.changes) {
            match made {
                Made::Set(fact) => sets.push((fact, outcome.span)),
                // Counted by nothing, a value only has to be known.
                Made::Shift(Shift { variable, by }) if by.by == 0 => {
                    let values = ValueSet::all(builder.model[variable].values().len() as u16);
                    ranges.push((Range { variable, values }, outcome.span));
                }
                Made::Shift(shift) => shifts.push((shift, outcome.span)),
            }
        }
        let Combination { requires, comparisons, stands_for, .. } = it;
        Some(Ground { requires, ranges, comparisons, sets, shifts, stands_for })
    }

    fn set_of(
        &self,
        variable: VariableId,
        set: &Runs,
        span: Span,
        builder: &mut ModelBuilder,
    ) -> Option<ValueSet> {
        let whose = Word { span, ..self.head.name };
        builder.set_of(variable, set.to_positions(), whose)
    }

    /// How many combinations there are; `None`, with a report, if they are too many.
    pub(super) fn n_combinations(&self, builder: &mut ModelBuilder) -> Option<usize> {
        let total = self.dimensions.iter().try_fold(1usize, |n, d| n.checked_mul(d.size));
        if total.is_some_and(|total| total <= builder.limits.template) {
            return total;
        }
        too_large(self.head, self.what, total, builder);
        None
    }

    /// The value of each dimension in combination `number`; the last changes fastest.
    fn choice(&self, mut number: usize) -> Vec<ValueId> {
        let mut choice = vec![ValueId::at(0); self.dimensions.len()];
        for (dimension, slot) in self.dimensions.iter().zip(&mut choice).rev() {
            *slot = dimension.value(number % dimension.size);
            number /= dimension.size;
        }
        choice
    }

    /// `(pipe)`, `(bread joe)`, `(helper >= 2)`, or nothing.
    pub(super) fn suffix(
        &self,
        choice: &[ValueId],
        chosen: Option<Chosen<'_>>,
        builder: &ModelBuilder,
    ) -> String {
        let mut words: Vec<String> = Vec::new();
        if let Arguments::Values(values) = &self.head.arguments {
            words.extend(values.iter().map(|word| word.text.to_string()));
        }
        for (dimension, value) in self.dimensions.iter().zip(choice) {
            words.push(dimension.name(*value, builder).to_string());
        }
        if let Some(chosen) = chosen {
            self.tell(chosen, &mut words, builder);
        }
        if words.is_empty() { String::new() } else { format!("({})", words.join(" ")) }
    }

    /// Tells an alternative: words by themselves, what is asked of amounts by its text.
    fn tell(&self, chosen: Chosen<'_>, words: &mut Vec<String>, builder: &ModelBuilder) {
        let told = self.open.iter().zip(chosen.words).filter(|it| it.0.is_told);
        for (open, value) in told.filter(|it| !it.0.is_amount) {
            let word = value.map(|value| builder.value_name(open.variable, value));
            words.extend(word.or(self.blank.as_deref()).map(str::to_string));
        }
        let sets = chosen.alternative.sets().iter();
        for (at, set) in sets.filter(|(at, _)| self.open[*at].is_amount) {
            let variable = &builder.model[self.open[*at].variable];
            // One that has too many parts is reported before anybody sees its name.
            let set = ValueSet::of_runs(set.to_positions()).unwrap_or(ValueSet::EMPTY);
            let text = variable.values().condition(variable.name(), &set);
            words.push(text.replace(['(', ')'], ""));
        }
        for it in &chosen.alternative.comparisons {
            let [left, right] = [it.variable, it.other].map(|id| builder.model[id].name());
            words.push(format!("{left} {} {right}", it.relation.sign()));
        }
    }
}

/// Reports that a statement becomes too much.
pub(super) fn too_large(
    head: &Head<'_>,
    what: &str,
    total: Option<usize>,
    builder: &mut ModelBuilder,
) {
    let limit = builder.limits.template;
    let count = total.map_or("far too many".to_string(), |total| total.to_string());
    let text = format!("`{}` would become {count} {what}; the limit is {limit}", head.name.text);
    let cure = "use fewer parameters, fewer counted variables, or variables with fewer values";
    builder.report.say(Code::TemplateTooLarge, head.span, text, cure);
}
