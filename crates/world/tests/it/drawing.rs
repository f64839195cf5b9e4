//! The world as text, and worlds that are refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::place::{Place, cover, needs, thing};
use std::collections::BTreeSet;
use throng_mind::time::Pace;
use throng_mind::words::Words;
use throng_world::build::{ActorDraft, MOST_ACTORS, ThingDraft};
use throng_world::cell::Cell;
use throng_world::draw::{part, signs};
use throng_world::error::WorldError;
use throng_world::thing::ThingKind;
use throng_world::world::World;

#[test]
fn everything_has_its_letter() {
    let rows = ["##D###E#F##W#", "#A.T.C.P..B.#", "#..G......H.#", "#############"];
    let mut place = Place::new(&rows);
    let marks = ['D', 'E', 'F', 'W', 'T', 'C', 'P'].map(|letter| place.mark(letter));
    let [shut, open, blocked, window, table, cover, pipe] = marks;
    place.door("shut", shut);
    place.thing("open", open, ThingKind::Door, &["open", "shut"]);
    let stuck = place.door("stuck", blocked);
    place.world.set_blocked(stuck, true);
    place.thing("window", window, ThingKind::Window, &["whole"]);
    place.thing("table", table, ThingKind::Device, &["upright"]);
    place.node("cover1", cover, &[]);
    place.thing("pipe", pipe, ThingKind::Item, &["lying"]);
    let [a, b, g, h] = ['A', 'B', 'G', 'H'].map(|letter| place.mark(letter));
    place.soldier("ann", a, "red");
    place.player("Bob", b, "blue");
    let dead = place.soldier("hal", h, "red");
    place.world.hurt(dead, 100, place.world.words.blow, None);
    place.world.drop_grenade(g, None);
    let drawn = ["##+###'#X##=#", "#A.t.c.!..b.#", "#..*......%.#", "#############"];
    assert_eq!(place.world.draw_as(&place.signs()), drawn);
    let legend = place.world.legend_as(&place.signs());
    assert_eq!(legend[..4], ["! pipe", "A ann", "b Bob", "t table"]);
    assert!(legend.iter().all(|line| line.chars().count() <= 80));
}

#[test]
fn of_a_wide_map_the_part_around_the_first_mind_is_drawn() {
    let row = ".".repeat(200);
    let mut place = Place::new(&[&row, &row]);
    place.soldier("ann", Cell::new(199, 1), "red");
    let drawn = place.world.draw_as(&place.signs());
    assert!(drawn.iter().all(|row| row.len() == 78));
    assert!(drawn[1].ends_with('A'));
}

#[test]
fn those_whose_letters_clash_have_signs_of_their_own() {
    let names = ["s1", "s2", "sam", "carl", "bob", "Xena", "t"];
    let actors = names.iter().map(|&name| (name, name != "carl" && name != "t"));
    let found = signs(actors, &BTreeSet::from(['t']));
    let sign = |name: &str| found[name];
    assert_eq!((sign("s1"), sign("s2"), sign("bob")), ('1', '2', 'B'));
    assert_eq!(sign("sam"), '3', "the next number that is free");
    // `c` is cover, `X` a blocked door, `t` a thing.
    assert_eq!((sign("carl"), sign("Xena"), sign("t")), ('4', '5', '6'));
    let many: Vec<String> = (1..=30).map(|n| format!("soldier{n}")).collect();
    let found = signs(many.iter().map(|name| (name.as_str(), true)), &BTreeSet::new());
    let distinct: BTreeSet<char> = found.values().copied().collect();
    assert_eq!(distinct.len(), 30, "{found:?}");
}

#[test]
fn a_part_of_a_map_has_the_cell_in_it() {
    let rows: Vec<String> = (0..9).map(|y| format!("{y}abcdefgh")).collect();
    assert_eq!(part(&rows, Cell::new(0, 0), 2, 2), ["0a", "1a"]);
    assert_eq!(part(&rows, Cell::new(8, 8), 2, 2), ["gh", "gh"]);
    assert_eq!(part(&rows, Cell::new(4, 4), 3, 1), ["cde"]);
    assert_eq!(part(&rows, Cell::new(4, 4), 99, 99), rows);
}

fn refused(rows: &[&str]) -> WorldError {
    World::new(rows, Pace { ticks_per_second: 10 }, &mut Words::default()).unwrap_err()
}

#[test]
fn maps_that_are_empty_too_large_or_unreadable_are_refused() {
    assert_eq!(refused(&[]), WorldError::MapSize { width: 0, height: 0 });
    let long = ".".repeat(201);
    assert_eq!(refused(&[&long]), WorldError::MapSize { width: 201, height: 1 });
    let high = vec!["."; 201];
    assert_eq!(refused(&high), WorldError::MapSize { width: 1, height: 201 });
    assert_eq!(refused(&["A.A"]), WorldError::MarkTwice('A'));
    assert_eq!(refused(&[".", "?"]), WorldError::Letter { letter: '?', cell: Cell::new(0, 1) });
}

#[test]
fn what_has_no_floor_no_name_of_its_own_or_no_room_is_refused() {
    let mut place = Place::new(&["A.#"]);
    let a = place.mark('A');
    place.door("door", a);
    let mut add = |draft: &ThingDraft| place.world.add_thing(draft, &mut place.words);
    let door = thing("door2", a, ThingKind::Door, &["shut"]);
    assert_eq!(add(&door), Err(WorldError::LinkTwice("door2".into())));
    let table = thing("door", Cell::new(1, 0), ThingKind::Device, &["upright"]);
    assert_eq!(add(&table), Err(WorldError::NameTwice("door".into())));
    let table = ThingDraft { name: "table".into(), states: Vec::new(), ..table };
    assert_eq!(add(&table), Err(WorldError::NoStates("table".into())));
    let needs = needs(&[("door", "ajar")]);
    let table = ThingDraft { states: vec!["upright".into()], needs, ..table };
    let missing = WorldError::NeedUnknown { of: "table".into(), missing: "ajar".into() };
    assert_eq!(add(&table), Err(missing));
    let node = place.world.add_node(&cover("node", Cell::new(2, 0), &[]), &mut place.words);
    assert_eq!(node, Err(WorldError::NoFloor("node".into())));
    // So many find room where nobody is in anybody's way.
    place.player("first", a, "");
    place.player("beside", a, "");
    let second = place.world.add_actor(&ActorDraft::new("second", a), &mut place.words);
    assert_eq!(second, Err(WorldError::NoRoom("second".into())));
    place.world.rules.bodies_pass = true;
    let mut add = |number: usize| {
        let name = format!("actor{number}");
        place.world.add_actor(&ActorDraft::new(&name, a), &mut place.words)
    };
    assert!((2..MOST_ACTORS).all(|number| add(number).is_ok()));
    assert_eq!(add(MOST_ACTORS), Err(WorldError::TooMany("actors")));
}
