//! What can be seen, and who is told of it.

use crate::place::{Place, cells};
use throng_base::SplitMix;
use throng_world::cell::Cell;

#[test]
fn sight_is_symmetric() {
    let mut dice = SplitMix::new(1);
    let (mut clear, mut stopped) = (0, 0);
    for _ in 0..20 {
        let place = Place::random(&mut dice, 30, 20, 15);
        let all = cells(&place.world);
        for _ in 0..2_000 {
            let (a, b) = (*dice.pick(&all), *dice.pick(&all));
            let there = place.world.line_of_sight(a, b);
            assert_eq!(there, place.world.line_of_sight(b, a), "{a:?} {b:?}");
            *if there { &mut clear } else { &mut stopped } += 1;
        }
    }
    assert!(clear > 1_000 && stopped > 1_000, "{clear} {stopped}");
}

#[test]
fn walls_and_shut_doors_stop_sight_and_windows_do_not() {
    let mut place = Place::new(&["A...D...B", ".1..W..2."]);
    let (a, b) = (place.mark('A'), place.mark('B'));
    assert!(place.world.line_of_sight(a, b));
    let door = place.door("door", place.mark('D'));
    let window = throng_world::thing::ThingKind::Window;
    place.thing("window", place.mark('W'), window, &["whole"]);
    assert!(!place.world.line_of_sight(a, b));
    assert!(place.world.line_of_sight(place.mark('1'), place.mark('2')));
    let open = place.word("open");
    assert!(place.world.set_state(door, open));
    assert!(place.world.line_of_sight(a, b));
    let walls = Place::new(&["A.#.B"]);
    assert!(!walls.world.line_of_sight(walls.mark('A'), walls.mark('B')));
}

#[test]
fn a_field_of_view_has_a_front_and_an_edge() {
    let mut place = Place::new(&["...........", ".....A.....", "..........."]);
    let me = place.soldier("ann", place.mark('A'), "red");
    let sees = |place: &Place, x, y, degrees| {
        let me = place.world.actor(me).unwrap();
        place.world.sees(me, Cell::new(x, y), degrees)
    };
    // At first everybody looks down.
    assert!(sees(&place, 5, 2, Some(90.0)) && !sees(&place, 5, 0, Some(90.0)));
    assert!(sees(&place, 6, 2, Some(90.0)) && sees(&place, 4, 2, Some(90.0)));
    assert!(!sees(&place, 7, 2, Some(90.0)) && sees(&place, 7, 2, Some(180.0)));
    assert!(sees(&place, 5, 0, None) && sees(&place, 5, 1, Some(10.0)));
    place.world.rules.sight = 3;
    assert!(sees(&place, 8, 1, None) && !sees(&place, 9, 1, None));
}

#[test]
fn an_enemy_in_view_is_told_of_at_every_look_and_one_behind_a_wall_is_not() {
    let mut place = Place::new(&["A....B", "######", "C....."]);
    let [ann, bob, cid] = ['A', 'B', 'C'].map(|letter| place.mark(letter));
    let ann = place.soldier("ann", ann, "red");
    place.player("bob", bob, "blue");
    place.soldier("friend", bob, "red");
    place.soldier("bystander", bob, "");
    let cid = place.soldier("cid", cid, "green");
    place.steps(20);
    assert_eq!(place.world.clone().reports().filter(|(to, _)| *to == cid).count(), 0);
    assert_eq!(place.told(ann, "sight"), 4);
}

#[test]
fn noise_is_heard_within_its_radius_and_deeds_are_seen() {
    let mut place = Place::new(&["A....B####C"]);
    let [a, b, c] = ['A', 'B', 'C'].map(|letter| place.mark(letter));
    let (ann, bob) = (place.soldier("ann", a, ""), place.soldier("bob", b, ""));
    let cid = place.soldier("cid", c, "");
    let bang = place.word("bang");
    place.world.make_noise(b, 5, bang, Some(bob));
    let mut copy = Place { world: place.world.clone(), words: place.words.clone(), last_order: 0 };
    assert_eq!(copy.told(ann, "noise"), 1, "at the edge");
    assert_eq!(place.told(cid, "noise"), 1, "through walls");
    place.world.make_noise(b, 4, bang, Some(bob));
    assert_eq!(place.told(ann, "noise"), 0, "too far");
    assert_eq!(place.world.noises().len(), 2);
    place.steps(place.world.rules.noise_kept + 1);
    assert!(place.world.noises().is_empty());
    place.world.announce(bob, bang);
    let mut copy = Place { world: place.world.clone(), words: place.words.clone(), last_order: 0 };
    assert_eq!((copy.told(ann, "deed"), place.told(cid, "deed")), (1, 0));
}
