//! End to end: a town of a million, from what the game changes to the next actions done.
//!
//! In:   `domains/papers/town.npc`, filled in equal parts.
//! Out:  wall times of the phases of a frame, with one in a hundred and with all waiting; what the
//!       game's own dice take of it; bytes per NPC after a steady run.
//! Cost: half a minute at full size.
//!
//! The town is that of `throng crowd`. A frame: the game changes values and goals of NPCs, all types
//! at the same time, as `docs/crowds.md` shows it; the crowd finds who waits and gives out plans;
//! everybody who has a next action does it. Two threads do all of it.

use super::{BUDGET_MS, Number, Row, rounds, town_check};
use crate::people::{NO_ROOM, part};
use crate::record::{Bar, Record};
use crate::report::{BenchResult, Session};
use crate::town;
use std::fmt::Display;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;
use throng::crowd::{
    Crowd, CrowdError, CrowdGoalId, CrowdSettings, FrameBudget, GroupId, NpcEdit, Population,
    Setter,
};
use throng_base::SplitMix;
use throng_cli::life::{Life, Setup, checks_of, values_of};
use throng_domain::compile::{LocalAction, LocalFact, NpcTables};
use throng_domain::model::NpcTypeId;
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
const BYTES: f64 = 14.0;
/// The longest median of quiet frames, and the longest busy frame, in milliseconds.
const QUIET_MEDIAN_MS: f64 = 2.2;
const BUSY_MS: f64 = 10.0;
/// How often the game's own dice may go into a frame in which it changes everybody.
const DICE: f64 = 4.0;
/// The steps of a quiet frame beside those of a frame for everybody.
const QUIET_STEPS: f64 = 0.15;

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
}

/// What the game may change for the NPCs of one type.
struct Kind {
    npc: NpcTypeId,
    goals: Vec<CrowdGoalId>,
    /// The values of each of its own variables.
    values: Vec<Vec<Setter>>,
    /// Each type throws dice of its own, so that it does not matter which is changed first.
    chance: SplitMix,
    /// Who is changed in a frame.
    rows: Vec<usize>,
}

/// Wall times of frames, by phase.
#[derive(Default)]
struct Frames {
    milliseconds: Vec<[f64; 3]>,
    /// What the game's own dice for everybody took, beside each frame.
    dice: Vec<f64>,
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
    let mut run = |town: &mut Town, some: Option<usize>, name: &str| -> BenchResult<Frames> {
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
            if some.is_none() {
                frames.dice.push(town.throw_dice());
            }
        }
        // Everybody is asked once more, so that every plan of the last frame is a fresh one.
        town.change(None);
        town.people.plan(FrameBudget::UNLIMITED);
        town_check::check(town, &domain, name, session);
        Ok(frames)
    };
    let all = run(&mut town, None, "end_to_end_1m_all")?;
    let busy = run(&mut town, Some(one_percent), "end_to_end_1m_busy")?;
    town.leave_shared_alone(&domain);
    for _ in 0..AFTER_CHANGE {
        town.frame(Some(one_percent));
    }
    let quiet = run(&mut town, Some(one_percent), "end_to_end_1m_1_percent")?;
    rows.extend(frames(&quiet, &busy, &all, [one_percent, n_npcs]));
    Ok(rows)
}

fn bytes(columns: f64, all: f64) -> Vec<Row> {
    let unit = "bytes per NPC";
    let held = Record::ours_by_theirs("bytes_per_npc", columns, BYTES, "the bar", unit);
    let stated = Record::ours_by_theirs("bytes_per_npc_all", all, columns, "columns alone", unit);
    [held.held(Bar::AtMost(1.0)), stated].map(|row| (Number::EndToEnd, row.counted())).to_vec()
}

