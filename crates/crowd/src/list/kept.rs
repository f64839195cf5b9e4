//! The lists that a crowd keeps, made or not.
//!
//! In:   what came of making a list.
//! Out:  the list of a goal with some actions; how many there are, and why some are not.
//! Cost: a look-up compares with all that are kept, which are few.

use super::{NoListReason, PlanList};
use crate::plans::PlanId;
use throng_planner::ActionMask;

/// How many lists are kept; the one that was not used for longest goes first.
const MOST_LISTS: usize = 64;

/// All lists of a crowd, made or not.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(crate) all: Vec<Known>,
    /// Counts uses, and how many there were when this frame began.
    pub(crate) now: u64,
    pub(crate) began: u64,
}

/// What is known of a goal with some actions.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) enabled: ActionMask,
    pub(crate) goal: u16,
    /// When it was last asked for.
    pub(crate) used: u64,
    pub(crate) came: Came,
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum Came {
    List(Box<PlanList>),
    No(NoListReason),
    /// So much work was not enough.
    NotYet(u64),
}

impl Lists {
    pub(crate) fn get(&self, at: u32) -> Option<&PlanList> {
        match &self.all.get(at as usize)?.came {
            Came::List(list) => Some(list),
            Came::No(_) | Came::NotYet(_) => None,
        }
    }

    fn made(&self) -> impl Iterator<Item = &PlanList> {
        (0..self.all.len() as u32).filter_map(|at| self.get(at))
    }

    /// How many there are, and how many demands the longest has.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.made().count(), self.made().map(PlanList::len).max().unwrap_or(0))
    }

    /// Why the first goal that has none has none.
    pub(crate) fn why_not(&self) -> Option<NoListReason> {
        self.all.iter().find_map(|known| match known.came {
            Came::No(why) => Some(why),
            Came::List(_) | Came::NotYet(_) => None,
        })
    }

    /// How many demands the longest list of a goal has, or why there is none; `None` if none was
    /// tried.
    pub(crate) fn tried(&self, goal: u16) -> Option<Result<usize, NoListReason>> {
        let came = self.all.iter().filter(|known| known.goal == goal).map(|known| &known.came);
        came.fold(None, |tried, came| match (tried, came) {
            (Some(Ok(most)), Came::List(list)) => Some(Ok(list.len().max(most))),
            (_, Came::List(list)) => Some(Ok(list.len())),
            (None, Came::No(why)) => Some(Err(*why)),
            (tried, Came::No(_) | Came::NotYet(_)) => tried,
        })
    }

    /// The plans of all lists.
    pub(crate) fn plans(&self) -> impl Iterator<Item = PlanId> + '_ {
        self.made().flat_map(PlanList::plans).copied()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Known>() + self.made().map(PlanList::bytes).sum::<usize>()
    }

    pub(crate) fn position(&self, enabled: &ActionMask, goal: u16) -> Option<usize> {
        self.all.iter().position(|known| known.goal == goal && known.enabled == *enabled)
    }

    /// A place for one more: a new one, or that of the list that was not used for longest. `None` if
    /// all are used in this frame.
    pub(crate) fn place(&self) -> Option<usize> {
        if self.all.len() < MOST_LISTS {
            return Some(self.all.len());
        }
        let oldest = (0..self.all.len()).min_by_key(|&at| self.all[at].used)?;
        (self.all[oldest].used <= self.began).then_some(oldest)
    }

    /// Puts something into a place; whether a list had to go.
    pub(crate) fn put(&mut self, at: usize, known: Known) -> bool {
        match self.all.get_mut(at) {
            Some(place) => matches!(std::mem::replace(place, known).came, Came::List(_)),
            None => {
                self.all.push(known);
                false
            }
        }
    }
}
