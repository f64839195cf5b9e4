//! The states of a crowd as one column, as narrow as the type allows.
//!
//! In:   plain states; the variables of the type that are private (shared ones live in groups).
//! Out:  the state of a row: its number among all private states (two or four bytes) where a
//!       table may serve it, else its packed words.
//! Cost: a multiplication or two per variable; finished steps are added as one difference.
//!
//! A state with an unknown value has no number. Such rows are few; they are kept aside.

use crate::kind::Kind;
use crate::setter::Setter;
use std::collections::BTreeMap;
use std::ops::Range;
use throng_domain::compile::{LocalAction, LocalVariable, NpcTables, PackedValue, UNKNOWN};

/// The number of a row whose state is kept aside.
const ASIDE_16: u16 = u16::MAX;
const ASIDE_32: u32 = u32::MAX;

/// How the states are written.
#[derive(Debug)]
enum Column {
    /// Numbers below 65,535.
    Narrow(Vec<u16>),
    /// Numbers below 2³² − 1.
    Index(Vec<u32>),
    /// Packed words, so many per row; the bits of shared variables are zero.
    Packed(Vec<u64>, usize),
}

/// Some rows of the column, to be written by one thread.
#[derive(Debug)]
pub(crate) enum StatesMut<'c> {
    Narrow(&'c mut [u16]),
    Index(&'c mut [u32]),
    /// So many words per row.
    Packed(&'c mut [u64], usize),
}

/// The states of all rows.
#[derive(Debug)]
pub(crate) struct States {
    column: Column,
    /// Packed states with unknown values, of rows that have numbers otherwise.
    aside: BTreeMap<u32, Box<[u64]>>,
}

impl States {
    /// No states yet. They will be numbered if there are at most `most` of them.
    pub(crate) fn new(kind: &Kind, most: u64) -> States {
        let column = match kind.space().n_states().filter(|&n| n <= most) {
            Some(n) if n < u64::from(ASIDE_16) => Column::Narrow(Vec::new()),
            Some(n) if n < u64::from(ASIDE_32) => Column::Index(Vec::new()),
            _ => Column::Packed(Vec::new(), kind.npc().layout().n_words()),
        };
        States { column, aside: BTreeMap::new() }
    }

    /// One row more, with the first of all states.
    pub(crate) fn push(&mut self) {
        match &mut self.column {
            Column::Narrow(column) => column.push(0),
            Column::Index(column) => column.push(0),
            Column::Packed(column, per) => column.resize(column.len() + *per, 0),
        }
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        match &mut self.column {
            Column::Narrow(column) => column.reserve(more),
            Column::Index(column) => column.reserve(more),
            Column::Packed(column, per) => column.reserve(more * *per),
        }
    }

    /// Bytes in use for all rows.
    pub(crate) fn bytes(&self) -> usize {
        let column = match &self.column {
            Column::Narrow(column) => 2 * column.capacity(),
            Column::Index(column) => 4 * column.capacity(),
            Column::Packed(column, _) => 8 * column.capacity(),
        };
        column + self.aside.values().map(|words| 8 * words.len() + 48).sum::<usize>()
    }

    /// The number of a row's state; `None` if it has none.
    #[inline]
    pub(crate) fn index(&self, row: usize) -> Option<u64> {
        match &self.column {
            Column::Narrow(column) if column[row] != ASIDE_16 => Some(column[row].into()),
            Column::Index(column) if column[row] != ASIDE_32 => Some(column[row].into()),
            _ => None,
        }
    }

    /// Touches what is written of a row.
    #[inline]
    pub(crate) fn touch(&self, row: usize) -> u64 {
        match &self.column {
            Column::Narrow(column) => column[row].into(),
            Column::Index(column) => column[row].into(),
            Column::Packed(column, per) => column.get(row * per).copied().unwrap_or(0),
        }
    }

    /// Whether states have numbers, so that a table may serve them.
    pub(crate) fn is_numbered(&self) -> bool {
        !matches!(self.column, Column::Packed(..))
    }

    /// The numbers of some rows, if they take two bytes and none of these is kept aside.
    pub(crate) fn narrow(&self, rows: Range<usize>) -> Option<&[u16]> {
        let Column::Narrow(column) = &self.column else { return None };
        let numbers = &column[rows];
        (self.aside.is_empty() || !numbers.contains(&ASIDE_16)).then_some(numbers)
    }

    /// The packed private state of a row of a type whose states take one word; `None` if it is
    /// kept aside. `state` is working memory.
    pub(crate) fn word(&self, row: usize, kind: &Kind, state: &mut [PackedValue]) -> Option<u64> {
        if let Column::Packed(words, _) = &self.column {
            return words.get(row).copied();
        }
        kind.space().state_at(self.index(row)?, state);
        let own = kind.space().private().iter().map(|variable| variable.index());
        let bits = own.map(|at| kind.npc().layout().field_bits(at, state[at]));
        Some(bits.fold(0, |all, bits| all | bits))
    }

    /// All rows, to be cut into parts.
    pub(crate) fn all_mut(&mut self) -> StatesMut<'_> {
        match &mut self.column {
            Column::Narrow(column) => StatesMut::Narrow(column),
            Column::Index(column) => StatesMut::Index(column),
            Column::Packed(column, per) => StatesMut::Packed(column, *per),
        }
    }

    /// Gives a row a value; whether it had another one. `None` if that takes reading all values.
    #[inline]
    pub(crate) fn set(&mut self, row: usize, setter: &Setter) -> Option<bool> {
        match &mut self.column {
            Column::Narrow(column) if column[row] != ASIDE_16 => {
                let after = setter.on_number(column[row].into())? as u16;
                Some(std::mem::replace(&mut column[row], after) != after)
            }
            Column::Index(column) if column[row] != ASIDE_32 => {
                let after = setter.on_number(column[row])?;
                Some(std::mem::replace(&mut column[row], after) != after)
            }
            Column::Packed(column, per) => {
                let first = row * *per;
                setter.on_words(column.get_mut(first..first + *per)?)
            }
            _ => None,
        }
    }

    /// What stands for the state of a row in a memory of answers: `words` is filled. Returns
    /// `false` for states kept aside, which are not remembered.
    pub(crate) fn key(&self, row: usize, words: &mut Vec<u64>) -> bool {
        match &self.column {
            Column::Packed(column, per) => {
                words.extend_from_slice(&column[row * per..(row + 1) * per]);
                true
            }
            _ => {
                let index = self.index(row);
                words.push(index.unwrap_or(0));
                index.is_some()
            }
        }
    }

    /// How many words a key takes.
    pub(crate) fn key_words(&self) -> usize {
        match self.column {
            Column::Packed(_, per) => per,
            _ => 1,
        }
    }

    /// Writes the private values of a row into a plain state; shared places are left alone.
    pub(crate) fn read(&self, row: usize, kind: &Kind, state: &mut [PackedValue]) {
        if let Some(index) = self.index(row) {
            kind.space().state_at(index, state);
            return;
        }
        let words = self.words(row);
        for &variable in kind.space().private() {
            state[variable.index()] = value_in(words, kind.npc(), variable);
        }
    }

    /// The packed words of a row that has no number.
    fn words(&self, row: usize) -> &[u64] {
        match &self.column {
            Column::Packed(column, per) => &column[row * per..(row + 1) * per],
            _ => self.aside.get(&(row as u32)).map_or(&[][..], |words| words),
        }
    }

    /// The value of a private variable in a row.
    #[inline]
    pub(crate) fn value(&self, row: usize, kind: &Kind, variable: LocalVariable) -> PackedValue {
        match self.index(row) {
            Some(index) => kind.space().value(index, variable),
            None => value_in(self.words(row), kind.npc(), variable),
        }
    }

    /// Gives a row a plain state; shared places do not count.
    pub(crate) fn write(&mut self, row: usize, kind: &Kind, state: &[PackedValue]) {
        let index = kind.space().index_of(state);
        match (&mut self.column, index) {
            (Column::Narrow(column), Some(index)) => column[row] = index as u16,
            (Column::Index(column), Some(index)) => column[row] = index as u32,
            (Column::Packed(column, per), _) => {
                pack(kind, state, &mut column[row * *per..(row + 1) * *per]);
                return;
            }
            (Column::Narrow(column), None) => column[row] = ASIDE_16,
            (Column::Index(column), None) => column[row] = ASIDE_32,
        }
        match index {
            Some(_) if self.aside.is_empty() => {}
            Some(_) => {
                self.aside.remove(&(row as u32));
            }
            None => {
                let mut words = vec![0; kind.npc().layout().n_words()].into_boxed_slice();
                pack(kind, state, &mut words);
                self.aside.insert(row as u32, words);
            }
        }
    }

    /// Forgets what is kept aside for a row.
    pub(crate) fn forget(&mut self, row: usize) {
        if !self.aside.is_empty() {
            self.aside.remove(&(row as u32));
        }
    }
}

impl<'c> StatesMut<'c> {
    pub(crate) fn split_at(self, at: usize) -> (StatesMut<'c>, StatesMut<'c>) {
        match self {
            StatesMut::Narrow(column) => {
                let (a, b) = column.split_at_mut(at);
                (StatesMut::Narrow(a), StatesMut::Narrow(b))
            }
            StatesMut::Index(column) => {
                let (a, b) = column.split_at_mut(at);
                (StatesMut::Index(a), StatesMut::Index(b))
            }
            StatesMut::Packed(column, per) => {
                let (a, b) = column.split_at_mut(at * per);
                (StatesMut::Packed(a, per), StatesMut::Packed(b, per))
            }
        }
    }

    /// Moves a row by an action that can be done in its state; `false` if that has to be worked out
    /// from its values.
    #[inline]
    pub(crate) fn step(&mut self, row: usize, kind: &Kind, action: LocalAction) -> bool {
        let (effects, space) = (kind.effects(), kind.space());
        let after = |number: u64| effects.number_after(action, number, space);
        match self {
            StatesMut::Narrow(column) if column[row] != ASIDE_16 => {
                let Some(after) = after(column[row].into()) else { return false };
                column[row] = after as u16;
            }
            StatesMut::Index(column) if column[row] != ASIDE_32 => {
                let Some(after) = after(column[row].into()) else { return false };
                column[row] = after as u32;
            }
            StatesMut::Packed(column, 1) => column[row] = effects.word_after(action, column[row]),
            _ => return false,
        }
        true
    }
}

/// The value of a variable in packed words.
fn value_in(words: &[u64], npc: &NpcTables, variable: LocalVariable) -> PackedValue {
    let mask = npc.layout().field_mask(variable.index());
    let word = words.get(npc.layout().word(variable.index())).copied().unwrap_or(0);
    let code = (word & mask) >> mask.trailing_zeros();
    let is_known = (code as usize) < npc.n_values(variable);
    if is_known { code as PackedValue } else { UNKNOWN }
}

/// Packs the private values of a plain state; the bits of shared variables stay zero.
fn pack(kind: &Kind, state: &[PackedValue], words: &mut [u64]) {
    let layout = kind.npc().layout();
    words.fill(0);
    for at in kind.space().private().iter().map(|variable| variable.index()) {
        words[layout.word(at)] |= layout.field_bits(at, state[at]);
    }
}
