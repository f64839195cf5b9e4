//! What sensors ask: read-only.
//!
//! In:   an actor, a cell, a name.
//! Out:  who and what is there, near, dangerous.
//! Cost: said with each; paths and lines of sight are the heavy ones.

use crate::actor::Actor;
use crate::cell::Cell;
use crate::node::Node;
use crate::thing::{Need, Thing};
use crate::world::World;
use throng_mind::fact::Handle;
use throng_mind::words::Word;

impl World {
    /// An actor by name.
    pub fn actor_named(&self, name: Word) -> Option<&Actor> {
        self.actors.iter().find(|actor| actor.name == name)
    }

    /// A thing by name.
    pub fn thing_named(&self, name: Word) -> Option<&Thing> {
        self.things.iter().find(|thing| thing.name == name)
    }

    /// A node by name, whether it exists now or not.
    pub fn node_named(&self, name: Word) -> Option<&Node> {
        self.nodes.iter().find(|node| node.name == name)
    }

    /// Where an actor, thing or grenade is.
    pub fn cell_of(&self, handle: Handle) -> Option<Cell> {
        let actor = self.actor(handle).map(|actor| actor.cell);
        let thing = || self.thing(handle).map(|thing| thing.cell);
        let grenade = || self.grenade(handle).map(|grenade| grenade.cell);
        actor.or_else(thing).or_else(grenade)
    }

    /// Whether all needs hold.
    pub fn are_met(&self, needs: &[Need]) -> bool {
        let met = |need: &Need| self.thing(need.thing).is_some_and(|it| it.state() == need.state);
        needs.iter().all(met)
    }

    /// Whether a node exists now.
    pub fn exists(&self, node: &Node) -> bool {
        self.are_met(&node.needs)
    }

    /// Nodes that exist now and that nobody else has taken, at most so far away, the nearest
    /// first, then by name. Sorts all that are near.
    pub fn nodes_near(&self, me: Handle, from: Cell, reach: f32) -> Vec<&Node> {
        let _ = (me, from, reach);
        Vec::new()
    }

    /// The node or thing that somebody in this cell stands at: a node of this cell, else a thing
    /// of it, else a thing beside it; the first by name. Held things do not count.
    pub fn stands_at(&self, cell: Cell) -> Option<Word> {
        let _ = cell;
        None
    }

    /// Everybody alive of other sides, by number.
    pub fn enemies_of(&self, me: &Actor) -> impl Iterator<Item = &Actor> {
        let me = me.clone();
        self.actors.iter().filter(move |other| other.alive && other.is_enemy_of(&me))
    }

    /// Enemies that have this actor in their sights, by number.
    pub fn aiming_at(&self, me: Handle) -> impl Iterator<Item = &Actor> {
        self.actors.iter().filter(move |other| other.alive && other.aims_at == Some(me))
    }

    /// Whether a grenade that lies there now would harm somebody in this cell.
    pub fn is_danger(&self, cell: Cell) -> bool {
        let _ = cell;
        false
    }

    /// The nearest cell that can be walked to and that no grenade reaches, at most `reach` steps
    /// away; ties in reading order.
    pub fn nearest_safe(&self, from: Cell, reach: u32) -> Option<Cell> {
        let _ = (from, reach);
        None
    }
}
