//! `throng sas`, and `throng convert` between domains, PDDL and `.sas`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::*;

/// A switch, and a lamp that is lit by rule.
const LAMP: &str = "begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n2\n\
    begin_variable\nswitch\n-1\n2\nAtom off()\nAtom on()\nend_variable\n\
    begin_variable\nlamp\n0\n2\nAtom dark()\nAtom lit()\nend_variable\n\
    0\nbegin_state\n0\n0\nend_state\nbegin_goal\n1\n1 1\nend_goal\n\
    1\nbegin_operator\nturn on\n0\n1\n0 0 0 1\n1\nend_operator\n\
    1\nbegin_rule\n1\n0 1\n1 0 1\nend_rule\n";

#[test]
fn a_ground_task_is_solved() {
    let folder = Folder::new();
    let file = folder.write("lamp.sas", LAMP);
    assert_eq!(exits(&["sas", "solve", &file], 0).out, "(turn on)\n; cost = 1 (unit cost)\n");
    for mode in ["cheapest", "shortest", "fast"] {
        let answer = exits(&["sas", "solve", &file, "--mode", mode, "--json"], 0).json();
        assert_eq!(answer["plan"], serde_json::json!(["(turn on)"]), "{mode}");
        assert_eq!((&answer["length"], &answer["cost"]), (&1.into(), &1.into()));
    }
    let said = throng_reads(&["sas", "solve", "-"], LAMP.as_bytes());
    assert_eq!(said.code, Some(0), "{said:?}");
    let impossible = folder.write("dark.sas", LAMP.replace("1\n0 1\n1 0 1", "2\n0 0\n0 1\n1 0 1"));
    assert_eq!(exits(&["sas", "solve", &impossible, "--json"], 1).json()["outcome"], "impossible");
}

#[test]
fn a_mistake_has_its_line_and_a_cure() {
    let folder = Folder::new();
    let file = folder.write("bad.sas", LAMP.replace("begin_goal\n1\n1 1", "begin_goal\n1\n1 2"));
    let parts = ["bad.sas:29", "variable `lamp` has no value 2", "help: "];
    refuses(&["sas", "solve", &file], &parts);
    refuses(&["sas", "info", &file], &parts);
    refuses(&["sas", "classes", &file], &parts);
    let answer = exits(&["sas", "solve", &file, "--json"], 2).json();
    assert_eq!(answer["reason"]["code"], "bad_task");
    for command in ["solve", "info", "classes"] {
        let answer = exits(&["sas", command, &file, "--json"], 2).json();
        assert_eq!(answer["errors"][0]["line"], 29, "{answer}");
        assert_has(answer["errors"][0]["text"].as_str().unwrap(), &["has no value 2"]);
    }
    refuses(&["sas", "solve", &folder.write("empty.sas", "\n")], &["the file is empty"]);
    let pddl = folder.write("a.pddl", "(define (domain a))");
    refuses(&["sas", "solve", &pddl], &["a.pddl", "is PDDL", "throng pddl", "throng convert"]);
    refuses(&["sas", "info", HORSES], &["is a domain", "throng plan", "throng convert"]);
    refuses(&["sas", "solve", &folder.path("no.sas")], &["no such file"]);
    refuses(&["sas"], &["Usage"]);
}

#[test]
fn info_and_classes_of_a_ground_task() {
    let folder = Folder::new();
    let file = folder.write("lamp.sas", LAMP);
    let info = exits(&["sas", "info", &file, "--json"], 0).json();
    for (key, count) in [("variables", 2), ("derived", 1), ("operators", 1), ("rules", 1)] {
        assert_eq!(info[key], count, "{info}");
    }
    assert_has(&exits(&["sas", "info", &file], 0).out, &["operators", "every operator counts 1"]);
    let classes = exits(&["sas", "classes", &file, "--json"], 0).json();
    assert_eq!((&classes["unary"], &classes["engine"]), (&1.into(), &"forward".into()));
    assert_has(&exits(&["sas", "classes", &file], 0).out, &["not a domain of ours", "derived"]);
}

// --- convert -------------------------------------------------------------------

