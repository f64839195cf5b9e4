//! Amounts are replayed as numbers: sets, comparisons, shifts that are refused or stop.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use throng_check::{CheckContext, Question, QuestionError, Verdict, Wanted, replay};
use throng_domain::formats::no_includes;
use throng_domain::{Format, Limits, Model, Relation, load};

const SMITHY: &str = r#"{"throng": 1, "domain": "smithy",
 "variables": [
  {"name": "ore", "range": [0, 9]}, {"name": "ingot", "range": [0, 64]},
  {"name": "hp", "range": [-10, 100]}, {"name": "mood", "range": [-3, 3]},
  {"name": "gold", "range": [0, 50]}, {"name": "price", "range": [20, 40]},
  {"name": "pick", "values": ["none", "wood", "stone", "iron"]}],
 "actions": [
  {"name": "mine", "ranges": {"pick": ["wood", "iron"]}, "shifts": {"ore": 2}},
  {"name": "smelt", "shifts": {"ore": -1, "ingot": 1}},
  {"name": "bulk", "ranges": {"ore": [[5, 9]]}, "shifts": {"ore": -3, "ingot": 3}, "cost": 2.5},
  {"name": "haul", "ranges": {"ore": [[5, 9]]}, "shifts": {"ore": 1}},
  {"name": "heal", "shifts": {"hp": {"add": 10, "up_to": 50}}},
  {"name": "fall", "shifts": {"hp": {"add": -30, "down_to": 0}}},
  {"name": "cheer", "ranges": {"mood": [[-3, -2], [0, 1], 3]}, "sets": {"mood": 3}},
  {"name": "buy", "compare": [["gold", ">=", "price"]], "sets": {"pick": "iron", "gold": 0}},
  {"name": "rest", "sets": {"hp": 7}}],
 "npcs": [{"name": "smith", "can": ["mine", "smelt", "bulk", "haul", "heal", "fall", "cheer", "buy", "rest"],
           "starts": {"ore": 0, "ingot": 62, "hp": 45, "mood": -1, "gold": 30, "price": 30,
                      "pick": "stone"}}]}"#;

fn model() -> Model {
    let loaded =
        load("smithy.json", SMITHY, Format::Json, &Limits::default(), &[], &mut no_includes);
    loaded.model.unwrap()
}

fn pairs(facts: &str) -> Vec<(String, String)> {
    let split = |fact: &str| fact.split_once('=').map(|(a, b)| (a.to_string(), b.to_string()));
    facts.split_whitespace().filter_map(split).collect()
}

fn judged(from: &str, unknown: &str, wants: &[Wanted], plan: &str) -> String {
    let from = pairs(from);
    let unknown: Vec<String> = unknown.split_whitespace().map(str::to_string).collect();
    let context = CheckContext::Without(&[]);
    let question =
        Question { npc: "smith", from: &from, unknown: &unknown, to: &[], wants, context };
    let plan: Vec<&str> = plan.split_whitespace().collect();
    match replay(&model(), &question, &plan) {
        Ok(Verdict::Valid { cost }) => format!("cost {cost}"),
        Ok(Verdict::Invalid(failure)) => failure.to_string(),
        Err(bad) => bad.to_string(),
    }
}

fn within(variable: &str, runs: &[(i64, i64)]) -> Wanted {
    Wanted::Within { variable: variable.to_string(), runs: runs.to_vec() }
}

fn is(variable: &str, value: &str) -> Wanted {
    Wanted::OneOf { variable: variable.to_string(), values: vec![value.to_string()] }
}

/// The value that a plan leaves, found by asking for it.
fn leaves(from: &str, plan: &str, variable: &str, value: &str) {
    assert_eq!(
        judged(from, "", &[is(variable, value)], plan),
        format!("cost {}", plan.split_whitespace().count()),
        "{plan} from {from}"
    );
}

#[test]
fn a_shift_that_would_leave_the_range_is_refused() {
    let words = "step 3, smelt: would make ingot 65; it ends at 64";
    assert_eq!(judged("ore=9", "", &[], "smelt smelt smelt"), words);
    assert_eq!(judged("", "", &[], "smelt"), "step 1, smelt: would make ore -1; it begins at 0");
    leaves("ore=2", "smelt smelt", "ingot", "64");
}

#[test]
fn what_is_asked_beyond_the_range_is_said_as_written() {
    assert_eq!(judged("ore=4", "", &[], "bulk"), "step 1, bulk: needs ore >= 5; it is 4");
    assert_eq!(judged("ore=2", "", &[], "bulk"), "step 1, bulk: needs ore >= 5; it is 2");
    assert_eq!(
        judged("ore=4", "", &[], "haul"),
        "step 1, haul: needs ore >= 5 and ore <= 8; it is 4"
    );
    assert_eq!(judged("ore=9", "", &[], "haul"), "step 1, haul: would make ore 10; it ends at 9");
    let words = "step 1, bulk: would make ingot 65; it ends at 64";
    assert_eq!(judged("ore=7", "", &[], "bulk"), words);
    assert_eq!(judged("ore=7 ingot=61", "", &[is("ore", "4")], "bulk"), "cost 2.5");
    let words =
        "step 1, cheer: needs mood <= -2 or (mood >= 0 and mood <= 1) or mood = 3; it is -1";
    assert_eq!(judged("", "", &[], "cheer"), words);
    for (mood, fits) in [(-3, true), (-2, true), (-1, false), (0, true), (1, true), (2, false)] {
        let told = judged(&format!("mood={mood}"), "", &[is("mood", "3")], "cheer");
        assert_eq!(told == "cost 1", fits, "{mood}: {told}");
    }
    let words = "step 1, mine: needs pick = wood or pick = iron; it is stone";
    assert_eq!(judged("", "", &[], "mine"), words);
    leaves("pick=iron", "mine", "ore", "2");
}

