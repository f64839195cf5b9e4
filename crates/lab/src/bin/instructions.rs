//! Plans one case so many times, for a program that counts instructions from outside.
//!
//! In:   the name of a case, and how often to plan it.
//! Out:  nothing but an exit code; with no words, a line on what is measured where, then the names
//!       of the cases and how often each is best planned.
//!
//! Counted with N and with 2N plans, all that is not planning cancels in the difference. Run it
//! by `cargo xtask bench instructions`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::hint::black_box;
use std::process::ExitCode;
use throng::prelude::*;
use throng_base::SplitMix;
use throng_lab::BenchResult;
use throng_lab::corpus;
use throng_lab::machine::measured;
use throng_lab::members::{Member, one_prv, tunnel};
use throng_lab::program::program;
use throng_lab::warm::{Rows, Warm};

/// Each case, and how often it is planned: enough that what differs between two starts of a
/// program does not show.
const CASES: [(&str, u32, Work); 5] = [
    ("Horse Breeder", 20_000, |times| ask(&horse_breeder()?, times)),
    ("Western, random starts", 20_000, |times| ask(&western()?, times)),
    ("OnePrv_5, m = 1,000", 20, |times| plan(one_prv(5, 1_000)?, times)),
    ("OnePrv_5, m = 10,000", 4, |times| plan(one_prv(5, 10_000)?, times)),
    ("tunnel, m = 100", 40, |times| plan(tunnel(100)?, times)),
];
/// Plans so often.
type Work = fn(u32) -> BenchResult;

/// So many questions about the Western, taken in turns.
const WESTERNS: usize = 500;

fn main() -> ExitCode {
    program(|words| match words {
        [] => {
            println!("{}", measured());
            CASES.iter().for_each(|(case, times, _)| println!("{times} {case}"));
            Ok(true)
        }
        [case, times] => run(case, times.parse()?).map(|()| true),
        _ => Err("usage: instructions [CASE TIMES]".into()),
    })
}

fn run(case: &str, times: u32) -> BenchResult {
    let known = CASES.iter().find(|(name, ..)| *name == case);
    let (.., work) = known.ok_or_else(|| format!("no case `{case}`"))?;
    work(times)
}

/// Large types, through closure and order.
fn plan(member: Member, times: u32) -> BenchResult {
    let mut warm = Warm::new(member, Rows::Flat)?;
    for _ in 0..times {
        black_box(warm.plan());
    }
    let outcome = warm.plan();
    warm.check(&outcome)
}

/// Small types, as a game asks.
fn ask(questions: &[(Npc, Request)], times: u32) -> BenchResult {
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let Some((first, _)) = questions.first() else { return Err("no questions".into()) };
    let mut plan = Plan::empty(first.domain());
    for at in 0..times as usize {
        let (npc, request) = &questions[at % questions.len()];
        let (outcome, _) = planner.plan_into(black_box(npc), request, &mut scratch, &mut plan);
        if !matches!(outcome, Outcome::Plan { .. }) {
            return Err(format!("not a plan: {outcome:?}").into());
        }
    }
    Ok(())
}

fn horse_breeder() -> BenchResult<Vec<(Npc, Request)>> {
    let domain = Domain::from_file(corpus::folder().join("papers/horse_breeder_000.npc"))?;
    let request = Request::goal(domain.goal("feed_horses")?);
    Ok(vec![(Npc::new(&domain, "horse_breeder")?, request)])
}

/// Solvable questions about the Western, from random starts.
fn western() -> BenchResult<Vec<(Npc, Request)>> {
    let domain = Domain::from_file(corpus::folder().join("papers/western.npc"))?;
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let mut dice = SplitMix::new(1);
    let mut questions = Vec::new();
    while questions.len() < WESTERNS {
        for kind in domain.compiled().npcs() {
            let mut npc = Npc::of_type(&domain, kind.id()).ok_or("no such type")?;
            for variable in kind.variables() {
                let variable = &domain.model().variables()[variable.index()];
                npc.set(variable.name(), dice.pick::<String>(variable.values()))?;
            }
            for &goal in kind.goals() {
                let request = Request::goal(goal);
                let answer = planner.plan(&npc, &request, &mut scratch);
                if matches!(answer.outcome(), Outcome::Plan { .. }) {
                    questions.push((npc.clone(), request));
                }
            }
        }
    }
    Ok(questions)
}
