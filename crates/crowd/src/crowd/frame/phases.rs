//! The table of the phases is the truth: what a phase does not write stays, what it does not read
//! does not matter.
//!
//! Crowds live through random days, each of them twice: the same calls make the same crowd. Before
//! a phase one part of the second is scrambled. A part that the table does not name must make no
//! difference.

use super::{PHASES, Part};
use crate::groups::{GroupRef, Rate};
use crate::memory::Memory;
use crate::searches::Searches;
use crate::settings::{Budget, Frame};
use crate::wide::WideWork;
use crate::{Crowd, GoalRef, Pool, Settings, Tables};
use std::collections::BTreeSet;
use std::sync::Arc;
use throng_domain::compile::CompiledDomain;
use throng_domain::model::{ActionId, CheckId, Fact, ValueId};

/// The first type has a word that holds every plan, the second has to search.
const TEXT: &str = "domain d
shared var bell: still, rung
shared var gate: shut, open
var at: home, road, shop, well
var bread: none, some, eaten
var pail: empty, full
var mood: low, fair, high
action ring: bell still -> rung  while at = road  if c0
action hush: bell rung -> still  if not c0
action unbar: gate shut -> open  if c1
action go_road: at -> road  if c2
action go_shop: at -> shop  if c3
action go_well: at -> well  if c4
action go_home: at -> home
action buy: bread none -> some  while at = shop  if c5
action eat: bread some -> eaten  if c6
action draw: pail -> full  while at = well, gate = open  if c7
action spill: pail full -> empty
action cheer: mood -> high  while bread = eaten
action rest: mood -> fair  while at = home
action short(p in at): at -> p  while gate = open
    cost 3
goal fed: bread = eaten
goal wet: pail = full or mood = high
goal told: bell = rung
goal calm: mood = fair, at = home
npc plain
    can ring, hush, unbar, go_road, go_shop, go_well, go_home, buy, eat, draw, cheer
    wants fed, wet, told
    starts bell = still, gate = shut, at = home, bread = none, pail = empty, mood = low
npc rich
    can ring, hush, unbar, go_road, go_shop, go_well, go_home, buy, eat, draw, spill, cheer, rest, short
    wants fed, wet, told, calm
    starts bell = still, gate = shut, at = home, bread = none, pail = empty, mood = low
";

const PARTS: [Part; 15] = {
    use Part::*;
    [
        Groups, Group, Goal, State, Urgency, Waiting, Plan, Turns, Tables, Kernel, Memory,
        Questions, Searches, Budget, Report,
    ]
};

#[derive(Clone)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((self.0 >> 33) % limit as u64) as usize
    }
}

/// A crowd in the middle of a frame.
struct Scene {
    crowd: Crowd,
    frame: Frame,
}

/// The first phases of the last frame of a random day.
fn scene(domain: &Arc<CompiledDomain>, seed: u64, phase: usize) -> Scene {
    let mut dice = Dice(seed);
    let npc = domain.npcs()[dice.below(2)].id();
    let tables = [Tables::OnFirstUse, Tables::Never, Tables::Never][dice.below(3)];
    let settings = Settings {
        tables,
        wide: dice.below(2) == 0,
        remembered: [0, 8, 64][dice.below(3)],
        searches: 2,
        first_try: [1, 4, 40][dice.below(3)],
        most_nodes: [40, 1000][dice.below(2)],
        ..Settings::default()
    };
    let mut crowd = Crowd::new(Arc::clone(domain), npc, settings, Arc::new(Pool::new(1))).unwrap();
    let groups = [GroupRef::FIRST, crowd.add_group().unwrap(), crowd.add_group().unwrap()];
    let ids: Vec<_> = domain.npc(npc).goals().to_vec();
    let mut goals: Vec<GoalRef> = ids.iter().map(|&id| crowd.goal(id).unwrap()).collect();
    goals.push(crowd.best().unwrap());
    goals.push(crowd.any_goal(&ids).unwrap());
    let npcs: Vec<_> = (0..24)
        .map(|at| crowd.spawn(groups[at % 3], goals[dice.below(goals.len())]).unwrap())
        .collect();
    let n_frames = if dice.below(16) == 0 { 70 } else { 1 + dice.below(12) };
    for at in 0..n_frames {
        for group in groups {
            change_group(&mut crowd, group, &mut dice);
        }
        for _ in 0..dice.below(12) {
            let npc = npcs[dice.below(npcs.len())];
            match dice.below(6) {
                0 | 1 => _ = crowd.set(npc, any_fact(domain, &mut dice)),
                2 => _ = crowd.set_goal(npc, goals[dice.below(goals.len())]),
                3 => _ = crowd.set_group(npc, groups[dice.below(3)]),
                4 => _ = crowd.set_urgency(npc, dice.below(3) as u8),
                _ => _ = crowd.forget(npc, any_fact(domain, &mut dice).variable),
            }
        }
        let npcs = [usize::MAX, 5, 12][dice.below(3)];
        let nodes = [u64::MAX, 3, 20, 200_300][dice.below(4)];
        if at + 1 < n_frames {
            crowd.plan(Budget { npcs, nodes });
            crowd.apply_next();
            continue;
        }
        let mut frame = Frame::new(Budget { npcs, nodes });
        crowd.core.turns.begin();
        for phase in &PHASES[..phase] {
            (phase.run)(&mut crowd, &mut frame);
        }
        return Scene { crowd, frame };
    }
    Scene { crowd, frame: Frame::new(Budget::UNLIMITED) }
}

