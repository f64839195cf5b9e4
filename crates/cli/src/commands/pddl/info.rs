//! `throng pddl info`: what a task has, before and after grounding, and what it uses.

use crate::args::field::PddlTaskArgs;
use crate::console::{CommandResult, Console, Fail};
use crate::field::files;
use crate::field::ground::{ground, ground_counting};
use crate::field::measure::Stopwatch;
use crate::field::run::RunLimits;
use crate::{FINE, LIMIT};
use serde_json::{Value, json};
use throng_pddl::ground::Unreachable;
use throng_pddl::lifted::Lifted;
use throng_pddl::named::NamedTask;

/// A ground task, as far as it is counted.
struct Made {
    named: NamedTask,
    n_facts: usize,
    /// Of those how many are tests of numbers.
    n_tests: usize,
    n_numbers: usize,
    unreachable: Option<Unreachable>,
}

pub(super) fn run(args: &PddlTaskArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.limits, None, console);
    let task = files::lifted(&args.files, &limits, true, console)?;
    let grounded = match made(&task, &limits) {
        Err(Fail::Limit { text, .. }) => Err(text),
        grounded => Ok(grounded?),
    };
    match args.json {
        true => console.json(&shape(&task, &grounded))?,
        false => console.print(&text(&task, &grounded))?,
    }
    Ok(if grounded.is_err() { LIMIT } else { FINE })
}

fn made(task: &Lifted, limits: &RunLimits) -> Result<Made, Fail> {
    let stopwatch = &mut Stopwatch::default();
    if !task.has_numbers() {
        let made = ground(task, limits, stopwatch)?;
        let (n_facts, unreachable) = (made.counts.atoms, made.unreachable);
        return Ok(Made { named: made.named, n_facts, n_tests: 0, n_numbers: 0, unreachable });
    }
    let made = ground_counting(task, limits, stopwatch)?;
    let (counted, unreachable) = (made.counted, made.grounded.unreachable);
    // Two values of a test are no facts of the task.
    let n_values: usize = counted.named.variables.iter().map(|of| of.values.len()).sum();
    let n_facts = n_values - 2 * counted.tests.len();
    let (n_tests, n_numbers) = (counted.tests.len(), counted.numbers.len());
    Ok(Made { named: counted.named, n_facts, n_tests, n_numbers, unreachable })
}

/// Before and after grounding; `limit` says why it was not grounded, `unreachable` what of the
/// goal can never hold, if grounding shows it.
fn shape(task: &Lifted, grounded: &Result<Made, String>) -> Value {
    let done = grounded.as_ref().ok();
    let ground = done.map(|made| {
        let Made { named, n_facts, n_tests, n_numbers, .. } = made;
        let sizes = named.task.sizes();
        let derived = (0..sizes.len()).filter(|&at| named.task.layer(at as u32).is_some());
        let mut ground = json!({
            "facts": n_facts, "variables": sizes.len() - n_tests,
            "derived": derived.count() - n_tests,
            "operators": named.task.n_operators(), "rules": named.task.axioms().count(),
            "mutex_groups": named.mutexes.len(),
        });
        if task.has_numbers() {
            ground["numbers"] = json!(n_numbers);
        }
        ground
    });
    let unreachable = done.and_then(|grounded| grounded.unreachable.as_ref());
    json!({
        "domain": task.domain, "problem": task.problem, "types": task.types.len(),
        "objects": task.objects.len(), "predicates": task.predicates.len(),
        "functions": task.functions.len(), "actions": task.actions.len(),
        "axioms": task.axioms.len(), "init": task.init.len(), "metric": task.has_metric,
        "features": task.features(), "ground": ground, "limit": grounded.as_ref().err(),
        "unreachable": unreachable.map(Unreachable::part),
    })
}

fn text(task: &Lifted, grounded: &Result<Made, String>) -> String {
    let mut text = format!("{}: {}\n", task.domain, task.problem);
    let mut rows = vec![
        ("types", task.types.len()),
        ("objects", task.objects.len()),
        ("predicates", task.predicates.len()),
        ("actions", task.actions.len()),
        ("derived by axioms", task.axioms.len()),
        ("facts at the start", task.init.len()),
    ];
    if let Ok(Made { named, n_facts, n_tests, n_numbers, .. }) = grounded {
        rows.extend([
            ("ground facts", *n_facts),
            ("ground variables", named.task.sizes().len() - n_tests),
            ("ground operators", named.task.n_operators()),
            ("ground rules", named.task.axioms().count()),
            ("mutex groups", named.mutexes.len()),
        ]);
        if task.has_numbers() {
            rows.push(("numbers", *n_numbers));
        }
    }
    for (name, count) in rows {
        text.push_str(&format!("  {name:<20} {count:>10}\n"));
    }
    text.push_str(&format!("  uses                 {}\n", task.features().join(" ")));
    match grounded {
        Err(why) => text.push_str(&format!("  not grounded: {why}\n")),
        Ok(Made { unreachable: Some(unreachable), .. }) => {
            text.push_str(&format!("  impossible: {unreachable}\n"));
        }
        Ok(_) => {}
    }
    text
}
