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
//! | `Move` | goes to the cell in the manner `walk`, `run`, `sneak` or `dive` (through windows); opens doors on the way; takes the node called `node`, if it is one, until the next `Move`, the cancel, the failure or death | `no_path`, `blocked` (the door is `actor.blocked_by`), `taken` (another holds the node or stands in it), `needs` (no such node now) |
//! | `Target` | turns and aims at somebody or something; `None` at once | `gone` |
//! | `Weapon draw`, `holster`, `reload`, `drop` | as it says | `unarmed` (there is none) |
//! | `Weapon fire` | aims if need be, one round, one hit if the line is still clear | `unarmed` (not in hand), `empty`, `gone`, `no_line`, `too_far` |
//! | `Weapon melee` | one hit at arm's length, with or without a weapon | `gone`, `too_far` |
//! | `Weapon throw` | a grenade to where the target is | `empty`, `gone`, `too_far` |
//! | `Animate` | plays for so long; nothing else | – |
//! | `Use open`, `shut`, `kick` | a door; a kick opens it with a bang | `blocked` (after trying) |
//! | `Use pick_up` | an item: carried, its state `taken` if it has that; in hand if it is a weapon | `held` |
//! | `Use mount`, `climb` | a vehicle, a ladder: posture riding, climbing, in its cell | `held` |
//! | `Use` with a state's name | puts the thing into that state; at once if it is in it | – |
//! | `Use` with another word | puts the thing into its next state, after the last the first | `used` (there is only one) |
//! | every `Use` | from the thing's cell or one of the eight around it | `gone`, `too_far`, `needs` |
//! | `Other crouch`, `stand` | posture | – |
//! | `Other dismount`, `descend` | off what he is on; standing | `unknown` (he is on nothing) |
//! | `Other avoid` | at once: his ways avoid the link `on` (or called `name`), with the name `watched` and sneaking the view from `place`; with neither, forgets all of them | `gone` |
//! | `Other wait` | for `place[0]` seconds | – |
//! | `Other throw` | a grenade at `place` | `empty`, `too_far` |
//! | `Other kick`, `open`, `pick_up` … with `on`, or `name` of a thing | as `Use` | as `Use` |

use crate::cell::Cell;
use crate::paths::Manner;
use crate::world::World;
use throng_mind::fact::EntityId;
use throng_mind::orders::{IssuedOrder, Message, Order, OrderId};
use throng_mind::time::{Tick, after};
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
    pub(crate) to: Cell,
    pub(crate) manner: Manner,
    /// Cells still to enter, the next one last.
    pub(crate) rest: Vec<Cell>,
    /// When the next cell is entered, or the door before it open.
    pub(crate) until: Tick,
    /// The door that is being opened.
    pub(crate) opening: Option<EntityId>,
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

    /// The slot of a timed order.
    fn slot(&mut self, order: &Order) -> Option<&mut Option<Timed>> {
        match order {
            Order::Weapon { .. } => Some(&mut self.weapon),
            Order::Animate { .. } => Some(&mut self.animation),
            Order::Target { .. } => Some(&mut self.targeting),
            Order::Use { .. } | Order::Other { .. } => Some(&mut self.hands),
            _ => None,
        }
    }

    fn has(&self, id: OrderId) -> bool {
        let timed = [&self.weapon, &self.animation, &self.targeting, &self.hands];
        self.moving.as_ref().is_some_and(|going| going.id == id)
            || timed.into_iter().flatten().any(|job| job.id == id)
    }
}

/// What an order has come to when it is begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// It was nothing, or is done already.
    Done,
    /// It cannot be done.
    Failed(Word),
    /// It goes on until this moment.
    Later(Tick),
}

