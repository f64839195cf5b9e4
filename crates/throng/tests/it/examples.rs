//! The examples about minds do what they say, line by line, and stay as short as they promise.
//!
//! In:   the examples' own functions, and the diaries they wrote before, in `tests/diaries`.
//! Out:  the first line that differs.

use std::fs;
use std::path::{Path, PathBuf};
use throng::mind::prelude::*;
use throng::prelude::*;

#[path = "../../examples/guard/main.rs"]
#[expect(dead_code, reason = "its `main` prints what is compared here")]
mod guard;
#[path = "../../examples/kit/main.rs"]
#[expect(dead_code, reason = "likewise")]
pub(crate) mod kit_guard;
#[path = "../../examples/own_behaviour.rs"]
#[expect(dead_code, reason = "likewise")]
mod own_behaviour;
#[path = "../../examples/own_goal.rs"]
#[expect(dead_code, reason = "likewise")]
mod own_goal;
#[path = "../../examples/own_sensor.rs"]
#[expect(dead_code, reason = "likewise")]
mod own_sensor;

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Compares a diary with the one in the folder. If it is meant to be another, put the text that
/// the message shows there.
#[track_caller]
fn is_as_written(name: &str, diary: &[String]) {
    let path = package().join("tests/diaries").join(name);
    let written = fs::read_to_string(&path).unwrap_or_default();
    let text = diary.join("\n");
    let differs = diary.iter().map(String::as_str).zip(written.lines()).find(|(a, b)| a != b);
    assert!(text == written.trim_end(), "{name}: first {differs:?}; it is now:\n{text}\n");
}

#[test]
fn the_guard_hears_inspects_fights_from_cover_and_forgets() {
    let diary = guard::life().unwrap();
    is_as_written("guard.txt", &diary);
    let has_done = |what: &str| diary.iter().position(|line| line.ends_with(what)).unwrap();
    assert!(has_done("has done inspect") < has_done("has done walk(crates)"));
    assert!(has_done("has done walk(crates)") < has_done("has done shoot_from_cover"));
}

#[test]
fn the_guard_on_the_kit_inspects_takes_cover_and_kills_in_eighty_lines() {
    let diary = kit_guard::life().unwrap();
    is_as_written("kit.txt", &diary);
    let has_done = |what: &str| {
        let found = diary.iter().position(|line| line.ends_with(what));
        found.unwrap_or_else(|| panic!("not `{what}` in\n{}", diary.join("\n")))
    };
    assert!(has_done("has done inspect") < has_done("has done goto(cover)"));
    assert!(has_done("has done goto(cover)") < has_done("has done attack_from_cover(cover)"));
    let main = fs::read_to_string(package().join("examples/kit/main.rs")).unwrap();
    assert!(main.lines().count() < 80, "{} lines", main.lines().count());
}

/// A copy of the example's game, with more than one guard in it.
#[test]
fn two_guards_share_a_yard_and_neither_calls_off_what_the_other_does() {
    let domain = Domain::from_text(guard::GUARD).unwrap();
    let mut minds = Minds::new(domain.mind_spec(10).unwrap(), guard::body(), 1).unwrap();
    let npc = domain.npc_type("guard").unwrap();
    let guards = [minds.spawn(npc, EntityId(1)).unwrap(), minds.spawn(npc, EntityId(2)).unwrap()];
    let noise = minds.word("noise").unwrap();
    let mut yard = guard::yard::Yard::new();
    let mut diary = [Vec::new(), Vec::new()];
    for now in 0..120 {
        for sent in yard.step(now) {
            minds.tell(sent.mind, Message::Done(sent.id)).unwrap();
        }
        // Both are on their way to the post, each by his first order; one hears something.
        if now == 5 {
            minds.tell(guards[0], Stimulus::new(noise, guard::yard::place("yard"))).unwrap();
        }
        minds.tick(&yard, now);
        minds.drain_orders().for_each(|sent| yard.take(sent, now));
        for event in minds.events() {
            let whose = usize::from(event.mind == guards[1]);
            diary[whose].push(minds.describe(event));
        }
    }
    let has = |whose: usize, what: &str| diary[whose].iter().any(|line| line == what);
    assert!(has(0, "gives up walk(post)") && has(0, "has done inspect"), "{:#?}", diary[0]);
    assert!(has(1, "has done walk(post)") && !has(1, "gives up walk(post)"), "{:#?}", diary[1]);
    assert_eq!([1, 2].map(|me| yard.guard_at(EntityId(me))), [Some("post"); 2]);
}

#[test]
fn the_cook_smells_smoke_and_airs_the_kitchen() {
    is_as_written("own_sensor.txt", &own_sensor::run().unwrap());
}

#[test]
fn the_burglar_takes_the_door_or_else_the_window() {
    let diary =
        |locked| own_behaviour::run(&own_behaviour::House { locked, alarm: false }).unwrap();
    is_as_written("own_behaviour_open.txt", &diary(false));
    is_as_written("own_behaviour_locked.txt", &diary(true));
    let watched = own_behaviour::run(&own_behaviour::House { locked: false, alarm: true }).unwrap();
    assert!(watched.iter().any(|line| line.ends_with("fails go_in_by_door: watched")));
}

#[test]
fn the_smith_rests_when_he_is_tired_and_not_before() {
    is_as_written("own_goal.txt", &own_goal::run().unwrap());
}

#[test]
fn what_each_example_adds_is_less_than_thirty_lines() {
    for name in ["sensor", "behaviour", "goal"] {
        let text = fs::read_to_string(package().join(format!("examples/own_{name}.rs"))).unwrap();
        let at = |mark: &str| {
            let mark = format!("// --- the {name} {mark}");
            text.lines().position(|line| line.starts_with(&mark)).expect("both marks are there")
        };
        let lines = at("ends") - at("begins") - 1;
        assert!((5..30).contains(&lines), "own_{name}.rs adds {lines} lines");
    }
}
