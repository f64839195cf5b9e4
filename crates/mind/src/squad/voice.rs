//! Orders by voice: the leader calls, who hears it passes it on, and who does not keeps what he has.
//!
//! In:   tasks that their members have not been told of yet, and ends of tasks; where members are.
//! Out:  members are told as soon as the call reaches them; a noise wherever it is called.
//! Cost: a look at the members for each call.
//!
//! A call reaches who is within the radius. He passes it on a moment later, so it takes a hop for
//! each. A call that reached nobody new is begun again by the leader after a while. Without a leader
//! nobody calls; without a `leader` statement the first member does.
//!
//! That a task is over is called out too, unless a new one is. Until one of the two reaches him, its
//! member goes on with it.

use super::duty::{Report, index_of, report_of};
use super::squads::{Squad, Step};
use super::task::{Task, TaskEnd};
use super::{Ground, distance};
use crate::fact::{Attribute, EntityId};
use crate::mind::Mind;
use crate::orders::{MindId, Stimulus};
use crate::time::{Tick, after};
use throng_base::codec_struct;

/// Seconds until one who has heard a call passes it on.
const HOP: f64 = 0.3;
/// Seconds until the leader calls again.
const AGAIN: f64 = 2.0;

/// One who has heard a call for somebody.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Call {
    /// The task that is called out, or that it is over.
    pub(super) task: u32,
    pub(super) by: MindId,
    /// When he passes it on.
    pub(super) at: Tick,
    pub(super) is_passed_on: bool,
}

codec_struct!(Call { task, by, at, is_passed_on });

/// A task that is over, and a member who has not heard that it is: he goes on with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unheard {
    pub(super) task: u32,
    pub(super) member: MindId,
}

codec_struct!(Unheard { task, member });

impl Squad {
    /// What is to be called out, and to whom: tasks of which their members have not heard; that a task
    /// is over, to those who have no new one.
    fn uncalled<'s>(&'s self, tasks: &'s [Task]) -> impl Iterator<Item = (u32, MindId)> + 's {
        let new = tasks.iter().filter(|task| task.squad == self.number && !task.told);
        let is_free = |it: &&Unheard| tasks.iter().all(|task| task.member != it.member);
        let over = self.unheard.iter().filter(is_free).map(|it| (it.task, it.member));
        new.map(|task| (task.number, task.member)).chain(over)
    }
}

