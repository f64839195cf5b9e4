//! Keys that are carried, things that are owned, things that follow others.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::place::{Place, thing};
use throng_world::build::{ActorDraft, ThingDraft};
use throng_world::thing::ThingKind;

#[test]
fn a_key_opens_for_who_carries_it_and_his_weapon_stays() {
    let mut place = Place::new(&["A.K#", "...D.V", "B..#"]);
    let [a, b, k, d, v] = ['A', 'B', 'K', 'D', 'V'].map(|letter| place.mark(letter));
    let key = place.thing("key", k, ThingKind::Item, &["lying", "taken"]);
    let door = ThingDraft {
        keys: vec!["key".into()],
        ..thing("door", d, ThingKind::Door, &["shut", "open"])
    };
    let door = place.world.add_thing(&door, &mut place.words).unwrap();
    let (me, other) = (place.soldier("ann", a, "red"), place.soldier("bob", b, "red"));
    let gun = place.word("gun");
    let near = place.go(me, throng_world::cell::Cell::new(1, 0), "run");
    assert_eq!(place.end_of(near).0, "done");
    let take = place.handle(me, "pick_up", key);
    assert_eq!(place.end_of(take).0, "done");
    assert_eq!(place.world.actor(me).unwrap().weapon.map(|it| it.name), Some(gun));
    let go = place.go(other, v, "run");
    assert_eq!(place.end_of(go).0, "blocked", "he has no key");
    let home = place.go(other, b, "run");
    assert_eq!(place.end_of(home).0, "done");
    let go = place.go(me, v, "run");
    assert_eq!(place.end_of(go).0, "done");
    assert!(!place.world.thing(door).unwrap().is_shut_door());
}

#[test]
fn a_gate_follows_its_lever_and_what_follows_the_gate_follows_too() {
    let mut place = Place::new(&["L.G.M"]);
    let [l, g, m] = ['L', 'G', 'M'].map(|letter| place.mark(letter));
    let lever = place.thing("lever", l, ThingKind::Device, &["up", "down"]);
    let wire = |to: &str, when: &str, becomes: &str| {
        (to.to_string(), when.to_string(), becomes.to_string())
    };
    let gate = thing("gate", g, ThingKind::Door, &["shut", "open"]);
    let follows = vec![wire("lever", "down", "open"), wire("lever", "up", "shut")];
    let gate = place.world.add_thing(&ThingDraft { follows, ..gate }, &mut place.words).unwrap();
    let lamp = thing("lamp", m, ThingKind::Device, &["off", "on"]);
    let follows = vec![wire("gate", "open", "on")];
    let lamp = place.world.add_thing(&ThingDraft { follows, ..lamp }, &mut place.words).unwrap();
    let me = place.soldier("ann", l, "red");
    let states = |place: &Place| {
        [gate, lamp].map(|it| place.words.text(place.world.thing(it).unwrap().state()).to_string())
    };
    let pull = place.handle(me, "down", lever);
    assert_eq!(place.end_of(pull).0, "done");
    assert_eq!(states(&place), ["open", "on"]);
    let push = place.handle(me, "up", lever);
    assert_eq!(place.end_of(push).0, "done");
    assert_eq!(states(&place), ["shut", "on"], "the lamp follows only when it opens");
    place.world.set_blocked(gate, true);
    let pull = place.handle(me, "down", lever);
    assert_eq!(place.end_of(pull).0, "done");
    assert_eq!(states(&place), ["shut", "on"], "a blocked gate stays");
}

#[test]
fn who_carries_or_owns_something_has_it_from_the_beginning() {
    let mut place = Place::new(&["A.K.O"]);
    let [a, k, o] = ['A', 'K', 'O'].map(|letter| place.mark(letter));
    let key = ThingDraft { arms: None, ..thing("key", k, ThingKind::Item, &["lying", "taken"]) };
    let key = place.world.add_thing(&key, &mut place.words).unwrap();
    let oven = ThingDraft {
        sort: "oven".into(),
        ..thing("oven1", o, ThingKind::Device, &["cold", "hot"])
    };
    let oven = place.world.add_thing(&oven, &mut place.words).unwrap();
    let draft = ActorDraft {
        owns: vec!["oven1".into()],
        carries: vec!["key".into()],
        ..ActorDraft::new("ann", a)
    };
    let me = place.world.add_actor(&draft, &mut place.words).unwrap();
    let actor = place.world.actor(me).unwrap();
    assert_eq!(
        (&actor.owns[..], &actor.carries[..], actor.weapon),
        (&[oven][..], &[key][..], None)
    );
    let it = place.world.thing(key).unwrap();
    assert_eq!((it.held_by, it.cell, place.words.text(it.state())), (Some(me), a, "taken"));
    assert_eq!(place.words.text(place.world.thing(oven).unwrap().sort), "oven");
    // Who dies lets it fall where he is.
    let blow = place.word("blow");
    place.world.hurt(me, 1_000, blow, None);
    let it = place.world.thing(key).unwrap();
    assert_eq!((it.held_by, it.cell, place.words.text(it.state())), (None, a, "lying"));
}
