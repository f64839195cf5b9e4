//! Who has nothing to do, who serves a type, and what a crowd has come to.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::common::{domain, fact};
use std::sync::Arc;
use throng_crowd::{
    Crowd, CrowdSettings, FrameBudget, GroupId, NoTableReason, PlanSource, Pool, Status,
    TablePolicy,
};

const WELL: &str = "domain well
shared var lid: shut, open
var bucket: empty, full
var thirst: some, none
action lift_lid: lid shut -> open
action draw: bucket empty -> full  while lid = open  if rope_there
action drink: thirst some -> none  while bucket = full
goal water: bucket = full
goal drunk: thirst = none
npc villager
    can lift_lid, draw, drink
    wants water, drunk
    starts lid = shut, bucket = empty, thirst = some
";

fn crowd(settings: CrowdSettings) -> Crowd {
    crowd_of(WELL, settings)
}

fn crowd_of(text: &str, settings: CrowdSettings) -> Crowd {
    let domain = domain(text);
    let npc = domain.npcs()[0].id();
    Crowd::new(domain, npc, settings, Arc::new(Pool::new(1))).expect("there is a villager")
}

#[test]
fn idle_are_those_who_neither_wait_nor_act() {
    let mut crowd = crowd(CrowdSettings::default());
    let map = Arc::clone(crowd.domain());
    let [water, drunk] = ["water", "drunk"].map(|name| {
        let goal = map.map().find_goal(name).unwrap();
        crowd.goal(goal).unwrap()
    });
    let acts = crowd.spawn(GroupId::FIRST, drunk).unwrap();
    let full = fact(crowd.domain(), "bucket", "full");
    let has_it = crowd.spawn_with(GroupId::FIRST, water, &[full]).unwrap();
    let without_rope = crowd.add_group().unwrap();
    let check = map.map().find_check("rope_there").unwrap();
    crowd.set_check(without_rope, check, false).unwrap();
    let cannot = crowd.spawn(without_rope, water).unwrap();
    assert_eq!(crowd.idle().count(), 0, "all wait");
    crowd.plan(FrameBudget::UNLIMITED);
    let idle: Vec<_> = crowd.idle().map(|idle| (idle.npc, idle.status, idle.goal)).collect();
    let expected = [(has_it, Status::Satisfied, water), (cannot, Status::Impossible, water)];
    assert_eq!(idle, expected);
    assert_eq!(crowd.idle().last().unwrap().group, without_rope);
    // What would be new to them.
    assert!(crowd.has(has_it, water) && !crowd.has(has_it, drunk) && !crowd.has(acts, water));
    // The last step done, somebody is idle and has done steps.
    while crowd.status(acts) == Some(Status::Following) {
        crowd.apply_next();
        crowd.plan(FrameBudget::UNLIMITED);
    }
    assert!(crowd.idle().any(|idle| idle.npc == acts && idle.steps_done > 0));
    assert!(crowd.has(acts, drunk));
    crowd.despawn(acts);
    assert!(!crowd.has(acts, drunk));
    assert_eq!((crowd.handle(acts.row()), crowd.handle(has_it.row())), (None, Some(has_it)));
    assert_eq!(crowd.idle().count(), 2);
}

