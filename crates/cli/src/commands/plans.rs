//! `throng plan --plans K` and `throng plan --partial`: other plans, and the order a plan needs.

use crate::args::{DifferentIn, PlanOnlyArgs};
use crate::commands::plan::{ask, headline, list, stats};
use crate::console::{CommandResult, Console, Fail, count};
use crate::edge::{cells, padded};
use crate::question::Question;
use crate::shapes::{AnswerShape, CostNumber, exit_code};
use serde::Serialize;
use serde_json::value::RawValue;
use throng::{Answer, Npc, Outcome, Plan, Planner, Plans, Scratch};
use throng_planner::explain::{Distinctness, EnumerationEnd, PartialOrder};

/// The answer of `plan`, and the list.
#[derive(Serialize)]
struct PlansShape<'a> {
    #[serde(flatten)]
    answer: AnswerShape<'a>,
    plans: Vec<PlanShape<'a>>,
    /// Whether it is certain that there are no others.
    all: bool,
}

#[derive(Serialize)]
struct PlanShape<'a> {
    plan: Vec<&'a str>,
    cost: CostNumber,
}

/// The answer of `plan`, and the order that it needs.
#[derive(Serialize)]
struct PartialShape<'a> {
    #[serde(flatten)]
    answer: AnswerShape<'a>,
    /// Pairs of steps, counted from 1: the first must come before the second.
    order: Vec<[usize; 2]>,
    /// Steps that may run at the same time.
    stages: Vec<Vec<usize>>,
}

pub(crate) fn run(only: &PlanOnlyArgs, console: &mut Console<'_>) -> CommandResult {
    let args = &only.plan;
    let command = if only.partial { "plan --partial" } else { "plan --plans" };
    let (question, request) = ask(args, command, console)?;
    let (npc, planner, json) = (&question.npc, Planner::new(), args.question.json);
    let mut scratch = Scratch::default();
    let answer = if only.partial {
        let answer = planner.plan(npc, &request, &mut scratch);
        let order = planner.partial_order(npc, answer.plan());
        if json {
            console.json(&partial_shape(npc, &answer, &order))?;
        } else {
            headline(&question, &answer, console)?;
            print_order(&answer, &order, console)?;
        }
        answer
    } else {
        let different = match only.different {
            DifferentIn::Actions => Distinctness::Actions,
            DifferentIn::Order => Distinctness::Order,
        };
        let most = only.plans.unwrap_or(1) as usize;
        let plans = planner.plans(npc, &request, most, different, &mut scratch);
        if json {
            console.json(&plans_shape(npc, &plans))?;
        } else {
            headline(&question, &plans.answer, console)?;
            print_plans(&question, &plans, different, console)?;
        }
        let found = matches!(plans.answer.outcome(), Outcome::Plan { .. });
        if let (true, EnumerationEnd::Limit(_)) = (found, plans.ended) {
            return Ok(crate::LIMIT);
        }
        plans.answer
    };
    if args.stats && !json {
        stats(&answer, console)?;
    }
    Ok(exit_code(answer.outcome()))
}

fn print_plans(
    question: &Question,
    plans: &Plans,
    different: Distinctness,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let Some(best) = plans.plans.first() else { return Ok(()) };
    for (at, plan) in plans.plans.iter().enumerate() {
        let (number, length, cost) = (at + 1, count(plan.len(), "action"), plan.cost());
        let more = match at {
            0 => String::new(),
            _ => format!(", {}", difference(best, plan)),
        };
        console.line(&format!("\nplan {number}: {length}, cost {cost}{more}"))?;
        list(plan.steps(), &question.npc, console)?;
    }
    let others = match different {
        Distinctness::Actions => {
            "every other plan does all of one of these and more, or reorders it"
        }
        Distinctness::Order => "every other plan does all of one of these and more",
    };
    match plans.ended {
        EnumerationEnd::NoMore => console.line(&format!("\nThese are all: {others}.")),
        EnumerationEnd::Limit(limit) => {
            console.line(&format!("\nThere may be more: {}.", question.limits.reached(limit)))
        }
        EnumerationEnd::Enough => Ok(()),
    }
}

/// `3 more` or `as cheap`, beside another plan.
pub(crate) fn difference(best: &Plan, other: &Plan) -> String {
    let (best, other) = (best.cost().0, other.cost().0);
    match other.cmp(&best) {
        std::cmp::Ordering::Equal => "as cheap".to_string(),
        std::cmp::Ordering::Greater => format!("{} more", throng::Cost(other - best)),
        std::cmp::Ordering::Less => format!("{} less", throng::Cost(best - other)),
    }
}

fn print_order(
    answer: &Answer,
    order: &PartialOrder,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let longest = answer.plan().names().map(cells).max().unwrap_or(0);
    let width = answer.plan().len().to_string().len();
    let numbers = |steps: &[usize]| {
        steps.iter().map(|step| (step + 1).to_string()).collect::<Vec<_>>().join(", ")
    };
    for (step, before) in answer.plan().steps().zip(&order.after) {
        let after = match &before[..] {
            [] => "at once".to_string(),
            before => format!("after {}", numbers(before)),
        };
        let name = padded(step.name, longest);
        console.line(&format!("  {:width$}. {name}  {after}", step.index + 1))?;
    }
    let names: Vec<&str> = answer.plan().names().collect();
    if order.stages.len() < names.len() {
        console.line(&format!("\n  in {}:", count(order.stages.len(), "stage")))?;
        for (at, stage) in order.stages.iter().enumerate() {
            let stage: Vec<&str> = stage.iter().map(|&step| names[step]).collect();
            console.line(&format!("    {}: {}", at + 1, stage.join(" + ")))?;
        }
    } else if names.len() > 1 {
        console.line("\n  no two steps may run at the same time")?;
    }
    Ok(())
}

fn plans_shape<'a>(npc: &'a Npc, plans: &'a Plans) -> PlansShape<'a> {
    let shape =
        |plan: &'a Plan| PlanShape { plan: plan.names().collect(), cost: CostNumber(plan.cost()) };
    PlansShape {
        answer: AnswerShape::new(RawValue::NULL, npc, &plans.answer),
        plans: plans.plans.iter().map(shape).collect(),
        all: plans.ended == EnumerationEnd::NoMore,
    }
}

fn partial_shape<'a>(npc: &'a Npc, answer: &'a Answer, order: &PartialOrder) -> PartialShape<'a> {
    let stages = order.stages.iter();
    PartialShape {
        answer: AnswerShape::new(RawValue::NULL, npc, answer),
        order: order.pairs().map(|(before, after)| [before + 1, after + 1]).collect(),
        stages: stages.map(|stage| stage.iter().map(|step| step + 1).collect()).collect(),
    }
}
