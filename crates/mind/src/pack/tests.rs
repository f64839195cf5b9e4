//! Values there and back, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::fact::{Attribute, FactDraft, Handle};
use crate::words::Word;

fn there_and_back<T: Pack + PartialEq + fmt::Debug>(value: T) -> usize {
    let mut packer = Packer::default();
    packer.put(&value);
    let mut unpacker = Unpacker::new(&packer.bytes);
    assert_eq!(unpacker.take::<T>().unwrap(), value);
    unpacker.finish().unwrap();
    for short in 0..packer.bytes.len() {
        assert!(Unpacker::new(&packer.bytes[..short]).take::<T>().is_err());
    }
    packer.bytes.len()
}

#[test]
fn everything_comes_back_and_nothing_from_half_of_it() {
    assert_eq!(there_and_back(127u32), 1);
    assert_eq!(there_and_back(u64::MAX), 10);
    assert_eq!(there_and_back(-64i32), 1);
    there_and_back(i64::MIN);
    there_and_back(f32::MIN_POSITIVE);
    assert_eq!(there_and_back(Word::NONE), 1);
    there_and_back(Some("grün".to_string()));
    there_and_back(vec![(1u8, true), (2, false)]);
    let fact = FactDraft::new(Word(3))
        .with(Attribute::Position, [1.0, -2.5, 0.0], 0.25)
        .with(Attribute::Object, Handle(300), 1.0)
        .with(Attribute::Index, 4.0, 1.0)
        .keep(30);
    there_and_back(fact);
}

#[test]
fn words_are_of_the_table_and_counts_do_not_run_over() {
    let mut packer = Packer::default();
    packer.put(&Word(6)).put(&Word::NONE).put(&Word(7)).put(&(u32::MAX / 2 + 1));
    let mut unpacker = Unpacker::new(&packer.bytes);
    assert_eq!(unpacker.limit_words(7), u32::MAX);
    assert_eq!(unpacker.take(), Ok((Word(6), Word::NONE)));
    assert_eq!(unpacker.clone().past(8), Ok(8));
    assert!(unpacker.clone().past(7).is_err());
    assert!(unpacker.take::<Word>().is_err());
    assert!(unpacker.counter().is_err());
}

#[test]
fn lists_longer_than_the_bytes_are_refused_before_they_are_made() {
    let mut packer = Packer::default();
    packer.number(u64::MAX / 2);
    assert!(Unpacker::new(&packer.bytes).take::<Vec<u64>>().is_err());
    assert!(Unpacker::new(&packer.bytes).take::<String>().is_err());
    assert!(Unpacker::new(&[0x80; 11]).number().is_err());
    assert!(Unpacker::new(&[0xff; 10]).number().is_err());
}
