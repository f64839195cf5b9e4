//! Sensors for places: `nodes` and `things`.
//!
//! In:   what is near.
//! Out:  `node{node, position, knowledge, index}`, surer the nearer, and
//!       `thing{node, knowledge, position, object, stimulus}`.
//! Cost: both sort what is near: heavy. Each clears what it wrote before and does not find again.

use super::facts::{enemy, forget_first, my_cell};
use crate::cell::Cell;
use crate::thing::{Thing, ThingKind};
use crate::world::World;
use throng_mind::fact::{Attribute, FactDraft};
use throng_mind::memory::FactRef;
use throng_mind::{Sensing, Work};

/// How far nodes and things are known, in cells.
const REACH: f32 = 40.0;
/// So many of the nearest are remembered: memory has room for other facts too.
const MOST_NODES: usize = 8;
const MOST_THINGS: usize = 10;

/// Nodes to go to: those that are there, that no other has taken or stands in, and whose radius,
/// if they have one, contains the enemy to care about: without an enemy they are of no use. All of
/// the nearest has the confidence 1, of the farthest 0; it is written first, so that in a full
/// memory the far ones make room for the near ones.
pub(super) fn nodes(sensing: &mut Sensing<'_, World>) -> Work {
    let (world, me) = (sensing.world, sensing.me);
    let Some(from) = my_cell(world, me) else { return Work::Light };
    let stands_there =
        |cell| world.actors().nearest(cell, 0.0).iter().any(|actor| actor.handle != me);
    let mut near = world.nodes_near(me, from, REACH);
    let target = enemy(sensing.memory(), world, from.place());
    let target = target.and_then(|fact| fact.position(Attribute::Position)).map(Cell::of);
    near.retain(|node| {
        let contains =
            |radius| target.is_some_and(|to| node.cell.distance(to) <= f32::from(radius));
        !stands_there(node.cell) && node.radius.is_none_or(contains)
    });
    near.truncate(MOST_NODES);
    let distance = |at: Option<&&crate::node::Node>| at.map_or(0.0, |n| from.distance(n.cell));
    let (nearest, farthest) = (distance(near.first()), distance(near.last()));
    for (rank, node) in near.iter().enumerate().rev() {
        let beyond = from.distance(node.cell) - nearest;
        let sure = if farthest > nearest { 1.0 - beyond / (farthest - nearest) } else { 1.0 };
        let draft = FactDraft::new(world.words.node)
            .with(Attribute::Node, node.name, sure)
            .with(Attribute::Position, node.cell.place(), sure)
            .with(Attribute::Knowledge, node.kind, sure)
            .with(Attribute::Index, rank as f32, sure);
        sensing.remember_one(draft, &[Attribute::Node]);
    }
    sensing.forget_the_rest();
    Work::Heavy
}

/// Things that no actor holds, and the state they are in.
pub(super) fn things(sensing: &mut Sensing<'_, World>) -> Work {
    let world = sensing.world;
    let Some(from) = my_cell(world, sensing.me) else { return Work::Light };
    for thing in world.things().nearest(from, REACH).into_iter().take(MOST_THINGS) {
        let id = sensing.remember_one(thing_as_fact(world, thing), &[Attribute::Node]);
        let is_double =
            |fact: &FactRef<'_>| fact.id() != id && fact.word(Attribute::Node) == Some(thing.name);
        // What he knew of it from a look is older than this.
        forget_first(sensing, world.words.thing, is_double);
    }
    sensing.forget_the_rest();
    Work::Heavy
}

/// A thing and its state, as one who sees it remembers them.
pub(super) fn thing_as_fact(world: &World, thing: &Thing) -> FactDraft {
    FactDraft::new(world.words.thing)
        .with(Attribute::Node, thing.name, 1.0)
        .with(Attribute::Knowledge, thing.state(), 1.0)
        .with(Attribute::Position, thing.cell.place(), 1.0)
        .with(Attribute::Object, thing.handle, 1.0)
        .with(Attribute::Stimulus, sort(world, thing.kind), 1.0)
}

fn sort(world: &World, kind: ThingKind) -> throng_mind::words::Word {
    let words = &world.words;
    match kind {
        ThingKind::Door => words.door,
        ThingKind::Window => words.window,
        ThingKind::Ladder => words.ladder,
        ThingKind::Item => words.item,
        ThingKind::Vehicle => words.vehicle,
        ThingKind::Device => words.device,
    }
}
