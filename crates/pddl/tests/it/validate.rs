//! Plans are judged on the lifted task: what passes, what fails, and the words for it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use throng_domain::Cost;
use throng_pddl::lifted::Lifted;
use throng_pddl::plan::{PlanStep, read_plan};
use throng_pddl::read::{Limits, Text, read_task};
use throng_pddl::validate::{self, ValidateError, Verdict, validate, validate_within};

const DOMAIN: &str = "(define (domain rooms)
  (:types room thing - object  key lamp - thing)
  (:predicates (at ?r - room) (door ?a ?b - room) (in ?t - thing ?r - room) (has ?t - thing)
               (lit ?l - lamp) (locked ?r - room) (seen ?r - room) (reachable ?r - room) (tired))
  (:functions (total-cost) (way ?a ?b - room) - number)
  (:derived (reachable ?r - room)
     (or (at ?r) (exists (?m - room) (and (reachable ?m) (door ?m ?r) (not (locked ?r))))))
  (:action move :parameters (?a ?b - room)
     :precondition (and (at ?a) (door ?a ?b) (not (locked ?b)))
     :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (way ?a ?b))
        (forall (?l - lamp) (when (in ?l ?b) (lit ?l)))))
  (:action take :parameters (?t - thing ?r - room)
     :precondition (and (at ?r) (in ?t ?r) (forall (?o - thing) (imply (has ?o) (= ?o ?t))))
     :effect (and (has ?t) (not (in ?t ?r)) (increase (total-cost) 0.5)))
  (:action unlock :parameters (?k - key ?r - room)
     :precondition (and (has ?k) (or (locked ?r) (seen ?r)))
     :effect (and (not (locked ?r)) (seen ?r)))
  (:action jump :parameters (?r - room)
     :precondition (reachable ?r)
     :effect (and (forall (?o - room) (not (at ?o))) (at ?r) (increase (total-cost) 9)))
  (:action differ :parameters (?a ?b - room) :precondition (not (= ?a ?b)) :effect (seen ?a))
  (:action search :parameters () :precondition (exists (?t - thing) (has ?t)) :effect (tired)))";

const PROBLEM: &str = "(define (problem three) (:domain rooms)
  (:objects a b c - room k - key l - lamp)
  (:init (at a) (door a b) (door b a) (door b c) (in k a) (in l b) (locked c)
     (= (way a b) 2) (= (way b a) 2) (= (total-cost) 0))
  (:goal (and (at c) (lit l)))
  (:metric minimize (total-cost)))";

fn task() -> Lifted {
    let domain = Text { name: "domain", text: DOMAIN };
    let problem = Text { name: "problem", text: PROBLEM };
    let reading = read_task(domain, problem, &Limits::default());
    let told: Vec<String> =
        reading.report.diagnostics().iter().map(|d| d.short(&reading.sources)).collect();
    assert!(told.is_empty(), "{told:#?}");
    reading.task.unwrap()
}

fn check(plan: &str, expected: Result<(usize, u64), &str>) {
    let steps = read_plan(plan).unwrap();
    let verdict = match validate(&task(), &steps) {
        Verdict::Valid { length, cost: Cost(cost) } => Ok((length, cost)),
        Verdict::Invalid(failure) => Err(failure.to_string()),
    };
    assert_eq!(verdict, expected.map_err(str::to_string), "{plan}");
}

#[test]
fn a_plan_is_valid_with_its_cost() {
    check("(take k a)\n(unlock k c)\n(move a b)\n(jump c)", Ok((4, 11_500)));
    check(
        "(TAKE K A)\n(unlock k c)\n(jump c)\n(jump c)",
        Err("after the last step the goal needs (lit l), which does not hold"),
    );
    check(
        "(move a b)\n(jump b)\n(jump a)",
        Err("after the last step the goal needs (at c), which does not hold"),
    );
}

#[test]
fn the_smallest_failing_part_is_named() {
    for (plan, reason) in [
        ("", "after the last step the goal needs (at c), which does not hold"),
        ("(move b a)", "step 1 (move b a) needs (at b), which does not hold"),
        ("(move a c)", "step 1 (move a c) needs (door a c), which does not hold"),
        (
            "(move a b)\n(move b c)",
            "step 2 (move b c) needs (not (locked c)), but (locked c) holds",
        ),
        (
            "(take k a)\n(move a b)\n(take l b)",
            "step 3 (take l b) needs (= k l), and they differ, because (has k) holds (for ?o = k)",
        ),
        (
            "(take k a)\n(unlock k a)",
            "step 2 (unlock k a) needs (or (locked a) (seen a)), and none of them holds",
        ),
        ("(jump c)", "step 1 (jump c) needs (reachable c), which does not hold"),
        ("(differ a a)", "step 1 (differ a a) needs (not (= a a)), and they are the same"),
        ("(search)", "step 1 (search) needs (exists (?t - thing) (has ?t)), and there is none"),
    ] {
        check(plan, Err(reason));
    }
}

#[test]
fn names_counts_and_types_are_judged() {
    for (plan, reason) in [
        (
            "(mvoe a b)",
            "step 1 (mvoe a b) names an action that the domain does not have; did you mean `move`?",
        ),
        ("(fly)", "step 1 (fly) names an action that the domain does not have"),
        (
            "(take kk a)",
            "step 1 (take kk a) names `kk`, an object that the task does not have; did you mean `k`?",
        ),
        ("(move a)", "step 1 (move a) has 1 arguments, and the action has 2 parameters"),
        ("(take a a)", "step 1 (take a a) has a for ?t, which must be of type thing"),
        ("(unlock l a)", "step 1 (unlock l a) has l for ?k, which must be of type key"),
    ] {
        check(plan, Err(reason));
    }
}

