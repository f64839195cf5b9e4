//! `throng plan`: a cheapest plan, or the reason.

use crate::args::names::PlannerName;
use crate::args::plan::{PlanArgs, PlanOnlyArgs};
use crate::commands::plans;
use crate::complaint::{of_plan, told};
use crate::console::{CommandResult, Console, Fail, count};
use crate::edge::{cells, padded};
use crate::loading;
use crate::question::{PlanQuestion, request, searched};
use crate::rows::rows;
use crate::shapes::{AnswerShape, exit_code};
use clap::{ArgMatches, FromArgMatches};
use std::fmt::Write as _;
use throng::{Answer, Engine, Npc, Outcome, Planner, Request, Scratch, Step, Target, VariableId};

pub(crate) fn run(only: &PlanOnlyArgs, console: &mut Console<'_>) -> CommandResult {
    if only.plans.is_some() || only.partial {
        return plans::run(only, console);
    }
    let args = &only.plan;
    let (question, request) = ask(args, "plan", console)?;
    let answer = Planner::new().plan(&question.npc, &request, &mut Scratch::default());
    if args.question.json {
        console.json(&AnswerShape::new(None, &question.npc, &answer))?;
        return Ok(exit_code(answer.outcome()));
    }
    if let PlannerName::Engine(Some(asked)) = args.planner
        && asked != answer.engine()
    {
        let (by, asked, why) = (answer.engine().name(), asked.name(), answer.because());
        console.message(&format!("note: planned by `{by}`, not by `{asked}`: {why}"));
    }
    console.print(&text(&question, &answer, args, usize::MAX))?;
    Ok(exit_code(answer.outcome()))
}

/// Loads and understands: what `plan` and its siblings share.
pub(crate) fn ask(
    args: &PlanArgs,
    command: &str,
    console: &mut Console<'_>,
) -> Result<(PlanQuestion, Request), Fail> {
    understood(args, || args.planner.engine(command), console)
}

/// The same with an engine. What is wrong with the question is an answer too, for those who read
/// JSON.
fn understood(
    args: &PlanArgs,
    engine: impl FnOnce() -> Result<Option<Engine>, Fail>,
    console: &mut Console<'_>,
) -> Result<(PlanQuestion, Request), Fail> {
    let domain = loading::domain(&args.question.domain, console);
    let asked = domain.and_then(|domain| {
        let question = searched(&domain, args)?;
        let request = request(&question, args, engine()?, console.stop())?;
        Ok((question, request))
    });
    told(asked, args.question.json, of_plan, console)
}

/// A question of `plan`, for programs that answer it by planners of their own.
pub struct AskedPlan {
    /// Who asks for what.
    pub question: PlanQuestion,
    /// What the library would be asked.
    pub request: Request,
    /// Whether the answer is wanted as JSON.
    pub json: bool,
    /// Whether it is wanted step by step.
    pub trace: bool,
    /// Whether the work is to be told.
    pub stats: bool,
}

impl AskedPlan {
    /// Reads the words of `plan` and the domain.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or does not know what is asked for.
    pub fn read(words: &ArgMatches, console: &mut Console<'_>) -> Result<AskedPlan, Fail> {
        let args = PlanArgs::from_arg_matches(words).map_err(|it| Fail::Bad(it.to_string()))?;
        let (question, request) = understood(&args, || Ok(None), console)?;
        let (json, trace, stats) = (args.question.json, args.trace, args.stats);
        Ok(AskedPlan { question, request, json, trace, stats })
    }

    /// The actions as `plan` lists them.
    pub fn list<'s>(&self, steps: impl ExactSizeIterator<Item = Step<'s>>) -> String {
        list(steps, &self.question.npc)
    }

    /// A complaint on its way out; it is an answer too, for those who read JSON.
    pub fn complain(&self, fail: Fail, console: &mut Console<'_>) -> Fail {
        told::<()>(Err(fail), self.json, of_plan, console).err().unwrap_or(Fail::ReaderGone)
    }
}

/// The whole answer for people; no more steps than these.
pub(crate) fn text(
    question: &PlanQuestion,
    answer: &Answer,
    args: &PlanArgs,
    most: usize,
) -> String {
    let mut text = headline(question, answer);
    if matches!(answer.outcome(), Outcome::Plan { .. }) {
        let steps = answer.plan().steps();
        let more = steps.len().saturating_sub(most);
        match args.trace {
            true => text.push_str(&walk(&question.npc, answer)),
            false => text.push_str(&list(steps.take(most), &question.npc)),
        }
        if more > 0 && !args.trace {
            text.push_str(&format!("  … and {more} more\n"));
        }
    }
    if args.stats {
        text.push_str(&stats(answer));
    }
    text
}

