//! Messages and orders as bytes and back.

use super::{IssuedOrder, Message, MindId, Order, OrderId, Stimulus, TaskSlot};
use throng_base::codec::{Decode, DecodeError, Decoder, Encode, Encoder};
use throng_base::{codec_enum, codec_struct};

codec_struct!(decode MindId);
codec_struct!(decode OrderId);

impl Encode for Order {
    fn encode(&self, to: &mut Encoder) {
        match *self {
            Order::Move { to: place, node, manner } => {
                to.write(&0u8).write(&node).write(&manner).write(&place)
            }
            Order::Weapon { what, at, to: None } => to.write(&1u8).write(&what).write(&at),
            Order::Weapon { what, at, to: Some(place) } => {
                to.write(&9u8).write(&what).write(&at).write(&place)
            }
            Order::Animate { what, ticks } => to.write(&2u8).write(&what).write(&ticks),
            Order::Target { at } => to.write(&3u8).write(&at),
            Order::Use { what, on } => to.write(&4u8).write(&what).write(&on),
            Order::Other { what, on, name, place, amount } => {
                to.write(&5u8).write(&what).write(&on).write(&name).write(&amount).write(&place)
            }
            Order::Cancel(id) => to.write(&6u8).write(&id),
            Order::Task { what, to: member, place, slot, about } => {
                to.write(&7u8).write(&what).write(&member).write(&slot).write(&about).write(&place)
            }
            Order::Emit(stimulus) => to.write(&8u8).write(&stimulus),
        };
    }
}

impl Decode for Order {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(match from.read::<u8>()? {
            0 => {
                let (node, manner) = (from.read()?, from.read()?);
                Order::Move { node, manner, to: from.read()? }
            }
            1 => Order::Weapon { what: from.read()?, at: from.read()?, to: None },
            2 => Order::Animate { what: from.read()?, ticks: from.read()? },
            3 => Order::Target { at: from.read()? },
            4 => Order::Use { what: from.read()?, on: from.read()? },
            5 => {
                let (what, on, name) = (from.read()?, from.read()?, from.read()?);
                Order::Other { what, on, name, amount: from.read()?, place: from.read()? }
            }
            6 => Order::Cancel(from.read()?),
            7 => {
                let (what, to, slot, about) =
                    (from.read()?, from.read()?, from.read()?, from.read()?);
                Order::Task { what, to, slot, about, place: from.read()? }
            }
            8 => Order::Emit(from.read()?),
            // One to a weapon without a place is written as it was before they had places.
            9 => Order::Weapon { what: from.read()?, at: from.read()?, to: Some(from.read()?) },
            _ => return from.error("order"),
        })
    }
}

codec_enum!("slot" TaskSlot { 0 => Free, 1 => Place(name), 2 => Thing(thing) });

codec_struct!(IssuedOrder { mind, me, id, order });

codec_struct!(Stimulus { kind, position, strength, radius, amount, source, object, event });

codec_enum!("message" Message {
    0 => Stimulus(stimulus),
    1 => Told(fact),
    2 => Done(order),
    3 => Failed(order, why),
    4 => Retold(fact),
    5 => Untold(fact),
    6 => Answered(number, reply),
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::Reply;
    use throng_base::codec::trial::Trial;
    use throng_base::codec::trial::comes_back;

    fn stimulus(trial: &mut Trial) -> Stimulus {
        Stimulus {
            kind: trial.any(),
            position: trial.any(),
            strength: trial.any(),
            radius: trial.any(),
            source: trial.any(),
            object: trial.any(),
            event: trial.any(),
            amount: trial.any(),
        }
    }

    fn order(trial: &mut Trial, at: usize) -> Order {
        let order = match at {
            0 => Order::Move { to: trial.any(), node: trial.any(), manner: trial.any() },
            1 => Order::Weapon { what: trial.any(), at: trial.any(), to: trial.any() },
            2 => Order::Animate { what: trial.any(), ticks: trial.any() },
            3 => Order::Target { at: trial.any() },
            4 => Order::Use { what: trial.any(), on: trial.any() },
            5 => Order::Other {
                what: trial.any(),
                on: trial.any(),
                name: trial.any(),
                place: trial.any(),
                amount: trial.any(),
            },
            6 => Order::Cancel(trial.any()),
            8 => Order::Emit(stimulus(trial)),
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
            Order::Emit(_) => 8,
        };
        assert_eq!(is, at);
        order
    }

    #[test]
    fn every_order_comes_back_sent_or_not() {
        comes_back::<Order>(|trial, round| order(trial, round % 9));
        comes_back::<IssuedOrder>(|trial, round| IssuedOrder {
            mind: trial.any(),
            me: trial.any(),
            id: trial.any(),
            order: order(trial, round % 9),
        });
        comes_back::<TaskSlot>(|trial, round| match round % 3 {
            0 => TaskSlot::Free,
            1 => TaskSlot::Place(trial.any()),
            _ => TaskSlot::Thing(trial.any()),
        });
        comes_back::<MindId>(|trial, _| MindId(trial.any()));
        comes_back::<OrderId>(|trial, _| OrderId(trial.any()));
        assert!(Decoder::new(&[10]).read::<Order>().is_err());
    }

    #[test]
    fn every_message_comes_back() {
        comes_back::<Stimulus>(|trial, _| stimulus(trial));
        comes_back::<Message>(|trial, round| {
            let message = match round % 7 {
                0 => Message::Stimulus(stimulus(trial)),
                1 => Message::Told(trial.any()),
                2 => Message::Done(trial.any()),
                3 => Message::Failed(trial.any(), trial.any()),
                4 => Message::Retold(trial.any()),
                6 => Message::Answered(trial.any(), Reply::Amount(round as f32)),
                _ => Message::Untold(trial.any()),
            };
            let is = match message {
                Message::Stimulus(_) => 0,
                Message::Told(_) => 1,
                Message::Done(_) => 2,
                Message::Failed(..) => 3,
                Message::Retold(_) => 4,
                Message::Untold(_) => 5,
                Message::Answered(..) => 6,
            };
            assert_eq!(is, round % 7);
            message
        });
        assert!(Decoder::new(&[7]).read::<Message>().is_err());
    }
}
