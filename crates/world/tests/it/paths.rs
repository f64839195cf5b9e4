//! Ways are the cheapest there are: beside a search without any cleverness.

use crate::place::{Place, cells};
use std::collections::VecDeque;
use throng_base::SplitMix;
use throng_mind::fact::EntityId;
use throng_mind::orders::Order;
use throng_world::cell::Cell;
use throng_world::paths::{Manner, plain};
use throng_world::thing::ThingKind;
use throng_world::world::World;

/// Steps from one cell to another over floor: the plain breadth-first search.
fn breadth_first(world: &World, from: Cell, to: Cell) -> Option<u32> {
    let mut found = vec![None; world.grid().width() as usize * world.grid().height() as usize];
    let at = |cell| world.grid().index(cell).filter(|_| !world.grid().is_wall(cell));
    let mut queue = VecDeque::from([(from, 0)]);
    found[at(from)?] = Some(0);
    while let Some((cell, steps)) = queue.pop_front() {
        for next in cell.neighbours() {
            if let Some(index) = at(next)
                && found[index].is_none()
            {
                found[index] = Some(steps + 1);
                queue.push_back((next, steps + 1));
            }
        }
    }
    found[at(to)?]
}

#[test]
fn ways_over_floor_are_as_short_as_breadth_first_finds() {
    let mut dice = SplitMix::new(2);
    let (mut found, mut none) = (0, 0);
    for map in 0..60 {
        let place = Place::random(&mut dice, 24, 16, 20 + map % 20);
        let floor: Vec<Cell> = cells(&place.world)
            .into_iter()
            .filter(|&cell| !place.world.grid().is_wall(cell))
            .collect();
        for _ in 0..30 {
            let (from, to) = (*dice.pick(&floor), *dice.pick(&floor));
            let path = place.world.path(from, to, Manner::Walk, &[], &plain);
            let expected = breadth_first(&place.world, from, to);
            assert_eq!(path.as_ref().map(|path| path.cost), expected, "{from:?} {to:?}");
            let Some(path) = path else {
                none += 1;
                continue;
            };
            found += 1;
            assert_eq!(path.cells.len() as u32, path.cost);
            assert_eq!(path.cells.last().copied().unwrap_or(from), to);
            let mut last = from;
            for cell in path.cells {
                assert!(last.steps(cell) == 1 && !place.world.grid().is_wall(cell));
                last = cell;
            }
        }
    }
    assert!(found > 500 && none > 100, "{found} {none}");
}

/// The cost of the cheapest way by relaxing every cell until nothing changes.
fn relaxed(
    world: &World,
    from: Cell,
    to: Cell,
    manner: Manner,
    avoid: &[EntityId],
    besides: &dyn Fn(Cell) -> u32,
) -> Option<u32> {
    let price = |cell: Cell| {
        let link = world.things().iter().find(|thing| thing.kind.is_link() && thing.cell == cell);
        let more = match link {
            _ if world.grid().is_wall(cell) => return None,
            None => 0,
            Some(link) if avoid.contains(&link.handle) => return None,
            Some(link) if link.kind == ThingKind::Window && manner != Manner::Dive => return None,
            Some(link) if link.kind == ThingKind::Window => world.rules.window_cost,
            Some(link) if link.is_shut_door() => world.rules.door_cost,
            Some(_) => 0,
        };
        Some(1 + more + besides(cell))
    };
    let all = cells(world);
    let mut best = vec![u32::MAX; all.len()];
    best[world.grid().index(from)?] = 0;
    loop {
        let mut changed = false;
        for &cell in &all {
            let so_far = best[world.grid().index(cell)?];
            for next in cell.neighbours().into_iter().filter(|_| so_far != u32::MAX) {
                let Some(index) = world.grid().index(next) else { continue };
                if let Some(price) = price(next)
                    && so_far + price < best[index]
                {
                    best[index] = so_far + price;
                    changed = true;
                }
            }
        }
        if !changed {
            return Some(best[world.grid().index(to)?]).filter(|&cost| cost != u32::MAX);
        }
    }
}

