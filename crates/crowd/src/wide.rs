//! Rows served by the wide kernel: a plan computed for each, many at once.
//!
//! In:   rows that no table serves, each with its own state, goal and group.
//! Out:  plans as sets of positions in the type's word, or proofs that there is none; what the
//!       kernel leaves open goes on to the planner.
//! Cost: gathering a state, a goal and a mask per row, then a few instructions per thousand rows
//!       and rule.

mod choices;

use crate::crowd::Crowd;
use crate::following::Remainder;
use crate::goals::Goals;
use crate::ids::Ids;
use crate::plans::PlanId;
use crate::serve::{Part, Shared};
use crate::settings::Report;
use crate::states::Column;
use throng_base::ones;
use throng_domain::compile::{LocalAction, NpcType, UNKNOWN, Value};
use throng_planner::topological::wide::{
    Enabled, Goals as WhatTheyWant, Lanes, NotWide, Plans as Masks, States, Wide, WideGoal,
    WideGoals, WideScratch,
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

/// The kernel of a type with the goals that it knows.
#[derive(Debug, Default)]
pub(crate) struct WideWork {
    wide: Option<Wide>,
    /// Why the type cannot have one, once that was tried.
    why_not: Option<NotWide>,
    /// By goal of the crowd: its position among the kernel's, if it is one for it.
    places: Vec<Option<u16>>,
    list: Vec<WideGoal>,
    goals: Option<WideGoals>,
    /// Some goals are choices among others.
    has_choices: bool,
    /// By group: the bits of its shared values, and the actions that are there.
    shared_bits: Vec<u64>,
    enabled: Vec<u64>,
}

/// What one part gathers.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    rows: Vec<u32>,
    words: Vec<u64>,
    goals: Vec<u16>,
    enabled: Vec<u64>,
    masks: Vec<u32>,
    state: Vec<Value>,
    scratch: Option<Box<WideScratch>>,
}

impl WideWork {
    /// Makes the kernel if the type can have one; a second time does nothing.
    fn make(&mut self, npc: &NpcType) {
        if self.wide.is_none() && self.why_not.is_none() {
            match Wide::new(npc) {
                Ok(wide) => self.wide = Some(wide),
                Err(why) => self.why_not = Some(why),
            }
        }
    }

    /// Whether there is a kernel.
    pub(crate) fn is_made(&self) -> bool {
        self.wide.is_some()
    }

    /// Why the type cannot have one; `None` if it can, or was not tried.
    pub(crate) fn why_not(&self) -> Option<NotWide> {
        self.why_not
    }

    /// The word that plans of the kernel speak of; empty if there is none.
    pub(crate) fn word(&self) -> &[LocalAction] {
        self.wide.as_ref().map_or(&[], Wide::word)
    }

    /// Learns goals that came since it was last asked.
    fn learn(&mut self, goals: &Goals) {
        let Some(wide) = &self.wide else { return };
        if self.places.len() == goals.len() {
            return;
        }
        self.has_choices = (0..goals.len() as u16).any(|goal| goals.choice(goal).is_some());
        for number in self.places.len()..goals.len() {
            let goal = goals.get(number as u16);
            // What the type does not touch is not for the kernel to say; of a choice its goals are.
            let is_own = goal.local.len() == goal.facts.len() && goal.choice.is_none();
            let wanted = is_own.then(|| wide.goal(&goal.local).ok()).flatten();
            self.places.push(wanted.is_some().then_some(self.list.len() as u16));
            self.list.extend(wanted);
        }
        self.goals = wide.goals(&self.list).ok();
    }

    pub(crate) fn bytes(&self) -> usize {
        8 * (self.shared_bits.capacity() + self.enabled.capacity()) + 2 * self.places.capacity()
    }
}

impl Gathered {
    pub(crate) fn bytes(&self) -> usize {
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

    /// Computes a mask for each state; whether the kernel could.
    fn ask(&mut self, wide: &Wide, goals: &WideGoals) -> bool {
        let Gathered { words, goals: wants, enabled, masks, scratch, .. } = self;
        masks.clear();
        masks.resize(words.len(), 0);
        let lanes = Lanes {
            states: States::Words(words),
            goals: WhatTheyWant::Each(goals, wants),
            enabled: Enabled::Each(enabled),
        };
        let scratch = scratch.get_or_insert_default();
        wide.plan_many(&lanes, Masks::Masks32(masks), scratch).is_ok()
    }
}

impl Crowd {
    /// Makes the wide kernel of a type that is served by it.
    pub(crate) fn make_wide(&mut self) {
        if self.settings.wide {
            self.work.wide.make(self.domain.npc(self.npc));
        }
    }

