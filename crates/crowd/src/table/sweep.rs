//! The table of a question that counts, by one sweep from the goal back over all states.
//!
//! In:   a question, the space of states, limits.
//! Out:  the table: of every state a cheapest plan, or that there is none.
//! Cost: that of Dijkstra's algorithm over the states, which are the private ones times the values
//!       that actions give to shared variables; sixteen bytes each while it runs. Asking for every
//!       state by itself would take a search each.
//!
//! Each state has one step of a cheapest plan and the state behind it, so its plan is that step and
//! the plan behind it; every step is tried before it is written down. Other plans of the same price
//! are as good, and another source may give one of them.

use super::{PolicyTable, TableError, TableLimits, TableQuestion};
use crate::plans::{PlanId, PlanStore};
use crate::space::Space;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_base::Rows;
use throng_domain::amounts::ValueSet;
use throng_domain::compile::{LocalAction, LocalVariable, NpcTables, PackedValue, UNKNOWN};
use throng_planner::preferences::{PreferenceScratch, honour};
use throng_planner::{ActionMask, Problem};

/// So many times the states that a table may have are swept over, shared values included.
const MOST_SWEPT: u64 = 2;

/// After so many states somebody asks whether to go on.
const EVERY: usize = 1 << 14;

/// No state, or no action.
const NONE: u32 = u32::MAX;

/// Whether a question counts, so that a sweep answers it.
pub(super) fn counts(question: &TableQuestion<'_>) -> bool {
    let (npc, goal) = (question.kind(), question.goal);
    let mut enabled = ActionMask::default();
    enabled.fill_enabled(npc, question.checks, question.forbidden);
    let counts = |action: LocalAction| enabled.has(action) && npc.counts(action);
    !(goal.ranges.is_empty() && goal.comparisons.is_empty()) || npc.local_actions().any(counts)
}

/// Builds the table of a question that counts, and tells how many states it looked at beside the
/// private ones; `None` if there are too many of these.
pub(super) fn sweep(
    question: &TableQuestion<'_>,
    space: &Space,
    plans: &mut PlanStore,
    limits: &TableLimits<'_>,
    progress: &dyn Fn(u64, u64),
) -> Option<(Result<PolicyTable, TableError>, u64)> {
    let ground = Ground::new(question, space, limits.states.saturating_mul(MOST_SWEPT))?;
    let more = ground.n_states as u64 - ground.n_private as u64;
    if more > limits.nodes {
        let limit = limits.nodes;
        return Some((Err(TableError::TooMuchSearch { limit }), limits.nodes));
    }
    let mut steps = match Steps::new(&ground, limits, progress) {
        Ok(steps) => steps,
        Err(why) => return Some((Err(why), limits.nodes)),
    };
    Some((steps.table(&ground, plans, limits, progress), more))
}

/// How a variable is written in the number of a state.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// By how much the number grows with the value; 0 if the variable stands still.
    weight: u32,
    n_values: PackedValue,
    /// How many values it can have, unknown counted if it can be.
    size: u32,
}

impl Place {
    fn value(self, code: u32) -> PackedValue {
        if code < u32::from(self.n_values) { code as PackedValue } else { UNKNOWN }
    }
}

/// What is swept over: the states, and the actions backwards.
struct Ground<'q> {
    question: &'q TableQuestion<'q>,
    problem: Problem,
    places: Vec<Place>,
    /// A state with the values of what stands still.
    still: Vec<PackedValue>,
    n_private: usize,
    n_states: usize,
    /// What the shared values of the question add to the number of a private state.
    shared: u32,
    actions: Vec<Backward>,
}

/// An action, from what it leads to.
struct Backward {
    action: LocalAction,
    cost: u64,
    /// What must hold before it, and after it as well.
    keeps: Vec<(LocalVariable, ValueSet)>,
    moves: Vec<Move>,
}

/// A variable that an action changes.
struct Move {
    variable: LocalVariable,
    /// By what it is after it, in codes: what it may have been before.
    before: Rows<u32>,
}

