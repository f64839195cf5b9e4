//! `throng bench limits`: how close to the machine's limit a crowd's plans are.
//!
//! In:   a session.
//! Out:  rows by the protocol of [`protocol`](crate::protocol): hot and cold, one thread and two.
//! Cost: some ten seconds and a quarter of a gigabyte.
//!
//! Direct: the scalar kernel for small types, one NPC at a time in random order, from the packed
//! state to the plan in one word. Every plan is replayed before anything is timed, and what the
//! timed passes wrote must be the same words.

use crate::judge::Verdict;
use crate::measuring::machine;
use crate::protocol::{Passes, ROUNDS, SWEEP_BYTES, Sweep, alternate, wall_together};
use crate::record::{self, Record};
use crate::report::{Failed, Report, Session};
use crate::town::{Given, Ours, Town, drawn};
use std::hint::black_box;
use throng_domain::Milli;
use throng_planner::Outcome;

/// NPCs of the rows for the scalar kernel.
const NPCS: usize = 1_000_000;
/// What the scalar kernel plans for.
const LENGTHS: std::ops::RangeInclusive<usize> = 1..=10;

/// NPCs of the Western as a crowd keeps them: a case and a packed state each.
struct Folk {
    town: Town,
    /// By NPC, the position of its case.
    cases: Vec<u32>,
    states: Vec<u64>,
    /// By case, the plan in one word.
    right: Vec<u64>,
}

/// Runs all rows.
///
/// # Errors
///
/// If it is stopped, or something does not load.
pub fn run(session: &mut Session<'_>) -> Result<Report, Failed> {
    let mut wrong = Vec::new();
    let folk = Folk::new(session.pick(NPCS, 500), &mut wrong)?;
    let mut sweep = Sweep::new(session.pick(SWEEP_BYTES, 1 << 16));
    let rounds = session.pick(ROUNDS, 2);
    let mut rows = Vec::new();
    session.begin("direct, one NPC at a time, beside memcpy")?;
    rows.extend(direct(&folk, rounds, &mut sweep, &mut wrong));
    session.begin("direct, one thread and two")?;
    rows.push(direct_two_threads(&folk, rounds, &mut sweep, &mut wrong));
    let tables = format!("Machine: {}.\n\n{}", machine(), record::table(&rows));
    let page = page(&rows);
    Ok(Report { records: rows, tables, files: vec![("limits.md".to_string(), page)], wrong })
}

impl Folk {
    /// So many NPCs; their plans are judged here, once per case.
    fn new(n_npcs: usize, wrong: &mut Vec<String>) -> Result<Folk, Failed> {
        let town = Town::new("western", LENGTHS, usize::MAX)?;
        let mut ours = Ours::new(town.domain.compiled())
            .ok_or_else(|| Failed::because("nobody to plan for"))?;
        let mut right = Vec::new();
        for case in &town.cases {
            let word = ours.kernel(&town, case, case.start);
            let outcome = Outcome::Plan { cost: Milli(0) };
            let verdict = town.judge(case, &Given::Ours(&outcome, &ours.plan));
            if word.is_none() || verdict != Verdict::Right {
                wrong.push(format!("western: {verdict:?} from {:?}", case.values));
            }
            right.push(word.unwrap_or(0));
        }
        if town.cases.is_empty() {
            return Err(Failed::because("the Western has no cases"));
        }
        let all: Vec<u32> = (0..town.cases.len() as u32).collect();
        let cases = drawn(&all, n_npcs);
        let states = cases.iter().map(|&case| town.cases[case as usize].start).collect();
        Ok(Folk { town, cases, states, right })
    }

    /// Plans for NPCs from `first` on, a word each.
    fn plan(&self, ours: &mut Ours, first: usize, plans: &mut [u64]) {
        let folk = self.cases[first..].iter().zip(&self.states[first..]);
        for ((&case, &state), plan) in folk.zip(plans) {
            let case = &self.town.cases[case as usize];
            *plan = ours.kernel(&self.town, case, state).unwrap_or(0);
        }
    }

