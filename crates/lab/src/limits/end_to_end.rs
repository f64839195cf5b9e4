//! End to end: a town of a million, from what the game changes to the next actions done.
//!
//! In:   `domains/papers/town.npc`, filled in equal parts.
//! Out:  wall times of the phases of a frame, with one in a hundred and with all waiting; bytes
//!       per NPC after a steady run.
//! Cost: half a minute at full size.
//!
//! The town is that of `throng crowd`. A frame: the game changes values and goals of NPCs; the crowd
//! finds who waits and gives out plans; everybody who has a next action does it. Two threads plan.

use super::{BUDGET_MS, Number, Row, rounds, town_check};
use crate::people::{NO_ROOM, part};
use crate::record::{Bar, Record};
use crate::report::{BenchResult, Session};
use crate::town;
use std::sync::Arc;
use std::time::Instant;
use throng::crowd::{Crowd, CrowdGoalId, CrowdSettings, FrameBudget, GroupId, Population};
use throng_base::SplitMix;
use throng_cli::life::{Life, Setup, checks_of, values_of};
use throng_domain::compile::{LocalAction, LocalFact, NpcTables};
use throng_domain::model::{Fact, NpcTypeId};
use throng_planner::Checks;
use throng_planner::PreparedDomain;

const NPCS: usize = 1_000_000;
/// NPCs of a group, as in `throng crowd`; a third of the groups each lives at day, at dusk and at
/// night.
const GROUP: usize = 1000;
/// Frames after which the town is in its stride.
const STEADY: usize = 100;
/// Frames after which a town that was changed as a whole is in its stride again.
const AFTER_CHANGE: usize = 20;
/// The most bytes per NPC.
const BYTES: f64 = 16.0;

/// What does not hold by day, at dusk and at night.
const PARTS_OF_DAY: [&[&str]; 3] = [&[], &["working_hours"], &["working_hours", "daylight"]];

/// The phases of a frame, in milliseconds.
const PHASES: [&str; 3] = ["change", "plan", "apply"];

/// The town of `throng crowd` and what the game knows about it.
pub(super) struct Town {
    pub(super) people: Population,
    kinds: Vec<Kind>,
    /// By group, which checks hold.
    pub(super) checks: Vec<Checks>,
    /// Whether no NPC may change what its group shares.
    pub(super) is_calm: bool,
    chance: SplitMix,
}

/// What the game may change for the NPCs of one type.
struct Kind {
    npc: NpcTypeId,
    goals: Vec<CrowdGoalId>,
    /// The values of each of its own variables.
    values: Vec<Vec<Fact>>,
}

/// Wall times of frames, by phase.
#[derive(Default)]
struct Frames {
    milliseconds: Vec<[f64; 3]>,
    served: usize,
}

/// Runs the town.
pub(super) fn measure(session: &mut Session<'_>) -> BenchResult<Vec<Row>> {
    session.begin("end to end: a town of a million")?;
    let n_npcs = session.pick(NPCS, 2_000);
    let domain = town::domain("town")?.compiled_arc();
    let mut town = Town::new(&domain, n_npcs).ok_or(NO_ROOM)?;
    town.people.prepare(&|_, _| true);
    let one_percent = n_npcs / 100;
    for _ in 0..session.pick(STEADY, 3) {
        town.frame(Some(one_percent));
        session.go_on()?;
    }
    let columns = town.people.column_bytes() as f64 / n_npcs as f64;
    let all = town.people.bytes() as f64 / n_npcs as f64;
    let mut rows = bytes(columns, all);
    let mut run = |town: &mut Town, some: Option<usize>, name: &str| -> BenchResult<Vec<Row>> {
        session.begin(&format!("end to end: {name}"))?;
        let mut frames = Frames::default();
        for _ in 0..rounds(session) {
            session.go_on()?;
            let (milliseconds, served, deferred) = town.frame(some);
            if deferred > 0 {
                let told = format!("{name}: {deferred} wait after a frame without a limit");
                session.wrong.push(told);
            }
            frames.served += served;
            frames.milliseconds.push(milliseconds);
        }
        // Everybody is asked once more, so that every plan of the last frame is a fresh one.
        town.change(None);
        town.people.plan(FrameBudget::UNLIMITED);
        town_check::check(town, &domain, name, session);
        Ok(frames.rows(name, some.unwrap_or(n_npcs)))
    };
    let all = run(&mut town, None, "end_to_end_1m_all")?;
    let busy = run(&mut town, Some(one_percent), "end_to_end_1m_busy")?;
    town.leave_shared_alone(&domain);
    for _ in 0..AFTER_CHANGE {
        town.frame(Some(one_percent));
    }
    rows.extend(run(&mut town, Some(one_percent), "end_to_end_1m_1_percent")?);
    rows.extend(busy);
    rows.extend(all);
    Ok(rows)
}

fn bytes(columns: f64, all: f64) -> Vec<Row> {
    let unit = "bytes per NPC";
    let held = Record::ours_by_theirs("bytes_per_npc", columns, BYTES, "the bar", unit);
    let stated = Record::ours_by_theirs("bytes_per_npc_all", all, columns, "columns alone", unit);
    [held.held(Bar::AtMost(1.0)), stated].map(|row| (Number::EndToEnd, row.counted())).to_vec()
}

