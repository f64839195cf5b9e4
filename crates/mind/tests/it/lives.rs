//! Lives with all that happens between minds: told facts, shared cooldowns, chance. They are the
//! same asleep or not, on any number of threads, from a save of any tick, and from a recording.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::spec;
use crate::random_life::{Dice, TEXT, World, body};
use std::sync::Arc;
use throng_domain::model::ActionId;
use throng_mind::events::Cause;
use throng_mind::memory::FactRef;
use throng_mind::prelude::*;

/// More than a group of minds, for threads to share; elsewhere fewer do.
const MANY: u32 = 70;
const FEW: u32 = 14;

fn minds(threads: usize, count: u32) -> Minds<World> {
    let mut minds = Minds::new(spec(TEXT), body(), threads).unwrap();
    minds.set_seed(11);
    for at in 0..count {
        minds.spawn(["one", "two"][at as usize % 2], EntityId(u64::from(at))).unwrap();
    }
    minds
}

/// What happens before a tick: the same for all that live it.
fn happens(minds: &mut Minds<World>, orders: &[IssuedOrder], now: Tick) {
    let mut dice = Dice::new(u64::from(now) << 8 | 7);
    for sent in orders.iter().filter(|sent| sent.order.is_reported()) {
        match dice.below(8) {
            0 => _ = minds.tell(sent.mind, Message::Failed(sent.id, Word::NONE)),
            1..=5 => _ = minds.tell(sent.mind, Message::Done(sent.id)),
            _ => {}
        }
    }
    for _ in 0..6 {
        let id = MindId(1 + dice.below(FEW as usize + 4) as u32);
        let side = minds.spec().words.find(["a", "b"][dice.below(2)]).unwrap();
        let squad = MindId(1 + dice.below(3) as u32);
        let fact = dice.fact(minds.spec()).keep(12);
        // Some of them have ended.
        match dice.below(9) {
            0 => _ = minds.tell(id, Message::Told(Box::new(fact))),
            1 => _ = minds.set_check(id, "open", dice.below(3) > 0),
            2 => _ = minds.set_place(id, dice.place()),
            3 | 4 => _ = minds.set_side(id, side),
            5 | 6 => _ = minds.set_squad(id, (dice.below(4) > 0).then_some(squad)),
            7 if dice.below(12) == 0 => minds.set_seed(dice.below(5) as u64),
            8 if dice.below(9) == 0 => {
                _ = minds.despawn(id, &7);
                _ = minds.spawn("one", EntityId(u64::from(id.0)));
            }
            _ => {}
        }
    }
}

/// A life: the digest after each tick; `each` may put other minds in the place of these.
fn life(
    mut minds: Minds<World>,
    ticks: Tick,
    mut each: impl FnMut(&mut Minds<World>, Tick),
) -> Vec<u64> {
    let mut orders = Vec::new();
    let mut digests = Vec::new();
    for now in 1..ticks {
        happens(&mut minds, &orders, now);
        minds.tick(&7, now);
        orders = minds.orders().to_vec();
        digests.push(minds.digest());
        each(&mut minds, now);
    }
    digests
}

#[test]
fn minds_that_never_sleep_live_the_same() {
    // Not `digest`, which tells when a mind wakes.
    fn shown(minds: &Minds<World>) -> Vec<(Vec<ActionId>, usize, Vec<u16>, usize)> {
        let each = minds.iter().map(|mind| {
            let plan = mind.plan();
            (plan.steps().to_vec(), plan.at(), mind.state().values().to_vec(), mind.memory().len())
        });
        each.collect()
    }
    let mut seen = Vec::new();
    life(minds(1, FEW), 300, |minds, _| {
        seen.push((shown(minds), minds.orders().to_vec(), minds.events().to_vec()))
    });
    let mut sleepless = minds(1, FEW);
    sleepless.never_sleep();
    let mut at = 0;
    life(sleepless, 300, |minds, now| {
        let (was, orders, events) = &seen[at];
        assert_eq!(minds.events(), events, "tick {now}");
        assert_eq!(minds.orders(), orders, "tick {now}");
        assert_eq!(&shown(minds), was, "tick {now}");
        at += 1;
    });
}

#[test]
fn any_number_of_threads_lives_the_same() {
    let one = life(minds(1, MANY), 120, |_, _| {});
    assert_eq!(one, life(minds(2, MANY), 120, |_, _| {}));
    assert_eq!(one, life(minds(4, MANY), 120, |_, _| {}));
}

#[test]
fn a_save_of_any_tick_goes_on_the_same() {
    let plain = life(minds(1, FEW), 300, |_, _| {});
    let saved = life(minds(1, FEW), 300, |own, _| {
        let bytes = own.save();
        let mut other = minds(1, 0);
        other.restore(&bytes).unwrap();
        assert_eq!((other.digest(), other.seed()), (own.digest(), own.seed()));
        assert_eq!(other.save(), bytes);
        *own = other;
    });
    // The orders of the last tick are taken before it is saved.
    assert_eq!(plain, saved);
}

#[test]
fn a_recording_lives_the_same_without_the_game() {
    let mut own = minds(1, FEW);
    let mut replayed = {
        let (sensors, behaviours) = own.code_names();
        Minds::for_replay(spec(TEXT), &sensors, &behaviours).unwrap()
    };
    replayed.restore(&own.save()).unwrap();
    own.record().unwrap();
    life(own, 300, |minds, now| {
        let entries = Arc::new(minds.entries().unwrap().clone());
        minds.forget_entries();
        replayed.replay(&entries, now, &mut Vec::new(), &mut || None).unwrap();
        assert_eq!(replayed.digest(), minds.digest(), "tick {now}");
        assert_eq!(replayed.seed(), minds.seed());
    });
}

/// Nothing above is proved by minds to which nothing happens.
#[test]
fn everything_happens() {
    let mut seen = std::collections::BTreeSet::new();
    life(minds(1, FEW), 1000, |minds, now| {
        for sent in minds.orders() {
            if let Order::Emit(_) = sent.order {
                seen.insert("noise".to_string());
            }
        }
        for event in minds.events() {
            if let EventKind::Planned { cause: Cause::Cheaper, .. } = event.what {
                seen.insert("cheaper".to_string());
            }
        }
        for mind in minds.iter() {
            let told = minds.spec().told;
            let source = |fact: &FactRef<'_>| fact.get(Attribute::Source).is_some();
            if mind.memory().iter().any(|fact| fact.writer() == told && source(&fact)) {
                seen.insert("told".to_string());
            }
            for fact in mind.memory().iter() {
                seen.insert(minds.spec().words.text(fact.writer()).to_string());
            }
        }
        for mind in minds.iter().take(8) {
            for it in &mind.inspect(minds.spec(), now).cooling {
                let what: Vec<&str> = it.why.split(' ').collect();
                let first = usize::from(it.chance.is_some());
                seen.insert(format!("{} {}", what[first], what[what.len() - 1]));
            }
        }
        let source = |fact: &FactRef<'_>| fact.get(Attribute::Source).is_some();
        if minds.shared().iter().any(|fact| source(&fact)) {
            seen.insert("told to all".to_string());
        }
    });
    for what in ["noise", "cheaper", "told", "told to all", "drop.else", "back.then", "cools more"]
    {
        assert!(seen.contains(what), "{what} never happened: {seen:?}");
    }
    for what in ["cools (squad)", "cools (side)", "cools (all)", "chance s"] {
        assert!(seen.contains(what), "{what} never happened: {seen:?}");
    }
}
