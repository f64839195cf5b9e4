//! One question to the planner: the problem, the kind of plan, and how much work it may take.
//!
//! In:   a domain and a problem of it.
//! Out:  what every engine takes, so that all are called alike.

use crate::budget::{Mode, SearchBudget};
use crate::engine::Engine;
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use crate::tables::EngineTables;
use throng_domain::compile::{LocalAction, LocalVariable, NpcTables};

/// A question. [`Call::new`] asks for the cheapest plan by the engine that suits, with no limit but
/// memory, from the beginning.
#[derive(Clone, Copy)]
#[must_use]
pub struct Call<'c> {
    /// The domain.
    pub domain: &'c PreparedDomain,
    /// Who, from where, to where.
    pub problem: &'c Problem,
    /// What kind of plan is wanted.
    pub mode: Mode,
    /// The engine asked for, if any; another answers if that one is not exact.
    pub engine: Option<Engine>,
    /// How much work it may take; for a [`Solver`](crate::Solver), all calls since its
    /// [`begin`](crate::Solver::begin) together.
    pub budget: SearchBudget<'c>,
    /// Whether a search for the same problem that gave up goes on where it stopped.
    pub resume: bool,
    /// The start of the problem as it is packed, if the caller has it at hand; as many words as
    /// the layout has.
    pub(crate) start_words: Option<&'c [u64]>,
}

impl<'c> Call<'c> {
    /// Asks for the cheapest plan.
    pub fn new(domain: &'c PreparedDomain, problem: &'c Problem) -> Self {
        let (mode, budget) = (Mode::Cheapest, SearchBudget::DEFAULT);
        Call { domain, problem, mode, engine: None, budget, resume: false, start_words: None }
    }

    /// Tells the start of the problem as it is packed, which some engines would do themselves.
    ///
    /// The words must be those that the layout of the type packs the problem's start into: whoever
    /// gives those of another state may get a plan from there. That is looked at where debug
    /// assertions are on. Another number of words than the layout has is never used.
    pub fn start_words(self, words: &'c [u64]) -> Self {
        let fits = words.len() == self.npc().layout().n_words();
        debug_assert!(!fits || self.is_start(words), "they are the start");
        Call { start_words: fits.then_some(words), ..self }
    }

    fn is_start(&self, words: &[u64]) -> bool {
        let (npc, start) = (self.npc(), self.problem.start());
        let is_same = |variable: LocalVariable| {
            let (at, mask) = (variable.index(), npc.layout().field_mask(variable.index()));
            let bits = npc.layout().field_bits(at, start[at]);
            words.get(npc.layout().word(at)).is_some_and(|word| word & mask == bits)
        };
        npc.local_variables().all(is_same)
    }

    /// Asks for another kind of plan.
    pub fn mode(self, mode: Mode) -> Self {
        Call { mode, ..self }
    }

    /// Asks for an engine.
    pub fn engine(self, engine: Option<Engine>) -> Self {
        Call { engine, ..self }
    }

    /// Limits the work.
    pub fn budget(self, budget: SearchBudget<'c>) -> Self {
        Call { budget, ..self }
    }

    /// Limits the states to expand.
    pub fn nodes(self, nodes: u64) -> Self {
        Call { budget: SearchBudget { nodes, ..self.budget }, ..self }
    }

    /// Goes on where a search for the same problem gave up, or not.
    pub fn resume(self, resume: bool) -> Self {
        Call { resume, ..self }
    }

    /// The tables of who plans.
    pub fn npc(&self) -> &'c NpcTables {
        self.problem.kind(self.domain)
    }

    /// What engines look up of who plans.
    pub fn tables(&self) -> &'c EngineTables {
        self.domain.tables(self.problem.npc())
    }

    /// What a step counts: its price, or one if only their number matters.
    pub fn step_cost(&self, action: LocalAction) -> u64 {
        self.problem.step_cost(self.npc(), self.mode, action)
    }
}
