//! Rows served by the wide kernel: a plan computed for each, many at once.
//!
//! In:   rows that no table serves, each with its own state, goal and group.
//! Out:  plans as sets of positions in the type's word, or proofs that there is none; what the
//!       kernel leaves open goes on to the planner.
//! Cost: gathering a state, a goal and a mask per row, then a few instructions per thousand rows
//!       and rule.

use crate::columns::Part;
use crate::core::Core;
use crate::goals::{Choice, Goals, Verdict};
use crate::groups::Groups;
use crate::kind::Kind;
use crate::ledger::Remainder;
use crate::plans::PlanId;
use crate::settings::Frame;
use throng_domain::compile::{LocalAction, PackedValue, UNKNOWN};
use throng_planner::topological::wide::{
    LaneActions, LaneGoals as WhatTheyWant, LanePlans as Masks, LaneStates, Lanes, Wide, WideError,
    WideGoal, WideGoals, WideScratch,
};

/// Rows that are gathered before the kernel is asked.
const BATCH: usize = 4096;

/// With fewer rows than this a block of the kernel would be mostly empty: the planner is cheaper.
pub(crate) const FEWEST: usize = 8;

/// What making the kernel counts: about as many problems are tried.
const NODES_TO_MAKE: u64 = 200_000;

/// Positions of a plan in its mask; what is above says what came out.
const POSITIONS: u32 = (1 << 30) - 1;
const IMPOSSIBLE: u32 = 1;
const PLAN: u32 = 0;

/// The kernel of a type with the goals that it knows, and what parts gather for it.
#[derive(Debug, Default)]
pub(crate) struct WideWork {
    kernel: Kernel,
    gathered: Vec<Gathered>,
}

/// What all parts read.
#[derive(Debug, Default)]
struct Kernel {
    wide: Option<Wide>,
    /// Why the type cannot have one, once that was tried.
    why_not: Option<WideError>,
    /// By goal of the crowd: its position among the kernel's, if it is one for it.
    places: Vec<Option<u16>>,
    list: Vec<WideGoal>,
    goals: Option<WideGoals>,
    /// Some goals are choices among others.
    has_choices: bool,
    /// By group: the bits of its shared values, and the actions that are there.
    shared_bits: Vec<u64>,
    enabled: Vec<u64>,
    /// The actions that ask for amounts. These stand still, or there were no kernel; whether an
    /// action is there depends on those of a row.
    asking: Vec<LocalAction>,
}

/// What one part gathers.
#[derive(Debug, Default)]
struct Gathered {
    rows: Vec<u32>,
    /// One of each for a row; of a row that chooses one for each of its goals.
    words: Vec<u64>,
    goals: Vec<u16>,
    enabled: Vec<u64>,
    masks: Vec<u32>,
    state: Vec<PackedValue>,
    scratch: Option<Box<WideScratch>>,
}

impl WideWork {
    /// Makes the kernel if it is wanted and the type can have one; a second time does nothing.
    pub(crate) fn make(&mut self, core: &mut Core) {
        let kernel = &mut self.kernel;
        if core.settings.wide && !kernel.is_tried() {
            match Wide::new(core.kind.npc()) {
                Ok(wide) => {
                    core.book.word = wide.word().to_vec();
                    let npc = core.kind.npc();
                    let asks = |action: &LocalAction| {
                        !(npc.ranges(*action).is_empty() && npc.comparisons(*action).is_empty())
                    };
                    kernel.asking = npc.local_actions().filter(asks).collect();
                    kernel.wide = Some(wide);
                }
                Err(why) => kernel.why_not = Some(why),
            }
        }
    }

    /// Whether there is a kernel.
    pub(crate) fn is_made(&self) -> bool {
        self.kernel.wide.is_some()
    }

    /// Why the type cannot have one; `None` if it can, or was not tried.
    pub(crate) fn why_not(&self) -> Option<WideError> {
        self.kernel.why_not
    }

    pub(crate) fn bytes(&self) -> usize {
        let Kernel { shared_bits, enabled, places, .. } = &self.kernel;
        8 * (shared_bits.capacity() + enabled.capacity())
            + 2 * places.capacity()
            + self.gathered.iter().map(Gathered::bytes).sum::<usize>()
    }

