//! Actors: everybody who moves.

use crate::cell::Cell;
use crate::jobs::Jobs;
use throng_mind::fact::EntityId;
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// How somebody holds himself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Posture {
    /// On his feet.
    #[default]
    Standing,
    /// Low: harder to hit beside cover.
    Crouched,
    /// On or in a vehicle; it moves with him.
    Riding,
    /// On a ladder.
    Climbing,
}

/// Who decides what an actor does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Control {
    /// A mind: it is told what can be sensed.
    Mind,
    /// The script; nothing is told.
    Script,
}

/// What somebody fights with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weapon {
    /// Its name.
    pub name: Word,
    /// In hand; holstered if not.
    pub armed: bool,
    /// Rounds in it now.
    pub rounds: u16,
    /// Rounds it holds when loaded; 0 for what only hits at arm's length.
    pub holds: u16,
}

/// Somebody.
#[derive(Clone, Debug, PartialEq)]
pub struct Actor {
    /// His number.
    pub handle: EntityId,
    /// His name.
    pub name: Word,
    /// The same as text.
    pub text: String,
    /// Whose side he is on; those of other sides are enemies. [`Word::NONE`]: nobody's enemy.
    pub side: Word,
    /// Where he is. Cells are shared: nobody stands in another's way.
    pub cell: Cell,
    /// Which way he looks, as steps to the side and down; (0, 1) at first.
    pub facing: (i16, i16),
    /// What he can take; at 0 he is dead.
    pub health: i32,
    /// What he fights with.
    pub weapon: Option<Weapon>,
    /// How many grenades he carries.
    pub grenades: u16,
    /// What he has picked up, oldest first.
    pub carries: Vec<EntityId>,
    /// How he holds himself.
    pub posture: Posture,
    /// What he rides or climbs.
    pub on: Option<EntityId>,
    /// Ticks that he has climbed on the ladder he is on.
    pub climbed: Tick,
    /// At whom he aims.
    pub aims_at: Option<EntityId>,
    /// Whether he lives.
    pub alive: bool,
    /// Who decides what he does.
    pub control: Control,
    /// Links that he believes impassable: his ways lead round them (order `avoid`).
    pub avoids: Vec<EntityId>,
    /// Where he believes enemies to be: sneaking he keeps out of their view (order `avoid`).
    pub shuns: Vec<Cell>,
    /// The door that stopped him last; forgotten when he sets out anew.
    pub blocked_by: Option<EntityId>,
    /// The node that he holds or is on the way to, by position in [`World::nodes`](crate::world::World::nodes).
    pub holds_node: Option<usize>,
    /// What plays, and until when.
    pub plays: Option<(Word, Tick)>,
    /// Until when fire keeps his head down: his own shots do no harm before that.
    pub pinned: Option<Tick>,
    /// Orders under way, one per subsystem.
    pub(crate) jobs: Jobs,
}

impl Actor {
    /// Whether a mind decides what he does, and he lives.
    pub fn is_minded(&self) -> bool {
        self.alive && self.control == Control::Mind
    }

    /// Whether he is of this side and a mind, or the script, decides what he does.
    pub(crate) fn is_of(&self, side: Word, has_mind: bool) -> bool {
        self.side == side && (self.control == Control::Mind) == has_mind
    }

    /// Whether an order of his is under way.
    pub fn is_busy(&self) -> bool {
        !self.jobs.is_empty()
    }

    /// Whether he is on the way somewhere.
    pub fn is_moving(&self) -> bool {
        self.jobs.moving.is_some()
    }

    /// Whether the other is of another side.
    pub fn is_enemy_of(&self, other: &Actor) -> bool {
        self.side != other.side && self.side != Word::NONE && other.side != Word::NONE
    }
}
