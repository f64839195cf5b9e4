//! A ground task: variables, operators, a start and a goal, all as numbers.
//!
//! In:   variables and operators one by one, from a grounder; or an NPC's problem.
//! Out:  flat rows that the search compiles.
//! Cost: linear in what is put in; refilled without allocation once warm.
//!
//! A task has no names: the one that fills it keeps what the numbers mean. It may have tens of
//! thousands of operators.
//!
//! An operator first writes what it `sets`, then its conditional effects in the order they were
//! added, so that a later one wins; all conditions are about the state before.
//!
//! Derived variables are set by rules alone. In every state they hold their start value first;
//! then layer by layer, from 0 on, the rules of the layer are followed until nothing changes.

use crate::budget::Mode;
use crate::problem::Problem;
use throng_base::Rows;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, PackedValue, UNKNOWN};

/// A variable having a value. Beside `LocalFact`, because a task numbers its variables for itself:
/// those of a PDDL task belong to no NPC type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Atom {
    /// Which variable.
    pub variable: u32,
    /// Its value, below the variable's size.
    pub value: PackedValue,
}

impl From<LocalFact> for Atom {
    fn from(fact: LocalFact) -> Atom {
        Atom { variable: fact.variable.0, value: fact.value }
    }
}

/// Adds a list of atoms, in order.
fn push_sorted(rows: &mut Rows<Atom>, list: impl Iterator<Item = Atom>) {
    rows.push_with(|atoms| {
        let from = atoms.len();
        atoms.extend(list);
        atoms[from..].sort_unstable();
    });
}

/// A conditional effect, or a rule for a derived variable: if all of `when` hold, `sets`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule<'t> {
    /// What must hold, by variable.
    pub when: &'t [Atom],
    /// What comes of it.
    pub sets: Atom,
}

/// Rules, one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Rules {
    when: Rows<Atom>,
    sets: Vec<Atom>,
}

impl Rules {
    fn clear(&mut self) {
        self.when.clear();
        self.sets.clear();
    }

    fn push(&mut self, when: impl Iterator<Item = Atom>, sets: Atom) {
        push_sorted(&mut self.when, when);
        self.sets.push(sets);
    }

    fn get(&self, at: usize) -> Rule<'_> {
        Rule { when: self.when.row(at), sets: self.sets[at] }
    }
}

/// The layer of a variable that operators set.
const NOT_DERIVED: u32 = u32::MAX;

/// A ground task.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GroundTask {
    sizes: Vec<u32>,
    /// The number of each variable's first atom, and of all atoms.
    first_atoms: Vec<u32>,
    n_atoms: u32,
    start: Vec<PackedValue>,
    goal: Vec<Atom>,
    needs: Rows<Atom>,
    sets: Rows<Atom>,
    costs: Vec<u64>,
    /// All operators' conditional effects, and where each operator's end.
    effects: Rules,
    effect_ends: Vec<u32>,
    /// By variable; [`NOT_DERIVED`] or the layer of its rules.
    layers: Vec<u32>,
    axioms: Rules,
}

