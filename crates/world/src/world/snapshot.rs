//! A world as bytes and back.
//!
//! In:   a world between two steps; or bytes, not to be trusted, and a world as it was built.
//! Out:  bytes; or the world that goes on exactly as the other would have.
//! Cost: one pass; not for frames.
//!
//! The map, the rules, the words, nodes, and what things are come from the world that was built:
//! the story says them. Everything that changes is saved. What follows from it (who is near, who
//! aims at which target, who holds which node, what stops sight) is made anew. So that later code may rely
//! on it: cells are floor, handles rise and are unique, who holds a thing is the one it is
//! held by, the dead do nothing.

use super::World;
use crate::actor::{Actor, OFF_THE_MAP};
use crate::actors::Actors;
use crate::build::MOST_ACTORS;
use crate::cell::Cell;
use crate::goods::Goods;
use crate::grenade::{Grenade, MOST_GRENADES};
use crate::grid::LARGEST_SIDE;
use crate::noise::Noises;
use crate::paths::MOST_EYES;
use crate::thing::{Thing, ThingKind};
use throng_base::checksum;
use throng_base::codec::{ByteFormat, DecodeError, Decoder, Encoder, ReadError};
use throng_mind::fact::EntityId;
use throng_mind::time::Tick;

/// What changes of a world.
const WORLD: ByteFormat =
    ByteFormat { kind: "world", name: "a saved world", version: 6, oldest: 6 };

