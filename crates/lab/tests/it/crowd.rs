//! `throng crowd`: what it counts, what it says, what it refuses, and that threads change nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use serde_json::Value;

const TOWN: &str = "domains/papers/town.npc";
const STOVE: &str = "domains/beyond/stove.npc";

fn crowd(words: &[&str]) -> Value {
    exits(&[&["crowd"], words, &["--json"]].concat(), 0).json()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a count: {value}"))
}

fn sum(answers: &Value, keys: &[&str]) -> u64 {
    keys.iter().map(|key| number(&answers[*key])).sum()
}

#[test]
fn all_figures_are_there_and_add_up() {
    let run = crowd(&[TOWN, "--npcs", "4000", "--frames", "90", "--groups", "5"]);
    let keys = [
        "domain",
        "npcs",
        "types",
        "groups",
        "frames",
        "threads",
        "seed",
        "load_ms",
        "first_frame_ms",
        "tenth_of_a_frame_ms",
        "frame_ms",
        "answers",
        "steps",
        "claims",
        "refused",
        "sources",
        "bytes",
        "answers_per_second",
        "digest",
    ];
    assert_keys(&run, &keys);
    assert_eq!(
        (&run["npcs"], &run["types"], &run["groups"]),
        (&4000.into(), &16.into(), &5.into())
    );
    for phase in ["world", "plan", "apply", "whole"] {
        let times = &run["frame_ms"][phase];
        assert_keys(times, &["median", "p99", "p999", "worst", "within"]);
        let all = ["median", "p99", "worst"].map(|key| times[key].as_f64().unwrap());
        assert!(all.is_sorted() && all[0] > 0.0, "{times}");
        assert!(times["p999"].is_null(), "one in a thousand of 89 frames: {times}");
    }
    let answers = &run["answers"];
    let served = number(&answers["served"]);
    assert!(served >= 4000, "{answers}");
    let sources = ["looked_up", "remembered", "computed", "planned", "searched"];
    assert_eq!(sum(answers, &sources), served, "{answers}");
    let outcomes = ["plans", "satisfied", "impossible", "gave_up"];
    assert_eq!(sum(answers, &outcomes), served, "{answers}");
    // They are busy: everybody has done several steps and reached something.
    assert!(number(&run["steps"]["done"]) > 4 * 4000, "{}", run["steps"]);
    assert!(number(&run["steps"]["arrived"]) > 4000, "{}", run["steps"]);
    let sources = run["sources"].as_array().unwrap();
    assert_eq!(sources.iter().map(|source| number(&source["npcs"])).sum::<u64>(), 4000);
    for source in sources {
        assert_keys(
            source,
            &[
                "npc",
                "npcs",
                "source",
                "because",
                "states",
                "tables",
                "table_bytes",
                "lists",
                "longest_list",
                "goals",
            ],
        );
    }
    let refused = run["refused"].as_array().unwrap();
    assert!(refused.iter().any(|one| one["reason"].as_str().unwrap().contains("daylight")));
    let per_npc = run["bytes"]["columns_per_npc"].as_f64().unwrap();
    assert!(per_npc > 8.0 && per_npc < 32.0, "{per_npc}");
}

/// Lines of the page that hold no time and no rate.
fn without_times(page: &str) -> Vec<&str> {
    let mut lines = page.lines();
    let head = lines.by_ref().take_while(|line| !line.starts_with("milliseconds"));
    let mut kept: Vec<&str> = head.collect();
    let rest = lines.skip_while(|line| !line.contains("answers, by where"));
    kept.extend(rest.take_while(|line| !line.starts_with("bytes")));
    kept
}

#[test]
fn the_page_for_people() {
    let stable = ["crowd", HORSES, "--npcs", "300", "--frames", "40", "--threads", "2"];
    let page = exits(&stable, 0).out;
    assert_has(&page, &["within 1.67 ms", "whole frame", "first frame", "\nbytes\n"]);
    let whole = page.lines().find(|line| line.contains("whole frame")).unwrap();
    assert_eq!(whole.split_whitespace().nth(4), Some("-"), "p99.9 of 39 frames: {whole}");
    let golden = include_str!("../golden/crowd_horses.txt");
    assert_eq!(without_times(&page).join("\n").trim_end(), golden.trim_end(), "{page}");
}

