//! Whatever is ordered, every order ends exactly once, and never after it was cancelled; and the
//! same orders lead to the same world.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

use crate::place::{Place, cells, cover, needs, thing};
use std::collections::{BTreeMap, BTreeSet};
use throng_base::SplitMix;
use throng_mind::fact::EntityId;
use throng_mind::orders::{Message, Order, OrderId, Stimulus};
use throng_mind::words::Word;
use throng_world::build::{ActorDraft, Facing, NodeDraft, ThingDraft};
use throng_world::cell::Cell;
use throng_world::thing::ThingKind;
use throng_world::world::World;

/// A place with a bit of everything.
fn anything(dice: &mut SplitMix) -> (Place, Vec<EntityId>) {
    let mut place = Place::random(dice, 15, 10, 18);
    let all = cells(&place.world);
    let mut floor: Vec<Cell> =
        all.into_iter().filter(|&cell| !place.world.grid().is_wall(cell)).collect();
    let mut spot = |dice: &mut SplitMix| floor.swap_remove(dice.below(floor.len()));
    let kinds = [
        (ThingKind::Door, ["shut", "open"]),
        (ThingKind::Door, ["open", "closed"]),
        (ThingKind::Window, ["whole", "broken"]),
        (ThingKind::Ladder, ["up", "down"]),
        (ThingKind::Item, ["lying", "taken"]),
        (ThingKind::Vehicle, ["cold", "warm"]),
        (ThingKind::Device, ["off", "on"]),
    ];
    for number in 0..24 {
        let (kind, states) = kinds[number % kinds.len()];
        let (name, cell) = (format!("thing{number}"), spot(dice));
        let draft = thing(&name, cell, kind, &states);
        let needs = needs(if number > 20 { &[("thing6", "on")] } else { &[] });
        let draft = ThingDraft { needs, blocked: dice.percent(20), ..draft };
        // Every kind but the first few things may have a lock, and a wire from what was before.
        let keys = if number > 6 && dice.percent(15) { vec!["thing4".into()] } else { Vec::new() };
        let wire = |(from, when): (usize, &str)| {
            (format!("thing{from}"), when.to_string(), states[1].to_string())
        };
        let leads = [(6, "on"), (4, "taken"), (0, "open")].map(wire);
        let follows =
            if number > 6 { leads.into_iter().take(dice.below(4)).collect() } else { Vec::new() };
        let sort = if dice.percent(20) && kind == ThingKind::Device { "oven" } else { "" };
        let draft = ThingDraft { keys, follows, sort: sort.into(), ..draft };
        place.world.add_thing(&draft, &mut place.words).unwrap();
    }
    for number in 0..6 {
        let needs: &[_] = if number > 3 { &[("thing6", "on")] } else { &[] };
        let faces = Facing { towards: *dice.pick(&[(0, 1), (1, -1), (-1, 0)]), degrees: 120 };
        let faces = dice.percent(50).then_some(faces);
        let node = NodeDraft { faces, ..cover(&format!("node{number}"), spot(dice), needs) };
        place.world.add_node(&node, &mut place.words).unwrap();
    }
    let rules = &mut place.world.rules;
    (rules.seed, rules.sees_all) = (dice.number(), dice.percent(50));
    rules.accuracy = dice.percent(50).then_some(0.7);
    rules.bodies_pass = dice.percent(20);
    // People last: the dead refuse everything, which is soon tested.
    place.world.rules.blast_damage = 50;
    place.world.rules.shot_damage = 10;
    let sides = ["red", "blue", ""];
    let mut people = Vec::new();
    for number in 0..12 {
        let (cell, side) = (spot(dice), sides[number % 3]);
        let name = format!("actor{number}");
        people.push(match number % 4 {
            0 => place.player(&name, cell, side),
            3 => {
                let (side, weapon) = (side.to_string(), Some("gun".to_string()));
                let spare = dice.percent(50).then_some(9);
                let (owns, carries) = (vec!["thing5".into()], vec!["thing11".into()]);
                let draft = ActorDraft {
                    npc: Some(0),
                    side,
                    weapon,
                    spare,
                    ..ActorDraft::new(&name, cell)
                };
                let draft = ActorDraft { owns, carries, rounds: 3, grenades: 2, ..draft };
                place.world.add_actor(&draft, &mut place.words).unwrap()
            }
            _ => place.soldier(&name, cell, side),
        });
    }
    (place, people)
}

