//! Crowds as bytes and back: a life that is saved in the middle goes on as if it had not been, and
//! bytes that are anything else are refused.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::{LINE, domain, fact};
use std::error::Error;
use std::sync::Arc;
use throng_base::{SplitMix, checksum};
use throng_crowd::{
    Crowd, CrowdGoalId, CrowdReloadError, CrowdSettings, FrameBudget, GroupId, NpcHandle, Pool,
    Population, RestoreCrowdError, Status, TablePolicy,
};
use throng_domain::model::{ActionId, CheckId, Fact, NpcTypeId};
use throng_planner::PreparedDomain;

/// One type that has to search, one in which every value can be had in one way, one that is never
/// there; a shared variable, checks, costs, alternatives, priorities.
const VILLAGE: &str = "domain village
shared var gate: shut, open
var at: home, road, shop, church
var bread: none, some, eaten
var hunger: 0..3
var pail: empty, full
var garden: dry, watered
action go(from in at, to in at): at from -> to   cost 2
action ride: at home -> shop                      cost 3   if horse
action buy: bread none -> some   while at = shop, gate = open   if market
action eat: bread some -> eaten
action dine: hunger -= 1         while at = home, hunger > 0
action unlock: gate shut -> open   cost 2
action lock: gate open -> shut     if night
action draw: pail empty -> full    while gate = open   if daylight
action pour: garden dry -> watered while pail = full
action dry: garden watered -> dry  if not daylight
goal fed: bread = eaten            priority 2
goal full: hunger <= 1             priority 3
goal safe: at = home or at = church
goal green: garden = watered       priority 2
goal arid: garden = dry
npc peasant
    can go, ride, buy, eat, dine, unlock, lock
    wants fed, full, safe
    starts at = home, bread = none, hunger = 2, gate = shut
npc gardener
    can draw, pour, dry, unlock
    wants green, arid
    starts pail = empty, garden = dry
npc ghost
    can lock
    wants fed
";

/// Somebody's life, told by dice: the same dice tell the same life.
struct Life {
    people: Population,
    npcs: Vec<(NpcTypeId, NpcHandle)>,
    groups: Vec<GroupId>,
}

fn settings() -> [CrowdSettings; 4] {
    let tables = CrowdSettings { remembered: 64, ..CrowdSettings::default() };
    let prepared = CrowdSettings { tables: TablePolicy::Prepared, ..tables };
    let wide = CrowdSettings { tables: TablePolicy::Never, ..tables };
    let alone = CrowdSettings { wide: false, first_try: 20, searches: 2, ..wide };
    [tables, prepared, wide, alone]
}

fn pool(threads: usize) -> Arc<Pool> {
    Arc::new(Pool::new(threads))
}

impl Life {
    fn new(domain: &Arc<PreparedDomain>, settings: CrowdSettings, threads: usize) -> Life {
        let people = Population::new(Arc::clone(domain), settings, pool(threads));
        Life { people, npcs: Vec::new(), groups: vec![GroupId::FIRST] }
    }

    /// The same life, its population saved and restored.
    fn again(&mut self, settings: CrowdSettings, threads: usize) -> Life {
        let (bytes, domain) = (self.people.save(), Arc::clone(self.people.domain()));
        let (mut people, migration) =
            Population::restore(&bytes, domain, settings, pool(threads)).unwrap();
        assert_eq!((migration.kept, migration.concerned), (self.people.len(), 0));
        assert_eq!(people.digest(), self.people.digest());
        assert_eq!(people.save(), bytes, "saved again");
        for &(npc, who) in &self.npcs {
            let [was, is] = [&self.people, &people].map(|all| all.crowd(npc).unwrap());
            assert_eq!(was.steps_done(who), is.steps_done(who));
            assert_eq!((was.status(who), was.aim_of(who)), (is.status(who), is.aim_of(who)));
        }
        Life { people, npcs: self.npcs.clone(), groups: self.groups.clone() }
    }