#[test]
fn a_thousand_frames_have_a_worst_in_a_thousand_and_a_thousand_npcs_a_share_of_bytes() {
    let run = crowd(&[HORSES, "--npcs", "10", "--frames", "1001"]);
    let times = &run["frame_ms"]["whole"];
    let all = ["p99", "p999", "worst"].map(|key| times[key].as_f64().unwrap());
    assert!(all.is_sorted(), "{times}");
    let bytes = |npcs| exits(&["crowd", HORSES, "--npcs", npcs, "--frames", "2"], 0).out;
    assert_has(&bytes("999"), &["\nbytes\n"]);
    assert_has(&bytes("1000"), &["\nbytes per NPC\n"]);
}

#[test]
fn a_thousand_cooks_at_one_stove_never_come_too_late() {
    for groups in ["1", "10"] {
        let size = ["--npcs", "1000", "--frames", "60", "--groups", groups];
        let words = |threads| [&[STOVE], &size[..], &["--threads", threads]].concat();
        let run = crowd(&words("2"));
        assert_eq!(number(&run["steps"]["blocked"]), 0, "{}", run["steps"]);
        assert!(number(&run["steps"]["queued"]) > 1000, "{}", run["steps"]);
        assert!(number(&run["steps"]["arrived"]) > 100, "{}", run["steps"]);
        assert!(number(&run["claims"]["given"]) > 60, "{}", run["claims"]);
        assert!(run["claims"]["for_example"]["waited_for"].is_string(), "{}", run["claims"]);
        assert_eq!(run["digest"], crowd(&words("1"))["digest"], "{groups} groups");
    }
    let page = exits(&["crowd", STOVE, "--npcs", "1000", "--frames", "20"], 0).out;
    assert_has(
        &page,
        &["0 steps that came too late", "claims given", "stand in line", "behind cook"],
    );
    // Also the town, where this and that is shared.
    let town = crowd(&[TOWN, "--npcs", "4000", "--frames", "60"]);
    assert_eq!(number(&town["steps"]["blocked"]), 0, "{}", town["steps"]);
}

#[test]
fn a_goal_without_a_table_says_why_and_what_to_do() {
    let why = |words: &[&str]| {
        let size = ["--npcs", "100", "--frames", "3"];
        let run = crowd(&[&[STOVE], &size[..], words].concat());
        run["sources"][0]["goals"][0].clone()
    };
    assert!(why(&[])["no_table"].is_null());
    let goal = why(&["--tables", "never"]);
    assert_eq!((&goal["goal"], &goal["source"]), (&"served".into(), &"search".into()), "{goal}");
    assert_eq!(goal["no_table"]["reason"], "unwanted", "{goal}");
    let sentence = goal["no_table"]["sentence"].as_str().unwrap();
    assert!(sentence.ends_with("any `tables` but `Never` makes them"), "{sentence}");
    let late = why(&["--tables", "on-first-use", "--budget", "all,5"]);
    assert_eq!(late["no_table"]["reason"], "not-made", "{late}");
    let page = exits(&["crowd", STOVE, "--npcs", "9", "--frames", "1", "--tables", "never"], 0).out;
    assert_has(&page, &["for served, quiet, fed: no table: the settings want no tables; any"]);
}

