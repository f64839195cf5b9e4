//! Asks the planner for every state; what counts is swept instead.
//!
//! In:   a question, the space of states, a pool, limits.
//! Out:  the table, its plans in the arena.
//! Cost: one plan per state, on all threads; each thread keeps equal plans once, so memory is
//!       four bytes per state and the different plans.
//!
//! Threads take blocks of states as they come, and number plans for themselves. At the end one
//! thread walks the states in order and gives the final numbers, so these do not depend on who
//! answered what.

use super::{PolicyTable, TableError, TableLimits, TableQuestion, sweep};
use crate::plans::{PlanId, PlanStore};
use crate::pool::Pool;
use crate::space::Space;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use throng_domain::compile::PackedValue;
use throng_planner::replay::replay;
use throng_planner::topological::SmallProblem;
use throng_planner::{Call, Limit, Outcome, Problem, SearchBudget, Solver};

/// States that a thread takes at a time: many for what is fast, few enough to share what is slow.
const BLOCK: usize = 256;

/// How often progress is told, at most; fewer for small tables.
const REPORTS: usize = 100;

/// States of one block, answered by one lane.
struct Block<'b> {
    first: u64,
    lane: usize,
    /// How many nodes search may still expand here. Each block has its share, so that no number
    /// of threads expands more than all may, and the verdict is the same for any.
    nodes: u64,
    /// The lane's own numbers of plans.
    ids: &'b mut [u32],
}

/// What a thread works with.
struct Lane {
    number: usize,
    solver: Solver,
    problem: Problem,
    start: Vec<PackedValue>,
    state: Vec<PackedValue>,
    /// Equal plans once.
    plans: PlanStore,
}

/// What all threads know of each other.
struct Progress {
    lanes: Mutex<Vec<Lane>>,
    n_lanes: AtomicUsize,
    ended: AtomicBool,
    why: Mutex<Option<TableError>>,
}

/// Builds a table, and tells how many nodes search expanded; if it was too much, how many it might
/// have.
pub(crate) fn build(
    question: &TableQuestion<'_>,
    space: &Space,
    plans: &mut PlanStore,
    pool: &Pool,
    limits: &TableLimits<'_>,
    progress: &dyn Fn(u64, u64),
) -> (Result<PolicyTable, TableError>, u64) {
    if !question.has_known_goal() {
        return (Err(TableError::ForeignGoal), 0);
    }
    let states = space.n_states();
    let allowed = states.filter(|&states| states <= limits.states);
    let Some(n_states) = allowed.and_then(|states| usize::try_from(states).ok()) else {
        return (Err(TableError::TooManyStates { states, limit: limits.states }), 0);
    };
    if sweep::counts(question)
        && let Some(swept) = sweep::sweep(question, space, plans, limits, progress)
    {
        return swept;
    }
    let total = n_states as u64;
    let asking = Asking::new(question, space, limits);
    let mut ids = vec![PlanId::UNPLANNED.0; n_states];
    let firsts = (0..).step_by(BLOCK);
    let blocks = ids.chunks_mut(BLOCK).zip(firsts);
    let block = |(ids, first): (_, u64)| {
        let end = (first + BLOCK as u64).min(total);
        let nodes = share_of(limits.nodes, end, total) - share_of(limits.nodes, first, total);
        Block { first, lane: 0, nodes, ids }
    };
    let mut blocks: Vec<Block<'_>> = blocks.map(block).collect();
    let at_a_time = blocks.len().div_ceil(REPORTS).max(pool.threads() * 2);
    let mut done = 0;
    progress(0, total);
    for some in blocks.chunks_mut(at_a_time) {
        pool.each(some, &|_, block| asking.answer_block(block));
        if let Some(why) = *hold(&asking.progress.why) {
            // Who was stopped how far depends on threads; no more than this it was.
            return (Err(why), limits.nodes);
        }
        done += some.iter().map(|block| block.ids.len() as u64).sum::<u64>();
        progress(done, total);
    }
    let mut used = Vec::new();
    let lanes = asking.progress.lanes.into_inner().unwrap_or_else(PoisonError::into_inner);
    if !renumber(&mut blocks, &lanes, plans, &mut used, limits.bytes) {
        return (Err(TableError::TooMuchMemory { limit: limits.bytes }), limits.nodes);
    }
    let left: u64 = blocks.iter().map(|block| block.nodes).sum();
    (Ok(PolicyTable::of_ids(ids, used)), limits.nodes - left)
}

/// What of `nodes` the first `some` of `all` states may take.
fn share_of(nodes: u64, some: u64, all: u64) -> u64 {
    (u128::from(nodes) * u128::from(some) / u128::from(all.max(1))) as u64
}

fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From each lane's own numbers to those of the arena, in the order of states. `false`, and the
/// arena as it was, if its plans would need more than `most` bytes.
fn renumber(
    blocks: &mut [Block<'_>],
    lanes: &[Lane],
    plans: &mut PlanStore,
    used: &mut Vec<PlanId>,
    most: usize,
) -> bool {
    let mut made = Vec::new();
    let mut known: Vec<Vec<u32>> = vec![Vec::new(); lanes.len()];
    for lane in lanes {
        // What is no plan keeps its number; of plans none is known yet.
        let all = 0..=lane.plans.max_id().0;
        known[lane.number] = all.map(|id| if PlanId(id).is_plan() { 0 } else { id }).collect();
    }
    let mut lane_of: Vec<&Lane> = lanes.iter().collect();
    lane_of.sort_unstable_by_key(|lane| lane.number);
    let mut is_used = Vec::new();
    for block in blocks {
        let (known, own) = (&mut known[block.lane], &lane_of[block.lane].plans);
        for id in block.ids.iter_mut() {
            let place = &mut known[*id as usize];
            if *place == PlanId::UNPLANNED.0 {
                let plan = PlanId(*id);
                let n_before = plans.n_plans();
                let number = plans.intern(own.actions(plan), own.cost(plan));
                plans.pin(number);
                if plans.n_plans() > n_before {
                    made.push(number);
                }
                if plans.live_bytes() > most {
                    made.into_iter().for_each(|number| plans.take_back(number));
                    return false;
                }
                *place = number.0;
                is_used.resize(is_used.len().max(number.index() + 1), false);
                if !std::mem::replace(&mut is_used[number.index()], true) {
                    used.push(number);
                }
            }
            *id = *place;
        }
    }
    true
}

/// One question, asked by many threads.
struct Asking<'a> {
    question: &'a TableQuestion<'a>,
    space: &'a Space,
    limits: &'a TableLimits<'a>,
    problem: Problem,
    progress: Progress,
}

impl<'a> Asking<'a> {
    fn new(question: &'a TableQuestion<'a>, space: &'a Space, limits: &'a TableLimits<'a>) -> Self {
        let progress = Progress {
            lanes: Mutex::default(),
            n_lanes: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            why: Mutex::default(),
        };
        let problem = question.problem(space).without_reasons();
        Asking { question, space, limits, problem, progress }
    }

    fn new_lane(&self) -> Lane {
        Lane {
            number: self.progress.n_lanes.fetch_add(1, Ordering::Relaxed),
            solver: Solver::default(),
            problem: self.problem.clone(),
            start: self.problem.start().to_vec(),
            state: Vec::new(),
            plans: PlanStore::new(),
        }
    }

    fn answer_block(&self, block: &mut Block<'_>) {
        let free = hold(&self.progress.lanes).pop();
        let mut lane = free.unwrap_or_else(|| self.new_lane());
        block.lane = lane.number;
        let stop = || self.limits.stop.is_some_and(|stop| stop());
        if stop() {
            self.end(TableError::Stopped);
        }
        for (at, id) in block.ids.iter_mut().enumerate() {
            if self.progress.ended.load(Ordering::Relaxed) {
                break;
            }
            match self.answer(&mut lane, block.first + at as u64, &mut block.nodes) {
                Ok(plan) => *id = plan.0,
                Err(why) => self.end(why),
            }
        }
        hold(&self.progress.lanes).push(lane);
    }

    /// Nobody needs to go on; the first to say why is heard.
    fn end(&self, why: TableError) {
        hold(&self.progress.why).get_or_insert(why);
        self.progress.ended.store(true, Ordering::Relaxed);
    }

    /// The plan of a state, in the lane's numbers.
    fn answer(&self, lane: &mut Lane, index: u64, nodes: &mut u64) -> Result<PlanId, TableError> {
        let kind = self.question.kind();
        self.space.state_at(index, &mut lane.start);
        lane.problem.set_start(kind, &lane.start);
        let outside = lane.problem.outside_holds();
        if outside && lane.problem.is_goal(&lane.start) {
            return Ok(PlanId::SATISFIED);
        }
        // The straight way for small types, which the single planner takes too.
        if !outside || !lane.plan_by_words(self.question) {
            match self.solve(lane, nodes) {
                Outcome::Satisfied => return Ok(PlanId::SATISFIED),
                Outcome::Impossible(_) => return Ok(PlanId::IMPOSSIBLE),
                Outcome::GaveUp(Limit::Stopped) => return Err(TableError::Stopped),
                Outcome::GaveUp(_) => return Err(self.too_much()),
                Outcome::Plan { .. } => {}
            }
        }
        let Lane { solver, problem, state, plans, .. } = lane;
        let wrong = TableError::WrongPlan { state: index };
        let cost = replay(kind, problem, &solver.plan, state).ok_or(wrong)?;
        let id = plans.intern(&solver.plan, cost);
        // What one thread has all threads have together, so this does not depend on their number.
        match plans.live_bytes() <= self.limits.bytes {
            true => Ok(id),
            false => Err(TableError::TooMuchMemory { limit: self.limits.bytes }),
        }
    }

    fn too_much(&self) -> TableError {
        TableError::TooMuchSearch { limit: self.limits.nodes }
    }

    /// By the engine that suits, within the nodes that are left.
    fn solve(&self, lane: &mut Lane, nodes: &mut u64) -> Outcome {
        let stop = self.limits.stop;
        let ended = || self.progress.ended.load(Ordering::Relaxed);
        let stop = || ended() || stop.is_some_and(|stop| stop());
        let budget = SearchBudget { nodes: *nodes, stop: Some(&stop), ..SearchBudget::DEFAULT };
        lane.solver.begin();
        let call = Call::new(self.question.domain, &lane.problem).budget(budget);
        let outcome = lane.solver.solve(&call);
        *nodes = nodes.saturating_sub(lane.solver.used());
        outcome
    }
}

impl Lane {
    /// `false` leaves the answer to others.
    fn plan_by_words(&mut self, question: &TableQuestion<'_>) -> bool {
        let Some(tables) = &question.domain.tables(question.npc).small_moves else { return false };
        let Lane { problem, solver, .. } = self;
        let small = SmallProblem::new(question.kind(), tables, &self.start, problem.goal());
        let enabled = problem.enabled().word();
        solver.solve_small(&SmallProblem { enabled, ..small }, None).is_some()
    }
}

#[cfg(test)]
mod tests;
