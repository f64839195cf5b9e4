//! One tick of one mind: eight phases, in one order, here and nowhere else.
//!
//! | # | phase | reads | writes |
//! |---|---|---|---|
//! | 1 | receive | inbox, clock | inbox, memory, senses, board, run |
//! | 2 | sense | world, shared, clock, senses, state, memory, place | memory, senses, place, outbox |
//! | 3 | forget | clock, memory | memory |
//! | 4 | symbolise | memory, shared, senses, clock, place, state | state, outbox |
//! | 5 | choose | memory, shared, state, clock, place, goals | goals |
//! | 6 | plan | state, goals, plan, run, clock, turn | plan, goals, outbox |
//! | 7 | follow | world, shared, clock, place, memory, state, plan, run, board | memory, state, plan, run, board, outbox |
//! | 8 | publish | board | board, outbox |
//!
//! In:   a mind, its world, the code it shares with others.
//! Out:  the mind one tick later; orders, events and shared facts in the outbox.
//! Cost: one comparison if nothing is due.
//!
//! Minds that have a budget do a tick in two halves, parted in phase 6: see [`turns`](crate::turns).
//! The table is [`PHASES`]; a test holds it to be the truth.

#[cfg(test)]
mod phases;
mod plan;

use crate::blackboard::OrderState;
use crate::code::Code;
use crate::condition::Situation;
use crate::events::Event;
use crate::follow::Follower;
use crate::memory::Memory;
use crate::mind::{Ask, Mind, Outbox};
use crate::orders::{Message, Sent};
use crate::planning::Scratch;
use crate::senses::{Asked, Surroundings};
use crate::spec::Spec;
use crate::symbols::{Sources, versions};
use crate::time::{NEVER, Tick, after};
use crate::words::Word;
pub(crate) use plan::Wish;

/// How long a fact told by others is believed, in seconds, unless it says so itself.
const TOLD_KEPT: f64 = 60.0;

/// A part of a mind or of what is around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names of the table above")]
pub enum Part {
    World,
    Shared,
    Clock,
    Inbox,
    Memory,
    Senses,
    Place,
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
    pub reads: &'static [Part],
    /// What it may change.
    pub writes: &'static [Part],
}

const fn phase(name: &'static str, reads: &'static [Part], writes: &'static [Part]) -> Phase {
    Phase { name, reads, writes }
}

/// The phases in their order, with what they read and write.
#[rustfmt::skip]
pub const PHASES: [Phase; 8] = {
    use Part::*;
    [
        phase("receive", &[Inbox, Clock], &[Inbox, Memory, Senses, Board, Run]),
        phase("sense", &[World, Shared, Clock, Senses, State, Memory, Place], &[Memory, Senses, Place, Outbox]),
        phase("forget", &[Clock, Memory], &[Memory]),
        phase("symbolise", &[Memory, Shared, Senses, Clock, Place, State], &[State, Outbox]),
        phase("choose", &[Memory, Shared, State, Clock, Place, Goals], &[Goals]),
        phase("plan", &[State, Goals, Plan, Run, Clock, Turn], &[Plan, Goals, Outbox]),
        phase("follow", &[World, Shared, Clock, Place, Memory, State, Plan, Run, Board], &[Memory, State, Plan, Run, Board, Outbox]),
        phase("publish", &[Board], &[Board, Outbox]),
    ]
};

/// The phase that a tick in two halves is parted in.
const PLAN: usize = 5;

/// What is around a mind.
pub(crate) struct Around<'a, W: ?Sized> {
    pub(crate) spec: &'a Spec,
    pub(crate) code: &'a Code<W>,
    pub(crate) world: &'a W,
    pub(crate) shared: &'a Memory,
    pub(crate) now: Tick,
    /// The edge's clock, if phases are to be measured.
    pub(crate) clock: Option<fn() -> u64>,
    /// Every mind runs in every tick, due or not.
    pub(crate) sleepless: bool,
    /// Whoever wants to ask the planner may: nobody has to wait for a turn.
    pub(crate) may_ask: bool,
}