    /// Whether it is worth to try.
    fn may_be_wide(&self) -> bool {
        let npc = self.kind();
        self.settings.wide && npc.layout().n_words() == 1 && npc.sole_setters().is_some()
    }

    /// Answers the rows that the wide kernel can answer. In a frame that can afford it the kernel
    /// is made if it is not there; others leave that to `prepare`.
    pub(crate) fn compute(&mut self, nodes: &mut u64, report: &mut Report) {
        // Its plans need four bytes. Where tables serve most, two are kept, and the few rows that
        // have no table yet go to the planner.
        let has_tables = matches!(self.ids, Ids::Narrow(_)) && self.groups.table_bytes() > 0;
        if has_tables || self.turns.serve.count() < FEWEST {
            return;
        }
        let is_tried = self.work.wide.is_made() || self.work.wide.why_not().is_some();
        if !is_tried {
            // Who cannot have it is told so at once.
            let price = if self.may_be_wide() { NODES_TO_MAKE } else { 0 };
            if *nodes < price {
                return;
            }
            *nodes -= price;
            report.nodes += price;
            self.make_wide();
        }
        if self.work.wide.wide.is_none() {
            return;
        }
        self.work.wide.learn(&self.goals);
        let layout = self.domain.npc(self.npc).layout();
        let WideWork { shared_bits, enabled, .. } = &mut self.work.wide;
        shared_bits.clear();
        enabled.clear();
        for group in &self.groups.list {
            let shared = self.space.shared().iter().map(|variable| variable.index());
            let bits = shared.map(|at| layout.field_bits(at, group.shared[at]));
            shared_bits.push(bits.fold(0, |all, bits| all | bits));
            enabled.push(self.groups.situation(group.now).enabled.word());
        }
        self.ids.widen();
        let wide = std::mem::take(&mut self.work.wide);
        self.each_part(report, &|part, shared| part.compute(shared, &wide));
        self.work.wide = wide;
    }
}

impl Shared<'_> {
    /// The packed private state of a row of a type whose states take one word; `None` if it is
    /// kept aside. `state` is working memory.
    fn word(&self, row: usize, state: &mut [Value]) -> Option<u64> {
        if let Column::Packed(words, _) = &self.states.column {
            return words.get(row).copied();
        }
        self.space.state_at(self.states.index(row)?, state);
        let own = self.space.private().iter().map(|variable| variable.index());
        let bits = own.map(|at| self.npc.layout().field_bits(at, state[at]));
        Some(bits.fold(0, |all, bits| all | bits))
    }
}

impl Part<'_> {
    fn compute(&mut self, shared: &Shared<'_>, work: &WideWork) {
        let (Some(wide), Some(goals)) = (&work.wide, &work.goals) else { return };
        let mut gathered = std::mem::take(&mut self.found.gathered);
        gathered.clear();
        let mut state = std::mem::take(&mut gathered.state);
        state.resize(shared.npc.variables().len(), UNKNOWN);
        for at in 0..self.serve.len() {
            for bit in ones(self.serve[at]) {
                let own = at * 64 + bit;
                let row = self.first + own;
                let Some(word) = shared.word(row, &mut state) else { continue };
                let Some(goal) = work.places[usize::from(shared.goal[row])] else { continue };
                let group = usize::from(shared.group[row]);
                gathered.rows.push(own as u32);
                gathered.words.push(word | work.shared_bits[group]);
                gathered.goals.push(goal);
                gathered.enabled.push(work.enabled[group]);
            }
            if gathered.rows.len() >= BATCH {
                self.compute_batch(shared, wide, goals, &mut gathered);
            }
        }
        if !gathered.rows.is_empty() {
            self.compute_batch(shared, wide, goals, &mut gathered);
        }
        gathered.state = state;
        if work.has_choices {
            self.compute_choices(shared, work, wide, goals, &mut gathered);
        }
        self.found.gathered = gathered;
    }

    fn compute_batch(
        &mut self,
        shared: &Shared<'_>,
        wide: &Wide,
        goals: &WideGoals,
        gathered: &mut Gathered,
    ) {
        if gathered.ask(wide, goals) {
            let Gathered { rows, masks, .. } = &*gathered;
            for (&own, &mask) in rows.iter().zip(masks) {
                let id = match mask >> 30 {
                    PLAN if mask == 0 => PlanId::SATISFIED.0,
                    PLAN => Remainder::of_word(mask & POSITIONS),
                    IMPOSSIBLE => PlanId::IMPOSSIBLE.0,
                    _ => continue,
                };
                self.found.report.computed += 1;
                self.answer(own as usize, id, shared);
            }
        }
        gathered.clear();
    }
}
