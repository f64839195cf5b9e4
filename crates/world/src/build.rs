//! What a world is built from: actors, things and nodes as drafts with their names as text.
//!
//! In:   names, places, numbers.
//! Out:  drafts for [`World::add_actor`](crate::world::World::add_actor) and its like, which may
//!       refuse and say why. A story is made of them.
//! Cost: none.

use crate::actor::Posture;
use crate::cell::Cell;
use crate::goods::{MOST_OF_ONE, Ware};
use crate::thing::ThingKind;
use throng_mind::words::Words;

/// The most actors in a world.
pub const MOST_ACTORS: usize = 5_000;
/// The most things, and the most nodes.
pub const MOST_THINGS: usize = 5_000;

/// Goods to be: `holds bread 6 of 12 for 2`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WareDraft {
    /// What.
    pub name: String,
    /// How much of it.
    pub amount: u32,
    /// How much there is room for; without, for any amount.
    pub most: Option<u32>,
    /// What one of it costs, in `coins`.
    pub price: u32,
}

impl WareDraft {
    pub(crate) fn intern(&self, words: &mut Words) -> Ware {
        Ware {
            name: words.intern(&self.name),
            amount: self.amount.min(MOST_OF_ONE),
            most: self.most.unwrap_or(MOST_OF_ONE).clamp(self.amount, MOST_OF_ONE),
            price: self.price,
        }
    }
}

/// An actor to be: `actor NAME at MARK: npc TYPE side WORD …`
#[derive(Clone, PartialEq, Debug)]
pub struct ActorDraft {
    /// Its name; unique among actors.
    pub name: String,
    /// Where it begins: a cell of the floor.
    pub cell: Cell,
    /// The NPC type of its mind, by position in the model; `None` if the script moves it.
    pub npc: Option<usize>,
    /// Its side: those of another are enemies; empty: no one's enemy.
    pub side: String,
    /// What it has to fight with.
    pub weapon: Option<String>,
    /// Whether the weapon is in hand.
    pub drawn: bool,
    /// Rounds that the weapon holds and has; 0 for what hits at arm's length.
    pub rounds: u16,
    /// Rounds that it has besides those in the weapon; without, as many as it needs.
    pub spare: Option<u16>,
    /// Grenades that it carries.
    pub grenades: u16,
    /// How much it can bear.
    pub health: i32,
    /// How it holds itself at the beginning.
    pub posture: Posture,
    /// The name of what it rides or climbs at the beginning.
    pub on: Option<String>,
    /// The names of things that are its own, wherever they are.
    pub owns: Vec<String>,
    /// The names of items that it has with it from the beginning.
    pub carries: Vec<String>,
    /// What it has that is counted: coins, bread.
    pub wares: Vec<WareDraft>,
}

impl ActorDraft {
    /// An actor without a mind, with a health of 100, no side and no weapon.
    pub fn new(name: &str, cell: Cell) -> Self {
        ActorDraft {
            name: name.to_string(),
            cell,
            npc: None,
            side: String::new(),
            weapon: None,
            drawn: true,
            rounds: 12,
            spare: None,
            grenades: 0,
            health: 100,
            posture: Posture::Standing,
            on: None,
            owns: Vec::new(),
            carries: Vec::new(),
            wares: Vec::new(),
        }
    }

    /// Whether a mind moves it.
    pub fn is_minded(&self) -> bool {
        self.npc.is_some()
    }
}

/// Things added before, and the states that they must be in.
pub type Needs = Vec<(String, String)>;

/// A thing to be: `thing NAME at MARK: KIND STATE, STATE … [needs …] [follows …]`
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ThingDraft {
    /// Its name; no other thing's.
    pub name: String,
    /// Where it stands: a cell of the floor.
    pub cell: Cell,
    /// What kind.
    pub kind: ThingKind,
    /// The word for its kind; empty: the usual one. Only devices have others.
    pub sort: String,
    /// What it can be in, at least one; it begins in the first.
    pub states: Vec<String>,
    /// What must hold for it to be used.
    pub needs: Needs,
    /// Items added before, which who uses it must carry.
    pub keys: Vec<String>,
    /// Things added before and the state that they come into, and the state that this one comes
    /// into then.
    pub follows: Vec<(String, String, String)>,
    /// Cannot be opened.
    pub blocked: bool,
    /// An item that is a weapon: the rounds in it, 0 for what hits at arm's length.
    pub arms: Option<u16>,
    /// What there is in it to be had.
    pub wares: Vec<WareDraft>,
    /// It goes back into its first state by itself after so many ticks.
    pub lasts: Option<u32>,
}

/// A direction and how wide: the side that cover protects from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facing {
    /// Steps to the side and down.
    pub towards: (i16, i16),
    /// The whole angle.
    pub degrees: u16,
}

/// A node to be: `node NAME at MARK: KIND [faces DIRECTION [arc DEGREES]] [radius N]`
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NodeDraft {
    /// Its name; no other node's.
    pub name: String,
    /// Where it is: a cell of the floor.
    pub cell: Cell,
    /// What it is good for: `cover`, `view`, `work` or a word of the story's own.
    pub sort: String,
    /// The side that it protects from; without, from all.
    pub faces: Option<Facing>,
    /// It is of use only against a target so near to it, in cells.
    pub radius: Option<u16>,
    /// It exists only while these hold.
    pub needs: Needs,
}
