//! Goals with alternatives, and the best of several, in a crowd.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::{domain, fact};
use std::sync::Arc;
use throng_crowd::{
    Crowd, CrowdError, CrowdGoalId, CrowdSettings, FrameBudget, GroupId, NpcHandle, Pool, Status,
    TablePolicy,
};
use throng_domain::model::{ActionId, GoalId};
use throng_planner::Solver;

/// Somebody who would be safe, then fed; the way home is shorter by night.
const PARISH: &str = "domain parish
shared var bridge: up, down
var at: field, home, church
var hunger: 0..3
var pride: none, some
action walk_home:   at field -> home
    cost 3
action cross:       at field -> home    while bridge = down
action walk_church: at field -> church
    cost 2
    if daylight
action go_home:     at church -> home
action eat:         hunger -= 1         while at = home
goal safe: at = home or at = church
    priority 3
goal fed:  hunger <= 1
    priority 2
goal vain: pride = some
    priority 9
npc peasant
    can walk_home, cross, walk_church, go_home, eat
    wants vain, safe, fed
    starts bridge = up, at = field, hunger = 3, pride = none
";

fn crowd_of(text: &str, settings: CrowdSettings) -> Crowd {
    let domain = domain(text);
    let npc = domain.npcs()[0].id();
    Crowd::new(domain, npc, settings, Arc::new(Pool::new(1))).unwrap()
}

fn plan(crowd: &mut Crowd) {
    assert_eq!(crowd.plan(FrameBudget::UNLIMITED).deferred, 0);
}

fn steps(crowd: &Crowd, npc: NpcHandle) -> Vec<String> {
    crowd.plan_of(npc).map(|id| crowd.domain().map().action(id).to_string()).collect()
}

fn aim(crowd: &Crowd, npc: NpcHandle) -> Option<String> {
    let id = crowd.goal_id(crowd.aim_of(npc)?)?;
    Some(crowd.domain().map().goal(id).to_string())
}

fn goals(crowd: &Crowd, names: &[&str]) -> Vec<GoalId> {
    names.iter().map(|name| crowd.domain().map().find_goal(name).unwrap()).collect()
}

fn action(crowd: &Crowd, name: &str) -> ActionId {
    crowd.domain().map().find_action(name).unwrap()
}

/// Tables; the planner alone. (Two ways lead home, so the wide kernel has no part in it.)
fn sources() -> [CrowdSettings; 2] {
    let never =
        CrowdSettings { tables: TablePolicy::Never, remembered: 0, ..CrowdSettings::default() };
    [CrowdSettings::default(), never]
}

#[test]
fn the_cheapest_alternative_is_taken_and_another_when_the_group_changes() {
    for settings in sources() {
        let mut crowd = crowd_of(PARISH, settings);
        let safe = crowd.wish("safe").unwrap();
        assert_eq!(crowd.goal_id(safe), None, "it is a choice");
        assert_eq!(crowd.wish("safe"), Ok(safe));
        let who = crowd.spawn(GroupId::FIRST, safe).unwrap();
        plan(&mut crowd);
        assert_eq!(steps(&crowd, who), ["walk_church"]);
        assert_eq!(aim(&crowd, who).unwrap(), "safe(church)");
        // A cheaper alternative appears; it is for the group to say.
        let down = fact(crowd.domain(), "bridge", "down");
        crowd.set_shared(GroupId::FIRST, down).unwrap();
        assert_eq!((crowd.status(who), crowd.aim_of(who)), (Some(Status::Waiting), None));
        plan(&mut crowd);
        assert_eq!(steps(&crowd, who), ["cross"]);
        assert_eq!(crowd.apply_next().arrived, 1);
        assert_eq!(crowd.status(who), Some(Status::Satisfied), "any of them will do");
        assert_eq!(aim(&crowd, who).unwrap(), "safe(home)");
        assert!(crowd.has(who, safe));
    }
}

