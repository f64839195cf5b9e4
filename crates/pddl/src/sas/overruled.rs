//! Effects in the order of their lines: which of them a later line overrules.
//!
//! In:   the effects of one operator, line by line.
//! Out:  those that count: what is always set, and what is set under conditions.
//! Cost: two hash lookups per effect.
//!
//! An effect without conditions happens whatever came before, so no earlier line about its
//! variable counts.

use std::collections::HashMap;
use throng_planner::forward::Atom;

/// The effects that no later line overrules: those without conditions, and the others.
pub(super) fn that_count<W: AsRef<[Atom]>>(
    lines: impl Iterator<Item = (W, Atom)>,
) -> (Vec<Atom>, Vec<(W, Atom)>) {
    let lines: Vec<(W, Atom)> = lines.collect();
    let is_always = |when: &W| when.as_ref().is_empty();
    let always = lines.iter().enumerate().filter(|(_, (when, _))| is_always(when));
    // Per variable, the last line that sets it without conditions.
    let last: HashMap<u32, usize> = always.map(|(line, (_, sets))| (sets.variable, line)).collect();
    let (mut always, mut effects) = (Vec::new(), Vec::new());
    for (line, (when, sets)) in lines.into_iter().enumerate() {
        match last.get(&sets.variable) {
            Some(&last) if line < last => {}
            _ if is_always(&when) => always.push(sets),
            _ => effects.push((when, sets)),
        }
    }
    (always, effects)
}
