//! Conditions answer as the words say, and their answers last as long as they claim.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod random;

use super::*;
use crate::fact::FactDraft;
use crate::picks::Pick;
use crate::time::NEVER;
use throng_domain::compile::UNKNOWN;

const SOLDIER: Word = Word(0);
const NOISE: Word = Word(1);
const SEEN: Word = Word(2);
const HEARD: Word = Word(3);
/// Whose mind it is.
const ME: EntityId = EntityId(7);
const PACE: Pace = Pace { ticks_per_second: 10 };

/// A mind at the origin, at tick 100.
struct Scene {
    memory: Memory,
    shared: Memory,
    values: Vec<StateValue>,
    picks: Picks,
    it: It,
}

impl Scene {
    fn new() -> Self {
        let (memory, shared) = (Memory::new(8), Memory::new(8));
        let (picks, it) = (Picks::new(4, 0), It::default());
        Scene { memory, shared, values: vec![2, UNKNOWN], picks, it }
    }

    fn with(mut self, draft: FactDraft, updated: Tick) -> Self {
        self.memory.add(&draft, Word(9), updated, NEVER);
        self
    }

    fn at(&self, now: Tick) -> Situation<'_> {
        Situation {
            memory: &self.memory,
            shared: &self.shared,
            values: &self.values,
            here: [0.0; 3],
            now,
            pace: PACE,
            me: ME,
            picks: &self.picks,
            it: self.it,
        }
    }

    fn holds(&self, condition: &Condition) -> (bool, Tick) {
        let mut wake = NEVER;
        (condition.holds(&self.at(100), &mut wake), wake)
    }

    fn passes(&self, test: AttributeTest) -> bool {
        self.holds(&exists(&[test])).0
    }

    fn value(&self, aspect: Aspect) -> (Option<f32>, Tick) {
        let mut wake = NEVER;
        let measure = Measure::Of(aspect, pattern(&[]));
        (measure.value(&self.at(100), &mut wake), wake)
    }
}

fn pattern(tests: &[AttributeTest]) -> Pattern {
    Pattern { source: Source::Own(SOLDIER), tests: tests.to_vec() }
}

fn exists(tests: &[AttributeTest]) -> Condition {
    Condition::Exists(pattern(tests))
}

fn soldier() -> FactDraft {
    FactDraft::new(SOLDIER)
}

const RELATIONS: [Relation; 6] = [
    Relation::Is,
    Relation::IsNot,
    Relation::Less,
    Relation::AtMost,
    Relation::More,
    Relation::AtLeast,
];

#[test]
fn relations_compare_numbers_and_refuse_what_is_none() {
    let table = |left: f32, right: f32| RELATIONS.map(|relation| relation.holds(left, right));
    assert_eq!(table(1.0, 2.0), [false, true, true, true, false, false]);
    assert_eq!(table(2.0, 2.0), [true, false, false, true, false, true]);
    assert_eq!(table(3.0, 2.0), [false, true, false, false, true, true]);
    assert_eq!(table(f32::NAN, 2.0), [false; 6]);
    assert_eq!(table(2.0, f32::NAN), [false; 6]);
}

#[test]
fn a_pattern_finds_facts_of_its_kind_only() {
    let scene = Scene::new().with(FactDraft::new(NOISE), 0);
    assert_eq!(scene.holds(&exists(&[])), (false, NEVER));
    assert_eq!(scene.with(soldier(), 0).holds(&exists(&[])), (true, NEVER));
}

#[test]
fn shared_patterns_look_into_the_shared_memory() {
    let mut scene = Scene::new();
    scene.shared.add(&soldier(), Word(9), 0, NEVER);
    let shared = Condition::Exists(Pattern { source: Source::Shared(SOLDIER), ..pattern(&[]) });
    assert!(scene.holds(&shared).0 && !scene.holds(&exists(&[])).0);
}

