//! `throng pddl`: tasks of the planning field, solved, judged, counted, classified.

mod info;

use crate::console::{CommandResult, Console, Fail, count};
use crate::extension::{NoSearch, TaskPlanner, Work};
use crate::field::answer::TaskAnswer;
use crate::field::args::{
    GROUNDED, PddlArgs, PddlCommand, PddlSolveArgs, PddlTaskArgs, PddlValidateArgs,
};
use crate::field::measure::Stopwatch;
use crate::field::run::{Finished, Hit, Judged, RunLimits, mode, search, watched};
use crate::field::{complaint, distance, files};
use crate::shapes::CostNumber;
use crate::{FINE, NO};
use serde::Serialize;
use throng::{Cost, Mode};
use throng_pddl::ground::{self, GroundError, Grounded, Phase};
use throng_pddl::lifted::Lifted;
use throng_pddl::plan::{PlanStep, read_plan};
use throng_pddl::validate::{ValidateError, Verdict, validate_within};
use throng_planner::forward::Found;

/// A plan is a few bytes a step; no file of one is larger.
const PLAN_BYTES: usize = 256 << 20;

pub(crate) fn run(args: &PddlArgs, console: &mut Console<'_>) -> CommandResult {
    let (outcome, json) = match &args.command {
        PddlCommand::Solve(args) => (solve(args, console), args.search.json),
        PddlCommand::Validate(args) => (judge(args, console), args.json),
        PddlCommand::Info(args) => (info::run(args, console), args.json),
        PddlCommand::Classes(args) => (classes(args, console), args.json),
    };
    complaint::told(outcome, json, console)
}

fn solve(args: &PddlSolveArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.search.limits, args.search.max_nodes, console);
    files::clear(args.search.out.as_deref(), &[&args.files.domain, &args.files.problem])?;
    let mut stopwatch = Stopwatch::default();
    stopwatch.begin("read");
    let read = files::lifted_or_limit(&args.files, &limits, true, console)?;
    let added = console.extension().task_planners.iter().find(|added| added.name() == args.planner);
    let (planner, usual) =
        added.map_or((GROUNDED, Mode::Cheapest), |added| (added.name(), added.usual()));
    let mode = mode(&args.search, usual)?;
    let has_metric = read.as_ref().is_ok_and(|task| task.has_metric);
    let ((finished, why), work) = match (read, added) {
        (Err(hit), _) => ((Finished::Limit(hit), None), Work::default()),
        (Ok(task), None) => grounded(&task, mode, &limits, &mut stopwatch, console)?,
        (Ok(task), Some(added)) => {
            by_another(*added, &task, mode, &limits, &mut stopwatch, console)?
        }
    };
    stopwatch.end();
    let answer = TaskAnswer { finished, why, work, planner, mode, has_metric, stopwatch };
    answer.print(&args.search, &limits, console)
}

