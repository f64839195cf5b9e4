//! `throng pddl`: tasks of the planning field, solved, judged, counted, classified.

mod info;

use crate::console::{Console, Fail, Outcome, count};
use crate::field::answer::Answer;
use crate::field::args::{
    PddlArgs, PddlCommand, PddlPlanner, PddlSolveArgs, PddlTaskArgs, PddlValidateArgs,
};
use crate::field::measure::Stopwatch;
use crate::field::run::{Came, Hit, Limits, Work, mode, search};
use crate::field::{distance, files, seed};
use crate::shapes::{Cost, ReasonShape};
use crate::{FINE, NO};
use serde::Serialize;
use throng::{Milli, Mode};
use throng_pddl::ground::{self, Grounded, Phase, Refusal};
use throng_pddl::lifted::Lifted;
use throng_pddl::validate::{PlanStep, Verdict, read_plan, validate};

/// A plan is a few bytes a step; no file of one is larger.
const PLAN_BYTES: usize = 256 << 20;

pub(crate) fn run(args: &PddlArgs, console: &mut Console<'_>) -> Outcome {
    match &args.command {
        PddlCommand::Solve(args) => {
            let outcome = solve(args, console);
            outcome.map_err(|fail| told_as_answer(fail, args.search.json, console))
        }
        PddlCommand::Validate(args) => judge(args, console),
        PddlCommand::Info(args) => info::run(args, console),
        PddlCommand::Classes(args) => classes(args, console),
    }
}

/// The answer to a question that cannot be answered.
#[derive(Serialize)]
struct ErrorShape {
    outcome: &'static str,
    plan: Option<()>,
    reason: ReasonShape,
}

/// A complaint on its way to the message stream; with `--json` it is told as an answer first.
pub(crate) fn told_as_answer(fail: Fail, json: bool, console: &mut Console<'_>) -> Fail {
    if !json || matches!(fail, Fail::ReaderGone) {
        return fail;
    }
    let (code, text) = fail.clone().coded();
    let reason = ReasonShape { code: code.to_string(), text };
    let told = console.json(&ErrorShape { outcome: "error", plan: None, reason });
    told.err().unwrap_or(fail)
}

fn solve(args: &PddlSolveArgs, console: &mut Console<'_>) -> Outcome {
    let limits = Limits::new(&args.search.limits, args.search.max_nodes, console);
    let mut stopwatch = Stopwatch::default();
    stopwatch.begin("read");
    let task = files::lifted(&args.files, console)?;
    let mut answer = match args.planner {
        PddlPlanner::Grounded => grounded(args, &task, &limits, stopwatch, console)?,
        PddlPlanner::Seed => by_the_seed(args, &task, &limits, stopwatch, console)?,
    };
    answer.stopwatch.end();
    answer.print(&args.search, &limits, console)
}

fn grounded<'a>(
    args: &PddlSolveArgs,
    task: &Lifted,
    limits: &Limits,
    mut stopwatch: Stopwatch,
    console: &mut Console<'_>,
) -> Result<Answer<'a>, Fail> {
    let mode = mode(&args.search, Mode::Cheapest)?;
    let has_metric = task.has_metric;
    let answer = |came, why, work, stopwatch| Answer {
        came,
        why,
        work,
        planner: "grounded",
        mode,
        has_metric,
        stopwatch,
    };
    let grounded = match ground_task(task, limits, &mut stopwatch) {
        Ok(grounded) => grounded,
        Err(refusal) => {
            let (hit, why) = refused(refusal, limits)?;
            return Ok(answer(Came::Limit(hit), why, Work::default(), stopwatch));
        }
    };
    if let Some(unreachable) = &grounded.unreachable {
        let why = format!("{unreachable}, whatever is done");
        return Ok(answer(Came::Impossible, Some(why), Work::default(), stopwatch));
    }
    stopwatch.begin("search");
    let (came, work) = search(&grounded.named.task, mode, limits, console);
    let came = match came {
        Came::Plan(plan) => {
            stopwatch.begin("validate");
            let step = |operator: u32| {
                let (action, arguments) = grounded.steps.get(operator);
                task.step_text(action as usize, arguments)
            };
            Came::Plan(replayed(task, plan.into_iter().map(step).collect())?)
        }
        Came::Impossible => Came::Impossible,
        Came::Limit(hit) => Came::Limit(hit),
    };
    Ok(answer(came, None, work, stopwatch))
}

