//! A type makes the selections that something of it can ask for, and no others.

use crate::common::spec;
use throng_mind::inspect::EmptyReason;
use throng_mind::prelude::*;

/// Who asks for what, and by which way: a parameter, a symbol, a check, a price, a relevance, an
/// effect, what a behaviour is given, another selection, another variable.
const HOUSE: &str = "domain house
select seat:   one of chair
select prey:   one of mouse
select hole:   one of gap     where distance of it from prey < 9
select dish:   one of bowl
select friend: one of cat
select noise:  one of sound
select guest:  one of person
select toy:    one of ball
select lamp:   one of light
var place: elsewhere, any seat
var fed: bool
var calm: bool
var hunted: bool
symbol place: object of self, elsewhere
symbol hunted: true if not hole, false
check served: dish
price eat: distance of dish
action sit(on in seat): place -> on
action eat: fed -> true   if served
action greet: fed -> true   does look(guest)
action listen: fed -> true   then forgets noise
action play: calm -> true
action doze: takes 1
goal sitting: place = seat
goal full: fed = true   relevance if friend
goal quiet: calm = true   relevance if hunted = true
npc sitter
    can sit
    wants sitting
npc eater
    can eat
    wants full
npc greeter
    can greet, listen
    wants full
npc hunter
    can play
    wants quiet
npc dozer
    can doze
npc player
    can doze, eat
";

fn made(text: &str, npc: &str) -> Vec<String> {
    let spec = spec(text);
    let npc = spec.domain.map().find_npc(npc).unwrap();
    let names = spec.selects_of(npc).map(|(_, select)| spec.domain.map().select(select.select));
    let mut names: Vec<String> = names.map(str::to_string).collect();
    names.sort();
    names
}

#[test]
fn a_type_makes_what_something_of_it_asks_for() {
    for (npc, asked) in [
        ("sitter", &["seat"][..]),
        ("eater", &["dish", "friend"]),
        ("greeter", &["friend", "guest", "noise"]),
        // `quiet` asks for `hunted`, that for `hole`, and that for `prey`.
        ("hunter", &["hole", "prey"]),
        ("dozer", &[]),
        ("player", &["dish"]),
    ] {
        // Nothing asks for `lamp` and `toy`: code may, of anybody's.
        let mut all: Vec<&str> = asked.iter().chain(&["lamp", "toy"]).copied().collect();
        all.sort_unstable();
        assert_eq!(made(HOUSE, npc), all, "{npc}");
    }
}

#[test]
fn whoever_does_the_same_by_the_same_code_makes_what_that_may_read() {
    let text = "domain d
select target: one of character
var x: a, b
var y: a, b
symbol x: b if target, a
action shoot: x -> b   does attack
action spray: y -> b   does attack
action sleep: y -> b
goal one: x = b
goal two: y = b
npc asks
    can shoot
    wants one
npc acts
    can spray
    wants two
npc sleeps
    can sleep
    wants two
";
    assert_eq!(made(text, "asks"), ["target"]);
    assert_eq!(made(text, "acts"), ["target"], "its behaviour may read the pick by its name");
    assert!(made(text, "sleeps").is_empty());
}

#[test]
fn what_a_type_does_not_make_holds_nothing_and_says_so() {
    let text = "domain d
select target: one of character
var x: a, b
var y: a, b
symbol x: b if target, a
action shoot: x -> b
action sleep: y -> b
goal one: x = b
goal two: y = b
npc guard
    can shoot
    wants one
npc cook
    can sleep
    wants two
sensor eyes: every 0.1 keeps 1
";
    fn eyes(s: &mut Sensing<'_, ()>) -> Work {
        let fact = s.fact("character").with(Attribute::Object, EntityId(9), 1.0);
        s.remember_one(fact, &[Attribute::Object]);
        // What cannot be picked is nothing to work for.
        let found = s.candidates("target").count() as f32;
        let fact = s.fact("found").with(Attribute::Amount, found, 1.0);
        s.remember_one(fact, &[]);
        Work::Light
    }
    let body = Body::new().sensor("eyes", eyes).words(&["found"]);
    let mut minds = Minds::new(spec(text), body, 1).unwrap();
    let guard = minds.spawn("guard", EntityId(1)).unwrap();
    let cook = minds.spawn("cook", EntityId(2)).unwrap();
    for now in 1..=20 {
        minds.tick(&(), now);
    }
    let target = minds.spec().domain.map().find_select("target").unwrap();
    assert_eq!(minds.why_empty(guard, target), None);
    assert_eq!(minds.why_empty(cook, target), Some(EmptyReason::NotMade));
    let found = |id| {
        let kind = minds.spec().words.find("found").unwrap();
        let mut facts = minds.mind(id).unwrap().memory().of_kind(kind);
        facts.next().unwrap().number(Attribute::Amount).unwrap()
    };
    assert_eq!((found(guard), found(cook)), (1.0, 0.0));
}
