//! A world as bytes and back.
//!
//! In:   a world between two steps; or bytes, not to be trusted, and a world as it was built.
//! Out:  bytes; or the world that goes on exactly as the other would have.
//! Cost: one pass; not for frames.
//!
//! The map, the rules, the words, nodes, and what things are come from the world that was built:
//! the story says them. Everything that changes is saved. What follows from it (who is near, who
//! aims at whom, who holds which node, what stops sight) is made anew. So that later code may rely
//! on it: cells are floor, handles rise and are nobody else's, who holds a thing is the one it is
//! held by, the dead do nothing.

mod actors;

use crate::actor::Actor;
use crate::build::MOST_ACTORS;
use crate::cell::Cell;
use crate::grenade::{Grenade, MOST_GRENADES};
use crate::near::Near;
use crate::noise::{MOST_NOISES, Noise};
use crate::thing::{Thing, ThingKind};
use crate::world::World;
use std::collections::{BTreeSet, HashMap};
use throng_base::checksum;
use throng_base::codec::{ByteFormat, DecodeError, Decoder, Encoder, ReadError};
use throng_base::codec_struct;
use throng_mind::fact::EntityId;
use throng_mind::words::Word;

/// What changes of a world.
const WORLD: ByteFormat =
    ByteFormat { kind: "world", name: "a saved world", version: 3, oldest: 3 };

codec_struct!(Cell { x, y });
codec_struct!(Grenade { handle, cell, fuse, radius, thrower });
codec_struct!(Noise { cell, radius, what, source, at });

impl World {
    /// All of it that changes, as bytes.
    pub fn save(&self) -> Vec<u8> {
        let mut to = WORLD.begin();
        self.encode(&mut to);
        to.bytes
    }

