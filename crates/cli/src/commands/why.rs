//! `throng why`: what each step needs, enables and costs, and the next best plan.

use crate::args::plan::PlanArgs;
use crate::commands::plan::{ask, headline, kind_now};
use crate::commands::plans::{difference, plan_json};
use crate::console::{CommandResult, Console, Fail, count};
use crate::question::PlanQuestion;
use crate::shapes::{CostShape, ReasonShape, cost_of, exit_code, outcome_word};
use serde_json::{Value, json};
use throng::{
    ActionId, Answer, Cost, Npc, Outcome, Planner, RunnerUp, Scratch, Step, Why, WhyStep,
};
use throng_domain::compile::LocalFact;
use throng_domain::model::CheckUse;
use throng_planner::Limit;
use throng_planner::explain::{CauseSource, Causes, Use};

pub(crate) fn run(args: &PlanArgs, console: &mut Console<'_>) -> CommandResult {
    let (question, request) = ask(args, "why", console)?;
    let npc = &question.npc;
    let why = Planner::new().why(npc, &request, &mut Scratch::default());
    let answer = &why.answer;
    if args.question.json {
        console.json(&shape(npc, &why))?;
    } else {
        console.print(&headline(&question, answer))?;
        let map = npc.domain().compiled().map();
        for (step, why) in answer.plan().steps().zip(&why.steps) {
            let place = map.action_place(step.action);
            let (number, file, line) = (step.index + 1, map.file(place.file), place.line);
            let (name, cost, sum) = (step.name, why.cost, why.sum);
            let now = kind_now(npc, &step);
            writeln!(
                console,
                "\n  {number}. {name}{now}  (cost {cost}, {sum} so far)  {file}:{line}"
            )?;
            for part in step.part_names() {
                writeln!(console, "     {part}")?;
            }
            print_checks(npc, step.action, console)?;
            explain(npc, answer, &why.causes, console)?;
        }
        if matches!(answer.outcome(), Outcome::Plan { .. }) {
            costs(&why, console)?;
            runner_up(&question, &why, console)?;
        }
    }
    Ok(exit_code(answer.outcome()))
}

/// The context checks of an action; as it is in a plan, all are answered as it needs.
fn checks(npc: &Npc, action: ActionId) -> &[CheckUse] {
    let kind = npc.domain().compiled().npc(npc.type_id());
    kind.local_action(action).map_or(&[], |local| kind.checks(local))
}

fn print_checks(npc: &Npc, action: ActionId, console: &mut Console<'_>) -> Result<(), Fail> {
    let map = npc.domain().compiled().map();
    let word = |used: &CheckUse| match used.expected {
        true => map.check(used.check).to_string(),
        false => format!("not {}", map.check(used.check)),
    };
    let words: Vec<String> = checks(npc, action).iter().map(word).collect();
    match &words[..] {
        [] => Ok(()),
        [one] => writeln!(console, "     if       {one}   (check, true now)"),
        some => writeln!(console, "     if       {}   (checks, true now)", some.join(", ")),
    }
}

/// What the plan costs, by action: the dearest first.
fn costs(why: &Why, console: &mut Console<'_>) -> Result<(), Fail> {
    let mut parts: Vec<(&str, u64, usize)> = Vec::new();
    for (step, why) in why.answer.plan().steps().zip(&why.steps) {
        match parts.iter_mut().find(|(name, _, _)| *name == step.name) {
            Some((_, cost, times)) => (*cost, *times) = (*cost + why.cost.0, *times + 1),
            None => parts.push((step.name, why.cost.0, 1)),
        }
    }
    parts.sort_by_key(|&(_, cost, _)| std::cmp::Reverse(cost));
    let words = parts.iter().map(|&(name, cost, times)| match times {
        1 => format!("{name} {}", Cost(cost)),
        _ => format!("{name} {} ({times} times)", Cost(cost)),
    });
    let words: Vec<String> = words.collect();
    writeln!(console, "\n  cost {} = {}", why.answer.plan().cost(), words.join(" + "))
}

fn runner_up(question: &PlanQuestion, why: &Why, console: &mut Console<'_>) -> Result<(), Fail> {
    match &why.runner_up {
        RunnerUp::NoPlan => Ok(()),
        RunnerUp::NoOther => {
            writeln!(
                console,
                "  There is no other way: every plan does all of this, or this and more."
            )
        }
        RunnerUp::Plan(plan) => {
            let more = difference(why.answer.plan(), plan);
            let (length, cost) = (count(plan.len(), "action"), plan.cost());
            writeln!(console, "  The next best plan costs {cost}, {more} ({length}):")?;
            writeln!(console, "    {}", plan.names().collect::<Vec<_>>().join(", "))
        }
        RunnerUp::Unknown { limit, nodes } if *limit != Limit::Nodes => {
            let reached = question.limits.reached(*limit);
            writeln!(console, "  No other plan was found within {nodes} ways: {reached}.")
        }
        RunnerUp::Unknown { nodes, .. } => writeln!(
            console,
            "  No other plan was found within {nodes} ways; `--max-nodes` looks further."
        ),
    }
}

