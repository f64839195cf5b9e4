//! Many NPCs of one type: what is asked, and the loop over blocks.
//!
//! In:   states as columns of bytes or as packed words, goals and enabled actions for all or for
//!       each; any number of NPCs.
//! Out:  plans in the form of the buffer given, in the same order.
//! Cost: blocks of [`LANES`]; the rest is filled up. Nothing is allocated once the scratch is warm.

use super::bits::{EnabledActions, On, Table};
use super::block::{EMPTY, FULL, LANES, Row, Simd};
use super::goal::{WideGoal, WideGoals};
use super::output::SHORT;
use super::program::{BEGIN, ENABLED, Program};
use super::{Wide, avx2, portable};
use std::ops::Range;

/// The states of NPCs.
#[derive(Clone, Copy, Debug)]
pub enum LaneStates<'l> {
    /// For each variable of the type a column with a byte per NPC: the value, anything from the
    /// number of values on is unknown.
    Columns(&'l [&'l [u8]]),
    /// Packed states, as the layout of the type says.
    Words(&'l [u64]),
}

/// What NPCs want.
#[derive(Clone, Copy, Debug)]
pub enum LaneGoals<'l> {
    /// All want the same.
    Same(&'l WideGoal),
    /// Each wants one of several: its position among them.
    Each(&'l WideGoals, &'l [u16]),
}

/// Which actions are there, a bit for each.
#[derive(Clone, Copy, Debug)]
pub enum LaneActions<'l> {
    /// The same for all.
    Same(u64),
    /// For each NPC.
    Each(&'l [u64]),
}

/// What is asked for many NPCs.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<'l> {
    /// Where they are.
    pub states: LaneStates<'l>,
    /// Where they want to be.
    pub goals: LaneGoals<'l>,
    /// What they can do now.
    pub enabled: LaneActions<'l>,
}

/// Where plans go, and in which form; a place for each NPC.
#[derive(Debug)]
pub enum LanePlans<'o> {
    /// Masks of the word, status in the two highest bits; for words of at most 14 positions.
    Masks16(&'o mut [u16]),
    /// Masks of the word, status in the two highest bits.
    Masks32(&'o mut [u32]),
    /// Lists of actions; for types of at most 16 actions. A plan of more than 14 is unknown.
    Lists(&'o mut [u64]),
    /// The first action, or one of the `NEXT_` codes.
    Next(&'o mut [u8]),
}

/// How many NPCs got no plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Counted {
    /// There is none.
    pub impossible: usize,
    /// The exact planner has to decide.
    pub unknown: usize,
}

/// Why many NPCs cannot be asked about like this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LanesError {
    /// A column or list has another length than the place for plans.
    Lengths,
    /// There must be a column for each variable.
    Columns,
    /// The word is too long for masks of 16 bits.
    Masks16,
    /// The type has too many actions for lists.
    Lists,
    /// A goal was made for another type.
    Goals,
}

throng_base::error! { LanesError {
    Self::Lengths => "there must be as many states, goals and masks as places for plans";
    Self::Columns => "there must be a column for each variable of the type";
    Self::Masks16 => "the word of the type is too long for masks of 16 bits";
    Self::Lists => "the type has too many actions for lists";
    Self::Goals => "the goal was made for another type";
} }

/// Working memory; keep one per thread and reuse it.
#[derive(Clone, Debug)]
pub struct WideScratch {
    table: Table,
    bytes: Box<[u8; LANES]>,
    words: Box<[u64; LANES]>,
    masks16: Box<[u16; LANES]>,
    masks32: Box<[u32; LANES]>,
}

impl Default for WideScratch {
    fn default() -> Self {
        WideScratch {
            table: Table::default(),
            bytes: Box::new([0; LANES]),
            words: Box::new([0; LANES]),
            masks16: Box::new([0; LANES]),
            masks32: Box::new([0; LANES]),
        }
    }
}

impl LanePlans<'_> {
    fn len(&self) -> usize {
        match self {
            LanePlans::Masks16(out) => out.len(),
            LanePlans::Masks32(out) => out.len(),
            LanePlans::Lists(out) => out.len(),
            LanePlans::Next(out) => out.len(),
        }
    }
}

/// Which instructions to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// The fastest that this processor has.
    Best,
    /// Plain words: what every processor has.
    Portable,
}