fn grounded(
    task: &Lifted,
    mode: Mode,
    limits: &RunLimits,
    stopwatch: &mut Stopwatch,
    console: &mut Console<'_>,
) -> Result<(Judged, Work), Fail> {
    let grounded = match ground_in_time(task, limits, stopwatch) {
        Ok(grounded) => grounded,
        Err(refusal) => {
            let (hit, why) = refused(refusal, limits)?;
            return Ok(((Finished::Limit(hit), why), Work::default()));
        }
    };
    if let Some(unreachable) = &grounded.unreachable {
        let why = format!("{unreachable}, whatever is done");
        return Ok(((Finished::Impossible, Some(why)), Work::default()));
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
) -> Result<(Judged, Work), Fail> {
    stopwatch.begin("search");
    let mut search = match planner.begin(task, mode, limits.bytes()) {
        Ok(search) => search,
        Err(NoSearch::Memory) => {
            return Ok(((Finished::Limit(Hit::Memory), None), Work::default()));
        }
        Err(NoSearch::NotForThis(why)) => return Err(Fail::known("not_for_this_planner", why)),
    };
    let found = watched(limits, console, |budget| {
        let found = search.run(budget);
        let work = search.work();
        (found, work.nodes, work.bytes)
    });
    let finished = match found {
        Ok(Found::Goal(state)) => Finished::Plan(search.plan(state)),
        Ok(_) => Finished::Impossible,
        Err(hit) => Finished::Limit(hit),
    };
    let judged = finished.judged(|plan| {
        stopwatch.begin("validate");
        let steps = plan.iter().map(|(action, objects)| PlanStep::of(task, *action, objects));
        replayed(task, &steps.collect::<Vec<_>>(), limits)
    });
    Ok((judged?, search.work()))
}

/// Grounds, with a look at the clock before and after: small tasks are done before grounding
/// itself looks.
pub(crate) fn ground_in_time(
    task: &Lifted,
    limits: &RunLimits,
    stopwatch: &mut Stopwatch,
) -> Result<Grounded, GroundError> {
    if limits.is_over() {
        return Err(GroundError::Stopped);
    }
    let grounded = ground_task(task, limits, stopwatch)?;
    if limits.is_over() { Err(GroundError::Stopped) } else { Ok(grounded) }
}

/// Grounds, and tells the stopwatch of its phases.
fn ground_task(
    task: &Lifted,
    limits: &RunLimits,
    stopwatch: &mut Stopwatch,
) -> Result<Grounded, GroundError> {
    let stop = || limits.is_over();
    let mut observer = |phase: Phase| {
        stopwatch.begin(match phase {
            Phase::Normalise => "ground: normalise",
            Phase::Reach => "ground: reach",
            Phase::Invariants => "ground: invariants",
            Phase::Build => "ground: build",
        });
    };
    ground::ground_observed(task, &limits.grounding(), Some(&stop), &mut observer)
}

/// Which limit a refusal is, with its words; what is wrong with the task is a complaint.
pub(crate) fn refused(
    refusal: GroundError,
    limits: &RunLimits,
) -> Result<(Hit, Option<String>), Fail> {
    match refusal {
        GroundError::Stopped => Ok((limits.over(), None)),
        GroundError::NotStratified { .. } | GroundError::NoCost { .. } => {
            Err(Fail::known("bad_task", refusal.to_string()))
        }
        GroundError::TooMuchWork { .. } => Ok((Hit::Size, Some(refusal.to_string()))),
        _ if limits.has_memory() => {
            Ok((Hit::Memory, Some(format!("{refusal}; or give more `--memory`"))))
        }
        _ => Ok((Hit::Size, Some(refusal.to_string()))),
    }
}

/// Grounds for a command that only looks at the task.
fn ground_to_look(task: Lifted, limits: &RunLimits) -> Result<Looked, Fail> {
    Ok(match ground_in_time(&task, limits, &mut Stopwatch::default()) {
        Ok(grounded) => Looked { task, grounded: Ok(grounded) },
        Err(refusal) => {
            let (hit, why) = refused(refusal, limits)?;
            Looked { task, grounded: Err(why.unwrap_or_else(|| limits.sentence(hit))) }
        }
    })
}

/// A task, and its ground form or why there is none.
struct Looked {
    task: Lifted,
    grounded: Result<Grounded, String>,
}

/// Every plan passes the judge before anybody sees it; what could not be judged in time is no
/// answer.
fn replayed(task: &Lifted, plan: &[PlanStep], limits: &RunLimits) -> Result<Judged, Fail> {
    match validate_within(task, plan, &limits.judging(&|| limits.is_over())) {
        Err(why) => Ok(limits.gave_up_judging(why)),
        Ok(Verdict::Valid { cost, .. }) => {
            let steps = plan.iter().map(PlanStep::to_string).collect();
            Ok((Finished::Plan((steps, cost)), None))
        }
        Ok(Verdict::Invalid(failure)) => {
            let text = format!("a plan was found that is none, please report it: {failure}");
            Err(Fail::known("wrong_plan", text))
        }
    }
}

/// What `validate` says.
#[derive(Serialize)]
struct VerdictShape {
    valid: bool,
    /// The step that fails, from 1; `null` if all can be done but the goal does not hold.
    failed_step: Option<usize>,
    reason: Option<String>,
    length: usize,
    cost: Option<CostNumber>,
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
    let (shape, sentence) = match &verdict {
        Verdict::Valid { cost, .. } => {
            let sentence = format!("valid: {}, cost {cost}", count(length, "step"));
            let cost = Some(CostNumber(*cost));
            (VerdictShape { valid: true, failed_step: None, reason: None, length, cost }, sentence)
        }
        Verdict::Invalid(failure) => {
            let line = match failure.line {
                0 => String::new(),
                line => format!(" (line {line})"),
            };
            let reason = format!("{failure}{line}");
            let sentence = format!("not valid: {reason}");
            let (failed_step, reason) = (failure.step, Some(reason));
            (VerdictShape { valid: false, failed_step, reason, length, cost: None }, sentence)
        }
    };
    if let (Verdict::Valid { cost, .. }, Some((line, said))) = (&verdict, told_cost(&text))
        && said != *cost
    {
        let name = args.plan.display();
        console.message(&format!(
            "warning: `{name}`, line {line} says that the cost is {said}; it is {cost}"
        ));
    }
    match args.json {
        true => console.json(&shape)?,
        false => console.line(&sentence)?,
    }
    Ok(if shape.valid { FINE } else { NO })
}

/// The cost that a plan's own comment tells, `; cost = 3 (unit cost)`, with its line; the last,
/// if there are several.
fn told_cost(text: &str) -> Option<(usize, Cost)> {
    let told = |(at, line): (usize, &str)| {
        let (_, comment) = line.split_once(';')?;
        let (word, value) = comment.split_once('=')?;
        if !word.trim().eq_ignore_ascii_case("cost") {
            return None;
        }
        let value: f64 = value.split_whitespace().next()?.parse().ok()?;
        let is_cost = value.is_finite() && value >= 0.0;
        is_cost.then(|| (at + 1, Cost((value * 1000.0).round() as u64)))
    };
    text.lines().enumerate().filter_map(told).last()
}

fn classes(args: &PddlTaskArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.limits, None, console);
    let task = match files::lifted_or_limit(&args.files, &limits, false, console)? {
        Ok(task) => task,
        Err(hit) => return distance::print_limit(&limits.sentence(hit), args.json, console),
    };
    match ground_to_look(task, &limits)?.grounded {
        Ok(grounded) => distance::print(&grounded.named, Some(&limits), args.json, console),
        Err(why) => distance::print_limit(&why, args.json, console),
    }
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
                Ok((Finished::Plan((steps, _)), None)) => assert!(!is_stopped && steps == ["(a)"]),
                Ok((Finished::Limit(Hit::Interrupted), Some(_))) => assert!(is_stopped),
                _ => panic!("neither judged nor given up"),
            }
        }
    }
}
