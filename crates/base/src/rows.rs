//! Many short lists in two flat arrays (compressed rows).
//!
//! In:   lists in order, or pairs to be grouped by row.
//! Out:  `row(i)` as a slice; no pointer chasing, no allocation per row.
//! Cost: building is linear in rows and entries.

/// Lists number 0, 1, 2 … of entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows<T> {
    starts: Vec<u32>,
    entries: Vec<T>,
}

impl<T: Copy> Rows<T> {
    /// Rows from lists, in order.
    pub fn from_lists<L: IntoIterator<Item = T>>(lists: impl IntoIterator<Item = L>) -> Self {
        let mut rows = Rows { starts: vec![0], entries: Vec::new() };
        for list in lists {
            rows.entries.extend(list);
            rows.starts.push(rows.end());
        }
        rows
    }

    /// `n_rows` rows from (row, entry) pairs; entries keep the order of the pairs.
    pub fn from_pairs(n_rows: usize, pairs: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut starts = vec![0u32; n_rows + 1];
        for (row, _) in pairs.clone() {
            starts[row + 1] += 1;
        }
        for row in 0..n_rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let Some((_, any)) = pairs.clone().next() else {
            return Rows { starts, entries: Vec::new() };
        };
        let mut entries = vec![any; starts[n_rows] as usize];
        for (row, entry) in pairs {
            entries[next[row] as usize] = entry;
            next[row] += 1;
        }
        Rows { starts, entries }
    }

    /// So many rows without entries.
    pub fn empty(n_rows: usize) -> Self {
        Rows { starts: vec![0; n_rows + 1], entries: Vec::new() }
    }

    /// Adds a row at the end.
    pub fn push(&mut self, row: &[T]) {
        self.entries.extend_from_slice(row);
        self.starts.push(self.end());
    }

    fn end(&self) -> u32 {
        // Entries are counted against `Limits::entries`, far below this.
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// Row number `row`.
    pub fn row(&self, row: usize) -> &[T] {
        &self.entries[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many entries all rows have together.
    pub fn n_entries(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_grouped_and_keep_their_order() {
        let rows = Rows::from_pairs(3, [(2, 'a'), (0, 'b'), (2, 'c')].into_iter());
        assert_eq!((rows.row(0), rows.row(1), rows.row(2)), (&['b'][..], &[][..], &['a', 'c'][..]));
        let none = Rows::<u8>::from_pairs(2, std::iter::empty());
        assert_eq!((none.len(), none.row(1)), (2, &[][..]));
        assert_eq!(Rows::from_lists([vec![1, 2], vec![], vec![3]]).row(2), [3]);
    }
}
