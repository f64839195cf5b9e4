//! A plan for a ground task, replayed by the meaning of the words.
//!
//! In:   a named task and operators.
//! Out:  what they cost together, or the step that cannot be done.
//! Cost: per step, its conditions and effects, and all rules until nothing changes.
//!
//! Shares no code with any search. It is the judge of plans for `.sas` files, which have no
//! lifted task.

use crate::named::NamedTask;
use throng_domain::Milli;
use throng_domain::compile::Value;
use throng_planner::forward::{Atom, Task};

/// What fails in a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failed {
    /// This step, from 1, needs something that does not hold, or is none.
    Step(usize),
    /// After the last step the goal does not hold.
    Goal,
}

/// Replays a plan from the start to the goal.
///
/// # Errors
///
/// The first thing that fails.
pub fn replay(named: &NamedTask, plan: &[u32]) -> Result<Milli, Failed> {
    let task = &named.task;
    let mut state = task.start().to_vec();
    derive(task, &mut state);
    let mut cost = 0u64;
    for (at, &operator) in plan.iter().enumerate() {
        if operator as usize >= task.n_operators() || !all_hold(&state, task.needs(operator)) {
            return Err(Failed::Step(at + 1));
        }
        let before = state.clone();
        for atom in task.sets(operator) {
            state[atom.variable as usize] = atom.value;
        }
        for effect in task.effects(operator) {
            if all_hold(&before, effect.when) {
                state[effect.sets.variable as usize] = effect.sets.value;
            }
        }
        derive(task, &mut state);
        cost = cost.saturating_add(task.cost(operator));
    }
    match all_hold(&state, task.goal()) {
        true => Ok(Milli(cost)),
        false => Err(Failed::Goal),
    }
}

fn all_hold(state: &[Value], atoms: &[Atom]) -> bool {
    atoms.iter().all(|atom| state[atom.variable as usize] == atom.value)
}

/// Works out the derived variables, layer by layer.
fn derive(task: &Task, state: &mut [Value]) {
    let layer_of = |atom: Atom| task.layer(atom.variable).unwrap_or(0);
    let mut layers: Vec<u32> = task.axioms().map(|rule| layer_of(rule.sets)).collect();
    layers.sort_unstable();
    layers.dedup();
    for (variable, value) in state.iter_mut().enumerate() {
        if task.layer(variable as u32).is_some() {
            *value = task.start()[variable];
        }
    }
    for layer in layers {
        let mut changes = true;
        while changes {
            changes = false;
            for rule in task.axioms().filter(|rule| layer_of(rule.sets) == layer) {
                let at = rule.sets.variable as usize;
                if state[at] != rule.sets.value && all_hold(state, rule.when) {
                    state[at] = rule.sets.value;
                    changes = true;
                }
            }
        }
    }
}