#[test]
fn words_are_equal_or_not() {
    let scene = Scene::new().with(soldier().with(Attribute::Stimulus, Value::Word(SEEN), 1.0), 0);
    let test =
        |relation, word| AttributeTest::Value(Attribute::Stimulus, relation, Value::Word(word));
    assert!(scene.passes(test(Relation::Is, SEEN)) && !scene.passes(test(Relation::Is, HEARD)));
    assert!(scene.passes(test(Relation::IsNot, HEARD)));
    assert!(!scene.passes(test(Relation::IsNot, SEEN)));
    assert!(!scene.passes(test(Relation::AtMost, SEEN)), "words have no size");
    assert!(scene.passes(AttributeTest::Has(Attribute::Stimulus)));
    assert!(!scene.passes(AttributeTest::Has(Attribute::Node)));
    let other = |relation| AttributeTest::Value(Attribute::Node, relation, Value::Word(SEEN));
    assert!(RELATIONS.iter().all(|&relation| !scene.passes(other(relation))), "no such attribute");
    let sort = |relation| AttributeTest::Value(Attribute::Stimulus, relation, Value::Number(2.0));
    assert!(RELATIONS.iter().all(|&relation| !scene.passes(sort(relation))), "another sort");
}

#[test]
fn numbers_and_things_compare_each_in_its_way() {
    let fact = soldier()
        .with(Attribute::Amount, Value::Number(3.0), 1.0)
        .with(Attribute::Time, Value::Number(f32::NAN), 1.0)
        .with(Attribute::Object, Value::Entity(EntityId(7)), 1.0);
    let scene = Scene::new().with(fact, 0);
    let amount =
        |relation, number| AttributeTest::Value(Attribute::Amount, relation, Value::Number(number));
    assert!(scene.passes(amount(Relation::Less, 4.0)) && scene.passes(amount(Relation::Is, 3.0)));
    assert!(!scene.passes(amount(Relation::More, 3.0)));
    let time = |relation| AttributeTest::Value(Attribute::Time, relation, Value::Number(0.0));
    assert!(RELATIONS.iter().all(|&relation| !scene.passes(time(relation))));
    let object =
        |relation| AttributeTest::Value(Attribute::Object, relation, Value::Entity(EntityId(7)));
    assert!(scene.passes(object(Relation::Is)) && !scene.passes(object(Relation::IsNot)));
}

#[test]
fn it_is_the_word_of_the_situation() {
    let mut scene =
        Scene::new().with(soldier().with(Attribute::Node, Value::Word(Word(5)), 1.0), 0);
    let test = |attribute| AttributeTest::Is(attribute, Relation::Is, Ref::It);
    assert!(!scene.passes(test(Attribute::Node)));
    scene.it.key = Key::Word(Word(5));
    assert!(scene.passes(test(Attribute::Node)) && !scene.passes(test(Attribute::Link)));
}

/// Two soldiers, #7 at 3 0 called 5 and #8 at 9 0; the second is picked in slot 1.
fn two() -> (Scene, FactId) {
    let at = |id, x: f32| {
        let thing = soldier().with(Attribute::Object, EntityId(id), 1.0);
        thing.with(Attribute::Position, [x, 0.0, 0.0], 1.0)
    };
    let mut scene = Scene::new();
    scene.memory.add(&at(7, 3.0).with(Attribute::Node, Word(5), 1.0), Word(9), 90, NEVER);
    let fact = scene.memory.add(&at(8, 9.0), Word(9), 95, NEVER);
    let key = Key::Entity(EntityId(8));
    scene.picks.slots[1] = Pick { key, fact, ..Pick::default() };
    (scene, fact)
}

