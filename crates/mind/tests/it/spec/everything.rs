//! A text with everything in it, and what became of each piece.

use super::{EVERYTHING, PACE, model, read};
use std::sync::Arc;
use throng_mind::condition::{
    Aspect, AttributeTest, Condition, Measure, Pattern, Ref, Relation, Source, Term,
};
use throng_mind::fact::{Attribute, Value};
use throng_mind::spec::{Spec, SymbolRule, When};
use throng_mind::time::NEVER;
use throng_mind::words::Word;
use throng_planner::PreparedDomain;

fn spec() -> Spec {
    let model = model(EVERYTHING);
    read(&model).unwrap_or_else(|report| {
        let lines = report.diagnostics().iter().map(|d| d.short(model.sources()));
        panic!("{}", lines.collect::<Vec<_>>().join("\n"))
    })
}

/// A spec and short ways to name what is in it.
struct Named(Spec);

impl Named {
    fn word(&self, text: &str) -> Word {
        self.0.words.find(text).unwrap_or_else(|| panic!("`{text}` is not interned"))
    }

    fn variable(&self, name: &str, relation: Relation, value: &str) -> Condition {
        let map = self.0.domain.map();
        let id = map.find_variable(name).unwrap();
        let value = map.find_value(id, value).unwrap().index();
        Condition::Variable(id.index() as u32, relation, value.try_into().unwrap())
    }

    fn pattern(&self, kind: &str, tests: &[AttributeTest]) -> Pattern {
        Pattern { source: Source::Own(self.word(kind)), tests: tests.to_vec() }
    }

    fn shared(&self, kind: &str) -> Pattern {
        Pattern { source: Source::Shared(self.word(kind)), tests: Vec::new() }
    }

    fn is(&self, attribute: Attribute, word: &str) -> AttributeTest {
        AttributeTest::Value(attribute, Relation::Is, Value::Word(self.word(word)))
    }

    fn rules(&self, variable: &str) -> &[SymbolRule] {
        let id = self.0.domain.map().find_variable(variable).unwrap();
        &self.0.symbols.iter().find(|symbol| symbol.variable == id).unwrap().rules
    }

    fn check(&self, name: &str) -> &Condition {
        let id = self.0.domain.map().find_check(name).unwrap();
        &self.0.checks.iter().find(|check| check.check == id).unwrap().condition
    }

    fn action_names(&self, ids: &[throng_domain::ActionId]) -> Vec<&str> {
        ids.iter().map(|&id| self.0.domain.map().action(id)).collect()
    }

    fn sensors_of(&self, npc: &str) -> Vec<&str> {
        let id = self.0.domain.map().find_npc(npc).unwrap();
        let sensors = self.0.npcs[id.index()].sensors.iter();
        sensors.map(|&at| self.0.words.text(self.0.sensors[usize::from(at)].name)).collect()
    }
}

#[test]
fn sensors_say_when_they_run_and_how_long_their_facts_last() {
    let spec = Named(spec());
    let sensors = &spec.0.sensors;
    let names: Vec<&str> = sensors.iter().map(|sensor| spec.0.words.text(sensor.name)).collect();
    assert_eq!(names, ["see", "hear", "deeds", "doors", "gates", "cover"]);
    assert_eq!((sensors[0].when, sensors[0].keeps), (When::Every(3), NEVER));
    assert_eq!((sensors[1].when, sensors[1].keeps), (When::On(spec.word("noise")), 100));
    assert_eq!((sensors[2].keeps, sensors[3].when), (600, When::Every(0)));
    let map = spec.0.domain.map();
    assert_eq!(sensors[0].feeds_variables, [map.find_variable("target").unwrap()]);
    assert_eq!(sensors[0].feeds_checks, [map.find_check("seen").unwrap()]);
    let standing = spec.variable("stance", Relation::Is, "standing");
    let open = spec.variable("door", Relation::Is, "open");
    assert_eq!(sensors[0].during, Some(Condition::Any(vec![standing, open])));
    assert_eq!(sensors[1].during, None);
}

#[test]
fn symbols_try_their_rules_from_left_to_right() {
    let spec = Named(spec());
    let dead =
        Condition::Exists(spec.pattern("character", &[spec.is(Attribute::Knowledge, "dead")]));
    let target = [SymbolRule::If(1, Some(dead)), SymbolRule::If(0, None)];
    assert_eq!(spec.rules("target"), target);
    let at = SymbolRule::Named(Attribute::Node, spec.pattern("self", &[]));
    assert_eq!(spec.rules("at"), [at, SymbolRule::If(0, None)]);
    let words = &spec.0.symbols[2].value_words;
    let texts: Vec<&str> = words.iter().map(|&word| spec.0.words.text(word)).collect();
    assert_eq!(texts, ["nowhere", "crate", "pipe", "wall"]);
    assert!(spec.0.symbols[0].value_words.is_empty(), "no rule looks a value up by its name");
    let empty = spec.word("empty");
    let not_empty = AttributeTest::Value(Attribute::Stimulus, Relation::IsNot, Value::Word(empty));
    let tests = [spec.is(Attribute::Knowledge, "armed"), not_empty];
    let armed = Condition::Exists(spec.pattern("weapon", &tests));
    assert_eq!(spec.rules("weapon")[0], SymbolRule::If(2, Some(armed)));
}

