//! Makes a task what `.sas` can say.
//!
//! In:   a named task.
//! Out:  one that [`sas::write`](crate::sas::write) takes, and what was changed.
//! Cost: linear in the task.
//!
//! Three things are changed, and told. Costs with a fraction are multiplied until they are whole.
//! Operators that do nothing are left out, and an empty goal gets one fact that always holds,
//! because other planners refuse an operator without effects and a goal without facts; their own
//! translators do the same.

use crate::named::{NamedTask, Names, VariableNames};
use throng_domain::Cost;
use throng_planner::forward::{Atom, GroundTask, Rule};

/// Changes what `.sas` cannot say, and says what it did, a line each.
pub fn for_sas(named: &mut NamedTask) -> Vec<String> {
    let mut notes = Vec::new();
    let factor = whole_factor(&named.task);
    let n_operators = named.task.n_operators();
    let idle = (0..n_operators as u32).filter(|&at| is_idle(&named.task, at)).count();
    if factor > 1 || idle > 0 {
        *named = rebuilt(named, factor);
    }
    if idle > 0 {
        let (plural, they) = if idle == 1 { ("", "it does") } else { ("s", "they do") };
        notes.push(format!("{idle} operator{plural} left out: {they} nothing"));
    }
    if factor > 1 {
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
pub(super) fn whole_factor(task: &GroundTask) -> u64 {
    let costs = || (0..task.n_operators() as u32).map(|operator| task.cost(operator));
    let is_whole = |factor: &u64| costs().all(|cost| cost % (Cost::ONE.0 / factor) == 0);
    [1, 10, 100, 1000].into_iter().find(is_whole).unwrap_or(Cost::ONE.0)
}

/// Whether an operator has no effects at all.
fn is_idle(task: &GroundTask, operator: u32) -> bool {
    task.sets(operator).is_empty() && task.effects(operator).next().is_none()
}

/// The same task without idle operators, all costs multiplied.
fn rebuilt(named: &NamedTask, factor: u64) -> NamedTask {
    let task = &named.task;
    let mut other = NamedTask {
        task: GroundTask::default(),
        operators: Names::default(),
        variables: named.variables.clone(),
        mutexes: named.mutexes.clone(),
        has_metric: named.has_metric,
    };
    for (at, (&size, &start)) in task.sizes().iter().zip(task.start()).enumerate() {
        match task.layer(at as u32) {
            None => other.task.add_variable(size, start),
            Some(layer) => other.task.add_derived(size, start, layer),
        };
    }
    for Rule { when, sets } in task.axioms() {
        other.task.add_axiom(when.iter().copied(), sets);
    }
    for operator in (0..task.n_operators() as u32).filter(|&at| !is_idle(task, at)) {
        let (needs, sets) = (task.needs(operator), task.sets(operator));
        let cost = task.cost(operator).saturating_mul(factor);
        other.task.add_operator(needs.iter().copied(), sets.iter().copied(), cost);
        for Rule { when, sets } in task.effects(operator) {
            other.task.add_effect(when.iter().copied(), sets);
        }
        other.operators.push(named.operators.get(operator as usize));
    }
    other.task.set_goal(task.goal().iter().copied());
    other
}
