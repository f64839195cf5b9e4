//! `throng plan`: a cheapest plan, or the reason.

use crate::args::{PlanArgs, PlanOnlyArgs};
use crate::commands::{plans, untrusted};
use crate::console::{CommandResult, Console, Fail};
use crate::edge::{cells, padded};
use crate::loading;
use crate::question::{Asked, Limits, Question, engine, planner, question, request};
use crate::shapes::{AnswerShape, exit_code};
use serde_json::value::RawValue;
use throng::{Answer, Npc, Outcome, Planner, Request, Scratch, Step, Target};
use throng_domain::Format;

pub(crate) fn run(only: &PlanOnlyArgs, console: &mut Console<'_>) -> CommandResult {
    let args = &only.plan;
    if only.plans.is_some() || only.partial {
        return plans::run(only, console);
    }
    let asked = match planner(&args.planner, console.extension()) {
        Ok(Asked::Untrusted(planner)) => {
            let outcome = untrusted::run(planner, args, console);
            return outcome.map_err(|fail| answered(fail, args, console));
        }
        Ok(Asked::Engine(engine)) => engine,
        // `ask` complains of it, after what is wrong with the file.
        Err(_) => None,
    };
    let (question, request) = ask(args, "plan", console)?;
    let answer = Planner::new().plan(&question.npc, &request, &mut Scratch::default());
    let other = asked.filter(|&asked| asked != answer.engine());
    if let Some(asked) = other.filter(|_| !args.question.json) {
        let (by, asked, why) = (answer.engine().name(), asked.name(), answer.because());
        console.message(&format!("note: planned by `{by}`, not by `{asked}`: {why}"));
    }
    if args.question.json {
        console.json(&AnswerShape::new(RawValue::NULL, &question.npc, &answer))?;
        return Ok(exit_code(answer.outcome()));
    }
    headline(&question, &answer, console)?;
    if matches!(answer.outcome(), Outcome::Plan { .. }) {
        match args.trace {
            true => walk(&question.npc, &answer, console)?,
            false => list(answer.plan().steps(), &question.npc, console)?,
        }
    }
    if args.stats {
        stats(&answer, console)?;
    }
    Ok(exit_code(answer.outcome()))
}

/// Loads and understands: what `plan` and its siblings share. What is wrong with the question is
/// an answer too, for those who read JSON.
pub(crate) fn ask(
    args: &PlanArgs,
    command: &str,
    console: &mut Console<'_>,
) -> Result<(Question, Request), Fail> {
    let asked = understand(args, console).and_then(|question| {
        let engine = engine(&args.planner, command, console.extension())?;
        let request = request(&question, args, engine, console.stop())?;
        Ok((question, request))
    });
    asked.map_err(|fail| answered(fail, args, console))
}

/// Loads the domain and understands the words.
pub(crate) fn understand(args: &PlanArgs, console: &mut Console<'_>) -> Result<Question, Fail> {
    let said = args.question.format.map(Format::from);
    let domain = loading::domain(&args.question.file, said, console)?;
    let limits = Limits { max_nodes: args.max_nodes, memory: Some(args.memory) };
    Ok(Question { limits, ..question(&domain, &args.question)? })
}

/// A complaint on its way to the message stream; with `--json` it is told as an answer first.
pub(crate) fn answered(fail: Fail, args: &PlanArgs, console: &mut Console<'_>) -> Fail {
    let (false, true) = (matches!(fail, Fail::ReaderGone), args.question.json) else {
        return fail;
    };
    let (code, text) = fail.clone().coded();
    let told = console.json(&AnswerShape::error(RawValue::NULL, None, code, text));
    // Nobody reads on: that is what ends the command then.
    told.err().unwrap_or(fail)
}

/// Who wants what, and what came of it.
pub(crate) fn headline(
    question: &Question,
    answer: &Answer,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let who = question.npc.type_name();
    let what = question.wish(answer.goal());
    let text = match answer.outcome() {
        Outcome::Plan { cost } => {
            let plan = answer.plan();
            let plural = if plan.len() == 1 { "" } else { "s" };
            format!("{who} → {what}: {} action{plural}, cost {cost}", plan.len())
        }
        Outcome::Satisfied if question.want == Target::Best => {
            format!("{who}: every goal holds already, nothing to do")
        }
        Outcome::Satisfied => format!("{who} → {what}: holds already, nothing to do"),
        Outcome::Impossible(_) => {
            format!("{who} → {what}: impossible\n  {}", answer.reason())
        }
        Outcome::GaveUp(limit) => {
            format!("{who} → {what}: gave up\n  {}", question.limits.sentence(*limit))
        }
    };
    console.line(&text)
}

/// The actions, a line each; under a compound its parts, behind an action of several kinds
/// the one to choose now.
pub(crate) fn list<'s>(
    steps: impl ExactSizeIterator<Item = Step<'s>>,
    npc: &Npc,
    console: &mut Console<'_>,
) -> Result<(), Fail> {
    let steps: Vec<Step<'_>> = steps.collect();
    let (width, longest) = columns(&steps);
    let uniform = steps.iter().all(|step| step.cost == steps[0].cost);
    for step in &steps {
        let number = step.index + 1;
        let now = npc.kind_of(step.action);
        let now = now.map_or(String::new(), |kind| format!(" (now: {})", kind.name()));
        let line = match uniform {
            true => format!("  {number:width$}. {}{now}", step.name),
            false => {
                let name = padded(step.name, longest);
                format!("  {number:width$}. {name}  cost {}{now}", step.cost)
            }
        };
        console.line(&line)?;
        for part in step.part_names() {
            console.line(&format!("  {:width$}    {part}", ""))?;
        }
    }
    Ok(())
}

/// How wide the numbers and the names of a plan are.
fn columns(steps: &[Step<'_>]) -> (usize, usize) {
    let longest = steps.iter().map(|step| cells(step.name)).max().unwrap_or(0);
    (steps.len().to_string().len(), longest)
}

/// The plan with the state it passes through.
pub(crate) fn walk(npc: &Npc, answer: &Answer, console: &mut Console<'_>) -> Result<(), Fail> {
    let domain = npc.domain();
    let map = domain.compiled().map();
    let mut npc = npc.clone();
    let kind = domain.compiled().npc(npc.type_id());
    let known: Vec<String> = kind
        .variables()
        .iter()
        .map(|&id| match npc.fact_of(id) {
            Some(fact) => map.fact(fact),
            None => format!("{} unknown", map.variable(id)),
        })
        .collect();
    console.line(&format!("  from {}", known.join(", ")))?;
    let steps: Vec<Step<'_>> = answer.plan().steps().collect();
    let (width, longest) = columns(&steps);
    for step in steps {
        let sets = domain.model().actions()[step.action.index()].sets();
        let changes: Vec<String> = sets
            .iter()
            .map(|&fact| {
                let before = npc.fact_of(fact.variable).map_or("unknown", |fact| map.value(fact));
                format!("{}: {before} -> {}", map.variable(fact.variable), map.value(fact))
            })
            .collect();
        let (number, name) = (step.index + 1, padded(step.name, longest));
        console.line(&format!("  {number:width$}. {name}  {}", changes.join(", ")))?;
        npc.apply(step.action);
    }
    Ok(())
}

pub(crate) fn stats(answer: &Answer, console: &mut Console<'_>) -> Result<(), Fail> {
    let nodes = answer.nodes();
    let plural = if nodes == 1 { "" } else { "s" };
    let (engine, why) = (answer.engine().name(), answer.because());
    console.line(&format!("  planner {engine}, {nodes} state{plural} expanded; {why}"))
}