#[test]
fn conditions_join_by_and_before_or() {
    let spec = Named(spec());
    let standing = spec.pattern("self", &[spec.is(Attribute::Knowledge, "standing")]);
    let someone = Condition::Any(vec![
        Condition::Exists(spec.pattern("self", &[])),
        Condition::Exists(spec.shared("squad")),
    ]);
    let not_standing = Condition::Not(Box::new(Condition::Exists(standing)));
    let wanted = Condition::All(vec![not_standing, someone]);
    assert_eq!(spec.rules("stance"), [SymbolRule::If(1, Some(wanted))]);
    let tests =
        [AttributeTest::Age(Relation::Less, 25), AttributeTest::Distance(Relation::AtMost, 8.0)];
    let several = Condition::Count(spec.pattern("character", &tests), Relation::AtLeast, 2);
    assert_eq!(spec.rules("ammo")[1], SymbolRule::If(3, Some(several)));
    let sure = AttributeTest::Sure(Attribute::Stimulus, Relation::AtLeast, 0.5);
    let tests =
        [sure, AttributeTest::Has(Attribute::Object), AttributeTest::Age(Relation::Less, 30)];
    assert_eq!(spec.check("seen"), &Condition::Exists(spec.pattern("character", &tests)));
}

#[test]
fn numbers_in_no_order_are_compared_one_by_one() {
    let spec = Named(spec());
    let Condition::All(parts) = spec.check("in_cover") else { panic!("two parts") };
    // `mood` has the values 3, 1, 2 in this order.
    let is = |value| spec.variable("mood", Relation::Is, value);
    assert_eq!(parts[1], Condition::Any(vec![is("3"), is("2")]));
}

#[test]
fn prices_know_the_parameter_of_each_action() {
    let spec = Named(spec());
    let price = &spec.0.prices[0];
    let its: Vec<Ref> = price.actions.iter().map(|&(_, it)| it).collect();
    assert_eq!(its, ["nowhere", "crate", "pipe", "wall"].map(|it| Ref::Word(spec.word(it))));
    let crouched = spec.variable("stance", Relation::Is, "crouched");
    let plain = |measure| Term { measure, curve: Vec::new() };
    assert_eq!(price.rules[0], (plain(Measure::Number(2.0)), Some(crouched)));
    let is_it = AttributeTest::Is(Attribute::Node, Relation::Is, Ref::It);
    let tests = [is_it, spec.is(Attribute::Knowledge, "clear")];
    let amount = Measure::Of(Aspect::Amount(Attribute::Amount), spec.pattern("path", &tests));
    assert_eq!(price.rules[1], (plain(amount), None));
    assert_eq!(spec.0.prices[1].actions[0].1, Ref::Slots(0, 0));
}

#[test]
fn learning_and_flavours_name_ground_actions() {
    let spec = Named(spec());
    let learn = &spec.0.learns[0];
    assert_eq!(spec.action_names(&learn.actions), ["go(pipe)", "cheer"]);
    let (yawn, taunt) = (&spec.0.flavours[0], &spec.0.flavours[1]);
    assert!(yawn.after.is_empty() && yawn.before.is_empty() && yawn.condition.is_none());
    assert_eq!((yawn.every, yawn.takes), (300, 25));
    assert_eq!(
        spec.action_names(&taunt.after),
        ["go(nowhere)", "go(crate)", "go(pipe)", "go(wall)", "draw"]
    );
    assert_eq!(spec.action_names(&taunt.before), ["attack"]);
    assert_eq!(taunt.condition, Some(spec.variable("gate", Relation::Is, "open")));
    assert_eq!((taunt.every, taunt.takes), (100, 5));
}

#[test]
fn goals_have_their_clauses_and_templates_share_them() {
    let spec = Named(spec());
    let goal = |name| spec.0.goal(spec.0.domain.map().find_goal(name).unwrap());
    let kill = goal("kill");
    assert_eq!((kill.margin, kill.keep, kill.cooldown, kill.urgent), (0.25, 20, 50, false));
    let alive = spec.pattern("character", &[spec.is(Attribute::Knowledge, "alive")]);
    assert_eq!(kill.relevance.len(), 4);
    assert_eq!(kill.relevance[0].measure, Measure::Of(Aspect::Sure(Attribute::Stimulus), alive));
    assert_eq!(kill.relevance[1].curve, [(0.0, 1.0), (10.0, 0.5), (30.0, 0.0)]);
    let armed = spec.variable("ammo", Relation::More, "0");
    assert_eq!(kill.relevance[2].measure, Measure::If(armed));
    assert_eq!(kill.relevance[3].measure, Measure::Number(0.9));
    assert!(goal("near(pipe)").urgent && goal("near(wall)").urgent);
    let near = goal("near(pipe)");
    assert_eq!((near.margin, near.keep, near.cooldown), (0.1, 0, 0));
    assert!(near.relevance.is_empty());
    let glad = goal("glad");
    assert_eq!(glad.relevance[0].measure, Measure::Of(Aspect::Age, spec.pattern("deed", &[])));
    assert_eq!(glad.relevance[1].measure, Measure::Of(Aspect::Count, spec.shared("deed")));
}

