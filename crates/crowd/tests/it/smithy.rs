//! A small crowd from the outside: insert, plan, follow, share, remove.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

use crate::common::domain;
use std::sync::Arc;
use throng_crowd::{Crowd, CrowdSettings, FrameBudget, GroupId, Pool, Status, TablePolicy};
use throng_planner::Solver;

const SMITHY: &str = "domain smithy
shared var forge: cold, lit
var iron: bar, heated, shaped
var apron: on_peg, worn
action light: forge cold -> lit  while apron = worn
action douse: forge lit -> cold
action wear: apron on_peg -> worn
action hang: apron worn -> on_peg
action heat: iron bar -> heated  while forge = lit
action shape: iron heated -> shaped  while apron = worn  if hammer_there
goal shoe: iron = shaped, apron = on_peg
npc smith
    can light, douse, wear, hang, heat, shape
    wants shoe
    starts forge = cold, iron = bar, apron = on_peg
";

fn crowd(settings: CrowdSettings) -> Crowd {
    let domain = domain(SMITHY);
    let npc = domain.npcs()[0].id();
    Crowd::new(domain, npc, settings, Arc::new(Pool::new(2))).expect("there is a smith")
}

fn names(crowd: &Crowd, npc: throng_crowd::NpcHandle) -> Vec<String> {
    let map = crowd.domain().map();
    crowd.plan_of(npc).map(|action| map.action(action).to_string()).collect()
}

fn all_sources() -> [CrowdSettings; 3] {
    let tables = CrowdSettings::default();
    let wide = CrowdSettings { tables: TablePolicy::Never, ..tables };
    [tables, wide, CrowdSettings { wide: false, ..wide }]
}

#[test]
fn a_crowd_plans_follows_and_shares() {
    for settings in all_sources() {
        let mut crowd = crowd(settings);
        let map_goal = crowd.domain().map().find_goal("shoe").unwrap();
        let goal = crowd.goal(map_goal).unwrap();
        let first = crowd.spawn(GroupId::FIRST, goal).unwrap();
        let second = crowd.spawn(GroupId::FIRST, goal).unwrap();
        assert_eq!(crowd.status(first), Some(Status::Waiting));
        assert_eq!(crowd.next_action(first), None);
        let report = crowd.plan(FrameBudget::UNLIMITED);
        assert_eq!((report.served, report.plans, report.deferred), (2, 2, 0), "{report:?}");
        let plan = names(&crowd, first);
        assert_eq!(plan.len(), 5, "{plan:?}");
        assert_eq!(plan, names(&crowd, second));
        // The first wears its apron and lights the forge: that concerns the second.
        crowd.finish_step(first).unwrap();
        assert_eq!(crowd.status(second), Some(Status::Following));
        crowd.finish_step(first).unwrap();
        assert_eq!(crowd.status(second), Some(Status::Waiting));
        assert_eq!(crowd.status(first), Some(Status::Following));
        let report = crowd.plan(FrameBudget::UNLIMITED);
        assert_eq!(report.served, 1, "{report:?}");
        assert_eq!(names(&crowd, second).len(), 4);
        while crowd.status(first) == Some(Status::Following) {
            crowd.finish_step(first).unwrap();
        }
        assert_eq!(crowd.status(first), Some(Status::Satisfied));
        // Without a hammer there is no plan for the second, and a reason.
        let check = crowd.domain().map().find_check("hammer_there").unwrap();
        crowd.set_check(GroupId::FIRST, check, false).unwrap();
        assert_eq!(crowd.status(first), Some(Status::Satisfied));
        assert_eq!(crowd.status(second), Some(Status::Waiting));
        crowd.plan(FrameBudget::UNLIMITED);
        assert_eq!(crowd.status(second), Some(Status::Impossible));
        let reason = crowd.reason(second, &mut Solver::default()).unwrap();
        assert!(reason.sentence(crowd.domain()).contains("hammer_there"));
        assert!(crowd.despawn(second));
        assert!(!crowd.despawn(second));
        assert_eq!(crowd.len(), 1);
    }
}

#[test]
fn a_new_version_keeps_who_is_not_concerned() {
    for settings in all_sources() {
        let mut crowd = crowd(settings);
        let id = crowd.domain().map().find_goal("shoe").unwrap();
        let goal = crowd.goal(id).unwrap();
        let npc = crowd.spawn(GroupId::FIRST, goal).unwrap();
        crowd.plan(FrameBudget::UNLIMITED);
        crowd.finish_step(npc);
        let before = names(&crowd, npc);
        // An action more, that no plan needs; a variable has a new name.
        let text = SMITHY
            .replace(
                "var iron: bar, heated, shaped",
                "var piece: bar, heated, shaped, lost  was iron",
            )
            .replace("iron", "piece")
            .replace("was piece", "was iron")
            .replace("goal shoe", "action lose: piece shaped -> lost\ngoal shoe")
            .replace("heat, shape", "heat, shape, lose");
        let migration = crowd.reload(domain(&text)).unwrap();
        assert_eq!((migration.kept, migration.concerned), (1, 0), "{migration:?}");
        assert_eq!(names(&crowd, npc), before);
        // A dearer step concerns who has it still to do.
        let text = text.replace("while forge = lit", "while forge = lit  cost 2");
        let migration = crowd.reload(domain(&text)).unwrap();
        assert_eq!((migration.kept, migration.concerned), (0, 1), "{migration:?}");
        crowd.plan(FrameBudget::UNLIMITED);
        assert_eq!(names(&crowd, npc), before);
        // A domain without smiths is refused.
        let text = text.replace("npc smith", "npc baker");
        let error = crowd.reload(domain(&text)).unwrap_err();
        assert!(error.to_string().contains("smith"));
        assert_eq!(names(&crowd, npc), before);
    }
}
