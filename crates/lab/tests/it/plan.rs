//! `throng plan` and `throng why`: a plan with its goal, or the reason, in words and as JSON.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use serde_json::Value;

const ANSWER: [&str; 8] = ["id", "outcome", "plan", "cost", "planner", "reason", "nodes", "goal"];

#[test]
fn the_horses_are_fed_in_six_steps_and_the_goal_is_named() {
    let said = exits(&["plan", HORSES], 0);
    assert_eq!(
        said.out,
        "horse_breeder → feed_horses: 6 actions, cost 6\n  \
         1. pick_up_bucket\n  2. fill_bucket\n  3. fill_trough\n  4. drop_bucket\n  \
         5. take_haystack\n  6. fill_feeder\n"
    );
    assert_eq!(said.err, "");
}

#[test]
fn a_plan_is_the_same_from_standard_input_and_from_json() {
    let folder = Folder::new();
    let twin = folder.path("twin.json");
    exits(&["convert", HORSES, &twin], 0);
    let said = exits(&["plan", HORSES], 0);
    assert_eq!(exits(&["plan", &twin], 0).out, said.out);
    let text = std::fs::read(root().join(HORSES)).unwrap();
    assert_eq!(throng_reads(&["plan", "-"], &text).out, said.out);
    let text = std::fs::read(&twin).unwrap();
    assert_eq!(throng_reads(&["plan", "-", "--format", "json"], &text).out, said.out);
}

#[test]
fn json_tells_the_plan_its_cost_and_its_goal() {
    let said = exits(&["plan", HORSES, "--json"], 0);
    let answer = said.json();
    assert_keys(&answer, &ANSWER);
    assert_eq!(answer["id"], Value::Null);
    assert_eq!(answer["outcome"], "plan");
    let morning = [
        "pick_up_bucket",
        "fill_bucket",
        "fill_trough",
        "drop_bucket",
        "take_haystack",
        "fill_feeder",
    ];
    assert_eq!(answer["plan"], serde_json::json!(morning));
    assert_eq!(answer["cost"], 6);
    assert!(answer["planner"].is_string());
    assert_eq!(answer["reason"], Value::Null);
    assert!(answer["nodes"].is_u64());
    assert_eq!(answer["goal"], "feed_horses");
    assert_eq!(said.err, "");
}

#[test]
fn json_has_the_same_keys_whatever_comes_out() {
    let fed = exits(&["plan", HORSES, "haystack=in_feeder", "water=in_trough", "--json"], 0).json();
    assert_keys(&fed, &ANSWER);
    assert_eq!((&fed["outcome"], &fed["cost"]), (&"satisfied".into(), &0.into()));
    assert_eq!(fed["plan"], serde_json::json!([]));

    let stuck = exits(&["plan", HORSES, "haystack=in_feeder", "--json"], 1).json();
    let search = ["plan", HORSES, "--planner", "forward", "--max-nodes", "1", "--json"];
    let limited = exits(&search, 3).json();
    for (answer, outcome) in [(&stuck, "impossible"), (&limited, "gave_up")] {
        assert_keys(answer, &ANSWER);
        assert_eq!(answer["outcome"], outcome);
        assert_eq!((&answer["plan"], &answer["cost"]), (&Value::Null, &Value::Null));
        assert_keys(&answer["reason"], &["code", "text"]);
        assert!(answer["reason"]["code"].is_string() && answer["reason"]["text"].is_string());
    }
}

#[test]
fn fractions_of_costs_stay_exact() {
    let folder = Folder::new();
    let text = STABLE.replace("cost 2", "cost 0.125");
    let file = folder.write("stable.npc", text);
    let answer = exits(&["plan", &file, "--json"], 0).json();
    assert_eq!(answer["cost"], 5.125);
    assert_has(&exits(&["plan", &file], 0).out, &["cost 5.125", "cost 0.125"]);
}

#[test]
fn an_impossible_goal_names_the_value_nobody_can_establish() {
    let said = exits(&["plan", HORSES, "haystack=in_feeder"], 1);
    let parts = ["impossible", "`water = in_trough`", "`haystack` is `in_feeder`"];
    assert_has(&said.out, &parts);
    assert_eq!(said.err, "");
    let folder = Folder::new();
    let file = folder.write("d.npc", format!("{STABLE}var moon: new, full\n"));
    let said = exits(&["plan", &file, "moon=new", "--to", "moon=full"], 1);
    assert_has(&said.out, &["`moon = full` cannot be reached", "only the world can"]);
}

