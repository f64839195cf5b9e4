//! Values there and back, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::trial::comes_back;
use super::*;
use std::collections::{BTreeMap, VecDeque};

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
    comes_back::<f64>(|_, _| f64::from_bits(wide()));
    comes_back::<u128>(|_, _| u128::from(wide()) << 64 | u128::from(wide()));
    comes_back::<VecDeque<i16>>(|trial, _| trial.any());
    comes_back::<BTreeMap<u8, String>>(|trial, _| {
        (0..trial.below(5)).map(|_| (trial.any(), trial.any())).collect()
    });
    comes_back::<String>(|trial, _| "grün 日本 \0".chars().take(trial.below(11)).collect());
    comes_back::<Option<Option<u8>>>(|_, round| [None, Some(None), Some(Some(7))][round % 3]);
    comes_back::<Box<u32>>(|_, _| Box::new(wide() as u32));
    comes_back::<Vec<(u8, bool)>>(|trial, _| (0..trial.below(9)).map(|_| trial.any()).collect());
    comes_back::<[u64; 3]>(|_, _| [wide(), wide(), wide()]);
    comes_back::<(u8, i32)>(|_, _| (wide() as u8, wide() as i32));
    comes_back::<(u8, u8, u8)>(|_, _| (wide() as u8, wide() as u8, wide() as u8));
    comes_back::<(u8, bool, f32, i64)>(|trial, _| (wide() as u8, true, trial.any(), 0));
    comes_back::<(u8, u8, u8, u8, u8)>(|trial, _| trial.any());
}

