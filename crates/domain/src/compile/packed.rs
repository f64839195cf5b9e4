//! States: plain, packed into words, and as one number.
//!
//! In:   how many values each variable of an NPC type has.
//! Out:  where each variable's bits lie, and the mixed-radix weights.
//! Cost: packing and unpacking are one step per variable.
//!
//! A *plain* state is one [`PackedValue`] per variable. A *packed* state is a few 64-bit words, for
//! storing and comparing many. The *index* numbers the fully known states 0, 1, 2 … without
//! gaps, where their count fits into 64 bits: the key of tables.

pub use crate::amounts::UNKNOWN;

/// The value of a variable, as its position among the variable's values.
pub type PackedValue = u16;

/// Bits of one variable in a packed state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Field {
    word: u32,
    shift: u8,
    bits: u8,
}

impl Field {
    fn mask(self) -> u64 {
        (1u64 << self.bits) - 1
    }
}

throng_base::readable! {
    /// How states of one NPC type are packed and numbered.
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    pub struct StateLayout {
        fields: Vec<Field> as _,
        sizes: Vec<PackedValue> as _,
        /// How many words a packed state takes.
        n_words: usize,
        /// How many fully known states there are, if that fits into 64 bits.
        n_states: Option<u64>,
    }
}

impl StateLayout {
    /// A layout for variables with so many values each.
    pub fn new(sizes: Vec<PackedValue>) -> Self {
        let mut fields = Vec::with_capacity(sizes.len());
        let (mut word, mut shift) = (0u32, 0u32);
        for &size in &sizes {
            // One code more than values: the highest means unknown.
            let bits = u32::from(size).max(1).ilog2() + 1;
            if shift + bits > 64 {
                (word, shift) = (word + 1, 0);
            }
            fields.push(Field { word, shift: shift as u8, bits: bits as u8 });
            shift += bits;
        }
        let n_words = if sizes.is_empty() { 0 } else { word as usize + 1 };
        let n_states = sizes.iter().try_fold(1u64, |n, &size| n.checked_mul(u64::from(size)));
        StateLayout { fields, sizes, n_words, n_states }
    }

    /// How many variables a state has.
    pub fn n_variables(&self) -> usize {
        self.sizes.len()
    }

    /// The word that holds a variable.
    pub fn word(&self, variable: usize) -> usize {
        self.fields[variable].word as usize
    }

    /// The bits of a variable in its word.
    pub fn field_mask(&self, variable: usize) -> u64 {
        let field = self.fields[variable];
        field.mask() << field.shift
    }

    /// A value of a variable as bits of its word.
    pub fn field_bits(&self, variable: usize, value: PackedValue) -> u64 {
        u64::from(value.min(self.sizes[variable])) << self.fields[variable].shift
    }

    /// Writes a plain state into `words`, which has [`Self::n_words`] words.
    pub fn pack(&self, state: &[PackedValue], words: &mut [u64]) {
        words.fill(0);
        for ((field, &value), &size) in self.fields.iter().zip(state).zip(&self.sizes) {
            let code = u64::from(value.min(size));
            words[field.word as usize] |= code << field.shift;
        }
    }

    /// Writes a packed state into `state`, which has one place per variable.
    pub fn unpack(&self, words: &[u64], state: &mut [PackedValue]) {
        for ((field, value), &size) in self.fields.iter().zip(state).zip(&self.sizes) {
            let code = (words[field.word as usize] >> field.shift) & field.mask();
            *value = if code == u64::from(size) { UNKNOWN } else { code as PackedValue };
        }
    }

    /// The number of a state; `None` if a value is unknown or the numbers do not fit.
    pub fn index_of(&self, state: &[PackedValue]) -> Option<u64> {
        self.n_states?;
        let mut index = 0;
        for (&value, &size) in state.iter().zip(&self.sizes) {
            if value >= size {
                return None;
            }
            index = index * u64::from(size) + u64::from(value);
        }
        Some(index)
    }

    /// Writes the state with this number into `state`; `false` if there is none.
    pub fn state_at(&self, index: u64, state: &mut [PackedValue]) -> bool {
        if self.n_states.is_none_or(|n| index >= n) {
            return false;
        }
        let mut rest = index;
        for (value, &size) in state.iter_mut().zip(&self.sizes).rev() {
            *value = (rest % u64::from(size)) as PackedValue;
            rest /= u64::from(size);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_and_numbering_are_one_to_one() {
        let layout = StateLayout::new(vec![3, 2, 3]);
        let mut seen = std::collections::HashSet::new();
        for index in 0..layout.n_states().unwrap() {
            let mut state = [0; 3];
            assert!(layout.state_at(index, &mut state));
            assert_eq!(layout.index_of(&state), Some(index));
            let mut words = vec![0; layout.n_words()];
            layout.pack(&state, &mut words);
            let mut back = [0; 3];
            layout.unpack(&words, &mut back);
            assert_eq!(back, state);
            assert!(seen.insert(words));
        }
        assert_eq!(seen.len(), 18);
        assert!(!layout.state_at(18, &mut [0; 3]));
    }

    #[test]
    fn unknown_values_survive_packing_and_have_no_number() {
        let layout = StateLayout::new(vec![1, 7, 60_000, 8, 2, 60_000, 60_000, 60_000]);
        let state = [0, UNKNOWN, 59_999, 7, UNKNOWN, 0, UNKNOWN, 1];
        let mut words = vec![0; layout.n_words()];
        layout.pack(&state, &mut words);
        let mut back = [9; 8];
        layout.unpack(&words, &mut back);
        assert_eq!(back, state);
        assert_eq!(layout.index_of(&state), None);
        assert!(layout.n_words() >= 2, "fields do not straddle words");
    }
}
