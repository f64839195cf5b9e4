//! Crowds at their limits: budgets, counts, memory, and what the same calls come to.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::{LINE, domain, fact};
use std::sync::Arc;
use throng_crowd::{
    Crowd, CrowdGoalId, CrowdSettings, FrameBudget, GroupId, Pool, Status, TablePolicy,
};
use throng_planner::PreparedDomain;

fn crowd(domain: &Arc<PreparedDomain>, settings: CrowdSettings) -> (Crowd, CrowdGoalId) {
    let (npc, pool) = (&domain.npcs()[0], Arc::new(Pool::new(1)));
    let mut crowd = Crowd::new(Arc::clone(domain), npc.id(), settings, pool).unwrap();
    let goal = crowd.goal(npc.goals()[0]).unwrap();
    (crowd, goal)
}

/// The planner alone.
fn plain() -> CrowdSettings {
    CrowdSettings {
        tables: TablePolicy::Never,
        wide: false,
        remembered: 0,
        ..CrowdSettings::default()
    }
}

#[test]
fn the_urgent_are_planned_for_first_and_the_others_in_turn() {
    let domain = domain(LINE);
    let (mut crowd, goal) = crowd(&domain, plain());
    let calm = crowd.spawn(GroupId::FIRST, goal).unwrap();
    let urgent = crowd.spawn_with(GroupId::FIRST, goal, &[fact(&domain, "p", "c")]).unwrap();
    crowd.set_urgency(urgent, 9);
    let one = FrameBudget { npcs: usize::MAX, nodes: 1 };
    crowd.plan(one);
    assert_eq!(crowd.status(urgent), Some(Status::Following));
    assert_eq!(crowd.status(calm), Some(Status::Waiting));
    // Equals: a restless one does not keep the other from its turn.
    crowd.set_urgency(urgent, 0);
    crowd.ask_again(urgent);
    for frame in 0..4 {
        crowd.set(calm, fact(&domain, "p", if frame % 2 == 0 { "b" } else { "a" })).unwrap();
        crowd.plan(one);
    }
    assert_eq!(crowd.status(urgent), Some(Status::Following));
}

#[test]
fn a_variable_that_becomes_shared_concerns_who_went_by_its_own() {
    let text = "domain s
var forge: cold, hot
var sword: no, yes
action light: forge cold -> hot
action smith: sword no -> yes  while forge = hot
goal armed: sword = yes
npc smith
    can light, smith
    wants armed
    starts forge = cold, sword = no
";
    let (old, new) = (domain(text), domain(&text.replace("var forge", "shared var forge")));
    let (mut crowd, goal) = crowd(&old, plain());
    let smith = crowd.spawn_with(GroupId::FIRST, goal, &[fact(&old, "forge", "hot")]).unwrap();
    crowd.plan(FrameBudget::UNLIMITED);
    assert_eq!(crowd.plan_of(smith).len(), 1);
    assert_eq!(crowd.reload(Arc::clone(&new)).unwrap().concerned, 1);
    crowd.plan(FrameBudget::UNLIMITED);
    assert_eq!(crowd.plan_of(smith).len(), 2, "the forge of the group is cold");
}

#[test]
fn groups_and_goals_end_before_their_numbers_do() {
    let domain = domain(
        "domain big
var a: 0..299
var b: 0..299
action x: a 0 -> 1
goal g: a = 1
npc w
    can x
    wants g
    starts a = 0, b = 0
",
    );
    let (mut crowd, goal) = crowd(&domain, plain());
    while crowd.add_group().is_ok() {}
    assert_eq!((crowd.n_groups(), crowd.groups().count()), (65_535, 65_535));
    let values = |name: &str| {
        let variable = domain.map().find_variable(name).unwrap();
        (0..300)
            .map(move |at| at.to_string())
            .map(|value| fact(&domain, name, &value))
            .inspect(move |fact| assert_eq!(fact.variable, variable))
            .collect::<Vec<_>>()
    };
    let (all_a, all_b) = (values("a"), values("b"));
    let pairs = all_a.iter().flat_map(|&a| all_b.iter().map(move |&b| [a, b]));
    let n = pairs.take_while(|pair| crowd.add_goal(pair).is_ok()).count();
    // Wanting nothing and the type's own are two more.
    assert_eq!(n, 65_535 - 2);
    let npc = crowd.spawn(GroupId::FIRST, goal).unwrap();
    crowd.plan(FrameBudget::UNLIMITED);
    assert_eq!(crowd.status(npc), Some(Status::Following));
    let same = Arc::clone(crowd.domain());
    assert_eq!(crowd.reload(same).unwrap().kept, 1);
}

#[test]
fn a_plan_of_more_steps_than_can_be_counted_is_walked_to_its_end() {
    let n = 70_000;
    let mut text = format!("domain far\nvar a: 0..34999\nvar b: 0..{}\n", n - 34_999);
    let (mut can, last) = (Vec::new(), n - 34_999);
    for (name, end) in [("a", 34_999), ("b", last)] {
        for at in 0..end {
            text += &format!("action {name}{at}: {name} {at} -> {}\n", at + 1);
            can.push(format!("{name}{at}"));
        }
    }
    text += &format!(
        "goal end: a = 34999, b = {last}\nnpc w\n    can {}\n    wants end\n",
        can.join(", ")
    );
    text += "    starts a = 0, b = 0\n";
    let domain = domain(&text);
    let (mut crowd, goal) = crowd(&domain, plain());
    let npc = crowd.spawn(GroupId::FIRST, goal).unwrap();
    crowd.plan(FrameBudget::UNLIMITED);
    assert_eq!(crowd.plan_of(npc).len(), n);
    let moved = (0..n).filter(|_| crowd.apply_next().moved == 1).count();
    assert_eq!((moved, crowd.status(npc)), (n, Some(Status::Satisfied)));
    assert_eq!(crowd.get(npc, fact(&domain, "a", "0").variable), Some(fact(&domain, "a", "34999")));
}

