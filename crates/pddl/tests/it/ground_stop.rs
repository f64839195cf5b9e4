//! Large tasks of few words: grounding asks its caller in every phase, and its work grows as the
//! task does.
//!
//! In:   the families that once were compared each with each.
//! Out:  how often the caller was asked, which is a measure of work without a clock.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use std::cell::Cell;
use throng_pddl::ground::{GroundError, Grounded, Limits, Phase, ground, ground_observed};
use throng_pddl::lifted::Lifted;
use throng_pddl::read::{self, Text, read_task};

fn task(domain: &str, init: &str, n_objects: usize) -> Lifted {
    let domain = format!("(define (domain d) (:requirements :adl) {domain})");
    let names: Vec<String> = (0..n_objects).map(|at| format!("o{at}")).collect();
    let init: Vec<String> = names.iter().map(|name| init.replace("?x", name)).collect();
    let problem = format!(
        "(define (problem p) (:domain d) (:objects {}) (:init {}) (:goal (done)))",
        names.join(" "),
        init.join(" ")
    );
    let reading = read_task(
        Text { name: "domain", text: &domain },
        Text { name: "problem", text: &problem },
        &read::Limits::default(),
    );
    reading.task.expect("a task")
}

/// One step with an alternative per object.
const EXISTS: &str = "(:predicates (p ?x) (e ?x) (done))
    (:action make :parameters (?x) :precondition (e ?x) :effect (and (p ?x) (not (e ?x))))
    (:action finish :precondition (exists (?x) (and (p ?x) (not (e ?x)))) :effect (done))";
/// One condition with an `or` per object.
const EITHER: &str = "(:predicates (p ?x) (q ?x) (e ?x) (done))
    (:action one :parameters (?x) :effect (p ?x)) (:action other :parameters (?x) :effect (q ?x))
    (:action none :parameters (?x) :effect (and (not (p ?x)) (not (q ?x))))
    (:action finish :precondition (forall (?x) (or (p ?x) (q ?x))) :effect (done))";
/// One operator with four effects per object.
const FLIP: &str = "(:predicates (e ?x) (q ?x) (done))
    (:action flip :effect (forall (?x) (and
        (when (e ?x) (and (not (e ?x)) (q ?x))) (when (q ?x) (and (not (q ?x)) (e ?x))))))
    (:action finish :parameters (?x) :precondition (q ?x) :effect (done))";
/// One operator with an effect on the same fact per object, and one that loses it again.
const SAME: &str = "(:predicates (p ?x) (e ?x) (done))
    (:action make :parameters (?x) :precondition (e ?x) :effect (and (p ?x) (not (e ?x))))
    (:action finish :effect (forall (?x) (and
        (when (p ?x) (done)) (when (e ?x) (not (done))))))";
const FAMILIES: [&str; 4] = [EXISTS, EITHER, FLIP, SAME];

const PHASES: [Phase; 3] = [Phase::Reach, Phase::Invariants, Phase::Build];

/// How often the caller was asked in each phase, if it says stop at its question number `last`.
fn asked(lifted: &Lifted, last: usize) -> ([usize; 3], Result<Grounded, GroundError>) {
    let (phase, total) = (Cell::new(Phase::Normalise), Cell::new(0));
    let by_phase = Cell::new([0; 3]);
    let stop = || {
        let mut counts = by_phase.get();
        counts[PHASES.iter().position(|&one| one == phase.get()).unwrap()] += 1;
        by_phase.set(counts);
        total.set(total.get() + 1);
        total.get() == last
    };
    let made =
        ground_observed(lifted, &Limits::default(), Some(&stop), &mut |begun| phase.set(begun));
    (by_phase.get(), made)
}

#[test]
fn every_phase_asks_and_obeys_at_once() {
    for domain in FAMILIES {
        let lifted = task(domain, "(e ?x)", 6000);
        let (counts, made) = asked(&lifted, 0);
        assert!(made.is_ok_and(|made| made.unreachable.is_none()), "{domain}");
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}: {domain}");
        // The first and the last question of each phase.
        let mut before = 0;
        for count in counts {
            for last in [before + 1, before + count] {
                let (counts, made) = asked(&lifted, last);
                assert_eq!(made, Err(GroundError::Stopped), "question {last}: {domain}");
                assert_eq!(counts.iter().sum::<usize>(), last, "{domain}");
            }
            before += count;
        }
    }
}

#[test]
fn twice_the_task_is_about_twice_the_work() {
    for domain in FAMILIES {
        let questions = |n_objects| -> usize {
            let (counts, made) = asked(&task(domain, "(e ?x)", n_objects), 0);
            assert!(made.is_ok(), "{domain}");
            counts.iter().sum()
        };
        let (once, twice) = (questions(4000), questions(8000));
        assert!(twice * 2 <= once * 5 + 8, "{once} questions, then {twice}: {domain}");
    }
}

#[test]
fn literals_beyond_the_bytes_are_refused_with_the_action() {
    // Every press has an effect per lamp: few facts and instances, many literals.
    let domain = "(:predicates (on ?x) (e ?x) (by ?x ?y) (done))
        (:action press :parameters (?a ?b) :effect (and (by ?a ?b) (done)
            (forall (?x) (when (not (by ?a ?x)) (on ?x)))))";
    let lifted = task(domain, "(e ?x)", 40);
    assert!(ground(&lifted, &Limits::for_bytes(64 << 20), None).is_ok());
    let refused = ground(&lifted, &Limits::for_bytes(8 << 20), None).expect_err("a refusal");
    assert!(
        matches!(&refused, GroundError::TooManyLiterals { of, .. } if of == "press"),
        "{refused}"
    );
    let refused = ground(&lifted, &Limits::for_bytes(1 << 20), None).expect_err("a refusal");
    assert!(matches!(
        refused,
        GroundError::TooManyAtoms { .. } | GroundError::TooManyOperators { .. }
    ));
}
