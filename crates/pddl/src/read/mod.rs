//! PDDL: two texts into one lifted task.
//!
//! ```text
//! text ─▶ scan ─▶ tree ─▶ outline ─▶ names ─▶ domain, problem ─▶ Lifted
//!       (words)  (lists)  (sections)  (to numbers)  (conditions, effects, facts)
//!
//! names:           types, objects, predicates, functions: what both files declare
//! domain, problem: conditions and effects, which know names and the variables that are visible
//! notes:           what all of them tell and count
//! ```
//!
//! In:   the domain's text and the problem's, of any bytes that are characters.
//! Out:  the task if there was no error; every diagnostic of both texts; the texts themselves.
//! Cost: linear in the texts and in what they expand to; [`Limits`] bound both.
//!
//! Read is what planners of the field read: typing, constants, negation, equality, costs,
//! conditional and universal effects, `or`, `imply`, quantifiers, derived predicates, `either`;
//! in any case, with parts missing, in the spelling `:preconditions` / `:effects` too. Where
//! such planners shrug, there is a warning. What is not planned with is refused by its name.

mod condition;
mod domain;
mod effect;
mod functions;
mod limits;
mod names;
mod notes;
mod objects;
mod outline;
mod predicates;
mod problem;
mod refused;
mod requirements;
mod scan;
mod tree;
mod typed;
mod types;
mod variables;

pub use limits::Limits;

use crate::asking::Asking;
use crate::lifted::{Axiom, Lifted};
use domain::{Actions, check_strata, read_head, read_rule};
use functions::check_costs;
use names::Names;
use notes::Notes;
use outline::{Kind, Outline, is_other};
use problem::{check_domain_name, read_goal, read_init, read_metric};
use throng_domain::{Code, FileId, Report, Sources, Span};
use tree::Tree;

/// A text with the name by which people know it.
#[derive(Clone, Copy, Debug)]
pub struct Text<'t> {
    /// Such as its path.
    pub name: &'t str,
    /// What it says.
    pub text: &'t str,
}

/// What reading gives.
#[must_use]
#[non_exhaustive]
#[derive(Debug)]
pub struct Reading {
    /// The texts that the diagnostics speak of: the domain is file 0, the problem file 1.
    pub sources: Sources,
    /// All diagnostics, warnings included.
    pub report: Report,
    /// The task; `None` if there was an error.
    pub task: Option<Lifted>,
}

/// Reads a domain and a problem; every mistake of both is reported, not only the first.
pub fn read_task(domain: Text<'_>, problem: Text<'_>, limits: &Limits) -> Reading {
    read_asking(domain, problem, limits, &Asking::new(&|| false))
}

/// The same; `None` if `stop`, asked now and then, said so before the texts were read.
pub fn read_task_until(
    domain: Text<'_>,
    problem: Text<'_>,
    limits: &Limits,
    stop: &dyn Fn() -> bool,
) -> Option<Reading> {
    let asking = Asking::new(stop);
    let reading = read_asking(domain, problem, limits, &asking);
    (!asking.is_over()).then_some(reading)
}

/// What was read; it means nothing if the caller said stop.
fn read_asking(
    domain: Text<'_>,
    problem: Text<'_>,
    limits: &Limits,
    asking: &Asking<'_>,
) -> Reading {
    let mut sources = Sources::default();
    let is_too_large = domain.text.len().saturating_add(problem.text.len()) > limits.text_bytes;
    let kept = |text: Text<'_>| if is_too_large { String::new() } else { text.text.to_string() };
    let domain_file = sources.add(domain.name, kept(domain));
    let problem_file = sources.add(problem.name, kept(problem));
    let mut report = Report::default();
    if is_too_large {
        let file = if domain.text.len() > problem.text.len() { domain_file } else { problem_file };
        let text = format!("the two texts are larger than {} bytes together", limits.text_bytes);
        let cure = "split the task, or take fewer objects";
        report.say(Code::TextTooLarge, Span::new(file, 0, 0), text, cure);
        return Reading { sources, report, task: None };
    }
    let (domain, problem) = ((domain_file, domain.text), (problem_file, problem.text));
    let (mut report, task) = read(domain, problem, limits, asking);
    report.sort();
    let task = task.filter(|_| !report.has_errors());
    Reading { sources, report, task }
}

fn read(
    domain: (FileId, &str),
    problem: (FileId, &str),
    limits: &Limits,
    asking: &Asking<'_>,
) -> (Report, Option<Lifted>) {
    let mut report = Report::default();
    let domain = Tree::new(domain.0, domain.1, limits.name_bytes, asking, &mut report);
    let problem = Tree::new(problem.0, problem.1, limits.name_bytes, asking, &mut report);
    if report.has_errors() || asking.is_over() {
        // What a list holds is not known while its end is not.
        return (report, None);
    }
    let mut notes = Notes::new(limits, asking, report);
    if is_other(&domain, Kind::DOMAIN) && is_other(&problem, Kind::PROBLEM) {
        let text = "the domain and the problem are given the wrong way round";
        let cure = "give the file of the domain first, then the file of the problem";
        let first = domain.whole().parts().next().unwrap_or(domain.whole());
        notes.report.say(Code::PddlSwapped, first.head_span(), text, cure);
        return (notes.finish(), None);
    }
    let domain = Outline::read(&domain, Kind::DOMAIN, &mut notes);
    let problem = Outline::read(&problem, Kind::PROBLEM, &mut notes);
    let task = domain.zip(problem).map(|(domain, problem)| task(&domain, &problem, &mut notes));
    (notes.finish(), task)
}

/// The task of two outlines: first all names, then actions, then the problem.
fn task<'t>(domain: &Outline<'t>, problem: &Outline<'t>, notes: &mut Notes<'t>) -> Lifted {
    // A problem may name requirements of its own; they allow as much.
    let requirements = domain.all(":requirements").chain(problem.all(":requirements"));
    requirements.for_each(|section| notes.requirements.read(section, &mut notes.report));
    let names = &mut Names::read(domain, problem, notes);
    let heads: Vec<_> =
        domain.all(":derived").filter_map(|section| read_head(section, names, notes)).collect();
    let mut actions = Actions::default();
    domain.all(":action").for_each(|section| actions.read(section, names, notes));
    check_costs(&actions.list, &names.functions, notes);
    let mut axioms: Vec<Axiom> = Vec::new();
    for head in heads {
        axioms.extend(read_rule(head, axioms.len(), names, notes));
    }
    if !notes.report.has_errors() {
        check_strata(&names.predicates.list, &axioms, notes);
    }
    check_domain_name(domain.name, problem, notes);
    let start = problem.one(":init").map(|section| read_init(section, names, notes));
    if start.is_none() && !problem.name.is_empty() {
        let text = "the problem has no initial state";
        notes.expected(problem.place, text, "write `(:init …)`; it may be empty");
    }
    let mut start = start.unwrap_or_default();
    names.objects.end_inferring(problem.place, notes);
    let (goal, n_goal_variables) = read_goal(problem, names, notes);
    let numbers = start.numbers(&names.functions.list, notes);
    let has_metric = problem.one(":metric").is_some_and(|section| read_metric(section, notes));
    let Names { types, objects, predicates, functions } = std::mem::take(names);
    Lifted {
        domain: domain.name.to_string(),
        problem: problem.name.to_string(),
        types: types.list,
        n_constants: objects.n_constants,
        objects: objects.list,
        predicates: predicates.list,
        functions: functions.list,
        actions: actions.list,
        axioms,
        init: start.facts,
        values: start.values,
        numbers,
        goal,
        n_goal_variables,
        has_metric,
    }
}
