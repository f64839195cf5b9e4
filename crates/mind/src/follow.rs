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
//! All ends go through [`Follower::end`], so none is missed and none comes twice. A new plan that
//! begins with the action under way goes on with it. A compound is not broken by a better goal.

use crate::blackboard::Blackboard;
use crate::body::{Acting, Ending, Progress};
use crate::code::Code;
use crate::condition::Situation;
use crate::events::{Cause, Doing, Event, What};
use crate::fact::{FactDraft, Handle, Place};
use crate::memory::Memory;
use crate::mind::{Ask, Follow, Mind, Outbox, Run};
use crate::mistakes::{Mistake, Noted};
use crate::orders::{MindId, Order};
use crate::planning::PlanBook;
use crate::spec::Spec;
use crate::symbols::State;
use crate::tape::{Deed, Moment, Tape};
use crate::time::{Tick, after};
use crate::words::Word;
use throng_domain::compile::Value;
use throng_domain::model::{ActionId, NpcId};
use throng_planner::context::possible_kind;

/// What following may see and touch.
pub(crate) struct Follower<'f, W: ?Sized> {
    pub(crate) spec: &'f Spec,
    pub(crate) code: &'f Code<W>,
    pub(crate) world: &'f W,
    pub(crate) shared: &'f Memory,
    pub(crate) now: Tick,
    pub(crate) id: MindId,
    pub(crate) me: Handle,
    pub(crate) npc: NpcId,
    pub(crate) here: Place,
    pub(crate) memory: &'f mut Memory,
    pub(crate) state: &'f mut State,
    pub(crate) plan: &'f mut PlanBook,
    pub(crate) follow: &'f mut Follow,
    pub(crate) board: &'f mut Blackboard,
    pub(crate) events: &'f mut Vec<Event>,
    pub(crate) shares: &'f mut Vec<FactDraft>,
    pub(crate) mistakes: &'f mut Vec<Mistake>,
    pub(crate) tape: &'f mut Tape,
}

impl<'f, W: ?Sized> Follower<'f, W> {
    /// The parts of a mind that following needs.
    pub(crate) fn new(
        mind: &'f mut Mind,
        spec: &'f Spec,
        code: &'f Code<W>,
        world: &'f W,
        shared: &'f Memory,
        now: Tick,
        outbox: &'f mut Outbox,
    ) -> Self {
        Follower {
            spec,
            code,
            world,
            shared,
            now,
            id: mind.id,
            me: mind.me,
            npc: mind.npc,
            here: mind.here,
            memory: &mut mind.memory,
            state: &mut mind.state,
            plan: &mut mind.plan,
            follow: &mut mind.follow,
            board: &mut mind.board,
            events: &mut outbox.events,
            shares: &mut outbox.shares,
            mistakes: &mut outbox.mistakes,
            tape: &mut outbox.tape,
        }
    }

    fn event(&mut self, what: What) {
        self.events.push(Event { at: self.now, mind: self.id, what });
    }

    /// One tick.
    pub(crate) fn go(&mut self) {
        self.let_go_of_the_old();
        if let Some(run) = self.follow.run {
            let due = match run.ask {
                Ask::Orders => self.follow.news,
                Ask::At(tick) => self.follow.news || tick <= self.now,
                Ask::Over(tick) => tick <= self.now,
            };
            if due {
                self.follow.news = false;
                let progress = match run.ask {
                    Ask::Over(_) => Progress::Done,
                    Ask::Orders | Ask::At(_) => self.go_on(&run),
                };
                self.take(progress);
            }
        }
        // After a failure nothing is begun before there is another plan, and nothing of a plan that
        // was not looked at since the world changed.
        if self.follow.run.is_none() && !self.plan.holds_up() {
            self.begin_something();
        }
    }

    /// Ends what is under way if the plan is another now.
    fn let_go_of_the_old(&mut self) {
        let Some(run) = self.follow.run else { return };
        let same_plan = run.serial == self.plan.serial && self.plan.goal.is_some();
        match run.doing {
            Doing::Step(_) if same_plan && run.step == self.plan.at => {}
            // The new plan begins with what is under way.
            Doing::Step(action) if !same_plan && self.plan.step() == Some(action) => {
                let (serial, step) = (self.plan.serial, self.plan.at);
                self.follow.run = Some(Run { serial, step, ..run });
            }
            Doing::Step(action) => {
                let how = if self.has_effect(action) { Ending::Done } else { Ending::Cancelled };
                self.end(how);
            }
            Doing::Flavour(_) if same_plan && run.step == self.plan.at => {}
            Doing::Otherwise(_) if self.plan.goal.is_none() => {}
            Doing::Flavour(_) | Doing::Otherwise(_) => self.end(Ending::Cancelled),
        }
    }

