//! `throng pddl info`: what a task has, before and after grounding, and what it uses.

use crate::args::field::PddlTaskArgs;
use crate::console::{CommandResult, Console, Fail};
use crate::field::files;
use crate::field::ground::ground;
use crate::field::measure::Stopwatch;
use crate::field::run::RunLimits;
use crate::{FINE, LIMIT};
use serde_json::{Value, json};
use throng_pddl::ground::{Grounded, Unreachable};
use throng_pddl::lifted::Lifted;

pub(super) fn run(args: &PddlTaskArgs, console: &mut Console<'_>) -> CommandResult {
    let limits = RunLimits::new(&args.limits, None, console);
    let task = files::lifted(&args.files, &limits, true, console)?;
    let grounded = match ground(&task, &limits, &mut Stopwatch::default()) {
        Err(Fail::Limit { text, .. }) => Err(text),
        grounded => Ok(grounded?),
    };
    match args.json {
        true => console.json(&shape(&task, &grounded))?,
        false => console.print(&text(&task, &grounded))?,
    }
    Ok(if grounded.is_err() { LIMIT } else { FINE })
}

/// Before and after grounding; `limit` says why it was not grounded, `unreachable` what of the
/// goal can never hold, if grounding shows it.
fn shape(task: &Lifted, grounded: &Result<Grounded, String>) -> Value {
    let done = grounded.as_ref().ok();
    let ground = done.map(|Grounded { named, counts, .. }| {
        let sizes = named.task.sizes();
        let derived = (0..sizes.len()).filter(|&at| named.task.layer(at as u32).is_some());
        json!({
            "facts": counts.atoms, "variables": sizes.len(), "derived": derived.count(),
            "operators": named.task.n_operators(), "rules": named.task.axioms().count(),
            "mutex_groups": named.mutexes.len(),
        })
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

fn text(task: &Lifted, grounded: &Result<Grounded, String>) -> String {
    let mut text = format!("{}: {}\n", task.domain, task.problem);
    let mut rows = vec![
        ("types", task.types.len()),
        ("objects", task.objects.len()),
        ("predicates", task.predicates.len()),
        ("actions", task.actions.len()),
        ("derived by axioms", task.axioms.len()),
        ("facts at the start", task.init.len()),
    ];
    if let Ok(Grounded { named, counts, .. }) = grounded {
        rows.extend([
            ("ground facts", counts.atoms),
            ("ground variables", named.task.sizes().len()),
            ("ground operators", named.task.n_operators()),
            ("ground rules", named.task.axioms().count()),
            ("mutex groups", named.mutexes.len()),
        ]);
    }
    for (name, count) in rows {
        text.push_str(&format!("  {name:<20} {count:>10}\n"));
    }
    text.push_str(&format!("  uses                 {}\n", task.features().join(" ")));
    match grounded {
        Err(why) => text.push_str(&format!("  not grounded: {why}\n")),
        Ok(Grounded { unreachable: Some(unreachable), .. }) => {
            text.push_str(&format!("  impossible: {unreachable}\n"));
        }
        Ok(_) => {}
    }
    text
}
