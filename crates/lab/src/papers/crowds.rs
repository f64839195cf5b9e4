//! Figure 3 and section 6: a plan for each of many NPCs of the games in the papers.
//!
//! In:   the Westerns, citizens and machines; every case has a plan of 3 to 10 actions.
//! Out:  figure 3 (time by number of NPCs) and how many NPCs get a plan in 1.67 ms; who was
//!       right how often.
//! Cost: a minute.
//!
//! NPCs are planned for one after the other on one core, each from its own state. Cases are
//! drawn at random and come again; nothing is remembered between two of them.

use super::{CLAIM, COPY, KERNEL, Notes, OURS, PRINTED, colour_of, name_of, of_largest, slug};
use crate::harness::{self, Timed, Turn};
use crate::judge::Verdict;
use crate::record::Record;
use crate::report::{BenchResult, Session};
use crate::town::{Case, Ours, Town, drawn};
use std::hint::black_box;
use throng_base::text::grouped;
use throng_picture::figure::{Axis, Bars, Figure, Line, Panel, Series};

/// Milliseconds of a frame at 60 per second that the papers give to planning.
pub(super) const BUDGET: f64 = 1.67;
/// NPCs that section 6 claims.
const CLAIMED: f64 = 3e6;
/// What the papers count as plans of a game.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=10;
/// Draws before they repeat; beyond what a branch predictor remembers.
const DRAWS: usize = 1 << 14;

/// How many cases of a domain a planner answered rightly.
pub(super) struct Share {
    pub(super) domain: &'static str,
    pub(super) who: &'static str,
    pub(super) right: usize,
    pub(super) served: usize,
    pub(super) all: usize,
}

/// A planner that goes through the cases; those it answers wrongly are left out for it, so that
/// a quick refusal does not make it fast.
struct Racer<'t> {
    who: &'static str,
    work: Box<dyn FnMut(usize) + 't>,
}

pub(super) fn measure(session: &mut Session<'_>, notes: &mut Notes) -> BenchResult<(Figure, Bars)> {
    let sizes: &[usize] = session.pick(&[1_000, 10_000, 100_000, 1_000_000, 2_000_000], &[10, 20]);
    let mut panels = Vec::new();
    for (name, title) in [
        ("western_restricted", "Western, restricted: single-valued, 5 types"),
        ("western", "Western: 7 types"),
    ] {
        session.begin(title)?;
        let town = Town::new(name, LENGTHS, usize::MAX)?;
        let mut racers = racers(name, &town, notes, session)?;
        let mut lines: Vec<Line> = racers.iter().map(|racer| line(racer.who)).collect();
        let (rounds, mut spreads) = (session.pick(3, 1), Vec::new());
        for &size in sizes {
            let times = race(&mut racers, size, rounds, session)?;
            spreads = racers
                .iter()
                .zip(&times)
                .map(|(r, time)| (r.who, time.spread().unwrap_or(0.0)))
                .collect();
            for (line, time) in lines.iter_mut().zip(times) {
                line.points.push((size as f64, time.fastest / 1e6));
            }
        }
        let (copied, spread) = copying(sizes, session)?;
        lines.push(copied);
        spreads.push((COPY, spread));
        let prefix = format!("fig3_{name}");
        notes.records.extend(of_largest(&prefix, "ms, one core", &lines, &spreads, rounds));
        // Two million NPCs in a millisecond.
        lines.push(Line { points: vec![(2e6, 1.0)], ..line(CLAIM) });
        panels.push(Panel {
            title: title.to_string(),
            x: Axis::logarithmic("NPCs, each planned for"),
            y: Axis::logarithmic("milliseconds, one core"),
            lines,
        });
    }
    let title = "Figure 3: time by number of NPCs".to_string();
    let figure_3 = Figure { name: "figure3".to_string(), title, panels };
    Ok((figure_3, section_6(session, notes)?))
}

fn line(who: &str) -> Line {
    Line { name: who.to_string(), colour: colour_of(who), points: Vec::new() }
}

/// Everybody who has something to say about a domain, judged on every case before.
fn racers<'t>(
    domain: &'static str,
    town: &'t Town,
    notes: &mut Notes,
    session: &mut Session<'_>,
) -> BenchResult<Vec<Racer<'t>>> {
    let mut racers = our_racers(domain, town, session)?;
    for printed in PRINTED {
        let who = name_of(printed);
        let mut right: Vec<&Case> = Vec::new();
        let mut served = 0;
        for case in &town.cases {
            let Some(answer) = town.printed(printed, case) else { continue };
            let verdict = town.judge(case, |asked| asked.printed(&answer));
            served += usize::from(verdict != Verdict::NotServed);
            if verdict == Verdict::Right {
                right.push(case);
            }
        }
        notes.cases.push(Share { domain, who, right: right.len(), served, all: town.cases.len() });
        // Who serves less than half of the cases is not in the race.
        if 2 * right.len() > town.cases.len() {
            let draws = drawn(&right, DRAWS);
            let work = move |n: usize| {
                for case in draws.iter().cycle().take(n) {
                    black_box(town.printed(printed, case));
                }
            };
            racers.push(Racer { who, work: Box::new(work) });
        }
    }
    Ok(racers)
}

