//! Entries made small and grown again, and bytes that are none.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;

/// Numbers that look random (splitmix64).
fn dice(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 27)
}

#[test]
fn what_is_made_small_grows_to_the_same_whatever_comes_after_what() {
    for seed in 0..200 {
        let mut state = seed;
        let (mut writer, mut reader) = (Table::new(), Table::new());
        for tick in 0..40 {
            if dice(&mut state).is_multiple_of(13) {
                writer.clear();
                reader.clear();
            }
            let mut entries = Entries::default();
            for mind in 0..dice(&mut state) % 6 {
                for _ in 0..dice(&mut state) % 4 {
                    let call = (dice(&mut state) % 3) as u32;
                    let length = dice(&mut state) % 6;
                    let says = |at: u64| (tick / 7 + at / 2 + state % 2) as u8;
                    let says: Vec<u8> = (0..length).map(says).collect();
                    entries.push(mind as u32, call, &says);
                }
            }
            let mut bytes = Encoder::default();
            writer.shrink(&entries, &mut bytes);
            let mut grown = Entries::default();
            reader.grow(&mut Decoder::new(&bytes.bytes), &mut grown).unwrap();
            assert_eq!(entries, grown, "seed {seed}, tick {tick}");
        }
    }
}

#[test]
fn a_tick_as_the_one_before_is_one_byte_however_many_minds_live_it() {
    let mut table = Table::new();
    let mut entries = Entries::default();
    (0..50).for_each(|mind| entries.push(mind, 10, &[1, 2, mind as u8]));
    let mut bytes = Encoder::default();
    table.shrink(&entries, &mut bytes);
    bytes.bytes.clear();
    table.shrink(&entries, &mut bytes);
    assert_eq!(bytes.bytes.len(), 2, "fifty in a row");
    entries.clear();
    (0..50).for_each(|mind| entries.push(mind, 10, &[9, 9, 9, 9]));
    bytes.bytes.clear();
    table.shrink(&entries, &mut bytes);
    assert!(bytes.bytes.len() < 12, "one differs, the others do the same");
}

#[test]
fn a_row_without_end_is_refused() {
    let mut table = Table::new();
    let mut entries = Entries::default();
    [1, 1].into_iter().for_each(|mind| entries.push(mind, 10, &[7; 100]));
    let mut bytes = Encoder::default();
    table.shrink(&entries, &mut bytes);
    bytes.bytes.clear();
    bytes.number(u64::MAX >> 4 << BITS | AS_BEFORE);
    entries.clear();
    assert!(table.grow(&mut Decoder::new(&bytes.bytes), &mut entries).is_err());
    assert!(entries.bytes().len() <= MOST_BYTES && entries.len() <= MOST_ENTRIES);
}
