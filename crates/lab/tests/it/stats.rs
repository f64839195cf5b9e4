//! `throng stats` from outside: what no plan can have, what a story did, pictures, wrong use.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use serde_json::Value;

/// One action of every fate.
const FATES: &str = "domain fates
var door: shut, open, broken
var hay:  away, here
var lamp: off, lit
var mood: calm, wild
action open:   door shut -> open
action kick:   door shut -> open        cost 4
action detour: door shut -> broken      cost 2
action crawl:  hay away -> here         while door = broken  cost 3
action fetch:  hay away -> here         while door = open
action light:  lamp -> lit
action rest:
action tame:   hay away -> here         while mood = wild
action rage:   mood -> wild             if angry, not angry
goal feed: hay = here
npc Hand
    can open, kick, detour, crawl, fetch, light, rest, tame, rage
    wants feed
    starts door = shut, hay = away, lamp = off, mood = calm
npc Idler
    can rest
";

#[test]
fn actions_that_no_plan_can_have_are_named_with_what_to_change() {
    let folder = Folder::new();
    let file = folder.write("fates.npc", FATES.replace("if angry, not angry", ""));
    let said = exits(&["stats", &file], 0);
    assert_has(
        &said.out,
        &[
            "fates.npc: 2 NPC types, 9 actions, 1 goal\n",
            "Hand: what plans can have (",
            "in plans (",
            "`open` does the same and is cheaper",
            "nothing asks for what it sets",
            "it changes nothing; give it an effect",
            "the type wants nothing",
        ],
    );
    assert_eq!(said.err, "");
}

