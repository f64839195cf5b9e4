//! `throng check`, `throng fmt` and `throng convert`: what is said about files, and what is
//! written into them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use serde_json::{Value, json};
use std::path::Path;

const TWO_MISTAKES: &str =
    "domain d\nvar lamp: off, on\naction a: lamp of -> on\naction b: lmp off -> on\n";
const WARNING: &str = "domain d\nvar unused: a, b\n";
const UNTIDY: &str = "# first\ndomain   d   # second\n\nvar lamp:off,on\n  # third\n\n# fourth\n\
                      action  light :  lamp off->on   # fifth\n# last\n";

/// The `.npc` files of the corpus that are without mistakes.
fn corpus() -> Vec<String> {
    let mut files = Vec::new();
    for folder in ["domains/papers", "domains/fear"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".npc") {
                files.push(format!("{folder}/{name}"));
            }
        }
    }
    assert!(files.len() >= 11, "{files:?}");
    files
}

// --- check ---------------------------------------------------------------------

#[test]
fn check_quotes_underlines_and_cures_every_mistake() {
    let folder = Folder::new();
    let file = folder.write("d.npc", TWO_MISTAKES);
    let said = exits(&["check", &file], 2);
    assert_has(
        &said.out,
        &[
            "error[E051]",
            "action a: lamp of -> on",
            "^^",
            "did you mean `off`?",
            "error[E050]",
            "did you mean `lamp`?",
            "help:",
            "2 errors",
        ],
    );
    assert!(!said.out.contains("fine"), "{}", said.out);
    assert_eq!(said.err, "");
}

#[test]
fn check_says_what_a_good_file_has() {
    let said = exits(&["check", HORSES], 0);
    let counts = "fine, 3 variables, 7 actions, 1 goal, 1 NPC type, 14 tests\n";
    assert_eq!(said.out, format!("{HORSES}: {counts}"));
}

#[test]
fn warnings_are_shown_and_stop_nothing() {
    let folder = Folder::new();
    let file = folder.write("d.npc", WARNING);
    let said = exits(&["check", &file], 0);
    assert_has(&said.out, &["warning[W100]", "1 warning", "fine, 1 variable,"]);
    let list = exits(&["check", "--json", &file], 0).json();
    assert_eq!(list[0]["severity"], "warning");
}

#[test]
fn a_file_is_held_against_a_vocabulary_and_a_level_is_told_what_it_lacks() {
    let folder = Folder::new();
    let guard = "domain d\nvar calm: bool\nsensor ear: on bell\nsymbol calm: false if noise, true\n\
                 action wait: calm -> true\n    does rest\n    then forgets noise\n";
    let file = folder.write("guard.npc", guard);
    let words = r#"{"vocabulary": 1, "name": "inn", "stimuli": ["bell"],
        "sensors": [{"name": "ear", "on": "bell", "writes": [{"kind": "nois", "attributes": {}}]}],
        "behaviours": [{"name": "rest", "given": [0, 0], "writes": []}]}"#;
    let game = folder.write("game.json", words);
    exits(&["check", &file], 0);
    let said = exits(&["check", &file, "--vocabulary", &game], 2);
    assert_has(
        &said.out,
        &["[E101]", "unknown kind of facts or select `noise`; did you mean `nois`?"],
    );
    let game = folder.write("right.json", words.replace("nois", "noise"));
    exits(&["check", &file, "--vocabulary", &game], 0);
    let broken = folder.write("broken.json", "{\"vocabulary\": 1}");
    let said = exits(&["check", &file, "--vocabulary", &broken], 2);
    assert_has(&said.err, &["[E082]", "is no vocabulary"]);
    let said = exits(&["check", "domains/levels/office.npc"], 0);
    assert_has(&said.out, &["nothing is picked as `station`: no node `work`"]);
    assert!(!said.out.contains("warning"), "{}", said.out);
}

