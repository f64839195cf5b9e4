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

/// Makes one of the slots the cheaper one, so that there is one answer.
const FIRST: [&str; 2] = ["--cost", "goto(cover.2)=2"];
const SECOND: [&str; 2] = ["--cost", "goto(cover.1)=2"];

#[test]
fn a_group_behind_to_asks_for_one_of_its_values() {
    let folder = Folder::new();
    for file in both(&folder) {
        let to = |wish: &str, more: [&str; 2]| plan(&file, &["--to", wish, more[0], more[1]]);
        for wish in ["place=cover", "place = cover or place = target"] {
            assert_eq!(to(wish, FIRST), json!(["goto(cover.1)"]), "{wish}");
            assert_eq!(to(wish, SECOND), json!(["goto(cover.2)"]), "{wish}");
        }
        assert_eq!(to("place = cover, place != cover.1", FIRST), json!(["goto(cover.2)"]));
        assert_eq!(to("place != cover", FIRST), json!([]));
        assert_eq!(plan(&file, &["place=cover.2", "--to", "place=cover"]), json!([]));
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
        let why = [&["why", &file, "--to", "place=cover"], &SECOND[..]].concat();
        assert_has(&exits(&why, 0).out, &["goto(cover.2)"]);
        let left = ["whynot", &file, "place=cover.1", "--to", "place!=cover"];
        assert_has(&exits(&left, 0).out, &["impossible"]);
        let other = ["whynot", &file, "--to", "place=cover", "--action", "goto(cover.2)"];
        let other = exits(&[&other[..], &FIRST].concat(), 0).out;
        assert_has(&other, &["the plan: goto(cover.1)", "with it: goto(cover.2)"]);
    }
}

#[test]
fn lines_of_solve_take_groups_alone_and_in_lists() {
    let folder = Folder::new();
    for file in both(&folder) {
        let ask = |from: &str, to: Value, dear: &str| {
            let line = json!({"file": file, "from": {"place": from}, "to": {"place": to},
                "costs": {dear: 2}});
            let root = Folder::all();
            let line = line.to_string();
            throng_reads(&["solve", "--root", &root], line.as_bytes()).json()["plan"].clone()
        };
        let (first, second) = ("goto(cover.1)", "goto(cover.2)");
        for to in [json!("cover"), json!(["target", "cover"]), json!(["cover", "cover.2"])] {
            assert_eq!(ask("elsewhere", to.clone(), first), json!([second]), "{to}");
            assert_eq!(ask("elsewhere", to.clone(), second), json!([first]), "{to}");
            assert_eq!(ask("cover.2", to.clone(), first), json!([]), "{to}");
        }
        assert_eq!(ask("elsewhere", json!(["cover", "elsewhere"]), first), json!([]));
        assert_eq!(ask("elsewhere", json!("covert"), first), Value::Null);
    }
}
