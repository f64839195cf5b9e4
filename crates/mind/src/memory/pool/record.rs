//! How the attributes of one fact stand in words.
//!
//! In:   a fact's attributes.
//! Out:  which words they need, and where each stands.
//! Cost: two counts of bits for an attribute, by tables of a byte each.
//!
//! ```text
//! owner, whose own confidence │ usual confidence │ value value value … │ confidence …
//! ```
//!
//! A fact knows where its record begins and, as a mask, which attributes it has; values and
//! confidences stand in the order of [`Attribute`]. A word or a number is one word, a place three; a thing
//! is one while all of the fact's things have numbers of 32 bits, else two. A confidence stands there only
//! if it is not the usual one of the record. A fact built by hand can have what no fact has: its record is
//! an [`ODD`] one, and says of each value what it is. Values are kept bit by bit, so whatever a draft says
//! is what is read.

use crate::fact::{Attribute, EntityId, Sort, Value};
use throng_base::ones;

/// By bit: the attributes that are places, and those that are things.
pub(super) const PLACES: u16 = 1 << Attribute::Position as u16 | 1 << Attribute::Direction as u16;
pub(super) const THINGS: u16 = 1 << Attribute::Object as u16 | 1 << Attribute::Source as u16;

/// By attribute.
pub(super) const SORTS: [Sort; Attribute::ALL.len()] = {
    let mut sorts = [Sort::Number; Attribute::ALL.len()];
    let mut at = 0;
    while at < sorts.len() {
        sorts[at] = Attribute::ALL[at].sort();
        at += 1;
    }
    sorts
};

/// The most words before the values of a record.
pub(super) const HEAD: usize = 2;

/// The most words that a record has: an odd one of all attributes.
pub(super) const MOST: usize = HEAD + 5 * Attribute::ALL.len();

/// The first word of a pool: the usual confidence of all records that have none.
pub(super) const CERTAINTY: u32 = 1.0_f32.to_bits();

/// Whose record is that of no fact any more; slots have smaller numbers.
pub(super) const NOBODY: u32 = u16::MAX as u32;

/// How a record is written, in the lowest bits of where it stands: its things have two words.
const WIDE: u32 = 1;
/// A value is of another sort than its attribute: each attribute has five words, sort, value and
/// confidence.
const ODD: u32 = 2;
/// The usual confidence is [`CERTAINTY`], so no word says it; of odd records, as there is none.
pub(super) const CERTAIN: u32 = 4;

/// How many bits say how a record is written.
pub(super) const FORM_BITS: u32 = 3;

/// What a fact keeps of its attributes.
#[derive(Clone, Copy, Default)]
pub(in crate::memory) struct Record {
    /// Where it begins, times eight, and how it is written; means nothing without attributes.
    pub(in crate::memory) first: u32,
    /// A bit per attribute.
    pub(in crate::memory) mask: u16,
}

impl Record {
    #[inline]
    pub(super) fn at(self) -> usize {
        (self.first >> FORM_BITS) as usize
    }

    /// How it is written.
    pub(super) fn form(self) -> u32 {
        self.first & ((1 << FORM_BITS) - 1)
    }

    #[inline]
    pub(super) fn is_wide(self) -> bool {
        self.first & WIDE != 0
    }

    #[inline]
    pub(super) fn is_odd(self) -> bool {
        self.first & ODD != 0
    }

    /// Where its values begin.
    #[inline]
    pub(super) fn values(self) -> usize {
        self.at() + HEAD - usize::from(self.first & CERTAIN != 0)
    }

    /// Where the confidence stands that its attributes have unless they have their own.
    #[inline]
    pub(super) fn usual(self) -> usize {
        if self.first & CERTAIN != 0 { 0 } else { self.at() + 1 }
    }

    #[inline]
    pub(super) fn has(self, attribute: usize) -> bool {
        self.mask >> attribute & 1 == 1
    }

    /// Where an attribute stands; `own` says which have a confidence of their own.
    #[inline]
    pub(super) fn place_of(self, own: u16, attribute: usize) -> Place {
        let begin = self.values();
        let before = self.mask & below(attribute);
        if self.is_odd() {
            let value = begin + 5 * count(before) + 1;
            return Place { value, sure: value + 3 };
        }
        let sure = if own >> attribute & 1 == 1 {
            let rank = count(own & below(attribute));
            begin + words_of(self.mask, self.is_wide()) + rank
        } else {
            self.usual()
        };
        Place { value: begin + words_of(before, self.is_wide()), sure }
    }

