//! `throng gen`: members of problem families, in canonical layout, of any size, and what it
//! refuses.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;
use std::io::Read;
use std::process::Stdio;

/// Members of every family: tiny, ordinary, with broken lines, with wide and narrow names.
const MEMBERS: [&[&str]; 14] = [
    &["tunnel", "1"],
    &["tunnel", "8"],
    &["tunnel", "40"],
    &["multiprv", "2", "1"],
    &["multiprv", "2", "12"],
    &["multiprv", "11", "13"],
    &["oneprv", "2", "1"],
    &["oneprv", "5", "120"],
    &["oneprv", "101", "3"],
    &["gray", "1"],
    &["gray", "4"],
    &["gray", "25"],
    &["threesat", "--clauses", "1, -1"],
    &["threesat", "--clauses", "1 -2 3, -1 2; 12 -3 1\n-12 0"],
];

fn gen_words<'w>(member: &[&'w str], more: &[&'w str]) -> Vec<&'w str> {
    [&["gen"], member, more].concat()
}

#[test]
fn every_member_is_in_canonical_layout_and_loads_without_a_word() {
    let folder = Folder::new();
    for member in MEMBERS {
        let said = exits(&gen_words(member, &[]), 0);
        assert_eq!(said.err, "", "{member:?}");
        assert_has(&said.out, &["# ", "throng gen", "Source: ", "\ndomain ", "\nnpc ", "\ngoal "]);
        let file = folder.write("member.npc", &said.out);
        let layout = exits(&["fmt", &file], 0).out;
        assert_eq!(layout, said.out, "{member:?}");
        let checked = exits(&["check", &file], 0);
        assert_has(&checked.out, &["fine", "1 goal, 1 NPC type"]);
        assert!(!checked.out.contains("warning"), "{}", checked.out);
    }
}

#[test]
fn the_json_twin_is_what_convert_makes_of_the_text() {
    let folder = Folder::new();
    for member in MEMBERS {
        let text = folder.path("member.npc");
        let said = exits(&gen_words(member, &["--out", &text]), 0);
        assert_eq!((said.out, said.err), (String::new(), format!("wrote `{text}`\n")));
        assert_eq!(folder.read("member.npc"), exits(&gen_words(member, &[]), 0).out);
        let twin = exits(&["convert", &text, "-"], 0).out;
        assert_eq!(exits(&gen_words(member, &["--json"]), 0).out, twin, "{member:?}");
        exits(&gen_words(member, &["--out", &folder.path("member.json")]), 0);
        assert_eq!(folder.read("member.json"), twin, "{member:?}");
    }
    assert_eq!(folder.names(), ["member.json", "member.npc"]);
}

#[test]
fn the_known_answers_are_right() {
    let folder = Folder::new();
    for member in MEMBERS.iter().filter(|member| ***member != ["gray", "25"]) {
        let file = folder.path("member.npc");
        exits(&gen_words(member, &["--out", &file]), 0);
        let said = exits(&["test", &file], 0);
        assert_has(&said.out, &["1 passed, 0 failed"]);
    }
    assert_has(&exits(&["gen", "gray", "25"], 0).out, &["expect length 33554431\n"]);
    // What has more than fifteen digits cannot be said in a test.
    let long = exits(&["gen", "gray", "60"], 0).out;
    assert!(!long.contains("test "), "{long}");
}

#[test]
fn a_plan_of_the_gadget_tells_the_assignment() {
    let folder = Folder::new();
    let file = folder.path("formula.npc");
    exits(&["gen", "threesat", "--clauses", "-1, 1 2", "--out", &file], 0);
    let answer = exits(&["plan", &file, "--json"], 0).json();
    let plan: Vec<&str> =
        answer["plan"].as_array().unwrap().iter().map(|step| step.as_str().unwrap()).collect();
    let at = |name: &str| plan.iter().position(|step| *step == name).unwrap();
    assert!(at("set_1") > at("shut_1"), "variable 1 is false: {plan:?}");
    assert!(at("set_2") < at("open_2"), "variable 2 is true: {plan:?}");
    exits(&["gen", "threesat", "--clauses", "1, -1", "--out", &file], 0);
    exits(&["plan", &file], 1);
}

#[test]
fn formulas_come_from_files_and_from_standard_input() {
    let folder = Folder::new();
    let dimacs = "c two variables\np cnf 2 2\n1 2 0\n-1 -2 0\n";
    let file = folder.write("formula.cnf", dimacs);
    let plain = folder.write("formula.txt", "# the same\n1 2\n-1 -2\n");
    let said = exits(&["gen", "threesat", "--clauses", "1 2, -1 -2"], 0);
    assert_eq!(exits(&["gen", "threesat", &file], 0).out, said.out);
    assert_eq!(exits(&["gen", "threesat", &plain], 0).out, said.out);
    assert_eq!(throng_reads(&["gen", "threesat", "-"], dimacs.as_bytes()).out, said.out);
    assert_has(&said.out, &["# Formula: (1 or 2) (-1 or -2)\n"]);
}

#[test]
fn sizes_are_checked() {
    refuses(&["gen", "tunnel", "0"], &["number of lights", "from 1 to 10000000, not 0"]);
    refuses(&["gen", "tunnel", "99999999999"], &["number of lights", "not 99999999999"]);
    refuses(&["gen", "tunnel", "1000000"], &["actions and needs together", "smaller"]);
    refuses(&["gen", "multiprv", "1", "3"], &["X, the number of values,", "from 2 to 60000"]);
    refuses(&["gen", "multiprv", "60000", "10000000"], &["actions and needs together"]);
    refuses(&["gen", "oneprv", "60001", "3"], &["number of values", "not 60001"]);
    refuses(&["gen", "oneprv", "5", "0"], &["number of variables", "not 0"]);
    refuses(&["gen", "gray", "0"], &["number of bits", "from 1 to 4096"]);
    refuses(&["gen", "gray", "4097"], &["number of bits"]);
    refuses(&["gen", "gray", "many"], &["many"]);
    refuses(&["gen", "gray", "18446744073709551616"], &["18446744073709551616"]);
}

#[test]
fn what_is_no_formula_is_refused() {
    refuses(&["gen", "threesat"], &["FILE"]);
    refuses(&["gen", "threesat", "--clauses", ""], &["no clause"]);
    refuses(&["gen", "threesat", "--clauses", "1 two"], &["`two` is no literal"]);
    refuses(&["gen", "threesat", "--clauses", "0 1"], &["0 is no variable"]);
    refuses(&["gen", "threesat", "no_such_file"], &["cannot read", "no_such_file"]);
    refuses(&["gen", "threesat", "domains"], &["cannot read", "domains"]);
    refuses(&["gen", "threesat", HORSES], &[HORSES, "no literal"]);
    refuses(&["gen", "threesat", "x", "--clauses", "1"], &["--clauses"]);
    refuses(&["gen"], &["tunnel", "threesat"]);
}

#[test]
fn the_ending_of_the_file_tells_the_format() {
    let folder = Folder::new();
    let refused = |name: &str, more: &[&str], parts: &[&str]| {
        let file = folder.path(name);
        refuses(&[&["gen", "gray", "2", "--out", &file], more].concat(), parts);
    };
    refused("a.txt", &[], &["a.txt", ".npc or .json"]);
    refused("a.pddl", &[], &["a.pddl", "PDDL"]);
    refused("a.npc", &["--json"], &["a.npc", "--json"]);
    refused("no/such/folder/a.npc", &[], &["cannot write"]);
    std::fs::create_dir(folder.path("folder.npc")).unwrap();
    refused("folder.npc", &[], &["it is a folder"]);
    assert_eq!(folder.names(), ["folder.npc"]);
    exits(&["gen", "gray", "2", "--json", "--out", &folder.path("odd_ending")], 0);
    assert_has(&folder.read("odd_ending"), &["{\"throng\": 1,"]);
}

#[test]
fn help_has_an_example_for_every_family() {
    assert_has(&exits(&["gen", "--help"], 0).out, &["Example", "throng gen tunnel 8", "--json"]);
    for family in ["tunnel", "multiprv", "oneprv", "gray", "boxes", "threesat"] {
        let said = exits(&["gen", family, "--help"], 0);
        assert_has(&said.out, &["Example", &format!("throng gen {family}"), "--out", "--json"]);
    }
}

/// A member with a million variables begins at once, in little memory; a reader that goes away
/// is no error.
#[test]
fn a_million_variables_are_written_as_they_are_made() {
    let mut child = program(&["gen", "oneprv", "5", "1000000"]).spawn().unwrap();
    let mut begin = vec![0; 4 << 20];
    child.stdout.take().unwrap().read_exact(&mut begin).unwrap();
    if let Some(peak) = kilobytes(&child, "VmHWM") {
        assert!(peak < 32 * 1024, "{peak} kB");
    }
    assert!(String::from_utf8(begin).unwrap().contains("\nvar v1000:    0..4\n"));
    // The pipe is closed by now.
    assert_eq!(ends(&mut child).code(), Some(0));
}

#[test]
fn a_member_larger_than_the_other_commands_read_says_so() {
    let words = ["gen", "oneprv", "2", "1050000", "--json"];
    let output = program(&words).stdout(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_has(&said, &["note: this member has 1050000 variables", "1048576"]);
}

/// Members of the boxes, small enough to be solved at once.
const BOXES: [&[&str]; 6] = [
    &["boxes", "scaling", "4"],
    &["boxes", "scaling", "5", "--vary", "place"],
    &["boxes", "scaling", "3", "--vary", "creature", "--boxes", "2"],
    &["boxes", "competition", "3"],
    &["boxes", "competition", "2", "--vary", "creature"],
    &["boxes", "competition", "2", "--unsolvable", "--places", "3"],
];

#[test]
fn boxes_as_npc_are_in_canonical_layout_and_have_the_known_answers() {
    let folder = Folder::new();
    for member in BOXES {
        let said = exits(&gen_words(member, &["--format", "npc"]), 0);
        let file = folder.path("boxes.npc");
        exits(&gen_words(member, &["--out", &file]), 0);
        assert_eq!(folder.read("boxes.npc"), said.out, "{member:?}");
        assert_eq!(exits(&["fmt", &file], 0).out, said.out, "{member:?}");
        let checked = exits(&["check", &file], 0).out;
        assert!(!checked.contains("warning"), "{checked}");
        assert_has(&exits(&["test", &file], 0).out, &["1 passed, 0 failed"]);
        let twin = exits(&["convert", &file, "-"], 0).out;
        assert_eq!(exits(&gen_words(member, &["--json"]), 0).out, twin, "{member:?}");
    }
}

#[test]
fn boxes_as_pddl_are_printed_or_two_files_of_a_folder() {
    let folder = Folder::new();
    for member in BOXES {
        let said = exits(&gen_words(member, &["--out", &folder.path("new/boxes")]), 0);
        assert_has(&said.err, &["wrote `", "domain.pddl` and `", "problem.pddl`"]);
        let [domain, problem] =
            ["domain", "problem"].map(|part| folder.read(&format!("new/boxes/{part}.pddl")));
        assert_has(&domain, &["(:action take", "(not (hold ?o ?c))", "(:action drop"]);
        assert_has(&problem, &["(:domain boxes)", "(at-o place1 box1)", "(:goal (and"]);
        let printed = exits(&gen_words(member, &[]), 0).out;
        let between = printed.strip_prefix(domain.as_str()).unwrap();
        let between = between.strip_suffix(problem.as_str()).unwrap();
        assert!(between.trim().starts_with(';') && between.trim().lines().count() == 1);
    }
    let twin = exits(&gen_words(BOXES[5], &[]), 0).out;
    assert_has(&twin, &["(hold box1 creature1) (not (busy creature1))", "(at-o place3 box2)"]);
}

#[test]
fn boxes_that_cannot_be_are_refused() {
    refuses(&["gen", "boxes", "scaling", "0"], &["number of boxes", "from 1"]);
    refuses(&["gen", "boxes", "scaling", "1", "--vary", "place"], &["number of places", "from 2"]);
    refuses(&["gen", "boxes", "scaling", "9", "--boxes", "3"], &["N counts the boxes already"]);
    refuses(&["gen", "boxes", "scaling", "900000"], &["at most 1000000", "smaller"]);
    refuses(&["gen", "boxes", "other", "3"], &["other", "scaling"]);
    let folder = Folder::new();
    refuses(&["gen", "boxes", "scaling", "3", "--out", &folder.path("a.pddl")], &["name a folder"]);
    let file = folder.path("a.npc");
    let words = ["gen", "boxes", "scaling", "3", "--out", &file, "--format", "pddl"];
    refuses(&words, &["differ"]);
    let odd = ["gen", "boxes", "scaling", "3", "--out", &folder.path("bx.sas")];
    refuses(&odd, &["bx.sas", ".npc", ".json", "folder"]);
    assert!(folder.names().is_empty());
    // A folder may be called so, if that is said.
    exits(&[&odd[..], &["--format", "pddl"]].concat(), 0);
    exits(&odd, 0);
}