fn words(npc: &Npc, fact: LocalFact) -> String {
    let compiled = npc.domain().compiled();
    compiled.map().fact(compiled.npc(npc.type_id()).fact(fact))
}

fn explain(
    npc: &Npc,
    answer: &Answer,
    causes: &Causes,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let names: Vec<&str> = answer.plan().names().collect();
    if causes.needs.is_empty() {
        writeln!(console, "     needs nothing")?;
    }
    for &(fact, source) in &causes.needs {
        let source = match source {
            CauseSource::Start => "true from the start".to_string(),
            CauseSource::Step(step) => format!("set by step {}, {}", step + 1, names[step]),
        };
        writeln!(console, "     needs    {}   ({source})", words(npc, fact))?;
    }
    let mut told: Vec<(LocalFact, Vec<usize>, bool)> = Vec::new();
    for &(fact, used) in &causes.enables {
        let at = told.iter().position(|(known, ..)| *known == fact).unwrap_or_else(|| {
            told.push((fact, Vec::new(), false));
            told.len() - 1
        });
        match used {
            Use::Goal => told[at].2 = true,
            Use::Step(step) => told[at].1.push(step),
        }
    }
    for (fact, steps, wanted) in told {
        let used = match (uses(&steps, &names), wanted) {
            (None, _) => "wanted by the goal".to_string(),
            (Some(steps), false) => steps,
            (Some(steps), true) => format!("{steps}; wanted by the goal"),
        };
        writeln!(console, "     enables  {}   ({used})", words(npc, fact))?;
    }
    Ok(())
}

/// `for step 2, sell` or `for steps 2, 3 and 4`.
fn uses(steps: &[usize], names: &[&str]) -> Option<String> {
    match steps {
        [] => None,
        [one] => Some(format!("for step {}, {}", one + 1, names[*one])),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|step| (step + 1).to_string()).collect();
            Some(format!("for steps {} and {}", first.join(", "), last + 1))
        }
    }
}

fn shape(npc: &Npc, why: &Why) -> Value {
    let answer = &why.answer;
    let map = npc.domain().compiled().map();
    let steps = answer.plan().steps().zip(&why.steps);
    let steps: Vec<Value> = steps.map(|(step, why)| step_shape(npc, step, why)).collect();
    // The cheapest plan with other actions; `null` if there is none, or none was found.
    let runner_up = match &why.runner_up {
        RunnerUp::Plan(plan) => Some(plan_json(plan)),
        _ => None,
    };
    json!({
        "outcome": outcome_word(answer.outcome()),
        "goal": answer.goal().map(|goal| map.goal(goal)),
        "cost": cost_of(answer),
        "steps": steps,
        "runner_up": runner_up,
        "runner_up_is_certain": !matches!(why.runner_up, RunnerUp::Unknown { .. }),
        "reason": ReasonShape::of(answer),
    })
}

/// A step: where it stands in the file, which checks let it be there (all are answered so now),
/// what it needs (`null`: from the start) and enables (`null`: for the goal).
fn step_shape(npc: &Npc, step: Step<'_>, why: &WhyStep) -> Value {
    let map = npc.domain().compiled().map();
    let place = map.action_place(step.action);
    let check =
        |used: &CheckUse| json!({"check": map.check(used.check), "expected": used.expected});
    let need = |&(fact, source): &(LocalFact, CauseSource)| {
        let from_step = match source {
            CauseSource::Start => None,
            CauseSource::Step(step) => Some(step + 1),
        };
        json!({"fact": words(npc, fact), "from_step": from_step})
    };
    let enabled = |&(fact, used): &(LocalFact, Use)| {
        let for_step = match used {
            Use::Goal => None,
            Use::Step(step) => Some(step + 1),
        };
        json!({"fact": words(npc, fact), "for_step": for_step})
    };
    let mut shape = json!({
        "step": step.index + 1, "action": step.name, "cost": CostShape(why.cost),
        // What the plan has cost after this step.
        "sum": CostShape(why.sum),
        "file": map.file(place.file), "line": place.line,
    });
    if let Some(kind) = npc.kind_of(step.action) {
        shape["kind"] = json!(kind.name());
    }
    if !step.parts.is_empty() {
        shape["parts"] = step.part_names().collect();
    }
    shape["checks"] = checks(npc, step.action).iter().map(check).collect();
    shape["needs"] = why.causes.needs.iter().map(need).collect();
    shape["enables"] = why.causes.enables.iter().map(enabled).collect();
    shape
}
