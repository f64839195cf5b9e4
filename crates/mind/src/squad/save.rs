//! All that squads are, as bytes and back.
//!
//! In:   [`Squads`], or bytes from anywhere.
//! Out:  the same as bytes, or squads that keep their rules: numbers rise, nobody is in two squads
//!       or has two tasks, no slot has two claims.
//! Cost: one pass.

use super::squads::{Member, Squad, Squads};
use super::task::{Task, TaskEnd, TaskEvent, TaskNews};
use crate::fact::Handle;
use crate::orders::{MindId, Order, OrderId, Sent, Slot};
use crate::pack::{Damaged, Pack, Packer, Unpacker};
use crate::words::Word;
use std::collections::BTreeSet;

impl Pack for Squads {
    fn pack(&self, to: &mut Packer) {
        let Squads { squads, tasks, waiting, news, last_squad, last_task, look } = self;
        to.put(squads).put(tasks).put(news).put(last_squad).put(last_task).put(look);
        to.number(waiting.len() as u64);
        waiting.iter().for_each(|sent| pack_sent(sent, to));
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let mut all = Squads {
            squads: from.take()?,
            tasks: from.take()?,
            news: from.take()?,
            last_squad: from.counter()?,
            last_task: from.counter()?,
            look: from.take()?,
            waiting: Vec::new(),
        };
        for _ in 0..from.count()? {
            all.waiting.push(unpack_sent(from)?);
        }
        if all.keeps_its_rules() { Ok(all) } else { from.damaged("set of squads") }
    }
}

impl Squads {
    /// What steps rely on.
    fn keeps_its_rules(&self) -> bool {
        let rise = |numbers: &[u32], last: u32| {
            numbers.is_sorted_by(|a, b| a < b) && numbers.last().is_none_or(|&it| it <= last)
        };
        let squads: Vec<u32> = self.squads.iter().map(|squad| squad.number).collect();
        let tasks: Vec<u32> = self.tasks.iter().map(|task| task.number).collect();
        let members = self.squads.iter().flat_map(|squad| &squad.members);
        let mut minds = BTreeSet::new();
        let mut claims = BTreeSet::new();
        let mut busy = BTreeSet::new();
        let is_of_squad = |task: &Task| {
            let squad = self.squads.iter().find(|squad| squad.number == task.squad);
            squad.is_some_and(|squad| squad.has(task.member))
        };
        rise(&squads, self.last_squad)
            && rise(&tasks, self.last_task)
            && members.map(|member| member.mind).all(|mind| minds.insert(mind))
            && self.tasks.iter().all(|task| busy.insert(task.member) && is_of_squad(task))
            && self.tasks.iter().all(|task| task.slot == Slot::Free || claims.insert(task.slot))
    }
}

impl Pack for Squad {
    fn pack(&self, to: &mut Packer) {
        let Squad { number, kind, mind, members, tell } = self;
        to.put(number).put(kind).put(&mind.0).put(members).put(tell);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(Squad {
            number: from.take()?,
            kind: from.take()?,
            mind: MindId(from.take()?),
            members: from.take()?,
            tell: from.take()?,
        })
    }
}

impl Pack for Member {
    fn pack(&self, to: &mut Packer) {
        let Member { mind, me } = self;
        to.put(&mind.0).put(me);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(Member { mind: MindId(from.take()?), me: from.take()? })
    }
}

impl Pack for Task {
    fn pack(&self, to: &mut Packer) {
        let Task { number, squad, order, member, to: who, what, place, .. } = self;
        let Task { slot, about, given, seen, doing, told, loose, .. } = self;
        to.put(number).put(squad).put(&order.0).put(&member.0).put(who).put(what).put(place);
        pack_slot(slot, to);
        to.put(about).put(given).put(seen).put(doing).put(told).put(loose);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(Task {
            number: from.take()?,
            squad: from.take()?,
            order: OrderId(from.take()?),
            member: MindId(from.take()?),
            to: from.take()?,
            what: from.take()?,
            place: from.take()?,
            slot: unpack_slot(from)?,
            about: from.take()?,
            given: from.take()?,
            seen: from.take()?,
            doing: from.take()?,
            told: from.take()?,
            loose: from.take()?,
        })
    }
}

impl Pack for TaskNews {
    fn pack(&self, to: &mut Packer) {
        let TaskNews { task, event } = self;
        to.put(task);
        match event {
            TaskEvent::Given => to.put(&0u8),
            TaskEvent::Ended(TaskEnd::Done) => to.put(&1u8),
            TaskEvent::Ended(TaskEnd::Failed(why)) => to.put(&2u8).put(why),
            TaskEvent::Ended(TaskEnd::Refused) => to.put(&3u8),
            TaskEvent::Ended(TaskEnd::Cancelled) => to.put(&4u8),
            TaskEvent::Ended(TaskEnd::Dead) => to.put(&5u8),
            TaskEvent::Ended(TaskEnd::TimedOut) => to.put(&6u8),
        };
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let task = from.take()?;
        let event = match from.take::<u8>()? {
            0 => TaskEvent::Given,
            1 => TaskEvent::Ended(TaskEnd::Done),
            2 => TaskEvent::Ended(TaskEnd::Failed(from.take()?)),
            3 => TaskEvent::Ended(TaskEnd::Refused),
            4 => TaskEvent::Ended(TaskEnd::Cancelled),
            5 => TaskEvent::Ended(TaskEnd::Dead),
            6 => TaskEvent::Ended(TaskEnd::TimedOut),
            _ => return from.damaged("end of a task"),
        };
        Ok(TaskNews { task, event })
    }
}

fn pack_slot(slot: &Slot, to: &mut Packer) {
    match slot {
        Slot::Free => to.put(&0u8),
        Slot::Place(name) => to.put(&1u8).put(name),
        Slot::Thing(thing) => to.put(&2u8).put(thing),
    };
}

fn unpack_slot(from: &mut Unpacker<'_>) -> Result<Slot, Damaged> {
    Ok(match from.take::<u8>()? {
        0 => Slot::Free,
        1 => Slot::Place(from.take()?),
        2 => Slot::Thing(from.take()?),
        _ => return from.damaged("slot"),
    })
}

/// Only tasks and cancellations wait for a step.
fn pack_sent(sent: &Sent, to: &mut Packer) {
    let Sent { mind, me, id, order } = sent;
    to.put(&mind.0).put(me).put(&id.0);
    match order {
        Order::Task { what, to: who, place, slot, about } => {
            to.put(&true).put(what).put(who).put(place).put(about);
            pack_slot(slot, to);
        }
        Order::Cancel(id) => _ = to.put(&false).put(&id.0),
        _ => _ = to.put(&false).put(&0u32),
    }
}

fn unpack_sent(from: &mut Unpacker<'_>) -> Result<Sent, Damaged> {
    let (mind, me, id) = (MindId(from.take()?), from.take::<Handle>()?, OrderId(from.take()?));
    let order = if from.take()? {
        let (what, to) = (from.take::<Word>()?, from.take::<Handle>()?);
        let (place, about) = (from.take()?, from.take()?);
        Order::Task { what, to, place, about, slot: unpack_slot(from)? }
    } else {
        Order::Cancel(OrderId(from.take()?))
    };
    Ok(Sent { mind, me, id, order })
}