#[test]
fn a_shift_stops_and_never_goes_back() {
    leaves("hp=45", "heal", "hp", "50");
    leaves("hp=30", "heal", "hp", "40");
    leaves("hp=50", "heal", "hp", "50");
    leaves("hp=70", "heal", "hp", "70");
    leaves("hp=-10", "heal", "hp", "0");
    leaves("hp=100", "fall", "hp", "70");
    leaves("hp=20", "fall", "hp", "0");
    leaves("hp=0", "fall", "hp", "0");
    leaves("hp=-5", "fall", "hp", "-5");
}

#[test]
fn nothing_counts_from_the_unknown_and_setting_makes_it_known() {
    let words = "step 1, heal: needs hp to be known; it is unknown";
    assert_eq!(judged("", "hp", &[], "heal"), words);
    let words = "step 1, smelt: needs ore to be known; it is unknown";
    assert_eq!(judged("", "ore", &[], "smelt"), words);
    let words = "step 1, bulk: needs ore >= 5; it is unknown";
    assert_eq!(judged("", "ore", &[], "bulk"), words);
    assert_eq!(judged("", "hp", &[is("hp", "17")], "rest heal"), "cost 2");
    let words = "at the end there should be hp >= -10; it is unknown";
    assert_eq!(judged("", "hp", &[within("hp", &[(-10, 100)])], ""), words);
}

#[test]
fn two_amounts_compare_by_what_they_are_not_by_where_they_begin() {
    assert_eq!(judged("", "", &[is("pick", "iron")], "buy"), "cost 1");
    let words = "step 1, buy: needs gold >= price; it is 29";
    assert_eq!(judged("gold=29", "", &[], "buy"), words);
    let words = "step 1, buy: needs gold >= price; price is unknown";
    assert_eq!(judged("", "price", &[], "buy"), words);
    for (relation, holds) in [
        (Relation::Is, true),
        (Relation::IsNot, false),
        (Relation::Less, false),
        (Relation::AtMost, true),
        (Relation::More, false),
        (Relation::AtLeast, true),
    ] {
        let (variable, other) = ("gold".to_string(), "price".to_string());
        let told = judged("", "", &[Wanted::Compared { variable, relation, other }], "");
        let words = format!("at the end there should be gold {} price; it is 30", relation.sign());
        assert_eq!(told, if holds { "cost 0" } else { &words }.to_string());
    }
}

#[test]
fn wishes_for_several_values_are_judged() {
    for (runs, words) in [
        (&[(45, 45)][..], "cost 0"),
        (&[(-10, 44)], "at the end there should be hp <= 44; it is 45"),
        (&[(46, 100)], "at the end there should be hp >= 46; it is 45"),
        (&[(-10, 44), (46, 100)], "at the end there should be hp != 45; it is 45"),
        (
            &[(0, 3), (50, 60)],
            "at the end there should be (hp >= 0 and hp <= 3) or \
          (hp >= 50 and hp <= 60); it is 45",
        ),
        (&[], "at the end there should be hp is never; it is 45"),
        (&[(i64::MIN, i64::MAX)], "cost 0"),
    ] {
        assert_eq!(judged("", "", &[within("hp", runs)], ""), words);
    }
    let one_of = |values: &[&str]| Wanted::OneOf {
        variable: "pick".to_string(),
        values: values.iter().map(|value| value.to_string()).collect(),
    };
    assert_eq!(judged("", "", &[one_of(&["stone", "iron"])], ""), "cost 0");
    let words = "at the end there should be pick != stone; it is stone";
    assert_eq!(judged("", "", &[one_of(&["none", "wood", "iron"])], ""), words);
}

#[test]
fn questions_that_mean_nothing_are_refused() {
    assert_eq!(judged("hp=101", "", &[], ""), "`hp` has no value `101`");
    assert_eq!(judged("hp=007", "", &[], ""), "`hp` has no value `007`");
    assert_eq!(judged("", "hpp", &[], ""), "unknown variable `hpp`; did you mean `hp`?");
    let words = "`pick` is no amount: its values have no size";
    assert_eq!(judged("", "", &[within("pick", &[(0, 1)])], ""), words);
    let wants = [is("hp", "200")];
    let question = Question { npc: "smith", wants: &wants, ..Question::default() };
    let bad = replay(&model(), &question, &["rest"]).unwrap_err();
    assert!(matches!(bad, QuestionError::UnknownValue { .. }));
}
