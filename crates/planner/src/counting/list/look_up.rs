//! The entry of a state: words first, then sixteen entries at a time.
//!
//! In:   the demands of a list in order; a state.
//! Out:  the first of them that holds in it.
//! Cost: a look at the words of the state, and then, of the entries that fit these words, sixteen
//!       together: most of them only at a lane or two.

use super::shifted;
use crate::counting::lane::Lanes;
use crate::counting::layout::{Form, Layout};
use crate::counting::run_sets::RunSets;
use throng_base::Rows;
use throng_domain::compile::UNKNOWN;

/// How many entries are looked at together.
const BLOCK: usize = 16;
/// Combinations of words that have entries of their own.
const MOST_KEYS: usize = 256;
/// All entries of all combinations, in those of the list.
const MOST_COPIES: usize = 32;
/// The most lanes that a demand has.
const MOST_LANES: usize = 64;

/// Entries of a list, sorted by words.
#[derive(Clone, Debug, Default)]
pub(super) struct LookUp {
    n_lanes: usize,
    n_bounds: usize,
    first_set: usize,
    /// Words that make up a key: variable of the task, top of its values.
    keys: Vec<(u32, u16)>,
    /// By key: the entries that fit it, in order.
    entries: Rows<u32>,
    /// By key: where its blocks begin.
    starts: Vec<u32>,
    /// Sixteen entries after the other; of each sixteen the first lane of all, then the second.
    blocks: Vec<[u16; BLOCK]>,
}

impl LookUp {
    pub(super) fn new<const L: usize>(
        places: &[Option<(Form, u16)>],
        layout: &Layout,
        entries: &[Lanes<u16, L>],
    ) -> LookUp {
        let mut look_up = LookUp {
            n_lanes: layout.n_lanes,
            n_bounds: layout.n_bounds,
            first_set: layout.sets().start,
            ..LookUp::default()
        };
        // By key: its entries. Each word parts them once more.
        let mut parts: Vec<Vec<u32>> = vec![(0..entries.len() as u32).collect()];
        for (variable, place) in places.iter().enumerate() {
            let &Some((Form::Mask { lane }, top)) = place else { continue };
            let n_values = usize::from(top) + 1;
            if parts.len() * n_values > MOST_KEYS {
                continue;
            }
            let fits = |entry: &u32, value: usize| {
                entries[*entry as usize][usize::from(lane)] >> value & 1 == 0
            };
            let finer: Vec<Vec<u32>> = parts
                .iter()
                .flat_map(|part| {
                    (0..n_values).map(move |value| {
                        part.iter().copied().filter(|entry| fits(entry, value)).collect()
                    })
                })
                .collect();
            if finer.iter().map(Vec::len).sum::<usize>() > entries.len() * MOST_COPIES {
                continue;
            }
            parts = finer;
            look_up.keys.push((variable as u32, top));
        }
        for part in &parts {
            look_up.starts.push(look_up.blocks.len() as u32);
            look_up.entries.push(part);
            for block in part.chunks(BLOCK) {
                look_up.blocks.extend((0..look_up.n_lanes).map(|lane| {
                    // Nothing fits what is not there.
                    let mut row = [u16::MAX; BLOCK];
                    for (place, &entry) in row.iter_mut().zip(block) {
                        *place = entries[entry as usize][lane];
                    }
                    row
                }));
            }
        }
        look_up
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.bytes() + 4 * self.starts.len() + self.blocks.len() * size_of::<[u16; BLOCK]>()
    }

    /// The first entry that holds in a state.
    pub(super) fn find(
        &self,
        places: &[Option<(Form, u16)>],
        sets: &RunSets,
        state: &[u16],
    ) -> Option<usize> {
        // What a state does not speak of is unknown.
        let value = |at: usize, top: u16| shifted(state.get(at).copied().unwrap_or(UNKNOWN), top);
        let mut lanes = [0u16; MOST_LANES];
        for (at, place) in places.iter().enumerate() {
            let &Some((form, top)) = place else { continue };
            let (lane, value) = (usize::from(form.lane()), value(at, top));
            match form {
                Form::Lower { .. } | Form::Set { .. } => lanes[lane] = value,
                Form::Between { .. } => {
                    lanes[lane] = value;
                    lanes[lane + 1] = top - value;
                }
                Form::Mask { .. } => lanes[lane] = 1 << value.min(15),
            }
        }
        let mut key = 0;
        for &(variable, top) in &self.keys {
            key = key * (usize::from(top) + 1) + usize::from(value(variable as usize, top));
        }
        let entries = self.entries.get(key)?;
        let from = *self.starts.get(key)? as usize;
        for (at, numbers) in entries.chunks(BLOCK).enumerate() {
            let block = self.blocks.get(from + at * self.n_lanes..)?.get(..self.n_lanes)?;
            if let Some(found) = self.first_in(block, &lanes, sets, numbers.len()) {
                return numbers.get(found).map(|&entry| entry as usize);
            }
        }
        None
    }

    /// The first of sixteen entries that holds.
    #[inline]
    fn first_in(
        &self,
        block: &[[u16; BLOCK]],
        lanes: &[u16; MOST_LANES],
        sets: &RunSets,
        n: usize,
    ) -> Option<usize> {
        let mut bad = [0u16; BLOCK];
        let (bounds, others) = block.split_at_checked(self.n_bounds)?;
        for (row, &has) in bounds.iter().zip(lanes) {
            for (bad, &asked) in bad.iter_mut().zip(row) {
                *bad |= asked.saturating_sub(has);
            }
            if !has_zero(&bad) {
                return None;
            }
        }
        for ((row, &has), lane) in others.iter().zip(&lanes[self.n_bounds..]).zip(self.n_bounds..) {
            for (bad, &asked) in bad.iter_mut().zip(row).take(n) {
                let is_in = lane < self.first_set || *bad != 0 || sets.has(asked, has);
                *bad |= if lane < self.first_set { asked & has } else { u16::from(!is_in) };
            }
        }
        bad.iter().take(n).position(|&bad| bad == 0)
    }
}

#[inline]
fn has_zero(lanes: &[u16; BLOCK]) -> bool {
    lanes.iter().fold(0u16, |any, &lane| any | if lane == 0 { u16::MAX } else { 0 }) != 0
}