impl Wide {
    /// Plans for many NPCs.
    ///
    /// # Errors
    ///
    /// If lengths differ, or the type does not fit the form asked for.
    pub fn plan_many(
        &self,
        lanes: &Lanes<'_>,
        plans: LanePlans<'_>,
        scratch: &mut WideScratch,
    ) -> Result<Counted, LanesError> {
        self.plan_many_with(Kernel::Best, lanes, plans, scratch)
    }

    /// The same with a choice of instructions; the results are equal bit for bit.
    ///
    /// # Errors
    ///
    /// As [`Wide::plan_many`].
    pub fn plan_many_with(
        &self,
        kernel: Kernel,
        lanes: &Lanes<'_>,
        mut plans: LanePlans<'_>,
        scratch: &mut WideScratch,
    ) -> Result<Counted, LanesError> {
        self.check(lanes, &plans)?;
        Ok(match (kernel, avx2::Avx2::detect()) {
            (Kernel::Best, Some(simd)) => simd.blocks(self, lanes, &mut plans, scratch),
            _ => self.blocks(portable::Portable, lanes, &mut plans, scratch),
        })
    }

    fn check(&self, lanes: &Lanes<'_>, plans: &LanePlans<'_>) -> Result<(), LanesError> {
        let n = plans.len();
        let n_variables = self.machine.fields.variables.len();
        let states = match lanes.states {
            LaneStates::Columns(columns) if columns.len() != n_variables => {
                return Err(LanesError::Columns);
            }
            LaneStates::Columns(columns) => columns.iter().all(|column| column.len() == n),
            LaneStates::Words(words) => words.len() == n,
        };
        let (stamp, goals) = match lanes.goals {
            LaneGoals::Same(goal) => (&goal.stamp, true),
            LaneGoals::Each(goals, of) => (&goals.stamp, of.len() == n),
        };
        let enabled = match lanes.enabled {
            LaneActions::Same(_) => true,
            LaneActions::Each(masks) => masks.len() == n,
        };
        match plans {
            _ if *stamp != self.stamp => Err(LanesError::Goals),
            LanePlans::Masks16(_) if self.actions.len() > SHORT => Err(LanesError::Masks16),
            LanePlans::Lists(_) if self.lists.is_none() => Err(LanesError::Lists),
            _ if !(states && goals && enabled) => Err(LanesError::Lengths),
            _ => Ok(()),
        }
    }

    #[inline(always)]
    pub(super) fn blocks<S: Simd>(
        &self,
        simd: S,
        lanes: &Lanes<'_>,
        plans: &mut LanePlans<'_>,
        scratch: &mut WideScratch,
    ) -> Counted {
        let (program, goal) = match lanes.goals {
            LaneGoals::Same(goal) => (&goal.program, Some(&goal.word)),
            LaneGoals::Each(goals, _) => (&goals.program, None),
        };
        // What these goals never write must not be left from others.
        scratch.table.rows.fill(EMPTY);
        scratch.table.fired.fill(EMPTY);
        let n = plans.len();
        let mut counted = Counted::default();
        for start in (0..n).step_by(LANES) {
            let end = n.min(start + LANES);
            scratch.table.unknown = EMPTY;
            self.read_states(simd, lanes.states, start, end, scratch);
            if let LaneGoals::Each(goals, of) = lanes.goals {
                let WideScratch { table, bytes, words, .. } = &mut *scratch;
                goals.read(simd, &of[start..end], table, bytes, words);
            }
            let enabled = match lanes.enabled {
                LaneActions::Same(mask) => EnabledActions::Same(self.machine.fields.actions(mask)),
                LaneActions::Each(masks) => {
                    let n_actions = self.machine.fields.n_actions();
                    scratch.slice_words(simd, &masks[start..end], n_actions, ENABLED as usize);
                    EnabledActions::Rows
                }
            };
            let table = &mut scratch.table;
            table.plan(simd, self, program, goal, enabled);
            table.count(end - start, &mut counted);
            self.write(simd, program, plans, start..end, scratch);
        }
        counted
    }

    #[inline(always)]
    fn read_states<S: Simd>(
        &self,
        simd: S,
        states: LaneStates<'_>,
        start: usize,
        end: usize,
        scratch: &mut WideScratch,
    ) {
        let fields = &self.machine.fields;
        match states {
            LaneStates::Columns(columns) => {
                for (field, column) in fields.variables.iter().zip(columns) {
                    let column = match column[start..end].first_chunk::<LANES>() {
                        Some(whole) => whole,
                        None => padded(&column[start..end], &mut scratch.bytes),
                    };
                    let table = &mut scratch.table;
                    simd.slice(column, field.width, &mut table.rows, field.shift as usize);
                    simd.mark_above(column, field.size as u8, &mut table.unknown);
                }
            }
            LaneStates::Words(words) => {
                let n_bits = self.packed_bits;
                scratch.slice_words(simd, &words[start..end], n_bits, BEGIN as usize);
                self.unpack(simd, &mut scratch.table);
            }
        }
    }

