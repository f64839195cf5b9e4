//! A ground task: variables, operators, a start and a goal, all as numbers.
//!
//! In:   variables and operators one by one, from whoever grounds something; or an NPC's problem.
//! Out:  flat rows that the search compiles.
//! Cost: linear in what is put in; refilled without allocation once warm.
//!
//! A task has no names: whoever fills it keeps what the numbers mean. It may have tens of
//! thousands of operators.

use crate::outcome::Mode;
use crate::problem::Problem;
use throng_domain::compile::{LocalAction, LocalFact, NpcType, UNKNOWN, Value};

/// A variable having a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Atom {
    /// Which variable.
    pub variable: u32,
    /// Its value, below the variable's size.
    pub value: Value,
}

impl From<LocalFact> for Atom {
    fn from(fact: LocalFact) -> Atom {
        Atom { variable: fact.variable.0, value: fact.value }
    }
}

/// Lists of atoms, one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Lists {
    ends: Vec<u32>,
    atoms: Vec<Atom>,
}

impl Lists {
    fn clear(&mut self) {
        self.ends.clear();
        self.atoms.clear();
    }

    fn push(&mut self, list: impl Iterator<Item = Atom>) {
        let from = self.atoms.len();
        self.atoms.extend(list);
        self.atoms[from..].sort_unstable();
        self.ends.push(self.atoms.len() as u32);
    }

    fn list(&self, at: usize) -> &[Atom] {
        let from = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.atoms[from as usize..self.ends[at] as usize]
    }
}

/// A ground task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Task {
    sizes: Vec<u32>,
    start: Vec<Value>,
    goal: Vec<Atom>,
    needs: Lists,
    sets: Lists,
    costs: Vec<u64>,
}

impl Task {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.sizes.clear();
        self.start.clear();
        self.goal.clear();
        self.needs.clear();
        self.sets.clear();
        self.costs.clear();
    }

    /// Adds a variable with so many values, at least one, and the value it starts with; gives
    /// its number.
    pub fn add_variable(&mut self, size: u32, start: Value) -> u32 {
        debug_assert!(u32::from(start) < size);
        self.sizes.push(size);
        self.start.push(start);
        self.sizes.len() as u32 - 1
    }

    /// Adds an operator: what must hold, what it sets (each variable at most once in either),
    /// and what it costs; gives its number.
    pub fn add_operator(
        &mut self,
        needs: impl Iterator<Item = Atom>,
        sets: impl Iterator<Item = Atom>,
        cost: u64,
    ) -> u32 {
        self.needs.push(needs);
        self.sets.push(sets);
        self.costs.push(cost);
        self.costs.len() as u32 - 1
    }

    /// Says what must hold at the end.
    pub fn set_goal(&mut self, goal: impl Iterator<Item = Atom>) {
        self.goal.clear();
        self.goal.extend(goal);
    }

    /// Becomes the task of a problem: the same variables, and of its actions those that are
    /// there and `wanted`, which are written into `actions` by operator. An unknown value is one
    /// more, which nobody sets or needs.
    pub fn fill(
        &mut self,
        npc: &NpcType,
        problem: &Problem,
        mode: Mode,
        wanted: impl Fn(LocalAction) -> bool,
        actions: &mut Vec<LocalAction>,
    ) {
        self.clear();
        actions.clear();
        for (at, &value) in problem.start().iter().enumerate() {
            let size = npc.n_values(throng_domain::compile::LocalVariable(at as u32)) as u32;
            match value {
                UNKNOWN => self.add_variable(size + 1, size as Value),
                _ => self.add_variable(size.max(1), value),
            };
        }
        for action in (0..npc.n_actions() as u32).map(LocalAction) {
            if problem.enabled().has(action) && wanted(action) {
                let needs = npc.needs(action).iter().map(|&fact| fact.into());
                let sets = npc.sets(action).iter().map(|&fact| fact.into());
                self.add_operator(needs, sets, problem.step_cost(npc, mode, action));
                actions.push(action);
            }
        }
        self.set_goal(problem.goal().iter().map(|&fact| fact.into()));
    }

    /// How many values each variable has.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The value that each variable starts with.
    pub fn start(&self) -> &[Value] {
        &self.start
    }

    /// What must hold at the end.
    pub fn goal(&self) -> &[Atom] {
        &self.goal
    }

    /// How many operators there are.
    pub fn n_operators(&self) -> usize {
        self.costs.len()
    }

    /// What an operator needs, by variable.
    pub fn needs(&self, operator: u32) -> &[Atom] {
        self.needs.list(operator as usize)
    }

    /// What an operator sets, by variable.
    pub fn sets(&self, operator: u32) -> &[Atom] {
        self.sets.list(operator as usize)
    }

    /// What an operator costs.
    pub fn cost(&self, operator: u32) -> u64 {
        self.costs[operator as usize]
    }

    /// Whether all operators cost the same: then fewest is cheapest.
    pub fn all_cost_the_same(&self) -> bool {
        self.costs.windows(2).all(|pair| pair[0] == pair[1])
    }
}
