//! Slots of selects as values: what a file with them becomes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use throng_domain::formats::{Loaded, json, npc};
use throng_domain::model::{Expect, Model};
use throng_domain::notes::{Keyword, NoteWords, Role};
use throng_domain::{Code, CompiledDomain, Format, Limits, load};

static WORDS: NoteWords = NoteWords {
    statements: &[
        Keyword::new("select", "select cover: best 3 of spot").with(Role::Selects),
        Keyword::new("symbol", "symbol at: here if danger").with(Role::SetsVariable),
        Keyword::new("check", "check near: danger").with(Role::AnswersCheck),
    ],
    action_clauses: &[Keyword::new("does", "does kick")],
    goal_clauses: &[],
    npc_clauses: &[],
};

const FIGHT: &str = "domain fight
select target: one of character
select cover: best 3 of spot
select prop: best 2 of need
var place: elsewhere, any cover, any prop, any target
var threat: alive, dead
var duty: none, cover, target
var ready(p in prop): bool
symbol ready(p in prop): true if need, false
check way_to(spot in place): not path
action goto(spot in place except elsewhere, target): place -> spot  if way_to(spot)
action attack(spot in cover): threat alive -> dead  while place = spot
action use(p in prop): ready(p) false -> true  while place = p  kinds push if not watched(p), pull
action obey(d in duty): duty -> none  while duty = d, place != cover, place != target
action rest: duty none -> cover  while place = cover
goal hide: place = cover
goal both: ready(prop.1) = true, ready(prop.2) = true
test hides
    from place = elsewhere
    goal hide
    only way_to(cover.2)
    expect plan goto(cover.2)
";

fn loaded(text: &str) -> Loaded {
    let mut none = |_: &str| Err("no such file".to_string());
    load("test.npc", text, Format::Npc, &Limits::default(), &[&WORDS], &mut none)
}

fn model(text: &str) -> Model {
    let loaded = loaded(text);
    let told: Vec<String> = loaded
        .report
        .diagnostics()
        .iter()
        .map(|d| format!("{} {}", d.short(&loaded.sources), d.text))
        .collect();
    loaded.model.unwrap_or_else(|| panic!("{}", told.join("\n")))
}

fn codes(text: &str) -> Vec<Code> {
    loaded(text).report.diagnostics().iter().map(|d| d.code).collect()
}

fn names(model: &Model, of: &str) -> Vec<String> {
    let all = model.actions().iter().map(|action| action.name().to_string());
    all.filter(|name| name.starts_with(of)).collect()
}

#[test]
fn slots_are_values_parameters_and_what_variables_and_checks_are_about() {
    let model = model(FIGHT);
    let place = model.find_variable("place").unwrap();
    let values = ["elsewhere", "cover.1", "cover.2", "cover.3", "prop.1", "prop.2", "target"];
    assert_eq!(model[place].values()[..], values);
    assert_eq!(
        names(&model, "goto"),
        ["goto(cover.1)", "goto(cover.2)", "goto(cover.3)", "goto(prop.1)", "goto(prop.2)"]
    );
    assert_eq!(names(&model, "attack").len(), 3);
    assert_eq!(names(&model, "use"), ["use(prop.1)", "use(prop.2)"]);
    let compiled = CompiledDomain::new(&model);
    let map = compiled.map();
    let ready = map.find_variable("ready(prop.2)").unwrap();
    assert_eq!(map.variable_slot(ready), map.find_slot("prop.2"));
    let check = map.find_check("way_to(cover.3)").unwrap();
    assert_eq!(map.check_slots(check), [(0, map.find_slot("cover.3").unwrap())]);
    assert!(map.find_check("watched(prop.1)").is_some());
    let goto = map.find_action("goto(cover.2)").unwrap();
    assert_eq!(map.parameter_slots(goto), [(0, map.find_slot("cover.2").unwrap())]);
    assert_eq!(map.named_slots(goto), [map.find_slot("cover.2").unwrap()]);
    for (at, name) in values.iter().enumerate() {
        let value = map.find_value(place, name).unwrap();
        let slot = map.value_slot(place, value);
        assert_eq!(slot, map.find_slot(name), "{at}");
        assert_eq!(slot.and_then(|slot| map.slot_value(place, slot)), slot.map(|_| value));
    }
    let cover = map.find_select("cover").unwrap();
    assert_eq!(map.slots_of(cover).len(), 3);
    assert!(map.slots_of(cover).all(|slot| map.select_of(slot) == Some(cover)));
}

#[test]
fn a_plain_word_is_no_slot_even_if_it_is_called_like_one() {
    let model = model(FIGHT);
    let map = CompiledDomain::new(&model);
    let map = map.map();
    let duty = map.find_variable("duty").unwrap();
    let target = map.find_value(duty, "target").unwrap();
    assert_eq!(map.value_slot(duty, target), None);
    let obey = map.action_names().filter(|name| name.starts_with("obey(target"));
    let obey: Vec<_> = obey.map(|name| map.find_action(name).unwrap()).collect();
    assert!(!obey.is_empty());
    assert!(obey.iter().all(|&action| map.parameter_slots(action).iter().all(|(at, _)| *at > 0)));
}

#[test]
fn a_group_means_one_of_its_slots_and_its_denial_none_of_them() {
    let model = model(FIGHT);
    let goals: Vec<&str> = model.goals().iter().map(|goal| goal.name()).collect();
    assert_eq!(goals, ["hide(cover.1)", "hide(cover.2)", "hide(cover.3)", "both"]);
    assert!(model.goals()[..3].iter().all(|goal| goal.serves() == Some("hide")));
    assert_eq!(names(&model, "rest"), ["rest(cover.1)", "rest(cover.2)", "rest(cover.3)"]);
    assert_eq!(names(&model, "obey(cover").len(), 3, "elsewhere and two props");
    let test = &model.tests()[0];
    assert!(matches!(&test.expects()[0].0, Expect::Plan(plan) if plan == &["goto(cover.2)"]));
}

