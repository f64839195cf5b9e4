//! `throng pddl` within limits of time, memory and size.

use super::*;

#[test]
fn limits_exit_with_three_and_json_is_printed() {
    let folder = Folder::new();
    let [domain, problem] = mill(&folder, "(and (lies rye mill) (lies oats mill))");
    for planner in ["grounded", "seed"] {
        let solve = ["pddl", "solve", &domain, &problem, "--planner", planner];
        for (limit, value, code) in
            [("--max-nodes", "1", "node_limit"), ("--memory", "0.00001", "memory_limit")]
        {
            let words = [&solve[..], &[limit, value, "--json"]].concat();
            let answer = exits(&words, 3).json();
            assert_eq!(answer["outcome"], "gave_up", "{words:?}");
            assert_eq!(answer["reason"]["code"], code, "{words:?}");
            assert_has(answer["reason"]["text"].as_str().unwrap(), &[limit]);
        }
        // A nanosecond is over before anything begins.
        let words = [&solve[..], &["--time", "0.000000001"]].concat();
        assert_has(&exits(&words, 3).out, &["; gave up: ", "--time"]);
        // Nothing at all is no limit that anybody means.
        for limit in ["--time", "--max-nodes", "--memory"] {
            refuses(&[&solve[..], &[limit, "0"]].concat(), &[limit, "above zero"]);
        }
    }
}

/// Every command that takes a time looks at the clock, however small the task.
#[test]
fn time_holds_for_commands_that_only_look() {
    let folder = Folder::new();
    let [domain, problem] = mill(&folder, RYE);
    let time = ["--time", "0.000000001"];
    for command in ["info", "classes"] {
        let words = [&["pddl", command, &domain, &problem], &time[..]].concat();
        let said = exits(&words, 3);
        assert_has(&said.out, &["`--time`"]);
        let answer = exits(&[&words[..], &["--json"]].concat(), 3).json();
        assert_has(answer["limit"].as_str().unwrap(), &["`--time`"]);
    }
    let words = ["convert", &domain, &problem, &folder.path("mill.sas")];
    let said = exits(&[&words[..], &time].concat(), 3);
    assert_eq!(said.out, "");
    assert_has(&said.err, &["gave up: ", "`--time`"]);
    assert_eq!(folder.names(), ["mill.pddl", "morning.pddl"], "nothing was written");
}

/// Four parameters over many objects have more instances than are grounded.
#[test]
fn a_task_that_is_too_large_to_ground_is_a_limit_everywhere() {
    let folder = Folder::new();
    let domain = folder.write(
        "huge.pddl",
        "(define (domain huge) (:predicates (p ?x) (q))
         (:action a :parameters (?a ?b ?c ?d) :precondition (p ?a) :effect (q)))",
    );
    let objects: Vec<String> = (0..60).map(|at| format!("o{at}")).collect();
    let objects = objects.join(" ");
    let init: Vec<String> = objects.split(' ').map(|name| format!("(p {name})")).collect();
    let problem = folder.write(
        "many.pddl",
        format!(
            "(define (problem many) (:domain huge) (:objects {objects})
             (:init {}) (:goal (q)))",
            init.join(" ")
        ),
    );
    let cure = ["`a`", "fewer objects"];
    assert_has(&exits(&["pddl", "solve", &domain, &problem], 3).out, &cure);
    assert_has(&exits(&["convert", &domain, &problem, &folder.path("out.sas")], 3).err, &cure);
}

#[test]
fn a_task_that_does_not_fit_into_the_memory_is_not_grounded() {
    let folder = Folder::new();
    let domain = folder.write(
        "lamps.pddl",
        "(define (domain lamps) (:requirements :adl) (:predicates (on ?x) (by ?x ?y))
           (:action press :parameters (?a ?b) :effect (and (by ?a ?b)
             (forall (?x) (when (not (by ?a ?x)) (on ?x))))))",
    );
    let names: Vec<String> = (0..60).map(|at| format!("o{at}")).collect();
    let text = format!(
        "(define (problem all) (:domain lamps) (:objects {}) (:init) (:goal (on o1)))",
        names.join(" ")
    );
    let problem = folder.write("all.pddl", text);
    exits(&["pddl", "info", &domain, &problem], 0);
    let answer = exits(&["pddl", "solve", &domain, &problem, "--memory", "8", "--json"], 3).json();
    assert_eq!(answer["reason"]["code"], "memory_limit");
    let said = exits(&["pddl", "solve", &domain, &problem, "--memory", "8"], 3);
    assert!(said.out.contains("`press`") && said.out.contains("`--memory`"), "{}", said.out);
}

/// An action with so many parameters, each bound by a condition.
fn wide(folder: &Folder, parameters: usize) -> [String; 2] {
    let names: String = (0..parameters).map(|at| format!("?x{at} ")).collect();
    let needs: String = (0..parameters).map(|at| format!("(p ?x{at}) ")).collect();
    let domain = format!(
        "(define (domain wide) (:predicates (done) (p ?x))
           (:action go :parameters ({names}) :precondition (and {needs}) :effect (done)))"
    );
    let problem = "(define (problem two) (:domain wide) (:objects a b) (:init (p a) (p b))
                     (:goal (done)))";
    [folder.write("wide.pddl", domain), folder.write("two.pddl", problem)]
}

#[test]
fn parameters_count_towards_the_memory() {
    let folder = Folder::new();
    let [domain, problem] = wide(&folder, 1200);
    for command in ["solve", "info", "classes"] {
        let said = exits(&["pddl", command, &domain, &problem, "--memory", "16"], 3);
        let told = ["16 MB", "`go`", "1200 parameters", "`--memory`"];
        assert!(told.iter().all(|words| said.out.contains(words)), "{command}: {}", said.out);
    }
    let out = folder.path("out.sas");
    let said = exits(&["convert", &domain, &problem, &out, "--memory", "16"], 3);
    assert!(said.err.contains("1200 parameters"), "{}", said.err);
}

#[test]
fn the_judge_has_limits_of_its_own() {
    let folder = Folder::new();
    let open: String = (0..7).map(|at| format!("(forall (?x{at}) ")).collect();
    let domain = |about: &str| {
        format!(
            "(define (domain d) (:requirements :adl) (:predicates (r {about}))
               (:action go :effect {open}(r {about}))))))))))"
        )
    };
    let objects: String = (0..20).map(|at| format!("o{at} ")).collect();
    let problem = |goal: &str| {
        format!("(define (problem p) (:domain d) (:objects {objects}) (:init) (:goal (r {goal})))")
    };
    let plan = folder.write("go.plan", "(go)\n");
    let few =
        [folder.write("few.pddl", domain("?x0 ?x1")), folder.write("f.pddl", problem("o0 o1"))];
    let said = exits(&["pddl", "validate", &few[0], &few[1], &plan, "--memory", "4"], 0);
    assert_eq!(said.out, "valid: 1 step, cost 1\n");
    let all = "?x0 ?x1 ?x2 ?x3 ?x4 ?x5 ?x6";
    let goal = "o0 o0 o0 o0 o0 o0 o0";
    let many = [folder.write("many.pddl", domain(all)), folder.write("m.pddl", problem(goal))];
    let said = exits(&["pddl", "validate", &many[0], &many[1], &plan, "--memory", "4"], 3);
    assert!(said.err.contains("4 MB (`--memory`)"), "{}", said.err);
    let said = exits(&["pddl", "validate", &few[0], &few[1], &plan, "--time", "0.0000001"], 3);
    assert!(said.err.contains("(`--time`)"), "{}", said.err);
}
