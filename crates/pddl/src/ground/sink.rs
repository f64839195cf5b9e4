//! Where the choices of a join go.
//!
//! In:   tuples, one per choice.
//! Out:  a row of them, or the new ones in a relation; or the refusal that there are too many,
//!       before they fill the memory.

use super::limits::{Guard, Refusal, too_many_operators};
use super::relation::Relation;

/// Where the choices go.
pub(super) enum Sink<'a> {
    /// One after the other into a row; at most so many.
    Row(&'a mut Vec<u32>, usize),
    /// Into a relation; new tuples into a queue, of which so many are allowed.
    Tuples { head: usize, queue: &'a mut Vec<(usize, u32)>, left: &'a mut usize },
}

impl Sink<'_> {
    /// Takes a tuple.
    pub(super) fn put(
        &mut self,
        tuple: &[u32],
        relations: &mut [Relation],
        guard: &Guard<'_>,
    ) -> Result<(), Refusal> {
        match self {
            Sink::Row(row, most) => {
                row.extend_from_slice(tuple);
                if row.len() > *most {
                    return Err(too_many_operators(guard.limits.operators));
                }
            }
            Sink::Tuples { head, queue, left } => {
                if let Some(new) = relations[*head].insert(tuple) {
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
