//! Several types with groups in common: what one does the others see, also after a new version.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::{LINE, domain, fact};
use std::sync::Arc;
use throng_crowd::{
    CrowdError, CrowdGoalId, CrowdReloadError, CrowdSettings, FrameBudget, GroupId, NpcHandle,
    Pool, Population, Status,
};
use throng_domain::model::NpcTypeId;
use throng_planner::PreparedDomain;

const SMITHY: &str = "domain s
shared var forge: cold, hot
var sword: no, yes
var nail: no, yes
action light: forge cold -> hot
action smith: sword no -> yes  while forge = hot  if open
action nailing: nail no -> yes  while forge = hot  if open
goal armed: sword = yes
goal nailed: nail = yes
npc smith
    can light, smith
    wants armed
    starts forge = cold, sword = no
npc boy
    can nailing
    wants nailed
    starts nail = no
";

fn population(domain: &Arc<PreparedDomain>) -> Population {
    Population::new(Arc::clone(domain), CrowdSettings::default(), Arc::new(Pool::new(1)))
}

fn npc(all: &Population, name: &str) -> NpcTypeId {
    all.domain().map().find_npc(name).unwrap()
}

fn goal(all: &mut Population, name: &str, goal: &str) -> CrowdGoalId {
    let (id, npc) = (all.domain().map().find_goal(goal).unwrap(), npc(all, name));
    all.crowd_mut(npc).unwrap().goal(id).unwrap()
}

fn spawn(all: &mut Population, name: &str, wants: &str) -> NpcHandle {
    let (goal, npc) = (goal(all, name, wants), npc(all, name));
    all.crowd_mut(npc).unwrap().spawn(GroupId::FIRST, goal).unwrap()
}

fn status(all: &Population, name: &str, who: NpcHandle) -> Option<Status> {
    all.crowd(npc(all, name)).unwrap().status(who)
}

#[test]
fn what_one_does_the_others_of_its_group_notice() {
    let mut all = population(&domain(SMITHY));
    let (smith, boy) = (spawn(&mut all, "smith", "armed"), spawn(&mut all, "boy", "nailed"));
    all.plan(FrameBudget::UNLIMITED);
    assert_eq!(status(&all, "boy", boy), Some(Status::Impossible));
    let type_of_smith = npc(&all, "smith");
    assert!(all.finish_step(type_of_smith, smith).is_some());
    all.plan(FrameBudget::UNLIMITED);
    assert_eq!(status(&all, "boy", boy), Some(Status::Following));
    // Also if the crowd was told alone: the next frame passes it on.
    let forge = fact(all.domain(), "forge", "cold");
    all.set_shared(GroupId::FIRST, forge).unwrap();
    all.plan(FrameBudget::UNLIMITED);
    assert_eq!(status(&all, "boy", boy), Some(Status::Impossible));
    all.crowd_mut(type_of_smith).unwrap().finish_step(smith);
    all.plan(FrameBudget::UNLIMITED);
    assert_eq!(status(&all, "boy", boy), Some(Status::Following));
}

#[test]
fn a_type_that_is_new_sees_what_the_others_see() {
    let old = domain(SMITHY.split("npc boy").next().unwrap());
    let mut all = population(&old);
    let smith = spawn(&mut all, "smith", "armed");
    all.set_shared(GroupId::FIRST, fact(&old, "forge", "hot")).unwrap();
    all.set_check(GroupId::FIRST, old.map().find_check("open").unwrap(), false).unwrap();
    let new = domain(SMITHY);
    all.reload(Arc::clone(&new)).unwrap();
    let forge = fact(&new, "forge", "hot");
    for crowd in all.crowds() {
        assert_eq!(crowd.shared(GroupId::FIRST, forge.variable), Some(forge));
    }
    let boy = spawn(&mut all, "boy", "nailed");
    all.plan(FrameBudget::UNLIMITED);
    assert_eq!(status(&all, "smith", smith), Some(Status::Impossible));
    assert_eq!(status(&all, "boy", boy), Some(Status::Impossible));
    all.set_check(GroupId::FIRST, new.map().find_check("open").unwrap(), true).unwrap();
    all.plan(FrameBudget::UNLIMITED);
    assert_eq!(status(&all, "boy", boy), Some(Status::Following));
}

