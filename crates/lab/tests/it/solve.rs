//! `throng solve`: what a line may ask, and what its answer looks like. Long streams are in
//! `solve_streams.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use serde_json::{Value, json};

const ANSWER: [&str; 8] = ["id", "outcome", "plan", "cost", "planner", "reason", "nodes", "goal"];

/// A lamp, a moon that nobody moves, and a smith and a sweeper who share a forge.
const HOUSE: &str = "domain house
var lamp: off, on
var moon: new, full
var ammo: 0..3
action light: lamp off -> on  if oil
action strike: lamp off -> on  if matches  cost 5
action shoot: ammo -= 1
goal bright: lamp = on
goal moonshine: moon = full
npc owner
    can light, strike, shoot
    wants bright
    starts lamp = off, ammo = 3
npc guest
    can shoot
    wants bright
    starts lamp = off
";

/// The answer to one line.
fn answer(line: &str) -> Value {
    let answers = answers(&[line]);
    assert_eq!(answers.len(), 1, "{line}");
    answers.into_iter().next().unwrap()
}

/// The answers to some lines.
fn answers(lines: &[&str]) -> Vec<Value> {
    answers_of(&["solve", "--root", &Folder::all()], lines)
}

/// The answers of a command line to some lines.
fn answers_of(words: &[&str], lines: &[&str]) -> Vec<Value> {
    let said = throng_reads(words, lines.join("\n").as_bytes());
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A line about the house, by file, with more keys.
fn house(folder: &Folder, more: &str) -> String {
    let file = folder.write("house.npc", HOUSE);
    format!(r#"{{"id": 1, "file": {}, {more}}}"#, json!(file))
}

/// Asks about the house and compares outcome and plan.
fn check(more: &str, outcome: &str, plan: Value) -> Value {
    let answer = answer(&house(&Folder::new(), more));
    assert_keys(&answer, &ANSWER);
    assert_eq!((&answer["outcome"], &answer["plan"]), (&json!(outcome), &plan), "{answer}");
    answer
}

/// Asks something wrong about the house; the answer must have this code and these parts.
fn check_error(more: &str, code: &str, parts: &[&str]) {
    let answer = answer(&house(&Folder::new(), more));
    is_error(&answer, code, parts);
    assert_eq!((&answer["id"], &answer["line"]), (&json!(1), &json!(1)));
}

fn is_error(answer: &Value, code: &str, parts: &[&str]) {
    assert_keys(answer, &[&ANSWER[..], &["line"]].concat());
    assert_eq!(answer["outcome"], "error", "{answer}");
    for key in ["plan", "cost", "planner", "goal"] {
        assert_eq!(answer[key], Value::Null, "{answer}");
    }
    assert_keys(&answer["reason"], &["code", "text"]);
    assert_eq!(answer["reason"]["code"], code, "{answer}");
    assert_has(answer["reason"]["text"].as_str().unwrap(), parts);
}

#[test]
fn every_outcome_has_its_shape() {
    let plan = check(r#""npc": "owner", "goal": "bright""#, "plan", json!(["light"]));
    assert_eq!((&plan["cost"], &plan["reason"]), (&json!(1), &Value::Null));
    assert!(plan["nodes"].is_u64() && plan["planner"].is_string());
    assert_eq!(plan["goal"], "bright");

    let satisfied = check(r#""npc": "owner", "to": {"lamp": "off"}"#, "satisfied", json!([]));
    assert_eq!((&satisfied["cost"], &satisfied["reason"]), (&json!(0), &Value::Null));
    assert_eq!(satisfied["goal"], Value::Null);

    let impossible = check(r#""npc": "guest", "goal": "bright""#, "impossible", Value::Null);
    assert_eq!(impossible["cost"], Value::Null);
    assert_eq!(impossible["reason"]["code"], "only_world_sets");
    assert_has(impossible["reason"]["text"].as_str().unwrap(), &["`lamp = on`", "`owner` can"]);

    let limit = r#""npc": "owner", "goal": "bright", "planner": "forward", "max_nodes": 0"#;
    let gave_up = check(limit, "gave_up", Value::Null);
    assert_eq!(gave_up["reason"]["code"], "node_limit");

    check_error(r#""npc": "owner", "goal": "brigth""#, "unknown_name", &["did you mean `bright`?"]);
}

#[test]
fn the_answer_begins_with_the_id_and_the_outcome_as_in_the_reference() {
    let folder = Folder::new();
    let line = house(&folder, r#""npc": "owner", "goal": "bright""#);
    let said = throng_reads(&["solve", "--root", &Folder::all()], line.as_bytes());
    assert_has(&said.out, &[r#"{"id":1,"outcome":"plan","plan":["light"],"cost":1,"planner":""#]);
    let said = throng_reads(&["solve"], b"nonsense");
    assert_has(&said.out, &[r#"{"id":null,"line":1,"outcome":"error","#]);
}

#[test]
fn from_replaces_the_starts_of_the_npc() {
    let already = r#""npc": "owner", "from": {"lamp": "on"}, "goal": "bright""#;
    check(already, "satisfied", json!([]));
    let shots =
        |ammo: &str| format!(r#""npc": "owner", "from": {{"ammo": {ammo}}}, "to": {{"ammo": 0}}"#);
    // Numbers are values too, as numbers and as texts; what is not said stays as in `starts`.
    assert_eq!(check_length(&shots("2")), 2);
    assert_eq!(check_length(&shots("\"1\"")), 1);
    assert_eq!(check_length(r#""npc": "owner", "to": {"ammo": 0}"#), 3);
    assert_eq!(check_length(r#""npc": "owner", "from": {}, "to": {"ammo": "0"}"#), 3);
}

fn check_length(more: &str) -> usize {
    let answer = answer(&house(&Folder::new(), more));
    assert_eq!(answer["outcome"], "plan", "{answer}");
    answer["plan"].as_array().unwrap().len()
}

#[test]
fn true_and_false_are_values_of_bool_variables() {
    let line = r#"{"domain": {"throng": 1, "domain": "d",
        "variables": [{"name": "lit", "values": ["false", "true"]}],
        "actions": [{"name": "light", "requires": {"lit": "false"}, "sets": {"lit": "true"}}]},
        "from": {"lit": false}, "to": {"lit": true}}"#;
    let answer = answer(&line.replace('\n', " "));
    assert_eq!((&answer["plan"], &answer["id"]), (&json!(["light"]), &Value::Null));
}

#[test]
fn checks_hold_unless_denied() {
    let asks = |more: &str| format!(r#""npc": "owner", "goal": "bright"{more}"#);
    check(&asks(""), "plan", json!(["light"]));
    check(&asks(r#", "without": []"#), "plan", json!(["light"]));
    check(&asks(r#", "without": ["oil"]"#), "plan", json!(["strike"]));
    check(&asks(r#", "only": ["matches"]"#), "plan", json!(["strike"]));
    let dark = check(&asks(r#", "only": []"#), "impossible", Value::Null);
    assert_eq!(dark["reason"]["code"], "check_false");
    check(&asks(r#", "without": ["oil", "matches"]"#), "impossible", Value::Null);
    check_error(&asks(r#", "without": ["oli"]"#), "unknown_name", &["did you mean `oil`?"]);
    check_error(&asks(r#", "only": [], "without": []"#), "bad_question", &["exclude"]);
}

#[test]
fn modes_planners_and_limits_are_understood() {
    for more in [
        r#""mode": "cheapest""#,
        r#""mode": "shortest", "planner": "auto""#,
        r#""mode": "fast", "planner": "forward""#,
        r#""max_nodes": 18446744073709551615"#,
        // Too large to count to: no limit.
        r#""max_nodes": 99999999999999999999999"#,
        // A key without a value is a key left out.
        r#""mode": null, "planner": null, "max_nodes": null, "from": null, "to": null"#,
    ] {
        let answer =
            answer(&house(&Folder::new(), &format!(r#""npc": "owner", "goal": "bright", {more}"#)));
        assert_eq!(answer["outcome"], "plan", "{answer}");
    }
    let asks = |more: &str| format!(r#""npc": "owner", "goal": "bright", {more}"#);
    check_error(&asks(r#""mode": "chepest""#), "unknown_name", &["cheapest"]);
    check_error(&asks(r#""planner": "forwrd""#), "unknown_name", &["forward"]);
    check_error(&asks(r#""planner": "gaop""#), "unknown_name", &["goap"]);
    for nodes in ["-1", "1.5", "1e3"] {
        check_error(&asks(&format!(r#""max_nodes": {nodes}"#)), "wrong_type", &["whole number"]);
    }
}

#[test]
fn one_of_several_npcs_must_be_named() {
    check_error(r#""goal": "bright""#, "bad_question", &["owner, guest"]);
    check_error(r#""goal": "bright", "npc": "gest""#, "unknown_name", &["did you mean `guest`?"]);
}

#[test]
fn a_variable_that_no_action_touches_is_legal() {
    let asks = |from: &str| format!(r#""npc": "owner", "from": {from}, "goal": "moonshine""#);
    check(&asks(r#"{"moon": "full"}"#), "satisfied", json!([]));
    let new = check(&asks(r#"{"moon": "new"}"#), "impossible", Value::Null);
    assert_eq!(new["reason"]["code"], "only_world_sets");
    let unknown = check(&asks("{}"), "impossible", Value::Null);
    assert_eq!(unknown["reason"]["code"], "unknown_start");
    let both = r#""npc": "owner", "from": {"moon": "full"}, "to": {"lamp": "on", "moon": "full"}"#;
    check(both, "plan", json!(["light"]));
    let line = r#"{"domain": {"throng": 1, "domain": "d", "variables":
        [{"name": "moon", "values": ["new", "full"]}], "actions": []},
        "from": {"moon": "full"}, "to": {"moon": "full"}}"#;
    assert_eq!(answer(&line.replace('\n', " "))["outcome"], "satisfied");
}

#[test]
fn goal_and_to_exclude_each_other_and_one_is_needed() {
    let parts = ["`goal`", "`to`"];
    check_error(r#""npc": "owner""#, "bad_question", &parts);
    check_error(
        r#""npc": "owner", "goal": "bright", "to": {"lamp": "on"}"#,
        "bad_question",
        &parts,
    );
    check(r#""npc": "owner", "to": {}"#, "satisfied", json!([]));
}

#[test]
fn domain_and_file_exclude_each_other_and_one_is_needed() {
    let parts = ["`domain`", "`file`"];
    check_error(r#""domain": {"throng": 1}, "goal": "bright""#, "bad_question", &parts);
    is_error(&answer(r#"{"goal": "bright"}"#), "bad_question", &parts);
}

#[test]
fn a_domain_that_cannot_be_used_is_an_error_of_its_line() {
    let line = |domain: &str| format!(r#"{{"id": 7, "domain": {domain}, "goal": "g"}}"#);
    is_error(&answer(&line("{}")), "bad_domain", &["E082", "`throng`"]);
    is_error(&answer(&line("7")), "bad_domain", &["E085"]);
    let unknown = r#"{"throng": 1, "domain": "d", "variables": [], "acitons": [], "actions": []}"#;
    is_error(&answer(&line(unknown)), "bad_domain", &["E083", "did you mean `actions`?"]);
    let file = |file: &str| format!(r#"{{"id": 7, "file": {}, "goal": "g"}}"#, json!(file));
    let folder = Folder::new();
    is_error(&answer(&file(&folder.path("no.npc"))), "bad_domain", &["no.npc", "no such file"]);
    is_error(&answer(&file(&folder.path(""))), "bad_domain", &["it is a folder"]);
    is_error(&answer(&file("blocks.pddl")), "bad_domain", &["throng pddl"]);
    let broken = folder.write("broken.npc", "domain d\nvar lamp off, on\n");
    is_error(
        &answer(&file(&broken)),
        "bad_domain",
        &["broken.npc:", ": error[E024]: ", "; help: "],
    );
}

#[test]
fn costs_replace_those_of_the_domain_and_wrong_ones_are_errors() {
    let asks = |costs: &str| format!(r#""npc": "owner", "goal": "bright", "costs": {costs}"#);
    let cheap = check(&asks(r#"{"strike": 0.25}"#), "plan", json!(["strike"]));
    assert_eq!(cheap["cost"], json!(0.25));
    let dear = check(&asks(r#"{"light": 7, "shoot(1)": 3}"#), "plan", json!(["strike"]));
    assert_eq!(dear["cost"], json!(5));
    check(&asks("{}"), "plan", json!(["light"]));
    check(&asks("null"), "plan", json!(["light"]));
    check_error(&asks(r#"{"lihgt": 1}"#), "unknown_name", &["did you mean `light`?"]);
    // What counts is one action; an old name of it with numbers is understood.
    check(&asks(r#"{"shoot": 1}"#), "plan", json!(["light"]));
    check_error(&asks(r#"{"light": 0}"#), "bad_cost", &["`light` cannot cost `0`"]);
    check_error(&asks(r#"{"light": -1}"#), "bad_cost", &["plain number"]);
    check_error(&asks(r#"{"light": 1e9}"#), "bad_cost", &["1000000 at most"]);
    check_error(&asks(r#"{"light": "1"}"#), "wrong_type", &["`light`", "a text"]);
    check_error(&asks("[]"), "wrong_type", &["`costs`", "a list"]);
    check_error(&asks(r#"{"light": 1, "light": 2}"#), "key_twice", &["`light` stands twice"]);
}

#[test]
fn unknown_keys_names_and_wrong_types_are_errors_of_their_line() {
    let asks = |more: &str| format!(r#""npc": "owner", "goal": "bright", {more}"#);
    check_error(&asks(r#""form": {}"#), "unknown_key", &["did you mean `from`?"]);
    check_error(&asks(r#""zzzzzzzz": {}"#), "unknown_key", &["max_nodes"]);
    check_error(&asks(r#""npc": "owner""#), "key_twice", &["`npc`"]);
    check_error(&asks(r#""from": {"lmap": "on"}"#), "unknown_name", &["did you mean `lamp`?"]);
    check_error(&asks(r#""from": {"lamp": "onn"}"#), "unknown_name", &["did you mean `on`?"]);
    check_error(&asks(r#""from": {"ammo": 4}"#), "unknown_name", &["`ammo` is 0..3", "never 4"]);
    check_error(&asks(r#""from": {"lamp": null}"#), "wrong_type", &["`lamp`", "null"]);
    check_error(&asks(r#""from": {"lamp": []}"#), "wrong_type", &["`lamp`", "a list"]);
    check_error(&asks(r#""from": []"#), "wrong_type", &["`from`", "a list"]);
    check_error(&asks(r#""without": "oil""#), "wrong_type", &["`without`", "a list of texts"]);
    check_error(&asks(r#""only": [1]"#), "wrong_type", &["`only`", "a number"]);
    check_error(&asks(r#""mode": 1"#), "wrong_type", &["`mode`", "a number"]);
    check_error(&asks(r#""max_nodes": "9""#), "wrong_type", &["`max_nodes`", "a text"]);
    check_error(r#""npc": 3, "goal": "bright""#, "wrong_type", &["`npc`", "a number"]);
    check_error(r#""npc": "owner", "goal": {}"#, "wrong_type", &["`goal`", "an object"]);
    check_error(r#""npc": "owner", "to": "lamp""#, "wrong_type", &["`to`", "a text"]);
    let twice = r#""from": {"lamp": "on", "lamp": "on"}"#;
    check_error(&asks(twice), "key_twice", &["`lamp` stands twice in `from`"]);
    let both = r#""from": {"lamp": "on", "lamp": "off"}"#;
    check_error(&asks(both), "bad_question", &["one value"]);
}

#[test]
fn lines_without_a_readable_id_are_told_by_number() {
    let deep = format!("{{\"id\": {}1{}}}", "[".repeat(500), "]".repeat(500));
    let lines =
        ["nonsense", "", "[1]", "  \t", "7", "{\"id\": 1", &deep, "{\"id\": 1} {\"id\": 2}"];
    let answers = answers(&lines);
    let told: Vec<Value> = answers.iter().map(|a| json!([a["id"], a["line"]])).collect();
    assert_eq!(
        json!(told),
        json!([[null, 1], [null, 3], [null, 5], [null, 6], [null, 7], [null, 8]])
    );
    answers.iter().for_each(|answer| is_error(answer, "not_json", &[]));
    assert_has(answers[4]["reason"]["text"].as_str().unwrap(), &["nested deeper"]);
}

#[test]
fn a_stream_may_come_from_windows() {
    let folder = Folder::new();
    let line = house(&folder, r#""npc": "owner", "goal": "bright""#);
    let input = format!("\u{feff}{line}\r\n\r\n{line}\r\n");
    let said = throng_reads(&["solve", "--root", &Folder::all()], input.as_bytes());
    let plans = said.out.lines().filter(|line| line.contains("\"outcome\":\"plan\"")).count();
    assert_eq!((plans, said.out.lines().count()), (2, 2), "{}", said.out);
}

#[test]
fn a_stream_may_come_from_a_file_and_end_without_a_line_break() {
    let folder = Folder::new();
    let line = house(&folder, r#""npc": "owner", "goal": "bright""#);
    let stream = folder.write("stream.txt", format!("{line}\n{line}"));
    let said = exits(&["solve", &stream, "--root", &Folder::all()], 0);
    assert_eq!(said.out.lines().count(), 2);
    assert_eq!(throng_reads(&["solve", "-"], line.as_bytes()).out.lines().count(), 1);
    assert_eq!(exits(&["solve"], 0).out, "", "no question, no answer");
}

/// A line that asks for a file.
fn asks(file: &str) -> String {
    format!(r#"{{"id": 1, "file": {}, "npc": "owner", "goal": "bright"}}"#, json!(file))
}

#[test]
fn files_are_read_below_the_folder_and_nowhere_else() {
    let folder = Folder::new();
    folder.write("inside/house.npc", HOUSE);
    folder.write("inside/deep/house.npc", HOUSE);
    let secret = folder.write("secret.npc", HOUSE);
    let root = folder.path("inside");
    let (good, refused) = (["solve", "--root", &root], ["solve"]);
    let absolute = folder.path("inside/house.npc");
    let crooked = format!("{root}/deep/../house.npc");
    for file in ["house.npc", "deep/house.npc", "./deep/../house.npc", &absolute, &crooked] {
        assert_eq!(answers_of(&good, &[&asks(file)])[0]["outcome"], "plan", "{file}");
        // By default it is the folder of the program that confines.
        let here = file
            .starts_with('/')
            .then(|| &answers_of(&refused, &[&asks(file)])[0]["reason"]["code"] == "file_refused");
        assert!(here.unwrap_or(true), "{file}");
    }
    // Outside, whether there is such a file or not, in the same words.
    let above = |name: &str| format!("../{name}");
    let by_root = format!("{root}/../secret.npc");
    for file in [
        &secret,
        &above("secret.npc"),
        &above("nothing.npc"),
        &by_root,
        "deep/../../secret.npc",
        "/etc/passwd",
        "/no/such/thing",
        "no/../../x.npc",
        "nowhere/../../../etc/passwd",
    ] {
        let answer = &answers_of(&good, &[&asks(file)])[0];
        is_error(answer, "file_refused", &["lies outside of the folder", "`--root`"]);
    }
    is_error(&answers_of(&good, &[&asks("no.npc")])[0], "bad_domain", &["no such file"]);
    // Without a word about it, what is below the folder of the program can be read.
    let line = format!(r#"{{"id": 1, "file": "{HORSES}", "goal": "feed_horses"}}"#);
    assert_eq!(answers_of(&["solve"], &[&line])[0]["outcome"], "plan");
}

#[cfg(unix)]
#[test]
fn links_are_followed_before_it_is_decided() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.write("inside/house.npc", HOUSE);
    folder.write("outside/house.npc", HOUSE);
    let root = folder.path("inside");
    symlink("../outside/house.npc", folder.path("inside/out.npc")).unwrap();
    symlink("../outside", folder.path("inside/folder")).unwrap();
    symlink("house.npc", folder.path("inside/in.npc")).unwrap();
    symlink("../outside/nothing.npc", folder.path("inside/nothing.npc")).unwrap();
    symlink(&root, folder.path("way")).unwrap();
    for root in [root.clone(), folder.path("way")] {
        let words = ["solve", "--root", &root];
        assert_eq!(answers_of(&words, &[&asks("in.npc")])[0]["outcome"], "plan");
        for file in
            ["out.npc", "folder/house.npc", "folder/no.npc", "folder/../../outside/house.npc"]
        {
            is_error(&answers_of(&words, &[&asks(file)])[0], "file_refused", &["outside"]);
        }
        // Whether what a broken link leads to is there is nobody's business either.
        let answer = &answers_of(&words, &[&asks("nothing.npc")])[0];
        assert_eq!(answer["outcome"], "error");
    }
}

#[test]
fn no_files_means_none() {
    let words = ["solve", "--no-files"];
    is_error(&answers_of(&words, &[&asks(HORSES)])[0], "file_refused", &["--no-files", "`domain`"]);
    let line = r#"{"id": 1, "domain": {"throng": 1, "domain": "d", "variables": [{"name": "v", "values": ["a", "b"]}], "actions": [{"name": "ab", "requires": {"v": "a"}, "sets": {"v": "b"}}]}, "from": {"v": "a"}, "to": {"v": "b"}}"#;
    assert_eq!(answers_of(&words, &[line])[0]["plan"], json!(["ab"]));
    refuses(&["solve", "--no-files", "--root", "."], &["--no-files", "--root"]);
    refuses(&["solve", "--root", "no/such/folder"], &["no/such/folder", "no such file or folder"]);
    refuses(&["solve", "--root", HORSES], &["it is no folder"]);
}

#[test]
fn of_a_file_that_is_no_domain_nothing_is_told() {
    let folder = Folder::new();
    let secrets = "password: hunter2\nvar token: hunter3\n";
    let json = r#"{"password": "hunter2", "hunter3": [1, 2]}"#;
    let root = folder.path("");
    for (name, text) in [
        ("secrets.txt", secrets),
        ("secrets.npc", secrets),
        ("secrets.json", json),
        ("broken.json", &json[..20]),
        ("list.json", "[\"hunter2\"]"),
        ("bytes.npc", "hunter2 \u{1b}[31m"),
        ("empty.npc", ""),
    ] {
        folder.write(name, text);
        let answer = &answers_of(&["solve", "--root", &root], &[&asks(name)])[0];
        is_error(answer, "bad_domain", &["is no domain"]);
        assert!(!answer.to_string().contains("hunter"), "{answer}");
    }
    // One that is meant to be a domain is told what is wrong with it, as ever.
    folder.write("broken.npc", "# mine\n\ndomain d\nvar lamp off, on\n");
    let answer = &answers_of(&["solve", "--root", &root], &[&asks("broken.npc")])[0];
    is_error(answer, "bad_domain", &["error[E024]"]);
}

#[cfg(target_os = "linux")]
#[test]
fn only_files_that_end_are_read() {
    let folder = Folder::new();
    let pipe = folder.path("pipe.npc");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    let words = ["solve", "--root", "/"];
    if made.is_ok_and(|made| made.success()) {
        is_error(&answers_of(&words, &[&asks(&pipe)])[0], "bad_domain", &["a pipe or a device"]);
    }
    for device in ["/dev/zero", "/dev/random", "/dev/tty"] {
        assert_eq!(answers_of(&words, &[&asks(device)])[0]["reason"]["code"], "bad_domain");
    }
    // These are files by their name, and some of them wait for ever.
    for endless in ["/proc/kmsg", "/proc/self/environ", "/proc/kallsyms", "/proc/self/pagemap"] {
        let answer = &answers_of(&words, &[&asks(endless)])[0];
        assert_eq!(answer["reason"]["code"], "bad_domain", "{answer}");
    }
}
