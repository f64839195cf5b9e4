//! Values there and back, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::trial::Trial;
use super::*;
use crate::fact::{Attribute, FactDraft, Handle, Value};
use crate::words::Word;

/// Many values of a type, each made of its parts in the way of this round, come back. That no type
/// is forgotten is seen to by `crates/suite/tests/it/codecs.rs`.
pub(crate) fn comes_back<T: Pack + PartialEq + fmt::Debug>(
    mut make: impl FnMut(&mut Trial, usize) -> T,
) {
    let mut trial = Trial::new(1);
    for round in 0..200 {
        let value = make(&mut trial, round);
        assert_eq!(trial.comes_back(&value), Ok(()), "{value:?}");
    }
}

#[test]
fn numbers_texts_and_lists_come_back() {
    let mut bits = 0u64;
    let mut wide = move || {
        bits = bits.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
        [bits, bits >> 32, bits >> 48, bits >> 57, 0, u64::MAX][(bits >> 60) as usize % 6]
    };
    comes_back::<u8>(|_, _| wide() as u8);
    comes_back::<u16>(|_, _| wide() as u16);
    comes_back::<u32>(|_, _| wide() as u32);
    comes_back::<u64>(|_, _| wide());
    comes_back::<usize>(|_, _| wide() as usize);
    comes_back::<i16>(|_, _| wide() as i16);
    comes_back::<i32>(|_, _| wide() as i32);
    comes_back::<i64>(|_, _| wide().cast_signed());
    comes_back::<bool>(|_, round| round % 2 == 0);
    comes_back::<f32>(|_, _| f32::from_bits(wide() as u32));
    comes_back::<String>(|trial, _| "grün 日本 \0".chars().take(trial.below(11)).collect());
    comes_back::<Option<Option<u8>>>(|_, round| [None, Some(None), Some(Some(7))][round % 3]);
    comes_back::<Box<u32>>(|_, _| Box::new(wide() as u32));
    comes_back::<Vec<(u8, bool)>>(|trial, _| (0..trial.below(9)).map(|_| trial.any()).collect());
    comes_back::<[u64; 3]>(|_, _| [wide(), wide(), wide()]);
    comes_back::<(u8, i32)>(|_, _| (wide() as u8, wide() as i32));
    comes_back::<(u8, u8, u8)>(|_, _| (wide() as u8, wide() as u8, wide() as u8));
    comes_back::<(u8, bool, f32, i64)>(|trial, _| (wide() as u8, true, trial.any(), 0));
}

#[test]
fn words_and_facts_come_back() {
    comes_back::<Word>(|trial, round| if round % 3 == 0 { Word::NONE } else { Word(trial.any()) });
    comes_back::<Handle>(|trial, _| Handle(trial.any()));
    let value = |trial: &mut Trial, sort: usize| match sort {
        0 => Value::Place(trial.any()),
        1 => Value::Word(trial.any()),
        2 => Value::Handle(trial.any()),
        _ => Value::Number(trial.any()),
    };
    comes_back::<Value>(|trial, round| value(trial, round % 4));
    comes_back::<FactDraft>(|trial, _| {
        let mut draft = FactDraft { keep: trial.any(), ..FactDraft::new(trial.any()) };
        for attribute in Attribute::ALL {
            let (sort, sure) = (trial.below(4), trial.any());
            draft = draft.with(attribute, value(trial, sort), sure);
        }
        draft
    });
}

#[test]
fn a_fact_built_by_hand_does_not_spoil_what_it_is_saved_with() {
    let mut draft = FactDraft::new(Word(1)).with(Attribute::Amount, 2.0, 1.0);
    let clean = draft;
    draft.attributes[Attribute::Position as usize] = Some((Value::Word(Word(4)), 1.0));
    draft.attributes[Attribute::Radius as usize] = Some((Value::Number(f32::NAN), 1.0));
    let mut packer = Packer::default();
    packer.put(&draft).put(&9u8);
    assert_eq!(Unpacker::new(&packer.bytes).take(), Ok((clean, 9u8)));
}

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
fn what_is_sealed_is_whole_or_refused() {
    let mut packer = Packer::default();
    packer.put(&7u8).seal(|to| _ = to.put(&300u32).put(&true));
    packer.put(&9u8);
    let read = |bytes: &[u8]| -> Result<(u32, bool), Damaged> {
        let mut from = Unpacker::new(bytes);
        assert_eq!(from.take(), Ok(7u8));
        let mut whole = from.unseal()?;
        let value = whole.take()?;
        whole.finish()?;
        assert_eq!(from.take(), Ok(9u8));
        Ok(value)
    };
    assert_eq!(read(&packer.bytes), Ok((300, true)));
    // The byte before it and the byte behind it are not its own.
    for bit in 8..packer.bytes.len() * 8 - 8 {
        let mut hurt = packer.bytes.clone();
        hurt[bit / 8] ^= 1 << (bit % 8);
        assert!(read(&hurt).is_err(), "bit {bit}");
    }
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