#[test]
fn nobody_is_lost_when_two_types_would_become_one() {
    let two =
        domain(&format!("{LINE}npc v\n    can ab, bc, cd\n    wants end\n    starts p = a\n"));
    let mut all = population(&two);
    let (one, other) = (spawn(&mut all, "w", "end"), spawn(&mut all, "v", "end"));
    let error = all.reload(domain(&LINE.replace("npc w\n", "npc w\n    was v\n"))).unwrap_err();
    assert_eq!(error, CrowdReloadError::TwoTypesBecomeOne { name: "w".into() });
    assert_eq!(all.len(), 2);
    all.plan(FrameBudget::UNLIMITED);
    assert_eq!(status(&all, "w", one), Some(Status::Following));
    assert_eq!(status(&all, "v", other), Some(Status::Following));
}

#[test]
fn a_type_without_members_is_in_nobodys_way() {
    let two =
        domain(&format!("{LINE}npc v\n    can ab, bc, cd\n    wants end\n    starts p = a\n"));
    for name in ["w", "v"] {
        let mut all = population(&two);
        let somebody = spawn(&mut all, name, "end");
        all.reload(domain(&LINE.replace("npc w\n", "npc w\n    was v\n"))).unwrap();
        all.plan(FrameBudget::UNLIMITED);
        assert_eq!(status(&all, "w", somebody), Some(Status::Following), "{name}");
    }
}

/// All that is told to a population and to a crowd, by ids or by names.
#[test]
fn names_do_what_ids_do() {
    let smithy = domain(SMITHY);
    let map = smithy.map();
    let (by_id, by_name) = (&mut population(&smithy), &mut population(&smithy));
    let first = GroupId::FIRST;
    let id = npc(by_id, "smith");
    let sword = fact(&smithy, "sword", "yes");
    let (open, light) = (map.find_check("open").unwrap(), map.find_action("light").unwrap());
    let forge = fact(&smithy, "forge", "hot");
    let [a, b] = [&mut *by_id, &mut *by_name].map(|all| spawn(all, "smith", "armed"));
    by_id.set_check(first, open, false).unwrap();
    by_name.set_check(first, "open", false).unwrap();
    by_id.forbid(first, light, true).unwrap();
    by_name.forbid(first, "light", true).unwrap();
    by_id.set_shared(first, forge).unwrap();
    by_name.set_shared(first, ("forge", "hot")).unwrap();
    assert_eq!(by_name.crowd("smith").unwrap().shared(first, "forge"), Some(forge));
    by_id.crowd_mut(id).unwrap().set(a, sword).unwrap();
    by_name.crowd_mut("smith").unwrap().set(b, ("sword", "yes")).unwrap();
    assert_eq!(by_name.crowd(id).unwrap().get(b, "sword"), Some(sword));
    assert_eq!(by_id.digest(), by_name.digest());
    by_id.forget_shared(first, forge.variable).unwrap();
    by_name.forget_shared(first, "forge").unwrap();
    by_id.crowd_mut(id).unwrap().forget(a, sword.variable).unwrap();
    let smiths = by_name.crowd_mut("smith").unwrap();
    smiths.forget(b, &"sword".to_string()).unwrap();
    assert_eq!(smiths.set_all(&[b], (sword.variable, "no")), 1);
    assert_eq!(by_id.crowd_mut(id).unwrap().set_all(&[a], fact(&smithy, "sword", "no")), 1);
    for all in [&mut *by_id, &mut *by_name] {
        all.forbid(first, "light", false).unwrap();
        all.set_check(first, open, true).unwrap();
        all.set_shared(first, fact(&smithy, "forge", "cold")).unwrap();
        all.plan(FrameBudget::UNLIMITED);
    }
    assert_eq!(by_id.finish_step(id, a), Some(light));
    assert_eq!(by_name.finish_step("smith", b), Some(light));
    assert_eq!(by_id.digest(), by_name.digest());
    // What is unknown is named, with the nearest name, and nothing changes.
    let said = |result: Result<(), CrowdError>| result.unwrap_err().to_string();
    assert_eq!(
        said(by_name.set_check(first, "opn", false)),
        "unknown check `opn`; did you mean `open`?"
    );
    assert_eq!(
        said(by_name.set_shared(first, ("forge", "hto"))),
        "unknown value `hto` of `forge`; did you mean `hot`?"
    );
    assert_eq!(
        said(by_name.forbid(first, "bake", true)),
        "unknown action `bake`; known are: light, smith, nailing"
    );
    assert_eq!(
        said(by_name.forget_shared(first, "froge")),
        "unknown variable `froge`; did you mean `forge`?"
    );
    let smiths = by_name.crowd_mut("smith").unwrap();
    let unknown = smiths.goal("amred").unwrap_err();
    assert_eq!(unknown.to_string(), "unknown goal `amred`; did you mean `armed`?");
    assert_eq!((smiths.get(b, "swrod"), smiths.set_all(&[b], ("swrod", "no"))), (None, 0));
    assert!(by_name.crowd("smiht").is_none() && by_name.finish_step("smiht", b).is_none());
    assert_eq!(by_id.digest(), by_name.digest());
}

