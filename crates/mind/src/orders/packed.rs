//! Messages and orders as bytes and back.

use super::{Message, MindId, Order, OrderId, Slot, Stimulus};
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
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::fact::{Attribute, FactDraft, Handle};
    use crate::words::Word;

    #[test]
    fn every_order_and_message_comes_back() {
        let (word, place, at) = (Word(3), [1.5, -2.0, 0.0], Some(Handle(9)));
        let orders = [
            Order::Move { to: place, node: word, manner: Word::NONE },
            Order::Weapon { what: word, at },
            Order::Animate { what: word, ticks: 300 },
            Order::Target { at: None },
            Order::Use { what: word, on: Handle(70_000) },
            Order::Other { what: word, on: at, name: Word(0), place },
            Order::Cancel(OrderId(12)),
            Order::Task { what: word, to: Handle(4), place, slot: Slot::Place(word), about: at },
        ];
        let stimulus = Stimulus { object: at, event: word, ..Stimulus::new(Word(1), place) };
        let fact = FactDraft::new(word).with(Attribute::Amount, 2.0, 0.5).keep(7);
        let messages = [
            Message::Stimulus(stimulus),
            Message::Told(Box::new(fact)),
            Message::Done(OrderId(1)),
            Message::Failed(OrderId(2), word),
            Message::Retold(Box::new(fact)),
            Message::Untold(Box::new(fact)),
        ];
        let mut packer = Packer::default();
        packer.put(&orders).put(&messages).put(&MindId(5));
        let mut unpacker = Unpacker::new(&packer.bytes);
        assert_eq!(unpacker.take::<[Order; 8]>().unwrap(), orders);
        assert_eq!(unpacker.take::<[Message; 6]>().unwrap(), messages);
        assert_eq!(unpacker.take(), Ok(MindId(5)));
        unpacker.finish().unwrap();
        assert!(Unpacker::new(&[8]).take::<Order>().is_err());
        assert!(Unpacker::new(&[6]).take::<Message>().is_err());
    }
}
