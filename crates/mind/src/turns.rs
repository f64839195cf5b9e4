//! Turns: which minds may ask the planner in a tick, if they have a budget.
//!
//! In:   the groups of minds, and how many minds may ask.
//! Out:  the same tick in two halves, and between them a turn for so many of those that ask.
//! Cost: one pass more over those that are awake; one over those that ask, in no order, so that a
//!       tick in which all ask costs no sort.
//!
//! | # | half of a tick | phases | on |
//! |---|---|---|---|
//! | 1 | until it is known which minds ask, and why | 1 to 6, and 7 as far as that | all threads |
//! | – | turns | – | one thread |
//! | 2 | the planner asked, and what follows | the rest of 7, 8, 9 | all threads |
//!
//! Urgent goals come first, then the longest wait, then the smaller id. But a mind that has waited
//! for [`PATIENCE_SECONDS`] longer than an urgent one comes before it: none waits for ever,
//! however many urgent ones come. A mind without a turn keeps its plan if that is still good; else it
//! begins nothing and says that it waits.
//!
//! What a mind asks in its turn is not counted: it asks for one goal after the other until one has
//! a plan, as it would without a budget. A budget that is never used up changes nothing.

use crate::mind::{Mind, Outbox};
use crate::orders::MindId;
use crate::planning::Scratch;
use crate::tick::{Context, MindTick, PlanRequest};
use crate::time::Tick;
use std::mem::take;

/// How much longer than an urgent one a mind must have waited to come before it, in seconds.
pub const PATIENCE_SECONDS: f64 = 10.0;

/// How many minds share a scratch; a thread takes one such group at a time.
pub(crate) const GROUP: usize = 64;

/// Minds that share a scratch and an outbox.
pub(crate) struct Group {
    pub(crate) minds: Vec<Mind>,
    pub(crate) scratch: Scratch,
    pub(crate) outbox: Outbox,
    /// How many minds had something to do.
    pub(crate) awake: u64,
    pub(crate) halfway: Halfway,
}

impl Group {
    /// No minds yet; one call of the planner may look at so many states.
    pub(crate) fn new(nodes: u64) -> Self {
        Group {
            minds: Vec::with_capacity(GROUP),
            scratch: Scratch::new(nodes),
            outbox: Outbox::default(),
            awake: 0,
            halfway: Halfway::default(),
        }
    }
}

/// A mind between the halves.
#[derive(Clone, Copy, Debug)]
struct Awake {
    /// Its place in the group.
    at: u32,
    /// How many events and shared facts there were after its first half.
    events: u32,
    shares: u32,
    request: Option<PlanRequest>,
    may_ask: bool,
}

/// What the minds of a group that are awake left between the halves.
#[derive(Debug, Default)]
pub(crate) struct Halfway {
    awake: Vec<Awake>,
    /// What left minds in the first half: it goes before what leaves them in the second.
    early: Outbox,
}

/// A mind that asks; the first to be served is the smallest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct InLine {
    /// Since when it waits; of urgent ones as if since earlier.
    since: i64,
    id: MindId,
    group: u32,
    awake: u32,
}

/// The first half for a group.
pub(crate) fn first_half<W: ?Sized>(group: &mut Group, context: &Context<'_, W>) {
    let Group { minds, scratch, outbox, halfway: Halfway { awake, early }, .. } = group;
    awake.clear();
    // What code answers in this half is on the same tape, before what it answers in the other.
    early.tape = take(&mut outbox.tape);
    for (at, mind) in minds.iter_mut().enumerate() {
        let mut tick = MindTick { mind, context, outbox: early };
        let Some(request) = tick.first_half(scratch) else { continue };
        let (events, shares) = (early.events.len() as u32, early.shares.len() as u32);
        awake.push(Awake { at: at as u32, events, shares, request, may_ask: false });
    }
    outbox.tape = take(&mut early.tape);
    group.awake = awake.len() as u64;
}

/// Gives turns to so many of those that ask.
pub(crate) fn give(
    groups: &mut [Group],
    line: &mut Vec<InLine>,
    budget: u32,
    now: Tick,
    patience: Tick,
) {
    line.clear();
    for (at, group) in groups.iter().enumerate() {
        for (place, awake) in group.halfway.awake.iter().enumerate() {
            let Some(request) = awake.request.filter(|request| request.asks) else { continue };
            let mind = &group.minds[awake.at as usize];
            let since = i64::from(mind.plan.waits.map_or(now, |waits| waits.since));
            let since = if request.is_urgent { since - i64::from(patience) } else { since };
            line.push(InLine { since, id: mind.id, group: at as u32, awake: place as u32 });
        }
    }
    let budget = budget as usize;
    if line.len() > budget {
        if budget > 0 {
            line.select_nth_unstable(budget - 1);
        }
        line.truncate(budget);
    }
    for turn in line {
        groups[turn.group as usize].halfway.awake[turn.awake as usize].may_ask = true;
    }
}

/// The second half for a group.
pub(crate) fn second_half<W: ?Sized>(group: &mut Group, context: &Context<'_, W>) {
    let Group { minds, scratch, outbox, halfway: Halfway { awake, early }, .. } = group;
    let (mut events, mut shares) = (early.events.drain(..), early.shares.drain(..));
    let (mut n_events, mut n_shares) = (0, 0);
    for awake in awake.iter() {
        // In the order in which they would be without halves.
        outbox.events.extend(events.by_ref().take((awake.events - n_events) as usize));
        outbox.shares.extend(shares.by_ref().take((awake.shares - n_shares) as usize));
        (n_events, n_shares) = (awake.events, awake.shares);
        let mind = &mut minds[awake.at as usize];
        let mut tick = MindTick { mind, context, outbox };
        tick.second_half(awake.request.as_ref(), awake.may_ask, scratch);
    }
    drop((events, shares));
    outbox.read.append(&mut early.read);
    outbox.filed += take(&mut early.filed);
    outbox.mistakes.append(&mut early.mistakes);
    for (sum, cost) in outbox.costs.iter_mut().zip(&mut early.costs) {
        *sum += take(cost);
    }
}
