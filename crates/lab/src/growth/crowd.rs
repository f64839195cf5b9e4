//! NPCs growing alone, as columns of a crowd: the Western's, everybody waiting.
//!
//! In:   a number of NPCs.
//! Out:  time of one call that serves all of them from tables, and what they take.
//! Cost: some nanoseconds and bytes per NPC.
//!
//! Beside `npcs`, where each is an object of the library. Tables are made before: they and the
//! rest that does not grow with the NPCs weigh on the small sizes.

use super::{Axes, Point};
use crate::measuring::thread_nanoseconds;
use crate::report::{BenchError, Session};
use crate::town;
use std::sync::Arc;
use throng::Domain;
use throng::crowd::{
    CrowdSettings, FrameBudget, FrameReport, GoalRef, GroupRef, Pool, Population, Status,
    TablePolicy,
};

pub(super) const NAME: &str = "crowd";
const SIZES: [u64; 6] = [1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000];
const QUICK: [u64; 2] = [7, 14];

/// Everybody, in columns.
struct Folk {
    people: Population,
}

pub(super) fn measure(
    session: &mut Session<'_>,
    wrong: &mut Vec<String>,
) -> Result<Axes, BenchError> {
    session.begin("time as a crowd grows")?;
    let domain = town::domain("western")?;
    let sizes = session.pick(&SIZES[..], &QUICK[..]);
    let all: Result<Vec<Folk>, BenchError> =
        sizes.iter().map(|&size| Folk::new(&domain, size)).collect();
    let mut all = all?;
    let mut fastest = vec![f64::INFINITY; sizes.len()];
    for _ in 0..session.pick(15, 1) {
        for (folk, fastest) in all.iter_mut().zip(&mut fastest) {
            if (session.stop)() {
                return Err(BenchError::Stopped);
            }
            // Small crowds are served several times, so that the clock sees them.
            for _ in 0..(100_000 / folk.people.len().max(1)).clamp(1, session.pick(20, 1)) {
                folk.make_wait();
                let begin = thread_nanoseconds();
                let report = folk.plan();
                *fastest = fastest.min((thread_nanoseconds() - begin) as f64);
                if report.looked_up != folk.people.len() || !folk.all_follow() {
                    wrong.push(format!("crowd of {}: somebody has no plan", folk.people.len()));
                }
            }
        }
    }
    let points = sizes.iter().zip(fastest).map(|(&size, nanoseconds)| Point {
        size,
        work: size,
        nanoseconds,
        bytes: None,
        bounds: None,
    });
    let fixed = "the Western in columns, served from tables".to_string();
    Ok(Axes { name: NAME, fixed, per: "NPC", points: points.collect() })
}

impl Folk {
    /// So many NPCs, of all types and goals in turn, in the state that their type starts in.
    fn new(domain: &Domain, size: u64) -> Result<Folk, BenchError> {
        let full = || BenchError::because("no room for somebody");
        let compiled = domain.compiled();
        let settings = CrowdSettings { tables: TablePolicy::Prepared, ..CrowdSettings::default() };
        let mut people = Population::new(domain.compiled_arc(), settings, Arc::new(Pool::new(1)));
        let kinds: Vec<_> = compiled
            .npcs()
            .iter()
            .flat_map(|npc| npc.goals().iter().map(|&goal| (npc.id(), goal)))
            .collect();
        for (at, &(npc, goal)) in kinds.iter().enumerate() {
            let (size, n_kinds) = (size as usize, kinds.len());
            let n = size * (at + 1) / n_kinds - size * at / n_kinds;
            let crowd = people.crowd_mut(npc).ok_or_else(full)?;
            let goal = crowd.goal(goal).map_err(|_| full())?;
            crowd.reserve(n);
            for _ in 0..n {
                crowd.spawn(GroupRef::FIRST, goal).map_err(|_| full())?;
            }
        }
        people.prepare(&|_, _| true);
        Ok(Folk { people })
    }

    /// What everybody wants goes and comes back. No handles are kept: they are the game's, and
    /// would weigh more than the columns.
    fn make_wait(&mut self) {
        for at in 0..self.people.crowds().len() {
            let npc = self.people.crowds()[at].npc();
            let Some(crowd) = self.people.crowd_mut(npc) else { continue };
            for row in 0..crowd.len() {
                if let Some(handle) = crowd.handle(row)
                    && let Some(goal) = crowd.goal_of(handle)
                {
                    let _ = crowd.set_goal(handle, GoalRef::NONE);
                    let _ = crowd.set_goal(handle, goal);
                }
            }
        }
    }

    fn plan(&mut self) -> FrameReport {
        self.people.plan(FrameBudget::UNLIMITED)
    }

    fn all_follow(&self) -> bool {
        let mut crowds = self.people.crowds().iter();
        crowds.all(|crowd| crowd.handles().all(|npc| crowd.status(npc) == Some(Status::Following)))
    }
}

/// Makes so many NPCs and serves all of them.
pub(super) fn make_and_plan(size: u64) -> Result<(), BenchError> {
    let mut folk = Folk::new(&town::domain("western")?, size)?;
    match folk.plan().looked_up as u64 == size {
        true => Ok(()),
        false => Err(BenchError::because("somebody got no plan")),
    }
}
