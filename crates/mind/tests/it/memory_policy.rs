//! Who makes room when memory is full, how long ids are good, what a memory costs: as facts.

use throng_mind::fact::{Attribute, EntityId, FactDraft, Value};
use throng_mind::memory::Memory;
use throng_mind::time::Tick;
use throng_mind::words::Word;

const KIND: Word = Word(1);
const WRITER: Word = Word(2);
const NEW: u32 = 99;
const KIND_OF: Attribute = Attribute::Source;

/// A fact with a name, and so sure of it.
fn named(name: u32, sure: f32) -> FactDraft {
    FactDraft::new(KIND).with(Attribute::Node, Value::Word(Word(name)), sure)
}

/// A fact with a name and so many attributes, all equally sure.
fn wide(name: u32, attributes: usize, sure: f32) -> FactDraft {
    let others = Attribute::ALL.into_iter().filter(|&attribute| attribute != Attribute::Node);
    others.take(attributes - 1).fold(named(name, sure), |draft, attribute| {
        let values = [
            Value::Word(Word(0)),
            Value::Number(1.0),
            Value::Entity(EntityId(7)),
            Value::Position([1.0, 2.0, 3.0]),
        ];
        values.into_iter().fold(draft, |draft, value| draft.with(attribute, value, sure))
    })
}

fn names(memory: &Memory) -> Vec<u32> {
    memory.iter().filter_map(|fact| fact.word(Attribute::Node)).map(|word| word.0).collect()
}

/// Facts 0, 1, 2 … of these confidences, written and expiring at these moments, fill a memory. A
/// new one that is less sure than all of them comes at tick 10: which fact made room for it?
fn check_makes_room(facts: &[(f32, Tick, Tick)], expected: u32) {
    let mut memory = Memory::new(facts.len());
    for (name, &(sure, updated, expires)) in (0..).zip(facts) {
        memory.add(&named(name, sure), WRITER, updated, expires - updated);
    }
    let all: Vec<u32> = (0..).take(facts.len()).collect();
    assert_eq!((names(&memory), memory.evicted()), (all.clone(), 0));
    let before = memory.version();
    memory.add(&named(NEW, 0.0), WRITER, 10, 100);
    // It takes the slot of the one that went.
    let after = all.into_iter().map(|name| if name == expected { NEW } else { name });
    assert_eq!(names(&memory), after.collect::<Vec<_>>());
    assert_eq!((memory.evicted(), memory.version()), (1, before + 2));
}

#[test]
fn an_expired_fact_makes_room_first_however_sure_and_fresh() {
    check_makes_room(&[(0.1, 1, 50), (1.0, 9, 10), (0.1, 0, 50)], 1);
}

#[test]
fn a_fact_that_expires_next_tick_is_not_expired() {
    check_makes_room(&[(0.9, 1, 50), (1.0, 9, 11), (0.9, 2, 50)], 0);
}

#[test]
fn of_expired_facts_the_least_sure_makes_room() {
    check_makes_room(&[(0.0, 1, 50), (0.8, 1, 9), (0.7, 2, 10)], 2);
}

#[test]
fn then_the_least_sure_makes_room_however_fresh() {
    check_makes_room(&[(0.5, 1, 50), (0.4, 9, 500), (0.6, 0, 50)], 1);
}

#[test]
fn then_the_one_not_updated_for_longest_makes_room() {
    check_makes_room(&[(0.5, 3, 50), (0.5, 4, 50), (0.5, 2, 500)], 2);
}

#[test]
fn then_the_lowest_slot_makes_room() {
    check_makes_room(&[(0.6, 3, 50), (0.5, 3, 50), (0.5, 3, 40)], 1);
}

#[test]
fn the_surest_attribute_speaks_for_a_fact() {
    let mut memory = Memory::new(2);
    let seen = named(0, 0.1).with(Attribute::Object, Value::Entity(EntityId(1)), 0.9);
    memory.add(&seen, WRITER, 0, 100);
    memory.add(&named(1, 0.8), WRITER, 5, 100);
    memory.add(&named(NEW, 0.0), WRITER, 10, 100);
    assert_eq!(names(&memory), [0, NEW]);
}

#[test]
fn a_fact_without_attributes_is_not_sure_at_all() {
    let mut memory = Memory::new(2);
    memory.add(&named(0, 0.1), WRITER, 0, 100);
    memory.add(&FactDraft::new(KIND), WRITER, 5, 100);
    memory.add(&named(NEW, 0.0), WRITER, 10, 100);
    assert_eq!(names(&memory), [0, NEW]);
}