#[test]
fn a_domain_goes_out_and_its_plan_costs_the_same() {
    let folder = Folder::new();
    let stable = folder.write("stable.npc", STABLE);
    let cost = exits(&["plan", &stable, "--json"], 0).json()["cost"].clone();
    let (task, pddl) = (folder.path("stable.sas"), folder.path("stable.pddl"));
    let said = exits(&["convert", &stable, &task], 0);
    assert_has(&said.err, &["not expressed: 1 action's context checks", "wrote", "7 actions"]);
    assert_eq!(exits(&["sas", "solve", &task, "--json"], 0).json()["cost"], cost);
    let written = exits(&["convert", &stable, &pddl, "--json"], 0).json();
    let [domain, problem] = ["stable-domain.pddl", "stable-problem.pddl"].map(|n| folder.path(n));
    assert_eq!(written["output"], serde_json::json!([domain, problem]));
    assert_has(&folder.read("stable-domain.pddl"), &["(:action fill_trough", "(bucket in_hands)"]);
    assert_eq!(exits(&["pddl", "solve", &domain, &problem, "--json"], 0).json()["cost"], cost);
    // And back, by way of each.
    let back = folder.path("back.npc");
    exits(&["convert", &task, &back], 0);
    assert_eq!(exits(&["plan", &back, "--json"], 0).json()["cost"], cost);
    let said = exits(&["convert", &domain, &problem, &folder.path("again.npc")], 0);
    assert!(!said.err.contains("written out"), "{}", said.err);
    assert_eq!(exits(&["plan", &folder.path("again.npc"), "--json"], 0).json()["cost"], cost);
    // Two names may be chosen.
    let (d, p) = (folder.path("d.pddl"), folder.path("p.pddl"));
    exits(&["convert", &stable, &d, &p], 0);
    assert_eq!(folder.read("d.pddl"), folder.read("stable-domain.pddl"));
    // Checks, starts and goals are taken as said.
    exits(&["convert", &stable, &task, "--without", "trough_reachable"], 0);
    exits(&["sas", "solve", &task], 1);
    exits(
        &["convert", &stable, &task, "--from", "haystack=in_hands", "--to", "bucket=in_hands"],
        0,
    );
    assert_eq!(exits(&["sas", "solve", &task, "--json"], 0).json()["length"], 2);
}

#[test]
fn one_question_must_be_chosen() {
    let folder = Folder::new();
    let out = folder.path("out.sas");
    refuses(&["convert", WESTERN, &out], &["7 NPC types", "say which with `--npc`"]);
    let words = ["convert", WESTERN, &out, "--npc", "Blacksmith"];
    refuses(&words, &["--goal", "forge_horseshoe, close_smithy"]);
    let goal = ["--goal", "close_smithy"];
    let said = exits(&[&words[..], &goal].concat(), 0);
    assert_has(&said.err, &["not expressed: 6 other NPC types"]);
}

/// One alternative or several: the plan has the designer's actions and no others.
#[test]
fn a_goal_with_alternatives_goes_out_and_its_plan_costs_the_same() {
    let folder = Folder::new();
    let text = "domain market
var purse: 0, 5, 20
var mood: sad, glad
action beg:  purse 0 -> 5
    cost 3
action sing: purse 0 -> 20
    cost 4
action gift: purse 0 -> 5, mood sad -> glad
    cost 2
    if festival
goal paid: purse > 0
goal rich: purse > 5
npc singer
    can beg, sing, gift
    wants paid, rich
    starts purse = 0, mood = sad
";
    let file = folder.write("market.npc", text);
    let (task, domain, problem) =
        (folder.path("t.sas"), folder.path("d.pddl"), folder.path("p.pddl"));
    let back = folder.path("back.npc");
    let words = ["convert", &file, &task];
    refuses(&words, &["there are 2; say which with `--goal`: paid, rich"]);
    for (goal, without, plan) in
        [("paid", "", "gift"), ("paid", "festival", "beg"), ("rich", "", "sing")]
    {
        let said = ["--goal", goal, "--without", without];
        exits(&[&words[..], &said].concat(), 0);
        exits(&[&["convert", &file, &domain, &problem], &said[..]].concat(), 0);
        let known = exits(&[&["plan", &file, "--json"], &said[..]].concat(), 0).json();
        let [by_task, by_pddl] =
            [&["sas", "solve", &task][..], &["pddl", "solve", &domain, &problem]]
                .map(|words| exits(words, 0).out);
        assert_has(&by_task, &[&format!("({plan})")]);
        assert_has(&by_pddl, &[&format!("({plan})")]);
        assert_eq!(known["plan"][0], plan, "{known}");
        let costs = [
            &["sas", "solve", &task, "--json"][..],
            &["pddl", "solve", &domain, &problem, "--json"],
        ];
        for words in costs {
            assert_eq!(exits(words, 0).json()["cost"], known["cost"], "{words:?}");
        }
        exits(&["convert", &domain, &problem, &back], 0);
        exits(&["plan", &back], 0);
    }
    exits(&[&words[..], &["--goal", "paid"]].concat(), 0);
    exits(&["convert", &task, &back], 0);
    assert_has(&folder.read("back.npc"), &["goal goal:", "goal goal_2:", "serves any"]);
    exits(&["convert", &file, &domain, &problem, "--goal", "paid"], 0);
    assert_has(&folder.read("p.pddl"), &["(or\n    (and (purse n5))\n    (and (purse n20))))"]);
    // A type that wants one name need not be told which.
    let one = folder.write("one.npc", text.replace("wants paid, rich", "wants paid"));
    let said = exits(&["convert", &one, &task], 0);
    assert_has(&said.err, &["not expressed: 1 other goal:"]);
}

