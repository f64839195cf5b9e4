//! What stories do to the world beyond its own script door: seat somebody, take him off the map,
//! bring him back.
//!
//! Positions in the world's lists are kept by others, so nobody is ever removed: who is off the
//! map is not alive there, and stands where nothing is drawn, seen or reached.

use crate::actor::Posture;
use crate::cell::Cell;
use crate::thing::ThingKind;
use crate::world::{OFF_THE_MAP, World};
use throng_mind::fact::EntityId;
use throng_mind::words::Word;

impl World {
    /// Puts somebody who stands into a posture at once; on what, if it is a vehicle or a ladder.
    /// `false` if there is no such actor or thing, or somebody has it.
    pub(super) fn seat(&mut self, actor: EntityId, posture: Posture, on: Option<EntityId>) -> bool {
        let Some(index) = self.actor_index(actor) else { return false };
        if let Some(on) = on {
            let Some(thing) = self.thing_index(on) else { return false };
            if self.things[thing].held_by.is_some() {
                return false;
            }
            let cell = self.things[thing].cell;
            self.enter(index, cell);
            if self.things[thing].kind == ThingKind::Vehicle {
                self.things_near.remove(thing, cell, Word::NONE);
                self.things[thing].held_by = Some(actor);
            }
        }
        (self.actors[index].posture, self.actors[index].on) = (posture, on);
        true
    }

    /// Takes somebody off the map: what he held lies where he was, nobody aims at him any more.
    /// `false` if there is no such actor.
    pub(super) fn take_off(&mut self, actor: EntityId) -> bool {
        let Some(index) = self.actor_index(actor) else { return false };
        let (health, gone) = (self.actors[index].health, self.words.gone);
        // To the others it is as if he had died: all orders end, all that he holds is free.
        self.hurt(actor, health, gone, None);
        self.actors[index].cell = OFF_THE_MAP;
        true
    }

    /// Brings back somebody who was taken off the map, with so much health; `false` if there is
    /// no such actor or the cell is wall.
    pub(super) fn bring_back(&mut self, actor: EntityId, cell: Cell, health: i32) -> bool {
        let Some(index) = self.actor_index(actor).filter(|_| !self.grid.is_wall(cell)) else {
            return false;
        };
        let me = &mut self.actors[index];
        if me.alive || me.cell != OFF_THE_MAP {
            return false;
        }
        (me.alive, me.health, me.cell, me.posture) = (true, health, cell, Posture::Standing);
        let side = me.side;
        self.actors_near.insert(index, cell, side);
        true
    }
}
