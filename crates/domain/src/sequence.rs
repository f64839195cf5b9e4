//! Actions one after the other, as one: what they require together, and what they leave behind.
//!
//! In:   what each part requires and sets, in the order to do them.
//! Out:  what must hold before the first; what is otherwise after the last.
//! Cost: each fact of each part once, in a map.
//!
//! A part's need that a part before provides, or needs too, is none of the whole.

use crate::model::{Fact, ValueId, VariableId};
use std::collections::BTreeMap;

/// What is known of a variable while the parts run.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub(crate) value: ValueId,
    /// The part that needs or sets it.
    pub(crate) part: usize,
    /// Whether that part sets it.
    pub(crate) is_set: bool,
}

/// Some parts as one action.
#[derive(Default)]
pub(crate) struct Sequence {
    parts: usize,
    requires: BTreeMap<VariableId, ValueId>,
    known: BTreeMap<VariableId, Known>,
}

impl Sequence {
    /// Adds a part. Gives back those of its needs that cannot hold there, each with what is known
    /// instead.
    pub(crate) fn add(&mut self, requires: &[Fact], sets: &[Fact]) -> Vec<(Fact, Known)> {
        let part = self.parts;
        self.parts += 1;
        let mut cannot = Vec::new();
        for &need in requires {
            match self.known.get(&need.variable) {
                None => {
                    self.requires.insert(need.variable, need.value);
                    let known = Known { value: need.value, part, is_set: false };
                    self.known.insert(need.variable, known);
                }
                Some(earlier) if earlier.value == need.value => {}
                Some(earlier) => cannot.push((need, *earlier)),
            }
        }
        for &Fact { variable, value } in sets {
            self.known.insert(variable, Known { value, part, is_set: true });
        }
        cannot
    }

    /// Lets the whole do without something that it requires: no part needs it at the outset.
    pub(crate) fn do_without(&mut self, need: Fact) {
        if self.requires.get(&need.variable) == Some(&need.value) {
            self.requires.remove(&need.variable);
        }
    }

    /// What must hold before the first part, by variable.
    pub(crate) fn requires(&self) -> Vec<Fact> {
        self.requires.iter().map(|(&variable, &value)| Fact { variable, value }).collect()
    }

    /// What the parts leave behind, by variable. What is then as it had to be is not listed.
    pub(crate) fn sets(&self) -> Vec<Fact> {
        let set = self.known.iter().filter(|(_, known)| known.is_set);
        let changed =
            set.filter(|(variable, known)| self.requires.get(variable) != Some(&known.value));
        changed.map(|(&variable, known)| Fact { variable, value: known.value }).collect()
    }
}
