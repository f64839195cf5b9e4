//! Orders of squads become tasks.
//!
//! In:   orders of squad minds since the last step.
//! Out:  tasks with numbers and claims, or ends of orders that cannot be given; facts `task`.
//! Cost: a look at the tasks for each order.
//!
//! A member that has to let go of another task hears of the new one a tick later: what it does for
//! the old one ends first, and is not taken for work on the new one.

use super::squads::{SQUAD, Step};
use super::task::{Task, TaskEnd, TaskEvent, TaskNews};
use super::telling::task_fact;
use super::{Ground, distance};
use crate::fact::EntityId;
use crate::orders::{Message, MindId, Order, TaskSlot};
use crate::time::{Tick, after};
use crate::words::Word;

/// Tasks that claim nothing are the same if they are for places so near to each other.
const SAME_PLACE: f32 = 1.5;

impl<W: Ground + ?Sized + Sync> Step<'_, W> {
    /// Orders of squads become tasks, in the order of the minds.
    pub(super) fn order(&mut self, now: Tick) {
        let mut waiting = std::mem::take(&mut self.all.waiting);
        for sent in waiting.drain(..) {
            let Some(squad) = self.all.squads.iter().find(|squad| squad.mind == sent.mind) else {
                continue;
            };
            let number = squad.number;
            match sent.order {
                Order::Cancel(id) => {
                    let is_it = |task: &&mut Task| task.squad == number && task.order == id;
                    if let Some(task) = self.all.tasks.iter_mut().find(is_it) {
                        task.loose = Some(now);
                    }
                }
                Order::Task { what, to, place, slot, about } => {
                    let draft = Task {
                        number: 0,
                        squad: number,
                        order: sent.id,
                        member: MindId(0),
                        to,
                        what,
                        place,
                        slot,
                        about,
                        given: now,
                        seen: now,
                        doing: Word::NONE,
                        told: false,
                        loose: None,
                    };
                    self.give(draft);
                }
                _ => {}
            }
        }
        self.all.waiting = waiting;
    }

    /// Gives a task, or goes on with the same one under another order.
    fn give(&mut self, draft: Task) {
        let Some(at) = self.all.at(draft.squad) else { return };
        let words = self.minds.spec().squad_words;
        let squad = self.all.squads[at].mind;
        let fails = |why: Word| Message::Failed(draft.order, why);
        let found = self.all.squads[at].members.iter().find(|member| member.me == draft.to);
        let Some(member) = found.map(|member| member.mind) else {
            return self.send(squad, fails(words.gone));
        };
        let is_his = |task: &Task| task.member == member;
        let is_same = |task: &Task| {
            (task.what, task.slot, task.about) == (draft.what, draft.slot, draft.about)
                && (task.slot != TaskSlot::Free || distance(task.place, draft.place) <= SAME_PLACE)
        };
        if let Some(known) = self.all.tasks.iter_mut().find(|task| is_his(task) && is_same(task)) {
            let older = std::mem::replace(&mut known.order, draft.order);
            // An order that was not cancelled wants an end.
            if known.loose.take().is_none() {
                let end = Message::Failed(older, words.replaced);
                self.send(squad, end);
            }
            return;
        }
        if self.all.claimed_by(draft.slot).is_some_and(|task| !is_his(task)) {
            let loose = self.all.claimed_by(draft.slot).filter(|task| task.loose.is_some());
            // Of this squad's own plan before: it has let go of it.
            match loose.filter(|task| task.squad == draft.squad).map(|task| task.number) {
                Some(number) => self.end(number, TaskEnd::Cancelled),
                None => return self.send(squad, fails(words.taken)),
            }
        }
        let older = self.all.tasks.iter().find(|task| is_his(task)).map(|task| task.number);
        if let Some(older) = older {
            self.end(older, TaskEnd::Cancelled);
        }
        self.all.last_task += 1;
        // A member that lets go of a task in this step, now or before, does that first.
        let lets_go = self.all.news.iter().any(|news| news.task.member == member && news.is_end());
        let task = Task { number: self.all.last_task, member, told: !lets_go, ..draft };
        self.all.tasks.push(task);
        self.all.news.push(TaskNews { task, event: TaskEvent::Given });
        if task.told {
            self.tell_member(&task);
        }
        self.all.tell_soon(task.squad);
    }

    /// Tells members that had to let go of another task first.
    pub(super) fn tell_late(&mut self) {
        for at in 0..self.all.tasks.len() {
            if !std::mem::replace(&mut self.all.tasks[at].told, true) {
                let task = self.all.tasks[at];
                self.tell_member(&task);
            }
        }
    }

    fn tell_member(&mut self, task: &Task) {
        let keep = self.spec_of(task.squad).map_or(0, |spec| spec.tasks);
        let squad = EntityId(SQUAD | u64::from(task.squad));
        let fact = task_fact(task, self.minds.spec(), squad).keep(after(keep, 1));
        self.send(task.member, Message::Told(Box::new(fact)));
    }
}
