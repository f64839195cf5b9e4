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

use super::task::{Atom, GroundTask};
use throng_base::{Rows, reset};

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
    /// By rule: the variable it sets, and the derived ones it asks for.
    heads: Rows<u32>,
    asks: Rows<u32>,
    /// By variable: the rules that set it, and those that ask for it.
    rules_of: Rows<u32>,
    asked_by: Rows<u32>,
    depends: Vec<[u32; 2]>,
    open: Vec<u32>,
}

impl Defaults {
    pub(super) fn fill(&mut self, task: &GroundTask) {
        reset(&mut self.is_needed, task.sizes().len(), false);
        self.is_too_much = false;
        if !task.has_axioms() {
            return;
        }
        self.fill_rows(task);
        self.find_circles(task);
        self.find_needed(task);
        let needed = task.axioms().filter(|rule| self.is_needed[rule.sets.variable as usize]);
        let size = |atom: &Atom| task.sizes()[atom.variable as usize] as usize;
        let n_rules = needed.map(|rule| 1 + rule.when.iter().map(size).sum::<usize>());
        self.is_too_much = n_rules.sum::<usize>() > MOST;
    }

    /// Whether the default of a derived variable has rules of its own; else it is true everywhere.
    pub(super) fn has_rules(&self, variable: u32) -> bool {
        self.is_needed[variable as usize] && !self.is_too_much
    }

