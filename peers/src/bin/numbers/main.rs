//! Domains with amounts: Throng beside `dogoap`, on the same files, in one run.
//!
//! In:   `domains/numbers/bench`, each file with its impossible twin, if it has one (`…_no.npc`);
//!       in `THRONG` the command line, for what is asked of it.
//!       A first word, if any, is how many rounds there are; with 1 answers are looked at, and no
//!       bar.
//! Out:  tables of times, costs and bars; exit 1 if an answer is wrong, a plan of ours is dearer,
//!       or a bar is missed.
//!
//! `dogoap` gets the same domain, translated action by action (`theirs`). It is asked in a process
//! of its own first: what it does not answer in time is not asked again. Rounds alternate, and the
//! fastest of each counts; time is time on the processor where the system tells it.

#[path = "../../../../crates/lab/src/clock.rs"]
#[allow(dead_code, unreachable_pub, reason = "a file of another package")]
mod clock;
mod commands;
#[path = "../../../../crates/lab/src/figures.rs"]
#[allow(unreachable_pub, reason = "a file of another package")]
mod figures;
#[path = "../../../../crates/lab/src/machine.rs"]
mod machine;
mod theirs;

use clock::thread_nanoseconds;
use figures::Figure;
use std::hint::black_box;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use theirs::Theirs;
use throng::prelude::*;

type Failure = Box<dyn std::error::Error>;

/// How long the other library may take for its first answer; the second where only answers count.
const PATIENCE: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(2)];
/// How long it may take for all rounds of a question.
const ALL_ROUNDS: Duration = Duration::from_secs(20);

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

/// What was missed, and how hard to look.
struct Run {
    rounds: usize,
    missed: Vec<String>,
    /// All that has a bar, for whoever collects figures.
    figures: Vec<Figure>,
}

impl Run {
    /// Whether only answers are looked at.
    fn is_quick(&self) -> bool {
        self.rounds == 1
    }

    /// A bar, as it stands in a table: held or missed.
    fn bar(&mut self, what: &str, micros: f64, bar: f64) -> String {
        if !bar.is_finite() {
            return "-".to_string();
        }
        if self.is_quick() {
            return shown(bar);
        }
        let is_held = micros < bar;
        self.keep(what, micros, ("the bar", bar, "µs"), ("≤ 1", micros / bar, is_held));
        if !is_held {
            self.missed.push(format!("{what} takes {}, bar {}", shown(micros), shown(bar)));
        }
        format!("{}, {}", shown(bar), if is_held { "held" } else { "**missed**" })
    }

    /// Keeps a figure, what it stands beside, and what its ratio should be.
    fn keep(
        &mut self,
        name: &str,
        ours: f64,
        (against, theirs, unit): (&str, f64, &str),
        (bar, ratio, holds): (&str, f64, bool),
    ) {
        self.figures.push(Figure {
            command: "cargo xtask bench numbers".to_string(),
            name: name.to_string(),
            ours,
            theirs,
            unit: unit.to_string(),
            against: against.to_string(),
            ratio,
            bar: bar.to_string(),
            holds,
            spread: None,
            protocol: format!("thread time, best of {}", self.rounds),
        });
    }
}

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, file] = &words[..]
        && word == "dogoap"
    {
        let theirs = Theirs::new(&Ours::load(file)?.domain)?;
        let plan = theirs.plan().ok_or("dogoap finds no plan where there is one")?;
        plan.iter().for_each(|name| println!("{name}"));
        return Ok(());
    }
    let rounds = words.first().and_then(|word| word.parse().ok()).unwrap_or(8);
    let mut run = Run { rounds, missed: Vec::new(), figures: Vec::new() };
    println!("{}.\n", machine::measured_under_load());
    println!(
        "| domain | steps, cost | Throng | answered by, nodes | bar | `dogoap` 0.5 | its cost | ratio | bar |"
    );
    println!("|---|---|--:|---|--:|--:|--:|--:|--:|");
    for case in &CASES {
        plan(case, &mut run)?;
    }
    println!("\n| no plan exists | Throng | answered by, nodes | bar |\n|---|--:|---|--:|");
    for case in &CASES {
        if let Some(bar) = case.twin {
            twin(case.file, bar, &mut run)?;
        }
    }
    let twins = CASES.iter().filter(|case| case.twin.is_some()).map(|case| case.file);
    commands::all(twins, &mut run)?;
    println!();
    figures::collect(std::mem::take(&mut run.figures))?;
    match &run.missed[..] {
        _ if run.is_quick() => println!("All answers hold; no bar was looked at."),
        [] => println!("All bars are held."),
        missed => {
            println!("Missed: {}.", missed.join("; "));
            return Err("a bar is missed".into());
        }
    }
    Ok(())
}

