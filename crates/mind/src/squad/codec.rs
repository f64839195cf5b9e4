//! All that squads are, as bytes and back.
//!
//! In:   [`Squads`], or bytes from anywhere.
//! Out:  the same as bytes, or squads that keep their rules: numbers rise, no mind is in two squads
//!       or has two tasks, no slot has two claims.
//! Cost: one pass.

use super::squads::{Member, Squad, Squads};
use super::task::{Task, TaskEnd, TaskEvent, TaskNews};
use crate::orders::{IssuedOrder, Order, TaskSlot};
use std::collections::BTreeSet;
use throng_base::{codec_enum, codec_struct};

codec_struct!(
    Squads {
        squads,
        tasks,
        news,
        between,
        ended,
        last_squad: counter,
        last_task: counter,
        look,
        waiting,
        noises,
    }
    where |all| all.keeps_its_rules(), "set of squads"
);
codec_struct!(
    Squad {
        number,
        kind,
        mind,
        members,
        leader,
        lost,
        heading,
        led_from,
        tell,
        share,
        tellings,
        calls,
        unheard,
        ranks,
    }
    where |squad| squad.leader.is_none_or(|leader| squad.has(leader)), "leader of a squad"
    where |squad| squad.unheard.iter().all(|it| squad.has(it.member)), "member who has not heard"
);
codec_struct!(Member { mind, me });
codec_struct!(Task {
    number,
    squad,
    order,
    member,
    to,
    what,
    place,
    slot,
    thing,
    about,
    given,
    seen,
    doing,
    told,
    loose,
});
codec_struct!(TaskNews { task, event });
codec_enum!("event of a task" TaskEvent { 0 => Given, 1 => Ended(how), 2 => Told });
codec_enum!("end of a task" TaskEnd {
    0 => Done,
    1 => Failed(why),
    2 => Refused,
    3 => Cancelled,
    4 => Dead,
    5 => TimedOut,
});

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
            && self.tasks.iter().all(|task| task.slot == TaskSlot::Free || claims.insert(task.slot))
            && self.waiting.iter().all(waits_for_a_step)
    }
}

/// Only tasks and cancellations wait for a step.
fn waits_for_a_step(sent: &IssuedOrder) -> bool {
    matches!(sent.order, Order::Task { .. } | Order::Cancel(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::EntityId;
    use crate::orders::{MindId, OrderId};
    use crate::squad::voice::Unheard;
    use throng_base::codec::trial::Trial;
    use throng_base::codec::trial::comes_back;
    use throng_base::codec::{Decoder, Encoder};

    fn waits(order: Order) -> bool {
        let (mind, me, id) = (MindId(3), EntityId(1 << 63 | 1), OrderId(9));
        let waiting = vec![IssuedOrder { mind, me, id, order }];
        let squads = Squads { waiting, ended: vec![MindId(2)], ..Squads::default() };
        let mut packer = Encoder::default();
        packer.write(&squads);
        Decoder::new(&packer.bytes).read::<Squads>().is_ok_and(|back| back == squads)
    }

    #[test]
    fn only_tasks_and_cancellations_wait_for_a_step() {
        let (what, to, place) = (crate::words::Word(1), EntityId(4), [0.0; 3]);
        let slot = TaskSlot::Thing(EntityId(8));
        assert!(waits(Order::Task { what, to, place, slot, about: None }));
        assert!(waits(Order::Cancel(OrderId(7))));
        assert!(!waits(Order::Target { at: Some(to) }));
    }

    fn task(trial: &mut Trial) -> Task {
        Task {
            number: trial.any(),
            squad: trial.any(),
            order: trial.any(),
            member: trial.any(),
            to: trial.any(),
            what: trial.any(),
            place: trial.any(),
            slot: trial.any(),
            thing: trial.any(),
            about: trial.any(),
            given: trial.any(),
            seen: trial.any(),
            doing: trial.any(),
            told: trial.any(),
            loose: trial.any(),
        }
    }

    fn event(trial: &mut Trial, at: usize) -> TaskEvent {
        let event = match at {
            0 => TaskEvent::Given,
            1 => TaskEvent::Ended(TaskEnd::Done),
            2 => TaskEvent::Ended(TaskEnd::Failed(trial.any())),
            3 => TaskEvent::Ended(TaskEnd::Refused),
            4 => TaskEvent::Ended(TaskEnd::Cancelled),
            5 => TaskEvent::Ended(TaskEnd::Dead),
            6 => TaskEvent::Ended(TaskEnd::TimedOut),
            _ => TaskEvent::Told,
        };
        // A new one does not compile until it is here, and fails until it is above.
        let is = match event {
            TaskEvent::Given => 0,
            TaskEvent::Ended(TaskEnd::Done) => 1,
            TaskEvent::Ended(TaskEnd::Failed(_)) => 2,
            TaskEvent::Ended(TaskEnd::Refused) => 3,
            TaskEvent::Ended(TaskEnd::Cancelled) => 4,
            TaskEvent::Ended(TaskEnd::Dead) => 5,
            TaskEvent::Ended(TaskEnd::TimedOut) => 6,
            TaskEvent::Told => 7,
        };
        assert_eq!(is, at);
        event
    }

    #[test]
    fn squads_their_tasks_and_their_news_come_back() {
        comes_back::<Member>(|trial, _| Member { mind: trial.any(), me: trial.any() });
        let squad = |trial: &mut Trial| Squad {
            number: trial.any(),
            kind: trial.any(),
            mind: trial.any(),
            members: Vec::new(),
            leader: None,
            lost: trial.any(),
            heading: trial.any(),
            led_from: trial.any(),
            tell: trial.any(),
            share: trial.any(),
            tellings: Vec::new(),
            calls: Vec::new(),
            unheard: Vec::new(),
            ranks: Vec::new(),
        };
        comes_back::<Squad>(|trial, _| {
            let members: Vec<Member> = trial.any();
            let leader = members.first().map(|member| member.mind);
            let (tellings, calls, ranks) = (trial.any(), trial.any(), trial.any());
            let unheard = |member: &Member| Unheard { task: trial.any(), member: member.mind };
            let unheard = members.iter().map(unheard).collect();
            Squad { members, leader, tellings, calls, unheard, ranks, ..squad(trial) }
        });
        comes_back::<Task>(|trial, _| task(trial));
        comes_back::<TaskEvent>(|trial, round| event(trial, round % 8));
        comes_back::<TaskEnd>(|trial, round| match event(trial, 1 + round % 6) {
            TaskEvent::Ended(how) => how,
            TaskEvent::Given | TaskEvent::Told => TaskEnd::Done,
        });
        comes_back::<TaskNews>(|trial, round| TaskNews {
            task: task(trial),
            event: event(trial, round % 8),
        });
        comes_back::<Squads>(|trial, _| {
            let mut all = Squads {
                news: trial.any(),
                between: trial.any(),
                ended: trial.any(),
                look: trial.any(),
                last_squad: 3,
                last_task: 9,
                ..Squads::default()
            };
            for number in 1..=trial.below(4) as u32 {
                let member = |at: u32| Member { mind: MindId(number * 10 + at), me: trial.any() };
                let members: Vec<Member> = (0..2).map(member).collect();
                let member = members[0].mind;
                all.squads.push(Squad { number, members, ..squad(trial) });
                let slot = TaskSlot::Thing(EntityId(u64::from(number)));
                all.tasks.push(Task { number, squad: number, member, slot, ..task(trial) });
                let order = Order::Cancel(trial.any());
                let (mind, me, id) = trial.any();
                all.waiting.push(IssuedOrder { mind, me, id, order });
            }
            all
        });
    }
}