#[test]
fn a_step_without_a_cost_cannot_be_done() {
    let reason = "step 4 (move b c) costs (way b c), which has no value";
    check("(take k a)\n(unlock k c)\n(move a b)\n(move b c)", Err(reason));
}

#[test]
fn ten_thousand_steps_are_judged() {
    let mut plan = "(move a b)\n(move b a)\n".repeat(5_000);
    plan.push_str("(take k a)\n(unlock k c)\n(jump c)\n");
    check(&plan, Ok((10_003, 20_009_500)));
}

fn until(
    task: &Lifted,
    steps: &[PlanStep],
    stop: &dyn Fn() -> bool,
) -> Result<Verdict, ValidateError> {
    let limits = validate::Limits { stop: Some(stop), ..validate::Limits::default() };
    validate_within(task, steps, &limits)
}

#[test]
fn a_judge_that_is_stopped_says_nothing() {
    let (task, steps) = (task(), read_plan("(take k a)\n(unlock k c)\n(move a b)").unwrap());
    let after = |most: u32| {
        let asked = std::cell::Cell::new(0);
        until(&task, &steps, &|| {
            asked.set(asked.get() + 1);
            asked.get() > most
        })
    };
    assert_eq!(after(0), Err(ValidateError::Stopped));
    assert_eq!(after(2), Err(ValidateError::Stopped));
    assert_eq!(after(3), Ok(validate(&task, &steps)));
}

#[test]
fn a_stop_is_heard_in_the_middle_of_a_condition() {
    // Nothing but trying: nine different ones of eight objects.
    let names = ["?a", "?b", "?c", "?d", "?e", "?f", "?g", "?h", "?i"];
    let mut differ = String::new();
    for (at, one) in names.iter().enumerate() {
        names[..at].iter().for_each(|other| differ.push_str(&format!("(not (= {other} {one}))")));
    }
    let domain = format!(
        "(define (domain d) (:requirements :adl) (:predicates (p ?x) (done))
         (:action do :parameters () :precondition (exists ({}) (and {differ})) :effect (done)))",
        names.join(" ")
    );
    let objects: String = (0..8).map(|at| format!("o{at} ")).collect();
    let problem =
        format!("(define (problem q) (:domain d) (:objects {objects}) (:init) (:goal (done)))");
    let domain = Text { name: "d", text: &domain };
    let reading = read_task(domain, Text { name: "p", text: &problem }, &Limits::default());
    let asked = std::cell::Cell::new(0);
    let verdict = until(&reading.task.unwrap(), &read_plan("(do)").unwrap(), &|| {
        asked.set(asked.get() + 1);
        asked.get() > 5
    });
    assert_eq!((verdict, asked.get()), (Err(ValidateError::Stopped), 6));
}

/// An effect for all choices of so many objects, about the first `named` of them, and a step.
fn nested(depth: usize, named: usize, n_objects: usize) -> (Lifted, Vec<PlanStep>) {
    let open: String = (0..depth).map(|at| format!("(forall (?x{at}) ")).collect();
    let names: String = (0..named).map(|at| format!(" ?x{at}")).collect();
    let close = ")".repeat(depth);
    let domain = format!(
        "(define (domain d) (:requirements :adl) (:predicates (r{names}))
         (:action go :effect {open}(r{names}){close}))"
    );
    let objects: String = (0..n_objects).map(|at| format!("o{at} ")).collect();
    let first = "o0 ".repeat(named);
    let problem = format!(
        "(define (problem q) (:domain d) (:objects {objects}) (:init) (:goal (r {first})))"
    );
    let [domain, problem] = [&domain, &problem].map(|text| Text { name: "t", text });
    let task = read_task(domain, problem, &Limits::default()).task.unwrap();
    (task, read_plan("(go)").unwrap())
}

#[test]
fn objects_that_an_effect_is_not_about_are_not_multiplied_out() {
    let limits = validate::Limits { bytes: 1 << 20, steps: 100_000, stop: None };
    for depth in [2, 6, 7, 40] {
        let (task, steps) = nested(depth, 2, 20);
        let verdict = validate_within(&task, &steps, &limits);
        assert!(matches!(verdict, Ok(Verdict::Valid { length: 1, .. })), "{depth}: {verdict:?}");
    }
    // Without any object for one of them nothing happens.
    let (task, steps) = nested(3, 0, 0);
    let verdict = validate_within(&task, &steps, &limits);
    assert!(matches!(verdict, Ok(Verdict::Invalid(_))), "{verdict:?}");
}

#[test]
fn a_judge_that_would_take_too_much_says_so() {
    let (task, steps) = nested(6, 6, 20);
    let bytes = validate::Limits { bytes: 1 << 20, ..validate::Limits::default() };
    assert_eq!(validate_within(&task, &steps, &bytes), Err(ValidateError::Bytes(1 << 20)));
    let few = validate::Limits { steps: 10_000, ..validate::Limits::default() };
    assert_eq!(validate_within(&task, &steps, &few), Err(ValidateError::Steps(10_000)));
    let said = ValidateError::Bytes(1 << 20).to_string();
    assert_eq!(said, "judging the plan takes more than 1 MB");
}
