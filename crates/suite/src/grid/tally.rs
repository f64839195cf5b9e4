//! What a run of questions came to; a test that never sees a case proves nothing about it.

use std::fmt;
use std::ops::AddAssign;

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Seen {
    Instances,
    TotalGoals,
    PartialGoals,
    Satisfied,
    /// Plans found without search.
    PlansDecided,
    /// Proofs found without search.
    ProofsDecided,
    /// Plans that needed search.
    PlansSearched,
    /// Proofs that needed search.
    ProofsSearched,
    Nodes,
    /// Questions that closure and order alone leave open.
    OpenByOrder,
    Steps,
    /// Plans that do an action twice.
    DoTwice,
    /// Plans in which a needed value comes and goes and comes again.
    Soft,
    /// Plans in which such a value is used both times.
    UsedBothTimes,
    /// Questions with forbidden actions, checks that fail, or overridden actions.
    Masked,
    /// Questions that topological planning serves only because something is not there.
    OnlyUnderMask,
    UnknownStart,
    Costs,
    /// Questions also put to the library.
    Library,
    /// Questions that the library gives to forward search.
    NotServed,
}

const N_SEEN: usize = Seen::NotServed as usize + 1;

/// Counts.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally([u64; N_SEEN]);

impl Tally {
    /// Counts one, or several.
    pub fn add(&mut self, what: Seen, count: u64) {
        self.0[what as usize] += count;
    }

    /// How often something was seen.
    pub fn get(&self, what: Seen) -> u64 {
        self.0[what as usize]
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Seen::*;
        let all = [
            Instances,
            TotalGoals,
            PartialGoals,
            Satisfied,
            PlansDecided,
            ProofsDecided,
            PlansSearched,
            ProofsSearched,
            Nodes,
            OpenByOrder,
            Steps,
            DoTwice,
            Soft,
            UsedBothTimes,
            Masked,
            OnlyUnderMask,
            UnknownStart,
            Costs,
            Library,
            NotServed,
        ];
        for what in all.into_iter().filter(|&what| self.get(what) > 0) {
            write!(f, "{what:?} {}, ", self.get(what))?;
        }
        write!(f, "nothing else")
    }
}
