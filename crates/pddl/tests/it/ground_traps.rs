//! The traps that bit other grounders, each as a small task.
//!
//! In:   PDDL texts.
//! Out:  the length of a shortest plan of the ground task, checked on the lifted task too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::plain::{Plain, ground_shortest};
use throng_pddl::ground::{
    GroundError, Grounded, Limits, Phase, Unreachable, ground, ground_observed,
};
use throng_pddl::lifted::Lifted;
use throng_pddl::read::{self, Text, read_task};
use throng_planner::forward::{Found, Search};
use throng_planner::{Mode, SearchBudget};

fn task(domain: &str, problem: &str) -> Lifted {
    let domain = format!("(define (domain d) {domain})");
    let problem = format!("(define (problem p) (:domain d) {problem})");
    let reading = read_task(
        Text { name: "domain", text: &domain },
        Text { name: "problem", text: &problem },
        &read::Limits::default(),
    );
    let told: Vec<String> =
        reading.report.diagnostics().iter().map(|d| d.short(&reading.sources)).collect();
    reading.task.unwrap_or_else(|| panic!("{}", told.join("\n")))
}

/// Grounds and solves; the length must be the expected one on both tasks.
fn check(domain: &str, problem: &str, expected: Option<usize>) -> Grounded {
    let lifted = task(domain, problem);
    let made = ground(&lifted, &Limits::default(), None).unwrap();
    let found = ground_shortest(&made.named.task, 100_000).unwrap();
    assert_eq!(found.map(|plan| plan.len()), expected);
    assert_eq!(Plain::new(&lifted).shortest(100_000), Ok(expected));
    made
}

fn refusal(domain: &str, problem: &str, limits: &Limits) -> GroundError {
    ground(&task(domain, problem), limits, None).expect_err("a refusal")
}

fn operators(made: &Grounded) -> Vec<String> {
    (0..made.named.operators.len()).map(|at| made.named.operators.get(at).to_owned()).collect()
}

const MOVE: &str = "(:predicates (at ?x) (link ?x ?y))
    (:action move :parameters (?x ?y) :precondition (and (at ?x) (link ?x ?y))
     :effect (and (not (at ?x)) (at ?y)))";

#[test]
fn atoms_are_not_told_apart_by_their_joined_names() {
    let domain = "(:predicates (p ?x ?y) (done))
        (:action mark :parameters (?x ?y) :precondition (not (p ?x ?y)) :effect (p ?x ?y))
        (:action finish :precondition (and (p a b-c) (p a-b c)) :effect (done))";
    let constants = "(:constants a a-b b-c c)";
    let problem = "(:init (p a b-c)) (:goal (done))";
    check(&format!("{constants} {domain}"), problem, Some(2));
}

#[test]
fn a_move_from_a_place_to_itself_loses_nothing() {
    let problem = "(:objects l m) (:init (at l) (link l l) (link l m)) (:goal (at m))";
    let made = check(MOVE, problem, Some(1));
    // It changes nothing, so it is not even there.
    assert_eq!(operators(&made), ["move l m"]);
}

#[test]
fn the_same_object_may_be_meant_twice() {
    let domain = "(:predicates (p ?x ?y) (q ?x))
        (:action a :parameters (?x ?y) :precondition (p ?x ?x) :effect (q ?y))
        (:action b :parameters (?x ?y) :precondition (not (= ?x ?y)) :effect (p ?x ?y))";
    check(domain, "(:objects o u) (:init (p o o)) (:goal (and (q o) (q u)))", Some(2));
    check(domain, "(:objects o u) (:init (p o u)) (:goal (q o))", None);
}

#[test]
fn a_goal_that_holds_at_the_start_needs_nothing() {
    check(MOVE, "(:objects l m) (:init (at l) (link l m)) (:goal (at l))", Some(0));
    check(MOVE, "(:objects l m) (:init (at l) (link l m)) (:goal (link l m))", Some(0));
    check(MOVE, "(:objects l m) (:init (at l) (link l m)) (:goal (not (at m)))", Some(0));
}

#[test]
fn an_empty_goal_needs_nothing() {
    let made = check(MOVE, "(:objects l m) (:init (at l) (link l m)) (:goal (and))", Some(0));
    assert!(made.named.task.goal().is_empty() && made.unreachable.is_none());
    // There is no variable left, and the search takes that too.
    let mut search = Search::default();
    for mode in [Mode::Shortest, Mode::Cheapest, Mode::Fast] {
        search.begin(&made.named.task, mode);
        assert_eq!(search.run(&made.named.task, &SearchBudget::DEFAULT), Found::Goal(0));
    }
}