    fn goal(&mut self, npc: NpcTypeId, dice: &mut SplitMix) -> CrowdGoalId {
        let domain = Arc::clone(self.people.domain());
        let crowd = self.people.crowd_mut(npc).unwrap();
        let wants = domain.npc(npc).goals();
        match dice.below(5) {
            0 => crowd.best().unwrap(),
            1 => crowd.any_goal(wants).unwrap(),
            2 => crowd.add_goal(&[any_fact(&domain, dice)]).unwrap(),
            3 => crowd.wish(["safe", "full", "green"][dice.below(3)]).unwrap(),
            _ => crowd.goal(wants[dice.below(wants.len())]).unwrap(),
        }
    }

    fn change_group(&mut self, dice: &mut SplitMix) {
        let domain = Arc::clone(self.people.domain());
        let group = self.groups[dice.below(self.groups.len())];
        match dice.below(4) {
            0 => {
                let value = ["shut", "open"][dice.below(2)];
                self.people.set_shared(group, fact(&domain, "gate", value)).unwrap();
            }
            1 => {
                let action = ActionId::at(dice.below(domain.map().action_ids().count()));
                let _ = self.people.forbid(group, action, dice.percent(50));
            }
            2 => self.people.set_rate(group, dice.within(1, 3) as u16, 0).unwrap(),
            _ => {
                let check = CheckId::at(dice.below(domain.map().n_checks()));
                self.people.set_check(group, check, dice.percent(70)).unwrap();
            }
        }
    }

    fn step(&mut self, dice: &mut SplitMix) {
        let domain = Arc::clone(self.people.domain());
        for _ in 0..dice.below(12) {
            match dice.below(12) {
                0..=3 => {
                    let npc = domain.npcs()[dice.below(2)].id();
                    let (goal, group) =
                        (self.goal(npc, dice), self.groups[dice.below(self.groups.len())]);
                    let crowd = self.people.crowd_mut(npc).unwrap();
                    let facts = [any_fact(&domain, dice)];
                    self.npcs.push((npc, crowd.spawn_with(group, goal, &facts).unwrap()));
                }
                4 if self.groups.len() < 4 => self.groups.push(self.people.add_group().unwrap()),
                5..=6 => self.change_group(dice),
                _ if self.npcs.is_empty() => {}
                other => {
                    let at = dice.below(self.npcs.len());
                    let (npc, who) = self.npcs[at];
                    let goal = self.goal(npc, dice);
                    let group = self.groups[dice.below(self.groups.len())];
                    let crowd = self.people.crowd_mut(npc).unwrap();
                    match other {
                        7 => _ = crowd.set(who, any_fact(&domain, dice)),
                        8 => _ = crowd.set_goal(who, goal),
                        9 => _ = crowd.set_group(who, group),
                        10 => _ = crowd.forget(who, any_fact(&domain, dice).variable),
                        _ if dice.percent(50) => _ = crowd.set_urgency(who, dice.below(256) as u8),
                        _ => {
                            assert!(crowd.despawn(who));
                            self.npcs.swap_remove(at);
                        }
                    }
                }
            }
        }
        let npcs = [usize::MAX, 3, 10][dice.below(3)];
        self.people.plan(FrameBudget { npcs, nodes: u64::MAX });
        for _ in 0..dice.below(4) {
            if let Some(&(npc, who)) = self.npcs.get(dice.below(40)) {
                self.people.finish_step(npc, who);
            }
        }
        if dice.percent(60) {
            self.people.apply_next();
        }
    }
}

fn any_fact(domain: &PreparedDomain, dice: &mut SplitMix) -> Fact {
    let names = ["at", "bread", "hunger", "pail", "garden"];
    let variable = domain.map().find_variable(names[dice.below(names.len())]).unwrap();
    let values = domain.map().values(variable).len();
    domain.map().fact_at(variable.index(), dice.below(values)).unwrap()
}

/// Bytes with their seal made good.
fn resealed(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let end = bytes.len() - 8;
    let sum = checksum(0, &bytes[at..end]).to_le_bytes();
    bytes[end..].copy_from_slice(&sum);
    bytes
}