    /// Whether all that an action sets holds.
    fn has_effect(&self, action: ActionId) -> bool {
        let kind = self.spec.domain.npc(self.npc);
        let values = self.state.values();
        let holds = |&fact| {
            let fact = kind.fact(fact);
            values[fact.variable.index()] == fact.value.index() as Value
        };
        kind.local_action(action).is_some_and(|local| kind.sets(local).iter().all(holds))
    }

    /// Starts the next step, a flavour before it, or what is done without a plan.
    fn begin_something(&mut self) {
        if let Some(action) = self.plan.step() {
            match self.flavour_before(action) {
                Some(flavour) => self.start(Doing::Flavour(flavour)),
                None => self.start(Doing::Step(action)),
            }
        } else if self.plan.goal.is_none()
            && self.now >= self.follow.otherwise_after
            && let Some(action) = self.spec.npcs[self.npc.index()].otherwise
        {
            // What comes later does not come right after the step done last.
            self.follow.last_done = None;
            self.start(Doing::Otherwise(action));
        }
    }

    /// A flavour to play between the step just done and the next.
    fn flavour_before(&mut self, next: ActionId) -> Option<u16> {
        let last = self.follow.last_done.take()?;
        // Nobody waves before he runs from a grenade.
        if self.plan.goal.is_some_and(|goal| self.spec.goal(goal).urgent) {
            return None;
        }
        for (at, flavour) in self.spec.flavours.iter().enumerate() {
            let fits = |list: &[ActionId], action| list.is_empty() || list.contains(&action);
            if !fits(&flavour.after, last) || !fits(&flavour.before, next) {
                continue;
            }
            let ready = self.follow.flavours.get(at).is_some_and(|ready| *ready <= self.now);
            let situation = Situation {
                memory: self.memory,
                shared: self.shared,
                values: self.state.values(),
                here: self.here,
                now: self.now,
                pace: self.spec.pace,
                it: Word::NONE,
            };
            let mut wake = 0;
            let wanted = flavour.condition.as_ref();
            if ready && wanted.is_none_or(|condition| condition.holds(&situation, &mut wake)) {
                self.follow.flavours[at] = after(self.now, flavour.every);
                return Some(at as u16);
            }
        }
        None
    }

    fn start(&mut self, doing: Doing) {
        let kind_of = |action: ActionId| {
            let kind = self.spec.domain.npc(self.npc);
            let local = kind.local_action(action)?;
            let at = possible_kind(kind, self.state.checks(), local)?;
            self.spec.action(action).kinds.get(at).copied()
        };
        let kind = match doing {
            Doing::Step(action) | Doing::Otherwise(action) => kind_of(action),
            Doing::Flavour(_) => None,
        };
        self.follow.started += 1;
        self.follow.news = false;
        let run = Run {
            run: self.follow.started,
            doing,
            kind,
            since: self.now,
            part: 0,
            part_since: self.now,
            ask: Ask::Orders,
            state: 0,
            serial: self.plan.serial,
            step: self.plan.at,
        };
        self.follow.run = Some(run);
        self.event(What::Started { run: run.run, doing, kind });
        let progress = self.call_start(&run);
        self.take(progress);
    }

    /// What the behaviour said.
    fn take(&mut self, progress: Progress) {
        let Some(run) = self.follow.run.as_mut() else { return };
        match progress {
            Progress::Running => run.ask = Ask::At(after(self.now, 1)),
            // Who waits for nothing is asked again, or nobody would ever ask.
            Progress::Waiting if !self.board.is_waiting() => run.ask = Ask::At(after(self.now, 1)),
            Progress::Waiting => run.ask = Ask::Orders,
            Progress::Until(tick) => run.ask = Ask::At(tick.max(after(self.now, 1))),
            Progress::Done => self.part_done(),
            Progress::Failed(why) => self.end(Ending::Failed(why)),
        }
    }