fn there_and_back<T: Encode + Decode + PartialEq + std::fmt::Debug>(value: T) -> usize {
    let mut packer = Encoder::default();
    packer.write(&value);
    let mut unpacker = Decoder::new(&packer.bytes);
    assert_eq!(unpacker.read::<T>().unwrap(), value);
    unpacker.finish().unwrap();
    for short in 0..packer.bytes.len() {
        assert!(Decoder::new(&packer.bytes[..short]).read::<T>().is_err());
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
    there_and_back(Some("grün".to_string()));
    there_and_back(vec![(1u8, true), (2, false)]);
}

#[test]
fn what_is_sealed_is_whole_or_refused() {
    let mut packer = Encoder::default();
    packer.write(&7u8).seal(|to| _ = to.write(&300u32).write(&true));
    packer.write(&9u8);
    let read = |bytes: &[u8]| -> Result<(u32, bool), DecodeError> {
        let mut from = Decoder::new(bytes);
        assert_eq!(from.read(), Ok(7u8));
        let mut whole = from.unseal()?;
        let value = whole.read()?;
        whole.finish()?;
        assert_eq!(from.read(), Ok(9u8));
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
fn symbols_are_of_the_table_and_counts_do_not_run_over() {
    let mut to = Encoder::default();
    [6, u32::MAX, 7].into_iter().for_each(|symbol| to.symbol(symbol));
    to.write(&(u32::MAX / 2 + 1));
    let mut from = Decoder::new(&to.bytes);
    assert_eq!(from.limit_symbols(7), u32::MAX);
    assert_eq!((from.symbol(), from.symbol()), (Ok(6), Ok(u32::MAX)));
    assert_eq!(from.clone().past(8), Ok(8));
    assert!(from.clone().past(7).is_err());
    assert!(from.clone().symbol().is_err());
    let mut renamed = from.clone();
    renamed.rename_symbols(Some((0..9).rev().collect()));
    assert_eq!(renamed.symbol(), Ok(1));
    assert!(from.symbol().is_err());
    assert!(from.counter().is_err());
}

#[test]
fn lists_longer_than_the_bytes_are_refused_before_they_are_made() {
    let mut packer = Encoder::default();
    packer.number(u64::MAX / 2);
    assert!(Decoder::new(&packer.bytes).read::<Vec<u64>>().is_err());
    assert!(Decoder::new(&packer.bytes).read::<String>().is_err());
    assert!(Decoder::new(&[0x80; 11]).number().is_err());
    assert!(Decoder::new(&[0xff; 10]).number().is_err());
}

#[test]
fn numbers_of_all_lengths_are_written_as_byte_by_byte() {
    let plain = |mut number: u64| {
        let mut bytes = Vec::new();
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    };
    let mut random = crate::SplitMix::new(3);
    for bits in 0..64 {
        let power = 1u64 << bits;
        let drawn = random.below_u64(power) | power;
        for number in [power, power - 1, power | 1, drawn, drawn.reverse_bits(), !power] {
            assert_eq!(Encoder::bytes_of(&number), plain(number), "{number:#x}");
        }
    }
    assert_eq!(Encoder::bytes_of(&u64::MAX), plain(u64::MAX));
}

#[test]
fn a_number_has_one_form() {
    for (number, n_bytes) in [(0u64, 1), (127, 1), (128, 2), (1 << 35, 6), (u64::MAX, 10)] {
        let bytes = Encoder::bytes_of(&number);
        assert_eq!((bytes.len(), Decoder::new(&bytes).number()), (n_bytes, Ok(number)));
        // The same with a byte more that adds nothing, as often as fits.
        let mut long = bytes;
        while long.len() < 11 {
            *long.last_mut().unwrap() |= 0x80;
            long.push(0);
            assert!(Decoder::new(&long).number().is_err(), "{number} in {} bytes", long.len());
        }
    }
    // Whatever is made of numbers has one form too.
    assert!(Decoder::new(&[0x82, 0, b'a', b'b']).read::<String>().is_err());
    assert!(Decoder::new(&[0x81, 0, 5]).read::<Vec<u8>>().is_err());
    assert!(Decoder::new(&[0x81, 0]).read::<i32>().is_err());
    assert!(Decoder::new(&[0x80, 0]).read::<f32>().is_err());
    assert!(Decoder::new(&[0x80, 0]).symbol().is_err());
    // Of all bytes that are read as a number, the number gives the same bytes.
    let mut random = crate::SplitMix::new(4);
    for _ in 0..20_000 {
        let bytes: Vec<u8> =
            (0..11).map(|_| [0, 0x80, random.number() as u8][random.below(3)]).collect();
        let mut from = Decoder::new(&bytes);
        if let Ok(number) = from.number() {
            assert_eq!(Encoder::bytes_of(&number), bytes[..from.at()]);
        }
    }
}

#[derive(PartialEq, Debug)]
struct Purse {
    owner: Option<String>,
    coins: u32,
    full: bool,
}

crate::codec_struct!(
    Purse { owner, coins: counter }
    given { full: true }
    where |purse| purse.coins != 3, "purse: there are never three"
);

#[derive(PartialEq, Debug)]
enum Deal {
    None,
    Sold(u8, String),
    Bought { what: Purse },
}

crate::codec_enum!("deal" Deal { 0 => None, 1 => Sold(n, to), 7 => Bought { what } });

#[derive(PartialEq, Debug)]
struct Shelf {
    books: Vec<u16>,
    seen: u32,
}

/// A position below a bound.
impl CodecIn<u16> for u16 {
    fn encode_in(&self, to: &mut Encoder, _: &u16) {
        to.write(self);
    }

    fn decode_in(from: &mut Decoder<'_>, bound: &u16) -> Result<Self, DecodeError> {
        from.below(usize::from(*bound), "book").map(|at| at as u16)
    }
}

crate::codec_struct!(in bound: u16; Shelf { books in bound, seen: past(u32::from(*bound)) });

#[test]
fn what_is_described_once_goes_both_ways_and_is_checked() {
    let purse = |trial: &mut trial::Trial| {
        let coins = trial.below(9) as u32 + 4;
        Purse { owner: trial.any(), coins, full: true }
    };
    comes_back::<Purse>(|trial, _| purse(trial));
    comes_back::<Deal>(|trial, round| match round % 3 {
        0 => Deal::None,
        1 => Deal::Sold(trial.any(), trial.any()),
        _ => Deal::Bought { what: purse(trial) },
    });
    assert_eq!(Encoder::bytes_of(&Deal::Sold(2, "x".to_string())), [1, 2, 1, b'x']);
    let read = |bytes: &[u8]| Decoder::new(bytes).read::<Purse>().map(|it| it.coins);
    assert_eq!(read(&[0, 2]), Ok(2));
    let what = "purse: there are never three";
    assert_eq!(read(&[0, 3]), Err(DecodeError { at: 2, what }));
    assert_eq!(Decoder::new(&[2]).read::<Deal>(), Err(DecodeError { at: 1, what: "deal" }));
    let shelf = Shelf { books: vec![3, 0], seen: 4 };
    let mut to = Encoder::default();
    to.write_in(&shelf, &4);
    assert_eq!(Decoder::new(&to.bytes).read_in::<u16, Shelf>(&4), Ok(shelf));
    assert!(Decoder::new(&to.bytes).read_in::<u16, Shelf>(&3).is_err());
}

#[test]
fn maps_rise_and_bits_end_where_they_end() {
    assert!(Decoder::new(&[2, 1, 0, 1, 0]).read::<BTreeMap<u8, u8>>().is_err());
    assert!(Decoder::new(&[2, 1, 0, 2, 0]).read::<BTreeMap<u8, u8>>().is_ok());
    for n in 0..20 {
        let bits: Vec<bool> = (0..n).map(|at| at % 3 == 0).collect();
        let mut to = Encoder::default();
        to.bits(bits.iter().copied());
        assert_eq!(Decoder::new(&to.bytes).bits(n), Ok(bits));
    }
    assert!(Decoder::new(&[0b100]).bits(2).is_err());
}

const COINS: ByteFormat =
    ByteFormat { kind: "coins", name: "a heap of coins", version: 4, oldest: 3 };

#[test]
fn a_format_reads_its_versions_and_names_all_others() {
    let mut to = COINS.begin();
    to.write(&7u8);
    let (version, mut from) = COINS.open(&to.bytes).unwrap();
    assert_eq!((version, from.read()), (4, Ok(7u8)));
    assert_eq!(COINS.open(b"throng coins 3\n").unwrap().0, 3);
    let told = |bytes: &[u8]| COINS.open(bytes).unwrap_err().to_string();
    let reads = "this program reads format 4 and those from 3 on";
    assert_eq!(told(b"throng coins 2\n"), format!("this is a heap of coins of format 2; {reads}"));
    assert_eq!(told(b"throng coins 5\n"), format!("this is a heap of coins of format 5; {reads}"));
    let other = "this is not a heap of coins: it begins as";
    assert_eq!(told(b"throng play 2\n..."), format!("{other} `throng play 2`"));
    assert_eq!(told(b"THRONGRE\x02..."), format!("{other} `throng recording 2`"));
    assert_eq!(told(b"thrtable\x01\0\0\0"), format!("{other} `throng table 1`"));
    for unknown in [&b""[..], b"throng", b"throng coins 4", b"throng coins 04\n", b"\0\x01\xff"] {
        let told = told(unknown);
        assert!(told.contains("does not begin with `throng coins 4`"), "{told}");
    }
    assert!(COINS.begins(b"throng coins 9\n") && !COINS.begins(b"throng play 1\n"));
}
