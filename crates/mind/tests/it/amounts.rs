//! Minds that count: numbers from facts, steps that move them, goals that want ranges, saves.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::{model, spec};
use std::sync::Arc;
use throng_mind::Lost;
use throng_mind::events::EventKind;
use throng_mind::prelude::*;
use throng_mind::spec::Spec;
use throng_mind::time::Pace;
use throng_planner::PreparedDomain;

/// A cook who feels her hunger and knows what she has cooked.
const KITCHEN: &str = "domain kitchen
var hunger: 0..100
var meals: 0..5
var strength: 0..9
var guests: 0..3
sensor body: every 0 keeps forever feeds hunger
sensor door: on bell keeps 60 feeds guests
symbol hunger: amount of self
symbol guests: count of bell
action cook: meals += 2, strength -= 3   takes 1
action eat: meals -= 1, hunger -= 40 down to 0   takes 1
action sleep: strength -> 9   cost 5   takes 2
action open: guests -= 1   takes 1   if strong
goal fed: hunger <= 20   priority 5   relevance if hunger > 40
goal stocked: meals >= 2   relevance if meals < guests
check strong: strength >= meals and not hunger > 90
npc cook
    can cook, eat, sleep, open
    wants fed, stocked
    starts meals = 0, strength = 4
";

/// What the body says: how hungry it is, and by how much that grows in a tick.
#[derive(Clone, Copy)]
struct Kitchen {
    hunger: f32,
}

fn body() -> Body<Kitchen> {
    Body::new().sensor("body", |sensing: &mut Sensing<'_, Kitchen>| {
        let hunger = sensing.world.hunger;
        sensing.remember_one(sensing.fact("self").with(Attribute::Amount, hunger, 1.0), &[]);
        Work::Light
    })
}

fn minds(text: &str) -> Minds<Kitchen> {
    Minds::new(spec(text), body(), 1).unwrap()
}

const COOK: MindId = MindId(1);

/// What happened in a tick, in words.
fn told(minds: &Minds<Kitchen>) -> Vec<String> {
    minds.events().iter().map(|event| minds.describe(event)).collect()
}

#[test]
fn a_number_is_rounded_down_and_brought_into_the_range() {
    let mut minds = minds(&KITCHEN.replace("hunger: 0..100", "hunger: -5..100"));
    let cook = minds.spawn("cook", EntityId(1)).unwrap();
    let mut now = 0;
    for (felt, known) in [
        (0.0, 0),
        (0.99, 0),
        (-0.01, -1),
        (-4.5, -5),
        (-77.0, -5),
        (99.999, 99),
        (100.5, 100),
        (1e30, 100),
        (-1e30, -5),
    ] {
        minds.tick(&Kitchen { hunger: felt }, now);
        assert_eq!(minds.amount(cook, "hunger"), Some(known), "{felt}");
        now += 1;
    }
    // What is no number is no number of hers: nothing is written, and what was known stays.
    minds.tick(&Kitchen { hunger: f32::NAN }, now);
    assert_eq!(minds.amount(cook, "hunger"), Some(-5));
    // Without a fact it is unknown, and so is what no rule speaks of and nobody has said.
    let fresh = minds.spawn("cook", EntityId(2)).unwrap();
    assert_eq!(minds.amount(fresh, "hunger"), None);
    assert_eq!(minds.amount(fresh, "meals"), Some(0));
    minds.set_amount(fresh, "meals", 5).unwrap();
    assert_eq!(minds.amount(fresh, "meals"), Some(5));
    let error = minds.set_amount(fresh, "meals", 6).unwrap_err();
    assert_eq!(error.to_string(), "6 is out of the range 0..5 of the amount; clamp it first");
    assert!(minds.set_amount(fresh, "meal", 1).is_err());
}

#[test]
fn facts_are_counted_into_an_amount() {
    let mut minds = minds(KITCHEN);
    let cook = minds.spawn("cook", EntityId(1)).unwrap();
    let bell = minds.word("bell").unwrap();
    for guest in 0..5u64 {
        assert_eq!(minds.amount(cook, "guests"), (guest > 0).then_some(guest.min(3) as i64));
        let object = Some(EntityId(10 + guest));
        minds.tell(cook, Stimulus { object, ..Stimulus::new(bell, [0.0; 3]) }).unwrap();
        minds.tick(&Kitchen { hunger: 1.0 }, guest as u32);
    }
    assert_eq!(minds.amount(cook, "guests"), Some(3));
}

