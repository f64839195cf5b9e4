//! An answer lasts: whatever is asked of whatever is remembered, it is the same at every tick
//! before the moment it names.

use super::*;
use crate::memory::FactRef;
use throng_base::SplitMix;

struct Dice(SplitMix);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below_u64(n)
    }

    fn chance(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    fn number(&mut self) -> f32 {
        match self.below(40) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::MIN,
            n => n as f32 / 4.0 - 3.0,
        }
    }
}

fn value(dice: &mut Dice, attribute: Attribute) -> Value {
    match attribute.sort() {
        crate::fact::Sort::Position => Value::Position([dice.number(), dice.number(), 0.0]),
        crate::fact::Sort::Word => Value::Word(Word(dice.below(3) as u32)),
        crate::fact::Sort::Entity => Value::Entity(EntityId(dice.below(3))),
        crate::fact::Sort::Number => Value::Number(dice.number()),
    }
}

fn memory(dice: &mut Dice, now: Tick) -> Memory {
    let mut memory = Memory::new(6);
    for _ in 0..2 + dice.below(5) {
        let mut draft = FactDraft::new(Word(dice.below(2) as u32));
        for _ in 0..dice.below(4) {
            let attribute = dice.of(&Attribute::ALL);
            let value = value(dice, attribute);
            draft = draft.with(attribute, value, dice.number());
        }
        // Some were written in a moment that has not come.
        let updated = (now + 2).saturating_sub(dice.below(14) as Tick);
        memory.add(&draft, Word(9), updated, NEVER);
    }
    memory
}

fn test(dice: &mut Dice) -> AttributeTest {
    let (attribute, relation) = (dice.of(&Attribute::ALL), dice.of(&RELATIONS));
    match dice.below(12) {
        0 => AttributeTest::Has(attribute),
        1 => AttributeTest::Value(attribute, relation, value(dice, attribute)),
        2 => {
            let relation = dice.of(&[Relation::Is, Relation::IsNot]);
            AttributeTest::Is(attribute, relation, reference(dice))
        }
        5 => AttributeTest::Within(dice.number(), reference(dice)),
        3 => AttributeTest::Sure(attribute, relation, dice.number()),
        4 => AttributeTest::Distance(relation, dice.number()),
        _ => AttributeTest::Age(relation, dice.below(18) as Tick),
    }
}

fn reference(dice: &mut Dice) -> Ref {
    match dice.below(5) {
        0 => Ref::It,
        1 => Ref::Me,
        2 => Ref::Word(Word(dice.below(3) as u32)),
        _ => Ref::Slots(dice.below(3) as u16, dice.below(4) as u16),
    }
}

/// Something that some fact may be about.
fn it(dice: &mut Dice, memory: &Memory) -> It {
    let key = match dice.below(5) {
        0 => Key::None,
        1 => Key::Word(Word(dice.below(3) as u32)),
        2 => Key::number(dice.number()),
        _ => Key::Entity(EntityId(dice.below(3))),
    };
    let facts: Vec<FactId> = memory.iter().map(|fact| fact.id()).collect();
    It { key, fact: Some(dice.of(&facts)).filter(|_| !dice.chance(4)) }
}

fn picks(dice: &mut Dice, memory: &Memory) -> Picks {
    let mut picks = Picks::new(4, 0);
    for pick in &mut picks.slots {
        let It { key, fact } = it(dice, memory);
        *pick = Pick { key, fact: fact.unwrap_or_default(), ..Pick::default() };
    }
    picks
}

fn pattern(dice: &mut Dice) -> Pattern {
    let tests = (0..1 + dice.below(2)).map(|_| test(dice)).collect();
    let kind = Word(dice.below(2) as u32);
    let source = match dice.below(6) {
        0 => Source::Shared(kind),
        1 => Source::It,
        2 => Source::Slots(dice.below(3) as u16, dice.below(4) as u16),
        _ => Source::Own(kind),
    };
    Pattern { source, tests }
}