fn our_racers<'t>(
    domain: &'static str,
    town: &'t Town,
    session: &mut Session<'_>,
) -> BenchResult<Vec<Racer<'t>>> {
    let mut ours = Ours::new(town.domain.compiled())?;
    for case in &town.cases {
        let outcome = ours.answer(town, case);
        let whole = town.judge(case, |asked| asked.ours(&outcome, &ours.solver.plan));
        ours.kernel(town, case, case.start);
        let kernel = town.judge(case, |asked| asked.ours(&outcome, &ours.solver.plan));
        if (whole, kernel) != (Verdict::Right, Verdict::Right) {
            session
                .wrong
                .push(format!("{domain}: {whole:?} and {kernel:?} from {:?}", case.values));
        }
    }
    let all: Vec<&Case> = town.cases.iter().collect();
    let draws = drawn(&all, DRAWS);
    let drawn_too = draws.clone();
    let mut direct = Ours::new(town.domain.compiled())?;
    let mut plans = Vec::new();
    let kernel = move |n: usize| {
        plans.resize(n, 0);
        for (case, plan) in drawn_too.iter().cycle().zip(&mut plans) {
            *plan = direct.kernel(town, case, case.start).unwrap_or(0);
        }
        black_box(plans.last());
    };
    let whole = move |n: usize| {
        for case in draws.iter().cycle().take(n) {
            _ = black_box(ours.answer(town, case));
        }
    };
    Ok(vec![
        Racer { who: OURS, work: Box::new(whole) },
        Racer { who: KERNEL, work: Box::new(kernel) },
    ])
}

/// Nanoseconds that each needs for so many NPCs, all taking turns.
fn race(
    racers: &mut [Racer<'_>],
    n_npcs: usize,
    rounds: usize,
    session: &mut Session<'_>,
) -> BenchResult<Vec<Timed>> {
    // Small crowds are measured several times in a turn.
    let times = session.pick((100_000 / n_npcs).max(1), 1) as u64;
    let turns =
        racers.iter_mut().map(|racer| Turn::new(times, move || (racer.work)(n_npcs))).collect();
    harness::race(rounds, turns, session)
}

/// What the machine needs to copy a finished plan of one word for each NPC: no planner that writes
/// plans to memory is faster.
fn copying(sizes: &[usize], session: &mut Session<'_>) -> BenchResult<(Line, f64)> {
    let (mut copying, mut spread) = (line(COPY), 0.0);
    for &size in sizes {
        let from: Vec<u64> = (0..size as u64).collect();
        let mut to = vec![0u64; size];
        let times = session.pick((1_000_000 / size).max(1), 1) as u64;
        let copy = Turn::new(times, || {
            to.copy_from_slice(black_box(&from));
            black_box(&mut to);
        });
        let time = harness::race(session.pick(30, 1), vec![copy], session)?[0];
        copying.points.push((size as f64, time.fastest / 1e6));
        spread = time.spread().unwrap_or(0.0);
    }
    Ok((copying, spread))
}

/// How many NPCs of each game get a plan in the papers' budget, on one core.
fn section_6(session: &mut Session<'_>, notes: &mut Notes) -> BenchResult<Bars> {
    let groups = ["western", "citizens", "machines"];
    let everybody = [OURS, KERNEL, name_of(PRINTED[0]), name_of(PRINTED[1])];
    let mut series: Vec<Series> = everybody
        .iter()
        .map(|who| Series { name: who.to_string(), colour: colour_of(who), heights: Vec::new() })
        .collect();
    for domain in groups {
        session.begin(domain)?;
        let town = Town::new(domain, LENGTHS, usize::MAX)?;
        let n_cases = notes.cases.len();
        let mut racers = racers(domain, &town, notes, session)?;
        if domain == "western" {
            // It was counted for figure 3 already.
            notes.cases.truncate(n_cases);
        }
        let n_npcs = session.pick(20_000, 20);
        let rounds = session.pick(15, 1);
        let times = race(&mut racers, n_npcs, rounds, session)?;
        for series in &mut series {
            let racer = racers.iter().position(|racer| racer.who == series.name);
            let served = |nanoseconds: f64| BUDGET * 1e6 / (nanoseconds / n_npcs as f64);
            let npcs = racer.map(|at| {
                let fastest = served(times[at].fastest);
                // Of rates the spread is that of the times.
                Timed { fastest, median: fastest * (1.0 + times[at].spread().unwrap_or(0.0)) }
            });
            series.heights.push(npcs.map(|npcs| npcs.fastest.floor()));
            if let Some(npcs) = npcs {
                let name = format!("section6_{domain}_{}", slug(&series.name));
                let unit = "NPCs in 1.67 ms, one core";
                let claim = "the paper's claim, a processor of eight cores";
                let record = Record::ours_by_theirs(name, npcs, CLAIMED, claim, unit);
                notes.records.push(record.by(format!("thread time, best of {rounds}")));
            }
        }
    }
    Ok(Bars {
        name: "section6".to_string(),
        title: "Section 6: NPCs that get a plan of 3 to 10 actions in 1.67 ms".to_string(),
        y: Axis::logarithmic("NPCs in 1.67 ms, one core"),
        groups: groups.map(str::to_string).to_vec(),
        series,
        mark: (
            format!("the paper, a processor of eight cores: {}", grouped(CLAIMED as u64)),
            CLAIMED,
        ),
    })
}
