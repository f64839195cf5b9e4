//! Domains with amounts: Throng beside `dogoap`, on the same files, in one run.
//!
//! In:   `domains/numbers/bench`, each file with its impossible twin, if it has one (`…_no.npc`).
//!       A first word, if any, is how many rounds there are; with 1, only our own answers are
//!       looked at, and no bar.
//! Out:  a table of times, costs and bars; exit 1 if an answer is wrong, a plan of ours is dearer,
//!       or a bar is missed.
//!
//! `dogoap` gets the same domain, translated action by action: one that stops at an end becomes
//! two, and one that asks for one of several words as many as there are words. Its costs are whole
//! numbers, in the largest unit in which all costs of the domain are. Rounds alternate, and the
//! fastest of each counts. A question that it does not answer in [`PATIENCE`] is asked once, in a
//! process of its own.

#[path = "../../../crates/lab/src/machine.rs"]
#[allow(dead_code, reason = "the load is not asked for")]
mod machine;

use dogoap::prelude::{Action, Compare, Datum, Effect, Goal, LocalState, Mutator};
use dogoap::prelude::{get_effects_from_plan, make_plan};
use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use throng::prelude::*;
use throng::{ShiftEnd, ValueSet};

type Failure = Box<dyn std::error::Error>;

/// How long the other library may take for its first answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A domain, its bar in microseconds, how many times as fast as the other library it must be, and
/// the bar of its impossible twin.
struct Case {
    file: &'static str,
    bar: f64,
    times: Option<f64>,
    twin: Option<f64>,
}

const fn case(file: &'static str, bar: f64, times: Option<f64>, twin: Option<f64>) -> Case {
    Case { file, bar, times, twin }
}

#[rustfmt::skip]
const CASES: [Case; 11] = [
    case("hpmp", 2.0, Some(5.0), Some(100.0)),
    case("colony_stock", 60.0, Some(5.0), None),
    case("colony", 1_000.0, Some(10.0), Some(100.0)),
    case("craft", 3_000.0, Some(10.0), Some(100.0)),
    case("rts", 150.0, Some(10.0), Some(100.0)),
    case("shooter", 300.0, Some(10.0), Some(100.0)),
    case("economy", 8_000.0, Some(10.0), Some(1_000.0)),
    case("sims", 12_000.0, None, Some(100.0)),
    case("truck", 60.0, Some(10.0), Some(100.0)),
    case("counters", 100.0, None, None),
    case("large", f64::INFINITY, None, None),
];

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, file] = &words[..]
        && word == "dogoap"
    {
        let ours = Ours::load(file)?;
        let theirs = Theirs::new(&ours.domain)?;
        theirs.plan();
        return Ok(());
    }
    let rounds = words.first().and_then(|word| word.parse().ok()).unwrap_or(60);
    println!("{}.\n", machine::measured());
    println!(
        "| domain | steps, cost | Throng | answered by, nodes | bar | `dogoap` 0.5 | its cost | ratio | bar |"
    );
    println!("|---|---|--:|---|--:|--:|--:|--:|--:|");
    let mut missed = Vec::new();
    for case in &CASES {
        plan(case, rounds, &mut missed)?;
    }
    println!("\n| no plan exists | Throng | answered by, nodes | bar |\n|---|--:|---|--:|");
    for case in &CASES {
        if let Some(bar) = case.twin {
            twin(case.file, bar, rounds, &mut missed)?;
        }
    }
    println!();
    match &missed[..] {
        _ if rounds == 1 => println!("All answers hold; no bar was looked at."),
        [] => println!("All bars are held."),
        missed => {
            println!("Missed: {}.", missed.join("; "));
            return Err("a bar is missed".into());
        }
    }
    Ok(())
}

