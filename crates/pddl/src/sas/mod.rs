//! `.sas`, version 3: ground tasks as the field's translators write them, both ways.
//!
//! In:   a text, or a named task.
//! Out:  a named task, or the first mistake with its line and a cure; a text, or why there is
//!       none.
//! Cost: linear in the text.
//!
//! What is read, written and read again is the same task, and what is written, read and
//! written again is the same text, byte by byte.
//!
//! Effects happen in the order of their lines, so that a later one wins, as in the planners
//! that read such files. In a [`GroundTask`](throng_planner::forward::GroundTask) conditional effects come
//! after the others; so what an unconditional line overrules is left out.
//!
//! 1. `lines`: lines, numbers, and the mistake.
//! 2. `read`: section by section. `write`: the same way back. `overruled`: which effects count.
//! 3. `replay`: plans for what was read.

mod lines;
mod overruled;
mod read;
mod replay;
mod write;

pub use lines::SasError;
pub use read::read;
pub use replay::{ReplayFailure, replay, replay_until};
pub use write::{WriteSasError, write, write_until};

/// Bounds on what a text may ask for. All counts are held against them, and against the length
/// of the text, before anything is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of text.
    pub text_bytes: usize,
    /// Variables.
    pub variables: usize,
    /// Values of one variable. Never more than 65,535.
    pub values: usize,
    /// Operators.
    pub operators: usize,
    /// Rules for derived variables.
    pub rules: usize,
    /// Groups of facts that exclude each other.
    pub mutexes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            text_bytes: 1 << 30,
            variables: 1 << 22,
            values: 65_535,
            operators: 1 << 24,
            rules: 1 << 24,
            mutexes: 1 << 22,
        }
    }
}
