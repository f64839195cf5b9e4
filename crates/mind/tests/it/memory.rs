//! Memory against its plain twin: random lives, every answer compared.
//!
//! Kinds, writers, words and moments are drawn from few, so that facts meet, agree, tie and
//! expire. Drafts come with few attributes, and in some lives with many, so that sometimes slots
//! and sometimes attributes run out; some are written past [`FactDraft::with`], with values of the
//! wrong sort and confidences that are no number.

use crate::plain_memory::{Plain, PlainId, PlainMemory};
use std::collections::HashMap;
use throng_base::checksum;
use throng_base::codec::Encoder;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Value};
use throng_mind::memory::{FactId, FactRef, Memory};
use throng_mind::time::{NEVER, Tick};
use throng_mind::words::Word;

/// Xorshift, 64 bits: its lives are those that have enough of every kind, which is counted below.
struct Chance(u64);

impl Chance {
    fn new(seed: u64) -> Self {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % end
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    fn word(&mut self) -> Word {
        // Facts are found by kind in rows, and the first two of these share one.
        Word([0, 13, 1][self.below(3) as usize])
    }

    fn attribute(&mut self) -> Attribute {
        self.of(&Attribute::ALL)
    }

    fn number(&mut self) -> f32 {
        self.of(&[0.0, -0.0, 0.5, 1.0, 2.0, f32::INFINITY, -3.0, f32::NAN])
    }

    /// Usually a few values, so that facts agree.
    fn value(&mut self, attribute: Attribute) -> Value {
        use throng_mind::fact::Sort;
        let usual = [0.0, 1.0];
        match attribute.sort() {
            Sort::Position => Value::Position([self.of(&usual), self.of(&usual), self.number()]),
            Sort::Word => Value::Word(self.word()),
            Sort::Entity => Value::Entity(EntityId(self.of(&[0, 1, u64::MAX - 1, 1 << 32]))),
            Sort::Number if self.one_in(4) => Value::Number(self.number()),
            Sort::Number => Value::Number(self.of(&usual)),
        }
    }

    fn confidence(&mut self) -> f32 {
        self.of(&[0.0, 0.25, 0.25, 0.5, 0.5, 1.0, 1.0, f32::NAN, -1.0, 7.0])
    }

    fn keep(&mut self) -> Tick {
        self.of(&[0, 1, 3, 10, 30, 100, NEVER])
    }

    fn draft(&mut self, most: u64) -> FactDraft {
        let mut draft = FactDraft::new(self.word());
        for _ in 0..self.below(most + 1) {
            let attribute = self.attribute();
            draft = draft.with(attribute, self.value(attribute), self.confidence());
        }
        if self.one_in(16) {
            let (attribute, other) = (self.attribute(), self.attribute());
            draft.attributes[attribute as usize] = Some((self.value(other), self.confidence()));
        }
        if self.one_in(8) { draft.keep(self.keep()) } else { draft }
    }
}

/// Both memories, and all ids they ever gave.
struct Twins {
    real: Memory,
    plain: PlainMemory,
    ids: Vec<(FactId, PlainId)>,
    plain_of: HashMap<FactId, PlainId>,
    real_of: HashMap<PlainId, FactId>,
}

/// What a life is like.
#[derive(Clone, Copy)]
struct Ways {
    /// How many attributes a draft has at most, some of them said twice.
    attributes: u64,
    /// Forgetting and clearing away are done so much more seldom.
    sloth: u64,
}

/// What became of the lives of one bound, so that the test can tell that it tested something.
#[derive(Default)]
struct Seen {
    operations: u64,
    evicted: u64,
    evicted_for_attributes: u64,
    expired: u64,
    stale: u64,
    refreshed: u64,
    wrong_sort: u64,
}

impl Twins {
    fn new(bound: usize) -> Self {
        let (real, plain) = (Memory::new(bound), PlainMemory::new(bound));
        Twins { real, plain, ids: vec![], plain_of: HashMap::new(), real_of: HashMap::new() }
    }

    /// Both gave an id: the same on both sides whenever it is given.
    fn gave(&mut self, real: FactId, plain: PlainId) {
        assert_eq!(*self.plain_of.entry(real).or_insert(plain), plain);
        assert_eq!(*self.real_of.entry(plain).or_insert(real), real);
        self.ids.push((real, plain));
    }

    /// Any id that was ever given, but rather one of the last.
    fn some_id(&self, chance: &mut Chance) -> Option<(FactId, PlainId)> {
        let lately = if chance.one_in(4) { self.ids.len() } else { self.ids.len().min(50) };
        let back = (lately > 0).then(|| chance.below(lately as u64) as usize)?;
        self.ids.get(self.ids.len() - 1 - back).copied()
    }

