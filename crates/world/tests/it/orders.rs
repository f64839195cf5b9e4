//! What orders do, and how they end.

use crate::place::{Place, needs, thing};
use throng_mind::fact::EntityId;
use throng_mind::orders::Order;
use throng_mind::words::Word;
use throng_world::actor::Posture;
use throng_world::build::ThingDraft;
use throng_world::cell::Cell;
use throng_world::thing::ThingKind;

fn other(
    place: &mut Place,
    me: EntityId,
    what: &str,
    on: Option<EntityId>,
    seconds: f32,
) -> String {
    let what = place.word(what);
    let order = Order::Other { what, on, name: Word::NONE, place: [0.0; 3], amount: seconds };
    let id = place.order(me, order);
    place.end_of(id).0
}

#[test]
fn walking_takes_three_ticks_a_cell_and_running_two() {
    let mut place = Place::new(&["A....B"]);
    let (a, b) = (place.mark('A'), place.mark('B'));
    let me = place.soldier("ann", a, "red");
    let walk = place.go(me, b, "walk");
    assert_eq!(place.end_of(walk), ("done".into(), 15));
    let run = place.go(me, a, "run");
    assert_eq!(place.end_of(run), ("done".into(), 10));
    let stay = place.go(me, a, "run");
    assert_eq!(place.end_of(stay), ("done".into(), 0));
}

#[test]
fn a_door_on_the_way_is_opened_and_a_blocked_one_stops() {
    let mut place = Place::new(&["A.D.B", "#####"]);
    let (a, b) = (place.mark('A'), place.mark('B'));
    let (me, door) = (place.soldier("ann", a, "red"), place.door("door", place.mark('D')));
    place.world.set_blocked(door, true);
    let id = place.go(me, b, "walk");
    assert_eq!(place.end_of(id), ("blocked".into(), 3 + 4));
    let actor = place.world.actor(me).unwrap();
    assert_eq!((actor.cell, actor.blocked_by), (Cell::new(1, 0), Some(door)));
    // Now he knows: there is no other way.
    assert_eq!(other(&mut place, me, "avoid", Some(door), 0.0), "done");
    let id = place.go(me, b, "walk");
    assert_eq!(place.end_of(id).0, "no_path");
    assert_eq!(other(&mut place, me, "avoid", None, 0.0), "done");
    place.world.set_blocked(door, false);
    let id = place.go(me, b, "walk");
    assert_eq!(place.end_of(id), ("done".into(), 4 + 3 * 3));
    assert!(!place.world.thing(door).unwrap().is_shut_door());
}

#[test]
fn a_blocked_door_holds_a_kick_and_the_window_is_dived_through() {
    let mut place = Place::new(&["A#B", ".D.", ".W.", ".#.", "..."]);
    let (a, b) = (place.mark('A'), place.mark('B'));
    let (me, door) = (place.soldier("ann", a, "red"), place.door("door", place.mark('D')));
    place.thing("window", place.mark('W'), ThingKind::Window, &["whole"]);
    place.world.set_blocked(door, true);
    let kick = place.handle(me, "kick", door);
    assert_eq!(place.end_of(kick), ("blocked".into(), 6));
    assert_eq!(place.world.noises().len(), 1);
    assert_eq!(place.world.actor(me).unwrap().blocked_by, Some(door));
    assert_eq!(other(&mut place, me, "avoid", Some(door), 0.0), "done");
    let walk = place.go(me, b, "walk");
    assert_eq!(place.end_of(walk).1, 3 * 10, "below the window and up again");
    let back = place.go(me, a, "dive");
    assert_eq!(place.end_of(back).1, 2 * 5 + 4, "through it");
    place.world.set_blocked(door, false);
    place.go(me, Cell::new(0, 1), "run");
    place.steps(2);
    let kick = place.handle(me, "kick", door);
    assert_eq!(place.end_of(kick).0, "done");
    assert!(!place.world.thing(door).unwrap().is_shut_door());
}