/// One domain: both answer, both plans are replayed, both are timed.
fn plan(case: &Case, rounds: usize, missed: &mut Vec<String>) -> Result<(), Failure> {
    let mut ours = Ours::load(case.file)?;
    let (outcome, nodes, by) = ours.answer();
    let Outcome::Plan { cost } = outcome else {
        return Err(format!("{}: no plan", case.file).into());
    };
    let steps: Vec<String> = ours.plan.names().map(str::to_string).collect();
    let names: Vec<&str> = steps.iter().map(String::as_str).collect();
    if ours.replay(&names)? != Some(cost) {
        return Err(format!("{}: our plan does not hold", case.file).into());
    }
    let theirs = Theirs::new(&ours.domain)?;
    let their_cost = match rounds > 1 && answers_in_time(case.file)? {
        false => None,
        true => {
            let names = theirs.plan().ok_or("dogoap finds no plan where there is one")?;
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let cost = ours.replay(&names)?;
            Some(cost.ok_or_else(|| format!("{}: the plan of dogoap does not hold", case.file))?)
        }
    };
    if their_cost.is_some_and(|theirs| theirs < cost) {
        return Err(format!("{}: ours costs {cost}, theirs less", case.file).into());
    }
    let (mut our_best, mut their_best) = (f64::MAX, f64::MAX);
    let once = ours.time(1);
    let times = (1_000_000.0 / once.max(1.0)).clamp(1.0, 2_000.0) as u32;
    let slow = Instant::now();
    for round in 0..rounds {
        our_best = our_best.min(ours.time(times));
        if their_cost.is_some() && (round == 0 || slow.elapsed() < Duration::from_secs(10)) {
            let begin = Instant::now();
            black_box(theirs.plan());
            their_best = their_best.min(begin.elapsed().as_nanos() as f64 / 1_000.0);
        }
    }
    let our_best = our_best / 1_000.0;
    let ratio = their_cost.map(|_| their_best / our_best);
    if our_best > case.bar {
        missed.push(format!("{} takes {our_best:.1} µs, bar {}", case.file, case.bar));
    }
    if let (Some(bar), Some(ratio)) = (case.times, ratio)
        && ratio < bar
    {
        missed.push(format!("{} is {ratio:.1} times as fast, bar {bar}", case.file));
    }
    println!(
        "| {} | {}, {cost} | {} | {by}, {nodes} | {} | {} | {} | {} | {} |",
        case.file,
        steps.len(),
        shown(our_best),
        if case.bar.is_finite() { shown(case.bar) } else { "-".to_string() },
        if their_cost.is_some() { shown(their_best) } else { "> 20 s".to_string() },
        their_cost.map_or("-".to_string(), |cost| cost.to_string()),
        ratio.map_or("-".to_string(), |ratio| format!("{ratio:.1} ×")),
        case.times.map_or("-".to_string(), |times| format!("{times} ×")),
    );
    Ok(())
}

/// A domain in which the goal is impossible.
fn twin(file: &str, bar: f64, rounds: usize, missed: &mut Vec<String>) -> Result<(), Failure> {
    let mut ours = Ours::load(&format!("{file}_no"))?;
    let (outcome, nodes, by) = ours.answer();
    if !matches!(outcome, Outcome::Impossible(_)) {
        return Err(format!("{file}_no: it should be impossible").into());
    }
    let once = ours.time(1);
    let times = (1_000_000.0 / once.max(1.0)).clamp(1.0, 2_000.0) as u32;
    let best = (0..rounds).map(|_| ours.time(times)).fold(f64::MAX, f64::min) / 1_000.0;
    if best > bar {
        missed.push(format!("{file}_no takes {best:.1} µs, bar {bar}"));
    }
    println!("| {file}_no | {} | {by}, {nodes} | {} |", shown(best), shown(bar));
    Ok(())
}

/// Microseconds for people.
fn shown(micros: f64) -> String {
    match micros {
        below if below < 10.0 => format!("{micros:.2} µs"),
        below if below < 1_000.0 => format!("{micros:.0} µs"),
        below if below < 1_000_000.0 => format!("{:.2} ms", micros / 1_000.0),
        _ => format!("{:.2} s", micros / 1_000_000.0),
    }
}

