//! Which slots hold a fact, which facts may be of a kind, and which about a thing: rows of bits, so that
//! a question passes by the others.
//!
//! In:   facts that come and go, by slot: of which kind, about which thing ([`Subject`]).
//! Out:  the slots whose facts may be what is asked for, in order; all that are, are among them.
//! Cost: 33 bits per slot, taken when the memory is made; of the few slots of a small memory 136
//!       bytes. A question costs a step per 64 slots and one per fact in the row, or in both rows.
//!
//! There are sixteen rows for kinds and sixteen for things, eight of each in a small memory; numbers
//! say which is whose. What shares a row is told apart by who asks: a row leaves out facts, it never
//! speaks for one. A fact is in the rows of its `object` and of its `node`; without them in none.

use crate::fact::{Attribute, EntityId, Value};
use crate::words::Word;
use throng_base::{BitsIter, Ones, ones, ones_of};

/// How many rows of a sort there are, and where one word is a row. Powers of two: more rows would
/// take more room than they save steps.
const ROWS: usize = 16;
const ROWS_OF_ONE_WORD: usize = 8;

/// What a fact is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    /// Its `object`.
    Object(EntityId),
    /// Its `node`.
    Node(Word),
}

impl Subject {
    /// By this attribute with this value; `None` of other attributes.
    #[inline]
    pub(crate) fn new(attribute: Attribute, value: Value) -> Option<Self> {
        match (attribute, value) {
            (Attribute::Object, Value::Entity(object)) => Some(Subject::Object(object)),
            (Attribute::Node, Value::Word(node)) => Some(Subject::Node(node)),
            _ => None,
        }
    }

    /// The attribute that says it.
    #[inline]
    pub(super) fn attribute(self) -> Attribute {
        match self {
            Subject::Object(_) => Attribute::Object,
            Subject::Node(_) => Attribute::Node,
        }
    }
}

/// The attributes that say what a fact is about.
pub(super) const SUBJECTS: [Attribute; 2] = [Attribute::Object, Attribute::Node];

/// Rows of bits, one per slot.
#[derive(Clone)]
pub(super) struct Kin {
    /// The row of all that are there, then those of kinds, one behind the other, then those of things.
    bits: Box<[u64]>,
}

impl Kin {
    /// For so many slots, all empty.
    pub(super) fn new(slots: usize) -> Self {
        let bits = match slots.div_ceil(64) {
            words @ 2.. => vec![0; (1 + 2 * ROWS) * words],
            _ => vec![0; 1 + 2 * ROWS_OF_ONE_WORD],
        };
        Kin { bits: bits.into_boxed_slice() }
    }

    /// A fact of a kind comes into a slot, or goes from it.
    pub(super) fn set_kind(&mut self, kind: Word, at: usize, on: bool) {
        self.set(0, at, on);
        self.set(self.first_of_kind(kind), at, on);
    }

    /// The slots that hold a fact.
    #[inline]
    pub(super) fn all(&self) -> &[u64] {
        self.row(0)
    }

    /// Whether a slot holds a fact.
    #[inline]
    pub(super) fn has(&self, at: usize) -> bool {
        self.all().get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// A fact about a thing comes into a slot, or goes from it.
    pub(super) fn set_subject(&mut self, subject: Subject, at: usize, on: bool) {
        self.set(self.first_of_subject(subject), at, on);
    }

    fn set(&mut self, first: usize, at: usize, on: bool) {
        if let Some(word) = self.bits.get_mut(first + at / 64) {
            let bit = 1 << (at % 64);
            *word = if on { *word | bit } else { *word & !bit };
        }
    }

    /// The slots whose facts may be of a kind.
    #[inline]
    pub(super) fn of(&self, kind: Word) -> BitsIter<'_> {
        ones_of(self.row(self.first_of_kind(kind)))
    }

    /// The slots whose facts may be of a kind and about a thing.
    #[inline]
    pub(super) fn about(&self, kind: Word, subject: Subject) -> About<'_> {
        let kinds = self.row(self.first_of_kind(kind));
        let things = self.row(self.first_of_subject(subject));
        About { ones: ones(0), next: 0, kinds, things }
    }

    /// Bytes on the heap.
    pub(super) fn heap(&self) -> usize {
        size_of_val(&*self.bits)
    }

    #[inline]
    fn row(&self, first: usize) -> &[u64] {
        &self.bits[first..first + self.words()]
    }

    /// How many words a row has.
    #[inline]
    fn words(&self) -> usize {
        // By a constant, which is no division.
        if self.rows() == ROWS { self.bits.len() / (1 + 2 * ROWS) } else { 1 }
    }

    #[inline]
    fn rows(&self) -> usize {
        if self.bits.len() == 1 + 2 * ROWS_OF_ONE_WORD { ROWS_OF_ONE_WORD } else { ROWS }
    }

    /// Where the row of a kind begins.
    #[inline]
    fn first_of_kind(&self, kind: Word) -> usize {
        // Kinds have small numbers beside each other, or a file's distance apart: both are spread.
        let spread = kind.0.wrapping_mul(0x9e37_79b1);
        self.first(spread, 0)
    }

    /// Where the row of a thing begins.
    #[inline]
    fn first_of_subject(&self, subject: Subject) -> usize {
        let number = match subject {
            Subject::Object(object) => object.0,
            Subject::Node(node) => u64::from(node.0),
        };
        let spread = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        self.first(spread as u32, self.rows())
    }

    /// Where the row begins that the highest bits of a number say, after so many others of kinds.
    #[inline]
    fn first(&self, spread: u32, others: usize) -> usize {
        let row = spread >> (32 - self.rows().trailing_zeros());
        (1 + others + row as usize) * self.words()
    }
}

/// The slots that are in two rows, ascending.
#[derive(Clone, Debug)]
pub(super) struct About<'k> {
    /// Those of the word before the next.
    ones: Ones,
    next: usize,
    kinds: &'k [u64],
    things: &'k [u64],
}

impl Iterator for About<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        loop {
            if let Some(bit) = self.ones.next() {
                return Some(self.next * 64 - 64 + bit);
            }
            let (kinds, things) = (self.kinds.get(self.next)?, self.things.get(self.next)?);
            self.ones = ones(kinds & things);
            self.next += 1;
        }
    }
}
