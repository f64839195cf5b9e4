//! When a derived variable keeps its default, as relaxed rules.
//!
//! In:   a task with rules, and which defaults are needed by someone.
//! Out:  relaxed rules that cost nothing: each needs one atom and blocks one rule, and a default
//!       needs all its variable's rules blocked.
//! Cost: linear in the rules' conditions times the values of the variables they are about; if
//!       that is more than [`MOST`], defaults count as true everywhere.
//!
//! A rule is blocked by another value of any variable it asks for; if that is derived, by its
//! default. Where derived variables depend on each other in circles, a condition within the
//! circle counts as blocked: then nothing holds in a state that these rules do not reach, for
//! what is left depends on each other in one direction only.

use super::task::{Atom, Task};

/// So many relaxed rules are made at most.
const MOST: usize = 1 << 20;

/// What blocks a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Block {
    /// An atom.
    By(Atom),
    /// Nothing is needed: it counts as blocked.
    Free,
}

#[derive(Debug, Default)]
pub(super) struct Defaults {
    /// By variable: whether its default is needed.
    is_needed: Vec<bool>,
    /// By variable: whether it depends on itself, or stands between such.
    is_in_circle: Vec<bool>,
    is_too_much: bool,
}

impl Defaults {
    pub(super) fn fill(&mut self, task: &Task) {
        self.is_needed.clear();
        self.is_needed.resize(task.sizes().len(), false);
        self.is_too_much = false;
        if !task.has_axioms() {
            return;
        }
        self.find_circles(task);
        self.find_needed(task);
        let mut n_rules = 0;
        for rule in task.axioms().filter(|rule| self.is_needed[rule.sets.variable as usize]) {
            let sizes = rule.when.iter().map(|atom| task.sizes()[atom.variable as usize] as usize);
            n_rules += 1 + sizes.sum::<usize>();
        }
        self.is_too_much = n_rules > MOST;
    }

    /// Whether the default of a derived variable has rules of its own; else it is true everywhere.
    pub(super) fn has_rules(&self, variable: u32) -> bool {
        self.is_needed[variable as usize] && !self.is_too_much
    }

    /// What blocks a rule for a variable, each of them alone.
    pub(super) fn blocks(
        &self,
        task: &Task,
        head: u32,
        when: &[Atom],
        mut each: impl FnMut(Block),
    ) {
        for &Atom { variable, value } in when {
            let default = task.start()[variable as usize];
            let is_derived = task.layer(variable).is_some();
            if is_derived && value != default {
                let circle = |variable: u32| self.is_in_circle[variable as usize];
                each(if circle(variable) && circle(head) {
                    Block::Free
                } else {
                    Block::By(Atom { variable, value: default })
                });
            }
            for other in 0..task.sizes()[variable as usize] as u16 {
                if other != value && !(is_derived && other == default) {
                    each(Block::By(Atom { variable, value: other }));
                }
            }
        }
    }

    /// Leaves in the circles what remains when those are taken away, again and again, that
    /// depend on none of the rest, or on which none of the rest depends.
    fn find_circles(&mut self, task: &Task) {
        self.is_in_circle.clear();
        self.is_in_circle.extend((0..task.sizes().len()).map(|v| task.layer(v as u32).is_some()));
        let mut depends = vec![[false; 2]; task.sizes().len()];
        loop {
            depends.iter_mut().for_each(|both| *both = [false; 2]);
            for rule in task.axioms() {
                let head = rule.sets.variable as usize;
                for atom in rule.when {
                    let asked = atom.variable as usize;
                    if self.is_in_circle[head] && self.is_in_circle[asked] {
                        depends[head][0] = true;
                        depends[asked][1] = true;
                    }
                }
            }
            let mut has_changed = false;
            for (is_in, both) in self.is_in_circle.iter_mut().zip(&depends) {
                let stays = *is_in && both[0] && both[1];
                has_changed |= *is_in && !stays;
                *is_in = stays;
            }
            if !has_changed {
                return;
            }
        }
    }

    /// Marks the defaults that somebody needs: operators, effects, rules, the goal; and for each
    /// of them those whose defaults block its rules.
    fn find_needed(&mut self, task: &Task) {
        let is_needed = &mut self.is_needed;
        let mut need = |atom: &Atom| {
            let variable = atom.variable as usize;
            let is_default = atom.value == task.start()[variable];
            is_needed[variable] |= is_default && task.layer(atom.variable).is_some();
        };
        task.goal().iter().for_each(&mut need);
        for operator in 0..task.n_operators() as u32 {
            task.needs(operator).iter().for_each(&mut need);
            task.effects(operator).for_each(|effect| effect.when.iter().for_each(&mut need));
        }
        task.axioms().for_each(|rule| rule.when.iter().for_each(&mut need));
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for rule in task.axioms() {
                if !self.is_needed[rule.sets.variable as usize] {
                    continue;
                }
                for atom in rule.when {
                    let variable = atom.variable as usize;
                    if task.layer(atom.variable).is_some() && !self.is_needed[variable] {
                        self.is_needed[variable] = true;
                        has_changed = true;
                    }
                }
            }
        }
    }
}
