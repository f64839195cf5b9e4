//! One tick of one mind: nine phases, in one order, here and nowhere else.
//!
//! | # | phase | reads | writes |
//! |---|---|---|---|
//! | 1 | receive | inbox, clock, replies | inbox, memory, senses, replies, board, run, outbox |
//! | 2 | sense | world, shared, clock, senses, state, memory, place, picks, replies | memory, senses, place, replies, outbox |
//! | 3 | forget | clock, memory | memory |
//! | 4 | select | memory, shared, others, senses, clock, place, state, plan, run, picks | picks, state, outbox |
//! | 5 | symbolise | memory, shared, senses, clock, place, picks, replies, state | state, outbox |
//! | 6 | choose | memory, shared, state, clock, place, picks, goals | goals |
//! | 7 | plan | picks, state, goals, plan, run, clock, turn | plan, goals, outbox |
//! | 8 | follow | world, shared, others, clock, place, picks, memory, replies, state, goals, plan, run, board | memory, replies, state, plan, run, board, outbox |
//! | 9 | publish | memory, clock, place, picks, replies, state, goals, plan, board | picks, replies, board, outbox |
//!
//! In:   a mind, its world, the code it shares with others.
//! Out:  the mind one tick later; orders, events and shared facts in the outbox.
//! Cost: one comparison if nothing is due.
//!
//! Minds that have a budget do a tick in two halves, parted in phase 7: see [`turns`](crate::turns).
//! The table is [`PHASES`]; a test holds it to be the truth.

mod beside;
mod commit;
mod effects;
mod follow;
#[cfg(test)]
mod phases;
mod plan;
mod questions;
mod select;
mod sense;

use crate::blackboard::OrderState;
use crate::chance::Luck;
use crate::code::Code;
use crate::condition::{It, Situation};
use crate::duty::is_on_another_task;
use crate::effects::TeamCooling;
use crate::events::{Event, EventKind};
use crate::fact::{EntityId, Position};
use crate::memory::Memory;
use crate::mind::{Mind, N_PHASES, Outbox};
use crate::orders::{IssuedOrder, Message};
use crate::planning::Scratch;
use crate::run::AskAgain;
use crate::select::{Others, Picks};
use crate::spec::Spec;
use crate::spec::watched::Inputs;
use crate::symbols::{Around, AskRules};
use crate::time::{NEVER, Tick, after};
pub(crate) use plan::PlanRequest;
use std::mem::take;
use std::ops::Range;
use throng_domain::compile::PackedValue;

/// How long a fact told by others is believed, in seconds, unless it says so itself.
const TOLD_KEPT: f64 = 60.0;

/// A part of a mind or of what is around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names of the table above")]
#[non_exhaustive]
pub enum TickPart {
    World,
    Shared,
    Others,
    Clock,
    Inbox,
    Memory,
    Senses,
    Place,
    Picks,
    Replies,
    State,
    Goals,
    Plan,
    Run,
    Board,
    Turn,
    Outbox,
}

/// A row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phase {
    /// What it is called.
    pub name: &'static str,
    /// What it depends on.
    pub reads: &'static [TickPart],
    /// What it may change.
    pub writes: &'static [TickPart],
}

const fn phase(
    name: &'static str,
    reads: &'static [TickPart],
    writes: &'static [TickPart],
) -> Phase {
    Phase { name, reads, writes }
}