    /// From the rows of packed states to those of the machine word.
    #[inline(always)]
    fn unpack<S: Simd>(&self, simd: S, table: &mut Table) {
        let on = On { simd, lists: &self.unknown.0 };
        let unknown = on.any_of(&table.rows, &self.unknown.1, simd.load(&FULL));
        let unknown = simd.or(simd.load(&table.unknown), unknown);
        simd.store(&mut table.unknown, unknown);
        for field in &self.machine.fields.variables {
            for bit in 0..field.width {
                let packed = table.rows[(BEGIN + field.packed_shift + bit) as usize];
                table.rows[(field.shift + bit) as usize] = packed;
            }
        }
    }

    #[inline(always)]
    fn write<S: Simd>(
        &self,
        simd: S,
        program: &Program,
        plans: &mut LanePlans<'_>,
        lanes: Range<usize>,
        scratch: &mut WideScratch,
    ) {
        let WideScratch { table, bytes, masks16, masks32, .. } = scratch;
        let is_short = self.actions.len() <= SHORT;
        let in_16_bits = is_short && !matches!(plans, LanePlans::Masks32(_));
        table.write_status(if in_16_bits { 14 } else { 30 });
        match plans {
            LanePlans::Masks16(out) => match out[lanes.clone()].first_chunk_mut::<LANES>() {
                Some(whole) => simd.numbers16(&table.fired, whole),
                None => {
                    simd.numbers16(&table.fired, masks16);
                    out[lanes.clone()].copy_from_slice(&masks16[..lanes.len()]);
                }
            },
            LanePlans::Masks32(out) => match out[lanes.clone()].first_chunk_mut::<LANES>() {
                Some(whole) => simd.numbers32(&table.fired, whole),
                None => {
                    simd.numbers32(&table.fired, masks32);
                    out[lanes.clone()].copy_from_slice(&masks32[..lanes.len()]);
                }
            },
            LanePlans::Lists(out) => {
                let Some(lists) = &self.lists else { return };
                let out = &mut out[lanes.clone()];
                if is_short {
                    simd.numbers16(&table.fired, masks16);
                    lists.expand16(masks16, out);
                } else {
                    simd.numbers32(&table.fired, masks32);
                    lists.expand32(masks32, out);
                }
            }
            LanePlans::Next(out) => {
                table.write_next(simd, program, &self.actions, bytes);
                out[lanes.clone()].copy_from_slice(&bytes[..lanes.len()]);
            }
        }
    }
}

impl WideScratch {
    /// The bits of words as rows, from `first` on.
    #[inline(always)]
    fn slice_words<S: Simd>(&mut self, simd: S, words: &[u64], n_bits: usize, first: usize) {
        for byte in 0..n_bits.div_ceil(8) {
            self.bytes.fill(0);
            for (out, word) in self.bytes.iter_mut().zip(words) {
                *out = (word >> (8 * byte)) as u8;
            }
            simd.slice(&self.bytes, 8, &mut self.table.rows, first + 8 * byte);
        }
    }
}

/// The bytes with zeros behind them.
#[inline(always)]
fn padded<'b>(bytes: &[u8], buffer: &'b mut [u8; LANES]) -> &'b [u8; LANES] {
    buffer.fill(0);
    for (to, from) in buffer.iter_mut().zip(bytes) {
        *to = *from;
    }
    buffer
}

impl Table {
    /// Counts those of the first `n` that failed.
    fn count(&self, n: usize, counted: &mut Counted) {
        if self.failed == EMPTY {
            return;
        }
        let count = |row: &Row| -> usize {
            let words = row.0.iter().enumerate();
            let kept = words.map(|(at, word)| match n.saturating_sub(64 * at) {
                rest if rest >= 64 => *word,
                rest => word & ((1 << rest) - 1),
            });
            kept.map(|word| word.count_ones() as usize).sum()
        };
        let unknown = count(&self.undecided);
        counted.unknown += unknown;
        counted.impossible += count(&self.failed) - unknown;
    }
}
