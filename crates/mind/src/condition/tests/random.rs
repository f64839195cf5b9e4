//! An answer lasts: whatever is asked of whatever is remembered, it is the same at every tick
//! before the moment it names.

use super::*;
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
        2 => AttributeTest::It(attribute),
        3 => AttributeTest::Sure(attribute, relation, dice.number()),
        4 => AttributeTest::Distance(relation, dice.number()),
        _ => AttributeTest::Age(relation, dice.below(18) as Tick),
    }
}

fn pattern(dice: &mut Dice) -> Pattern {
    let tests = (0..1 + dice.below(2)).map(|_| test(dice)).collect();
    Pattern { shared: dice.chance(4), kind: Word(dice.below(2) as u32), tests }
}

fn condition(dice: &mut Dice, depth: u32) -> Condition {
    let list = |dice: &mut Dice| (0..dice.below(4)).map(|_| condition(dice, depth + 1)).collect();
    match dice.below(if depth < 3 { 7 } else { 3 }) {
        1 if dice.chance(2) => {
            let [one, other] = [(); 2].map(|()| dice.below(3) as u32);
            Condition::Amounts(one, dice.of(&RELATIONS), other, dice.below(4) as i64 - 2)
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

fn term(dice: &mut Dice) -> Term {
    let attribute = dice.of(&Attribute::ALL);
    let aspects = [
        Aspect::Sure(attribute),
        Aspect::Amount(attribute),
        Aspect::Distance,
        Aspect::Age,
        Aspect::Count,
    ];
    let measure = match dice.below(5) {
        0 => Measure::If(condition(dice, 1)),
        1 => Measure::Number(dice.number()),
        _ => Measure::Of(dice.of(&aspects), pattern(dice)),
    };
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
        Condition::Not(inner) => !plainly(inner, situation),
        Condition::All(list) => list.iter().filter(|c| !plainly(c, situation)).count() == 0,
        Condition::Any(list) => list.iter().filter(|c| plainly(c, situation)).count() > 0,
    }
}

fn plain_count(pattern: &Pattern, situation: &Situation<'_>) -> usize {
    let memory = if pattern.shared { situation.shared } else { situation.memory };
    let of_kind = memory.iter().filter(|fact| fact.kind() == pattern.kind);
    let passes = |fact: &crate::memory::FactRef<'_>| {
        let failed = pattern.tests.iter().filter(|test| match **test {
            AttributeTest::Age(relation, age) => {
                !relation.holds(situation.now.saturating_sub(fact.updated()), age)
            }
            AttributeTest::Has(attribute) => fact.get(attribute).is_none(),
            AttributeTest::It(attribute) => fact.word(attribute) != Some(situation.it),
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
    of_kind.filter(passes).count()
}

#[test]
fn an_answer_is_good_until_the_moment_it_names() {
    let (mut changed, mut lasting, mut held) = (0, 0, 0);
    for seed in 1..30_000u64 {
        let mut dice = Dice(SplitMix::new(seed));
        let now = 20 + dice.below(5) as Tick;
        let scene = Scene {
            memory: memory(&mut dice, now),
            shared: memory(&mut dice, now),
            values: vec![dice.below(3) as StateValue, UNKNOWN, dice.below(4) as StateValue],
            it: Word(dice.below(3) as u32),
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
