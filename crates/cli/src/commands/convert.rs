//! `throng convert`: between `.npc`, JSON, PDDL and `.sas`.
//!
//! In:   a domain, or a task in one file (`.sas`) or two (PDDL).
//! Out:  the same in another form. What that form has no words for is told, a line each.

mod words;

use crate::FINE;
use crate::args::field::{ConvertArgs, Form, TaskFiles};
use crate::console::{CommandResult, Console, Fail, bad, count};
use crate::field::files;
use crate::field::ground::{ground, ground_counting};
use crate::field::measure::Stopwatch;
use crate::field::run::RunLimits;
use crate::writing::{is_same_file, replace};
use crate::{loading, question};
use serde_json::json;
use std::path::Path;
use throng::{Domain, GoalId, Target};
use throng_domain::formats::{json, npc};
use throng_domain::model::Conditions;
use throng_pddl::convert::{
    counted_from_alternatives, counted_out, for_sas, from_alternatives, has_numbers,
    to_counted_domain_until, to_domain_until, to_numeric_pddl_until, to_pddl_until, unexpressed,
};
use throng_pddl::counted::CountedTask;
use throng_pddl::named::NamedTask;
use throng_pddl::sas;
use words::Words;

pub(crate) fn run(args: &ConvertArgs, console: &mut Console<'_>) -> CommandResult {
    let words = Words::new(args)?;
    console.set_root(args.root.as_ref());
    // Converting a file onto itself would lose its comments and templates.
    if words.inputs.iter().any(|input| words.outputs.iter().any(|it| is_same_file(input, it))) {
        return bad("input and output are the same file; `throng fmt --write` rewrites in place");
    }
    match (words.from, words.to) {
        (Form::Npc | Form::Json, Form::Npc | Form::Json) => domain_to_domain(&words, console),
        _ => {
            let limits = RunLimits::new(&args.limits, None, console);
            let task = task(&words, &limits, console)?;
            write_task(&words, task, &limits, console)
        }
    }
}

fn domain_to_domain(words: &Words<'_>, console: &mut Console<'_>) -> CommandResult {
    let domain = loading::domain_at(&words.inputs[0], words.from.of_domain(), console)?;
    let text = domain_text(&domain, words.to)?;
    let output = &words.outputs[0];
    put(output, &text, console)?;
    let name = output.display().to_string();
    let (variables, actions) = (domain.model().variables().len(), domain.model().actions().len());
    match (is_stdout(output), words.args.json) {
        (true, _) => {}
        (false, true) => console.json(&json!({
            "output": name, "digest": domain.digest().to_string(),
            "variables": variables, "actions": actions,
        }))?,
        (false, false) => wrote(&[name], variables, actions, console),
    }
    Ok(FINE)
}

/// Says what was written.
fn wrote(files: &[String], variables: usize, actions: usize, console: &mut Console<'_>) {
    let names: Vec<String> = files.iter().map(|name| format!("`{name}`")).collect();
    let (variables, actions) = (count(variables, "variable"), count(actions, "action"));
    console.message(&format!("wrote {}: {variables}, {actions}", names.join(" and ")));
}

/// A domain as text.
fn domain_text(domain: &Domain, form: Form) -> Result<String, Fail> {
    if form == Form::Json {
        return Ok(json::write(domain.model()));
    }
    npc::write(domain.model()).or_else(|problems| {
        let lines: Vec<String> = problems
            .iter()
            .take(20)
            .map(|problem| format!("\n  {}: `{}`", problem.what, problem.name))
            .collect();
        let more = problems.len().saturating_sub(20);
        let more = if more > 0 { format!("\n  and {more} more") } else { String::new() };
        bad(format!(".npc cannot express these names; rename them first:{}{more}", lines.concat()))
    })
}

/// A ground task, what it is called, and what was left out.
struct Task {
    body: Body,
    name: String,
    notes: Vec<String>,
}

/// What a ground task does.
enum Body {
    /// It has words alone.
    Words(NamedTask),
    /// It counts.
    Counts(CountedTask),
}

