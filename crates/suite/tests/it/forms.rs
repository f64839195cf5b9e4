//! The same question in every form: a domain, `.sas`, PDDL, and a domain again. The cheapest
//! plan costs the same in all of them, for every NPC and goal of the corpus, and for random
//! ground tasks with rules and with conditional effects that overrule each other.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and say what was tried"
)]

use throng::GoalId;
use throng::prelude::*;
use throng_base::SplitMix;
use throng_domain::compile::{CompiledDomain, LocalFact};
use throng_domain::diagnostics::Diagnostic;
use throng_domain::formats::{json, npc};
use throng_domain::model::{Goal, Range};
use throng_domain::{Code, Format};
use throng_lab::corpus::{self, load_text};
use throng_pddl::convert::{for_sas, from_alternatives, to_domain, to_pddl, unexpressed};
use throng_pddl::ground::{self, ground};
use throng_pddl::named::{NamedTask, VariableNames};
use throng_pddl::read::{self, Text, read_task};
use throng_pddl::sas;
use throng_planner::forward::{Atom, Found, Search};
use throng_planner::{Problem, SearchBudget};
use throng_suite::random::{add_wishes, instance};

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
    let mut search = Search::default();
    search.begin(task, Mode::Cheapest);
    match search.run(task, &SearchBudget::DEFAULT) {
        Found::Goal(state) => {
            let mut steps = Vec::new();
            search.extract_plan(state, &mut steps);
            sas::replay(named, &steps).unwrap_or_else(|failed| panic!("{failed:?}"));
            Some(steps.iter().map(|&step| task.cost(step)).sum())
        }
        Found::Nothing => None,
        Found::Limit(_) => panic!("there is no limit"),
    }
}