    /// Answers the rows that the wide kernel can answer. In a frame that can afford it the kernel
    /// is made if it is not there; others leave that to `prepare`.
    pub(crate) fn serve(&mut self, core: &mut Core, frame: &mut Frame) {
        // Its plans need four bytes. Where tables serve most, two are kept, and the few rows that
        // have no table yet go to the planner.
        let has_tables = core.columns.is_narrow() && core.groups.situations.table_bytes() > 0;
        if has_tables || core.turns.serve.count() < FEWEST {
            return;
        }
        if !self.kernel.is_tried() {
            // Who cannot have it is told so at once.
            let price = if may_be_wide(core) { NODES_TO_MAKE } else { 0 };
            if frame.nodes < price {
                return;
            }
            frame.use_nodes(price);
            self.make(core);
        }
        if !self.is_made() {
            return;
        }
        let Core { kind, pool, goals, groups, columns, turns, book, parts, .. } = core;
        self.kernel.learn(goals);
        self.kernel.look_at(groups, kind);
        columns.widen();
        let (kernel, goals, kind) = (&self.kernel, &*goals, &*kind);
        let rows = (columns, &mut turns.serve);
        let report = &mut frame.report;
        parts.each((pool, 0), rows, book, report, &mut self.gathered, &|part, gathered| {
            kernel.serve(part, gathered, goals, kind);
        });
    }
}

/// Whether it is worth to try.
fn may_be_wide(core: &Core) -> bool {
    core.settings.wide && core.kind.npc().layout().n_words() == 1 && core.kind.has_one_way()
}

impl Kernel {
    /// Whether the type has one, or cannot.
    fn is_tried(&self) -> bool {
        self.wide.is_some() || self.why_not.is_some()
    }

    /// Learns goals that came since it was last asked.
    fn learn(&mut self, goals: &Goals) {
        let Some(wide) = &self.wide else { return };
        if self.places.len() == goals.len() {
            return;
        }
        self.has_choices = (0..goals.len() as u16).any(|goal| goals.choice(goal).is_some());
        for goal in self.places.len() as u16..goals.len() as u16 {
            // What the type does not touch is not for the kernel to say; of a choice its goals are.
            let is_own = goals.is_own(goal) && goals.choice(goal).is_none();
            // It knows no amounts either.
            let facts = goals.local_facts(goal).filter(|_| is_own);
            let wanted = facts.and_then(|facts| wide.goal(facts).ok());
            self.places.push(wanted.is_some().then_some(self.list.len() as u16));
            self.list.extend(wanted);
        }
        self.goals = wide.goals(&self.list).ok();
    }

    /// Looks at what groups share and may do now.
    fn look_at(&mut self, groups: &Groups, kind: &Kind) {
        let layout = kind.npc().layout();
        self.shared_bits.clear();
        self.enabled.clear();
        for group in 0..groups.len() {
            let shared = kind.space().shared().iter().map(|variable| variable.index());
            let bits = shared.map(|at| layout.field_bits(at, groups.shared(group)[at]));
            self.shared_bits.push(bits.fold(0, |all, bits| all | bits));
            let now = groups.situations.get(groups.situation(group));
            self.enabled.push(now.enabled.word());
        }
    }

    /// The actions that the amounts of a state allow. `state` is working memory.
    fn allowed(&self, word: u64, kind: &Kind, state: &mut [PackedValue]) -> u64 {
        if self.asking.is_empty() {
            return u64::MAX;
        }
        let npc = kind.npc();
        npc.layout().unpack(&[word], state);
        let gone = self.asking.iter().filter(|&&action| !npc.standing_allows(action, state));
        !gone.fold(0, |all, action| all | 1 << action.0)
    }

