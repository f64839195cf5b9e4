//! Numbers in a row, each in the smallest integer that fits all of them.
//!
//! In:   numbers, one list after the other.
//! Out:  the same, by place.
//! Cost: one, two or four bytes each; all are copied when the first larger one comes, which
//!       happens twice at most.
//!
//! The seed decides for `unsigned char` once it knows how many identifiers there are. Atoms and
//! signatures are met during the search, so here the decision is taken back when it must be.

#![allow(clippy::useless_conversion, reason = "`each!` says the same for every width")]

use std::ops::Range;

/// The numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Row {
    Byte(Vec<u8>),
    Short(Vec<u16>),
    Long(Vec<u32>),
}

/// Numbers in the smallest integer that fits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Narrow(Row);

impl Default for Narrow {
    fn default() -> Self {
        Narrow(Row::Byte(Vec::new()))
    }
}

/// The same for the numbers of every width.
macro_rules! each {
    ($numbers:expr, $row:ident => $work:expr) => {
        match $numbers {
            Row::Byte($row) => $work,
            Row::Short($row) => $work,
            Row::Long($row) => $work,
        }
    };
}

impl Narrow {
    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        each!(&self.0, row => row.len())
    }

    /// Bytes of one number.
    pub(super) fn width(&self) -> usize {
        fn of<N>(_: &[N]) -> usize {
            size_of::<N>()
        }
        each!(&self.0, row => of(row))
    }

    /// The number at a place; 0 beyond the end.
    #[inline]
    pub(super) fn get(&self, at: usize) -> u32 {
        each!(&self.0, row => row.get(at).map_or(0, |&number| number.into()))
    }

    /// Adds numbers at the end.
    pub(super) fn extend(&mut self, numbers: &[u32]) {
        let largest = numbers.iter().copied().max().unwrap_or(0);
        self.make_room_for(largest);
        // The casts lose nothing: room for the largest was made.
        match &mut self.0 {
            Row::Byte(row) => row.extend(numbers.iter().map(|&number| number as u8)),
            Row::Short(row) => row.extend(numbers.iter().map(|&number| number as u16)),
            Row::Long(row) => row.extend_from_slice(numbers),
        }
    }

    fn make_room_for(&mut self, number: u32) {
        let fits = u64::from(number) < 1 << (8 * self.width());
        if !fits {
            let all = 0..self.len();
            self.0 = match number <= u32::from(u16::MAX) {
                true => Row::Short(all.map(|at| self.get(at) as u16).collect()),
                false => Row::Long(all.map(|at| self.get(at)).collect()),
            };
        }
    }

    /// Appends the numbers of a range to `into`; places beyond the end are left out.
    pub(super) fn append_to(&self, range: Range<usize>, into: &mut Vec<u32>) {
        each!(&self.0, row => {
            let numbers = row.get(range).unwrap_or_default();
            into.extend(numbers.iter().map(|&number| u32::from(number)));
        });
    }

    /// Whether the numbers of a range are these.
    pub(super) fn is_at(&self, range: Range<usize>, numbers: &[u32]) -> bool {
        each!(&self.0, row => {
            let row = row.get(range).unwrap_or_default();
            row.len() == numbers.len() && row.iter().zip(numbers).all(|(&a, &b)| u32::from(a) == b)
        })
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.len() * self.width()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_one_two_or_four_bytes_and_stay_what_they_are() {
        let mut row = Narrow::default();
        let mut plain = Vec::new();
        for (numbers, width) in
            [(&[0, 7, 255][..], 1), (&[256, 3], 2), (&[65_535], 2), (&[65_536, 1], 4), (&[], 4)]
        {
            row.extend(numbers);
            plain.extend_from_slice(numbers);
            assert_eq!(row.width(), width);
            assert!((0..plain.len()).all(|at| row.get(at) == plain[at]));
            assert!(row.is_at(0..plain.len(), &plain));
        }
        let mut part = vec![9];
        row.append_to(2..4, &mut part);
        assert_eq!(part, [9, 255, 256]);
        assert!(!row.is_at(2..4, &[255, 0]), "256 is not 0 of a byte");
        assert_eq!((row.len(), row.bytes()), (8, 32));
    }
}
