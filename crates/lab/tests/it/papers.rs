//! `throng plan --planner papers/…`: the printed algorithms, their sheets, and what is said
//! where they are wrong.
//!
//! The pages in `tests/golden` are what the program prints; they are reviewed like code
//! (`UPDATE_GOLDEN=1` writes them anew).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use crate::golden::difference;
use serde_json::{Value, json};

/// The horse breeder of the paper that prints TopoPlan.
const SECOND: &str = "domains/papers/horse_breeder_001.npc";

/// P answers with an invalid plan, though there is a valid one of four actions.
const P_IS_WRONG: &str = "domain d
var x: 0..1
var y: 0..1
var z: 0..1
action a1: x 1 -> 0  while z = 1
action a2: x 0 -> 1
action a3: y 0 -> 1  while x = 1
action a4: z 0 -> 1  while x = 0
goal done: x = 0, y = 1, z = 1
npc n
    can a1, a2, a3, a4
    wants done
    starts x = 0, y = 0, z = 0
";

/// P answers with actions where there is no plan at all.
const P_INVENTS: &str = "domain d
var x: 0..1
var y: 0..1
var z: 0..1
action a1: x 1 -> 0  while y = 0
action a2: x 0 -> 1  while y = 1
action a3: y 1 -> 0  while x = 0
action a4: z 1 -> 0  while x = 1
npc n
    can a1, a2, a3, a4
    starts x = 0, y = 1, z = 1
";

/// Compares what the program prints with a reviewed page.
fn prints(page: &str, words: &[&str], code: i32) -> Said {
    let said = exits(words, code);
    let path = root().join("crates/lab/tests/golden").join(format!("{page}.txt"));
    assert_eq!(difference(&path, &said.out), None);
    said
}

/// Both instances that the paper works through in its appendices.
#[test]
fn topoplan_shows_every_step_of_the_papers_two_mornings() {
    let words = ["plan", SECOND, "--planner", "papers/topoplan", "--trace"];
    let said = prints("topoplan_empty_hands", &words, 0);
    let last = "horse_breeder → feed_horses: 6 actions, cost 6";
    assert_has(&said.out, &["Phase 3", "white a1 a4 a5, yellow a2 a3 a6 a7", last]);
    let words = [&words[..], &["haystack=in_hands"]].concat();
    let said = prints("topoplan_hay_in_hands", &words, 0);
    assert_has(&said.out, &["7 actions", "1. drop_haystack", "7. fill_horse_feeder"]);
}

#[test]
fn without_a_trace_there_is_the_plan_alone() {
    let printed = exits(&["plan", SECOND, "--planner", "papers/topoplan"], 0);
    assert_eq!(printed.out, exits(&["plan", SECOND], 0).out);
    let fed = ["plan", SECOND, "haystack=in_feeder", "water=in_trough", "--goal", "feed_horses"];
    let fed = exits(&[&fed[..], &["--planner", "papers/p"]].concat(), 0);
    assert_has(&fed.out, &["holds already, nothing to do"]);
}

