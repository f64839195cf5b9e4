//! What a story's script may do to the world, between ticks; besides
//! [`World::make_noise`], [`World::drop_grenade`] and [`World::hurt`].
//!
//! In:   handles, cells, words.
//! Out:  the world as the script wants it; `false` where that is not possible.
//! Cost: small.

use super::World;
use crate::actor::{OFF_THE_MAP, Posture};
use crate::cell::Cell;
use crate::thing::ThingKind;
use throng_mind::fact::EntityId;
use throng_mind::orders::{IssuedOrder, MindId, Order, OrderId};
use throng_mind::words::Word;

impl World {
    /// Orders an actor about, as minds order theirs; the end is reported as theirs are, under a
    /// number that no mind uses.
    pub fn command(&mut self, actor: EntityId, order: Order) -> OrderId {
        let id = OrderId(self.next_command);
        self.next_command = self.next_command.wrapping_add(1);
        self.order(&IssuedOrder { mind: MindId(u32::MAX), me: actor, id, order });
        id
    }

    /// Puts a thing into one of its states.
    pub fn set_state(&mut self, thing: EntityId, state: Word) -> bool {
        let Some(index) = self.things().index_of(thing) else { return false };
        let at = self.things()[index].state_called(state);
        at.map(|at| self.site.put(index, at)).is_some()
    }

    /// Makes a door blocked, or not any more.
    pub fn set_blocked(&mut self, door: EntityId, blocked: bool) -> bool {
        let index = self.things().index_of(door);
        let index = index.filter(|&at| self.things()[at].kind == ThingKind::Door);
        index.map(|index| self.site.edit_thing(index).blocked = blocked).is_some()
    }

    /// Puts an actor elsewhere, or as near to it as nobody else is; if he was on the way he goes on
    /// from there, or fails.
    pub fn place(&mut self, actor: EntityId, cell: Cell) -> bool {
        let Some(index) = self.actors.living_index(actor).filter(|_| !self.grid().is_wall(cell))
        else {
            return false;
        };
        let Some(cell) = self.room_near(cell, actor) else { return false };
        self.enter(index, cell);
        self.go_on_from_here(index);
        true
    }

    /// Takes an actor off the map: what he held lies where he was, no one aims at him any more.
    /// Positions in the world's lists are kept by others, so he is not removed: who is off the map
    /// is not alive there, and stands where nothing is drawn, seen or reached.
    pub(crate) fn take_off(&mut self, actor: EntityId) -> bool {
        let Some(index) = self.actors.index_of(actor) else { return false };
        let (health, gone) = (self.actors[index].health, self.words.gone);
        // To the others it is as if he had died: all orders end, all that he holds is free.
        self.hurt(actor, health, gone, None);
        self.actors.edit(index).cell = OFF_THE_MAP;
        self.actors.note_fallen(index);
        true
    }

    /// Brings back an actor who was taken off the map, with so much health; `false` if there is
    /// no such actor or the cell is wall.
    pub(crate) fn bring_back(&mut self, actor: EntityId, cell: Cell, health: i32) -> bool {
        let Some(index) = self.actors.index_of(actor).filter(|_| !self.grid().is_wall(cell)) else {
            return false;
        };
        let Some(cell) = self.room_near(cell, actor) else { return false };
        let mut me = self.actors.edit(index);
        let is_off = !me.alive && me.cell == OFF_THE_MAP;
        if is_off {
            (me.alive, me.health, me.cell, me.posture) = (true, health, cell, Posture::Standing);
        }
        drop(me);
        self.actors.note_fallen(index);
        is_off
    }

    /// Takes an actor's weapon away; one that he had picked up lies before him.
    pub fn disarm(&mut self, actor: EntityId) -> bool {
        let Some(index) = self.actors.index_of(actor) else { return false };
        let had_one = self.actors[index].weapon.is_some();
        self.drop_weapon(index);
        had_one
    }

    /// Lets an actor aim at another at once, or at none.
    pub fn aim(&mut self, actor: EntityId, at: Option<EntityId>) -> bool {
        let Some(index) = self.actors.living_index(actor) else { return false };
        if at.is_some_and(|at| self.cell_of(at).is_none()) {
            return false;
        }
        if let Some(at) = at {
            self.face(index, at);
        }
        self.actors.aim(index, at);
        true
    }

    /// A shot at once, whatever the weapon: harms if the line is clear, and is heard.
    pub fn shoot(&mut self, actor: EntityId, at: EntityId) -> bool {
        let (from, to) = (self.actors.living_index(actor), self.actors.living_index(at));
        let (Some(from), Some(_)) = (from, to) else { return false };
        self.fire_at(from, at, false);
        true
    }

    /// An actor starts an action: who sees it is told by a stimulus `deed`.
    pub fn announce(&mut self, actor: EntityId, action: Word) {
        if let Some(index) = self.actors.living_index(actor) {
            self.tell_of_deed(index, action);
        }
    }
}
