//! Entries made small and grown again, and bytes that are none.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use throng_base::SplitMix;

#[test]
fn what_is_made_small_grows_to_the_same_whatever_comes_after_what() {
    for seed in 0..200 {
        let mut random = SplitMix::new(seed);
        let (mut writer, mut reader) = (Table::new(), Table::new());
        for tick in 0..40 {
            if random.one_in(13) {
                writer.clear();
                reader.clear();
            }
            let mut entries = Entries::default();
            for mind in 0..random.below(6) {
                for _ in 0..random.below(4) {
                    let call = random.below(3) as u32;
                    let (length, odd) = (random.below_u64(6), random.below_u64(2));
                    let says = |at: u64| (tick / 7 + at / 2 + odd) as u8;
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
