//! Worlds that were saved come back as they were, whatever they are made of.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::place::{Place, cells};
use throng_mind::pack::{Packer, Unpacker};
use throng_world::world::World;

fn saved(world: &World) -> Vec<u8> {
    let mut to = Packer::default();
    world.save(&mut to);
    to.bytes
}

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
    let bytes = saved(&live.world);
    assert!(bytes.len() < 500, "{} bytes: this would prove nothing", bytes.len());
    let mut from = Unpacker::new(&bytes);
    fresh.world.restore(&mut from).unwrap();
    from.finish().unwrap();
    assert!(saved(&fresh.world) == bytes);
    // Another number of nodes is another world.
    assert!(room(499).world.restore(&mut Unpacker::new(&bytes)).is_err());
}
