//! Worlds that were saved come back as they were, whatever they are made of.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::place::{Place, cells};
use throng_mind::fact::EntityId;
use throng_world::world::World;

/// A room of 21 by 25 with two soldiers and so many nodes.
fn room(n_nodes: usize) -> Place {
    let mut place = Place::new(&["....................."; 25]);
    let all = cells(&place.world);
    for (at, &cell) in all.iter().take(n_nodes).enumerate() {
        place.node(&format!("node {at}"), cell, &[]);
    }
    place.soldier("one", all[0], "red");
    place.soldier("two", all[9], "blue");
    place
}

#[test]
fn a_world_may_have_more_nodes_than_bytes_are_saved_of_it() {
    let (mut live, mut fresh) = (room(500), room(500));
    live.steps(3);
    let bytes = live.world.save();
    assert!(bytes.len() < 500, "{} bytes: this would prove nothing", bytes.len());
    fresh.world.restore(&bytes).unwrap();
    assert!(fresh.world.save() == bytes);
    let longer = [&bytes[..], &[0]].concat();
    assert!(fresh.world.restore(&longer).is_err());
    // What was saved before worlds said what they are is called that.
    let line = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let why = fresh.world.restore(&bytes[line..]).unwrap_err().to_string();
    assert!(why.contains("or one of before they said so"), "{why}");
    // Another number of nodes is another world.
    assert!(room(499).world.restore(&bytes).is_err());
}

#[test]
fn every_actor_thing_and_node_has_a_number_of_its_own() {
    let build = || {
        let mut place = room(3);
        let cell = cells(&place.world)[4];
        place.door("door", cell);
        place.node("last", cell, &[]);
        place
    };
    let numbers = |world: &World| -> Vec<(EntityId, String)> {
        let actors = world.actors().iter().map(|it| (it.handle, it.text.clone()));
        let things = world.things().iter().map(|it| (it.handle, it.text.clone()));
        let nodes = world.nodes().iter().map(|it| (it.handle, it.text.clone()));
        let mut all: Vec<_> = actors.chain(things).chain(nodes).collect();
        all.sort();
        all
    };
    let (mut live, mut fresh) = (build(), build());
    let before = numbers(&live.world);
    assert!(before.windows(2).all(|two| two[0].0 < two[1].0), "{before:?}");
    for (number, text) in &before {
        assert!(live.world.cell_of(*number).is_some(), "{text} is somewhere");
    }
    live.steps(3);
    fresh.world.restore(&live.world.save()).unwrap();
    assert_eq!(numbers(&fresh.world), before);
    let last = live.world.nodes().iter().find(|node| node.text == "last").unwrap();
    assert_eq!(live.world.spot_at(last.cell), Some((last.handle, last.name)));
    assert_eq!(live.world.node(last.handle).map(|node| node.name), Some(last.name));
}