#[test]
fn who_chooses_takes_the_most_important_that_can_be_had_until_it_has_all_of_them() {
    for settings in sources() {
        let mut crowd = crowd_of(PARISH, settings);
        let best = crowd.best().unwrap();
        let who = crowd.spawn(GroupId::FIRST, best).unwrap();
        let mut aims = Vec::new();
        for _ in 0..5 {
            plan(&mut crowd);
            aims.push((aim(&crowd, who).unwrap_or_default(), steps(&crowd, who).len()));
            crowd.apply_next();
        }
        // Nobody can be vain. In church one is safe, but fed only at home.
        let expected = [("safe(church)", 1), ("fed", 3), ("fed", 2), ("fed", 1), ("", 0)];
        assert_eq!(aims, expected.map(|(name, n)| (name.to_string(), n)));
        assert_eq!(crowd.status(who), Some(Status::Impossible), "it will never be vain");
        let reason = crowd.reason(who, &mut Solver::default()).unwrap();
        assert!(reason.sentence(crowd.domain()).contains("pride"));
        let proud = fact(crowd.domain(), "pride", "some");
        assert!(crowd.set(who, proud).is_ok());
        plan(&mut crowd);
        assert_eq!(crowd.status(who), Some(Status::Satisfied));
        assert!(crowd.has(who, best));
    }
}

#[test]
fn what_is_no_goal_is_no_choice() {
    let mut crowd = crowd_of(PARISH, CrowdSettings::default());
    let other = domain(&PARISH.replace("goal fed:", "goal fat: hunger = 0\ngoal fed:"));
    let foreign = other.map().find_goal("vain").unwrap();
    assert_eq!(crowd.any_goal(&[]), Err(CrowdError::NoGoals));
    let Err(CrowdError::UnknownName(unknown)) = crowd.wish("sate") else { panic!("it is known") };
    assert_eq!((unknown.what, unknown.name.as_str()), ("goal", "sate"));
    assert_eq!(crowd.any_goal(&[foreign]), Err(CrowdError::UnknownGoal(foreign)));
    let some = goals(&crowd, &["fed(0)", "safe(home)"]);
    assert_eq!(crowd.any_goal(&[some[0], foreign]), Err(CrowdError::UnknownGoal(foreign)));
    // One goal is itself, and what is named twice counts once.
    let one = crowd.any_goal(&some[..1]).unwrap();
    assert_eq!(crowd.goal_id(one), Some(some[0]));
    let both = crowd.any_goal(&some).unwrap();
    assert_eq!(crowd.any_goal(&[some[0], some[1], some[0]]), Ok(both));
    assert_ne!(crowd.any_goal(&[some[1], some[0]]), Ok(both), "the first of equals is another");
    // Who wants nothing has it.
    let idle = PARISH.replace("    wants vain, safe, fed\n", "");
    let mut crowd = crowd_of(&idle, CrowdSettings::default());
    let best = crowd.best().unwrap();
    let who = crowd.spawn(GroupId::FIRST, best).unwrap();
    plan(&mut crowd);
    assert_eq!((crowd.status(who), crowd.aim_of(who)), (Some(Status::Satisfied), None));
}

#[test]
fn a_plan_that_is_given_leads_to_something_that_is_wanted() {
    let mut crowd = crowd_of(PARISH, CrowdSettings::default());
    let (best, safe) = (crowd.best().unwrap(), crowd.wish("safe").unwrap());
    let walk = action(&crowd, "walk_home");
    let eat: Vec<ActionId> = [3, 2].map(|n| action(&crowd, &format!("eat({n})"))).to_vec();
    for goal in [best, safe] {
        let who = crowd.spawn(GroupId::FIRST, goal).unwrap();
        assert!(!crowd.rest(who) && !crowd.follow(who, &eat));
        assert!(crowd.follow(who, &[walk]), "dearer than to church, but it leads there");
    }
    // Who is safe and eats once has nothing that it had not before.
    let home = fact(crowd.domain(), "at", "home");
    let who = crowd.spawn_with(GroupId::FIRST, best, &[home]).unwrap();
    assert!(!crowd.follow(who, &eat[..1]) && crowd.follow(who, &eat));
    assert_eq!(aim(&crowd, who).unwrap(), "fed");
    let who = crowd.spawn_with(GroupId::FIRST, safe, &[home]).unwrap();
    assert!(crowd.rest(who));
}

