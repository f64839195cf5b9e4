//! What is read, feature by feature, and the traps that others fell into.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use throng_domain::{Code, Cost, Severity};
use throng_pddl::lifted::{Condition, CostTerm, DEEPEST, Lifted, ObjectId, Term, TypeId};
use throng_pddl::read::{Limits, Reading, Text, read_task};

fn read(domain: &str, problem: &str) -> Reading {
    read_within(domain, problem, &Limits::default())
}

fn read_within(domain: &str, problem: &str, limits: &Limits) -> Reading {
    read_task(Text { name: "d", text: domain }, Text { name: "p", text: problem }, limits)
}

/// A domain of these sections and a problem of those.
fn pair(domain: &str, problem: &str) -> Reading {
    read(
        &format!("(define (domain d) {domain})"),
        &format!("(define (problem p) (:domain d) {problem})"),
    )
}

fn codes(reading: &Reading) -> Vec<Code> {
    reading.report.diagnostics().iter().map(|d| d.code).collect()
}

/// The task, and that nothing or just this was said of it.
fn task(reading: Reading, expected: &[Code]) -> Lifted {
    let told: Vec<String> =
        reading.report.diagnostics().iter().map(|d| d.short(&reading.sources)).collect();
    assert_eq!(codes(&reading), expected, "{told:#?}");
    reading.task.unwrap()
}

const PLAIN: &str = "(:predicates (p ?x) (q ?x))
    (:action a :parameters (?x) :precondition (p ?x) :effect (q ?x))";
const SMALL: &str = "(:objects o) (:init (p o)) (:goal (q o))";

#[test]
fn a_plain_task_is_numbers() {
    let task = task(pair(PLAIN, SMALL), &[]);
    assert_eq!((task.domain.as_str(), task.problem.as_str()), ("d", "p"));
    assert_eq!((task.types.len(), task.objects.len(), task.n_constants), (1, 1, 0));
    assert_eq!(task.predicates.len(), 2);
    let action = &task.actions[0];
    assert_eq!((action.parameters.len(), action.n_variables, action.effects.len()), (1, 1, 1));
    assert!(action.effects[0].adds && action.cost.is_empty() && !task.has_metric);
    assert_eq!(task.atom_text(&task.init[0]), "(p o)");
}

#[test]
fn case_line_breaks_comments_and_marks_make_no_difference() {
    let plain = task(pair(PLAIN, SMALL), &[]);
    let domain =
        format!("\u{feff}; first\r\n(DEFINE (Domain D)\r\n{};end\r\n)", PLAIN.to_uppercase());
    let problem = format!("(define\t(problem P)(:DOMAIN d)\n{})\n\n;last", SMALL.to_uppercase());
    let mut loud = task(read(&domain, &problem), &[]);
    loud.actions[0].span = plain.actions[0].span;
    assert_eq!(loud, plain);
}

#[test]
fn a_variable_needs_no_blank_before_it() {
    let plain = task(pair(PLAIN, SMALL), &[]);
    let glued = PLAIN.replace(" ?x", "?x");
    let mut glued = task(pair(&glued, SMALL), &[Code::PddlGluedVariable]);
    glued.actions[0].span = plain.actions[0].span;
    assert_eq!(glued, plain);
}

#[test]
fn what_is_missing_or_empty_is_nothing() {
    let bodies = [
        "(:action a :effect (p))",
        "(:action a :parameters () :precondition () :effect (p))",
        "(:action a :precondition (and) :effect (and (p)))",
        "(:action a :effects (and (p) ()) :preconditions (and ()))",
        "(:action a :effect (and (and) (p)) :parameters ())",
    ];
    for body in bodies {
        let task = task(pair(&format!("(:predicates (p)) {body}"), "(:init) (:goal (p))"), &[]);
        assert_eq!(task.actions[0].effects.len(), 1, "{body}");
    }
    let nothing = "(:predicates (p)) (:action a :parameters () :precondition (p))";
    task(pair(nothing, "(:init) (:goal (p))"), &[Code::ChangesNothing]);
    task(pair("(:predicates (p))", "(:init) (:goal (and))"), &[Code::EmptyGoal]);
    task(pair("(:predicates (p))", "(:objects) (:init) (:goal ())"), &[Code::EmptyGoal]);
}