/// Lives a day; her hunger falls when a meal ends, or `early` before that, and grows all the time.
fn day(early: bool, grows: f32, eaten: f32) -> (Minds<Kitchen>, Vec<String>) {
    let mut minds = minds(KITCHEN);
    let cook = minds.spawn("cook", EntityId(1)).unwrap();
    let mut kitchen = Kitchen { hunger: 90.0 };
    let mut diary = Vec::new();
    let mut under_way = 0;
    for now in 0..80 {
        minds.tick(&kitchen, now);
        diary.extend(told(&minds));
        let doing = minds.inspect(cook).unwrap().doing;
        under_way = if doing == "eat" { under_way + 1 } else { 0 };
        let ends = minds.events().iter().any(|event| {
            matches!(event.what, EventKind::Ended { doing, .. }
                if doing.action() == minds.spec().domain.map().find_action("eat"))
        });
        if (early && under_way == 5) || (!early && ends) {
            kitchen.hunger -= eaten;
        }
        kitchen.hunger += grows;
    }
    (minds, diary)
}

#[test]
fn she_cooks_and_eats_until_she_is_fed() {
    let (minds, diary) = day(false, 0.0, 40.0);
    let plan = ["plans cook, eat, eat: it had nothing to do", "wants fed", "starts cook"];
    assert_eq!(diary[..3], plan, "{diary:#?}");
    let steps: Vec<&String> = diary.iter().filter(|line| line.starts_with("has done")).collect();
    assert_eq!(steps, ["has done cook", "has done eat", "has done eat"], "{diary:#?}");
    assert!(!diary.iter().any(|line| line.contains("no effect")), "{diary:#?}");
    assert_eq!(minds.amount(COOK, "meals"), Some(0));
    assert_eq!(minds.amount(COOK, "strength"), Some(1));
    assert_eq!(minds.amount(COOK, "hunger"), Some(10));
}

#[test]
fn a_meal_that_does_nothing_is_doubted() {
    let (_, diary) = day(false, 0.0, 3.0);
    assert!(diary.iter().any(|line| line == "sees no effect of eat"), "{diary:#?}");
    assert!(diary.iter().any(|line| line == "doubts eat"), "{diary:#?}");
}

#[test]
fn a_step_whose_need_is_gone_is_not_begun() {
    let mut minds = minds(KITCHEN);
    let cook = minds.spawn("cook", EntityId(1)).unwrap();
    let kitchen = Kitchen { hunger: 90.0 };
    let mut diary = Vec::new();
    for now in 0..40 {
        minds.tick(&kitchen, now);
        diary.extend(told(&minds));
        if now == 14 {
            // Somebody has eaten what she has cooked.
            minds.set_amount(cook, "meals", 0).unwrap();
        }
    }
    let anew = "plans cook, eat, eat: the rest of its plan would not work any more";
    let slept = "plans sleep, cook, eat, eat: the rest of its plan would not work any more";
    assert!(diary.iter().any(|line| line == anew || line == slept), "{diary:#?}");
}

#[test]
fn an_inspection_tells_numbers_and_why_there_is_no_plan() {
    let mut minds = minds(&KITCHEN.replace("can cook, eat, sleep, open", "can eat, sleep, open"));
    let cook = minds.spawn("cook", EntityId(1)).unwrap();
    minds.tick(&Kitchen { hunger: 90.0 }, 0);
    let seen = minds.inspect(cook).unwrap();
    let value = |name: &str| seen.state.iter().find(|(it, _)| it == name).unwrap().1.clone();
    assert_eq!(value("hunger"), Some("90".to_string()));
    assert_eq!(value("guests"), Some("0".to_string()));
    assert!(seen.why.starts_with("no plan: `fed`: "), "{}", seen.why);
    assert!(seen.why.contains("meals"), "{}", seen.why);
}

#[test]
fn conditions_compare_amounts_with_numbers_and_with_each_other() {
    let mut minds = minds(KITCHEN);
    let cook = minds.spawn("cook", EntityId(1)).unwrap();
    let holds = |minds: &Minds<Kitchen>| {
        let check = minds.spec().domain.map().find_check("strong").unwrap();
        minds.mind(cook).unwrap().state().checks().holds(check)
    };
    let cases = [
        (10.0, 0, 4, true),
        (10.0, 5, 4, false),
        (10.0, 4, 4, true),
        (90.0, 4, 4, true),
        (91.0, 4, 4, false),
        (91.0, 0, 9, false),
    ];
    for (now, (hunger, meals, strength, strong)) in (0..).zip(cases) {
        minds.set_amount(cook, "meals", meals).unwrap();
        minds.set_amount(cook, "strength", strength).unwrap();
        minds.tick(&Kitchen { hunger }, now);
        assert_eq!(holds(&minds), strong, "{hunger} {meals} {strength}");
    }
}

#[test]
fn minds_that_are_saved_in_the_middle_of_a_step_go_on_exactly() {
    for split in [3, 7, 11, 14, 16, 19, 25] {
        let mut one = minds(KITCHEN);
        let cook = one.spawn("cook", EntityId(1)).unwrap();
        let mut kitchen = Kitchen { hunger: 90.0 };
        let mut other: Option<Minds<Kitchen>> = None;
        for now in 0..60 {
            if now == split {
                let mut twin = minds(KITCHEN);
                assert!(twin.restore(&one.save()).unwrap().same_file);
                assert_eq!(twin.save(), one.save());
                other = Some(twin);
            }
            kitchen.hunger += if now % 9 == 8 { -35.0 } else { 0.4 };
            one.tick(&kitchen, now);
            if let Some(other) = &mut other {
                other.tick(&kitchen, now);
                assert_eq!(told(&one), told(other), "split at {split}, tick {now}");
                assert_eq!(one.mind(cook), other.mind(cook));
                assert_eq!(one.digest(), other.digest());
            }
        }
        // One mind alone, too.
        let bytes = one.put_aside(cook).unwrap();
        one.restore_mind(&bytes).unwrap();
        assert_eq!(one.mind(cook), other.unwrap().mind(cook));
    }
}