impl Body {
    /// How many variables, numbers among them, and actions.
    fn counts(&self) -> (usize, usize) {
        match self {
            Body::Words(named) => (named.variables.len(), named.operators.len()),
            Body::Counts(CountedTask { named, numbers, tests, .. }) => {
                (named.variables.len() - tests.len() + numbers.len(), named.operators.len())
            }
        }
    }
}

/// Whatever came in as a ground task.
fn task(words: &Words<'_>, limits: &RunLimits, console: &mut Console<'_>) -> Result<Task, Fail> {
    let stem = words.inputs[0].file_stem().map_or("task".into(), |stem| stem.to_string_lossy());
    match words.from {
        Form::Npc | Form::Json => task_of_domain(words, console),
        Form::Sas => {
            let named = files::ground(&words.inputs[0], console)?;
            Ok(Task { body: Body::Words(named), name: stem.into_owned(), notes: Vec::new() })
        }
        Form::Pddl => {
            let [domain, problem] = [0, 1].map(|at| words.inputs[at].clone());
            let files = TaskFiles { domain, problem };
            let lifted = files::lifted(&files, limits, false, console)?;
            let stopwatch = &mut Stopwatch::default();
            let (body, unreachable) = match lifted.has_numbers() {
                true => {
                    let made = ground_counting(&lifted, limits, stopwatch)?;
                    (Body::Counts(made.counted), made.grounded.unreachable)
                }
                false => {
                    let made = ground(&lifted, limits, stopwatch)?;
                    (Body::Words(made.named), made.unreachable)
                }
            };
            let mut notes = Vec::new();
            if words.to == Form::Pddl {
                let (before, (_, after)) = (lifted.actions.len(), body.counts());
                notes.push(format!("actions are written out ({before} became {after})"));
            }
            if let Some(unreachable) = unreachable {
                notes.push(format!("{unreachable}: the task is one without a plan"));
            }
            Ok(Task { body, name: lifted.problem, notes })
        }
    }
}

/// One question about a domain as a task.
fn task_of_domain(words: &Words<'_>, console: &mut Console<'_>) -> Result<Task, Fail> {
    let domain = loading::domain_at(&words.inputs[0], words.from.of_domain(), console)?;
    let asked = &words.args.asked;
    let npcs: Vec<&str> = domain.compiled().map().npc_names().collect();
    if asked.npc.is_none() && npcs.len() > 1 {
        let (n, names) = (npcs.len(), npcs.join(", "));
        return bad(format!("the domain has {n} NPC types; say which with `--npc`: {names}"));
    }
    let told: Vec<String> = asked.npc.iter().chain(&asked.from).cloned().collect();
    let question = question::asked(&domain, &told, &asked.wish)?;
    let compiled = domain.compiled();
    // Conditions for each alternative, and what the goal is called.
    let (wanted, goal): (Vec<Conditions<'_>>, _) = match &question.want {
        Target::Conditions(wants) => (vec![wants.conditions()], None),
        Target::Goal(goal) => {
            (vec![compiled.goal(*goal).conditions()], Some(compiled.map().goal(*goal)))
        }
        Target::Any(goals) => only(&domain, goals)?,
        Target::Best => only(&domain, question::goals_of(&question.npc)?)?,
    };
    let problems: Vec<_> = wanted.iter().map(|&wanted| question.npc.problem(wanted)).collect();
    let notes = unexpressed(domain.model(), compiled, &problems);
    let mut parts = vec![compiled.map().domain()];
    if compiled.npcs().len() > 1 {
        parts.push(question.npc.type_name());
    }
    parts.extend(goal);
    let goal = goal.unwrap_or_default();
    let body = match words.to == Form::Pddl && has_numbers(compiled, &problems) {
        true => Body::Counts(counted_from_alternatives(compiled, &problems, goal)),
        false => {
            let named = from_alternatives(compiled, &problems, goal);
            Body::Words(named.map_err(|many| Fail::Bad(many.to_string()))?)
        }
    };
    Ok(Task { body, name: parts.join("-"), notes })
}

