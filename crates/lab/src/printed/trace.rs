//! What the printed algorithms do, as they do it: events as plain data.
//!
//! In:   nothing; the algorithms call a [`Trace`] for every change of a set or colour.
//! Out:  [`Event`]s. [`Sheet`](super::Sheet) makes text of them.
//! Cost: one call each.

use super::tables::Post;

/// Receives the events of a run. `&mut |_| {}` listens to nothing.
pub type Trace<'t> = dyn FnMut(Event) + 't;

/// A procedure and a line as printed: `3.15` is line 15 of Procedure 3.
pub type Line = &'static str;

/// The papers' colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Not in the plan.
    White,
    /// In the plan, not sorted.
    Yellow,
    /// Being sorted.
    Blue,
    /// Sorted.
    Green,
}

/// The papers' sets of yellow actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Set {
    /// Actions of the chains to the goal; in P, all.
    D,
    /// Actions of the chains that serve needs.
    T,
}

/// One thing that a printed line does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A phase begins.
    Phase(u8),
    /// A chain is built backward from `to` to `from`, two values of one variable.
    Chain {
        /// The line that asks for it.
        line: Line,
        /// Where it stops.
        from: Post,
        /// Where it begins.
        to: Post,
    },
    /// A need of an action is looked at.
    Need {
        /// The loop's line.
        line: Line,
        /// Whose need.
        of: Post,
        /// The value needed.
        need: Post,
    },
    /// An action changes its colour.
    Colours {
        /// The action.
        action: Post,
        /// Its new colour.
        colour: Colour,
    },
    /// An action joins a set.
    Joins {
        /// The action.
        action: Post,
        /// The set.
        set: Set,
    },
    /// An action, or a ghost, learns what comes next in its chain.
    Next {
        /// The action or ghost.
        of: Post,
        /// What comes next.
        next: Post,
    },
    /// An order joins the set E.
    Orders {
        /// The line that adds it.
        line: Line,
        /// An action or a ghost.
        before: Post,
        /// An action.
        after: Post,
    },
    /// P: actions on the first variable need a value of the second that it does not start with.
    Flags {
        /// Index of the first variable.
        variable: usize,
        /// Index of the second.
        needed: usize,
    },
    /// An action is appended to the plan.
    Placed(Post),
    /// A step is over: one turn of the loop of its phase.
    Step,
}
