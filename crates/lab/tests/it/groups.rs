//! Groups of values in questions: `cover` asks for one of the slots of that select.

use crate::common::*;
use serde_json::{Value, json};

const HIDE: &str = "domain hide
select cover: best 2 of spot
select target: one of character
var place: elsewhere, any cover, any target
var gun: empty, loaded
action goto(spot in place except elsewhere, target): place -> spot
action reload: gun empty -> loaded  while place = cover
npc soldier
    can goto, reload
    starts place = elsewhere, gun = empty
";

/// The file and its twin in JSON.
fn both(folder: &Folder) -> [String; 2] {
    let file = folder.write("hide.npc", HIDE);
    let twin = folder.path("hide.json");
    exits(&["convert", &file, &twin], 0);
    [file, twin]
}

fn plan(file: &str, more: &[&str]) -> Value {
    exits(&[&["plan", file, "--json"], more].concat(), 0).json()["plan"].clone()
}

#[test]
fn a_group_behind_to_asks_for_one_of_its_values() {
    let folder = Folder::new();
    for file in both(&folder) {
        assert_eq!(plan(&file, &["--to", "place=cover"]), json!(["goto(cover.1)"]));
        assert_eq!(plan(&file, &["place=cover.2", "--to", "place=cover"]), json!([]));
        assert_eq!(
            plan(&file, &["place=cover.2", "--to", "place = cover, place != cover.2"]),
            json!(["goto(cover.1)"])
        );
        assert_eq!(plan(&file, &["--to", "place != cover"]), json!([]));
        assert_eq!(plan(&file, &["--to", "place=cover or place=target"]), json!(["goto(cover.1)"]));
        let nowhere = ["plan", &file, "--to", "place != cover and place = cover"];
        refuses(&nowhere, &["no value of `place` is all of this at once"]);
        refuses(&["plan", &file, "--to", "gun=cover"], &["unknown value `cover` of `gun`"]);
        // Where he is, is one place.
        refuses(&["plan", &file, "place=cover"], &["unknown value `cover` of `place`"]);
    }
}

#[test]
fn why_and_whynot_take_groups_as_plan_does() {
    let folder = Folder::new();
    for file in both(&folder) {
        assert_has(&exits(&["why", &file, "--to", "place=cover"], 0).out, &["goto(cover.1)"]);
        let left = ["whynot", &file, "place=cover.1", "--to", "place!=cover"];
        assert_has(&exits(&left, 0).out, &["impossible"]);
        let other = ["whynot", &file, "--to", "place=cover", "--action", "goto(cover.2)"];
        assert_has(&exits(&other, 0).out, &["the plan: goto(cover.1)"]);
    }
}

#[test]
fn lines_of_solve_take_groups_alone_and_in_lists() {
    let folder = Folder::new();
    for file in both(&folder) {
        let ask = |from: &str, to: &str| {
            let file = file.replace('\\', "\\\\");
            let line = format!(
                r#"{{"file": "{file}", "from": {{"place": "{from}"}}, "to": {{"place": {to}}}}}"#
            );
            let root = Folder::all();
            let said = throng_reads(&["solve", "--root", &root], line.as_bytes());
            said.json()["plan"].clone()
        };
        assert_eq!(ask("elsewhere", r#""cover""#), json!(["goto(cover.1)"]));
        assert_eq!(ask("cover.2", r#""cover""#), json!([]));
        assert_eq!(ask("elsewhere", r#"["target", "cover"]"#), json!(["goto(cover.1)"]));
        assert_eq!(ask("elsewhere", r#"["cover", "cover.2", "elsewhere"]"#), json!([]));
        assert_eq!(ask("elsewhere", r#""covert""#), Value::Null);
    }
}