#[test]
fn an_update_makes_a_fact_fresh() {
    let mut memory = Memory::new(2);
    let old = memory.add(&named(0, 0.5), WRITER, 0, 100);
    memory.add(&named(1, 0.5), WRITER, 1, 100);
    memory.update(old, &named(0, 0.5), 2, 100);
    memory.add(&named(NEW, 0.0), WRITER, 10, 100);
    assert_eq!(names(&memory), [0, NEW]);
}

/// Six slots and 30 attributes: three facts take them all, and slots are left.
fn three_wide_facts(sure: [f32; 3]) -> Memory {
    let mut memory = Memory::new(6);
    for (name, sure) in (0..).zip(sure) {
        memory.add(&wide(name, 10, sure), WRITER, 0, 100);
    }
    assert_eq!((names(&memory), memory.evicted()), (vec![0, 1, 2], 0));
    memory
}

#[test]
fn room_is_made_for_one_attribute_though_there_is_a_slot() {
    let mut memory = three_wide_facts([0.5, 0.4, 0.5]);
    memory.add(&named(NEW, 0.0), WRITER, 1, 100);
    assert_eq!((names(&memory), memory.evicted()), (vec![0, NEW, 2], 1));
}

#[test]
fn a_fact_without_attributes_needs_only_a_slot() {
    let mut memory = three_wide_facts([0.5, 0.4, 0.5]);
    memory.add(&FactDraft::new(KIND), WRITER, 1, 100);
    assert_eq!((memory.len(), memory.evicted()), (4, 0));
}

#[test]
fn as_many_facts_make_room_as_are_needed_and_not_one_more() {
    let mut memory = three_wide_facts([0.9, 0.2, 0.3]);
    memory.add(&wide(NEW, 11, 1.0), WRITER, 1, 100);
    assert_eq!((names(&memory), memory.evicted()), (vec![0, NEW], 2));
    // Nine are left: they are enough for nine.
    memory.add(&wide(3, 9, 1.0), WRITER, 2, 100);
    assert_eq!((names(&memory), memory.evicted()), (vec![0, NEW, 3], 2));
}

#[test]
fn others_make_room_for_the_attributes_of_an_update_even_if_they_are_surer() {
    let mut memory = Memory::new(6);
    let updated = memory.add(&wide(0, 10, 0.1), WRITER, 0, 1);
    memory.add(&wide(1, 10, 0.9), WRITER, 0, 100);
    memory.add(&wide(2, 10, 0.8), WRITER, 0, 100);
    memory.update(updated, &wide(0, 11, 0.1), 10, 100);
    assert_eq!((names(&memory), memory.evicted()), (vec![0, 1], 1));
    assert!(memory.get(updated).is_some_and(|fact| fact.updated() == 10));
}

#[test]
fn an_update_of_attributes_that_are_there_needs_no_room() {
    let mut memory = Memory::new(6);
    let ids = [0, 1, 2].map(|name| memory.add(&wide(name, 10, 0.5), WRITER, 0, 100));
    memory.update(ids[1], &wide(1, 10, 0.7), 1, 100);
    assert_eq!(memory.set(ids[2], Attribute::Node, Word(5), 1.0, 1), Ok(()));
    assert_eq!((names(&memory), memory.evicted()), (vec![0, 1, 5], 0));
}

#[test]
fn any_fact_fits_in_the_smallest_memory() {
    for bound in [0, 1, 2] {
        let mut memory = Memory::new(bound);
        let id = memory.add(&named(0, 1.0), WRITER, 0, 100);
        memory.update(id, &wide(0, 16, 0.5), 1, 100);
        assert!(Attribute::ALL.into_iter().all(|at| memory.get(id).unwrap().get(at).is_some()));
        memory.add(&wide(NEW, 16, 0.0), WRITER, 2, 100);
        assert_eq!((names(&memory), memory.evicted()), (vec![NEW], 1));
    }
}

#[test]
fn an_id_is_stale_until_its_slot_has_been_taken_65536_times_more() {
    let mut memory = Memory::new(1);
    let first = memory.add(&named(0, 1.0), WRITER, 0, 100);
    for _ in 0..65_535 {
        let other = memory.add(&named(1, 1.0), WRITER, 0, 100);
        assert!(other != first && memory.get(first).is_none());
        assert!(!memory.remove(first) && memory.remove(other));
        assert!(memory.get(other).is_none());
    }
    assert_eq!(memory.add(&named(1, 1.0), WRITER, 0, 100), first);
}

