//! `throng plan --plans K` and `throng plan --partial`: other plans, and the order a plan needs.

use crate::args::plan::PlanOnlyArgs;
use crate::commands::plan::{ask, headline, list, stats};
use crate::console::{CommandResult, Console, Fail, count};
use crate::edge::{cells, padded};
use crate::question::PlanQuestion;
use crate::shapes::{AnswerShape, CostShape, exit_code};
use serde_json::{Value, json};
use throng::{Answer, Npc, Outcome, Plan, Planner, Plans, Scratch};
use throng_planner::explain::{Distinctness, EnumerationEnd, PartialOrder};

/// The answer of `plan`, and more.
fn long_answer(npc: &Npc, answer: &Answer, more: [(&str, Value); 2]) -> Value {
    let mut shape = json!(AnswerShape::new(None, npc, answer));
    more.into_iter().for_each(|(key, value)| shape[key] = value);
    shape
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
        match json {
            true => console.json(&long_answer(npc, &answer, order_json(&order)))?,
            false => {
                console.print(&headline(&question, &answer))?;
                print_order(&answer, &order, console)?;
            }
        }
        answer
    } else {
        let most = only.plans.unwrap_or(1) as usize;
        let plans = planner.plans(npc, &request, most, only.different, &mut scratch);
        match json {
            true => console.json(&long_answer(npc, &plans.answer, plans_json(&plans)))?,
            false => {
                console.print(&headline(&question, &plans.answer))?;
                print_plans(&question, &plans, only.different, console)?;
            }
        }
        let found = matches!(plans.answer.outcome(), Outcome::Plan { .. });
        if let (true, EnumerationEnd::Limit(_)) = (found, plans.ended) {
            return Ok(crate::LIMIT);
        }
        plans.answer
    };
    if args.stats && !json {
        console.print(&stats(&answer))?;
    }
    Ok(exit_code(answer.outcome()))
}

fn print_plans(
    question: &PlanQuestion,
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
        writeln!(console, "\nplan {number}: {length}, cost {cost}{more}")?;
        console.print(&list(plan.steps(), &question.npc))?;
    }
    let others = match different {
        Distinctness::Actions => {
            "every other plan does all of one of these and more, or reorders it"
        }
        Distinctness::Order => "every other plan does all of one of these and more",
    };
    match plans.ended {
        EnumerationEnd::NoMore => writeln!(console, "\nThese are all: {others}."),
        EnumerationEnd::Limit(limit) => {
            writeln!(console, "\nThere may be more: {}.", question.limits.reached(limit))
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
        writeln!(console, "  {:width$}. {name}  {after}", step.index + 1)?;
    }
    let names: Vec<&str> = answer.plan().names().collect();
    if order.stages.len() < names.len() {
        writeln!(console, "\n  in {}:", count(order.stages.len(), "stage"))?;
        for (at, stage) in order.stages.iter().enumerate() {
            let stage: Vec<&str> = stage.iter().map(|&step| names[step]).collect();
            writeln!(console, "    {}: {}", at + 1, stage.join(" + "))?;
        }
    } else if names.len() > 1 {
        writeln!(console, "\n  no two steps may run at the same time")?;
    }
    Ok(())
}

/// The list; `all` says whether it is certain that there are no others.
fn plans_json(plans: &Plans) -> [(&'static str, Value); 2] {
    let list = plans.plans.iter().map(plan_json).collect();
    [("plans", list), ("all", json!(plans.ended == EnumerationEnd::NoMore))]
}

/// The names of a plan, and what it costs.
pub(crate) fn plan_json(plan: &Plan) -> Value {
    json!({"plan": plan.names().collect::<Vec<_>>(), "cost": CostShape(plan.cost())})
}

/// Pairs of steps, counted from 1, of which the first must come before the second; and steps that
/// may run at the same time.
fn order_json(order: &PartialOrder) -> [(&'static str, Value); 2] {
    let pairs = order.pairs().map(|(before, after)| [before + 1, after + 1]);
    let stage = |stage: &Vec<usize>| stage.iter().map(|step| step + 1).collect::<Vec<_>>();
    [("order", pairs.collect()), ("stages", order.stages.iter().map(stage).collect())]
}
