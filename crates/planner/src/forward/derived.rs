//! What holds by rules: the derived variables of a state.
//!
//! In:   a task with rules, and a state's stored words.
//! Out:  the words behind them, which hold the derived variables.
//! Cost: linear in the rules' conditions; no allocation once warm.
//!
//! Every rule counts the conditions it still misses. Layer by layer those that miss none are
//! followed; once a layer is done, what keeps its default there counts for the later ones. A
//! variable leaves its default once: of two rules for different values the first wins.

use super::packed::{Field, Packed};
use super::task::{Atom, GroundTask};
use throng_base::Rows;
use throng_domain::compile::PackedValue;

/// A derived variable in the order of layers.
#[derive(Clone, Copy, Debug)]
struct Variable {
    layer: u32,
    variable: u32,
    default: PackedValue,
}

#[derive(Debug, Default)]
pub(super) struct Derived {
    /// Whether there are rules.
    is_there: bool,
    /// The number of each variable's first atom.
    first: Vec<u32>,
    /// The rules that miss an atom, by atom.
    waiting: Rows<u32>,
    /// Per rule what it sets, its layer as a position, and how many conditions it has.
    heads: Vec<Atom>,
    layers: Vec<u32>,
    n_conditions: Vec<u32>,
    /// Stored variables that rules ask for.
    asked: Vec<u32>,
    /// Derived variables by layer, and where each layer ends.
    variables: Vec<Variable>,
    layer_ends: Vec<u32>,
    /// The words before any rule.
    defaults: Vec<u64>,
    n_stored: usize,
    // About one state.
    missing: Vec<u32>,
    /// Rules to be followed, by layer.
    ready: Vec<Vec<u32>>,
}

impl Derived {
    pub(super) fn fill(&mut self, task: &GroundTask, packed: &Packed) {
        self.is_there = task.has_axioms();
        if !self.is_there {
            return;
        }
        self.heads.clear();
        task.first_atoms().clone_into(&mut self.first);
        self.order(task);
        self.layers.clear();
        self.n_conditions.clear();
        self.asked.clear();
        let can_hold = |atoms: &[Atom]| !atoms.iter().any(|&atom| packed.is_never(atom));
        let rules = task.axioms().filter(|rule| can_hold(rule.when));
        let counted = |when| <[Atom]>::iter(when).filter(|&&atom| !packed.is_fixed(atom));
        for rule in rules.clone() {
            self.heads.push(rule.sets);
            self.n_conditions.push(counted(rule.when).count() as u32);
            let layer = task.layer(rule.sets.variable).unwrap_or(0);
            let is_below = |&end: &u32| self.variables[end as usize - 1].layer < layer;
            self.layers.push(self.layer_ends.partition_point(is_below) as u32);
            let is_stored = |atom: &&Atom| task.layer(atom.variable).is_none();
            self.asked.extend(counted(rule.when).filter(is_stored).map(|atom| atom.variable));
        }
        self.asked.sort_unstable();
        self.asked.dedup();
        let first = &self.first;
        let pairs = rules.zip(0..).flat_map(|(rule, number)| {
            let number_of = move |atom: &Atom| {
                (first[atom.variable as usize] as usize + usize::from(atom.value), number)
            };
            counted(rule.when).map(number_of)
        });
        self.waiting.refill(task.n_atoms(), pairs);
        packed.pack_start(&mut self.defaults);
        self.n_stored = packed.n_stored();
        self.ready.resize_with(self.layer_ends.len().max(self.ready.len()), Vec::new);
        self.ready.iter_mut().for_each(Vec::clear);
    }

    /// Brings the derived variables into the order of their layers.
    fn order(&mut self, task: &GroundTask) {
        self.variables.clear();
        for (variable, &default) in task.start().iter().enumerate() {
            let variable = variable as u32;
            if let Some(layer) = task.layer(variable) {
                self.variables.push(Variable { layer, variable, default });
            }
        }
        self.variables.sort_unstable_by_key(|entry| (entry.layer, entry.variable));
        self.layer_ends.clear();
        for at in 1..=self.variables.len() {
            let layer = |at: usize| self.variables.get(at).map(|entry| entry.layer);
            if layer(at) != layer(at - 1) {
                self.layer_ends.push(at as u32);
            }
        }
    }

    /// Writes the derived variables of a state behind its stored words.
    #[inline]
    pub(super) fn derive(&mut self, packed: &Packed, words: &mut [u64]) {
        if self.is_there {
            self.follow_all(packed, words);
        }
    }

    fn follow_all(&mut self, packed: &Packed, words: &mut [u64]) {
        words[self.n_stored..].copy_from_slice(&self.defaults[self.n_stored..]);
        self.missing.clone_from(&self.n_conditions);
        for rule in 0..self.n_conditions.len() {
            if self.n_conditions[rule] == 0 {
                self.ready[self.layers[rule] as usize].push(rule as u32);
            }
        }
        for at in 0..self.asked.len() {
            let variable = self.asked[at];
            let value = value(packed.field(variable), words);
            self.assert_atom(variable, value);
        }
        for layer in 0..self.layer_ends.len() {
            while let Some(rule) = self.ready[layer].pop() {
                self.follow(packed, rule, words);
            }
            let from = if layer == 0 { 0 } else { self.layer_ends[layer - 1] as usize };
            for at in from..self.layer_ends[layer] as usize {
                let Variable { variable, default, .. } = self.variables[at];
                let field = packed.field(variable);
                if field.mask != 0 && value(field, words) == default {
                    self.assert_atom(variable, default);
                }
            }
        }
        // Rules that ask for a default of their own layer are never followed.
        self.ready.iter_mut().for_each(Vec::clear);
    }

    fn follow(&mut self, packed: &Packed, rule: u32, words: &mut [u64]) {
        let head = self.heads[rule as usize];
        let field = packed.field(head.variable);
        let word = &mut words[field.word as usize];
        let default = self.defaults[field.word as usize] >> field.shift & field.mask;
        let is_default = *word >> field.shift & field.mask == default;
        if field.mask == 0 || !is_default || u64::from(head.value) == default {
            return;
        }
        *word = *word & !(field.mask << field.shift) | u64::from(head.value) << field.shift;
        self.assert_atom(head.variable, head.value);
    }

    /// An atom holds: those who wait for it miss one condition less.
    fn assert_atom(&mut self, variable: u32, value: PackedValue) {
        let atom = self.first[variable as usize] as usize + usize::from(value);
        // The last first: the first is then on top of those to be followed.
        for &rule in self.waiting.row(atom).iter().rev() {
            let rule = rule as usize;
            self.missing[rule] -= 1;
            if self.missing[rule] == 0 {
                self.ready[self.layers[rule] as usize].push(rule as u32);
            }
        }
    }
}

fn value(field: Field, words: &[u64]) -> PackedValue {
    (words[field.word as usize] >> field.shift & field.mask) as PackedValue
}
