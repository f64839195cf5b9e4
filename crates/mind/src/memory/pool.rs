//! The attributes of all facts of one memory.
//!
//! In:   drafts whose attributes are to be kept.
//! Out:  chains of attributes, read by rank.
//! Cost: 18 bytes per attribute (20 in pools of more than 16,384); reading one costs a step per
//!       attribute of the fact before it.
//!
//! A fact's attributes are a chain of cells in the order of [`Attribute`](crate::fact::Attribute).
//! The fact knows the first cell and, as a mask, which attributes it has: so cells need not say
//! whose they are, and chains need no end. Free cells are a chain too. Values are kept
//! bit by bit and with their sort, so whatever a draft says is what is read.

use crate::fact::{Attributes, EntityId, Value, mask_of};
use crate::words::Word;
use throng_base::ones;

/// Up to so many cells, a link fits in one half.
const NARROW: usize = 1 << 14;

/// What a fact keeps of its attributes.
#[derive(Clone, Copy, Default)]
pub(super) struct Chain {
    /// The cell of the first attribute; means nothing without attributes.
    pub(super) first: u32,
    /// A bit per attribute.
    pub(super) mask: u16,
}

impl Chain {
    #[inline]
    fn len(self) -> usize {
        self.mask.count_ones() as usize
    }
}

/// What writing has changed.
#[derive(Clone, Copy)]
pub(super) struct Written {
    /// Something has another value, or another confidence.
    pub(super) changed: bool,
    /// The attributes that are not what they were bit by bit: of two zeros one may be negative.
    pub(super) differs: u16,
}

/// Cells for attributes, of fixed number.
#[derive(Clone)]
pub(super) struct Pool {
    /// Three words of value and the bits of the confidence.
    cells: Box<[[u32; 4]]>,
    /// Per cell: the next one times four, plus the sort of the value. The lower half.
    low: Box<[u16]>,
    /// The upper half; empty if all of them are zero.
    high: Box<[u16]>,
    free: u32,
    left: u32,
}

impl Pool {
    /// So many cells, all free.
    pub(super) fn new(cells: usize) -> Self {
        let high = if cells > NARROW { cells } else { 0 };
        let mut pool = Pool {
            cells: vec![[0; 4]; cells].into_boxed_slice(),
            low: vec![0; cells].into_boxed_slice(),
            high: vec![0; high].into_boxed_slice(),
            free: 0,
            left: cells as u32,
        };
        for cell in 1..pool.left {
            pool.set_next(cell - 1, cell);
        }
        pool
    }

    /// How many cells are free.
    pub(super) fn left(&self) -> usize {
        self.left as usize
    }

    /// Bytes on the heap.
    pub(super) fn heap(&self) -> usize {
        size_of_val(&*self.cells) + size_of_val(&*self.low) + size_of_val(&*self.high)
    }

    /// The attribute of that number.
    #[inline]
    pub(super) fn get(&self, chain: Chain, attribute: usize) -> Option<(Value, f32)> {
        self.cell_of(chain, attribute).map(|cell| self.read(cell))
    }

    /// How sure the attribute of that number is.
    #[inline]
    pub(super) fn sure(&self, chain: Chain, attribute: usize) -> Option<f32> {
        let cell = self.cell_of(chain, attribute)?;
        Some(f32::from_bits(self.cells[cell as usize][3]))
    }

    /// How sure the surest attribute is; 0 without any.
    #[inline]
    pub(super) fn surest(&self, chain: Chain) -> f32 {
        let sure = |cell: u32| f32::from_bits(self.cells[cell as usize][3]);
        self.cells_of(chain).map(sure).fold(0.0, f32::max)
    }

    /// All attributes of a chain, in order.
    pub(super) fn all(&self, chain: Chain) -> impl Iterator<Item = (usize, (Value, f32))> {
        ones(chain.mask.into()).zip(self.cells_of(chain).map(|cell| self.read(cell)))
    }

    /// Whether a chain is the same bit by bit as one of another pool.
    pub(super) fn is_same(&self, chain: Chain, other: &Pool, others: Chain) -> bool {
        let cell = |pool: &Pool, cell: u32| (pool.cells[cell as usize], pool.link(cell) & 3);
        let both = self.cells_of(chain).zip(other.cells_of(others));
        chain.mask == others.mask && { both }.all(|(one, two)| cell(self, one) == cell(other, two))
    }

    /// How many cells it takes to [`write`](Self::write) a draft into a chain.
    pub(super) fn needed(chain: Chain, draft: &Attributes) -> usize {
        (mask_of(draft) & !chain.mask).count_ones() as usize
    }

