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
use crate::claims::Claims;
use crate::goals::Goals;
use crate::ids::IdsMut;
use crate::kind::Kind;
use crate::ledger::PlanLedger;
use crate::pool::Pool;
use crate::states::StatesMut;
use throng_base::{Bits, ones};

/// How many rows did a step, and how many of them their last.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walked {
    pub(crate) moved: usize,
    pub(crate) arrived: usize,
}

/// Some rows, numbered from the first of them on.
struct Stretch<'c> {
    first: usize,
    left: &'c mut [u64],
    waiting: &'c mut [u64],
    moving: &'c mut [u64],
    states: StatesMut<'c>,
    goal: &'c [u16],
    ids: IdsMut<'c>,
    step: &'c mut [u16],
    walked: Walked,
}

impl Columns {
    /// Does all next steps that touch their own rows alone; `left` are the rows of the others, and
    /// those that come to such a step, or give a claim back.
    pub(crate) fn do_own_steps(
        &mut self,
        (kind, goals, book, claims): (&Kind, &Goals, &PlanLedger, &Claims),
        left: &mut Bits,
        pool: &Pool,
    ) -> Walked {
        let n_rows = self.len();
        let Columns { states, goal, ids, step, waiting, moving, .. } = self;
        left.reset(n_rows, false);
        let mut n_moving = 0;
        let words = moving.words().iter().zip(waiting.words());
        for (left, (moving, waiting)) in left.words_mut().iter_mut().zip(words) {
            *left = moving & !waiting;
            n_moving += left.count_ones() as usize;
        }
        let size = rows_of_parts(n_rows);
        let mut all: [Option<Stretch<'_>>; MOST_PARTS] = [const { None }; MOST_PARTS];
        let (mut left, mut waiting) = (left.words_mut(), waiting.words_mut());
        let (mut moving, mut states) = (moving.words_mut(), states.all_mut());
        let (mut goal, mut ids, mut step) = (&goal[..], ids.all_mut(), &mut step[..]);
        let mut n_parts = 0;
        let mut first = 0;
        for part in &mut all {
            let rows = size.min(step.len());
            if rows == 0 {
                break;
            }
            let words = rows.div_ceil(64);
            let (own_left, rest_left) = left.split_at_mut(words);
            let (own_waiting, rest_waiting) = waiting.split_at_mut(words);
            let (own_moving, rest_moving) = moving.split_at_mut(words);
            let (own_states, rest_states) = states.split_at(rows);
            let (own_goal, rest_goal) = goal.split_at(rows);
            let (own_ids, rest_ids) = ids.split_at(rows);
            let (own_step, rest_step) = step.split_at_mut(rows);
            (left, waiting, moving) = (rest_left, rest_waiting, rest_moving);
            (states, goal, ids, step) = (rest_states, rest_goal, rest_ids, rest_step);
            *part = Some(Stretch {
                first,
                left: own_left,
                waiting: own_waiting,
                moving: own_moving,
                states: own_states,
                goal: own_goal,
                ids: own_ids,
                step: own_step,
                walked: Walked::default(),
            });
            n_parts += 1;
            first += rows;
        }
        let work = |_: usize, part: &mut Option<Stretch<'_>>| {
            if let Some(part) = part {
                part.walk(kind, goals, book, claims);
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
    fn walk(&mut self, kind: &Kind, goals: &Goals, book: &PlanLedger, claims: &Claims) {
        let effects = kind.effects();
        let may_claim = effects.some_touch_shared();
        for at in 0..self.left.len() {
            let todo = self.left[at];
            if todo == 0 {
                continue;
            }
            let (mut left, mut arrived) = (0u64, 0u64);
            for bit in ones(todo) {
                let row = at * 64 + bit;
                let (id, done) = (self.ids.get(row), self.step[row]);
                let step = book.next_step(id, done);
                let next = PlanLedger::after_step(id);
                let is_for_claims = |is_last| match is_last {
                    true => claims.knows(self.first + row),
                    false => {
                        let then = book.next_step(next, done + 1);
                        then.is_some_and(|(then, _)| effects.touches_shared(then))
                    }
                };
                // What cannot be counted, or needs all values, is for those who do it one by one.
                let own = step.filter(|(action, is_last)| {
                    !effects.touches_shared(*action)
                        && done < u16::MAX
                        && !(may_claim && is_for_claims(*is_last))
                        && self.states.step(row, kind, *action)
                });
                let Some((_, is_last)) = own else {
                    left |= 1 << bit;
                    continue;
                };
                if next != id {
                    self.ids.set(row, next);
                }
                self.step[row] = done + 1;
                arrived |= u64::from(is_last) << bit;
            }
            self.left[at] = left;
            self.moving[at] &= !arrived;
            self.walked.moved += (todo & !left).count_ones() as usize;
            self.walked.arrived += arrived.count_ones() as usize;
            // Who has one thing of all it wants chooses the next.
            let chooses = |bit: &usize| goals.is_best(self.goal[at * 64 + bit]);
            self.waiting[at] |= ones(arrived).filter(chooses).fold(0, |all, bit| all | 1 << bit);
        }
    }
}