#[test]
fn a_life_saved_in_the_middle_goes_on_as_if_it_had_not_been() {
    let domain = domain(VILLAGE);
    let (mut n_saves, mut n_npcs) = (0, 0);
    for seed in 0..40 {
        let settings = settings()[seed as usize % 4];
        let mut dice = SplitMix::new(seed);
        let mut lives = [1, 3].map(|threads| Life::new(&domain, settings, threads));
        for frame in 0..40 {
            let before = dice.clone();
            for life in &mut lives {
                dice = before.clone();
                life.step(&mut dice);
            }
            let [one, three] = &mut lives;
            assert_eq!(one.people.digest(), three.people.digest(), "{seed} {frame}");
            if dice.percent(10) {
                assert_eq!(one.people.save(), three.people.save(), "{seed} {frame}");
                // One goes on as it is, the other from its bytes.
                *three = three.again(settings, 2);
                (n_saves, n_npcs) = (n_saves + 1, n_npcs + one.people.len());
            }
        }
        let [one, three] = &mut lives;
        assert_eq!(one.people.save(), three.people.save(), "{seed}");
    }
    assert!(n_saves > 100 && n_npcs > 2000, "{n_saves} {n_npcs}");
}

/// A population with something of everything.
fn some_life(seed: u64) -> Life {
    let mut life = Life::new(&domain(VILLAGE), settings()[2], 1);
    let mut dice = SplitMix::new(seed);
    (0..12).for_each(|_| life.step(&mut dice));
    life
}

#[test]
fn every_single_bit_that_is_wrong_is_noticed() {
    let mut life = some_life(5);
    let (bytes, domain) = (life.people.save(), Arc::clone(life.people.domain()));
    let restore = |bytes: &[u8]| {
        Population::restore(bytes, Arc::clone(&domain), CrowdSettings::default(), pool(1))
    };
    assert!(restore(&bytes).is_ok());
    for bit in 0..bytes.len() * 8 {
        let mut wrong = bytes.clone();
        wrong[bit / 8] ^= 1 << (bit % 8);
        let Err(error) = restore(&wrong) else { panic!("bit {bit}") };
        assert!(matches!(error, RestoreCrowdError::Read(_)) && error.source().is_some());
    }
    (0..bytes.len()).for_each(|end| assert!(restore(&bytes[..end]).is_err()));
}

/// With a seal that fits, as by somebody who means it: refused, or a population that lives on.
#[test]
fn forged_bytes_are_refused_or_a_population_that_lives() {
    let mut life = some_life(6);
    let (bytes, domain) = (life.people.save(), Arc::clone(life.people.domain()));
    let head = b"throng population 1\n".len() + 2;
    assert_eq!(resealed(&bytes, head), bytes, "the length takes two bytes");
    let (mut dice, mut accepted) = (SplitMix::new(7), 0);
    for round in 0..20_000 {
        let mut forged = bytes.clone();
        for _ in 0..=dice.below(3) {
            let at = dice.within(head, bytes.len() - 9);
            match dice.below(3) {
                0 => forged[at] ^= 1 << dice.below(8),
                1 => forged[at] = [0, 1, 2, 3, 0x7f][dice.below(5)],
                _ => forged.swap(at, dice.within(head, bytes.len() - 9)),
            }
        }
        let forged = resealed(&forged, head);
        let settings = settings()[round % 4];
        let restored = Population::restore(&forged, Arc::clone(&domain), settings, pool(1));
        let Ok((people, _)) = restored else { continue };
        accepted += 1;
        let mut other = Life { people, npcs: life.npcs.clone(), groups: life.groups.clone() };
        other.npcs.retain(|&(npc, who)| other.people.crowd(npc).unwrap().contains(who));
        other.groups.truncate(1);
        if round % 16 == 0 {
            (0..3).for_each(|_| other.step(&mut dice));
        }
        let again = other.people.save();
        let back = Population::restore(&again, Arc::clone(&domain), settings, pool(1)).unwrap();
        assert_eq!(back.0.digest(), other.people.digest());
    }
    assert!(accepted > 1000, "{accepted}");
}

