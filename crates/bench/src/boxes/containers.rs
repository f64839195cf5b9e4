//! What containers take: by themselves, and full, as the system counts.
//!
//! In:   kinds of containers, each filled with the positions of a plan or a state.
//! Out:  bytes of an empty one, and bytes of one of many full ones in a fresh process.
//! Cost: a process each.
//!
//! Sections 3.1, 4.2 and 4.3 of the seed, with Rust's containers. Its two ways to count are both
//! here: the structure alone, and the pages that the system gave for many of them.

use std::collections::{BTreeSet, HashSet};
use std::hint::black_box;
use throng_pddl::seed::{Arrays, Bits, Kept};

/// How many full containers a fresh process makes.
pub(super) const MANY: usize = 200_000;

/// A container, measured.
pub(super) struct Container {
    /// Rust's name for it.
    pub(super) name: &'static str,
    /// What is in it.
    pub(super) holds: &'static str,
    /// Bytes of an empty one, without what it points to.
    pub(super) empty: usize,
    /// Bytes of what must be told: positions, in the smallest integers.
    pub(super) content: usize,
    /// Bytes of a full one among many, as the system counts.
    pub(super) full: Option<f64>,
}

/// A kind: its name, what it holds, bytes empty, bytes of content, and how to make many.
type Kind = (&'static str, &'static str, usize, usize, fn(usize));

const PLAN_4: &str = "plan of 4 among 256 signatures";
const PLAN_8: &str = "plan of 8 among 65,536 signatures";
const STATE: &str = "state of 10 among 256 atoms";

const KINDS: [Kind; 14] = [
    ("[u8; 4]", PLAN_4, size_of::<[u8; 4]>(), 4, |n| keep(n, plan_4)),
    ("Vec<u8>, grown", PLAN_4, size_of::<Vec<u8>>(), 4, |n| keep(n, |at| grown(plan_4(at)))),
    ("Box<[u8]>", PLAN_4, size_of::<Box<[u8]>>(), 4, |n| keep(n, |at| boxed(plan_4(at)))),
    ("[u16; 8]", PLAN_8, size_of::<[u16; 8]>(), 16, |n| keep(n, plan_8)),
    ("Vec<u16>, grown", PLAN_8, size_of::<Vec<u16>>(), 16, |n| keep(n, |at| grown(plan_8(at)))),
    ("Box<[u16]>", PLAN_8, size_of::<Box<[u16]>>(), 16, |n| keep(n, |at| boxed(plan_8(at)))),
    ("[u8; 10]", STATE, size_of::<[u8; 10]>(), 10, |n| keep(n, state)),
    ("[u64; 4], bits", STATE, size_of::<[u64; 4]>(), 10, |n| keep(n, |at| bits(state(at)))),
    ("Box<[u8]>", STATE, size_of::<Box<[u8]>>(), 10, |n| keep(n, |at| boxed(state(at)))),
    ("Vec<u8>, grown", STATE, size_of::<Vec<u8>>(), 10, |n| keep(n, |at| grown(state(at)))),
    ("BTreeSet<u8>", STATE, size_of::<BTreeSet<u8>>(), 10, |n| {
        keep(n, |at| BTreeSet::from(state(at)))
    }),
    ("HashSet<u8>", STATE, size_of::<HashSet<u8>>(), 10, |n| {
        keep(n, |at| HashSet::from(state(at)))
    }),
    ("our arrays, with their table", STATE, 0, 10, shared::<Arrays>),
    ("our bit sets, with their table", STATE, 0, 10, shared::<Bits>),
];

/// Measures all kinds; `peak_of` gives the peak of a fresh process for a case.
pub(super) fn measure(n: usize, peak_of: &mut dyn FnMut(&str) -> Option<u64>) -> Vec<Container> {
    let nothing = peak_of(NOTHING);
    let one = |(at, kind): (usize, &Kind)| {
        let &(name, holds, empty, content, make) = kind;
        // Here as well, so that every kind can be made wherever this runs.
        make(n.min(10));
        let peak = peak_of(&at.to_string()).zip(nothing);
        let full = peak.map(|(peak, nothing)| peak.saturating_sub(nothing) as f64 / MANY as f64);
        Container { name, holds, empty, content, full }
    };
    KINDS.iter().enumerate().map(one).collect()
}

/// No containers at all.
const NOTHING: &str = "none";

/// Makes many of a kind, named by its number; `None` if there is none.
pub(super) fn make(kind: &str, n: usize) -> Option<()> {
    if kind != NOTHING {
        let (.., make) = KINDS.get(kind.parse::<usize>().ok()?)?;
        make(n);
    }
    Some(())
}

/// Makes so many and holds all of them at once.
fn keep<T>(n: usize, make: fn(usize) -> T) {
    let mut all = Vec::with_capacity(n);
    all.extend((0..n).map(make));
    black_box(&all);
}

/// The same, each stored once and found by hashing.
fn shared<K: Kept>(n: usize) {
    let mut all = K::default();
    for at in 0..n {
        all.keep(&state(at).map(u32::from));
    }
    black_box(all.rows().len());
}

fn grown<T: Copy, const N: usize>(all: [T; N]) -> Vec<T> {
    let mut list = Vec::new();
    all.iter().for_each(|&one| list.push(one));
    list
}

fn boxed<T: Copy, const N: usize>(all: [T; N]) -> Box<[T]> {
    Box::from(&all[..])
}

fn plan_4(at: usize) -> [u8; 4] {
    [at, at >> 8, at >> 16, 7].map(|n| n as u8)
}

fn plan_8(at: usize) -> [u16; 8] {
    [at, at >> 16, 1, 2, 3, 4, 5, 6].map(|n| n as u16)
}

/// A state of its own for every number below 2^20: ten of 256 atoms, ascending.
fn state(at: usize) -> [u8; 10] {
    let mut state = [0; 10];
    for (digit, atom) in state.iter_mut().enumerate() {
        *atom = (digit * 25 + (at >> (2 * digit) & 3) * 6) as u8;
    }
    state
}

fn bits(state: [u8; 10]) -> [u64; 4] {
    let mut words = [0; 4];
    state.iter().for_each(|&atom| words[usize::from(atom / 64)] |= 1 << (atom % 64));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_ascending_and_no_two_are_the_same() {
        let all: HashSet<[u8; 10]> = (0..5000).map(state).collect();
        assert_eq!(all.len(), 5000);
        assert!(all.iter().all(|state| state.is_sorted() && state[0] < state[1]));
        assert!(
            all.iter().all(|&state| bits(state).iter().map(|w| w.count_ones()).sum::<u32>() == 10)
        );
    }

    #[test]
    fn every_kind_can_be_made_by_its_number_and_no_other() {
        assert!((0..KINDS.len()).all(|kind| make(&kind.to_string(), 3) == Some(())));
        assert_eq!(make("none", 3), Some(()));
        assert_eq!(make("14", 3), None);
    }
}