#[test]
fn names_may_be_numbers() {
    let problem = "(:objects 1 11 2b) (:init (at 1) (link 1 11) (link 11 2b)) (:goal (at 2b))";
    let made = check(MOVE, problem, Some(2));
    assert_eq!(operators(&made), ["move 1 11", "move 11 2b"]);
    assert_eq!(made.named.variables[0].values, ["Atom at(1)", "Atom at(11)", "Atom at(2b)"]);
}

#[test]
fn what_is_deleted_and_added_holds() {
    let domain = "(:predicates (p) (q) (r))
        (:action a :precondition (p) :effect (and (q) (not (p)) (p)))
        (:action b :precondition (and (p) (q)) :effect (r))";
    check(domain, "(:init (p)) (:goal (and (p) (r)))", Some(2));
}

#[test]
fn conditional_effects_see_the_state_before() {
    let domain = "(:predicates (p) (q))
        (:action swap :effect (and
            (when (p) (and (q) (not (p)))) (when (q) (and (p) (not (q))))))";
    check(domain, "(:init (p)) (:goal (and (q) (not (p))))", Some(1));
    check(domain, "(:init (p)) (:goal (and (q) (p)))", None);
    check(domain, "(:init (p) (q)) (:goal (not (p)))", None);
}

#[test]
fn a_condition_that_never_changes_is_joined_first() {
    // Eight parameters over 40 objects are 6 · 10¹² choices; the chain leaves 33.
    let names: Vec<String> = (0..40).map(|at| format!("o{at}")).collect();
    let links: Vec<String> = (1..40).map(|at| format!("(next o{} o{at})", at - 1)).collect();
    let domain = "(:predicates (next ?x ?y) (on ?x) (last ?x))
        (:action leap :parameters (?h ?a ?g ?b ?f ?c ?e ?d)
         :precondition (and (on ?a) (next ?a ?b) (next ?c ?d) (next ?b ?c) (next ?e ?f)
             (next ?d ?e) (next ?g ?h) (next ?f ?g))
         :effect (and (on ?h) (not (on ?a))))";
    let problem = format!(
        "(:objects {}) (:init (on o0) {}) (:goal (on o35))",
        names.join(" "),
        links.join(" ")
    );
    let lifted = task(domain, &problem);
    let made = ground(&lifted, &Limits::default(), None).unwrap();
    assert_eq!(ground_shortest(&made.named.task, 1000).unwrap().map(|plan| plan.len()), Some(5));
    assert!(made.counts.joins < 2000, "{} tuples tried", made.counts.joins);
}

#[test]
fn a_task_that_is_too_large_is_refused_with_the_action_and_the_cure() {
    let names: Vec<String> = (0..50).map(|at| format!("o{at}")).collect();
    let domain = "(:predicates (p ?x) (q))
        (:action small :parameters (?x) :effect (p ?x))
        (:action huge :parameters (?a ?b ?c ?d ?e ?f) :precondition (p ?a) :effect (q))";
    let problem = format!("(:objects {}) (:init) (:goal (q))", names.join(" "));
    let limits = Limits { operators: 10_000, ..Limits::default() };
    let refused = refusal(domain, &problem, &limits);
    assert!(
        matches!(&refused, GroundError::TooManyOperators { action, .. } if action == "huge"),
        "{refused}"
    );
    assert!(refused.to_string().contains("fewer objects"), "{refused}");
    let limits = Limits { joins: 50_000, ..Limits::default() };
    assert!(matches!(refusal(domain, &problem, &limits), GroundError::TooMuchWork { .. }));
    let limits = Limits { atoms: 10, ..Limits::default() };
    let refused = refusal(domain, &problem, &limits);
    assert!(
        matches!(&refused, GroundError::TooManyAtoms { predicate, .. } if predicate == "p"),
        "{refused}"
    );
    let stopped = ground(&task(domain, &problem), &Limits::default(), Some(&|| true));
    assert_eq!(stopped, Err(GroundError::Stopped));
}

#[test]
fn a_goal_that_cannot_be_is_named() {
    let unreachable = |goal: &str| {
        let problem = format!("(:objects l m n) (:init (at l) (link l m)) (:goal {goal})");
        check(MOVE, &problem, None).unreachable.unwrap().to_string()
    };
    assert_eq!(unreachable("(and (at m) (at n))"), "(at n) can never hold");
    assert_eq!(unreachable("(link m l)"), "(link m l) can never hold");
}

