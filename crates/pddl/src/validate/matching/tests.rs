//! Matching held against trying all objects, and its cost counted.

use super::*;
use crate::lifted::Lifted;
use crate::read::{Limits, Text, read_task};
use crate::validate;
use std::cell::Cell;
use throng_base::SplitMix;

/// Whether a condition holds, by the definition: quantifiers try all objects.
pub(in super::super) fn holds_plainly(
    world: &World<'_>,
    condition: &Condition,
    binding: &mut Binding,
) -> bool {
    match condition {
        Condition::And(parts) => parts.iter().all(|part| holds_plainly(world, part, binding)),
        Condition::Or(parts) => parts.iter().any(|part| holds_plainly(world, part, binding)),
        Condition::Not(part) => !holds_plainly(world, part, binding),
        Condition::Imply(first, second) => {
            !holds_plainly(world, first, binding) || holds_plainly(world, second, binding)
        }
        Condition::Exists(parameters, part) => {
            world.some(parameters, binding, &mut |binding| holds_plainly(world, part, binding))
        }
        Condition::Forall(parameters, part) => {
            !world.some(parameters, binding, &mut |binding| !holds_plainly(world, part, binding))
        }
        Condition::Atom(_) | Condition::Equal(..) | Condition::Compare(..) => {
            holds(world, condition, binding)
        }
    }
}

fn task(objects: &str, init: &str, goal: &str) -> Lifted {
    let domain = "(define (domain d) (:requirements :adl) (:types red blue none)
        (:predicates (p ?x) (e ?x ?y) (done)))";
    let problem = format!(
        "(define (problem q) (:domain d) (:objects {objects}) (:init {init}) (:goal {goal}))"
    );
    let texts = [domain, &problem].map(|text| Text { name: "t", text });
    let [domain, problem] = texts;
    read_task(domain, problem, &Limits::default()).task.unwrap()
}

struct Dice(SplitMix);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0.below_u64(sides)
    }

    fn term(&mut self, visible: &[String]) -> String {
        match self.below(visible.len() as u64 + 1) as usize {
            0 => format!("o{}", self.below(4)),
            at => visible[at - 1].clone(),
        }
    }

    fn condition(&mut self, depth: u32, visible: &mut Vec<String>) -> String {
        let sides = if depth == 0 { 4 } else { 12 };
        let mut part = |dice: &mut Dice| dice.condition(depth.saturating_sub(1), visible);
        match self.below(sides) {
            0 | 1 => format!("(p {})", self.term(visible)),
            2 => format!("(e {} {})", self.term(visible), self.term(visible)),
            3 => format!("(= {} {})", self.term(visible), self.term(visible)),
            4 => format!("(not {})", part(self)),
            5 => format!("(and {} {} {})", part(self), part(self), part(self)),
            6 => format!("(or {} {})", part(self), part(self)),
            7 => format!("(imply {} {})", part(self), part(self)),
            _ => {
                let before = visible.len();
                let mut names = String::new();
                for at in 0..=self.below(2) {
                    let name = format!("?v{}-{at}", before);
                    let kind = ["object", "red", "blue", "(either red blue)", "none"];
                    let kind = kind[(self.below(13) / 3) as usize];
                    names.push_str(&format!("{name} - {kind} "));
                    visible.push(name);
                }
                let quantifier = ["exists", "forall"][self.below(2) as usize];
                let part = self.condition(depth - 1, visible);
                visible.truncate(before);
                format!("({quantifier} ({names}) {part})")
            }
        }
    }
}

#[test]
fn matching_says_what_trying_all_objects_says() {
    let mut dice = Dice(SplitMix::new(11));
    let mut held = [0, 0];
    for _ in 0..3_000 {
        let mut init = String::new();
        for x in 0..4 {
            if dice.below(2) == 0 {
                init.push_str(&format!("(p o{x})"));
            }
            let y = dice.below(4);
            init.push_str(&format!("(e o{x} o{y})"));
        }
        let goal = dice.condition(5, &mut Vec::new());
        let task = task("o0 o1 - red o2 - blue o3", &init, &goal);
        for deepest in [0, 1_000] {
            let world = World::new(&task, validate::Limits::default());
            // As if all matching went on below another that is already deep, or did not.
            world.depth.set(if deepest == 0 { u32::MAX } else { 0 });
            let mut binding = vec![ObjectId(0); task.n_goal_variables];
            let holds = holds(&world, &task.goal, &mut binding);
            assert_eq!(holds, holds_plainly(&world, &task.goal, &mut binding), "{init} {goal}");
            held[usize::from(holds)] += 1;
        }
    }
    assert!(held.iter().all(|&count| count > 500), "both are frequent: {held:?}");
}

/// A road of some objects, and whether seven can be chosen along it.
fn road(length: usize, goal: &str) -> Lifted {
    let names: Vec<String> = (0..length).map(|at| format!("o{at}")).collect();
    let edges = names.windows(2).map(|pair| format!("(e {} {})", pair[0], pair[1]));
    task(&names.join(" "), &edges.collect::<String>(), goal)
}

/// Steps of work that a goal takes.
fn work(task: &Lifted) -> (bool, u64) {
    let world = World::new(task, validate::Limits::default());
    let holds = holds(&world, &task.goal, &mut vec![ObjectId(0); task.n_goal_variables]);
    (holds, world.budget.steps.get())
}

#[test]
fn many_variables_cost_the_facts_that_match() {
    let chain = "(e ?a ?b) (e ?b ?c) (e ?c ?d) (e ?d ?f) (e ?f ?g) (e ?g ?h)";
    let goal = format!("(exists (?a ?b ?c ?d ?f ?g ?h) (and (not (e o0 ?b)) (p ?h) {chain}))");
    let (holds, steps) = work(&road(100, &goal));
    assert!(!holds && steps < 1_000, "nobody is `p`: {steps}");
    let goal = format!("(exists (?a ?b ?c ?d ?f ?g ?h) (and (= ?h o50) {chain}))");
    let (holds, steps) = work(&road(100, &goal));
    assert!(holds && steps < 1_000, "{steps}");
    let goal = format!("(forall (?a ?b ?c ?d ?f ?g ?h) (imply (and {chain}) (not (e ?h o3))))");
    let (holds, steps) = work(&road(100, &goal));
    assert!(holds && steps < 2_000, "{steps}");
}

#[test]
fn many_negative_alternatives_do_not_multiply() {
    let either = "(or (not (e ?a ?b)) (not (e ?b ?a)) (not (p ?a))) ".repeat(40);
    let (holds, steps) = work(&road(20, &format!("(forall (?a ?b) (not (and {either})))")));
    assert!(!holds && steps < 1_000, "{steps}");
    let (holds, steps) = work(&road(20, &format!("(exists (?a ?b) (and (p o1) {either}))")));
    assert!(!holds && steps < 1_000, "{steps}");
}

#[test]
fn very_many_variables_do_not_exhaust_the_stack() {
    let names: Vec<String> = (0..20_000).map(|at| format!("?v{at}")).collect();
    let chain: String =
        names.windows(2).map(|pair| format!("(not (= {} {}))", pair[0], pair[1])).collect();
    let goal = format!("(exists ({}) (and {chain}))", names.join(" "));
    let task = road(2, &goal);
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 2
    };
    let world =
        World::new(&task, validate::Limits { stop: Some(&stop), ..validate::Limits::default() });
    holds(&world, &task.goal, &mut vec![ObjectId(0); task.n_goal_variables]);
    assert!(world.budget.is_over(), "only luck would find it by trying");
    assert_eq!(world.depth.get(), 0);
}