fn any_fact(domain: &CompiledDomain, dice: &mut Dice) -> Fact {
    let names = ["at", "bread", "pail", "mood"];
    let variable = domain.map().find_variable(names[dice.below(4)]).unwrap();
    let values: Vec<ValueId> = ["home", "road", "shop", "well", "none", "some", "eaten", "empty"]
        .iter()
        .chain(&["full", "low", "fair", "high"])
        .filter_map(|value| domain.map().find_value(variable, value))
        .collect();
    Fact { variable, value: values[dice.below(values.len())] }
}

fn change_group(crowd: &mut Crowd, group: GroupRef, dice: &mut Dice) {
    let domain = Arc::clone(crowd.domain());
    let checks: Vec<CheckId> =
        (0..8).filter_map(|at| domain.map().find_check(&format!("c{at}"))).collect();
    for _ in 0..1 + dice.below(2) {
        crowd.set_check(group, checks[dice.below(checks.len())], dice.below(4) > 0).unwrap();
    }
    match dice.below(5) {
        0 => {
            let variable = domain.map().find_variable("gate").unwrap();
            let name = ["shut", "open"][dice.below(2)];
            let value = domain.map().find_value(variable, name).unwrap();
            crowd.set_shared(group, Fact { variable, value }).unwrap();
        }
        1 => {
            let actions: Vec<ActionId> = domain.npc(crowd.npc()).actions().to_vec();
            crowd.forbid(group, actions[dice.below(actions.len())], dice.below(2) == 0).unwrap();
        }
        2 => crowd.set_rate(group, 1 + dice.below(3) as u16, dice.below(4) as u8).unwrap(),
        _ => {}
    }
}

/// Puts something else in the place of a part.
fn scramble(part: Part, scene: &mut Scene, donor: Scene, phase: usize, dice: &mut Dice) {
    let Scene { crowd, frame } = scene;
    let core = &mut crowd.core;
    let by = 1 + dice.below(core.columns.len() - 1);
    match part {
        Part::Groups => {
            for at in 0..3 {
                let rate = Rate { every: 1 + dice.below(2) as u16, urgency: dice.below(9) as u8 };
                change_group(crowd, GroupRef(at), dice);
                crowd.core.groups.set_rate(at.into(), rate);
            }
            // After the first phase situations have been worked out.
            if phase > 0 {
                crowd.core.groups.update_all(crowd.core.kind.npc());
            }
        }
        Part::Group => core.columns.raw().group.rotate_left(by),
        Part::Goal => core.columns.raw().goal.rotate_left(by),
        Part::Urgency => {
            core.columns.raw().urgency.iter_mut().for_each(|one| *one = dice.below(9) as u8);
        }
        Part::State => {
            let mut states = vec![core.kind.npc().unknown_state(); core.columns.len()];
            for (row, state) in states.iter_mut().enumerate() {
                core.read_state(row, state);
            }
            states.rotate_left(by);
            for (row, state) in states.iter().enumerate() {
                core.columns.write(row, &core.kind, state);
            }
        }
        Part::Waiting => {
            let n = core.columns.len();
            let raw = core.columns.raw();
            (0..n).for_each(|row| raw.waiting.set(row, dice.below(2) == 0));
        }
        Part::Plan => {
            let n = core.columns.len();
            let raw = core.columns.raw();
            let ids: Vec<u32> = (0..n).map(|row| raw.ids.get((row + by) % n)).collect();
            ids.iter().enumerate().for_each(|(row, &id)| raw.ids.set(row, id));
            raw.step.rotate_left(by);
        }
        Part::Turns => {
            for row in 0..core.columns.len() {
                let waits = core.columns.waiting().get(row) && dice.below(2) == 0;
                core.turns.serve_mut().set(row, waits);
            }
        }
        Part::Tables => {
            while core.groups.situations_mut().drop_oldest() {}
            for group in 0..3 {
                let now = core.groups.situation(group);
                core.groups.situations_mut().forget(now);
            }
        }
        Part::Kernel => crowd.wide = WideWork::default(),
        Part::Memory => crowd.memory = Memory::new(core.settings.remembered),
        Part::Questions => crowd.questions = donor.crowd.questions,
        Part::Searches => crowd.searches = Searches::new(core.settings.searches),
        Part::Budget => {
            frame.nodes = [0, 1, 7, 300, 500_000][dice.below(5)];
            frame.npcs = dice.below(20);
        }
        Part::Report => frame.report.planned += 1,
    }
}

