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
use super::{Number, Row, alone, rounds, within_a_tenth};
use crate::harness::{Timed, Turn, race_cold};
use crate::people::People;
use crate::record::Record;
use crate::report::{BenchResult, Session};
use std::cell::RefCell;
use std::hint::black_box;
use std::time::Instant;
use throng::crowd::{Crowd, NpcHandle};
use throng_domain::compile::{LocalFact, LocalVariable};
use throng_domain::model::{Fact, NpcTypeId};

/// Everybody of the folk in a population.
struct Served {
    people: People,
    /// Who, and its case; in the order of the folk.
    npcs: Vec<(NpcTypeId, NpcHandle, u32)>,
    /// The fewest that a call looked up.
    looked_up: usize,
}

impl Served {
    fn new(folk: &Folk, threads: usize) -> BenchResult<Served> {
        let (domain, compiled) = (&folk.town.domain, folk.town.domain.compiled());
        let (mut people, mut npcs) = (People::new(domain, threads), Vec::with_capacity(folk.len()));
        for group in &folk.groups {
            let trade = &folk.town.trades[group.trade];
            let kind = compiled.npc(trade.npc);
            let is_wanted = |goal: &&throng::GoalId| compiled.goal(**goal).wants() == trade.wants;
            let goal = kind.goals().iter().find(is_wanted);
            let goal = *goal.ok_or("a goal that no type wants")?;
            let facts = group.cases.iter().map(|&case| -> Vec<Fact> {
                let values = &folk.town.cases[case as usize].values;
                let fact = |(at, variable): (u32, &throng::VariableId)| {
                    let value = values[variable.index()];
                    kind.fact(LocalFact { variable: LocalVariable(at), value })
                };
                (0..).zip(kind.variables()).map(fact).collect()
            });
            let mut cases = group.cases.iter();
            people.add((trade.npc, goal), facts, |handle| {
                npcs.extend(cases.next().map(|&case| (trade.npc, handle, case)));
            })?;
        }
        people.prepare();
        Ok(Served { people, npcs, looked_up: usize::MAX })
    }

    fn plan(&mut self) {
        self.looked_up = self.looked_up.min(self.people.plan().looked_up);
    }

    /// Tells the session if an NPC got another plan than the single planner's, or was not looked
    /// up in every call.
    fn judge(&self, row: &str, folk: &Folk, session: &mut Session<'_>) {
        let differs = |(npc, handle, case): &&(NpcTypeId, NpcHandle, u32)| {
            let kind = folk.town.domain.compiled().npc(*npc);
            let right = folk.right[*case as usize].iter().map(|a| kind.actions()[a.index()]);
            let crowd: Option<&Crowd> = self.people.all.crowd(*npc);
            crowd.is_none_or(|crowd| !crowd.plan_of(*handle).eq(right))
        };
        let n_wrong = self.npcs.iter().filter(differs).count();
        let (n_npcs, looked_up) = (folk.len(), self.looked_up);
        if n_wrong > 0 || looked_up != n_npcs {
            session.wrong.push(format!(
                "{row}: {n_wrong} of {n_npcs} got another plan, {looked_up} were looked up"
            ));
        }
    }
}

/// Serves everybody by one thread beside a memcpy of the ids' bytes, then by two.
pub(super) fn measure(session: &mut Session<'_>, folk: &Folk) -> BenchResult<Vec<Row>> {
    session.begin("shared, through a crowd in which everybody waits")?;
    let n_npcs = folk.len();
    let (from, mut to) = (vec![1u8; 2 * n_npcs], vec![0u8; 2 * n_npcs]);
    let served = RefCell::new(Served::new(folk, 1)?);
    // Making everybody wait goes through all columns: a hot turn finds them warm.
    let make_wait = || served.borrow_mut().people.make_wait();
    let turns = vec![
        Turn::new(1, || served.borrow_mut().plan()).after(make_wait),
        Turn::new(1, || black_box(&mut to).copy_from_slice(black_box(&from))),
    ];
    let passes = race_cold(rounds(session), turns, session)?;
    served.into_inner().judge("crowd_ids_3m", folk, session);
    let row = |name: &str, ours: Timed, caches: &str| {
        let [ours, theirs] = [ours, passes[1].cold].map(|time| time / n_npcs as f64);
        let against = "memcpy of the ids' bytes, cold";
        let record = Record::ours_by_theirs(name, ours, theirs, against, "ns per NPC");
        (Number::Shared, record.by(alone(caches)))
    };
    let mut rows = vec![
        row("crowd_ids_3m", passes[0].cold, "swept"),
        row("crowd_ids_3m_hot", passes[0].hot, "warm"),
    ];
    rows.push(two_threads(session, folk)?);
    Ok(rows)
}

fn two_threads(session: &mut Session<'_>, folk: &Folk) -> BenchResult<Row> {
    let mut served = Served::new(folk, 2)?;
    let mut walls = Vec::new();
    for _ in 0..rounds(session) {
        session.go_on()?;
        served.people.make_wait();
        session.sweep.run();
        let begin = Instant::now();
        served.plan();
        walls.push(begin.elapsed().as_nanos() as f64);
    }
    served.judge("crowd_ids_3m_two_threads", folk, session);
    let protocol = format!("wall time, caches swept, best of {}", walls.len());
    let name = "crowd_ids_3m_two_threads";
    let (number, record) = within_a_tenth(Number::Shared, name, Timed::of(walls), protocol);
    // The bar is for the kernel; the product states its figure.
    Ok((number, record.held(None)))
}
