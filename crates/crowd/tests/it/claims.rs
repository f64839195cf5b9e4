//! What groups share is claimed: nobody comes too late, everybody's turn comes.
//!
//! The plain twin lets the NPCs of a group live one after the other, each alone to the end of its
//! plan. Beside it all live at once, and finish the steps that they were handed out in any order.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::{domain, fact};
use std::collections::BTreeSet;
use std::sync::Arc;
use throng_base::SplitMix;
use throng_crowd::{
    Applied, Crowd, CrowdSettings, FrameBudget, GroupId, NpcHandle, Pool, Population, Status,
    TablePolicy,
};
use throng_domain::model::Fact;
use throng_planner::PreparedDomain;

/// One stove for all; who cooks has it, and leaves it.
const STOVE: &str = "domain stove
shared var stove: free, taken
var at: door, stove
var meal: raw, cooked
var hand: free, busy
action come:  at door -> stove
action take:  stove free -> taken, hand free -> busy    while at = stove
action cook:  meal raw -> cooked                        while hand = busy
action leave: stove taken -> free, hand busy -> free
goal fed: meal = cooked, hand = free
npc cook
    can come, take, cook, leave
    wants fed
    starts stove = free, at = door, meal = raw, hand = free
";

/// Those who want it hot and those who want it cold, for ever at odds.
const HOT: &str = "domain hot
shared var stove: cold, hot
shared var hatch: shut, open
var meal: raw, cooked, served
var pan: dirty, clean
action light:  stove cold -> hot    while hatch = open
action cook:   meal raw -> cooked   while stove = hot
action serve:  meal cooked -> served  while hatch = open
action out:    stove hot -> cold
action scrub:  pan dirty -> clean   while stove = cold, hatch = shut
action open:   hatch shut -> open
action close:  hatch open -> shut
goal fed: meal = served
goal tidy: pan = clean
npc cook
    can light, cook, serve, out, open
    wants fed
    starts stove = cold, hatch = shut, meal = raw
npc maid
    can scrub, out, close
    wants tidy
    starts stove = cold, hatch = shut, pan = dirty
";

/// A larder that some fill and all empty.
const LARDER: &str = "domain larder
shared var bread: 0..12
shared var oven: cold, hot
var hunger: 0..3
var hands: clean, dirty
action bake: bread += 3         while oven = hot, hands = clean
action heat: oven cold -> hot
action cool: oven hot -> cold
action wash: hands dirty -> clean
action eat:  bread -= 1, hunger -= 1   while hands = clean
goal fed: hunger = 0
goal safe: oven = cold, hands = dirty
npc baker
    can bake, heat, wash, eat
    wants fed
    starts bread = 4, oven = cold, hunger = 2, hands = dirty
npc guest
    can wash, eat
    wants fed
    starts bread = 4, hunger = 1, hands = dirty
";

fn settings(nth: usize) -> CrowdSettings {
    let all = CrowdSettings::default();
    match nth % 3 {
        0 => all,
        1 => CrowdSettings { tables: TablePolicy::Never, ..all },
        _ => CrowdSettings { tables: TablePolicy::Never, wide: false, ..all },
    }
}

/// Somebody of a type, in a group; `values` differ from those of the type's `starts`.
#[derive(Clone)]
struct Somebody {
    kind: usize,
    group: usize,
    values: Vec<Fact>,
}

/// Who there is, by chance.
fn people(domain: &PreparedDomain, n: usize, groups: usize, dice: &mut SplitMix) -> Vec<Somebody> {
    let one = |dice: &mut SplitMix| {
        let kind = dice.below(domain.npcs().len());
        let npc = &domain.npcs()[kind];
        let own = npc.variables().iter().filter(|&&id| !domain.map().is_shared(id));
        let own: Vec<_> = own.copied().collect();
        let mut values = Vec::new();
        if dice.below(3) == 0 {
            let variable = own[dice.below(own.len())];
            let local = npc.local_variable(variable).unwrap();
            let all: Vec<Fact> = npc.facts_of(local).map(|one| npc.fact(one)).collect();
            values.push(all[dice.below(all.len())]);
        }
        Somebody { kind, group: dice.below(groups), values }
    };
    (0..n).map(|_| one(dice)).collect()
}

