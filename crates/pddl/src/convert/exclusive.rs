//! Effects that happen one after the other as effects that happen at once.
//!
//! In:   a task, where a later effect of an operator wins over an earlier one.
//! Out:  per operator its effects, each with the conditions under which a later one overrules
//!       it; or the operator whose effects overrule each other in too many ways.
//! Cost: an operator's effects on one variable are compared in pairs, up to a limit.

use super::error::WritePddlError;
use crate::named::NamedTask;
use std::collections::HashMap;
use throng_planner::forward::{Atom, GroundTask, Rule};

/// So many facts are named in "unless", over all effects: some thirty megabytes of text.
const MOST_UNLESS: usize = 1 << 20;
/// So many pairs of facts are compared to find what overrules what: some tenths of a second.
const MOST_COMPARED: usize = 1 << 27;

/// One thing that an operator does: conditions, and the overruling conditions that must not hold.
pub(super) struct Effect<'t> {
    pub(super) when: &'t [Atom],
    pub(super) unless: Vec<&'t [Atom]>,
    pub(super) sets: Atom,
}

/// Per operator what it does, in order, made exclusive.
pub(super) fn all_effects(named: &NamedTask) -> Result<Vec<Vec<Effect<'_>>>, WritePddlError> {
    let mut room = Room { unless: MOST_UNLESS, compared: MOST_COMPARED };
    let operators = 0..named.task.n_operators() as u32;
    operators
        .map(|operator| {
            effects(&named.task, operator, &mut room).map_err(|variable| WritePddlError::Effects {
                operator: named.operators.get(operator as usize).to_owned(),
                variable: named.variables[variable as usize].name.clone(),
            })
        })
        .collect()
}

/// What is left of the limits.
struct Room {
    unless: usize,
    compared: usize,
}

/// What one operator does; or the variable at which there is no room left.
fn effects<'t>(
    task: &'t GroundTask,
    operator: u32,
    room: &mut Room,
) -> Result<Vec<Effect<'t>>, u32> {
    let always = task.sets(operator).iter().map(|&sets| Rule { when: &[], sets });
    let rules: Vec<Rule<'t>> = always.chain(task.effects(operator)).collect();
    let mut made = Vec::new();
    // Per variable the effects that come later, as we go from the last to the first.
    let mut later: HashMap<u32, Vec<Rule<'t>>> = HashMap::new();
    for &Rule { when, sets } in rules.iter().rev() {
        let others = later.entry(sets.variable).or_default();
        let mut unless = Vec::new();
        let mut is_overruled = false;
        for other in others.iter().rev() {
            let full = sets.variable;
            // The pair itself counts as one.
            let pairs = when.len().saturating_mul(other.when.len()).saturating_add(1);
            room.compared = room.compared.checked_sub(pairs).ok_or(full)?;
            if other.sets.value != sets.value && !exclude(other.when, when) {
                is_overruled |= other.when.is_empty();
                room.unless = room.unless.checked_sub(other.when.len()).ok_or(full)?;
                unless.push(other.when);
            }
        }
        others.push(Rule { when, sets });
        if !is_overruled {
            made.push(Effect { when, unless, sets });
        }
    }
    made.reverse();
    Ok(made)
}

/// Whether two lists of facts cannot hold together.
fn exclude(some: &[Atom], others: &[Atom]) -> bool {
    let differs = |a: &Atom, b: &Atom| a.variable == b.variable && a.value != b.value;
    some.iter().any(|a| others.iter().any(|b| differs(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One operator that sets a variable of three values in many ways.
    fn switches(count: u32) -> GroundTask {
        let mut task = GroundTask::default();
        let set = task.add_variable(3, 0);
        task.add_operator([].into_iter(), [].into_iter(), 1000);
        for at in 0..count {
            let variable = task.add_variable(2, 0);
            let sets = Atom { variable: set, value: 1 + (at % 2) as u16 };
            task.add_effect([Atom { variable, value: 0 }].into_iter(), sets);
        }
        task
    }

    #[test]
    fn each_effect_denies_the_later_ones_with_another_value() {
        let task = switches(6);
        let mut room = Room { unless: 100, compared: 100 };
        let made = effects(&task, 0, &mut room).unwrap();
        let denied: Vec<Vec<u32>> = made
            .iter()
            .map(|effect| effect.unless.iter().map(|when| when[0].variable).collect())
            .collect();
        assert_eq!(denied, [vec![2, 4, 6], vec![3, 5], vec![4, 6], vec![5], vec![6], vec![]]);
        assert_eq!((room.unless, room.compared), (100 - 9, 100 - 2 * 15));
    }

    #[test]
    fn beyond_the_limits_the_variable_is_named() {
        let task = switches(6);
        for (unless, compared) in [(8, 100), (100, 29)] {
            let refused = effects(&task, 0, &mut Room { unless, compared });
            assert_eq!(refused.map(|made| made.len()), Err(0));
        }
        assert!(effects(&task, 0, &mut Room { unless: 9, compared: 30 }).is_ok());
    }
}
