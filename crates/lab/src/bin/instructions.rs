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
use throng::Engine;
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
const CASES: [(&str, u32, Work); 24] = [
    ("Horse Breeder", 20_000, |times| ask(&horse_breeder()?, times)),
    ("Western, random starts", 20_000, |times| ask(&random("papers/western")?, times)),
    ("Citizens, random starts", 20_000, |times| ask(&random("papers/citizens")?, times)),
    ("Machines, random starts", 20_000, |times| ask(&random("papers/machines")?, times)),
    ("Assault, random starts", 20_000, |times| ask(&random("fear/assault")?, times)),
    ("Soldier, random starts", 20_000, |times| ask(&random("fear/soldier")?, times)),
    ("Western, from the goal", 20_000, |times| ask(&by(Engine::Regressive)?, times)),
    ("Western, forward", 20_000, |times| ask(&by(Engine::Forward)?, times)),
    ("OnePrv_5, m = 1,000", 20, |times| plan(one_prv(5, 1_000)?, Rows::Best, times)),
    ("OnePrv_5, m = 10,000", 4, |times| plan(one_prv(5, 10_000)?, Rows::Best, times)),
    ("tunnel by its graph, m = 100", 40, |times| plan(tunnel(100)?, Rows::Graph, times)),
    ("hpmp", 2_000, |times| ask(&counted("hpmp")?, times)),
    ("colony_stock", 200, |times| ask(&counted("colony_stock")?, times)),
    ("colony", 20, |times| ask(&counted("colony")?, times)),
    ("craft", 10, |times| ask(&counted("craft")?, times)),
    ("rts", 100, |times| ask(&counted("rts")?, times)),
    ("shooter", 40, |times| ask(&counted("shooter")?, times)),
    ("economy", 4, |times| ask(&counted("economy")?, times)),
    ("sims", 4, |times| ask(&counted("sims")?, times)),
    ("truck", 200, |times| ask(&counted("truck")?, times)),
    ("counters", 100, |times| ask(&counted("counters")?, times)),
    ("large", 4, |times| ask(&counted("large")?, times)),
    ("economy_no", 20, |times| ask(&counted("economy_no")?, times)),
    ("truck_no", 40, |times| ask(&counted("truck_no")?, times)),
];
/// Plans so often.
type Work = fn(u32) -> BenchResult;

/// So many questions from random starts, taken in turns.
const QUESTIONS: usize = 500;

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

/// Large types.
fn plan(member: Member, rows: Rows, times: u32) -> BenchResult {
    let mut warm = Warm::new(member, rows)?;
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
        if matches!(outcome, Outcome::GaveUp(_)) {
            return Err(format!("no answer: {outcome:?}").into());
        }
    }
    Ok(())
}

fn horse_breeder() -> BenchResult<Vec<(Npc, Request)>> {
    let domain = Domain::from_file(corpus::folder().join("papers/horse_breeder_000.npc"))?;
    let request = Request::goal(domain.goal("feed_horses")?);
    Ok(vec![(Npc::new(&domain, "horse_breeder")?, request)])
}

/// A question of `domains/numbers/bench`: its first type, its first goal.
fn counted(name: &str) -> BenchResult<Vec<(Npc, Request)>> {
    let file = format!("numbers/bench/{name}.npc");
    let domain = Domain::from_file(corpus::folder().join(file))?;
    let request = Request::goal(domain.goal(domain.model().goals()[0].name())?);
    Ok(vec![(Npc::new(&domain, domain.model().npcs()[0].name())?, request)])
}

/// The questions about the Western, for one engine.
fn by(engine: Engine) -> BenchResult<Vec<(Npc, Request)>> {
    let questions = random("papers/western")?.into_iter();
    Ok(questions.map(|(npc, request)| (npc, request.engine(engine))).collect())
}

/// Solvable questions about a domain, from random starts.
fn random(name: &str) -> BenchResult<Vec<(Npc, Request)>> {
    let domain = Domain::from_file(corpus::folder().join(format!("{name}.npc")))?;
    let (planner, mut scratch) = (Planner::new(), Scratch::default());
    let mut dice = SplitMix::new(1);
    let mut questions = Vec::new();
    while questions.len() < QUESTIONS {
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