impl GroundTask {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.sizes.clear();
        self.first_atoms.clear();
        self.n_atoms = 0;
        self.start.clear();
        self.goal.clear();
        self.needs.clear();
        self.sets.clear();
        self.costs.clear();
        self.effects.clear();
        self.effect_ends.clear();
        self.layers.clear();
        self.axioms.clear();
    }

    /// Adds a variable with so many values, at least one, and the value it starts with; gives
    /// its number.
    pub fn add_variable(&mut self, size: u32, start: PackedValue) -> u32 {
        debug_assert!(u32::from(start) < size);
        self.sizes.push(size);
        self.first_atoms.push(self.n_atoms);
        self.n_atoms = self.n_atoms.saturating_add(size);
        self.start.push(start);
        self.layers.push(NOT_DERIVED);
        self.sizes.len() as u32 - 1
    }

    /// Adds a derived variable: no operator sets it, and `default` is its value where no rule
    /// says otherwise.
    pub fn add_derived(&mut self, size: u32, default: PackedValue, layer: u32) -> u32 {
        let variable = self.add_variable(size, default);
        self.layers[variable as usize] = layer.min(NOT_DERIVED - 1);
        variable
    }

    /// Adds a rule for a derived variable. What it needs of derived variables of its own layer
    /// must not be their default.
    pub fn add_axiom(&mut self, when: impl Iterator<Item = Atom>, sets: Atom) {
        debug_assert!(self.layers[sets.variable as usize] != NOT_DERIVED);
        self.axioms.push(when, sets);
    }

    /// Adds an operator: what must hold, what it sets (each variable at most once in either),
    /// and what it costs; gives its number.
    pub fn add_operator(
        &mut self,
        needs: impl Iterator<Item = Atom>,
        sets: impl Iterator<Item = Atom>,
        cost: u64,
    ) -> u32 {
        push_sorted(&mut self.needs, needs);
        push_sorted(&mut self.sets, sets);
        self.costs.push(cost);
        self.effect_ends.push(self.effects.sets.len() as u32);
        self.costs.len() as u32 - 1
    }

    /// Adds a conditional effect to the operator that was added last; each variable at most once
    /// in `when`.
    pub fn add_effect(&mut self, when: impl Iterator<Item = Atom>, sets: Atom) {
        self.effects.push(when, sets);
        if let Some(end) = self.effect_ends.last_mut() {
            *end = self.effects.sets.len() as u32;
        }
    }

    /// Says what must hold at the end.
    pub fn set_goal(&mut self, goal: impl Iterator<Item = Atom>) {
        self.goal.clear();
        self.goal.extend(goal);
    }

    /// Becomes the task of a problem: the same variables, and of its actions those that are
    /// there and `wanted`, which are written into `actions` by operator. An unknown value is one
    /// more, which no action sets or needs.
    pub fn fill(
        &mut self,
        npc: &NpcTables,
        problem: &Problem,
        mode: Mode,
        wanted: impl Fn(LocalAction) -> bool,
        actions: &mut Vec<LocalAction>,
    ) {
        self.clear();
        actions.clear();
        for (variable, &value) in npc.local_variables().zip(problem.start()) {
            let size = npc.n_values(variable) as u32;
            match value {
                UNKNOWN => self.add_variable(size + 1, size as PackedValue),
                _ => self.add_variable(size.max(1), value),
            };
        }
        for action in npc.local_actions() {
            if problem.enabled().has(action) && wanted(action) {
                let needs = npc.needs(action).iter().map(|&fact| fact.into());
                let sets = npc.sets(action).iter().map(|&fact| fact.into());
                self.add_operator(needs, sets, problem.step_cost(npc, mode, action));
                actions.push(action);
            }
        }
        self.set_goal(problem.goal().iter().map(|&fact| fact.into()));
    }

    throng_base::getters! {
        /// How many values each variable has.
        sizes: &[u32];
        /// The value that each variable starts with.
        start: &[PackedValue];
        /// What must hold at the end.
        goal: &[Atom];
    }

    /// Atoms are numbered by variable, then by value: the number of each variable's first.
    pub(super) fn first_atoms(&self) -> &[u32] {
        &self.first_atoms
    }

    /// How many atoms there are.
    pub(super) fn n_atoms(&self) -> usize {
        self.n_atoms as usize
    }

    /// How many operators there are.
    pub fn n_operators(&self) -> usize {
        self.costs.len()
    }

    /// What an operator needs, by variable.
    #[inline]
    pub fn needs(&self, operator: u32) -> &[Atom] {
        self.needs.row(operator as usize)
    }

    /// What an operator sets, by variable.
    #[inline]
    pub fn sets(&self, operator: u32) -> &[Atom] {
        self.sets.row(operator as usize)
    }

    /// An operator's conditional effects, in order.
    pub fn effects(&self, operator: u32) -> impl Iterator<Item = Rule<'_>> {
        let at = operator as usize;
        let from = if at == 0 { 0 } else { self.effect_ends[at - 1] };
        (from..self.effect_ends[at]).map(|effect| self.effects.get(effect as usize))
    }

    /// Whether any operator has conditional effects.
    pub fn has_effects(&self) -> bool {
        !self.effects.sets.is_empty()
    }

    /// The layer of a derived variable; `None` if operators set it.
    pub fn layer(&self, variable: u32) -> Option<u32> {
        Some(self.layers[variable as usize]).filter(|&layer| layer != NOT_DERIVED)
    }

    /// The rules for derived variables, in the order they were added.
    pub fn axioms(&self) -> impl Iterator<Item = Rule<'_>> + Clone {
        (0..self.axioms.sets.len()).map(|at| self.axioms.get(at))
    }

    /// A rule by number.
    pub fn axiom(&self, at: usize) -> Rule<'_> {
        self.axioms.get(at)
    }

    /// Whether any variable is derived.
    pub fn has_axioms(&self) -> bool {
        !self.axioms.sets.is_empty()
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
