//! Changes of many, found once and by resolved names, beside the same changes one by one by name.
//!
//! In:   random people of three types: with tables, with packed states, who count; random changes
//!       of values, amounts, goals and groups, arrivals and departures.
//! Out:  frame by frame the same reports and the same digests, however changes are told, planned
//!       in one round or crowd by crowd, with one, two and three threads. What is not of the crowd
//!       is refused.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::domain;
use std::sync::Arc;
use throng_base::SplitMix;
use throng_crowd::{
    Crowd, CrowdError, CrowdGoalId, CrowdSettings, FrameBudget, GroupId, NpcHandle, Pool,
    Population, Setter, TablePolicy,
};
use throng_planner::PreparedDomain;

/// The first type has small tables and one way to each value, the second must search where it has
/// no table, the third counts. All share the gate.
const TEXT: &str = "domain d
shared var bell: still, rung
shared var gate: shut, open
var at: home, road, shop, well
var bread: none, some, eaten
var mood: low, fair, high
var tool: no, yes
var wood: none, cut
var fire: out, lit
var coins: 0..20
var bags: 0..5
action get: tool no -> yes  if c0
action chop: wood none -> cut  while tool = yes
action light: fire out -> lit  while wood = cut, gate = open
action ring: bell still -> rung  while at = road
action hush: bell rung -> still  if not c0
action unbar: gate shut -> open
action go_road: at -> road
action go_shop: at -> shop
action go_well: at -> well
action go_home: at -> home
action buy: bread none -> some  while at = shop
action eat: bread some -> eaten
action cheer: mood -> high  while bread = eaten
action rest: mood -> fair  while at = home
action earn: coins += 7 up to 20  while gate = open
action beg: coins += 1  while bags < 5
action pack: coins -= 12, bags += 1
action drop: bags -= 1
goal warm: fire = lit
goal tooled: tool = yes
goal fed: bread = eaten
goal glad: mood = high
goal told: bell = rung
goal rich: coins >= 12
goal laden: bags >= 2, coins <= 10
npc plain
    can unbar, get, chop, light
    wants warm, tooled
    starts gate = shut, tool = no, wood = none, fire = out
npc rich
    can ring, hush, unbar, go_road, go_shop, go_well, go_home, buy, eat, cheer, rest
    wants fed, glad, told
    starts bell = still, gate = shut, at = home, bread = none, mood = low
npc miser
    can unbar, earn, beg, pack, drop
    wants rich, laden
    starts gate = shut, coins = 0, bags = 0
";

/// The variables that each type has for itself, with their values; amounts by number.
const OWN: [&[(&str, &[&str])]; 3] = [
    &[("tool", &["no", "yes"]), ("wood", &["none", "cut"]), ("fire", &["out", "lit"])],
    &[
        ("at", &["home", "road", "shop", "well"]),
        ("bread", &["none", "some", "eaten"]),
        ("mood", &["low", "fair", "high"]),
    ],
    &[("coins", &["0", "1", "7", "20"]), ("bags", &["0", "2", "5"])],
];

/// What happens to an NPC.
#[derive(Clone, Copy)]
enum Change {
    /// Of which variable, and which value; none for unknown.
    Value(usize, Option<usize>),
    Goal(usize),
    Group(usize),
    Again,
}

/// A population, and who is in it.
struct People {
    all: Population,
    goals: Vec<Vec<CrowdGoalId>>,
    groups: Vec<GroupId>,
    npcs: Vec<Vec<NpcHandle>>,
    /// By type and variable, the values and the unknown one behind them.
    setters: Vec<Vec<Vec<Setter>>>,
}

impl People {
    fn new(
        domain: &Arc<PreparedDomain>,
        settings: CrowdSettings,
        threads: usize,
        n: usize,
    ) -> People {
        let pool = Arc::new(Pool::new(threads));
        let mut all = Population::new(Arc::clone(domain), settings, pool);
        let mut groups = vec![GroupId::FIRST];
        groups.extend((0..5).map(|_| all.add_group().unwrap()));
        let (mut goals, mut npcs, mut setters) = (Vec::new(), Vec::new(), Vec::new());
        for (at, own) in OWN.iter().enumerate() {
            let id = domain.npcs()[at].id();
            let crowd = all.crowd_mut(id).unwrap();
            let mut all_goals: Vec<CrowdGoalId> =
                domain.npc(id).goals().iter().map(|&goal| crowd.goal(goal).unwrap()).collect();
            all_goals.push(crowd.best().unwrap());
            // One type is more than a thread's share.
            let n = if at == 0 { 3 * n } else { n };
            let some = |row: usize| (groups[row * 6 / n], all_goals[row % all_goals.len()]);
            npcs.push((0..n).map(|row| crowd.spawn(some(row).0, some(row).1).unwrap()).collect());
            goals.push(all_goals);
            let of_variable = |&(variable, values): &(&str, &[&str])| {
                let setter = |&value: &&str| match value.parse::<i64>() {
                    Ok(number) => crowd.amount_setter(variable, number).unwrap(),
                    Err(_) => crowd.setter((variable, value)).unwrap(),
                };
                let unknown = crowd.unknown_setter(variable).unwrap();
                values.iter().map(setter).chain([unknown]).collect()
            };
            setters.push(own.iter().map(of_variable).collect());
        }
        People { all, goals, groups, npcs, setters }
    }

