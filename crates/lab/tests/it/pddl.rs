//! `throng pddl`: plans, verdicts, counts and classes of tasks in PDDL.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod limits;

use crate::common::*;

/// A cart carries one sack at a time; the long road is cheap, the short one dear.
const DOMAIN: &str = "(define (domain mill)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types place sack)
  (:predicates (at ?p - place) (lies ?s - sack ?p - place) (loaded ?s - sack) (full)
               (road ?a ?b - place))
  (:functions (length ?a ?b - place) - number (total-cost) - number)
  (:action drive :parameters (?a ?b - place)
    :precondition (and (at ?a) (road ?a ?b))
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b))))
  (:action load :parameters (?s - sack ?p - place)
    :precondition (and (at ?p) (lies ?s ?p) (not (full)))
    :effect (and (loaded ?s) (full) (not (lies ?s ?p)) (increase (total-cost) 1)))
  (:action unload :parameters (?s - sack ?p - place)
    :precondition (and (at ?p) (loaded ?s))
    :effect (and (not (loaded ?s)) (not (full)) (lies ?s ?p) (increase (total-cost) 1))))
";

fn problem(goal: &str) -> String {
    format!(
        "(define (problem morning) (:domain mill)
  (:objects farm ford mill - place rye oats - sack)
  (:init (at farm) (lies rye farm) (lies oats farm)
         (road farm mill) (road mill farm) (= (length farm mill) 10) (= (length mill farm) 10)
         (road farm ford) (= (length farm ford) 2) (road ford mill) (= (length ford mill) 3)
         (= (total-cost) 0))
  (:goal {goal})
  (:metric minimize (total-cost)))
"
    )
}

/// The two files.
fn mill(folder: &Folder, goal: &str) -> [String; 2] {
    [folder.write("mill.pddl", DOMAIN), folder.write("morning.pddl", problem(goal))]
}

const RYE: &str = "(lies rye mill)";

#[test]
fn a_plan_comes_in_the_usual_format_and_passes_the_judge() {
    let folder = Folder::new();
    let [domain, problem] = mill(&folder, RYE);
    let said = exits(&["pddl", "solve", &domain, &problem], 0);
    assert_eq!(
        said.out,
        "(load rye farm)\n(drive farm ford)\n(drive ford mill)\n(unload rye mill)\n\
         ; cost = 7 (general cost)\n"
    );
    assert_eq!(said.err, "");
    let judged = throng_reads(&["pddl", "validate", &domain, &problem, "-"], said.out.as_bytes());
    assert_eq!((judged.code, judged.out.as_str()), (Some(0), "valid: 4 steps, cost 7\n"));
}

#[test]
fn modes_and_planners_agree_where_they_must() {
    let folder = Folder::new();
    let [domain, problem] = mill(&folder, RYE);
    let solve = |words: &[&str]| {
        let words = [&["pddl", "solve", &domain, &problem, "--json"], words].concat();
        exits(&words, 0).json()
    };
    let shortest = solve(&["--mode", "shortest"]);
    assert_eq!((&shortest["length"], &shortest["cost"]), (&3.into(), &12.into()));
    let by_the_seed = solve(&["--planner", "seed"]);
    assert_eq!((&by_the_seed["length"], &by_the_seed["mode"]), (&3.into(), &"shortest".into()));
    let fast = solve(&["--mode", "fast"]);
    assert!(fast["length"].as_u64().unwrap() >= 3, "{fast}");
    for answer in [&shortest, &by_the_seed, &fast] {
        let keys = [
            "outcome",
            "plan",
            "length",
            "cost",
            "planner",
            "mode",
            "reason",
            "nodes",
            "generated",
            "states",
        ];
        assert_keys(answer, &keys);
        assert_eq!(answer["outcome"], "plan");
        assert_eq!(answer["plan"].as_array().unwrap().len() as u64, answer["length"]);
    }
    let words = ["pddl", "solve", &domain, &problem, "--planner", "seed", "--mode", "cheapest"];
    refuses(&words, &["--mode shortest"]);
}