#[test]
fn short_lines_are_what_the_editor_matches() {
    let package = std::fs::read_to_string(root().join("editors/vscode/package.json")).unwrap();
    let package: Value = serde_json::from_str(&package).unwrap();
    let matcher = &package["contributes"]["problemMatchers"][0]["pattern"]["regexp"];
    let shape = r"^(.+?):(\d+):(\d+): (error|warning|info|note)\[([A-Z]+\d+)\]: (.+?)\s*$";
    assert_eq!(matcher, shape, "`matches` below says the same in Rust");

    let folder = Folder::new();
    let bad = folder.write("bad.npc", TWO_MISTAKES);
    let warns = folder.write("warns.npc", WARNING);
    let said = exits(&["check", "--format", "short", &bad, &warns], 2);
    let places: Vec<String> = said.out.lines().map(matches).collect();
    let expected = [format!("{bad}:3:16"), format!("{bad}:4:11"), format!("{warns}:2:5")];
    assert_eq!(places, expected);
    assert_has(&said.out, &[": error[E051]: ", ": error[E050]: ", ": warning[W100]: "]);
    assert!(said.out.lines().all(|line| line.contains("; help: ")), "a cure each: {}", said.out);

    let examples = std::fs::read_dir(root().join("domains/rejected")).unwrap();
    let examples = examples.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let ours = |name: &String| name.ends_with(".npc") || name.ends_with(".json");
    let examples: Vec<String> =
        examples.filter(ours).map(|name| format!("domains/rejected/{name}")).collect();
    let examples: Vec<&str> = examples.iter().map(String::as_str).collect();
    let said = exits(&[&["check", "--format", "short"], &examples[..]].concat(), 2);
    assert!(said.out.lines().count() > 50, "{}", said.out);
    said.out.lines().for_each(|line| {
        matches(line);
    });
}

/// The place of a line that has the shape `file:line:column: severity[CODE]: text`.
fn matches(line: &str) -> String {
    let severity =
        ["error", "warning"].iter().find_map(|word| line.split_once(&format!(": {word}[")));
    let (place, rest) = severity.unwrap_or_else(|| panic!("no severity: {line}"));
    let (code, text) = rest.split_once("]: ").unwrap();
    assert!(
        code.trim_start_matches(|c: char| c.is_ascii_uppercase()).parse::<u32>().is_ok(),
        "{line}"
    );
    assert!(!text.trim().is_empty(), "{line}");
    let (before, column) = place.rsplit_once(':').unwrap();
    let (file, row) = before.rsplit_once(':').unwrap();
    assert!(
        !file.is_empty() && row.parse::<u32>().unwrap() > 0 && column.parse::<u32>().unwrap() > 0
    );
    place.to_string()
}