impl<'q> Ground<'q> {
    /// `None` if there are more than `most` states.
    fn new(question: &'q TableQuestion<'q>, space: &Space, most: u64) -> Option<Ground<'q>> {
        let (npc, problem) = (question.kind(), question.problem(space).without_reasons());
        let mut enabled = ActionMask::default();
        enabled.fill_enabled(npc, question.checks, question.forbidden);
        let still = problem.start().to_vec();
        let n_private = space.n_states()?;
        let (mut n_states, mut shared) = (n_private, 0u64);
        let mut places = Vec::with_capacity(still.len());
        for variable in npc.local_variables() {
            let n_values = npc.n_values(variable) as PackedValue;
            let mut place = Place { weight: 0, n_values, size: u32::from(n_values) };
            if !space.is_shared(variable) {
                place.weight = u32::try_from(space.weight(variable)).ok()?;
            } else if is_changed(npc, &enabled, variable) {
                let value = still[variable.index()];
                place.size += u32::from(value == UNKNOWN);
                place.weight = u32::try_from(n_states).ok()?;
                // The code of what is unknown is the highest.
                shared += n_states * u64::from(value.min(n_values));
                n_states = n_states.checked_mul(place.size.into()).filter(|&n| n <= most)?;
            }
            places.push(place);
        }
        // The highest number stands for none.
        let n_states = u32::try_from(n_states).ok().filter(|&n| n < NONE)? as usize;
        let actions = npc.local_actions().filter(|&action| enabled.has(action));
        let backward = |action| Backward::new(npc, &places, &still, action);
        let actions = actions.filter_map(backward).collect();
        let (n_private, shared) = (n_private as usize, shared as u32);
        Some(Ground { question, problem, places, still, n_private, n_states, shared, actions })
    }

    /// Writes the state of a number, in values and in codes.
    fn read(&self, number: u32, state: &mut [PackedValue], codes: &mut [u32]) {
        for (at, place) in self.places.iter().enumerate().filter(|(_, place)| place.weight > 0) {
            codes[at] = number / place.weight % place.size;
            state[at] = place.value(codes[at]);
        }
    }

    /// The number of a state.
    fn number(&self, state: &[PackedValue]) -> u32 {
        let code = |(place, &value): (&Place, &PackedValue)| {
            place.weight * u32::from(value.min(place.n_values))
        };
        self.places.iter().zip(state).map(code).sum()
    }
}

/// Whether an action that is there changes a variable.
fn is_changed(npc: &NpcTables, enabled: &ActionMask, variable: LocalVariable) -> bool {
    npc.local_actions().filter(|&action| enabled.has(action)).any(|action| {
        npc.sets(action).iter().any(|set| set.variable == variable)
            || npc.shifts(action).iter().any(|shift| shift.variable == variable)
    })
}

impl Backward {
    /// `None` if it asks for what stands still and is otherwise.
    fn new(
        npc: &NpcTables,
        places: &[Place],
        still: &[PackedValue],
        action: LocalAction,
    ) -> Option<Backward> {
        let facts = npc.needs(action).iter().map(|it| (it.variable, ValueSet::one(it.value)));
        let ranges = npc.ranges(action).iter().map(|it| (it.variable, it.values));
        let needs: Vec<(LocalVariable, ValueSet)> = facts.chain(ranges).collect();
        let need = |variable: LocalVariable| {
            needs.iter().find(|(of, _)| *of == variable).map(|(_, values)| values)
        };
        // What a variable is after the action, by what it was before.
        type After<'a> = Box<dyn Fn(PackedValue) -> Option<PackedValue> + 'a>;
        let sets = npc.sets(action).iter().map(|set| {
            let after: After<'_> = Box::new(|_| Some(set.value));
            (set.variable, after)
        });
        let shifts = npc.shifts(action).iter().map(|shift| {
            let after: After<'_> = Box::new(|value| npc.shifted(*shift, value));
            (shift.variable, after)
        });
        let moves: Vec<Move> = sets
            .chain(shifts)
            .map(|(variable, after)| {
                let place = places[variable.index()];
                let allowed =
                    |value: &PackedValue| need(variable).is_none_or(|set| set.has(*value));
                let pairs = (0..place.size).filter_map(|code| {
                    let before = Some(place.value(code)).filter(allowed)?;
                    Some((usize::from(after(before)?), code))
                });
                let before = Rows::from_pairs(place.size as usize, pairs);
                Move { variable, before }
            })
            .collect();
        let is_moved = |variable: LocalVariable| moves.iter().any(|it| it.variable == variable);
        let (varying, fixed): (Vec<_>, Vec<_>) =
            needs.iter().partition(|(variable, _)| places[variable.index()].weight > 0);
        let holds = fixed.iter().all(|(variable, set)| set.has(still[variable.index()]));
        let keeps = varying.into_iter().filter(|(variable, _)| !is_moved(*variable)).collect();
        holds.then_some(Backward { action, cost: npc.cost(action), keeps, moves })
    }

