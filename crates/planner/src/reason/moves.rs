//! Which way an amount would have to go, and who moves it that way.
//!
//! In:   what is asked of a variable, and which of its values can be had at all.
//! Out:  the direction; how an action would help.
//! Cost: a few comparisons.

use crate::asks::{Does, does};
use throng_domain::amounts::ValueSet;
use throng_domain::compile::{LocalAction, LocalRange, NpcTables, PackedValue};

/// How an action would help.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LinkEffect {
    /// It sets what is asked.
    Sets,
    /// It raises the amount.
    Raises,
    /// It lowers the amount.
    Lowers,
}

/// Where what is asked lies, seen from what can be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Above all of it.
    Up,
    /// Below all of it.
    Down,
    /// Between.
    Between,
}

impl Way {
    /// To a set of values from the least and the greatest that can be had.
    pub(super) fn to(asked: &ValueSet, (least, most): (PackedValue, PackedValue)) -> Way {
        match asked.ends() {
            Some((first, _)) if first > most => Way::Up,
            Some((_, last)) if last < least => Way::Down,
            _ => Way::Between,
        }
    }

    /// Whether a move by so much goes this way.
    fn has(self, by: i32) -> bool {
        match self {
            Way::Up => by > 0,
            Way::Down => by < 0,
            Way::Between => true,
        }
    }
}

/// How an action would bring about what is asked, or bring it nearer.
pub(super) fn helps(
    npc: &NpcTables,
    action: LocalAction,
    asked: &LocalRange,
    way: Way,
) -> Option<LinkEffect> {
    match does(npc, action, asked.variable) {
        Does::Nothing => None,
        Does::Sets(value) => asked.values.has(value).then_some(LinkEffect::Sets),
        Does::Shifts(shift) if way.has(shift.by.by) => {
            Some(if shift.by.by > 0 { LinkEffect::Raises } else { LinkEffect::Lowers })
        }
        Does::Shifts(_) => None,
    }
}
