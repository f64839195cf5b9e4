//! Things: doors, windows, ladders, items, vehicles, devices.

use crate::cell::Cell;
use crate::goods::Goods;
use crate::register::{Member, Numbered};
use throng_mind::fact::EntityId;
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// What kind of thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum ThingKind {
    /// Shut in the state called `shut` or `closed`, open in any other. Shut it stops sight, and
    /// who comes opens it.
    Door,
    /// Never stops sight; passed only in the manner `dive`.
    Window,
    /// Can be climbed.
    Ladder,
    /// Can be picked up.
    Item,
    /// Can be mounted; moves with its rider.
    Vehicle,
    /// Anything else with states: tables, generators, cranes.
    #[default]
    Device,
}

impl ThingKind {
    /// The word for it in stories and facts.
    pub fn name(self) -> &'static str {
        match self {
            ThingKind::Door => "door",
            ThingKind::Window => "window",
            ThingKind::Ladder => "ladder",
            ThingKind::Item => "item",
            ThingKind::Vehicle => "vehicle",
            ThingKind::Device => "device",
        }
    }

    /// Whether it is something to pass through.
    pub fn is_link(self) -> bool {
        matches!(self, ThingKind::Door | ThingKind::Window)
    }
}

/// Something else that must be in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// Which thing.
    pub thing: EntityId,
    /// In which state.
    pub state: Word,
}

/// A wire: when another thing comes into a state, this one comes into one of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wire {
    /// Which other.
    pub leader: EntityId,
    /// The state that it comes into.
    pub when: Word,
    /// What this one comes into, by position.
    pub becomes: usize,
}

/// A thing.
#[derive(Clone, Debug)]
pub struct Thing {
    /// Its number.
    pub handle: EntityId,
    /// Its name.
    pub name: Word,
    /// The same as text.
    pub text: String,
    /// What kind.
    pub kind: ThingKind,
    /// The word for its kind: that of [`ThingKind::name`], or of a device any other, as `oven`.
    pub sort: Word,
    /// Where it is; where its holder is, if it is held.
    pub cell: Cell,
    /// What it can be in; at least one.
    pub states: Vec<Word>,
    /// Which of them it is in, by position.
    pub at: usize,
    /// The state in which a door is shut, by position.
    pub(crate) shut_at: Option<usize>,
    /// What must hold for it to be used.
    pub needs: Vec<Need>,
    /// Items that who uses it must carry.
    pub keys: Vec<EntityId>,
    /// Which other things it follows.
    pub follows: Vec<Wire>,
    /// Those that follow it, by position among the things.
    pub(crate) leads: Vec<usize>,
    /// Cannot be opened, which is not seen from afar; only for doors.
    pub blocked: bool,
    /// Who carries or rides it.
    pub held_by: Option<EntityId>,
    /// An item that is a weapon: how many rounds are in it.
    pub arms: Option<u16>,
    /// How many rounds it holds when loaded, 0 for what hits at arm's length.
    pub holds: u16,
    /// What there is in it to be had.
    pub goods: Goods,
    /// It goes back into its first state by itself after so long.
    pub lasts: Option<Tick>,
    /// When it does.
    pub back_at: Option<Tick>,
}

impl Thing {
    /// The state that it is in.
    pub fn state(&self) -> Word {
        self.states.get(self.at).copied().unwrap_or(Word::NONE)
    }

    /// The position of the state called so.
    pub fn state_called(&self, state: Word) -> Option<usize> {
        self.states.iter().position(|&known| known == state)
    }

    /// Whether it is a shut door.
    pub fn is_shut_door(&self) -> bool {
        self.kind == ThingKind::Door && self.shut_at == Some(self.at)
    }
}

impl Member for Thing {
    fn name(&self) -> (Word, &str) {
        (self.name, &self.text)
    }

    /// What is held is not found.
    fn found(&self) -> Option<(Cell, Word)> {
        self.held_by.is_none().then_some((self.cell, Word::NONE))
    }
}

impl Numbered for Thing {
    fn handle(&self) -> EntityId {
        self.handle
    }
}