#[test]
fn nothing_is_due_before_the_next_expiry_and_after_forgetting_it_is_exact() {
    let mut memory = Memory::new(8);
    let first = memory.add(&named(0, 1.0), WRITER, 0, 10);
    memory.add(&named(1, 1.0), WRITER, 0, 20);
    assert_eq!((memory.next_expiry(), memory.forget(9)), (10, 0));
    // An extension is noticed when the old moment comes.
    assert!(memory.extend(first, 15));
    assert_eq!((memory.forget(10), memory.next_expiry()), (0, 15));
    assert_eq!((memory.forget(15), memory.next_expiry()), (1, 20));
}

#[test]
fn a_memory_of_32_facts_takes_what_they_need() {
    let mut memory = Memory::new(32);
    // By itself, then facts, which slots are taken, by which kinds and things, and what facts say.
    let bytes = size_of::<Memory>() + 32 * 24 + 136 + (160 + 32 * 4) * 4;
    assert_eq!(memory.bytes(), bytes);
    for name in 0..32 {
        memory.add(&wide(name, 5, 1.0), WRITER, 0, 100);
    }
    // Names, two places, a word and a thing, eleven words with the head, are more than is usual.
    let (least, more) = (32 * 11 * 4, memory.bytes() - (bytes - (160 + 32 * 4) * 4));
    assert!((least..least * 8 / 5).contains(&more), "{more}");
}

#[test]
fn a_memory_grows_to_the_most_that_it_held_and_one_with_room_does_not() {
    let (mut growing, mut roomy) = (Memory::new(32), Memory::new(32));
    roomy.reserve();
    let room = roomy.bytes();
    assert!(room <= 6_500, "{room}");
    let mut most = Vec::new();
    for round in 0..6 {
        // Attributes from few to many and back, sure and less sure.
        for name in 0..64 {
            let attributes = 2 + (name as usize + round) % 4;
            let sure = 1.0 - (name % 3) as f32 / 10.0;
            for memory in [&mut growing, &mut roomy] {
                memory.add(
                    &wide(name, attributes, sure).with(KIND_OF, EntityId(1 << 40), 0.3),
                    WRITER,
                    name,
                    100,
                );
                memory.remove_if(|fact| fact.updated() + 40 < name);
            }
        }
        most.push(growing.bytes());
        assert_eq!(roomy.bytes(), room);
        let copies = [growing.clone(), roomy.clone()].map(|copy| copy.bytes());
        assert_eq!(copies, [growing.bytes(), room], "a copy has as much room");
    }
    assert!(most[3..].windows(2).all(|two| two[0] == two[1]), "{most:?}");
}

#[test]
fn content_is_facts_with_their_ids_and_not_how_they_came() {
    let mut one = Memory::new(4);
    let id = one.add(&named(0, 0.5), WRITER, 3, 100);
    let mut two = Memory::new(32);
    let same = two.add(&named(0, 0.25), WRITER, 3, 100);
    assert!(id == same && one != two && one.digest() != two.digest());
    two.set(same, Attribute::Node, Value::Word(Word(0)), 0.5, 3).unwrap();
    assert!(one == two && one.digest() == two.digest() && one.version() != two.version());
    // The same fact in the same slot, but not the same one.
    two.remove(same);
    two.add(&named(0, 0.5), WRITER, 3, 100);
    assert!(one != two && one.digest() != two.digest());
}

#[test]
fn a_digest_is_a_constant_of_the_content() {
    let mut memory = Memory::new(4);
    assert_eq!(memory.digest(), throng_base::checksum(0, &[]), "no facts");
    memory.add(&named(3, 0.5), WRITER, 4, 100);
    memory.add(&wide(5, 16, 1.0), WRITER, 6, 100);
    assert_eq!(memory.digest(), 0x2ca5_9777_7674_f4c2);
}

#[test]
fn doubt_makes_a_fact_less_sure_and_no_younger() {
    let (kind, writer) = (Word(1), Word(2));
    let mut memory = Memory::new(4);
    let draft = FactDraft::new(kind).with(Attribute::Amount, Value::Number(3.0), 0.9);
    let id = memory.add(&draft, writer, 10, 100);
    let before = memory.version();
    assert!(memory.lower(id, Attribute::Amount, 0.4));
    let fact = memory.get(id).unwrap();
    assert_eq!((fact.sure(Attribute::Amount), fact.number(Attribute::Amount)), (0.4, Some(3.0)));
    assert_eq!((fact.updated(), fact.expires()), (10, 110));
    assert!(memory.version() > before, "answers may be others now");
    assert!(!memory.lower(id, Attribute::Amount, 0.4), "no less sure than it is");
    assert!(!memory.lower(id, Attribute::Radius, 0.1), "it has no radius");
    memory.remove(id);
    assert!(!memory.lower(id, Attribute::Amount, 0.1), "it is gone");
}