#[test]
fn check_as_json_is_a_list_over_all_files() {
    let folder = Folder::new();
    let bad = folder.write("bad.npc", TWO_MISTAKES);
    let warns = folder.write("warns.npc", WARNING);
    let said = exits(&["check", "--json", &bad, HORSES, &warns], 2);
    let list = said.json();
    let list = list.as_array().unwrap();
    let keys = ["code", "severity", "file", "line", "column", "text", "cure"];
    list.iter().for_each(|diagnostic| assert_keys(diagnostic, &keys));
    let places: Vec<Value> =
        list.iter().map(|d| json!([d["code"], d["file"], d["line"], d["column"]])).collect();
    let expected =
        [json!(["E051", bad, 3, 16]), json!(["E050", bad, 4, 11]), json!(["W100", warns, 2, 5])];
    assert_eq!(places, expected);
    assert!(list.iter().all(|d| d["text"].is_string() && !d["cure"].as_str().unwrap().is_empty()));
    assert_eq!(said.err, "");
    assert_eq!(exits(&["check", "--json", HORSES], 0).out, "[]\n");
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_others_from_being_checked() {
    let folder = Folder::new();
    let warns = folder.write("warns.npc", WARNING);
    let missing = folder.path("missing.npc");
    let said = exits(&["check", &missing, &warns, HORSES], 2);
    assert_has(&said.err, &["cannot read", &missing]);
    assert_has(&said.out, &["warning[W100]", "14 tests"]);
    // Lists for programs leave nothing out: the missing file is an entry of its own.
    let list = exits(&["check", "--json", &missing, &warns], 2).json();
    let codes: Vec<&Value> = list.as_array().unwrap().iter().map(|d| &d["code"]).collect();
    assert_eq!(codes, ["E003", "W100"]);
    let said = exits(&["check", "--format", "short", &missing], 2);
    assert_has(&said.out, &[&format!("{missing}:1:1: error[E003]: cannot read")]);
}

#[test]
fn check_reads_standard_input_and_believes_what_it_is_told() {
    let said = throng_reads(&["check", "-"], TWO_MISTAKES.as_bytes());
    assert_eq!(said.code, Some(2));
    assert_has(&said.out, &["-:3:16", "2 errors"]);
    let said = throng_reads(&["check", "-", "--format", "json", "--format", "short"], b"{");
    assert_eq!(said.code, Some(2));
    assert_eq!(said.out.lines().map(matches).count(), 1);
    let folder = Folder::new();
    let file = folder.write("stable.txt", STABLE);
    refuses(&["check", &file], &["stable.txt", "--format npc"]);
    exits(&["check", &file, "--format", "npc"], 0);
}

// --- fmt -----------------------------------------------------------------------

#[test]
fn fmt_prints_the_layout_and_leaves_the_file_alone() {
    let folder = Folder::new();
    let file = folder.write("d.npc", UNTIDY);
    let said = exits(&["fmt", &file], 0);
    assert_has(&said.out, &["domain d", "var lamp: off, on", "action light: lamp off -> on"]);
    assert_eq!(folder.read("d.npc"), UNTIDY);
    assert_eq!(said.err, "");
    assert_eq!(throng_reads(&["fmt", "-"], UNTIDY.as_bytes()).out, said.out);
}

#[test]
fn fmt_keeps_every_comment() {
    let laid_out = throng_reads(&["fmt", "-"], UNTIDY.as_bytes()).out;
    for comment in ["# first", "# second", "# third", "# fourth", "# fifth", "# last"] {
        assert_eq!(laid_out.matches(comment).count(), 1, "{comment} in:\n{laid_out}");
    }
    for file in corpus() {
        let comments = |text: &str| text.matches('#').count();
        let before = std::fs::read_to_string(root().join(&file)).unwrap();
        assert_eq!(comments(&exits(&["fmt", &file], 0).out), comments(&before), "{file}");
    }
}

#[test]
fn the_layout_of_a_layout_is_itself_and_means_the_same() {
    let folder = Folder::new();
    for file in corpus() {
        let once = exits(&["fmt", &file], 0).out;
        let copy = folder.write("copy.npc", &once);
        assert_eq!(exits(&["fmt", &copy], 0).out, once, "{file}");
        exits(&["fmt", "--check", &copy], 0);
        let twin = folder.path("twin.json");
        let digest =
            |file: &str| exits(&["convert", file, &twin, "--json"], 0).json()["digest"].clone();
        assert_eq!(digest(&copy), digest(&file), "{file}");
    }
    let once = throng_reads(&["fmt", "-"], UNTIDY.as_bytes()).out;
    assert_eq!(throng_reads(&["fmt", "-"], once.as_bytes()).out, once);
}

#[test]
fn fmt_check_names_the_files_that_differ_and_touches_none() {
    let folder = Folder::new();
    let untidy = folder.write("untidy.npc", UNTIDY);
    let tidy = folder.write("tidy.npc", "domain d\n");
    let said = exits(&["fmt", "--check", &tidy, &untidy], 1);
    assert_eq!(said.out.lines().count(), 1);
    assert_has(&said.out, &[&untidy, "fmt --write"]);
    assert_eq!(folder.read("untidy.npc"), UNTIDY);
    let list = exits(&["fmt", "--check", "--json", &tidy, &untidy], 1).json();
    let expected = json!([
        {"file": tidy, "canonical": true},
        {"file": untidy, "canonical": false}
    ]);
    assert_eq!(list, expected);
    assert_eq!(throng_reads(&["fmt", "--check", "-"], UNTIDY.as_bytes()).code, Some(1));
}

#[test]
fn fmt_write_rewrites_what_differs_and_leaves_nothing_beside() {
    let folder = Folder::new();
    let untidy = folder.write("untidy.npc", UNTIDY);
    let layout = exits(&["fmt", &untidy], 0).out;
    let said = exits(&["fmt", "--write", &untidy], 0);
    assert_eq!(said.out, "");
    assert_has(&said.err, &[&untidy, "laid out"]);
    assert_eq!(folder.read("untidy.npc"), layout);
    let again = exits(&["fmt", "--write", &untidy], 0);
    assert_eq!((again.out.as_str(), again.err.as_str()), ("", ""));
    assert_eq!(folder.names(), ["untidy.npc"]);
    refuses(&["fmt", "--write", "-"], &["standard input cannot be rewritten"]);
}

#[test]
fn fmt_does_not_touch_a_broken_file_and_goes_on_with_the_next() {
    let folder = Folder::new();
    let text = "domain d\nvar lamp   off, on\n";
    let broken = folder.write("broken.npc", text);
    let untidy = folder.write("untidy.npc", UNTIDY);
    let said = exits(&["fmt", "--write", &broken, &untidy], 2);
    assert_has(&said.err, &["broken.npc:2:12", "left as it is", "untidy.npc: laid out"]);
    assert_eq!(folder.read("broken.npc"), text);
    assert_ne!(folder.read("untidy.npc"), UNTIDY);
    assert_eq!(folder.names(), ["broken.npc", "untidy.npc"]);
}

#[test]
fn fmt_lays_json_out_too() {
    let folder = Folder::new();
    let text = "{\"domain\":\"d\",\"throng\":1,\n\"variables\":[],\"actions\":[]}";
    let file = folder.write("d.json", text);
    exits(&["fmt", "--check", &file], 1);
    exits(&["fmt", "--write", &file], 0);
    exits(&["fmt", "--check", &file], 0);
    assert_has(&folder.read("d.json"), &["{\"throng\": 1, \"domain\": \"d\","]);
    let broken = folder.write("broken.json", "{\"throng\": 1,}");
    refuses(&["fmt", "--write", &broken], &["broken.json", "left as it is"]);
    assert_eq!(folder.read("broken.json"), "{\"throng\": 1,}");
}

#[test]
#[cfg(unix)]
fn fmt_keeps_links_and_permissions_and_respects_read_only_files() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let mode = |name: &str| std::fs::metadata(folder.path(name)).unwrap().permissions().mode();
    let set = |name: &str, mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(folder.path(name), permissions).unwrap();
    };
    folder.write("real.npc", UNTIDY);
    set("real.npc", 0o640);
    symlink("real.npc", folder.path("link.npc")).unwrap();
    exits(&["fmt", "--write", &folder.path("link.npc")], 0);
    assert!(std::fs::symlink_metadata(folder.path("link.npc")).unwrap().is_symlink());
    assert_has(&folder.read("real.npc"), &["domain d"]);
    assert_eq!(mode("real.npc") & 0o777, 0o640);

    folder.write("locked.npc", UNTIDY);
    set("locked.npc", 0o444);
    refuses(&["fmt", "--write", &folder.path("locked.npc")], &["read-only"]);
    assert_eq!(folder.read("locked.npc"), UNTIDY);
}