/// One tick; says whether anything was due.
pub(crate) fn tick<W: ?Sized>(
    mind: &mut Mind,
    around: &Around<'_, W>,
    scratch: &mut Scratch,
    outbox: &mut Outbox,
) -> bool {
    if !is_due(mind, around) {
        return false;
    }
    let mut clock = Stopwatch::new(around);
    for phase in 0..PHASES.len() {
        run(phase, mind, around, scratch, outbox);
        clock.lap(phase, outbox);
    }
    mind.wake = wake(mind, around);
    true
}

/// A tick until it is known whether the planner is to be asked; `None` if nothing was due.
pub(crate) fn first_half<W: ?Sized>(
    mind: &mut Mind,
    around: &Around<'_, W>,
    scratch: &mut Scratch,
    outbox: &mut Outbox,
) -> Option<Option<Wish>> {
    if !is_due(mind, around) {
        return None;
    }
    let mut clock = Stopwatch::new(around);
    for phase in 0..PLAN {
        run(phase, mind, around, scratch, outbox);
        clock.lap(phase, outbox);
    }
    let wish = plan::see_to_it(mind, around, scratch, outbox);
    clock.lap(PLAN, outbox);
    Some(wish)
}

/// The rest of a tick.
pub(crate) fn second_half<W: ?Sized>(
    mind: &mut Mind,
    around: &Around<'_, W>,
    wish: Option<&Wish>,
    may_ask: bool,
    scratch: &mut Scratch,
    outbox: &mut Outbox,
) {
    let mut clock = Stopwatch::new(around);
    if let Some(wish) = wish {
        plan::ask(mind, around, wish, may_ask, scratch, outbox);
    }
    clock.lap(PLAN, outbox);
    for phase in PLAN + 1..PHASES.len() {
        run(phase, mind, around, scratch, outbox);
        clock.lap(phase, outbox);
    }
    mind.wake = wake(mind, around);
}

/// Whether there is anything to do; if so, all that others share has been seen.
fn is_due<W: ?Sized>(mind: &mut Mind, around: &Around<'_, W>) -> bool {
    // Everybody's facts may also be confirmed, which makes them younger.
    let shared = versions(around.spec, around.shared);
    let quiet = mind.inbox.is_empty() && mind.shared_seen == shared;
    if quiet && around.now < mind.wake && !around.sleepless {
        return false;
    }
    mind.shared_seen = shared;
    true
}

/// Counts what phases cost, if the edge has given a clock.
struct Stopwatch {
    clock: Option<fn() -> u64>,
    before: u64,
}

impl Stopwatch {
    fn new<W: ?Sized>(around: &Around<'_, W>) -> Self {
        Stopwatch { clock: around.clock, before: around.clock.map_or(0, |clock| clock()) }
    }

    fn lap(&mut self, phase: usize, outbox: &mut Outbox) {
        if let Some(clock) = self.clock {
            let after = clock();
            outbox.costs[phase] += after.saturating_sub(self.before);
            self.before = after;
        }
    }
}

/// Runs one phase, by position in [`PHASES`].
pub(crate) fn run<W: ?Sized>(
    phase: usize,
    mind: &mut Mind,
    around: &Around<'_, W>,
    scratch: &mut Scratch,
    outbox: &mut Outbox,
) {
    match phase {
        0 => receive(mind, around),
        1 => sense(mind, around, outbox),
        2 => forget(mind, around),
        3 => symbolise(mind, around, outbox),
        4 => choose(mind, around),
        PLAN => plan::plan(mind, around, scratch, outbox),
        6 => Follower::new(
            mind,
            around.spec,
            around.code,
            around.world,
            around.shared,
            around.now,
            outbox,
        )
        .go(),
        _ => publish(mind, outbox),
    }
}

