//! Rules of minds that a game may rely on, each told as a fact.

// The lints that guard library code; a test that cannot go on has failed.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use throng::mind::events::{Activity, EventKind};
use throng::mind::fact::{Attribute, EntityId, FactDraft};
use throng::mind::orders::Stimulus;
use throng::mind::{Acting, Body, Ending, MindError, Minds, Progress, Sensing, Work};
use throng::{Domain, UnknownNameError};

const TEXT: &str = "domain rules
var door: shut, open
var mood: calm, wild
action push: door shut -> open
    does push
action dance: mood -> wild
action idle:
    takes 1
goal out: door = open   priority 5
npc somebody
    can push, dance, idle
    wants out
    starts door = shut, mood = calm
    otherwise idle
sensor greedy: every 0
sensor slow:   every 0.5
sensor ears:   on noise
";

struct Nowhere;

fn look(sensing: &mut Sensing<'_, Nowhere>) -> Work {
    let name = if sensing.stimulus.is_some() { "heard" } else { "looked" };
    let fact = FactDraft::new(sensing.word(name));
    sensing.remember_one(fact, &[]);
    Work::Heavy
}

fn minds(text: &str, push: fn(&mut Acting<'_, Nowhere>) -> Progress) -> (Domain, Minds<Nowhere>) {
    let domain = Domain::from_text(text).unwrap();
    let body = Body::new()
        .words(&["heard", "looked", "held", "noise"])
        .sensor("greedy", look)
        .sensor("slow", look)
        .sensor("ears", look)
        .behaviour("push", push);
    let minds = Minds::new(domain.mind_spec(10).unwrap(), body, 1).unwrap();
    (domain, minds)
}

fn done(_: &mut Acting<'_, Nowhere>) -> Progress {
    Progress::Done
}

#[test]
fn a_greedy_heavy_sensor_starves_nobody() {
    let (domain, mut minds) = minds(TEXT, done);
    let id = minds.spawn(domain.npc_type("somebody").unwrap(), EntityId(1)).unwrap();
    let noise = minds.word("noise").unwrap();
    let mut longest_wait = [0u32; 3];
    for now in 0..300 {
        // More than one can hear, all the time, about different things.
        for thing in 0..3 {
            let mut stimulus = Stimulus::new(noise, [0.0; 3]);
            stimulus.object = Some(EntityId(u64::from(now) * 3 + thing));
            minds.tell(id, stimulus).unwrap();
        }
        minds.tick(&Nowhere, now);
        let heavy = minds.events().iter().filter(|e| matches!(e.what, EventKind::Heavy(_))).count();
        assert!(heavy <= 1, "{heavy} in tick {now}");
        if now >= 20 {
            for (sensor, ran) in minds.mind(id).unwrap().senses().last_runs() {
                let wait = ran.map_or(u32::MAX, |ran| now - ran);
                longest_wait[sensor] = longest_wait[sensor].max(wait);
            }
        }
    }
    // The slow one is due every five ticks, and then waits for two others at most.
    assert!(longest_wait[0] <= 3 && longest_wait[2] <= 3, "{longest_wait:?}");
    assert!(longest_wait[1] <= 7, "{longest_wait:?}");
    assert!(minds.mind(id).unwrap().senses().missed() > 0, "too much was to be heard");
}

#[test]
fn what_fails_again_and_again_is_tried_less_and_less() {
    let fails = |acting: &mut Acting<'_, Nowhere>| Progress::Failed(acting.word("held"));
    let (domain, mut minds) = minds(TEXT, fails);
    minds.spawn(domain.npc_type("somebody").unwrap(), EntityId(1)).unwrap();
    let mut starts = Vec::new();
    for now in 0..1000 {
        minds.tick(&Nowhere, now);
        let is_start = |what| matches!(what, EventKind::Started { doing: Activity::Step(_), .. });
        starts.extend(minds.events().iter().filter(|e| is_start(e.what)).map(|e| e.at));
    }
    let waits: Vec<u32> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(waits, [10, 20, 40, 80, 160, 320, 320]);
}

#[test]
fn who_waits_for_nothing_is_asked_again() {
    struct Patient;
    impl throng::mind::Behaviour<Nowhere> for Patient {
        fn start(&self, _: &mut Acting<'_, Nowhere>) -> Progress {
            Progress::Waiting
        }
        fn go_on(&self, acting: &mut Acting<'_, Nowhere>) -> Progress {
            if acting.now >= acting.since + 3 { Progress::Done } else { Progress::Waiting }
        }
    }
    let text = TEXT.replace("sensor greedy: every 0\nsensor slow:   every 0.5\n", "");
    let domain = Domain::from_text(&text).unwrap();
    let body = Body::new().behaviour("push", Patient);
    let mut minds = Minds::new(domain.mind_spec(10).unwrap(), body, 1).unwrap();
    minds.spawn(domain.npc_type("somebody").unwrap(), EntityId(1)).unwrap();
    let mut ended = None;
    for now in 0..10 {
        minds.tick(&Nowhere, now);
        let is_end = |what| matches!(what, EventKind::Ended { how: Ending::Done, .. });
        ended = ended.or(minds.events().iter().find(|e| is_end(e.what)).map(|e| e.at));
    }
    assert_eq!(ended, Some(3));
}

#[test]
fn what_is_done_without_a_plan_changes_what_is_believed() {
    let text =
        TEXT.replace("otherwise idle", "otherwise dance").replace("door = shut,", "door = open,");
    let (domain, mut minds) = minds(&text, done);
    let id = minds.spawn(domain.npc_type("somebody").unwrap(), EntityId(1)).unwrap();
    for now in 0..20 {
        minds.tick(&Nowhere, now);
    }
    let view = minds.inspect(id).unwrap();
    assert!(view.state.contains(&("mood".to_string(), Some("wild".to_string()))), "{view}");
}

#[test]
fn ids_of_another_domain_and_positions_that_are_none_are_refused() {
    let (domain, mut minds) = minds(TEXT, done);
    let wide: String = (0..40).map(|n| format!("npc n{n}\n    can a\n")).collect();
    let other = Domain::from_text(&format!(
        "domain other\nvar x: {}\naction a: x -> v1 if c0, c1, c2, c3\n{wide}",
        (0..90).map(|n| format!("v{n}")).collect::<Vec<_>>().join(", ")
    ))
    .unwrap();
    let foreign = |what| MindError::from(UnknownNameError::foreign(what));
    let refused = minds.spawn(other.npc_type("n39").unwrap(), EntityId(1));
    assert_eq!(refused.unwrap_err(), foreign("NPC type"));
    assert!(minds.is_empty());
    let id = minds.spawn(domain.npc_type("somebody").unwrap(), EntityId(2)).unwrap();
    let refused = minds.set_fact(id, other.fact("x", "v89").unwrap());
    assert_eq!(refused.unwrap_err(), foreign("value"));
    let refused = minds.set_check(id, other.check("c3").unwrap(), true);
    assert_eq!(refused.unwrap_err(), foreign("check"));
    assert_eq!(minds.set_place(id, [f32::NAN, 0.0, 0.0]), Err(MindError::NotFinite));
    minds.tick(&Nowhere, 1);
    assert_eq!(minds.mind(id).unwrap().here(), [0.0; 3]);
    let fact = FactDraft::new(minds.word("noise").unwrap());
    let fact = fact.with(Attribute::Amount, f32::INFINITY, 1.0);
    assert!(fact.attributes.iter().all(Option::is_none), "infinity is no amount");
}

#[test]
fn those_who_come_and_go_leave_nothing_behind() {
    let (domain, mut minds) = minds(TEXT, done);
    let npc = domain.npc_type("somebody").unwrap();
    let oldest = minds.spawn(npc, EntityId(0)).unwrap();
    for now in 0..2000 {
        let id = minds.spawn(npc, EntityId(u64::from(now))).unwrap();
        minds.tick(&Nowhere, now);
        minds.despawn(id, &Nowhere).unwrap();
    }
    assert_eq!(minds.len(), 1);
    assert_eq!(minds.iter().map(|mind| mind.id()).collect::<Vec<_>>(), [oldest]);
    assert_eq!(minds.n_groups(), 1);
}

#[test]
fn who_calls_out_twice_has_not_seen_two() {
    let (_, mut minds) = minds(TEXT, done);
    let heard = minds.word("heard").unwrap();
    let alarm = FactDraft::new(heard).with(Attribute::Object, EntityId(7), 1.0);
    for _ in 0..5 {
        minds.share(&alarm, 100);
    }
    minds.share(&FactDraft::new(heard).with(Attribute::Object, EntityId(8), 1.0), 100);
    assert_eq!(minds.shared().len(), 2);
}
