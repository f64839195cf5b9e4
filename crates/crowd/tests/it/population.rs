//! Several types with groups in common: what one does the others see, also after a new version.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::{LINE, domain, fact};
use std::sync::Arc;
use throng_crowd::{
    CrowdError, CrowdReloadError, CrowdSettings, FrameBudget, GoalRef, GroupRef, NpcHandle, Pool,
    Population, Status,
};
use throng_domain::compile::CompiledDomain;
use throng_domain::model::NpcTypeId;

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

fn population(domain: &Arc<CompiledDomain>) -> Population {
    Population::new(Arc::clone(domain), CrowdSettings::default(), Arc::new(Pool::new(1)))
}

fn npc(all: &Population, name: &str) -> NpcTypeId {
    all.domain().map().find_npc(name).unwrap()
}

fn goal(all: &mut Population, name: &str, goal: &str) -> GoalRef {
    let (id, npc) = (all.domain().map().find_goal(goal).unwrap(), npc(all, name));
    all.crowd_mut(npc).unwrap().goal(id).unwrap()
}

fn spawn(all: &mut Population, name: &str, wants: &str) -> NpcHandle {
    let (goal, npc) = (goal(all, name, wants), npc(all, name));
    all.crowd_mut(npc).unwrap().spawn(GroupRef::FIRST, goal).unwrap()
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
    all.set_shared(GroupRef::FIRST, forge).unwrap();
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
    all.set_shared(GroupRef::FIRST, fact(&old, "forge", "hot")).unwrap();
    all.set_check(GroupRef::FIRST, old.map().find_check("open").unwrap(), false).unwrap();
    let new = domain(SMITHY);
    all.reload(Arc::clone(&new)).unwrap();
    let forge = fact(&new, "forge", "hot");
    for crowd in all.crowds() {
        assert_eq!(crowd.shared(GroupRef::FIRST, forge.variable), Some(forge));
    }
    let boy = spawn(&mut all, "boy", "nailed");
    all.plan(FrameBudget::UNLIMITED);
    assert_eq!(status(&all, "smith", smith), Some(Status::Impossible));
    assert_eq!(status(&all, "boy", boy), Some(Status::Impossible));
    all.set_check(GroupRef::FIRST, new.map().find_check("open").unwrap(), true).unwrap();
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

#[test]
fn what_another_domain_calls_things_is_refused_and_does_no_harm() {
    let mut all = population(&domain(LINE));
    let other = domain(SMITHY);
    let nail = fact(&other, "nail", "yes");
    assert!(all.set_shared(GroupRef::FIRST, nail).is_err());
    assert!(all.forget_shared(GroupRef::FIRST, nail.variable).is_err());
    let open = other.map().find_check("open").unwrap();
    assert_eq!(all.set_check(GroupRef::FIRST, open, false), Err(CrowdError::UnknownCheck(open)));
    let text = format!("{SMITHY}action more: nail yes -> no\naction most: sword yes -> no\n");
    let far = domain(&text).map().find_action("most").unwrap();
    assert!(all.forbid(GroupRef::FIRST, far, true).is_err());
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