/// One domain: both answer, both plans are replayed, both are timed.
fn plan(case: &Case, run: &mut Run) -> Result<(), Failure> {
    let mut ours = Ours::load(case.file)?;
    let (outcome, nodes, by) = ours.answer();
    let Outcome::Plan { cost } = outcome else {
        return Err(format!("{}: no plan", case.file).into());
    };
    let steps: Vec<String> = ours.plan.names().map(str::to_string).collect();
    if ours.replay(&steps)? != Some(cost) {
        return Err(format!("{}: our plan does not hold", case.file).into());
    }
    let their_cost = match answered_in_time(case.file, PATIENCE[usize::from(run.is_quick())])? {
        None => None,
        Some(names) => {
            let cost = ours.replay(&names)?;
            Some(cost.ok_or_else(|| format!("{}: the plan of dogoap does not hold", case.file))?)
        }
    };
    if their_cost.is_some_and(|theirs| theirs < cost) {
        return Err(format!("{}: ours costs {cost}, theirs less", case.file).into());
    }
    let theirs = Theirs::new(&ours.domain)?;
    let (mut our_best, mut their_best) = (f64::MAX, f64::MAX);
    let times = ours.times();
    let begin = Instant::now();
    for round in 0..run.rounds {
        our_best = our_best.min(ours.time(times));
        let is_asked = their_cost.is_some() && !run.is_quick();
        if is_asked && (round == 0 || begin.elapsed() < ALL_ROUNDS) {
            their_best = their_best.min(timed(1, || black_box(theirs.plan()).is_some()));
        }
    }
    let ratio = (their_best < f64::MAX).then_some(their_best / our_best);
    let bar = run.bar(case.file, our_best, case.bar);
    let mut their_bar = case.times.map_or("-".to_string(), |times| format!("{times} ×"));
    if let (Some(bar), Some(ratio)) = (case.times, ratio) {
        their_bar += if ratio < bar { ", **missed**" } else { ", held" };
        let name = format!("{} beside dogoap", case.file);
        let least = format!("≥ {bar}");
        run.keep(&name, our_best, ("dogoap 0.5", their_best, "µs"), (&least, ratio, ratio >= bar));
        if ratio < bar {
            run.missed.push(format!("{} is {ratio:.1} times as fast, bar {bar}", case.file));
        }
    }
    println!(
        "| {} | {}, {cost} | {} | {by}, {nodes} | {bar} | {} | {} | {} | {their_bar} |",
        case.file,
        steps.len(),
        shown(our_best),
        match (ratio, their_cost) {
            (Some(_), _) => shown(their_best),
            (None, Some(_)) => "-".to_string(),
            (None, None) => format!("> {} s", PATIENCE[usize::from(run.is_quick())].as_secs()),
        },
        match their_cost {
            Some(theirs) if theirs > cost => format!("{theirs}, dearer"),
            Some(theirs) => theirs.to_string(),
            None => "-".to_string(),
        },
        ratio.map_or("-".to_string(), |ratio| format!("{ratio:.1} ×")),
    );
    Ok(())
}

/// A domain in which the goal is impossible.
fn twin(file: &str, bar: f64, run: &mut Run) -> Result<(), Failure> {
    let mut ours = Ours::load(&format!("{file}_no"))?;
    let (outcome, nodes, by) = ours.answer();
    if !matches!(outcome, Outcome::Impossible(_)) {
        return Err(format!("{file}_no: it should be impossible").into());
    }
    let times = ours.times();
    let best = (0..run.rounds).map(|_| ours.time(times)).fold(f64::MAX, f64::min);
    let bar = run.bar(&format!("{file}_no"), best, bar);
    println!("| {file}_no | {} | {by}, {nodes} | {bar} |", shown(best));
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

/// The plan of the other library, if there is one in time: asked in a process of its own.
fn answered_in_time(file: &str, patience: Duration) -> Result<Option<Vec<String>>, Failure> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["dogoap", file])
        .stdout(Stdio::piped())
        .spawn()?;
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            let mut said = String::new();
            child.stdout.take().ok_or("no output")?.read_to_string(&mut said)?;
            let names = said.lines().map(str::to_string).collect();
            return if status.success() { Ok(Some(names)) } else { Err("dogoap failed".into()) };
        }
        if begin.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Microseconds that one of so many calls takes.
fn timed(times: u32, mut work: impl FnMut() -> bool) -> f64 {
    let begin = thread_nanoseconds();
    for _ in 0..times {
        black_box(work());
    }
    (thread_nanoseconds() - begin) as f64 / f64::from(times) / 1_000.0
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
        (answer.outcome().clone(), answer.nodes(), answer.engine().name())
    }

    /// Microseconds per call.
    fn time(&mut self, times: u32) -> f64 {
        let Ours { npc, request, planner, scratch, plan, .. } = self;
        timed(times, || {
            let (outcome, _) = planner.plan_into(black_box(npc), request, scratch, plan);
            matches!(outcome, Outcome::Plan { .. })
        })
    }

    /// How often it is asked in one round: about a millisecond's worth.
    fn times(&mut self) -> u32 {
        let once = self.time(1).min(self.time(1));
        (1_000.0 / once.max(0.001)).clamp(1.0, 2_000.0) as u32
    }

    /// What a plan by these names costs; nothing if it is none.
    fn replay(&self, names: &[String]) -> Result<Option<Cost>, Failure> {
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