#[test]
fn what_is_picked_is_compared_by_what_it_is() {
    let (mut scene, fact) = two();
    let is = |relation, what| AttributeTest::Is(Attribute::Object, relation, what);
    let count = |scene: &Scene, test| {
        let mut wake = NEVER;
        pattern(&[test]).count(&scene.at(100), &mut wake)
    };
    assert_eq!(count(&scene, is(Relation::Is, Ref::Slots(1, 1))), 1);
    assert_eq!(count(&scene, is(Relation::Is, Ref::Slots(0, 4))), 1, "one of several");
    assert_eq!(count(&scene, is(Relation::Is, Ref::Slots(0, 1))), 0, "nothing equals nothing");
    assert_eq!(count(&scene, is(Relation::IsNot, Ref::Slots(0, 1))), 2);
    assert_eq!(count(&scene, is(Relation::IsNot, Ref::Slots(1, 1))), 1);
    assert_eq!(count(&scene, is(Relation::Is, Ref::Me)), 1, "the mind is #7");
    assert_eq!(count(&scene, AttributeTest::Within(6.0, Ref::Slots(1, 1))), 2);
    assert_eq!(count(&scene, AttributeTest::Within(5.9, Ref::Slots(1, 1))), 1);
    assert_eq!(count(&scene, AttributeTest::Within(5.0, Ref::Me)), 1);
    assert_eq!(count(&scene, AttributeTest::Within(99.0, Ref::It)), 0, "`it` is nowhere");
    // A thing is known by its name too.
    let first = scene.memory.iter().next().map(|fact| fact.id());
    scene.it = It { key: Key::Entity(EntityId(7)), fact: first };
    assert_eq!(count(&scene, AttributeTest::Is(Attribute::Node, Relation::Is, Ref::It)), 1);
    let of = |source, aspect| {
        let measure = Measure::Of(aspect, Pattern { source, tests: Vec::new() });
        measure.value(&scene.at(100), &mut NEVER.clone())
    };
    assert_eq!(of(Source::Slots(1, 1), Aspect::Distance), Some(9.0));
    assert_eq!(of(Source::Slots(1, 1), Aspect::Age), Some(0.5));
    assert_eq!(of(Source::It, Aspect::From(Ref::Slots(1, 1))), Some(6.0));
    assert_eq!(of(Source::Slots(0, 1), Aspect::Distance), None);
    scene.memory.remove(fact);
    let gone = Pattern { source: Source::Slots(1, 1), tests: Vec::new() };
    assert_eq!(gone.count(&scene.at(100), &mut NEVER.clone()), 0, "its fact is forgotten");
}

#[test]
fn what_gives_no_number_leaves_it_to_the_next() {
    let (scene, _) = two();
    let of = |source| Measure::Of(Aspect::Distance, Pattern { source, tests: Vec::new() });
    let measure = Measure::Else(vec![of(Source::Slots(0, 1)), of(Source::Slots(1, 1))]);
    assert_eq!(measure.value(&scene.at(100), &mut NEVER.clone()), Some(9.0));
    let nothing = Measure::Else(vec![of(Source::Slots(0, 1)), of(Source::It)]);
    assert_eq!(nothing.value(&scene.at(100), &mut NEVER.clone()), None);
    let compared = |measure: &Measure, relation| {
        scene.holds(&Condition::Number(Box::new(measure.clone()), relation, 10.0)).0
    };
    assert!(compared(&measure, Relation::Less) && !compared(&measure, Relation::More));
    assert!(RELATIONS.iter().all(|&relation| !compared(&nothing, relation)));
}

#[test]
fn an_attribute_that_is_not_there_is_not_sure_at_all() {
    let scene = Scene::new().with(soldier().with(Attribute::Stimulus, Value::Word(SEEN), 0.5), 0);
    let sure = |at, relation, number| scene.passes(AttributeTest::Sure(at, relation, number));
    assert!(sure(Attribute::Stimulus, Relation::AtLeast, 0.5));
    assert!(!sure(Attribute::Stimulus, Relation::More, 0.5));
    assert!(
        sure(Attribute::Node, Relation::Is, 0.0) && !sure(Attribute::Node, Relation::More, 0.0)
    );
}

