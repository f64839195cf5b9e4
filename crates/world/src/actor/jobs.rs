//! Orders under way of one actor: one per subsystem of his body.
//!
//! In:   orders that go on for a while.
//! Out:  which are due, which are still under way.
//! Cost: five slots per actor.

use super::Manner;
use crate::cell::Cell;
use throng_base::codec_struct;
use throng_mind::fact::EntityId;
use throng_mind::orders::{Order, OrderId};
use throng_mind::time::Tick;

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
    /// Since when somebody is in the way.
    pub(crate) waits: Option<Tick>,
    /// For how many ticks those were in the way whom he cannot get past.
    pub(crate) held: Tick,
}

/// Which subsystem has a timed order: its position in [`Jobs::timed`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    Weapon,
    Animation,
    Targeting,
    Hands,
}

impl Slot {
    /// The slot of an order that ends at a moment; `None` for the others.
    pub(crate) fn of(order: &Order) -> Option<Slot> {
        match order {
            Order::Weapon { .. } => Some(Slot::Weapon),
            Order::Animate { .. } => Some(Slot::Animation),
            Order::Target { .. } => Some(Slot::Targeting),
            Order::Use { .. } | Order::Other { .. } => Some(Slot::Hands),
            _ => None,
        }
    }
}

/// Orders under way of one actor.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Jobs {
    pub(crate) moving: Option<Going>,
    /// By [`Slot`].
    pub(crate) timed: [Option<Timed>; 4],
}

codec_struct!(Timed { id, until, order });
codec_struct!(Going { id, to, manner, rest, until, opening, waits, held });
codec_struct!(Jobs { moving, timed });

impl Jobs {
    /// The numbers of all orders under way.
    pub(crate) fn ids(&self) -> impl Iterator<Item = OrderId> {
        let moving = self.moving.iter().map(|going| going.id);
        moving.chain(self.timed.iter().flatten().map(|job| job.id))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ids().next().is_none()
    }

    pub(crate) fn in_slot(&self, slot: Slot) -> Option<&Timed> {
        self.timed[slot as usize].as_ref()
    }

    /// Whether each order is with the subsystem that it is for.
    pub(crate) fn fit(&self) -> bool {
        let fits = |(at, job): (usize, &Option<Timed>)| {
            let slot = job.as_ref().map(|job| Slot::of(&job.order));
            slot.is_none_or(|slot| slot.is_some_and(|slot| slot as usize == at))
        };
        self.timed.iter().enumerate().all(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::{Trial, comes_back};

    #[test]
    fn orders_under_way_come_back() {
        let timed =
            |trial: &mut Trial| Timed { id: trial.any(), until: trial.any(), order: trial.any() };
        let going = |trial: &mut Trial| Going {
            id: trial.any(),
            to: trial.any(),
            manner: trial.any(),
            rest: trial.any(),
            until: trial.any(),
            opening: trial.any(),
            waits: trial.any(),
            held: trial.any(),
        };
        comes_back::<Timed>(|trial, _| timed(trial));
        comes_back::<Going>(|trial, _| going(trial));
        comes_back::<Jobs>(|trial, round| {
            let timed = std::array::from_fn(|at| (round >> at & 1 == 1).then(|| timed(trial)));
            let moving = (round >> 4 & 1 == 1).then(|| going(trial));
            Jobs { moving, timed }
        });
    }
}
