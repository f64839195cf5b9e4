//! What sensors ask: read-only.
//!
//! In:   an actor, a cell, a name.
//! Out:  who and what is there, near, dangerous.
//! Cost: what is near, unless said otherwise; paths and lines of sight are the heavy ones.

use crate::actor::Actor;
use crate::cell::Cell;
use crate::node::Node;
use crate::thing::{Need, Thing};
use crate::world::World;
use throng_mind::fact::EntityId;
use throng_mind::words::Word;

impl World {
    /// An actor by name.
    pub fn actor_named(&self, name: Word) -> Option<&Actor> {
        self.actor_names.get(&name).map(|&index| &self.actors[index])
    }

    /// A thing by name.
    pub fn thing_named(&self, name: Word) -> Option<&Thing> {
        self.thing_names.get(&name).map(|&index| &self.things[index])
    }

    /// A node by name, whether it exists now or not.
    pub fn node_named(&self, name: Word) -> Option<&Node> {
        self.node_names.get(&name).map(|&index| &self.nodes[index])
    }

    /// Where an actor, thing or grenade is.
    pub fn cell_of(&self, handle: EntityId) -> Option<Cell> {
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
    /// first, then by name.
    pub fn nodes_near(&self, me: EntityId, from: Cell, reach: f32) -> Vec<&Node> {
        let is_free = |node: &&Node| node.taken_by.is_none_or(|by| by == me) && self.exists(node);
        let near = self.nodes_near.around(from, whole(reach)).map(|index| &self.nodes[index]);
        sorted(near.filter(is_free), from, reach, |node| (node.cell, &node.text))
    }

    /// Things that nobody holds, at most so far away, the nearest first, then by name.
    pub fn things_near(&self, from: Cell, reach: f32) -> Vec<&Thing> {
        let near = self.things_near.around(from, whole(reach)).map(|index| &self.things[index]);
        sorted(near, from, reach, |thing| (thing.cell, &thing.text))
    }

    /// Everybody alive, at most so far away, the nearest first, then by name.
    pub fn actors_near(&self, from: Cell, reach: f32) -> Vec<&Actor> {
        let near = self.actors_near.around(from, whole(reach)).map(|index| &self.actors[index]);
        sorted(near, from, reach, |actor| (actor.cell, &actor.text))
    }

    /// The node or thing that somebody in this cell stands at: a node of this cell that exists,
    /// else a thing of it, else a thing in one of the eight cells around; the first by name. What
    /// is held does not count.
    pub fn stands_at(&self, cell: Cell) -> Option<Word> {
        let nodes = self.nodes_near.around(cell, 0).map(|index| &self.nodes[index]);
        let here = nodes.filter(|node| node.cell == cell && self.exists(node));
        let node = here.min_by(|a, b| a.text.cmp(&b.text)).map(|node| node.name);
        let thing = || {
            let things = self.things_near.around(cell, 1).map(|index| &self.things[index]);
            let beside = things.filter(|thing| thing.cell.is_beside(cell));
            let first = beside.min_by_key(|thing| (thing.cell != cell, &thing.text));
            first.map(|thing| thing.name)
        };
        node.or_else(thing)
    }

    /// Everybody alive of other sides, by number. Walks all actors.
    pub fn enemies_of<'w>(&'w self, me: &'w Actor) -> impl Iterator<Item = &'w Actor> {
        self.actors.iter().filter(move |other| other.alive && other.is_enemy_of(me))
    }

    /// Who has this actor in his sights, by number.
    pub fn aiming_at(&self, me: EntityId) -> impl Iterator<Item = &Actor> {
        let aims = self.aims.range((me, EntityId(0))..=(me, EntityId(u64::MAX)));
        aims.filter_map(|&(_, by)| self.actor(by))
    }

    /// Whether a grenade that lies there now would harm somebody in this cell.
    pub fn is_danger(&self, cell: Cell) -> bool {
        self.grenades.iter().any(|grenade| self.reaches(grenade.cell, grenade.radius, cell))
    }

    /// The nearest cell that can be walked to through open doors and that none of these dangers
    /// reaches, each a cell and a radius, at most `reach` steps away; of several the first in
    /// reading order. Floods outwards until it finds one.
    pub fn nearest_safe(&self, from: Cell, reach: u32, dangers: &[(Cell, u16)]) -> Option<Cell> {
        let is_danger = |cell: Cell| dangers.iter().any(|&(at, r)| self.reaches(at, r, cell));
        let mut visited = vec![false; self.opaque.len()];
        let mut ring = vec![from];
        for _ in 0..=reach {
            let safe = ring.iter().filter(|&&cell| !is_danger(cell));
            if let Some(&cell) = safe.min_by_key(|cell| (cell.y, cell.x)) {
                return Some(cell);
            }
            let mut next = Vec::new();
            for cell in ring.iter().flat_map(|cell| cell.neighbours()) {
                let Some(index) = self.grid.index(cell) else { continue };
                if !self.opaque[index] && !self.is_window(cell) && !visited[index] {
                    visited[index] = true;
                    next.push(cell);
                }
            }
            if next.is_empty() {
                return None;
            }
            ring = next;
        }
        None
    }
}

/// A radius in whole cells that covers this one.
fn whole(reach: f32) -> u16 {
    // The cast saturates, and turns what is no number into zero.
    reach.ceil() as u16
}

/// Those within reach, by distance and name.
fn sorted<'w, T>(
    items: impl Iterator<Item = &'w T>,
    from: Cell,
    reach: f32,
    told: impl Fn(&'w T) -> (Cell, &'w String),
) -> Vec<&'w T> {
    let squared = |item: &'w T| from.distance_squared(told(item).0);
    let mut near: Vec<&T> = items.filter(|item| from.distance(told(item).0) <= reach).collect();
    near.sort_unstable_by_key(|item| (squared(item), told(item).1));
    near
}
