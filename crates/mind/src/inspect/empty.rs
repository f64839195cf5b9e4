//! Why a selection holds nothing.
//!
//! In:   a mind, one of its selections, what others have.
//! Out:  an [`EmptyReason`]: nothing is known, or what is known is left out, and by what.
//! Cost: a pass over the facts of its kinds; nothing is allocated.

use super::picks::{LeftOut, left_out};
use crate::condition::{It, Situation};
use crate::memory::Memory;
use crate::mind::Mind;
use crate::select::{Chooser, Others};
use crate::spec::{SelectSpec, Spec};
use crate::time::{NEVER, Tick};

/// Why a selection holds nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum EmptyReason {
    /// Nothing of its type can ask for it: it is never made.
    NotMade,
    /// There is no fact of what it picks from.
    Unknown,
    /// Its `while` does not hold.
    Off,
    /// There is one, but it is no candidate.
    LeftOut(LeftOut),
    /// There is a candidate; it will be looked at when the selection is due.
    NotYet,
}

impl EmptyReason {
    /// All of them: what counts most, if facts differ, last.
    pub const ALL: [EmptyReason; 7] = [
        EmptyReason::NotMade,
        EmptyReason::Unknown,
        EmptyReason::Off,
        EmptyReason::LeftOut(LeftOut::Filter),
        EmptyReason::LeftOut(LeftOut::NoScore),
        EmptyReason::LeftOut(LeftOut::Taken),
        EmptyReason::NotYet,
    ];

    /// Whether there was something that might have been picked.
    pub fn is_known(self) -> bool {
        !matches!(self, EmptyReason::NotMade | EmptyReason::Unknown | EmptyReason::Off)
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            EmptyReason::NotMade => "nothing of its type asks for it",
            EmptyReason::Unknown => "nothing is known",
            EmptyReason::Off => "its `while` does not hold",
            EmptyReason::LeftOut(LeftOut::Filter) => "left out by its `where`",
            EmptyReason::LeftOut(LeftOut::NoScore) => "its score is 0",
            EmptyReason::LeftOut(LeftOut::Taken) => "claimed by others",
            EmptyReason::NotYet => "not looked at yet",
        }
    }

    /// A stable word for programs.
    pub fn code(self) -> &'static str {
        match self {
            EmptyReason::NotMade => "not_made",
            EmptyReason::Unknown => "unknown",
            EmptyReason::Off => "off",
            EmptyReason::LeftOut(LeftOut::Filter) => "where",
            EmptyReason::LeftOut(LeftOut::NoScore) => "score",
            EmptyReason::LeftOut(LeftOut::Taken) => "claimed",
            EmptyReason::NotYet => "not_yet",
        }
    }
}

impl Mind {
    /// Why a selection holds nothing; `None` if it holds something.
    pub(crate) fn why_empty(
        &self,
        spec: &Spec,
        select: &SelectSpec,
        shared: &Memory,
        others: &Others,
        now: Tick,
    ) -> Option<EmptyReason> {
        let own = usize::from(select.slots.start)..usize::from(select.slots.end);
        let held = self.picks.slots().get(own).unwrap_or_default();
        if held.iter().any(|pick| pick.is_bound()) {
            return None;
        }
        if spec.selects_of(self.npc).all(|(_, own)| own.select != select.select) {
            return Some(EmptyReason::NotMade);
        }
        let situation = self.outside_situation(spec, shared, now);
        let wake = &mut NEVER.clone();
        if select.during.as_ref().is_some_and(|during| !during.holds(&situation, wake)) {
            return Some(EmptyReason::Off);
        }
        let chooser = Chooser { id: self.id, side: self.side, pins: 0, others };
        let facts = select.of.iter().flat_map(|pattern| pattern.facts(&situation));
        let known = facts.filter(|fact| select.is_of(*fact, &situation, &mut NEVER.clone()));
        let reasons = known.map(|fact| {
            let key = select.key(fact);
            let of = &Situation { it: It { key, fact: Some(fact.id()) }, ..situation };
            match left_out(select, key, of, &chooser) {
                Some(why) => EmptyReason::LeftOut(why),
                None => EmptyReason::NotYet,
            }
        });
        Some(reasons.max().unwrap_or(EmptyReason::Unknown))
    }
}