#[test]
fn distance_is_measured_from_here_to_the_position() {
    let at = |place| soldier().with(Attribute::Position, Value::Position(place), 1.0);
    let test = |relation, far| AttributeTest::Distance(relation, far);
    let scene = Scene::new().with(at([3.0, 4.0, 0.0]), 0);
    assert!(scene.passes(test(Relation::Is, 5.0)) && !scene.passes(test(Relation::Less, 5.0)));
    assert!(!Scene::new().with(soldier(), 0).passes(test(Relation::AtLeast, 0.0)));
    let nowhere = Scene::new().with(at([f32::NAN, 0.0, 0.0]), 0);
    assert!(RELATIONS.iter().all(|&relation| !nowhere.passes(test(relation, 1.0))));
    let far = Scene::new().with(at([f32::MAX, f32::MAX, 0.0]), 0);
    assert!(far.passes(test(Relation::More, 1.0)));
}

#[test]
fn an_age_test_says_when_it_flips() {
    // Updated at 95, asked at 100: its age is 5.
    let scene = Scene::new().with(soldier(), 95);
    let ask = |relation, age| scene.holds(&exists(&[AttributeTest::Age(relation, age)]));
    assert_eq!(ask(Relation::Less, 6), (true, 101));
    assert_eq!(ask(Relation::Less, 5), (false, NEVER));
    assert_eq!(ask(Relation::AtMost, 5), (true, 101));
    assert_eq!(ask(Relation::AtMost, 4), (false, NEVER));
    assert_eq!(ask(Relation::More, 5), (false, 101));
    assert_eq!(ask(Relation::More, 4), (true, NEVER));
    assert_eq!(ask(Relation::AtLeast, 5), (true, NEVER));
    assert_eq!(ask(Relation::AtLeast, 8), (false, 103));
    assert_eq!(ask(Relation::Is, 5), (true, 101));
    assert_eq!(ask(Relation::Is, 7), (false, 102));
    assert_eq!(ask(Relation::Is, 4), (false, NEVER));
    assert_eq!(ask(Relation::IsNot, 7), (true, 102));
    assert_eq!(ask(Relation::Less, NEVER), (true, NEVER));
}

#[test]
fn only_facts_that_pass_all_else_wake_the_mind() {
    let scene = Scene::new().with(soldier(), 95);
    let tests = [AttributeTest::Age(Relation::Less, 20), AttributeTest::Has(Attribute::Node)];
    assert_eq!(scene.holds(&exists(&tests)), (false, NEVER));
}

#[test]
fn wake_is_lowered_and_never_raised() {
    let scene = Scene::new().with(soldier(), 95);
    let mut wake = 50;
    exists(&[AttributeTest::Age(Relation::Less, 6)]).holds(&scene.at(100), &mut wake);
    assert_eq!(wake, 50);
}

#[test]
fn conditions_join_as_in_logic() {
    let scene = Scene::new();
    let (yes, no) = (Condition::All(vec![]), Condition::Any(vec![]));
    let holds = |condition: &Condition| scene.holds(condition).0;
    assert!(holds(&yes) && !holds(&no), "all of nothing holds, one of nothing does not");
    assert!(holds(&Condition::Not(Box::new(no.clone()))));
    assert!(!holds(&Condition::All(vec![yes.clone(), no.clone()])));
    assert!(holds(&Condition::Any(vec![no, yes])));
}

#[test]
fn counts_compare_how_many_there_are() {
    let scene = Scene::new().with(soldier(), 0).with(soldier(), 1).with(FactDraft::new(NOISE), 1);
    let count = |relation, n| scene.holds(&Condition::Count(pattern(&[]), relation, n)).0;
    assert!(count(Relation::Is, 2) && count(Relation::Less, 3) && !count(Relation::More, 2));
}

#[test]
fn an_unknown_variable_passes_no_comparison() {
    let scene = Scene::new();
    let ask = |at, relation, value| scene.holds(&Condition::Variable(at, relation, value)).0;
    assert!(ask(0, Relation::Is, 2) && ask(0, Relation::More, 1) && !ask(0, Relation::IsNot, 2));
    for relation in RELATIONS {
        assert!(!ask(1, relation, 0), "it is unknown");
        assert!(!ask(7, relation, 0), "there is no such variable");
    }
}