#[test]
fn a_patched_range_keeps_numbers_and_tells_what_it_clamps() {
    let mut one = minds(KITCHEN);
    for at in 0..3 {
        let cook = one.spawn("cook", EntityId(at)).unwrap();
        one.set_amount(cook, "meals", 2 + at as i64).unwrap();
    }
    for now in 0..7 {
        one.tick(&Kitchen { hunger: 60.0 }, now);
    }
    let bytes = one.save();
    let before: Vec<Option<i64>> = (1..=3).map(|at| one.amount(MindId(at), "meals")).collect();
    assert_eq!(before, [2, 3, 4].map(Some));
    // The range begins lower and ends lower.
    let text = KITCHEN.replace("meals: 0..5", "meals: -2..3");
    let mut later = minds(&text);
    let restored = later.restore(&bytes).unwrap();
    assert!(!restored.same_file);
    let after: Vec<Option<i64>> = (1..=3).map(|at| later.amount(MindId(at), "meals")).collect();
    assert_eq!(after, [2, 3, 3].map(Some));
    let clamped: Vec<_> = restored.dropped.iter().filter(|it| it.what == Lost::Number).collect();
    let [only] = clamped[..] else { panic!("{:?}", restored.dropped) };
    assert_eq!((only.name.as_str(), only.count), ("meals = 4", 1));
    let told = "`meals = 4` of 1 mind: it is out of range, and the nearest number took its place";
    assert_eq!(only.to_string(), told);
    // The same by a reload while they live.
    let reloaded = one.reload(spec(&text), &Kitchen { hunger: 60.0 }).unwrap();
    assert_eq!((reloaded.values_lost, reloaded.values_clamped), (0, 1));
    assert_eq!(one.amount(MindId(3), "meals"), Some(3));
    // Words that are called like numbers take them over; others are lost.
    let words = KITCHEN
        .replace("meals: 0..5", "meals: none, 2, 3")
        .replace("meals += 2", "meals none -> 2")
        .replace("meals -= 1", "meals 2 -> none")
        .replace(
            "goal stocked: meals >= 2   relevance if meals < guests",
            "goal stocked: meals = 2",
        )
        .replace("check strong: strength >= meals", "check strong: strength >= 2")
        .replace("meals = 0", "meals = none");
    let mut later = minds(&words);
    let restored = later.restore(&bytes).unwrap();
    let lost: Vec<_> = restored.dropped.iter().filter(|it| it.what == Lost::Value).collect();
    let [only] = lost[..] else { panic!("{:?}", restored.dropped) };
    assert_eq!((only.name.as_str(), only.count), ("meals = 4", 1));
}

fn mistakes(text: &str) -> Vec<String> {
    let model = model(text);
    let read =
        Spec::read(&model, Arc::new(PreparedDomain::new(&model)), Pace { ticks_per_second: 10 });
    let report = read.err().map_or(Vec::new(), |report| report.diagnostics().to_vec());
    report.iter().map(|it| format!("{} {}", it.text, it.cure)).collect()
}

#[test]
fn mistakes_about_amounts_are_told_with_a_cure() {
    let with = |rule: &str| mistakes(&KITCHEN.replace("symbol hunger: amount of self", rule));
    assert_eq!(with("symbol hunger: amount of self"), [""; 0]);
    assert_eq!(with("symbol hunger: 100 if famine, distance of self, 0"), [""; 0]);
    // A word may name a number: a node called `3`.
    assert_eq!(with("symbol hunger: node of self"), [""; 0]);
    let place = with("symbol hunger: position of self");
    assert_eq!(place.len(), 1);
    let told = "`position` is a place and no number use one of: ";
    assert!(place[0].starts_with(told), "{place:?}");
    let far = with("symbol hunger: 101 if famine, amount of self");
    let told = "`101` is no number of `hunger`, which is 0..100 write a whole number from 0 to 100";
    assert_eq!(far, [told]);
    let check = |rule: &str| {
        mistakes(
            &KITCHEN.replace("check strong: strength >= meals", &format!("check strong: {rule}")),
        )
    };
    let told = "`10` is no number of `strength`, which is 0..9 write a whole number from 0 to 9";
    assert_eq!(check("strength >= 10"), [told]);
    assert_eq!(check("strength >= few").len(), 1);
    assert_eq!(check("strength != guests"), [""; 0]);
}