fn any_order(dice: &mut SplitMix, place: &mut Place, me: EntityId) -> Order {
    let beside = place.world.cell_of(me).map(|cell| place.world.things().nearest(cell, 1.5));
    let beside: Vec<EntityId> = beside.into_iter().flatten().map(|thing| thing.handle).collect();
    let held = place.world.actor(me).and_then(|me| me.on);
    let words = [
        "walk", "run", "sneak", "dive", "draw", "holster", "reload", "fire", "melee", "throw",
        "drop", "open", "shut", "kick", "pick_up", "mount", "dismount", "climb", "descend",
        "crouch", "stand", "avoid", "wait", "on", "off", "sing", "node1", "node5", "thing3",
    ];
    let mut word = |dice: &mut SplitMix, from: &[&str]| {
        let text = *dice.pick(from);
        if dice.percent(2) { Word::NONE } else { place.word(text) }
    };
    let handle = |dice: &mut SplitMix| EntityId(dice.number() % 50);
    let maybe = |dice: &mut SplitMix| (!dice.percent(15)).then(|| handle(dice));
    let spot = |dice: &mut SplitMix| match dice.below(30) {
        0 => [f32::NAN, f32::INFINITY, -1e30],
        _ => [dice.below(17) as f32 - 1.0, dice.below(12) as f32 - 1.0, 0.0],
    };
    match dice.below(12) {
        0..=3 => Order::Move {
            to: spot(dice),
            node: word(dice, &["node0", "node1", "node4", "nowhere"]),
            manner: word(dice, &words[..4]),
        },
        4..=5 => {
            let to = dice.percent(30).then(|| spot(dice));
            Order::Weapon { what: word(dice, &words[4..12]), at: maybe(dice), to }
        }
        6 => Order::Animate { what: word(dice, &words), ticks: dice.below(12) as u32 },
        7 => Order::Target { at: maybe(dice) },
        8 => Order::Use { what: word(dice, &words[11..26]), on: handle(dice) },
        10 if !beside.is_empty() => {
            Order::Use { what: word(dice, &words[11..26]), on: *dice.pick(&beside) }
        }
        10 if held.is_some() => Order::Use {
            what: word(dice, &["mount", "dismount", "on"]),
            on: held.unwrap_or_default(),
        },
        9 => {
            let what = word(dice, &words);
            let on = if dice.percent(50) { maybe(dice) } else { None };
            let (name, place) = (word(dice, &words[20..]), spot(dice));
            Order::Other { what, on, name, place, amount: place[0] }
        }
        // One of the last few, often of somebody else.
        _ => Order::Cancel(OrderId(place.last_order.saturating_sub(dice.below(12) as u32))),
    }
}

/// What the script does now and then.
fn meddle(dice: &mut SplitMix, place: &mut Place, people: &[EntityId]) {
    let (who, at) = (*dice.pick(people), *dice.pick(people));
    let cell = Cell::new(dice.below(17) as i16 - 1, dice.below(12) as i16 - 1);
    let thing = EntityId(dice.number() % 30);
    let &state = dice.pick(&["shut", "open", "on", "off", "lying"]);
    let state = place.word(state);
    match dice.below(10) {
        9 => {
            let stimulus =
                Stimulus { radius: 7.0, source: Some(who), ..Stimulus::new(state, cell.place()) };
            place.order(who, Order::Emit(stimulus));
        }
        0 => drop(place.world.place(who, cell)),
        1 => drop(place.world.set_state(thing, state)),
        2 => drop(place.world.set_blocked(thing, dice.percent(50))),
        3 => drop(place.world.disarm(who)),
        4 => drop(place.world.aim(who, Some(at))),
        5 => drop(place.world.shoot(who, at)),
        6 => drop(place.world.drop_grenade(cell, Some(who))),
        7 => place.world.announce(who, state),
        _ => place.world.make_noise(cell, 9, state, Some(who)),
    }
}

/// What is kept twice for speed says the same twice.
fn check_books(world: &World) {
    let sorted = |mut handles: Vec<EntityId>| {
        handles.sort_unstable();
        handles
    };
    let corner = Cell::new(0, 0);
    let near = world.actors().nearest(corner, 99.0).iter().map(|actor| actor.handle).collect();
    let alive = world.actors().iter().filter(|actor| actor.alive);
    assert_eq!(sorted(near), alive.map(|actor| actor.handle).collect::<Vec<_>>());
    let near = world.things().nearest(corner, 99.0).iter().map(|thing| thing.handle).collect();
    let lying = world.things().iter().filter(|thing| thing.held_by.is_none());
    assert_eq!(sorted(near), lying.map(|thing| thing.handle).collect::<Vec<_>>());
    for actor in world.actors().iter() {
        let aiming: Vec<EntityId> =
            world.actors().aiming_at(actor.handle).map(|by| by.handle).collect();
        let all = world.actors().iter().filter(|by| by.aims_at == Some(actor.handle));
        assert_eq!(aiming, all.map(|by| by.handle).collect::<Vec<_>>());
        assert!(!world.grid().is_wall(actor.cell));
        assert!(actor.alive || !actor.is_busy(), "the dead do nothing");
        if let Some(node) = actor.holds_node {
            assert_eq!(world.nodes()[node].taken_by, Some(actor.handle));
        }
        for &held in actor.carries.iter().chain(&actor.on) {
            let thing = world.thing(held).expect("a thing");
            assert_eq!(thing.cell, actor.cell);
        }
    }
    let living = || world.actors().iter().filter(|actor| actor.alive);
    let cells_taken: BTreeSet<Cell> = living().map(|actor| actor.cell).collect();
    assert!(world.rules.bodies_pass || cells_taken.len() == living().count(), "two in one cell");
    let dead = world.actors().iter().filter(|actor| !actor.alive).map(|actor| actor.handle);
    let fallen: Vec<EntityId> = world.actors().fallen().map(|actor| actor.handle).collect();
    assert_eq!(fallen, dead.collect::<Vec<_>>());
    for node in world.nodes().iter() {
        let by = node.taken_by.map(|by| world.actor(by).expect("an actor"));
        assert!(by.is_none_or(|by| by.alive && by.holds_node.is_some()));
    }
    for cell in cells(world) {
        let shut = world.things().iter().any(|thing| thing.cell == cell && thing.is_shut_door());
        assert_eq!(world.is_opaque(cell), shut || world.grid().is_wall(cell));
    }
}