#[test]
fn a_door_that_falls_shut_before_somebody_is_opened_again() {
    let mut place = Place::new(&["A..D..B"]);
    let (a, b) = (place.mark('A'), place.mark('B'));
    let me = place.soldier("ann", a, "red");
    let door = place.thing("door", place.mark('D'), ThingKind::Door, &["open", "closed"]);
    let id = place.go(me, b, "walk");
    place.steps(8);
    let closed = place.word("closed");
    place.world.set_state(door, closed);
    assert_eq!(place.end_of(id).0, "done");
    assert_eq!(place.world.actor(me).unwrap().cell, b);
}

#[test]
fn a_node_is_taken_by_one_and_made_by_a_thing() {
    let mut place = Place::new(&["A..T.N..B"]);
    let [a, b, n, t] = ['A', 'B', 'N', 'T'].map(|letter| place.mark(letter));
    let (ann, bob) = (place.soldier("ann", a, "red"), place.soldier("bob", b, "red"));
    let table = place.thing("table", t, ThingKind::Device, &["upright", "flipped"]);
    place.node("cover1", n, &[("table", "flipped")]);
    let (node, run) = (place.word("cover1"), place.word("run"));
    let to_node = Order::Move { to: n.place(), node, manner: run };
    assert!(place.world.nodes_near(ann, a, 50.0).is_empty());
    let early = place.order(ann, to_node);
    assert_eq!(place.end_of(early).0, "needs");
    let far = place.handle(ann, "flip", table);
    assert_eq!(place.end_of(far), ("too_far".into(), 0));
    let near = place.go(ann, Cell::new(2, 0), "run");
    assert_eq!(place.end_of(near).0, "done");
    let flip = place.handle(ann, "flip", table);
    assert_eq!(place.end_of(flip).0, "done");
    assert_eq!(place.world.stands_at(n), Some(node));
    let given_up = place.order(ann, to_node);
    assert!(place.world.nodes_near(bob, b, 50.0).is_empty());
    place.order(ann, Order::Cancel(given_up));
    assert_eq!(place.world.nodes_near(bob, b, 50.0).len(), 1, "free again");
    let going = place.order(ann, to_node);
    assert!(place.world.nodes_near(bob, b, 50.0).is_empty());
    assert_eq!(place.world.nodes_near(ann, a, 50.0).len(), 1);
    let second = place.order(bob, to_node);
    assert_eq!(place.end_of(second).0, "taken");
    assert_eq!(place.end_of(going).0, "done");
    place.go(ann, a, "run");
    assert_eq!(place.world.nodes_near(bob, b, 50.0).len(), 1);
}

#[test]
fn bare_hands_pick_up_a_pipe_and_hit_with_it() {
    let mut place = Place::new(&["AP.B"]);
    let [a, p, b] = ['A', 'P', 'B'].map(|letter| place.mark(letter));
    let (me, foe) = (place.soldier("ann", a, "red"), place.player("bob", b, "blue"));
    let pipe = place.thing("pipe", p, ThingKind::Item, &["lying", "taken"]);
    assert!(place.world.disarm(me));
    let shot = place.fight(me, "fire", foe);
    assert_eq!(place.end_of(shot).0, "unarmed");
    let take = place.handle(me, "pick_up", pipe);
    assert_eq!(place.end_of(take).0, "done");
    let weapon = place.world.actor(me).unwrap().weapon.unwrap();
    assert_eq!((place.words.text(weapon.name), weapon.armed, weapon.holds), ("pipe", true, 0));
    assert!(place.world.things().nearest(a, 9.0).is_empty(), "held");
    let far = place.fight(me, "melee", foe);
    assert_eq!(place.end_of(far).0, "too_far");
    let near = place.go(me, Cell::new(2, 0), "run");
    assert_eq!(place.end_of(near).0, "done");
    assert_eq!(place.world.thing(pipe).unwrap().cell, Cell::new(2, 0));
    for health in [60, 20, 0] {
        let blow = place.fight(me, "melee", foe);
        assert_eq!(place.end_of(blow).0, "done");
        assert_eq!(place.world.actor(foe).unwrap().health, health);
    }
    assert!(!place.world.actor(foe).unwrap().alive);
    let again = place.fight(me, "melee", foe);
    assert_eq!(place.end_of(again).0, "gone");
    place.fight(me, "drop", foe);
    assert_eq!(place.world.things().nearest(a, 9.0).len(), 1);
}

