//! What is done beside the step: begun while its channels are free, given up when they are not.
//!
//! In:   what the type does beside, what is under way, memory, picks, values, the clock.
//! Out:  things under way beside the step, each with exactly one end; the moment at which one may begin
//!       or must end for no other reason than time.
//! Cost: nothing for types that do nothing beside; else their conditions, in ticks in which the mind
//!       is awake.
//!
//! ```text
//! channels free, `with` under way, condition holds, `every` over, chance says yes ─▶ start
//! under way ─┬─▶ done, failed  (as its code says)
//!            └─▶ cancelled     (a step takes a channel, another is under way, the condition fails,
//!                               what it is about is exchanged, the end of the mind)
//! ```
//!
//! It goes on from step to step. It changes no variable and has no part in the plan: what it brings
//! about is sensed, as if another had done it.

use super::{Context, MindTick};
use crate::beside::{channels_of, lane_of};
use crate::body::{Ending, Progress};
use crate::chance::Luck;
use crate::channels::{Channel, ChannelSet};
use crate::effects::EffectMoment;
use crate::events::{Activity, EventKind};
use crate::fact::Position;
use crate::run::{AskAgain, Run};
use crate::spec::BesideSpec;
use crate::tape::Moment;
use crate::time::{NEVER, Tick, after};
use std::mem::swap;

