//! A choice asked for: goal after goal, until it is decided.
//!
//! In:   a row whose goal is a choice, a solver, and how many nodes it may take now.
//! Out:  the answer of the single planner for any of some goals, or for the best of them; or where
//!       to go on.
//! Cost: that of an answer per goal asked for; each counts one node at least. Nothing is allocated
//!       once warm.
//!
//! A stage of which one goal holds is passed over. To say which plan is cheapest all goals of a
//! stage must have been answered, so a limit ends it, whatever was found.

use crate::core::Core;
use crate::goals::Choice;
use throng_domain::compile::{LocalAction, PackedValue};
use throng_planner::{AnyOf, Call, Limit, Mode, Outcome, Problem, SearchBudget, Solver};

/// How far a choice has come.
#[derive(Debug, Default)]
pub(crate) struct ChoiceSearch {
    /// The stage, and the goal of it that is next.
    stage: usize,
    at: usize,
    /// That goal has been asked for already, and a limit was hit.
    is_begun: bool,
    /// The cheapest plan of this stage so far.
    any: AnyOf<(), LocalAction>,
    /// What the most important goal said that has no plan.
    no: Option<Outcome>,
}

/// Who asks for what, and what it takes to answer.
pub(crate) struct Asked<'a> {
    pub(crate) core: &'a Core,
    pub(crate) row: usize,
    pub(crate) choice: &'a Choice,
    /// Its count was begun; afterwards the plan is in it.
    pub(crate) solver: &'a mut Solver,
    pub(crate) problem: &'a mut Problem,
    pub(crate) state: &'a mut [PackedValue],
}

impl ChoiceSearch {
    /// Begins anew.
    pub(crate) fn begin(&mut self) {
        (self.stage, self.at, self.is_begun) = (0, 0, false);
        self.any.begin();
        self.no = None;
    }

    /// The goal that is next; `None` if all were asked for.
    pub(crate) fn next(&self, choice: &Choice) -> Option<u16> {
        choice.stages.get(self.stage)?.get(self.at).copied()
    }

    /// Asks on, within so many nodes; tells how many it took. What gave up goes on with the next
    /// call.
    pub(crate) fn run(&mut self, asked: Asked<'_>, nodes: u64) -> (Outcome, u64) {
        let Asked { core, row, choice, solver, problem, state } = asked;
        // Goals that were answered without a search.
        let mut free = 0;
        let bytes = core.settings.search_bytes;
        while let Some(stage) = choice.stages.get(self.stage) {
            core.read_state(row, state);
            let is_first = self.at == 0 && !self.is_begun;
            if is_first && core.goals.holds_one(stage, |variable| state[variable.index()]) {
                self.stage += 1;
                continue;
            }
            while let Some(&goal) = stage.get(self.at) {
                if free + solver.used() >= nodes {
                    return (Outcome::GaveUp(Limit::Nodes), free + solver.used());
                }
                core.fill_problem(row, goal, problem, state);
                let budget = SearchBudget { nodes: nodes - free, bytes, ..SearchBudget::DEFAULT };
                let used = solver.used();
                let call = Call::new(core.kind.domain(), problem).budget(budget);
                let outcome = solver.solve(&call.resume(self.is_begun));
                free += u64::from(solver.used() == used);
                match outcome {
                    Outcome::Plan { .. } => {
                        self.any.take(Mode::Cheapest, (), outcome, &mut solver.plan);
                    }
                    Outcome::GaveUp(_) => {
                        self.is_begun = true;
                        return (outcome, free + solver.used());
                    }
                    Outcome::Impossible(_) | Outcome::Satisfied => {
                        self.no.get_or_insert(outcome);
                    }
                }
                (self.at, self.is_begun) = (self.at + 1, false);
            }
            if let Some((cost, ())) = self.any.best(&mut solver.plan) {
                return (Outcome::Plan { cost }, free + solver.used());
            }
            (self.stage, self.at) = (self.stage + 1, 0);
        }
        let spent = (free + solver.used()).max(1);
        (self.no.take().unwrap_or(Outcome::Satisfied), spent)
    }
}
