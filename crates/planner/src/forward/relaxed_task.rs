//! A task in which nothing that was true is ever lost: what estimates are made of.
//!
//! In:   a task, and which of its variables ever change.
//! Out:  atoms as numbers, and flat rows: what each relaxed operator needs and sets, who needs an
//!       atom and who sets it.
//! Cost: linear in the task; refilled without allocation once warm.
//!
//! An operator becomes one relaxed operator for what it always sets, and one for each of its
//! conditional effects, which needs the operator's needs and the condition. A rule is a relaxed
//! operator that costs nothing, and so is what keeps a derived variable at its default
//! (`defaults`): a further atom per rule says that the rule is blocked. Whatever holds in a
//! state that can be reached can be reached here, so what cannot be reached here is out of
//! reach.

use super::defaults::{Block, Defaults};
use super::packed::Packed;
use super::task::{Atom, GroundTask};
use throng_base::{Rows, reset};

/// A relaxed task.
#[derive(Debug, Default)]
pub(super) struct RelaxedTask {
    /// The number of each variable's first atom.
    first: Vec<u32>,
    defaults: Defaults,
    /// Those of the variables, and further ones.
    n_atoms: usize,
    n_operators: usize,
    /// By relaxed operator.
    pub(super) needs: Rows<u32>,
    pub(super) sets: Rows<u32>,
    /// The operator it is a part of; the number of operators for a rule.
    pub(super) owners: Vec<u32>,
    /// By atom.
    pub(super) needers: Rows<u32>,
    pub(super) setters: Rows<u32>,
    /// By owner.
    pub(super) parts: Rows<u32>,
    owner_rows: Rows<u32>,
    /// Relaxed operators that need nothing.
    pub(super) free: Vec<u32>,
    /// The goal, as far as it is not true everywhere.
    pub(super) goal: Vec<u32>,
    pub(super) is_goal: Vec<bool>,
    is_hopeless: bool,
    row: Vec<u32>,
    /// Rules by the variable they set; only while the tables are made.
    by_head: Vec<(u32, u32)>,
}

impl RelaxedTask {
    pub(super) fn fill(&mut self, task: &GroundTask, packed: &Packed) {
        task.first_atoms().clone_into(&mut self.first);
        self.n_atoms = task.n_atoms();
        self.n_operators = task.n_operators();
        self.defaults.fill(task);
        self.needs.clear();
        self.sets.clear();
        self.owners.clear();
        self.free.clear();
        for operator in 0..task.n_operators() as u32 {
            let needs = task.needs(operator);
            self.add(task, packed, operator, [needs, &[]], task.sets(operator));
            if task.has_effects() {
                for effect in task.effects(operator) {
                    self.add(task, packed, operator, [needs, effect.when], &[effect.sets]);
                }
            }
        }
        for rule in task.axioms() {
            self.add(task, packed, self.n_operators as u32, [rule.when, &[]], &[rule.sets]);
        }
        self.add_defaults(task, packed);
        self.needers.turn(&self.needs, self.n_atoms);
        self.setters.turn(&self.sets, self.n_atoms);
        self.owner_rows.clear();
        self.owners.iter().for_each(|&owner| self.owner_rows.push(&[owner]));
        self.parts.turn(&self.owner_rows, self.n_operators + 1);
        self.fill_goal(task, packed);
    }

    fn fill_goal(&mut self, task: &GroundTask, packed: &Packed) {
        self.goal.clear();
        reset(&mut self.is_goal, self.n_atoms, false);
        self.is_hopeless = false;
        for &atom in task.goal() {
            self.is_hopeless |= packed.is_never(atom);
            let number = self.number(atom);
            if !is_everywhere(task, packed, &self.defaults, atom) && !self.is_goal[number as usize]
            {
                self.is_goal[number as usize] = true;
                self.goal.push(number);
            }
        }
    }

