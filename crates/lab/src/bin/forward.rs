//! Forward search beside a plain one: generated states per second on boxes.
//!
//! In:   nothing; the domain is generated, as `.npc` text.
//! Out:  two Markdown tables, and exit code 1 if ours is not [`LEAST`] times as fast, or not as
//!       many times as fast as itself one by one as [`WIDE_BOXES`] says.
//! Cost: half a minute.
//!
//! *Boxes, competition*, after "Optimizing Practical Planning for Game AI": a creature carries
//! boxes one at a time from the first place to the last. Every order of the boxes is a plan of
//! the same length, so a breadth-first search meets nearly every state.
//!
//! The plain search is what one writes in an afternoon: states are vectors of bytes, known ones
//! are in a `HashMap`, every action is tried in every state. Both look for the goal when a state
//! is made. They try the actions of a state in different orders, which could matter for the last
//! level only; on these boxes it does not, and the program insists on the same states, generated
//! and met, and on plans of the same length. Run it by `cargo xtask bench forward`, which also
//! writes the table into `docs/benchmarks.md`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::process::ExitCode;
use throng::{Domain, Npc};
use throng_base::text::grouped;
use throng_domain::model::Model;
use throng_lab::families::boxes::{Boxes, Kind, competition};
use throng_lab::harness::{Turn, race};
use throng_lab::machine::measured;
use throng_lab::program::program;
use throng_lab::record::{self, Bar, Record};
use throng_lab::table::Table;
use throng_lab::tasks::lifted_of;
use throng_lab::timed::Timed;
use throng_lab::{BenchResult, Session};
use throng_pddl::ground::{self, ground};
use throng_planner::forward::Search;
use throng_planner::{Call, Mode, Outcome, Problem, SearchBudget, forward};

/// How many times as fast as the plain search ours must be.
const LEAST: f64 = 8.0;
/// So many boxes are carried from one place to another, and how many times as fast ours must be as the
/// same search one by one.
const WIDE_BOXES: [(u32, Option<Bar>); 3] =
    [(14, None), (15, Some(Bar::AtLeast(1.4))), (16, Some(Bar::AtLeast(1.2)))];
const BOXES: usize = 8;
const PLACES: usize = 4;
/// The rounds of both alternate; the fastest of each counts.
const ROUNDS: usize = 7;

fn main() -> ExitCode {
    program(|_| {
        let mut records = vec![measure()?];
        records.extend(measure_wide()?);
        record::collect("cargo xtask bench forward", &records)?;
        Ok(!records.iter().any(Record::is_missed))
    })
}

/// What one search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Count {
    generated: u64,
    states: usize,
    length: usize,
}

fn measure() -> BenchResult<Record> {
    let domain = Domain::from_text(&competition(BOXES, PLACES))?;
    let npc = Npc::new(&domain, "creature")?;
    let problem = npc.problem(domain.model().goals()[0].wants());
    let mut scratch = forward::ForwardScratch::default();
    let [plainly, by_us] = [Cell::new(None), Cell::new(None)];
    let turns = vec![
        Turn::new(1, || plainly.set(Some(plain(domain.model())))),
        Turn::new(1, || by_us.set(ours(&domain, &problem, &mut scratch))),
    ];
    let times = race(ROUNDS, turns, &mut Session::default())?;
    let (plain, ours) = (plainly.get(), by_us.get());
    let count = ours.filter(|_| plain == ours);
    let count = count.ok_or_else(|| format!("they differ: plain {plain:?}, ours {ours:?}"))?;
    let bytes = scratch.search().bytes() as f64 / count.states as f64;
    Ok(print_table(count, [times[0] / 1e9, times[1] / 1e9], bytes))
}

fn print_table(count: Count, [plain, ours]: [Timed; 2], bytes: f64) -> Record {
    let against = "states in a `HashMap`";
    let record = Record::theirs_by_ours("breadth_first_boxes_8", ours, plain, against, "s");
    let record = record.by(protocol()).held(Bar::AtLeast(LEAST));
    let (ratio, plain, ours) = (record.ratio, plain.fastest, ours.fastest);
    let mut table = Table::new("search | time: | generated states per second: | bytes per state:");
    let mut row = |who: &str, seconds: f64, bytes: &str| {
        let (time, rate) = (seconds * 1e3, count.generated as f64 / seconds / 1e6);
        table.row(format_args!("{who} | {time:.1} ms | {rate:.1} million | {bytes}"));
    };
    row("`HashMap<Vec<u8>>`, plain", plain, "");
    row("Throng, breadth-first", ours, &format!("{bytes:.1}"));
    println!(
        "{}.\n\n{BOXES} boxes, {PLACES} places: {} states met, {} generated, a plan of {} actions.\n\n\
         {table}\nThrong generates {ratio:.1} times as many states per second.",
        measured(),
        grouped(count.states as u64),
        grouped(count.generated),
        count.length
    );
    record
}