/// The phases in their order, with what they read and write.
#[rustfmt::skip]
pub const PHASES: [Phase; N_PHASES] = {
    use TickPart::*;
    [
        phase("receive", &[Inbox, Clock, Replies], &[Inbox, Memory, Senses, Replies, Board, Run, Outbox]),
        phase("sense", &[World, Shared, Clock, Senses, State, Memory, Place, Picks, Replies], &[Memory, Senses, Place, Replies, Outbox]),
        phase("forget", &[Clock, Memory], &[Memory]),
        phase("select", &[Memory, Shared, Others, Senses, Clock, Place, State, Plan, Run, Picks], &[Picks, State, Outbox]),
        phase("symbolise", &[Memory, Shared, Senses, Clock, Place, Picks, Replies, State], &[State, Outbox]),
        phase("choose", &[Memory, Shared, State, Clock, Place, Picks, Goals], &[Goals]),
        phase("plan", &[Picks, State, Goals, Plan, Run, Clock, Turn], &[Plan, Goals, Outbox]),
        phase("follow", &[World, Shared, Others, Clock, Place, Picks, Memory, Replies, State, Goals, Plan, Run, Board], &[Memory, Replies, State, Plan, Run, Board, Outbox]),
        phase("publish", &[Memory, Clock, Place, Picks, Replies, State, Goals, Plan, Board], &[Picks, Replies, Board, Outbox]),
    ]
};

/// The phase that a tick in two halves is parted in.
const PLAN: usize = 6;

/// What is around all minds in a tick.
pub(crate) struct Context<'a, W: ?Sized> {
    pub(crate) spec: &'a Spec,
    pub(crate) code: &'a Code<W>,
    pub(crate) world: &'a W,
    pub(crate) shared: &'a Memory,
    /// What others have picked and claimed, as of the tick before.
    pub(crate) others: &'a Others,
    pub(crate) now: Tick,
    /// The edge's clock, if phases are to be measured.
    pub(crate) clock: Option<fn() -> u64>,
    /// Every mind runs in every tick, due or not.
    pub(crate) sleepless: bool,
    /// Every mind that runs asks all its rules, whatever has changed.
    pub(crate) rules: AskRules,
    /// Every mind may ask the planner: none has to wait for its turn.
    pub(crate) may_ask: bool,
    /// The seed of all chance.
    pub(crate) seed: u64,
    /// What is not there for teams for a while.
    pub(crate) cooling: &'a [TeamCooling],
}

impl<W: ?Sized> Context<'_, W> {
    /// What a mind that remembers this, with these values, is asked conditions about.
    fn situation<'s>(
        &'s self,
        memory: &'s Memory,
        picks: &'s Picks,
        values: &'s [PackedValue],
        (me, here): (EntityId, Position),
    ) -> Situation<'s> {
        let &Context { spec: Spec { pace, .. }, shared, now, .. } = self;
        let it = It::default();
        Situation { memory, shared, values, here, now, pace: *pace, me, picks, it }
    }
}

/// One mind in its tick: what a phase may see and touch.
pub(crate) struct MindTick<'t, W: ?Sized> {
    pub(crate) mind: &'t mut Mind,
    pub(crate) context: &'t Context<'t, W>,
    pub(crate) outbox: &'t mut Outbox,
}