#[test]
fn shots_need_a_line_rounds_and_a_weapon_in_hand_and_cover_helps() {
    let mut place = Place::new(&["A...B", ".##.#", "....C"]);
    let [a, b, c] = ['A', 'B', 'C'].map(|letter| place.mark(letter));
    let (me, foe) = (place.soldier("ann", a, "red"), place.soldier("bob", b, "blue"));
    let hidden = place.player("cid", c, "blue");
    let no_line = place.fight(me, "fire", hidden);
    assert_eq!(place.end_of(no_line).0, "no_line");
    let aimed = place.fight(me, "fire", foe);
    assert_eq!(place.end_of(aimed), ("done".into(), 3 + 3));
    assert_eq!(place.world.actors().aiming_at(foe).map(|it| it.handle).collect::<Vec<_>>(), [me]);
    let second = place.fight(me, "fire", foe);
    assert_eq!(place.end_of(second), ("done".into(), 3));
    assert_eq!(place.world.actor(foe).unwrap().health, 50);
    place.node("cover1", b, &[]);
    let third = place.fight(me, "fire", foe);
    assert_eq!(place.end_of(third).0, "done");
    assert_eq!(place.world.actor(foe).unwrap().health, 45);
    for _ in 3..12 {
        let shot = place.fight(me, "fire", foe);
        assert_eq!(place.end_of(shot).0, "done");
    }
    assert!(!place.world.actor(foe).unwrap().alive);
    assert_eq!(place.world.actors().aiming_at(foe).count(), 0);
    assert!(place.told(foe, "damage") == 0, "fetched before");
    let empty = place.fight(me, "fire", hidden);
    assert_eq!(place.end_of(empty).0, "empty");
    for what in ["reload", "holster"] {
        let id = place.fight(me, what, foe);
        assert_eq!(place.end_of(id).0, "done");
    }
    let holstered = place.fight(me, "fire", hidden);
    assert_eq!(place.end_of(holstered).0, "unarmed");
    let draw = place.fight(me, "draw", foe);
    assert_eq!(place.end_of(draw).0, "done");
    assert_eq!(place.world.actor(me).unwrap().weapon.unwrap().rounds, 12);
}

#[test]
fn fire_that_keeps_heads_down_makes_shots_harmless_for_a_while() {
    // He sits behind a wall: bullets fly past him. Far behind another nothing comes near.
    let mut place = Place::new(&["A...#E...", "........F", ".....####", ".....###G"]);
    let [a, e, f, g] = ['A', 'E', 'F', 'G'].map(|letter| place.mark(letter));
    let (me, mate) = (place.soldier("ann", a, "red"), place.soldier("fay", f, "red"));
    let (foe, deep) = (place.player("eve", e, "blue"), place.player("gus", g, "blue"));
    let health = |place: &Place| place.world.actor(mate).unwrap().health;
    assert!(place.world.shoot(foe, mate));
    assert_eq!(health(&place), 75, "nobody fires yet");
    for (at, is_pinned) in [(foe, true), (deep, false)] {
        let fire = place.fight(me, "suppress", at);
        assert_eq!(place.end_of(fire).0, "done");
        assert_eq!(place.world.is_pinned(place.world.actor(at).unwrap()), is_pinned);
    }
    let before = place.world.digest();
    assert!(place.world.shoot(foe, mate));
    assert_eq!(health(&place), 75, "he is kept down");
    assert_ne!(before, place.world.digest(), "the shot is fired and heard");
    // A plain shot keeps nobody down, and the fire is over after two and a half seconds.
    place.steps(25);
    assert!(place.world.shoot(foe, mate));
    assert_eq!(health(&place), 50);
}