    /// Writes what a draft mentions; the rest stays. Says what difference that made. As many cells
    /// as are needed must be free.
    pub(super) fn write(&mut self, chain: &mut Chain, draft: &Attributes) -> Written {
        let mut written = Written { changed: false, differs: 0 };
        let mut before = None;
        let mut next = chain.first;
        for at in ones(u64::from(chain.mask | mask_of(draft))) {
            let new = &draft[at];
            let here = if chain.mask >> at & 1 == 1 {
                let here = next;
                next = self.next(here);
                here
            } else {
                let here = self.take();
                self.set_next(here, next);
                match before {
                    Some(before) => self.set_next(before, here),
                    None => chain.first = here,
                }
                chain.mask |= 1 << at;
                written.changed = true;
                written.differs |= 1 << at;
                here
            };
            if let &Some((value, sure)) = new {
                let changed = self.read(here) != (value, sure);
                let old = (self.cells[here as usize], self.link(here));
                self.store(here, value, sure);
                let differs = changed || old != (self.cells[here as usize], self.link(here));
                written.changed |= changed;
                written.differs |= u16::from(differs) << at;
            }
            before = Some(here);
        }
        written
    }

    /// Takes a chain's cells back.
    pub(super) fn free(&mut self, chain: Chain) {
        if let Some(last) = self.cells_of(chain).last() {
            self.set_next(last, self.free);
            self.free = chain.first;
            self.left += chain.len() as u32;
        }
    }

    fn take(&mut self) -> u32 {
        debug_assert!(self.left > 0, "room is made before attributes are written");
        let cell = self.free;
        self.free = self.next(cell);
        self.left -= 1;
        cell
    }

    #[inline]
    fn cell_of(&self, chain: Chain, attribute: usize) -> Option<u32> {
        let bit = 1u16 << attribute;
        let rank = (chain.mask & (bit - 1)).count_ones();
        let there = chain.mask & bit != 0;
        there.then(|| (0..rank).fold(chain.first, |cell, _| self.next(cell)))
    }

    #[inline]
    fn cells_of(&self, chain: Chain) -> impl Iterator<Item = u32> {
        let after = |&cell: &u32| Some(self.next(cell));
        std::iter::successors(Some(chain.first), after).take(chain.len())
    }

    #[inline]
    fn read(&self, cell: u32) -> (Value, f32) {
        let [a, b, c, sure] = self.cells[cell as usize];
        // The numbers of the sorts, as `store` writes them.
        let value = match self.link(cell) & 3 {
            0 => Value::Position([a, b, c].map(f32::from_bits)),
            1 => Value::Word(Word(a)),
            2 => Value::Entity(EntityId(u64::from(a) | u64::from(b) << 32)),
            _ => Value::Number(f32::from_bits(a)),
        };
        (value, f32::from_bits(sure))
    }

    fn store(&mut self, cell: u32, value: Value, sure: f32) {
        let [a, b, c] = match value {
            Value::Position(place) => place.map(f32::to_bits),
            Value::Word(word) => [word.0, 0, 0],
            Value::Entity(EntityId(handle)) => [handle as u32, (handle >> 32) as u32, 0],
            Value::Number(number) => [number.to_bits(), 0, 0],
        };
        self.cells[cell as usize] = [a, b, c, sure.to_bits()];
        self.set_link(cell, self.link(cell) & !3 | value.sort() as u32);
    }

    #[inline]
    fn next(&self, cell: u32) -> u32 {
        self.link(cell) >> 2
    }

    #[inline]
    fn set_next(&mut self, cell: u32, next: u32) {
        self.set_link(cell, next << 2 | self.link(cell) & 3);
    }

    #[inline]
    fn link(&self, cell: u32) -> u32 {
        let high = self.high.get(cell as usize).map_or(0, |&high| u32::from(high) << 16);
        u32::from(self.low[cell as usize]) | high
    }

    #[inline]
    fn set_link(&mut self, cell: u32, link: u32) {
        self.low[cell as usize] = link as u16;
        if let Some(high) = self.high.get_mut(cell as usize) {
            *high = (link >> 16) as u16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Attributes, Chain, NARROW, Pool};
    use crate::fact::Value;

    fn check_all_cells_are_used_and_come_back(cells: usize) {
        let mut pool = Pool::new(cells);
        let draft = |number: usize| -> Attributes {
            let mut attributes = [None; 16];
            attributes[number % 16] = Some((Value::Number(number as f32), 0.5));
            attributes
        };
        let mut chains = vec![Chain::default(); cells];
        for round in 0..2 {
            for (number, chain) in chains.iter_mut().enumerate() {
                assert!(pool.write(chain, &draft(number + round)).changed);
            }
            assert_eq!(pool.left(), 0);
            for (number, chain) in chains.iter_mut().enumerate() {
                let number = number + round;
                let read = pool.get(*chain, number % 16);
                assert_eq!(read, Some((Value::Number(number as f32), 0.5)), "{cells} {number}");
                pool.free(*chain);
                *chain = Chain::default();
            }
            assert_eq!(pool.left(), cells);
        }
    }

    #[test]
    fn every_cell_can_be_used_on_both_sides_of_the_narrow_links() {
        for cells in [16, NARROW, NARROW + 1, 5 * NARROW] {
            check_all_cells_are_used_and_come_back(cells);
        }
    }

    #[test]
    fn an_attribute_takes_18_bytes_and_20_in_large_pools() {
        assert_eq!(Pool::new(NARROW).heap(), 18 * NARROW);
        assert_eq!(Pool::new(NARROW + 1).heap(), 20 * (NARROW + 1));
    }
}