    /// The action is done, or of a compound a part.
    fn part_done(&mut self) {
        let Some(run) = self.follow.run else { return };
        let parts = match run.doing {
            Doing::Step(action) | Doing::Otherwise(action) => &self.spec.action(action).parts[..],
            Doing::Flavour(_) => &[],
        };
        if usize::from(run.part) + 1 >= parts.len() {
            self.end(Ending::Done);
            return;
        }
        self.call_end(&run, Ending::Done);
        self.board.close();
        let next = Run { part: run.part + 1, part_since: self.now, state: 0, ..run };
        self.follow.run = Some(next);
        let progress = self.call_start(&next);
        // One part a tick at most, so that a compound of nothing but quick parts takes its time.
        match (progress, self.follow.run.as_mut()) {
            (Progress::Done, Some(run)) => run.ask = Ask::Over(after(self.now, 1)),
            (progress, _) => self.take(progress),
        }
    }

    /// The one way out of an action.
    pub(crate) fn end(&mut self, how: Ending) {
        let Some(run) = self.follow.run else { return };
        self.call_end(&run, how);
        self.board.close();
        self.follow.run = None;
        self.follow.ended += 1;
        self.follow.news = false;
        self.event(What::Ended { run: run.run, doing: run.doing, how });
        let current = run.serial == self.plan.serial && run.step == self.plan.at;
        if !matches!(run.doing, Doing::Flavour(_)) {
            self.follow.last_done = None;
        }
        match (run.doing, how) {
            (Doing::Step(action), Ending::Done) => {
                self.state.apply(self.spec, action, self.now);
                self.follow.last_done = Some(action);
                self.plan.at += usize::from(current);
            }
            (Doing::Step(action), Ending::Failed(_)) => {
                self.state.fail(self.spec, action, self.now);
                if current {
                    self.plan.need = Some(Cause::StepFailed);
                    self.plan.broken_at = Some(action);
                }
            }
            (Doing::Otherwise(action), Ending::Done) => {
                self.state.apply(self.spec, action, self.now);
            }
            (Doing::Otherwise(_), Ending::Failed(_)) => {
                let retry = self.spec.npcs[self.npc.index()].retry;
                self.follow.otherwise_after = after(self.now, retry.max(1));
            }
            _ => {}
        }
    }

    fn call_start(&mut self, run: &Run) -> Progress {
        self.call(run, Moment::Start)
    }

    fn go_on(&mut self, run: &Run) -> Progress {
        self.call(run, Moment::GoOn)
    }

    fn call_end(&mut self, run: &Run, how: Ending) {
        self.call(run, Moment::End(how));
    }

    /// Calls the code of what is done, or of the part of it that is.
    fn call(&mut self, run: &Run, moment: Moment) -> Progress {
        let (action, deed, code, by, writer, takes) = match run.doing {
            Doing::Step(action) | Doing::Otherwise(action) => {
                let parts = &self.spec.action(action).parts;
                let action = parts.get(usize::from(run.part)).copied().unwrap_or(action);
                let spec = self.spec.action(action);
                let code = self.code.action(action);
                let deed = Deed::Action(action.index() as u32);
                (Some(action), deed, code, spec.does, spec.template, spec.takes)
            }
            Doing::Flavour(at) => {
                let flavour = &self.spec.flavours[usize::from(at)];
                let code = self.code.flavour(usize::from(at));
                let (name, takes) = (flavour.name, flavour.takes);
                (None, Deed::Flavour(at.into()), code, name, name, takes)
            }
        };
        let mut state = run.state;
        let noted = Noted::default();
        let mut acting = Acting {
            world: self.world,
            me: self.me,
            here: self.here,
            now: self.now,
            since: run.part_since,
            spec: self.spec,
            action,
            kind: run.kind,
            shared: self.shared,
            memory: self.memory,
            board: self.board,
            state: &mut state,
            shares: self.shares,
            noted: &noted,
            writer,
            takes,
        };
        let answer = match (code, moment) {
            (Some(code), _) => self.tape.act(self.id, deed, moment, code, &mut acting),
            (None, Moment::Start) => play_animation(&mut acting),
            (None, Moment::GoOn) => animation_goes_on(&acting),
            (None, Moment::End(_)) => Progress::Done,
        };
        noted.memory(self.spec, self.memory);
        noted.send(by, self.spec, (self.now, self.id), self.events, self.mistakes);
        if let Some(run) = self.follow.run.as_mut() {
            run.state = state;
        }
        answer
    }
}

/// What an action without code does: it plays an animation of its name for as long as it takes.
fn play_animation<W: ?Sized>(acting: &mut Acting<'_, W>) -> Progress {
    acting.board.order(Order::Animate { what: acting.writer, ticks: acting.takes });
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
