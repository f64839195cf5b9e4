//! Why a plan is as it is: what each step needs and where that comes from, what it enables.
//!
//! In:   a problem and a plan for it.
//! Out:  per step, a source for every need and a use for every change that matters.
//! Cost: one pass over the plan with a table of the variables.

use crate::problem::Problem;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables};

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CauseSource {
    /// It held at the start.
    Start,
    /// The step with this index set it.
    Step(usize),
}

/// What a value is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// The step with this index needs it.
    Step(usize),
    /// The goal wants it.
    Goal,
}

/// The causes around one step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Causes {
    /// What it needs, and where each comes from.
    pub needs: Vec<(LocalFact, CauseSource)>,
    /// What it brings about that is used later, and for what.
    pub enables: Vec<(LocalFact, Use)>,
}

/// The causes around every step of a plan.
pub fn causes(npc: &NpcTables, problem: &Problem, plan: &[LocalAction]) -> Vec<Causes> {
    let mut steps: Vec<Causes> = vec![Causes::default(); plan.len()];
    // Who last set each variable.
    let mut set_by: Vec<CauseSource> = vec![CauseSource::Start; problem.start().len()];
    for (at, &action) in plan.iter().enumerate() {
        for &need in npc.needs(action) {
            let source = set_by[need.variable.index()];
            steps[at].needs.push((need, source));
            if let CauseSource::Step(before) = source {
                steps[before].enables.push((need, Use::Step(at)));
            }
        }
        for set in npc.sets(action) {
            set_by[set.variable.index()] = CauseSource::Step(at);
        }
    }
    for &wanted in problem.goal() {
        if let CauseSource::Step(before) = set_by[wanted.variable.index()] {
            steps[before].enables.push((wanted, Use::Goal));
        }
    }
    steps
}