/// What goals want, and their name, if they are alternatives of one.
fn only<'d>(
    domain: &'d Domain,
    goals: &[GoalId],
) -> Result<(Vec<Conditions<'d>>, Option<&'d str>), Fail> {
    let mut names: Vec<&str> = Vec::new();
    for goal in goals.iter().map(|id| &domain.model().goals()[id.index()]) {
        let name = goal.serves().unwrap_or(goal.name());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if let [name] = names[..] {
        let wants = goals.iter().map(|&goal| domain.compiled().goal(goal).conditions());
        return Ok((wants.collect(), Some(name)));
    }
    bad(format!(
        "a task has one goal, and there are {}; say which with `--goal`: {}",
        names.len(),
        names.join(", ")
    ))
}

/// What was written in time.
fn in_time<T>(written: Option<T>, limits: &RunLimits) -> Result<T, Fail> {
    written.ok_or_else(|| {
        let hit = limits.over();
        hit.because(format!("{} before all was written", limits.reached(hit)))
    })
}

fn write_task(
    words: &Words<'_>,
    task: Task,
    limits: &RunLimits,
    console: &mut Console<'_>,
) -> CommandResult {
    let Task { body, name, mut notes } = task;
    let (variables, actions) = body.counts();
    let stop = || limits.is_over();
    match words.to {
        Form::Sas => {
            let mut named = match body {
                Body::Words(named) => named,
                Body::Counts(task) => {
                    counted_out(&task).map_err(|reason| Fail::Bad(reason.to_string()))?
                }
            };
            notes.extend(for_sas(&mut named));
            let text = sas::write_until(&named, &stop);
            let text = in_time(text.map_err(|reason| Fail::Bad(reason.to_string()))?, limits)?;
            put(&words.outputs[0], &text, console)?;
        }
        Form::Pddl => {
            let text = match &body {
                Body::Words(named) => to_pddl_until(named, &name, &stop),
                Body::Counts(task) => to_numeric_pddl_until(task, &name, &stop),
            };
            let text = in_time(text.map_err(|reason| Fail::Bad(reason.to_string()))?, limits)?;
            notes.extend(text.notes);
            for (output, part) in words.outputs.iter().zip([text.domain, text.problem]) {
                put(output, &part, console)?;
            }
        }
        Form::Npc | Form::Json => {
            let (text, named) = match &body {
                Body::Words(named) => (to_domain_until(named, &name, &stop), named),
                Body::Counts(task) => {
                    let made = to_counted_domain_until(task, &name, &stop);
                    let text = made.map(|made| {
                        made.map(|made| {
                            notes.extend(made.assumed);
                            made.text
                        })
                    });
                    (text, &task.named)
                }
            };
            let text = text.map_err(|reasons| {
                let lines: Vec<String> = reasons.iter().map(|why| format!("\n  {why}")).collect();
                Fail::Bad(format!("this task cannot be a domain:{}", lines.concat()))
            })?;
            let text = in_time(text, limits)?;
            let text = match words.to {
                Form::Json => text,
                // A task may be larger than a domain may be.
                _ => match Domain::from_json(&text) {
                    Ok(domain) => domain_text(&domain, Form::Npc)?,
                    Err(error) => return bad(error.to_string()),
                },
            };
            if !named.mutexes.is_empty() {
                let groups = count(named.mutexes.len(), "mutex group");
                notes.push(format!("not expressed: {groups} (hints only; plans are the same)"));
            }
            put(&words.outputs[0], &text, console)?;
        }
    }
    let is_printed = words.outputs.iter().any(|output| is_stdout(output));
    let output: Vec<String> = words.outputs.iter().map(|path| path.display().to_string()).collect();
    if words.args.json && !is_printed {
        // `notes`: what was changed or left out.
        console.json(&json!({
            "output": output, "variables": variables, "actions": actions, "notes": notes,
        }))?;
        return Ok(FINE);
    }
    notes.iter().for_each(|note| console.message(&format!("note: {note}")));
    if !is_printed {
        wrote(&output, variables, actions, console);
    }
    Ok(FINE)
}

fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

fn put(path: &Path, text: &str, console: &mut Console<'_>) -> Result<(), Fail> {
    match is_stdout(path) {
        true => console.print_file(text),
        false => replace(path, text),
    }
}
