//! Numeric fluents: what the reader takes and refuses, how the judge counts, what grounding and
//! writing make of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use throng_pddl::convert::{counted_out, to_counted_domain_until, to_numeric_pddl_until};
use throng_pddl::counted::{NumberChange, NumberTest};
use throng_pddl::ground::{self, GroundError, GroundedCounting, ground, ground_counted};
use throng_pddl::lifted::Lifted;
use throng_pddl::plan::read_plan;
use throng_pddl::read::{self, Reading, Text, read_task};
use throng_pddl::validate::{Verdict, validate};

const DOMAIN: &str = "(define (domain carts) (:requirements :strips :typing :numeric-fluents :adl)
  (:types cart place)
  (:predicates (at ?c - cart ?p - place) (open ?p - place))
  (:functions (fuel ?c - cart) (way ?a ?b - place) (gold) (total-cost) - number)
  (:action drive :parameters (?c - cart ?a ?b - place)
    :precondition (and (at ?c ?a) (>= (fuel ?c) (way ?a ?b)))
    :effect (and (not (at ?c ?a)) (at ?c ?b) (decrease (fuel ?c) (way ?a ?b))))
  (:action fill :parameters (?c - cart)
    :precondition (and (>= (gold) 2) (not (= (fuel ?c) 10)))
    :effect (and (decrease (gold) 2)
      (when (<= (fuel ?c) 6) (increase (fuel ?c) 4))
      (when (> (fuel ?c) 6) (assign (fuel ?c) 10))))
  (:action both :parameters (?c ?d - cart) :precondition (< (fuel ?c) 5)
    :effect (and (increase (fuel ?c) 1) (increase (fuel ?d) 2)))
  (:action odd :parameters (?c - cart) :precondition (and)
    :effect (and (assign (gold) 3) (when (at ?c b) (assign (gold) 4))))
  (:constants b - place))";

const PROBLEM: &str = "(define (problem two) (:domain carts) (:objects c d - cart a - place)
  (:init (at c a) (at d a) (= (fuel c) 3) (= (fuel d) 0) (= (gold) 2)
     (= (way a b) 5) (= (way b a) 1))
  (:goal (and (at c b) (>= 3 (fuel c)))))";

fn reading(domain: &str, problem: &str) -> Reading {
    let domain = Text { name: "domain", text: domain };
    read_task(domain, Text { name: "problem", text: problem }, &read::Limits::default())
}

fn told(reading: &Reading) -> Vec<String> {
    reading.report.diagnostics().iter().map(|d| d.short(&reading.sources)).collect()
}

fn task(domain: &str, problem: &str) -> Lifted {
    let reading = reading(domain, problem);
    assert!(told(&reading).is_empty(), "{:#?}", told(&reading));
    reading.task.unwrap()
}

fn grounded(task: &Lifted) -> Result<GroundedCounting, GroundError> {
    ground_counted(task, &ground::Limits::default(), None, &mut |_| {})
}

fn judged(plan: &str) -> Result<usize, String> {
    match validate(&task(DOMAIN, PROBLEM), &read_plan(plan).unwrap()) {
        Verdict::Valid { length, .. } => Ok(length),
        Verdict::Invalid(failure) => Err(failure.to_string()),
    }
}

