//! What `pddl classes` and `sas classes` print: how far a task is from the fast class.
//!
//! In:   a ground task.
//! Out:  how many operators keep each restriction, the actions that do not, the engine.
//!
//! A task that can be said as one of our domains is made one, and then its own class report
//! says which engine serves and what is promised.

use crate::console::{CommandResult, Console, count};
use crate::field::run::RunLimits;
use crate::{FINE, LIMIT};
use serde::Serialize;
use throng::Domain;
use throng_domain::formats::{load, no_includes};
use throng_domain::{Format, Limits};
use throng_pddl::convert::to_domain_until;
use throng_pddl::distance::{Distance, Obstacle, distance_until};
use throng_pddl::named::NamedTask;

/// How many obstacles are told to people; JSON has all.
const MOST_SHOWN: usize = 12;
/// Tasks with more operators are not made domains only to be classified.
const MOST_OPERATORS: usize = 50_000;

#[derive(Serialize)]
struct DistanceShape<'a> {
    operators: usize,
    unary: usize,
    post_unique: usize,
    single_valued: usize,
    variables: usize,
    binary: usize,
    derived: usize,
    /// Whether every operator is unary and post-unique: the class that is planned fast.
    fast_class: bool,
    /// The engine that would serve it as a domain; `forward` if it is none.
    engine: &'static str,
    promise: &'static str,
    /// Why it cannot be one of our domains; empty if it can.
    not_a_domain: Vec<String>,
    obstacles: Vec<ObstacleShape<'a>>,
    limit: Option<&'a str>,
}

#[derive(Serialize)]
struct ObstacleShape<'a> {
    class: &'static str,
    action: &'a str,
    operators: usize,
    of: usize,
    why: &'static str,
    /// The first operator, as a step of a plan.
    example: String,
    fact: Option<&'a str>,
}

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
    let (Some(found), Some(served), false) = (found, served, stop()) else {
        let why = running.map(|limits| limits.sentence(limits.over())).unwrap_or_default();
        return print_limit(&why, json, console);
    };
    let obstacles = found.obstacles.iter().map(obstacle).collect();
    let shape = DistanceShape {
        operators: found.operators,
        unary: found.unary,
        post_unique: found.post_unique,
        single_valued: found.single_valued,
        variables: found.variables,
        binary: found.binary,
        derived: found.derived,
        fast_class: found.is_fast(),
        engine: served.engine,
        promise: served.promise,
        not_a_domain: served.obstacles,
        obstacles,
        limit: None,
    };
    match json {
        true => console.json(&shape)?,
        false => console.line(&text(&found, &shape))?,
    }
    Ok(FINE)
}

/// Prints which limit was hit.
pub(crate) fn print_limit(why: &str, json: bool, console: &mut Console<'_>) -> CommandResult {
    match json {
        true => console.json(&serde_json::json!({ "limit": why, "obstacles": [] }))?,
        false => console.line(&format!("gave up: {why}"))?,
    }
    Ok(LIMIT)
}

fn obstacle(obstacle: &Obstacle) -> ObstacleShape<'_> {
    ObstacleShape {
        class: obstacle.breach.class(),
        action: &obstacle.action,
        operators: obstacle.operators,
        of: obstacle.of,
        why: obstacle.breach.why(),
        example: format!("({})", obstacle.example),
        fact: obstacle.fact.as_deref(),
    }
}

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
    let loaded = load(
        "task.json",
        &text,
        Format::Json,
        &Limits::default(),
        &throng_mind::notes::WORDS,
        &mut no_includes,
    );
    let Ok(domain) = Domain::from_loaded(loaded) else {
        return by_search(vec!["it is larger than a domain may be".to_string()]);
    };
    let Some(npc) = domain.compiled().npcs().first() else {
        return by_search(vec!["it has no actions".to_string()]);
    };
    let report = npc.classes();
    let (engine, promise) = (report.engine().name(), report.promise());
    Some(Served { engine, promise, obstacles: Vec::new() })
}

fn text(found: &Distance, shape: &DistanceShape<'_>) -> String {
    let mut lines = vec![format!(
        "{}, {}, {} of them derived",
        count(found.operators, "operator"),
        count(found.variables, "variable"),
        found.derived
    )];
    let mut row = |kept: usize, all: usize, class: &str, words: &str| {
        let word = if kept == all { "yes" } else { "no" };
        let share = match all {
            0 => String::new(),
            _ => format!("{:.1} %", 100.0 * kept as f64 / all as f64),
        };
        lines.push(format!("  {word:<4} {class:<4} {kept:>8} of {all:<8} {share:>7}  {words}"));
    };
    row(found.unary, found.operators, "U", "unary: each moves one variable, from one value");
    row(found.post_unique, found.operators, "P", "post-unique: nobody else sets that value");
    row(found.single_valued, found.operators, "S", "single-valued: all look for the same value");
    row(found.binary, found.variables, "B", "binary: variables of at most two values");
    // A task itself is searched; these are what the same task would have as a domain.
    lines.push(format!("  engine, as a domain   {}", shape.engine));
    lines.push(format!("  promise               {}", shape.promise));
    for why in &shape.not_a_domain {
        lines.push(format!("  not a domain of ours: {why}"));
    }
    let (single, fast): (Vec<&Obstacle>, Vec<&Obstacle>) =
        found.obstacles.iter().partition(|obstacle| obstacle.breach.class() == "S");
    let parts = [
        ("in the way of the fast class (U and P), by action", fast),
        ("not single-valued (S), by action; the fast class does not need it", single),
    ];
    for (heading, obstacles) in parts {
        list(heading, &obstacles, &mut lines);
    }
    lines.join("\n")
}

fn list(heading: &str, obstacles: &[&Obstacle], lines: &mut Vec<String>) {
    if obstacles.is_empty() {
        return;
    }
    lines.push(format!("\n  {heading}"));
    for obstacle in obstacles.iter().take(MOST_SHOWN) {
        let about = obstacle.fact.as_ref().map_or(String::new(), |fact| format!(": {fact}"));
        lines.push(format!(
            "  {}  {} ({} of {}) {}, as ({}){about}",
            obstacle.breach.class(),
            obstacle.action,
            obstacle.operators,
            obstacle.of,
            obstacle.breach.why(),
            obstacle.example,
        ));
    }
    let more = obstacles.len().saturating_sub(MOST_SHOWN);
    if more > 0 {
        lines.push(format!("  and {more} more; `--json` lists all"));
    }
}
