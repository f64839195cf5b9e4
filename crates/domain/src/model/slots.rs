//! Selects and their slots: names for what a mind has picked, which the planner takes for values.
//!
//! In:   the heads of `select` statements; ground names such as `goto(cover.1)`.
//! Out:  which value, parameter, variable or check speaks of which slot.
//! Cost: a look-up by name for each word in parentheses, once, when a model is made.
//!
//! Which thing a slot holds is the mind's affair: here it is a name, the same in every level.

use super::{ActionId, CheckId, Model, SelectId, SlotId, ValueId, VariableId};
use crate::index::Named;
use crate::names;
use crate::source::Span;
use std::ops::Range;
use std::sync::Arc;

/// A slot, and the position of the parameter that it is.
pub type SlotAt = (usize, SlotId);

throng_base::readable! {
    /// A `select` as far as planning goes: its name and its slots.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Select {
        /// Its name.
        name: String => &str,
        first: SlotId as _,
        /// How many slots it has: 1 of `one`, else 2 to 8.
        n_slots: usize as n_slots,
        /// Where it is declared.
        span: Span,
    }

    /// One slot of a select.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Slot {
        /// Its name: `target`, `cover.2`.
        name: String => &str,
        /// Whose it is.
        select: SelectId as select,
        /// Where its select is declared.
        span: Span,
    }
}

impl Select {
    /// Its slots, in order.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = SlotId> + Clone + use<> {
        let first = self.first.index();
        (0..self.n_slots).map(move |at| SlotId::at(first + at))
    }

    /// Whether it picks one thing: its only slot is called like it.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.n_slots == 1
    }
}

impl Named for Select {
    fn name(&self) -> &str {
        &self.name
    }

    fn span(&self) -> Span {
        self.span
    }
}

impl Named for Slot {
    fn name(&self) -> &str {
        &self.name
    }

    fn span(&self) -> Span {
        self.span
    }
}

impl Model {
    /// The slot that a value stands for; `None` of a plain word, even one called like a slot.
    #[must_use]
    pub fn value_slot(&self, variable: VariableId, value: ValueId) -> Option<SlotId> {
        self[variable].picks.iter().find_map(|&(first, select)| {
            let nth = value.index().checked_sub(first.index())?;
            self[select].slots().nth(nth)
        })
    }

    /// The value of a variable that stands for a slot.
    #[must_use]
    pub fn slot_value(&self, variable: VariableId, slot: SlotId) -> Option<ValueId> {
        let Slot { select, .. } = self[slot];
        let (first, _) = *self[variable].picks.iter().find(|(_, of)| *of == select)?;
        Some(ValueId::at(first.index() + slot.index() - self[select].first.index()))
    }

    /// The positions of the values of a variable that a word means which is none of them, but a
    /// group: the slots of a select, or what a level has of a sort.
    #[must_use]
    pub fn group(&self, variable: VariableId, name: &str) -> Option<Range<usize>> {
        if self.value_named(variable, name).is_some() {
            return None;
        }
        if let Some(select) = self.find_select(name) {
            let (first, _) = self[variable].picks.iter().find(|(_, own)| *own == select)?;
            return Some(first.index()..first.index() + self[select].n_slots);
        }
        let sorts = self.index.sorts.get(&variable)?;
        sorts.iter().find(|(sort, _)| sort == name).map(|(_, of)| of.clone())
    }

    /// Whether some values have a name together.
    pub(crate) fn has_groups(&self) -> bool {
        !self.selects.is_empty() || !self.index.sorts.is_empty()
    }

    /// The positions of the values that a word means: one, or those of a group.
    #[must_use]
    pub fn values_meant(&self, variable: VariableId, name: &str) -> Option<Range<usize>> {
        let one = |value: ValueId| value.index()..value.index() + 1;
        self.value_named(variable, name).map(one).or_else(|| self.group(variable, name))
    }

    /// Remembers which values of a variable came as a sort of the level.
    pub(crate) fn add_sort(&mut self, variable: VariableId, name: String, of: Range<usize>) {
        Arc::make_mut(&mut self.index).sorts.entry(variable).or_default().push((name, of));
    }

    /// Those of the words in parentheses of a check's name that are slots.
    #[must_use]
    pub fn check_slots(&self, check: CheckId) -> &[SlotAt] {
        &self.check_slots[check.index()]
    }

    /// All slots that an action names, each once: as a parameter, as a value that it requires or
    /// sets, or as what a variable or a check of it speaks of.
    #[must_use]
    pub fn named_slots(&self, action: ActionId) -> Vec<SlotId> {
        let action = &self[action];
        let mut slots: Vec<SlotId> = action.slots().iter().map(|&(_, slot)| slot).collect();
        for fact in action.requires().iter().chain(action.sets()) {
            slots.extend(self.value_slot(fact.variable, fact.value));
            slots.extend(self[fact.variable].slot);
        }
        for used in action.checks() {
            slots.extend(self.check_slots(used.check).iter().map(|&(_, slot)| slot));
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// The words in parentheses of a ground name that are called like slots.
    pub(crate) fn slots_in(&self, name: &str) -> Vec<SlotAt> {
        if self.slots.is_empty() {
            return Vec::new();
        }
        let words = names::arguments_of(name).enumerate();
        words.filter_map(|(at, word)| Some((at, self.find_slot(word)?))).collect()
    }
}
