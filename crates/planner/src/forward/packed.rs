//! A task on packed states: where each variable lies, what operators look at and write.
//!
//! In:   a task.
//! Out:  fields in as few bits as the values need, operators and goal as masks of words.
//! Cost: linear in the task; refilled without allocation once warm.
//!
//! A variable that never leaves its start value takes no bits: an operator that needs another
//! value of it never runs, and the others need not look. A variable goes into the first word
//! with room for it, so that gaps at the ends of words are filled by smaller ones.
//!
//! Stored are the words of the variables that operators set. Derived variables lie in words
//! behind these, which are there only while a state is looked at.

use super::task::{Atom, GroundTask, Rule};
use throng_base::{Rows, reset};
use throng_domain::compile::PackedValue;

/// A variable's bits: `word >> shift & mask` is its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Field {
    pub(super) word: u32,
    pub(super) shift: u32,
    /// Not shifted; 0 for a variable that never changes.
    pub(super) mask: u64,
}

/// MaskedWord of one word: to keep and to write, or to look at and to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MaskedWord {
    pub(super) word: u32,
    pub(super) mask: u64,
    pub(super) value: u64,
}

/// A conditional effect: what must be seen, a range of `looks`, and what is written then.
#[derive(Clone, Copy, Debug)]
struct Effect {
    from: u32,
    to: u32,
    write: MaskedWord,
}

/// A task on packed states.
#[derive(Debug, Default)]
pub(super) struct Packed {
    fields: Vec<Field>,
    start: Vec<PackedValue>,
    /// Words that are stored, and all words.
    n_stored: usize,
    n_words: usize,
    /// Stored halves of words: the last word may need one only.
    n_halves: usize,
    /// MaskedWord in use, by word; only while placing.
    used: Vec<u32>,
    /// Per operator the words it touches, one after the other. Every operator has at least one,
    /// so for states of one word the entries are the rows.
    writes: Rows<MaskedWord>,
    /// Per operator its conditional effects that may happen; no rows if no operator has any.
    effects: Rows<Effect>,
    looks: Vec<MaskedWord>,
    /// What the goal looks at, by word: stored ones, then the others. A word without any is left
    /// out.
    goal: Vec<MaskedWord>,
    n_goal_stored: usize,
    is_hopeless: bool,
}

impl Packed {
    pub(super) fn fill(&mut self, task: &GroundTask) {
        self.place(task);
        self.writes.clear();
        for operator in 0..task.n_operators() as u32 {
            self.writes.push_with(|writes| {
                let from = writes.len();
                gather(&self.fields, task.sets(operator), writes);
                // Kept is all but what is written.
                writes[from..].iter_mut().for_each(|bits| bits.mask = !bits.mask);
                if writes.len() == from {
                    writes.push(MaskedWord { word: 0, mask: u64::MAX, value: 0 });
                }
            });
        }
        self.fill_effects(task);
        self.goal.clear();
        gather(&self.fields, task.goal(), &mut self.goal);
        self.goal.sort_unstable_by_key(|bits| bits.word);
        let is_stored = |bits: &&MaskedWord| (bits.word as usize) < self.n_stored;
        self.n_goal_stored = self.goal.iter().take_while(is_stored).count();
        let is_lost = |&atom: &Atom| self.is_never(atom) || !self.is_wanted(atom);
        self.is_hopeless = task.goal().iter().any(is_lost);
    }

    /// Whether the goal's bits are those of an atom: not so if it wants two values at once.
    fn is_wanted(&self, atom: Atom) -> bool {
        let field = self.field(atom.variable);
        let at = self.goal.partition_point(|bits| bits.word < field.word);
        let Some(bits) = self.goal.get(at).filter(|_| field.mask != 0) else { return true };
        bits.value >> field.shift & field.mask == u64::from(atom.value)
    }

    fn fill_effects(&mut self, task: &GroundTask) {
        self.effects.clear();
        self.looks.clear();
        if !task.has_effects() {
            return;
        }
        for operator in 0..task.n_operators() as u32 {
            for rule in task.effects(operator) {
                self.add_effect(rule);
            }
            self.effects.end_row();
        }
    }

    fn add_effect(&mut self, rule: Rule<'_>) {
        // A variable that has no bits is set to what it is.
        if self.is_fixed(rule.sets) || rule.when.iter().any(|&atom| self.is_never(atom)) {
            return;
        }
        let from = self.looks.len() as u32;
        gather(&self.fields, rule.when, &mut self.looks);
        let field = self.field(rule.sets.variable);
        let write = MaskedWord {
            word: field.word,
            mask: !(field.mask << field.shift),
            value: u64::from(rule.sets.value) << field.shift,
        };
        self.effects.push_entry(Effect { from, to: self.looks.len() as u32, write });
    }

    fn place(&mut self, task: &GroundTask) {
        task.start().clone_into(&mut self.start);
        reset(&mut self.fields, task.sizes().len(), Field::default());
        let Packed { fields, start, .. } = self;
        let mut note = |atom: Atom| {
            if atom.value != start[atom.variable as usize] {
                fields[atom.variable as usize].mask = 1;
            }
        };
        for operator in 0..task.n_operators() as u32 {
            task.sets(operator).iter().for_each(|&atom| note(atom));
            if task.has_effects() {
                task.effects(operator).for_each(|effect| note(effect.sets));
            }
        }
        task.axioms().for_each(|axiom| note(axiom.sets));
        self.used.clear();
        self.used.push(0);
        self.place_some(task, 0, false);
        self.n_stored = self.used.len();
        let last_is_half = self.used.last().is_some_and(|&used| used <= u32::BITS);
        self.n_halves = 2 * self.n_stored - usize::from(last_is_half);
        if task.has_axioms() {
            self.place_some(task, self.n_stored, true);
        }
        self.n_words = self.used.len();
    }

