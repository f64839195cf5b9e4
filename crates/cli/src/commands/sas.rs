//! `throng sas`: ground tasks of the planning field, solved, counted, classified.

use crate::FINE;
use crate::console::{CommandResult, Console, Fail};
use crate::field::answer::TaskAnswer;
use crate::field::args::{SasArgs, SasCommand, SasSolveArgs, SasTaskArgs};
use crate::field::measure::Stopwatch;
use crate::field::run::{Finished, Judged, RunLimits, mode, search};
use crate::field::{complaint, distance, files};
use serde::Serialize;
use throng::Mode;
use throng_pddl::named::NamedTask;
use throng_pddl::sas::{ReplayFailure, replay_until};
use throng_pddl::validate::ValidateError;

pub(crate) fn run(args: &SasArgs, console: &mut Console<'_>) -> CommandResult {
    let (outcome, json) = match &args.command {
        SasCommand::Solve(args) => (solve(args, console), args.search.json),
        SasCommand::Info(args) => (info(args, console), args.json),
        SasCommand::Classes(args) => (classes(args, console), args.json),
    };
    complaint::told(outcome, json, console)
}

fn classes(args: &SasTaskArgs, console: &mut Console<'_>) -> CommandResult {
    let named = files::ground(&args.file, console)?;
    distance::print(&named, None, args.json, console)
}

fn solve(args: &SasSolveArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.search.limits, args.search.max_nodes, console);
    let mode = mode(&args.search, Mode::Cheapest)?;
    files::clear(args.search.out.as_deref(), &[&args.file])?;
    let mut stopwatch = Stopwatch::default();
    stopwatch.begin("read");
    let named = files::ground(&args.file, console)?;
    stopwatch.begin("search");
    let (finished, work) = search(&named.task, mode, &limits, console);
    let (finished, why) = finished.judged(|plan| {
        stopwatch.begin("validate");
        replayed(&named, &plan, &limits)
    })?;
    stopwatch.end();
    let (planner, has_metric) = ("grounded", named.has_metric);
    let answer = TaskAnswer { finished, why, work, planner, mode, has_metric, stopwatch };
    answer.print(&args.search, &limits, console)
}

/// Every plan passes a judge before anybody sees it; what could not be judged in time is no
/// answer.
fn replayed(named: &NamedTask, plan: &[u32], limits: &RunLimits) -> Result<Judged, Fail> {
    match replay_until(named, plan, &|| limits.is_over()) {
        None => Ok(limits.gave_up_judging(ValidateError::Stopped)),
        Some(Ok(cost)) => {
            let name = |&operator: &u32| format!("({})", named.operators.get(operator as usize));
            Ok((Finished::Plan((plan.iter().map(name).collect(), cost)), None))
        }
        Some(Err(failed)) => {
            let place = match failed {
                ReplayFailure::Step(step) => format!("step {step} cannot be done"),
                ReplayFailure::Goal => "the goal does not hold at its end".to_string(),
            };
            let text = format!("a plan was found that is none, please report it: {place}");
            Err(Fail::known("wrong_plan", text))
        }
    }
}

#[derive(Serialize)]
struct InfoShape {
    variables: usize,
    derived: usize,
    facts: usize,
    operators: usize,
    conditional_effects: usize,
    rules: usize,
    mutex_groups: usize,
    goal: usize,
    metric: bool,
}

fn info(args: &SasTaskArgs, console: &mut Console<'_>) -> CommandResult {
    let named = files::ground(&args.file, console)?;
    let task = &named.task;
    let derived = (0..task.sizes().len()).filter(|&at| task.layer(at as u32).is_some());
    let effects = (0..task.n_operators() as u32).map(|operator| task.effects(operator).count());
    let shape = InfoShape {
        variables: task.sizes().len(),
        derived: derived.count(),
        facts: task.sizes().iter().map(|&size| size as usize).sum(),
        operators: task.n_operators(),
        conditional_effects: effects.sum(),
        rules: task.axioms().count(),
        mutex_groups: named.mutexes.len(),
        goal: task.goal().len(),
        metric: named.has_metric,
    };
    if args.json {
        console.json(&shape)?;
        return Ok(FINE);
    }
    let rows = [
        ("variables", shape.variables),
        ("of these derived", shape.derived),
        ("facts", shape.facts),
        ("operators", shape.operators),
        ("conditional effects", shape.conditional_effects),
        ("rules", shape.rules),
        ("mutex groups", shape.mutex_groups),
        ("facts of the goal", shape.goal),
    ];
    for (name, count) in rows {
        console.line(&format!("  {name:<20} {count:>10}"))?;
    }
    let metric = if shape.metric { "costs count" } else { "every operator counts 1" };
    console.line(&format!("  metric               {metric}"))?;
    Ok(FINE)
}
