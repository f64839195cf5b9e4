//! `throng validate` and `throng test`: plans replayed, promises kept.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use serde_json::{Value, json};

const MORNING: &str =
    "pick_up_bucket,fill_bucket,fill_trough,drop_bucket,take_haystack,fill_feeder";

fn verdict(words: &[&str], code: i32) -> Value {
    let said = exits(&[&["validate", "--json"], words].concat(), code);
    assert_eq!(said.err, "");
    let verdict = said.json();
    assert_keys(&verdict, &["valid", "failed_step", "reason"]);
    verdict
}

#[test]
fn a_good_plan_is_valid() {
    let good = verdict(&[HORSES, "--plan", MORNING], 0);
    assert_eq!(good, json!({"valid": true, "failed_step": null, "reason": null}));
    let said = exits(&["validate", HORSES, "--plan", MORNING], 0);
    assert_has(&said.out, &["valid for feed_horses: 6 actions, cost 6"]);
    // As people write lists.
    exits(&["validate", HORSES, "--plan", &MORNING.replace(',', ", ")], 0);
}

#[test]
fn the_plan_that_was_found_is_valid() {
    let folder = Folder::new();
    let stable = folder.write("stable.npc", STABLE);
    let question = [&stable, "haystack=in_hands", "--to", "water=in_trough,haystack=in_feeder"];
    let answer = exits(&[&["plan", "--json"], &question[..]].concat(), 0).json();
    let steps: Vec<&str> =
        answer["plan"].as_array().unwrap().iter().map(|step| step.as_str().unwrap()).collect();
    let plan = steps.join(",");
    assert_eq!(verdict(&[&question[..], &["--plan", &plan]].concat(), 0)["valid"], true);
}

#[test]
fn the_failing_step_is_named_from_one() {
    let bad = verdict(&[HORSES, "--plan", "pick_up_bucket,fill_trough"], 1);
    assert_eq!((&bad["valid"], &bad["failed_step"]), (&json!(false), &json!(2)));
    let parts = ["step 2, fill_trough", "needs water = in_bucket", "is in_fountain"];
    assert_has(bad["reason"].as_str().unwrap(), &parts);
    let said = exits(&["validate", HORSES, "--plan", "pick_up_bucket,fill_trough"], 1);
    assert_has(&said.out, &["not valid for feed_horses", parts[0]]);
}

#[test]
fn a_plan_that_ends_elsewhere_fails_at_no_step() {
    let short = verdict(&[HORSES, "--plan", "pick_up_bucket"], 1);
    assert_eq!((&short["valid"], &short["failed_step"]), (&json!(false), &Value::Null));
    assert_has(short["reason"].as_str().unwrap(), &["at the end"]);
}

#[test]
fn an_unknown_action_is_a_failing_step_with_the_nearest_name() {
    let typo = verdict(&[HORSES, "--plan", "pick_up_bukcet"], 1);
    assert_eq!(typo["failed_step"], 1);
    assert_has(typo["reason"].as_str().unwrap(), &["did you mean pick_up_bucket?"]);
}

#[test]
fn circumstances_count_in_the_replay() {
    let folder = Folder::new();
    let stable = folder.write("stable.npc", STABLE);
    exits(&["validate", &stable, "--plan", MORNING], 0);
    let denied = verdict(&[&stable, "--without", "trough_reachable", "--plan", MORNING], 1);
    assert_eq!(denied["failed_step"], 3);
    assert_has(denied["reason"].as_str().unwrap(), &["trough_reachable"]);
    assert_eq!(verdict(&[&stable, "--only", "", "--plan", MORNING], 1)["failed_step"], 3);
    assert_eq!(verdict(&[&stable, "bucket=in_hands", "--plan", MORNING], 1)["failed_step"], 1);
}

#[test]
fn wanted_values_are_named_in_the_verdict() {
    let said =
        exits(&["validate", HORSES, "--to", "bucket=in_hands", "--plan", "pick_up_bucket"], 0);
    assert_has(&said.out, &["valid for bucket = in_hands: 1 action, cost 1"]);
}

