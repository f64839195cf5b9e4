//! What a story's script may do to the world, between ticks.
//!
//! In:   handles, cells, words.
//! Out:  the world as the script wants it; `false` where there is no such thing.
//! Cost: small.

use crate::cell::Cell;
use crate::world::World;
use throng_mind::fact::Handle;
use throng_mind::orders::{Order, OrderId};
use throng_mind::words::Word;

impl World {
    /// Orders a scripted actor about, as minds order theirs; its end is reported as theirs are.
    pub fn command(&mut self, actor: Handle, order: Order) -> OrderId {
        let _ = (actor, order);
        OrderId(0)
    }

    /// Puts a thing into one of its states.
    pub fn set_state(&mut self, thing: Handle, state: Word) -> bool {
        let _ = (thing, state);
        false
    }

    /// Makes a door blocked, or not any more.
    pub fn set_blocked(&mut self, door: Handle, blocked: bool) -> bool {
        let _ = (door, blocked);
        false
    }

    /// Puts somebody elsewhere; what he was about goes on from there or fails.
    pub fn place(&mut self, actor: Handle, cell: Cell) -> bool {
        let _ = (actor, cell);
        false
    }

    /// Takes somebody's weapon away.
    pub fn disarm(&mut self, actor: Handle) -> bool {
        let _ = actor;
        false
    }

    /// Lets somebody aim at another at once, or at nobody.
    pub fn aim(&mut self, actor: Handle, at: Option<Handle>) -> bool {
        let _ = (actor, at);
        false
    }

    /// A shot at once: harms as a shot does if the line is clear, and is heard.
    pub fn shoot(&mut self, actor: Handle, at: Handle) -> bool {
        let _ = (actor, at);
        false
    }

    /// A grenade with a burning fuse in a cell.
    pub fn drop_grenade(&mut self, cell: Cell, thrower: Option<Handle>) -> Option<Handle> {
        let _ = (cell, thrower);
        None
    }

    /// Something that can be heard.
    pub fn make_noise(&mut self, cell: Cell, radius: u16, what: Word, source: Option<Handle>) {
        let _ = (cell, radius, what, source);
    }

    /// Takes health; `what` is the kind of harm.
    pub fn hurt(&mut self, actor: Handle, amount: i32, what: Word, source: Option<Handle>) {
        let _ = (actor, amount, what, source);
    }

    /// Somebody starts an action: whoever sees it is told by a stimulus `deed`.
    pub fn announce(&mut self, actor: Handle, action: Word) {
        let _ = (actor, action);
    }
}