impl<W: ?Sized> MindTick<'_, W> {
    /// The phases, as [`PHASES`] lists them.
    const RUN: [fn(&mut Self, &mut Scratch); PHASES.len()] = [
        |tick, _| tick.receive(),
        |tick, _| tick.sense(),
        |tick, _| _ = tick.mind.memory.forget(tick.context.now),
        Self::select,
        |tick, _| tick.symbolise(),
        |tick, _| tick.choose(),
        Self::plan,
        |tick, _| tick.follow(),
        |tick, _| {
            tick.ask_for_checks();
            tick.publish();
        },
    ];

    /// Runs some phases, by position in [`PHASES`]; each is a lap.
    fn run(&mut self, phases: Range<usize>, clock: &mut Stopwatch, scratch: &mut Scratch) {
        for phase in phases {
            Self::RUN[phase](self, scratch);
            clock.lap(phase, self.outbox);
        }
    }

    /// One tick; says whether anything was due.
    pub(crate) fn all(&mut self, scratch: &mut Scratch) -> bool {
        let is_due = self.is_due();
        if is_due {
            self.run(0..PHASES.len(), &mut Stopwatch::new(self.context), scratch);
            self.mind.wake = self.wake();
        }
        is_due
    }

    /// A tick until it is known whether the planner is to be asked; `None` if nothing was due.
    pub(crate) fn first_half(&mut self, scratch: &mut Scratch) -> Option<Option<PlanRequest>> {
        if !self.is_due() {
            return None;
        }
        let mut clock = Stopwatch::new(self.context);
        self.run(0..PLAN, &mut clock, scratch);
        let request = self.replan_if_needed(scratch);
        clock.lap(PLAN, self.outbox);
        Some(request)
    }

    /// The rest of a tick.
    pub(crate) fn second_half(
        &mut self,
        request: Option<&PlanRequest>,
        may: bool,
        scratch: &mut Scratch,
    ) {
        let mut clock = Stopwatch::new(self.context);
        if let Some(request) = request {
            self.ask(request, may, scratch);
        }
        clock.lap(PLAN, self.outbox);
        self.run(PLAN + 1..PHASES.len(), &mut clock, scratch);
        self.mind.wake = self.wake();
    }

    /// Whether there is anything to do; if so, all that others share has been seen.
    fn is_due(&mut self) -> bool {
        let Context { spec, now, sleepless, .. } = *self.context;
        // Facts of all may also be confirmed, which makes them younger.
        let shared = self.context.shared.versions(spec.asks_age);
        let others = !spec.npcs[self.mind.npc.index()].selects_ask_others
            || self.mind.picks.made.others == self.context.others.version;
        let quiet = self.mind.inbox.is_empty() && self.mind.shared_seen == shared && others;
        if quiet && now < self.mind.wake && !sleepless {
            return false;
        }
        self.mind.shared_seen = shared;
        true
    }

    fn event(&mut self, what: EventKind) {
        self.outbox.events.push(Event { at: self.context.now, mind: self.mind.id, what });
    }

    /// What conditions are asked of.
    fn situation(&self) -> Situation<'_> {
        let Mind { me, memory, picks, state, here, .. } = &*self.mind;
        self.context.situation(memory, picks, state.values(), (*me, *here))
    }

    /// Sorts the inbox: stimuli to the sensors, facts to memory, what became of orders to the
    /// board.
    fn receive(&mut self) {
        let Context { spec, now, .. } = *self.context;
        let (told, keep) = (spec.told, spec.pace.ticks(TOLD_KEPT));
        let mind = &mut *self.mind;
        let mut has_task = false;
        for message in mind.inbox.drain(..) {
            if let Message::Told(fact) | Message::Retold(fact) | Message::Untold(fact) = &message {
                has_task |= fact.kind == spec.squad_words.task;
            }
            match message {
                Message::Stimulus(stimulus) => mind.senses.stimulate(spec, &stimulus),
                Message::Told(fact) => {
                    mind.memory.add(&fact, told, now, keep);
                    self.outbox.read.push(Message::Told(fact));
                }
                Message::Retold(fact) => {
                    mind.memory.retell(&fact, told, now, keep);
                    self.outbox.read.push(Message::Retold(fact));
                }
                Message::Untold(like) => _ = mind.memory.unsay(&like, told),
                Message::Done(order) => {
                    mind.follow.report(&mut mind.board, order, OrderState::Done);
                }
                Message::Failed(order, why) => {
                    mind.follow.report(&mut mind.board, order, OrderState::Failed(why));
                }
                Message::Answered(number, reply) => {
                    mind.follow.news |= mind.questions.answer(number, reply, now) == Some(true);
                }
            }
        }
        mind.senses.has_orders = has_task;
        // What is done for one task is not taken for work on another.
        if has_task && !spec.squads.is_empty() && mind.follow.run.is_some() {
            mind.follow.another_task |= is_on_another_task(&mind.memory, spec);
        }
        self.drop_old_questions();
    }

    fn symbolise(&mut self) {
        self.answer_checks();
        let Context { spec, now, .. } = *self.context;
        let Mind { id, me, memory, senses, picks, state, here, squad, side, .. } = &mut *self.mind;
        let changed = memory.take_changed();
        let from = self.context.situation(memory, picks, &[], (*me, *here));
        let (id, events) = (*id, &mut self.outbox.events);
        let (squad, side) = (*squad, *side);
        let around = Around {
            luck: Luck::of(self.context.seed, id),
            cooling: self.context.cooling,
            is_of: &|cooling| cooling.by != id && cooling.of.has(squad, side),
            rules: self.context.rules,
        };
        let event = |what| events.push(Event { at: now, mind: id, what });
        state.update(spec, senses, &from, changed, around, event);
    }

    fn choose(&mut self) {
        let Mind { me, memory, picks, goals, state, here, .. } = &mut *self.mind;
        let situation = self.context.situation(memory, picks, state.values(), (*me, *here));
        let mut changed = state.changed();
        match self.context.rules {
            AskRules::Changed => {}
            AskRules::AllOnChange => changed = Inputs::MAX,
            AskRules::Always => goals.forget_scores(),
        }
        goals.update(self.context.spec, state, &situation, changed);
    }

    /// Hands over the orders on the board.
    pub(crate) fn publish(&mut self) {
        if self.context.spec.claimed_slots != 0 {
            self.mind.picks.asks = self.asks();
        }
        let (mind, me) = (self.mind.id, self.mind.me);
        let mut out = take(&mut self.mind.board.out);
        let orders = out.drain(..).map(|(id, order)| IssuedOrder { mind, me, id, order });
        self.outbox.orders.extend(orders);
        // The next mind writes its orders there.
        if out.capacity() > self.outbox.order_room.capacity() {
            self.outbox.order_room = out;
        }
    }

    /// When something will be due.
    fn wake(&self) -> Tick {
        let Context { spec, now, .. } = *self.context;
        let mind = &*self.mind;
        let own = &spec.npcs[mind.npc.index()];
        let next = after(now, 1);
        let run = match mind.follow.run {
            Some(run) => match run.ask {
                AskAgain::Orders => NEVER,
                AskAgain::At(tick) | AskAgain::Over(tick) => tick,
            },
            None if mind.plan.goal.is_none() => {
                // What cools or waits for its chance wakes it when that is over; so does a pick.
                let otherwise = own.otherwise.filter(|&action| !self.is_held_back(action));
                let begins = mind.follow.otherwise_after.max(mind.goals.lingers_until());
                otherwise.map_or(NEVER, |_| begins)
            }
            // The plan has come to its end.
            None => next,
        };
        let has_seen = mind.state.has_seen(spec, &mind.memory, &mind.picks)
            && (own.selects.is_empty() || self.made() == mind.picks.made);
        let plan_waits = mind.plan.need.is_some() || mind.plan.late || mind.plan.waits.is_some();
        let reconsiders = mind.plan.reconsiders_at(spec, mind.state.version());
        let plan = if plan_waits || !has_seen { next } else { reconsiders };
        let parts = [
            run,
            plan,
            mind.senses.next_due(spec, now, &self.asked()),
            mind.memory.next_expiry(),
            mind.picks.wake(&own.selects),
            self.questions_wake(),
            mind.state.wake(),
            mind.goals.wake(),
            mind.follow.besides.next_due(),
            self.committed_until().filter(|&until| until > now).unwrap_or(NEVER),
        ];
        parts.into_iter().min().unwrap_or(next).max(next)
    }
}

/// Counts what phases cost, if the edge has given a clock.
struct Stopwatch {
    clock: Option<fn() -> u64>,
    before: u64,
}

impl Stopwatch {
    fn new<W: ?Sized>(context: &Context<'_, W>) -> Self {
        Stopwatch { clock: context.clock, before: context.clock.map_or(0, |clock| clock()) }
    }

    #[inline]
    fn lap(&mut self, phase: usize, outbox: &mut Outbox) {
        if let Some(clock) = self.clock {
            let after = clock();
            outbox.costs[phase] += after.saturating_sub(self.before);
            self.before = after;
        }
    }
}