/// A population with these, each with the first goal of its type.
fn population(
    domain: &Arc<PreparedDomain>,
    all: &[Somebody],
    groups: usize,
    (settings, threads): (CrowdSettings, usize),
) -> (Population, Vec<(usize, NpcHandle)>) {
    let pool = Arc::new(Pool::new(threads));
    let mut people = Population::new(Arc::clone(domain), settings, pool);
    let mut ids = vec![GroupId::FIRST];
    while ids.len() < groups {
        ids.push(people.add_group().unwrap());
    }
    let spawn = |one: &Somebody| {
        let kind = domain.npcs()[one.kind].id();
        let goal = domain.npc(kind).goals()[0];
        let crowd = people.crowd_mut(kind).unwrap();
        let goal = crowd.goal(goal).unwrap();
        (one.kind, crowd.spawn_with(ids[one.group], goal, &one.values).unwrap())
    };
    let handles = all.iter().map(spawn).collect();
    (people, handles)
}

fn crowd_of(people: &Population, kind: usize) -> &Crowd {
    &people.crowds()[kind]
}

/// Who reaches what it wants if all of a group live one after the other.
fn one_after_the_other(domain: &Arc<PreparedDomain>, all: &[Somebody]) -> BTreeSet<usize> {
    let mut shared: Vec<Fact> = Vec::new();
    let mut happy = BTreeSet::new();
    for (at, one) in all.iter().enumerate() {
        let alone = [Somebody { group: 0, ..one.clone() }];
        let (mut people, handles) = population(domain, &alone, 1, (settings(0), 1));
        for &fact in &shared {
            people.set_shared(GroupId::FIRST, fact).unwrap();
        }
        let (kind, npc) = handles[0];
        for _ in 0..100 {
            people.plan(FrameBudget::UNLIMITED);
            if people.apply_next().moved == 0 {
                break;
            }
        }
        if crowd_of(&people, kind).status(npc) == Some(Status::Satisfied) {
            happy.insert(at);
        }
        let ids = domain.map().variable_ids().filter(|&id| domain.map().is_shared(id));
        shared = ids
            .filter_map(|id| {
                people.crowds().iter().find_map(|crowd| crowd.shared(GroupId::FIRST, id))
            })
            .collect();
    }
    happy
}