    /// Where each of its attributes stands, in order.
    #[inline]
    pub(super) fn places(self, own: u16) -> impl Iterator<Item = (usize, Place)> {
        let mut value = self.values();
        let mut sure = value + words_of(self.mask, self.is_wide());
        ones(self.mask.into()).map(move |attribute| {
            if self.is_odd() {
                value += 5;
                return (attribute, Place { value: value - 4, sure: value - 1 });
            }
            let has_own = own >> attribute & 1 == 1;
            let place = Place { value, sure: if has_own { sure } else { self.usual() } };
            value += width_of(attribute, self.is_wide());
            sure += usize::from(has_own);
            (attribute, place)
        })
    }

    /// How many words it has; `own`: the attributes with a confidence of their own.
    pub(super) fn len(self, own: u16) -> usize {
        let head = self.values() - self.at();
        match self.is_odd() {
            true => head + 5 * count(self.mask),
            false => head + words_of(self.mask, self.is_wide()) + count(own),
        }
    }
}

/// Where an attribute stands among the words.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The first word of its value; in an odd record the word before says which sort it has.
    pub(super) value: usize,
    /// Its confidence, its own or the usual one.
    pub(super) sure: usize,
}

/// The attributes before one.
#[inline]
pub(super) fn below(attribute: usize) -> u16 {
    (1 << attribute) - 1
}

/// Counts of words, by the lower byte of a set of attributes: without things of two words, and with.
/// The upper half of the attributes has one word each, and so has every confidence.
const WORDS: [[u8; 256]; 2] = [words_by_byte(PLACES, 0), words_by_byte(PLACES, THINGS)];
const ONES: [u8; 256] = words_by_byte(0, 0);

const fn words_by_byte(places: u16, things: u16) -> [u8; 256] {
    let mut counts = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let set = byte as u16;
        let more = 2 * (set & places).count_ones() + (set & things).count_ones();
        counts[byte] = (set.count_ones() + more) as u8;
        byte += 1;
    }
    counts
}

/// How many words the values of these attributes have.
#[inline]
pub(super) fn words_of(mask: u16, is_wide: bool) -> usize {
    let low = &WORDS[usize::from(is_wide)];
    usize::from(low[usize::from(mask as u8)] + ONES[usize::from(mask >> 8)])
}

/// How many attributes these are.
#[inline]
pub(super) fn count(mask: u16) -> usize {
    usize::from(ONES[usize::from(mask as u8)] + ONES[usize::from(mask >> 8)])
}

/// How many words the value of an attribute has.
#[inline]
pub(super) fn width_of(attribute: usize, is_wide: bool) -> usize {
    let is_of = |set: u16| usize::from(set >> attribute & 1);
    1 + 2 * is_of(PLACES) + (is_of(THINGS) & usize::from(is_wide))
}

/// The sort, the words of a value and its confidence.
#[inline]
pub(super) fn bits_of((value, sure): (Value, f32)) -> [u32; 5] {
    let [a, b, c] = match value {
        Value::Position([x, y, z]) => [x.to_bits(), y.to_bits(), z.to_bits()],
        Value::Word(word) => [word.0, 0, 0],
        Value::Entity(EntityId(handle)) => [handle as u32, (handle >> 32) as u32, 0],
        Value::Number(number) => [number.to_bits(), 0, 0],
    };
    [value.sort() as u32, a, b, c, sure.to_bits()]
}

/// The sort that [`bits_of`] wrote.
#[inline]
pub(super) fn sort_of(word: u32) -> Sort {
    [Sort::Position, Sort::Word, Sort::Entity, Sort::Number][(word & 3) as usize]
}

/// How a record is to be written so that an attribute can have a value.
pub(super) fn written_as(attribute: Attribute, value: Value) -> u32 {
    match value {
        _ if value.sort() != attribute.sort() => ODD,
        Value::Entity(EntityId(handle)) if handle > u64::from(u32::MAX) => WIDE,
        _ => 0,
    }
}

/// The bits of the confidence that is best said once for all, and which attributes have another: so
/// that fewest words are needed; of equals the first.
pub(super) fn usual_of(known: &[(Value, f32); Attribute::ALL.len()], mask: u16) -> (u32, u16) {
    let mut all = ones(mask.into()).map(|at| known[at].1.to_bits());
    if let Some(first) = all.next()
        && all.all(|sure| sure == first)
    {
        return (first, 0);
    }
    let others = |sure: u32| {
        let differs = |at: &usize| known[*at].1.to_bits() != sure;
        ones(mask.into()).filter(differs).fold(0, |others, at| others | 1u16 << at)
    };
    let candidates = ones(mask.into()).map(|at| known[at].1.to_bits());
    let all = candidates.map(|sure| (sure, others(sure)));
    let words = |&(sure, others): &(u32, u16)| count(others) + usize::from(sure != CERTAINTY);
    all.min_by_key(words).unwrap_or((CERTAINTY, 0))
}
