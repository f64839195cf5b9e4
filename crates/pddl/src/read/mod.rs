//! PDDL: two texts into one lifted task.
//!
//! ```text
//! text ─▶ scan ─▶ tree ─▶ outline ─▶ declarations, domain, problem ─▶ Lifted
//!       (words)  (lists)  (sections)  (names to numbers; every mistake told)
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

mod asking;
mod condition;
mod declarations;
mod domain;
mod effect;
mod limits;
mod outline;
mod problem;
mod reader;
mod refused;
mod requirements;
mod scan;
pub mod strata;
mod tree;
mod typed;
mod variables;

pub use limits::Limits;

use crate::lifted::Lifted;
use asking::Asking;
use outline::{Kind, Outline, is_other};
use reader::Reader;
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
    read_asking(domain, problem, limits, &Asking::new(None))
}

/// The same; `None` if `stop`, asked now and then, said so before the texts were read.
pub fn read_task_until(
    domain: Text<'_>,
    problem: Text<'_>,
    limits: &Limits,
    stop: &dyn Fn() -> bool,
) -> Option<Reading> {
    let asking = Asking::new(Some(stop));
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
        too_large(&mut report, Span::new(file, 0, 0), limits);
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
    let mut reader = Reader::new(limits, asking, report);
    if is_other(&domain, Kind::Domain) && is_other(&problem, Kind::Problem) {
        let text = "the domain and the problem are given the wrong way round";
        let cure = "give the file of the domain first, then the file of the problem";
        let first = domain.whole().parts().next().unwrap_or(domain.whole());
        reader.report.say(Code::PddlSwapped, first.head_span(), text, cure);
        return (reader.report, None);
    }
    let outlines = (reader.outline(&domain, Kind::Domain), reader.outline(&problem, Kind::Problem));
    let (Some(domain), Some(problem)) = outlines else { return (reader.report, None) };
    reader.read_outlines(&domain, &problem);
    (reader.report, Some(reader.task))
}

impl<'t> Reader<'t> {
    /// Declarations of both files first, so that what an action lacks may be found among the
    /// problem's objects; then actions, then the problem.
    fn read_outlines(&mut self, domain: &Outline<'t>, problem: &Outline<'t>) {
        self.task.domain = domain.name.to_string();
        self.task.problem = problem.name.to_string();
        for section in domain.all(":requirements") {
            self.read_requirements(section);
        }
        // A problem may name requirements of its own; they allow as much.
        for section in problem.all(":requirements") {
            self.read_requirements(section);
        }
        for section in domain.all(":types") {
            self.read_types(section);
        }
        for section in domain.all(":constants") {
            self.read_objects(section);
        }
        self.task.n_constants = self.task.objects.len();
        for section in problem.all(":objects") {
            self.read_objects(section);
        }
        self.count_types_of_objects(problem.place);
        for section in domain.all(":functions") {
            self.read_functions(section);
        }
        for section in domain.all(":predicates") {
            self.read_predicates(section);
        }
        if domain.one(":predicates").is_none() {
            self.infer_predicates(domain);
        }
        if domain.one(":constants").is_none() && problem.one(":objects").is_none() {
            self.infers_objects = true;
        }
        let heads: Vec<_> =
            domain.all(":derived").into_iter().filter_map(|form| self.read_head(form)).collect();
        for section in domain.all(":action") {
            self.read_action(section);
        }
        for head in heads {
            self.read_rule(head);
        }
        if !self.report.has_errors() {
            self.check_strata();
        }
        self.check_domain_name(problem);
        match problem.one(":init") {
            Some(section) => self.read_init(section),
            None if !problem.name.is_empty() => {
                let text = "the problem has no initial state";
                self.expected(problem.place, text, "write `(:init …)`; it may be empty");
            }
            None => {}
        }
        self.tell_inferred_objects(problem);
        self.read_goal(problem);
        if let Some(section) = problem.one(":metric") {
            self.read_metric(section);
        }
        self.check_requirements();
    }

    fn infer_predicates(&mut self, domain: &Outline<'t>) {
        self.infers_predicates = true;
        if !domain.all(":action").is_empty() {
            let text = "there is no `(:predicates …)`; predicates are taken from their uses";
            let cure = "declare them, so that slips of the fingers are found";
            self.report.say(Code::PddlInferred, domain.place, text, cure);
        }
    }

    fn tell_inferred_objects(&mut self, problem: &Outline<'t>) {
        if self.infers_objects && !self.task.objects.is_empty() {
            let text = "there is no `(:objects …)`; objects are taken from the initial state";
            let cure = "declare them, so that slips of the fingers are found";
            self.report.say(Code::PddlInferred, problem.place, text, cure);
        }
        // The goal names what the initial state does.
        self.infers_objects = false;
    }
}

fn too_large(report: &mut Report, span: Span, limits: &Limits) {
    report.say(
        Code::TextTooLarge,
        span,
        format!("the two texts are larger than {} bytes together", limits.text_bytes),
        "split the task, or take fewer objects",
    );
}