fn condition(dice: &mut Dice, depth: u32) -> Condition {
    let list = |dice: &mut Dice| (0..dice.below(4)).map(|_| condition(dice, depth + 1)).collect();
    match dice.below(if depth < 3 { 7 } else { 3 }) {
        1 if dice.chance(2) => {
            let [one, other] = [(); 2].map(|()| dice.below(3) as u32);
            Condition::Amounts(one, dice.of(&RELATIONS), other, dice.below(4) as i64 - 2)
        }
        2 if dice.chance(3) => {
            let measure = Box::new(measure(dice));
            Condition::Number(measure, dice.of(&RELATIONS), dice.number())
        }
        0 => Condition::Count(pattern(dice), dice.of(&RELATIONS), dice.below(4) as u32),
        1 => {
            let value = dice.below(4) as StateValue;
            Condition::Variable(dice.below(3) as u32, dice.of(&RELATIONS), value)
        }
        2 => Condition::Exists(pattern(dice)),
        3 => Condition::Not(Box::new(condition(dice, depth + 1))),
        4 | 5 => Condition::All(list(dice)),
        _ => Condition::Any(list(dice)),
    }
}

fn measure(dice: &mut Dice) -> Measure {
    let attribute = dice.of(&Attribute::ALL);
    let aspects = [
        Aspect::Sure(attribute),
        Aspect::Amount(attribute),
        Aspect::Distance,
        Aspect::Age,
        Aspect::Count,
        Aspect::From(reference(dice)),
    ];
    match dice.below(6) {
        2 => Measure::Else((0..dice.below(3)).map(|_| measure(dice)).collect()),
        0 => Measure::If(condition(dice, 1)),
        1 => Measure::Number(dice.number()),
        _ => Measure::Of(dice.of(&aspects), pattern(dice)),
    }
}

fn term(dice: &mut Dice) -> Term {
    let measure = measure(dice);
    let curve = (0..dice.below(4)).map(|at| (at as f32 * 3.0 - 2.0, dice.number())).collect();
    Term { measure, curve }
}

/// A plain twin of [`Condition::holds`]: every fact is asked, nothing is left early.
fn plainly(condition: &Condition, situation: &Situation<'_>) -> bool {
    match condition {
        Condition::Exists(pattern) => plain_count(pattern, situation) > 0,
        Condition::Count(pattern, relation, n) => {
            relation.holds(plain_count(pattern, situation), *n as usize)
        }
        Condition::Variable(at, relation, wanted) => match situation.values.get(*at as usize) {
            None | Some(&UNKNOWN) => false,
            Some(value) => relation.holds(value, wanted),
        },
        Condition::Amounts(one, relation, other, offset) => {
            let known = |at: &u32| {
                let value = situation.values.get(*at as usize).filter(|value| **value != UNKNOWN);
                value.map(|&value| i64::from(value))
            };
            let both = known(one).zip(known(other));
            both.is_some_and(|(one, other)| relation.holds(one - offset, other))
        }
        Condition::Number(measure, relation, wanted) => {
            plain_number(measure, situation).is_some_and(|number| relation.holds(number, *wanted))
        }
        Condition::Not(inner) => !plainly(inner, situation),
        Condition::All(list) => list.iter().filter(|c| !plainly(c, situation)).count() == 0,
        Condition::Any(list) => list.iter().filter(|c| plainly(c, situation)).count() > 0,
    }
}

/// All that a reference refers to.
fn plain_refs(what: Ref, situation: &Situation<'_>) -> Vec<It> {
    match what {
        Ref::It => vec![situation.it],
        Ref::Me => vec![It { key: Key::Entity(situation.me), fact: None }],
        Ref::Word(word) => vec![It { key: Key::Word(word), fact: None }],
        Ref::Slots(first, n) => {
            let slots = situation.picks.slots().iter().skip(first.into()).take(n.into());
            let bound = slots.filter(|pick| pick.key != Key::None);
            bound.map(|pick| It { key: pick.key, fact: Some(pick.fact) }).collect()
        }
    }
}

