//! What matters to a goal: the variables that it, and what leads to it, asks for.
//!
//! In:   a type, a goal, the actions that can ever be there.
//! Out:  the variables and actions that can make a difference to its plans.
//! Cost: a pass over the actions for each round in which something is added.
//!
//! An action that changes nothing which matters makes no plan for the goal better. One that does
//! asks only for what matters. So the states of the type, told apart by nothing else, have the same
//! distances to the goal as the whole states, and are often few where those are too many.

use super::GoalGroup;
use throng_domain::compile::{LocalAction, LocalVariable, NpcTables};

/// What matters to one goal.
pub(super) struct Matters {
    /// By variable of the type.
    pub(super) variables: Vec<bool>,
    /// By action of the type: it changes one of these, and can ever be there.
    pub(super) actions: Vec<bool>,
}

impl Matters {
    /// Everything.
    pub(super) fn all(kind: &NpcTables, ever: &[bool]) -> Matters {
        let n_variables = kind.layout().n_variables();
        Matters { variables: vec![true; n_variables], actions: ever.to_vec() }
    }

    /// What matters to a goal.
    pub(super) fn to(kind: &NpcTables, ever: &[bool], wish: &GoalGroup) -> Matters {
        let n_variables = kind.layout().n_variables();
        let (variables, actions) = (vec![false; n_variables], vec![false; ever.len()]);
        let mut matters = Matters { variables, actions };
        for wants in &wish.alternatives {
            let facts = wants.facts.iter().map(|it| it.variable);
            let ranges = wants.ranges.iter().map(|it| it.variable);
            let compared = wants.comparisons.iter().flat_map(|it| [it.variable, it.other]);
            facts.chain(ranges).chain(compared).for_each(|it| matters.add(it));
        }
        let mut grows = true;
        while grows {
            grows = false;
            for action in kind.local_actions().filter(|action| ever[action.index()]) {
                let is_new = !matters.actions[action.index()];
                if is_new && changed(kind, action).any(|it| matters.variables[it.index()]) {
                    matters.actions[action.index()] = true;
                    asked(kind, action).for_each(|it| matters.add(it));
                    grows = true;
                }
            }
        }
        matters
    }

    fn add(&mut self, variable: LocalVariable) {
        self.variables[variable.index()] = true;
    }

    /// Whether an action changes something that does not matter.
    pub(super) fn changes_more(&self, kind: &NpcTables, action: LocalAction) -> bool {
        changed(kind, action).any(|variable| !self.variables[variable.index()])
    }
}

/// The variables that an action changes.
fn changed(kind: &NpcTables, action: LocalAction) -> impl Iterator<Item = LocalVariable> {
    let sets = kind.sets(action).iter().map(|it| it.variable);
    sets.chain(kind.shifts(action).iter().map(|it| it.variable))
}

/// The variables that decide whether an action can be done; what it moves must be known too.
fn asked(kind: &NpcTables, action: LocalAction) -> impl Iterator<Item = LocalVariable> {
    let needs = kind.needs(action).iter().map(|it| it.variable);
    let ranges = kind.ranges(action).iter().map(|it| it.variable);
    let compared = kind.comparisons(action).iter().flat_map(|it| [it.variable, it.other]);
    let moved = kind.shifts(action).iter().map(|it| it.variable);
    needs.chain(ranges).chain(compared).chain(moved)
}
