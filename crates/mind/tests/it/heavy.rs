//! A budget for heavy senses: never more than may, nobody waits for ever, threads do not matter, saves
//! keep it, and a budget that is never used up changes nothing.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::spec;
use throng_mind::prelude::*;

const TEXT: &str = "domain d
sensor slow: every 0
sensor ear: on noise
sensor light: every 0
var a: no, yes
symbol a: yes if far, no
action go: a no -> yes   takes 2
goal g: a = yes
npc one
    can go
    wants g
    starts a = no
";

/// How many there are.
const MINDS: u64 = 150;

fn body() -> Body<()> {
    let ray = |sensing: &mut Sensing<'_, ()>| {
        *sensing.state += 1;
        let count = *sensing.state as f32;
        sensing.remember_one(sensing.fact("seen").with(Attribute::Amount, count, 1.0), &[]);
        Work::Heavy
    };
    let light = |_: &mut Sensing<'_, ()>| Work::Light;
    Body::new()
        .sensor("slow", ray)
        .sensor("ear", ray)
        .sensor("light", light)
        .words(&["seen", "far"])
}

fn minds(most: Option<u32>, threads: usize) -> Minds<()> {
    let mut minds = Minds::new(spec(TEXT), body(), threads).unwrap();
    minds.set_heavy_budget(most);
    (1..=MINDS).for_each(|me| _ = minds.spawn("one", EntityId(me)));
    minds
}

/// A tick in which some hear something; who did heavy work.
fn tick(minds: &mut Minds<()>, now: Tick) -> Vec<MindId> {
    let noise = minds.word("noise").unwrap();
    let ids: Vec<MindId> = minds.iter().map(Mind::id).filter(|id| id.0 % 3 == now % 3).collect();
    for id in ids {
        minds.tell(id, Stimulus::new(noise, [0.0; 3])).unwrap();
    }
    minds.tick(&(), now);
    let heavy = minds.events().iter().filter(|event| matches!(event.what, EventKind::Heavy(_)));
    heavy.map(|event| event.mind).collect()
}

#[test]
fn so_many_minds_do_heavy_work_in_a_tick_and_each_has_its_turn() {
    let mut minds = minds(Some(10), 1);
    // In the first ticks nobody knows yet that the sensors are heavy.
    (1..=6).for_each(|now| _ = tick(&mut minds, now));
    let mut last = vec![6; MINDS as usize + 1];
    for now in 7..=200 {
        let served = tick(&mut minds, now);
        assert_eq!(served.len(), 10, "in tick {now}");
        served.iter().for_each(|id| last[id.0 as usize] = now);
        let waits = last[1..].iter().map(|last| now - last).max().unwrap();
        // Two sensors each, ten in a tick, and none twice before all others.
        assert!(waits <= 2 * MINDS as u32 / 10 + 1, "{waits} ticks at {now}");
    }
}

#[test]
fn threads_and_saves_do_not_matter_and_neither_does_a_budget_that_is_never_used_up() {
    let mut all = [minds(Some(7), 1), minds(Some(7), 2), minds(Some(7), 4)];
    let (mut free, mut ample) = (minds(None, 1), minds(Some(MINDS as u32), 1));
    for now in 1..=60 {
        let served = all.each_mut().map(|minds| tick(minds, now));
        assert!(served.iter().all(|it| *it == served[0]), "tick {now}");
        assert!(all.iter().all(|minds| minds.digest() == all[0].digest()), "tick {now}");
        assert_eq!(tick(&mut free, now), tick(&mut ample, now));
        assert_eq!(free.digest(), ample.digest());
        if now == 30 {
            let saved = all[0].save();
            let mut other = minds(None, 1);
            other.restore(&saved).unwrap();
            assert_eq!(other.heavy(), Some(7));
            all[2] = other;
        }
    }
}