fn far(a: Position, b: Position) -> Option<f32> {
    let [x, y, z] = [0, 1, 2].map(|at| f64::from(a[at]) - f64::from(b[at]));
    Some((x * x + y * y + z * z).sqrt() as f32).filter(|far| !far.is_nan())
}

/// How far a place is from the nearest of what a reference refers to.
fn plain_distance(what: Ref, there: Position, situation: &Situation<'_>) -> Option<f32> {
    if what == Ref::Me {
        return far(there, situation.here);
    }
    let mut nearest: Option<f32> = None;
    for it in plain_refs(what, situation) {
        let fact = it.fact.and_then(|fact| situation.memory.get(fact));
        let place = fact.and_then(|fact| fact.position(Attribute::Position));
        if let Some(far) = place.and_then(|place| far(there, place)) {
            nearest = Some(nearest.map_or(far, |known| known.min(far)));
        }
    }
    nearest
}

fn plain_is(attribute: Attribute, value: Value, what: Ref, situation: &Situation<'_>) -> bool {
    plain_refs(what, situation).into_iter().any(|it| {
        let fact = it.fact.and_then(|fact| situation.memory.get(fact));
        let name = fact.and_then(|fact| fact.word(Attribute::Node));
        match value {
            Value::Entity(entity) => it.key == Key::Entity(entity),
            Value::Word(word) => {
                let is_word = it.key.word().is_some();
                it.key == Key::Word(word)
                    || (!is_word && attribute == Attribute::Node && name == Some(word))
            }
            Value::Number(number) => it.key == Key::number(number),
            Value::Position(_) => false,
        }
    })
}

/// Every fact that a pattern matches.
fn plain_facts<'s>(pattern: &Pattern, situation: &Situation<'s>) -> Vec<FactRef<'s>> {
    let Situation { memory, shared, picks, it, .. } = *situation;
    let all: Vec<FactRef<'s>> = match pattern.source {
        Source::Own(kind) => memory.iter().filter(|fact| fact.kind() == kind).collect(),
        Source::Shared(kind) => shared.iter().filter(|fact| fact.kind() == kind).collect(),
        Source::It => it.fact.into_iter().filter_map(|fact| memory.get(fact)).collect(),
        Source::Slots(first, n) => {
            let slots = picks.slots().iter().skip(first.into()).take(n.into());
            let bound = slots.filter(|pick| pick.key != Key::None);
            bound.filter_map(|pick| memory.get(pick.fact)).collect()
        }
    };
    all.into_iter().filter(|fact| plain_match(pattern, *fact, situation)).collect()
}

/// A plain twin of [`Measure::value`], but for the best of several facts.
fn plain_number(measure: &Measure, situation: &Situation<'_>) -> Option<f32> {
    let number = match measure {
        Measure::Number(number) => Some(*number),
        Measure::If(condition) => Some(if plainly(condition, situation) { 1.0 } else { 0.0 }),
        Measure::Else(list) => {
            let all: Vec<Option<f32>> =
                list.iter().map(|measure| plain_number(measure, situation)).collect();
            all.into_iter().flatten().next()
        }
        Measure::Of(Aspect::Count, pattern) => Some(plain_count(pattern, situation) as f32),
        Measure::Of(Aspect::From(what), pattern) => {
            let places = plain_facts(pattern, situation).into_iter();
            let places = places.filter_map(|fact| fact.position(Attribute::Position));
            let far: Vec<f32> =
                places.filter_map(|place| plain_distance(*what, place, situation)).collect();
            far.into_iter().reduce(f32::min)
        }
        other => other.value(situation, &mut NEVER.clone()),
    };
    number.filter(|number| !number.is_nan())
}

