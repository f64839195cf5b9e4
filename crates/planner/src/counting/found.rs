//! What a search with amounts came to.

use crate::budget::Limit;

/// What a search for a [`CountingTask`](super::CountingTask) came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountingFound {
    /// A plan was written.
    Plan,
    /// There is none: a proof.
    Impossible,
    /// A limit was hit; the search can go on.
    Limit(Limit),
}
