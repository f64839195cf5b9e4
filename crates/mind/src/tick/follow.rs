//! Following: the plan becomes actions, one after the other, each with exactly one end.
//!
//! In:   the plan and its next step, the state, what became of orders.
//! Out:  an action under way, orders on the blackboard, beliefs about what was done.
//! Cost: one call of the behaviour's code when it asked for it, or an order has ended.
//!
//! ```text
//! start ─▶ under way ─┬─▶ done       (its effects are believed, the next step follows)
//!                     ├─▶ failed     (not there for a while; a new plan)
//!                     └─▶ cancelled  (another plan, another goal, the end of the mind)
//! ```
//!
//! All ends go through [`MindTick::end`], so none is missed and none comes twice. A new plan that
//! begins with the action under way, about the same things, goes on with it. A compound is not broken
//! by a better goal.

use super::{Context, MindTick};
use crate::body::{Acting, Ending, Progress};
use crate::effects::EffectMoment;
use crate::events::{Activity, Cause, EventKind};
use crate::mind::Mind;
use crate::mistakes::Noted;
use crate::orders::Order;
use crate::run::{AskAgain, Run};
use crate::shown::{Shown, shown};
use crate::symbols::facts_read;
use crate::tape::{Deed, Moment};
use crate::time::after;
use throng_base::ones;
use throng_domain::compile::{LocalFact, LocalShift};
use throng_domain::model::ActionId;
use throng_planner::context::possible_kind;