#[test]
fn a_new_version_has_other_alternatives_and_other_priorities() {
    let settings = CrowdSettings::default();
    let filled = |text: &str| {
        let mut crowd = crowd_of(text, settings);
        let goals = [crowd.wish("safe").unwrap(), crowd.best().unwrap()];
        let npcs = goals.map(|goal| crowd.spawn(GroupId::FIRST, goal).unwrap());
        plan(&mut crowd);
        (crowd, goals, npcs)
    };
    // The same: nobody waits.
    let (mut crowd, goals, npcs) = filled(PARISH);
    let migration = crowd.reload(domain(&PARISH.replace("priority 3", "priority 4"))).unwrap();
    assert_eq!((migration.kept, migration.concerned), (2, 0), "the order is the same");
    assert_eq!(npcs.map(|npc| crowd.goal_of(npc).unwrap()), goals);
    // An alternative more, and nearer; another order of importance.
    let (mut crowd, _, [safe, best]) = filled(PARISH);
    let barn = PARISH
        .replace("field, home, church", "field, home, church, barn")
        .replace("action eat:", "action hide: at field -> barn\naction eat:")
        .replace("at = home or at = church", "at = home or at = church or at = barn")
        .replace("can walk", "can hide, walk")
        .replace("priority 2", "priority 5");
    assert_eq!(crowd.reload(domain(&barn)).unwrap().concerned, 2);
    plan(&mut crowd);
    assert_eq!(aim(&crowd, safe).unwrap(), "safe(barn)");
    assert_eq!(aim(&crowd, best).unwrap(), "fed");
    // A name with alternatives becomes a goal, and back.
    let plain = PARISH.replace("at = home or at = church", "at = home");
    assert_eq!(crowd.reload(domain(&plain)).unwrap().lost_goals, 0);
    plan(&mut crowd);
    assert_eq!(steps(&crowd, safe), ["walk_home"]);
    let (mut crowd, _, [safe, _]) = filled(&plain);
    assert_eq!(aim(&crowd, safe).unwrap(), "safe");
    assert_eq!(crowd.reload(domain(PARISH)).unwrap().lost_goals, 0);
    plan(&mut crowd);
    assert_eq!(aim(&crowd, safe).unwrap(), "safe(church)");
    // Another name for the same.
    let renamed = PARISH.replace("goal safe:", "goal calm:").replace("vain, safe", "vain, calm");
    let renamed = renamed.replace("or at = church\n", "or at = church\n    was safe\n");
    assert_eq!(crowd.reload(domain(&renamed)).unwrap().lost_goals, 0);
    plan(&mut crowd);
    assert_eq!(aim(&crowd, safe).unwrap(), "calm(church)");
    // A name that is gone: they want nothing.
    let gone = PARISH.replace("goal safe: at = home or at = church\n    priority 3\n", "");
    assert_eq!(crowd.reload(domain(&gone.replace("vain, safe", "vain"))).unwrap().lost_goals, 1);
    assert_eq!(crowd.goal_of(safe), Some(CrowdGoalId::NONE));
}

#[test]
fn a_table_of_a_choice_is_one_more_and_peeks_as_others_do() {
    let mut crowd = crowd_of(PARISH, CrowdSettings::default());
    let best = crowd.best().unwrap();
    let n_goals = crowd.domain().goals().len();
    assert_eq!(crowd.prepare(&|_, _| true), n_goals + 1);
    let who = crowd.spawn(GroupId::FIRST, CrowdGoalId::NONE).unwrap();
    assert_eq!(crowd.peek(who, best), Some(Status::Following));
    let report = {
        crowd.set_goal(who, best).unwrap();
        crowd.plan(FrameBudget { npcs: 10, nodes: 0 })
    };
    assert_eq!((report.looked_up, report.nodes, report.tables), (1, 0, 0));
    // Made on first use they count: each of the tables takes its states.
    let mut crowd = crowd_of(PARISH, CrowdSettings::default());
    let best = crowd.best().unwrap();
    let who = crowd.spawn(GroupId::FIRST, best).unwrap();
    let mut frames = 0;
    let states = 3 * 4 * 2;
    // Two tables in a frame.
    let nodes = 2 * states;
    while crowd.status(who) == Some(Status::Waiting) || crowd.source().tables < n_goals + 1 {
        crowd.ask_again(who);
        let report = crowd.plan(FrameBudget { npcs: 10, nodes });
        assert!(report.nodes <= nodes && report.tables <= 2, "{report:?}");
        frames += 1;
        assert!(frames < 50, "{:?}", crowd.source());
    }
    assert!(frames > 1 && 2 * frames > n_goals, "{frames} frames");
}
