//! Next steps that touch nothing but their own rows, done by all threads.
//!
//! In:   the rows that have a step left and do not wait.
//! Out:  their states, plans and bits one step further; the rows whose step touches what a group
//!       shares, or needs more than its row, are left to whoever does those one after another;
//!       and those that come to such a step, or have none left, are told of.
//! Cost: a look at the plan and one addition per row. Few rows are done by one thread: waking
//!       another takes longer.
//!
//! No such step sees what another row does, so any order gives the same.

use super::Columns;
use super::part::{ALONE, MOST_PARTS, rows_of_parts};
use crate::goals::Goals;
use crate::ids::IdsMut;
use crate::kind::Kind;
use crate::ledger::PlanLedger;
use crate::pool::Pool;
use crate::states::StatesMut;
use throng_base::ones;

/// How many rows did a step, and how many of them their last.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walked {
    pub(crate) moved: usize,
    pub(crate) arrived: usize,
}

/// Some rows, numbered from the first of them on.
struct Stretch<'c> {
    left: &'c mut [u64],
    /// None where nothing is shared.
    news: &'c mut [u64],
    waiting: &'c mut [u64],
    moving: &'c mut [u64],
    states: StatesMut<'c>,
    goal: &'c [u16],
    ids: IdsMut<'c>,
    step: &'c mut [u16],
    walked: Walked,
}

impl Columns {
    /// Does all next steps that touch their own rows alone, and marks the rows of the others.
    pub(crate) fn do_own_steps(
        &mut self,
        (kind, goals, book): (&Kind, &Goals, &PlanLedger),
        pool: &Pool,
    ) -> Walked {
        let n_rows = self.len();
        let Columns { states, goal, ids, step, waiting, moving, marked, news, .. } = self;
        marked.reset(n_rows, false);
        news.reset(if kind.effects().some_touch_shared() { n_rows } else { 0 }, false);
        let mut n_moving = 0;
        let words = moving.words().iter().zip(waiting.words());
        for (marked, (moving, waiting)) in marked.words_mut().iter_mut().zip(words) {
            *marked = moving & !waiting;
            n_moving += marked.count_ones() as usize;
        }
        let size = rows_of_parts(n_rows);
        let mut all: [Option<Stretch<'_>>; MOST_PARTS] = [const { None }; MOST_PARTS];
        let (mut left, mut waiting) = (marked.words_mut(), waiting.words_mut());
        let mut news = news.words_mut();
        let (mut moving, mut states) = (moving.words_mut(), states.all_mut());
        let (mut goal, mut ids, mut step) = (&goal[..], ids.all_mut(), &mut step[..]);
        let mut n_parts = 0;
        for part in &mut all {
            let rows = size.min(step.len());
            if rows == 0 {
                break;
            }
            let words = rows.div_ceil(64);
            let (own_left, rest_left) = left.split_at_mut(words);
            let (own_news, rest_news) = news.split_at_mut(words.min(news.len()));
            let (own_waiting, rest_waiting) = waiting.split_at_mut(words);
            let (own_moving, rest_moving) = moving.split_at_mut(words);
            let (own_states, rest_states) = states.split_at(rows);
            let (own_goal, rest_goal) = goal.split_at(rows);
            let (own_ids, rest_ids) = ids.split_at(rows);
            let (own_step, rest_step) = step.split_at_mut(rows);
            (left, waiting, moving) = (rest_left, rest_waiting, rest_moving);
            news = rest_news;
            (states, goal, ids, step) = (rest_states, rest_goal, rest_ids, rest_step);
            *part = Some(Stretch {
                left: own_left,
                news: own_news,
                waiting: own_waiting,
                moving: own_moving,
                states: own_states,
                goal: own_goal,
                ids: own_ids,
                step: own_step,
                walked: Walked::default(),
            });
            n_parts += 1;
        }
        let work = |_: usize, part: &mut Option<Stretch<'_>>| {
            if let Some(part) = part {
                part.walk(kind, goals, book);
            }
        };
        match n_moving < ALONE {
            true => all[..n_parts].iter_mut().for_each(|part| work(0, part)),
            false => pool.each(&mut all[..n_parts], &work),
        }
        let mut walked = Walked::default();
        for part in all.iter().flatten() {
            walked.moved += part.walked.moved;
            walked.arrived += part.walked.arrived;
        }
        walked
    }
}

impl Stretch<'_> {
    fn walk(&mut self, kind: &Kind, goals: &Goals, book: &PlanLedger) {
        for at in 0..self.left.len() {
            let todo = self.left[at];
            if todo == 0 {
                continue;
            }
            let (mut left, mut arrived, mut news) = (0u64, 0u64, 0u64);
            for bit in ones(todo) {
                let row = at * 64 + bit;
                let (id, done) = (self.ids.get(row), self.step[row]);
                let step = book.next_step(id, done);
                // What cannot be counted, or needs all values, is for those who do it one by one.
                let own = step.filter(|(action, _)| {
                    !kind.effects().touches_shared(*action)
                        && done < u16::MAX
                        && self.states.step(row, kind, *action)
                });
                let Some((_, is_last)) = own else {
                    left |= 1 << bit;
                    continue;
                };
                let next = PlanLedger::after_step(id);
                if next != id {
                    self.ids.set(row, next);
                }
                self.step[row] = done + 1;
                arrived |= u64::from(is_last) << bit;
                if !self.news.is_empty() {
                    let then = book.next_step(next, done + 1);
                    let touches = then.is_none_or(|(then, _)| kind.effects().touches_shared(then));
                    news |= u64::from(touches) << bit;
                }
            }
            self.left[at] = left;
            if let Some(all) = self.news.get_mut(at) {
                *all = news;
            }
            self.moving[at] &= !arrived;
            self.walked.moved += (todo & !left).count_ones() as usize;
            self.walked.arrived += arrived.count_ones() as usize;
            // Who has one thing of all it wants chooses the next.
            let chooses = |bit: &usize| goals.is_best(self.goal[at * 64 + bit]);
            self.waiting[at] |= ones(arrived).filter(chooses).fold(0, |all, bit| all | 1 << bit);
        }
    }
}