#[test]
fn the_same_for_any_number_of_threads() {
    // Tables, memory, planner and searches; deferred NPCs and far groups.
    let cases: [&[&str]; 7] = [
        &[TOWN, "--by-priority", "--budget", "900,500"],
        &[TOWN, "--by-priority", "--tables", "never"],
        &["domains/beyond/alternatives.npc", "--tables", "never", "--budget", "all,2000"],
        &[TOWN, "--budget", "900,500", "--every", "3"],
        &[TOWN, "--tables", "never"],
        &[WESTERN, "--tables", "at-load", "--drift", "5"],
        &["domains/fear/soldier.npc", "--tables", "never", "--budget", "all,2000"],
    ];
    for case in cases {
        let digest = |threads| {
            let size = ["--npcs", "3000", "--frames", "50", "--threads", threads];
            let run = crowd(&[case, &size].concat());
            (run["digest"].clone(), run["answers"].clone(), run["steps"].clone())
        };
        let one = digest("1");
        assert_eq!(one, digest("2"), "{case:?}");
        assert_eq!(one, digest("7"), "{case:?}");
    }
}

#[test]
fn the_same_from_every_source() {
    // One frame: in the next one NPCs look into tables before they want something, if there are
    // tables, and live other days.
    for file in [TOWN, WESTERN, "domains/fear/assassin.npc", "domains/beyond/costs.npc"] {
        let run = |tables| {
            let size = ["--npcs", "20000", "--frames", "1", "--budget", "all,all", "--no-wide"];
            crowd(&[&[file, "--tables", tables], &size[..]].concat())
        };
        let (looked_up, planned) = (run("on-first-use"), run("never"));
        assert_eq!(looked_up["digest"], planned["digest"], "{file}");
        assert_eq!(looked_up["digest"], run("at-load")["digest"], "{file}");
        assert!(number(&looked_up["answers"]["looked_up"]) > 0, "{file}");
        assert_eq!(number(&planned["answers"]["looked_up"]), 0, "{file}");
        assert_eq!(looked_up["answers"]["plans"], planned["answers"]["plans"], "{file}");
    }
}

/// Who chooses by priority does the same whoever answers, day after day: nobody hands out goals.
#[test]
fn who_chooses_by_priority_lives_the_same_days_from_every_source() {
    for file in [TOWN, "domains/beyond/alternatives.npc", "domains/beyond/amounts.npc"] {
        let run = |tables| {
            let size = ["--npcs", "2000", "--frames", "40", "--budget", "all,all", "--no-wide"];
            crowd(&[&[file, "--by-priority", "--tables", tables], &size[..]].concat())
        };
        let (looked_up, planned) = (run("on-first-use"), run("never"));
        assert_eq!(looked_up["digest"], planned["digest"], "{file}");
        assert_eq!(looked_up["steps"], planned["steps"], "{file}");
        assert!(number(&looked_up["answers"]["looked_up"]) > 2000, "{file}");
        assert!(number(&planned["answers"]["plans"]) > 2000, "{file}");
    }
}

#[test]
fn the_wide_kernel_serves_who_has_no_tables() {
    let run = |words: &[&str]| {
        let size = ["--tables", "never", "--npcs", "2000", "--frames", "1", "--drift", "0"];
        crowd(&[&[TOWN], &size[..], words].concat())
    };
    let (wide, plain) = (run(&["--budget", "all,all"]), run(&["--budget", "all,all", "--no-wide"]));
    assert!(number(&wide["answers"]["computed"]) > 0, "{wide}");
    assert_eq!(number(&plain["answers"]["computed"]), 0, "{plain}");
    for outcome in ["served", "plans", "satisfied", "impossible"] {
        assert_eq!(wide["answers"][outcome], plain["answers"][outcome], "{outcome}");
    }
    let is_wide = |source: &Value| source["source"] == "wide";
    assert!(wide["sources"].as_array().unwrap().iter().any(is_wide), "{wide}");
    assert!(!plain["sources"].as_array().unwrap().iter().any(is_wide), "{plain}");
}

#[test]
fn another_seed_is_another_day() {
    let digest =
        |seed| crowd(&[TOWN, "--npcs", "500", "--frames", "9", "--seed", seed])["digest"].clone();
    assert_eq!(digest("1"), digest("1"));
    assert_ne!(digest("1"), digest("2"));
}