#[test]
fn ways_with_doors_windows_avoided_links_and_costs_are_the_cheapest() {
    let mut dice = SplitMix::new(3);
    let (mut found, mut with_link) = (0, 0);
    for _ in 0..150 {
        let mut place = Place::random(&mut dice, 16, 12, 30);
        let mut floor: Vec<Cell> = cells(&place.world)
            .into_iter()
            .filter(|&cell| !place.world.grid().is_wall(cell))
            .collect();
        let mut links = Vec::new();
        for number in 0..20 {
            let cell = floor.swap_remove(dice.below(floor.len()));
            let (kind, states) = match dice.below(3) {
                0 => (ThingKind::Window, ["whole", "broken"]),
                1 => (ThingKind::Door, ["open", "shut"]),
                _ => (ThingKind::Door, ["shut", "open"]),
            };
            links.push(place.thing(&format!("link{number}"), cell, kind, &states));
        }
        let avoid: Vec<EntityId> = links.into_iter().filter(|_| dice.percent(20)).collect();
        let besides = |cell: Cell| (cell.x as u32 * 7 + cell.y as u32 * 3) % 5;
        let manner = *dice.pick(&[Manner::Walk, Manner::Dive]);
        let (from, to) = (*dice.pick(&floor), *dice.pick(&floor));
        let path = place.world.path(from, to, manner, &avoid, &besides);
        let expected = relaxed(&place.world, from, to, manner, &avoid, &besides);
        assert_eq!(path.as_ref().map(|path| path.cost), expected);
        found += usize::from(path.is_some());
        with_link += usize::from(path.is_some_and(|path| path.first_link.is_some()));
    }
    assert!(found > 30 && with_link > 10, "{found} {with_link}");
}

#[test]
fn a_way_to_where_nobody_can_stand_ends_beside_it() {
    let mut place = Place::new(&["A....D....B", "#####.#####", "........#.."]);
    let door = place.door("door", place.mark('D'));
    let path = place.world.path(place.mark('A'), place.mark('D'), Manner::Walk, &[], &plain);
    let path = path.unwrap();
    assert_eq!((path.cells.last(), path.first_link), (Some(&Cell::new(4, 0)), None));
    let far = place.world.path(place.mark('A'), place.mark('B'), Manner::Walk, &[], &plain);
    assert_eq!(far.unwrap().first_link, Some(door));
    let none = place.world.path(place.mark('A'), place.mark('B'), Manner::Walk, &[door], &plain);
    assert_eq!(none, None);
    let off = place.world.path(place.mark('A'), Cell::new(900, -900), Manner::Walk, &[], &plain);
    assert_eq!(off, None);
    let here = place.world.path(place.mark('A'), place.mark('A'), Manner::Walk, &[], &plain);
    assert_eq!(here.unwrap().cells, []);
}

#[test]
fn who_would_rather_not_be_seen_goes_round() {
    let mut place = Place::new(&["A.........B", ".#########.", "..........."]);
    place.soldier("eve", Cell::new(5, 0), "blue");
    // This is about her eyes, not about her body.
    place.world.rules.bodies_pass = true;
    let (a, b) = (place.mark('A'), place.mark('B'));
    let straight = place.world.path(a, b, Manner::Walk, &[], &plain).unwrap();
    assert_eq!(straight.cost, 10);
    let hidden =
        place.world.path(a, b, Manner::Walk, &[], &place.world.cost_of_view(&[Cell::new(5, 0)]));
    assert!(hidden.unwrap().cells.contains(&Cell::new(5, 2)));
    // The same by an order, but only of one who knows of her.
    let bob = place.soldier("bob", a, "red");
    let id = place.go(bob, b, "sneak");
    let mut high = false;
    for _ in 0..200 {
        place.world.step();
        high |= place.world.actor(bob).unwrap().cell == Cell::new(5, 0);
    }
    assert!(high);
    assert_eq!(place.end_of(id).0, "done");
    let me = place.soldier("ann", a, "red");
    let (what, name) = (place.word("avoid"), place.word("watched"));
    let told = Order::Other { what, on: None, name, place: Cell::new(5, 0).place(), amount: 0.0 };
    let id = place.order(me, told);
    assert_eq!(place.end_of(id).0, "done");
    let id = place.go(me, b, "sneak");
    let mut low = false;
    for _ in 0..200 {
        place.world.step();
        low |= place.world.actor(me).unwrap().cell == Cell::new(5, 2);
    }
    assert!(low);
    assert_eq!(place.end_of(id).0, "done");
}