impl<W: ?Sized> MindTick<'_, W> {
    pub(super) fn follow(&mut self) {
        if self.mind.board.out.capacity() == 0 {
            self.mind.board.out = std::mem::take(&mut self.outbox.order_room);
        }
        self.finish_what_is_over();
        self.let_go_of_the_old();
        if let Some(run) = self.mind.follow.run {
            let due = match run.ask {
                AskAgain::Orders => self.mind.follow.news,
                AskAgain::At(tick) => self.mind.follow.news || tick <= self.context.now,
                AskAgain::Over(tick) => tick <= self.context.now,
            };
            if due {
                self.mind.follow.news = false;
                let progress = match run.ask {
                    AskAgain::Over(_) => Progress::Done,
                    AskAgain::Orders | AskAgain::At(_) => self.call(&run, Moment::GoOn),
                };
                self.take(progress);
            }
        }
        // After a failure nothing is begun before there is another plan, and nothing of a plan that
        // was not looked at since the world changed.
        if self.mind.follow.run.is_none() && !self.mind.plan.holds_up() {
            self.begin_something();
        }
        self.see_to_besides();
    }

    /// What is reported to be over is over, though what it was about is another by now: who pulls a
    /// lever may see that it is down before he is told that he has done it.
    fn finish_what_is_over(&mut self) {
        let Some(run) = self.mind.follow.run else { return };
        let waits = !matches!(run.ask, AskAgain::Over(_));
        if waits && self.mind.follow.news && self.is_about_another(&run) {
            self.mind.follow.news = false;
            let progress = self.call(&run, Moment::GoOn);
            if matches!(progress, Progress::Done | Progress::Failed(_)) {
                self.take(progress);
            }
        }
    }

    /// Ends what is under way if the plan is another now.
    fn let_go_of_the_old(&mut self) {
        let Some(run) = self.mind.follow.run else { return };
        // What it was about is done, and the name stands for something else by now.
        if run.run == self.mind.picks.fulfilled {
            return self.end(Ending::Done);
        }
        let is_same = !self.is_about_another(&run) || self.is_committed();
        // Only of a slot it can be said that what it was about has come to pass.
        if is_same && self.mind.follow.another_task && !self.is_whole(&run) {
            return self.end(Ending::Cancelled);
        }
        let same_plan = run.serial == self.mind.plan.serial && self.mind.plan.goal.is_some();
        match run.doing {
            Activity::Step(_) if is_same && same_plan && run.step == self.mind.plan.at => {}
            // The new plan begins with what is under way. What has been done is done again, and what
            // is about something else by now is begun anew.
            Activity::Step(action)
                if is_same
                    && !same_plan
                    && self.mind.plan.step() == Some(action)
                    && !self.is_done(action) =>
            {
                let (serial, step) = (self.mind.plan.serial, self.mind.plan.at);
                self.mind.follow.run = Some(Run { serial, step, ..run });
                self.remember_amounts(run.doing);
            }
            Activity::Step(action) if self.is_done(action) => {
                self.end(Ending::Done);
                // What else there is to do was decided before this was in the books.
                self.mind.plan.late |= !same_plan || run.step + 1 != self.mind.plan.at;
            }
            Activity::Step(action) => {
                // Of something else its effect says nothing; but what it was about may be gone just
                // because it is done.
                let is_done = (is_same || self.is_about_nothing(action)) && self.has_effect(action);
                self.end(if is_done { Ending::Done } else { Ending::Cancelled });
            }
            Activity::Flavour(_) if same_plan && run.step == self.mind.plan.at => {}
            Activity::Otherwise(_) if is_same && self.mind.plan.goal.is_none() => {}
            Activity::Flavour(_) | Activity::Otherwise(_) | Activity::Beside(_) => {
                self.end(Ending::Cancelled);
            }
        }
    }

    /// Whether what is under way must not be broken.
    fn is_whole(&self, run: &Run) -> bool {
        run.doing.action().is_some_and(|action| !self.context.spec.action(action).parts.is_empty())
    }

    /// Whether a slot that is a parameter of what is under way holds something else than when it
    /// began: parameters are fixed, so it cannot go on. What must not be broken does.
    pub(super) fn is_about_another(&self, run: &Run) -> bool {
        let Some(action) = run.doing.action() else { return false };
        let action = self.context.spec.action(action);
        let rebound = self.mind.picks.rebound_since(run.since);
        action.parts.is_empty() && action.pins() & rebound != 0
    }

    /// Whether every slot that is a parameter of an action is empty.
    fn is_about_nothing(&self, action: ActionId) -> bool {
        let pins = self.context.spec.action(action).pins();
        pins != 0 && pins & self.mind.picks.bound() == 0
    }

    /// Whether all that an action sets holds.
    pub(super) fn has_effect(&self, action: ActionId) -> bool {
        let kind = self.context.spec.domain.npc(self.mind.npc);
        let Some(local) = kind.local_action(action) else { return false };
        let values = self.mind.state.values();
        let value = |set: &LocalFact| values[kind.variables()[set.variable.index()].index()];
        kind.shifts(local).is_empty() && kind.sets(local).iter().all(|set| value(set) == set.value)
    }

    /// Whether the action under way counts, and what can show of its effect does.
    fn is_done(&self, action: ActionId) -> bool {
        let begun = &self.mind.follow.begun;
        let (spec, now) = (self.context.spec, (self.mind.npc, self.mind.state.values()));
        !begun.is_empty() && shown(spec, now, action, begun) >= Shown::Mostly
    }

    /// Starts the next step, a flavour before it, or what is done without a plan.
    fn begin_something(&mut self) {
        if let Some(action) = self.mind.plan.step() {
            if self.waits_for_a_claim(action) {
                return;
            }
            match self.flavour_before(action) {
                Some(flavour) => self.start(Activity::Flavour(flavour)),
                None => self.start(Activity::Step(action)),
            }
        } else if self.mind.plan.goal.is_none()
            && self.context.now >= self.mind.follow.otherwise_after
            && self.context.now >= self.mind.goals.lingers_until()
            && let Some(action) = self.context.spec.npcs[self.mind.npc.index()].otherwise
            && !self.is_held_back(action)
        {
            // What comes later does not come right after the step done last.
            self.mind.follow.last_done = None;
            self.start(Activity::Otherwise(action));
        }
    }

    /// Whether a step is about something that is to be the mind's own and is not yet. Others may ask for
    /// it in the same tick; who has it is known in the next, and nobody sets out before.
    fn waits_for_a_claim(&self, action: ActionId) -> bool {
        let Context { spec, others, .. } = *self.context;
        let id = self.mind.id;
        let claimed = ones(spec.action(action).pins() & spec.claimed_slots);
        claimed.filter_map(|slot| self.mind.picks.get(slot)).any(|pick| {
            let mut holders = others.holders(pick.key).iter();
            pick.key.can_be_claimed() && !holders.any(|claim| claim.mind == id)
        })
    }

    /// Whether what is done without a plan is not to begin now: it cools, chance is against it, or a
    /// slot that it names is empty.
    pub(super) fn is_held_back(&self, action: ActionId) -> bool {
        let Context { spec, now, .. } = *self.context;
        let empty = spec.action(action).named & !self.mind.picks.bound() != 0;
        empty || self.mind.state.pauses_at(spec, action, now)
    }

    /// A flavour to play between the step just done and the next.
    fn flavour_before(&mut self, next: ActionId) -> Option<u16> {
        let last = self.mind.follow.last_done.take()?;
        // No NPC waves before it runs from a grenade.
        if self.mind.plan.goal.is_some_and(|goal| self.context.spec.goal(goal).urgent) {
            return None;
        }
        for (at, flavour) in self.context.spec.flavours.iter().enumerate() {
            let fits = |list: &[ActionId], action| list.is_empty() || list.contains(&action);
            if !fits(&flavour.after, last) || !fits(&flavour.before, next) {
                continue;
            }
            let ready =
                self.mind.follow.flavours.get(at).is_some_and(|ready| *ready <= self.context.now);
            let situation = self.situation();
            let mut wake = 0;
            let wanted = flavour.condition.as_ref();
            if ready && wanted.is_none_or(|condition| condition.holds(&situation, &mut wake)) {
                self.mind.follow.flavours[at] = after(self.context.now, flavour.every);
                return Some(at as u16);
            }
        }
        None
    }

    fn start(&mut self, doing: Activity) {
        let kind = doing.action().and_then(|action| {
            let kind = self.context.spec.domain.npc(self.mind.npc);
            let local = kind.local_action(action)?;
            let at = possible_kind(kind, self.mind.state.checks(), local)?;
            self.context.spec.action(action).kinds.get(at).copied()
        });
        self.make_way(doing);
        self.mind.follow.started += 1;
        self.mind.follow.news = false;
        self.remember_amounts(doing);
        let run = Run {
            run: self.mind.follow.started,
            doing,
            kind,
            since: self.context.now,
            part: 0,
            part_since: self.context.now,
            ask: AskAgain::Orders,
            state: 0,
            serial: self.mind.plan.serial,
            step: self.mind.plan.at,
        };
        self.mind.follow.run = Some(run);
        self.event(EventKind::Started { run: run.run, doing, kind });
        let progress = self.call(&run, Moment::Start);
        self.begin_effects(&run);
        self.take(progress);
    }

    /// Keeps what the amounts are that an action moves: whether it did shows by what they become.
    fn remember_amounts(&mut self, doing: Activity) {
        let kind = self.context.spec.domain.npc(self.mind.npc);
        let local = doing.action().and_then(|action| kind.local_action(action));
        let values = self.mind.state.values();
        let shifts = local.into_iter().flat_map(|local| kind.shifts(local));
        let value = |it: &LocalShift| values[kind.variables()[it.variable.index()].index()];
        self.mind.follow.begun.clear();
        self.mind.follow.begun.extend(shifts.map(value));
    }

    /// What the behaviour said.
    fn take(&mut self, progress: Progress) {
        let Some(run) = self.mind.follow.run.as_mut() else { return };
        match progress {
            Progress::Running => run.ask = AskAgain::At(after(self.context.now, 1)),
            // Nothing is under way that could end, so it is asked again in the next tick.
            Progress::Waiting if !self.mind.board.is_waiting() => {
                run.ask = AskAgain::At(after(self.context.now, 1))
            }
            Progress::Waiting => run.ask = AskAgain::Orders,
            Progress::Until(tick) => run.ask = AskAgain::At(tick.max(after(self.context.now, 1))),
            Progress::Done => self.part_done(),
            Progress::Failed(why) => self.end(Ending::Failed(why)),
        }
    }

    /// The action is done, or of a compound a part.
    fn part_done(&mut self) {
        let Some(run) = self.mind.follow.run else { return };
        let parts = run.doing.action().map(|action| &self.context.spec.action(action).parts);
        if usize::from(run.part) + 1 >= parts.map_or(0, Vec::len) {
            let is_step = matches!(run.doing, Activity::Step(_));
            let is_whole = is_step && parts.is_some_and(|parts| !parts.is_empty());
            self.end(Ending::Done);
            // Meanwhile nobody has looked at the rest of the plan.
            let Mind { plan, state, .. } = &mut *self.mind;
            plan.late |= is_whole && plan.checked != state.version();
            return;
        }
        self.call(&run, Moment::End(Ending::Done));
        self.end_effects(&run, Some(EffectMoment::Then), false);
        self.mind.board.close();
        let next = Run { part: run.part + 1, part_since: self.context.now, state: 0, ..run };
        self.mind.follow.run = Some(next);
        let progress = self.call(&next, Moment::Start);
        self.begin_effects(&next);
        // One part a tick at most, so that a compound of nothing but quick parts takes its time.
        match (progress, self.mind.follow.run.as_mut()) {
            (Progress::Done, Some(run)) => run.ask = AskAgain::Over(after(self.context.now, 1)),
            (progress, _) => self.take(progress),
        }
    }

    /// The one way out of an action.
    pub(crate) fn end(&mut self, how: Ending) {
        let Some(run) = self.mind.follow.run else { return };
        self.call(&run, Moment::End(how));
        let moment = match how {
            Ending::Done => Some(EffectMoment::Then),
            Ending::Failed(_) => Some(EffectMoment::Else),
            Ending::Cancelled => None,
        };
        self.end_effects(&run, moment, true);
        self.mind.board.close();
        self.mind.follow.run = None;
        self.mind.follow.another_task = false;
        self.mind.follow.ended += 1;
        self.mind.follow.news = false;
        self.event(EventKind::Ended { run: run.run, doing: run.doing, how });
        let current = run.serial == self.mind.plan.serial && run.step == self.mind.plan.at;
        if !matches!(run.doing, Activity::Flavour(_)) {
            self.mind.follow.last_done = None;
        }
        if !matches!(run.doing, Activity::Otherwise(_)) {
            let rest = self.context.spec.npcs[self.mind.npc.index()].otherwise_after;
            let follow = &mut self.mind.follow;
            follow.otherwise_after = follow.otherwise_after.max(after(self.context.now, rest));
        }
        let begun = std::mem::take(&mut self.mind.follow.begun);
        let lost = self.mind.picks.lost_since(run.since);
        match (run.doing, how) {
            (Activity::Step(action), Ending::Done) => {
                // While it was gone on with whatever happened nobody has looked at the rest.
                let commits = self.context.spec.npcs[self.mind.npc.index()].commits > 0;
                let Mind { plan, state, .. } = &mut *self.mind;
                plan.late |= commits && current && plan.checked != state.version();
                self.mind.state.apply(self.context.spec, action, &begun, lost, self.context.now);
                self.mind.follow.last_done = Some(action);
                self.mind.plan.at += usize::from(current);
            }
            (Activity::Step(action), Ending::Failed(_)) => {
                let (spec, now) = (self.context.spec, self.context.now);
                let read = facts_read(spec, self.mind.npc, action, &self.situation(), &mut 0);
                self.mind.state.fail(spec, action, now, read);
                if current {
                    self.mind.plan.need = Some(Cause::StepFailed);
                    self.mind.plan.broken_at = Some(action);
                }
            }
            (Activity::Otherwise(action), Ending::Done) => {
                self.mind.state.apply(self.context.spec, action, &begun, lost, self.context.now);
            }
            (Activity::Otherwise(_), Ending::Failed(_)) => {
                let retry = self.context.spec.npcs[self.mind.npc.index()].retry;
                self.mind.follow.otherwise_after = after(self.context.now, retry.max(1));
            }
            _ => {}
        }
        self.mind.follow.begun = begun;
        self.mind.follow.begun.clear();
    }

    /// Calls the code of what is done, or of the part of it that is. What is done beside sees its own
    /// orders, and none of the step's.
    pub(super) fn call(&mut self, run: &Run, moment: Moment) -> Progress {
        let mut beside = None;
        let (action, deed, code, by, writer, takes) = match run.doing {
            Activity::Step(action) | Activity::Otherwise(action) => {
                let parts = &self.context.spec.action(action).parts;
                let action = parts.get(usize::from(run.part)).copied().unwrap_or(action);
                let spec = self.context.spec.action(action);
                let code = self.context.code.action(action);
                let deed = Deed::Action(action.index() as u32);
                (Some(action), deed, code, spec.does, spec.template, spec.takes)
            }
            Activity::Flavour(at) => {
                let flavour = &self.context.spec.flavours[usize::from(at)];
                let code = self.context.code.flavour(usize::from(at));
                let (name, takes) = (flavour.name, flavour.takes);
                (None, Deed::Flavour(at.into()), code, name, name, takes)
            }
            Activity::Beside(at) => {
                let spec = &self.context.spec.besides[usize::from(at)];
                beside = Some(spec);
                let code = self.context.code.beside(usize::from(at));
                (None, Deed::Beside(at.into()), code, spec.does, spec.name, spec.takes)
            }
        };
        self.change_orders(run.doing);
        let (waiting, destination) = (self.mind.board.out.len(), self.mind.board.destination);
        let mut state = run.state;
        let noted = Noted::default();
        let (context, outbox) = (self.context, &mut *self.outbox);
        let Mind { id, npc, me, here, memory, board, picks, questions, .. } = &mut *self.mind;
        let filed = questions.last();
        let mut acting = Acting {
            world: context.world,
            me: *me,
            npc: *npc,
            here: *here,
            now: context.now,
            since: run.part_since,
            spec: context.spec,
            action,
            kind: run.kind,
            shared: context.shared,
            memory,
            board,
            picks,
            questions,
            asking: &mut outbox.asking,
            state: &mut state,
            shares: &mut outbox.shares,
            noted: &noted,
            writer,
            takes,
            beside,
        };
        let answer = match (code, moment) {
            (Some(code), _) => {
                let ask = |acting: &mut Acting<'_, W>| moment.ask(code, acting);
                outbox.tape.answer(*id, moment.call(deed), &mut acting, ask)
            }
            (None, Moment::Start) => play_animation(&mut acting),
            (None, Moment::GoOn) => animation_goes_on(&acting),
            (None, Moment::End(_)) => Progress::Done,
        };
        outbox.asking.clear();
        outbox.filed += questions.last().wrapping_sub(filed);
        noted.memory(context.spec, memory);
        let when = (context.now, *id);
        noted.send(by, context.spec, when, &mut outbox.events, &mut outbox.mistakes);
        if let Activity::Beside(at) = run.doing {
            self.keep_to_channels(at, waiting, destination);
        }
        self.change_orders(run.doing);
        if let Some(run) = self.run_mut(run.doing) {
            run.state = state;
        }
        answer
    }
}

/// What an action without code does: it plays an animation of its name for as long as it takes. What
/// is done beside is called after what it does.
fn play_animation<W: ?Sized>(acting: &mut Acting<'_, W>) -> Progress {
    let what = acting.beside.map_or(acting.writer, |beside| beside.does);
    acting.board.order(Order::Animate { what, ticks: acting.takes });
    Progress::Until(after(acting.now, acting.takes))
}

/// It is over when the time has passed, whether or not the game reports it.
fn animation_goes_on<W: ?Sized>(acting: &Acting<'_, W>) -> Progress {
    if acting.now < after(acting.since, acting.takes) {
        return match acting.board.progress() {
            Progress::Failed(why) => Progress::Failed(why),
            _ => Progress::Until(after(acting.since, acting.takes)),
        };
    }
    Progress::Done
}
