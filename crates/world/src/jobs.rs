//! Orders under way, and their ends.
//!
//! In:   orders from minds and scripts.
//! Out:  for each exactly one end: done, failed with a word, or cancelled and then silence.
//! Cost: one slot per subsystem and actor.
//!
//! An actor has one order per subsystem. Another for the same subsystem ends the older one with
//! `replaced`. A dead actor's orders fail with `dead`, those of unknown actors with `gone`, those
//! with words that the subsystem does not know with `unknown`. The number of an order that is
//! still under way is not taken twice: the second is passed over.
//!
//! | order | what it does | fails with |
//! |---|---|---|
//! | `Move` | goes to the cell in the manner `walk`, `run`, `sneak` or `dive` (through windows); opens doors on the way; takes the node called `node`, if it is one, until the next `Move`, the cancel, the failure or death | `no_path`, `blocked` (the door is `actor.blocked_by`), `taken`, `needs` (no such node now) |
//! | `Target` | turns and aims at somebody or something; `None` at once | `gone` |
//! | `Weapon draw`, `holster`, `reload`, `drop` | as it says | `unarmed` (there is none) |
//! | `Weapon fire` | aims if need be, one round, one hit if the line is still clear | `unarmed` (not in hand), `empty`, `gone`, `no_line`, `too_far` |
//! | `Weapon melee` | one hit at arm's length, with or without a weapon | `gone`, `too_far` |
//! | `Weapon throw` | a grenade to where the target is | `empty`, `gone`, `too_far` |
//! | `Animate` | plays for so long; nothing else | – |
//! | `Use open`, `shut`, `kick` | a door; a kick opens it with a bang | `blocked` (after trying) |
//! | `Use pick_up` | an item: carried, its state `taken` if it has that; in hand if it is a weapon | `held` |
//! | `Use mount`, `climb` | a vehicle, a ladder: posture riding, climbing, in its cell | `held` |
//! | `Use` with a state's name | puts the thing into that state | `used` (it is in it) |
//! | `Use` with another word | puts the thing into its next state, after the last the first | `used` (there is only one) |
//! | every `Use` | from the thing's cell or one of the eight around it | `gone`, `too_far`, `needs` |
//! | `Other crouch`, `stand` | posture | – |
//! | `Other dismount`, `descend` | off what he is on; standing | `unknown` (he is on nothing) |
//! | `Other avoid` | at once: his ways avoid the link `on` (or called `name`); with neither, forgets all of them | `gone` |
//! | `Other wait` | for `place[0]` seconds | – |
//! | `Other throw` | a grenade at `place` | `empty`, `too_far` |
//! | `Other kick`, `open`, `pick_up` … with `on`, or `name` of a thing | as `Use` | as `Use` |

use crate::cell::Cell;
use crate::world::World;
use throng_mind::fact::Handle;
use throng_mind::orders::{Message, Order, OrderId, Sent};
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// An order that ends at a moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Timed {
    pub(crate) id: OrderId,
    pub(crate) until: Tick,
    pub(crate) order: Order,
}

/// A way being gone.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Going {
    pub(crate) id: OrderId,
    /// Cells still to enter, the next one last.
    pub(crate) rest: Vec<Cell>,
    pub(crate) ticks_per_cell: Tick,
    /// When the next cell is entered, or the door before it open.
    pub(crate) until: Tick,
    /// The door that is being opened.
    pub(crate) opening: Option<Handle>,
}

/// Orders under way of one actor, one per subsystem.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Jobs {
    pub(crate) moving: Option<Going>,
    pub(crate) weapon: Option<Timed>,
    pub(crate) animation: Option<Timed>,
    pub(crate) targeting: Option<Timed>,
    pub(crate) hands: Option<Timed>,
}

impl Jobs {
    pub(crate) fn is_empty(&self) -> bool {
        self.moving.is_none()
            && self.weapon.is_none()
            && self.animation.is_none()
            && self.targeting.is_none()
            && self.hands.is_none()
    }
}

impl World {
    /// Takes an order. It is begun at once and goes on with the steps.
    pub fn order(&mut self, sent: &Sent) {
        let _ = sent;
    }

    /// What has happened since the last call, for whom: ends of orders and stimuli, oldest first.
    pub fn reports(&mut self) -> std::vec::Drain<'_, (Handle, Message)> {
        self.reports.drain(..)
    }

    pub(crate) fn fail(&mut self, me: Handle, id: OrderId, why: Word) {
        self.reports.push((me, Message::Failed(id, why)));
    }
}