/// The stable with a test that passes and two that fail.
fn three_tests() -> String {
    format!(
        "{STABLE}
test morning: horse_breeder
    goal feed_horses
    expect length 6

test too_short: horse_breeder
    goal feed_horses
    expect length 5

test \u{e4}rgerlich: horse_breeder
    to haystack = in_feeder
    expect impossible
    expect never fill_feeder
"
    )
}

#[test]
fn the_corpus_keeps_its_promises() {
    let said = exits(&["test", "domains/papers", "domains/fear"], 0);
    assert_has(&said.out, &[" passed, 0 failed, in 17 files\n"]);
    assert_eq!(said.err, "");
}

#[test]
fn a_failing_test_names_its_place_and_the_difference() {
    let folder = Folder::new();
    let file = folder.write("stable.npc", three_tests());
    let said = exits(&["test", &file], 1);
    let line = |text: &str| 1 + three_tests().lines().position(|line| line.contains(text)).unwrap();
    assert_has(
        &said.out,
        &[
            &format!("{file}:{}: too_short failed", line("test too_short")),
            &format!("line {}: expected a plan of 5 actions, got pick_up", line("length 5")),
            "(6 actions, cost 7)",
            "ärgerlich failed",
            "expected impossible, got take_haystack, fill_feeder",
            "expected a plan without fill_feeder, got",
            "1 passed, 2 failed, in 1 file\n",
        ],
    );
    assert!(!said.out.contains("morning"), "what passes is not worth a line: {}", said.out);
    assert_eq!(said.err, "");
}

