//! Worlds that were saved come back as they were, whatever they are made of.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::place::{Place, cells};

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
