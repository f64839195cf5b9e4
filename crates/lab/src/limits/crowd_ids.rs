//! Shared, through the product: the same look-ups by `Population::plan`, with everybody waiting.
//!
//! In:   the folk, as a population with its tables made.
//! Out:  time of a call that serves all of them, so that the kernel's figure is not mistaken for
//!       that of the product.
//! Cost: some nanoseconds per NPC and pass, and more to make everybody wait again.
//!
//! The product does more than the kernel: it finds who waits, groups runs with the same goal and
//! situation, keeps steps and counts, and reports.

use super::folk::Folk;
use super::row::{Number, Row};
use super::{rounds, within_a_tenth};
use crate::measuring::thread_nanoseconds;
use crate::protocol::Sweep;
use crate::record::Record;
use crate::report::{BenchError, Session};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;
use throng::crowd::{
    Crowd, CrowdSettings, FrameBudget, FrameReport, GoalRef, GroupRef, NpcHandle, Pool, Population,
    TablePolicy,
};
use throng_domain::compile::{LocalFact, LocalVariable};
use throng_domain::model::NpcTypeId;

/// Everybody of the folk in a population.
struct Served {
    people: Population,
    /// Who, what it wants, and its case; in the order of the folk.
    npcs: Vec<(NpcTypeId, NpcHandle, GoalRef, u32)>,
}

impl Served {
    fn new(folk: &Folk, threads: usize) -> Result<Served, BenchError> {
        let settings = CrowdSettings { tables: TablePolicy::Prepared, ..CrowdSettings::default() };
        let pool = Arc::new(Pool::new(threads));
        let mut people = Population::new(folk.town.domain.compiled_arc(), settings, pool);
        let full = || BenchError::because("no room for somebody");
        let (mut npcs, mut facts) = (Vec::with_capacity(folk.len()), Vec::new());
        for group in &folk.groups {
            let npc = folk.town.trades[group.trade].npc;
            let wants = &folk.town.trades[group.trade].wants;
            let crowd = people.crowd_mut(npc).ok_or_else(full)?;
            let goals = folk.town.domain.compiled().npc(npc).goals();
            let is_wanted = |goal: &&throng::GoalId| {
                folk.town.domain.compiled().goal(**goal).wants() == &wants[..]
            };
            let goal = goals.iter().find(is_wanted).ok_or_else(full)?;
            let goal = crowd.goal(*goal).map_err(|_| full())?;
            crowd.reserve(group.cases.len());
            for &case in &group.cases {
                let values = &folk.town.cases[case as usize].values;
                let kind = folk.town.domain.compiled().npc(npc);
                facts.clear();
                facts.extend(kind.variables().iter().enumerate().map(|(at, variable)| {
                    let value = values[variable.index()];
                    kind.fact(LocalFact { variable: LocalVariable(at as u32), value })
                }));
                let handle = crowd.spawn_with(GroupRef::FIRST, goal, &facts);
                let handle = handle.map_err(|_| full())?;
                npcs.push((npc, handle, goal, case));
            }
        }
        people.prepare(&|_, _| true);
        Ok(Served { people, npcs })
    }

    /// Makes everybody wait: what it wants goes and comes back.
    fn disturb(&mut self) {
        for &(npc, handle, goal, _) in &self.npcs {
            if let Some(crowd) = self.people.crowd_mut(npc) {
                let _ = crowd.set_goal(handle, GoalRef::NONE);
                let _ = crowd.set_goal(handle, goal);
            }
        }
    }

    fn plan(&mut self) -> FrameReport {
        black_box(self.people.plan(FrameBudget::UNLIMITED))
    }

    /// How many got another plan than the single planner's.
    fn n_wrong(&self, folk: &Folk) -> usize {
        let differs = |(npc, handle, _, case): &&(NpcTypeId, NpcHandle, GoalRef, u32)| {
            let kind = folk.town.domain.compiled().npc(*npc);
            let right = folk.right[*case as usize].iter().map(|a| kind.actions()[a.index()]);
            let crowd: Option<&Crowd> = self.people.crowd(*npc);
            crowd.is_none_or(|crowd| !crowd.plan_of(*handle).eq(right))
        };
        self.npcs.iter().filter(differs).count()
    }
}

/// Serves everybody by one thread beside a memcpy of the ids' bytes, then by two.
pub(super) fn measure(
    session: &mut Session<'_>,
    folk: &Folk,
    sweep: &mut Sweep,
    wrong: &mut Vec<String>,
) -> Result<Vec<Row>, BenchError> {
    session.begin("shared, through a crowd in which everybody waits")?;
    let n_npcs = folk.len();
    let (from, mut to) = (vec![1u8; 2 * n_npcs], vec![0u8; 2 * n_npcs]);
    let mut served = Served::new(folk, 1)?;
    let (mut hot, mut cold, mut copied) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    let timed = |fastest: &mut f64, work: &mut dyn FnMut()| {
        let begin = thread_nanoseconds();
        work();
        *fastest = fastest.min((thread_nanoseconds() - begin) as f64);
    };
    let mut looked_up = usize::MAX;
    for _ in 0..rounds(session) {
        if (session.stop)() {
            return Err(BenchError::Stopped);
        }
        // Making everybody wait goes through all columns: what follows finds them warm.
        served.disturb();
        timed(&mut hot, &mut || looked_up = looked_up.min(served.plan().looked_up));
        served.disturb();
        sweep.run();
        timed(&mut cold, &mut || looked_up = looked_up.min(served.plan().looked_up));
        sweep.run();
        timed(&mut copied, &mut || to.copy_from_slice(black_box(&from)));
        black_box(&mut to);
    }
    judge("crowd_ids_3m", &served, folk, looked_up, wrong);
    let row = |name: &str, ours: f64| {
        let [ours, theirs] = [ours, copied].map(|nanoseconds| nanoseconds / n_npcs as f64);
        let against = "memcpy of the ids' bytes, cold";
        let record = Record::ours_by_theirs(name, ours, theirs, against, "ns per NPC");
        Row::stated(Number::Shared, record)
    };
    let mut rows = vec![row("crowd_ids_3m", cold), row("crowd_ids_3m_hot", hot)];
    drop(served);
    rows.push(two_threads(session, folk, sweep, wrong)?);
    Ok(rows)
}

fn two_threads(
    session: &mut Session<'_>,
    folk: &Folk,
    sweep: &mut Sweep,
    wrong: &mut Vec<String>,
) -> Result<Row, BenchError> {
    let mut served = Served::new(folk, 2)?;
    let (mut wall, mut looked_up) = (f64::INFINITY, usize::MAX);
    for _ in 0..rounds(session) {
        if (session.stop)() {
            return Err(BenchError::Stopped);
        }
        served.disturb();
        sweep.run();
        let begin = Instant::now();
        looked_up = looked_up.min(served.plan().looked_up);
        wall = wall.min(begin.elapsed().as_nanos() as f64);
    }
    judge("crowd_ids_3m_two_threads", &served, folk, looked_up, wrong);
    let row = within_a_tenth(Number::Shared, "crowd_ids_3m_two_threads", wall);
    // The bar is for the kernel; the product states its figure.
    Ok(Row { bar: None, ..row })
}

fn judge(row: &str, served: &Served, folk: &Folk, looked_up: usize, wrong: &mut Vec<String>) {
    let n_wrong = served.n_wrong(folk);
    if n_wrong > 0 || looked_up != folk.len() {
        let n_npcs = folk.len();
        wrong.push(format!(
            "{row}: {n_wrong} of {n_npcs} got another plan, {looked_up} were looked up"
        ));
    }
}
