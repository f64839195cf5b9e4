//! Goals that another was taken instead of: by reason for people, one by one for programs.

use super::LISTED;
use crate::console::{Console, Fail};
use crate::question::PlanQuestion;
use crate::shapes::{ReasonShape, outcome_word};
use serde_json::{Value, json};
use throng::{Outcome, PassedOver, WhyNot, Worth};
use throng_domain::compile::SourceMap;

pub(super) fn shape(map: &SourceMap, passed: &PassedOver) -> Value {
    let answer = &passed.answer;
    let goal = answer.goal().map(|goal| map.goal(goal));
    let mut shape = json!({"goal": goal, "outcome": outcome_word(answer.outcome())});
    if let Some(own) = passed.worth {
        // What its plan is worth, if that decided.
        shape["worth"] = worth(own);
    }
    // `null` if it has a plan.
    shape["reason"] = json!(ReasonShape::of(answer));
    shape
}

/// As a number, whole where it is.
pub(super) fn worth(Worth(thousandths): Worth) -> Value {
    match thousandths % 1000 {
        0 => json!(thousandths / 1000),
        _ => json!(thousandths as f64 / 1000.0),
    }
}

/// Goals with one reason stand together; only the first few are listed.
pub(super) fn print(
    question: &PlanQuestion,
    why: &WhyNot,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let domain = why.answer.plan().domain();
    let name = |passed: &PassedOver| {
        passed.answer.goal().map_or("", |goal| domain.compiled().map().goal(goal)).to_string()
    };
    if let Some(own) = why.worth {
        let valued = || why.passed_over.iter().filter_map(|p| p.worth.map(|worth| (p, worth)));
        if valued().next().is_some() {
            writeln!(
                console,
                "\n  It is worth {own} (its priority less the cost); others that have a plan:"
            )?;
        }
        for (passed, worth) in valued().take(LISTED) {
            let cost = passed.answer.plan().cost();
            writeln!(console, "  - {}, worth {worth} (its plan costs {cost})", name(passed))?;
        }
        more(valued().count().saturating_sub(LISTED), console)?;
    }
    let mut by_reason: Vec<(String, bool, Vec<String>)> = Vec::new();
    for passed in &why.passed_over {
        let (gave_up, text) = match passed.answer.outcome() {
            Outcome::Impossible(_) => (false, passed.answer.reason()),
            Outcome::GaveUp(limit) => (true, question.limits.sentence(*limit)),
            Outcome::Plan { .. } | Outcome::Satisfied => continue,
        };
        match by_reason.iter_mut().find(|(known, ..)| *known == text) {
            Some((.., goals)) => goals.push(name(passed)),
            None => by_reason.push((text, gave_up, vec![name(passed)])),
        }
    }
    for (text, gave_up, goals) in by_reason.iter().take(LISTED) {
        let than = some_of(goals);
        let line = match (gave_up, goals.len()) {
            (true, _) => format!("It matters less than {than}; for that no answer was found:"),
            (false, 1) => format!("It matters less than {than}, but that has no plan:"),
            (false, _) => format!("It matters less than {than}, but these have no plan:"),
        };
        writeln!(console, "\n  {line}")?;
        writeln!(console, "  {text}")?;
        if !gave_up {
            writeln!(console, "  `--goal {}` tells what would help.", goals[0])?;
        }
    }
    more(by_reason.iter().skip(LISTED).map(|(.., goals)| goals.len()).sum(), console)
}

/// `a`, `a and b`, or the first few and how many more.
fn some_of(goals: &[String]) -> String {
    match goals {
        [rest @ .., last] if !rest.is_empty() && goals.len() <= LISTED => {
            format!("{} and {last}", rest.join(", "))
        }
        _ if goals.len() > LISTED => {
            format!("{} and {} more", goals[..LISTED].join(", "), goals.len() - LISTED)
        }
        _ => goals.join(", "),
    }
}

fn more(left_out: usize, console: &mut Console<'_>) -> Result<(), Fail> {
    match left_out {
        0 => Ok(()),
        n => writeln!(console, "\n  … and {n} more (see `--json`)"),
    }
}
