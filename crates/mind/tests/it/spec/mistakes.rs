//! Mistakes: each is told with its code, its place and its cure, and all of them at once.

use super::{EVERYTHING, mistakes, read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use throng_domain::formats::{load, no_includes};
use throng_domain::{Format, Limits};

/// A small domain with the line under test at its end, beginning in line 11.
fn told(line: &str) -> Vec<String> {
    mistakes(&format!("{HEAD}{line}\n"))
}

const HEAD: &str = "\
domain yard
var weapon: none, armed
var ammo: 0..3
var at: here, there
action go(place in at): at -> place
action shoot: ammo 1 -> 0   if seen
action draw: weapon none -> armed
goal ready: weapon = armed
npc guard   can go, shoot   wants ready
sensor see: every 1
";

/// One mistake: its place, code and text must begin and its cure contain these words.
#[track_caller]
fn one(line: &str, place_and_text: &str, cure: &str) {
    let told = told(line);
    let expected = format!("test.npc:{place_and_text}");
    assert_eq!(told.len(), 1, "{line}\n{}", told.join("\n"));
    assert!(told[0].starts_with(&expected), "{line}\n{}\n{expected}", told[0]);
    assert!(told[0].contains(cure), "{line}\n{}\n{cure}", told[0]);
}

#[test]
fn the_head_itself_is_right() {
    assert_eq!(told(""), Vec::<String>::new());
}

#[test]
fn something_is_missing_or_in_the_wrong_place() {
    for (line, place) in [
        ("sensor", "11:7: error[E100]: expected the sensor's name"),
        ("sensor ear", "11:11: error[E100]: expected `:`; found the end"),
        ("sensor ear: 5", "11:13: error[E100]: expected `on` and a stimulus, or `every`"),
        ("sensor ear: on 5", "11:16: error[E100]: expected a stimulus"),
        ("sensor ear: on noise, 3", "11:21: error[E100]: expected one of `keeps`, `feeds`"),
        ("sensor ear: on noise feeds", "11:27: error[E100]: expected a variable or a check"),
        ("symbol at: here if", "11:19: error[E100]: expected a kind of facts"),
        ("symbol at: node of", "11:19: error[E100]: expected a kind of facts"),
        ("symbol at: here if (noise", "11:26: error[E100]: expected `)`, `and` or `or`"),
        ("symbol at: here if noise(", "11:26: error[E100]: expected an attribute"),
        ("symbol at: here if noise(age)", "11:29: error[E100]: expected a comparison"),
        ("symbol at: here if noise(age < old)", "11:32: error[E100]: expected seconds"),
        ("symbol at: here if noise(node pipe)", "11:31: error[E100]: expected `,` or `)`"),
        ("symbol at: here if count noise", "11:31: error[E100]: expected a comparison"),
        ("symbol at: here if shared and noise", "11:27: error[E100]: expected a kind of facts"),
        ("check seen: noise noise", "11:19: error[E100]: expected the end; found `noise`"),
        ("price go: cheap", "11:11: error[E101]: unknown attribute `cheap`"),
        ("learn go noise", "11:10: error[E100]: expected `:`"),
        ("flavour yawn: every", "11:20: error[E100]: expected seconds"),
    ] {
        let told = told(line);
        let first = told.first().map_or("", String::as_str);
        assert!(first.starts_with(&format!("test.npc:{place}")), "{line}\n{}", told.join("\n"));
    }
}

#[test]
fn names_that_are_not_known_come_with_the_nearest() {
    one("symbol wepon: armed", "11:8: error[E101]: unknown variable `wepon`; did you", "`weapon`?");
    one("symbol weapon: amred", "11:16: error[E101]: unknown value `amred`", "`armed`?");
    one(
        "check sen: noise",
        "11:7: error[E101]: no action asks for a check `sen`",
        "did you mean `seen`?",
    );
    one("price goo: 3", "11:7: error[E101]: unknown action `goo`", "`go`?");
    one("price go(hare): 3", "11:7: error[E101]: unknown action `go(hare)`", "`go(here)`?");
    one("learn go, dra: noise", "11:11: error[E101]: unknown action `dra`", "`draw`?");
    one("flavour f: after shot", "11:18: error[E101]: unknown action `shot`", "`shoot`?");
    one("flavour f: befor go", "11:12: error[E101]: unknown part of a flavour", "`before`?");
    one("sensor ear: on noise kepes 3", "11:22: error[E101]: unknown part of a sensor", "`keeps`?");
    one(
        "sensor ear: on noise feeds wepon",
        "11:28: error[E101]: unknown variable or check",
        "`weapon`",
    );
    one("check seen: wepon = armed", "11:13: error[E101]: unknown variable `wepon`", "`weapon`?");
    one("check seen: weapon = amred", "11:22: error[E101]: unknown value `amred`", "`armed`?");
    one(
        "check seen: noise(stimulis = loud)",
        "11:19: error[E101]: unknown attribute",
        "`stimulus`?",
    );
    one(
        "goal g: ammo = 0 relevance amont of noise",
        "11:28: error[E101]: unknown attribute",
        "`amount`?",
    );
    one("npc boy can go senses sea", "11:23: error[E101]: unknown sensor `sea`", "`see`?");
    one("npc boy can go otherwise goo", "11:26: error[E101]: unknown action `goo`", "`go`?");
}

#[test]
fn numbers_have_bounds() {
    one("sensor ear: every -1", "11:19: error[E102]: `-1` is out of range", "from 0 to 1000000");
    one("price go: 0", "11:11: error[E102]: `0` is out of range", "0.001");
    one("check seen: count noise > 1.5", "11:27: error[E102]: `1.5` is not a whole number", "");
    one("check seen: noise(sure node > 2)", "11:31: error[E102]: `2` is out of range", "0 to 1");
    one("check seen: noise(amount > 99999999999)", "11:28: error[E102]: `99999999999` is out", "");
    one("npc boy can go memory 5000", "11:23: error[E102]: `5000` is out of range", "1 to 4096");
    one("npc boy can go doubt 0 for 3", "11:22: error[E102]: `0` is out of range", "1 to 255");
    one("goal g: ammo = 0 margin -1", "11:25: error[E102]: `-1` is out of range", "");
    one("goal g: ammo = 0 relevance 1.5", "11:28: error[E102]: `1.5` is out of range", "0 to 1");
    one(
        "goal g: ammo = 0 relevance age of n curve 0 2",
        "11:45: error[E102]: `2` is out",
        "0 to 1",
    );
}

const SQUAD: &str = "npc team can draw wants ready\nsquad team: of guard within 8";

#[test]
fn numbers_of_squads_have_bounds_and_are_told_once() {
    let squad = |rest: &str| format!("{SQUAD} {rest}");
    assert_eq!(told(&squad("most 3 least 2 tasks 0.1 patience 0")), Vec::<String>::new());
    one(&squad("tasks 0"), "12:37: error[E102]: `0` is out of range", "0.1 to 1000000");
    one(&squad("most 3.5"), "12:36: error[E102]: `3.5` is not a whole number", "most 5");
    one(&squad("most 0"), "12:36: error[E102]: `0` is out of range", "1 to 16");
    one(&squad("most 2 least 3"), "12:7: error[E104]: at least 3 and at most 2", "smaller");
}

#[test]
fn there_are_no_squads_of_squads() {
    let cure = "name those who are in it";
    let text = "error[E104]: `team` is a squad, and there are no squads of squads";
    let army = "npc army can draw wants ready";
    let after = format!("{SQUAD}\n{army}\nsquad army: of team within 8");
    one(&after, &format!("14:16: {text}"), cure);
    let before = format!("{army}\nsquad army: of team within 8\n{SQUAD}");
    one(&before, &format!("14:7: {text}"), cure);
}

#[test]
fn things_are_said_once() {
    one("sensor see: on sight", "11:8: error[E103]: the sensor `see` is declared twice", "rename");
    one("symbol at: here\nsymbol at: there", "12:8: error[E103]: `at` has two symbols", "one");
    one(
        "check seen: a\ncheck seen: b",
        "12:7: error[E103]: the check `seen` is answered twice",
        "",
    );
    one("price go: 1\nprice go(here): 2", "12:7: error[E103]: `go(here)` is priced twice", "");
    one("learn go, go(here): a", "11:11: error[E103]: `go(here)` is learnt twice", "");
    one("sensor ear: on noise keeps 1 keeps 2", "11:30: error[E103]: `keeps` is written twice", "");
}

#[test]
fn things_go_together() {
    one("symbol at: position of self", "11:12: error[E104]: `position` is a place", "node");
    one("symbol at: amount of self", "11:12: error[E104]: `amount` is a number", "node");
    one(
        "goal g: ammo = 0 relevance node of self",
        "11:28: error[E104]: `node` is a word",
        "sure node",
    );
    one("price go: object of path", "11:11: error[E104]: `object` is a thing", "amount");
    one(
        "check seen: noise(amount = many)",
        "11:19: error[E104]: `amount` is a number",
        "amount > 2",
    );
    one("check seen: noise(node > pipe)", "11:19: error[E104]: `node` is a word", "no size");
    one("check seen: noise(object = joe)", "11:19: error[E148]: `object` is a thing", "it");
    one(
        "check seen: noise(position = here)",
        "11:19: error[E104]: `position` is a place",
        "distance",
    );
    one("check seen: path(node = it)", "11:25: error[E147]: there is no `it` here", "price");
    one("symbol at: here if path(node = it)", "11:32: error[E147]: there is no `it`", "price");
    one(
        "price shoot: amount of path(node = it)",
        "11:36: error[E147]: `it` is the first",
        "go(pipe)",
    );
    assert_eq!(told("price go: 2 if path(node != it)"), Vec::<String>::new());
    one("price go: 2 if path(within 3 of joe)", "11:33: error[E147]: `joe` is no `select`", "it");
    one(
        "price go: age of path from me",
        "11:23: error[E147]: only a `distance` is measured",
        "distance",
    );
    one("symbol at: here if weapon = armed", "11:20: error[E104]: `weapon` is compared", "facts");
    one("symbol at: here, there", "11:18: error[E104]: this rule is never asked", "last");
    one("check seen: weapon > none", "11:13: error[E104]: the values of `weapon` are words", "`=`");
    one(
        "goal g: ammo = 0 relevance age of n curve 0 1, 5 0, 5 1",
        "11:53: error[E104]: the points of a curve must rise",
        "",
    );
    one("npc boy can go otherwise draw", "11:26: error[E104]: `boy` cannot do `draw`", "can do");
    one("npc boy can go otherwise go", "11:26: error[E104]: `go` stands for 2 actions", "go(here)");
}

#[test]
fn conditions_nest_only_so_deep() {
    let deep = |depth: usize| format!("check seen: {}a{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(told(&deep(32)), Vec::<String>::new());
    one(&deep(33), "11:45: error[E097]: conditions nest more than 32 deep", "parentheses");
    one(&deep(100_000), "11:45: error[E097]: conditions nest more than 32 deep", "");
    one(&format!("check seen: {}a", "not ".repeat(33)), "11:141: error[E097]", "");
}

#[test]
fn all_mistakes_are_told_at_once_in_the_order_of_the_text() {
    let told = told(
        "symbol wepon: armed if noise(amount = many, nod = x)\nlearn goo, shot: wepon = armed\n\
         sensor ear: every -1 feeds wepon while ammo = 9\nflavour f: after shot before goo",
    );
    let places: Vec<&str> = told.iter().map(|line| line.split(": ").next().unwrap()).collect();
    let expected = ["11:8", "11:30", "11:45", "12:7", "12:12", "12:18", "13:19", "13:28", "13:47"];
    let mut expected: Vec<String> = expected.iter().map(|at| format!("test.npc:{at}")).collect();
    expected.extend(["test.npc:14:18".to_string(), "test.npc:14:30".to_string()]);
    assert_eq!(places, expected, "{}", told.join("\n"));
}

#[test]
fn a_sensor_with_a_mistake_is_not_unknown_as_well() {
    one("sensor ear: on 5\nnpc boy can go senses ear", "11:16: error[E100]", "");
}

#[test]
fn text_that_multiplies_itself_is_refused() {
    let values: Vec<String> = (0..3000).map(|at| format!("v{at}")).collect();
    let mut text = format!("domain d\nvar x: {}\n", values.join(", "));
    text.push_str("action go(y in x): x -> y\ngoal g: x = v1\n");
    for at in 0..2000 {
        text.push_str(&format!("flavour f{at}: after go\n"));
    }
    let told = mistakes(&text);
    assert!(!told.is_empty() && told.iter().all(|line| line.contains("error[E095]")), "{told:?}");
}

/// Loads and reads whatever there is; says whether it came to a spec.
fn survives(text: &str) -> bool {
    let run = || {
        let loaded = load(
            "cut.npc",
            text,
            Format::Npc,
            &Limits::default(),
            &throng_mind::notes::WORDS,
            &mut no_includes,
        );
        loaded.model.is_some_and(|model| read(&model).is_ok())
    };
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| panic!("panics on\n{text}"))
}

#[test]
fn no_piece_of_a_text_is_too_much() {
    assert!(survives(EVERYTHING));
    let cuts = (0..EVERYTHING.len()).filter(|&at| EVERYTHING.is_char_boundary(at));
    let read = cuts.filter(|&at| survives(&EVERYTHING[..at])).count();
    assert!(read > 20, "many cuts fall where a statement ends, and those are read: {read}");
}

#[test]
fn no_line_with_a_word_left_out_or_doubled_is_too_much() {
    let (head, notes) = EVERYTHING.split_at(EVERYTHING.find("sensor see").unwrap());
    let words: Vec<&str> = notes.split_inclusive([' ', '\n']).collect();
    let mut read = 0;
    for at in 0..words.len() {
        let (before, after) = (words[..at].concat(), words[at + 1..].concat());
        read += u32::from(survives(&format!("{head}{before}{after}")));
        survives(&format!("{head}{before}{}{}{after}", words[at], words[at]));
        survives(&format!("{head}{before}) ( {after}"));
    }
    assert!(read > 20, "{read}");
}