#[test]
fn a_vehicle_carries_its_rider_and_a_ladder_is_left_by_leaving() {
    let mut place = Place::new(&["AVL......B"]);
    let [a, v, l, b] = ['A', 'V', 'L', 'B'].map(|letter| place.mark(letter));
    let me = place.soldier("ann", a, "red");
    let car = place.thing("car", v, ThingKind::Vehicle, &["here"]);
    let ladder = place.thing("ladder", l, ThingKind::Ladder, &["up"]);
    let mount = place.handle(me, "mount", car);
    assert_eq!(place.end_of(mount).0, "done");
    assert_eq!(place.world.actor(me).unwrap().posture, Posture::Riding);
    let ride = place.go(me, b, "run");
    assert_eq!(place.end_of(ride).0, "done");
    assert_eq!(place.world.thing(car).unwrap().cell, b);
    assert_eq!(other(&mut place, me, "dismount", None, 0.0), "done");
    assert_eq!(other(&mut place, me, "dismount", None, 0.0), "unknown");
    let back = place.go(me, l, "run");
    assert_eq!(place.end_of(back).0, "done");
    let climb = place.handle(me, "climb", ladder);
    assert_eq!(place.end_of(climb).0, "done");
    assert_eq!(place.world.actor(me).unwrap().posture, Posture::Climbing);
    let wrong = place.handle(me, "mount", ladder);
    assert_eq!(place.end_of(wrong).0, "unknown");
    let off = place.go(me, a, "run");
    assert_eq!(place.end_of(off).0, "done");
    assert_eq!(place.world.actor(me).unwrap().posture, Posture::Standing);
    assert_eq!(place.world.thing(car).unwrap().cell, b);
}

#[test]
fn a_thing_works_only_while_what_it_needs_holds() {
    let mut place = Place::new(&["GAC"]);
    let [g, a, c] = ['G', 'A', 'C'].map(|letter| place.mark(letter));
    let me = place.soldier("ann", a, "red");
    let generator = place.thing("generator", g, ThingKind::Device, &["off", "on"]);
    let crane = thing("crane", c, ThingKind::Device, &["low", "high"]);
    let crane = ThingDraft { needs: needs(&[("generator", "on")]), ..crane };
    let crane = place.world.add_thing(&crane, &mut place.words).unwrap();
    let early = place.handle(me, "lift", crane);
    assert_eq!(place.end_of(early).0, "needs");
    let on = place.handle(me, "on", generator);
    assert_eq!(place.end_of(on).0, "done");
    let again = place.handle(me, "on", generator);
    assert_eq!(place.end_of(again), ("done".into(), 0));
    let lift = place.handle(me, "lift", crane);
    assert_eq!(place.end_of(lift).0, "done");
    let high = place.word("high");
    assert_eq!(place.world.thing(crane).unwrap().state(), high);
}

#[test]
fn postures_waiting_and_unknown_words() {
    let mut place = Place::new(&["A."]);
    let me = place.soldier("ann", place.mark('A'), "red");
    assert_eq!(other(&mut place, me, "crouch", None, 0.0), "done");
    assert_eq!(place.world.actor(me).unwrap().posture, Posture::Crouched);
    assert_eq!(other(&mut place, me, "stand", None, 0.0), "done");
    assert_eq!(place.world.actor(me).unwrap().posture, Posture::Standing);
    let before = place.world.now();
    assert_eq!(other(&mut place, me, "wait", None, 2.0), "done");
    assert_eq!(place.world.now() - before, 20);
    assert_eq!(other(&mut place, me, "sing", None, 0.0), "unknown");
    let id = place.fight(me, "sing", me);
    assert_eq!(place.end_of(id).0, "unknown");
    let id = place.handle(EntityId(99), "open", me);
    assert_eq!(place.end_of(id).0, "gone");
}