#[test]
fn what_another_domain_calls_things_is_refused_and_does_no_harm() {
    let mut all = population(&domain(LINE));
    let other = domain(SMITHY);
    let nail = fact(&other, "nail", "yes");
    assert!(all.set_shared(GroupId::FIRST, nail).is_err());
    assert!(all.forget_shared(GroupId::FIRST, nail.variable).is_err());
    let open = other.map().find_check("open").unwrap();
    assert_eq!(all.set_check(GroupId::FIRST, open, false), Err(CrowdError::UnknownCheck(open)));
    let text = format!("{SMITHY}action more: nail yes -> no\naction most: sword yes -> no\n");
    let far = domain(&text).map().find_action("most").unwrap();
    assert!(all.forbid(GroupId::FIRST, far, true).is_err());
    let same = Arc::clone(all.domain());
    assert_eq!(all.reload(same).unwrap().concerned, 0);
}

#[test]
fn the_most_urgent_of_all_types_come_first() {
    let two =
        domain(&format!("{LINE}npc v\n    can ab, bc, cd\n    wants end\n    starts p = a\n"));
    let mut all = population(&two);
    (0..10).for_each(|_| _ = spawn(&mut all, "w", "end"));
    let last: Vec<NpcHandle> = (0..10).map(|_| spawn(&mut all, "v", "end")).collect();
    let v = npc(&all, "v");
    all.crowd_mut(v).unwrap().set_urgency(last[5], 255);
    let report = all.plan(FrameBudget { npcs: 5, nodes: u64::MAX });
    assert_eq!((report.served, report.deferred), (5, 15));
    assert_eq!(status(&all, "v", last[5]), Some(Status::Following));
    assert_eq!(all.crowd(v).unwrap().just_served().collect::<Vec<_>>(), [last[5]]);
}

#[test]
fn a_handle_is_good_for_its_own_crowd_only() {
    let mut all = population(&domain(SMITHY));
    let smith = spawn(&mut all, "smith", "armed");
    spawn(&mut all, "boy", "nailed");
    let boys = npc(&all, "boy");
    let boys = all.crowd_mut(boys).unwrap();
    assert!(!boys.contains(smith) && !boys.despawn(smith) && boys.len() == 1);
}