    /// Places the variables that are derived, or those that are not, from a word on.
    fn place_some(&mut self, task: &GroundTask, first: usize, derived: bool) {
        for (variable, &size) in task.sizes().iter().enumerate() {
            let field = &mut self.fields[variable];
            let is_derived = || task.has_axioms() && task.layer(variable as u32).is_some();
            if field.mask == 0 || is_derived() != derived {
                continue;
            }
            let bits = u32::BITS - (size - 1).leading_zeros();
            let has_room = |used: &u32| used + bits <= u64::BITS;
            let word = match self.used[first..].iter().position(has_room) {
                Some(at) => first + at,
                None => {
                    self.used.push(0);
                    self.used.len() - 1
                }
            };
            *field = Field { word: word as u32, shift: self.used[word], mask: (1 << bits) - 1 };
            self.used[word] += bits;
        }
    }

    throng_base::getters! {
        /// How many words a stored state takes; at least one.
        n_stored: usize;
        /// How many words a state takes while it is looked at.
        n_words: usize;
        /// How many halves of words a stored state takes; at least one.
        n_halves: usize;
    }

    #[inline]
    pub(super) fn field(&self, variable: u32) -> Field {
        self.fields[variable as usize]
    }

    /// Whether an atom can never hold, because its variable stays at another value.
    #[inline]
    pub(super) fn is_never(&self, atom: Atom) -> bool {
        self.is_fixed(atom) && self.start[atom.variable as usize] != atom.value
    }

    /// Whether an atom's variable never changes.
    #[inline]
    pub(super) fn is_fixed(&self, atom: Atom) -> bool {
        self.field(atom.variable).mask == 0
    }

    /// Writes the start into `words`, derived variables with their defaults.
    pub(super) fn pack_start(&self, words: &mut Vec<u64>) {
        reset(words, self.n_words, 0);
        for (field, &value) in self.fields.iter().zip(&self.start) {
            if field.mask != 0 {
                words[field.word as usize] |= (u64::from(value) & field.mask) << field.shift;
            }
        }
    }

    /// Writes the value of every variable.
    pub(super) fn unpack(&self, words: &[u64], state: &mut Vec<PackedValue>) {
        state.clear();
        state.extend(self.fields.iter().zip(&self.start).map(|(field, &start)| match field.mask {
            0 => start,
            mask => (words[field.word as usize] >> field.shift & mask) as PackedValue,
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

    /// Whether some operator has conditional effects.
    #[inline]
    pub(super) fn has_effects(&self) -> bool {
        self.effects.n_entries() > 0
    }

    /// The state after an operator, for stored states of one word and no conditional effects.
    #[inline]
    pub(super) fn after(&self, operator: u32, state: u64) -> u64 {
        let bits = self.writes.entries()[operator as usize];
        state & bits.mask | bits.value
    }

    /// Turns a stored state into the one after an operator, conditional effects aside.
    #[inline]
    pub(super) fn apply(&self, operator: u32, words: &mut [u64]) {
        for bits in self.writes.row(operator as usize) {
            let word = &mut words[bits.word as usize];
            *word = *word & bits.mask | bits.value;
        }
    }

    /// Follows the conditional effects of an operator, by what was `before`.
    pub(super) fn apply_effects(&self, operator: u32, before: &[u64], words: &mut [u64]) {
        for effect in self.effects.get(operator as usize).unwrap_or_default() {
            if sees(&self.looks[effect.from as usize..effect.to as usize], before) {
                let word = &mut words[effect.write.word as usize];
                *word = *word & effect.write.mask | effect.write.value;
            }
        }
    }

    /// Whether the goal holds in a stored state, as far as it is not about derived variables.
    #[inline]
    pub(super) fn is_goal(&self, words: &[u64]) -> bool {
        sees(&self.goal[..self.n_goal_stored], words) && !self.is_hopeless
    }

    /// Whether the goal is about derived variables too.
    #[inline]
    pub(super) fn goal_is_derived(&self) -> bool {
        self.n_goal_stored < self.goal.len()
    }

    /// Whether the goal holds in a state, derived variables and all.
    pub(super) fn is_whole_goal(&self, words: &[u64]) -> bool {
        sees(&self.goal, words) && !self.is_hopeless
    }

    /// What an operator looks at and must see, for states of one word.
    #[inline]
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

#[inline]
fn sees(looks: &[MaskedWord], words: &[u64]) -> bool {
    looks.iter().all(|bits| words[bits.word as usize] & bits.mask == bits.value)
}

/// Atoms of variables that change, as bits by word.
fn gather(fields: &[Field], atoms: &[Atom], into: &mut Vec<MaskedWord>) {
    let from = into.len();
    for atom in atoms {
        let field = fields[atom.variable as usize];
        if field.mask == 0 {
            continue;
        }
        let (mask, value) = (field.mask << field.shift, u64::from(atom.value) << field.shift);
        // From the end: neighbours mostly lie in the same word.
        match into[from..].iter_mut().rev().find(|bits| bits.word == field.word) {
            Some(bits) => {
                (bits.mask, bits.value) = (bits.mask | mask, bits.value | value);
            }
            None => into.push(MaskedWord { word: field.word, mask, value }),
        }
    }
}