#[test]
fn a_goal_that_holds_has_the_empty_plan() {
    let folder = Folder::new();
    for goal in ["(at farm)", "(and)", "(not (full))"] {
        let [domain, problem] = mill(&folder, goal);
        let said = exits(&["pddl", "solve", &domain, &problem], 0);
        assert_eq!(said.out, "; cost = 0 (general cost)\n", "{goal}");
        let answer = exits(&["pddl", "solve", &domain, &problem, "--json"], 0).json();
        assert_eq!((&answer["outcome"], &answer["length"]), (&"satisfied".into(), &0.into()));
    }
}

#[test]
fn impossible_is_a_proof_and_exits_with_one() {
    let folder = Folder::new();
    // Found out by trying everything, and while grounding.
    for goal in ["(and (loaded rye) (loaded oats))", "(road mill ford)"] {
        let [domain, problem] = mill(&folder, goal);
        for planner in ["grounded", "seed"] {
            let words = ["pddl", "solve", &domain, &problem, "--planner", planner, "--json"];
            let answer = exits(&words, 1).json();
            assert_eq!(answer["outcome"], "impossible", "{goal} {planner}");
            assert_eq!(answer["reason"]["code"], "unreachable");
            assert!(answer["plan"].is_null());
        }
        let said = exits(&["pddl", "solve", &domain, &problem], 1);
        assert_has(&said.out, &["; impossible: "]);
    }
}

#[test]
fn a_file_takes_the_plan() {
    let folder = Folder::new();
    let [domain, problem] = mill(&folder, RYE);
    let out = folder.path("plan.txt");
    let said = exits(&["pddl", "solve", &domain, &problem, "--out", &out], 0);
    assert_eq!(said.out, "");
    assert_has(&said.err, &["plan.txt", "4 steps", "cost 7"]);
    assert_has(&folder.read("plan.txt"), &["(load rye farm)\n", "; cost = 7 (general cost)\n"]);
    exits(&["pddl", "validate", &domain, &problem, &out], 0);
}

/// A file of that name is the plan of the last search or is not there.
#[test]
fn an_old_plan_does_not_outlive_a_search_without_one() {
    let folder = Folder::new();
    let out = folder.path("plan.txt");
    let solve = |goal: &str, more: &[&str], code: i32| {
        folder.write("plan.txt", "(old plan)\n");
        let [domain, problem] = mill(&folder, goal);
        let words = ["pddl", "solve", &domain, &problem, "--out", &out];
        exits(&[&words[..], more].concat(), code);
        folder.names().contains(&"plan.txt".to_string())
    };
    assert!(!solve("(road mill ford)", &[], 1));
    assert!(!solve(RYE, &["--max-nodes", "1"], 3));
    assert!(!solve("(lies rye mil)", &[], 2));
    assert!(solve(RYE, &[], 0));
    assert!(!folder.read("plan.txt").contains("old"));
    // What is read is not written over, and a mistake in the words takes nothing away.
    let [domain, problem] = mill(&folder, RYE);
    let solve = ["pddl", "solve", &domain, &problem, "--out"];
    refuses(&[&solve[..], &[&problem]].concat(), &["morning.pddl", "is read"]);
    assert_has(&folder.read("morning.pddl"), &["(define"]);
    // Nor is what is somebody's and no plan.
    let foreign = folder.write("notes.txt", "milk, rye, a new wheel\n");
    refuses(&[&solve[..], &[&foreign]].concat(), &["notes.txt", "no plan"]);
    assert_eq!(folder.read("notes.txt"), "milk, rye, a new wheel\n");
    refuses(&[&solve[..], &[&out, "--time", "soon"]].concat(), &["--time"]);
    assert_has(&folder.read("plan.txt"), &["(load rye farm)"]);
}

