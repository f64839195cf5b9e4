//! End to end: a town of a million, from what the game changes to the next actions done.
//!
//! In:   `domains/papers/town.npc`, filled in equal parts.
//! Out:  wall times of the phases of a frame, with one in a hundred and with all waiting; bytes
//!       per NPC after a steady run.
//! Cost: half a minute at full size.
//!
//! A frame: the game changes somebody's values and goals; the crowd finds who waits and gives out
//! plans; everybody who has a next action does it. Two threads plan.

use super::row::{Bar, Number, Row};
use super::{BUDGET_MS, rounds, town_check};
use crate::record::Record;
use crate::report::{BenchError, Session};
use crate::town::{self, Dice};
use std::sync::Arc;
use std::time::Instant;
use throng::crowd::{
    Crowd, CrowdSettings, FrameBudget, GoalRef, GroupRef, NpcHandle, Pool, Population,
};
use throng_domain::compile::{
    CompiledDomain, LocalAction, LocalFact, LocalVariable, NpcTables, PackedValue,
};
use throng_domain::model::{CheckId, Fact, GoalId};
use throng_planner::Checks;

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

/// The population and what the game knows about it.
pub(super) struct Life {
    pub(super) people: Population,
    pub(super) kinds: Vec<Kind>,
    /// By group, which checks hold.
    pub(super) checks: Vec<Checks>,
    /// Whether nobody may change what a group shares.
    pub(super) is_calm: bool,
    dice: Dice,
}

/// The NPCs of one type.
pub(super) struct Kind {
    pub(super) goals: Vec<(GoalId, GoalRef)>,
    /// The values of each of its own variables.
    values: Vec<Vec<Fact>>,
    pub(super) npcs: Vec<NpcHandle>,
}

/// Wall times of frames, by phase.
#[derive(Default)]
struct Frames {
    milliseconds: Vec<[f64; 3]>,
    served: usize,
}

/// Runs the town.
pub(super) fn measure(
    session: &mut Session<'_>,
    wrong: &mut Vec<String>,
) -> Result<Vec<Row>, BenchError> {
    session.begin("end to end: a town of a million")?;
    let n_npcs = session.pick(NPCS, 2_000);
    let domain = town::domain("town")?.compiled_arc();
    let mut life =
        Life::new(&domain, n_npcs).ok_or_else(|| BenchError::because("no room for somebody"))?;
    life.people.prepare(&|_, _| true);
    let one_percent = n_npcs / 100;
    for _ in 0..session.pick(STEADY, 3) {
        life.frame(Some(one_percent));
        if (session.stop)() {
            return Err(BenchError::Stopped);
        }
    }
    let columns = life.people.column_bytes() as f64 / n_npcs as f64;
    let all = life.people.bytes() as f64 / n_npcs as f64;
    let mut rows = bytes(columns, all);
    let mut run = |life: &mut Life, some: Option<usize>, name: &str| {
        session.begin(&format!("end to end: {name}"))?;
        let mut frames = Frames::default();
        for _ in 0..rounds(session) {
            if (session.stop)() {
                return Err(BenchError::Stopped);
            }
            life.measured(some, &mut frames, name, wrong);
        }
        // Everybody is asked once more, so that every plan of the last frame is a fresh one.
        life.change(None);
        life.people.plan(FrameBudget::UNLIMITED);
        town_check::check(life, &domain, name, wrong);
        Ok(frames.rows(name, some.unwrap_or(n_npcs)))
    };
    let all = run(&mut life, None, "end_to_end_1m_all")?;
    let busy = run(&mut life, Some(one_percent), "end_to_end_1m_busy")?;
    life.leave_shared_alone(&domain);
    for _ in 0..AFTER_CHANGE {
        life.frame(Some(one_percent));
    }
    rows.extend(run(&mut life, Some(one_percent), "end_to_end_1m_1_percent")?);
    rows.extend(busy);
    rows.extend(all);
    Ok(rows)
}

fn bytes(columns: f64, all: f64) -> Vec<Row> {
    let unit = "bytes per NPC";
    let held = Record::ours_by_theirs("bytes_per_npc", columns, BYTES, "the bar", unit);
    let stated = Record::ours_by_theirs("bytes_per_npc_all", all, columns, "columns alone", unit);
    vec![Row::held(Number::EndToEnd, held, Bar::AtMost(1.0)), Row::stated(Number::EndToEnd, stated)]
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
        let row = |name: String, ours: f64| {
            let against = "a tenth of a frame at 60 Hz";
            let record = Record::ours_by_theirs(name, ours, BUDGET_MS, against, "ms, wall");
            Row::stated(Number::EndToEnd, record)
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
        rows.push(Row::stated(Number::EndToEnd, record));
        let phases = PHASES.iter().zip(fastest);
        rows.extend(phases.map(|(phase, &ours)| row(format!("{name}_{phase}"), ours)));
        rows
    }
}

