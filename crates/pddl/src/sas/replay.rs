//! A plan for a ground task, replayed by the meaning of the words.
//!
//! In:   a named task and operators.
//! Out:  what they cost together, or the step that cannot be done.
//! Cost: per step, one pass over the variables and one over the conditions of all rules.
//!
//! Shares no code with any search. It is the judge of plans for `.sas` files, which have no
//! lifted task.

use crate::named::NamedTask;
use throng_domain::Cost;
use throng_domain::compile::PackedValue;
use throng_planner::forward::{Atom, GroundTask, Rule};

/// What fails in a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplayFailure {
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
pub fn replay(named: &NamedTask, plan: &[u32]) -> Result<Cost, ReplayFailure> {
    // Asked for ever: there is always a judgement.
    replay_until(named, plan, &|| false).unwrap_or(Err(ReplayFailure::Goal))
}

/// The same; `None` if `stop`, asked before each step, said so before there was a judgement.
pub fn replay_until(
    named: &NamedTask,
    plan: &[u32],
    stop: &dyn Fn() -> bool,
) -> Option<Result<Cost, ReplayFailure>> {
    let task = &named.task;
    let mut rules = Rules::new(task);
    let mut state = task.start().to_vec();
    rules.follow(&mut state);
    let mut cost = 0u64;
    for (at, &operator) in plan.iter().enumerate() {
        if stop() {
            return None;
        }
        if operator as usize >= task.n_operators() || !all_hold(&state, task.needs(operator)) {
            return Some(Err(ReplayFailure::Step(at + 1)));
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
        rules.follow(&mut state);
        cost = cost.saturating_add(task.cost(operator));
    }
    Some(all_hold(&state, task.goal()).then_some(Cost(cost)).ok_or(ReplayFailure::Goal))
}

fn all_hold(state: &[PackedValue], atoms: &[Atom]) -> bool {
    atoms.iter().all(|&atom| holds(state, atom))
}

fn holds(state: &[PackedValue], atom: Atom) -> bool {
    state[atom.variable as usize] == atom.value
}

/// The rules of a task by layer, ready to be followed in any state.
struct Rules<'t> {
    task: &'t GroundTask,
    /// By layer.
    rules: Vec<Rule<'t>>,
    /// Where each layer begins, and the end of the last.
    layers: Vec<usize>,
    /// Per variable, the rules of its own layer that ask for it, with the value: only these
    /// must be looked at again when it changes, as what lower layers say is final.
    asking: Vec<Vec<(u32, PackedValue)>>,
    /// Per rule, how many of its conditions do not hold.
    unmet: Vec<usize>,
}

impl<'t> Rules<'t> {
    fn new(task: &'t GroundTask) -> Self {
        let layer_of = |atom: Atom| task.layer(atom.variable);
        let mut rules: Vec<Rule<'t>> = task.axioms().collect();
        rules.sort_by_key(|rule| layer_of(rule.sets));
        let begins =
            |&at: &usize| at == 0 || layer_of(rules[at - 1].sets) < layer_of(rules[at].sets);
        let mut layers: Vec<usize> = (0..rules.len()).filter(begins).collect();
        layers.push(rules.len());
        let mut asking = vec![Vec::new(); task.sizes().len()];
        for (at, rule) in rules.iter().enumerate() {
            for atom in rule.when.iter().filter(|&&atom| layer_of(atom) == layer_of(rule.sets)) {
                asking[atom.variable as usize].push((at as u32, atom.value));
            }
        }
        Rules { task, unmet: vec![0; rules.len()], rules, layers, asking }
    }

    /// Works out the derived variables, layer by layer, each rule once for each condition that
    /// comes true.
    fn follow(&mut self, state: &mut [PackedValue]) {
        let Rules { task, rules, layers, asking, unmet } = self;
        for (variable, value) in state.iter_mut().enumerate() {
            if task.layer(variable as u32).is_some() {
                *value = task.start()[variable];
            }
        }
        let mut fulfilled = Vec::new();
        for layer in layers.windows(2) {
            for at in layer[0]..layer[1] {
                unmet[at] = rules[at].when.iter().filter(|&&atom| !holds(state, atom)).count();
                if unmet[at] == 0 {
                    fulfilled.push(at);
                }
            }
            while let Some(at) = fulfilled.pop() {
                let sets = rules[at].sets;
                if holds(state, sets) {
                    continue;
                }
                state[sets.variable as usize] = sets.value;
                for &(rule, value) in &asking[sets.variable as usize] {
                    if value == sets.value {
                        let rule = rule as usize;
                        unmet[rule] = unmet[rule].saturating_sub(1);
                        if unmet[rule] == 0 {
                            fulfilled.push(rule);
                        }
                    }
                }
            }
        }
    }
}