#[test]
fn a_budget_defers_and_far_groups_wait() {
    let run = |words: &[&str]| {
        let size = ["--npcs", "2000", "--frames", "30", "--groups", "4"];
        crowd(&[&[TOWN], &size[..], words].concat())["answers"].clone()
    };
    let all = run(&[]);
    assert_eq!(number(&all["most_deferred"]), 0, "{all}");
    let some = run(&["--budget", "100,all"]);
    assert_eq!(number(&some["most_deferred"]), 1900, "{some}");
    assert!(number(&some["served"]) <= 30 * 100, "{some}");
    let far = run(&["--every", "10"]);
    // Of the far half, nine in ten have no turn in the first frame.
    assert!(number(&far["most_deferred"]) >= 850, "{far}");
}

#[test]
fn one_type_alone() {
    let run = crowd(&[TOWN, "--npc", "blacksmith", "--npcs", "70", "--frames", "3"]);
    let sources = run["sources"].as_array().unwrap();
    assert_eq!(sources.len(), 1);
    assert_eq!((&sources[0]["npc"], &sources[0]["npcs"]), (&"blacksmith".into(), &70.into()));
}

#[test]
fn one_npc_lives_a_single_frame() {
    let run = crowd(&[TOWN, "--npcs", "1", "--frames", "1"]);
    assert_eq!(run["npcs"], 1);
    assert!(run["frame_ms"].is_null(), "the first frame is told apart: {run}");
    let page = exits(&["crowd", TOWN, "--npcs", "1", "--frames", "1"], 0).out;
    assert_has(&page, &["1 NPC of 16 types in 1 group, 1 frame on"]);
}

#[test]
fn wrong_use_is_refused_with_the_cure() {
    refuses(&["crowd", TOWN, "--npcs", "0"], &["0 NPCs", "--npcs"]);
    refuses(&["crowd", TOWN, "--npcs", "4000000000"], &["4,000,000,000 NPCs", "MB", "--memory"]);
    refuses(&["crowd", TOWN, "--npcs", "18446744073709551615"], &["MB", "--memory"]);
    refuses(&["crowd", TOWN, "--threads", "0"], &["--threads"]);
    refuses(&["crowd", TOWN, "--frames", "0"], &["--frames"]);
    refuses(&["crowd", TOWN, "--groups", "0"], &["--groups"]);
    refuses(&["crowd", TOWN, "--npc", "blacksmit"], &["did you mean `blacksmith`?"]);
    refuses(&["crowd", TOWN, "--drift", "101"], &["percentage"]);
    refuses(&["crowd", TOWN, "--drift", "-1"], &["percentage"]);
    refuses(&["crowd", TOWN, "--budget", "many"], &["two whole numbers"]);
    refuses(&["crowd", TOWN, "--tables", "sometimes"], &["on-first-use", "never"]);
    refuses(&["crowd", "domains/papers/nowhere.npc"], &["no such file"]);
    let folder = Folder::new();
    let idle = folder.write("idle.npc", STABLE.replace("    wants feed_horses\n", ""));
    refuses(&["crowd", &idle], &["nobody", "`wants`"]);
    refuses(&["crowd", &idle, "--npc", "horse_breeder"], &["wants nothing", "`wants`"]);
    let broken = folder.write("broken.npc", STABLE.replace("var bucket", "var bucke"));
    refuses(&["crowd", &broken], &["bucket", "cannot be used"]);
}

#[test]
fn every_domain_of_the_corpus_can_be_lived_in() {
    let mut n_lived = 0;
    for folder in ["papers", "fear", "beyond", "strategy", "stress"] {
        for entry in std::fs::read_dir(root().join("domains").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "npc") {
                let run = crowd(&[path.to_str().unwrap(), "--npcs", "200", "--frames", "12"]);
                assert!(number(&run["answers"]["plans"]) > 0, "{}: {run}", path.display());
                n_lived += 1;
            }
        }
    }
    assert!(n_lived >= 25, "{n_lived}");
}
