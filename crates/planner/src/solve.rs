//! The one door to the engines: a problem is answered by the one that [`choose`](crate::choose)
//! names, and by the next one where that takes too long.
//!
//! In:   a [`Call`], or for small types a [`SmallProblem`].
//! Out:  an [`Outcome`]; the plan in [`Solver::plan`], in the order that the domain prefers.
//! Cost: the engine's; nothing is allocated once the solver is warm.
//!
//! Keep one solver per thread. It is what a user's planner, a crowd, a mind, the explanations and
//! the measurements have in common, so all give the same plan for the same problem.

use crate::budget::{Limit, SearchBudget};
use crate::call::Call;
use crate::choose::{EngineReason, choose};
use crate::engine::Engine;
use crate::outcome::{Outcome, SolverAnswer};
use crate::topological::{self, Moves, SmallProblem, small};
use crate::{by_counting, forward, preferences, regressive};
use throng_domain::Cost;
use throng_domain::compile::LocalAction;
use throng_domain::model::ActionId;

/// How many nodes the search from the goal may take before another has its turn.
pub const PATIENCE_NODES: u64 = 20_000;

/// All engines with their working memory.
#[derive(Debug, Default)]
pub struct Solver {
    /// The plan of the last problem, if its outcome was one.
    pub plan: Vec<LocalAction>,
    /// States expanded since [`Solver::begin`], counting what earlier calls did for a problem
    /// that is resumed.
    pub nodes: u64,
    /// Who answered last, and why.
    pub chosen: Option<(Engine, EngineReason)>,
    used: u64,
    moves: Moves,
    topological: topological::TopologicalScratch,
    regressive: regressive::RegressiveScratch,
    search: forward::ForwardScratch,
    counting: by_counting::CountingScratch,
    preferences: preferences::PreferenceScratch,
}

impl Solver {
    /// Begins to count anew: what follows shares one budget.
    pub fn begin(&mut self) {
        self.nodes = 0;
        self.used = 0;
        self.chosen = None;
    }

    /// States expanded since [`Solver::begin`] by these calls alone.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Answers a problem.
    pub fn solve(&mut self, call: &Call<'_>) -> Outcome {
        let call = call.nodes(call.budget.nodes.saturating_sub(self.used));
        let chosen = choose(&call, &mut self.moves);
        self.chosen = Some(chosen);
        let counts = matches!(chosen.1, EngineReason::Counts(_));
        let outcome = match chosen.0 {
            _ if counts => self.counting(&call),
            Engine::Topological => self.topological(&call),
            Engine::Regressive => self.regressive(&call, chosen.1),
            Engine::Forward => self.forward(&call),
        };
        if matches!(outcome, Outcome::Plan { .. }) {
            preferences::honour(call.npc(), call.problem, &mut self.plan, &mut self.preferences);
        }
        outcome
    }

    /// The straight way for small types, in machine words: the price of the plan, if this decides.
    /// `None` leaves the answer to [`Solver::solve`], which gives the same plan: it is slower only
    /// because a [`Problem`](crate::Problem) must be made for it.
    pub fn solve_small(
        &mut self,
        problem: &SmallProblem<'_>,
        engine: Option<Engine>,
    ) -> Option<Cost> {
        // Wishes are granted within a problem.
        if !problem.npc.preferences().is_empty() {
            return None;
        }
        let mut plan = std::mem::take(&mut self.plan);
        let cost = self.solve_small_into(problem, engine, |action, _| action, &mut plan);
        self.plan = plan;
        cost
    }

    /// The same into a plan of the caller's, by the number of the type or of the domain as the caller
    /// wants; for types without wishes only.
    #[inline]
    pub fn solve_small_into<Name: Copy>(
        &mut self,
        problem: &SmallProblem<'_>,
        engine: Option<Engine>,
        name: impl Fn(LocalAction, ActionId) -> Name,
        plan: &mut Vec<Name>,
    ) -> Option<Cost> {
        debug_assert!(problem.npc.preferences().is_empty(), "wishes are granted elsewhere");
        if matches!(engine, Some(Engine::Regressive | Engine::Forward)) {
            return None;
        }
        // An empty plan is `Satisfied`; the engines tell it from no plan.
        let cost = small::plan(problem, name, plan).filter(|_| !plan.is_empty())?;
        self.chosen = Some((Engine::Topological, EngineReason::AllMoves));
        Some(cost)
    }

    fn count(&mut self, answer: SolverAnswer, used: u64) -> Outcome {
        self.nodes += answer.nodes;
        self.used += used;
        answer.outcome
    }

    /// Amounts stay amounts: both directions count, in turns.
    fn counting(&mut self, call: &Call<'_>) -> Outcome {
        let answer = by_counting::plan(call, &mut self.counting, &mut self.plan);
        if let (Some((_, because)), Some(engine)) = (self.chosen, self.counting.answered()) {
            self.chosen = Some((engine, because));
        }
        let used = self.counting.nodes_of_last_call();
        self.count(answer, used)
    }

    fn topological(&mut self, call: &Call<'_>) -> Outcome {
        let Solver { moves, topological: work, search, plan, .. } = self;
        // A search that is under way means that nothing else could decide.
        if !search.is_under_way(call)
            && let Some(outcome) = topological::decide(call, moves, work, plan)
        {
            return outcome;
        }
        let answer = topological::search(call, moves, work, search, plan);
        // No nodes at all: decided without a search.
        let used = if answer.nodes == 0 { 0 } else { search.nodes_of_last_call() };
        self.count(answer, used)
    }

    /// From the goal back; if the caller did not ask for it and it takes long, the rest is left to
    /// forward search: a domain that is all state and no structure is walked better from the
    /// start.
    fn regressive(&mut self, call: &Call<'_>, because: EngineReason) -> Outcome {
        let patience = if because == EngineReason::Asked { u64::MAX } else { PATIENCE_NODES };
        let search = &mut self.regressive;
        let so_far = search.nodes_so_far(call);
        let first = call.nodes(call.budget.nodes.min(patience.saturating_sub(so_far)));
        let answer = regressive::plan(&first, search, &mut self.plan);
        let (nodes, used) = (answer.nodes, search.nodes_of_last_call());
        let outcome = self.count(answer, used);
        let because = match outcome {
            Outcome::GaveUp(Limit::Memory) if patience < u64::MAX => EngineReason::Memory,
            Outcome::GaveUp(Limit::Nodes) if nodes >= patience => EngineReason::Patience,
            outcome => return outcome,
        };
        self.chosen = Some((Engine::Forward, because));
        // What the first search holds is still there, in case that it is resumed.
        let bytes = call.budget.bytes.saturating_sub(self.regressive.bytes());
        let nodes = call.budget.nodes.saturating_sub(used);
        self.forward(&call.budget(SearchBudget { nodes, bytes, ..call.budget }))
    }

    fn forward(&mut self, call: &Call<'_>) -> Outcome {
        let answer = forward::plan(call, &mut self.search, &mut self.plan);
        let used = self.search.nodes_of_last_call();
        self.count(answer, used)
    }
}