    /// One by one, by handle and name.
    fn change_plainly(&mut self, at: usize, row: usize, change: Change) {
        let id = self.all.domain().npcs()[at].id();
        let (npc, crowd) = (self.npcs[at][row], self.all.crowd_mut(id).unwrap());
        let is_there = crowd.contains(npc);
        let done = match change {
            Change::Value(variable, value) => {
                let (variable, values) = OWN[at][variable];
                match value.map(|value| values[value]) {
                    None => crowd.forget(npc, variable),
                    Some(value) => match value.parse::<i64>() {
                        Ok(number) => crowd.set_amount(npc, variable, number),
                        Err(_) => crowd.set(npc, (variable, value)),
                    },
                }
            }
            Change::Goal(goal) => crowd.set_goal(npc, self.goals[at][goal]),
            Change::Group(group) => crowd.set_group(npc, self.groups[group]),
            Change::Again => {
                if crowd.ask_again(npc) {
                    Ok(())
                } else {
                    Err(CrowdError::NoSuchNpc)
                }
            }
        };
        assert_eq!(done, if is_there { Ok(()) } else { Err(CrowdError::NoSuchNpc) });
    }

    /// All types at the same time, each NPC found once.
    fn change_together(&mut self, all: &[Vec<(usize, Change)>], way: usize) {
        let People { goals, groups, npcs, setters, .. } = self;
        let mut kinds: Vec<_> = goals
            .iter()
            .zip(setters)
            .zip(npcs)
            .zip(all)
            .map(|(((a, b), c), d)| (a, b, c, d))
            .collect();
        let groups = &*groups;
        let edited = self.all.edit_crowds(&mut kinds, |crowd, (goals, setters, npcs, changes)| {
            let one = |npc: &mut throng_crowd::NpcEdit<'_>, change: Change| match change {
                Change::Value(variable, value) => {
                    let of = &setters[variable];
                    let setter = &of[value.unwrap_or(of.len() - 1)];
                    npc.set(setter)?;
                    assert!(npc.has(setter));
                    Ok(())
                }
                Change::Goal(goal) => npc.set_goal(goals[goal]),
                Change::Group(group) => npc.set_group(groups[group]),
                Change::Again => {
                    npc.ask_again();
                    Ok(())
                }
            };
            let n_there = changes.iter().filter(|(row, _)| crowd.contains(npcs[*row])).count();
            let n = match way {
                0 => crowd.edit_many(changes.iter().map(|(row, _)| npcs[*row]), |nth, npc| {
                    assert_eq!(npc.handle(), npcs[changes[nth].0]);
                    one(npc, changes[nth].1)
                })?,
                1 => {
                    // Rows are those of the handles, but some have somebody else now.
                    let there = changes.iter().filter(|(row, _)| crowd.contains(npcs[*row]));
                    let there: Vec<_> = there.collect();
                    let rows: Vec<usize> = there.iter().map(|(row, _)| npcs[*row].row()).collect();
                    crowd.edit_rows(rows, |nth, npc| one(npc, there[nth].1))?
                }
                _ => {
                    let mut n = 0;
                    for &(row, change) in changes.iter() {
                        match crowd.edit(npcs[row]) {
                            Ok(mut npc) => one(&mut npc, change)?,
                            Err(error) => {
                                assert_eq!(error, CrowdError::NoSuchNpc);
                                continue;
                            }
                        }
                        n += 1;
                    }
                    n
                }
            };
            assert_eq!(n, n_there);
            Ok(())
        });
        assert_eq!(edited, Ok(()));
    }

    /// Somebody leaves, and sometimes somebody comes.
    fn come_and_go(&mut self, dice: &mut SplitMix) {
        for at in 0..OWN.len() {
            let id = self.all.domain().npcs()[at].id();
            let crowd = self.all.crowd_mut(id).unwrap();
            for _ in 0..5 {
                let row = dice.below(self.npcs[at].len());
                crowd.despawn(self.npcs[at][row]);
                let (group, goal) =
                    (dice.below(self.groups.len()), dice.below(self.goals[at].len()));
                if dice.below(2) == 0 {
                    let npc = crowd.spawn(self.groups[group], self.goals[at][goal]).unwrap();
                    self.npcs[at].push(npc);
                }
            }
        }
    }
}

