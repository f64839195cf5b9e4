//! What others have picked and claimed: sides share out, and no two have the same.

use crate::common::spec;
use crate::random_life::{self, Dice, World, body};
use std::collections::BTreeSet;
use throng_base::SplitMix;
use throng_mind::Minds;
use throng_mind::fact::Value;
use throng_mind::prelude::*;
use throng_mind::select::Key;

const FIGHT: &str = "domain fight
var threat: none, alive
select target: one of character
    score amount of it   margin 0.25   keep 0.8   spread 0.25
symbol threat: alive if target, none
action wait: threat alive -> none
goal calm: threat = none
npc soldier   can wait   wants calm
";

/// A fact about a thing, with a score.
fn about(minds: &Minds<()>, kind: &str, thing: u64, amount: f32) -> Message {
    let kind = minds.spec().words.find(kind).unwrap();
    let fact = FactDraft::new(kind).with(Attribute::Object, EntityId(thing), 1.0);
    let fact = fact.with(Attribute::Amount, Value::Number(amount), 1.0);
    Message::Told(Box::new(fact.keep(Tick::MAX)))
}

fn held(minds: &Minds<()>) -> Vec<Key> {
    minds.iter().map(|mind| mind.picks().slots()[0].key).collect()
}

#[test]
fn a_side_shares_its_targets_out_and_settles_within_a_second() {
    let mut latest = 0;
    for seed in 0..200u64 {
        let mut dice = SplitMix::new(seed);
        let (n_minds, n_prey) = (1 + dice.below(16), 1 + dice.below(16));
        let mut minds = Minds::<()>::new(spec(FIGHT), Body::new(), 1).unwrap();
        for me in 0..n_minds as u64 {
            let id = minds.spawn("soldier", EntityId(1000 + me)).unwrap();
            for prey in 0..n_prey as u64 {
                // As far as scores that matter go: below the worst of them `spread` times `margin`
                // would not reach.
                let score = 0.4 + dice.below(600) as f32 / 1000.0;
                minds.tell(id, about(&minds, "character", prey, score)).unwrap();
            }
        }
        let mut before = Vec::new();
        for now in 1..60 {
            minds.tick(&(), now);
            if held(&minds) != before {
                latest = latest.max(now);
                before = held(&minds);
            }
        }
        let shared_out: BTreeSet<Key> = before.iter().copied().collect();
        assert_eq!(shared_out.len(), n_minds.min(n_prey), "seed {seed}: {n_minds} v {n_prey}");
    }
    assert!((3..=11).contains(&latest), "settled by tick {latest}");
}

#[test]
fn who_is_of_another_side_does_not_count() {
    let mut minds = Minds::<()>::new(spec(FIGHT), Body::new(), 1).unwrap();
    let [red, blue] = ["soldier", "wait"].map(|side| minds.spec().words.find(side).unwrap());
    for (me, side) in [(1, red), (2, blue), (3, red)] {
        let id = minds.spawn("soldier", EntityId(me)).unwrap();
        minds.set_side(id, side).unwrap();
        minds.tell(id, about(&minds, "character", 7, 1.0)).unwrap();
        minds.tell(id, about(&minds, "character", 8, 0.9)).unwrap();
    }
    (1..20).for_each(|now| minds.tick(&(), now));
    let [one, two] = [7, 8].map(|id| Key::Entity(EntityId(id)));
    assert_eq!(held(&minds), [one, one, two]);
}

const POSTS: &str = "domain posts
var place: elsewhere, any cover
select cover: best 2 of spot   score amount of it   claims
action goto(spot in cover): place -> spot   takes 0.4
action leave: place -> elsewhere   takes 0.3
goal hide: place = cover   relevance if spot
goal roam: place = elsewhere   relevance if noise   priority 9
npc soldier
    can goto, leave
    wants hide, roam
    starts place = elsewhere
";

const LAMPS: &str = "domain lamps
var place: elsewhere, any lamp
select lamp: one of spot   score amount of it   claims
action goto(which in lamp): place -> which   takes 1
goal there: place = lamp   relevance if lamp
npc soldier
    can goto
    wants there
    starts place = elsewhere
";

#[test]
fn of_two_who_want_one_thing_only_who_has_it_sets_out_for_it() {
    let mut minds = Minds::<()>::new(spec(LAMPS), Body::new(), 1).unwrap();
    let ids = [1, 2].map(|me| minds.spawn("soldier", EntityId(me)).unwrap());
    for id in ids {
        minds.tell(id, about(&minds, "spot", 7, 0.9)).unwrap();
        minds.tell(id, about(&minds, "spot", 8, 0.5)).unwrap();
    }
    let mut walks = Vec::new();
    for now in 1..20 {
        minds.tick(&(), now);
        let own = minds.events().iter().filter(|event| event.mind == ids[1]);
        walks.extend(own.filter_map(|event| match event.what {
            EventKind::Started { .. } => Some((now, "begun")),
            EventKind::Ended { how: Ending::Cancelled, .. } => Some((now, "given up")),
            EventKind::Ended { how: Ending::Done, .. } => Some((now, "done")),
            _ => None,
        }));
    }
    // He wants the first, asks for it, learns that it is the other's, and asks for the second.
    let told = [(3, "begun"), (13, "done")];
    assert_eq!(walks, told, "{:?}", held(&minds));
}

/// Nobody has what another has, and who is there has it.
fn is_sound(minds: &Minds<()>) {
    let mut seen = BTreeSet::new();
    for claim in minds.claims() {
        assert!(seen.insert(claim.key), "two have {:?}: {:?}", claim.key, minds.claims());
        assert!(minds.mind(claim.mind).is_some(), "a dead one has {:?}", claim.key);
    }
}