fn domain_from_json(text: &str) -> Domain {
    let loaded = load_text(text, Format::Json);
    Domain::from_loaded(loaded).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn the_cheapest_plan_costs_the_same_in_every_form() {
    let mut scratch = Scratch::default();
    let (mut tally, mut either, mut left_out) = (Tally::default(), Tally::default(), 0);
    for folder in ["papers", "fear", "strategy", "beyond"] {
        for path in corpus::files(folder, "npc").unwrap() {
            let domain = Domain::from_loaded(corpus::read(&path).unwrap()).unwrap();
            for kind in domain.compiled().npcs() {
                let npc = Npc::of_type(&domain, kind.id()).unwrap();
                for &goal in kind.goals() {
                    let place = format!("{} {} {goal:?}", path.display(), npc.type_name());
                    left_out += check_all(&npc, &[goal], &mut tally, &mut scratch, &place);
                }
                for goals in names_with_alternatives(&domain) {
                    for npc in [npc.clone()].into_iter().chain(elsewhere(&npc)) {
                        let place = format!("{} {} {goals:?}", path.display(), npc.type_name());
                        left_out += check_all(&npc, &goals, &mut either, &mut scratch, &place);
                    }
                }
            }
        }
    }
    println!("{tally:?}, with alternatives {either:?}, {left_out} things that have no words");
    let Tally { asked, plans, refused } = tally;
    assert!(asked > 100 && plans > 50 && left_out > asked, "{asked} {plans} {left_out}");
    assert!(either.asked >= 20 && either.plans >= 8, "{either:?}");
    // Nearly everything can be a domain again.
    assert!(refused > 0 && (refused + either.refused) * 10 < asked, "{tally:?} {either:?}");
}

/// The same NPC in some other states.
fn elsewhere(npc: &Npc) -> Vec<Npc> {
    let (mut dice, mut others) = (SplitMix::new(7), Vec::new());
    for _ in 0..5 {
        let mut other = npc.clone();
        let kind = npc.domain().compiled().npc(npc.type_id());
        for variable in kind.local_variables() {
            let value = dice.below(kind.n_values(variable)) as u16;
            if dice.percent(70) {
                other.set_fact(kind.fact(LocalFact { variable, value }));
            }
        }
        others.push(other);
    }
    others
}

/// Questions, those that have a plan with steps, and those that cannot be a domain again, because
/// a goal wants sets of values, which a task derives by rules.
#[derive(Debug, Default)]
struct Tally {
    asked: usize,
    plans: usize,
    refused: usize,
}

/// The goals of each name that several serve, or one.
fn names_with_alternatives(domain: &Domain) -> Vec<Vec<GoalId>> {
    let mut names: Vec<&str> = domain.model().goals().iter().filter_map(Goal::serves).collect();
    names.dedup();
    let goals = |name| domain.compiled().map().find_alternatives(name).map(<[GoalId]>::to_vec);
    names.into_iter().filter_map(goals).collect()
}

/// One question in every form: any of some goals. Tells how much has no words.
fn check_all(
    npc: &Npc,
    goals: &[GoalId],
    tally: &mut Tally,
    scratch: &mut Scratch,
    place: &str,
) -> usize {
    let compiled = npc.domain().compiled();
    let expected = cheapest(npc, &Request::any(goals.to_vec()), scratch);
    let problems: Vec<_> =
        goals.iter().map(|&goal| npc.problem(compiled.goal(goal).conditions())).collect();
    let named = from_alternatives(compiled, &problems, "wish").unwrap();
    assert_eq!(cheapest_of(&named), expected, "{place}: as a task");
    check_sas(&named, expected, place);
    check_pddl(&named, expected, place);
    match to_domain(&named, "again") {
        Ok(text) => check_domain(&text, expected, scratch, place),
        Err(reasons) => {
            let known = known_obstacles(compiled, &problems);
            assert_eq!(reasons, known, "{place}: as a domain");
            tally.refused += 1;
        }
    }
    tally.asked += 1;
    tally.plans += usize::from(expected.is_some_and(|cost| cost > 0));
    unexpressed(npc.domain().model(), compiled, &problems).len()
}

/// Why goals that want sets of values cannot be those of a domain again: each set is a fact that
/// rules derive. And a goal of nothing but sets that hold, which no action changes, is empty.
fn known_obstacles(domain: &CompiledDomain, problems: &[Problem]) -> Vec<String> {
    let mut sets: Vec<String> = Vec::new();
    for problem in problems {
        let variables = problem.kind(domain).variables();
        for range in problem.goal_ranges() {
            let variable = variables[range.variable.index()];
            let text = domain.map().range(Range { variable, values: range.values });
            if !sets.contains(&format!("`{text}`")) {
                sets.push(format!("`{text}`"));
            }
        }
    }
    let more = match sets.len().saturating_sub(3) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let mut reasons = Vec::new();
    if !sets.is_empty() {
        sets.truncate(3);
        let why = "derived by rules; in a domain only actions set values";
        reasons.push(format!("{}{more}: {why}", sets.join(", ")));
    }
    let holds = |problem: &Problem| {
        let asks = !(problem.goal().is_empty() && problem.goal_ranges().is_empty());
        let sets = problem.outside_ranges();
        !asks && problem.outside().is_empty() && !sets.is_empty() && sets.iter().all(|o| o.holds)
    };
    if problems.iter().any(holds) {
        reasons.push("the goal is empty; a domain's goal wants something".to_owned());
    }
    reasons
}

/// Random domains with goals that have alternatives, some of which nobody can bring about and some
/// of which speak of what the NPC does not know.
#[test]
fn any_of_several_goals_costs_the_same_in_every_form() {
    let domains = if std::env::var_os("THRONG_LONG").is_some() { 40_000 } else { 600 };
    let (mut tally, mut scratch) = (Tally::default(), Scratch::default());
    let mut several = 0;
    for seed in 0..domains {
        let instance = instance(seed);
        let loaded = Domain::from_loaded(instance.load()).unwrap();
        let mut twin = serde_json::from_str(&json::write(loaded.model())).unwrap();
        add_wishes(&mut twin, &instance.npc, &mut SplitMix::new(seed));
        let domain = domain_from_json(&twin.to_string());
        let mut npc = Npc::new(&domain, &instance.npc).unwrap();
        for (variable, value) in &instance.from {
            npc.set(variable, value).unwrap();
        }
        for goals in names_with_alternatives(&domain) {
            let place = format!("seed {seed} {goals:?}");
            several += usize::from(goals.len() > 1);
            check_all(&npc, &goals, &mut tally, &mut scratch, &place);
        }
    }
    println!("{tally:?}, {several} with several alternatives");
    assert!(several as u64 > domains && tally.plans > several / 4, "{tally:?} {several}");
    assert!(tally.refused > 0 && tally.refused < tally.asked / 2, "{tally:?}");
}

fn check_sas(named: &NamedTask, expected: Option<u64>, place: &str) {
    let mut mended = named.clone();
    let notes = for_sas(&mut mended);
    let text = sas::write(&mended).unwrap_or_else(|reason| panic!("{place}: {reason}"));
    let read = sas::read(&text, &sas::Limits::default()).unwrap();
    assert_eq!(read, mended, "{place}: read again");
    let cost = expected.map(|cost| cost * factor(&notes));
    assert_eq!(cheapest_of(&read), cost, "{place}: as .sas {notes:?}");
}

/// What costs were multiplied by.
fn factor(notes: &[String]) -> u64 {
    let says =
        |factor: &u64| notes.iter().any(|note| note.contains(&format!("multiplied by {factor},")));
    [1000, 100, 10].into_iter().find(says).unwrap_or(1)
}

fn check_pddl(named: &NamedTask, expected: Option<u64>, place: &str) {
    let text = to_pddl(named, "task").unwrap();
    let (domain, problem) = (&text.domain, &text.problem);
    let reading = read_task(
        Text { name: "domain.pddl", text: domain },
        Text { name: "problem.pddl", text: problem },
        &read::Limits::default(),
    );
    // What the task does may be odd; what is declared must be what is used.
    let undeclared = |d: &Diagnostic| d.code == Code::PddlRequirement;
    let clean = !reading.report.diagnostics().iter().any(undeclared);
    assert!(clean && !reading.report.has_errors(), "{place}: {:?}\n{domain}", reading.report);
    let lifted = reading.task.unwrap();
    let grounded = ground(&lifted, &ground::Limits::default(), None).unwrap();
    let cost = expected.map(|cost| cost * factor(&text.notes));
    let found = match grounded.unreachable {
        Some(_) => None,
        None => cheapest_of(&grounded.named),
    };
    assert_eq!(found, cost, "{place}: as PDDL\n{domain}\n{problem}");
}

fn check_domain(text: &str, expected: Option<u64>, scratch: &mut Scratch, place: &str) {
    let domain = domain_from_json(text);
    let npc = Npc::new(&domain, "npc").unwrap();
    assert_eq!(cheapest(&npc, &Request::best(), scratch), expected, "{place}: as a domain");
    // And its names are those of `.npc`.
    let text = npc::write(domain.model()).unwrap_or_else(|_| panic!("{place}: names"));
    let again = load_text(&text, Format::Npc);
    let again = Domain::from_loaded(again).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert_eq!(again.digest(), domain.digest(), "{place}: as .npc");
    assert_eq!(json::write(again.model()), json::write(domain.model()), "{place}");
}

/// Whatever cannot be a domain is told, all of it at once.
#[test]
fn obstacles_are_told() {
    let mut named = NamedTask { has_metric: true, ..NamedTask::default() };
    for (at, name) in ["a", "b"].into_iter().enumerate() {
        match at {
            0 => named.task.add_variable(2, 0),
            _ => named.task.add_derived(2, 0, 0),
        };
        let values = vec!["no".to_owned(), "yes".to_owned()];
        named.variables.push(VariableNames { name: name.to_owned(), values });
    }
    let atom = |variable, value| Atom { variable, value };
    named.task.add_operator(std::iter::empty(), std::iter::empty(), 0);
    named.task.add_effect([atom(1, 1)].into_iter(), atom(0, 1));
    named.operators.push("do it");
    let reasons = to_domain(&named, "x").unwrap_err().join("\n");
    for word in ["conditional effects", "cost 0", "derived by rules", "the goal is empty"] {
        assert!(reasons.contains(word), "{word}: {reasons}");
    }
}

struct Chance(SplitMix);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below_u64(n)
    }

    /// Some facts about different variables below `most`.
    fn atoms(&mut self, sizes: &[u32], most: usize, tries: u64) -> Vec<Atom> {
        let mut atoms: Vec<Atom> = Vec::new();
        for _ in 0..self.below(tries + 1) {
            let variable = self.below(most as u64) as u32;
            if atoms.iter().all(|atom| atom.variable != variable) {
                let value = self.below(sizes[variable as usize].into()) as u16;
                atoms.push(Atom { variable, value });
            }
        }
        atoms
    }
}

