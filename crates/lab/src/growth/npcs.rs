//! NPCs growing alone: the Western's, each an `Npc` of its own with a plan of its own.
//!
//! In:   a number of NPCs.
//! Out:  time for a plan each by the library's planner, one after the other, and what they take.
//! Cost: some hundred nanoseconds and bytes per NPC.
//!
//! This is what a game pays that keeps every NPC as an object. Columns of a crowd are another
//! axis (`crowd`).

use super::{Axes, Point, served_all};
use crate::harness::{Turn, race};
use crate::people::trades;
use crate::report::{BenchResult, Session};
use crate::town;
use std::hint::black_box;
use throng::{Domain, Npc, Outcome, Plan, Planner, Request, Scratch};

pub(super) const NAME: &str = "npcs";
const SIZES: [u64; 5] = [1_000, 4_000, 16_000, 64_000, 256_000];
const QUICK: [u64; 2] = [7, 14];

pub(super) fn measure(session: &mut Session<'_>) -> BenchResult<Axes> {
    session.begin("time as NPCs grow")?;
    let domain = town::domain("western")?;
    let mut points = Vec::new();
    for &size in session.pick(&SIZES[..], &QUICK[..]) {
        let mut folk = Folk::new(&domain, size)?;
        if !folk.plan() {
            session.wrong.push(format!("of {size} NPCs one has no plan or a wrong one"));
        }
        let turn = Turn::lasting(session.pick(20_000_000, 1), || {
            black_box(folk.plan_all());
        });
        let nanoseconds = race(session.pick(5, 1), vec![turn], session)?[0];
        points.push(Point::of_npcs(size, nanoseconds));
    }
    let fixed = "the Western: an Npc and a Plan each".to_string();
    Ok(Axes { name: NAME, fixed, per: "NPC", points })
}

/// NPCs with their plans.
struct Folk {
    all: Vec<(Npc, Request, Plan)>,
    scratch: Scratch,
}

impl Folk {
    /// So many NPCs, of all types and goals in turn.
    fn new(domain: &Domain, size: u64) -> BenchResult<Folk> {
        let mut all = Vec::new();
        for (npc, goal) in trades(domain.compiled()).into_iter().cycle().take(size as usize) {
            let npc = Npc::of_type(domain, npc).ok_or("no such type")?;
            all.push((npc, Request::goal(goal), Plan::empty(domain)));
        }
        Ok(Folk { all, scratch: Scratch::default() })
    }

    /// A plan for everybody; how many got one.
    fn plan_all(&mut self) -> usize {
        let planner = Planner::new();
        let mut served = 0;
        for (npc, request, plan) in &mut self.all {
            let (outcome, _) = planner.plan_into(npc, request, &mut self.scratch, plan);
            served += usize::from(matches!(outcome, Outcome::Plan { .. }));
        }
        served
    }

    /// The same, and whether everybody's plan leads to the goal if it is walked.
    fn plan(&mut self) -> bool {
        self.plan_all() == self.all.len()
            && self.all.iter().all(|(npc, request, plan)| arrives(npc, request, plan))
    }
}

fn arrives(npc: &Npc, request: &Request, plan: &Plan) -> bool {
    let mut walker = npc.clone();
    let walks = plan.actions().iter().all(|&action| walker.apply(action));
    let answer = Planner::new().plan(&walker, request, &mut Scratch::default());
    walks && matches!(answer.outcome(), Outcome::Satisfied)
}

/// Makes so many NPCs and plans for all of them.
pub(super) fn make_and_plan(size: u64) -> BenchResult {
    let mut folk = Folk::new(&town::domain("western")?, size)?;
    served_all(folk.plan_all() as u64, size)
}