    /// What blocks a rule for a variable, each of them alone.
    pub(super) fn blocks(
        &self,
        task: &GroundTask,
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

    /// Writes which derived variables each rule asks for, and by variable the rules that set it
    /// and those that ask for it.
    fn fill_rows(&mut self, task: &GroundTask) {
        self.heads.clear();
        self.asks.clear();
        for rule in task.axioms() {
            self.heads.push_entry(rule.sets.variable);
            self.heads.end_row();
            let derived = rule.when.iter().filter(|atom| task.layer(atom.variable).is_some());
            derived.for_each(|atom| self.asks.push_entry(atom.variable));
            self.asks.end_row();
        }
        let n_variables = task.sizes().len();
        self.rules_of.turn(&self.heads, n_variables);
        self.asked_by.turn(&self.asks, n_variables);
    }

    /// Leaves in the circles what remains when those are taken away, again and again, that
    /// depend on none of the rest, or on which none of the rest depends.
    fn find_circles(&mut self, task: &GroundTask) {
        let Defaults { is_in_circle, heads, asks, rules_of, asked_by, depends, open, .. } = self;
        let variables = 0..task.sizes().len() as u32;
        is_in_circle.clear();
        is_in_circle.extend(variables.clone().map(|variable| task.layer(variable).is_some()));
        // How many of the rest each depends on, and how many depend on it; some count twice.
        depends.clear();
        depends.extend(variables.clone().map(|variable| {
            let on =
                rules_of.row(variable as usize).iter().map(|&rule| asks.row(rule as usize).len());
            [on.sum::<usize>() as u32, asked_by.row(variable as usize).len() as u32]
        }));
        open.clear();
        for variable in variables.filter(|&variable| task.layer(variable).is_some()) {
            if depends[variable as usize].contains(&0) {
                is_in_circle[variable as usize] = false;
                open.push(variable);
            }
        }
        let mut lose = |variable: u32, side: usize, open: &mut Vec<u32>| {
            let left = &mut depends[variable as usize][side];
            *left -= 1;
            if *left == 0 && std::mem::take(&mut is_in_circle[variable as usize]) {
                open.push(variable);
            }
        };
        while let Some(variable) = open.pop() {
            for &rule in rules_of.row(variable as usize) {
                asks.row(rule as usize).iter().for_each(|&asked| lose(asked, 1, open));
            }
            for &rule in asked_by.row(variable as usize) {
                heads.row(rule as usize).iter().for_each(|&head| lose(head, 0, open));
            }
        }
    }

    /// Marks the defaults that are needed: by operators, effects, rules, the goal; and for each
    /// of them those whose defaults block its rules.
    fn find_needed(&mut self, task: &GroundTask) {
        let Defaults { is_needed, asks, rules_of, open, .. } = self;
        open.clear();
        let mut need = |atom: &Atom| {
            let variable = atom.variable as usize;
            let is_default = atom.value == task.start()[variable];
            if is_default && task.layer(atom.variable).is_some() && !is_needed[variable] {
                is_needed[variable] = true;
                open.push(atom.variable);
            }
        };
        task.goal().iter().for_each(&mut need);
        for operator in 0..task.n_operators() as u32 {
            task.needs(operator).iter().for_each(&mut need);
            task.effects(operator).for_each(|effect| effect.when.iter().for_each(&mut need));
        }
        task.axioms().for_each(|rule| rule.when.iter().for_each(&mut need));
        while let Some(variable) = open.pop() {
            for &rule in rules_of.row(variable as usize) {
                for &asked in asks.row(rule as usize) {
                    if !std::mem::replace(&mut is_needed[asked as usize], true) {
                        open.push(asked);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::SplitMix;

    const N_TASKS: u32 = 2_000;

    /// Two variables that are stored, and derived ones with rules between them.
    fn any_task(seed: u32) -> GroundTask {
        let mut random = SplitMix::new(seed.into());
        let mut below = |n: u32| random.below(n as usize) as u32;
        let mut task = GroundTask::default();
        let n_derived = 1 + below(9);
        (0..2).for_each(|_| _ = task.add_variable(2, 0));
        (0..n_derived).for_each(|_| _ = task.add_derived(2, 0, 0));
        for _ in 0..below(2 * n_derived) {
            let when: Vec<u32> = (0..1 + below(2)).map(|_| below(2 + n_derived)).collect();
            let when = when.into_iter().map(|variable| Atom { variable, value: 1 });
            task.add_axiom(when, Atom { variable: 2 + below(n_derived), value: 1 });
        }
        task.set_goal(std::iter::once(Atom { variable: 2 + below(n_derived), value: 0 }));
        task
    }

    /// By variable: on which derived ones it depends, on how many steps ever.
    fn depends_on(task: &GroundTask) -> Vec<Vec<bool>> {
        let n = task.sizes().len();
        let mut depends = vec![vec![false; n]; n];
        for rule in task.axioms() {
            let derived = rule.when.iter().filter(|atom| task.layer(atom.variable).is_some());
            for atom in derived {
                depends[rule.sets.variable as usize][atom.variable as usize] = true;
            }
        }
        for by in 0..n {
            for from in 0..n {
                for to in 0..n {
                    depends[from][to] |= depends[from][by] && depends[by][to];
                }
            }
        }
        depends
    }

    #[test]
    fn circles_and_needs_are_those_of_the_definition() {
        let mut defaults = Defaults::default();
        let (mut n_in, mut n_between, mut n_needed) = (0, 0, 0);
        for seed in 0..N_TASKS {
            let task = any_task(seed);
            if !task.has_axioms() {
                continue;
            }
            defaults.fill(&task);
            let depends = depends_on(&task);
            let n = task.sizes().len();
            let wanted = task.goal()[0].variable as usize;
            for variable in 0..n {
                // On a circle, or behind one and before one.
                let on_circle = depends[variable][variable];
                let behind = (0..n).any(|other| depends[variable][other] && depends[other][other]);
                let before = (0..n).any(|other| depends[other][variable] && depends[other][other]);
                let is_in = on_circle || behind && before;
                assert_eq!(defaults.is_in_circle[variable], is_in, "seed {seed}, {variable}");
                let is_needed = variable == wanted || depends[wanted][variable];
                assert_eq!(defaults.is_needed[variable], is_needed, "seed {seed}, {variable}");
                n_in += u32::from(on_circle);
                n_between += u32::from(is_in && !on_circle);
                n_needed += u32::from(is_needed);
            }
        }
        let tally = format!("{n_in} on circles, {n_between} between, {n_needed} needed");
        assert!(n_in > 1_000 && n_between > 10 && n_needed > N_TASKS, "{tally}");
    }
}