#[test]
fn aspects_take_the_best_fact() {
    let fact = |sure, amount: f32, x: f32| {
        soldier().with(Attribute::Amount, Value::Number(amount), sure).with(
            Attribute::Position,
            Value::Position([x, 0.0, 0.0]),
            1.0,
        )
    };
    let scene = Scene::new().with(fact(0.3, 1.0, 2.0), 90).with(fact(0.8, 7.0, -4.0), 70);
    assert_eq!(scene.value(Aspect::Sure(Attribute::Amount)), (Some(0.8), NEVER));
    assert_eq!(scene.value(Aspect::Amount(Attribute::Amount)), (Some(7.0), NEVER));
    assert_eq!(scene.value(Aspect::Distance), (Some(2.0), NEVER));
    assert_eq!(scene.value(Aspect::Age), (Some(1.0), 101));
    assert_eq!(scene.value(Aspect::Count), (Some(2.0), NEVER));
    let nothing = Scene::new();
    assert_eq!(nothing.value(Aspect::Count), (Some(0.0), NEVER));
    for aspect in [Aspect::Sure(Attribute::Node), Aspect::Distance, Aspect::Age] {
        assert_eq!(nothing.value(aspect), (None, NEVER));
    }
}

#[test]
fn of_equally_sure_facts_the_lower_slot_is_taken_however_old() {
    let fact = |amount: f32| soldier().with(Attribute::Amount, Value::Number(amount), 0.5);
    let older = Scene::new().with(fact(1.0), 5).with(fact(2.0), 6).with(fact(3.0), 6);
    assert_eq!(older.value(Aspect::Amount(Attribute::Amount)).0, Some(1.0));
    let mut wake = NEVER;
    let found = pattern(&[]).surest(Attribute::Amount, &older.at(100), &mut wake);
    assert_eq!(found.unwrap().number(Attribute::Amount), Some(1.0));
}

#[test]
fn terms_follow_their_curve_and_are_flat_outside() {
    let scene = Scene::new();
    let term = |number, curve: &[(f32, f32)]| {
        let term = Term { measure: Measure::Number(number), curve: curve.to_vec() };
        term.value(&scene.at(100), &mut NEVER.clone())
    };
    let curve = [(0.0, 1.0), (10.0, 0.0), (20.0, 0.5)];
    let heights = [(-5.0, 1.0), (0.0, 1.0), (5.0, 0.5), (10.0, 0.0), (15.0, 0.25), (90.0, 0.5)];
    for (x, y) in heights {
        assert_eq!(term(x, &curve), y, "{x}");
    }
    assert_eq!(term(f32::INFINITY, &curve), 0.5);
    assert_eq!((term(7.0, &[]), term(-1.0, &[]), term(0.25, &[])), (1.0, 0.0, 0.25));
    assert_eq!((term(f32::NAN, &curve), term(f32::NAN, &[])), (0.0, 0.0));
    assert_eq!(term(1.0, &[(1.0, 0.3)]), 0.3);
    assert_eq!(term(1.0, &[(1.0, 0.3), (1.0, 0.6)]), 0.6, "a step is no division by nothing");
    assert_eq!(term(1.0, &[(0.0, f32::NAN), (2.0, 1.0)]), 0.0);
}

#[test]
fn where_there_is_nothing_to_measure_a_term_is_nothing() {
    let near = Term {
        measure: Measure::Of(Aspect::Distance, pattern(&[])),
        curve: vec![(0.0, 1.0), (10.0, 0.0)],
    };
    assert_eq!(near.value(&Scene::new().at(100), &mut NEVER.clone()), 0.0);
}

#[test]
fn a_walk_shows_every_variable() {
    let inner = Condition::Any(vec![exists(&[]), Condition::Variable(3, Relation::Is, 0)]);
    let count = Condition::Count(pattern(&[]), Relation::Is, 1);
    let all = Condition::All(vec![Condition::Not(Box::new(inner)), count]);
    let mut variables = Vec::new();
    all.each_variable(&mut |variable| variables.push(variable));
    assert_eq!(variables, [3]);
}
