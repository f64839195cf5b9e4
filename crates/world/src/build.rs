//! What a world is built from: actors, things and nodes as drafts with their names as text.
//!
//! In:   names, places, numbers.
//! Out:  drafts for [`World::add_actor`](crate::world::World::add_actor) and its like, which may
//!       refuse and say why.
//! Cost: none; a draft borrows its texts.

use crate::actor::Control;
use crate::cell::Cell;
use crate::thing::ThingKind;

/// The most actors in a world.
pub const MOST_ACTORS: usize = 5_000;
/// The most things, and the most nodes.
pub const MOST_THINGS: usize = 5_000;

/// An actor to be.
#[derive(Clone, Debug)]
pub struct ActorDraft<'d> {
    /// Its name; unique among actors.
    pub name: &'d str,
    /// Where it begins: a cell of the floor.
    pub cell: Cell,
    /// Its side; empty: no one's enemy.
    pub side: &'d str,
    /// Who decides what it does.
    pub control: Control,
    /// What it can take.
    pub health: i32,
    /// The weapon's name; empty: none.
    pub weapon: &'d str,
    /// Whether the weapon is in hand.
    pub armed: bool,
    /// Rounds that the weapon holds and has; 0 for what hits at arm's length.
    pub rounds: u16,
    /// Grenades that it carries.
    pub grenades: u16,
}

impl<'d> ActorDraft<'d> {
    /// An actor with a mind, a health of 100, no side and no weapon.
    pub fn new(name: &'d str, cell: Cell) -> Self {
        ActorDraft {
            name,
            cell,
            side: "",
            control: Control::Mind,
            health: 100,
            weapon: "",
            armed: false,
            rounds: 12,
            grenades: 0,
        }
    }
}

/// A thing to be.
#[derive(Clone, Debug)]
pub struct ThingDraft<'d> {
    /// Its name; no other thing's.
    pub name: &'d str,
    /// Where it stands: a cell of the floor.
    pub cell: Cell,
    /// What kind.
    pub kind: ThingKind,
    /// What it can be in; it begins in the first.
    pub states: &'d [&'d str],
    /// What must hold for it to be used: things added before, and their states.
    pub needs: &'d [(&'d str, &'d str)],
    /// Cannot be opened.
    pub blocked: bool,
    /// An item that is a weapon: the rounds in it, 0 for what hits at arm's length.
    pub arms: Option<u16>,
}

impl<'d> ThingDraft<'d> {
    /// A thing that needs nothing; an item is a weapon for arm's length.
    pub fn new(name: &'d str, cell: Cell, kind: ThingKind, states: &'d [&'d str]) -> Self {
        let arms = (kind == ThingKind::Item).then_some(0);
        ThingDraft { name, cell, kind, states, needs: &[], blocked: false, arms }
    }
}

/// A node to be.
#[derive(Clone, Debug)]
pub struct NodeDraft<'d> {
    /// Its name; no other node's.
    pub name: &'d str,
    /// Where it is: a cell of the floor.
    pub cell: Cell,
    /// What it is for: `cover`, `view`, `work` or a word of the story's own.
    pub kind: &'d str,
    /// It is of use only against a target so near to it, in cells.
    pub radius: Option<u16>,
    /// It exists only while these hold: things added before, and their states.
    pub needs: &'d [(&'d str, &'d str)],
}