#[test]
fn types_have_parents_and_may_be_declared_twice() {
    let types = "(:types truck ship - vehicle vehicle place - object car - truck)
        (:predicates (p ?x - vehicle))";
    let problem = "(:objects t - truck c - car s - ship x y - place) (:init (p c)) (:goal (p t))";
    let task_ = task(pair(types, problem), &[]);
    let type_named =
        |name: &str| TypeId(task_.types.iter().position(|t| t.name == name).unwrap() as u32);
    assert!(task_.is_below(type_named("car"), type_named("vehicle")));
    assert!(!task_.is_below(type_named("vehicle"), type_named("car")));
    assert_eq!(task_.objects_by_type()[type_named("vehicle").0 as usize].len(), 3);
    assert_eq!(task_.objects_by_type()[0].len(), 5);

    let twice = "(:types a b - object c - a c - b) (:predicates (p ?x - b) (q ?x - a))";
    let problem = "(:objects o - c) (:init (p o) (q o)) (:goal (and))";
    let task_ = task(pair(twice, problem), &[Code::PddlTypeTwice, Code::EmptyGoal]);
    assert_eq!(task_.types[3].parents, [TypeId(1), TypeId(2)]);
}

#[test]
fn slips_in_a_list_of_types_are_errors_with_their_place() {
    let types = "(:types thing car - thing)";
    for (list, code, place) in [
        ("?x - -car", Code::Expected, "-car"),
        ("?x - --car", Code::Expected, "--car"),
        ("?x - - car", Code::Expected, "- car"),
        ("?x -", Code::Expected, "-)"),
        ("- car", Code::Expected, "- car"),
        ("?x - (either -car thing)", Code::Expected, "-car"),
        ("?x - (either car - thing)", Code::Expected, "- thing"),
        ("?x - (either)", Code::Expected, "(either)"),
        ("?x - ()", Code::Expected, "()"),
        ("?x -car", Code::PddlGluedType, "-car"),
        ("?x -bus", Code::PddlGluedType, "-bus"),
        ("?x - bus", Code::PddlUnknownType, "bus"),
        ("?x - ?car", Code::PddlUnknownType, "?car"),
    ] {
        for section in [
            "(:predicates (q) (p LIST))",
            "(:predicates (q)) (:action a :parameters (LIST) :effect (q))",
        ] {
            let domain = format!("{types} {}", section.replace("LIST", list));
            check_slip(&domain, code, &format!("{list})"), place);
        }
    }
    for (list, code, place) in [
        ("bus - -car", Code::Expected, "-car"),
        ("bus - - car", Code::Expected, "- car"),
        ("bus -", Code::Expected, "-)"),
        ("bus - (either -car thing)", Code::Expected, "-car"),
        ("bus - (either car -)", Code::Expected, "-)"),
        ("bus - ?car", Code::BadName, "?car"),
        ("bus - :car", Code::BadName, ":car"),
    ] {
        let domain = format!("(:types thing car - thing {list}) (:predicates (q))");
        check_slip(&domain, code, &format!("{list})"), place);
    }
}

/// One error of this code, where the last `place` of the list begins.
fn check_slip(domain: &str, code: Code, list: &str, place: &str) {
    let reading = pair(domain, "(:init) (:goal (q))");
    let told: Vec<String> =
        reading.report.diagnostics().iter().map(|d| d.short(&reading.sources)).collect();
    let errors = reading.report.diagnostics().iter().filter(|d| d.severity() == Severity::Error);
    let found: Vec<(Code, usize)> = errors.map(|d| (d.code, d.span.start as usize)).collect();
    let text = format!("(define (domain d) {domain})");
    let start = text.find(list).unwrap() + list.rfind(place).unwrap();
    assert_eq!(found, [(code, start)], "{domain}: {told:#?}");
    assert!(reading.task.is_none());
}

#[test]
fn either_gives_several_types() {
    let domain = "(:types a b c) (:predicates (p ?x - (either a b)))
        (:action go :parameters (?x - (either a c)) :effect (p ?x))";
    let problem = "(:objects o - a u - (either b c)) (:init (p o)) (:goal (p u))";
    let task = task(pair(domain, problem), &[]);
    assert_eq!(task.predicates[0].arguments[0].len(), 2);
    assert_eq!(task.actions[0].parameters[0].types, [TypeId(1), TypeId(3)]);
    assert_eq!(task.objects[1].types, [TypeId(2), TypeId(3)]);
}

