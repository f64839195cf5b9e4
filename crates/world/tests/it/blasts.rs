//! Grenades, and what shields from them.

use crate::place::Place;
use throng_world::cell::Cell;

#[test]
fn a_grenade_kills_within_its_radius_and_not_behind_a_wall() {
    let rows = ["A...G....F", "###.######", "....B....."];
    let mut place = Place::new(&rows);
    let [a, g, f, b] = ['A', 'G', 'F', 'B'].map(|letter| place.mark(letter));
    let near = place.soldier("ann", a, "red");
    let behind = place.soldier("bob", b, "red");
    let far = place.soldier("far", f, "red");
    assert!(place.world.drop_grenade(g, None).is_some());
    assert!(place.is_danger(a) && place.is_danger(g));
    assert!(!place.is_danger(b) && !place.is_danger(f));
    let known = [(g, place.world.rules.grenade_radius)];
    let safe = place.world.nearest_safe(a, 20, &known).unwrap();
    assert!(!place.is_danger(safe));
    // Who knows of none stays where he is.
    assert_eq!(place.world.nearest_safe(a, 20, &[]), Some(a));
    place.steps(place.world.rules.fuse - 1);
    assert!(place.world.actor(near).unwrap().alive);
    place.steps(1);
    let alive = [near, behind, far].map(|actor| place.world.actor(actor).unwrap().alive);
    assert_eq!(alive, [false, true, true]);
    assert!(place.world.grenades().is_empty() && !place.is_danger(g));
}

#[test]
fn a_shut_door_shields_and_an_open_one_does_not() {
    for (state, survives) in [("shut", true), ("open", false)] {
        let mut place = Place::new(&["G.D.A"]);
        let (g, a) = (place.mark('G'), place.mark('A'));
        let (me, door) = (place.soldier("ann", a, "red"), place.door("door", place.mark('D')));
        let state = place.word(state);
        place.world.set_state(door, state);
        place.world.drop_grenade(g, None);
        place.steps(place.world.rules.fuse);
        assert_eq!(place.world.actor(me).unwrap().alive, survives);
    }
}

#[test]
fn a_thrown_grenade_lands_at_its_target_and_is_told_of_while_it_burns() {
    let mut place = Place::new(&["A.........B"]);
    let (a, b) = (place.mark('A'), place.mark('B'));
    let (me, foe) = (place.soldier("ann", a, "red"), place.soldier("bob", b, "blue"));
    let throw = place.fight(me, "throw", foe);
    place.steps(place.world.rules.throw);
    assert_eq!(place.told(foe, "grenade"), 1);
    assert_eq!(place.world.actor(me).unwrap().grenades, 2);
    let grenade = place.world.grenades()[0];
    assert_eq!((grenade.cell, grenade.thrower), (b, Some(me)));
    place.steps(10);
    assert_eq!(place.told(foe, "grenade"), 2);
    let _ = throw;
    assert_eq!(place.world.cell_of(grenade.handle), Some(Cell::new(10, 0)));
}
