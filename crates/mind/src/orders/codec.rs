//! Messages and orders as bytes and back: one line each.

use super::{IssuedOrder, Message, MindId, Order, OrderId, Slot, Stimulus};
use throng_base::{codec_enum, codec_struct};

codec_struct!(decode MindId);
codec_struct!(decode OrderId);

codec_enum!("order" Order {
    0 => Move { node, manner, to },
    1 => Weapon { what, at },
    2 => Animate { what, ticks },
    3 => Target { at },
    4 => Use { what, on },
    5 => Other { what, on, name, amount, place },
    6 => Cancel(id),
    7 => Task { what, to, slot, about, place },
});

codec_enum!("slot" Slot { 0 => Free, 1 => Place(name), 2 => Thing(thing) });

codec_struct!(IssuedOrder { mind, me, id, order });

codec_struct!(Stimulus { kind, position, strength, radius, amount, source, object, event });

codec_enum!("message" Message {
    0 => Stimulus(stimulus),
    1 => Told(fact),
    2 => Done(order),
    3 => Failed(order, why),
    4 => Retold(fact),
    5 => Untold(fact),
});

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::Decoder;
    use throng_base::codec::trial::Trial;
    use throng_base::codec::trial::comes_back;

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
                amount: trial.any(),
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
        comes_back::<IssuedOrder>(|trial, round| IssuedOrder {
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
        assert!(Decoder::new(&[8]).read::<Order>().is_err());
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
        assert!(Decoder::new(&[6]).read::<Message>().is_err());
    }
}
