//! Plans for problems that nobody asked for: "what if" needs an answer, not a fast one.
//!
//! In:   a problem of any domain, varied ones included; a mode; a budget.
//! Out:  an outcome, and the plan.
//! Cost: that of the engine that serves the problem.

use crate::choose::{Engine, choose};
use crate::outcome::{Budget, Mode, Outcome};
use crate::problem::Problem;
use crate::relaxed::Relaxed;
use crate::topological::{self, Moves};
use crate::{forward, regressive};
use throng_domain::compile::{CompiledDomain, LocalAction};

/// The engines with their working memory.
#[derive(Debug, Default)]
pub struct Solver {
    moves: Moves,
    topological: topological::Scratch,
    regressive: regressive::Scratch,
    search: forward::Scratch,
    pub(super) relaxed: Relaxed,
    pub(super) plan: Vec<LocalAction>,
    /// States expanded, over all calls.
    pub(super) nodes: u64,
}

impl Solver {
    /// Plans from the beginning with the engine that serves the problem; what the search from the
    /// goal leaves open with half of the nodes is left to forward search.
    pub(super) fn solve(
        &mut self,
        domain: &CompiledDomain,
        problem: &Problem,
        mode: Mode,
        budget: &Budget<'_>,
    ) -> Outcome {
        let npc = problem.kind(domain);
        let plan = &mut self.plan;
        plan.clear();
        let mut left = *budget;
        let answer = match choose(npc, problem, &mut self.moves).0 {
            Engine::Topological => {
                let (moves, work) = (&self.moves, &mut self.topological);
                if let Some(outcome) = topological::decide(domain, problem, moves, work, plan) {
                    return outcome;
                }
                let search = &mut self.search;
                search.forget();
                topological::search(domain, problem, moves, mode, budget, work, search, plan)
            }
            Engine::Regressive => {
                let half = Budget { nodes: budget.nodes / 2, ..*budget };
                let work = &mut self.regressive;
                let answer = regressive::plan(domain, problem, mode, &half, work, plan);
                work.forget();
                self.nodes += answer.nodes;
                if !matches!(answer.outcome, Outcome::GaveUp(_)) {
                    return answer.outcome;
                }
                left.nodes -= half.nodes;
                forward::plan(domain, problem, mode, &left, &mut self.search, plan)
            }
            Engine::Forward => forward::plan(domain, problem, mode, budget, &mut self.search, plan),
        };
        self.nodes += answer.nodes;
        answer.outcome
    }

    /// Whether the goal is in reach if nothing that was true is ever lost. A `false` is a proof.
    pub(super) fn may_be_possible(&mut self, domain: &CompiledDomain, problem: &Problem) -> bool {
        let npc = problem.kind(domain);
        self.relaxed.explore(npc, problem);
        problem.outside().iter().all(|fact| fact.holds)
            && problem.goal().iter().all(|&fact| self.relaxed.has(npc, fact))
    }
}
