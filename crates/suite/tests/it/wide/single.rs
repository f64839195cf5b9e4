//! The single planner, asked about one problem of a type.
//!
//! In:   a state, a goal, an action that is forbidden.
//! Out:  a panic if a plan does not replay or has another price, or if it is wrong that there is
//!       none.
//! Cost: what the planner costs.

use throng_domain::Fact;
use throng_domain::compile::{
    CompiledDomain, LocalAction, LocalFact, NpcTables, PackedValue, UNKNOWN,
};
use throng_planner::replay::replay;
use throng_planner::topological::{self, Moves};
use throng_planner::{ActionMask, Call, Checks, Outcome, Problem, forward};

/// The planner and its memory.
#[derive(Default)]
pub(crate) struct Single {
    moves: Moves,
    scratch: topological::TopologicalScratch,
    search: forward::ForwardScratch,
    plan: Vec<LocalAction>,
    state: Vec<PackedValue>,
}

impl Single {
    /// The problem; all checks hold.
    pub(crate) fn problem(
        &self,
        domain: &CompiledDomain,
        npc: &NpcTables,
        state: &[PackedValue],
        goal: &[LocalFact],
        forbidden: Option<usize>,
    ) -> Problem {
        let mut problem = Problem::new(domain, npc.id());
        let goal: Vec<Fact> = goal.iter().map(|&fact| npc.fact(fact)).collect();
        let value = |id: usize| {
            let own = npc.variables().iter().position(|variable| variable.index() == id);
            own.map_or(UNKNOWN, |own| state[own])
        };
        let mut mask = ActionMask::none(npc.n_actions());
        forbidden.into_iter().for_each(|action| mask.set(LocalAction(action as u32), true));
        let checks = Checks::all(domain.map().n_checks());
        problem.fill(domain, npc.id(), value, &goal, &checks, &mask);
        problem
    }

    /// Holds a plan, or that there is none, against the planner's own answer.
    pub(crate) fn check(
        &mut self,
        name: &str,
        domain: &CompiledDomain,
        problem: &Problem,
        plan: Option<Vec<LocalAction>>,
    ) {
        let npc = problem.kind(domain);
        let price = plan.as_ref().map(|plan| {
            let price = replay(npc, problem, plan, &mut self.state);
            price.unwrap_or_else(|| panic!("{name}: {plan:?} is no plan for {problem:?}"))
        });
        let Single { moves, scratch, search, plan: own, .. } = self;
        moves.certify(npc, problem.enabled()).unwrap();
        let call = Call::new(domain, problem);
        let decided = topological::decide(&call, moves, scratch, own);
        let outcome = decided
            .unwrap_or_else(|| topological::search(&call, moves, scratch, search, own).outcome);
        let expected = match outcome {
            Outcome::Plan { cost } => Some(cost.0),
            Outcome::Satisfied => Some(0),
            Outcome::Impossible(_) => None,
            Outcome::GaveUp(limit) => panic!("{name}: {limit:?}"),
        };
        assert_eq!(price, expected, "{name}: {plan:?} {problem:?}");
        if let Some(mut plan) = plan {
            plan.sort_unstable();
            own.sort_unstable();
            assert_eq!(&plan, own, "{name}: other actions for {problem:?}");
        }
    }
}
