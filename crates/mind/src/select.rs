//! Selections: which of the things that a mind knows have its slots.
//!
//! In:   the selections of the file, and the facts that they choose from.
//! Out:  what each slot is to hold ([`Picks`]), and what others have ([`Claim`]).
//! Cost: one pass over the facts of a selection's kinds, when it is made anew.

mod candidates;
mod look;
mod others;

use crate::known::Known;
pub use crate::picks::{Key, Pick, PickReason, Picks, SlotSet};
use crate::spec::Spec;
pub use candidates::{Candidates, MOST_CANDIDATES};
pub(crate) use look::{Candidate, Chooser, Chosen, MOST_SLOTS};
pub use others::Claim;
pub(crate) use others::{Others, Picker};
use throng_base::codec_struct;
use throng_domain::model::SelectId;

impl Picks {
    /// What the slot of this name holds; of several `NAME.1`, `NAME.2` the first that is not empty.
    #[must_use]
    pub fn named(&self, spec: &Spec, name: &str) -> Option<Pick> {
        let map = spec.domain.map();
        if let Some(slot) = map.find_slot(name) {
            return self.get(slot.index());
        }
        self.of(spec, map.find_select(name)?).next()
    }

    /// What a selection has picked, in the order of its slots.
    pub(crate) fn of(&self, spec: &Spec, select: SelectId) -> impl Iterator<Item = Pick> {
        spec.domain.map().slots_of(select).filter_map(|slot| self.get(slot.index()))
    }

    /// What the first of these slots holds that is not empty.
    pub(crate) fn first(&self, mut slots: std::ops::Range<u16>) -> Option<Pick> {
        slots.find_map(|slot| self.get(slot.into()))
    }
}

codec_struct!(
    in known: Known<'_>;
    Pick { key, fact, score, since: past(known.now), why, fails_since, lost: past(known.now) }
    where |pick| (0.0..=1.0).contains(&pick.score), "score of a pick"
);

codec_struct!(
    in known: Known<'_>;
    Picks { slots in known, looks, made, asks, fulfilled: counter, version: long_counter }
    where |picks| picks.slots.len() == known.file.slots.len(), "list of slots"
    where |picks| picks.looks.len() == known.file.n_selects, "list of selections"
);

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn claims_come_back() {
        comes_back::<Claim>(|trial, _| trial.any());
    }
}
