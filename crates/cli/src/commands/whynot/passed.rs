//! Goals that another was taken instead of: by reason for people, one by one for programs.

use super::{LISTED, reason};
use crate::console::{Console, Fail};
use crate::question::Question;
use crate::shapes::{ReasonShape, outcome_word};
use serde::{Serialize, Serializer};
use throng::{Outcome, PassedOver, WhyNot, Worth};
use throng_domain::compile::SourceMap;

#[derive(Serialize)]
pub(super) struct PassedShape<'a> {
    goal: Option<&'a str>,
    outcome: &'static str,
    /// What its plan is worth, if that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<WorthShape>,
    /// `null` if it has a plan.
    reason: Option<ReasonShape>,
}

/// As a number, whole where it is.
pub(super) struct WorthShape(pub(super) Worth);

impl Serialize for WorthShape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.0 % 1000 {
            0 => serializer.serialize_i64(self.0.0 / 1000),
            _ => serializer.serialize_f64(self.0.0 as f64 / 1000.0),
        }
    }
}

pub(super) fn shape<'a>(map: &'a SourceMap, passed: &'a PassedOver) -> PassedShape<'a> {
    let answer = &passed.answer;
    PassedShape {
        goal: answer.goal().map(|goal| map.goal(goal)),
        outcome: outcome_word(answer.outcome()),
        worth: passed.worth.map(WorthShape),
        reason: (!answer.is_solved()).then(|| reason(answer)),
    }
}

/// Goals with one reason stand together; only the first few are listed.
pub(super) fn print(
    question: &Question,
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
            console.line(&format!(
                "\n  It is worth {own} (its priority less the cost); others that have a plan:"
            ))?;
        }
        for (passed, worth) in valued().take(LISTED) {
            let cost = passed.answer.plan().cost();
            console
                .line(&format!("  - {}, worth {worth} (its plan costs {cost})", name(passed)))?;
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
        console.line(&format!("\n  {line}"))?;
        console.line(&format!("  {text}"))?;
        if !gave_up {
            console.line(&format!("  `--goal {}` tells what would help.", goals[0]))?;
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
        n => console.line(&format!("\n  … and {n} more (see `--json`)")),
    }
}
