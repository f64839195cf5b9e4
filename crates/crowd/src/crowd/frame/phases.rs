//! The table of the phases is the truth: what a phase does not write stays, what it does not read
//! does not matter, and nothing in the table is there for nothing.
//!
//! Crowds live through random days, each of them twice: the same calls make the same crowd. Before
//! a phase one part of the second is scrambled. A part that the table does not name must make no
//! difference; one that it names must make one at some time.

use super::{PHASES, Part};
use crate::groups::{GroupId, Rate};
use crate::list::Lists;
use crate::memory::Memory;
use crate::searches::Searches;
use crate::settings::{Frame, FrameBudget};
use crate::wide::WideWork;
use crate::{Crowd, CrowdGoalId, CrowdSettings, Pool, TablePolicy};
use std::collections::BTreeSet;
use std::sync::Arc;
use throng_domain::compile::CompiledDomain;
use throng_domain::model::{ActionId, CheckId, Fact, ValueId};
use throng_planner::PreparedDomain;

/// The first type has a word that holds every plan, the second has to search, the third counts.
const TEXT: &str = "domain d
shared var bell: still, rung
shared var gate: shut, open
var at: home, road, shop, well
var bread: none, some, eaten
var pail: empty, full
var mood: low, fair, high
var tool: no, yes
var wood: none, cut
var fire: out, lit
action get: tool no -> yes  if c0
action chop: wood none -> cut  while tool = yes  if c1
action light: fire out -> lit  while wood = cut, gate = open  if c2
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
goal warm: fire = lit
goal tooled: tool = yes
goal fed: bread = eaten
goal wet: pail = full or mood = high
goal told: bell = rung
goal calm: mood = fair, at = home
var coins: 0..40
var bags: 0..5
action earn: coins += 7 up to 40  while gate = open  if c0
action beg: coins += 1  while bags < 5  if c1
action pack: coins -= 12, bags += 1  if c2
action drop: bags -= 1  if not c3
goal rich: coins >= 20
goal laden: bags >= 2, coins <= 30
npc plain
    can unbar, get, chop, light
    wants warm, tooled
    starts gate = shut, tool = no, wood = none, fire = out
npc rich
    can ring, hush, unbar, go_road, go_shop, go_well, go_home, buy, eat, draw, spill, cheer, rest, short
    wants fed, wet, told, calm
    starts bell = still, gate = shut, at = home, bread = none, pail = empty, mood = low
npc miser
    can unbar, earn, beg, pack, drop
    wants rich, laden
    starts gate = shut, coins = 0, bags = 0
";