fn protocol() -> String {
    format!("thread time, best of {ROUNDS}")
}

/// Ours, several at a time, beside ours one by one.
fn measure_wide() -> BenchResult<Vec<Record>> {
    let mut table = Table::new(
        "boxes: | generated: | ns per generated, one by one: | several at a time: | times: | bar:",
    );
    let mut records = Vec::new();
    for (n, bar) in WIDE_BOXES {
        let member =
            Boxes { kind: Kind::Competition, boxes: n, places: 2, creatures: 1, unsolvable: false };
        let texts = [Boxes::pddl_domain(), &member.pddl_problem()];
        let task = lifted_of(texts).ok_or("the boxes are not read")?;
        let grounded = ground(&task, &ground::Limits::default(), None);
        let task = grounded.map_err(|refusal| format!("{refusal:?}"))?.named.task;
        let counts = [Cell::new((0, 0)), Cell::new((0, 0))];
        let mut searches = [Search::default(), Search::default()];
        let turns = searches.iter_mut().zip(&counts).zip([true, false]);
        let turns = turns.map(|((search, count), is_plain)| {
            let task = &task;
            Turn::new(1, move || {
                search.be_plain(is_plain);
                search.begin_breadth_first(task);
                search.run(task, &SearchBudget::DEFAULT);
                count.set((search.generated(), search.n_states()));
            })
        });
        let times = race(ROUNDS, turns.collect(), &mut Session::default())?;
        let [plain, wide] = counts.map(|count| count.get());
        if plain != wide || wide.0 == 0 {
            return Err(format!("they differ: one by one {plain:?}, at a time {wide:?}").into());
        }
        let generated = wide.0;
        let [plain, wide] = [0, 1].map(|at| times[at] / generated as f64);
        let (name, unit) = (format!("breadth_first_wide_{n}"), "ns per generated");
        let record = Record::theirs_by_ours(name, wide, plain, "the same search one by one", unit);
        let record = record.by(protocol()).held(bar);
        let verdict = if record.is_missed() { "missed" } else { "held" };
        let bar = bar.map(|bar| format!("{bar}, {verdict}")).unwrap_or_default();
        let (ratio, generated) = (record.ratio, grouped(generated));
        let (plain, wide) = (plain.fastest, wide.fastest);
        table.row(format_args!("{n} | {generated} | {plain:.1} | {wide:.1} | {ratio:.2} | {bar}"));
        records.push(record);
    }
    println!(
        "\nTwo places, breadth-first, one by one and several at a time (states of one word; \
         the same states in the same order).\n\n{table}"
    );
    Ok(records)
}

/// What ours found; `None` if it is no plan.
fn ours(
    domain: &Domain,
    problem: &Problem,
    scratch: &mut forward::ForwardScratch,
) -> Option<Count> {
    let mut plan = Vec::new();
    let call = Call::new(domain.compiled(), problem).mode(Mode::Shortest);
    let answer = forward::plan(&call, scratch, &mut plan);
    matches!(answer.outcome, Outcome::Plan { .. }).then(|| Count {
        generated: scratch.search().generated(),
        states: scratch.search().n_states(),
        length: plan.len(),
    })
}

/// Breadth-first search as one writes it first, on the model.
fn plain(model: &Model) -> Count {
    let mut start = vec![u8::MAX; model.variables().len()];
    for fact in model.npcs()[0].starts() {
        start[fact.variable.index()] = fact.value.index() as u8;
    }
    type Facts = Vec<(usize, u8)>;
    let facts = |facts: &[throng::Fact]| -> Facts {
        facts.iter().map(|fact| (fact.variable.index(), fact.value.index() as u8)).collect()
    };
    let actions: Vec<(Facts, Facts)> =
        model.actions().iter().map(|a| (facts(a.requires()), facts(a.sets()))).collect();
    let goal = facts(model.goals()[0].wants());
    let holds = |state: &[u8], facts: &Facts| facts.iter().all(|&(at, value)| state[at] == value);
    let mut known: HashMap<Vec<u8>, usize> = HashMap::from([(start.clone(), 0)]);
    let mut open = VecDeque::from([start]);
    let mut generated = 0;
    while let Some(state) = open.pop_front() {
        let depth = known[&state];
        for (needs, sets) in &actions {
            if !holds(&state, needs) {
                continue;
            }
            let mut next = state.clone();
            sets.iter().for_each(|&(at, value)| next[at] = value);
            generated += 1;
            if known.contains_key(&next) {
                continue;
            }
            known.insert(next.clone(), depth + 1);
            if holds(&next, &goal) {
                return Count { generated, states: known.len(), length: depth + 1 };
            }
            open.push_back(next);
        }
    }
    Count { generated, states: known.len(), length: 0 }
}