#[test]
fn a_value_that_was_never_told_is_named_as_the_reason() {
    let folder = Folder::new();
    let file = folder.write("d.npc", format!("{STABLE}var moon: new, full\n"));
    let said = exits(&["plan", &file, "--to", "moon=full"], 1);
    assert_has(&said.out, &["`moon` is unknown", "`moon="]);
    let answer = exits(&["plan", &file, "--to", "moon=full", "--json"], 1).json();
    assert_eq!(answer["reason"]["code"], "unknown_start");
}

#[test]
fn a_typo_names_the_nearest_name() {
    refuses(&["plan", HORSES, "haystack=in_feedr"], &["in_feedr", "did you mean `in_feeder`?"]);
    let parts = ["cannot read", "did you mean", "horse_breeder_000.npc"];
    refuses(&["plan", "domains/papers/horse_breeder_000"], &parts);
}

#[test]
fn a_number_out_of_range_names_the_range() {
    let folder = Folder::new();
    let text = "domain d\nvar ammo: 0..6\nvar size: 1, 5, 10\naction load: ammo += 1\n\
                action grow: size 1 -> 5\n";
    let file = folder.write("d.npc", text);
    let parts = ["`ammo` is 0..6, so it is never 7\n"];
    refuses(&["plan", &file, "ammo=7", "--to", "ammo=1"], &parts);
    refuses(&["plan", &file, "--to", "size=50"], &["`50` of `size`; known are: 1, 5, 10\n"]);
    let wrong = folder.write("w.npc", format!("{text}goal full: ammo = 16\n"));
    let said = exits(&["check", "--format", "short", &wrong], 2);
    assert_has(&said.out, &["`ammo` is 0..6, so it is never 16; help: write `6`, "]);
}

#[test]
fn the_name_of_a_template_lists_the_goals_made_of_it() {
    let folder = Folder::new();
    let text = "domain d\nvar at: 1..15\naction go(n in at): at -> n\n\
                goal cover(n in at): at = n\ngoal covers: at = 3\n";
    let file = folder.write("d.npc", text);
    let parts = [
        "`cover` is a template of goals; name one of them: cover(1), cover(2), ",
        "cover(12), … and 3 more\n",
    ];
    refuses(&["plan", &file, "--goal", "cover"], &parts);
    refuses(&["plan", &file, "--goal", "coverz"], &["`coverz`; did you mean `covers`?"]);
}

#[test]
fn values_on_the_command_line_replace_those_of_the_file() {
    let said = exits(&["plan", HORSES, "bucket=in_hands"], 0);
    assert_has(&said.out, &["5 actions", "1. fill_bucket"]);
    // The order of words is free.
    let said = exits(&["plan", HORSES, "bucket=in_hands", "horse_breeder", "water=in_trough"], 0);
    assert_has(&said.out, &["3 actions", "1. drop_bucket"]);
}

#[test]
fn wanted_values_can_be_written_with_blanks() {
    let said = exits(&["plan", HORSES, "--to", "water = in_trough, bucket=on_floor"], 0);
    assert_has(&said.out, &["water = in_trough, bucket = on_floor: 4 actions"]);
}

#[test]
fn checks_can_be_denied_one_by_one_or_all_but_some() {
    let folder = Folder::new();
    let stable = folder.write("stable.npc", STABLE);
    exits(&["plan", &stable], 0);
    exits(&["plan", &stable, "--only", "trough_reachable"], 0);
    for denied in [["--without", "trough_reachable"], ["--only", ""]] {
        let said = exits(&["plan", &stable, denied[0], denied[1]], 1);
        assert_has(&said.out, &["the check `trough_reachable` is false"]);
    }
}

#[test]
fn the_most_important_goal_that_has_a_plan_is_chosen_and_named() {
    let folder = Folder::new();
    let text = "domain house\nvar lamp: off, on\nvar moon: new, full\n\
                action light: lamp off -> on\n\
                goal moonshine: moon = full\n    priority 9\n\
                goal lamplight: lamp = on\n    priority 3\n\
                npc owner\n    can light\n    wants lamplight, moonshine\n\
                \x20   starts lamp = off, moon = new\n";
    let file = folder.write("house.npc", text);
    assert_has(&exits(&["plan", &file], 0).out, &["owner → lamplight: 1 action,"]);
    assert_eq!(exits(&["plan", &file, "--json"], 0).json()["goal"], "lamplight");
    assert_has(&exits(&["plan", &file, "lamp=on"], 1).out, &["owner → moonshine: impossible"]);
    let said = exits(&["plan", &file, "lamp=on", "moon=full"], 0);
    assert_has(&said.out, &["every goal holds already"]);
}

