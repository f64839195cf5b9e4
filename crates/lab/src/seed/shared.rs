//! Rows of numbers, each stored once and shared by its position.
//!
//! In:   a row: an atom (its predicate, then its arguments), a signature (its action, then its
//!       arguments), a state (the positions of its atoms).
//! Out:  its position, and whether it is new.
//! Cost: a hash of the row and a look at those of equal hash. Bytes per row: its numbers in the
//!       smallest integer that fits, 4 for where it ends, and 4 per place of the table, which is
//!       between three and six eighths full.
//!
//! This is the sharing pattern of the seed's section 4: read the first time, push it back; read
//! again, give the position. Positions are given in order, so nothing depends on the hash.

use super::narrow::Narrow;
use throng_base::mix::fold;

/// The table begins with so many places.
const FIRST_PLACES: usize = 16;

/// Rows, each once.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    numbers: Narrow,
    ends: Vec<u32>,
    places: Places,
}

impl Shared {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Whether so many more numbers and one more row can no longer be numbered.
    pub fn is_full_for(&self, more: usize) -> bool {
        self.ends.len() >= MOST_ROWS || self.numbers.len() + more > u32::MAX as usize
    }

    fn range(&self, position: u32) -> std::ops::Range<usize> {
        let at = position as usize;
        let from = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        from..self.ends[at] as usize
    }

    /// Where the row is, if it was shared.
    pub fn find(&self, row: &[u32]) -> Option<u32> {
        self.places.find(hash(row), |position| self.numbers.is_at(self.range(position), row)).ok()
    }

    /// The position of a row, and whether it is new. The caller asks [`Shared::is_full_for`]
    /// before there can be too many.
    pub fn share(&mut self, row: &[u32]) -> (u32, bool) {
        let found =
            self.places.find(hash(row), |position| self.numbers.is_at(self.range(position), row));
        match found {
            Ok(position) => (position, false),
            Err(place) => {
                let position = self.ends.len() as u32;
                self.numbers.extend(row);
                self.ends.push(self.numbers.len() as u32);
                if self.places.take(place, position) {
                    let (mut places, mut row) = (self.places.twice_as_many(), Vec::new());
                    for position in 0..self.len() as u32 {
                        row.clear();
                        self.append_to(position, &mut row);
                        places.put(hash(&row), position);
                    }
                    self.places = places;
                }
                (position, true)
            }
        }
    }

    /// How many numbers a row has.
    pub fn len_of(&self, position: u32) -> usize {
        self.range(position).len()
    }

    /// A number of a row.
    #[inline]
    pub fn get(&self, position: u32, at: usize) -> u32 {
        self.numbers.get(self.range(position).start + at)
    }

    /// Appends a row to `into`.
    pub fn append_to(&self, position: u32, into: &mut Vec<u32>) {
        self.numbers.append_to(self.range(position), into);
    }

    /// Bytes of one number of a row.
    pub fn width(&self) -> usize {
        self.numbers.width()
    }

    /// Bytes of the rows' numbers alone.
    pub fn row_bytes(&self) -> usize {
        self.numbers.bytes()
    }

    /// Bytes in use, table and ends included.
    pub fn bytes(&self) -> usize {
        self.numbers.bytes() + self.ends.len() * 4 + self.places.bytes()
    }
}

/// More rows than this would not fit the table.
const MOST_ROWS: usize = 1 << 30;

/// A hash of numbers.
pub(super) fn hash(row: &[u32]) -> u64 {
    row.iter().fold(row.len() as u64, |hash, &number| fold(hash, number.into()))
}

/// A table of positions by hash, with open addressing. It is fuller than `IndexTable`: the bytes
/// per row above are part of what is measured.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// 0 is empty, else a position plus one; a power of two of them.
    table: Vec<u32>,
    used: usize,
}

impl Default for Places {
    fn default() -> Self {
        Places { table: vec![0; FIRST_PLACES], used: 0 }
    }
}

impl Places {
    /// The position with this hash that is the same; else the free place for it.
    #[inline]
    pub(super) fn find(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            match self.table[place] {
                0 => return Err(place),
                entry if is_same(entry - 1) => return Ok(entry - 1),
                _ => place = (place + 1) & mask,
            }
        }
    }

    /// Fills a free place; says whether the table should grow.
    pub(super) fn take(&mut self, place: usize, position: u32) -> bool {
        self.table[place] = position + 1;
        self.used += 1;
        self.used * 4 > self.table.len() * 3
    }

    /// An empty table of twice as many places.
    pub(super) fn twice_as_many(&self) -> Places {
        Places { table: vec![0; self.table.len() * 2], used: 0 }
    }

    /// Puts a position that is not there yet.
    pub(super) fn put(&mut self, hash: u64, position: u32) {
        if let Err(place) = self.find(hash, |_| false) {
            self.take(place, position);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.table.len() * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_stored_once_and_keeps_its_position() {
        let mut shared = Shared::default();
        assert_eq!(shared.find(&[1, 2]), None);
        for round in 0..2 {
            for number in 0..1000u32 {
                let row = [number % 7, number];
                assert_eq!(shared.share(&row), (number, round == 0));
                assert_eq!(shared.find(&row), Some(number));
            }
        }
        assert_eq!((shared.len(), shared.width(), shared.len_of(3)), (1000, 2, 2));
        assert_eq!((shared.get(999, 0), shared.get(999, 1)), (5, 999));
        let mut row = Vec::new();
        shared.append_to(8, &mut row);
        assert_eq!(row, [1, 8]);
    }

    #[test]
    fn rows_of_other_lengths_are_other_rows() {
        let mut shared = Shared::default();
        let rows: [&[u32]; 5] = [&[], &[0], &[0, 0], &[1], &[0, 1]];
        for (position, row) in rows.iter().enumerate() {
            assert_eq!(shared.share(row), (position as u32, true));
        }
        assert!(rows.iter().enumerate().all(|(at, row)| shared.find(row) == Some(at as u32)));
    }
}