#[test]
fn what_is_written_reads_back_the_same() {
    let model = model(FIGHT);
    let text = npc::write(&model).unwrap();
    let again = self::model(&text);
    let bytes = CompiledDomain::canonical_bytes;
    assert_eq!(bytes(&model), bytes(&again), "{text}");
    assert_eq!(npc::write(&again).unwrap(), text);
    let twin = json::write(&model);
    let sources = load("t.json", &twin, Format::Json, &Limits::default(), &[&WORDS], &mut |_| {
        Err(String::new())
    });
    let told: Vec<_> = sources.report.diagnostics().iter().map(|d| d.text.clone()).collect();
    let from_twin = sources.model.unwrap_or_else(|| panic!("{told:?}\n{twin}"));
    assert_eq!(bytes(&model), bytes(&from_twin), "{twin}");
    assert_eq!(json::write(&from_twin), twin);
    assert_eq!(npc::write(&from_twin).unwrap(), text);
    let laid_out = npc::format(FIGHT, &[&WORDS]).unwrap();
    assert_eq!(bytes(&self::model(&laid_out)), bytes(&model));
}

/// Two selects, in the words of a tool: the parts that may come in any order.
fn twin(any: &str, notes: &str) -> Loaded {
    let text = format!(
        r#"{{"throng": 1, "domain": "fight",
            "selects": [{{"name": "target", "slots": 1}}, {{"name": "cover", "slots": 2}}],
            "variables": [{{"name": "place", "any": [{any}],
                "values": ["elsewhere", "cover.1", "cover.2", "target"]}}],
            "actions": [{{"name": "goto(cover.1)", "sets": {{"place": "cover.1"}}}}],
            "notes": [{notes}]}}"#
    );
    let mut none = |_: &str| Err("no such file".to_string());
    load("test.json", &text, Format::Json, &Limits::default(), &[&WORDS], &mut none)
}

#[test]
fn whatever_order_a_tool_tells_selects_in_the_text_has_that_of_their_list() {
    let target = r#"{"text": "select target: one of character"}"#;
    let cover = r#"{"text": "select cover: best 2 of spot"}"#;
    let symbol = r#"{"text": "symbol place: elsewhere if danger"}"#;
    let reversed = [cover, symbol, target].join(", ");
    for notes in ["", target, cover, &reversed] {
        for any in [r#""cover", "target""#, r#""target", "cover""#] {
            let first = twin(any, notes).model.unwrap();
            let text = npc::write(&first).unwrap();
            let again = model(&text);
            let bytes = CompiledDomain::canonical_bytes;
            assert_eq!(bytes(&first), bytes(&again), "{text}");
            assert_eq!(json::write(&first), json::write(&again), "{text}");
        }
    }
    let twice = twin(r#""cover", "target", "cover""#, "");
    let codes: Vec<Code> = twice.report.diagnostics().iter().map(|it| it.code).collect();
    assert_eq!(codes, [Code::ListedTwice]);
}

#[test]
fn where_checks_are_declared_one_called_like_a_variable_is_told_in_both_twins() {
    let of = |loaded: Loaded| -> Vec<Code> {
        let told = loaded.report.diagnostics().iter().map(|it| it.code);
        told.filter(|code| code.id().starts_with('E')).collect()
    };
    let text = "domain d\nvar prey: alive, dead\ncheck near: danger\n\
                action lunge: prey alive -> dead  if prey\n";
    assert_eq!(of(loaded(text)), [Code::CheckOrVariable]);
    let twin = r#"{"throng": 1, "domain": "d",
        "variables": [{"name": "prey", "values": ["alive", "dead"]}],
        "actions": [{"name": "lunge", "requires": {"prey": "alive"}, "sets": {"prey": "dead"},
            "if": ["prey"]}],
        "notes": [{"text": "check near: danger"}]}"#;
    let mut none = |_: &str| Err("no such file".to_string());
    let limits = Limits::default();
    let twin = load("test.json", twin, Format::Json, &limits, &[&WORDS], &mut none);
    assert_eq!(of(twin), [Code::CheckOrVariable]);
}

#[test]
fn what_cannot_be_is_told_once() {
    let with = |line: &str| codes(&format!("{FIGHT}{line}\n"));
    assert_eq!(codes(FIGHT), []);
    assert_eq!(with("var x: a, any coverr"), [Code::NoteUnknown]);
    assert_eq!(with("var x: cover, any cover"), [Code::SelectName]);
    assert_eq!(with("var prop: a, b"), [Code::SelectName]);
    assert_eq!(with("var seen(d in duty): bool"), [Code::SelectName]);
    assert_eq!(with("var seen(d in duty except target): bool"), [Code::UnusedVariable]);
    assert_eq!(with("action a(s in place except nowhere): place -> s"), [Code::UnknownValue]);
    assert_eq!(with("action a(s in place): place -> s"), [Code::WordBesideSlots]);
    assert_eq!(with("action a(s in plaze): threat -> dead"), [Code::UnknownVariable]);
    assert_eq!(with("action a: threat -> dead  while ready = true"), [Code::UnknownVariable]);
    assert_eq!(with("action a: threat -> dead  while ready(x) = true"), [Code::UnknownVariable]);
    assert_eq!(with("action a: place -> cover"), [Code::UnknownValue]);
    assert_eq!(with("action a(s in place): ready(s) -> true  while place = s"), []);
    assert_eq!(with("var ready: bool"), [Code::VariableTwice]);
}
