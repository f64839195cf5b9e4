//! Random PDDL tasks, and a plain planner for them that judges the others.
//!
//! In:   a seed and the features wanted.
//! Out:  two small texts; and what is true of the task they say.
//! Cost: microseconds for a text, up to milliseconds for the truth.

mod deep;
mod draft;
mod hostile;
mod oracle;
mod parts;

pub use deep::{deep_draft, lifted};
pub use draft::{Draft, Features, draft, renamed};
pub use hostile::{Hostile, N_SHAPES, hostile};
pub use oracle::{Oracle, Truth};