#[test]
fn tests_as_json_tell_place_and_failures() {
    let folder = Folder::new();
    let file = folder.write("stable.npc", three_tests());
    let report = exits(&["test", &file, "--json"], 1).json();
    assert_keys(&report, &["passed", "failed", "tests", "unusable"]);
    assert_eq!((&report["passed"], &report["failed"]), (&json!(1), &json!(2)));
    let tests = report["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 3);
    tests.iter().for_each(|t| assert_keys(t, &["file", "line", "test", "passed", "failures"]));
    assert_eq!(tests[0]["passed"], true);
    assert_eq!(tests[2]["failures"].as_array().unwrap().len(), 2);
}

#[test]
fn the_report_for_build_servers_is_well_formed_and_counts() {
    let folder = Folder::new();
    let file = folder.write("stable.npc", three_tests());
    let broken = folder.write("a&b.npc", "domain d\nvar lamp: < off, on\n");
    let report = folder.path("report.xml");
    exits(&["test", &file, &broken, "--junit", &report], 2);
    let xml = folder.read("report.xml");
    let elements = well_formed(&xml);
    let n = |name: &str| elements.iter().filter(|(element, _)| element == name).count();
    assert_eq!((n("testsuites"), n("testsuite")), (1, 1));
    assert_eq!((n("testcase"), n("failure"), n("error")), (4, 2, 1));
    for (name, attributes) in elements.iter().filter(|(name, _)| name.starts_with("testsuite")) {
        let counts = r#"tests="4" failures="2" errors="1""#;
        assert!(attributes.contains(counts), "{name}: {attributes}");
    }
    assert_has(&xml, &["expected impossible", "name=\"ärgerlich\"", "a&amp;b.npc", "`&lt;`"]);
}

#[test]
fn a_report_of_success_has_no_failures() {
    let folder = Folder::new();
    let report = folder.path("report.xml");
    exits(&["test", HORSES, "--junit", &report], 0);
    let elements = well_formed(&folder.read("report.xml"));
    assert!(elements[1].1.contains(r#"tests="14" failures="0" errors="0""#), "{elements:?}");
    refuses_to_write(&folder.path("no/such/folder.xml"));
}

#[cfg(unix)]
#[test]
fn a_report_is_not_written_over_what_is_tested() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let part = "domain stable\nvar lamp: off, on\naction light: lamp -> on\n";
    let text = format!("{}\nuse \"parts/lamp.npc\"\n", three_tests());
    let file = folder.write("stable.npc", &text);
    folder.write("parts/lamp.npc", part);
    let broken_text = "domain d\nuse \"more.npc\"\nvar lamp: < off, on\n";
    folder.write("broken/broken.npc", broken_text);
    folder.write("broken/more.npc", "domain d\nvar more: 1, 2\n");
    symlink("stable.npc", folder.path("link.xml")).unwrap();
    symlink("parts", folder.path("way")).unwrap();
    let reports = [
        "stable.npc",
        "./parts/../stable.npc",
        "link.xml",
        "parts/lamp.npc",
        "way/lamp.npc",
        "parts/../way/../parts/./lamp.npc",
    ];
    for report in reports {
        let report = format!("{}/{report}", folder.path(""));
        for tested in
            [&file, &folder.path(""), &folder.path("link.xml").replace("link.xml", "stable.npc")]
        {
            refuses(&["test", tested, "--junit", &report], &["is read to test", "--junit"]);
        }
    }
    for report in ["broken/broken.npc", "broken/more.npc"] {
        let words = ["test", &folder.path("broken/broken.npc"), "--junit", &folder.path(report)];
        refuses(&words, &["is read to test"]);
    }
    assert_eq!(folder.read("stable.npc"), text);
    assert_eq!(folder.read("parts/lamp.npc"), part);
    assert_eq!(folder.read("broken/broken.npc"), broken_text);
    // Beside them there is room, and an old report is no input.
    let report = folder.path("report.xml");
    exits(&["test", &file, "--junit", &report], 1);
    exits(&["test", &file, "--junit", &report], 1);
}

fn refuses_to_write(report: &str) {
    let said = exits(&["test", HORSES, "--junit", report], 2);
    assert_has(&said.err, &["cannot write", report]);
}

/// Reads XML strictly: a declaration, one root, tags that close, quoted attributes, entities.
/// Gives the elements with their attributes as written.
fn well_formed(xml: &str) -> Vec<(String, String)> {
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").unwrap();
    let (mut open, mut elements) = (Vec::new(), Vec::new());
    while let Some(start) = rest.find('<') {
        assert!(rest[..start].trim().is_empty(), "text between tags: {}", &rest[..start]);
        let end = rest.find('>').unwrap();
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        attributes_are_well_formed(attributes);
        assert!(elements.is_empty() || !open.is_empty(), "a second root");
        elements.push((name.to_string(), attributes.to_string()));
        if !closed {
            open.push(name.to_string());
        }
    }
    assert!(rest.trim().is_empty() && open.is_empty(), "open: {open:?}, rest: {rest}");
    elements
}

fn attributes_are_well_formed(mut rest: &str) {
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").unwrap();
        assert!(name.trim().chars().all(|c| c.is_ascii_alphabetic()), "{name}");
        let (value, after) = after.split_once('"').unwrap();
        assert!(!value.contains('<') && !value.chars().any(char::is_control), "{value}");
        for entity in value.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;", "#10;"];
            assert!(known.iter().any(|known| entity.starts_with(known)), "&{entity}");
        }
        rest = after;
    }
}

#[test]
fn no_tests_found_is_an_error() {
    let folder = Folder::new();
    let file = folder.write("stable.npc", STABLE);
    let said = exits(&["test", &file], 2);
    assert_has(&said.err, &["no `test` statement found"]);
    folder.write("nothing/notes.txt", "no domain");
    refuses(&["test", &folder.path("nothing")], &["has no .npc file"]);
    refuses_nothing(&folder.path("missing"));
}

fn refuses_nothing(path: &str) {
    let said = exits(&["test", path], 2);
    assert_has(&said.err, &["cannot read", path]);
}

