//! Orders of squads become tasks.
//!
//! In:   orders of squad minds since the last step.
//! Out:  tasks with numbers and claims, or ends of orders that cannot be given; facts `task`.
//! Cost: a look at the tasks for each order.
//!
//! A member that has another task is told of the end of that and of the new one in one breath: it is
//! never without. What it does for the old one ends, for it is bound to its task. By voice it keeps
//! the old one until the call reaches it.

use super::duty::index_of;
use super::squads::{SQUAD, Step};
use super::task::{Task, TaskEnd, TaskEvent, TaskNews};
use super::telling::task_fact;
use super::{Ground, distance};
use crate::fact::EntityId;
use crate::orders::{Message, MindId, Order, TaskSlot};
use crate::picks::Key;
use crate::time::{Tick, after};
use crate::words::Word;

/// Tasks that claim nothing are the same if they are for places so near to each other.
const SAME_PLACE: f32 = 1.5;

impl<W: Ground + ?Sized + Sync> Step<'_, W> {
    /// Orders of squads become tasks, in the order of the minds.
    pub(super) fn order(&mut self, world: &W, now: Tick) {
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
                        thing: None,
                        told: false,
                        loose: None,
                    };
                    self.give(draft, world);
                }
                _ => {}
            }
        }
        self.all.waiting = waiting;
    }

    /// Gives a task, or goes on with the same one under another order.
    fn give(&mut self, draft: Task, world: &W) {
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
        let older = self.all.tasks.iter().find(|task| is_his(task)).copied();
        let thing = thing_of(draft.slot, world);
        // The older one ends only if the new one can be given.
        if !self.claim(member, draft.slot, thing) {
            older.iter().for_each(|it| _ = self.claim(it.member, it.slot, it.thing));
            return self.send(squad, fails(words.taken));
        }
        if let Some(older) = older {
            self.end(older.number, TaskEnd::Cancelled);
            // What both claim was free for a moment.
            self.claim(member, draft.slot, thing);
        }
        self.all.last_task += 1;
        let task = Task { number: self.all.last_task, member, thing, ..draft };
        self.all.tasks.push(task);
        self.all.news.push(TaskNews { task, event: TaskEvent::Given });
        if self.voice_of(task.squad).is_none() {
            self.tell_of(task.number);
        }
        self.all.tell_soon(task.squad);
    }

    /// Tells a member of its task, in place of any other that it knows of.
    pub(super) fn tell_of(&mut self, number: u32) {
        let Some(at) = self.all.tasks.iter().position(|task| task.number == number) else { return };
        self.all.tasks[at].told = true;
        let task = self.all.tasks[at];
        self.all.news.push(TaskNews { task, event: TaskEvent::Told });
        // Whatever he was at is over with that.
        if let Some(at) = self.all.at(task.squad) {
            self.all.squads[at].unheard.retain(|it| it.member != task.member);
        }
        self.recall(task.member, Some(index_of(task.number)));
        let keep = self.spec_of(task.squad).map_or(0, |spec| spec.tasks);
        let squad = EntityId(SQUAD | u64::from(task.squad));
        let fact = task_fact(&task, self.minds.spec(), squad).keep(after(keep, 1));
        self.send(task.member, Message::Told(Box::new(fact)));
    }

    /// Lets a member have what its task claims, as against the selections of all minds; `false` if
    /// one of another has it.
    fn claim(&mut self, member: MindId, slot: TaskSlot, thing: Option<EntityId>) -> bool {
        // Where nothing is claimed by selections nothing need be kept from them.
        if self.minds.spec().claimed_slots == 0 {
            return true;
        }
        let has_all = keys(slot, thing).all(|key| self.minds.claim(member, key) == Ok(true));
        if !has_all {
            self.release(member, slot, thing);
        }
        has_all
    }

    /// A task claims nothing any more.
    pub(super) fn release(&mut self, member: MindId, slot: TaskSlot, thing: Option<EntityId>) {
        if self.minds.spec().claimed_slots != 0 {
            // Who is dead has nothing.
            keys(slot, thing).for_each(|key| _ = self.minds.release(member, key));
        }
    }
}

/// The entity that a task claims.
fn thing_of<W: Ground + ?Sized>(slot: TaskSlot, world: &W) -> Option<EntityId> {
    match slot {
        TaskSlot::Thing(thing) => Some(thing),
        slot => world.named(slot.place()?),
    }
}

/// What a task claims, as selections know it.
fn keys(slot: TaskSlot, thing: Option<EntityId>) -> impl Iterator<Item = Key> {
    thing.map(Key::Entity).into_iter().chain(slot.place().map(Key::Word))
}