#[test]
fn what_was_saved_is_carried_over_by_name_into_a_patched_domain() {
    let old = domain(LINE);
    let npc = old.npcs()[0].id();
    let mut crowd = Crowd::new(Arc::clone(&old), npc, CrowdSettings::default(), pool(1)).unwrap();
    let end = crowd.wish("end").unwrap();
    let facts = ["a", "b", "c"].map(|value| fact(&old, "p", value));
    let npcs = facts.map(|fact| crowd.spawn_with(GroupId::FIRST, end, &[fact]).unwrap());
    crowd.plan(FrameBudget::UNLIMITED);
    crowd.finish_step(npcs[1]);
    let bytes = crowd.save();
    let restore =
        |text: &str| Crowd::restore(&bytes, domain(text), CrowdSettings::default(), pool(1));
    // Another name, another order, an action more that nobody needs.
    let patched = LINE
        .replace("var p: a, b, c, d", "var q: d, c, b, a was p\nvar lamp: off, on")
        .replace(": p ", ": q ")
        .replace("p = ", "q = ")
        .replace("goal end", "action light: lamp off -> on\ngoal end")
        .replace("can ab", "can light, ab");
    let (again, migration) =
        restore(&patched.replace("var q: d, c, b, a was p", "var q: d, c, b, a\n    was p"))
            .unwrap();
    assert_eq!((again.len(), migration.lost_values, migration.lost_goals), (3, 0, 0));
    let status = |crowd: &Crowd| npcs.map(|npc| crowd.status(npc).unwrap());
    assert!(status(&again).iter().all(|one| matches!(one, Status::Following | Status::Waiting)));
    let q = again.domain().map().find_variable("q").unwrap();
    let value = |npc| again.domain().map().value(again.get(npc, q).unwrap()).to_string();
    assert_eq!(npcs.map(value), ["a", "c", "c"]);
    // A value is gone: who had it does not know; whose way led over it waits.
    let shorter = LINE.replace("a, b, c, d", "a, c, d").replace("action ab: p a -> b\n", "");
    let shorter = shorter.replace("bc: p b -> c", "bc: p a -> c").replace("can ab, ", "can ");
    let (again, migration) = restore(&shorter).unwrap();
    assert_eq!((migration.kept, migration.concerned, migration.lost_values), (2, 1, 0));
    assert_eq!(status(&again), [Status::Waiting, Status::Following, Status::Following]);
    // The goal is gone: they want nothing.
    let (_, migration) = restore(&LINE.replace("end", "finish")).unwrap();
    assert_eq!((migration.lost_goals, migration.concerned), (3, 3));
    // The type is gone: there is no place for them.
    let error = restore(&LINE.replace("npc w", "npc x")).unwrap_err();
    let gone = CrowdReloadError::NoSuchType { name: "w".to_string() };
    assert_eq!(error, RestoreCrowdError::Reload(gone));
}

#[test]
fn other_bytes_are_told_by_what_they_are() {
    let old = domain(LINE);
    let npc = old.npcs()[0].id();
    let mut crowd = Crowd::new(Arc::clone(&old), npc, CrowdSettings::default(), pool(1)).unwrap();
    let restore = |bytes: &[u8]| {
        let error = Population::restore(bytes, Arc::clone(&old), CrowdSettings::default(), pool(1));
        error.unwrap_err().to_string()
    };
    let other = "this is not a saved population: it begins as `throng crowd 3`";
    assert_eq!(restore(&crowd.save()), other);
    let newer = restore(b"throng population 9\n");
    assert_eq!(
        newer,
        "this is a saved population of format 9; this program reads format 3 and those from 1 on"
    );
    assert!(restore(b"").contains("this is not a saved population"));
}

#[test]
fn a_handle_is_good_again_from_its_bits() {
    let mut life = some_life(8);
    let (npc, who) = life.npcs[0];
    let again = life.again(CrowdSettings::default(), 1);
    let back = NpcHandle::from_bits(who.to_bits());
    assert_eq!((back, again.people.crowd(npc).unwrap().contains(back)), (who, true));
    assert!(!again.people.crowd(npc).unwrap().contains(NpcHandle::from_bits(u64::MAX)));
}