#[test]
fn stats_say_what_it_took() {
    let folder = Folder::new();
    let [domain, problem] = mill(&folder, RYE);
    for planner in ["grounded", "seed"] {
        let words = ["pddl", "solve", &domain, &problem, "--planner", planner, "--stats"];
        let said = exits(&words, 0);
        // The plan stays a plan.
        assert!(said.out.lines().all(|line| line.starts_with(['(', ';'])), "{}", said.out);
        assert_has(&said.err, &["read", "search", "expanded", "bytes per state"]);
        let answer = exits(&[&words[..], &["--json"]].concat(), 0).json();
        let stats = &answer["stats"];
        assert!(stats["phases"]["search"].as_f64().unwrap() >= 0.0, "{stats}");
        assert!(stats["bytes_per_state"].as_f64().unwrap() > 0.0, "{stats}");
        let grounds = stats["phases"].get("ground: reach").is_some();
        let text = exits(&[&words[..], &["--json"]].concat(), 0).out;
        let at = |phase: &str| text.find(&format!("\"{phase}\":"));
        assert!(at("read") < at("search") && at("search") < at("validate"), "in order: {text}");
        assert_eq!(grounds, planner == "grounded", "{stats}");
    }
}

#[test]
fn mistakes_are_shown_at_their_place() {
    let folder = Folder::new();
    let [domain, problem] = mill(&folder, "(lies rye mil)");
    let parts = ["error[E", "morning.pddl:7:", "`mil`", "did you mean `mill`?", "cannot be used"];
    refuses(&["pddl", "solve", &domain, &problem], &parts);
    refuses(&["pddl", "info", &domain, &problem], &parts);
    refuses(&["pddl", "classes", &domain, &problem], &parts);
    let said = exits(&["pddl", "solve", &domain, &problem, "--json"], 2);
    let answer = said.json();
    assert_eq!((&answer["outcome"], &answer["plan"]), (&"error".into(), &serde_json::Value::Null));
    assert_has(answer["reason"]["text"].as_str().unwrap(), &["morning.pddl:7", "`mil`"]);
    let plan = folder.write("plan.txt", "");
    for words in [
        &["solve", &domain, &problem][..],
        &["info", &domain, &problem],
        &["classes", &domain, &problem],
        &["validate", &domain, &problem, &plan],
    ] {
        let answer = exits(&[&["pddl"], words, &["--json"]].concat(), 2).json();
        assert_keys(&answer, &["outcome", "plan", "reason", "errors"]);
        assert_eq!(answer["outcome"], "error");
        let error = &answer["errors"][0];
        assert_keys(error, &["code", "file", "line", "column", "text", "cure"]);
        assert_eq!((&error["line"], &error["code"]), (&7.into(), &"E120".into()), "{error}");
        assert_has(error["cure"].as_str().unwrap(), &["mill"]);
    }
    refuses(&["pddl", "solve", &problem, &domain], &["wrong way round"]);
    refuses(&["pddl", "solve", &domain, &folder.path("no.pddl")], &["no.pddl", "no such file"]);
    refuses(&["pddl", "solve", &domain], &["PROBLEM"]);
    refuses(&["pddl", "solve", &domain, &problem, "--mode", "quick"], &["error"]);
    refuses(&["pddl", "solve", &domain, &problem, "--time", "-1"], &["seconds"]);
    let bytes = folder.write("odd.pddl", b"(define\n\xff\xfe)");
    refuses(&["pddl", "solve", &bytes, &problem], &["odd.pddl", "line 2", "UTF-8"]);
    refuses(&["pddl", "solve", "-", "-"], &["standard input"]);
}