#[test]
fn a_folder_is_searched_for_our_files_and_no_others() {
    let folder = Folder::new();
    folder.write("a/stable.npc", three_tests().replace("length 5", "length 6"));
    exits(&["convert", HORSES, &folder.path("twin.json")], 0);
    folder.write("package.json", "{\"name\": \"throng\", \"version\": \"1.0\"}");
    folder.write("broken_but_not_ours.json", "{\"name\": ");
    folder.write("notes.txt", "no domain");
    folder.write(".hidden/broken.npc", "no domain");
    let said = exits(&["test", &folder.path("")], 1);
    assert_has(&said.out, &["16 passed, 1 failed, in 2 files"]);
    assert_eq!(said.err, "");
    folder.write("ours.json", "{\"throng\": 1,");
    let said = exits(&["test", &folder.path("")], 2);
    assert_has(&said.err, &["ours.json"]);
    assert_has(&said.out, &["16 passed, 1 failed, in 3 files"]);
}

#[test]
fn an_included_file_is_tested_with_the_file_that_includes_it() {
    let folder = Folder::new();
    // Sorted before and after the file that needs them; neither makes sense alone.
    folder.write("a_part.npc", "var lamp: off, on\n");
    folder.write("main.npc", "domain house\nuse \"a_part.npc\"\nuse \"parts/z_part.npc\"\n");
    let part = "action light: lamp off -> on\nnpc owner\n    can light\n    starts lamp = off\n\
                test dusk: owner\n    to lamp = on\n    expect length 1\n";
    folder.write("parts/z_part.npc", part);
    let said = exits(&["test", &folder.path("")], 0);
    assert_has(&said.out, &["1 passed, 0 failed, in 1 file\n"]);
    assert_eq!(said.err, "");
    // Asked for by name, it is tested by itself.
    let said = exits(&["test", &folder.path("a_part.npc")], 2);
    assert_has(&said.err, &["E007"]);
}

#[test]
#[cfg(unix)]
fn a_link_to_the_folder_itself_is_no_maze() {
    let folder = Folder::new();
    folder.write("stable.npc", three_tests());
    for name in ["again", "and_again"] {
        std::os::unix::fs::symlink(folder.path(""), folder.path(name)).unwrap();
    }
    let said = exits(&["test", &folder.path("")], 1);
    assert_has(&said.out, &["1 passed, 2 failed, in 1 file\n"]);
}

#[test]
fn a_broken_file_does_not_hide_the_tests_of_the_others() {
    let folder = Folder::new();
    let broken = folder.write("broken.npc", "domain d\nvar lamp off, on\n");
    let said = exits(&["test", &broken, HORSES], 2);
    assert_has(&said.out, &["14 passed, 0 failed, in 2 files"]);
    assert_has(&said.err, &["broken.npc:2:10", "cannot be used"]);
    let report = throng(&["test", &broken, HORSES, "--json"]).json();
    let unusable = &report["unusable"][0];
    assert_keys(unusable, &["file", "mistakes"]);
    assert_has(unusable["mistakes"][0].as_str().unwrap(), &["broken.npc:2:10: error["]);
}

#[test]
fn where_nothing_has_to_be_done_the_cost_is_zero() {
    let folder = Folder::new();
    let text = "domain d\nvar lamp: off, on\naction light: lamp off -> on\ngoal lit: lamp = on\n\
                npc n\n    can everything\n    wants everything\n\
                test lit: n\n    from lamp = on\n    expect cost 0\n    expect satisfied\n\
                test dark: n\n    from lamp = off\n    expect cost 1\n";
    let file = folder.write("d.npc", text);
    exits(&["check", &file], 0);
    exits(&["test", &file], 0);
    let twin = folder.path("d.json");
    exits(&["convert", &file, &twin], 0);
    exits(&["test", &twin], 0);
    let wrong = folder.write("w.npc", text.replace("cost 1", "cost 0"));
    assert_has(&exits(&["test", &wrong], 1).out, &["expected a plan of cost 0"]);
}