fn by_the_seed<'a>(
    args: &PddlSolveArgs,
    task: &Lifted,
    limits: &Limits,
    mut stopwatch: Stopwatch,
    console: &mut Console<'_>,
) -> Result<Answer<'a>, Fail> {
    let mode = mode(&args.search, Mode::Shortest)?;
    if mode != Mode::Shortest {
        let text = "the seed's planner searches breadth-first: it gives shortest plans, so \
                    write `--mode shortest` or leave `--mode` out";
        return Err(Fail::known("not_for_this_planner", text));
    }
    stopwatch.begin("search");
    let (came, work) = seed::search(task, limits, console)?;
    let came = match came {
        Came::Plan(plan) => {
            stopwatch.begin("validate");
            let steps = plan.iter();
            let texts = steps.map(|step| task.step_text(step.action as usize, &step.arguments));
            Came::Plan(replayed(task, texts.collect())?)
        }
        Came::Impossible => Came::Impossible,
        Came::Limit(hit) => Came::Limit(hit),
    };
    let has_metric = task.has_metric;
    Ok(Answer { came, why: None, work, planner: "seed", mode, has_metric, stopwatch })
}

/// Grounds, and tells the stopwatch of its phases.
pub(crate) fn ground_task(
    task: &Lifted,
    limits: &Limits,
    stopwatch: &mut Stopwatch,
) -> Result<Grounded, Refusal> {
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
pub(crate) fn refused(refusal: Refusal, limits: &Limits) -> Result<(Hit, Option<String>), Fail> {
    match refusal {
        Refusal::Stopped => Ok((limits.over(), None)),
        Refusal::TooManyAtoms { .. }
        | Refusal::TooManyOperators { .. }
        | Refusal::TooManyLiterals { .. }
            if limits.has_memory() =>
        {
            Ok((Hit::Memory, Some(format!("{refusal} with more `--memory`"))))
        }
        Refusal::TooManyAtoms { .. }
        | Refusal::TooManyOperators { .. }
        | Refusal::TooManyLiterals { .. }
        | Refusal::TooMuchWork { .. } => Ok((Hit::Size, Some(refusal.to_string()))),
        Refusal::NotStratified { .. } | Refusal::NoCost { .. } => {
            Err(Fail::known("bad_task", refusal.to_string()))
        }
    }
}

/// Grounds for a command that only looks at the task.
fn ground_to_look(task: Lifted, limits: &Limits) -> Result<Looked, Fail> {
    Ok(match ground_task(&task, limits, &mut Stopwatch::default()) {
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

/// Every plan passes the judge before anybody sees it.
fn replayed(task: &Lifted, steps: Vec<String>) -> Result<(Vec<String>, Milli), Fail> {
    let words = |step: &String| PlanStep::from_words(step.trim_matches(['(', ')']));
    let plan: Vec<PlanStep> = steps.iter().filter_map(words).collect();
    match validate(task, &plan) {
        Verdict::Valid { cost, .. } => Ok((steps, cost)),
        Verdict::Invalid(failure) => {
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
    cost: Option<Cost>,
}

fn judge(args: &PddlValidateArgs, console: &mut Console<'_>) -> Outcome {
    let task = files::lifted(&args.files, console)?;
    let text = files::text(&args.plan, PLAN_BYTES, console)?;
    let steps = read_plan(&text).map_err(|error| {
        let name = args.plan.display();
        Fail::known("bad_plan", format!("`{name}`, {error}"))
    })?;
    let verdict = validate(&task, &steps);
    let length = steps.len();
    let (shape, sentence) = match &verdict {
        Verdict::Valid { cost, .. } => {
            let sentence = format!("valid: {}, cost {cost}", count(length, "step"));
            let cost = Some(Cost(*cost));
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
    match args.json {
        true => console.json(&shape)?,
        false => console.line(&sentence)?,
    }
    Ok(if shape.valid { FINE } else { NO })
}

fn classes(args: &PddlTaskArgs, console: &mut Console<'_>) -> Outcome {
    let limits = Limits::new(&args.limits, None, console);
    let task = files::lifted(&args.files, console)?;
    match ground_to_look(task, &limits)?.grounded {
        Ok(grounded) => distance::print(&grounded.named, args.json, console),
        Err(why) => distance::print_limit(&why, args.json, console),
    }
}