/// A random ground task: a few variables, the last of them derived.
fn random_task(seed: u64) -> NamedTask {
    let mut chance = Chance(SplitMix::new(seed));
    let mut named = NamedTask { has_metric: chance.below(2) == 0, ..NamedTask::default() };
    let (n_set, n_derived) = (1 + chance.below(4) as usize, chance.below(3) as usize);
    // Some variables have more values than are deleted one by one.
    let size = |chance: &mut Chance| match chance.below(12) {
        0 => 1,
        1 => 20,
        other => 2 + (other % 3) as u32,
    };
    let mut sizes: Vec<u32> = (0..n_set).map(|_| size(&mut chance)).collect();
    for &size in &sizes {
        named.task.add_variable(size, chance.below(size.into()) as u16);
    }
    for layer in 0..n_derived {
        sizes.push(2);
        named.task.add_derived(2, chance.below(2) as u16, layer as u32);
    }
    for (at, &size) in sizes.iter().enumerate() {
        let values = (0..size).map(|value| format!("Atom v{at}({value})")).collect();
        named.variables.push(VariableNames { name: format!("v{at}"), values });
    }
    for derived in n_set..sizes.len() {
        for _ in 0..=chance.below(2) {
            // Only of what lies below: the layers rise with the numbers.
            let when = chance.atoms(&sizes, derived, 3);
            let value = 1 - named.task.start()[derived];
            named.task.add_axiom(when.into_iter(), Atom { variable: derived as u32, value });
        }
    }
    for operator in 0..1 + chance.below(5) {
        let cost = match (named.has_metric, chance.below(3)) {
            (false, _) => 1000,
            (true, 0) => 1000 * chance.below(4),
            (true, _) => 100 * (1 + chance.below(30)),
        };
        let needs = chance.atoms(&sizes, sizes.len(), 2);
        let sets = chance.atoms(&sizes, n_set, 2);
        named.task.add_operator(needs.into_iter(), sets.into_iter(), cost);
        for _ in 0..chance.below(4) {
            let when = chance.atoms(&sizes, sizes.len(), 2);
            let variable = chance.below(n_set as u64) as u32;
            let value = chance.below(sizes[variable as usize].into()) as u16;
            named.task.add_effect(when.into_iter(), Atom { variable, value });
        }
        named.operators.push(&format!("do {operator}"));
    }
    let goal = chance.atoms(&sizes, sizes.len(), 3);
    named.task.set_goal(goal.into_iter());
    named
}