impl Life {
    /// Fills all types alike; `None` if somebody finds no place.
    fn new(domain: &Arc<CompiledDomain>, n_npcs: usize) -> Option<Life> {
        let pool = Arc::new(Pool::new(2));
        let mut people = Population::new(Arc::clone(domain), CrowdSettings::default(), pool);
        let mut groups = vec![GroupRef::FIRST];
        while groups.len() < (n_npcs / GROUP).max(3) {
            groups.push(people.add_group().ok()?);
        }
        let mut checks = Vec::new();
        for (at, &group) in groups.iter().enumerate() {
            let mut held = Checks::all(domain.map().n_checks());
            for check in checks_of(domain) {
                if PARTS_OF_DAY[at % 3].contains(&&domain.map().check_names()[check.index()][..]) {
                    held.set(check, false);
                    people.set_check(group, check, false).ok()?;
                }
            }
            checks.push(held);
        }
        let (mut dice, mut kinds) = (Dice::new(11), Vec::new());
        let n_types = domain.npcs().len();
        for (at, kind) in domain.npcs().iter().enumerate() {
            let n = n_npcs * (at + 1) / n_types - n_npcs * at / n_types;
            let crowd = people.crowd_mut(kind.id())?;
            let goals = kind.goals().iter();
            let goals: Vec<_> = goals.filter_map(|&id| Some((id, crowd.goal(id).ok()?))).collect();
            let mut own = Kind { goals, values: private(domain, kind), npcs: Vec::new() };
            crowd.reserve(n);
            for nth in 0..n {
                let goal = own.goals[nth % own.goals.len().max(1)].1;
                let facts = [own.any_fact(&mut dice)?, own.any_fact(&mut dice)?];
                let group = groups[nth * groups.len() / n];
                own.npcs.push(crowd.spawn_with(group, goal, &facts).ok()?);
            }
            kinds.push(own);
        }
        Some(Life { people, kinds, checks, is_calm: false, dice })
    }

    /// From now on nobody changes what its group shares, so that only those wait whom the game
    /// changed.
    fn leave_shared_alone(&mut self, domain: &CompiledDomain) {
        self.is_calm = true;
        let groups: Vec<GroupRef> =
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
        let Life { people, kinds, dice, .. } = self;
        let n_kinds = kinds.len();
        for (at, kind) in kinds.iter().enumerate() {
            let id = people.crowds()[at].npc();
            let Some(crowd) = people.crowd_mut(id) else { continue };
            match some {
                None => kind.npcs.iter().for_each(|&npc| kind.disturb(crowd, npc, dice)),
                Some(n) => {
                    for _ in n * at / n_kinds..n * (at + 1) / n_kinds {
                        kind.disturb(crowd, kind.npcs[dice.below(kind.npcs.len())], dice);
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

    fn measured(
        &mut self,
        some: Option<usize>,
        frames: &mut Frames,
        row: &str,
        wrong: &mut Vec<String>,
    ) {
        let (milliseconds, served, deferred) = self.frame(some);
        if deferred > 0 {
            wrong.push(format!("{row}: {deferred} wait after a frame without a limit"));
        }
        frames.served += served;
        frames.milliseconds.push(milliseconds);
    }
}

impl Kind {
    fn any_fact(&self, dice: &mut Dice) -> Option<Fact> {
        let values = self.values.get(dice.below(self.values.len()))?;
        values.get(dice.below(values.len())).copied()
    }

    /// Another value of one of its variables, and the next of its goals.
    fn disturb(&self, crowd: &mut Crowd, npc: NpcHandle, dice: &mut Dice) {
        if let Some(fact) = self.any_fact(dice) {
            let _ = crowd.set(npc, fact);
        }
        let now = crowd.goal_of(npc);
        let at = self.goals.iter().position(|&(_, goal)| Some(goal) == now).unwrap_or(0);
        let _ = crowd.set_goal(npc, self.goals[(at + 1) % self.goals.len()].1);
    }
}

/// The actions of a type that change what a group shares.
pub(super) fn actions_on_shared(
    domain: &CompiledDomain,
    kind: &NpcTables,
) -> impl Iterator<Item = LocalAction> {
    let is_shared =
        |set: &LocalFact| domain.map().is_shared(kind.variables()[set.variable.index()]);
    let actions = (0..kind.n_actions() as u32).map(LocalAction);
    actions.filter(move |&action| kind.sets(action).iter().any(is_shared))
}

/// The checks that actions ask.
fn checks_of(domain: &CompiledDomain) -> Vec<CheckId> {
    let mut checks = Vec::new();
    for kind in domain.npcs() {
        for action in (0..kind.n_actions() as u32).map(LocalAction) {
            checks.extend(kind.checks(action).iter().map(|used| used.check));
        }
    }
    checks.sort_unstable();
    checks.dedup();
    checks
}

/// The values of each variable that an NPC of a type has for itself.
fn private(domain: &CompiledDomain, kind: &NpcTables) -> Vec<Vec<Fact>> {
    let own = kind.variables().iter().enumerate().filter(|(_, id)| !domain.map().is_shared(**id));
    let values = own.map(|(at, _)| {
        let variable = LocalVariable(at as u32);
        let fact = |value| kind.fact(LocalFact { variable, value });
        (0..kind.n_values(variable) as PackedValue).map(fact).collect()
    });
    values.collect()
}
