//! The judge of all engines: plain Dijkstra on plain states, with arithmetic of its own.
//!
//! In:   a task, small enough.
//! Out:  what its cheapest plan costs, or that there is none; what a plan costs, if it is one.
//! Cost: a map of all states nearer than the goal.

use super::{CountingChange, CountingTask, Effect, Need};
use std::collections::{BTreeSet, HashMap};
use throng_domain::amounts::{ShiftBy, ShiftEnd};
use throng_domain::compile::UNKNOWN;

/// The truth about a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    /// The cheapest plan costs this.
    Cost(u64),
    /// There is no plan.
    Impossible,
    /// More states than allowed.
    TooLarge,
}

/// What the cheapest plan costs, by looking at no more than so many states.
pub(crate) fn truth(task: &CountingTask, most_states: usize) -> Truth {
    truth_from(task, task.start(), most_states)
}

/// The same from another state than the start.
pub(crate) fn truth_from(task: &CountingTask, start: &[u16], most_states: usize) -> Truth {
    let mut costs = HashMap::from([(start.to_vec(), 0)]);
    let mut open = BTreeSet::from([(0, start.to_vec())]);
    while let Some((cost, state)) = open.pop_first() {
        if task.goal().iter().all(|need| is_met(need, &state)) {
            return Truth::Cost(cost);
        }
        for action in 0..task.n_actions() as u32 {
            let Some(next) = after(task, action, &state) else { continue };
            let sum = cost + task.cost(action);
            let known = costs.get(&next).copied();
            if known.is_some_and(|known| known <= sum) {
                continue;
            }
            if let Some(known) = known {
                open.remove(&(known, next.clone()));
            } else if costs.len() >= most_states {
                return Truth::TooLarge;
            }
            costs.insert(next.clone(), sum);
            open.insert((sum, next));
        }
    }
    Truth::Impossible
}

/// What a list of steps costs, if each can be done in its turn and the goal holds behind the last.
pub(crate) fn price(task: &CountingTask, plan: &[u32]) -> Option<u64> {
    let (mut state, mut cost) = (task.start().to_vec(), 0);
    for &action in plan {
        state = after(task, action, &state)?;
        cost += task.cost(action);
    }
    task.goal().iter().all(|need| is_met(need, &state)).then_some(cost)
}

/// The state after an action, if it can run.
pub(crate) fn after(task: &CountingTask, action: u32, state: &[u16]) -> Option<Vec<u16>> {
    let mut next = state.to_vec();
    if !task.needs(action).iter().all(|need| is_met(need, state)) {
        return None;
    }
    for change in task.changes(action) {
        let at = change.variable as usize;
        next[at] = changed(change, state[at], task.sizes()[at])?;
    }
    Some(next)
}

/// Whether a value is one of those that are needed.
fn is_met(need: &Need, state: &[u16]) -> bool {
    let value = state[need.variable as usize];
    if value == UNKNOWN {
        return false;
    }
    let mut met = false;
    for &(first, last) in need.values.runs() {
        met |= !(value < first || value > last);
    }
    met
}

/// What a change makes of a value; `None` if it cannot.
pub(crate) fn changed(change: &CountingChange, value: u16, size: u16) -> Option<u16> {
    let shift = match change.effect {
        Effect::Set(to) => return Some(to),
        Effect::Shift(shift) => shift,
    };
    if value == UNKNOWN {
        return None;
    }
    // One unit after the other: nothing that the engines share.
    let ShiftBy { by, end } = shift;
    let mut value = i64::from(value);
    for _ in 0..by.unsigned_abs() {
        let next = value + i64::from(by.signum());
        match end {
            ShiftEnd::Refuse if next < 0 || next >= i64::from(size) => return None,
            ShiftEnd::Stop(stop) if by > 0 && value >= i64::from(stop) => break,
            ShiftEnd::Stop(stop) if by < 0 && value <= i64::from(stop) => break,
            _ => value = next,
        }
    }
    Some(value as u16)
}