#[test]
fn topoplan_refuses_a_morning_and_the_exact_planner_knows_better() {
    let words = ["plan", HORSES, "haystack=in_hands", "--planner", "papers/topoplan"];
    let said = prints("topoplan_refuses", &[&words[..], &["--trace"]].concat(), 1);
    let short = exits(&words, 1);
    assert!(said.out.ends_with(&short.out), "the same verdict below the sheet");
    assert_eq!(
        short.out,
        "horse_breeder → feed_horses: the printed algorithm finds no plan\n  \
         line 2.4: the orders go round in a circle through `haystack = stored`\n  \
         the exact planner has a plan: 7 actions, cost 7\n"
    );
    assert_eq!(short.err, "");
    let answer = exits(&[&words[..], &["--json"]].concat(), 1).json();
    assert_eq!(answer["outcome"], "impossible");
    assert_eq!((&answer["plan"], &answer["cost"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["reason"]["code"], "printed_refusal");
    let printed = json!({"plan": null, "valid": null, "failed_step": null,
        "failed_line": "2.4", "exact": "plan"});
    assert_eq!(answer["printed"], printed);
}

#[test]
fn a_refusal_that_is_right_is_said_to_be() {
    let words = ["plan", HORSES, "haystack=in_feeder", "--planner", "papers/p"];
    let said = exits(&words, 1);
    assert_has(&said.out, &["finds no plan\n", "line 1.10:", "the exact planner agrees: `water"]);
    let answer = exits(&[&words[..], &["--json"]].concat(), 1).json();
    assert_eq!(answer["printed"]["exact"], "impossible");
}

#[test]
fn a_plan_of_p_that_does_not_replay_is_no_plan() {
    let folder = Folder::new();
    let file = folder.write("d.npc", P_IS_WRONG);
    let words = ["plan", &file, "--planner", "papers/p"];
    let said = prints("p_is_wrong", &words, 1);
    let parts = [
        "the printed algorithm answers with these 4 actions, but step ",
        ": not a plan\n  1. ",
        "\n  the exact planner has a plan: 4 actions, cost 4\n",
    ];
    assert_has(&said.out, &parts);
    let answer = exits(&[&words[..], &["--json"]].concat(), 1).json();
    assert_eq!((&answer["outcome"], &answer["plan"]), (&"impossible".into(), &Value::Null));
    assert_eq!(answer["reason"]["code"], "printed_invalid");
    let printed = &answer["printed"];
    assert_eq!((&printed["valid"], &printed["exact"]), (&false.into(), &"plan".into()));
    // The step is the one that the independent replay names.
    let names: Vec<&str> =
        printed["plan"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let judged = exits(&["validate", &file, "--plan", &names.join(","), "--json"], 1).json();
    assert_eq!(judged["failed_step"], printed["failed_step"]);
    assert!(judged["failed_step"].is_u64());
}

#[test]
fn a_plan_of_p_where_there_is_none_is_no_plan() {
    let folder = Folder::new();
    let file = folder.write("d.npc", P_INVENTS);
    let words = ["plan", &file, "--to", "x=0,y=0,z=0", "--planner", "papers/p"];
    let parts = ["not a plan\n", "the exact planner proves that there is no plan: "];
    assert_has(&exits(&words, 1).out, &parts);
    let answer = exits(&[&words[..], &["--json"]].concat(), 1).json();
    assert_eq!(answer["printed"]["exact"], "impossible");
    assert_eq!(answer["goal"], Value::Null);
}

#[test]
fn a_valid_answer_has_the_keys_of_every_plan_and_the_sheet_if_wanted() {
    let words = ["plan", SECOND, "--planner", "papers/topoplan", "--json"];
    let answer = exits(&words, 0).json();
    let keys = ["id", "outcome", "plan", "cost", "planner", "reason", "nodes", "goal", "printed"];
    assert_keys(&answer, &keys);
    assert_eq!((&answer["outcome"], &answer["cost"]), (&"plan".into(), &6.into()));
    assert_eq!(answer["planner"], "papers/topoplan");
    assert_eq!(answer["plan"], answer["printed"]["plan"]);
    assert_eq!(answer["printed"]["valid"], true);
    assert_eq!(answer["printed"].get("trace"), None);
    let traced = exits(&[&words[..], &["--trace"]].concat(), 0).json();
    assert_eq!(traced["printed"]["trace"][0], "TopoPlan");
}

#[test]
fn what_the_papers_cannot_take_is_refused_in_a_sentence() {
    let folder = Folder::new();
    let partial = ["plan", HORSES, "--to", "water=in_trough", "--planner", "papers/p"];
    let whole = ["plan", SECOND, "--planner", "papers/backstrom"];
    let unknown = folder.write("u.npc", P_INVENTS.replace("starts x = 0, ", "starts "));
    let unknown = ["plan", &unknown, "--to", "x=0,y=0,z=0", "--planner", "papers/topoplan"];
    let text = P_INVENTS.replace("action a2: x 0 -> 1", "action a2: x 0 -> 1, z 0 -> 1");
    let two = folder.write("t.npc", text);
    let two = ["plan", &two, "--to", "x=0,y=0,z=0", "--planner", "papers/topoplan-without-ghosts"];
    let refused: [(&[&str], &str); 4] = [
        (&partial, "`haystack` has no goal value; the papers want one for each"),
        (&whole, "two values of `bucket` are needed"),
        (&unknown, "`x` starts unknown"),
        (&two, "`a2` changes more than one variable"),
    ];
    for (words, why) in refused {
        let name = words.last().unwrap();
        refuses(words, &[&format!("`{name}` cannot take this question: {why}")]);
        let answer = exits(&[words, &["--json"]].concat(), 2).json();
        assert_eq!(answer["outcome"], "error");
        assert_eq!(answer["reason"]["code"], "not_for_this_planner");
    }
}

#[test]
fn only_plan_asks_the_printed_algorithms() {
    let words = ["why", HORSES, "--planner", "papers/topoplan"];
    refuses(&words, &["as printed", "`throng plan --planner papers/topoplan`", "`why`"]);
    let line = format!(
        "{{\"file\": \"{HORSES}\", \"goal\": \"feed_horses\", \"planner\": \"papers/p\"}}\n"
    );
    let said = throng_reads(&["solve"], line.as_bytes());
    let answer = said.json();
    assert_eq!(answer["reason"]["code"], "not_for_this_planner");
    assert_has(answer["reason"]["text"].as_str().unwrap(), &["`throng plan --planner papers/p`"]);
    let known = "[possible values: auto, topological, goap, forward, papers/p, papers/topoplan, \
                 papers/topoplan-without-ghosts, papers/backstrom]";
    let tip = "a similar value exists: 'papers/topoplan'";
    refuses(&["plan", HORSES, "--planner", "papers/topplan"], &[tip, known]);
}
