//! Many short lists in two flat arrays (compressed rows).
//!
//! In:   lists in order, or pairs to be grouped by row.
//! Out:  `row(i)` as a slice; no pointer chasing, no allocation per row.
//! Cost: building is linear in rows and entries; cleared rows keep their memory.

use std::ops::Range;

/// Lists number 0, 1, 2 … of entries.
///
/// ```
/// use throng_base::Rows;
/// let mut rows = Rows::from_lists([vec!['a', 'b'], vec![]]);
/// rows.push(&['c']);
/// assert_eq!((rows.len(), rows.row(0), rows.row(2)), (3, &['a', 'b'][..], &['c'][..]));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rows<T> {
    /// Where each row begins, and where the last one ends.
    starts: Vec<u32>,
    entries: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Rows { starts: vec![0], entries: Vec::new() }
    }
}

impl<T> Rows<T> {
    /// Rows from lists, in order.
    pub fn from_lists<L: IntoIterator<Item = T>>(lists: impl IntoIterator<Item = L>) -> Self {
        let mut rows = Rows::default();
        lists.into_iter().for_each(|list| rows.push_list(list));
        rows
    }

    /// So many rows without entries.
    pub fn empty(n_rows: usize) -> Self {
        Rows { starts: vec![0; n_rows + 1], entries: Vec::new() }
    }

    /// No rows, with room for so many rows and entries.
    pub fn with_capacity(n_rows: usize, n_entries: usize) -> Self {
        let mut starts = Vec::with_capacity(n_rows + 1);
        starts.push(0);
        Rows { starts, entries: Vec::with_capacity(n_entries) }
    }

    /// Forgets all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.starts.truncate(1);
        self.entries.clear();
    }

    /// Keeps the first rows only.
    pub fn truncate(&mut self, n_rows: usize) {
        self.starts.truncate(n_rows + 1);
        let end = self.starts.last().map_or(0, |&end| end as usize);
        self.entries.truncate(end);
    }

    /// Adds a row at the end.
    pub fn push_list(&mut self, row: impl IntoIterator<Item = T>) {
        self.entries.extend(row);
        self.end_row();
    }

    /// Adds a row at the end, written by `write` behind the entries that are there.
    pub fn push_with<R>(&mut self, write: impl FnOnce(&mut Vec<T>) -> R) -> R {
        let done = write(&mut self.entries);
        self.end_row();
        done
    }

    /// Adds an entry to the row that [`Rows::end_row`] will end.
    #[inline]
    pub fn push_entry(&mut self, entry: T) {
        self.entries.push(entry);
    }

    /// Ends a row: what was pushed since the last one ended.
    #[inline]
    pub fn end_row(&mut self) {
        // Owners bound what they keep, far below this.
        self.starts.push(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
    }

    /// Row number `row`.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        &self.entries[self.range(row)]
    }

    /// Row number `row`, to change its entries.
    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        let range = self.range(row);
        &mut self.entries[range]
    }

    /// Row number `row`, if there are so many.
    #[inline]
    pub fn get(&self, row: usize) -> Option<&[T]> {
        let range = *self.starts.get(row)? as usize..*self.starts.get(row + 1)? as usize;
        self.entries.get(range)
    }

    /// Where row number `row` lies in [`Rows::entries`].
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// All rows, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> + DoubleEndedIterator + Clone {
        (0..self.len()).map(|row| self.row(row))
    }

    /// The entries of all rows, one after the other.
    pub fn entries(&self) -> &[T] {
        &self.entries
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

    /// The memory in use.
    pub fn bytes(&self) -> usize {
        self.starts.len() * size_of::<u32>() + self.entries.len() * size_of::<T>()
    }
}

impl<T: Copy> Rows<T> {
    /// `n_rows` rows from (row, entry) pairs; entries keep the order of the pairs.
    pub fn from_pairs(n_rows: usize, pairs: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut rows = Rows::default();
        rows.refill(n_rows, pairs);
        rows
    }

    /// Becomes what [`Rows::from_pairs`] makes, in the memory that is there.
    #[inline]
    pub fn refill(&mut self, n_rows: usize, pairs: impl Iterator<Item = (usize, T)> + Clone) {
        let Rows { starts, entries } = self;
        starts.clear();
        starts.resize(n_rows + 1, 0);
        entries.clear();
        for (row, _) in pairs.clone() {
            starts[row + 1] += 1;
        }
        let mut so_far = 0;
        for start in starts.iter_mut() {
            so_far += *start;
            *start = so_far;
        }
        let Some((_, any)) = pairs.clone().next() else { return };
        entries.resize(starts[n_rows] as usize, any);
        // Each start moves on to its end while its row is filled, which is where the next begins.
        for (row, entry) in pairs {
            entries[starts[row] as usize] = entry;
            starts[row] += 1;
        }
        starts.rotate_right(1);
        starts[0] = 0;
    }