impl World {
    /// All of it that changes, as bytes.
    #[must_use]
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
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut to = Encoder::default();
        self.encode(&mut to);
        checksum(0, &to.bytes)
    }

    /// Writes all of it that changes.
    pub(crate) fn encode(&self, to: &mut Encoder) {
        to.write(&self.now).write(&self.next_handle).write(&self.next_command);
        to.write(&self.nodes().len());
        to.list(self.things().iter().map(|it| (it.cell, it.at, it.blocked, it.held_by, it.arms)));
        to.list(self.things().iter().map(|it| (&it.goods, it.back_at)));
        to.write(&self.actors[..]).write(&self.grenades).write(self.noises.all());
        to.write(&self.outbox);
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
        if from.read::<usize>()? != self.nodes().len() || from.count()? != self.things().len() {
            return from.error("world of this story");
        }
        for at in 0..self.things().len() {
            self.read_thing(at, from)?;
        }
        if from.count()? != self.things().len() {
            return from.error("world of this story");
        }
        for at in 0..self.things().len() {
            self.read_goods(at, from)?;
        }
        let n_actors = from.below(MOST_ACTORS + 1, "number of actors")?;
        let actors = from.items(n_actors, |from| self.read_actor(from))?;
        let rises = actors.is_sorted_by(|one, two| one.handle < two.handle);
        self.grenades = from.read()?;
        let noises = Noises::of(from.read()?, self.now);
        self.outbox = from.read()?;
        let whole = Actors::restored(self.grid(), actors).filter(|_| rises).zip(noises);
        let Some((actors, noises)) = whole else {
            return from.error("world in which all fits together");
        };
        (self.actors, self.noises) = (actors, noises);
        let sound = self.is_sound() && self.grenades_fit() && self.retake_nodes();
        from.sound((), sound, "world in which all fits together")
    }

    fn read_thing(&mut self, index: usize, from: &mut Decoder<'_>) -> Result<(), DecodeError> {
        let cell = from.read()?;
        from.sound((), !self.grid().is_wall(cell), "cell of the floor")?;
        let mut thing = self.site.edit_thing(index);
        thing.at = from.below(thing.states.len(), "state of a thing")?;
        thing.blocked = from.read()?;
        thing.held_by = from.read()?;
        thing.arms = from.read()?;
        let is_carried = matches!(thing.kind, ThingKind::Item | ThingKind::Vehicle);
        // What no actor can carry is where it was built: ways and sight know it there.
        if !is_carried && (thing.cell != cell || thing.held_by.is_some()) {
            return from.error("thing that stays in its place");
        }
        thing.cell = cell;
        Ok(())
    }

    fn read_goods(&mut self, index: usize, from: &mut Decoder<'_>) -> Result<(), DecodeError> {
        let (goods, back_at): (Goods, Option<Tick>) = (from.read()?, from.read()?);
        let it = &self.things()[index];
        let is_his = goods.is_sound() && goods.is_like(&it.goods);
        let can_lapse = back_at.is_none_or(|_| it.lasts.is_some() && it.at != 0);
        let mut thing = self.site.edit_thing(index);
        (thing.goods, thing.back_at) = (goods, back_at);
        drop(thing);
        from.sound((), is_his && can_lapse, "goods of a thing")
    }

    fn read_actor(&self, from: &mut Decoder<'_>) -> Result<Actor, DecodeError> {
        let actor = from.read()?;
        let fits = self.is_possible(&actor) && self.jobs_fit(&actor);
        from.sound(actor, fits, "actor of this world")
    }

    /// Whether an actor can be so, by himself.
    fn is_possible(&self, actor: &Actor) -> bool {
        let is_there = !self.grid().is_wall(actor.cell);
        let is_off = !actor.alive && actor.cell == OFF_THE_MAP;
        // Steps on a map, which turn into products.
        let is_step = |step: i16| usize::from(step.unsigned_abs()) <= LARGEST_SIDE + 1;
        let avoids = &actor.avoids;
        (is_there || is_off)
            && is_step(actor.facing.0)
            && is_step(actor.facing.1)
            && actor.health >= 0
            && avoids.is_sorted_by(|one, two| one < two)
            && avoids.iter().all(|&link| self.thing(link).is_some())
            && actor.shuns.len() <= MOST_EYES
            && actor.owns.iter().all(|&thing| self.thing(thing).is_some())
            && actor.goods.is_sound()
            && actor.holds_node.is_none_or(|node| node < self.nodes().len())
    }

    fn jobs_fit(&self, actor: &Actor) -> bool {
        let rest = actor.jobs.moving.as_ref().map_or(&[][..], |going| &going.rest);
        let dead_rest = actor.jobs.is_empty()
            && actor.holds_node.is_none()
            && actor.aims_at.is_none()
            && actor.carries.is_empty();
        let is_floor = |cell: &Cell| !self.grid().is_wall(*cell);
        actor.jobs.fit() && rest.iter().all(is_floor) && (actor.alive || dead_rest)
    }

    /// Whether a number is one that was given out, and no thing's or node's.
    fn is_given(&self, handle: EntityId) -> bool {
        (1..self.next_handle).contains(&handle.0)
            && self.thing(handle).is_none()
            && self.node(handle).is_none()
    }

    /// Whether actors and things agree on what is held.
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
        let has_his_place =
            |actor: &Actor| !actor.alive || !self.is_taken(actor.cell, actor.handle);
        let fits =
            |actor: &Actor| self.is_given(actor.handle) && holds(actor) && has_his_place(actor);
        self.actors().iter().all(fits)
            && self.things().iter().all(|it| it.handle.0 < self.next_handle && is_held(it))
            && self.nodes().iter().all(|it| it.handle.0 < self.next_handle)
    }

    fn grenades_fit(&self) -> bool {
        let fits = |grenade: &Grenade| {
            self.is_given(grenade.handle) && !self.grid().is_wall(grenade.cell) && grenade.fuse > 0
        };
        self.grenades.len() <= MOST_GRENADES
            && self.grenades.is_sorted_by(|one, two| one.handle < two.handle)
            && self.grenades.iter().all(fits)
    }

    /// Makes anew who has which node; `false` if two have one.
    fn retake_nodes(&mut self) -> bool {
        (0..self.nodes().len()).for_each(|node| _ = self.site.set_taken(node, None));
        let taken = self.actors.iter().filter_map(|it| Some((it.holds_node?, it.handle)));
        let site = &mut self.site;
        taken.into_iter().all(|(node, by)| site.set_taken(node, Some(by)).is_none())
    }
}
