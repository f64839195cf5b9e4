//! The bytes of a value of every kind, written out: what is saved today is read tomorrow.
//!
//! If one of these fails, the format has changed: raise the version of every [`ByteFormat`] that has
//! such values, and go on reading the earlier one.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::trial::{Trial, comes_back};
use super::*;
use std::collections::{BTreeMap, VecDeque};

/// Both ways: the value has these bytes, and these bytes are the value.
fn has_bytes<T: Encode + Decode + PartialEq + std::fmt::Debug>(value: T, bytes: &[u8]) {
    assert_eq!(Encoder::bytes_of(&value), bytes, "{value:?}");
    let mut from = Decoder::new(bytes);
    assert_eq!(from.read(), Ok(value));
    from.finish().unwrap();
}

#[test]
fn numbers_of_all_widths() {
    has_bytes(0u8, &[0]);
    has_bytes(255u8, &[0xff, 1]);
    has_bytes(300u16, &[0xac, 2]);
    has_bytes(u16::MAX, &[0xff, 0xff, 3]);
    has_bytes(1_000_000u32, &[0xc0, 0x84, 0x3d]);
    has_bytes(u32::MAX, &[0xff, 0xff, 0xff, 0xff, 15]);
    has_bytes(1u64 << 63, &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]);
    has_bytes(u64::MAX, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]);
    has_bytes(16_384usize, &[0x80, 0x80, 1]);
    has_bytes(
        0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100_u128,
        &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    );
    has_bytes(-1i16, &[1]);
    has_bytes(i16::MIN, &[0xff, 0xff, 3]);
    has_bytes(64i32, &[0x80, 1]);
    has_bytes(i32::MAX, &[0xfe, 0xff, 0xff, 0xff, 15]);
    has_bytes(-65i64, &[0x81, 1]);
    has_bytes(i64::MIN, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]);
}

#[test]
fn floats() {
    has_bytes(0f32, &[0]);
    has_bytes(1f32, &[0xbf, 0x80, 2]);
    has_bytes(-2.5f32, &[0xc0, 0x41]);
    has_bytes(0.1f32, &[0xbd, 0x98, 0xb3, 0xee, 12]);
    has_bytes(0.5f64, &[0xbf, 0xc0, 3]);
    has_bytes(-0f64, &[0x80, 1]);
    has_bytes(0.1f64, &[0xbf, 0xf2, 0xe6, 0xcc, 0x99, 0xb3, 0xe6, 0xcc, 0x9a, 1]);
    assert_eq!(Encoder::bytes_of(&f64::INFINITY), [0xff, 0xe0, 3]);
}

#[test]
fn texts_lists_maps_and_options() {
    has_bytes(String::new(), &[0]);
    has_bytes("grün".to_string(), &[5, b'g', b'r', 0xc3, 0xbc, b'n']);
    has_bytes(true, &[1]);
    has_bytes(None::<u32>, &[0]);
    has_bytes(Some(Some(7u8)), &[1, 1, 7]);
    has_bytes(Box::new(5u16), &[5]);
    has_bytes(vec![1u32, 200, 3], &[3, 1, 0xc8, 1, 3]);
    has_bytes(VecDeque::from([-1i32, 1]), &[2, 1, 2]);
    has_bytes([9u64, 8, 7], &[9, 8, 7]);
    has_bytes((1u8, false, "a".to_string()), &[1, 0, 1, b'a']);
    let map = BTreeMap::from([("b".to_string(), 2u8), ("a".to_string(), 1)]);
    has_bytes(map, &[2, 1, b'a', 1, 1, b'b', 2]);
}

crate::typed_id! {
    /// A door.
    struct DoorId(u32);
}
crate::codec_struct!(decode DoorId);

#[derive(PartialEq, Debug)]
struct Key {
    door: DoorId,
    teeth: Vec<u16>,
    uses: u32,
}
crate::codec_struct!(Key { door, teeth, uses: counter });

#[derive(PartialEq, Debug)]
struct Weight(u64);
crate::codec_struct!(Weight(grams));

#[derive(PartialEq, Debug)]
enum Thing {
    Nothing,
    Opens(Key),
    Heavy { weight: Weight, name: Option<String> },
}
crate::codec_enum!("thing" Thing { 0 => Nothing, 1 => Opens(key), 7 => Heavy { weight, name } });

#[test]
fn structs_enums_and_ids() {
    let key = |trial: &mut Trial| Key {
        door: trial.any(),
        teeth: trial.any(),
        uses: trial.below(1000) as u32,
    };
    comes_back::<DoorId>(|trial, _| DoorId(trial.any()));
    comes_back::<Weight>(|trial, _| Weight(trial.any()));
    comes_back::<Key>(|trial, _| key(trial));
    comes_back::<Thing>(|trial, round| match round % 3 {
        0 => Thing::Nothing,
        1 => Thing::Opens(key(trial)),
        _ => Thing::Heavy { weight: trial.any(), name: trial.any() },
    });
    has_bytes(DoorId(130), &[0x82, 1]);
    has_bytes(Thing::Nothing, &[0]);
    let key = Key { door: DoorId(3), teeth: vec![5, 500], uses: 2 };
    has_bytes(Thing::Opens(key), &[1, 3, 2, 5, 0xf4, 3, 2]);
    let heavy = Thing::Heavy { weight: Weight(1000), name: Some("ox".to_string()) };
    has_bytes(heavy, &[7, 0xe8, 7, 1, 2, b'o', b'x']);
}

#[test]
fn symbols_flags_and_what_stands_beside_a_context() {
    let mut to = Encoder::default();
    [0, 299, u32::MAX].into_iter().for_each(|symbol| to.symbol(symbol));
    to.bits([true, false, true, true, false, false, false, false, true].into_iter());
    to.section(&[4, 5]);
    assert_eq!(to.bytes, [1, 0xac, 2, 0, 0b1101, 1, 2, 4, 5]);
    let mut from = Decoder::new(&to.bytes);
    assert_eq!([from.symbol(), from.symbol(), from.symbol()], [Ok(0), Ok(299), Ok(u32::MAX)]);
    assert_eq!(from.bits(9).unwrap().iter().filter(|on| **on).count(), 4);
    assert_eq!(from.section(), Ok(&[4, 5][..]));
}

#[test]
fn a_whole_file_with_header_and_seal() {
    const FORMAT: ByteFormat =
        ByteFormat { kind: "chest", name: "a saved chest", version: 3, oldest: 2 };
    let mut to = FORMAT.begin();
    to.seal(|to| _ = to.write(&Thing::Nothing).write(&300u16));
    let mut bytes = b"throng chest 3\n".to_vec();
    bytes.extend([3, 0, 0xac, 2]);
    bytes.extend([55, 84, 59, 196, 118, 243, 238, 81]);
    assert_eq!(to.bytes, bytes);
    let (version, mut from) = FORMAT.open(&bytes).unwrap();
    let mut whole = from.unseal().unwrap();
    assert_eq!((version, whole.read(), whole.read()), (3, Ok(Thing::Nothing), Ok(300u16)));
    assert_eq!((whole.finish(), from.finish()), (Ok(()), Ok(())));
}
