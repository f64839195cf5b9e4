//! `throng plan --plans K` and `throng plan --partial`: other plans, and the order a plan needs.

use crate::args::plan::PlanOnlyArgs;
use crate::commands::plan::{ask, headline, list, stats};
use crate::console::{CommandResult, Console, count};
use crate::edge::{cells, padded};
use crate::question::PlanQuestion;
use crate::rows::{rows, step_numbers, times_name};
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
    let (answer, more, told, is_cut) = if only.partial {
        let answer = planner.plan(npc, &request, &mut scratch);
        let order = planner.partial_order(npc, answer.plan());
        let told = order_text(&answer, &order);
        (answer, order_json(&order), told, false)
    } else {
        let most = only.plans.unwrap_or(1) as usize;
        let plans = planner.plans(npc, &request, most, only.different, &mut scratch);
        let found = matches!(plans.answer.outcome(), Outcome::Plan { .. });
        let is_cut = found && matches!(plans.ended, EnumerationEnd::Limit(_));
        let (more, told) = (plans_json(&plans), plans_text(&question, &plans, only.different));
        (plans.answer, more, told, is_cut)
    };
    match json {
        true => console.json(&long_answer(npc, &answer, more))?,
        false => console.print(&format!("{}{told}", headline(&question, &answer)))?,
    }
    if is_cut {
        return Ok(crate::LIMIT);
    }
    if args.stats && !json {
        console.print(&stats(&answer))?;
    }
    Ok(exit_code(answer.outcome()))
}

fn plans_text(question: &PlanQuestion, plans: &Plans, different: Distinctness) -> String {
    let mut text = String::new();
    let Some(best) = plans.plans.first() else { return text };
    for (at, plan) in plans.plans.iter().enumerate() {
        let (number, length, cost) = (at + 1, count(plan.len(), "action"), plan.cost());
        let more = match at {
            0 => String::new(),
            _ => format!(", {}", difference(best, plan)),
        };
        text += &format!("\nplan {number}: {length}, cost {cost}{more}\n");
        text += &list(plan.steps(), &question.npc);
    }
    let others = match different {
        Distinctness::Actions => {
            "every other plan does all of one of these and more, or reorders it"
        }
        Distinctness::Order => "every other plan does all of one of these and more",
    };
    text + &match plans.ended {
        EnumerationEnd::NoMore => format!("\nThese are all: {others}.\n"),
        EnumerationEnd::Limit(limit) => {
            format!("\nThere may be more: {}.\n", question.limits.reached(limit))
        }
        EnumerationEnd::Enough => String::new(),
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

fn order_text(answer: &Answer, order: &PartialOrder) -> String {
    let mut text = String::new();
    let names: Vec<&str> = answer.plan().names().collect();
    // Equal steps in a row that may come at the same time are told together.
    let pairs: Vec<(&str, &[usize])> =
        names.iter().copied().zip(order.after.iter().map(Vec::as_slice)).collect();
    let rows = rows(&pairs);
    let told: Vec<String> = rows.iter().map(|row| row.name(names[row.steps.start])).collect();
    let longest = told.iter().map(|name| cells(name)).max().unwrap_or(0);
    let width = rows.iter().map(|row| row.numbers().len()).max().unwrap_or(0);
    for (row, name) in rows.iter().zip(&told) {
        let after = match pairs[row.steps.start].1 {
            [] => "at once".to_string(),
            before => format!("after {}", step_numbers(before, &names).join(", ")),
        };
        let name = padded(name, longest);
        text += &format!("  {:>width$}. {name}  {after}\n", row.numbers());
    }
    if order.stages.len() < names.len() {
        text += &format!("\n  in {}:\n", count(order.stages.len(), "stage"));
        for (at, stage) in order.stages.iter().enumerate() {
            text += &format!("    {}: {}\n", at + 1, at_once(stage, &names));
        }
    } else if names.len() > 1 {
        text += "\n  no two steps may run at the same time\n";
    }
    text
}

/// `chop ×3 + mine`: what may be done at the same time, each name once.
fn at_once(stage: &[usize], names: &[&str]) -> String {
    let mut told: Vec<(&str, usize)> = Vec::new();
    for &step in stage {
        match told.iter_mut().find(|(name, _)| *name == names[step]) {
            Some((_, times)) => *times += 1,
            None => told.push((names[step], 1)),
        }
    }
    let told = told.iter().map(|&(name, times)| times_name(name, times));
    told.collect::<Vec<_>>().join(" + ")
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
