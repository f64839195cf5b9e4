//! A set of tuples of objects, with indexes by some of their positions.
//!
//! In:   tuples one by one.
//! Out:  whether one is there, and all that agree with a key.
//! Cost: one probe per question; indexes are made when first asked for.
//!
//! A tuple is known at once but found through indexes only once it is shown: a join sees no
//! tuple that the same join brought forth.

use throng_base::IndexTable;
use throng_base::mix::hash;

/// No tuple.
pub(super) const NONE: u32 = u32::MAX;

/// A set of tuples.
#[derive(Default)]
pub(super) struct Relation {
    pub(super) arity: usize,
    data: Vec<u32>,
    n_tuples: u32,
    /// How many tuples are shown: the first ones.
    pub(super) n_shown: u32,
    table: IndexTable,
    indexes: Vec<Index>,
}

/// The tuples by the values at some positions.
struct Index {
    positions: Vec<usize>,
    /// Bucket numbers by key.
    table: IndexTable,
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

    pub(super) fn tuple(&self, number: u32) -> &[u32] {
        let from = number as usize * self.arity;
        &self.data[from..from + self.arity]
    }

    /// The number of a known tuple.
    pub(super) fn find(&self, tuple: &[u32]) -> Option<u32> {
        self.table.find(hash(tuple.iter().copied()), |number| self.tuple(number) == tuple)
    }

    /// Adds a tuple; gives its number if it is new.
    pub(super) fn insert(&mut self, tuple: &[u32]) -> Option<u32> {
        let (number, arity, data) = (self.n_tuples, self.arity, &self.data);
        let known = |number: u32| &data[number as usize * arity..][..arity];
        let hash_of = |number| hash(known(number).iter().copied());
        let hash = hash(tuple.iter().copied());
        let is_same = |number| known(number) == tuple;
        if self.table.find_or_insert(hash, number, is_same, hash_of).is_some() {
            return None;
        }
        self.data.extend_from_slice(tuple);
        self.n_tuples += 1;
        Some(number)
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
            table: IndexTable::default(),
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
        let is_same = |bucket: u32| {
            let tuple = self.tuple(index.buckets[bucket as usize].first);
            index.positions.iter().zip(key).all(|(&position, &value)| tuple[position] == value)
        };
        let Some(bucket) = index.table.find(hash(key.iter().copied()), is_same) else {
            return (NONE, 0);
        };
        let bucket = index.buckets[bucket as usize];
        (bucket.first, bucket.count)
    }

    /// The shown tuple after this one with the same key.
    pub(super) fn next(&self, index: usize, tuple: u32) -> u32 {
        self.indexes[index].next[tuple as usize]
    }
}

impl Index {
    fn add(&mut self, data: &[u32], arity: usize, number: u32) {
        self.next.push(NONE);
        let Index { positions, table, buckets, next } = self;
        let value = |tuple: u32, position: usize| data[tuple as usize * arity + position];
        let key = |tuple: u32| hash(positions.iter().map(|&position| value(tuple, position)));
        let first = |bucket: u32| buckets[bucket as usize].first;
        let is_same = |bucket: u32| {
            let other = first(bucket);
            positions.iter().all(|&at| value(number, at) == value(other, at))
        };
        let bucket = buckets.len() as u32;
        match table.find_or_insert(key(number), bucket, is_same, |bucket| key(first(bucket))) {
            None => buckets.push(Bucket { first: number, last: number, count: 1 }),
            Some(bucket) => {
                let bucket = &mut buckets[bucket as usize];
                next[bucket.last as usize] = number;
                bucket.last = number;
                bucket.count += 1;
            }
        }
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