    /// Adds a row at the end.
    pub fn push(&mut self, row: &[T]) {
        self.entries.extend_from_slice(row);
        self.end_row();
    }
}

impl Rows<u32> {
    /// Becomes the other direction: for each number below `n_rows` the rows it is in, ascending.
    pub fn turn(&mut self, rows: &Rows<u32>, n_rows: usize) {
        let Rows { starts, entries } = self;
        starts.clear();
        starts.resize(n_rows + 1, 0);
        rows.entries.iter().for_each(|&entry| starts[entry as usize] += 1);
        let mut sum = 0;
        for start in &mut *starts {
            sum += *start;
            *start = sum;
        }
        entries.clear();
        entries.resize(rows.entries.len(), 0);
        // Each row is filled from its end.
        for (row, list) in rows.iter().enumerate().rev() {
            for &entry in list.iter().rev() {
                starts[entry as usize] -= 1;
                entries[starts[entry as usize] as usize] = row as u32;
            }
        }
    }
}

impl<T, L: IntoIterator<Item = T>> FromIterator<L> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Self {
        Rows::from_lists(lists)
    }
}

/// Makes a list so many times the same value; it keeps its memory.
///
/// ```
/// let mut marks = vec![7, 8, 9];
/// throng_base::reset(&mut marks, 2, 0);
/// assert_eq!(marks, [0, 0]);
/// ```
#[inline]
pub fn reset<T: Clone>(list: &mut Vec<T>, len: usize, value: T) {
    list.clear();
    list.resize(len, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix;

    #[test]
    fn pairs_are_grouped_and_keep_their_order() {
        let rows = Rows::from_pairs(3, [(2, 'a'), (0, 'b'), (2, 'c')].into_iter());
        assert_eq!((rows.row(0), rows.row(1), rows.row(2)), (&['b'][..], &[][..], &['a', 'c'][..]));
        let none = Rows::<u8>::from_pairs(2, std::iter::empty());
        assert_eq!((none.len(), none.row(1)), (2, &[][..]));
        assert_eq!(Rows::from_lists([vec![1, 2], vec![], vec![3]]).row(2), [3]);
        assert_eq!(Rows::<u8>::from_pairs(0, std::iter::empty()), Rows::default());
    }

    /// Random rows, made in every way there is, beside a list of lists.
    #[test]
    fn rows_are_what_a_list_of_lists_is() {
        let mut random = SplitMix::new(2);
        let mut refilled = Rows::default();
        for _ in 0..200 {
            let n_rows = random.below(12);
            let mut twin: Vec<Vec<u32>> = vec![Vec::new(); n_rows];
            let n_pairs = if n_rows == 0 { 0 } else { random.below(40) };
            let pairs: Vec<(usize, u32)> =
                (0..n_pairs).map(|_| (random.below(n_rows), random.below(9) as u32)).collect();
            pairs.iter().for_each(|&(row, entry)| twin[row].push(entry));

            let mut one_by_one = Rows::with_capacity(n_rows, n_pairs);
            let (mut pushed, mut written) = (Rows::default(), Rows::default());
            for list in &twin {
                list.iter().for_each(|&entry| one_by_one.push_entry(entry));
                one_by_one.end_row();
                pushed.push(list);
                written.push_with(|entries| entries.extend(list));
            }
            refilled.refill(n_rows, pairs.iter().copied());
            let listed: Rows<u32> = twin.iter().cloned().collect();
            for mut rows in [one_by_one, pushed, written, refilled.clone(), listed] {
                assert!(rows.iter().eq(twin.iter().map(|list| &list[..])));
                assert_eq!((rows.len(), rows.is_empty()), (n_rows, n_rows == 0));
                assert_eq!(rows.n_entries(), n_pairs);
                assert_eq!(rows.entries(), twin.concat());
                assert_eq!(rows.get(n_rows), None);
                assert!((0..n_rows).all(|at| rows.get(at) == Some(&twin[at][..])));
                (0..n_rows).for_each(|at| rows.row_mut(at).iter_mut().for_each(|e| *e += 1));
                let more = |list: &Vec<u32>| list.iter().map(|e| e + 1).collect::<Vec<_>>();
                assert!(rows.iter().eq(twin.iter().map(more)));
                let (mut turned, mut back) = (Rows::default(), Vec::new());
                turned.turn(&rows, 11);
                for (entry, in_rows) in turned.iter().enumerate() {
                    assert!(in_rows.is_sorted());
                    back.extend(in_rows.iter().map(|&row| (row, entry as u32)));
                }
                let mut pairs: Vec<(u32, u32)> =
                    pairs.iter().map(|&(row, entry)| (row as u32, entry + 1)).collect();
                pairs.sort_unstable();
                back.sort_unstable();
                assert_eq!(back, pairs);
                rows.truncate(n_rows / 2);
                assert_eq!(rows.n_entries(), twin[..n_rows / 2].concat().len());
                rows.clear();
                assert_eq!(rows, Rows::empty(0));
            }
        }
    }
}
