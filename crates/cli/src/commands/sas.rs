//! `throng sas`: ground tasks of the planning field, solved, counted, classified.

use crate::FINE;
use crate::args::field::{SasCommand, SasSolveArgs, SasTaskArgs, SearchArgs};
use crate::args::names::TaskPlannerName;
use crate::complaint::{of_task, told};
use crate::console::{CommandResult, Console, Fail};
use crate::field::answer::{TaskAnswer, answered};
use crate::field::run::{RunLimits, Steps, wrong_plan};
use crate::field::{distance, files};
use serde_json::{Map, Value, json};
use std::path::Path;
use throng_pddl::named::NamedTask;
use throng_pddl::sas::{ReplayFailure, replay_until};
use throng_pddl::validate::ValidateError;

pub(crate) fn run(command: &SasCommand, console: &mut Console<'_>) -> CommandResult {
    let (outcome, json) = match command {
        SasCommand::Solve(args) => (solve(args, console), args.search.json),
        SasCommand::Info(args) => (info(args, console), args.json),
        SasCommand::Classes(args) => (classes(args, console), args.json),
    };
    told(outcome, json, of_task, console)
}

fn classes(args: &SasTaskArgs, console: &mut Console<'_>) -> CommandResult {
    let named = files::ground(&args.file, console)?;
    distance::print(&named, None, args.json, console)
}

fn solve(args: &SasSolveArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.search.limits, args.search.max_nodes, console);
    files::clear(args.search.out.as_deref(), &[&args.file])?;
    answer(&args.search, &args.file, &limits, console)?.print(&args.search, console)
}

/// Reads and solves a task.
pub(crate) fn answer(
    search: &SearchArgs,
    file: &Path,
    limits: &RunLimits,
    console: &mut Console<'_>,
) -> Result<TaskAnswer, Fail> {
    answered(search, TaskPlannerName(None), limits, console, |run| {
        let named = files::ground(file, run.console)?;
        run.has_metric = named.has_metric;
        let plan = run.search(&named.task)?;
        run.judged(plan, |plan| replayed(&named, &plan, limits))
    })
}

/// Every plan passes a judge before anybody sees it; what could not be judged in time is no
/// answer.
fn replayed(named: &NamedTask, plan: &[u32], limits: &RunLimits) -> Result<Steps, Fail> {
    match replay_until(named, plan, &|| limits.is_over()) {
        None => Err(limits.gave_up_judging(ValidateError::Stopped)),
        Some(Ok(cost)) => {
            let name = |&operator: &u32| format!("({})", named.operators.get(operator as usize));
            Ok((plan.iter().map(name).collect(), cost))
        }
        Some(Err(ReplayFailure::Step(step))) => {
            Err(wrong_plan(format!("step {step} cannot be done")))
        }
        Some(Err(ReplayFailure::Goal)) => Err(wrong_plan("the goal does not hold at its end")),
    }
}

fn info(args: &SasTaskArgs, console: &mut Console<'_>) -> CommandResult {
    let named = files::ground(&args.file, console)?;
    let task = &named.task;
    let derived = (0..task.sizes().len()).filter(|&at| task.layer(at as u32).is_some());
    let effects = (0..task.n_operators() as u32).map(|operator| task.effects(operator).count());
    // The key of each count, and what people call it.
    let counts: [(&str, &str, usize); 8] = [
        ("variables", "variables", task.sizes().len()),
        ("derived", "of these derived", derived.count()),
        ("facts", "facts", task.sizes().iter().map(|&size| size as usize).sum()),
        ("operators", "operators", task.n_operators()),
        ("conditional_effects", "conditional effects", effects.sum()),
        ("rules", "rules", task.axioms().count()),
        ("mutex_groups", "mutex groups", named.mutexes.len()),
        ("goal", "facts of the goal", task.goal().len()),
    ];
    if args.json {
        let keys = counts.iter().map(|&(key, _, count)| (key.to_string(), json!(count)));
        let mut shape: Map<String, Value> = keys.collect();
        shape.insert("metric".to_string(), json!(named.has_metric));
        console.json(&shape)?;
        return Ok(FINE);
    }
    for (_, name, count) in counts {
        writeln!(console, "  {name:<20} {count:>10}")?;
    }
    let metric = if named.has_metric { "costs count" } else { "every operator counts 1" };
    writeln!(console, "  metric               {metric}")?;
    Ok(FINE)
}