const MANY_SITUATIONS: &str = "domain big
shared var a: 0..299
var c: 0..250
var e: 0..250
action x: c 0 -> 1  while a = 1
action y: c 1 -> 2
action z: e 0 -> 1
goal g: c = 2
npc w
    can x, y, z
    wants g
    starts a = 0, c = 1, e = 0
";

#[test]
fn the_same_calls_come_to_the_same_whatever_is_forgotten() {
    let domain = domain(&MANY_SITUATIONS.replace("0..250", "0..4"));
    let run = || {
        let (mut crowd, goal) = crowd(&domain, CrowdSettings::default());
        (1..60).for_each(|_| _ = crowd.add_group());
        let groups: Vec<GroupId> = crowd.groups().collect();
        groups.iter().for_each(|&group| _ = crowd.spawn(group, goal).unwrap());
        let mut reports = Vec::new();
        for frame in 0..40 {
            for (at, &group) in groups.iter().enumerate() {
                let value = 2 + (at * 7 + (frame % 3) * 60) % 250;
                crowd.set_shared(group, fact(&domain, "a", &value.to_string())).unwrap();
                crowd
                    .set(crowd.handle(at).unwrap(), fact(&domain, "e", ["0", "2"][frame % 2]))
                    .unwrap();
            }
            reports.push(crowd.plan(FrameBudget { npcs: usize::MAX, nodes: 60 }));
        }
        (reports, crowd.digest())
    };
    let first = run();
    (0..5).for_each(|_| assert!(run() == first));
    assert!(first.0.iter().any(|report| report.deferred > 0), "the budget matters");
}

#[test]
fn room_is_made_for_the_tables_of_now() {
    let domain = domain(MANY_SITUATIONS);
    // Room for two tables of 63,001 states.
    let settings = CrowdSettings { table_bytes: 300_000, ..CrowdSettings::default() };
    let (mut crowd, goal) = crowd(&domain, settings);
    (0..10).for_each(|_| _ = crowd.spawn(GroupId::FIRST, goal).unwrap());
    for frame in 0..10 {
        crowd.set_shared(GroupId::FIRST, fact(&domain, "a", &(frame + 2).to_string())).unwrap();
        for row in 0..10 {
            crowd
                .set(crowd.handle(row).unwrap(), fact(&domain, "e", ["0", "2"][frame % 2]))
                .unwrap();
        }
        let report = crowd.plan(FrameBudget::UNLIMITED);
        assert_eq!((report.looked_up, report.tables), (10, 1), "{frame}: {report:?}");
        assert!(crowd.source().table_bytes <= 300_000);
    }
}

#[test]
fn plans_that_need_too_much_memory_make_no_table() {
    let mut text = "domain long\nvar a: 0..299\nvar b: 0..299\n".to_string();
    let mut can = Vec::new();
    for name in ["a", "b"] {
        for at in 0..299 {
            text += &format!("action {name}{at}: {name} {at} -> {}\n", at + 1);
            can.push(format!("{name}{at}"));
        }
    }
    text += &format!("goal g: a = 299, b = 299\nnpc w\n    can {}\n    wants g\n", can.join(", "));
    text += "    starts a = 0, b = 0\n";
    let domain = domain(&text);
    let settings = CrowdSettings { table_bytes: 4 << 20, ..CrowdSettings::default() };
    let (mut crowd, goal) = crowd(&domain, settings);
    let npc = crowd.spawn(GroupId::FIRST, goal).unwrap();
    let report = crowd.plan(FrameBudget::UNLIMITED);
    assert_eq!((report.tables, report.planned, crowd.plan_of(npc).len()), (0, 1, 598));
    assert!(crowd.bytes() < 16 << 20, "{}", crowd.bytes());
}

#[test]
fn what_was_unknown_and_is_known_may_make_a_plan_a_detour() {
    let domain = domain(
        "domain s
shared var lamp: off, lit
action light: lamp -> lit
action put_out: lamp lit -> off
goal dark: lamp = off
npc keeper
    can light, put_out
    wants dark
",
    );
    let (mut crowd, goal) = crowd(&domain, plain());
    let keeper = crowd.spawn(GroupId::FIRST, goal).unwrap();
    crowd.plan(FrameBudget::UNLIMITED);
    assert_eq!(crowd.plan_of(keeper).len(), 2, "nobody knows whether the lamp is lit");
    crowd.set_shared(GroupId::FIRST, fact(&domain, "lamp", "off")).unwrap();
    assert_eq!(crowd.status(keeper), Some(Status::Waiting));
    crowd.plan(FrameBudget::UNLIMITED);
    assert_eq!(crowd.status(keeper), Some(Status::Satisfied));
}