#[test]
fn the_judge_names_the_step_that_fails() {
    let folder = Folder::new();
    let [domain, problem] = mill(&folder, RYE);
    let judge = |plan: &str, code: i32| {
        let plan = folder.write("plan.txt", plan);
        exits(&["pddl", "validate", &domain, &problem, &plan, "--json"], code).json()
    };
    let right =
        judge("0: (LOAD RYE FARM) [1]\n; by road\n1: (drive farm mill)\n(unload rye mill)", 0);
    assert_keys(&right, &["valid", "failed_step", "reason", "length", "cost"]);
    assert_eq!((&right["valid"], &right["cost"]), (&true.into(), &12.into()));
    let wrong = judge("(load rye farm)\n(load oats farm)\n", 1);
    assert_eq!((&wrong["valid"], &wrong["failed_step"]), (&false.into(), &2.into()));
    assert_has(wrong["reason"].as_str().unwrap(), &["(load oats farm)", "full", "line 2"]);
    let unfinished = judge("", 1);
    assert!(unfinished["failed_step"].is_null());
    assert_has(unfinished["reason"].as_str().unwrap(), &["goal", "lies rye mill"]);
    assert_eq!(judge("(fly farm mill)", 1)["failed_step"], 1);
    // What the plan says of itself is compared.
    let told = |cost: &str| {
        let steps = "(load rye farm)\n(drive farm mill)\n(unload rye mill)\n";
        let plan = folder.write("told.txt", format!("{steps}; cost = {cost} (general cost)\n"));
        exits(&["pddl", "validate", &domain, &problem, &plan], 0).err
    };
    assert_eq!(told("12"), "");
    assert_has(&told("11"), &["warning", "told.txt", "line 4", "the cost is 11; it is 12"]);
    let nonsense = folder.write("nonsense.txt", "(load rye farm");
    refuses(&["pddl", "validate", &domain, &problem, &nonsense], &["nonsense.txt", "line 1"]);
    refuses(&["pddl", "validate", &domain, &problem], &["PLAN"]);
}

#[test]
fn info_counts_before_and_after_grounding() {
    let folder = Folder::new();
    let [domain, problem] = mill(&folder, RYE);
    let info = exits(&["pddl", "info", &domain, &problem, "--json"], 0).json();
    assert_eq!((&info["domain"], &info["problem"]), (&"mill".into(), &"morning".into()));
    for (key, count) in [("types", 3), ("objects", 5), ("predicates", 5), ("actions", 3)] {
        assert_eq!(info[key], count, "{key}: {info}");
    }
    assert_eq!(
        info["features"],
        serde_json::json!([":strips", ":typing", ":negative-preconditions", ":action-costs"])
    );
    // Four roads; two sacks at three places, to be loaded and unloaded.
    assert_eq!(info["ground"]["operators"], 4 + 2 * 3 * 2, "{info}");
    let said = exits(&["pddl", "info", &domain, &problem], 0);
    assert_has(&said.out, &["mill: morning", "ground operators", ":typing"]);
}

#[test]
fn classes_name_the_actions_in_the_way() {
    let folder = Folder::new();
    let [domain, problem] = mill(&folder, RYE);
    let classes = exits(&["pddl", "classes", &domain, &problem, "--json"], 0).json();
    assert_eq!(classes["operators"], 16, "{classes}");
    assert_eq!((&classes["fast_class"], &classes["derived"]), (&false.into(), &0.into()));
    let obstacles = classes["obstacles"].as_array().unwrap();
    let load = obstacles.iter().find(|o| o["action"] == "load" && o["class"] == "U").unwrap();
    assert_keys(load, &["class", "action", "operators", "of", "why", "example", "fact"]);
    assert_eq!((&load["operators"], &load["of"]), (&6.into(), &6.into()), "{classes}");
    assert!(classes["unary"].as_u64().unwrap() >= 4, "driving is unary: {classes}");
    let said = exits(&["pddl", "classes", &domain, &problem], 0);
    assert_has(&said.out, &["U", "unary", "engine, as a domain", "load (6 of 6)"]);
    assert_eq!(load["example"].as_str().unwrap().matches(['(', ')']).count(), 2, "{load}");
    // Restrictions that the fast class does not ask for stand under a heading of their own.
    let (fast, single) = said.out.split_once("not single-valued (S)").unwrap();
    assert!(!fast.contains("\n  S  "), "{fast}");
    assert!(!single.contains("\n  U  ") && !single.contains("\n  P  "), "{single}");
    assert!(!said.out.contains("NegatedAtom") && !said.out.contains("var0"), "{}", said.out);
}

