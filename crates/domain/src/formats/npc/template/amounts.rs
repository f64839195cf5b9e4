//! What a statement asks of amounts and how it moves them, kept whole: one set, one shift.
//!
//! In:   a statement with names found.
//! Out:  conditions on an amount, unless an equation says its value, set apart as one set; of a
//!       statement that counts whatever alternative is taken, conditions on one word variable as
//!       well, so that what it becomes has one name. Mistakes and warnings about numbers.
//! Cost: one look at each condition and change.

use super::alternatives::Tree;
use super::{Asked, Expansion, Operand, OutcomeKind};
use crate::build::ModelBuilder;
use crate::diagnostics::Code;
use crate::formats::npc::syntax::{Arguments, Parameter, Relation, Word};
use crate::model::VariableId;
use crate::names;
use std::collections::HashSet;

/// A parameter stands for each number of an amount that has no more than so many: the squares of a
/// board, the floors of a house. Gold is counted, not listed.
const MOST_NUMBERS: i64 = 64;

impl Expansion<'_> {
    /// The amount that an amount is compared with, if a word is the name of one.
    pub(super) fn other_amount(
        &self,
        variable: VariableId,
        word: Word<'_>,
        builder: &ModelBuilder,
    ) -> Option<VariableId> {
        let is_amount = |id: VariableId| builder.model[id].values().ends().is_some();
        if !is_amount(variable) || self.dimension_of(word.text).is_some() {
            return None;
        }
        builder.model.find_variable(word.text).filter(|&other| is_amount(other))
    }

    /// Sets apart what is asked of variables whose values stay a set.
    pub(super) fn keep_amounts_whole(&mut self, builder: &ModelBuilder) {
        if self.is_of_facts() {
            return;
        }
        let is_amount = |id: VariableId| builder.model[id].values().ends().is_some();
        let equations = self.demands.iter().filter(|demand| demand.relation == Relation::Is);
        let pinned: HashSet<VariableId> = equations.map(|demand| demand.variable).collect();
        let is_free = |id: VariableId| is_amount(id) && !pinned.contains(&id);
        let mut listed = HashSet::new();
        let mut counts = !self.comparisons.is_empty();
        for outcome in &self.outcomes {
            match outcome.kind {
                OutcomeKind::Set(_) => {}
                OutcomeKind::Add { .. } => _ = listed.insert(outcome.variable),
                OutcomeKind::Shift { .. } => counts |= is_free(outcome.variable),
            }
        }
        let compared = self.demands.iter().filter(|demand| demand.relation != Relation::Is);
        counts |= compared.into_iter().any(|demand| is_free(demand.variable));
        counts |= self.trees.iter().filter_map(Tree::only_variable).any(is_free);
        self.tells_words_only = counts;
        for tree in &self.trees {
            tree.each_demand(&mut |demand| self.tells_words_only |= is_free(demand.variable));
            self.tells_words_only |= tree.only_variable().is_none() && has_comparison(tree);
        }
        let stays = |id: VariableId| {
            is_free(id) || (counts && !pinned.contains(&id) && !listed.contains(&id))
        };
        let (sets, demands): (Vec<_>, Vec<_>) = std::mem::take(&mut self.demands)
            .into_iter()
            .partition(|demand| demand.relation != Relation::Is && stays(demand.variable));
        self.demands = demands;
        let told = self.trees.drain(..self.n_told);
        let (alone, mut trees): (Vec<_>, Vec<_>) =
            told.partition(|tree| tree.only_variable().is_some_and(stays));
        self.n_told = trees.len();
        trees.append(&mut self.trees);
        self.trees = trees;
        for tree in sets.into_iter().map(Tree::Leaf).chain(alone) {
            self.ask(tree);
        }
    }

    /// Adds a tree that speaks of one variable alone to what is asked of it.
    pub(super) fn ask(&mut self, tree: Tree) {
        let Some(variable) = tree.only_variable() else { return };
        let span = tree.span();
        match self.asked.binary_search_by_key(&variable, |asked| asked.variable) {
            Ok(at) => {
                self.asked[at].trees.push(tree);
                self.asked[at].span = span;
            }
            Err(at) => self.asked.insert(at, Asked { variable, trees: vec![tree], span }),
        }
    }

    /// Whether a ground name has comparisons only of amounts, as in `fell(helper >= 2)`; reported
    /// if not.
    pub(super) fn head_names_amounts(&self, builder: &mut ModelBuilder) -> bool {
        let Arguments::Values(words) = &self.head.arguments else { return true };
        let is_sign = |word: &Word<'_>| names::is_comparison(word.text);
        let Some(at) = words.iter().position(is_sign) else { return true };
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let is_amount = |word: &Word<'_>| {
            let found = builder.model.find_variable(word.text);
            found.is_some_and(|id| builder.model[id].values().ends().is_some())
        };
        if before.is_some_and(is_amount) {
            return true;
        }
        let text = "a parameter takes the values of a variable by `in`";
        let cure = format!("write `{}(place in at)`", self.head.name.text);
        builder.report.say(Code::Expected, words[at].span, text, cure);
        false
    }

    /// How an amount moves; `None`, with a report, if it counts by less than nothing or stops
    /// outside its range.
    pub(super) fn shift(
        &self,
        variable: VariableId,
        negative: bool,
        (by, word): (Operand, Word<'_>),
        stop: Option<Word<'_>>,
        builder: &mut ModelBuilder,
    ) -> Option<OutcomeKind> {
        let sign = if negative { "-=" } else { "+=" };
        if let Operand::Number(number) = by
            && number < 0
        {
            let name = builder.model[variable].name();
            let other = if negative { "+=" } else { "-=" };
            let text = format!("`{name} {sign} {number}` counts by less than nothing");
            let cure = format!("write `{name} {other} {}`", -number);
            builder.report.say(Code::CountsBackwards, word.span, text, cure);
            return None;
        }
        let stop = match stop {
            None => None,
            Some(word) => {
                let operand = self.number(variable, word, builder)?;
                if let Operand::Number(number) = operand {
                    builder.position(variable, number, word.span)?;
                }
                Some(operand)
            }
        };
        Some(OutcomeKind::Shift { negative, amount: by, stop })
    }

    /// How a list is counted with; `None`, with a report, if it should stop.
    pub(super) fn add(
        &self,
        variable: VariableId,
        negative: bool,
        amount: Operand,
        stop: Option<Word<'_>>,
        builder: &mut ModelBuilder,
    ) -> Option<OutcomeKind> {
        let Some(stop) = stop else { return Some(OutcomeKind::Add { negative, amount }) };
        builder.needs_amount(variable, stop.span, Code::CountsWithWords)?;
        None
    }

    /// Warns of conditions on amounts that always hold, or that a change asks for already.
    pub(super) fn warn_of_empty_conditions(&self, builder: &mut ModelBuilder) {
        for demand in self.demands.iter().filter(|demand| demand.relation.is_by_size()) {
            let Operand::Number(number) = demand.operand else { continue };
            let values = builder.model[demand.variable].values();
            let Some((low, high)) = values.ends() else { continue };
            let name = builder.model[demand.variable].name();
            let allowed = self.allowed(demand, &[], builder);
            let told = format!("{name} {} {number}", demand.relation.sign());
            let why = if let Some(why) = self.asked_by_change(demand.variable, &allowed, builder) {
                format!("`{told}` says nothing new: {why}")
            } else if allowed.count() == values.len() && !(low..=high).contains(&number) {
                format!("`{name}` is {low}..{high}, so `{told}` always holds")
            } else {
                continue;
            };
            let cure = "leave it out, or ask for more";
            builder.report.say(Code::SaysNothingNew, demand.span, why, cure);
        }
    }

    /// Why a change of an amount asks for no other values than these.
    fn asked_by_change(
        &self,
        variable: VariableId,
        allowed: &super::sets::Runs,
        builder: &ModelBuilder,
    ) -> Option<String> {
        let outcome = self.outcomes.iter().find(|outcome| outcome.variable == variable)?;
        let OutcomeKind::Shift { negative, amount: Operand::Number(by), ref stop } = outcome.kind
        else {
            return None;
        };
        let declared = &builder.model[variable];
        let (name, n_values) = (declared.name(), declared.values().len() as u16);
        let end = match stop {
            None => None,
            Some(Operand::Number(number)) => Some(*number),
            Some(Operand::Term(_)) => return None,
        };
        let shift = builder.shift_of(variable, if negative { -by } else { by }, end)?;
        let (first, last) = shift.by.domain(n_values).ends()?;
        let needed = super::sets::Runs::run(first.into(), last.into());
        let sign = if negative { "-=" } else { "+=" };
        allowed.has_all(&needed).then(|| format!("`{name} {sign} {by}` asks for it already"))
    }
}

/// Whether a parameter may take the values of a variable; reported if that is an amount of more
/// than [`MOST_NUMBERS`].
pub(super) fn ranges_over_words(
    parameter: &Parameter<'_>,
    variable: VariableId,
    builder: &mut ModelBuilder,
) -> bool {
    let declared = &builder.model[variable];
    let Some((low, high)) = declared.values().ends() else { return true };
    if high - low < MOST_NUMBERS {
        return true;
    }
    let (name, parameter_name) = (declared.name(), parameter.name.text);
    let text = format!(
        "`{name}` is an amount, {low}..{high}; `{parameter_name}` cannot stand for each of \
         its numbers"
    );
    let cure = format!(
        "write the number, or list those that are meant in a variable of their own: \
         `var pack: 5, 10, 50` and `{parameter_name} in pack`"
    );
    builder.report.say(Code::ParameterOverAmount, parameter.variable.span, text, cure);
    false
}

fn has_comparison(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf(_) => false,
        Tree::Compared(..) => true,
        Tree::All(list) | Tree::Any(list) => list.iter().any(has_comparison),
    }
}
