//! Where the choices of a join go.
//!
//! In:   tuples, one per choice.
//! Out:  a row of them, or the new ones in a relation; or the refusal that there are too many,
//!       before they fill the memory.

use super::limits::{GroundError, Guard, INDEX_BYTES, too_many_operators};
use super::relation::Relation;

/// Where the choices go.
pub(super) enum Sink<'a> {
    /// One after the other into a row; at most so many.
    Row(&'a mut Vec<u32>, usize),
    /// Into a relation; new tuples into a queue, of which so many are allowed, each of so many
    /// bytes beside its indexes.
    Tuples { head: usize, queue: &'a mut Vec<(usize, u32)>, left: &'a mut usize, bytes: usize },
}

impl Sink<'_> {
    /// Takes a tuple.
    pub(super) fn put(
        &mut self,
        tuple: &[u32],
        relations: &mut [Relation],
        guard: &mut Guard<'_>,
    ) -> Result<(), GroundError> {
        match self {
            Sink::Row(row, most) => {
                // Twice: a row doubles when it grows.
                guard.lend(2 * size_of_val(tuple))?;
                row.extend_from_slice(tuple);
                if row.len() > *most {
                    return Err(too_many_operators(guard.limits.operators));
                }
            }
            Sink::Tuples { head, queue, left, bytes } => {
                if let Some(new) = relations[*head].insert(tuple) {
                    guard.hold(*bytes + relations[*head].n_indexes() * INDEX_BYTES)?;
                    if **left == 0 {
                        return Err(too_many_operators(guard.limits.operators));
                    }
                    **left -= 1;
                    queue.push((*head, new));
                }
            }
        }
        Ok(())
    }
}