/// What a figure is compared with, and how much of it it may be.
#[derive(Clone, Copy)]
struct Beside(f64, &'static str, Option<f64>);

/// What phases are compared with.
const TENTH: Beside = Beside(BUDGET_MS, "a tenth of a frame at 60 Hz", None);

fn milliseconds(
    name: String,
    ours: f64,
    Beside(theirs, against, most): Beside,
    of: impl Display,
) -> Row {
    let record = Record::ours_by_theirs(name, ours, theirs, against, "ms, wall");
    let record = record.by(format!("wall time, {of}"));
    (Number::EndToEnd, Record { bar: most.map(Bar::AtMost), ..record })
}

/// Three kinds of frames, and what holds between them.
fn frames(quiet: &Frames, busy: &Frames, all: &Frames, [some, n_npcs]: [usize; 2]) -> Vec<Row> {
    let dice = all.dice.iter().copied().fold(f64::INFINITY, f64::min);
    let tenth = Beside(BUDGET_MS, TENTH.1, Some(1.0));
    let median = Beside(QUIET_MEDIAN_MS, "the bar", Some(1.0));
    let mut rows = quiet.rows("end_to_end_1m_1_percent", some, [tenth, median]);
    let bar = Beside(BUSY_MS, "the bar", Some(1.0));
    rows.extend(busy.rows("end_to_end_1m_busy", some, [bar, TENTH]));
    let of_dice = Beside(dice, "the game's own dice alone, one thread", Some(DICE));
    rows.extend(all.rows("end_to_end_1m_all", n_npcs, [of_dice, TENTH]));
    let best = format!("best of {}", all.milliseconds.len());
    rows.push(milliseconds("end_to_end_1m_dice".to_string(), dice, TENTH, &best));
    let of_all = Beside(all.least_steps(), "`apply` of a frame for everybody", Some(QUIET_STEPS));
    let steps = quiet.least_steps();
    rows.push(milliseconds("end_to_end_1m_steps".to_string(), steps, of_all, &best));
    rows
}

impl Frames {
    /// The least that the last phase took, everybody's steps.
    fn least_steps(&self) -> f64 {
        self.milliseconds.iter().map(|phases| phases[2]).fold(f64::INFINITY, f64::min)
    }

    /// The fastest frame by phase, its whole, and the median whole.
    fn rows(&self, name: &str, changed: usize, [best, middle]: [Beside; 2]) -> Vec<Row> {
        let whole = |phases: &[f64; 3]| phases.iter().sum::<f64>();
        let mut sorted = self.milliseconds.clone();
        sorted.sort_by(|a, b| whole(a).total_cmp(&whole(b)));
        let (Some(fastest), Some(median)) = (sorted.first(), sorted.get(sorted.len() / 2)) else {
            return Vec::new();
        };
        let n_rounds = self.milliseconds.len();
        let (of, median_of) = (format!("best of {n_rounds}"), format!("median of {n_rounds}"));
        let mut rows = vec![
            milliseconds(name.to_string(), whole(fastest), best, &of),
            milliseconds(format!("{name}_median"), whole(median), middle, median_of),
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
        let row = |(phase, &ours): (&&str, &f64)| {
            milliseconds(format!("{name}_{phase}"), ours, TENTH, &of)
        };
        rows.extend(phases.map(row));
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
            let setters = |facts: Vec<_>| facts.into_iter().filter_map(|it| crowd.setter(it).ok());
            let values = values_of(domain, npc, false).map(|facts| setters(facts).collect());
            let (values, chance) = (values.collect(), SplitMix::new(11 + npc.index() as u64));
            kinds.push(Kind { npc, goals, values, chance, rows: Vec::new() });
        }
        Some(Town { people, kinds, checks, is_calm: false })
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
        let Town { people, kinds, .. } = self;
        let n_kinds = kinds.len();
        let changed = people.edit_crowds(kinds, |crowd, kind| {
            kind.disturb(crowd, some.map(|n| part(n, kind.npc.index(), n_kinds)))
        });
        debug_assert_eq!(changed, Ok(()), "its own setters and goals");
    }

    /// What the game decides for everybody in [`Town::change`], which value and the next of the
    /// goals, and nothing done with it; how many milliseconds that took.
    fn throw_dice(&mut self) -> f64 {
        let begin = Instant::now();
        for (kind, crowd) in self.kinds.iter_mut().zip(self.people.crowds()) {
            let mut chance = kind.chance.clone();
            for row in 0..crowd.len() {
                let now = kind.goals[row % kind.goals.len()];
                black_box((thrown(&kind.values, &mut chance), next_of(&kind.goals, now)));
            }
        }
        begin.elapsed().as_secs_f64() * 1e3
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

/// Any value of any variable.
fn thrown<'k>(values: &'k [Vec<Setter>], chance: &mut SplitMix) -> Option<&'k Setter> {
    let values = values.get(chance.below(values.len()))?;
    values.get(chance.below(values.len()))
}

impl Kind {
    /// Another value of one of its own variables, and the next of its goals, for some NPCs or all.
    fn disturb(&mut self, crowd: &mut Crowd, some: Option<usize>) -> Result<(), CrowdError> {
        let Kind { goals, values, chance, rows, .. } = self;
        rows.clear();
        rows.extend((0..some.unwrap_or(0)).map(|_| chance.below(crowd.len())));
        let mut disturb = |npc: &mut NpcEdit<'_>| {
            if let Some(setter) = thrown(values, chance) {
                npc.set(setter)?;
            }
            npc.set_goal(next_of(goals, npc.goal()))
        };
        match some {
            None => crowd.edit_each(disturb),
            Some(_) => crowd.edit_rows(rows.iter().copied(), |_, npc| disturb(npc)).map(|_| ()),
        }
    }
}

/// The goal after one, in turn.
fn next_of(goals: &[CrowdGoalId], now: CrowdGoalId) -> CrowdGoalId {
    let at = goals.iter().position(|&goal| goal == now).map_or(0, |at| at + 1);
    *goals.get(at).unwrap_or(&goals[0])
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
