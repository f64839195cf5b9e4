//! Why a goal has no table, and what can be done about it.
//!
//! In:   a reason, as `tables` found it.
//! Out:  a word for lists; a sentence that names what to change.
//! Cost: nothing until it is read.

use crate::goals::CrowdGoalId;
use crate::settings::CrowdSettings;
use std::fmt;

/// Why there are no tables of a type, or none of a goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum NoTableReason {
    /// The settings say so.
    Unwanted,
    /// There are more states than a table may have; `None` if more than can be counted.
    TooManyStates(Option<u64>),
    /// Of a type: they were tried, and the room or the work allowed did not do. Its goals tell more.
    Refused,
    /// Its states would fit, but none was made so far: none was prepared, or no frame's budget
    /// sufficed.
    NotMade(u64),
    /// Nobody has asked for it so far.
    NotAsked,
    /// A table of so many bytes has no room beside the others.
    NoRoom(u64),
    /// Its plans together take more room than tables may have.
    LongPlans,
    /// Its plans take more than so many nodes of search, and that is what a table is worth.
    TooMuchSearch(u64),
    /// It speaks of what the domain does not have.
    ForeignGoal,
    /// A plan did not replay: a mistake of an engine, which is kept from players.
    WrongPlan,
    /// It is a choice, and this one of the goals among which it chooses has none.
    Part(CrowdGoalId),
}

impl NoTableReason {
    /// One word for lists.
    pub fn name(self) -> &'static str {
        match self {
            NoTableReason::Unwanted => "unwanted",
            NoTableReason::TooManyStates(_) => "too-many-states",
            NoTableReason::Refused => "refused",
            NoTableReason::NotMade(_) => "not-made",
            NoTableReason::NotAsked => "not-asked",
            NoTableReason::NoRoom(_) => "no-room",
            NoTableReason::LongPlans => "long-plans",
            NoTableReason::TooMuchSearch(_) => "too-much-search",
            NoTableReason::ForeignGoal => "foreign-goal",
            NoTableReason::WrongPlan => "wrong-plan",
            NoTableReason::Part(_) => "part",
        }
    }

    /// The reason in a sentence, with what to do about it; `settings` are the crowd's.
    pub fn sentence(self, settings: &CrowdSettings) -> impl fmt::Display + use<> {
        Sentence { why: self, states: settings.table_states, bytes: settings.table_bytes }
    }
}

/// A reason beside the limits that it speaks of.
struct Sentence {
    why: NoTableReason,
    states: u64,
    bytes: usize,
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sentence { why, states: most, bytes } = self;
        match why {
            NoTableReason::Unwanted => {
                write!(f, "the settings want no tables; any `tables` but `Never` makes them")
            }
            NoTableReason::TooManyStates(Some(states)) => write!(
                f,
                "{states} states, and a table may have {most}; raise `table_states`, share variables \
                 or give the type fewer values"
            ),
            NoTableReason::TooManyStates(None) => write!(
                f,
                "more states than can be counted, and a table may have {most}; share variables or \
                 give the type fewer values"
            ),
            NoTableReason::Refused => {
                write!(f, "the room or the work allowed did not do; its goals tell more")
            }
            NoTableReason::NotMade(states) => write!(
                f,
                "its {states} states would fit; `prepare` it while a level is loaded, or let a \
                 frame's budget have more nodes than that"
            ),
            NoTableReason::NotAsked => {
                write!(f, "nobody has asked for it; who does will have it made, or `prepare` does")
            }
            NoTableReason::NoRoom(own) => write!(
                f,
                "its {own} bytes have no room among the {bytes} that all tables may have; raise \
                 `table_bytes`, or let groups be in fewer situations"
            ),
            NoTableReason::LongPlans => {
                write!(f, "its plans need more than {bytes} bytes; raise `table_bytes`")
            }
            NoTableReason::TooMuchSearch(nodes) => write!(
                f,
                "its plans take more than the {nodes} nodes of search that it is worth; raise \
                 `first_try`, or let fewer actions lead to the same value"
            ),
            NoTableReason::ForeignGoal => {
                write!(f, "it speaks of what the domain does not have; name what is there")
            }
            NoTableReason::WrongPlan => {
                write!(f, "a plan of it does not replay; please report this")
            }
            NoTableReason::Part(_) => write!(
                f,
                "one of the goals among which it chooses has none; what helps that one helps it"
            ),
        }
    }
}
