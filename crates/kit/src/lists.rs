//! Lists that sensors and behaviours need while they look: lent, so that none is made once warm.
//!
//! In:   who needs a list.
//! Out:  an empty one with the room that it had before; it goes back when it is dropped.
//! Cost: a step per sort of lists that there is; each thread keeps a few of its own.
//!
//! Nothing but room is kept from one use to the next, so answers do not depend on it.

use std::any::Any;
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

/// So many lists of one sort are kept at most: nobody needs more at a time.
const MOST_KEPT: usize = 8;

/// Room of a new list: more than most ever need, so that a thread that comes to a list late does not
/// let it grow step by step.
const ROOM: usize = 128;

thread_local! {
    /// By sort of element, the lists that nobody needs now.
    static KEPT: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// A list that goes back when it is dropped.
#[derive(Debug)]
pub(crate) struct Lent<T: Copy + 'static>(Vec<T>);

impl<T: Copy> Lent<T> {
    /// An empty one.
    pub(crate) fn new() -> Self {
        Lent(among_kept(Vec::pop).flatten().unwrap_or_else(|| Vec::with_capacity(ROOM)))
    }
}

impl<T: Copy> FromIterator<T> for Lent<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Lent::new();
        list.extend(items);
        list
    }
}

impl<T: Copy> Deref for Lent<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Copy> DerefMut for Lent<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T: Copy> Drop for Lent<T> {
    fn drop(&mut self) {
        let mut list = std::mem::take(&mut self.0);
        list.clear();
        among_kept(|kept: &mut Vec<Vec<T>>| {
            if kept.len() < MOST_KEPT {
                kept.push(list);
            }
        });
    }
}

/// Does something with the lists of a sort; `None` if the thread is at its end.
fn among_kept<T: Copy + 'static, R>(work: impl FnOnce(&mut Vec<Vec<T>>) -> R) -> Option<R> {
    let all = |kept: &RefCell<Vec<Box<dyn Any>>>| {
        let mut kept = kept.try_borrow_mut().ok()?;
        let at = kept.iter().position(|lists| lists.is::<Vec<Vec<T>>>());
        let at = at.unwrap_or_else(|| {
            kept.push(Box::new(Vec::<Vec<T>>::with_capacity(MOST_KEPT)));
            kept.len() - 1
        });
        kept.get_mut(at)?.downcast_mut().map(work)
    };
    KEPT.try_with(all).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_comes_back_empty_and_keeps_its_room() {
        let room = {
            let list: Lent<u16> = (0..100).collect();
            assert_eq!(list.len(), 100);
            list.capacity()
        };
        // Two at a time are two.
        let (mut one, two) = (Lent::<u16>::new(), Lent::<u16>::new());
        assert!(one.is_empty() && two.is_empty());
        assert!(one.capacity() == room && two.capacity() == ROOM);
        one.push(7);
        assert!(two.is_empty());
        // Of another sort there are others.
        assert_eq!(Lent::<u32>::new().capacity(), ROOM);
    }
}