#[test]
fn constants_come_first_and_objects_may_repeat_them() {
    let domain = "(:constants home) (:predicates (at ?x))
        (:action go :parameters (?x) :precondition (at ?x) :effect (at home))";
    let problem = "(:objects shop home) (:init (at shop)) (:goal (at home))";
    let task = task(pair(domain, problem), &[Code::PddlObjectTwice]);
    assert_eq!((task.objects.len(), task.n_constants), (2, 1));
    assert_eq!(task.actions[0].effects[0].atom.arguments, [Term::Object(ObjectId(0))]);
}

#[test]
fn an_object_declared_with_two_types_has_both() {
    let domain = "(:types a b) (:predicates (p ?x - a) (q ?x - b))";
    let problem = "(:objects o - a o - b) (:init (p o) (q o)) (:goal (p o))";
    let task = task(pair(domain, problem), &[Code::PddlObjectTwice]);
    assert_eq!(task.objects[0].types, [TypeId(1), TypeId(2)]);
}

#[test]
fn conditions_keep_their_shape_and_variables_their_numbers() {
    let domain = "(:predicates (p ?x) (q ?x ?y))
      (:action a :parameters (?x ?y)
        :precondition (and (not (= ?x ?y)) (imply (p ?x) (or (p ?y) (q ?x ?x)))
           (exists (?x ?z) (q ?x ?z)) (forall (?z) (not (q ?z ?x))))
        :effect (p ?y))";
    let task = task(pair(domain, "(:objects o) (:init) (:goal (exists (?g) (p ?g)))"), &[]);
    let action = &task.actions[0];
    assert_eq!(action.n_variables, 5, "x y, then x z, then z");
    let Condition::And(parts) = &action.condition else { panic!() };
    let Condition::Exists(parameters, inner) = &parts[2] else { panic!() };
    assert_eq!((parameters[0].variable, parameters[1].variable), (2, 3));
    let Condition::Atom(atom) = &**inner else { panic!() };
    assert_eq!(atom.arguments, [Term::Variable(2), Term::Variable(3)], "the inner x is meant");
    let Condition::Forall(parameters, inner) = &parts[3] else { panic!() };
    assert_eq!(parameters[0].variable, 4);
    let Condition::Not(inner) = &**inner else { panic!() };
    let Condition::Atom(atom) = &**inner else { panic!() };
    assert_eq!(atom.arguments, [Term::Variable(4), Term::Variable(0)], "the outer x again");
    assert_eq!(task.n_goal_variables, 1);
}

#[test]
fn effects_are_flat_with_what_stands_around_them() {
    let domain = "(:predicates (p ?x) (q ?x) (r))
      (:action a :parameters (?x)
        :effect (and (r) (forall (?y) (when (p ?y) (and (not (p ?y)) (when (r) (q ?y)))))
                     (not (q ?x))))";
    let task = task(pair(domain, "(:objects o) (:init) (:goal (r))"), &[]);
    let effects = &task.actions[0].effects;
    let shape: Vec<(bool, usize, bool)> = effects
        .iter()
        .map(|e| (e.adds, e.forall.len(), e.condition == Condition::default()))
        .collect();
    assert_eq!(shape, [(true, 0, true), (false, 1, false), (true, 1, false), (false, 0, true)]);
    assert!(matches!(effects[1].condition, Condition::Atom(_)));
    assert!(matches!(&effects[2].condition, Condition::And(parts) if parts.len() == 2));
}

#[test]
fn costs_are_numbers_functions_and_sums() {
    let domain = "(:predicates (p ?x)) (:functions (total-cost) (far ?x ?y) - number (rest))
      (:action a :parameters (?x)
        :effect (and (p ?x) (increase (total-cost) (+ (far ?x ?x) 0.5 (rest)))))
      (:action b :parameters (?x) :effect (and (p ?x) (increase (total-cost) 2)))
      (:action c :parameters (?x) :effect (p ?x))";
    let problem = "(:objects o 1) (:init (= (total-cost) 0) (= (far o o) 3) (= (rest) 1.25)
      (= (far 1 o) 1e3)) (:goal (p o)) (:metric minimize (total-cost))";
    let task = task(pair(domain, problem), &[]);
    assert!(task.has_metric);
    let [CostTerm::Function(..), CostTerm::Number(half), CostTerm::Function(..)] =
        task.actions[0].cost[..]
    else {
        panic!("{:?}", task.actions[0].cost)
    };
    assert_eq!(half, Cost(500));
    assert_eq!(task.actions[1].cost, [CostTerm::Number(Cost(2000))]);
    assert!(task.actions[2].cost.is_empty());
    let values: Vec<u64> = task.values.iter().map(|value| value.2.0).collect();
    assert_eq!(values, [0, 3000, 1250, 1_000_000]);
}