    /// Adds to `wrong` if the plans of the NPCs are not the right ones.
    fn check(&self, row: &str, plans: &[u64], wrong: &mut Vec<String>) {
        let differs = |pair: &(&u32, &u64)| self.right[*pair.0 as usize] != *pair.1;
        let n_wrong = self.cases.iter().zip(plans).filter(differs).count();
        if n_wrong > 0 || plans.len() != self.cases.len() {
            wrong.push(format!("{row}: {n_wrong} of {} NPCs got another plan", self.cases.len()));
        }
    }

    fn ours(&self) -> Option<Ours> {
        Ours::new(self.town.domain.compiled())
    }
}

/// The scalar kernel beside a memcpy of the bytes that it reads and writes.
fn direct(folk: &Folk, rounds: usize, sweep: &mut Sweep, wrong: &mut Vec<String>) -> Vec<Record> {
    let n_npcs = folk.cases.len();
    let Some(mut ours) = folk.ours() else { return Vec::new() };
    let mut plans = vec![0u64; n_npcs];
    // Separate buffers: nothing of ours warms theirs.
    let (from, mut to) = (vec![1u64; n_npcs], vec![0u64; n_npcs]);
    let mut plan = || {
        folk.plan(&mut ours, 0, &mut plans);
        black_box(&mut plans);
    };
    let mut copy = || {
        to.copy_from_slice(black_box(&from));
        black_box(&mut to);
    };
    let passes = alternate(rounds, sweep, &mut [&mut plan, &mut copy]);
    folk.check("direct", &plans, wrong);
    let [ours, theirs] = [passes[0], passes[1]];
    let row = |name: &str, of: fn(Passes) -> f64| {
        let each = |pass: Passes| of(pass) / n_npcs as f64;
        let against = "memcpy of a word per NPC";
        Record::ours_by_theirs(name, each(ours), each(theirs), against, "ns per NPC")
    };
    vec![row("direct_cold", |pass| pass.cold), row("direct_hot", |pass| pass.hot)]
}

/// The wall time of one thread divided by that of two, each with half of the NPCs.
fn direct_two_threads(
    folk: &Folk,
    rounds: usize,
    sweep: &mut Sweep,
    wrong: &mut Vec<String>,
) -> Record {
    let n_npcs = folk.cases.len();
    let mut plans = vec![0u64; n_npcs];
    let mut fastest = [f64::INFINITY; 2];
    // One thread and two alternate, so that what else the machine does falls on both.
    for _ in 0..rounds {
        for (n_threads, fastest) in [1, 2].into_iter().zip(&mut fastest) {
            let share = n_npcs.div_ceil(n_threads).max(1);
            let chunks = plans.chunks_mut(share).enumerate();
            let mut parts: Vec<_> =
                chunks.filter_map(|(at, plans)| Some((at * share, plans, folk.ours()?))).collect();
            let work = |(first, plans, ours): &mut (usize, &mut [u64], Ours)| {
                folk.plan(ours, *first, plans);
            };
            let wall = wall_together(1, &mut parts, &mut || sweep.run(), work);
            *fastest = fastest.min(wall);
            drop(parts);
            folk.check("direct_two_threads", &plans, wrong);
            plans.fill(0);
        }
    }
    let [one, two] = fastest.map(|wall| wall / 1e6);
    let name = format!("direct_two_threads_{n_npcs}");
    Record::theirs_by_ours(name, two, one, "one thread", "ms, wall")
}

fn page(rows: &[Record]) -> String {
    format!(
        "# Limits: how close to the machine\n\n\
         This page is written by\n\n\
         ```console\n\
         cargo run --release -- bench limits --out docs/limits\n\
         ```\n\n\
         Machine: {}.\n\
         Passes of ours and of memcpy alternate over separate buffers, {ROUNDS} rounds; before each cold pass {} MB are swept.\n\
         Time is thread time on the processor, the least of all rounds; with two threads it is wall time from a common start.\n\
         \"Direct\" computes a plan for every NPC of the Western, one at a time in random order, from the packed state to the plan in one word.\n\
         The ratio of `direct_cold` and `direct_hot` is ours divided by memcpy; that of `direct_two_threads` is the wall time of one thread divided by that of two.\n\n{}",
        machine(),
        SWEEP_BYTES >> 20,
        record::table(rows)
    )
}