#[test]
fn random_ground_tasks_keep_their_meaning() {
    let tasks = if std::env::var_os("THRONG_LONG").is_some() { 200_000 } else { 4_000 };
    let (mut plans, mut impossible, mut overruled) = (0, 0, 0);
    for seed in 0..tasks {
        let named = random_task(seed);
        let place = format!("seed {seed}");
        let expected = cheapest_of(&named);
        // What `.sas` leaves out because it is overruled is not the same task, but means the same.
        let mut mended = named.clone();
        let notes = for_sas(&mut mended);
        let text = sas::write(&mended).unwrap();
        let read = sas::read(&text, &sas::Limits::default()).unwrap();
        assert_eq!(sas::write(&read).unwrap(), text, "{place}");
        let cost = expected.map(|cost| cost * factor(&notes));
        assert_eq!(cheapest_of(&read), cost, "{place}: as .sas\n{text}");
        check_pddl(&named, expected, &place);
        match expected {
            Some(cost) => plans += u32::from(cost > 0),
            None => impossible += 1,
        }
        overruled += u32::from(to_pddl(&named, "x").unwrap().domain.contains("(not (and"));
    }
    let enough = |count: u32| u64::from(count) > tasks / 20;
    assert!(
        enough(plans) && enough(impossible) && enough(overruled),
        "{plans} plans, {impossible} impossible, {overruled} overruled"
    );
}
