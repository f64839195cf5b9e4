//! What a story's script may do to the world, between ticks; besides
//! [`World::make_noise`], [`World::drop_grenade`] and [`World::hurt`].
//!
//! In:   handles, cells, words.
//! Out:  the world as the script wants it; `false` where that is not possible.
//! Cost: small.

use crate::cell::Cell;
use crate::thing::ThingKind;
use crate::world::World;
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
        let Some(index) = self.thing_index(thing) else { return false };
        let at = self.things[index].states.iter().position(|&known| known == state);
        at.map(|at| self.put_into_state(index, at)).is_some()
    }

    /// Makes a door blocked, or not any more.
    pub fn set_blocked(&mut self, door: EntityId, blocked: bool) -> bool {
        let index = self.thing_index(door);
        let Some(index) = index.filter(|&at| self.things[at].kind == ThingKind::Door) else {
            return false;
        };
        self.things[index].blocked = blocked;
        true
    }

    /// Puts somebody elsewhere; if he was on the way he goes on from there, or fails.
    pub fn place(&mut self, actor: EntityId, cell: Cell) -> bool {
        let Some(index) = self.living_index(actor).filter(|_| !self.grid.is_wall(cell)) else {
            return false;
        };
        self.enter(index, cell);
        self.go_on_from_here(index);
        true
    }

    /// Takes somebody's weapon away; one that he had picked up lies before him.
    pub fn disarm(&mut self, actor: EntityId) -> bool {
        let Some(index) = self.actor_index(actor) else { return false };
        let had_one = self.actors[index].weapon.is_some();
        self.drop_weapon(index);
        had_one
    }

    /// Lets somebody aim at another at once, or at nobody.
    pub fn aim(&mut self, actor: EntityId, at: Option<EntityId>) -> bool {
        let Some(index) = self.living_index(actor) else { return false };
        if at.is_some_and(|at| self.cell_of(at).is_none()) {
            return false;
        }
        if let Some(at) = at {
            self.face(index, at);
        }
        self.set_aim(index, at);
        true
    }

    /// A shot at once, whatever the weapon: harms if the line is clear, and is heard.
    pub fn shoot(&mut self, actor: EntityId, at: EntityId) -> bool {
        let (from, to) = (self.living_index(actor), self.living_index(at));
        let (Some(from), Some(_)) = (from, to) else { return false };
        self.fire_at(from, at);
        true
    }

    /// Somebody starts an action: whoever sees it is told by a stimulus `deed`.
    pub fn announce(&mut self, actor: EntityId, action: Word) {
        if let Some(index) = self.living_index(actor) {
            self.tell_of_deed(index, action);
        }
    }

    fn living_index(&self, actor: EntityId) -> Option<usize> {
        self.actor_index(actor).filter(|&index| self.actors[index].alive)
    }
}