#[test]
fn two_minds_never_hold_one_claim() {
    let mut dice = SplitMix::new(5);
    let mut minds = Minds::<()>::new(spec(POSTS), Body::new(), 1).unwrap();
    let (mut claims, mut lost) = (0, 0);
    for now in 1..10_000 {
        if minds.len() < 6 {
            minds.spawn("soldier", EntityId(1000 + u64::from(now))).unwrap();
        }
        let ids: Vec<MindId> = minds.iter().map(|mind| mind.id()).collect();
        let id = ids[dice.below(ids.len())];
        let thing = dice.below(5) as u64;
        match dice.below(40) {
            0 => minds.despawn(id, &()).unwrap(),
            1 => {
                let bytes = minds.save();
                minds.restore(&bytes).unwrap();
            }
            2 => drop(minds.reload(spec(POSTS), &()).unwrap()),
            3 => drop(minds.claim(id, Key::Entity(EntityId(thing)))),
            4 => drop(minds.release(id, Key::Entity(EntityId(thing)))),
            5 => drop(minds.interrupt(id, &())),
            6..12 => {
                let kind = minds.spec().words.find("noise").unwrap();
                let noise = FactDraft::new(kind).keep(1 + dice.below(9) as Tick);
                minds.tell(id, Message::Told(Box::new(noise))).unwrap();
            }
            _ => {
                let score = dice.below(100) as f32 / 100.0;
                let kind = minds.spec().words.find("spot").unwrap();
                let spot = FactDraft::new(kind).with(Attribute::Object, EntityId(thing), 1.0).with(
                    Attribute::Amount,
                    Value::Number(score),
                    1.0,
                );
                let keep = 5 + dice.below(40) as Tick;
                minds.tell(id, Message::Retold(Box::new(spot.keep(keep)))).unwrap();
            }
        }
        minds.tick(&(), now);
        is_sound(&minds);
        claims += minds.claims().len();
        let taken = |event: &&Event| {
            matches!(
                event.what,
                EventKind::Picked { why: throng_mind::select::PickReason::Taken, .. }
            )
        };
        lost += minds.events().iter().filter(taken).count();
    }
    assert!(claims > 10_000 && lost > 100, "{claims} {lost}");
}

fn lives(threads: usize, sleepless: bool) -> Minds<World> {
    // Sensors that look now and then let minds sleep.
    let text = random_life::TEXT.replace("s0: every 0 ", "s0: every 0.9 ");
    let text = text
        .replace("s1: every 0.3 ", "s1: every 1.3 ")
        .replace("s4: every 0.2 ", "s4: every 0.8 ")
        .replace("uses voice   every 0.6", "uses voice   every 4")
        .replace("head, voice   every 0.3", "head, voice   every 4")
        .replace("v1 = b   uses hands, head", "v1 = b   uses hands, head   every 4")
        .replace("uses legs, head   chance 0.6", "uses legs, head   every 4   chance 0.6");
    let mut minds = Minds::new(spec(&text), body(), threads).unwrap();
    if sleepless {
        minds.never_sleep();
    }
    minds
}

#[test]
fn who_never_sleeps_and_who_has_more_threads_live_the_same_life() {
    for seed in 0..4 {
        let mut all = [lives(1, false), lives(1, true), lives(4, false)];
        let mut n_events = 0;
        for now in 1..400 {
            let told: Vec<_> = all
                .iter_mut()
                .map(|minds| {
                    let mut dice = Dice::new((seed << 32) | (u64::from(now) / 3));
                    let types: Vec<_> = minds.spec().domain.npcs().iter().map(|n| n.id()).collect();
                    if minds.len() < if seed % 2 == 0 { 3 } else { 70 } {
                        let npc = types[dice.below(2)];
                        minds.spawn(npc, EntityId(dice.below(9) as u64)).unwrap();
                    }
                    let ids: Vec<MindId> = minds.iter().map(|mind| mind.id()).collect();
                    for _ in 0..dice.below(6) {
                        let id = ids[dice.below(ids.len())];
                        let fact = dice.fact(minds.spec());
                        let side = fact.kind;
                        match dice.below(9) {
                            0 => minds.share(&fact, 9),
                            1 => minds.set_place(id, dice.place()).unwrap(),
                            2 => minds.set_side(id, side).unwrap(),
                            3 => minds.tell(id, Message::Done(OrderId(1 + now / 9))).unwrap(),
                            _ => minds.tell(id, Message::Told(Box::new(fact.keep(9)))).unwrap(),
                        }
                    }
                    minds.tick(&u64::from(now), now);
                    let picks: Vec<_> =
                        minds.iter().map(|mind| mind.picks().slots().to_vec()).collect();
                    (minds.orders().to_vec(), minds.events().to_vec(), picks)
                })
                .collect();
            for other in &told[1..] {
                for (one, two) in told[0].2.iter().zip(&other.2) {
                    assert_eq!(one, two, "seed {seed} at {now}");
                }
                assert_eq!(told[0].1, other.1, "seed {seed} at {now}");
                assert_eq!(told[0].0, other.0, "seed {seed} at {now}");
            }
            n_events += told[0].1.len();
        }
        let [one, sleepless, _] = &all;
        // Where many share out what they pick somebody changes all the time.
        assert!(seed % 2 == 1 || one.totals().awake < sleepless.totals().awake);
        assert!(n_events > 300, "{n_events}");
    }
}
