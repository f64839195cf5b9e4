//! What is done with all crowds of a population at the same time.
//!
//! In:   crowds that do not hear of each other meanwhile, and what is to be done with each.
//! Out:  the same as one after the other, for any number of threads.
//! Cost: that of the crowds, shared by the threads; few NPCs are left to one: waking another takes
//!       longer. Nothing is allocated once warm.

use super::Population;
use crate::columns::ALONE;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::pool::Pool;
use crate::settings::{Frame, FrameBudget, FrameReport};

impl Population {
    /// Changes the NPCs of all types at the same time, on the threads of the pool. Each crowd comes
    /// with what the game keeps for its type: `things` are as many as the crowds, in their order.
    ///
    /// What `edit` does to one crowd must not depend on when it does it to another; give each type
    /// random numbers of its own. Then the outcome is the same for any number of threads.
    ///
    /// ```
    /// use throng_crowd::{CrowdError, CrowdSettings, FrameBudget, GroupId, Pool, Population, Setter};
    /// # use std::sync::Arc;
    /// # use throng_domain::{Format, Limits, formats, load};
    /// # use throng_planner::PreparedDomain;
    /// # let text = "domain d\nvar food: none, some\naction eat: food some -> none\n\
    /// #     action cook: food none -> some\ngoal fed: food = some\n\
    /// #     npc cook\n    can cook\n    wants fed\n    starts food = none\n\
    /// #     npc guest\n    can cook, eat\n    wants fed\n    starts food = none";
    /// # let limits = Limits::default();
    /// # let loaded = load("a.npc", text, Format::Npc, &limits, &[], &mut formats::no_includes);
    /// # let domain = Arc::new(PreparedDomain::new(&loaded.model.ok_or("a mistake")?));
    /// # let pool = Arc::new(Pool::new(2));
    /// let mut all = Population::new(domain, CrowdSettings::default(), pool);
    /// let mut hungry: Vec<Setter> = Vec::new();
    /// for kind in ["cook", "guest"] {
    ///     let crowd = all.crowd_mut(kind).ok_or("no such type")?;
    ///     hungry.push(crowd.setter(("food", "none"))?);
    ///     let fed = crowd.goal("fed")?;
    ///     for _ in 0..1000 {
    ///         crowd.spawn(GroupId::FIRST, fed)?;
    ///     }
    /// }
    /// for _ in 0..10 {
    ///     all.plan(FrameBudget::UNLIMITED);
    ///     all.apply_next();
    ///     all.edit_crowds(&mut hungry, |crowd, hungry| crowd.edit_each(|npc| npc.set(hungry)))?;
    /// }
    /// assert_eq!(all.plan(FrameBudget::UNLIMITED).plans, 2000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are not as many things as crowds, and then nothing has changed; else the first
    /// error of `edit`, by type, after all types had their turn.
    pub fn edit_crowds<T: Send>(
        &mut self,
        things: &mut [T],
        edit: impl Fn(&mut Crowd, &mut T) -> Result<(), CrowdError> + Sync,
    ) -> Result<(), CrowdError> {
        if things.len() != self.crowds.len() {
            return Err(CrowdError::OtherLength);
        }
        let n_npcs = self.len();
        self.edited.clear();
        self.edited.resize_with(things.len(), || Ok(()));
        let mut things = things.iter_mut().zip(&mut self.edited);
        for crowds in self.crowds.chunks_mut(TOGETHER) {
            let mut all: [Option<(&mut T, &mut Result<(), CrowdError>)>; TOGETHER] =
                [const { None }; TOGETHER];
            let n = crowds.len();
            all[..n].iter_mut().for_each(|one| *one = things.next());
            in_pairs(&self.pool, n_npcs, crowds, &mut all[..n], &|crowd, one| {
                if let Some((thing, edited)) = one {
                    **edited = edit(crowd, thing);
                }
            });
        }
        self.edited.drain(..).collect()
    }

    /// Serves all who wait, in one round over the crowds as far as tables answer them: none hears
    /// of another while it plans. What is left takes longer, and all threads share it.
    pub(super) fn plan_all(&mut self) -> FrameReport {
        let n = self.crowds.len();
        self.first = if n == 0 { 0 } else { (self.first + 1) % n };
        let Population { crowds, frames, pool, .. } = self;
        frames.clear();
        frames.resize(n, Frame::new(FrameBudget::UNLIMITED));
        let all: usize = crowds.iter().map(Crowd::len).sum();
        // A crowd that is more than a thread's share is better shared out itself.
        let is_large = |crowd: &Crowd| crowd.len() > all / pool.threads();
        in_pairs(pool, all, crowds, frames, &|crowd, frame| {
            if !is_large(crowd) {
                crowd.serve_from_tables(frame);
                if !crowd.has_more_to_serve() {
                    crowd.serve_the_rest(frame);
                }
            }
        });
        let mut report = FrameReport::default();
        for (crowd, frame) in crowds.iter_mut().zip(frames) {
            if is_large(crowd) {
                crowd.serve_from_tables(frame);
                crowd.serve_the_rest(frame);
            } else if crowd.has_more_to_serve() {
                crowd.serve_the_rest(frame);
            }
            report += crowd.report(frame);
        }
        report
    }
}

/// Crowds that are worked on in one go.
const TOGETHER: usize = 64;

/// Does something with each crowd and what belongs to it, on all threads if they have at least so
/// many NPCs together that it is worth it.
fn in_pairs<T: Send>(
    pool: &Pool,
    n_npcs: usize,
    crowds: &mut [Crowd],
    things: &mut [T],
    work: &(dyn Fn(&mut Crowd, &mut T) + Sync),
) {
    if n_npcs < ALONE {
        crowds.iter_mut().zip(things).for_each(|(crowd, thing)| work(crowd, thing));
        return;
    }
    for (crowds, things) in crowds.chunks_mut(TOGETHER).zip(things.chunks_mut(TOGETHER)) {
        let mut pairs: [Option<(&mut Crowd, &mut T)>; TOGETHER] = [const { None }; TOGETHER];
        let n = crowds.len().min(things.len());
        for (pair, both) in pairs.iter_mut().zip(crowds.iter_mut().zip(things)) {
            *pair = Some(both);
        }
        pool.each(&mut pairs[..n], &|_, pair| {
            if let Some((crowd, thing)) = pair {
                work(crowd, thing);
            }
        });
    }
}
