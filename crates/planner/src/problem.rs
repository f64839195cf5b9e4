//! A problem: which NPC type plans, from where, to where, with which actions.
//!
//! In:   facts of the whole domain.
//! Out:  the same in the NPC type's own numbers; goals on variables that the type does not
//!       touch are set apart, because they hold now or never.
//! Cost: one binary search per fact.

use crate::budget::Mode;
use crate::context::{ActionMask, Checks, Context};
use throng_domain::Cost;
use throng_domain::compile::{
    CompiledDomain, LocalAction, LocalFact, NpcTables, PackedValue, UNKNOWN,
};
use throng_domain::model::{Fact, NpcTypeId};

/// A goal on a variable that nothing of this NPC type touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OutsideFact {
    /// What is wanted.
    pub fact: Fact,
    /// Whether it holds; if not it never will.
    pub holds: bool,
    /// Whether the variable's value is known.
    pub known: bool,
}

/// Everything a planner needs to know, owned and reusable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    npc: NpcTypeId,
    start: Vec<PackedValue>,
    goal: Vec<LocalFact>,
    outside: Vec<OutsideFact>,
    checks: Checks,
    forbidden: ActionMask,
    enabled: ActionMask,
    /// By action, in thousandths; empty if all actions cost what the domain says.
    costs: Vec<u64>,
    /// Whether an "impossible" comes with its reason.
    pub(crate) says_why: bool,
}

impl Problem {
    /// A problem without goal, everything unknown, all checks holding, nothing forbidden.
    pub fn new(domain: &CompiledDomain, npc: NpcTypeId) -> Self {
        let kind = domain.npc(npc);
        Problem {
            npc,
            start: kind.unknown_state(),
            goal: Vec::new(),
            outside: Vec::new(),
            checks: Checks::all(domain.map().n_checks()),
            forbidden: ActionMask::none(kind.n_actions()),
            enabled: ActionMask::default(),
            costs: Vec::new(),
            says_why: true,
        }
    }

    /// The same for callers who have no use for the reason of an "impossible": finding it is work
    /// of its own, which no budget counts, and it allocates. The reason that comes then says
    /// nothing.
    pub fn without_reasons(self) -> Self {
        Problem { says_why: false, ..self }
    }

    /// Makes it a problem about `npc`. `value_of` gives the value of each variable of the
    /// domain, [`UNKNOWN`] included; `goal` is what must hold. Reuses what it holds.
    pub fn fill(
        &mut self,
        domain: &CompiledDomain,
        npc: NpcTypeId,
        value_of: impl Fn(usize) -> PackedValue,
        goal: &[Fact],
        context: Context<'_>,
    ) {
        let Context { checks, forbidden, enabled } = context;
        match enabled {
            Some(enabled) => self.enabled.copy_from(enabled),
            None => self.enabled.fill_enabled(domain.npc(npc), checks, forbidden),
        }
        let kind = domain.npc(npc);
        self.npc = npc;
        self.start.clear();
        self.start.extend(kind.variables().iter().map(|id| value_of(id.index())));
        self.goal.clear();
        self.outside.clear();
        for &fact in goal {
            let wanted = fact.value.index() as PackedValue;
            match kind.local_variable(fact.variable) {
                Some(variable) => self.goal.push(LocalFact { variable, value: wanted }),
                None => {
                    let value = value_of(fact.variable.index());
                    let (holds, known) = (value == wanted, value != UNKNOWN);
                    self.outside.push(OutsideFact { fact, holds, known });
                }
            }
        }
        // The same wishes in another order are the same problem, with the same answer.
        self.goal.sort_unstable();
        self.goal.dedup();
        self.outside.sort_unstable_by_key(|outside| outside.fact);
        self.checks.copy_from(checks);
        self.forbidden.copy_from(forbidden);
        self.costs.clear();
    }

    /// The same question from another start, a value per variable of the type; what is outside
    /// the type stays as it is. For those who ask it from every state.
    pub fn set_start(&mut self, start: &[PackedValue]) {
        start.clone_into(&mut self.start);
    }

    /// Becomes equal to `other`, reusing its memory.
    pub(crate) fn copy_from(&mut self, other: &Problem) {
        self.npc = other.npc;
        self.start.clone_from(&other.start);
        self.goal.clone_from(&other.goal);
        self.outside.clone_from(&other.outside);
        self.checks.copy_from(&other.checks);
        self.forbidden.copy_from(&other.forbidden);
        self.enabled.copy_from(&other.enabled);
        self.costs.clone_from(&other.costs);
        self.says_why = other.says_why;
    }

    /// Overrides an action's cost for this problem: for what the domain cannot know, as distance
    /// or danger.
    pub fn set_cost(&mut self, npc: &NpcTables, action: LocalAction, cost: Cost) {
        if self.costs.is_empty() {
            self.costs.extend(npc.local_actions().map(|action| npc.cost(action)));
        }
        self.costs[action.index()] = cost.0;
    }

    /// Overrides the costs of all actions: one per action of the type in thousandths, or none for
    /// those of the domain. Reuses what it holds.
    pub fn set_costs(&mut self, costs: &[u64]) {
        costs.clone_into(&mut self.costs);
    }

    /// The price of an action in thousandths.
    pub fn cost(&self, npc: &NpcTables, action: LocalAction) -> u64 {
        self.costs.get(action.index()).copied().unwrap_or_else(|| npc.cost(action))
    }

    /// What actions cost here, in thousandths; empty if they cost what the domain says.
    pub fn own_costs(&self) -> &[u64] {
        &self.costs
    }

    /// The same problem with another goal.
    pub fn with_goal(&self, goal: &[LocalFact]) -> Problem {
        Problem { goal: goal.to_vec(), outside: Vec::new(), ..self.clone() }
    }

    /// What a step counts: its price, or one if only their number matters.
    pub fn step_cost(&self, npc: &NpcTables, mode: Mode, action: LocalAction) -> u64 {
        match mode {
            Mode::Cheapest => self.cost(npc, action),
            Mode::Shortest | Mode::Fast => 1,
        }
    }

    throng_base::getters! {
        /// Who plans.
        npc: NpcTypeId;
        /// The state planning begins in.
        start: &[PackedValue];
        /// What must hold at the end, among the type's own variables.
        goal: &[LocalFact];
        /// What must hold but cannot be changed by this type.
        outside: &[OutsideFact];
        /// Which checks hold.
        checks: &Checks;
        /// Which actions the caller forbids.
        forbidden: &ActionMask;
        /// Which actions are there.
        enabled: &ActionMask;
    }

    /// The tables of who plans.
    pub fn kind<'d>(&self, domain: &'d CompiledDomain) -> &'d NpcTables {
        domain.npc(self.npc)
    }

    /// Whether the goal holds in a state of the type, outside facts left aside.
    pub fn is_goal(&self, state: &[PackedValue]) -> bool {
        self.goal.iter().all(|fact| state[fact.variable.index()] == fact.value)
    }
}