fn plain_count(pattern: &Pattern, situation: &Situation<'_>) -> usize {
    plain_facts(pattern, situation).len()
}

fn plain_match(pattern: &Pattern, fact: FactRef<'_>, situation: &Situation<'_>) -> bool {
    let passes = |fact: &crate::memory::FactRef<'_>| {
        let failed = pattern.tests.iter().filter(|test| match **test {
            AttributeTest::Age(relation, age) => {
                !relation.holds(situation.now.saturating_sub(fact.updated()), age)
            }
            AttributeTest::Has(attribute) => fact.get(attribute).is_none(),
            AttributeTest::Is(attribute, relation, what) => match fact.get(attribute) {
                None => true,
                Some((value, _)) => {
                    plain_is(attribute, value, what, situation) != (relation == Relation::Is)
                }
            },
            AttributeTest::Within(limit, what) => {
                let there = fact.position(Attribute::Position);
                let far = there.and_then(|there| plain_distance(what, there, situation));
                !far.is_some_and(|far| far <= limit)
            }
            AttributeTest::Sure(attribute, relation, sure) => {
                !relation.holds(fact.sure(attribute), sure)
            }
            AttributeTest::Value(attribute, relation, wanted) => {
                match (fact.get(attribute), wanted) {
                    (None, _) => true,
                    (Some((Value::Number(number), _)), Value::Number(wanted)) => {
                        !relation.holds(number, wanted)
                    }
                    (Some((value, _)), _) => match relation {
                        Relation::Is => value != wanted,
                        Relation::IsNot => value == wanted,
                        _ => true,
                    },
                }
            }
            AttributeTest::Distance(relation, far) => {
                let Some([x, y, z]) = fact.position(Attribute::Position) else { return true };
                let [a, b, c] = situation.here;
                let (x, y, z) = (f64::from(x - a), f64::from(y - b), f64::from(z - c));
                !relation.holds((x * x + y * y + z * z).sqrt() as f32, far)
            }
        });
        failed.count() == 0
    };
    passes(&fact)
}

#[test]
fn an_answer_is_good_until_the_moment_it_names() {
    let (mut changed, mut lasting, mut held) = (0, 0, 0);
    for seed in 1..45_000u64 {
        let mut dice = Dice(SplitMix::new(seed));
        let now = 20 + dice.below(5) as Tick;
        let own = memory(&mut dice, now);
        let scene = Scene {
            shared: memory(&mut dice, now),
            values: vec![dice.below(3) as StateValue, UNKNOWN, dice.below(4) as StateValue],
            picks: picks(&mut dice, &own),
            it: it(&mut dice, &own),
            memory: own,
        };
        let (condition, term) = (condition(&mut dice, 0), term(&mut dice));
        let (mut until, mut term_until) = (NEVER, NEVER);
        let answer = condition.holds(&scene.at(now), &mut until);
        let number = term.value(&scene.at(now), &mut term_until);
        assert!(until > now && term_until > now && !number.is_nan());
        held += u32::from(answer);
        for later in now..now + 40 {
            let situation = scene.at(later);
            let mut wake = NEVER;
            let then = condition.holds(&situation, &mut wake);
            assert_eq!(then, plainly(&condition, &situation), "seed {seed} at {later}");
            if later < until {
                assert_eq!(then, answer, "seed {seed} at {later}, good until {until}");
                // What an answer names does not depend on the moment it is asked in.
                assert_eq!(wake, until, "seed {seed} at {later}");
            }
            if later < term_until {
                let then = term.value(&situation, &mut NEVER.clone());
                assert_eq!(then.to_bits(), number.to_bits(), "seed {seed} at {later}");
            }
            changed += u32::from(later == until && then != answer);
        }
        lasting += u32::from(until == NEVER);
    }
    // The claim is not empty: answers do change at the named moment, and others never.
    assert!(changed > 2_000 && lasting > 2_000 && held > 5_000, "{changed} {lasting} {held}");
}
