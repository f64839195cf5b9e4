//! The seed's planner for `throng pddl solve --planner seed`.

use crate::seed::{Arrays, Program, Search, Silent, Tuples};
use throng::Mode;
use throng_cli::extension::{NoSearch, TaskPlanner, TaskSearch, Work};
use throng_pddl::lifted::{Lifted, ObjectId};
use throng_planner::SearchBudget;
use throng_planner::forward::Found;

/// The planner that unifies actions with the state.
pub(super) struct Seed;

impl TaskPlanner for Seed {
    fn name(&self) -> &'static str {
        "seed"
    }

    fn usual(&self) -> Mode {
        Mode::Shortest
    }

    fn begin(
        &self,
        task: &Lifted,
        mode: Mode,
        bytes: usize,
    ) -> Result<Box<dyn TaskSearch>, NoSearch> {
        if mode != Mode::Shortest {
            let text = "the seed's planner searches breadth-first: it gives shortest plans, so \
                        write `--mode shortest` or leave `--mode` out";
            return Err(NoSearch::NotForThis(text.to_string()));
        }
        if Program::bytes_for(task) > bytes {
            return Err(NoSearch::Memory);
        }
        let program = Program::new(task).map_err(|refused| {
            NoSearch::NotForThis(format!("{refused}: leave `--planner seed` out"))
        })?;
        Ok(Box::new(Search::<Arrays>::begin(program, Tuples::default())))
    }
}

impl TaskSearch for Search<Arrays> {
    fn run(&mut self, budget: &SearchBudget<'_>) -> Found {
        Search::run(self, budget, &mut Silent)
    }

    fn work(&self) -> Work {
        Work {
            nodes: self.expanded(),
            generated: self.generated(),
            states: self.n_states() as u64,
            bytes: self.bytes().total() as u64,
            has_dead_ends: false,
        }
    }

    fn plan(&self, state: u32) -> Vec<(usize, Vec<ObjectId>)> {
        Search::plan(self, state).into_iter().map(|signature| self.step(signature)).collect()
    }
}
