//! What `pddl classes` and `sas classes` print: how far a task is from the fast class.
//!
//! In:   a ground task.
//! Out:  how many operators keep each restriction, the actions that do not, the engine.
//!
//! A task that can be said as one of our domains is made one, and then its own class report
//! says which engine serves and what is promised.

use crate::console::{CommandResult, Console, Fail};
use crate::field::run::RunLimits;
use crate::{FINE, LIMIT};
use serde_json::{Value, json};
use throng::Domain;
use throng_pddl::convert::to_domain_until;
use throng_pddl::distance::{Distance, Obstacle, distance_until};
use throng_pddl::named::NamedTask;

/// How many obstacles are told to people; JSON has all.
const MOST_SHOWN: usize = 12;
/// Tasks with more operators are not made domains only to be classified.
const MOST_OPERATORS: usize = 50_000;

/// Prints the report of a task, or that the time was over before it was made.
pub(crate) fn print(
    named: &NamedTask,
    running: Option<&RunLimits>,
    json: bool,
    console: &mut Console<'_>,
) -> CommandResult {
    let stop = || running.is_some_and(RunLimits::is_over);
    let found = distance_until(named, &stop);
    let served = found.as_ref().and_then(|_| served(named, &stop));
    if let Some(limits) = running.filter(|limits| limits.is_over()) {
        return Err(limits.stopped(limits.over()));
    }
    let (Some(found), Some(served)) = (found, served) else { return Ok(LIMIT) };
    match json {
        true => console.json(&shape(&found, &served))?,
        false => console.print(&text(&found, &served))?,
    }
    Ok(FINE)
}

fn shape(found: &Distance, served: &Served) -> Value {
    let obstacles = found.obstacles.iter().map(|it| {
        json!({
            "class": it.breach.class(), "action": it.action, "operators": it.operators,
            "of": it.of, "why": it.breach.why(),
            // The first operator, as a step of a plan.
            "example": format!("({})", it.example), "fact": it.fact,
        })
    });
    json!({
        "operators": found.operators, "unary": found.unary, "post_unique": found.post_unique,
        "single_valued": found.single_valued, "variables": found.variables,
        "binary": found.binary, "derived": found.derived,
        // Whether every operator is unary and post-unique: the class that is planned fast.
        "fast_class": found.is_fast(),
        // The engine that would serve it as a domain; `forward` if it is none.
        "engine": served.engine, "promise": served.promise,
        // Why it cannot be one of our domains; empty if it can.
        "not_a_domain": served.obstacles,
        "obstacles": obstacles.collect::<Vec<_>>(), "limit": null,
    })
}

/// Prints which limit was hit, if it was one.
pub(crate) fn or_limit(fail: Fail, json: bool, console: &mut Console<'_>) -> CommandResult {
    let Fail::Limit { text: why, .. } = fail else { return Err(fail) };
    match json {
        true => console.json(&json!({ "limit": why, "obstacles": [] }))?,
        false => writeln!(console, "gave up: {why}")?,
    }
    Ok(LIMIT)
}

/// Which engine would serve a task as a domain, and why it cannot be one.
struct Served {
    engine: &'static str,
    promise: &'static str,
    obstacles: Vec<String>,
}

/// Which engine would serve the task; `None` if the time was over before that was known.
fn served(named: &NamedTask, stop: &dyn Fn() -> bool) -> Option<Served> {
    let by_search = |obstacles| {
        Some(Served {
            engine: "forward",
            promise: "search: exact, without a bound on its time",
            obstacles,
        })
    };
    if named.task.n_operators() > MOST_OPERATORS {
        return by_search(vec![format!("it has more than {MOST_OPERATORS} operators")]);
    }
    let text = match to_domain_until(named, "task", stop) {
        Ok(text) => text?,
        Err(obstacles) => return by_search(obstacles),
    };
    let Ok(domain) = Domain::from_json(&text) else {
        return by_search(vec!["it is larger than a domain may be".to_string()]);
    };
    let Some(npc) = domain.compiled().npcs().first() else {
        return by_search(vec!["it has no actions".to_string()]);
    };
    let report = domain.compiled().classes(npc.id());
    let (engine, promise) = (report.engine().name(), report.promise());
    Some(Served { engine, promise, obstacles: Vec::new() })
}

fn text(found: &Distance, served: &Served) -> String {
    // A task itself is searched; these are what the same task would have as a domain.
    let Served { engine, promise, obstacles } = served;
    let mut text = found.to_string();
    text.push_str(&format!(
        "  engine, as a domain   {engine}\n  promise               {promise}\n"
    ));
    text.extend(obstacles.iter().map(|why| format!("  not a domain of ours: {why}\n")));
    let (single, fast): (Vec<&Obstacle>, Vec<&Obstacle>) =
        found.obstacles.iter().partition(|obstacle| obstacle.breach.class() == "S");
    let parts = [
        ("in the way of the fast class (U and P), by action", fast),
        ("not single-valued (S), by action; the fast class does not need it", single),
    ];
    for (heading, obstacles) in parts.iter().filter(|(_, obstacles)| !obstacles.is_empty()) {
        text.push_str(&format!("\n  {heading}\n"));
        text.extend(obstacles.iter().take(MOST_SHOWN).map(|obstacle| format!("  {obstacle}\n")));
        let more = obstacles.len().saturating_sub(MOST_SHOWN);
        if more > 0 {
            text.push_str(&format!("  and {more} more; `--json` lists all\n"));
        }
    }
    text
}
