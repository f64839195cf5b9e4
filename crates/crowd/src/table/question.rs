//! What a table answers, how much it may take, and why there is none.

use crate::space::Space;
use std::fmt;
use throng_domain::compile::{LocalVariable, NpcTables, PackedValue, UNKNOWN};
use throng_domain::model::{Conditions, Fact, NpcTypeId};
use throng_planner::PreparedDomain;
use throng_planner::{ActionMask, Checks, Context, Problem};

/// Everything that a plan depends on but the private state.
#[derive(Clone, Copy, Debug)]
pub struct TableQuestion<'q> {
    /// The domain.
    pub domain: &'q PreparedDomain,
    /// Who plans: a type of the domain.
    pub npc: NpcTypeId,
    /// What must hold at the end.
    pub goal: Conditions<'q>,
    /// Which context checks hold.
    pub checks: &'q Checks,
    /// Which actions are taken out.
    pub forbidden: &'q ActionMask,
    /// A value per variable of the type, of which only the shared ones are read; what is missing
    /// is unknown.
    pub shared: &'q [PackedValue],
    /// What is known of variables that the type does not touch; others of these are unknown.
    pub outside: &'q [Fact],
}

impl TableQuestion<'_> {
    /// The tables of who plans.
    pub fn kind(&self) -> &NpcTables {
        self.domain.npc(self.npc)
    }

    /// Whether the goal speaks of what the domain has.
    pub(crate) fn has_known_goal(&self) -> bool {
        self.domain.map().has_conditions(self.goal)
    }

    /// The value of a shared variable of the type, unknown for the others.
    pub(crate) fn shared_value(&self, space: &Space, at: usize) -> PackedValue {
        let variable = LocalVariable(at as u32);
        let value = self.shared.get(at).copied().unwrap_or(UNKNOWN);
        let is_value = usize::from(value) < self.kind().n_values(variable);
        if space.is_shared(variable) && is_value { value } else { UNKNOWN }
    }

    /// The problem with every private value unknown.
    pub(crate) fn problem(&self, space: &Space) -> Problem {
        let mut values = vec![UNKNOWN; self.domain.map().n_variables()];
        for fact in self.outside.iter().filter(|fact| self.domain.map().has_fact(**fact)) {
            values[fact.variable.index()] = fact.value.index() as PackedValue;
        }
        for (at, id) in self.kind().variables().iter().enumerate() {
            values[id.index()] = self.shared_value(space, at);
        }
        let value_of = |at: usize| values[at];
        let mut problem = Problem::new(self.domain, self.npc);
        problem.fill(
            self.domain,
            self.npc,
            value_of,
            self.goal,
            Context::new(self.checks, self.forbidden),
        );
        problem
    }
}

/// How much a table may take. That of memory is the single planner's, as another one could give
/// other plans.
#[derive(Clone, Copy)]
pub struct TableLimits<'l> {
    /// The most states.
    pub states: u64,
    /// The most nodes that search may expand, for all states together and evenly: some hundreds
    /// of neighbours have their share among them. What needs no search counts nothing.
    pub nodes: u64,
    /// The most bytes that the plans of the arena may need, those of this table included.
    pub bytes: usize,
    /// Asked now and then, from any thread; `true` ends it.
    pub stop: Option<&'l (dyn Fn() -> bool + Sync)>,
}

impl TableLimits<'_> {
    /// A million states: two or four megabytes. Twenty million nodes: some ten seconds.
    pub const DEFAULT: TableLimits<'static> =
        TableLimits { states: 1 << 20, nodes: 20_000_000, bytes: 1 << 28, stop: None };
}

impl fmt::Debug for TableLimits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = f.debug_struct("Limits");
        all.field("states", &self.states).field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

/// Why there is no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TableError {
    /// There are more states than allowed.
    TooManyStates {
        /// How many, if they can be counted in 64 bits.
        states: Option<u64>,
        /// How many are allowed.
        limit: u64,
    },
    /// Search needs more nodes, or for one state more memory, than allowed.
    TooMuchSearch {
        /// How many nodes are allowed.
        limit: u64,
    },
    /// Its plans need more memory than allowed.
    TooMuchMemory {
        /// How many bytes are allowed.
        limit: usize,
    },
    /// The caller said so.
    Stopped,
    /// The goal names what the domain does not have.
    ForeignGoal,
    /// A plan did not replay: a mistake of an engine, which is kept from players.
    WrongPlan {
        /// The first state of which that was seen.
        state: u64,
    },
}

throng_base::error! { TableError {
    Self::TooManyStates { states: Some(states), limit } =>
        "there are {states} private states; a table may have {limit}";
    Self::TooManyStates { states: None, limit } =>
        "there are more than 2^64 private states; a table may have {limit}";
    Self::TooMuchSearch { limit } =>
        "its plans take more search than the {limit} nodes allowed";
    Self::TooMuchMemory { limit } => "its plans need more than the {limit} bytes allowed";
    Self::Stopped => "building it was stopped";
    Self::ForeignGoal => "the goal is not of this domain";
    Self::WrongPlan { state } =>
        "the plan for state {state} does not replay; please report this";
} }
