//! Makes a task what `.sas` can say.
//!
//! In:   a named task.
//! Out:  one that [`sas::write`](crate::sas::write) takes, and what was changed.
//! Cost: linear in the task.
//!
//! Two things are mended, and told. Costs with a fraction are multiplied until they are whole.
//! An empty goal gets one fact that always holds, because other planners refuse a goal without
//! any; their own translators do the same.

use crate::named::{NamedTask, VariableNames};
use throng_domain::Milli;
use throng_planner::forward::{Atom, Rule, Task};

/// Mends what can be mended, and says what it did.
pub fn for_sas(named: &mut NamedTask) -> Vec<String> {
    let mut notes = Vec::new();
    let factor = whole_factor(&named.task);
    if factor > 1 {
        named.task = with_costs(&named.task, |cost| cost.saturating_mul(factor));
        notes.push(format!("costs are multiplied by {factor}, so that they are whole numbers"));
    }
    if named.task.goal().is_empty() {
        let variable = named.task.add_variable(2, 0);
        let values = ["Atom nothing-is-wanted()", "NegatedAtom nothing-is-wanted()"];
        let values = values.map(str::to_owned).to_vec();
        named.variables.push(VariableNames { name: "nothing-is-wanted".to_owned(), values });
        named.task.set_goal([Atom { variable, value: 0 }].into_iter());
        notes.push("the goal is empty: a variable that always holds was added for it".to_owned());
    }
    notes
}

/// The least power of ten that makes all costs whole.
pub(super) fn whole_factor(task: &Task) -> u64 {
    let costs = || (0..task.n_operators() as u32).map(|operator| task.cost(operator));
    let is_whole = |factor: &u64| costs().all(|cost| cost % (Milli::ONE.0 / factor) == 0);
    [1, 10, 100, 1000].into_iter().find(is_whole).unwrap_or(Milli::ONE.0)
}

/// The same task with other costs.
fn with_costs(task: &Task, cost: impl Fn(u64) -> u64) -> Task {
    let mut other = Task::default();
    for (at, (&size, &start)) in task.sizes().iter().zip(task.start()).enumerate() {
        match task.layer(at as u32) {
            None => other.add_variable(size, start),
            Some(layer) => other.add_derived(size, start, layer),
        };
    }
    for Rule { when, sets } in task.axioms() {
        other.add_axiom(when.iter().copied(), sets);
    }
    for operator in 0..task.n_operators() as u32 {
        let (needs, sets) = (task.needs(operator), task.sets(operator));
        let cost = cost(task.cost(operator));
        other.add_operator(needs.iter().copied(), sets.iter().copied(), cost);
        for Rule { when, sets } in task.effects(operator) {
            other.add_effect(when.iter().copied(), sets);
        }
    }
    other.set_goal(task.goal().iter().copied());
    other
}