    fn operate(&mut self, chance: &mut Chance, now: Tick, ways: Ways, seen: &mut Seen) {
        let (real, plain) = (&mut self.real, &mut self.plain);
        let writer = chance.word();
        match chance.below(20) {
            0..5 => {
                let (draft, keep) = (chance.draft(ways.attributes), chance.keep());
                let ids =
                    (real.add(&draft, writer, now, keep), plain.add(&draft, writer, now, keep));
                self.gave(ids.0, ids.1);
            }
            5..10 => {
                let (draft, keep) = (chance.draft(ways.attributes), chance.keep());
                let same = [chance.attribute(), chance.attribute()];
                let same = &same[..chance.below(3) as usize];
                let ids = (
                    real.put(&draft, same, writer, now, keep),
                    plain.put(&draft, same, writer, now, keep),
                );
                self.gave(ids.0, ids.1);
            }
            10..14 if !chance.one_in(ways.sloth) => {}
            10 => {
                let until = now.saturating_add(chance.keep());
                let gone = |kind: Word, updated: Tick| kind.0 == 1 && updated < until / 2;
                let count = real.remove_if(|fact| gone(fact.kind(), fact.updated()));
                assert_eq!(count, plain.remove_if(|fact| gone(fact.draft.kind, fact.updated)));
            }
            11..14 => {
                let count = real.forget(now);
                assert_eq!(count, plain.forget(now));
                seen.expired += count as u64;
                assert!(real.iter().all(|fact| fact.expires() > now));
            }
            _ => {
                let Some((id, twin)) = self.some_id(chance) else { return };
                seen.stale += u64::from(self.plain.get(twin).is_none());
                self.operate_on(id, twin, chance, now, ways, seen);
            }
        }
    }

    fn operate_on(
        &mut self,
        id: FactId,
        twin: PlainId,
        chance: &mut Chance,
        now: Tick,
        ways: Ways,
        seen: &mut Seen,
    ) {
        let (real, plain) = (&mut self.real, &mut self.plain);
        match chance.below(6) {
            0 | 1 => {
                let (draft, keep) = (chance.draft(ways.attributes), chance.keep());
                real.update(id, &draft, now, keep);
                plain.update(twin, &draft, now, keep);
            }
            2 | 3 => {
                let attribute = chance.attribute();
                let of = if chance.one_in(4) { chance.attribute() } else { attribute };
                let (value, sure) = (chance.value(of), chance.confidence());
                let done = real.set(id, attribute, value, sure, now).is_ok();
                assert_eq!(done, plain.set(twin, attribute, value, sure, now));
                let wrong = attribute.sort() != value.sort();
                assert!(!(wrong && done));
                seen.wrong_sort += u64::from(wrong);
            }
            4 => {
                let until = now.saturating_add(chance.keep());
                assert_eq!(real.extend(id, until), plain.extend(twin, until));
            }
            _ => assert_eq!(real.remove(id), plain.remove(twin)),
        }
    }

    fn check_numbers(&self) {
        let (real, plain) = (&self.real, &self.plain);
        assert_eq!(real.len(), plain.len());
        assert_eq!(real.is_empty(), plain.len() == 0);
        assert!(real.len() <= real.bound());
        assert_eq!(real.version(), plain.version);
        assert_eq!(real.refreshed(), plain.refreshed);
        assert_eq!(real.evicted(), plain.evicted);
        assert_eq!(real.next_expiry(), plain.next_expiry);
        assert!(plain.iter().all(|(_, fact)| fact.expires >= real.next_expiry()));
    }

