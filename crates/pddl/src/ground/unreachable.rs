//! Why a goal can never hold, once grounding has proven that.
//!
//! In:   a literal of the goal, or two of them, by number.
//! Out:  an [`Unreachable`], which says it in words.

use super::limits::{Checked, GroundError};
use super::propositional::{Literal, fact_of, holds};

/// What of a goal can never hold.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreachable {
    /// One part of it, as PDDL writes it.
    Part(String),
    /// Two facts, each of which can hold, but not both at a time.
    Pair(String, String),
}

impl Unreachable {
    /// The part of the goal, as PDDL writes it.
    pub fn part(&self) -> String {
        match self {
            Unreachable::Part(part) => part.clone(),
            Unreachable::Pair(one, other) => format!("(and {one} {other})"),
        }
    }
}

// A sentence without its full stop.
throng_base::display! { Unreachable {
    Self::Part(part) => "{part} can never hold";
    Self::Pair(one, other) => "{one} and {other} never hold together";
} }

/// What ends grounding before there is a task: a refusal, or what of the goal can never hold.
pub(super) enum Halt {
    Refused(GroundError),
    /// A part of the goal, or all of it, in words.
    Goal(String),
    Literal(Literal),
    /// Facts that exclude each other.
    Pair(u32, u32),
}

impl From<GroundError> for Halt {
    fn from(refusal: GroundError) -> Halt {
        Halt::Refused(refusal)
    }
}

impl Halt {
    /// What of the goal can never hold, in words; `name` gives a fact as PDDL writes it.
    pub(super) fn told(self, name: impl Fn(u32) -> String) -> Checked<Unreachable> {
        Ok(match self {
            Halt::Refused(why) => return Err(why),
            Halt::Goal(part) => Unreachable::Part(part),
            Halt::Literal(literal) if holds(literal) => Unreachable::Part(name(fact_of(literal))),
            Halt::Literal(literal) => {
                Unreachable::Part(format!("(not {})", name(fact_of(literal))))
            }
            Halt::Pair(one, other) => Unreachable::Pair(name(one), name(other)),
        })
    }
}
