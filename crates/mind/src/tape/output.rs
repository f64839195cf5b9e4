//! What leaves minds, in one number: equal for two replays with the same orders and events.
//!
//! In:   orders and events.
//! Out:  the checksum of their bytes, after that of those before.
//! Cost: one pass; the room for the bytes is kept.

use crate::events::{Event, EventKind};
use crate::orders::IssuedOrder;
use throng_base::checksum;
use throng_base::codec::Encoder;

/// The checksum of what has left so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutputDigest {
    pub(crate) digest: u64,
    /// Kept for the next call.
    scratch: Encoder,
}

impl OutputDigest {
    /// Takes orders and events in. Mistakes of code are left out, for a replay calls no code, and
    /// what is only for readers.
    pub(crate) fn add(&mut self, orders: &[IssuedOrder], events: &[Event]) {
        let to = &mut self.scratch;
        to.bytes.clear();
        to.write(orders);
        let lived = events.iter().filter(|event| {
            !matches!(event.what, EventKind::Mistake(_)) && !event.what.is_for_readers()
        });
        lived.for_each(|event| _ = to.write(event));
        self.digest = checksum(self.digest, &to.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Activity;
    use crate::fact::EntityId;
    use crate::orders::{MindId, Order, OrderId, Stimulus, TaskSlot};
    use crate::progress::Ending;
    use crate::words::Word;
    use std::collections::HashMap;

    fn digest(orders: &[IssuedOrder], events: &[Event]) -> u64 {
        let mut output = OutputDigest::default();
        output.add(orders, events);
        output.digest
    }

    /// Orders and events that are easily taken for one another, each once.
    fn alike() -> (Vec<Order>, Vec<EventKind>) {
        let zero = [0.0; 3];
        let handles = [None, Some(EntityId(0)), Some(EntityId(1)), Some(EntityId(u64::MAX))];
        let slots = [
            TaskSlot::Free,
            TaskSlot::Place(Word(0)),
            TaskSlot::Thing(EntityId(0)),
            TaskSlot::Thing(EntityId(1)),
        ];
        let mut orders = Vec::new();
        for word in [Word(0), Word(1), Word(7), Word::NONE] {
            orders.push(Order::Move { to: zero, node: word, manner: Word(3) });
            orders.push(Order::Move { to: [0.0, 0.0, 1.0], node: Word(9), manner: word });
            orders.push(Order::Animate { what: word, ticks: 0 });
            orders.push(Order::Animate { what: word, ticks: u32::MAX });
            orders.push(Order::Use { what: word, on: EntityId(0) });
            orders.push(Order::Cancel(OrderId(word.0)));
            for at in handles {
                orders.push(Order::Weapon { what: word, at, to: None });
                orders.push(Order::Weapon { what: word, at, to: Some(zero) });
                let heard = Stimulus { source: at, ..Stimulus::new(word, zero) };
                orders.push(Order::Emit(heard));
                orders.push(Order::Emit(Stimulus { event: Word(1), ..heard }));
                for amount in [0.0, 1.0] {
                    let (on, name, place) = (at, Word(0), zero);
                    orders.push(Order::Other { what: word, on, name, place, amount });
                }
                for slot in slots {
                    let (to, place, about) = (EntityId(1), zero, at);
                    orders.push(Order::Task { what: word, to, place, slot, about });
                }
            }
        }
        orders.extend(handles.map(|at| Order::Target { at }));
        let doings = [Activity::Flavour(0), Activity::Flavour(1)];
        let mut events = vec![EventKind::Goal(None), EventKind::Heavy(0), EventKind::Heavy(5)];
        for run in [0, 1, 2, 1 << 30, (1 << 30) + 1, u32::MAX] {
            for doing in doings {
                for kind in [None, Some(Word(0)), Some(Word(1)), Some(Word::NONE)] {
                    events.push(EventKind::Started { run, doing, kind });
                }
                for why in [Word(0), Word(1), Word::NONE] {
                    events.push(EventKind::Ended { run, doing, how: Ending::Failed(why) });
                }
                events.push(EventKind::Ended { run, doing, how: Ending::Done });
                events.push(EventKind::Ended { run, doing, how: Ending::Cancelled });
            }
        }
        (orders, events)
    }

    #[test]
    fn no_two_orders_or_events_are_the_same_number() {
        let (orders, events) = alike();
        let mut seen: HashMap<u64, String> = HashMap::new();
        let mut see = |number: u64, what: String| {
            let before = seen.insert(number, what.clone());
            assert_eq!(before, None, "the same as {what}");
        };
        for order in orders {
            let sent = IssuedOrder { mind: MindId(1), me: EntityId(1), id: OrderId(1), order };
            see(digest(&[sent], &[]), format!("{order:?}"));
        }
        for what in events {
            let event = Event { at: 1, mind: MindId(1), what };
            see(digest(&[], &[event]), format!("{what:?}"));
        }
        see(0, "nothing".to_string());
    }
}
