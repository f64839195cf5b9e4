//! A question with all that could be otherwise about it.
//!
//! In:   the domain in words and in tables, who asks, what holds, what is wanted.
//! Out:  the problem as engines see it, and the same for a varied domain.
//! Cost: a copy of the start state; a variation also compiles one NPC type.

use crate::budget::Mode;
use crate::context::{ActionMask, Checks, Context};
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use throng_domain::Cost;
use throng_domain::compile::{CompiledDomain, NpcTables, PackedValue, Variation};
use throng_domain::model::{ActionId, Conditions, Fact, Model, NpcTypeId, VariableId};

/// A question.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'q> {
    /// The domain in words: variations are made from it.
    pub model: &'q Model,
    /// The same in tables.
    pub domain: &'q PreparedDomain,
    /// Who plans.
    pub npc: NpcTypeId,
    /// The value of every variable of the domain.
    pub values: &'q [PackedValue],
    /// What must hold at the end.
    pub goal: Conditions<'q>,
    /// Which checks hold.
    pub checks: &'q Checks,
    /// Which of the type's actions the caller forbids.
    pub forbidden: &'q ActionMask,
    /// By action of the type, in thousandths, if some cost something else than the domain says;
    /// otherwise empty.
    pub costs: &'q [u64],
    /// What kind of plan is wanted.
    pub mode: Mode,
}

impl<'q> Asked<'q> {
    /// The tables of who plans.
    pub fn kind(&self) -> &'q NpcTables {
        self.domain.npc(self.npc)
    }

    /// The question as engines see it.
    pub fn problem(&self) -> Problem {
        let mut problem = Problem::new(self.domain, self.npc);
        let context = Context::new(self.checks, self.forbidden);
        problem.fill(self.domain, self.npc, |at| self.values[at], self.goal, context);
        problem.set_costs(self.costs);
        problem
    }

    /// The question to a domain that is otherwise in one thing.
    pub(super) fn varied(&self, variation: Variation) -> (PreparedDomain, Problem) {
        let domain = self.domain.varied(self.model, self.npc, variation);
        let kind = &domain.npcs()[0];
        let id = kind.id();
        // The same actions may have other numbers there.
        let mut forbidden = ActionMask::none(kind.n_actions());
        for (at, &action) in self.kind().actions().iter().enumerate() {
            let own = throng_domain::compile::LocalAction(at as u32);
            if let (true, Some(there)) = (self.forbidden.has(own), kind.local_action(action)) {
                forbidden.set(there, true);
            }
        }
        let mut goal = self.goal.to_wants();
        if matches!(variation, Variation::Mark(_)) {
            goal.facts.push(CompiledDomain::mark(self.model, true));
        }
        let mut problem = Problem::new(&domain, id);
        // A mark begins as not done.
        let value = |at: usize| self.values.get(at).copied().unwrap_or(0);
        problem.fill(&domain, id, value, &goal, Context::new(self.checks, &forbidden));
        for (&cost, &action) in self.costs.iter().zip(self.kind().actions()) {
            if let Some(there) = kind.local_action(action) {
                problem.set_cost(kind, there, Cost(cost));
            }
        }
        (domain, problem)
    }

    /// The value that a variable has now; `None` if it is unknown.
    pub(super) fn now(&self, variable: VariableId) -> Option<PackedValue> {
        let value = self.values.get(variable.index()).copied();
        value.filter(|&value| value != throng_domain::compile::UNKNOWN)
    }

    /// Whether a fact holds now.
    pub(super) fn holds(&self, fact: Fact) -> bool {
        self.now(fact.variable).map(usize::from) == Some(fact.value.index())
    }

    /// The values of the type's own variables.
    pub(super) fn start(&self) -> Vec<PackedValue> {
        self.kind().variables().iter().map(|id| self.values[id.index()]).collect()
    }

    /// All actions of the domain by id, those that no NPC type can do included.
    pub(super) fn all_actions(&self) -> impl Iterator<Item = ActionId> {
        self.domain.map().action_ids()
    }
}
