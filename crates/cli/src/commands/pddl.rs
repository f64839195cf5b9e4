//! `throng pddl`: tasks of the planning field, solved, judged, counted, classified.

mod info;

use crate::args::field::{PddlArgs, PddlCommand, PddlSolveArgs, PddlTaskArgs, PddlValidateArgs};
use crate::complaint::{of_task, told};
use crate::console::{CommandResult, Console, Fail, count};
use crate::extension::{NoSearch, TaskPlanner, Work};
use crate::field::answer::TaskAnswer;
use crate::field::ground::ground;
use crate::field::measure::Stopwatch;
use crate::field::run::{Finished, Hit, RunLimits, Steps, search, watched};
use crate::field::{distance, files};
use crate::shapes::CostShape;
use crate::{FINE, NO};
use serde_json::json;
use throng::Mode;
use throng_pddl::lifted::Lifted;
use throng_pddl::plan::{PlanStep, read_plan, told_cost};
use throng_pddl::validate::{ValidateError, Verdict, validate_within};

/// A plan is a few bytes a step; no file of one is larger.
const PLAN_BYTES: usize = 256 << 20;

pub(crate) fn run(args: &PddlArgs, console: &mut Console<'_>) -> CommandResult {
    let (outcome, json) = match &args.command {
        PddlCommand::Solve(args) => (solve(args, console), args.search.json),
        PddlCommand::Validate(args) => (judge(args, console), args.json),
        PddlCommand::Info(args) => (info::run(args, console), args.json),
        PddlCommand::Classes(args) => (classes(args, console), args.json),
    };
    told(outcome, json, of_task, console)
}

fn solve(args: &PddlSolveArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.search.limits, args.search.max_nodes, console);
    files::clear(args.search.out.as_deref(), &[&args.files.domain, &args.files.problem])?;
    let mut stopwatch = Stopwatch::default();
    stopwatch.begin("read");
    let read = files::lifted_or_limit(&args.files, &limits, true, console)?;
    answer(args, read, &limits, stopwatch, console)?.print(&args.search, &limits, console)
}

/// Solves a task that was read, or was not in time.
pub(crate) fn answer(
    args: &PddlSolveArgs,
    read: Result<Lifted, Hit>,
    limits: &RunLimits,
    mut stopwatch: Stopwatch,
    console: &mut Console<'_>,
) -> Result<TaskAnswer, Fail> {
    let usual = args.planner.0.map_or(Mode::Cheapest, |added| added.usual());
    let mode = args.search.mode.unwrap_or(usual);
    let has_metric = read.as_ref().is_ok_and(|task| task.has_metric);
    let (finished, work) = match (read, args.planner.0) {
        (Err(hit), _) => (Finished::Limit(hit.into()), Work::default()),
        (Ok(task), None) => grounded(&task, mode, limits, &mut stopwatch, console)?,
        (Ok(task), Some(added)) => by_another(added, &task, mode, limits, &mut stopwatch, console)?,
    };
    stopwatch.end();
    Ok(TaskAnswer { finished, work, planner: args.planner.name(), mode, has_metric, stopwatch })
}

fn grounded(
    task: &Lifted,
    mode: Mode,
    limits: &RunLimits,
    stopwatch: &mut Stopwatch,
    console: &mut Console<'_>,
) -> Result<(Finished<Steps>, Work), Fail> {
    let grounded = match ground(task, limits, stopwatch)? {
        Ok(grounded) => grounded,
        Err(stopped) => return Ok((Finished::Limit(stopped), Work::default())),
    };
    if let Some(unreachable) = &grounded.unreachable {
        let why = format!("{unreachable}, whatever is done");
        return Ok((Finished::Impossible(Some(why)), Work::default()));
    }
    stopwatch.begin("search");
    let (finished, work) = search(&grounded.named.task, mode, limits, console);
    let judged = finished.judged(|plan| {
        stopwatch.begin("validate");
        replayed(task, &grounded.plan(task, &plan), limits)
    });
    Ok((judged?, work))
}

/// Asks a planner that was added; its plans are judged like all others.
fn by_another(
    planner: &dyn TaskPlanner,
    task: &Lifted,
    mode: Mode,
    limits: &RunLimits,
    stopwatch: &mut Stopwatch,
    console: &mut Console<'_>,
) -> Result<(Finished<Steps>, Work), Fail> {
    stopwatch.begin("search");
    let mut search = match planner.begin(task, mode, limits.bytes()) {
        Ok(search) => search,
        Err(NoSearch::Memory) => {
            return Ok((Finished::Limit(Hit::Memory.into()), Work::default()));
        }
        Err(NoSearch::NotForThis(why)) => return Err(Fail::known("not_for_this_planner", why)),
    };
    let found = watched(limits, console, |budget| {
        let found = search.run(budget);
        let work = search.work();
        (found, work.nodes, work.bytes)
    });
    let judged = Finished::of(found, |state| search.plan(state)).judged(|plan| {
        stopwatch.begin("validate");
        let steps = plan.iter().map(|(action, objects)| PlanStep::of(task, *action, objects));
        replayed(task, &steps.collect::<Vec<_>>(), limits)
    });
    Ok((judged?, search.work()))
}