#[test]
fn of_a_goal_that_excludes_itself_the_two_facts_are_named() {
    let domain = "(:predicates (at ?x) (link ?x ?y) (lit))
        (:action move :parameters (?x ?y) :precondition (and (at ?x) (link ?x ?y))
         :effect (and (not (at ?x)) (at ?y)))
        (:action light :effect (lit))";
    let objects = "(:objects l m n) (:init (at l) (link l m) (link m n))";
    // Each can be, and what comes after them has no part in it.
    let problem = format!("{objects} (:goal (and (at m) (at n) (lit)))");
    let unreachable = check(domain, &problem, None).unreachable.unwrap();
    assert_eq!(unreachable, Unreachable::Pair("(at m)".into(), "(at n)".into()));
    assert_eq!(unreachable.to_string(), "(at m) and (at n) never hold together");
    assert_eq!(unreachable.part(), "(and (at m) (at n))");
}

#[test]
fn a_fact_of_many_may_be_wanted_absent() {
    // `at` is one variable of three values; `flee` asks that one of them is not its value.
    let domain = "(:predicates (at ?x) (link ?x ?y) (safe))
        (:action move :parameters (?x ?y) :precondition (and (at ?x) (link ?x ?y))
         :effect (and (not (at ?x)) (at ?y)))
        (:action flee :precondition (not (at l)) :effect (safe))";
    let problem = "(:objects m n) (:init (at l) (link l m) (link m n) (link n l))
        (:goal (and (safe) (at n)))";
    let made = check(&format!("(:constants l) {domain}"), problem, Some(3));
    let names: Vec<&str> =
        made.named.variables.iter().map(|variable| variable.values[0].as_str()).collect();
    assert_eq!(names, ["Atom at(l)", "Atom safe()", "Atom at(l)"]);
}

#[test]
fn a_variable_may_have_none_of_its_values() {
    let domain = "(:predicates (held ?x) (free))
        (:action take :parameters (?x) :precondition (free) :effect (and (held ?x) (not (free))))
        (:action drop :parameters (?x) :precondition (held ?x) :effect (not (held ?x)))
        (:action rest :effect (free))";
    let problem = "(:objects a b) (:init (held a)) (:goal (and (held b) (not (held a))))";
    check(domain, problem, Some(3));
}

#[test]
fn losing_a_value_that_another_has_taken_the_place_of_loses_nothing() {
    let domain = "(:constants l m) (:predicates (at ?x) (smashed))
        (:action move :precondition (at l) :effect (and (not (at l)) (at m)))
        (:action smash :effect (and (not (at l)) (smashed)))";
    let made = check(domain, "(:init (at l)) (:goal (and (smashed) (at m)))", Some(2));
    assert_eq!(made.named.variables[0].values, ["Atom at(l)", "Atom at(m)", "<none of those>"]);
    check(domain, "(:init (at l)) (:goal (and (smashed) (at l)))", None);
}

#[test]
fn what_only_prevents_harm_is_not_forgotten() {
    // Nothing needs the wind to cease, but the match goes out in it.
    let domain = "(:predicates (lit) (wind) (seen))
        (:action look :effect (and (seen) (when (wind) (not (lit)))))
        (:action shelter :effect (not (wind)))";
    check(domain, "(:init (lit) (wind)) (:goal (and (lit) (seen)))", Some(2));
}

#[test]
fn a_goal_may_have_alternatives_and_quantifiers() {
    let links = "(:objects l m n o) (:init (at l) (link l m) (link m n) (link n o))";
    check(MOVE, &format!("{links} (:goal (or (at o) (at n)))"), Some(2));
    check(MOVE, &format!("{links} (:goal (exists (?x) (and (at ?x) (not (link l ?x)))))"), Some(0));
    check(
        MOVE,
        &format!("{links} (:goal (exists (?x) (and (at ?x) (forall (?y) (not (link ?x ?y))))))"),
        Some(3),
    );
    check(MOVE, &format!("{links} (:goal (forall (?x) (imply (at ?x) (= ?x m))))"), Some(1));
}

#[test]
fn derived_facts_may_use_the_absence_of_others() {
    let domain = "(:predicates (at ?x) (link ?x ?y) (near ?x) (far ?x) (rung))
        (:derived (near ?x) (or (at ?x) (exists (?y) (and (near ?y) (link ?y ?x)))))
        (:derived (far ?x) (not (near ?x)))
        (:action move :parameters (?x ?y) :precondition (and (at ?x) (link ?x ?y))
         :effect (and (not (at ?x)) (at ?y)))
        (:action ring :precondition (far l) :effect (rung))";
    let problem = "(:objects m n) (:init (at l) (link l m) (link m l) (link m n))
        (:goal (rung))";
    let made = check(&format!("(:constants l) {domain}"), problem, Some(3));
    assert!(made.named.task.has_axioms());
}

