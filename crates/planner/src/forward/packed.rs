//! A task on packed states: where each variable lies, what operators look at and write.
//!
//! In:   a task.
//! Out:  fields in as few bits as the values need, operators and goal as masks of words.
//! Cost: linear in the task; refilled without allocation once warm.
//!
//! A variable that never leaves its start value takes no bits: an operator that needs another
//! value of it never runs, and the others need not look.

use super::task::{Atom, Task};
use throng_domain::compile::Value;

/// A variable's bits: `word >> shift & mask` is its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Field {
    pub(super) word: u32,
    pub(super) shift: u32,
    /// Not shifted; 0 for a variable that never changes.
    pub(super) mask: u64,
}

/// Bits of one word: to keep and to write, or to look at and to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bits {
    pub(super) word: u32,
    pub(super) mask: u64,
    pub(super) value: u64,
}

/// A task on packed states.
#[derive(Debug, Default)]
pub(super) struct Packed {
    fields: Vec<Field>,
    start: Vec<Value>,
    n_words: usize,
    /// Per operator the words it touches, one after the other. Every operator has at least one,
    /// so states of one word need no `ends`.
    writes: Vec<Bits>,
    ends: Vec<u32>,
    /// What the goal looks at, by word; a word without any is left out.
    goal: Vec<Bits>,
    is_hopeless: bool,
}

impl Packed {
    pub(super) fn fill(&mut self, task: &Task) {
        self.place(task);
        self.writes.clear();
        self.ends.clear();
        for operator in 0..task.n_operators() as u32 {
            let from = self.writes.len();
            gather(&self.fields, task.sets(operator), &mut self.writes);
            // Kept is all but what is written.
            self.writes[from..].iter_mut().for_each(|bits| bits.mask = !bits.mask);
            if self.writes.len() == from {
                self.writes.push(Bits { word: 0, mask: u64::MAX, value: 0 });
            }
            self.ends.push(self.writes.len() as u32);
        }
        self.goal.clear();
        gather(&self.fields, task.goal(), &mut self.goal);
        self.is_hopeless = task.goal().iter().any(|&atom| self.is_never(atom));
    }

    fn place(&mut self, task: &Task) {
        self.start.clear();
        self.start.extend_from_slice(task.start());
        self.fields.clear();
        self.fields.resize(task.sizes().len(), Field::default());
        for operator in 0..task.n_operators() as u32 {
            for atom in task.sets(operator) {
                if atom.value != self.start[atom.variable as usize] {
                    self.fields[atom.variable as usize].mask = 1;
                }
            }
        }
        let (mut word, mut used) = (0, 0);
        for (field, &size) in self.fields.iter_mut().zip(task.sizes()) {
            if field.mask == 0 {
                continue;
            }
            let bits = u32::BITS - (size - 1).leading_zeros();
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            *field = Field { word, shift: used, mask: (1 << bits) - 1 };
            used += bits;
        }
        self.n_words = word as usize + 1;
    }

    /// How many words a state takes; at least one.
    pub(super) fn n_words(&self) -> usize {
        self.n_words
    }

    pub(super) fn field(&self, variable: u32) -> Field {
        self.fields[variable as usize]
    }

    /// Whether an atom can never hold, because its variable stays at another value.
    pub(super) fn is_never(&self, atom: Atom) -> bool {
        self.is_fixed(atom) && self.start[atom.variable as usize] != atom.value
    }

    /// Whether an atom's variable never changes.
    pub(super) fn is_fixed(&self, atom: Atom) -> bool {
        self.field(atom.variable).mask == 0
    }

    /// Writes the start into `words`.
    pub(super) fn pack_start(&self, words: &mut Vec<u64>) {
        words.clear();
        words.resize(self.n_words, 0);
        for (field, &value) in self.fields.iter().zip(&self.start) {
            words[field.word as usize] |= (u64::from(value) & field.mask) << field.shift;
        }
    }

    /// Writes the value of every variable.
    pub(super) fn unpack(&self, words: &[u64], state: &mut Vec<Value>) {
        state.clear();
        state.extend(self.fields.iter().zip(&self.start).map(|(field, &start)| match field.mask {
            0 => start,
            mask => (words[field.word as usize] >> field.shift & mask) as Value,
        }));
    }

    /// Whether an atom holds in a state.
    pub(super) fn holds(&self, words: &[u64], atom: Atom) -> bool {
        let field = self.field(atom.variable);
        match field.mask {
            0 => self.start[atom.variable as usize] == atom.value,
            mask => words[field.word as usize] >> field.shift & mask == u64::from(atom.value),
        }
    }

    /// The state after an operator, for states of one word.
    #[inline]
    pub(super) fn after(&self, operator: u32, state: u64) -> u64 {
        let bits = self.writes[operator as usize];
        state & bits.mask | bits.value
    }

    /// Turns a state into the one after an operator.
    #[inline]
    pub(super) fn apply(&self, operator: u32, words: &mut [u64]) {
        let from = if operator == 0 { 0 } else { self.ends[operator as usize - 1] as usize };
        for bits in &self.writes[from..self.ends[operator as usize] as usize] {
            let word = &mut words[bits.word as usize];
            *word = *word & bits.mask | bits.value;
        }
    }

    /// Whether the goal holds in a state.
    #[inline]
    pub(super) fn is_goal(&self, words: &[u64]) -> bool {
        self.goal.iter().all(|bits| words[bits.word as usize] & bits.mask == bits.value)
            && !self.is_hopeless
    }

    /// What an operator looks at and must see, for states of one word.
    pub(super) fn look_and_see(&self, needs: &[Atom]) -> (u64, u64) {
        let (mut look, mut see) = (0, 0);
        for &atom in needs {
            let field = self.field(atom.variable);
            look |= field.mask << field.shift;
            see |= (u64::from(atom.value) & field.mask) << field.shift;
        }
        (look, see)
    }
}

/// Atoms of variables that change, as bits by word; `atoms` are by variable, so words come in
/// order.
fn gather(fields: &[Field], atoms: &[Atom], into: &mut Vec<Bits>) {
    let from = into.len();
    for atom in atoms {
        let field = fields[atom.variable as usize];
        if field.mask == 0 {
            continue;
        }
        let (mask, value) = (field.mask << field.shift, u64::from(atom.value) << field.shift);
        match into[from..].last_mut() {
            Some(bits) if bits.word == field.word => {
                (bits.mask, bits.value) = (bits.mask | mask, bits.value | value);
            }
            _ => into.push(Bits { word: field.word, mask, value }),
        }
    }
}