#[test]
fn a_byte_order_mark_moves_no_column() {
    let folder = Folder::new();
    let plain = folder.write("d.npc", "domain d d\nvar lamp: off, off\n");
    let short = |file: &str| exits(&["check", "--format", "short", file], 2).out;
    let full = |file: &str| exits(&["check", file], 2).out;
    let expected = (short(&plain), full(&plain));
    assert_has(&expected.0, &["d.npc:1:8: "]);
    folder.write("d.npc", "\u{feff}domain d d\nvar lamp: off, off\n");
    assert_eq!((short(&plain), full(&plain)), expected);
}

// --- convert -------------------------------------------------------------------

#[test]
fn there_and_back_again_is_the_same_domain() {
    let folder = Folder::new();
    let (twin, back, again) =
        (folder.path("twin.json"), folder.path("back.npc"), folder.path("again.json"));
    for file in corpus() {
        let there = exits(&["convert", &file, &twin, "--json"], 0).json();
        assert_keys(&there, &["output", "digest", "variables", "actions"]);
        assert_eq!(there["output"], twin);
        assert_eq!(there["digest"].as_str().unwrap().len(), 32);
        let back_again = exits(&["convert", &twin, &back, "--json"], 0).json();
        assert_eq!(there["digest"], back_again["digest"], "{file}");
        let once_more = exits(&["convert", &back, &again, "--json"], 0).json();
        assert_eq!(there["digest"], once_more["digest"], "{file}");
        assert_eq!(folder.read("twin.json"), folder.read("again.json"), "{file}");
        exits(&["fmt", "--check", &twin, &back], 0);
    }
}

#[test]
fn a_different_domain_has_a_different_digest() {
    let folder = Folder::new();
    let digest = |text: &str| {
        let file = folder.write("d.npc", text);
        exits(&["convert", &file, &folder.path("d.json"), "--json"], 0).json()["digest"].clone()
    };
    assert_ne!(digest(STABLE), digest(&STABLE.replace("cost 2", "cost 3")));
    assert_eq!(digest(STABLE), digest(&format!("# a comment\n{STABLE}")));
}