#[test]
fn the_judge_counts() {
    assert_eq!(judged("(fill c)\n(drive c a b)"), Ok(2));
    let cases = [
        (
            "(drive c a b)",
            "step 1 (drive c a b) needs (>= (fuel c) (way a b)), and (fuel c) is 3, (way a b) is 5",
        ),
        ("(fill c)\n(fill c)", "step 2 (fill c) needs (>= (gold) 2), and (gold) is 0"),
        ("(fill c)", "after the last step the goal needs (at c b), which does not hold"),
        (
            "(drive d a a)",
            "step 1 (drive d a a) needs (>= (fuel d) (way a a)), and (fuel d) is 0, (way a a) has no value",
        ),
        // The two changes of one number add up: 3 + 1 + 2.
        ("(both c c)\n(fill c)\n(fill d)", "step 3 (fill d) needs (>= (gold) 2), and (gold) is 0"),
        (
            "(both c c)\n(both c c)\n(fill d)",
            "step 2 (both c c) needs (< (fuel c) 5), and (fuel c) is 6",
        ),
        (
            "(odd d)\n(fill c)\n(drive c a b)\n(odd c)",
            "step 4 (odd c) would give (gold) two values at once",
        ),
        // 3 and 1 and 2 and 4 are 10.
        (
            "(odd d)\n(both c c)\n(fill c)\n(odd d)\n(fill c)",
            "step 5 (fill c) needs (not (= (fuel c) 10)), and (fuel c) is 10",
        ),
        (
            "(odd d)\n(both c c)\n(fill c)\n(drive c a b)",
            "after the last step the goal needs (>= 3 (fuel c)), and (fuel c) is 5",
        ),
    ];
    for (plan, expected) in cases {
        assert_eq!(judged(plan), Err(expected.to_string()), "{plan}");
    }
}

#[test]
fn what_cannot_be_counted_with_is_told() {
    let domain = |needs: &str, effect: &str| {
        format!(
            "(define (domain d) (:predicates (p)) (:functions (f) (g) (total-cost))
             (:action a :parameters () :precondition {needs} :effect (and (p) {effect})))"
        )
    };
    let problem = |value: &str| {
        format!("(define (problem q) (:domain d) (:init (= (f) {value}) (= (g) 1)) (:goal (p)))")
    };
    let cases = [
        ("(>= (f) 1.5)", "", "1", "1.5 is no whole number"),
        ("(>= (f) 1e400)", "", "1", "1e400 is beyond 1000000000, the largest number"),
        ("(>= (f) nan)", "", "1", "a number is expected here, not `nan`"),
        ("(>= (f) 99999999999999999999999)", "", "1", "is beyond 1000000000"),
        ("(>= (f) -1000000001)", "", "1", "is beyond 1000000000"),
        ("(>= (f))", "", "1", "`>=` has 2 parts, here 1"),
        ("(>= (f) x)", "", "1", "a number is expected here, not `x`"),
        ("(>= (h) 1)", "", "1", "unknown function `h`"),
        ("(>= (f ?x) 1)", "", "1", "`f` has 0 arguments, here 1"),
        ("(>= (+ (f) 1) 1)", "", "1", "of numbers only counting is supported: this calculates"),
        ("(>= (total-cost) 1)", "", "1", "`total-cost` only grows, and only counts"),
        ("(>= () 1)", "", "1", "a number or a function is expected here"),
        ("(and)", "(increase (f) 0.5)", "1", "0.5 is no whole number"),
        ("(and)", "(increase f 1)", "1", "a function is expected here, not `f`"),
        ("(and)", "(scale-up (f) 2)", "1", "of numbers only counting is supported: `scale-up`"),
        ("(and)", "(decrease (total-cost) 2)", "1", "`total-cost` only grows"),
        ("(and)", "(when (p) (increase (total-cost) 2))", "1", "this cost depends on a condition"),
        ("(and)", "(forall (?x) (increase (f) 1))", "1", "for all objects at once"),
        ("(and)", "(increase (f) (* 2 3))", "1", "this calculates"),
        (
            "(and)",
            "(not (increase (f) 1))",
            "1",
            "of numbers only counting is supported: `increase`",
        ),
        ("(>= (f) 1)", "", "1.25", "1.25 is no whole number"),
        ("(>= (f) 1)", "", "inf", "is beyond 1000000000"),
        ("(>= (f) 1)", "", "(g)", "values are plain numbers"),
        (
            "(and)",
            "(increase (total-cost) (f)) (decrease (f) 1)",
            "1",
            "`a` costs `f`, which changes",
        ),
    ];
    for (needs, effect, value, expected) in cases {
        let reading = reading(&domain(needs, effect), &problem(value));
        let told = told(&reading).join("\n");
        assert!(reading.task.is_none() && told.contains(expected), "{needs} {effect}: {told}");
    }
    // Zeros after the point, signs, and numbers on either side are fine.
    for (needs, value) in [("(<= -3 (f))", "-2.000"), ("(= (f) 7.0)", "1000000000")] {
        assert!(reading(&domain(needs, ""), &problem(value)).task.is_some(), "{needs}");
    }
}

