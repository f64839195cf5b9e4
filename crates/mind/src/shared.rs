//! What all minds know: one memory, written between ticks.

use crate::fact::{Attribute, FactDraft, Sort};
use crate::memory::Memory;
use crate::time::Tick;
use crate::words::Word;

/// Brings the fact of the same kind that agrees in all words and things up to date, or adds one:
/// an NPC that calls out twice has not seen two.
pub(crate) fn share(shared: &mut Memory, fact: &FactDraft, writer: Word, now: Tick, keep: Tick) {
    let mut same = [Attribute::Position; Attribute::ALL.len()];
    let mut n = 0;
    for attribute in Attribute::ALL {
        let names = matches!(attribute.sort(), Sort::Word | Sort::Entity);
        if names && fact.attributes[attribute as usize].is_some() {
            same[n] = attribute;
            n += 1;
        }
    }
    shared.put(fact, &same[..n], writer, now, keep);
}
