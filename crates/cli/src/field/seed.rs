//! The seed's planner, run like the other one.

use crate::console::{Console, Fail};
use crate::field::run::{Finished, Hit, RunLimits, Work, watched};
use throng_lab::seed::{Arrays, Program, Search, Silent, Step, Tuples};
use throng_pddl::lifted::Lifted;
use throng_planner::forward::Found;

/// Searches the lifted task as the seed says.
pub(crate) fn search(
    task: &Lifted,
    limits: &RunLimits,
    console: &mut Console<'_>,
) -> Result<(Finished<Vec<Step>>, Work), Fail> {
    if Program::bytes_for(task) > limits.bytes() {
        return Ok((Finished::Limit(Hit::Memory), Work::default()));
    }
    let program = Program::new(task).map_err(|refused| {
        let text = format!("{refused}: leave `--planner seed` out");
        Fail::known("not_for_this_planner", text)
    })?;
    let mut search = Search::<Arrays>::begin(program, Tuples::default());
    let found = watched(limits, console, |budget| {
        let found = search.run(budget, &mut Silent);
        (found, search.expanded(), search.bytes().total() as u64)
    });
    let came = match found {
        Ok(Found::Goal(state)) => {
            let signatures = search.plan(state).into_iter();
            Finished::Plan(signatures.map(|signature| search.step(signature)).collect())
        }
        Ok(_) => Finished::Impossible,
        Err(hit) => Finished::Limit(hit),
    };
    let work = Work {
        nodes: search.expanded(),
        generated: search.generated(),
        states: search.n_states() as u64,
        bytes: search.bytes().total() as u64,
        has_dead_ends: false,
    };
    Ok((came, work))
}