#[test]
fn a_number_too_large_ends_a_plan() {
    let domain = "(define (domain d) (:predicates (p)) (:functions (f) (g))
        (:action double :parameters () :precondition (> (f) 0) :effect (increase (f) (f))))";
    let problem = "(define (problem q) (:domain d) (:init (= (f) 1)) (:goal (p)))";
    let task = task(domain, problem);
    let plan = read_plan(&"(double)\n".repeat(64)).unwrap();
    let Verdict::Invalid(failure) = validate(&task, &plan) else { panic!("it overflows") };
    assert_eq!(failure.to_string(), "step 63 (double) would make (f) larger than can be counted");
}

#[test]
fn requirements_name_numbers() {
    let problem = "(define (problem q) (:domain d) (:init (= (f) 1)) (:goal (p)))";
    for (named, n_warnings) in [(":strips", 1), (":fluents", 0), (":numeric-fluents", 0)] {
        let domain = format!(
            "(define (domain d) (:requirements {named}) (:predicates (p)) (:functions (f))
             (:action a :parameters () :precondition (> (f) 0) :effect (p)))"
        );
        let reading = reading(&domain, problem);
        assert_eq!(told(&reading).len(), n_warnings, "{:?}", told(&reading));
        assert!(reading.task.unwrap().features().contains(&":numeric-fluents"));
    }
}

#[test]
fn a_task_with_numbers_is_grounded_with_them() {
    let task = task(DOMAIN, PROBLEM);
    let refused = ground(&task, &ground::Limits::default(), None);
    assert_eq!(refused.unwrap_err(), GroundError::Numbers);
    let made = grounded(&task).unwrap();
    let counted = &made.counted;
    let names: Vec<&str> = counted.numbers.iter().map(|number| &number.name[..]).collect();
    assert!(names.contains(&"fuel c") && names.contains(&"gold"), "{names:?}");
    let tests: Vec<&NumberTest> = counted.tests.values().collect();
    assert!(tests.iter().any(|test| matches!(test, NumberTest::Compare(..))), "{tests:?}");
    let drive = (0..counted.named.operators.len())
        .find(|&at| counted.named.operators.get(at) == "drive c a b")
        .unwrap();
    assert_eq!(counted.changes[drive][0].what, NumberChange::Add(-5));
    let text = to_numeric_pddl_until(counted, "again", &|| false).unwrap().unwrap();
    assert!(text.domain.contains("(decrease (fuel-c) 5)"), "{}", text.domain);
    let again = reading(&text.domain, &text.problem);
    assert!(!again.report.has_errors(), "{:?}\n{}", told(&again), text.domain);
}

#[test]
fn what_grounding_cannot_count_with_is_told() {
    let domain = "(define (domain d) (:predicates (p)) (:functions (f) (g))
        (:action a :parameters () :precondition (> (f) 0) :effect (p))
        (:action b :parameters () :precondition (> (f) 0) :effect (increase (f) (g)))
        (:action c :parameters () :precondition (and) :effect (increase (g) 1)))";
    let problem = |init: &str| {
        format!("(define (problem q) (:domain d) (:init {init}) (:goal (and (p) (= (f) 5))))")
    };
    let why = grounded(&task(domain, &problem("(= (f) 1) (= (g) 1)"))).unwrap_err().to_string();
    assert_eq!(
        why,
        "`b` changes `(f)` by `(g)`, which changes too; change it by a number, or by a function \
         that no action changes"
    );
    let domain =
        domain.replace("(> (f) 0) :effect (increase (f) (g))", "(and) :effect (assign (f) 5)");
    let why = grounded(&task(&domain, &problem("(= (g) 1)"))).unwrap_err().to_string();
    assert!(why.starts_with("`(f)` is counted, and the problem gives it no value"), "{why}");
}