#[test]
fn modes_choose_between_cheap_and_short() {
    let folder = Folder::new();
    let text = "domain d\nvar at: home, road, town\n\
                action fly:  at home -> town  cost 9\n\
                action walk: at home -> road\naction ride: at road -> town\n\
                npc hero\n    can fly, walk, ride\n    starts at = home\n";
    let file = folder.write("d.npc", text);
    let plan = |mode: &str| {
        let answer = exits(&["plan", &file, "--to", "at=town", "--mode", mode, "--json"], 0).json();
        (answer["plan"].as_array().unwrap().len(), answer["cost"].as_u64().unwrap())
    };
    assert_eq!(plan("cheapest"), (2, 2));
    assert_eq!(plan("shortest"), (1, 9));
    assert!([(2, 2), (1, 9)].contains(&plan("fast")));
}

#[test]
fn costs_on_the_command_line_replace_those_of_the_file() {
    let folder = Folder::new();
    let text = "domain d\nvar at: home, road, town\n\
                action fly:  at home -> town  cost 9\n\
                action walk: at home -> road\naction ride: at road -> town\n\
                action go(place in at): at -> place  cost 50\n\
                npc hero\n    can fly, walk, ride, go\n    starts at = home\n";
    let file = folder.write("d.npc", text);
    let cost = |costs: &str| {
        let words = ["plan", &file, "--to", "at=town", "--cost", costs, "--json"];
        let answer = exits(&words, 0).json();
        (answer["plan"][0].as_str().unwrap().to_string(), answer["cost"].as_f64().unwrap())
    };
    assert_eq!(cost(""), ("walk".into(), 2.0));
    assert_eq!(cost("walk=8.5"), ("fly".into(), 9.0));
    assert_eq!(cost("walk=8.5, fly = 10"), ("walk".into(), 9.5));
    assert_eq!(cost("go=0.001"), ("go(town)".into(), 0.001));
    assert_eq!(cost("go(road)=0.5"), ("go(road)".into(), 1.5));
    let why = exits(&["why", &file, "--to", "at=town", "--cost", "walk=3"], 0);
    assert_has(&why.out, &["cost 4", "1. walk  (cost 3, 3 so far)", "2. ride  (cost 1, 4 so far)"]);
    let words = ["validate", &file, "--to", "at=town", "--cost", "walk=3", "--plan", "walk,ride"];
    assert_has(&exits(&words, 0).out, &["2 actions, cost 4"]);

    let refused = |costs: &str, parts: &[&str]| {
        refuses(&["plan", &file, "--to", "at=town", "--cost", costs], parts);
    };
    refused("wlak=1", &["did you mean `walk`?"]);
    refused("walk", &["`walk` is not of the form `action=cost`"]);
    refused("walk=0", &["`walk` cannot cost `0`", "above 0"]);
    refused("walk=-1", &["`walk` cannot cost `-1`", "a plain number above 0"]);
    refused("walk=cheap", &["`walk` cannot cost `cheap`"]);
    refused("walk=0.0001", &["three places"]);
    refused("walk=1000001", &["1000000 at most"]);
    refused("walk=1,walk=2", &["`walk` twice"]);
}

#[test]
fn trace_shows_every_change_and_stats_the_work() {
    let said = exits(&["plan", HORSES, "--planner", "forward", "--trace", "--stats"], 0);
    assert_has(
        &said.out,
        &[
            "from haystack = stored, bucket = on_floor, water = in_fountain",
            "1. pick_up_bucket  bucket: on_floor -> in_hands",
            "6. fill_feeder     haystack: in_hands -> in_feeder",
            "states expanded",
        ],
    );
}

#[test]
fn why_says_what_each_step_needs_and_enables() {
    let said = exits(&["why", HORSES], 0);
    assert_has(
        &said.out,
        &[
            "horse_breeder → feed_horses: 6 actions, cost 6",
            "1. pick_up_bucket",
            "true from the start",
            "for steps 2, 3 and 4",
            "set by step 1, pick_up_bucket",
            "wanted by the goal",
        ],
    );
    assert_eq!(said.err, "");
}

