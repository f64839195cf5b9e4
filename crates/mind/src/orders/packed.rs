//! Messages and orders as bytes and back.

use super::{Message, MindId, Order, OrderId, Sent, Slot, Stimulus};
use crate::pack::{Damaged, Pack, Packer, Unpacker};

impl Pack for MindId {
    fn pack(&self, to: &mut Packer) {
        to.put(&self.0);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(MindId(from.take()?))
    }
}

impl Pack for OrderId {
    fn pack(&self, to: &mut Packer) {
        to.put(&self.0);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(OrderId(from.take()?))
    }
}

impl Pack for Order {
    fn pack(&self, to: &mut Packer) {
        match self {
            Order::Move { to: place, node, manner } => {
                to.put(&0u8).put(place).put(node).put(manner)
            }
            Order::Weapon { what, at } => to.put(&1u8).put(what).put(at),
            Order::Animate { what, ticks } => to.put(&2u8).put(what).put(ticks),
            Order::Target { at } => to.put(&3u8).put(at),
            Order::Use { what, on } => to.put(&4u8).put(what).put(on),
            Order::Other { what, on, name, place } => {
                to.put(&5u8).put(what).put(on).put(name).put(place)
            }
            Order::Cancel(id) => to.put(&6u8).put(id),
            Order::Task { what, to: who, place, slot, about } => {
                to.put(&7u8).put(what).put(who).put(place).put(slot).put(about)
            }
        };
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(match from.take::<u8>()? {
            0 => Order::Move { to: from.take()?, node: from.take()?, manner: from.take()? },
            1 => Order::Weapon { what: from.take()?, at: from.take()? },
            2 => Order::Animate { what: from.take()?, ticks: from.take()? },
            3 => Order::Target { at: from.take()? },
            4 => Order::Use { what: from.take()?, on: from.take()? },
            5 => Order::Other {
                what: from.take()?,
                on: from.take()?,
                name: from.take()?,
                place: from.take()?,
            },
            6 => Order::Cancel(from.take()?),
            7 => Order::Task {
                what: from.take()?,
                to: from.take()?,
                place: from.take()?,
                slot: from.take()?,
                about: from.take()?,
            },
            _ => return from.damaged("order"),
        })
    }
}

impl Pack for Slot {
    fn pack(&self, to: &mut Packer) {
        match self {
            Slot::Free => to.put(&0u8),
            Slot::Place(name) => to.put(&1u8).put(name),
            Slot::Thing(thing) => to.put(&2u8).put(thing),
        };
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(match from.take::<u8>()? {
            0 => Slot::Free,
            1 => Slot::Place(from.take()?),
            2 => Slot::Thing(from.take()?),
            _ => return from.damaged("slot"),
        })
    }
}

impl Pack for Sent {
    fn pack(&self, to: &mut Packer) {
        let Sent { mind, me, id, order } = self;
        to.put(mind).put(me).put(id).put(order);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let (mind, me, id, order) = from.take()?;
        Ok(Sent { mind, me, id, order })
    }
}

impl Pack for Stimulus {
    fn pack(&self, to: &mut Packer) {
        let Stimulus { kind, position, strength, radius, source, object, event, amount } = self;
        to.put(kind).put(position).put(strength).put(radius);
        to.put(source).put(object).put(event).put(amount);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(Stimulus {
            kind: from.take()?,
            position: from.take()?,
            strength: from.take()?,
            radius: from.take()?,
            source: from.take()?,
            object: from.take()?,
            event: from.take()?,
            amount: from.take()?,
        })
    }
}

impl Pack for Message {
    fn pack(&self, to: &mut Packer) {
        match self {
            Message::Stimulus(stimulus) => to.put(&0u8).put(stimulus),
            Message::Told(fact) => to.put(&1u8).put(fact),
            Message::Done(order) => to.put(&2u8).put(order),
            Message::Failed(order, why) => to.put(&3u8).put(order).put(why),
            Message::Retold(fact) => to.put(&4u8).put(fact),
            Message::Untold(fact) => to.put(&5u8).put(fact),
        };
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(match from.take::<u8>()? {
            0 => Message::Stimulus(from.take()?),
            1 => Message::Told(from.take()?),
            2 => Message::Done(from.take()?),
            3 => Message::Failed(from.take()?, from.take()?),
            4 => Message::Retold(from.take()?),
            5 => Message::Untold(from.take()?),
            _ => return from.damaged("message"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::tests::comes_back;
    use crate::pack::trial::Trial;

    fn order(trial: &mut Trial, at: usize) -> Order {
        let order = match at {
            0 => Order::Move { to: trial.any(), node: trial.any(), manner: trial.any() },
            1 => Order::Weapon { what: trial.any(), at: trial.any() },
            2 => Order::Animate { what: trial.any(), ticks: trial.any() },
            3 => Order::Target { at: trial.any() },
            4 => Order::Use { what: trial.any(), on: trial.any() },
            5 => Order::Other {
                what: trial.any(),
                on: trial.any(),
                name: trial.any(),
                place: trial.any(),
            },
            6 => Order::Cancel(trial.any()),
            _ => Order::Task {
                what: trial.any(),
                to: trial.any(),
                place: trial.any(),
                slot: trial.any(),
                about: trial.any(),
            },
        };
        // A new one does not compile until it is here, and fails until it is above.
        let is = match order {
            Order::Move { .. } => 0,
            Order::Weapon { .. } => 1,
            Order::Animate { .. } => 2,
            Order::Target { .. } => 3,
            Order::Use { .. } => 4,
            Order::Other { .. } => 5,
            Order::Cancel(_) => 6,
            Order::Task { .. } => 7,
        };
        assert_eq!(is, at);
        order
    }

    #[test]
    fn every_order_comes_back_sent_or_not() {
        comes_back::<Order>(|trial, round| order(trial, round % 8));
        comes_back::<Sent>(|trial, round| Sent {
            mind: trial.any(),
            me: trial.any(),
            id: trial.any(),
            order: order(trial, round % 8),
        });
        comes_back::<Slot>(|trial, round| match round % 3 {
            0 => Slot::Free,
            1 => Slot::Place(trial.any()),
            _ => Slot::Thing(trial.any()),
        });
        comes_back::<MindId>(|trial, _| MindId(trial.any()));
        comes_back::<OrderId>(|trial, _| OrderId(trial.any()));
        assert!(Unpacker::new(&[8]).take::<Order>().is_err());
    }

    #[test]
    fn every_message_comes_back() {
        let stimulus = |trial: &mut Trial| Stimulus {
            kind: trial.any(),
            position: trial.any(),
            strength: trial.any(),
            radius: trial.any(),
            source: trial.any(),
            object: trial.any(),
            event: trial.any(),
            amount: trial.any(),
        };
        comes_back::<Stimulus>(|trial, _| stimulus(trial));
        comes_back::<Message>(|trial, round| {
            let message = match round % 6 {
                0 => Message::Stimulus(stimulus(trial)),
                1 => Message::Told(trial.any()),
                2 => Message::Done(trial.any()),
                3 => Message::Failed(trial.any(), trial.any()),
                4 => Message::Retold(trial.any()),
                _ => Message::Untold(trial.any()),
            };
            let is = match message {
                Message::Stimulus(_) => 0,
                Message::Told(_) => 1,
                Message::Done(_) => 2,
                Message::Failed(..) => 3,
                Message::Retold(_) => 4,
                Message::Untold(_) => 5,
            };
            assert_eq!(is, round % 6);
            message
        });
        assert!(Unpacker::new(&[6]).take::<Message>().is_err());
    }
}