#[test]
fn a_large_disjunction_becomes_rules() {
    // Six pairs are 64 alternatives: too many operators.
    let pairs: Vec<String> = (0..6).map(|at| format!("(or (p{at}) (not (q{at})))")).collect();
    let predicates: Vec<String> = (0..6).map(|at| format!("(p{at}) (q{at})")).collect();
    let actions: Vec<String> =
        (0..6).map(|at| format!("(:action set{at} :effect (and (p{at}) (not (q{at}))))")).collect();
    let domain = format!(
        "(:predicates (done) {}) {} (:action finish :precondition (and {}) :effect (done))",
        predicates.join(" "),
        actions.join(" "),
        pairs.join(" ")
    );
    let made = check(&domain, "(:init (q0) (q1) (q2)) (:goal (done))", Some(4));
    assert!(made.named.operators.len() < 30);
}

#[test]
fn costs_are_looked_up_and_a_missing_one_is_named() {
    let domain = "(:predicates (at ?x)) (:functions (total-cost) (toll ?x ?y))
        (:action move :parameters (?x ?y) :precondition (at ?x)
         :effect (and (not (at ?x)) (at ?y) (increase (total-cost) (toll ?x ?y))))";
    let problem = |tolls: &str| {
        format!(
            "(:objects l m) (:init (at l) {tolls}) (:goal (at m)) (:metric minimize (total-cost))"
        )
    };
    let lifted = task(domain, &problem("(= (toll l m) 2.5) (= (toll m l) 0)"));
    let made = ground(&lifted, &Limits::default(), None).unwrap();
    assert_eq!((made.named.task.cost(0), made.named.has_metric), (2500, true));
    let refused = refusal(domain, &problem("(= (toll m l) 1)"), &Limits::default());
    assert!(refused.to_string().contains("(toll l m)"), "{refused}");
}

#[test]
fn phases_are_told_in_order_and_the_result_is_the_same_again() {
    let lifted = task(MOVE, "(:objects l m) (:init (at l) (link l m)) (:goal (at m))");
    let mut phases = Vec::new();
    let made = ground_observed(&lifted, &Limits::default(), None, &mut |phase| phases.push(phase))
        .unwrap();
    assert_eq!(phases, [Phase::Normalise, Phase::Reach, Phase::Invariants, Phase::Build]);
    assert_eq!(ground(&lifted, &Limits::default(), None).unwrap(), made);
    assert_eq!((made.counts.variables, made.counts.operators, made.counts.atoms), (1, 1, 2));
}

#[test]
fn what_waits_for_the_end_of_a_fact_that_nobody_usefully_ends_is_left_out() {
    // `drop` helps nobody, so `lit` holds for ever, and the rule that asks for its end is gone.
    let domain = "(:predicates (lit) (mark) (dark) (glow))
        (:derived (dark) (not (lit)))
        (:action drop :effect (not (lit)))
        (:action draw :precondition (lit) :effect (and (mark) (when (not (dark)) (lit))))";
    let made = check(domain, "(:init (lit)) (:goal (mark))", Some(1));
    let task = &made.named.task;
    let in_range = |atom: &throng_planner::forward::Atom| {
        u32::from(atom.value) < task.sizes()[atom.variable as usize]
    };
    let rules = task
        .axioms()
        .flat_map(|rule| rule.when.iter().chain([&rule.sets]).copied().collect::<Vec<_>>());
    assert!(rules.into_iter().all(|atom| in_range(&atom)));
    assert_eq!(operators(&made), ["draw"]);
}

#[test]
fn a_fact_that_is_only_deleted_while_it_is_added_holds_for_ever() {
    let domain = "(:predicates (lit) (mark) (seen) (dark))
        (:derived (dark) (or (not (lit)) (seen)))
        (:action look :precondition (not (dark)) :effect (and (lit) (not (lit)) (mark)))
        (:action turn :effect (and (seen) (when (not (lit)) (mark)) (not (lit)) (lit)))";
    let made = check(domain, "(:init (lit)) (:goal (mark))", Some(1));
    assert_eq!(operators(&made), ["look"]);
    assert_eq!(made.named.task.sizes().iter().min(), Some(&2));
}