#[test]
fn every_fate_has_its_word_in_json() {
    let folder = Folder::new();
    let file = folder.write("fates.npc", FATES.replace("if angry, not angry", "if angry"));
    let said = exits(&["stats", &file, "--npc", "Hand", "--json"], 0);
    let value = said.json();
    assert_keys(&value, &["name", "lived", "types"]);
    assert_eq!(value["lived"], Value::Null);
    let [hand] = &value["types"].as_array().unwrap()[..] else { panic!("{value}") };
    let codes: Vec<(&str, &str)> = hand["possible"]["actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["action"].as_str().unwrap(), it["code"].as_str().unwrap()))
        .collect();
    // `rage` and `tame` cost two together, as `open` and `fetch` do.
    let expected = [
        ("open", "in_plans"),
        ("kick", "twin"),
        ("detour", "beaten"),
        ("crawl", "in_plans"),
        ("fetch", "in_plans"),
        ("light", "not_asked"),
        ("rest", "changes_nothing"),
        ("tame", "in_plans"),
        ("rage", "in_plans"),
    ];
    assert_eq!(codes, expected);
    let beaten = &hand["possible"]["actions"][2];
    assert_eq!(beaten["in_plans"], false);
    assert_has(beaten["why"].as_str().unwrap(), &["a cheaper plan exists in every case"]);
    assert_eq!(hand["possible"]["actions"][0]["goal"], "feed");
}

#[test]
fn what_is_not_known_is_said() {
    let folder = Folder::new();
    let file = folder.write("fates.npc", FATES.replace("if angry, not angry", "if angry"));
    let said = exits(&["stats", &file, "--max-states", "2", "--npc", "Hand"], 0);
    assert_has(&said.out, &["too many states", "open   detour", "not decided: too many states"]);
}

#[test]
fn a_story_is_played_and_counted() {
    let said = exits(&["stats", "door"], 0);
    assert_has(
        &said.out,
        &[
            "door: 26.0 s, 260 ticks, 1 mind\n",
            "soldier: what was done\n",
            "  kick ",
            "Plan lengths\n",
            "3 steps × ",
            "Why a plan was asked for\n",
            "Why there was no plan\n",
            "`kill_enemy`: ",
            "soldier: what plans can have (",
        ],
    );
    let value = exits(&["stats", "door", "--json"], 0).json();
    let lived = &value["types"][0]["lived"];
    let kick = lived["actions"].as_array().unwrap().iter().find(|it| it["action"] == "kick");
    let kick = kick.unwrap();
    assert_eq!((&kick["done"], &kick["failed"]), (&Value::from(0), &Value::from(1)), "{kick}");
    // Every plan has a length, and every plan or missing plan a cause.
    let number = |value: &Value| value.as_u64().unwrap();
    let lengths: u64 = lived["lengths"].as_array().unwrap().iter().map(number).sum();
    assert_eq!(lengths, number(&lived["plans"]));
    let causes: u64 = lived["causes"].as_object().unwrap().values().map(number).sum();
    let asked = ["plans", "no_plans", "content"].map(|key| number(&lived[key]));
    assert_eq!(causes, asked.iter().sum::<u64>());
    let reasons: u64 = lived["reasons"].as_object().unwrap().values().map(number).sum();
    assert_eq!(reasons, number(&lived["no_plans"]));
}

#[test]
fn what_became_of_tasks_is_counted_by_squad() {
    let said = exits(&["stats", "squad_flank", "--npc", "fireteam"], 0);
    let row = |task: &str| -> Vec<String> {
        let line = said.out.lines().find(|line| line.trim_start().starts_with(task));
        line.unwrap().split_whitespace().skip(1).map(str::to_string).collect()
    };
    assert_has(
        &said.out,
        &["  Tasks\n", "given  done  refused  cancelled  timed out  dead  failed"],
    );
    assert_eq!(row("suppress "), ["1", "1", "0", "0", "0", "0", "0"]);
    // Every task that was given ends at most once, whatever becomes of the squad.
    for story in ["squad_flank", "squad_loss", "squad_grenade"] {
        let value = exits(&["stats", story, "--json"], 0).json();
        let tasks = value["lived"]["tasks"].as_array().unwrap();
        assert!(!tasks.is_empty(), "{story}");
        for task in tasks {
            let number = |key: &str| task[key].as_u64().unwrap();
            let ends = ["done", "refused", "cancelled", "timed_out", "dead", "failed"];
            assert!(number("given") > 0, "{story}: {task}");
            assert!(ends.map(number).iter().sum::<u64>() <= number("given"), "{story}: {task}");
        }
    }
    let value = exits(&["stats", "squad_loss", "--json"], 0).json();
    let dead = value["lived"]["tasks"].as_array().unwrap().iter();
    let dead: u64 = dead.map(|task| task["dead"].as_u64().unwrap()).sum();
    assert!(dead > 0, "{value}");
    // Without squads there is nothing to tell.
    assert!(!exits(&["stats", "door"], 0).out.contains("  Tasks"));
}

#[test]
fn pictures_and_their_points_are_written() {
    let folder = Folder::new();
    let out = folder.path("pictures");
    let said = exits(&["stats", "cover", "--svg", &out], 0);
    assert_has(&said.err, &["wrote actions.svg", &out]);
    for name in ["actions", "lengths", "causes", "plans_over_time"] {
        let svg = folder.read(&format!("pictures/{name}.svg"));
        assert!(svg.contains("<svg") && svg.contains("cover: "), "{name}");
        assert!(folder.read(&format!("pictures/{name}.csv")).lines().count() > 1, "{name}");
    }
    assert_has(
        &folder.read("pictures/actions.csv"),
        &["goto(cover.1),done,1\n", "attack,done,0\n"],
    );
    // What is done all day without a plan is not drawn.
    let svg = exits(&["stats", "door", "--svg", &out], 0);
    assert_has(&svg.err, &["wrote actions.svg"]);
    let csv = folder.read("pictures/actions.csv");
    assert_has(&csv, &["wait,done,0\n", "kick,failed,1\n"]);
    assert_has(&folder.read("pictures/actions.svg"), &["without a plan is left out"]);
    let causes = folder.read("pictures/causes.svg");
    assert!(!causes.contains('…'), "a cause is cut off");
    let said = exits(&["stats", HORSES, "--svg", &out], 0);
    assert_has(&said.err, &["no pictures: a domain alone has no plans"]);
}

#[test]
fn wrong_use_is_refused_with_a_cure() {
    let folder = Folder::new();
    refuses(&["stats", WESTERN, "--npc", "Blacksmit"], &["did you mean `Blacksmith`?"]);
    refuses(&["stats", "covr"], &["did you mean `cover`?"]);
    refuses(&["stats", "nowhere.npc"], &["nowhere.npc", "no such file"]);
    refuses(&["stats", "domains"], &["domains"]);
    let bad = folder.write("bad.npc", "domain bad\nvar x: a, b\naction go: y -> b\n");
    refuses(&["stats", &bad], &["unknown variable `y`"]);
    let file = folder.write("file", "x");
    refuses(&["stats", "cover", "--svg", &format!("{file}/pictures")], &["cannot make the folder"]);
    refuses(&["stats", "cover", "--max-states", "0"], &["--max-states"]);
}

#[test]
fn alternatives_of_a_goal_are_one_goal() {
    let folder = Folder::new();
    let text = "domain beggar\nvar coins: 0, 5, 20\naction beg: coins 0 -> 5\n\
        action steal: coins 0 -> 20  cost 9\ngoal rich: coins > 0\n\
        npc poor\n    can beg, steal\n    wants rich\n    starts coins = 0\n";
    let file = folder.write("beggar.npc", text);
    let said = exits(&["stats", &file], 0);
    assert_has(
        &said.out,
        &["2 actions, 1 goal\n", "in plans (1): beg\n", "never  steal\n", "`rich`"],
    );
    let value = exits(&["stats", &file, "--json"], 0).json();
    let actions = &value["types"][0]["possible"]["actions"];
    assert_eq!((&actions[0]["code"], &actions[0]["goal"]), (&"in_plans".into(), &"rich".into()));
    assert_eq!(actions[1]["code"], "beaten");
}

/// So large that a look at everything, or telling it name by name, would take minutes.
#[test]
fn a_type_with_too_much_to_look_at_comes_to_an_end() {
    let folder = Folder::new();
    for (most, limit) in [(99, &["--max-states", "300"][..]), (440, &["--max-states", "1"])] {
        let numbers: Vec<String> = (0..=most).map(|number| number.to_string()).collect();
        let numbers = numbers.join(", ");
        let text = format!(
            "domain wide\nvar a: {numbers}\nvar b: {numbers}\n\
             action go(p in a, q in b): a -> p, b -> q\ngoal far: a = 5\n\
             npc n\n    can go\n    wants far\n    starts a = 1, b = 1\n"
        );
        let file = folder.write("wide.npc", text);
        let said = exits(&[&["stats", &file], limit].concat(), 0);
        let parts = ["too many states", "not decided: ", "nothing asks for what it sets"];
        assert_has(&said.out, &parts);
        assert!(said.out.lines().count() < 300, "{} lines", said.out.lines().count());
    }
}

#[test]
fn selections_are_counted_and_slots_of_one_are_alike() {
    let said = exits(&["stats", "cover", "--npc", "soldier"], 0).out;
    assert_has(
        &said,
        &[
            "  What was picked\n    select ",
            "though known s  switches/min  for better  doubled s  claims lost\n",
            "\n    target ",
            "  goto(cover) ",
            "  Nothing to do, or only what is done without a plan\n",
        ],
    );
    assert!(!said.contains("(cover.1)"), "{said}");
    let value = exits(&["stats", "cover", "--npc", "soldier", "--json"], 0).json();
    let lived = &value["types"][0]["lived"];
    let target = &lived["selects"][0];
    assert_keys(
        target,
        &[
            "select",
            "held",
            "empty",
            "empty_though_known",
            "switches",
            "outbid",
            "switches_per_minute",
            "doubled",
            "claims_lost",
        ],
    );
    assert_eq!(target["select"], "target");
    assert_keys(
        &target["empty"],
        &["not_made", "unknown", "off", "where", "score", "claimed", "not_yet"],
    );
    assert_keys(&lived["idle"][0], &["code", "goal", "why", "seconds"]);
}