/// Every plan passes the judge before anybody sees it; what could not be judged in time is no
/// answer.
fn replayed(task: &Lifted, plan: &[PlanStep], limits: &RunLimits) -> Result<Finished<Steps>, Fail> {
    match validate_within(task, plan, &limits.judging(&|| limits.is_over())) {
        Err(why) => Ok(Finished::Limit(limits.gave_up_judging(why))),
        Ok(Verdict::Valid { cost, .. }) => {
            Ok(Finished::Plan((plan.iter().map(PlanStep::to_string).collect(), cost)))
        }
        Ok(Verdict::Invalid(failure)) => {
            let text = format!("a plan was found that is none, please report it: {failure}");
            Err(Fail::known("wrong_plan", text))
        }
    }
}

fn judge(args: &PddlValidateArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.limits, None, console);
    let task = files::lifted(&args.files, &limits, console)?;
    let text = files::text(&args.plan, PLAN_BYTES, console)?;
    let steps = read_plan(&text).map_err(|error| {
        let name = args.plan.display();
        Fail::known("bad_plan", format!("`{name}`, {error}"))
    })?;
    let verdict = match validate_within(&task, &steps, &limits.judging(&|| limits.is_over())) {
        Ok(verdict) => verdict,
        Err(ValidateError::Stopped) if console.interrupted() => {
            return Err(Fail::known("stopped", "interrupted before the plan was judged"));
        }
        Err(why) => return Err(Fail::Limit(limits.not_judged(why))),
    };
    let length = steps.len();
    // `null` as the step if all can be done but the goal does not hold.
    let (failed_step, reason, cost) = match &verdict {
        Verdict::Valid { cost, .. } => (None, None, Some(*cost)),
        Verdict::Invalid(failure) => {
            let line = match failure.line {
                0 => String::new(),
                line => format!(" (line {line})"),
            };
            (failure.step, Some(format!("{failure}{line}")), None)
        }
    };
    if let (Some(cost), Some((line, said))) = (cost, told_cost(&text))
        && said != cost
    {
        let name = args.plan.display();
        console.message(&format!(
            "warning: `{name}`, line {line} says that the cost is {said}; it is {cost}"
        ));
    }
    match (args.json, &reason, cost) {
        (true, ..) => console.json(&json!({
            "valid": cost.is_some(), "failed_step": failed_step, "reason": reason,
            "length": length, "cost": cost.map(CostShape),
        }))?,
        (false, None, Some(cost)) => {
            writeln!(console, "valid: {}, cost {cost}", count(length, "step"))?;
        }
        (false, reason, _) => {
            writeln!(console, "not valid: {}", reason.as_deref().unwrap_or_default())?;
        }
    }
    Ok(if cost.is_some() { FINE } else { NO })
}

fn classes(args: &PddlTaskArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.limits, None, console);
    let task = match files::lifted_or_limit(&args.files, &limits, false, console)? {
        Ok(task) => task,
        Err(hit) => return distance::print_limit(&limits.sentence(hit), args.json, console),
    };
    match ground(&task, &limits, &mut Stopwatch::default())? {
        Ok(grounded) => distance::print(&grounded.named, Some(&limits), args.json, console),
        Err(stopped) => distance::print_limit(&stopped.sentence(&limits), args.json, console),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::run::Stopped;
    use crate::field::run::tests::console;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use throng_pddl::read::{self, Text, read_task};

    #[test]
    fn no_plan_is_handed_out_unjudged() {
        let domain = "(define (domain d) (:predicates (p))
            (:action a :parameters () :precondition (and) :effect (p)))";
        let problem = "(define (problem q) (:domain d) (:init) (:goal (p)))";
        let [domain, problem] = [domain, problem].map(|text| Text { name: "t", text });
        let task = read_task(domain, problem, &read::Limits::default()).task.unwrap();
        for is_stopped in [false, true] {
            let stop = Arc::new(AtomicBool::new(is_stopped));
            let limits = RunLimits::unlimited(&console(&stop));
            match replayed(&task, &[PlanStep::of(&task, 0, &[])], &limits) {
                Ok(Finished::Plan((steps, _))) => assert!(!is_stopped && steps == ["(a)"]),
                Ok(Finished::Limit(Stopped { hit: Hit::Interrupted, why: Some(_) })) => {
                    assert!(is_stopped);
                }
                _ => panic!("neither judged nor given up"),
            }
        }
    }
}
