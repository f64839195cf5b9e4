//! The same question in every form: a domain, `.sas`, and a domain again. The cheapest plan
//! costs the same in all of them, for every NPC and goal of the corpus.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use throng::model::formats::{json, load, no_includes, npc};
use throng::model::{Format, Limits};
use throng::prelude::*;
use throng_pddl::convert::{for_sas, from_domain, to_domain, unexpressed};
use throng_pddl::named::NamedTask;
use throng_pddl::sas;
use throng_planner::Budget;
use throng_planner::forward::{Found, Search};
use throng_suite::corpus;

/// The cost of a cheapest plan in thousandths; `None` if there is none.
fn cheapest(npc: &Npc, request: &Request, scratch: &mut Scratch) -> Option<u64> {
    match Planner::new().plan(npc, request, scratch).outcome() {
        Outcome::Plan { cost } => Some(cost.0),
        Outcome::Satisfied => Some(0),
        Outcome::Impossible(_) => None,
        Outcome::GaveUp(_) => panic!("without limits nobody gives up"),
    }
}

/// The same of a ground task.
fn cheapest_of(named: &NamedTask) -> Option<u64> {
    let task = &named.task;
    let holds =
        |atom: &throng_planner::forward::Atom| task.start()[atom.variable as usize] == atom.value;
    if task.goal().iter().all(holds) {
        return Some(0);
    }
    let mut search = Search::default();
    search.begin(task, Mode::Cheapest);
    match search.run(task, &Budget::DEFAULT) {
        Found::Goal(state) => {
            let mut steps = Vec::new();
            search.way_to(state, &mut steps);
            Some(steps.iter().map(|&step| task.cost(step)).sum())
        }
        Found::Nothing => None,
        Found::Limit(_) => panic!("there is no limit"),
    }
}

fn domain_from_json(text: &str) -> Domain {
    let loaded = load("task.json", text, Format::Json, &Limits::default(), &mut no_includes);
    Domain::from_loaded(loaded).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn the_cheapest_plan_costs_the_same_in_every_form() {
    let mut scratch = Scratch::default();
    let (mut asked, mut plans, mut left_out) = (0, 0, 0);
    for folder in ["papers", "fear", "strategy", "beyond"] {
        for path in corpus::files(folder, "npc").unwrap() {
            let domain = Domain::from_loaded(corpus::read(&path).unwrap()).unwrap();
            let compiled = domain.compiled();
            for kind in compiled.npcs() {
                let npc = Npc::of_type(&domain, kind.id()).unwrap();
                for &goal in kind.goals() {
                    let place = format!("{} {} {goal:?}", path.display(), npc.type_name());
                    let expected = cheapest(&npc, &Request::goal(goal), &mut scratch);
                    let problem = npc.problem(compiled.goal(goal).wants());
                    let named = from_domain(compiled, &problem);
                    assert_eq!(cheapest_of(&named), expected, "{place}: as a task");
                    check_sas(&named, expected, &place);
                    check_domain(&named, expected, &mut scratch, &place);
                    left_out += unexpressed(domain.model(), compiled, &problem).len();
                    asked += 1;
                    plans += u64::from(expected.is_some_and(|cost| cost > 0));
                }
            }
        }
    }
    println!("{asked} questions, {plans} plans, {left_out} things that have no words");
    assert!(asked > 100 && plans > 50 && left_out > asked, "{asked} {plans} {left_out}");
}

fn check_sas(named: &NamedTask, expected: Option<u64>, place: &str) {
    let mut mended = named.clone();
    let notes = for_sas(&mut mended);
    let text = sas::write(&mended).unwrap_or_else(|reason| panic!("{place}: {reason}"));
    let read = sas::read(&text, &sas::Limits::default()).unwrap();
    assert_eq!(read, mended, "{place}: read again");
    let factor = [1000, 100, 10]
        .into_iter()
        .find(|factor| notes.iter().any(|note| note.contains(&format!("multiplied by {factor},"))));
    let cost = expected.map(|cost| cost * factor.unwrap_or(1));
    assert_eq!(cheapest_of(&read), cost, "{place}: as .sas {notes:?}");
}

fn check_domain(named: &NamedTask, expected: Option<u64>, scratch: &mut Scratch, place: &str) {
    let text = to_domain(named, "again").unwrap_or_else(|why| panic!("{place}: {why:?}"));
    let domain = domain_from_json(&text);
    let npc = Npc::new(&domain, "npc").unwrap();
    let request = Request::goal(domain.goal("goal").unwrap());
    assert_eq!(cheapest(&npc, &request, scratch), expected, "{place}: as a domain");
    // And its names are those of `.npc`.
    let text = npc::write(domain.model()).unwrap_or_else(|_| panic!("{place}: names"));
    let again = load("task.npc", &text, Format::Npc, &Limits::default(), &mut no_includes);
    let again = Domain::from_loaded(again).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert_eq!(again.digest(), domain.digest(), "{place}: as .npc");
    assert_eq!(json::write(again.model()), json::write(domain.model()), "{place}");
}

/// Whatever cannot be a domain is told, all of it at once.
#[test]
fn obstacles_are_told() {
    let mut named = NamedTask::default();
    named.has_metric = true;
    for (at, name) in ["a", "b"].into_iter().enumerate() {
        match at {
            0 => named.task.add_variable(2, 0),
            _ => named.task.add_derived(2, 0, 0),
        };
        let values = vec!["no".to_owned(), "yes".to_owned()];
        named.variables.push(throng_pddl::named::VariableNames { name: name.to_owned(), values });
    }
    let atom = |variable, value| throng_planner::forward::Atom { variable, value };
    named.task.add_operator(std::iter::empty(), std::iter::empty(), 0);
    named.task.add_effect([atom(1, 1)].into_iter(), atom(0, 1));
    named.operators.push("do it");
    let reasons = to_domain(&named, "x").unwrap_err().join("\n");
    for word in ["conditional effects", "cost 0", "derived by rules", "the goal is empty"] {
        assert!(reasons.contains(word), "{word}: {reasons}");
    }
}