impl<W: Ground + ?Sized + Sync> Step<'_, W> {
    /// Whether the orders of a squad come by voice, and how far it carries.
    pub(super) fn voice_of(&self, squad: u32) -> Option<f32> {
        self.spec_of(squad)?.voice
    }

    /// A task is over: its member forgets it at once, or when he hears that it is. What he has reported
    /// himself he need not hear.
    pub(super) fn take_back(&mut self, task: &Task, how: TaskEnd) {
        let is_reported = matches!(how, TaskEnd::Done | TaskEnd::Failed(_));
        let calls = self.voice_of(task.squad).is_some() && !is_reported;
        match self.all.at(task.squad).filter(|_| calls) {
            None => self.untell(task.member, index_of(task.number)),
            Some(at) if task.told => {
                let (task, member) = (task.number, task.member);
                self.all.squads[at].unheard.push(Unheard { task, member });
            }
            // He has never heard of it.
            Some(_) => {}
        }
    }

    /// These members forget what they do not know to be over: they are of the squad no longer.
    pub(super) fn let_forget(&mut self, at: usize, who: impl Fn(MindId) -> bool) {
        let is_his = |it: &Unheard| who(it.member);
        while let Some(n) = self.all.squads[at].unheard.iter().position(is_his) {
            let Unheard { task, member } = self.all.squads[at].unheard.remove(n);
            self.untell(member, index_of(task));
        }
    }

    /// Calls out tasks, and passes on what was heard.
    pub(super) fn call_out(&mut self, now: Tick) {
        for at in 0..self.all.squads.len() {
            if let Some(radius) = self.voice_of(self.all.squads[at].number) {
                self.see_to_unheard(at);
                self.begin_calls(at, now);
                self.pass_on(at, radius, now);
            }
        }
    }

    /// Who has forgotten a task need not hear that it is over, nor one who has done it meanwhile.
    fn see_to_unheard(&mut self, at: usize) {
        let mut next = 0;
        while let Some(&Unheard { task, member }) = self.all.squads[at].unheard.get(next) {
            let (spec, index) = (self.minds.spec(), index_of(task));
            let memory = self.minds.mind(member).map(Mind::memory);
            let mut tasks = memory.into_iter().flat_map(|it| it.of_kind(spec.squad_words.task));
            let remembers = tasks.any(|fact| fact.number(Attribute::Index) == Some(index));
            let report = memory.map_or(Report::Nothing, |memory| report_of(memory, spec, task));
            let has_ended = matches!(report, Report::Done | Report::Failed(_));
            if remembers && !has_ended {
                next += 1;
                continue;
            }
            self.all.squads[at].unheard.remove(next);
            self.untell(member, index);
        }
    }

    /// The leader calls out what nobody has heard of yet.
    fn begin_calls(&mut self, at: usize, now: Tick) {
        let again = self.minds.spec().pace.ticks(AGAIN).max(1);
        let Some(by) = self.all.squads[at].head(self.minds.spec()) else {
            return self.all.squads[at].calls.clear();
        };
        let tasks = &self.all.tasks;
        let squad = &mut self.all.squads[at];
        let mut calls = std::mem::take(&mut squad.calls);
        calls.retain(|call| squad.uncalled(tasks).any(|(task, _)| task == call.task));
        for (task, member) in squad.uncalled(tasks) {
            let mut own = calls.iter().filter(|call| call.task == task);
            if !own.any(|it| !it.is_passed_on || now < after(it.at, again)) {
                calls.retain(|call| call.task != task);
                calls.push(Call { task, by, at: now, is_passed_on: member == by });
            }
        }
        squad.calls = calls;
        // He needs not call out to himself.
        while let Some(number) = self.called_to(at, |_, member| member == by) {
            self.hear(at, number);
        }
    }

    /// What is to be called out, if it is about this task and member.
    fn called_to(&self, at: usize, is_it: impl Fn(u32, MindId) -> bool) -> Option<u32> {
        let mut open = self.all.squads[at].uncalled(&self.all.tasks);
        open.find(|&(task, member)| is_it(task, member)).map(|(task, _)| task)
    }

    /// A call has reached the one whom it is for.
    fn hear(&mut self, at: usize, number: u32) {
        let unheard = &mut self.all.squads[at].unheard;
        match unheard.iter().position(|it| it.task == number) {
            Some(n) => {
                let member = unheard.remove(n).member;
                self.untell(member, index_of(number));
            }
            None => self.tell_of(number),
        }
    }

    fn pass_on(&mut self, at: usize, radius: f32, now: Tick) {
        let hop = self.minds.spec().pace.ticks(HOP).max(1);
        let mut next = 0;
        while let Some(&call) = self.all.squads[at].calls.get(next) {
            next += 1;
            let Some(caller) = self.minds.mind(call.by) else { continue };
            let is_open = self.called_to(at, |task, _| task == call.task).is_some();
            if call.is_passed_on || call.at > now || !is_open {
                continue;
            }
            let (from, who) = (caller.here(), caller.me());
            self.all.squads[at].calls[next - 1].is_passed_on = true;
            self.sound(from, who, radius);
            for n in 0..self.all.squads[at].members.len() {
                let mind = self.all.squads[at].members[n].mind;
                let has = |it: &Call| it.task == call.task && it.by == mind;
                let here = self.minds.mind(mind).map(Mind::here);
                let hears = here.is_some_and(|here| distance(here, from) <= radius);
                if hears && !self.all.squads[at].calls.iter().any(has) {
                    let (at_tick, task) = (after(now, hop), call.task);
                    let heard = Call { task, by: mind, at: at_tick, is_passed_on: false };
                    self.all.squads[at].calls.push(heard);
                }
            }
            let has_heard = |task: u32, member: MindId| {
                let mut calls = self.all.squads[at].calls.iter();
                task == call.task && calls.any(|it| (it.task, it.by) == (task, member))
            };
            if let Some(number) = self.called_to(at, has_heard) {
                self.hear(at, number);
            }
        }
    }

    /// A call is a noise; one who calls several at once is heard once.
    fn sound(&mut self, from: crate::fact::Position, who: EntityId, radius: f32) {
        if self.all.noises.iter().all(|noise| noise.source != Some(who)) {
            let words = self.minds.spec().squad_words;
            let noise = Stimulus::new(words.noise, from);
            let (source, event) = (Some(who), words.order);
            self.all.noises.push(Stimulus { radius, source, event, ..noise });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn calls_come_back() {
        comes_back::<Call>(|trial, _| Call {
            task: trial.any(),
            by: trial.any(),
            at: trial.any(),
            is_passed_on: trial.any(),
        });
        comes_back::<Unheard>(|trial, _| Unheard { task: trial.any(), member: trial.any() });
    }
}
