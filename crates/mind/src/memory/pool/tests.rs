//! Records as long as they must be, and pools as large as they ever had to be.

use super::record::*;
use super::*;
use crate::fact::EntityId;

/// Slots of a memory whose facts have nothing yet.
fn slots(n: usize) -> Vec<Slot> {
    vec![Slot::new(); n]
}

fn one(attribute: usize, value: Value, sure: f32) -> Attributes {
    let mut attributes = [None; 16];
    attributes[attribute] = Some((value, sure));
    attributes
}

#[test]
fn sorts_are_as_the_masks_say() {
    for attribute in Attribute::ALL {
        let bit = 1u16 << attribute as u16;
        assert_eq!(PLACES & bit != 0, attribute.sort() == Sort::Position, "{attribute:?}");
        assert_eq!(THINGS & bit != 0, attribute.sort() == Sort::Entity, "{attribute:?}");
        let n = [false, true].map(|is_wide| words_of(bit, is_wide));
        assert_eq!(n, [false, true].map(|is_wide| width_of(attribute as usize, is_wide)));
        let expected = match attribute.sort() {
            Sort::Position => [3, 3],
            Sort::Entity => [1, 2],
            _ => [1, 1],
        };
        assert_eq!(n, expected);
    }
    assert_eq!([false, true].map(|is_wide| words_of(u16::MAX, is_wide)), [20, 22]);
    let values = [[0.0; 3].into(), Word(0).into(), EntityId(0).into(), Value::Number(0.0)];
    assert!(values.iter().all(|value| sort_of(bits_of((*value, 0.0))[0]) == value.sort()));
}

#[test]
fn a_record_takes_what_its_values_need() {
    let mut slots = slots(4);
    let mut pool = Pool::new(4, 64);
    let mut len = |slot: usize, attributes: &[(Attribute, Value, f32)]| {
        for &(attribute, value, sure) in attributes {
            let draft = one(attribute as usize, value, sure);
            pool.write(&mut slots, slot, &draft, mask_of(&draft));
        }
        let record = slots[slot].record();
        for &(attribute, value, sure) in attributes {
            assert_eq!(pool.get(record, attribute as usize), Some((value, sure)));
        }
        record.len(pool.own(record))
    };
    use Attribute::{Direction, Node, Object, Position, Radius};
    let (near, far) = (EntityId(9).into(), EntityId(1 << 40).into());
    let usual = [(Position, [1.0; 3].into(), 0.5), (Node, Word(3).into(), 0.5)];
    assert_eq!(len(0, &usual), 2 + 3 + 1);
    assert_eq!(len(0, &[(Object, near, 0.5)]), 2 + 3 + 1 + 1);
    assert_eq!(len(0, &[(Object, near, 0.7)]), 2 + 3 + 1 + 1 + 1);
    assert_eq!(len(1, &[(Object, far, 0.7), (Radius, 2.0.into(), 0.7)]), 2 + 2 + 1);
    // A word as a direction, and nothing of it as it should be.
    let odd = [(Object, near, 0.7), (Direction, Word(7).into(), 0.25)];
    assert_eq!(len(2, &odd), 1 + 5 * 2);
    assert_eq!(len(2, &[(Direction, [0.5; 3].into(), 0.25)]), 1 + 5 * 2, "as long as it fits");
    assert_eq!(len(2, &[(Radius, 2.0.into(), 0.25)]), 2 + 1 + 3 + 1 + 1);
    assert_eq!(len(3, &[(Node, Word(3).into(), 1.0), (Radius, 2.0.into(), 1.0)]), 1 + 1 + 1);
    assert_eq!(len(3, &[(Node, Word(3).into(), 0.5)]), 1 + 1 + 1 + 1);
}

/// Records come, change and go; what is left is always as a plain table says, and a pool that has
/// held as much does not grow.
#[test]
fn a_pool_is_as_large_as_it_ever_had_to_be() {
    let mut random = throng_base::SplitMix::new(4);
    for (facts, is_reserved) in [(1, true), (9, true), (9, false), (70, false)] {
        let (mut slots, mut pool) = (slots(facts), Pool::new(facts, 16 * facts));
        if is_reserved {
            pool.reserve(facts, 16 * facts);
        }
        let (mut twin, mut most) = (vec![[None; 16]; facts], 0);
        for _ in 0..4_000 {
            let slot = random.below(facts);
            if random.below(4) == 0 {
                pool.free(&mut slots[slot]);
                twin[slot] = [None; 16];
            } else {
                let attribute = random.below(16);
                let number = random.below_u64(3) << (30 * random.below(2));
                let value = match Attribute::ALL[attribute].sort() {
                    Sort::Position => [number as f32; 3].into(),
                    Sort::Word => Word(number as u32).into(),
                    Sort::Entity => EntityId(number << 8).into(),
                    Sort::Number => (number as f32).into(),
                };
                let draft = one(attribute, value, random.below(3) as f32);
                pool.write(&mut slots, slot, &draft, mask_of(&draft));
                twin[slot][attribute] = draft[attribute];
            }
            let (before, room) = (most, pool.heap());
            let live = |slot: &Slot| {
                let record = slot.record();
                if record.mask == 0 { 0 } else { record.len(pool.own(record)) }
            };
            let words: usize = slots.iter().map(live).sum();
            most = most.max(words);
            assert_eq!(words + 1, pool.words.len() - pool.waste as usize);
            assert!(
                pool.heap() <= 4 * (1 + most + most / 2 + most / 16 + 5).max(160 + 4 * facts)
                    || is_reserved
            );
            assert!(!is_reserved || pool.heap() == room);
            assert!(before <= most);
            for (slot, twin) in slots.iter().zip(&twin) {
                let known = |at: usize| pool.get(slot.record(), at);
                assert!((0..16).all(|at| known(at) == twin[at]), "{twin:?}");
            }
        }
        let used: usize = twin.iter().flatten().flatten().count();
        assert_eq!(pool.left(), 16 * facts - used);
    }
}