impl World {
    /// Takes an order. It is begun at once and goes on with the steps.
    pub fn order(&mut self, sent: &IssuedOrder) {
        let Some(index) = self.actor_index(sent.me) else {
            if !matches!(sent.order, Order::Cancel(_)) {
                self.reports.push((sent.me, Message::Failed(sent.id, self.words.gone)));
            }
            return;
        };
        match sent.order {
            Order::Cancel(id) => self.cancel(index, id),
            _ if self.actors[index].jobs.has(sent.id) => {}
            _ if !self.actors[index].alive => self.fail(index, sent.id, self.words.dead),
            order => self.begin(index, sent.id, order),
        }
    }

    /// What has happened since the last call, for whom: ends of orders and stimuli, oldest first.
    pub fn reports(&mut self) -> std::vec::Drain<'_, (EntityId, Message)> {
        self.reports.drain(..)
    }

    fn begin(&mut self, index: usize, id: OrderId, order: Order) {
        if let Order::Move { to, node, manner } = order {
            if let Some(older) = self.actors[index].jobs.moving.take() {
                self.fail(index, older.id, self.words.replaced);
            }
            self.begin_move(index, id, Cell::of(to), node, manner);
        } else {
            if let Some(older) = self.actors[index].jobs.slot(&order).and_then(Option::take) {
                self.fail(index, older.id, self.words.replaced);
            }
            let ended = match order {
                Order::Weapon { what, at } => self.begin_weapon(index, what, at),
                Order::Animate { what, ticks } => self.begin_animation(index, what, ticks),
                Order::Target { at } => self.begin_target(index, at),
                _ => self.begin_hands(index, order),
            };
            match ended {
                Ended::Done => self.finish(index, id),
                Ended::Failed(why) => self.fail(index, id, why),
                Ended::Later(until) => {
                    if let Some(slot) = self.actors[index].jobs.slot(&order) {
                        *slot = Some(Timed { id, until, order });
                    }
                }
            }
        }
        self.note_active(index);
    }

    fn cancel(&mut self, index: usize, id: OrderId) {
        let jobs = &mut self.actors[index].jobs;
        if jobs.moving.take_if(|going| going.id == id).is_some() {
            return self.release_node(index);
        }
        if jobs.animation.take_if(|job| job.id == id).is_some() {
            self.actors[index].plays = None;
            return;
        }
        let slots = [&mut jobs.weapon, &mut jobs.targeting, &mut jobs.hands];
        if slots.into_iter().find_map(|slot| slot.take_if(|job| job.id == id)).is_none() {
            // It has ended, and nobody has fetched that yet: now nobody wants to know.
            let me = self.actors[index].handle;
            let is_end = |message: &Message| matches!(message, Message::Done(end) | Message::Failed(end, _) if *end == id);
            self.reports.retain(|(to, message)| *to != me || !is_end(message));
        }
    }

    /// Ends all orders of an actor in the same way.
    pub(crate) fn fail_all(&mut self, index: usize, why: Word) {
        let jobs = std::mem::take(&mut self.actors[index].jobs);
        let timed = [jobs.weapon, jobs.animation, jobs.targeting, jobs.hands];
        let going = jobs.moving.map(|going| going.id);
        let ids = going.into_iter().chain(timed.into_iter().flatten().map(|job| job.id));
        ids.for_each(|id| self.fail(index, id, why));
    }

    pub(crate) fn finish(&mut self, index: usize, id: OrderId) {
        self.reports.push((self.actors[index].handle, Message::Done(id)));
    }

    pub(crate) fn fail(&mut self, index: usize, id: OrderId, why: Word) {
        self.reports.push((self.actors[index].handle, Message::Failed(id, why)));
    }

    /// So many ticks from now, at least one.
    pub(crate) fn in_ticks(&self, ticks: Tick) -> Tick {
        after(self.now, ticks.max(1))
    }

    fn note_active(&mut self, index: usize) {
        if self.actors[index].jobs.is_empty() {
            return;
        }
        // There are at most 5,000 actors.
        let index = index as u32;
        if let Err(place) = self.active.binary_search(&index) {
            self.active.insert(place, index);
        }
    }
}