#[test]
fn a_task_without_operators_has_no_shares() {
    let folder = Folder::new();
    let domain = folder.write(
        "still.pddl",
        "(define (domain still) (:predicates (p) (q))
         (:action never :parameters () :precondition (q) :effect (not (p))))",
    );
    let problem = folder
        .write("life.pddl", "(define (problem life) (:domain still) (:init (p)) (:goal (p)))");
    let said = exits(&["pddl", "classes", &domain, &problem], 0);
    assert_has(&said.out, &["0 operators", "0 of 0"]);
    let rows: Vec<&str> = said.out.lines().filter(|line| line.contains("0 of 0 ")).collect();
    assert!(rows.iter().all(|row| !row.contains('%')), "{rows:#?}");
}

/// One lamp after the other, each with an action of its own: the class that is planned fast.
#[test]
fn a_task_of_the_fast_class_is_recognised() {
    let folder = Folder::new();
    let domain = folder.write(
        "lamps.pddl",
        "(define (domain lamps) (:predicates (lit ?l) (next ?a ?b) (first ?l))
         (:action light-first :parameters (?l) :precondition (and (first ?l) (not (lit ?l)))
           :effect (lit ?l))
         (:action light :parameters (?a ?b)
           :precondition (and (next ?a ?b) (lit ?a) (not (lit ?b))) :effect (lit ?b)))",
    );
    let problem = folder.write(
        "three.pddl",
        "(define (problem three) (:domain lamps) (:objects a b c)
         (:init (first a) (next a b) (next b c)) (:goal (lit c)))",
    );
    let classes = exits(&["pddl", "classes", &domain, &problem, "--json"], 0).json();
    assert_eq!(classes["fast_class"], true, "{classes}");
    assert_eq!(classes["engine"], "topological", "{classes}");
    assert_eq!(classes["obstacles"], serde_json::json!([]), "{classes}");
}

#[test]
fn dead_ends_that_were_left_aside_are_told() {
    let folder = Folder::new();
    let domain = "(define (domain tokens)
      (:predicates (token ?k) (on ?x) (up ?x) (down ?x))
      (:action use :parameters (?x ?k) :precondition (token ?k)
        :effect (and (on ?x) (not (token ?k))))
      (:action raise :parameters (?x) :precondition (down ?x) :effect (and (up ?x) (not (down ?x))))
      (:action lower :parameters (?x) :precondition (up ?x) :effect (and (down ?x) (not (up ?x)))))";
    let problem = "(define (problem two-for-three) (:domain tokens) (:objects a b c)
      (:init (token a) (token b) (down a) (down b) (down c))
      (:goal (and (on a) (on b) (on c) (up a) (up b) (up c))))";
    let (domain, problem) = (folder.write("d.pddl", domain), folder.write("p.pddl", problem));
    let said = |mode| exits(&["pddl", "solve", &domain, &problem, "--mode", mode], 1).out;
    assert_has(
        &said("fast"),
        &["; impossible: every state that could lead to the goal was tried ("],
    );
    assert_has(&said("shortest"), &["; impossible: the goal holds in none of the "]);
}

#[test]
fn what_the_seed_does_not_take_has_one_reason_and_one_cure() {
    let folder = Folder::new();
    let names: String = (0..300).map(|at| format!("?p{at} ")).collect();
    let domain = format!(
        "(define (domain d) (:predicates (p ?x) (q ?x))
         (:action a :parameters ({names}) :precondition (p ?p0) :effect (q ?p299)))"
    );
    let problem = "(define (problem q) (:domain d) (:objects a) (:init (p a)) (:goal (q a)))";
    let (domain, problem) = (folder.write("d.pddl", domain), folder.write("p.pddl", problem));
    let said = exits(&["pddl", "solve", &domain, &problem, "--planner", "seed"], 2);
    assert_has(
        &said.err,
        &["action `a` has more than 256 parameters, more than the lifted planner can number; use \
           the grounded one: leave `--planner seed` out\n"],
    );
}
