//! `throng pddl`: tasks of the planning field, solved, judged, counted, classified.

mod counting;
mod info;

use crate::args::field::{PddlCommand, PddlSolveArgs, PddlTaskArgs, PddlValidateArgs, SearchArgs};
use crate::args::names::TaskPlannerName;
use crate::complaint::{of_task, told};
use crate::console::{CommandResult, Console, Fail, count};
use crate::extension::{NoSearch, TaskPlanner};
use crate::field::answer::{TaskAnswer, answered};
use crate::field::distance::{self, or_limit};
use crate::field::files;
use crate::field::ground::{ground, ground_counting};
use crate::field::measure::Stopwatch;
use crate::field::run::{Came, Hit, Run, RunLimits, Steps, unreachable, wrong_plan};
use crate::shapes::CostShape;
use crate::{FINE, NO};
use serde_json::json;
use throng_pddl::lifted::Lifted;
use throng_pddl::plan::{PlanStep, read_plan, told_cost};
use throng_pddl::validate::{ValidateError, Verdict, validate_within};

/// A plan is a few bytes a step; no file of one is larger.
const PLAN_BYTES: usize = 256 << 20;

pub(crate) fn run(command: &PddlCommand, console: &mut Console<'_>) -> CommandResult {
    let (outcome, json) = match command {
        PddlCommand::Solve(args) => (solve(args, console), args.search.json),
        PddlCommand::Validate(args) => (judge(args, console), args.task.json),
        PddlCommand::Info(args) => {
            (info::run(args, console).or_else(|it| or_limit(it, args.json, console)), args.json)
        }
        PddlCommand::Classes(args) => {
            (classes(args, console).or_else(|it| or_limit(it, args.json, console)), args.json)
        }
    };
    told(outcome, json, of_task, console)
}

fn solve(args: &PddlSolveArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.search.limits, args.search.max_nodes, console);
    files::clear(args.search.out.as_deref(), &[&args.files.domain, &args.files.problem])?;
    let read = |console: &mut Console<'_>| files::lifted(&args.files, &limits, true, console);
    answer(&args.search, args.planner, read, &limits, console)?.print(&args.search, console)
}

/// Reads and solves a task.
pub(crate) fn answer(
    search: &SearchArgs,
    planner: TaskPlannerName,
    read: impl FnOnce(&mut Console<'_>) -> Result<Lifted, Fail>,
    limits: &RunLimits,
    console: &mut Console<'_>,
) -> Result<TaskAnswer, Fail> {
    answered(search, planner, limits, console, |run| {
        let task = read(run.console)?;
        run.has_metric = task.has_metric;
        match planner.0 {
            None => grounded(&task, run),
            Some(added) => by_another(added, &task, run),
        }
    })
}

fn grounded(task: &Lifted, run: &mut Run<'_, '_>) -> Result<Came, Fail> {
    if task.has_numbers() {
        return counting::solved(task, run);
    }
    let limits = run.limits;
    let grounded = ground(task, limits, &mut run.stopwatch)?;
    if let Some(never) = &grounded.unreachable {
        return Ok(Err(unreachable(format!("{never}, whatever is done"))));
    }
    let plan = run.search(&grounded.named.task)?;
    run.judged(plan, |plan| replayed(task, &grounded.plan(task, &plan), limits))
}

/// Asks a planner that was added; its plans are judged like all others.
fn by_another(
    planner: &dyn TaskPlanner,
    task: &Lifted,
    run: &mut Run<'_, '_>,
) -> Result<Came, Fail> {
    let limits = run.limits;
    run.stopwatch.begin("search");
    let search = planner.begin(task, run.mode, limits.bytes()).map_err(|why| match why {
        NoSearch::Memory => limits.stopped(Hit::Memory),
        NoSearch::NotForThis(why) => Fail::known("not_for_this_planner", why),
    });
    let mut search = search?;
    let found = run.watched(|budget| (search.run(budget), search.work()))?;
    run.judged(found.map(|state| search.plan(state)), |plan| {
        let steps = plan.iter().map(|(action, objects)| PlanStep::of(task, *action, objects));
        replayed(task, &steps.collect::<Vec<_>>(), limits)
    })
}

/// Every plan passes the judge before anybody sees it; what could not be judged in time is no
/// answer.
fn replayed(task: &Lifted, plan: &[PlanStep], limits: &RunLimits) -> Result<Steps, Fail> {
    match validate_within(task, plan, &limits.judging(&|| limits.is_over())) {
        Err(why) => Err(limits.gave_up_judging(why)),
        Ok(Verdict::Valid { cost, .. }) => {
            Ok((plan.iter().map(PlanStep::to_string).collect(), cost))
        }
        Ok(Verdict::Invalid(failure)) => Err(wrong_plan(failure)),
    }
}

fn judge(args: &PddlValidateArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.task.limits, None, console);
    let task = files::lifted(&args.task.files, &limits, false, console)?;
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
        Err(why) => return Err(limits.not_judged(why)),
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
    match (args.task.json, cost) {
        (true, _) => console.json(&json!({
            "valid": cost.is_some(), "failed_step": failed_step, "reason": reason,
            "length": length, "cost": cost.map(CostShape),
        }))?,
        (false, Some(cost)) => {
            writeln!(console, "valid: {}, cost {cost}", count(length, "step"))?;
        }
        (false, None) => writeln!(console, "not valid: {}", reason.unwrap_or_default())?,
    }
    Ok(if cost.is_some() { FINE } else { NO })
}

fn classes(args: &PddlTaskArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.limits, None, console);
    let task = files::lifted(&args.files, &limits, false, console)?;
    let named = match task.has_numbers() {
        true => {
            let grounded = ground_counting(&task, &limits, &mut Stopwatch::default())?;
            counting::written_out(&grounded.counted)?
        }
        false => ground(&task, &limits, &mut Stopwatch::default())?.named,
    };
    distance::print(&named, Some(&limits), args.json, console)
}

#[cfg(test)]
mod tests {
    use super::*;
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
                Ok((steps, _)) => assert!(!is_stopped && steps == ["(a)"]),
                Err(Fail::Limit { code: "stopped", .. }) => assert!(is_stopped),
                _ => panic!("neither judged nor given up"),
            }
        }
    }
}