#[test]
fn costs_out_of_range_are_errors_and_other_numbers_no_matter() {
    let with = |number: &str| {
        let domain = format!(
            "(:predicates (p)) (:functions (total-cost) (f) (heat))
             (:action a :effect (and (p) (increase (total-cost) (f))))
             (:action b :effect (and (p) (increase (total-cost) {number})))"
        );
        let problem = format!("(:init (= (f) {number}) (= (heat) -12.34567)) (:goal (p))");
        codes(&pair(&domain, &problem))
    };
    assert_eq!(with("7"), []);
    assert_eq!(with("-1"), [Code::PddlCost, Code::PddlCost]);
    assert_eq!(with("99999999999"), [Code::NumberTooLarge, Code::NumberTooLarge]);
    assert_eq!(with("0.0001"), [Code::TooManyPlaces, Code::TooManyPlaces]);
    assert_eq!(with("x"), [Code::PddlCost, Code::PddlCost]);
}

#[test]
fn derived_predicates_have_rules_and_nothing_else_sets_them() {
    let rules = "(:predicates (edge ?x ?y) (path ?x ?y) (dead ?x))
      (:derived (path ?x ?y) (or (edge ?x ?y) (exists (?z) (and (path ?x ?z) (edge ?z ?y)))))
      (:derived (dead ?x) (not (exists (?y) (path ?x ?y))))
      (:action cut :parameters (?x ?y) :precondition (dead ?y) :effect (not (edge ?x ?y)))";
    let task = task(pair(rules, "(:objects a b) (:init (edge a b)) (:goal (dead a))"), &[]);
    assert_eq!(task.axioms.len(), 2);
    assert_eq!(task.axioms[0].n_variables, 3);
    assert_eq!(throng_pddl::strata::strata(&task.predicates, &task.axioms), Ok(vec![0, 0, 1]));
    let sets = "(:predicates (p) (q)) (:derived (p) (q)) (:action a :effect (not (p)))";
    let both = [Code::PddlDerivedSet, Code::PddlDerivedSet];
    assert_eq!(codes(&pair(sets, "(:init (p)) (:goal (p))")), both);
}

#[test]
fn denial_in_a_circle_is_found_through_other_rules() {
    let circle = |first: &str, second: &str, third: &str| {
        let domain = format!(
            "(:predicates (p) (q) (r) (s)) (:derived (p) {first}) (:derived (q) {second})
             (:derived (r) {third})"
        );
        codes(&pair(&domain, "(:init) (:goal (p))"))
    };
    assert_eq!(circle("(q)", "(r)", "(p)"), []);
    assert_eq!(circle("(not (q))", "(not (r))", "(s)"), []);
    assert_eq!(circle("(not (q))", "(r)", "(p)"), [Code::PddlNotStratified]);
    assert_eq!(circle("(imply (p) (q))", "(s)", "(s)"), [Code::PddlNotStratified]);
    assert_eq!(circle("(not (not (p)))", "(s)", "(s)"), []);
    assert_eq!(circle("(forall (?x) (p))", "(s)", "(s)"), []);
}

#[test]
fn the_spelling_of_actions_as_text_files_is_read() {
    let actions = "(:action Take :parameters (?l ?c ?o)
        :preconditions (and (at-c ?l ?c) (at-o ?l ?o)) :effects (and (hold ?o ?c) (not (at-o ?l ?o))))
      (:action Shout :parameters (?c) :preconditions (not (hold ?c)) :effects (hold ?c))";
    let problem = "(:init (at-c loc1 c1) (at-o loc1 o1) (hold o1)) (:goal (hold o1 c1))";
    let told =
        [Code::PddlInferred, Code::PddlBareSections, Code::PddlInferred, Code::PddlBareSections];
    let task = task(read(actions, problem), &told);
    let names: Vec<(&str, usize)> =
        task.predicates.iter().map(|p| (p.name.as_str(), p.arguments.len())).collect();
    assert_eq!(names, [("at-c", 2), ("at-o", 2), ("hold", 2), ("hold", 1)]);
    assert_eq!((task.objects.len(), task.init.len()), (3, 3));
}