#[test]
fn actions_have_behaviours_durations_and_parameters() {
    let spec = Named(spec());
    let action = |name| spec.0.action(spec.0.domain.map().find_action(name).unwrap());
    let attack = action("attack");
    assert_eq!((attack.does, attack.takes), (spec.word("fire"), 15));
    assert_eq!(attack.template, spec.word("attack"));
    let go = action("go(pipe)");
    assert_eq!((go.does, go.template, go.takes), (spec.word("go"), spec.word("go"), 20));
    assert_eq!(go.parameters, [spec.word("pipe")]);
    assert_eq!((action("draw").takes, action("wait").takes), (0, 5));
    assert!(spec.0.words.find("quick").is_some(), "kinds are words too");
    for text in ["kill", "near(pipe)", "near", "guard", "child", "see"] {
        spec.word(text);
    }
}

#[test]
fn types_have_their_clauses_or_what_is_usual() {
    let spec = Named(spec());
    let (guard, child) = (&spec.0.npcs[0], &spec.0.npcs[1]);
    assert_eq!((guard.memory, guard.doubt, guard.retry), (12, (3, 70), 5));
    assert_eq!(spec.action_names(&[guard.otherwise.unwrap()]), ["wait"]);
    assert_eq!((child.memory, child.doubt, child.retry), (32, (2, 100), 10));
    assert_eq!(child.otherwise, None);
}

#[test]
fn a_type_has_only_sensors_that_it_has_use_for() {
    let spec = Named(spec());
    // Named but of no use: `deeds` feeds a check of another type. Of use through another sensor:
    // `doors`, since `see` runs while the door is open. Through a flavour: `gates`.
    assert_eq!(spec.sensors_of("guard"), ["see", "hear", "doors", "gates"]);
    // A child names no sensors: `see` and `doors` feed nothing it asks for.
    assert_eq!(spec.sensors_of("child"), ["hear", "deeds"]);
}

#[test]
fn what_is_asked_of_facts_is_known() {
    assert!(spec().asks_age && spec().asks_distance);
    let asks = |note: &str| {
        let text =
            format!("domain d\nvar x: a, b\naction go: x a -> b  if c\ngoal g: x = b{note}\n");
        let spec = read(&model(&text)).ok().unwrap();
        (spec.asks_age, spec.asks_distance)
    };
    assert_eq!(asks(""), (false, false));
    assert_eq!(asks("  relevance age of noise curve 0 1, 5 0"), (true, false));
    assert_eq!(asks("  relevance distance of noise curve 0 1, 5 0"), (false, true));
    assert_eq!(asks("\ncheck c: noise(age < 2)"), (true, false));
    assert_eq!(asks("\nsymbol x: a if noise(distance < 2)"), (false, true));
    assert_eq!(asks("\nsensor s: every 1 while not noise(age < 2)"), (true, false));
    assert_eq!(asks("\nprice go: 2 if count noise(distance < 2) > 1"), (false, true));
    assert_eq!(asks("\nlearn go: noise(age > 2)"), (true, false));
    assert_eq!(asks("\nflavour f: if noise(age > 2)"), (true, false));
    assert_eq!(asks("\nflavour f: if noise(radius > 2)"), (false, false));
}

#[test]
fn a_domain_without_notes_has_what_is_usual() {
    let text = "domain d\nvar x: a, b\naction go(y in x): x -> y\ngoal g: x = b\n";
    let model = model(text);
    let domain = Arc::new(PreparedDomain::new(&model));
    let of = Spec::of(Arc::clone(&domain), PACE);
    let read = read(&model).ok().unwrap();
    assert_eq!(of.actions, read.actions);
    assert_eq!((&of.goals, &of.npcs), (&read.goals, &read.npcs));
    assert_eq!((of.actions.len(), of.goals.len(), of.npcs.len()), (2, 1, 1));
    assert!(of.sensors.is_empty() && of.npcs[0].sensors.is_empty() && !of.asks_age);
    let texts = of.actions.iter().map(|action| of.words.text(action.parameters[0]));
    assert_eq!(texts.collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn the_same_text_gives_the_same_numbers() {
    let texts = |spec: &Spec| -> Vec<String> {
        (0..spec.words.len()).map(|at| spec.words.text(Word(at as u32)).to_string()).collect()
    };
    assert_eq!(texts(&spec()), texts(&spec()));
}
