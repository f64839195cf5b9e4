//! A set of tuples of objects, with indexes by some of their positions.
//!
//! In:   tuples one by one.
//! Out:  whether one is there, and all that agree with a key.
//! Cost: one probe per question; indexes are made when first asked for.
//!
//! A tuple is known at once but found through indexes only once it is shown: a join sees no
//! tuple that the same join brought forth.

/// No tuple.
pub(super) const NONE: u32 = u32::MAX;

/// A set of tuples.
#[derive(Default)]
pub(super) struct Relation {
    pub(super) arity: usize,
    data: Vec<u32>,
    n_tuples: u32,
    n_shown: u32,
    /// Tuple number + 1 by hash; 0 is empty.
    table: Vec<u32>,
    indexes: Vec<Index>,
}

/// The tuples by the values at some positions.
struct Index {
    positions: Vec<usize>,
    /// Bucket number + 1 by hash; 0 is empty.
    table: Vec<u32>,
    buckets: Vec<Bucket>,
    /// By tuple, the next of its bucket.
    next: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Bucket {
    first: u32,
    last: u32,
    count: u32,
}

fn mix(hash: u64, value: u32) -> u64 {
    (hash.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn finish(hash: u64) -> usize {
    (hash ^ (hash >> 32)) as usize
}

fn hash(values: impl Iterator<Item = u32>) -> usize {
    finish(values.fold(0x51_7C_C1_B7, mix))
}

impl Relation {
    pub(super) fn new(arity: usize) -> Self {
        Relation { arity, ..Relation::default() }
    }

    /// How many tuples are known.
    pub(super) fn len(&self) -> usize {
        self.n_tuples as usize
    }

    /// How many indexes it has.
    pub(super) fn n_indexes(&self) -> usize {
        self.indexes.len()
    }

    /// How many tuples are shown: the first ones.
    pub(super) fn n_shown(&self) -> u32 {
        self.n_shown
    }

    pub(super) fn tuple(&self, number: u32) -> &[u32] {
        let from = number as usize * self.arity;
        &self.data[from..from + self.arity]
    }

    /// The number of a known tuple.
    pub(super) fn find(&self, tuple: &[u32]) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(tuple.iter().copied()) & mask;
        loop {
            match self.table[slot] {
                0 => return None,
                entry if self.tuple(entry - 1) == tuple => return Some(entry - 1),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Adds a tuple; gives its number if it is new.
    pub(super) fn insert(&mut self, tuple: &[u32]) -> Option<u32> {
        if (self.n_tuples as usize + 1) * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(tuple.iter().copied()) & mask;
        loop {
            match self.table[slot] {
                0 => break,
                entry if self.tuple(entry - 1) == tuple => return None,
                _ => slot = (slot + 1) & mask,
            }
        }
        self.data.extend_from_slice(tuple);
        self.n_tuples += 1;
        self.table[slot] = self.n_tuples;
        Some(self.n_tuples - 1)
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(8);
        let mut table = vec![0; size];
        for number in 0..self.n_tuples {
            let mut slot = hash(self.tuple(number).iter().copied()) & (size - 1);
            while table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            table[slot] = number + 1;
        }
        self.table = table;
    }

    /// Shows the next tuple that is not shown yet.
    pub(super) fn show_next(&mut self) {
        let number = self.n_shown;
        let (data, arity) = (&self.data, self.arity);
        self.indexes.iter_mut().for_each(|index| index.add(data, arity, number));
        self.n_shown += 1;
    }

    /// Shows every tuple.
    pub(super) fn show_all(&mut self) {
        while self.n_shown < self.n_tuples {
            self.show_next();
        }
    }

    /// The number of the index by these positions, made if there is none.
    pub(super) fn index_by(&mut self, positions: &[usize]) -> usize {
        if let Some(at) = self.indexes.iter().position(|index| index.positions == positions) {
            return at;
        }
        let mut index = Index {
            positions: positions.to_vec(),
            table: vec![0; 8],
            buckets: Vec::new(),
            next: Vec::new(),
        };
        (0..self.n_shown).for_each(|number| index.add(&self.data, self.arity, number));
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The first shown tuple with this key and how many there are.
    pub(super) fn first(&self, index: usize, key: &[u32]) -> (u32, u32) {
        let index = &self.indexes[index];
        let mask = index.table.len() - 1;
        let mut slot = hash(key.iter().copied()) & mask;
        loop {
            let entry = index.table[slot];
            if entry == 0 {
                return (NONE, 0);
            }
            let bucket = index.buckets[entry as usize - 1];
            let tuple = self.tuple(bucket.first);
            if index.positions.iter().zip(key).all(|(&position, &value)| tuple[position] == value) {
                return (bucket.first, bucket.count);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The shown tuple after this one with the same key.
    pub(super) fn next(&self, index: usize, tuple: u32) -> u32 {
        self.indexes[index].next[tuple as usize]
    }
}

impl Index {
    fn key_hash(&self, data: &[u32], arity: usize, number: u32) -> usize {
        let from = number as usize * arity;
        hash(self.positions.iter().map(|&position| data[from + position]))
    }

    fn add(&mut self, data: &[u32], arity: usize, number: u32) {
        if (self.buckets.len() + 1) * 2 > self.table.len() {
            self.grow(data, arity);
        }
        self.next.push(NONE);
        let mask = self.table.len() - 1;
        let mut slot = self.key_hash(data, arity, number) & mask;
        let from = number as usize * arity;
        loop {
            let entry = self.table[slot];
            if entry == 0 {
                self.buckets.push(Bucket { first: number, last: number, count: 1 });
                self.table[slot] = self.buckets.len() as u32;
                return;
            }
            let bucket = &mut self.buckets[entry as usize - 1];
            let other = bucket.first as usize * arity;
            if self.positions.iter().all(|&at| data[from + at] == data[other + at]) {
                self.next[bucket.last as usize] = number;
                bucket.last = number;
                bucket.count += 1;
                return;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self, data: &[u32], arity: usize) {
        let size = self.table.len() * 2;
        let mut table = vec![0; size];
        for (at, bucket) in self.buckets.iter().enumerate() {
            let mut slot = self.key_hash(data, arity, bucket.first) & (size - 1);
            while table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            table[slot] = at as u32 + 1;
        }
        self.table = table;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuple_is_known_at_once_and_found_once_shown() {
        let mut relation = Relation::new(2);
        assert_eq!(relation.insert(&[1, 2]), Some(0));
        assert_eq!(relation.insert(&[1, 2]), None);
        assert_eq!(relation.find(&[1, 2]), Some(0));
        let index = relation.index_by(&[0]);
        assert_eq!(relation.first(index, &[1]), (NONE, 0));
        relation.show_next();
        assert_eq!(relation.first(index, &[1]), (0, 1));
    }

    #[test]
    fn an_index_finds_all_tuples_of_a_key_in_order() {
        let mut relation = Relation::new(2);
        for at in 0..1000 {
            relation.insert(&[at % 7, at]);
        }
        relation.show_all();
        let index = relation.index_by(&[0]);
        for key in 0..7 {
            let (mut tuple, count) = relation.first(index, &[key]);
            let mut seen = Vec::new();
            while tuple != NONE {
                seen.push(relation.tuple(tuple)[1]);
                tuple = relation.next(index, tuple);
            }
            assert_eq!(seen.len(), count as usize);
            assert_eq!(seen, (0..1000).filter(|at| at % 7 == key).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_relation_without_arguments_holds_or_not() {
        let mut relation = Relation::new(0);
        assert_eq!(relation.find(&[]), None);
        assert_eq!(relation.insert(&[]), Some(0));
        assert_eq!(relation.insert(&[]), None);
        assert_eq!(relation.find(&[]), Some(0));
    }
}
