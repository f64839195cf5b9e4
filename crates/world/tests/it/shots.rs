//! Accuracy by a seed, cover that faces one side, spare rounds, throws at places, bodies.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::place::{Place, cover};
use throng_mind::fact::EntityId;
use throng_mind::orders::Order;
use throng_world::build::{ActorDraft, Facing, NodeDraft};
use throng_world::cell::Cell;

/// Two in a corridor so far from each other, the first with enough rounds.
fn duel(far: usize, seed: u64, accuracy: Option<f32>) -> (Place, EntityId, EntityId) {
    let mut place = Place::new(&[&".".repeat(far + 1)]);
    (place.world.rules.seed, place.world.rules.accuracy) = (seed, accuracy);
    let me = place.soldier("ann", Cell::new(0, 0), "red");
    let foe = ActorDraft {
        side: "blue".into(),
        health: 1_000_000,
        ..ActorDraft::new("bob", Cell::new(far as i16, 0))
    };
    let foe = place.world.add_actor(&foe, &mut place.words).unwrap();
    (place, me, foe)
}

/// How many of so many shots hit, a tick apart.
fn hits(place: &mut Place, me: EntityId, foe: EntityId, shots: i32) -> i32 {
    let before = place.world.actor(foe).unwrap().health;
    for _ in 0..shots {
        place.world.shoot(me, foe);
        place.steps(1);
    }
    (before - place.world.actor(foe).unwrap().health) / place.world.rules.shot_damage
}

#[test]
fn a_shot_hits_by_the_seed_less_often_from_afar_and_always_without_accuracy() {
    let count = |far, seed, accuracy| {
        let (mut place, me, foe) = duel(far, seed, accuracy);
        hits(&mut place, me, foe, 200)
    };
    assert_eq!(count(20, 1, None), 200);
    assert_eq!(count(1, 7, Some(0.6)), count(1, 7, Some(0.6)));
    let (near, far) = (count(1, 7, Some(0.6)), count(20, 7, Some(0.6)));
    assert!((100..135).contains(&near) && (40..85).contains(&far), "{near} {far}");
    let others = (0..10).map(|seed| count(5, seed, Some(0.5)));
    let different: std::collections::BTreeSet<i32> = others.collect();
    assert!(different.len() > 3, "{different:?}");
    assert_eq!(count(5, 3, Some(0.0)), 0);
}

#[test]
fn cover_protects_from_the_side_that_it_faces_and_no_other() {
    let mut place = Place::new(&[".........", ".........", "........."]);
    let middle = Cell::new(4, 1);
    let faces = Some(Facing { towards: (1, 0), degrees: 180 });
    let node = NodeDraft { faces, ..cover("c1", middle, &[]) };
    let node = place.world.add_node(&node, &mut place.words).unwrap();
    let all = place.world.add_node(&cover("c2", Cell::new(4, 0), &[]), &mut place.words).unwrap();
    for (x, y, protects) in [(8, 1, true), (0, 1, false), (6, 0, true), (4, 0, true), (3, 2, false)]
    {
        let from = Cell::new(x, y);
        assert_eq!(place.world.protects(node, from), protects, "{from:?}");
        assert!(place.world.protects(all, from));
    }
    let me = place.soldier("ann", middle, "red");
    let (east, west) = (
        place.soldier("eve", Cell::new(8, 1), "blue"),
        place.soldier("wim", Cell::new(0, 1), "blue"),
    );
    let taken = |place: &mut Place, by: EntityId| {
        let before = place.world.actor(me).unwrap().health;
        place.world.shoot(by, me);
        before - place.world.actor(me).unwrap().health
    };
    assert_eq!((taken(&mut place, east), taken(&mut place, west)), (5, 25));
    place.world.rules.accuracy = Some(1.0);
    let chance = |place: &Place, by| {
        place.world.hit_chance(
            place.world.actor(by).unwrap(),
            place.world.actor(me).unwrap(),
            false,
        )
    };
    assert!(chance(&place, east) < chance(&place, west) / 2.0);
}

#[test]
fn spare_rounds_are_counted_if_they_are_said() {
    let mut place = Place::new(&["A."]);
    let draft = ActorDraft {
        weapon: Some("gun".into()),
        rounds: 5,
        spare: Some(7),
        ..ActorDraft::new("ann", place.mark('A'))
    };
    let me = place.world.add_actor(&draft, &mut place.words).unwrap();
    let foe = place.player("bob", Cell::new(1, 0), "blue");
    place.world.rules.shot_damage = 0;
    let reload = |place: &mut Place| {
        let what = place.word("reload");
        let id = place.order(me, Order::Weapon { what, at: None, to: None });
        let end = place.end_of(id).0;
        let actor = place.world.actor(me).unwrap();
        (end, actor.weapon.unwrap().rounds, actor.spare)
    };
    for _ in 0..5 {
        place.world.shoot(me, foe);
    }
    assert_eq!(reload(&mut place), ("done".into(), 5, Some(2)));
    for _ in 0..4 {
        place.world.shoot(me, foe);
    }
    assert_eq!(reload(&mut place), ("done".into(), 3, Some(0)));
    assert_eq!(reload(&mut place), ("empty".into(), 3, Some(0)));
}

#[test]
fn a_grenade_is_thrown_at_a_place_and_hurts_friends_less_and_less_far() {
    let mut place = Place::new(&["A.........G...F"]);
    let [a, g, f] = ['A', 'G', 'F'].map(|letter| place.mark(letter));
    let (me, friend) = (place.soldier("ann", a, "red"), place.soldier("fay", f, "red"));
    place.world.rules.accuracy = Some(0.5);
    let what = place.word("throw");
    let throw = place.order(me, Order::Weapon { what, at: None, to: Some(g.place()) });
    assert_eq!(place.end_of(throw).0, "done");
    assert_eq!(place.world.grenades()[0].cell, g);
    place.steps(place.world.rules.look);
    assert_eq!(place.told(friend, "grenade"), 1);
    place.steps(place.world.rules.fuse);
    let health = place.world.actor(friend).unwrap().health;
    assert!((50..70).contains(&health), "{health}");
    let far = place.order(me, Order::Weapon { what, at: None, to: Some([900.0, 0.0, 0.0]) });
    assert_eq!(place.end_of(far).0, "too_far");
    let nowhere = place.order(me, Order::Weapon { what, at: None, to: None });
    assert_eq!(place.end_of(nowhere).0, "gone");
}

#[test]
fn the_dead_lie_where_they_fell_and_are_found_near() {
    let mut place = Place::new(&["A..B.C"]);
    let [a, b, c] = ['A', 'B', 'C'].map(|letter| place.mark(letter));
    let me = place.soldier("ann", a, "red");
    let (one, two) = (place.soldier("bob", b, "red"), place.soldier("cid", c, "blue"));
    let blow = place.word("blow");
    place.world.hurt(one, 1_000, blow, Some(two));
    let mut near = Vec::new();
    place.world.actors_near(a, 9.0, &mut near);
    assert_eq!(near, [me, one, two]);
    near.clear();
    place.world.actors_near(a, 4.0, &mut near);
    assert_eq!(near, [me, one]);
    // Nobody is in the way any more.
    let go = place.go(me, Cell::new(4, 0), "walk");
    assert_eq!(place.end_of(go), ("done".into(), 4 * 3));
    let mut fresh = Place::new(&["A..B.C"]);
    fresh.words = place.words.clone();
    fresh.world.restore(&place.world.save()).unwrap();
    assert_eq!(fresh.world.actors().fallen().map(|it| it.handle).collect::<Vec<_>>(), [one]);
}
