//! What a run of questions came to; a test that never sees a case proves nothing about it.

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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

/// Counts.
pub type Tally = crate::tally::Tally<Seen>;