fn any_change(at: usize, goals: usize, dice: &mut SplitMix) -> Change {
    match dice.below(12) {
        0..6 => {
            let variable = dice.below(OWN[at].len());
            let value = dice.below(OWN[at][variable].1.len());
            Change::Value(variable, (dice.below(40) > 0).then_some(value))
        }
        6..9 => Change::Goal(dice.below(goals)),
        9..11 => Change::Again,
        _ => Change::Group(dice.below(6)),
    }
}

/// The same days twice: told one by one and planned crowd by crowd on one thread; told together
/// and planned in one round.
fn live(settings: CrowdSettings, n: usize, threads: usize, n_frames: usize) {
    let domain = domain(TEXT);
    let mut plain = People::new(&domain, settings, 1, n);
    let mut fast = People::new(&domain, settings, threads, n);
    let mut dice = SplitMix::new(n as u64);
    // No more than there is, but told, so that crowds have their turn one after the other.
    let one_by_one = FrameBudget { nodes: u64::MAX - 1, ..FrameBudget::UNLIMITED };
    for frame in 0..n_frames {
        let n_changes = if frame % 3 == 0 { 2 * n } else { n / 50 };
        let changes: Vec<Vec<(usize, Change)>> = (0..OWN.len())
            .map(|at| {
                let rows = plain.npcs[at].len();
                let goals = plain.goals[at].len();
                (0..n_changes)
                    .map(|_| (dice.below(rows), any_change(at, goals, &mut dice)))
                    .collect()
            })
            .collect();
        for (at, changes) in changes.iter().enumerate() {
            changes.iter().for_each(|&(row, change)| plain.change_plainly(at, row, change));
        }
        fast.change_together(&changes, frame % 3);
        assert_eq!(plain.all.digest(), fast.all.digest(), "changed, frame {frame}");
        let (group, holds) = (dice.below(6), dice.below(2) == 0);
        for people in [&mut plain, &mut fast] {
            people.all.set_check(people.groups[group], "c0", holds).unwrap();
            if frame % 2 == 0 {
                let gate = if frame % 4 == 0 { "shut" } else { "open" };
                people.all.set_shared(people.groups[group], ("gate", gate)).unwrap();
            }
        }
        let reports = (plain.all.plan(one_by_one), fast.all.plan(FrameBudget::UNLIMITED));
        assert_eq!(reports.0, reports.1, "frame {frame}");
        assert_eq!(plain.all.digest(), fast.all.digest(), "planned, frame {frame}");
        let applied = (plain.all.apply_next(), fast.all.apply_next());
        assert_eq!(applied.0, applied.1, "frame {frame}");
        assert_eq!(plain.all.digest(), fast.all.digest(), "moved, frame {frame}");
        let mut again = dice.clone();
        plain.come_and_go(&mut dice);
        fast.come_and_go(&mut again);
        assert_eq!(plain.npcs, fast.npcs);
    }
    assert_eq!(plain.all.save(), fast.all.save());
}

fn no_tables() -> CrowdSettings {
    CrowdSettings { tables: TablePolicy::Never, ..CrowdSettings::default() }
}

#[test]
fn few_are_changed_together_as_one_by_one() {
    for n in [1, 63, 64, 65, 400] {
        live(CrowdSettings::default(), n, 2, 8);
        live(no_tables(), n, 1, 5);
        live(CrowdSettings { wide: false, ..no_tables() }, n, 2, 4);
    }
}

#[test]
fn many_are_changed_and_served_alike_by_any_number_of_threads() {
    for threads in [1, 2, 3] {
        live(CrowdSettings::default(), 9_000, threads, 4);
        live(CrowdSettings { table_states: 100, ..CrowdSettings::default() }, 4_200, threads, 3);
    }
    live(CrowdSettings::default(), 20_000, 3, 3);
    live(no_tables(), 5_000, 3, 2);
}

