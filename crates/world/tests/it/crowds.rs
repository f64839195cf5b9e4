//! Crowds in narrow places: two never stand in one cell, and who has a free way arrives.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

use crate::place::{Place, cells};
use std::collections::{BTreeMap, BTreeSet};
use throng_base::SplitMix;
use throng_mind::fact::EntityId;
use throng_mind::orders::{Message, OrderId};
use throng_world::cell::Cell;

/// No two of the living are in one cell.
fn check_alone(place: &Place, what: &str) {
    let mut taken = BTreeSet::new();
    for actor in place.world.actors().iter().filter(|actor| actor.alive) {
        assert!(taken.insert(actor.cell), "{what}: two in {:?}", actor.cell);
        let stands = place.world.standing_in(actor.cell).map(|it| it.handle);
        assert_eq!(stands, Some(actor.handle), "{what}");
    }
}

/// A map of passages: a walk that turns now and then, a cell wide, with a few rooms.
fn passages(dice: &mut SplitMix, width: usize, height: usize) -> Place {
    let mut floor = vec![vec!['#'; width]; height];
    let (mut x, mut y) = (width / 2, height / 2);
    for _ in 0..dice.within(4, 14) {
        let (dx, dy) = *dice.pick(&[(1i32, 0i32), (-1, 0), (0, 1), (0, -1)]);
        for _ in 0..dice.within(2, 8) {
            floor[y][x] = '.';
            x = (x as i32 + dx).clamp(1, width as i32 - 2) as usize;
            y = (y as i32 + dy).clamp(1, height as i32 - 2) as usize;
        }
        if dice.percent(25) {
            floor[y - 1][x] = '.';
            floor[y + 1][x] = '.';
        }
        floor[y][x] = '.';
    }
    let rows: Vec<String> = floor.into_iter().map(|row| row.into_iter().collect()).collect();
    Place::new(&rows.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Some of these, each once, in any order.
fn some_of<T: Copy>(dice: &mut SplitMix, mut all: Vec<T>, count: usize) -> Vec<T> {
    (0..count.min(all.len())).map(|_| all.swap_remove(dice.below(all.len()))).collect()
}

struct Crowd {
    place: Place,
    /// Who goes where, by order.
    going: BTreeMap<OrderId, (EntityId, Cell)>,
}

/// A crowd of which each has somewhere to go, no two to the same cell.
fn crowd(seed: u64, sides: &[&str]) -> Crowd {
    let dice = &mut SplitMix::new(seed);
    let mut place = passages(dice, 16, 12);
    let is_floor = |cell: &Cell| !place.world.grid().is_wall(*cell);
    let floor: Vec<Cell> = cells(&place.world).into_iter().filter(is_floor).collect();
    // At least one cell is free: in a full place nobody who comes last has one to go to.
    let count = dice.within(2, (floor.len() - 1).clamp(2, 14));
    let starts = some_of(dice, floor.clone(), count);
    let ends = some_of(dice, floor, count);
    let mut people = Vec::new();
    for (number, &start) in starts.iter().enumerate() {
        let (name, side) = (format!("actor{number}"), *dice.pick(sides));
        people.push(place.soldier(&name, start, side));
    }
    // Some stay where they are.
    let stays = dice.percent(30);
    let mut going = BTreeMap::new();
    for (&me, &end) in people.iter().zip(&ends) {
        if stays && dice.percent(25) {
            continue;
        }
        let manner = *dice.pick(&["walk", "run", "sneak"]);
        going.insert(place.go(me, end, manner), (me, end));
    }
    Crowd { place, going }
}

#[test]
fn friends_in_passages_never_share_a_cell_and_all_arrive() {
    let mut met = 0;
    for seed in 0..400 {
        let Crowd { mut place, mut going } = crowd(seed, &["red"]);
        check_alone(&place, "at the beginning");
        for step in 0..2_000 {
            place.world.step();
            check_alone(&place, &format!("seed {seed}, step {step}"));
            let waits = |it: &&throng_world::actor::Actor| place.world.waiting_for(it).is_some();
            met += place.world.actors().iter().filter(waits).count();
            let reports: Vec<_> = place.world.reports().collect();
            for (_, message) in reports {
                let end = match message {
                    Message::Done(id) => id,
                    Message::Failed(id, why) => {
                        assert!(!going.contains_key(&id), "seed {seed}: {}", place.words.text(why));
                        continue;
                    }
                    _ => continue,
                };
                let Some((me, to)) = going.remove(&end) else { continue };
                let here = place.world.cell_of(me).unwrap();
                // Who was moved aside may stand where another wanted to be.
                let beside = here.steps(to) <= 2 && place.world.is_taken(to, me);
                assert!(here == to || beside, "seed {seed}: {here:?} is not {to:?}");
            }
            if going.is_empty() {
                break;
            }
        }
        assert!(going.is_empty(), "seed {seed}: {} have not arrived", going.len());
    }
    assert!(met > 500, "only {met} waited: this would prove little");
}

#[test]
fn enemies_never_share_a_cell_and_every_way_ends() {
    let mut blocked = 0;
    for seed in 1_000..1_200 {
        let Crowd { mut place, mut going } = crowd(seed, &["red", "blue", ""]);
        for step in 0..2_000 {
            place.world.step();
            check_alone(&place, &format!("seed {seed}, step {step}"));
            let reports: Vec<_> = place.world.reports().collect();
            for (_, message) in reports {
                if let Message::Done(id) | Message::Failed(id, _) = message {
                    let (me, _) = going.remove(&id).unwrap();
                    let stopped = place.world.actor(me).unwrap().blocked_by;
                    blocked += usize::from(stopped.is_some());
                }
            }
        }
        assert!(going.is_empty(), "seed {seed}");
    }
    assert!(blocked > 20, "only {blocked} were stopped by an enemy");
}

#[test]
fn a_crowd_that_was_saved_goes_on_alike() {
    for seed in 2_000..2_040 {
        let Crowd { mut place, .. } = crowd(seed, &["red", "blue"]);
        let mut fresh = crowd(seed, &["red", "blue"]).place;
        place.steps(seed as u32 % 37);
        fresh.world.restore(&place.world.save()).unwrap();
        place.steps(50);
        fresh.steps(50);
        assert_eq!(place.world.digest(), fresh.world.digest(), "seed {seed}");
    }
}

#[test]
fn two_who_meet_in_a_corridor_change_places_and_enemies_do_not() {
    let meet = |sides: [&str; 2]| {
        let mut place = Place::new(&["A.....B"]);
        let (a, b) = (place.mark('A'), place.mark('B'));
        let (ann, bob) = (place.soldier("ann", a, sides[0]), place.soldier("bob", b, sides[1]));
        let (to_b, _) = (place.go(ann, b, "walk"), place.go(bob, a, "walk"));
        let end = place.end_of(to_b).0;
        place.steps(60);
        (end, place.world.cell_of(ann) == Some(b), place.world.cell_of(bob) == Some(a))
    };
    assert_eq!(meet(["red", "red"]), ("done".into(), true, true));
    assert_eq!(meet(["red", "blue"]), ("blocked".into(), false, false));
}

#[test]
fn who_stands_in_the_way_is_asked_to_step_aside_gone_round_or_squeezed_past() {
    // A way round of two cells more.
    let mut place = Place::new(&["A.S..B", ".....#"]);
    let [a, s, b] = ['A', 'S', 'B'].map(|letter| place.mark(letter));
    let (me, other) = (place.soldier("ann", a, "red"), place.soldier("bob", s, "red"));
    let round = place.go(me, b, "walk");
    assert_eq!(place.end_of(round).0, "done");
    assert_eq!(place.world.cell_of(other), Some(s));
    // None: he waits, and the other can see why and where to go.
    let mut place = Place::new(&["A.S..B", "##.###"]);
    let [a, s, b] = ['A', 'S', 'B'].map(|letter| place.mark(letter));
    let (me, other) = (place.soldier("ann", a, "red"), place.soldier("bob", s, "red"));
    let past = place.go(me, b, "walk");
    place.steps(2 * place.world.rules.walk + 1);
    let (ann, bob) = (place.world.actor(me).unwrap(), place.world.actor(other).unwrap());
    assert_eq!(place.world.waiting_for(bob).map(|it| it.handle), Some(me));
    let aside = place.world.aside(bob, ann).unwrap();
    assert_eq!(aside, Cell::new(2, 1));
    place.go(other, aside, "walk");
    let (end, steps) = place.end_of(past);
    assert_eq!(end, "done");
    assert!(steps <= 4 * place.world.rules.walk + 2, "{steps}");
    assert_eq!(place.world.cell_of(other), Some(aside));
    // Who does not step aside is squeezed past.
    let mut place = Place::new(&["A.S..B"]);
    let [a, s, b] = ['A', 'S', 'B'].map(|letter| place.mark(letter));
    let (me, other) = (place.soldier("ann", a, "red"), place.soldier("bob", s, "red"));
    let past = place.go(me, b, "walk");
    assert_eq!(place.end_of(past).0, "done");
    assert_eq!(place.world.cell_of(other), Some(Cell::new(1, 0)));
}

#[test]
fn who_goes_where_another_stands_stops_beside_him_and_a_node_is_taken() {
    let mut place = Place::new(&["A...B"]);
    let (a, b) = (place.mark('A'), place.mark('B'));
    let (me, _) = (place.soldier("ann", a, "red"), place.soldier("bob", b, "blue"));
    let go = place.go(me, b, "run");
    assert_eq!(place.end_of(go).0, "done");
    assert_eq!(place.world.cell_of(me), Some(Cell::new(3, 0)));
}

#[test]
fn who_comes_where_another_is_stands_beside_him() {
    let mut place = Place::new(&["A..", "#.."]);
    let a = place.mark('A');
    for number in 0..5 {
        place.soldier(&format!("actor{number}"), a, "red");
    }
    check_alone(&place, "five at one mark");
    let (first, last) = (EntityId(1), EntityId(5));
    assert_eq!(place.world.cell_of(first), Some(a));
    assert!(place.world.place(last, a), "he is put as near as there is room");
    check_alone(&place, "put elsewhere");
}
