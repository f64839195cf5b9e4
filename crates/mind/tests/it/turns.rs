//! Whose turn it is to plan: urgent goals first, then who has waited longest; but nobody waits for
//! ever, and who waits says so and keeps a plan that is still good.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::{PACE, spec};
use throng_mind::body::Body;
use throng_mind::events::{Cause, EventKind};
use throng_mind::fact::{EntityId, FactDraft};
use throng_mind::orders::{Message, MindId};
use throng_mind::time::Tick;
use throng_mind::turns::PATIENCE_SECONDS;
use throng_mind::{Minds, Run};

const TEXT: &str = "domain d
var place: here, away
var job: open, done
action work: job open -> done   takes 3
action run: place here -> away   takes 1
goal tidy: job = done   priority 2
goal flee: place = away   priority 9   relevance if danger   urgent
npc guard
    can work, run
    wants tidy, flee
    starts place = here, job = open
sensor ears: on danger
";

fn minds(count: u64, budget: u32) -> Minds<()> {
    let mut minds = Minds::new(spec(TEXT), Body::new(), 1).unwrap();
    (0..count).for_each(|me| _ = minds.spawn("guard", EntityId(me)));
    minds.set_budget(Some(budget));
    minds
}

fn alarm(minds: &mut Minds<()>, id: u32) {
    let danger = minds.spec().words.find("danger").unwrap();
    assert!(minds.tell(MindId(id), Message::Told(Box::new(FactDraft::new(danger)))).is_ok());
}

/// Plays a tick and says who planned.
fn planned(minds: &mut Minds<()>, now: Tick) -> Vec<u32> {
    minds.tick(&(), now);
    let planned = |what: EventKind| matches!(what, EventKind::Planned { .. });
    let events = minds.events().iter().filter(|event| planned(event.what));
    events.map(|event| event.mind.0).collect()
}

#[test]
fn the_oldest_come_first_and_each_in_its_turn() {
    let mut minds = minds(5, 2);
    assert_eq!(planned(&mut minds, 0), [1, 2]);
    let waits = minds.mind(MindId(5)).unwrap().plan().waits().unwrap();
    assert_eq!((waits.cause, waits.since, waits.holds_up), (Cause::NothingToDo, 0, true));
    let spec = minds.spec();
    let why = minds.mind(MindId(5)).unwrap().inspect(spec, 0).why;
    assert_eq!(why, "waiting for its turn to plan for 0.0 s, because it had nothing to do");
    assert_eq!(planned(&mut minds, 1), [3, 4]);
    assert_eq!(planned(&mut minds, 2), [5]);
    assert!(minds.iter().all(|mind| mind.plan().waits().is_none()));
}

#[test]
fn an_urgent_goal_passes_all_who_wait() {
    let mut minds = minds(30, 1);
    assert_eq!(planned(&mut minds, 0), [1]);
    assert_eq!(planned(&mut minds, 1), [2]);
    alarm(&mut minds, 17);
    alarm(&mut minds, 1);
    assert_eq!(planned(&mut minds, 2), [17]);
    // It has its plan and goes on with that until it may make the better one.
    let one = minds.mind(MindId(1)).unwrap();
    assert_eq!(one.plan().waits().map(|waits| waits.holds_up), Some(false));
    assert!(one.follow().run().is_some_and(|run: &Run| run.since == 0));
    assert!(one.why(minds.spec(), 2).contains("; waiting for its turn to plan for 0.0 s"));
    assert_eq!(planned(&mut minds, 3), [1]);
    assert_eq!(planned(&mut minds, 4), [3]);
}

#[test]
fn who_has_waited_for_long_comes_before_the_urgent() {
    let mut minds = minds(2, 0);
    let patience = (PATIENCE_SECONDS * f64::from(PACE.ticks_per_second)) as Tick;
    assert_eq!(planned(&mut minds, 0), []);
    alarm(&mut minds, 2);
    for now in 1..=patience {
        assert_eq!(planned(&mut minds, now), [], "nobody plans without a budget to do so");
    }
    minds.set_budget(Some(1));
    // Both have waited since the beginning.
    assert_eq!(planned(&mut minds, patience + 1), [2]);
    assert_eq!(planned(&mut minds, patience + 2), [1]);
    minds.set_budget(Some(0));
    let npc = minds.mind(MindId(1)).unwrap().npc();
    let (old, young) =
        (minds.spawn(npc, EntityId(8)).unwrap(), minds.spawn(npc, EntityId(9)).unwrap());
    alarm(&mut minds, young.0);
    let start = patience + 3;
    assert_eq!(planned(&mut minds, start), []);
    // The young one is told to think anew, and waits from then on.
    minds.despawn(young, &()).unwrap();
    (start + 1..start + patience + 5).for_each(|now| assert_eq!(planned(&mut minds, now), []));
    let young = minds.spawn(npc, EntityId(9)).unwrap();
    alarm(&mut minds, young.0);
    minds.set_budget(Some(1));
    assert_eq!(planned(&mut minds, start + patience + 5), [old.0]);
    assert_eq!(planned(&mut minds, start + patience + 6), [young.0]);
}