/// Whether the other library answers in time: asked in a process of its own.
fn answers_in_time(file: &str) -> Result<bool, Failure> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["dogoap", file])
        .stdout(Stdio::null())
        .spawn()?;
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if begin.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Our side of a question.
struct Ours {
    domain: Domain,
    npc: Npc,
    request: Request,
    planner: Planner,
    scratch: Scratch,
    plan: Plan,
}

impl Ours {
    fn load(file: &str) -> Result<Ours, Failure> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../domains/numbers/bench");
        let domain = Domain::from_file(format!("{folder}/{file}.npc"))?;
        let npc = Npc::new(&domain, domain.model().npcs()[0].name())?;
        let request = Request::goal(domain.goal(domain.model().goals()[0].name())?);
        let plan = Plan::empty(&domain);
        let (planner, scratch) = (Planner::new(), Scratch::default());
        Ok(Ours { domain, npc, request, planner, scratch, plan })
    }

    fn answer(&mut self) -> (Outcome, u64, &'static str) {
        let answer = self.planner.plan(&self.npc, &self.request, &mut self.scratch);
        if let Outcome::Plan { .. } = answer.outcome() {
            self.plan = answer.plan().clone();
        }
        (answer.outcome().clone(), answer.nodes(), answer.engine().map_or("-", |it| it.name()))
    }

    /// Nanoseconds per call.
    fn time(&mut self, times: u32) -> f64 {
        let begin = Instant::now();
        for _ in 0..times {
            let Ours { npc, request, planner, scratch, plan, .. } = self;
            black_box(planner.plan_into(black_box(npc), request, scratch, plan));
        }
        begin.elapsed().as_nanos() as f64 / f64::from(times)
    }

    /// What a plan by these names costs; nothing if it is none.
    fn replay(&self, names: &[&str]) -> Result<Option<Cost>, Failure> {
        let (mut npc, mut cost) = (self.npc.clone(), 0);
        for name in names {
            // The two halves of an action that stops at an end are one.
            let name = name.split('/').next().unwrap_or(name);
            let action = self.domain.action(name)?;
            if !npc.apply(action) {
                return Ok(None);
            }
            cost += self.domain.model()[action].cost().0;
        }
        let goal = &self.domain.model().goals()[0];
        Ok(npc.has_all(goal.conditions()).then_some(Cost(cost)))
    }
}

/// The same question for `dogoap`.
struct Theirs {
    start: LocalState,
    actions: Vec<Action>,
    goal: Goal,
}

/// An action in the making: what it needs, what it does.
type Half = (Vec<(String, Compare)>, Vec<Mutator>);