/// Who wants what, and what came of it.
pub(crate) fn headline(question: &PlanQuestion, answer: &Answer) -> String {
    let who = question.npc.type_name();
    let what = question.wish(answer.goal());
    let came = match answer.outcome() {
        Outcome::Plan { cost } => format!("{}, cost {cost}", count(answer.plan().len(), "action")),
        Outcome::Satisfied if question.want == Target::Best => {
            return format!("{who}: every goal holds already, nothing to do\n");
        }
        Outcome::Satisfied => "holds already, nothing to do".to_string(),
        Outcome::Impossible(_) => format!("impossible\n  {}", answer.reason()),
        Outcome::GaveUp(limit) => format!("gave up\n  {}", question.limits.sentence(*limit)),
    };
    format!("{who} → {what}: {came}\n")
}

/// The actions, a line each, of equal ones in a row for all; under a compound its parts, behind an action of several kinds
/// the one to choose now.
pub(crate) fn list<'s>(steps: impl ExactSizeIterator<Item = Step<'s>>, npc: &Npc) -> String {
    let steps: Vec<Step<'_>> = steps.collect();
    let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
    let rows = rows(&names);
    let width = rows.iter().map(|row| row.numbers().len()).max().unwrap_or(0);
    let told: Vec<String> = rows.iter().map(|row| row.name(names[row.steps.start])).collect();
    let longest = told.iter().map(|name| cells(name)).max().unwrap_or(0);
    let uniform = steps.iter().all(|step| step.cost == steps[0].cost);
    let mut text = String::new();
    for (row, name) in rows.iter().zip(&told) {
        let step = &steps[row.steps.start];
        let (number, now) = (row.numbers(), kind_now(npc, step));
        let each = if row.times() > 1 { " each" } else { "" };
        let line = match uniform {
            true => format!("{name}{now}"),
            false => format!("{}  cost {}{each}{now}", padded(name, longest), step.cost),
        };
        let _ = writeln!(text, "  {number:>width$}. {line}");
        for part in step.part_names() {
            let _ = writeln!(text, "  {:width$}    {part}", "");
        }
    }
    text
}

/// ` (now: kick)` behind an action that has kinds.
pub(crate) fn kind_now(npc: &Npc, step: &Step<'_>) -> String {
    npc.kind_of(step.action).map_or(String::new(), |kind| format!(" (now: {})", kind.name()))
}

/// How wide the numbers and the names of a plan are.
fn columns(steps: &[Step<'_>]) -> (usize, usize) {
    let longest = steps.iter().map(|step| cells(step.name)).max().unwrap_or(0);
    (steps.len().to_string().len(), longest)
}

/// The plan with the state it passes through.
fn walk(npc: &Npc, answer: &Answer) -> String {
    let domain = npc.domain();
    let map = domain.compiled().map();
    let mut npc = npc.clone();
    let kind = domain.compiled().npc(npc.type_id());
    let known = kind.variables().iter().map(|&id| match npc.fact_of(id) {
        Some(fact) => map.fact(fact),
        None => format!("{} unknown", map.variable(id)),
    });
    let mut text = format!("  from {}\n", known.collect::<Vec<_>>().join(", "));
    let steps: Vec<Step<'_>> = answer.plan().steps().collect();
    let (width, longest) = columns(&steps);
    for step in steps {
        let action = &domain.model().actions()[step.action.index()];
        let sets = action.sets().iter().map(|set| set.variable);
        let changed: Vec<VariableId> =
            sets.chain(action.shifts().iter().map(|shift| shift.variable)).collect();
        let value = |npc: &Npc, id| npc.fact_of(id).map_or("unknown", |fact| map.value(fact));
        let before: Vec<&str> = changed.iter().map(|&id| value(&npc, id)).collect();
        npc.apply(step.action);
        let changes = changed
            .iter()
            .zip(before)
            .map(|(&id, before)| format!("{}: {before} -> {}", map.variable(id), value(&npc, id)));
        let changes = changes.collect::<Vec<_>>().join(", ");
        let (number, name) = (step.index + 1, padded(step.name, longest));
        let _ = writeln!(text, "  {number:width$}. {name}  {changes}");
    }
    text
}

/// How much work it was.
pub(crate) fn stats(answer: &Answer) -> String {
    let states = count(usize::try_from(answer.nodes()).unwrap_or(usize::MAX), "state");
    format!("  planner {}, {states} expanded; {}\n", answer.engine().name(), answer.because())
}
