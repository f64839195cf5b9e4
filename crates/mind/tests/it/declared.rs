//! Facts that a file declares: names of its own for attributes, and words that they can be.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use crate::common::{PACE, model, spec};
use std::sync::Arc;
use throng_mind::prelude::*;
use throng_mind::spec::Spec;
use throng_planner::PreparedDomain;

const TOWN: &str = "domain town
var full: bool
var sky: dry, rain
action eat: full -> true   takes 0.1   then remembers hunger(level = 0) for 9
goal sated: full = true   relevance level of hunger curve 0 0, 100 1
npc guard
    can eat
    wants sated
    starts full = false
fact hunger: amount as level
fact weather: knowledge as sky = dry, rain, amount
symbol full: false if hunger(level >= 60), true
symbol sky: sky of weather
";

fn mistakes(text: &str) -> Vec<String> {
    let model = model(text);
    let read = Spec::read(&model, Arc::new(PreparedDomain::new(&model)), PACE);
    let report = read.err().unwrap();
    report.diagnostics().iter().map(|it| format!("{}: {}", it.code.id(), it.text)).collect()
}

#[test]
fn a_name_of_the_file_is_the_attribute() {
    let mut minds = Minds::new(spec(TOWN), Body::new(), 1).unwrap();
    let id = minds.spawn("guard", EntityId(1)).unwrap();
    let hunger = minds.spec().words.find("hunger").unwrap();
    let fact = FactDraft::new(hunger).with(Attribute::Amount, 80.0, 1.0);
    minds.tell(id, Message::Told(Box::new(fact))).unwrap();
    minds.tick(&(), 1);
    assert_eq!(minds.name(minds.mind(id).unwrap().plan().steps()[0]), Some("eat"));
    (2..5).for_each(|now| minds.tick(&(), now));
    let own = minds.mind(id).unwrap().memory().of_kind(hunger);
    assert!(own.into_iter().any(|fact| fact.number(Attribute::Amount) == Some(0.0)));
}

#[test]
fn what_is_not_declared_is_told() {
    let wrong = TOWN.replace("hunger(level >= 60)", "hunger(index >= 60) or weather(sky = snow)");
    assert_eq!(
        mistakes(&wrong),
        ["E101: unknown attribute `index` of `hunger`", "E101: unknown sky `snow` of `weather`"]
    );
    let wrong = TOWN.replace("hunger(level = 0)", "weather(sky = snow)");
    assert_eq!(mistakes(&wrong), ["E149: unknown sky of `weather`: `snow`"]);
}

/// Told checks with parameters, and what is told to others.
const FREE: &str = "domain yard
select prop: best 2 of thing score distance of it curve 0 1, 9 0
var place: a, b
var ready(p in prop): bool
fact looked
fact alarm: position
symbol ready(p in prop): true if thing(object = p), false
symbol place: a if looked, b
check free(spot in place): thing(node = spot)
sensor look: on thing feeds free, ready
sensor see: on noise feeds place
action go(spot in place): place -> spot if free(spot)
    then remembers looked for 9 and tells alarm to all
goal there: place = a
    relevance if shared alarm
npc guard
    can go
    wants there
";

#[test]
fn names_of_templates_stand_for_all_that_they_became() {
    let spec = spec(FREE);
    let look = &spec.sensors[0];
    assert_eq!((look.feeds_checks.len(), look.feeds_variables.len()), (2, 2));
}

#[test]
fn slips_in_templates_and_margins_are_told() {
    for (from, to, told) in [
        (
            "check free(spot in place)",
            "check free(spot in plce)",
            "E101: unknown variable or select `plce`; did you mean `place`?",
        ),
        (
            "if free(spot)",
            "if free(spt)",
            "E101: `free(spt)` is asked, and `spt` is no value of `place`",
        ),
        (
            "select prop: best 2 of thing",
            "select prop: best 2 of thing where distance < 4",
            "E104: `distance` of what?",
        ),
        (
            "score distance",
            "margin 25 score distance",
            "E102: `margin 25` is more than 1: another could never be that much better",
        ),
        (
            "if shared alarm",
            "if prop = near",
            "E104: `prop` is what a `select` picks, and has no value",
        ),
        ("feeds free", "feeds fre", "E101: unknown variable or check `fre`; did you mean `free`?"),
    ] {
        assert!(FREE.contains(from), "{from}");
        let all = mistakes(&FREE.replacen(from, to, 1));
        assert_eq!(all.first().map(String::as_str), Some(told), "{to}: {all:#?}");
    }
}

#[test]
fn what_is_told_to_all_should_be_asked_for() {
    let doubts = |text: &str| {
        let model = model(text);
        let report = spec(text).doubts(&model);
        report.diagnostics().iter().map(|it| it.code.id()).collect::<Vec<_>>()
    };
    assert_eq!(doubts(FREE), [""; 0]);
    assert_eq!(doubts(&FREE.replace("if shared alarm", "if alarm")), ["W153"]);
    assert_eq!(
        doubts(&FREE.replace("if shared alarm", "if alarm").replace("to all", "to side")),
        [""; 0]
    );
}