    /// Calls `each` with the number of every state from which the action leads to a state, if what
    /// must stay holds there. `turns` is working memory.
    fn each_before<'b>(
        &'b self,
        (number, codes): (u32, &[u32]),
        places: &[Place],
        turns: &mut Vec<usize>,
        mut each: impl FnMut(u32),
    ) {
        let row = |it: &'b Move| it.before.row(codes[it.variable.index()] as usize);
        if self.moves.iter().any(|it| row(it).is_empty()) {
            return;
        }
        turns.clear();
        turns.resize(self.moves.len(), 0);
        loop {
            // Numbers of states are sums, so going around the highest one comes back.
            let steps = self.moves.iter().zip(&*turns).map(|(it, &turn)| {
                let at = it.variable.index();
                places[at].weight.wrapping_mul(row(it)[turn].wrapping_sub(codes[at]))
            });
            each(steps.fold(number, u32::wrapping_add));
            // The next of all combinations.
            let mut next = self.moves.iter().zip(&mut *turns);
            let is_over = next.all(|(it, turn)| {
                *turn = if *turn + 1 < row(it).len() { *turn + 1 } else { 0 };
                *turn == 0
            });
            if is_over {
                return;
            }
        }
    }
}

/// Of every state the next step of a cheapest plan.
struct Steps {
    /// What the whole plan costs; the highest number if there is none.
    cost: Vec<u64>,
    action: Vec<u32>,
    next: Vec<u32>,
}

impl Steps {
    /// Sweeps from the goal back.
    fn new(
        ground: &Ground<'_>,
        limits: &TableLimits<'_>,
        progress: &dyn Fn(u64, u64),
    ) -> Result<Steps, TableError> {
        let n = ground.n_states;
        let mut steps =
            Steps { cost: vec![u64::MAX; n], action: vec![NONE; n], next: vec![NONE; n] };
        let mut open = steps.begin(ground);
        let npc = ground.question.kind();
        let (mut state, mut codes) = (ground.still.clone(), vec![0; ground.still.len()]);
        let (mut before, mut turns) = (ground.still.clone(), Vec::new());
        let mut spare = codes.clone();
        let mut n_seen = 0;
        while let Some(Reverse((cost, number))) = open.pop() {
            if steps.cost[number as usize] < cost {
                continue;
            }
            go_on(n_seen, 0, ground.n_private, limits, progress)?;
            n_seen += 1;
            ground.read(number, &mut state, &mut codes);
            for backward in &ground.actions {
                let holds = |(at, set): &(LocalVariable, ValueSet)| set.has(state[at.index()]);
                if !backward.keeps.iter().all(holds) {
                    continue;
                }
                let cost = cost.saturating_add(backward.cost);
                let comparisons = npc.comparisons(backward.action);
                backward.each_before((number, &codes), &ground.places, &mut turns, |from| {
                    if cost >= steps.cost[from as usize] {
                        return;
                    }
                    if !comparisons.is_empty() {
                        ground.read(from, &mut before, &mut spare);
                        if !comparisons.iter().all(|it| it.holds(&before)) {
                            return;
                        }
                    }
                    steps.cost[from as usize] = cost;
                    steps.action[from as usize] = backward.action.0;
                    steps.next[from as usize] = number;
                    open.push(Reverse((cost, from)));
                });
            }
        }
        Ok(steps)
    }

    /// The states in which the goal holds.
    fn begin(&mut self, ground: &Ground<'_>) -> BinaryHeap<Reverse<(u64, u32)>> {
        let mut problem = ground.problem.clone();
        let compares = !ground.question.goal.comparisons.is_empty();
        let (mut state, mut codes) = (ground.still.clone(), vec![0; ground.still.len()]);
        let mut open = Vec::new();
        for number in 0..ground.n_states as u32 {
            ground.read(number, &mut state, &mut codes);
            if compares {
                problem.set_start(ground.question.kind(), &state);
            }
            if problem.is_goal(&state) && problem.outside_holds() {
                self.cost[number as usize] = 0;
                open.push(Reverse((0, number)));
            }
        }
        open.into()
    }

