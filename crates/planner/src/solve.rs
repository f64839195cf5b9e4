//! One problem, answered by the engine that [`choose`](crate::choose) names, and by the next one
//! where that takes too long.
//!
//! In:   a [`Problem`], a mode, a budget, whether to go on where the last call stopped.
//! Out:  an [`Outcome`]; the plan in [`Solver::plan`].
//! Cost: the engine's; nothing is allocated once the solver is warm.
//!
//! Keep one solver per thread. It is what a user's planner and a crowd have in common, so both
//! give the same plan for the same problem.

use crate::choose::{Because, choose_asked};
use crate::outcome::{Budget, Limit, Mode, Outcome};
use crate::problem::Problem;
use crate::topological::{self, Moves};
use crate::{Engine, forward, regressive, wishes};
use throng_domain::compile::{CompiledDomain, LocalAction};

/// How many nodes the search from the goal may take before another has its turn.
const PATIENCE: u64 = 20_000;

/// Whether a search begins anew or goes on where it gave up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// Anew, whatever was done before.
    Beginning,
    /// Where it gave up, if the problem is the same.
    WhereItStopped,
}

/// How a problem is to be solved.
#[derive(Clone, Copy)]
pub struct How<'b> {
    /// What kind of plan is wanted.
    pub mode: Mode,
    /// The engine asked for, if any; another answers if that one is not exact.
    pub engine: Option<Engine>,
    /// For all problems since [`Solver::begin`].
    pub budget: Budget<'b>,
    /// Anew, or on.
    pub from: From,
}

impl How<'_> {
    /// The cheapest plan by the engine that suits, no limit but memory, from the beginning.
    pub const DEFAULT: How<'static> =
        How { mode: Mode::Cheapest, engine: None, budget: Budget::DEFAULT, from: From::Beginning };
}

/// All engines with their working memory.
#[derive(Debug, Default)]
pub struct Solver {
    /// The plan of the last problem, if its outcome was one.
    pub plan: Vec<LocalAction>,
    /// States expanded since [`Solver::begin`], counting what earlier calls did for a problem
    /// that is resumed.
    pub nodes: u64,
    /// Who answered last, and why.
    pub chosen: Option<(Engine, Because)>,
    used: u64,
    moves: Moves,
    topological: topological::Scratch,
    regressive: regressive::Scratch,
    search: forward::Scratch,
    wishes: wishes::Scratch,
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
    pub fn solve(&mut self, domain: &CompiledDomain, problem: &Problem, how: &How<'_>) -> Outcome {
        let chosen = choose_asked(how.engine, problem.kind(domain), problem, &mut self.moves);
        self.chosen = Some(chosen);
        match chosen.0 {
            Engine::Topological => self.topological(domain, problem, how),
            Engine::Regressive => self.regressive(domain, problem, how, chosen.1),
            Engine::Forward => self.forward(domain, problem, how, self.left(how)),
        }
    }

    /// Puts [`Solver::plan`], a plan for the problem, into the order that the domain prefers,
    /// where that costs nothing.
    pub fn honour_wishes(&mut self, domain: &CompiledDomain, problem: &Problem) {
        let npc = problem.kind(domain);
        if !npc.wishes().is_empty() {
            wishes::honour(npc, problem, &mut self.plan, &mut self.wishes);
        }
    }

    /// What is left of the budget.
    fn left<'b>(&self, how: &How<'b>) -> Budget<'b> {
        Budget { nodes: how.budget.nodes.saturating_sub(self.used), ..how.budget }
    }

    fn topological(
        &mut self,
        domain: &CompiledDomain,
        problem: &Problem,
        how: &How<'_>,
    ) -> Outcome {
        let budget = self.left(how);
        if how.from == From::Beginning {
            self.search.forget();
        }
        let Solver { moves, topological: work, search, plan, .. } = self;
        // A search that is under way means that nothing else could decide.
        if !search.is_under_way(domain, problem, how.mode)
            && let Some(outcome) = topological::decide(domain, problem, moves, work, plan)
        {
            return outcome;
        }
        let answer =
            topological::search(domain, problem, moves, how.mode, &budget, work, search, plan);
        self.nodes += answer.nodes;
        // No nodes at all: decided without a search.
        self.used += if answer.nodes == 0 { 0 } else { self.search.nodes_of_last_call() };
        answer.outcome
    }

    /// From the goal back; if nobody asked for that and it takes long, the rest is left to
    /// forward search: a domain that is all state and no structure is walked better from the
    /// start.
    fn regressive(
        &mut self,
        domain: &CompiledDomain,
        problem: &Problem,
        how: &How<'_>,
        because: Because,
    ) -> Outcome {
        if how.from == From::Beginning {
            self.regressive.forget();
        }
        let patience = if because == Because::Asked { u64::MAX } else { PATIENCE };
        let budget = self.left(how);
        let search = &mut self.regressive;
        let so_far = search.nodes_so_far(domain, problem, how.mode);
        let nodes = budget.nodes.min(patience.saturating_sub(so_far));
        let first = Budget { nodes, ..budget };
        let answer = regressive::resume(domain, problem, how.mode, &first, search, &mut self.plan);
        self.nodes += answer.nodes;
        self.used += search.nodes_of_last_call();
        let because = match answer.outcome {
            Outcome::GaveUp(Limit::Memory) if patience < u64::MAX => Because::Memory,
            Outcome::GaveUp(Limit::Nodes) if answer.nodes >= patience => Because::Patience,
            outcome => return outcome,
        };
        // What the first search holds is still there, in case that it is resumed.
        let bytes = budget.bytes.saturating_sub(search.bytes());
        self.chosen = Some((Engine::Forward, because));
        self.forward(domain, problem, how, Budget { bytes, ..self.left(how) })
    }

    fn forward(
        &mut self,
        domain: &CompiledDomain,
        problem: &Problem,
        how: &How<'_>,
        budget: Budget<'_>,
    ) -> Outcome {
        let engine = match how.from {
            From::Beginning => forward::plan,
            From::WhereItStopped => forward::resume,
        };
        let answer = engine(domain, problem, how.mode, &budget, &mut self.search, &mut self.plan);
        self.nodes += answer.nodes;
        self.used += self.search.nodes_of_last_call();
        answer.outcome
    }
}
