//! News: what happened in the world, for those who watch it; no mind is told by them.
//!
//! In:   shots, harm, deaths, grenades, noises, as they happen.
//! Out:  a list, oldest first, until it is fetched.
//! Cost: an entry each. They are no part of what is saved or digested.

use crate::cell::Cell;
use throng_mind::fact::EntityId;
use throng_mind::words::Word;

/// So many are kept for who fetches them late; what comes after is not noted.
pub(crate) const MOST_NEWS: usize = 1 << 16;

/// Something that happened in the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum News {
    /// A round was fired at somebody.
    Shot {
        /// Who fired.
        by: EntityId,
        /// At whom.
        at: EntityId,
    },
    /// Somebody was hurt.
    Hurt {
        /// Who.
        whom: EntityId,
        /// How much health it took.
        amount: i32,
        /// How much is left.
        left: i32,
        /// The kind of harm; [`Word::NONE`] if it was the script's.
        what: Word,
        /// Who did it.
        by: Option<EntityId>,
    },
    /// Somebody died of what was told just before.
    Died {
        /// Who.
        whom: EntityId,
        /// The kind of harm; [`Word::NONE`] if it was the script's.
        what: Word,
        /// Who did it.
        by: Option<EntityId>,
    },
    /// A grenade was thrown.
    Thrown {
        /// By whom.
        by: Option<EntityId>,
        /// Where to.
        to: Cell,
    },
    /// A grenade went off.
    Blast {
        /// Who threw it.
        by: Option<EntityId>,
        /// Where.
        at: Cell,
    },
    /// Somebody opened a door on his way.
    Opened {
        /// Who.
        by: EntityId,
        /// The door.
        door: EntityId,
    },
    /// Something could be heard that is neither a shot nor a blast.
    Noise {
        /// What.
        what: Word,
        /// Who made it.
        by: Option<EntityId>,
        /// Where.
        at: Cell,
    },
}
