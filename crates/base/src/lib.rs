//! The floor: small data structures that every crate of Throng stands on, each one once.
//!
//! In:   nothing of ours; no dependencies.
//! Out:  lists in rows, and what else is below planning and knows nothing of it.
//! Cost: stated by each.

pub mod codec;
pub mod rows;

pub use rows::Rows;