    /// Adds what keeps derived variables at their defaults.
    fn add_defaults(&mut self, task: &GroundTask, packed: &Packed) {
        self.by_head.clear();
        self.by_head.extend(task.axioms().zip(0..).map(|(rule, at)| (rule.sets.variable, at)));
        self.by_head.sort_unstable();
        let mut at = 0;
        while let Some(&(variable, _)) = self.by_head.get(at) {
            let value = task.start()[variable as usize];
            let first_blocked = self.n_atoms as u32;
            let has_rules = self.defaults.has_rules(variable);
            while let Some(&(_, rule)) = self.by_head.get(at).filter(|entry| entry.0 == variable) {
                let rule = task.axiom(rule as usize);
                if has_rules && rule.sets.value != value {
                    self.add_blocks(task, packed, variable, rule.when);
                }
                at += 1;
            }
            if !has_rules || packed.field(variable).mask == 0 {
                continue;
            }
            let default = self.number(Atom { variable, value });
            let blocked = first_blocked..self.n_atoms as u32;
            self.push(self.n_operators as u32, blocked, std::iter::once(default));
        }
    }

    /// Adds an atom for a rule that is blocked, and what blocks it.
    fn add_blocks(&mut self, task: &GroundTask, packed: &Packed, head: u32, when: &[Atom]) {
        if when.iter().any(|&atom| packed.is_never(atom)) {
            return;
        }
        let blocked = self.n_atoms as u32;
        self.n_atoms += 1;
        let defaults = std::mem::take(&mut self.defaults);
        defaults.blocks(task, head, when, |block| {
            let owner = self.n_operators as u32;
            match block {
                Block::Free => self.push(owner, std::iter::empty(), std::iter::once(blocked)),
                Block::By(atom) if packed.is_fixed(atom) => {}
                Block::By(atom) => {
                    let need = self.number(atom);
                    self.push(owner, std::iter::once(need), std::iter::once(blocked));
                }
            }
        });
        self.defaults = defaults;
    }

    /// Adds a relaxed operator.
    fn push(
        &mut self,
        owner: u32,
        needs: impl Iterator<Item = u32>,
        sets: impl Iterator<Item = u32>,
    ) {
        let before = self.needs.n_entries();
        self.needs.push_list(needs);
        if self.needs.n_entries() == before {
            self.free.push(self.owners.len() as u32);
        }
        self.sets.push_list(sets);
        self.owners.push(owner);
    }

    fn add(
        &mut self,
        task: &GroundTask,
        packed: &Packed,
        owner: u32,
        needs: [&[Atom]; 2],
        sets: &[Atom],
    ) {
        let is_everywhere = |atom: Atom| is_everywhere(task, packed, &self.defaults, atom);
        let all = || needs.into_iter().flatten().copied();
        let number = |atom: Atom| self.first[atom.variable as usize] + u32::from(atom.value);
        if all().any(|atom| packed.is_never(atom)) {
            return;
        }
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        row.extend(all().filter(|&atom| !is_everywhere(atom)).map(number));
        row.sort_unstable();
        row.dedup();
        let n_needs = row.len();
        row.extend(sets.iter().copied().filter(|&atom| !is_everywhere(atom)).map(number));
        // What sets nothing of use is left out.
        if row.len() > n_needs {
            let (needs, sets) = row.split_at(n_needs);
            self.push(owner, needs.iter().copied(), sets.iter().copied());
        }
        self.row = row;
    }

    fn number(&self, atom: Atom) -> u32 {
        self.first[atom.variable as usize] + u32::from(atom.value)
    }

    /// The atoms of a state.
    pub(super) fn atoms<'s>(
        &'s self,
        state: &'s [throng_domain::compile::PackedValue],
    ) -> impl Iterator<Item = u32> + 's {
        self.first.iter().zip(state).map(|(&first, &value)| first + u32::from(value))
    }

    throng_base::getters! {
        n_atoms: usize;
        /// How many operators the task has; also who owns the rules.
        n_operators: usize;
        /// Whether the goal can never hold.
        is_hopeless: bool;
    }

    /// How many relaxed operators there are.
    pub(super) fn len(&self) -> usize {
        self.owners.len()
    }
}

/// Whether an atom counts as true in all states: it never changes, or is a default without rules.
fn is_everywhere(task: &GroundTask, packed: &Packed, defaults: &Defaults, atom: Atom) -> bool {
    let is_start = task.start()[atom.variable as usize] == atom.value;
    let is_default = || task.layer(atom.variable).is_some() && !defaults.has_rules(atom.variable);
    is_start && (packed.is_fixed(atom) || is_default())
}