#[test]
fn convert_prints_the_other_format() {
    let folder = Folder::new();
    let twin = folder.path("twin.json");
    let said = exits(&["convert", HORSES, &twin], 0);
    let wrote = format!("wrote `{twin}`: 3 variables, 7 actions\n");
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", wrote.as_str()));
    assert_eq!(exits(&["convert", HORSES, &twin, "--json"], 0).err, "", "JSON says it");
    assert_eq!(exits(&["convert", HORSES, "-"], 0).err, "", "the text says it");
    assert_eq!(exits(&["convert", HORSES, "-"], 0).out, folder.read("twin.json"));
    let text = exits(&["convert", &twin, "-"], 0).out;
    assert_has(&text, &["domain horse_breeder_000\n", "action fill_feeder:"]);
    let odd = folder.path("odd_ending");
    refuses(&["convert", HORSES, &odd], &["odd_ending", "--out-format"]);
    exits(&["convert", HORSES, &odd, "--out-format", "json"], 0);
    assert_eq!(folder.read("odd_ending"), folder.read("twin.json"));
}

#[test]
fn convert_refuses_names_that_the_language_cannot_express() {
    let folder = Folder::new();
    let text = r#"{"throng": 1, "domain": "blocks",
        "variables": [{"name": "on a b", "values": ["yes", "no"]}],
        "actions": [{"name": "(stack a b)", "requires": {}, "sets": {"on a b": "yes"}}]}"#;
    let file = folder.write("blocks.json", text);
    let out = folder.path("blocks.npc");
    refuses(&["convert", &file, &out], &["rename", "variable: `on a b`", "action: `(stack a b)`"]);
    assert_eq!(folder.names(), ["blocks.json"]);
    exits(&["plan", &file, "--to", "on a b=yes"], 0);
}

#[test]
fn convert_does_not_overwrite_its_own_input() {
    let folder = Folder::new();
    let file = folder.write("d.npc", UNTIDY);
    refuses(&["convert", &file, &file], &["same file", "fmt --write"]);
    let other_way = Path::new(&folder.path("")).join("./d.npc");
    refuses(&["convert", &file, other_way.to_str().unwrap()], &["same file"]);
    assert_eq!(folder.read("d.npc"), UNTIDY);
}

#[test]
fn convert_says_where_it_cannot_write() {
    let folder = Folder::new();
    let nowhere = folder.path("no/such/folder/d.json");
    refuses(&["convert", HORSES, &nowhere], &["cannot write", &nowhere]);
    std::fs::create_dir(folder.path("folder.json")).unwrap();
    refuses(&["convert", HORSES, &folder.path("folder.json")], &["it is a folder"]);
    assert_eq!(folder.names(), ["folder.json"]);
}

#[test]
fn the_cure_of_a_file_outside_is_a_root_that_lets_it_in() {
    let folder = Folder::new();
    folder.write(
        "people/guard.npc",
        "domain guard\nvar lamp: off, on\naction light: lamp off -> on\n",
    );
    let level = folder.write("levels/yard.npc", "domain yard\nuse \"../people/guard.npc\"\n");
    let said = exits(&["check", &level], 2);
    let (_, root) = said.out.split_once("`--root ").unwrap();
    let (root, _) = root.split_once('`').unwrap();
    assert_eq!(root, folder.path("").trim_end_matches(['/', '\\']));
    exits(&["check", &level, "--root", root], 0);
    // Also of lines that name the level.
    let line = json!({"file": level, "from": {"lamp": "off"}, "to": {"lamp": "on"}});
    let solved = throng_reads(&["solve", "--root", root], line.to_string().as_bytes()).json();
    assert_eq!(solved["plan"], json!(["light"]), "{solved}");
    // A root that is too low is told, and one further up.
    let low = exits(&["check", &level, "--root", &folder.path("levels")], 2);
    assert_has(&low.out, &["is not inside `", "levels/`", &format!("`--root {root}`")]);
    // What no root lets in is not said to be cured by one.
    let other = folder.write("levels/other.npc", "domain other\nuse \"/people/guard.npc\"\n");
    assert!(!exits(&["check", &other], 2).out.contains("--root"));
}