    fn check_answers(&self, chance: &mut Chance) {
        let (real, plain) = (&self.real, &self.plain);
        let id = |fact: FactRef<'_>| self.plain_of[&fact.id()];
        assert_eq!(real.iter().count(), plain.len());
        for (fact, (twin_id, twin)) in real.iter().zip(plain.iter()) {
            assert_eq!(id(fact), twin_id);
            check_fact(fact, twin);
        }
        let kind = chance.word();
        let of_kind: Vec<_> = real.of_kind(kind).map(id).collect();
        assert_eq!(of_kind, plain.of_kind(kind).map(|(id, _)| id).collect::<Vec<_>>());
        let (one, two) = (chance.attribute(), chance.attribute());
        for attribute in [one, two, Attribute::Position, Attribute::Stimulus] {
            assert_eq!(real.surest(kind, attribute).map(id), plain.surest(kind, attribute));
        }
        let found = real.find(|fact| fact.get(one).is_some() && fact.get(two).is_none());
        let mut matching = plain.iter().filter(|(_, f)| f.get(one).is_some());
        let twin = matching.find(|(_, f)| f.get(two).is_none());
        assert_eq!(found.map(id), twin.map(|(id, _)| id));
        let count = plain.iter().filter(|(_, f)| f.get(one).is_some()).count();
        assert_eq!(real.count(|fact| fact.get(one).is_some()), count);
        if let Some((id, twin)) = self.some_id(chance) {
            assert_eq!(real.get(id).is_some(), plain.get(twin).is_some());
            real.get(id).zip(plain.get(twin)).iter().for_each(|(a, b)| check_fact(*a, b));
        }
        assert_eq!(real.digest(), digest(plain));
    }
}

fn check_fact(fact: FactRef<'_>, twin: &Plain) {
    let header = (fact.kind(), fact.writer(), fact.updated(), fact.expires());
    assert_eq!(header, (twin.draft.kind, twin.writer, twin.updated, twin.expires));
    for attribute in Attribute::ALL {
        let (known, expected) = (fact.get(attribute), twin.get(attribute));
        assert_eq!(known.map(bits), expected.map(bits), "{attribute:?}");
        let value = known.map(|(value, _)| value);
        let sure = expected.map_or(0.0, |(_, sure)| sure);
        assert_eq!(fact.sure(attribute).to_bits(), sure.to_bits());
        let word = fact.word(attribute).map(Value::Word);
        let number = fact.number(attribute).map(Value::Number);
        let handle = fact.entity(attribute).map(Value::Entity);
        let place = fact.position(attribute).map(Value::Position);
        let views: Vec<_> = [word, number, handle, place].into_iter().flatten().collect();
        let bits_of = |value: &Value| bits((*value, 0.0));
        assert!(views.iter().map(bits_of).eq(value.iter().map(bits_of)));
    }
}

/// Sort, value and confidence, told apart by bits.
fn bits((value, sure): (Value, f32)) -> [u32; 5] {
    let [sort, a, b, c] = match value {
        Value::Position([x, y, z]) => [0, x.to_bits(), y.to_bits(), z.to_bits()],
        Value::Word(word) => [1, word.0, 0, 0],
        Value::Entity(handle) => [2, handle.0 as u32, (handle.0 >> 32) as u32, 0],
        Value::Number(number) => [3, number.to_bits(), 0, 0],
    };
    [sort, a, b, c, sure.to_bits()]
}

/// The content in bytes, as [`Memory::digest`] is defined.
fn content(plain: &PlainMemory) -> Vec<u8> {
    let mut to = Encoder::default();
    for (id, fact) in plain.iter() {
        let mut draft = fact.draft;
        draft.keep = None;
        to.write(&id.slot).write(&id.generation).write(&fact.writer);
        to.write(&fact.updated).write(&fact.expires).write(&draft);
    }
    to.bytes
}

fn digest(plain: &PlainMemory) -> u64 {
    checksum(0, &content(plain))
}

/// One life: operations on both, now and then compared with what was kept of earlier.
fn live(bound: usize, seed: u64, operations: u64, seen: &mut Seen) {
    let mut chance = Chance::new(seed ^ (bound as u64) << 32);
    let mut twins = Twins::new(bound);
    let (attributes, sloth) = (chance.of(&[0, 2, 5, 9, 16, 40]), chance.of(&[1, 4, 40]));
    let ways = Ways { attributes, sloth };
    // A memory that has taken all its room keeps it; another never has more.
    let has_room = seed.is_multiple_of(2);
    let mut full = twins.real.clone();
    full.reserve();
    let room = full.bytes();
    if has_room {
        twins.real.reserve();
    }
    let mut kept = (twins.real.clone(), twins.plain.clone());
    let mut kept_content = vec![];
    let mut now = 0;
    // Small memories are compared after every step, the others after some.
    let rhythm = bound as u64 / 2 + 1;
    for step in 0..operations {
        now += chance.of(&[0, 0, 0, 1, 1, 5]);
        twins.operate(&mut chance, now, ways, seen);
        twins.check_numbers();
        if step % rhythm == 0 {
            twins.check_answers(&mut chance);
            let same = content(&twins.plain) == kept_content;
            assert_eq!(twins.real == kept.0, same);
            assert!(!same || twins.real.digest() == kept.0.digest());
        }
        match chance.below(64) {
            0 => {
                kept = (twins.real.clone(), twins.plain.clone());
                kept_content = content(&kept.1);
            }
            1 => (twins.real, twins.plain) = kept.clone(),
            _ => {}
        }
    }
    let bytes = twins.real.bytes();
    assert!(if has_room { bytes == room } else { bytes <= room }, "{bytes} of {room}");
    seen.operations += operations;
    seen.evicted += twins.plain.evicted;
    seen.evicted_for_attributes += twins.plain.evicted_for_attributes;
    seen.refreshed += twins.plain.refreshed;
}

#[test]
fn memory_answers_like_its_plain_twin() {
    let mut all = Seen::default();
    for bound in 1..=40 {
        let mut seen = Seen::default();
        for seed in 1..=18 {
            live(bound, seed, 500, &mut seen);
        }
        for (count, what) in [
            (seen.evicted - seen.evicted_for_attributes, "slots ran out"),
            (seen.evicted_for_attributes, "attributes ran out"),
            (seen.expired, "facts expired"),
            (seen.stale, "stale ids were used"),
            (seen.refreshed, "facts were confirmed"),
            (seen.wrong_sort, "values of the wrong sort were set"),
        ] {
            assert!(count > 20 || bound == 1 && what == "attributes ran out", "{bound}: {what}");
        }
        all.operations += seen.operations;
    }
    assert!(all.operations >= 300_000, "{}", all.operations);
}