    /// The choice that a goal is, if there are any.
    fn choice<'g>(&self, goals: &'g Goals, goal: u16) -> Option<&'g Choice> {
        self.has_choices.then(|| goals.choice(goal)).flatten()
    }

    fn serve(&self, part: &mut Part<'_>, gathered: &mut Gathered, goals: &Goals, kind: &Kind) {
        gathered.clear();
        gathered.state.resize(kind.npc().variables().len(), UNKNOWN);
        let place = |goal: u16| self.places[usize::from(goal)];
        for word in 0..part.n_words() {
            for row in part.rows(word) {
                let (goal, group) = (part.goal(row), part.group(row));
                let choice = self.choice(goals, goal);
                let is_known = match choice {
                    None => place(goal).is_some(),
                    Some(choice) => choice.parts().all(|part| place(part).is_some()),
                };
                if !is_known {
                    continue;
                }
                let Some(word) = part.word(row, kind, &mut gathered.state) else { continue };
                let word = word | self.shared_bits[group];
                let enabled = self.enabled[group] & self.allowed(word, kind, &mut gathered.state);
                gathered.rows.push(row as u32);
                match choice {
                    None => gathered.add(word, enabled, place(goal)),
                    Some(choice) => {
                        choice.parts().for_each(|part| gathered.add(word, enabled, place(part)));
                    }
                }
            }
            if gathered.words.len() >= BATCH {
                self.answer(part, gathered, goals, kind);
            }
        }
        if !gathered.rows.is_empty() {
            self.answer(part, gathered, goals, kind);
        }
    }

    /// Answers what was gathered.
    fn answer(&self, part: &mut Part<'_>, gathered: &mut Gathered, goals: &Goals, kind: &Kind) {
        if let (Some(wide), Some(wanted)) = (&self.wide, &self.goals)
            && gathered.ask(wide, wanted)
        {
            let cost = |mask: u32| {
                let steps = Remainder::Word { word: wide.word(), left: mask & POSITIONS };
                steps.map(|action| kind.npc().cost(action)).sum()
            };
            let mut masks = &gathered.masks[..];
            for &row in &gathered.rows {
                let choice = self.choice(goals, part.goal(row as usize));
                let n = choice.map_or(1, |choice| choice.parts().count());
                let (mine, others) = masks.split_at(n);
                masks = others;
                let came = match choice {
                    None => verdict(mine[0]),
                    Some(choice) => choice.decide(|at| verdict(mine[at]), cost),
                };
                let id = match came {
                    Verdict::Holds => PlanId::SATISFIED.0,
                    Verdict::Plan(mask) => Remainder::of_word(mask & POSITIONS),
                    Verdict::Impossible => PlanId::IMPOSSIBLE.0,
                    Verdict::Open => continue,
                };
                part.compute(row as usize, id);
            }
        }
        gathered.clear();
    }
}

/// What a mask says.
fn verdict(mask: u32) -> Verdict<u32> {
    match mask >> 30 {
        PLAN if mask == 0 => Verdict::Holds,
        PLAN => Verdict::Plan(mask),
        IMPOSSIBLE => Verdict::Impossible,
        _ => Verdict::Open,
    }
}

impl Gathered {
    fn bytes(&self) -> usize {
        8 * (self.words.capacity() + self.enabled.capacity())
            + 4 * (self.rows.capacity() + self.masks.capacity())
            + 2 * self.goals.capacity()
            + self.scratch.as_ref().map_or(0, |scratch| size_of_val(&**scratch))
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.words.clear();
        self.goals.clear();
        self.enabled.clear();
    }

    /// A state and a goal of the kernel's.
    fn add(&mut self, word: u64, enabled: u64, goal: Option<u16>) {
        self.words.push(word);
        self.goals.extend(goal);
        self.enabled.push(enabled);
    }

    /// Computes a mask for each state; whether the kernel could.
    fn ask(&mut self, wide: &Wide, goals: &WideGoals) -> bool {
        let Gathered { words, goals: wants, enabled, masks, scratch, .. } = self;
        masks.clear();
        masks.resize(words.len(), 0);
        let lanes = Lanes {
            states: LaneStates::Words(words),
            goals: WhatTheyWant::Each(goals, wants),
            enabled: LaneActions::Each(enabled),
        };
        let scratch = scratch.get_or_insert_default();
        wide.plan_many(&lanes, Masks::Masks32(masks), scratch).is_ok()
    }
}