const PARTS: [Part; 16] = {
    use Part::*;
    [
        Groups, Group, Goal, State, Urgency, Waiting, Plan, Turns, Tables, Kernel, Memory,
        Questions, Searches, Budget, Report, Claims,
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

/// How a crowd is served, so that each phase has something to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Tables,
    /// Some tables, and then others would be needed.
    SomeTables,
    Wide,
    Memory,
    Searches,
    /// Those who count.
    Lists,
    /// Long enough that situations are forgotten.
    Long,
}

impl Way {
    /// What suits a phase.
    fn of(phase: &str, dice: &mut Dice) -> Way {
        use Way::*;
        let ways: &[Way] = match phase {
            "forget" => &[Long],
            "settle" => &[Tables, Wide, Memory, Memory, Memory, Long],
            "wide" => &[Wide, SomeTables],
            "lists" => &[Lists],
            "resume" | "search" => &[Searches],
            _ => &[Tables, SomeTables, Wide, Memory, Memory, Searches, Lists],
        };
        ways[dice.below(ways.len())]
    }
}

/// The first phases of the last frame of a random day.
fn scene(domain: &Arc<PreparedDomain>, seed: u64, way: Way, phase: usize) -> Scene {
    let mut dice = Dice(seed);
    dice.below(2);
    let is_rich = match way {
        Way::Wide | Way::SomeTables => false,
        Way::Searches => true,
        _ => dice.below(2) == 0,
    };
    let which = if way == Way::Lists { 2 } else { usize::from(is_rich) };
    let npc = domain.npcs()[which].id();
    let settings = CrowdSettings {
        tables: match way {
            Way::Tables => TablePolicy::OnFirstUse,
            Way::SomeTables => TablePolicy::Prepared,
            _ => TablePolicy::Never,
        },
        wide: matches!(way, Way::Wide | Way::SomeTables),
        // Some are too short for what is wanted.
        list_entries: [4096, 4096, 30][dice.below(3)],
        remembered: if way == Way::Long { 4096 } else { [0, 8, 64][dice.below(3)] },
        searches: 2,
        first_try: if way == Way::Searches { 1 } else { [1, 4, 40][dice.below(3)] },
        most_nodes: [40, 1000][dice.below(2)],
        ..CrowdSettings::default()
    };
    let mut crowd = Crowd::new(Arc::clone(domain), npc, settings, Arc::new(Pool::new(1))).unwrap();
    let groups = [GroupId::FIRST, crowd.add_group().unwrap(), crowd.add_group().unwrap()];
    let ids: Vec<_> = domain.npc(npc).goals().to_vec();
    let mut goals: Vec<CrowdGoalId> = ids.iter().map(|&id| crowd.goal(id).unwrap()).collect();
    goals.push(crowd.best().unwrap());
    goals.push(crowd.any_goal(&ids).unwrap());
    if way == Way::SomeTables {
        crowd.prepare(&|_, _| true);
    }
    let npcs: Vec<_> = (0..24)
        .map(|at| crowd.spawn(groups[at % 3], goals[dice.below(goals.len())]).unwrap())
        .collect();
    let n_frames = if way == Way::Long { 90 } else { 1 + dice.below(8) };
    for at in 0..n_frames {
        for group in groups {
            // Searches end if what they are about changes.
            if way != Way::Searches || dice.below(6) == 0 {
                change_group(&mut crowd, group, &mut dice);
            }
        }
        for _ in 0..dice.below(if way == Way::Searches { 4 } else { 12 }) {
            let npc = npcs[dice.below(npcs.len())];
            match dice.below(6) {
                0 | 1 => _ = crowd.set(npc, any_fact(domain, &mut dice)),
                2 => _ = crowd.set_goal(npc, goals[dice.below(goals.len())]),
                3 => _ = crowd.set_group(npc, groups[dice.below(3)]),
                4 => _ = crowd.set_urgency(npc, dice.below(3) as u8),
                _ => _ = crowd.forget(npc, any_fact(domain, &mut dice).variable),
            }
        }
        if way == Way::Wide {
            // The kernel is for many at once.
            npcs.iter().for_each(|&npc| _ = crowd.ask_again(npc));
        }
        let npcs = [usize::MAX, 5, 12][dice.below(3)];
        let nodes = match way {
            Way::Searches => [3, 8, 20, 60][dice.below(4)],
            // Most frames cannot afford the kernel.
            Way::Wide => [3, 20, 200, 200_300][dice.below(4)],
            Way::Lists => [2, 20, 400, 9_000][dice.below(4)],
            _ => [u64::MAX, 3, 20, 200_300][dice.below(4)],
        };
        if at + 1 < n_frames {
            crowd.plan(FrameBudget { npcs, nodes });
            crowd.apply_next();
            continue;
        }
        let mut frame = Frame::new(FrameBudget { npcs, nodes });
        crowd.core.turns.begin();
        for phase in &PHASES[..phase] {
            (phase.run)(&mut crowd, &mut frame);
        }
        return Scene { crowd, frame };
    }
    Scene { crowd, frame: Frame::new(FrameBudget::UNLIMITED) }
}

fn any_fact(domain: &CompiledDomain, dice: &mut Dice) -> Fact {
    let names = ["at", "bread", "pail", "mood", "tool", "wood", "fire", "coins", "bags"];
    let variable = domain.map().find_variable(names[dice.below(names.len())]).unwrap();
    if domain.map().amount(variable).is_some() {
        let value = ValueId::at(dice.below(domain.map().n_values(variable)));
        return Fact { variable, value };
    }
    let values: Vec<ValueId> = ["home", "road", "shop", "well", "none", "some", "eaten", "empty"]
        .iter()
        .chain(&["full", "low", "fair", "high", "no", "yes", "cut", "out", "lit"])
        .filter_map(|value| domain.map().find_value(variable, value))
        .collect();
    Fact { variable, value: values[dice.below(values.len())] }
}

fn change_group(crowd: &mut Crowd, group: GroupId, dice: &mut Dice) {
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
fn scramble(
    part: Part,
    scene: &mut Scene,
    donor: impl FnOnce() -> Scene,
    phase: usize,
    dice: &mut Dice,
) {
    let Scene { crowd, frame } = scene;
    let core = &mut crowd.core;
    let by = 1 + dice.below(core.columns.len() - 1);
    match part {
        Part::Groups => {
            for at in 0..3 {
                let rate = Rate { every: 1 + dice.below(2) as u16, urgency: dice.below(9) as u8 };
                change_group(crowd, GroupId(at), dice);
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
        Part::Claims => {
            core.claims.make_room(core.columns.len(), core.groups.len());
            for row in core.columns.rows().alive().iter().collect::<Vec<_>>() {
                match dice.below(3) {
                    0 => core.claims.grant(row, core.columns.group(row)),
                    1 => core.let_go(row),
                    _ => {}
                }
            }
        }
        Part::Turns => {
            for row in 0..core.columns.len() {
                let waits = core.columns.waiting().get(row) && dice.below(2) == 0;
                core.turns.serve.set(row, waits);
                core.turns.chosen_mut().set(row, dice.below(2) == 0);
            }
        }
        Part::Tables => {
            while core.groups.situations.drop_oldest() {}
            for group in 0..3 {
                let now = core.groups.situation(group);
                core.groups.situations.forget(now);
            }
            core.groups.situations.lists = Lists::default();
        }
        Part::Kernel => crowd.wide = WideWork::default(),
        Part::Memory => crowd.memory = Memory::new(core.settings.remembered),
        Part::Questions => crowd.questions = donor().crowd.questions,
        Part::Searches => crowd.searches = Searches::new(core.settings.searches),
        Part::Budget => {
            frame.nodes = [0, 7, 500_000][dice.below(3)];
            frame.npcs = dice.below(20);
        }
        Part::Report => frame.report.planned += 1,
    }
    scene.crowd.core.columns.make_sound(&scene.crowd.core.book);
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
        Part::Claims => {
            let (holds, asks) = (core.claims.holds(), core.claims.asks());
            let [holds, asks] = [holds, asks].map(|rows| rows.iter().collect::<Vec<_>>());
            format!("{holds:?} {asks:?} {:?}", crowd.line.heads())
        }
        Part::Turns => format!("{:?}", core.turns),
        Part::Tables => core.groups.situations.learned(),
        Part::Kernel => format!("{} {:?}", crowd.wide.is_made(), crowd.wide.why_not()),
        Part::Memory => format!("{:?}", crowd.memory),
        Part::Questions => format!("{:?}", crowd.questions),
        Part::Searches => crowd.searches.outline(),
        Part::Budget => format!("{} {}", frame.npcs, frame.nodes),
        Part::Report => format!("{:?}", frame.report),
    }
}

/// What was seen of the phases.
#[derive(Default)]
struct Seen {
    wrote: BTreeSet<(usize, Part)>,
    mattered: BTreeSet<(usize, Part)>,
    wrong: BTreeSet<String>,
}

impl Seen {
    /// Runs a phase twice, once with one part scrambled.
    fn probe(&mut self, domain: &Arc<PreparedDomain>, at: usize, part: Part, seed: u64) {
        let (phase, mut dice) = (&PHASES[at], Dice(seed));
        let way = Way::of(phase.name, &mut dice);
        let mut plain = scene(domain, seed, way, at);
        let mut other = scene(domain, seed, way, at);
        let before = PARTS.map(|part| seen(&plain, part));
        assert_eq!(before, PARTS.map(|part| seen(&other, part)), "the same calls");
        scramble(part, &mut other, || scene(domain, seed + 1, way, at), at, &mut dice);
        let scrambled = PARTS.map(|part| seen(&other, part));
        (phase.run)(&mut plain.crowd, &mut plain.frame);
        (phase.run)(&mut other.crowd, &mut other.frame);
        for (nth, &one) in PARTS.iter().enumerate() {
            let (after, elsewhere) = (seen(&plain, one), seen(&other, one));
            if after != before[nth] {
                self.wrote.insert((at, one));
            }
            // What a scramble changed beside its part is nothing to compare.
            if after == elsewhere || one == part || scrambled[nth] != before[nth] {
                continue;
            }
            self.mattered.insert((at, part));
            if !phase.reads.contains(&part) && !phase.writes.contains(&part) {
                self.wrong.insert(format!("{} reads {part:?}: {one:?}", phase.name));
            }
        }
    }
}

#[test]
fn the_table_is_the_truth() {
    let domain = Arc::new(crate::table::smithy::compiled(TEXT));
    let mut all = Seen::default();
    for (at, phase) in PHASES.iter().enumerate() {
        for (nth, part) in PARTS.into_iter().enumerate() {
            // Long days take their time.
            let n = if phase.name == "forget" { 8 } else { 80 };
            for seed in 0..n {
                all.probe(&domain, at, part, 1 + seed * 1000 + nth as u64);
                let mattered = all.mattered.contains(&(at, part)) || !phase.reads.contains(&part);
                if seed >= 6 && mattered {
                    break;
                }
            }
        }
    }
    for (at, phase) in PHASES.iter().enumerate() {
        for part in PARTS {
            match (all.wrote.contains(&(at, part)), phase.writes.contains(&part)) {
                (true, false) => _ = all.wrong.insert(format!("{} writes {part:?}", phase.name)),
                (false, true) => {
                    all.wrong.insert(format!("{} never wrote {part:?}", phase.name));
                }
                _ => {}
            }
        }
        // Where nothing else is written it would have to matter to itself.
        for part in phase.reads.iter().filter(|part| phase.writes != [**part]) {
            if !all.mattered.contains(&(at, *part)) {
                all.wrong.insert(format!("{part:?} never mattered to {}", phase.name));
            }
        }
    }
    assert!(all.wrong.is_empty(), "{:#?}", all.wrong);
}

#[test]
fn tables_are_asked_before_what_takes_longer() {
    assert_eq!(PHASES[super::BY_TABLES - 1].name, "tables");
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
