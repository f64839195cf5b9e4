//! `throng why`: what each step needs, enables and costs, and the next best plan.

use crate::args::plan::PlanArgs;
use crate::commands::plan::{ask, headline, kind_now};
use crate::commands::plans::{difference, plan_json};
use crate::console::{CommandResult, Console, Fail, count};
use crate::question::PlanQuestion;
use crate::rows::{Row, in_a_line, rows, told_steps};
use crate::shapes::{CostShape, ReasonShape, cost_of, exit_code, outcome_word};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use throng::{ActionId, Cost, Npc, Outcome, Planner, RunnerUp, Scratch, Step, Why, WhyStep};
use throng_domain::model::CheckUse;
use throng_planner::Limit;
use throng_planner::explain::{CauseSource, StepCondition, Use};

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
        let names: Vec<&str> = answer.plan().names().collect();
        let steps: Vec<Step<'_>> = answer.plan().steps().collect();
        for row in rows(&names) {
            let (Some(step), Some(last)) =
                (steps.get(row.steps.start), why.steps.get(row.steps.end - 1))
            else {
                continue;
            };
            let place = map.action_place(step.action);
            let (number, file, line) = (row.numbers(), map.file(place.file), place.line);
            let (name, cost, sum) = (row.name(step.name), last.cost, last.sum);
            let each = if row.times() > 1 { " each" } else { "" };
            let now = kind_now(npc, step);
            writeln!(
                console,
                "\n  {number}. {name}{now}  (cost {cost}{each}, {sum} so far)  {file}:{line}"
            )?;
            for part in step.part_names() {
                writeln!(console, "     {part}")?;
            }
            print_checks(npc, step.action, console)?;
            explain(npc, &names, &row, &why.steps[row.steps.clone()], console)?;
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
            writeln!(console, "    {}", in_a_line(plan.names()))
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

fn words(npc: &Npc, condition: StepCondition) -> String {
    let compiled = npc.domain().compiled();
    condition.text(compiled, compiled.npc(npc.type_id()))
}

/// What a row of equal steps needs and enables.
fn explain(
    npc: &Npc,
    names: &[&str],
    row: &Row,
    steps: &[WhyStep],
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let needs = needs(row, steps);
    if needs.is_empty() {
        writeln!(console, "     needs nothing")?;
    }
    for (condition, origin) in needs {
        let origin = origin.told(npc, condition, names);
        writeln!(console, "     needs    {}   ({origin})", words(npc, condition))?;
    }
    let mut told: Vec<(StepCondition, Vec<usize>, bool)> = Vec::new();
    for &(condition, used) in steps.iter().flat_map(|step| &step.causes.enables) {
        let at = told.iter().position(|(known, ..)| *known == condition).unwrap_or_else(|| {
            told.push((condition, Vec::new(), false));
            told.len() - 1
        });
        match used {
            Use::Goal => told[at].2 = true,
            // What a row does for itself is told as what it needs.
            Use::Step(step) if row.steps.contains(&step) => {}
            Use::Step(step) => told[at].1.push(step),
        }
    }
    for (condition, mut steps, wanted) in told {
        steps.sort_unstable();
        steps.dedup();
        let used = match (&steps[..], wanted) {
            ([], false) => continue,
            ([], true) => "wanted by the goal".to_string(),
            (steps, false) => format!("for {}", told_steps(steps, names)),
            (steps, true) => format!("for {}; wanted by the goal", told_steps(steps, names)),
        };
        writeln!(console, "     enables  {}   ({used})", words(npc, condition))?;
    }
    Ok(())
}

/// Where something comes from that a row of steps needs.
#[derive(Default)]
struct Origin {
    /// What it was at the start, if that is a part of it; unknown of what is not counted.
    start: Option<u16>,
    set_by: BTreeSet<usize>,
    raised_by: BTreeSet<usize>,
    lowered_by: BTreeSet<usize>,
}

/// What a row of steps needs, each thing once, with all that it comes from.
fn needs(row: &Row, steps: &[WhyStep]) -> Vec<(StepCondition, Origin)> {
    let mut needs: Vec<(StepCondition, Origin)> = Vec::new();
    for (condition, source) in steps.iter().flat_map(|step| &step.causes.needs) {
        let at = needs.iter().position(|(known, _)| known == condition).unwrap_or_else(|| {
            needs.push((*condition, Origin::default()));
            needs.len() - 1
        });
        let origin = &mut needs[at].1;
        match source {
            CauseSource::Start => {}
            CauseSource::Step(step) => {
                origin.set_by.insert(*step);
            }
            CauseSource::Moved { base, from, up, steps } => {
                match base {
                    Some(base) => {
                        origin.set_by.insert(*base);
                    }
                    None => origin.start = Some(*from),
                }
                let moved = if *up { &mut origin.raised_by } else { &mut origin.lowered_by };
                moved.extend(steps);
            }
        }
    }
    // What a row does for itself goes without saying, unless there is nothing else.
    for (_, Origin { set_by, raised_by, lowered_by, .. }) in &mut needs {
        for steps in [set_by, raised_by, lowered_by] {
            if steps.iter().any(|step| !row.steps.contains(step)) {
                steps.retain(|step| !row.steps.contains(step));
            }
        }
    }
    needs
}

impl Origin {
    fn told(&self, npc: &Npc, condition: StepCondition, names: &[&str]) -> String {
        let steps =
            |steps: &BTreeSet<usize>| told_steps(&steps.iter().copied().collect::<Vec<_>>(), names);
        let map = npc.domain().compiled().map();
        let variable = npc.domain().compiled().npc(npc.type_id()).variables();
        let variable = variable[condition.variable().index()];
        let start = self.start.and_then(|at| map.values(variable).get(usize::from(at)));
        let start = start.filter(|_| self.start != Some(0) || self.raised_by.is_empty());
        let mut parts: Vec<String> = Vec::new();
        parts.extend(start.map(|start| format!("{start} at the start")));
        for (how, by) in
            [("set", &self.set_by), ("raised", &self.raised_by), ("lowered", &self.lowered_by)]
        {
            if !by.is_empty() {
                parts.push(format!("{how} by {}", steps(by)));
            }
        }
        match parts.is_empty() {
            true => "true from the start".to_string(),
            false => parts.join(", "),
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
    let need = |(condition, source): &(StepCondition, CauseSource)| {
        let steps: Vec<usize> = source.steps().iter().map(|step| step + 1).collect();
        // The last of those that it comes from.
        let mut shape = json!({"fact": words(npc, *condition), "from_step": steps.last()});
        if let CauseSource::Moved { up, .. } = source {
            // All steps that moved the amount to where it had to be, and which way.
            shape["from_steps"] = json!(steps);
            shape["moved"] = json!(if *up { "raised" } else { "lowered" });
        }
        shape
    };
    let enabled = |&(fact, used): &(StepCondition, Use)| {
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