impl<W: ?Sized> MindTick<'_, W> {
    /// Ends what must end, asks what is due, begins what may begin.
    pub(super) fn see_to_besides(&mut self) {
        if self.mind.follow.besides.lanes.is_empty() {
            return;
        }
        let before = self.mind.follow.counts();
        self.mind.follow.besides.wake = NEVER;
        let mut wake = NEVER;
        for lane in 0..self.mind.follow.besides.lanes.len() {
            self.go_on_beside(lane, &mut wake);
        }
        for at in 0..self.mind.follow.besides.ready.len() {
            let own = &self.context.spec.npcs[self.mind.npc.index()].besides;
            let Some(&beside) = own.get(at) else { break };
            if self.may_begin(at, beside, &mut wake) {
                self.begin_beside(at, beside);
            }
        }
        // What was looked at before another had its channels is looked at again.
        if self.mind.follow.counts() != before {
            wake = self.besides_wake();
        }
        let besides = &mut self.mind.follow.besides;
        besides.wake = besides.wake.min(wake);
    }

    /// When something beside may begin or must end, as things are now.
    fn besides_wake(&self) -> Tick {
        let mut wake = NEVER;
        for run in self.mind.follow.besides.runs() {
            if let Activity::Beside(at) = run.doing
                && !self.may_go_on(run, at, &mut wake)
            {
                wake = after(self.context.now, 1);
            }
        }
        let own = &self.context.spec.npcs[self.mind.npc.index()].besides;
        for (at, &beside) in own.iter().enumerate() {
            if self.may_begin(at, beside, &mut wake) {
                wake = after(self.context.now, 1);
            }
        }
        wake
    }

    /// What is under way in a place ends, or is asked if that is due.
    fn go_on_beside(&mut self, lane: usize, wake: &mut Tick) {
        let now = self.context.now;
        let Some(run) = self.lane_run(lane) else { return };
        let Activity::Beside(at) = run.doing else { return };
        if !self.may_go_on(&run, at, wake) {
            return self.end_beside(lane, Ending::Cancelled);
        }
        let news = self.mind.follow.besides.lanes[lane].news;
        let due = match run.ask {
            AskAgain::Orders => news,
            AskAgain::At(tick) => news || tick <= now,
            AskAgain::Over(tick) => tick <= now,
        };
        if due {
            self.mind.follow.besides.lanes[lane].news = false;
            let progress = self.call(&run, Moment::GoOn);
            self.take_beside(lane, progress);
        }
    }

    fn lane_run(&self, lane: usize) -> Option<Run> {
        self.mind.follow.besides.lanes.get(lane)?.run
    }

    fn beside(&self, at: u16) -> Option<&BesideSpec> {
        self.context.spec.besides.get(usize::from(at))
    }

    /// Whether what is under way beside may go on. Between two steps it does.
    fn may_go_on(&self, run: &Run, at: u16, wake: &mut Tick) -> bool {
        let Some(beside) = self.beside(at) else { return false };
        let is_between = self.mind.follow.run.is_none() && self.mind.plan.goal.is_some();
        let rebound = self.mind.picks.rebound_since(run.since);
        (is_between || self.goes_with(beside))
            && beside.pins() & rebound == 0
            && beside.is_bound(&self.mind.picks)
            && self.is_wanted(beside, wake)
    }

    /// Whether something may begin. All that can change that is heard of, but for time.
    fn may_begin(&self, at: usize, position: u16, wake: &mut Tick) -> bool {
        let Context { spec, now, seed, .. } = *self.context;
        let Some(beside) = self.beside(position) else { return false };
        let follow = &self.mind.follow;
        let step = follow.run.map_or(ChannelSet::NONE, |run| channels_of(spec, run.doing));
        let taken = follow.besides.taken(spec).and(step);
        if taken.meets(beside.uses) || !self.goes_with(beside) || !beside.is_bound(&self.mind.picks)
        {
            return false;
        }
        let ready = follow.besides.ready.get(at).copied().unwrap_or(NEVER);
        if ready > now {
            *wake = ready.min(*wake);
            return false;
        }
        // Chance is asked last: whether it says yes matters only for what is wanted, and who sleeps
        // does not ask.
        if !self.is_wanted(beside, wake) {
            return false;
        }
        let Some(chance) = &beside.chance else { return true };
        let says_yes = chance.says_yes(Luck::of(seed, self.mind.id), now);
        if !says_yes {
            *wake = chance.until(now).min(*wake);
        }
        says_yes
    }

    fn is_wanted(&self, beside: &BesideSpec, wake: &mut Tick) -> bool {
        let situation = || self.situation();
        beside.condition.as_ref().is_none_or(|condition| condition.holds(&situation(), wake))
    }

    /// Whether one of the actions that it goes with is under way, as a whole or as a part.
    fn goes_with(&self, beside: &BesideSpec) -> bool {
        let goes = |action| beside.with.binary_search(&action).is_ok();
        beside.with.is_empty()
            || self.mind.follow.run.is_some_and(|run| {
                run.doing.action().is_some_and(goes) || self.part_of(&run).is_some_and(goes)
            })
    }

    fn begin_beside(&mut self, at: usize, position: u16) {
        let Context { spec, now, .. } = *self.context;
        let Some(lane) = lane_of(spec, position) else { return };
        self.mind.follow.besides.take_room(spec, self.mind.npc);
        let every = self.beside(position).map_or(0, |beside| beside.every);
        let doing = Activity::Beside(position);
        self.mind.follow.started += 1;
        let run = Run {
            run: self.mind.follow.started,
            doing,
            kind: None,
            since: now,
            part: 0,
            part_since: now,
            ask: AskAgain::Orders,
            state: 0,
            serial: 0,
            step: 0,
        };
        let besides = &mut self.mind.follow.besides;
        besides.ready[at] = after(now, every);
        (besides.lanes[lane].run, besides.lanes[lane].news) = (Some(run), false);
        self.event(EventKind::Started { run: run.run, doing, kind: None });
        let progress = self.call(&run, Moment::Start);
        self.begin_effects(&run);
        self.take_beside(lane, progress);
    }

    /// What its behaviour said.
    fn take_beside(&mut self, lane: usize, progress: Progress) {
        let next = after(self.context.now, 1);
        let place = &mut self.mind.follow.besides.lanes[lane];
        let Some(run) = place.run.as_mut() else { return };
        match progress {
            Progress::Running => run.ask = AskAgain::At(next),
            // Nothing is under way that could end, so it is asked again in the next tick.
            Progress::Waiting if place.news || !place.given.is_waiting() => {
                run.ask = AskAgain::At(next)
            }
            Progress::Waiting => run.ask = AskAgain::Orders,
            Progress::Until(tick) => run.ask = AskAgain::At(tick.max(next)),
            Progress::Done => self.end_beside(lane, Ending::Done),
            Progress::Failed(why) => self.end_beside(lane, Ending::Failed(why)),
        }
    }

    /// The one way out of what is done beside.
    fn end_beside(&mut self, lane: usize, how: Ending) {
        let Context { spec, now, .. } = *self.context;
        let Some(run) = self.lane_run(lane) else { return };
        self.call(&run, Moment::End(how));
        let moment = match how {
            Ending::Done => Some(EffectMoment::Then),
            Ending::Failed(_) => Some(EffectMoment::Else),
            Ending::Cancelled => None,
        };
        self.end_effects(&run, moment, true);
        self.change_orders(run.doing);
        self.mind.board.close();
        self.change_orders(run.doing);
        let own = &spec.npcs[self.mind.npc.index()];
        let rest = match how {
            Ending::Done => 1,
            Ending::Failed(_) => own.retry.max(1),
            Ending::Cancelled => 0,
        };
        let besides = &mut self.mind.follow.besides;
        (besides.lanes[lane].run, besides.lanes[lane].news) = (None, false);
        let at = own.besides.iter().position(|&at| run.doing == Activity::Beside(at));
        if let Some(ready) = at.and_then(|at| besides.ready.get_mut(at)) {
            *ready = after(now, rest).max(*ready);
        }
        // Its channels are free, perhaps for one that was looked at before.
        besides.wake = besides.wake.min(after(now, 1));
        self.mind.follow.ended += 1;
        self.event(EventKind::Ended { run: run.run, doing: run.doing, how });
    }

    /// Something begins that takes channels: what has them ends.
    pub(super) fn make_way(&mut self, doing: Activity) {
        let spec = self.context.spec;
        for lane in 0..self.mind.follow.besides.lanes.len() {
            let Some(run) = self.lane_run(lane) else { continue };
            if channels_of(spec, run.doing).meets(channels_of(spec, doing)) {
                self.end_beside(lane, Ending::Cancelled);
            }
        }
    }

    /// Everything that is under way is cancelled.
    pub(crate) fn cancel_all(&mut self) {
        self.end(Ending::Cancelled);
        for lane in 0..self.mind.follow.besides.lanes.len() {
            self.end_beside(lane, Ending::Cancelled);
        }
    }

    /// Puts the orders of what is done beside on the board, in place of the step's; the second time the
    /// step's again.
    pub(super) fn change_orders(&mut self, doing: Activity) {
        let Activity::Beside(at) = doing else { return };
        let lane = lane_of(self.context.spec, at);
        let lane = lane.and_then(|lane| self.mind.follow.besides.lanes.get_mut(lane));
        lane.into_iter().for_each(|lane| swap(&mut lane.given, &mut self.mind.board.given));
    }

    /// Drops ways that were ordered without the legs: the step has them, or nothing has.
    pub(super) fn keep_to_channels(
        &mut self,
        at: u16,
        waiting: usize,
        destination: Option<Position>,
    ) {
        let spec = self.context.spec;
        let has_legs = self.beside(at).is_some_and(|it| it.uses.has(Channel::Legs));
        if has_legs {
            return;
        }
        let dropped = self.mind.board.drop_moves(waiting, spec.wrong_channel);
        if dropped > 0 {
            self.mind.board.destination = destination;
            let lane = lane_of(spec, at);
            let lane = lane.and_then(|lane| self.mind.follow.besides.lanes.get_mut(lane));
            lane.into_iter().for_each(|lane| lane.news = true);
            (0..dropped).for_each(|_| self.event(EventKind::WrongChannel(at)));
        }
    }

    /// What is under way of this.
    pub(super) fn run_mut(&mut self, doing: Activity) -> Option<&mut Run> {
        let Activity::Beside(at) = doing else { return self.mind.follow.run.as_mut() };
        let lane = lane_of(self.context.spec, at)?;
        self.mind.follow.besides.lanes.get_mut(lane)?.run.as_mut()
    }
}