#[test]
fn why_as_json_links_the_steps() {
    let why = exits(&["why", HORSES, "--json"], 0).json();
    let keys = ["outcome", "goal", "cost", "steps", "runner_up", "runner_up_is_certain", "reason"];
    assert_keys(&why, &keys);
    assert_eq!((&why["runner_up"], &why["runner_up_is_certain"]), (&Value::Null, &true.into()));
    let steps = why["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 6);
    let keys = ["step", "action", "cost", "sum", "file", "line", "checks", "needs", "enables"];
    steps.iter().for_each(|step| assert_keys(step, &keys));
    assert_eq!(steps[1]["action"], "fill_bucket");
    assert_eq!(steps[1]["file"], HORSES);
    let hands = serde_json::json!({"fact": "bucket = in_hands", "from_step": 1});
    assert!(steps[1]["needs"].as_array().unwrap().contains(&hands));
    let goal = serde_json::json!({"fact": "haystack = in_feeder", "for_step": null});
    assert!(steps[5]["enables"].as_array().unwrap().contains(&goal));
    let stuck = exits(&["why", HORSES, "haystack=in_feeder", "--json"], 1).json();
    assert_eq!(stuck["outcome"], "impossible");
    assert_eq!(stuck["steps"], serde_json::json!([]));
}

#[test]
fn a_domain_without_npcs_plans_for_everybody() {
    let folder = Folder::new();
    let text = "domain d\nvar lamp: bool\naction light: lamp -> true\ngoal bright: lamp = true\n";
    let file = folder.write("d.npc", text);
    assert_has(&exits(&["plan", &file, "lamp=false"], 0).out, &["d → bright: 1 action"]);
    // From an unknown value, too: the action sets it from any.
    assert_has(&exits(&["plan", &file], 0).out, &["d → bright: 1 action"]);
}

#[test]
fn a_broken_file_shows_all_its_mistakes_on_the_message_stream() {
    let folder = Folder::new();
    let text = "domain d\nvar lamp: off, on\naction a: lamp of -> on\naction b: lmp off -> on\n";
    let file = folder.write("d.npc", text);
    let parts = ["error[E051]", "d.npc:3:16", "error[E050]", "d.npc:4:11", "2 errors", "help:"];
    refuses(&["plan", &file], &parts);
}

/// Whoever reads JSON gets an answer, shaped as that of `solve`; people still get the message.
#[test]
fn bad_input_is_an_answer_for_those_who_read_json() {
    let folder = Folder::new();
    let text = "domain d\nvar lamp: off, on\naction a: lamp of -> on\naction b: lmp off -> on\n";
    let broken = folder.write("d.npc", text);
    let missing = folder.path("none.npc");
    let cases: [(&[&str], &str, &[&str]); 5] = [
        (&[&broken], "bad_domain", &["d.npc:3:16: error[E051]", "d.npc:4:11: error[E050]"]),
        (&[&missing], "bad_domain", &["cannot read", "none.npc"]),
        (&[HORSES, "haystack=in_feedr"], "unknown_name", &["did you mean `in_feeder`?"]),
        (&[HORSES, "--mode", "chepest"], "unknown_name", &["did you mean `cheapest`?"]),
        (&[WESTERN], "bad_question", &["7 NPC types"]),
    ];
    for (words, code, parts) in cases {
        for command in ["plan", "why", "whynot"] {
            let said = exits(&[&[command], words, &["--json"]].concat(), 2);
            let answer = said.json();
            assert_keys(&answer, &ANSWER);
            assert_eq!((&answer["id"], &answer["outcome"]), (&Value::Null, &"error".into()));
            assert_eq!((&answer["plan"], &answer["nodes"]), (&Value::Null, &0.into()));
            assert_eq!(answer["reason"]["code"], code);
            assert_has(answer["reason"]["text"].as_str().unwrap(), parts);
            assert_has(&said.err, &["error: "]);
        }
    }
}

#[test]
fn there_are_no_colours_outside_a_terminal() {
    let folder = Folder::new();
    let file = folder.write("d.npc", "domain d\nvar lamp off, on\n");
    for words in [&["check", &file][..], &["plan", &file], &["--help"], &["plan"]] {
        let said = throng(words);
        assert!(!said.out.contains('\u{1b}') && !said.err.contains('\u{1b}'), "{said:?}");
    }
}

#[test]
fn the_planner_that_was_asked_for_answers_if_it_can() {
    let planner = |file: &str, planner: &str| {
        exits(&["plan", file, "--planner", planner, "--json"], 0).json()["planner"].clone()
    };
    assert_eq!(planner(HORSES, "forward"), "forward");
    assert_eq!(planner(HORSES, "topological"), "topological");
    // Two actions that set the same value: more than the topological planner can promise.
    let folder = Folder::new();
    let text = STABLE
        .replace("cost 2", "")
        .replace("water in_fountain -> in_bucket", "water -> in_bucket");
    let file = folder.write(
        "stable.npc",
        format!("{text}action kick: bucket -> on_floor\n")
            .replace("        fill_trough\n", "        fill_trough, kick\n"),
    );
    assert_eq!(planner(&file, "topological"), "goap");
    let said = exits(&["plan", &file, "--planner", "topological"], 0);
    assert_has(&said.err, &["note: planned by `goap`"]);
    assert_eq!(exits(&["plan", &file], 0).err, "");
}
