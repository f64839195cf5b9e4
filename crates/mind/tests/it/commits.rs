//! `commits SECONDS`: what was begun is not given up at once, unless it must be; `lingers SECONDS`: what
//! matters less is not begun at once, unless it is urgent.

use crate::common::spec;
use throng_mind::Ending;
use throng_mind::events::{Activity, EventKind};
use throng_mind::prelude::*;

const YARD: &str = "domain yard
select thing: one of item
var swept: bool
var heard: bool
var saved: bool
var held:  nothing, any thing
symbol swept: true if clean, false
symbol heard: true if not noise, false
action sweep: swept -> true   takes 5
action look:  heard -> true   takes 5
action run:   saved -> true   takes 5
action take(it in thing): held -> it   takes 5
goal tidy:  swept = true   priority 1   relevance if not idle_day
goal quiet: heard = true   priority 5   relevance if noise
goal live:  saved = true   priority 9   relevance if alarm   urgent
goal have:  held = thing   priority 3   relevance if thing
npc hand
    can sweep, look, run, take
    wants tidy, quiet, live, have
    starts swept = false, heard = false, saved = false, held = nothing
    commits 0.5
sensor senses: every 0 keeps 0.2
";

/// What is so from which tick on: a kind of facts, and what it is about.
type Day = Vec<(Tick, &'static str, u64)>;

fn senses(s: &mut Sensing<'_, Day>) -> Work {
    for &(from, kind, about) in s.world {
        let is_last = |it: &&(Tick, &str, u64)| it.1 == kind && it.0 <= s.now;
        let last = s.world.iter().rev().find(is_last);
        if last == Some(&(from, kind, about)) && about > 0 {
            let fact = s.fact(kind).with(Attribute::Object, EntityId(about), 1.0);
            s.remember_one(fact, &[Attribute::Object]);
        }
    }
    s.forget_the_rest();
    Work::Light
}

/// What begins and ends, tick by tick, in words.
fn lived(text: &str, day: &Day, ticks: Tick) -> Vec<(Tick, String)> {
    let body = Body::new().sensor("senses", senses).words(&["item", "clean", "noise", "alarm"]);
    let mut minds = Minds::new(spec(text), body.words(&["idle_day"]), 1).unwrap();
    minds.spawn("hand", EntityId(1)).unwrap();
    let mut told = Vec::new();
    for now in 1..=ticks {
        minds.tick(day, now);
        for event in minds.events() {
            let (doing, what) = match event.what {
                EventKind::Started { doing, .. } => (doing, "starts"),
                EventKind::Ended { doing, how: Ending::Cancelled, .. } => (doing, "gives up"),
                EventKind::Ended { doing, .. } => (doing, "ends"),
                _ => continue,
            };
            let Activity::Step(action) = doing else { continue };
            let name = minds.spec().domain.map().action(action);
            told.push((now, format!("{what} {name}")));
        }
    }
    told
}

fn first(told: &[(Tick, String)], what: &str) -> Option<Tick> {
    told.iter().find(|(_, it)| it == what).map(|(tick, _)| *tick)
}

#[test]
fn a_better_goal_waits_until_what_was_begun_has_had_its_time() {
    // It sweeps from the first tick on; in the third there is a noise.
    let day = vec![(3, "noise", 7)];
    assert_eq!(first(&lived(YARD, &day, 20), "gives up sweep"), Some(6), "half a second");
    let at_once = YARD.replace("    commits 0.5\n", "");
    assert_eq!(first(&lived(&at_once, &day, 20), "gives up sweep"), Some(3));
    // What was begun long ago is given up at once.
    let day = vec![(9, "noise", 7)];
    assert_eq!(first(&lived(YARD, &day, 20), "gives up sweep"), Some(9));
}

#[test]
fn an_urgent_goal_does_not_wait() {
    let told = lived(YARD, &vec![(3, "alarm", 7)], 20);
    assert_eq!(first(&told, "gives up sweep"), Some(3), "{told:?}");
    assert_eq!(first(&told, "starts run"), Some(3));
    // It is the urgent one that is taken, though another is better too.
    let told = lived(YARD, &vec![(3, "noise", 7), (4, "alarm", 7)], 20);
    assert_eq!((first(&told, "starts look"), first(&told, "starts run")), (None, Some(4)));
}

#[test]
fn an_urgent_goal_without_a_plan_lets_nothing_else_in() {
    let text = YARD.replace("can sweep, look, run, take", "can sweep, look, take");
    let told = lived(&text, &vec![(3, "alarm", 7), (3, "noise", 7)], 20);
    assert_eq!(first(&told, "gives up sweep"), Some(6), "{told:?}");
}

#[test]
fn what_is_reached_ends_at_once_and_what_does_not_matter_any_more_does_not() {
    let told = lived(YARD, &vec![(3, "clean", 7)], 20);
    assert_eq!(first(&told, "ends sweep"), Some(3), "it is done: {told:?}");
    let told = lived(YARD, &vec![(3, "idle_day", 7)], 20);
    assert_eq!(first(&told, "gives up sweep"), Some(6), "{told:?}");
}

#[test]
fn what_a_slot_holds_may_change_under_a_step_that_was_only_just_begun() {
    let told = lived(YARD, &vec![(1, "item", 7), (3, "item", 8)], 20);
    assert_eq!(first(&told, "starts take(thing)"), Some(1), "{told:?}");
    assert_eq!(first(&told, "gives up take(thing)"), Some(6), "{told:?}");
    let again = told.iter().filter(|(_, it)| it == "starts take(thing)").nth(1);
    assert_eq!(again.map(|(tick, _)| *tick), Some(6), "now about the other: {told:?}");
}

#[test]
fn what_was_reached_lingers_and_only_urgent_goals_pass() {
    let lingers = YARD.replace("relevance if noise", "relevance if noise   lingers 2");
    // It matters less than the noise did.
    let text = lingers.replace("priority 9", "priority 3");
    // What was heard is over in the tenth tick; in the thirteenth something else begins.
    let day = vec![(3, "noise", 7), (10, "noise", 0), (13, "alarm", 8)];
    let told = lived(&text, &day, 40);
    assert_eq!(first(&told, "ends look"), Some(10), "{told:?}");
    assert_eq!(first(&told, "starts run"), Some(13), "{told:?}");
    let told = lived(&text.replace("   urgent", ""), &day, 40);
    assert_eq!(first(&told, "starts run"), Some(30), "two seconds: {told:?}");
    let told = lived(&lingers.replace("   urgent", ""), &day, 40);
    assert_eq!(first(&told, "starts run"), Some(13), "it matters more: {told:?}");
}