impl Theirs {
    fn new(domain: &Domain) -> Result<Theirs, Failure> {
        let model = domain.model();
        let number = |variable: VariableId, position: u16| {
            let low = model[variable].values().ends().map_or(0, |ends| ends.0);
            Datum::I64(low + i64::from(position))
        };
        let name = |variable: VariableId| model[variable].name().to_string();
        let mut start = LocalState::new();
        for fact in model.npcs()[0].starts() {
            let value = number(fact.variable, fact.value.index() as u16);
            start = start.with_datum(&name(fact.variable), value);
        }
        let unit = model.actions().iter().map(|action| action.cost().0).fold(0, gcd).max(1);
        let mut actions = Vec::new();
        for action in model.actions() {
            let mut halves: Vec<Half> = vec![Default::default()];
            for fact in action.requires() {
                let is = Compare::Equals(number(fact.variable, fact.value.index() as u16));
                halves.iter_mut().for_each(|it| it.0.push((name(fact.variable), is.clone())));
            }
            for fact in action.sets() {
                let to = number(fact.variable, fact.value.index() as u16);
                halves.iter_mut().for_each(|it| it.1.push(Mutator::Set(name(fact.variable), to)));
            }
            for range in action.ranges() {
                let parts = compares(model, range.variable, &range.values);
                halves = product(&halves, &parts, |half, part| {
                    half.0.extend(part.iter().map(|it| (name(range.variable), it.clone())));
                });
            }
            for shift in action.shifts() {
                let n = model[shift.variable].values().len() as i64;
                let by = i64::from(shift.by.by);
                let add = match by < 0 {
                    true => Mutator::Decrement(name(shift.variable), Datum::I64(-by)),
                    false => Mutator::Increment(name(shift.variable), Datum::I64(by)),
                };
                let ShiftEnd::Stop(stop) = shift.by.end else {
                    halves.iter_mut().for_each(|it| it.1.push(add.clone()));
                    continue;
                };
                // Before the end it adds, near the end it stops there.
                let (rises, stop) = (by > 0, i64::from(stop));
                let runs = match rises {
                    true => [(0, stop - by), ((stop - by + 1).max(0), stop)],
                    false => [(stop - by, n - 1), (stop, (stop - by - 1).min(n - 1))],
                };
                let set = Mutator::Set(name(shift.variable), number(shift.variable, stop as u16));
                let ways: Vec<_> = runs.into_iter().zip([add, set]).collect();
                let ways: Vec<_> = ways.into_iter().filter(|((from, to), _)| from <= to).collect();
                halves = product(&halves, &ways, |half, ((from, to), mutator)| {
                    let set = ValueSet::run(*from as u16, *to as u16);
                    let compares = compares(model, shift.variable, &set);
                    let compares = compares.into_iter().flatten();
                    half.0.extend(compares.map(|it| (name(shift.variable), it)));
                    half.1.push(mutator.clone());
                });
            }
            for (at, (needs, mutators)) in halves.into_iter().enumerate() {
                let key = format!("{}/{at}", action.name());
                let effect = Effect {
                    action: key.clone(),
                    mutators,
                    state: LocalState::new(),
                    cost: (action.cost().0 / unit) as usize,
                };
                let made = Action { key, preconditions: needs, effects: vec![effect] };
                actions.push(made);
            }
        }
        let wanted = &model.goals()[0];
        let mut goal = Goal::new();
        for fact in wanted.wants() {
            let is = Compare::Equals(number(fact.variable, fact.value.index() as u16));
            goal = goal.with_req(&name(fact.variable), is);
        }
        for range in wanted.ranges() {
            let parts = compares(model, range.variable, &range.values);
            let [part] = &parts[..] else { return Err("a goal that dogoap cannot say".into()) };
            let [only] = &part[..] else { return Err("a goal that dogoap cannot say".into()) };
            goal = goal.with_req(&name(range.variable), only.clone());
        }
        Ok(Theirs { start, actions, goal })
    }

    fn plan(&self) -> Option<Vec<String>> {
        let (nodes, _) = make_plan(&self.start, &self.actions, &self.goal)?;
        Some(get_effects_from_plan(nodes).into_iter().map(|effect| effect.action).collect())
    }
}

/// A set of values as comparisons, all of which must hold; several where any of them will do.
fn compares(model: &Model, variable: VariableId, set: &ValueSet) -> Vec<Vec<Compare>> {
    let values = model[variable].values();
    let (low, last) = (values.ends().map_or(0, |ends| ends.0), values.len() - 1);
    let number = |position: u16| Datum::I64(low + i64::from(position));
    let of_run = |&(from, to): &(u16, u16)| {
        let mut all = Vec::new();
        if from > 0 {
            all.push(Compare::GreaterThanEquals(number(from)));
        }
        if usize::from(to) < last {
            all.push(Compare::LessThanEquals(number(to)));
        }
        all
    };
    set.runs().iter().map(of_run).collect()
}

/// Every half with every part.
fn product<P>(halves: &[Half], parts: &[P], mut add: impl FnMut(&mut Half, &P)) -> Vec<Half> {
    let mut all = Vec::new();
    for half in halves {
        for part in parts {
            let mut one = half.clone();
            add(&mut one, part);
            all.push(one);
        }
    }
    all
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