/// A step that counts with what has no value cannot be done, nor one that gives a number two values:
/// also where nothing asks for the number.
#[test]
fn a_number_that_nobody_asks_for_still_stands_in_the_way() {
    let domain = |effect: &str| {
        format!(
            "(define (domain d) (:predicates (p) (q)) (:functions (f) (g))
             (:action a :parameters () :precondition (and) :effect (and (p) {effect}))
             (:action b :parameters () :precondition (and) :effect (q)))"
        )
    };
    let problem =
        |init: &str| format!("(define (problem t) (:domain d) (:init {init}) (:goal (p)))");
    for effect in ["(decrease (f) 1)", "(assign (g) (f))", "(when (q) (increase (f) 2))"] {
        let why = grounded(&task(&domain(effect), &problem("(= (g) 1)"))).unwrap_err().to_string();
        assert!(why.starts_with("`(f)` is counted, and the problem gives it no value"), "{why}");
    }
    let operators = |effect: &str| {
        let made = grounded(&task(&domain(effect), &problem("(= (f) 1) (= (g) 1)"))).unwrap();
        let names = &made.counted.named.operators;
        (0..names.len()).map(|at| names.get(at).to_string()).collect::<Vec<_>>()
    };
    assert_eq!(operators("(assign (f) 1) (assign (f) 1)"), ["a"]);
    assert_eq!(operators("(assign (f) 1) (assign (f) (g))"), ["a"]);
    assert!(operators("(assign (f) 1) (assign (f) 2)").is_empty());
    assert!(operators("(assign (f) 2) (assign (f) (g))").is_empty());
    assert!(operators("(assign (f) 1) (increase (f) 1)").is_empty());
    // Here it depends on what was done before.
    assert_eq!(operators("(assign (f) 1) (when (not (q)) (increase (f) 1))"), ["a", "b"]);
}

/// Where nothing says how far a number goes, a domain assumes it and says so; written out it is
/// refused.
#[test]
fn ends_follow_from_conditions_or_are_assumed() {
    let domain = |most: &str| {
        format!(
            "(define (domain d) (:predicates (p)) (:functions (gold))
             (:action earn :parameters () :precondition (and {most}) :effect (increase (gold) 5))
             (:action pay :parameters () :precondition (>= (gold) 40) :effect (decrease (gold) 40)))"
        )
    };
    let problem = "(define (problem q) (:domain d) (:init (= (gold) 3)) (:goal (= (gold) 8)))";
    let made = grounded(&task(&domain("(<= (gold) 95)"), problem)).unwrap();
    let text = to_counted_domain_until(&made.counted, "d", &|| false).unwrap().unwrap();
    assert!(text.assumed.is_empty() && text.text.contains("\"range\": [0, 100]"), "{text:?}");
    assert_eq!(counted_out(&made.counted).unwrap().task.sizes().last(), Some(&101));
    let made = grounded(&task(&domain(""), problem)).unwrap();
    let text = to_counted_domain_until(&made.counted, "d", &|| false).unwrap().unwrap();
    assert_eq!(
        text.assumed,
        ["`gold` has no greatest value in the task; it is counted from 0 to 60000"]
    );
    let why = counted_out(&made.counted).unwrap_err().to_string();
    assert!(why.starts_with("not expressed: nothing says how far `gold` goes"), "{why}");
    let wide = domain("(<= (gold) 99995)");
    let made = grounded(&task(&wide, problem)).unwrap();
    let why = to_counted_domain_until(&made.counted, "d", &|| false).unwrap_err().join("; ");
    assert!(
        why.contains("goes from 0 to 100000, and a domain's amounts are at most 60000 wide"),
        "{why}"
    );
    let why = counted_out(&made.counted).unwrap_err().to_string();
    assert!(why.contains("more than 65536 values, rules and effects (at `gold`)"), "{why}");
}