fn crowd(people: &mut People, at: usize) -> &mut Crowd {
    let id = people.all.domain().npcs()[at].id();
    people.all.crowd_mut(id).unwrap()
}

#[test]
fn what_is_not_of_the_crowd_is_refused() {
    let domain = domain(TEXT);
    let mut people = People::new(&domain, CrowdSettings::default(), 1, 10);
    let packed = People::new(&domain, no_tables(), 1, 10);
    let (npc, other) = (people.npcs[0][3], people.npcs[1][3]);
    let tool = people.setters[0][0][1];
    let foreign = [people.setters[1][0][0], people.setters[2][0][0], packed.setters[0][0][1]];
    let plain = crowd(&mut people, 0);
    for setter in &foreign {
        assert_eq!(plain.set_many([npc], setter), Err(CrowdError::OtherSetter));
        let mut edit = plain.edit(npc).unwrap();
        assert_eq!((edit.set(setter), edit.has(setter)), (Err(CrowdError::OtherSetter), false));
        assert!(plain.edit_each(|npc| npc.set(setter)).is_err());
    }
    // Nobody is there, or not by that handle or row.
    assert!(plain.edit(other).is_err() && plain.despawn(npc) && plain.edit(npc).is_err());
    assert_eq!(plain.set_many([npc, other, NpcHandle::from_bits(u64::MAX)], &tool), Ok(0));
    let rows = [3, 1000, usize::MAX, 4];
    let mut seen = Vec::new();
    let found = plain.edit_rows(rows, |nth, npc| {
        seen.push((nth, npc.row(), Some(npc.goal()), Some(npc.group())));
        npc.set(&tool)
    });
    let there = plain.handle(4).unwrap();
    let expected = vec![(3, 4, plain.goal_of(there), plain.group_of(there))];
    assert_eq!((found, seen), (Ok(1), expected));
    // What there is not.
    assert!(matches!(plain.setter(("tool", "maybe")), Err(CrowdError::UnknownName(_))));
    assert!(matches!(plain.setter(("gate", "open")), Err(CrowdError::SharedVariable(_))));
    assert!(matches!(plain.setter(("at", "home")), Err(CrowdError::UnknownVariable(_))));
    assert!(matches!(plain.unknown_setter("gate"), Err(CrowdError::SharedVariable(_))));
    assert!(matches!(plain.amount_setter("tool", 1), Err(CrowdError::NoAmount(_))));
    let miser = crowd(&mut people, 2);
    assert!(matches!(miser.amount_setter("coins", 21), Err(CrowdError::OutOfRange { .. })));
    let (many_goals, many_groups) = (people.goals[1].clone(), people.groups.clone());
    let plain = crowd(&mut people, 0);
    let (wanted, mut edit) = (many_goals[3], plain.edit(there).unwrap());
    assert_eq!(edit.set_goal(wanted), Err(CrowdError::NoSuchGoal));
    let mut small =
        Crowd::new(Arc::clone(&domain), "plain", CrowdSettings::default(), Arc::new(Pool::new(1)))
            .unwrap();
    let who = small.spawn(GroupId::FIRST, CrowdGoalId::NONE).unwrap();
    let mut edit = small.edit(who).unwrap();
    assert_eq!(edit.set_group(many_groups[5]), Err(CrowdError::NoSuchGroup));
    // The same type of the same domain, its states written alike: that is the same.
    assert_eq!(edit.set(&tool), Ok(()));
    // Every crowd has its thing, and the first error is told.
    assert_eq!(people.all.edit_crowds(&mut [(); 2], |_, ()| Ok(())), Err(CrowdError::OtherLength));
    let edited = people.all.edit_crowds(&mut [0, 1, 2], |crowd, at| match at {
        0 => Ok(()),
        1 => Err(CrowdError::NoGoals),
        _ => crowd.edit_each(|_| Err(CrowdError::NoSuchNpc)),
    });
    assert_eq!(edited, Err(CrowdError::NoGoals));
    // Another version of the domain refuses what was made before.
    let patched = TEXT.replace("var tool: no, yes", "var tool: no, blunt, yes");
    people.all.reload(crate::common::domain(&patched)).unwrap();
    let plain = crowd(&mut people, 0);
    assert_eq!(plain.edit_each(|npc| npc.set(&tool)), Err(CrowdError::OtherSetter));
    let tool = plain.setter(("tool", "blunt")).unwrap();
    assert_eq!(plain.edit_each(|npc| npc.set(&tool)), Ok(()));
}