    /// Makes this world, which was built alike, what the saved one was.
    ///
    /// # Errors
    ///
    /// The bytes are no such world; then everything is as before.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        let (_, mut from) = WORLD.open(bytes)?;
        let world = self.restored(&mut from)?;
        from.finish()?;
        *self = world;
        Ok(())
    }

    /// One number for everything that it has come to: worlds with the same map, rules and words and
    /// with the same digest go on alike.
    pub fn digest(&self) -> u64 {
        let mut to = Encoder::default();
        self.encode(&mut to);
        checksum(0, &to.bytes)
    }

    /// Writes all of it that changes.
    pub(crate) fn encode(&self, to: &mut Encoder) {
        let World {
            words: _,
            rules: _,
            grid: _,
            now,
            actors,
            things,
            grenades,
            nodes,
            noises,
            reports,
            next_handle,
            next_command,
            // All of these follow from the others.
            active: _,
            aims: _,
            links: _,
            opaque: _,
            actors_near: _,
            things_near: _,
            nodes_near: _,
            actor_names: _,
            thing_names: _,
            node_names: _,
        } = self;
        to.write(now).write(next_handle).write(next_command);
        to.write(&nodes.len());
        to.number(things.len() as u64);
        things.iter().for_each(|thing| encode_thing(thing, to));
        to.write(actors).write(grenades).write(noises).write(reports);
    }

    /// What the saved world was, beside this one, which was built alike.
    pub(crate) fn restored(&self, from: &mut Decoder<'_>) -> Result<World, DecodeError> {
        let mut world = self.clone();
        world.read(from)?;
        Ok(world)
    }

    fn read(&mut self, from: &mut Decoder<'_>) -> Result<(), DecodeError> {
        self.now = from.counter()?;
        self.next_handle = from.long_counter()?;
        self.next_command = from.read()?;
        // Nothing of nodes follows, so their number is not held against the bytes that are left.
        if from.read::<usize>()? != self.nodes.len() || from.count()? != self.things.len() {
            return from.error("world of this story");
        }
        for at in 0..self.things.len() {
            self.read_thing(at, from)?;
        }
        let n_actors = from.below(MOST_ACTORS + 1, "number of actors")?;
        self.actors = from.items(n_actors, |from| self.read_actor(from))?;
        self.grenades = from.read()?;
        self.noises = from.read()?;
        self.reports = from.read()?;
        let sound = self.is_sound() && self.grenades_fit() && self.noises_fit();
        if !sound || !self.make_indexes() {
            return from.error("world in which all fits together");
        }
        Ok(())
    }

    fn read_thing(&mut self, index: usize, from: &mut Decoder<'_>) -> Result<(), DecodeError> {
        let cell = self.read_floor(from)?;
        let thing = &mut self.things[index];
        thing.at = from.below(thing.states.len(), "state of a thing")?;
        thing.blocked = from.read()?;
        thing.held_by = from.read()?;
        thing.arms = from.read()?;
        let is_carried = matches!(thing.kind, ThingKind::Item | ThingKind::Vehicle);
        // What nobody can carry is where it was built: ways and sight know it there.
        if !is_carried && (thing.cell != cell || thing.held_by.is_some()) {
            return from.error("thing that stays in its place");
        }
        thing.cell = cell;
        Ok(())
    }

    fn read_floor(&self, from: &mut Decoder<'_>) -> Result<Cell, DecodeError> {
        let cell = from.read()?;
        if self.grid.is_wall(cell) { from.error("cell of the floor") } else { Ok(cell) }
    }

    /// Whether a number is one that was given out, and no thing's.
    fn is_given(&self, handle: EntityId) -> bool {
        (1..self.next_handle).contains(&handle.0) && self.thing_index(handle).is_none()
    }

    /// Whether who holds what and what is held by whom is the same.
    fn is_sound(&self) -> bool {
        let is_held = |thing: &Thing| match thing.held_by {
            None => true,
            Some(by) => self.actor(by).is_some_and(|by| {
                by.alive && (by.carries.contains(&thing.handle) || by.on == Some(thing.handle))
            }),
        };
        let holds = |actor: &Actor| {
            let own = |&held: &EntityId| {
                self.thing(held).is_some_and(|thing| thing.held_by == Some(actor.handle))
            };
            let rides = |on: EntityId| {
                let thing = self.thing(on);
                thing.is_some_and(|it| it.kind != ThingKind::Vehicle || own(&on))
            };
            let once = (1..actor.carries.len())
                .all(|at| !actor.carries[..at].contains(&actor.carries[at]));
            once && actor.carries.iter().all(own) && actor.on.is_none_or(rides)
        };
        self.actors.is_sorted_by(|one, two| one.handle < two.handle)
            && self.actors.iter().all(|actor| self.is_given(actor.handle) && holds(actor))
            && self.things.iter().all(|it| it.handle.0 < self.next_handle && is_held(it))
    }

    fn grenades_fit(&self) -> bool {
        let fits = |grenade: &Grenade| {
            self.is_given(grenade.handle) && !self.grid.is_wall(grenade.cell) && grenade.fuse > 0
        };
        self.grenades.len() <= MOST_GRENADES
            && self.grenades.is_sorted_by(|one, two| one.handle < two.handle)
            && self.grenades.iter().all(fits)
    }

    fn noises_fit(&self) -> bool {
        self.noises.len() <= MOST_NOISES
            && self.noises.is_sorted_by_key(|noise| noise.at)
            && self.noises.iter().all(|noise| noise.at <= self.now)
    }

    /// Makes anew what follows from the rest; `false` if two have one name or one node.
    fn make_indexes(&mut self) -> bool {
        let near = Near::new(self.grid.width(), self.grid.height());
        (self.actors_near, self.things_near) = (near.clone(), near);
        (self.aims, self.actor_names, self.active) = (BTreeSet::new(), HashMap::new(), Vec::new());
        self.nodes.iter_mut().for_each(|node| node.taken_by = None);
        for index in 0..self.things.len() {
            let (at, cell) = (self.things[index].at, self.things[index].cell);
            self.put_into_state(index, at);
            if self.things[index].held_by.is_none() {
                self.things_near.insert(index, cell, Word::NONE);
            }
        }
        for (index, actor) in self.actors.iter().enumerate() {
            if actor.alive {
                self.actors_near.insert(index, actor.cell, actor.side);
            }
            if !actor.jobs.is_empty() {
                self.active.push(index as u32);
            }
            self.aims.extend(actor.aims_at.map(|at| (at, actor.handle)));
            let node = actor.holds_node.map(|node| &mut self.nodes[node].taken_by);
            let is_taken = node.is_some_and(|node| node.replace(actor.handle).is_some());
            if is_taken || self.actor_names.insert(actor.name, index).is_some() {
                return false;
            }
        }
        true
    }
}

fn encode_thing(thing: &Thing, to: &mut Encoder) {
    let Thing {
        handle: _,
        name: _,
        text: _,
        kind: _,
        cell,
        states: _,
        at,
        shut_at: _,
        needs: _,
        blocked,
        held_by,
        arms,
        holds: _,
    } = thing;
    to.write(cell).write(at).write(blocked).write(held_by).write(arms);
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn cells_grenades_and_noises_come_back() {
        comes_back::<Cell>(|trial, _| Cell { x: trial.any(), y: trial.any() });
        comes_back::<Grenade>(|trial, _| Grenade {
            handle: trial.any(),
            cell: trial.any(),
            fuse: trial.any(),
            radius: trial.any(),
            thrower: trial.any(),
        });
        comes_back::<Noise>(|trial, _| Noise {
            cell: trial.any(),
            radius: trial.any(),
            what: trial.any(),
            source: trial.any(),
            at: trial.any(),
        });
    }
}
