//! The examples about minds do what they say, line by line, and stay as short as they promise.
//!
//! In:   the examples' own functions, and the diaries they wrote before, in `tests/diaries`.
//! Out:  the first line that differs.

use std::fs;
use std::path::{Path, PathBuf};

#[path = "../examples/guard/main.rs"]
#[expect(dead_code, reason = "its `main` prints what is compared here")]
mod guard;
#[path = "../examples/own_behaviour.rs"]
#[expect(dead_code, reason = "likewise")]
mod own_behaviour;
#[path = "../examples/own_goal.rs"]
#[expect(dead_code, reason = "likewise")]
mod own_goal;
#[path = "../examples/own_sensor.rs"]
#[expect(dead_code, reason = "likewise")]
mod own_sensor;

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Compares a diary with the one in the folder. If it is meant to be another, put the text that
/// the message shows there.
#[track_caller]
fn is_as_written(name: &str, diary: &[String]) {
    let path = package().join("tests/diaries").join(name);
    let written = fs::read_to_string(&path).unwrap_or_default();
    let text = diary.join("\n");
    let differs = diary.iter().map(String::as_str).zip(written.lines()).find(|(a, b)| a != b);
    assert!(text == written.trim_end(), "{name}: first {differs:?}; it is now:\n{text}\n");
}

#[test]
fn the_guard_hears_inspects_fights_from_cover_and_forgets() {
    let diary = guard::life().unwrap();
    is_as_written("guard.txt", &diary);
    let has_done = |what: &str| diary.iter().position(|line| line.ends_with(what)).unwrap();
    assert!(has_done("has done inspect") < has_done("has done walk(crates)"));
    assert!(has_done("has done walk(crates)") < has_done("has done shoot_from_cover"));
}

#[test]
fn the_cook_smells_smoke_and_airs_the_kitchen() {
    is_as_written("own_sensor.txt", &own_sensor::run().unwrap());
}

#[test]
fn the_burglar_takes_the_door_or_else_the_window() {
    let diary =
        |locked| own_behaviour::run(&own_behaviour::House { locked, alarm: false }).unwrap();
    is_as_written("own_behaviour_open.txt", &diary(false));
    is_as_written("own_behaviour_locked.txt", &diary(true));
    let watched = own_behaviour::run(&own_behaviour::House { locked: false, alarm: true }).unwrap();
    assert!(watched.iter().any(|line| line.ends_with("go_in_by_door failed: watched")));
}

#[test]
fn the_smith_rests_when_he_is_tired_and_not_before() {
    is_as_written("own_goal.txt", &own_goal::run().unwrap());
}

#[test]
fn what_each_example_adds_is_less_than_thirty_lines() {
    for name in ["sensor", "behaviour", "goal"] {
        let text = fs::read_to_string(package().join(format!("examples/own_{name}.rs"))).unwrap();
        let at = |mark: &str| {
            let mark = format!("// --- the {name} {mark}");
            text.lines().position(|line| line.starts_with(&mark)).expect("both marks are there")
        };
        let lines = at("ends") - at("begins") - 1;
        assert!((5..30).contains(&lines), "own_{name}.rs adds {lines} lines");
    }
}