/// All live at once, until nobody has anything to do; those who were ever satisfied, and how long
/// it took. Some steps take several frames, and some frames are not planned for.
fn at_once(
    domain: &Arc<PreparedDomain>,
    all: &[Somebody],
    groups: usize,
    nth: usize,
    dice: &mut SplitMix,
) -> BTreeSet<usize> {
    let (mut people, handles) = population(domain, all, groups, (settings(nth), 1 + nth % 3));
    let mut happy = BTreeSet::new();
    let mut still = 0;
    for _ in 0..4_000 {
        let report = people.plan(FrameBudget::UNLIMITED);
        let queued = handles.iter().filter(|it| crowd_of(&people, it.0).is_queued(it.1));
        assert_eq!(report.queued, queued.count());
        for (at, &(kind, npc)) in handles.iter().enumerate() {
            let crowd = crowd_of(&people, kind);
            if crowd.status(npc) == Some(Status::Satisfied) {
                happy.insert(at);
            }
            let why = people.waiting_for(domain.npcs()[kind].id(), npc);
            assert_eq!(why.is_some(), crowd.is_queued(npc));
            if crowd.is_queued(npc) {
                assert!(crowd.next_action(npc).is_none() && crowd.plan_of(npc).len() > 0);
            }
        }
        let mut order: Vec<usize> = (0..handles.len()).collect();
        (0..order.len()).for_each(|at| order.swap(at, at + dice.below(handles.len() - at)));
        let mut moved = 0;
        if dice.below(4) == 0 {
            let Applied { moved: n, blocked, .. } = people.apply_next();
            assert_eq!(blocked, 0, "nobody comes too late");
            moved += n;
        } else {
            for at in order.into_iter().filter(|_| dice.below(3) > 0) {
                let (kind, npc) = handles[at];
                // What was handed out may be planned for anew, because it is done or might be had
                // for less; but it is not refused.
                let next = crowd_of(&people, kind).next_action(npc);
                let done = people.finish_step(domain.npcs()[kind].id(), npc);
                assert_eq!(done, next, "what is handed out can be done");
                moved += usize::from(done.is_some());
            }
        }
        still = if moved == 0 && report.served == 0 { still + 1 } else { 0 };
        if still > 40 || happy.len() == all.len() {
            break;
        }
    }
    // Nobody stands in line for ever: who has nothing can have nothing.
    people.plan(FrameBudget::UNLIMITED);
    for (kind, npc) in handles.iter().filter(|_| happy.len() < all.len()) {
        let status = crowd_of(&people, *kind).status(*npc);
        assert!(matches!(status, Some(Status::Satisfied | Status::Impossible)), "{status:?}");
    }
    happy
}

#[test]
fn whoever_gets_there_alone_gets_there_among_others() {
    for (which, text) in [STOVE, HOT, LARDER].into_iter().enumerate() {
        let domain = domain(text);
        let mut dice = SplitMix::new(5 + which as u64);
        for nth in 0..18 {
            let n = [1, 2, 3, 5, 8, 30][nth % 6];
            let all = people(&domain, n, 1, &mut dice);
            let alone = one_after_the_other(&domain, &all);
            let among = at_once(&domain, &all, 1, nth, &mut dice);
            match which {
                // Who is first eats: that nobody is left waiting was seen.
                2 => assert!(!among.is_empty() || alone.is_empty(), "{nth}"),
                _ => assert!(among.is_superset(&alone), "{which} {nth}: {alone:?} {among:?}"),
            }
        }
    }
}

#[test]
fn many_groups_live_beside_each_other() {
    let domain = domain(HOT);
    let mut dice = SplitMix::new(77);
    let all = people(&domain, 120, 6, &mut dice);
    let among = at_once(&domain, &all, 6, 0, &mut dice);
    for group in 0..6 {
        let members = (0..all.len()).filter(|&at| all[at].group == group);
        let members: Vec<usize> = members.collect();
        let some: Vec<Somebody> = members.iter().map(|&at| all[at].clone()).collect();
        for alone in one_after_the_other(&domain, &some) {
            assert!(among.contains(&members[alone]), "group {group}");
        }
    }
}

#[test]
fn the_same_is_handed_out_on_any_number_of_threads() {
    let domain = domain(HOT);
    let all = people(&domain, 9_000, 40, &mut SplitMix::new(3));
    let lived = |threads: usize| {
        let (mut people, _) = population(&domain, &all, 40, (settings(0), threads));
        let mut digests = Vec::new();
        for _ in 0..30 {
            let report = people.plan(FrameBudget { npcs: 4_000, nodes: u64::MAX });
            let applied = people.apply_next();
            assert_eq!(applied.blocked, 0);
            digests.push((report.claimed, report.queued, applied, people.digest()));
        }
        digests
    };
    let one = lived(1);
    assert!(one.iter().any(|it| it.1 > 0) && one.iter().filter(|it| it.2.moved > 0).count() > 5);
    assert_eq!(one, lived(2));
    assert_eq!(one, lived(5));
}

