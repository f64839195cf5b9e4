//! A goal that is "this or that".
//!
//! In:   a ground task.
//! Out:  the derived variable that stands for its goal, if it stands for nothing else.
//! Cost: one pass over the task.
//!
//! A task's goal is a list of facts, so a goal with alternatives is a fact that a rule derives
//! from each of them. Languages that know `or`, or goals with alternatives, can do without it.

use throng_planner::forward::{Atom, GroundTask};

/// The variable whose rules are the alternatives of the goal; nothing else asks for it.
pub(super) fn either(task: &GroundTask) -> Option<u32> {
    let &[Atom { variable, value }] = task.goal() else { return None };
    task.layer(variable)?;
    let unasked = |atoms: &[Atom]| atoms.iter().all(|atom| atom.variable != variable);
    let by_operator =
        |at: u32| unasked(task.needs(at)) && task.effects(at).all(|effect| unasked(effect.when));
    let alone = value != task.start()[variable as usize]
        && task.axioms().all(|rule| unasked(rule.when))
        && (0..task.n_operators() as u32).all(by_operator);
    // Of one there is no choice: that is a rule as any other.
    (alone && alternatives(task, variable).nth(1).is_some()).then_some(variable)
}

/// What each of the alternatives asks for.
pub(super) fn alternatives(task: &GroundTask, variable: u32) -> impl Iterator<Item = &[Atom]> {
    let rules = task.axioms().filter(move |rule| rule.sets.variable == variable);
    rules.map(|rule| rule.when)
}