#[test]
fn one_name_with_two_numbers_of_arguments_is_two_predicates_if_declared() {
    let domain = "(:predicates (p ?x) (p ?x ?y)) (:action a :parameters (?x) :effect (p ?x ?x))";
    let with = |goal: &str| pair(domain, &format!("(:objects o) (:init (p o)) (:goal {goal})"));
    assert_eq!(task(with("(p o o)"), &[]).predicates.len(), 2);
    assert_eq!(codes(&with("(p o o o)")), [Code::PddlWrongCount]);
}

#[test]
fn names_may_be_odd_and_shared() {
    let domain = "(:types at 2nd - object) (:predicates (at ?x - at) (2nd ?x - 2nd) (action ?x))
        (:action at :parameters (?at - at ?2 - 2nd) :precondition (2nd ?2) :effect (at ?at))";
    let problem = "(:objects 1 at - at 007 - 2nd a-b_c+d - object)
        (:init (2nd 007) (action a-b_c+d)) (:goal (and (at 1) (at at)))";
    assert_eq!(task(pair(domain, problem), &[]).objects.len(), 4);
}

#[test]
fn facts_are_kept_once_and_denied_ones_not_at_all() {
    let problem = "(:objects o u) (:init (p o) (p o) (not (p u)) (q u)) (:goal (q o))";
    let told = [Code::ListedTwice, Code::PddlNegativeFact];
    let task_ = task(pair(PLAIN, problem), &told);
    assert_eq!(task_.init.len(), 2);
    let both = pair(PLAIN, "(:objects o) (:init (p o) (not (p o))) (:goal (q o))");
    assert_eq!(codes(&both), [Code::PddlNegativeFact, Code::PddlTwoValues]);
}

#[test]
fn requirements_are_warned_of_only_where_there_are_some() {
    let domain = "(:predicates (p) (q)) (:action a :precondition (not (q)) :effect (when (q) (p)))";
    let problem = "(:init) (:goal (or (p) (q)))";
    task(pair(domain, problem), &[]);
    let strips = format!("(:requirements :strips) {domain}");
    let told = [Code::PddlRequirement, Code::PddlRequirement, Code::PddlRequirement];
    task(pair(&strips, problem), &told);
    task(pair(&format!("(:requirements :adl) {domain}"), problem), &[]);
}

#[test]
fn the_two_files_may_not_be_swapped_or_the_same() {
    let (domain, problem) =
        (format!("(define (domain d) {PLAIN})"), "(define (problem p) (:domain d))");
    assert_eq!(codes(&read(problem, &domain)), [Code::PddlSwapped]);
    assert_eq!(codes(&read(&domain, &domain)), [Code::PddlSwapped]);
    assert_eq!(codes(&read(problem, problem)), [Code::PddlSwapped]);
    let empty = [Code::PddlNoDefinition, Code::PddlNoDefinition];
    assert_eq!(codes(&read("", "; nothing")), empty);
}

#[test]
fn features_that_are_refused_are_named_once_each() {
    let domain = "(:predicates (p)) (:functions (f))
      (:durative-action x) (:durative-action y) (:process z)
      (:action a :precondition (and (> (f) 1) (= (f) 2)) :effect (and (p) (decrease (f) 1)))
      (:action b :effect (when (p) (increase (total-cost) 1)))";
    let problem = "(:init (at 5 (p)) (at 6.5 (not (p)))) (:goal (preference q (p)))
      (:constraints (always (p))) (:metric maximize (f))";
    let told = codes(&pair(domain, problem));
    let mut once = told.clone();
    once.sort();
    once.dedup();
    assert_eq!(told.len(), once.len(), "{told:?}");
    for code in [
        Code::PddlDurative,
        Code::PddlNumeric,
        Code::PddlPreference,
        Code::PddlConstraint,
        Code::PddlTimed,
        Code::PddlProcess,
        Code::PddlMetric,
    ] {
        assert!(told.contains(&code), "{code:?}");
    }
}

#[test]
fn predicates_may_have_the_names_of_refused_features() {
    let domain = "(:predicates (within ?x) (increase ?x) (at ?t ?x) (always ?x))
      (:action a :parameters (?x) :precondition (within ?x) :effect (and (increase ?x) (always ?x)))";
    let problem = "(:objects 5 o) (:init (within o) (at 5 o)) (:goal (increase o))";
    task(pair(domain, problem), &[]);
}