/// Two cooks by the stove, of whom the first has it.
fn two() -> (Arc<PreparedDomain>, Crowd, [NpcHandle; 3]) {
    let domain = domain(STOVE);
    let pool = Arc::new(Pool::new(1));
    let settings = CrowdSettings::default();
    let mut crowd = Crowd::new(Arc::clone(&domain), "cook", settings, pool).unwrap();
    let fed = crowd.goal("fed").unwrap();
    let here = [fact(&domain, "at", "stove")];
    let npcs = [(); 3].map(|()| crowd.spawn_with(GroupId::FIRST, fed, &here).unwrap());
    crowd.plan(FrameBudget::UNLIMITED);
    assert!(crowd.next_action(npcs[0]).is_some());
    assert!(crowd.is_queued(npcs[1]) && crowd.is_queued(npcs[2]));
    (domain, crowd, npcs)
}

#[test]
fn who_waits_is_told_for_what_and_for_whom() {
    let (domain, crowd, [anna, bert, cora]) = two();
    let why = crowd.waiting_for(bert).unwrap();
    assert_eq!(domain.map().variable(why.variable), "stove");
    assert_eq!((why.npc_type, why.npc, why.is_held), (crowd.npc(), anna, true));
    assert_eq!(crowd.waiting_for(cora).unwrap().npc, anna);
    assert_eq!(crowd.waiting_for(anna), None);
    assert_eq!(crowd.status(bert), Some(Status::Following), "he keeps his plan");
}

#[test]
fn a_claim_ends_with_whatever_ends_the_plan() {
    type End = fn(&mut Crowd, NpcHandle);
    let ends: [(&str, End); 4] = [
        ("gone", |crowd, npc| assert!(crowd.despawn(npc))),
        ("another goal", |crowd, npc| {
            let raw = crowd.add_goal(&[]).unwrap();
            crowd.set_goal(npc, raw).unwrap();
        }),
        ("another group", |crowd, npc| {
            let other = crowd.add_group().unwrap();
            crowd.set_group(npc, other).unwrap();
        }),
        ("done", |crowd, npc| {
            while crowd.status(npc) != Some(Status::Satisfied) {
                crowd.finish_step(npc);
                crowd.plan(FrameBudget::UNLIMITED);
            }
        }),
    ];
    for (name, end) in ends {
        let (_, mut crowd, [anna, bert, cora]) = two();
        end(&mut crowd, anna);
        crowd.plan(FrameBudget::UNLIMITED);
        assert!(crowd.next_action(bert).is_some() && crowd.is_queued(cora), "{name}");
    }
}

#[test]
fn claims_are_saved_and_come_back() {
    let (domain, mut crowd, npcs) = two();
    for _ in 0..12 {
        let bytes = crowd.save();
        let pool = Arc::new(Pool::new(2));
        let settings = CrowdSettings::default();
        let (again, _) = Crowd::restore(&bytes, Arc::clone(&domain), settings, pool).unwrap();
        let stand = |crowd: &Crowd| npcs.map(|npc| (crowd.next_action(npc), crowd.is_queued(npc)));
        assert_eq!(stand(&again), stand(&crowd));
        assert_eq!(again.digest(), crowd.digest());
        crowd = again;
        assert_eq!(crowd.apply_next().blocked, 0);
        crowd.plan(FrameBudget::UNLIMITED);
    }
    assert!(npcs.iter().all(|&npc| crowd.status(npc) == Some(Status::Satisfied)));
}

#[test]
fn what_the_game_takes_away_is_not_claimed_any_more() {
    let domain = domain(LARDER);
    let pool = Arc::new(Pool::new(1));
    let settings = CrowdSettings::default();
    let mut crowd = Crowd::new(Arc::clone(&domain), "guest", settings, pool).unwrap();
    let fed = crowd.goal("fed").unwrap();
    let clean = [fact(&domain, "hands", "clean")];
    crowd.set_shared_amount(GroupId::FIRST, "bread", 3).unwrap();
    let npcs = [(); 4].map(|()| crowd.spawn_with(GroupId::FIRST, fed, &clean).unwrap());
    crowd.plan(FrameBudget::UNLIMITED);
    let handed = |crowd: &Crowd| npcs.map(|npc| crowd.next_action(npc).is_some());
    assert_eq!(handed(&crowd), [true, true, true, false], "three have one each");
    crowd.set_shared_amount(GroupId::FIRST, "bread", 1).unwrap();
    crowd.plan(FrameBudget::UNLIMITED);
    assert_eq!(handed(&crowd), [true, false, false, false], "there is one left");
    let applied = crowd.apply_next();
    assert_eq!((applied.moved, applied.blocked, applied.queued), (1, 0, 3));
    assert_eq!(crowd.shared_amount(GroupId::FIRST, "bread"), Some(0));
}