    /// Whether a state's step can be done there, and leads to the next.
    fn is_right(&self, ground: &Ground<'_>, number: u32, work: &mut [PackedValue]) -> bool {
        let npc = ground.question.kind();
        let action = LocalAction(self.action[number as usize]);
        let right = npc.can_run(action, work);
        npc.run(action, work);
        right && ground.number(work) == self.next[number as usize]
    }

    /// The plans of all private states, with the shared values of the question.
    fn table(
        &mut self,
        ground: &Ground<'_>,
        plans: &mut PlanStore,
        limits: &TableLimits<'_>,
        progress: &dyn Fn(u64, u64),
    ) -> Result<PolicyTable, TableError> {
        let npc = ground.question.kind();
        let (mut state, mut codes) = (ground.still.clone(), vec![0; ground.still.len()]);
        for number in (0..ground.n_states as u32).filter(|&at| self.next[at as usize] != NONE) {
            ground.read(number, &mut state, &mut codes);
            if !self.is_right(ground, number, &mut state) {
                return Err(TableError::WrongPlan { state: number.into() });
            }
        }
        let mut kept = Kept { plans, made: Vec::new(), used: Vec::new(), is_used: Vec::new() };
        let (mut ids, mut plan) = (Vec::with_capacity(ground.n_private), Vec::new());
        let (mut problem, mut scratch) = (ground.problem.clone(), PreferenceScratch::default());
        for index in 0..ground.n_private {
            if let Err(why) = go_on(index, index, ground.n_private, limits, progress) {
                kept.give_back();
                return Err(why);
            }
            let first = ground.shared + index as u32;
            let cost = self.cost[first as usize];
            if cost == 0 || cost == u64::MAX {
                let id = if cost == 0 { PlanId::SATISFIED } else { PlanId::IMPOSSIBLE };
                ids.push(id.0);
                continue;
            }
            self.walk(first, &mut plan);
            if !npc.preferences().is_empty() {
                ground.read(first, &mut state, &mut codes);
                problem.set_start(npc, &state);
                honour(npc, &problem, &mut plan, &mut scratch);
            }
            ids.push(kept.keep(&plan, cost).0);
            if kept.plans.live_bytes() > limits.bytes {
                kept.give_back();
                return Err(TableError::TooMuchMemory { limit: limits.bytes });
            }
        }
        progress(ground.n_private as u64, ground.n_private as u64);
        Ok(PolicyTable::of_ids(ids, kept.used))
    }

    /// The plan of a state.
    fn walk(&self, first: u32, plan: &mut Vec<LocalAction>) {
        plan.clear();
        let mut at = first as usize;
        while self.next[at] != NONE {
            plan.push(LocalAction(self.action[at]));
            at = self.next[at] as usize;
        }
    }
}

/// Plans that are kept for good, and which of them were not there before.
struct Kept<'p> {
    plans: &'p mut PlanStore,
    made: Vec<PlanId>,
    used: Vec<PlanId>,
    is_used: Vec<bool>,
}

impl Kept<'_> {
    fn keep(&mut self, plan: &[LocalAction], cost: u64) -> PlanId {
        let n_before = self.plans.n_plans();
        let id = self.plans.intern(plan, cost);
        self.plans.pin(id);
        if self.plans.n_plans() > n_before {
            self.made.push(id);
        }
        self.is_used.resize(self.is_used.len().max(id.index() + 1), false);
        if !std::mem::replace(&mut self.is_used[id.index()], true) {
            self.used.push(id);
        }
        id
    }

    /// Leaves the arena as it was.
    fn give_back(&mut self) {
        self.made.drain(..).for_each(|id| self.plans.take_back(id));
    }
}

/// Now and then tells how far it is, and asks whether to go on.
fn go_on(
    n_seen: usize,
    done: usize,
    all: usize,
    limits: &TableLimits<'_>,
    progress: &dyn Fn(u64, u64),
) -> Result<(), TableError> {
    if n_seen.is_multiple_of(EVERY) {
        progress(done as u64, all as u64);
        if limits.stop.is_some_and(|stop| stop()) {
            return Err(TableError::Stopped);
        }
    }
    Ok(())
}
