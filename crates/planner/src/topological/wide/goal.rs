//! Goals of the rule machine: total or partial.
//!
//! In:   facts of the type's own variables.
//! Out:  what the end must look like, and which variables may end anywhere, as bits of the machine
//!       word.
//! Cost: at load, or when a goal is first met; one step per variable.

use super::WideError;
use super::bits::Table;
use super::block::{EMPTY, FULL, LANES, Simd};
use super::fields::Fields;
use super::machine::Machine;
use super::program::{BEGIN, GOAL, Program};
use throng_domain::compile::{LocalFact, PackedValue, Stamp};

/// A goal in the machine word of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GoalWord {
    /// By variable; `None` is open.
    pub(super) wants: Vec<Option<PackedValue>>,
    /// The bits of the end that matter.
    pub(super) look: u64,
    /// What they must be.
    pub(super) see: u64,
    /// The open bits.
    pub(super) open: u64,
}

impl GoalWord {
    pub(super) fn new(fields: &Fields, facts: &[LocalFact]) -> Result<GoalWord, WideError> {
        let mut wants = vec![None; fields.variables.len()];
        for &fact in facts {
            let at = fact.variable.index();
            let fits = fields.variables.get(at).is_some_and(|field| fact.value < field.size)
                && wants[at].is_none_or(|known| known == fact.value);
            if !fits {
                return Err(WideError::Goal { fact });
            }
            wants[at] = Some(fact.value);
        }
        Ok(GoalWord::of_wants(fields, wants))
    }

    pub(super) fn of_wants(fields: &Fields, wants: Vec<Option<PackedValue>>) -> GoalWord {
        let (mut look, mut see, mut open) = (0, 0, 0);
        for (variable, want) in wants.iter().enumerate() {
            match want {
                Some(value) => {
                    look |= fields.field_mask(variable);
                    see |= fields.code(variable, *value);
                }
                None => open |= fields.open(variable),
            }
        }
        GoalWord { wants, look, see, open }
    }
}

/// A goal, ready for the kernel.
#[derive(Clone, Debug)]
pub struct WideGoal {
    pub(super) word: GoalWord,
    pub(super) program: Program,
    pub(super) stamp: Stamp,
}

/// Several goals of which each NPC has one.
#[derive(Clone, Debug)]
pub struct WideGoals {
    pub(super) program: Program,
    pub(super) stamp: Stamp,
    /// By goal: its values and open bits in their places of the machine word.
    words: Vec<u64>,
    /// From bits of these words to rows; the bits that some goal has.
    rows: Vec<(u32, u8)>,
}

/// So many goals are told apart row by row; more are looked up for each NPC.
const FEW: usize = 64;

impl WideGoals {
    pub(super) fn new(machine: &Machine, goals: &[&GoalWord], stamp: Stamp) -> WideGoals {
        let fields = &machine.fields;
        let words: Vec<u64> = goals.iter().map(|goal| goal.see | goal.open).collect();
        let values = (0..fields.n_state_bits()).map(|bit| (bit, (GOAL + bit) as u8));
        let open = (0..fields.variables.len()).map(|variable| fields.open_row(variable));
        let rows = values.chain(open.map(|row| (row, row as u8))).collect();
        WideGoals { program: Program::new(machine, goals), stamp, words, rows }
    }

    /// Writes the rows of the goals of a block's NPCs. Who has none of them is unknown.
    #[inline(always)]
    pub(super) fn read<S: Simd>(
        &self,
        simd: S,
        of: &[u16],
        table: &mut Table,
        bytes: &mut [u8; LANES],
        words: &mut [u64; LANES],
    ) {
        if self.words.len() <= FEW {
            return self.tell_apart(simd, of, table, bytes);
        }
        words.fill(0);
        for (at, (word, &goal)) in words.iter_mut().zip(of).enumerate() {
            match self.words.get(usize::from(goal)) {
                Some(known) => *word = *known,
                None => table.unknown.0[at / 64] |= 1 << (at % 64),
            }
        }
        // The rows of the beginning are free until something fails.
        for byte in 0..8 {
            for (out, word) in bytes.iter_mut().zip(words.iter()) {
                *out = (word >> (8 * byte)) as u8;
            }
            simd.slice(bytes, 8, &mut table.rows, BEGIN as usize + 8 * byte);
        }
        for &(bit, row) in &self.rows {
            table.rows[usize::from(row)] = table.rows[(BEGIN + bit) as usize];
        }
    }

    #[inline(always)]
    fn tell_apart<S: Simd>(&self, simd: S, of: &[u16], table: &mut Table, bytes: &mut [u8; LANES]) {
        bytes.fill(0);
        for (byte, &goal) in bytes.iter_mut().zip(of) {
            // Numbers beyond are all the same: unknown.
            *byte = goal.min(FEW as u16) as u8;
        }
        simd.slice(bytes, 7, &mut table.rows, BEGIN as usize);
        for &(_, row) in &self.rows {
            table.rows[usize::from(row)] = EMPTY;
        }
        let mut known = simd.load(&EMPTY);
        for (goal, word) in self.words.iter().enumerate() {
            let mut own = simd.load(&FULL);
            for bit in 0..7 {
                let row = simd.load(&table.rows[BEGIN as usize + bit]);
                own =
                    if goal >> bit & 1 == 1 { simd.and(own, row) } else { simd.without(own, row) };
            }
            known = simd.or(known, own);
            for &(_, row) in self.rows.iter().filter(|(bit, _)| word >> bit & 1 == 1) {
                let row = &mut table.rows[usize::from(row)];
                simd.store(row, simd.or(simd.load(row), own));
            }
        }
        let unknown = simd.without(simd.load(&FULL), known);
        let unknown = simd.or(unknown, simd.load(&table.unknown));
        simd.store(&mut table.unknown, unknown);
    }
}