/// Each has a place to cook by itself, until the gas is off.
const OVEN: &str = "domain oven
shared var stove: free, taken
shared var oven: free, taken
var hand: none, stove, oven
var meal: raw, cooked
action light: stove free -> taken, hand none -> stove   if gas
action open:  oven free -> taken, hand none -> oven
    cost 2
action fry:   meal raw -> cooked   while hand = stove
action bake:  meal raw -> cooked   while hand = oven
action leave: stove taken -> free, hand stove -> none
action close: oven taken -> free, hand oven -> none
goal fed: meal = cooked, hand = none
npc cook
    can light, open, fry, bake, leave, close
    wants fed
    starts stove = free, oven = free, hand = none, meal = raw
";

#[test]
fn who_holds_a_claim_and_is_planned_for_again_is_held_to_the_others() {
    let domain = domain(OVEN);
    let pool = Arc::new(Pool::new(1));
    let settings = CrowdSettings::default();
    let mut crowd = Crowd::new(Arc::clone(&domain), "cook", settings, pool).unwrap();
    let fed = crowd.goal("fed").unwrap();
    let anna = crowd.spawn(GroupId::FIRST, fed).unwrap();
    let bert = crowd.spawn(GroupId::FIRST, fed).unwrap();
    let [light, open] = ["light", "open"].map(|name| domain.map().find_action(name).unwrap());
    crowd.plan(FrameBudget::UNLIMITED);
    // Bert is told to take the oven, which goes with her stove.
    let baking = ["open", "bake", "close"].map(|name| domain.map().find_action(name).unwrap());
    assert!(crowd.follow(bert, &baking));
    crowd.plan(FrameBudget::UNLIMITED);
    assert_eq!([anna, bert].map(|npc| crowd.next_action(npc)), [Some(light), Some(open)]);
    crowd.set_check(GroupId::FIRST, "gas", false).unwrap();
    let mut frames = 0;
    while [anna, bert].iter().any(|&npc| crowd.status(npc) != Some(Status::Satisfied)) {
        crowd.plan(FrameBudget::UNLIMITED);
        let handed = [anna, bert].map(|npc| crowd.next_action(npc));
        assert!(handed.iter().flatten().count() == 1, "one oven: {handed:?}");
        let applied = crowd.apply_next();
        assert_eq!((applied.moved, applied.blocked), (1, 0));
        frames += 1;
    }
    assert_eq!(frames, 6, "one after the other");
}

/// Some need what others would set, and all of those would set the same.
const RAISED: &str = "domain d
var v0: false, true
shared var v1: 0..5
var v2: 0..3
action s0: v2 -> 2  while v1 != 1
action s1: v0 false -> true, v2 -= 1, v1 -> 4  if c0
action s3(p0 in v0): v0 -> p0, v1 += 1  while v0 = p0
goal g0: v2 <= 2
goal g1: not (v0 = false)
goal g2: v2 = 0
npc n
    can s0, s1, s3
    wants g0, g1, g2
    starts v0 = true, v1 = 2, v2 = 0
";

