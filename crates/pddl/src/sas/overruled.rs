//! Effects in the order of their lines: which of them a later line overrules.
//!
//! In:   per effect the variable that it sets, and whether it has conditions.
//! Out:  whether the effect of a line counts.
//! Cost: two hash lookups per effect.
//!
//! An effect without conditions happens whatever came before, so no earlier line about its
//! variable counts.

use std::collections::HashMap;

/// Per variable, the last line that sets it without conditions.
#[derive(Default)]
pub(super) struct Overruled(HashMap<u32, usize>);

impl Overruled {
    /// Takes note of the effect of a line; lines come in order.
    pub(super) fn note(&mut self, line: usize, variable: u32, has_conditions: bool) {
        if !has_conditions {
            self.0.insert(variable, line);
        }
    }

    /// Whether a later line overrules the effect of this one.
    pub(super) fn is_overruled(&self, line: usize, variable: u32) -> bool {
        self.0.get(&variable).is_some_and(|&last| line < last)
    }
}