/// Facts are named as people wrote them, and each once.
#[test]
fn what_cannot_be_a_domain_is_said_in_the_words_of_the_task() {
    let folder = Folder::new();
    let domain = folder.write(
        "watch.pddl",
        "(define (domain watch) (:predicates (awake ?x) (seen ?x) (safe ?x))
         (:derived (safe ?x) (and (seen ?x) (awake ?x)))
         (:action wait :parameters (?x) :precondition (and (awake ?x) (not (seen ?x)))
           :effect (and (when (awake ?x) (seen ?x)))))",
    );
    let problem = folder.write(
        "night.pddl",
        "(define (problem night) (:domain watch) (:objects tom) (:init (awake tom))
         (:goal (safe tom)))",
    );
    let task = folder.path("watch.sas");
    exits(&["convert", &domain, &problem, &task], 0);
    let said = exits(&["sas", "classes", &task], 0).out;
    assert_has(&said, &["not a domain of ours: `safe(tom)`: derived by rules"]);
    assert!(!said.contains("var0") && !said.contains("var1") && !said.contains("Atom"), "{said}");
    let out = folder.path("ground.pddl");
    let said = exits(&["convert", &domain, &problem, &out], 0);
    assert_has(&said.err, &["note: actions are written out (1 became 1)"]);
    // Two operators of one name.
    let operator = "begin_operator\nwait\n0\n1\n1 1 1 0 0 1\n1\nend_operator\n";
    let twice = LAMP.replace(
        "1\nbegin_operator\nturn on",
        &format!("3\n{operator}{operator}begin_operator\nturn on"),
    );
    let said = exits(&["sas", "classes", &folder.write("twice.sas", twice)], 0).out;
    assert_has(&said, &["not a domain of ours: `wait`: conditional effects"]);
}

#[test]
fn convert_says_what_cannot_be() {
    let folder = Folder::new();
    let file = folder.write("lamp.sas", LAMP);
    let npc = folder.path("lamp.npc");
    refuses(&["convert", &file, &npc], &["cannot be a domain", "`lamp`: derived by rules"]);
    assert_eq!(folder.names(), ["lamp.sas"], "nothing was written");
    // The same text again, and the task as PDDL with its rule.
    assert_eq!(exits(&["convert", &file, "-", "--out-format", "sas"], 0).out, LAMP);
    let text = exits(&["convert", &file, "-"], 0).out;
    assert_has(&text, &["(define (domain lamp)", "(:derived (lamp) (and (switch on)))"]);
    let pddl = folder.write("blocks.pddl", "(define (domain blocks))");
    refuses(&["convert", &pddl, &npc], &["two files"]);
    refuses(&["convert", &file, &npc, &folder.path("x.npc")], &["too many files", "PDDL"]);
    refuses(&["convert", &file, &folder.path("odd_ending")], &["odd_ending", "--out-format"]);
    refuses(&["plan", &pddl], &["blocks.pddl", "throng pddl"]);
    refuses(&["plan", &file], &["lamp.sas", "throng sas"]);
}