/// Sorts the inbox: stimuli to the sensors, facts to memory, what became of orders to the board.
fn receive<W: ?Sized>(mind: &mut Mind, around: &Around<'_, W>) {
    let (told, keep) = (around.spec.told, around.spec.pace.ticks(TOLD_KEPT));
    for message in mind.inbox.drain(..) {
        let report = match message {
            Message::Stimulus(stimulus) => {
                mind.senses.stimulate(around.spec, &stimulus);
                continue;
            }
            Message::Told(fact) => {
                mind.memory.add(&fact, told, around.now, keep);
                continue;
            }
            Message::Retold(fact) => {
                mind.memory.retell(&fact, told, around.now, keep);
                continue;
            }
            Message::Untold(like) => {
                mind.memory.unsay(&like, told);
                continue;
            }
            Message::Done(order) => (order, OrderState::Done),
            Message::Failed(order, why) => (order, OrderState::Failed(why)),
        };
        mind.follow.news |= mind.board.report(report.0, report.1);
    }
}

fn sense<W: ?Sized>(mind: &mut Mind, around: &Around<'_, W>, outbox: &mut Outbox) {
    let mut surroundings = Surroundings {
        spec: around.spec,
        code: around.code,
        world: around.world,
        id: mind.id,
        me: mind.me,
        here: &mut mind.here,
        now: around.now,
        memory: &mut mind.memory,
        shared: around.shared,
        values: mind.state.values(),
        version: mind.state.version(),
        shares: &mut outbox.shares,
        events: &mut outbox.events,
        mistakes: &mut outbox.mistakes,
        tape: &mut outbox.tape,
    };
    mind.senses.sense(&mut surroundings);
}

fn forget<W: ?Sized>(mind: &mut Mind, around: &Around<'_, W>) {
    mind.memory.forget(around.now);
}

fn symbolise<W: ?Sized>(mind: &mut Mind, around: &Around<'_, W>, outbox: &mut Outbox) {
    let sources = Sources {
        spec: around.spec,
        memory: &mind.memory,
        shared: around.shared,
        senses: &mind.senses,
        here: mind.here,
        now: around.now,
    };
    let (at, id, events) = (around.now, mind.id, &mut outbox.events);
    mind.state.update(&sources, |what| events.push(Event { at, mind: id, what }));
}

fn choose<W: ?Sized>(mind: &mut Mind, around: &Around<'_, W>) {
    let situation = Situation {
        memory: &mind.memory,
        shared: around.shared,
        values: mind.state.values(),
        here: mind.here,
        now: around.now,
        pace: around.spec.pace,
        it: Word::NONE,
    };
    mind.goals.update(around.spec, &mind.state, &situation);
}

fn publish(mind: &mut Mind, outbox: &mut Outbox) {
    let (id, me) = (mind.id, mind.me);
    let sent =
        mind.board.out.drain(..).map(|(number, order)| Sent { mind: id, me, id: number, order });
    outbox.orders.extend(sent);
}

/// When something will be due.
fn wake<W: ?Sized>(mind: &Mind, around: &Around<'_, W>) -> Tick {
    let next = after(around.now, 1);
    let run = match mind.follow.run {
        Some(run) => match run.ask {
            Ask::Orders => NEVER,
            Ask::At(tick) | Ask::Over(tick) => tick,
        },
        None if mind.plan.step().is_some() => next,
        None if mind.plan.goal.is_none() => {
            let otherwise = around.spec.npcs[mind.npc.index()].otherwise;
            otherwise.map_or(NEVER, |_| mind.follow.otherwise_after)
        }
        // The plan has come to its end.
        None => next,
    };
    let has_seen = mind.state.has_seen(around.spec, &mind.memory);
    let plan_waits = mind.plan.need.is_some() || mind.plan.late || mind.plan.waits.is_some();
    let plan = if plan_waits || !has_seen { next } else { NEVER };
    let is = Asked {
        memory: versions(around.spec, &mind.memory),
        state: mind.state.version(),
        here: mind.here,
    };
    let parts = [
        run,
        plan,
        mind.senses.next_due(around.spec, around.now, &is),
        mind.memory.next_expiry(),
        mind.state.wake(),
        mind.goals.wake(),
    ];
    parts.into_iter().min().unwrap_or(next).max(next)
}
