//! The target `pddl`: a domain, a problem and a plan in one text, damaged.
//!
//! In:   three texts with a line `;;;;` between them.
//! Out:  the promises of the reader and of the judge of plans, held or broken.

use crate::seeds::NEXT;
use crate::targets::{NEAR, Seen, Verdict, promise, report_is_sound};
use std::fmt::Write as _;
use throng_pddl::lifted::Lifted;
use throng_pddl::read::{Limits, Reading, Text, read_task};
use throng_pddl::validate::{read_plan, validate};

/// Small, so that every limit is met and nothing legal is slow.
const LIMITS: Limits =
    Limits { text_bytes: 150_000, name_bytes: 64, declarations: 200, facts: 500, entries: 20_000 };

/// The judge tries all objects for all variables: tasks with more of either are left alone.
const MOST_OBJECTS: usize = 12;
const MOST_VARIABLES: usize = 5;

#[rustfmt::skip]
pub(crate) const WORDS: [&str; 62] = [
    "(", ")", "()", "-", "?x", "?y", ":", ";", "\n", "=", "(define", "(domain d)", "(problem p)",
    "(:domain d)", "(:requirements :adl)", "(:types", "(:constants", "(:predicates", "(:functions",
    "(:action a", "(:derived", "(:objects", "(:init", "(:goal", "(:metric", ":parameters",
    ":precondition", ":effect", ":preconditions", ":effects", "(and", "(or", "(not", "(imply",
    "(exists (?x)", "(forall (?x)", "(when", "(either", "(increase (total-cost)", "(= ?x ?y)",
    "minimize", "maximize", "(total-cost)", "- number", "- object", "object", "-box", "(at 5 (p))",
    "(> (f) 1)", "(preference q", "(always", "(:durative-action", "(:process", "(:constraints",
    "(oneof", "(= (f) -3)", "0.0001", "(:derived (p ?x) (not (p ?x)))", "(- 1)", "[1.0]", "0:",
    "(+ 1 2)",
];

pub(crate) fn run(bytes: &[u8]) -> Verdict {
    let text = String::from_utf8_lossy(bytes);
    let mut texts = text.splitn(3, NEXT.trim());
    let mut next = || texts.next().unwrap_or_default();
    let (domain, problem, plan) = (next(), next(), next());
    let reading = read(domain, problem);
    report_is_sound(reading.task.is_some(), &reading.report, &reading.sources)?;
    let mut codes: Vec<&str> = reading.report.diagnostics().iter().map(|d| d.code.id()).collect();
    codes.sort_unstable();
    codes.dedup();
    let is_near = codes.iter().filter(|code| code.starts_with('E')).count() <= NEAR;
    let mut feature = codes.join(" ");
    let loud = read(&domain.to_ascii_uppercase(), &problem.to_ascii_uppercase());
    let same = loud.task == reading.task;
    promise(same, "case makes no difference", || format!("{:?}\n{:?}", loud.task, reading.task))?;
    if let Some(task) = &reading.task {
        for size in [task.types.len(), task.objects.len(), task.actions.len(), task.axioms.len()] {
            let _ = write!(feature, " {}", usize::BITS - size.leading_zeros());
        }
        task.objects_by_type();
        judge(task, plan, &mut feature);
    }
    Ok(Seen { loaded: reading.task.is_some(), is_near, feature })
}

fn read(domain: &str, problem: &str) -> Reading {
    let domain = Text { name: "domain.pddl", text: domain };
    read_task(domain, Text { name: "problem.pddl", text: problem }, &LIMITS)
}

fn judge(task: &Lifted, plan: &str, feature: &mut String) {
    let actions = task.actions.iter().map(|action| action.n_variables);
    let axioms = task.axioms.iter().map(|axiom| axiom.n_variables);
    let most = actions.chain(axioms).max().unwrap_or(0).max(task.n_goal_variables);
    if task.objects.len() > MOST_OBJECTS || most > MOST_VARIABLES {
        return;
    }
    match read_plan(plan) {
        Ok(steps) => {
            let verdict = validate(task, &steps[..steps.len().min(20)]);
            let _ = write!(feature, " {}", verdict.is_valid());
        }
        Err(_) => feature.push_str(" no plan"),
    }
}
