//! Random tasks whose goal is not at hand: most tasks made blindly are solved in no step or one.
//!
//! In:   a seed and features.
//! Out:  a [`Draft`] whose goal holds in a state far from the start; now and then any goal.
//! Cost: a few hundred states of a few tasks.

use super::{Draft, Features, Oracle, draft};
use throng_base::SplitMix;
use throng_pddl::lifted::Lifted;

/// So many tasks are made, and the one with the farthest state taken.
const TRIES: u64 = 4;
/// So many states are looked at in each.
const STATES: usize = 100;

/// A random task with a goal that takes some steps, if any does.
pub fn deep_draft(seed: u64, features: Features) -> Draft {
    let mut dice = SplitMix::new(seed);
    let mut best: Option<(usize, Draft)> = None;
    let wants_any = dice.percent(20);
    for _ in 0..TRIES {
        let mut made = draft(dice.number(), features);
        let Some(task) = lifted(&made) else { return made };
        let Some(oracle) = Oracle::new(&task) else { continue };
        let (depth, mut atoms) = oracle.far_state(STATES);
        atoms.retain(|atom| !task.init.contains(atom));
        if !wants_any && !atoms.is_empty() {
            dice.shuffle(&mut atoms);
            atoms.truncate(dice.within(1, 4));
            made.set_goal(atoms.iter().map(|atom| task.atom_text(atom)).collect());
        }
        if best.as_ref().is_none_or(|(deepest, _)| depth > *deepest) {
            best = Some((depth, made));
        }
    }
    best.map_or_else(|| draft(seed, features), |(_, draft)| draft)
}

/// The task that a draft's texts say; `None` if the reader finds an error.
pub fn lifted(draft: &Draft) -> Option<Lifted> {
    let [domain, problem] = draft.texts();
    throng_lab::tasks::lifted_of([&domain, &problem])
}