impl Frames {
    /// The fastest frame by phase, its whole, and the median whole.
    fn rows(&self, name: &str, changed: usize) -> Vec<Row> {
        let whole = |phases: &[f64; 3]| phases.iter().sum::<f64>();
        let mut sorted = self.milliseconds.clone();
        sorted.sort_by(|a, b| whole(a).total_cmp(&whole(b)));
        let (Some(fastest), Some(median)) = (sorted.first(), sorted.get(sorted.len() / 2)) else {
            return Vec::new();
        };
        let protocol = format!("wall time, best of {}", self.milliseconds.len());
        let row = |name: String, ours: f64| {
            let against = "a tenth of a frame at 60 Hz";
            let record = Record::ours_by_theirs(name, ours, BUDGET_MS, against, "ms, wall");
            (Number::EndToEnd, record.by(protocol.clone()))
        };
        let mut rows = vec![
            row(name.to_string(), whole(fastest)),
            row(format!("{name}_median"), whole(median)),
        ];
        let served = self.served as f64 / self.milliseconds.len() as f64;
        let record = Record::ours_by_theirs(
            format!("{name}_served"),
            served,
            changed as f64,
            "NPCs that the game changed",
            "NPCs per frame",
        );
        rows.push((Number::EndToEnd, record.counted()));
        let phases = PHASES.iter().zip(fastest);
        rows.extend(phases.map(|(phase, &ours)| row(format!("{name}_{phase}"), ours)));
        rows
    }
}

impl Town {
    /// Fills all types alike; a third of the groups each lives at day, at dusk and at night.
    fn new(domain: &Arc<PreparedDomain>, n_npcs: usize) -> Option<Town> {
        let types: Vec<NpcTypeId> = domain.npcs().iter().map(NpcTables::id).collect();
        let setup = Setup {
            npcs: n_npcs as u64,
            groups: (n_npcs / GROUP).max(3) as u16,
            drift: 0,
            change_every: 0,
            far_every: 1,
            by_priority: false,
            seed: 11,
            settings: CrowdSettings::default(),
            threads: 2,
            types,
        };
        let mut people = Life::begin(domain, &setup)?.people;
        let mut checks = Vec::new();
        for (at, group) in people.crowds().first()?.groups().enumerate() {
            let mut held = Checks::all(domain.map().n_checks());
            for check in checks_of(domain, &setup.types) {
                if PARTS_OF_DAY[at % 3].contains(&domain.map().check(check)) {
                    held.set(check, false);
                    people.set_check(group, check, false).ok()?;
                }
            }
            checks.push(held);
        }
        let mut kinds = Vec::new();
        for &npc in &setup.types {
            let (crowd, goals) = (people.crowd_mut(npc)?, domain.npc(npc).goals().iter());
            let goals = goals.filter_map(|&id| crowd.goal(id).ok()).collect();
            kinds.push(Kind { npc, goals, values: values_of(domain, npc, false).collect() });
        }
        Some(Town { people, kinds, checks, is_calm: false, chance: SplitMix::new(11) })
    }

    /// From now on no NPC changes what its group shares, so that only those wait that the game
    /// changed.
    fn leave_shared_alone(&mut self, domain: &PreparedDomain) {
        self.is_calm = true;
        let groups: Vec<GroupId> =
            self.people.crowds().first().map_or_else(Vec::new, |crowd| crowd.groups().collect());
        for kind in domain.npcs() {
            for action in actions_on_shared(domain, kind) {
                for &group in &groups {
                    let _ = self.people.forbid(group, kind.actions()[action.index()], true);
                }
            }
        }
    }

    /// The game gives some NPCs, or all, another value and the next goal.
    fn change(&mut self, some: Option<usize>) {
        let Town { people, kinds, chance, .. } = self;
        let n_kinds = kinds.len();
        for (at, kind) in kinds.iter().enumerate() {
            let Some(crowd) = people.crowd_mut(kind.npc) else { continue };
            match some {
                None => (0..crowd.len()).for_each(|row| kind.disturb(crowd, row, chance)),
                Some(n) => {
                    for _ in 0..part(n, at, n_kinds) {
                        kind.disturb(crowd, chance.below(crowd.len()), chance);
                    }
                }
            }
        }
    }

    /// A frame, and how long its phases took; how many were served, how many still wait.
    fn frame(&mut self, some: Option<usize>) -> ([f64; 3], usize, usize) {
        let mut begin = Instant::now();
        let mut lap = || {
            let spent = begin.elapsed().as_secs_f64() * 1e3;
            begin = Instant::now();
            spent
        };
        self.change(some);
        let change = lap();
        let report = self.people.plan(FrameBudget::UNLIMITED);
        let plan = lap();
        self.people.apply_next();
        ([change, plan, lap()], report.served, report.deferred)
    }
}

impl Kind {
    /// Another value of one of an NPC's variables, and the next of its goals.
    fn disturb(&self, crowd: &mut Crowd, row: usize, chance: &mut SplitMix) {
        let Some(npc) = crowd.handle(row) else { return };
        if !self.values.is_empty() {
            let values = chance.pick(&self.values);
            let _ = crowd.set(npc, *chance.pick(values));
        }
        let now = crowd.goal_of(npc);
        let at = self.goals.iter().position(|&goal| Some(goal) == now).unwrap_or(0);
        let _ = crowd.set_goal(npc, self.goals[(at + 1) % self.goals.len()]);
    }
}

/// The actions of a type that change what a group shares.
pub(super) fn actions_on_shared(
    domain: &PreparedDomain,
    kind: &NpcTables,
) -> impl Iterator<Item = LocalAction> {
    let is_shared =
        |set: &LocalFact| domain.map().is_shared(kind.variables()[set.variable.index()]);
    let actions = (0..kind.n_actions() as u32).map(LocalAction);
    actions.filter(move |&action| kind.sets(action).iter().any(is_shared))
}
