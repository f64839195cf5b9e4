//! What containers take: by themselves, and full, as the allocator counts.
//!
//! In:   kinds of containers, each filled with the positions of a plan or a state.
//! Out:  bytes of an empty one, and bytes of one of many full ones: exact, the same in every run.
//!       The table stands in `docs/profiling.md`; `UPDATE_GOLDEN=1` writes it anew.
//!
//! Sections 3.1, 4.2 and 4.3 of "Optimizing Practical Planning for Game AI", with Rust's
//! containers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::counting::held_by;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;
use throng_lab::corpus;
use throng_lab::seed::{Arrays, Bits, Kept, States};
use throng_suite::golden::difference_between;

/// How many full containers are made.
const MANY: usize = 200_000;

/// A kind: its name, what it holds, bytes empty, bytes of content, and what so many hold.
type Kind = (&'static str, &'static str, usize, usize, fn(usize) -> i64);

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

fn table() -> String {
    let mut text = "| container | holds | content | empty | full | beyond its content |\n\
                    |---|---|--:|--:|--:|--:|\n"
        .to_string();
    for (name, holds, empty, content, held) in KINDS {
        let full = held(MANY) as f64 / MANY as f64;
        let empty = if empty == 0 { "–".to_string() } else { empty.to_string() };
        let beyond = full - content as f64;
        _ = writeln!(
            text,
            "| `{name}` | {holds} | {content} | {empty} | {full:.1} | {beyond:.1} |"
        );
    }
    text
}

const BEGIN: &str = "<!-- containers: counted by a test, which keeps the table true -->\n\n";
const END: &str = "\n<!-- end of the containers -->";

#[test]
fn the_page_shows_what_containers_take() {
    let path = corpus::folder().join("../docs/profiling.md");
    assert_eq!(difference_between(&path, [BEGIN, END], &table()), None);
}

#[test]
fn a_container_never_takes_less_than_its_content() {
    assert!(KINDS.iter().all(|(.., content, held)| held(1000) >= 1000 * *content as i64));
}

#[test]
fn states_are_ascending_and_no_two_are_the_same() {
    let all: HashSet<[u8; 10]> = (0..5000).map(state).collect();
    assert_eq!(all.len(), 5000);
    assert!(all.iter().all(|state| state.is_sorted() && state[0] < state[1]));
    assert!(all.iter().all(|&state| bits(state).iter().map(|w| w.count_ones()).sum::<u32>() == 10));
}

/// Bytes that so many hold.
fn keep<T>(n: usize, make: fn(usize) -> T) -> i64 {
    held_by(|| {
        let mut all = Vec::with_capacity(n);
        all.extend((0..n).map(make));
        all
    })
}

/// The same, each stored once and found by hashing.
fn shared<K: Kept>(n: usize) -> i64 {
    held_by(|| {
        let mut all = States::<K>::default();
        for at in 0..n {
            all.keep(&state(at).map(u32::from));
        }
        all
    })
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