#[test]
fn nobody_gets_a_claim_at_odds_with_holders_because_it_goes_with_the_first() {
    let domain = domain(RAISED);
    for seed in 0..400 {
        let mut dice = SplitMix::new(seed);
        let pool = Arc::new(Pool::new(1));
        let settings = CrowdSettings::default();
        let mut crowd = Crowd::new(Arc::clone(&domain), "n", settings, pool).unwrap();
        crowd.set_shared_amount(GroupId::FIRST, "v1", dice.below(6) as i64).unwrap();
        let mut npcs = Vec::new();
        for goal in ["g0", "g1", "g2"] {
            let goal = crowd.wish(goal).unwrap();
            for _ in 0..6 {
                let npc = crowd.spawn(GroupId::FIRST, goal).unwrap();
                crowd.set_amount(npc, "v2", dice.below(4) as i64).unwrap();
                let word = ["false", "true"][dice.below(2)];
                crowd.set(npc, ("v0", word)).unwrap();
                npcs.push(npc);
            }
        }
        crowd.plan(FrameBudget::UNLIMITED);
        let stand = |crowd: &Crowd| {
            let one =
                |&npc: &NpcHandle| (crowd.plan_of(npc).collect::<Vec<_>>(), crowd.is_queued(npc));
            npcs.iter().map(one).collect::<Vec<_>>()
        };
        let before = stand(&crowd);
        npcs.iter().for_each(|&npc| assert!(crowd.ask_again(npc)));
        crowd.plan(FrameBudget::UNLIMITED);
        assert_eq!(stand(&crowd), before, "{seed}");
    }
}

#[test]
fn nobody_comes_too_late_whatever_the_game_says_meanwhile() {
    for (which, text) in [OVEN, HOT, LARDER].into_iter().enumerate() {
        let domain = domain(text);
        for seed in 0..12 {
            let mut dice = SplitMix::new(seed);
            let all = people(&domain, 12, 2, &mut dice);
            let (mut people, handles) = population(&domain, &all, 2, (settings(seed as usize), 1));
            let mut moved = 0;
            for frame in 0..150 {
                for _ in 0..dice.below(3) {
                    let (kind, npc) = handles[dice.below(handles.len())];
                    let tables = &domain.npcs()[kind];
                    let own = tables.variables().iter();
                    let own: Vec<_> = own.filter(|&&id| !domain.map().is_shared(id)).collect();
                    let local = tables.local_variable(*own[dice.below(own.len())]).unwrap();
                    let facts: Vec<Fact> =
                        tables.facts_of(local).map(|one| tables.fact(one)).collect();
                    let fact = facts[dice.below(facts.len())];
                    people.crowd_mut(tables.id()).unwrap().set(npc, fact).unwrap();
                }
                if which == 0 && dice.below(4) == 0 {
                    people.set_check(GroupId::FIRST, "gas", dice.below(2) == 0).unwrap();
                }
                if dice.below(3) > 0 {
                    people.plan(FrameBudget { npcs: 1 + dice.below(14), nodes: u64::MAX });
                }
                let left = |it: &(usize, NpcHandle)| crowd_of(&people, it.0).plan_of(it.1).len();
                let before: Vec<usize> = handles.iter().map(left).collect();
                let next = handles.iter().map(|it| crowd_of(&people, it.0).next_action(it.1));
                let next: Vec<bool> = next.map(|next| next.is_some()).collect();
                let applied = people.apply_next();
                let told = format!("{which} {seed} {frame}");
                assert_eq!(applied.blocked, 0, "{told}");
                assert!(applied.moved <= next.iter().filter(|&&next| next).count(), "{told}");
                for ((it, before), next) in handles.iter().zip(before).zip(next) {
                    // A step of another type may bring somebody to wait for a better plan.
                    let crowd = crowd_of(&people, it.0);
                    let waits = crowd.status(it.1) == Some(Status::Waiting);
                    let has_moved = crowd.plan_of(it.1).len() < before;
                    assert!(waits || has_moved == next, "{told}");
                }
                moved += applied.moved;
            }
            assert!(moved > 0, "{which} {seed}");
        }
    }
}