/// What is to be seen of a part.
fn seen(scene: &Scene, part: Part) -> String {
    let Scene { crowd, frame } = scene;
    let (core, columns) = (&crowd.core, &crowd.core.columns);
    let rows = 0..columns.len();
    match part {
        Part::Groups => {
            let groups = &core.groups;
            let one = |at: usize| {
                let said = (groups.checks(at), groups.forbidden(at), groups.shared(at));
                format!("{said:?} {:?} {}", groups.rates()[at], groups.is_unsettled(at))
            };
            (0..groups.len()).map(one).collect()
        }
        Part::Group => format!("{:?}", columns.groups()),
        Part::Goal => rows.map(|row| format!("{} ", columns.goal(row))).collect(),
        Part::Urgency => format!("{:?}", columns.urgency()),
        Part::State => {
            let state = |row| {
                let mut state = core.kind.npc().unknown_state();
                columns.read(row, &core.kind, &mut state);
                format!("{state:?}")
            };
            rows.map(state).collect()
        }
        Part::Waiting => format!("{:?}", columns.waiting()),
        Part::Plan => {
            let plan = |row| {
                let steps: Vec<_> = core.remainder(row).collect();
                let verdict = columns.id(row).min(4);
                format!("{verdict} {steps:?} {}\n", columns.steps_done(row))
            };
            rows.map(plan).collect()
        }
        Part::Turns => format!("{:?}", core.turns),
        Part::Tables => core.groups.situations().learned(),
        Part::Kernel => format!("{} {:?}", crowd.wide.is_made(), crowd.wide.why_not()),
        Part::Memory => format!("{:?}", crowd.memory),
        Part::Questions => format!("{:?}", crowd.questions),
        Part::Searches => crowd.searches.outline(),
        Part::Budget => format!("{} {}", frame.npcs, frame.nodes),
        Part::Report => format!("{:?}", frame.report),
    }
}

#[test]
fn the_table_is_the_truth() {
    let domain = Arc::new(crate::smithy::compiled(TEXT));
    let mut dice = Dice(7);
    let mut wrote: BTreeSet<(usize, Part)> = BTreeSet::new();
    let mut wrong: BTreeSet<String> = BTreeSet::new();
    let mut compared = 0;
    for seed in 0..250 {
        for (at, phase) in PHASES.iter().enumerate() {
            if dice.below(2) > 0 {
                continue;
            }
            let mut plain = scene(&domain, seed, at);
            let mut other = scene(&domain, seed, at);
            let before = PARTS.map(|part| seen(&plain, part));
            assert_eq!(before, PARTS.map(|part| seen(&other, part)), "the same calls");
            let part = PARTS[dice.below(PARTS.len())];
            scramble(part, &mut other, scene(&domain, seed + 1, at), at, &mut dice);
            let scrambled = PARTS.map(|part| seen(&other, part));
            (phase.run)(&mut plain.crowd, &mut plain.frame);
            (phase.run)(&mut other.crowd, &mut other.frame);
            let after = PARTS.map(|part| seen(&plain, part));
            let elsewhere = PARTS.map(|part| seen(&other, part));
            for (nth, &one) in PARTS.iter().enumerate() {
                if after[nth] != before[nth] {
                    wrote.insert((at, one));
                }
            }
            // What a scramble changed beside its part is nothing to compare.
            let differs = (0..PARTS.len()).filter(|&nth| scrambled[nth] == before[nth]);
            let differs = differs.filter(|&nth| PARTS[nth] != part);
            let differs = differs.map(|nth| (PARTS[nth], after[nth] != elsewhere[nth]));
            let differs = differs.filter(|(_, differs)| *differs).map(|(one, _)| one).next();
            if let Some(differs) = differs {
                if !phase.reads.contains(&part) && !phase.writes.contains(&part) {
                    wrong.insert(format!("{} reads {part:?}: {differs:?}", phase.name));
                }
            }
            compared += 1;
        }
    }
    assert!(compared > 1_000, "{compared}");
    for (at, phase) in PHASES.iter().enumerate() {
        for part in PARTS {
            if wrote.contains(&(at, part)) && !phase.writes.contains(&part) {
                wrong.insert(format!("{} writes {part:?}", phase.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_header_is_the_table() {
    let rows = include_str!("../frame.rs").lines().filter_map(|line| line.strip_prefix("//! | "));
    let rows: Vec<String> =
        rows.skip(1).map(|row| row.trim_end_matches(" |").to_string()).collect();
    let names = |parts: &[Part]| {
        let names = parts.iter().map(|part| format!("{part:?}").to_lowercase());
        names.collect::<Vec<_>>().join(", ")
    };
    let table: Vec<String> = PHASES
        .iter()
        .enumerate()
        .map(|(at, phase)| {
            let (reads, writes) = (names(phase.reads), names(phase.writes));
            format!("{} | {} | {reads} | {writes}", at + 1, phase.name)
        })
        .collect();
    assert_eq!(rows, table);
}