#[test]
fn conditions_nest_to_the_bound_and_no_deeper() {
    let nested = |depth: usize| {
        let goal = format!("{}(p){}", "(not ".repeat(depth), ")".repeat(depth));
        codes(&pair("(:predicates (p))", &format!("(:init) (:goal {goal})")))
    };
    assert_eq!(nested(DEEPEST - 1), []);
    assert_eq!(nested(DEEPEST), [Code::ConditionsTooDeep]);
    assert_eq!(nested(100_000), [Code::ConditionsTooDeep]);
    let effect = format!("{}(p){}", "(and ".repeat(100_000), ")".repeat(100_000));
    let domain = format!("(:predicates (p)) (:action a :effect {effect})");
    assert_eq!(codes(&pair(&domain, "(:init) (:goal (p))")), [Code::ConditionsTooDeep]);
}

#[test]
fn texts_that_would_grow_are_bounded() {
    // A large condition before many effects would be copied for each.
    let small = Limits { entries: 100_000, ..Limits::default() };
    let many = "(p) ".repeat(400);
    let effect = format!("(when (and {many}) (and {many}))");
    let domain = format!("(define (domain d) (:predicates (p)) (:action a :effect {effect}))");
    let problem = "(define (problem p) (:domain d) (:init) (:goal (p)))";
    assert_eq!(codes(&read_within(&domain, problem, &small)), [Code::TooMuchInTotal]);
    // A chain of types with objects at its end: each object is of every type.
    let chain: String = (0..400).map(|at| format!("t{} - t{at} ", at + 1)).collect();
    let objects: String = (0..400).map(|at| format!("o{at} ")).collect();
    let reading = read_within(
        &format!("(define (domain d) (:types t0 - object {chain}) (:predicates (p)))"),
        &format!(
            "(define (problem p) (:domain d) (:objects {objects} - t400) (:init) (:goal (p)))"
        ),
        &small,
    );
    assert_eq!(codes(&reading), [Code::TooMuchInTotal]);
    let small = Limits { text_bytes: 50, ..Limits::default() };
    let domain = format!("(define (domain d) {PLAIN})");
    assert_eq!(codes(&read_within(&domain, "", &small)), [Code::TextTooLarge]);
    let small = Limits { declarations: 1, ..Limits::default() };
    let problem = format!("(define (problem p) (:domain d) {SMALL})");
    let told = codes(&read_within(&domain, &problem, &small));
    assert!(told.contains(&Code::TooManyDeclarations), "{told:?}");
    let small = Limits { facts: 0, ..Limits::default() };
    assert_eq!(codes(&read_within(&domain, &problem, &small)), [Code::TooManyDeclarations]);
}

#[test]
fn broken_texts_are_told_and_never_stop_the_reader() {
    let good = format!(
        "(define (domain d) (:requirements :adl) (:types a - b) (:constants c - a) (:functions (f ?x)) {PLAIN}
         (:derived (q ?x) (exists (?y - a) (and (p ?y) (= ?x ?y)))))"
    );
    let problem =
        format!("(define (problem p) (:domain d) {SMALL} (:metric minimize (total-cost)))");
    let pieces =
        ["(", ")", "-", "?", ":", "\u{0}", "é", "(and", "()", ";", "\n", "either", "=", "9"];
    let mut random = throng_base::SplitMix::new(1);
    let mut next = |below: usize| random.below(below);
    for _ in 0..3_000 {
        let mut texts = [good.clone(), problem.clone()];
        for _ in 0..=next(3) {
            let text = &mut texts[next(2)];
            let at = next(text.len());
            let Some(at) = (at..=text.len()).find(|&at| text.is_char_boundary(at)) else {
                continue;
            };
            let to = (at + next(8)).min(text.len());
            let to = (to..=text.len()).find(|&to| text.is_char_boundary(to)).unwrap();
            text.replace_range(at..to, pieces[next(pieces.len())]);
        }
        let reading = read(&texts[0], &texts[1]);
        assert_eq!(reading.task.is_none(), reading.report.has_errors());
        for diagnostic in reading.report.diagnostics() {
            assert!(diagnostic.short(&reading.sources).len() > 20);
        }
    }
}