#[test]
fn a_type_says_who_serves_it_and_why() {
    let served = |settings: CrowdSettings, budget| {
        let mut crowd = crowd(settings);
        let goal = crowd.goal(crowd.domain().npcs()[0].goals()[0]).unwrap();
        // Enough of them that the wide kernel is worth its while.
        (0..20).for_each(|_| _ = crowd.spawn(GroupId::FIRST, goal).unwrap());
        crowd.plan(budget);
        crowd.source()
    };
    let all = CrowdSettings::default();
    let source = served(all, FrameBudget::UNLIMITED);
    assert_eq!(
        (source.by, source.without, source.states, source.tables),
        (PlanSource::Tables, None, Some(4), 1)
    );
    assert_eq!(source.to_string(), "4 states fit into a table");
    let source =
        served(CrowdSettings { tables: TablePolicy::Never, ..all }, FrameBudget::UNLIMITED);
    assert_eq!((source.by, source.without), (PlanSource::Wide, Some(NoTableReason::Unwanted)));
    let plain = CrowdSettings { wide: false, ..all };
    let source =
        served(CrowdSettings { tables: TablePolicy::Never, ..plain }, FrameBudget::UNLIMITED);
    assert_eq!((source.by, source.without), (PlanSource::Planner, Some(NoTableReason::Unwanted)));
    let source = served(CrowdSettings { table_states: 3, ..plain }, FrameBudget::UNLIMITED);
    assert_eq!(source.without, Some(NoTableReason::TooManyStates(Some(4))));
    let source =
        served(CrowdSettings { tables: TablePolicy::Prepared, ..plain }, FrameBudget::UNLIMITED);
    assert_eq!(source.without, Some(NoTableReason::NotMade(4)));
    let source = served(plain, FrameBudget { nodes: 3, ..FrameBudget::UNLIMITED });
    assert_eq!(source.without, Some(NoTableReason::NotMade(4)));
    let source = served(CrowdSettings { table_bytes: 1, ..plain }, FrameBudget::UNLIMITED);
    assert_eq!((source.without, source.refused), (Some(NoTableReason::Refused), 1));
}

#[test]
fn who_has_neither_tables_nor_the_wide_kernel_says_why_not() {
    let never = CrowdSettings { tables: TablePolicy::Never, ..CrowdSettings::default() };
    let said = |text: &str, settings: CrowdSettings, n: usize| {
        let mut crowd = crowd_of(text, settings);
        let goal = crowd.goal(crowd.domain().npcs()[0].goals()[0]).unwrap();
        (0..n).for_each(|_| _ = crowd.spawn(GroupId::FIRST, goal).unwrap());
        crowd.plan(FrameBudget::UNLIMITED);
        crowd.source().to_string()
    };
    let ends = |said: String, end: &str| assert!(said.ends_with(end), "{said}");
    ends(said(WELL, CrowdSettings { wide: false, ..never }, 20), "; not wide: it is not wanted");
    ends(said(WELL, never, 7), "; not wide so far: fewer than 8 were served at once");
    ends(said(WELL, never, 8), "; one word of actions holds every plan");
    let two_ways = WELL
        .replace("action drink:", "action rain: bucket empty -> full\naction drink:")
        .replace("can lift_lid,", "can rain, lift_lid,");
    ends(said(&two_ways, never, 20), "they set several variables, or several set the same value");
    // Thirty-two jars take a bit each, as much again for their actions, and a variable each.
    let jars: String = (1..=32).map(|n| format!("var jar{n}: empty, full\n")).collect();
    let fill = |n| format!("action fill{n}: jar{n} empty -> full\n");
    let fills: String = (1..=32).map(fill).collect();
    let can: String = (1..=32).map(|n| format!("fill{n}, ")).collect();
    let many = WELL
        .replace("goal water", &format!("{jars}{fills}goal water"))
        .replace("can lift_lid,", &format!("can {can}lift_lid,"));
    ends(
        said(&many, never, 20),
        "; not wide: values, actions and variables take 105 bits, and at most 64 fit",
    );
    let source = said(WELL, CrowdSettings::default(), 20);
    assert!(!source.contains("wide"), "tables serve: {source}");
}

#[test]
fn a_digest_tells_what_differs_and_not_how_it_is_kept() {
    let lived = |settings: CrowdSettings, steps| {
        let mut crowd = crowd(settings);
        let goal = crowd.goal(crowd.domain().npcs()[0].goals()[1]).unwrap();
        for _ in 0..100 {
            crowd.spawn(GroupId::FIRST, goal).unwrap();
        }
        for _ in 0..steps {
            crowd.plan(FrameBudget::UNLIMITED);
            crowd.apply_next();
        }
        crowd.digest()
    };
    let (tables, never) = (
        CrowdSettings::default(),
        CrowdSettings { tables: TablePolicy::Never, ..CrowdSettings::default() },
    );
    assert_eq!(lived(tables, 2), lived(never, 2));
    assert_ne!(lived(tables, 2), lived(tables, 3));
}