/// How often orders have ended in which way, and the digests on the way.
#[derive(Default, PartialEq, Debug)]
struct Tally {
    done: usize,
    failed: BTreeMap<String, usize>,
    cancelled: usize,
    digests: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Standing {
    Open,
    Ended,
    Cancelled,
}

fn live(seed: u64, tally: &mut Tally) {
    let mut dice = SplitMix::new(seed);
    let (mut place, people) = anything(&mut dice);
    let mut standing: BTreeMap<(EntityId, OrderId), Standing> = BTreeMap::new();
    for tick in 0..300 {
        // The last part is for the ends: a wait of 25 seconds is the longest there is.
        let is_over = tick >= 200;
        for _ in 0..if is_over { 0 } else { dice.below(5) } {
            let me = if dice.percent(3) { EntityId(777) } else { *dice.pick(&people) };
            let order = any_order(&mut dice, &mut place, me);
            let me = match order {
                // Mostly by who gave it.
                Order::Cancel(id) if dice.percent(80) => {
                    let given = standing.keys().find(|(_, known)| *known == id);
                    given.map_or(me, |&(giver, _)| giver)
                }
                _ => me,
            };
            let id = place.order(me, order);
            match order {
                Order::Cancel(cancelled) => {
                    let known = standing.get_mut(&(me, cancelled));
                    if let Some(known) = known.filter(|it| **it == Standing::Open && me.0 != 777) {
                        *known = Standing::Cancelled;
                        tally.cancelled += 1;
                    }
                }
                _ => drop(standing.insert((me, id), Standing::Open)),
            }
        }
        if !is_over && dice.percent(10) {
            meddle(&mut dice, &mut place, &people);
        }
        place.world.step();
        if tick % 10 == 0 {
            tally.digests.push(place.world.digest());
            check_books(&place.world);
        }
        let reports: Vec<_> = place.world.reports().collect();
        for (me, message) in reports {
            let id = match message {
                Message::Done(id) => {
                    tally.done += 1;
                    id
                }
                Message::Failed(id, why) => {
                    *tally.failed.entry(place.words.text(why).to_string()).or_default() += 1;
                    id
                }
                _ => continue,
            };
            let known = standing.get_mut(&(me, id)).expect("an order that was given");
            assert_eq!(*known, Standing::Open, "seed {seed}, tick {tick}, {me:?} {id:?}");
            *known = Standing::Ended;
        }
    }
    for _ in 0..200 {
        place.world.step();
    }
    let rest: Vec<_> = place.world.reports().collect();
    for (me, message) in rest {
        if let Message::Done(id) | Message::Failed(id, _) = message {
            let known = standing.get_mut(&(me, id)).expect("an order that was given");
            assert_eq!(*known, Standing::Open, "seed {seed}, at the end, {me:?} {id:?}");
            *known = Standing::Ended;
        }
    }
    let open = standing.iter().find(|(_, it)| **it == Standing::Open);
    assert_eq!(open, None, "seed {seed}");
    assert!(place.world.actors().iter().all(|actor| !actor.is_busy()));
    tally.digests.push(place.world.digest());
}

#[test]
fn every_order_ends_exactly_once_and_never_after_its_cancel() {
    let mut tally = Tally::default();
    (0..60).for_each(|seed| live(seed, &mut tally));
    let Tally { done, failed, cancelled, .. } = tally;
    assert!(done > 1_000 && cancelled > 100, "{done} {cancelled}");
    let reasons = [
        "blocked", "dead", "empty", "gone", "held", "needs", "no_line", "no_path", "replaced",
        "taken", "too_far", "unarmed", "unknown",
    ];
    for why in reasons {
        assert!(failed.contains_key(why), "{why} never happened: {failed:?}");
    }
}

#[test]
fn the_same_orders_lead_to_the_same_world_and_others_do_not() {
    let run = |seed| {
        let mut tally = Tally::default();
        live(seed, &mut tally);
        tally
    };
    for seed in 100..110 {
        assert_eq!(run(seed), run(seed));
        assert_ne!(run(seed).digests, run(seed + 1).digests);
    }
}
