//! What leaves minds, in one number: two replays that order and tell the same have the same.
//!
//! In:   orders and events.
//! Out:  a number.
//! Cost: a few multiplications each.
//!
//! Each thing begins with what it is and is added without losing a bit, so that two rows that are
//! not the same are never the same row of numbers.

use crate::events::{Doing, Event, What};
use crate::fact::{Handle, Place};
use crate::orders::{Order, Sent, Slot};
use crate::progress::Ending;
use throng_base::mix::mix;

struct Mixed(u64);

impl Mixed {
    fn add(&mut self, word: u64) {
        self.0 = mix(self.0, word);
    }

    fn two(&mut self, high: u32, low: u32) {
        self.add(u64::from(high) << 32 | u64::from(low));
    }

    /// What it is, as no other thing begins, and a number of it.
    fn tag(&mut self, tag: u32, number: u32) {
        self.two(tag, number);
    }

    fn handle(&mut self, handle: Option<Handle>) {
        self.add(u64::from(handle.is_some()));
        if let Some(handle) = handle {
            self.add(handle.0);
        }
    }

    fn place(&mut self, [x, y, z]: Place) {
        self.two(x.to_bits(), y.to_bits());
        self.add(u64::from(z.to_bits()));
    }

    fn doing(&mut self, doing: Doing) {
        match doing {
            Doing::Step(action) => self.tag(0, action.index() as u32),
            Doing::Otherwise(action) => self.tag(1, action.index() as u32),
            Doing::Flavour(at) => self.tag(2, u32::from(at)),
        }
    }

    fn order(&mut self, sent: &Sent) {
        let Sent { mind, me, id, order } = sent;
        self.two(mind.0, id.0);
        self.add(me.0);
        match *order {
            Order::Move { to, node, manner } => {
                self.tag(0, node.0);
                self.place(to);
                self.add(u64::from(manner.0));
            }
            Order::Weapon { what, at } => {
                self.tag(1, what.0);
                self.handle(at);
            }
            Order::Animate { what, ticks } => {
                self.tag(2, what.0);
                self.add(u64::from(ticks));
            }
            Order::Target { at } => {
                self.tag(3, 0);
                self.handle(at);
            }
            Order::Use { what, on } => {
                self.tag(4, what.0);
                self.add(on.0);
            }
            Order::Other { what, on, name, place } => {
                self.tag(5, what.0);
                self.handle(on);
                self.add(u64::from(name.0));
                self.place(place);
            }
            Order::Cancel(id) => self.tag(6, id.0),
            Order::Task { what, to, place, slot, about } => {
                self.tag(7, what.0);
                self.add(to.0);
                self.place(place);
                match slot {
                    Slot::Free => self.tag(0, 0),
                    Slot::Place(name) => self.tag(1, name.0),
                    Slot::Thing(thing) => {
                        self.tag(2, 0);
                        self.add(thing.0);
                    }
                }
                self.handle(about);
            }
        }
    }

    fn event(&mut self, event: &Event) {
        let Event { at, mind, what } = event;
        self.two(*at, mind.0);
        match *what {
            What::Goal(None) => self.tag(0, 0),
            What::Goal(Some(goal)) => self.tag(1, goal.index() as u32),
            What::Planned { cause, goal, steps } => {
                self.tag(2, cause as u32);
                self.two(goal.index() as u32, u32::from(steps));
            }
            What::NoPlan(cause) => self.tag(3, cause as u32),
            What::Started { run, doing, kind } => {
                self.tag(4, run);
                self.two(u32::from(kind.is_some()), kind.map_or(0, |kind| kind.0));
                self.doing(doing);
            }
            What::Ended { run, doing, how } => {
                self.tag(5, run);
                match how {
                    Ending::Done => self.tag(0, 0),
                    Ending::Cancelled => self.tag(1, 0),
                    Ending::Failed(why) => self.tag(2, why.0),
                }
                self.doing(doing);
            }
            What::Skipped(action) => self.tag(6, action.index() as u32),
            What::NoEffect(action) => self.tag(7, action.index() as u32),
            What::Doubted(action) => self.tag(8, action.index() as u32),
            What::Learnt(action) => self.tag(9, action.index() as u32),
            What::Heavy(sensor) => self.tag(10, u32::from(sensor)),
            What::Waits(cause) => self.tag(11, cause as u32),
            What::Mistake(by) => self.tag(12, by.0),
        }
    }
}

/// A number with so many orders and events more in it. Mistakes of code are left out, for a replay
/// calls no code.
pub(crate) fn mix_out(before: u64, orders: &[Sent], events: &[Event]) -> u64 {
    let mut mixed = Mixed(before);
    let lived = events.iter().filter(|event| !matches!(event.what, What::Mistake(_)));
    mixed.two(orders.len() as u32, lived.clone().count() as u32);
    orders.iter().for_each(|order| mixed.order(order));
    lived.for_each(|event| mixed.event(event));
    mixed.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::{MindId, OrderId};
    use crate::words::Word;
    use std::collections::HashMap;

    /// Orders and events that are easily taken for one another, each once.
    fn alike() -> (Vec<Order>, Vec<What>) {
        let zero = [0.0; 3];
        let handles = [None, Some(Handle(0)), Some(Handle(1)), Some(Handle(u64::MAX))];
        let slots =
            [Slot::Free, Slot::Place(Word(0)), Slot::Thing(Handle(0)), Slot::Thing(Handle(1))];
        let mut orders = Vec::new();
        for word in [Word(0), Word(1), Word(7), Word::NONE] {
            orders.push(Order::Move { to: zero, node: word, manner: Word(3) });
            orders.push(Order::Move { to: [0.0, 0.0, 1.0], node: Word(9), manner: word });
            orders.push(Order::Animate { what: word, ticks: 0 });
            orders.push(Order::Animate { what: word, ticks: u32::MAX });
            orders.push(Order::Use { what: word, on: Handle(0) });
            orders.push(Order::Cancel(OrderId(word.0)));
            for at in handles {
                orders.push(Order::Weapon { what: word, at });
                orders.push(Order::Other { what: word, on: at, name: Word(0), place: zero });
                for slot in slots {
                    let (to, place, about) = (Handle(1), zero, at);
                    orders.push(Order::Task { what: word, to, place, slot, about });
                }
            }
        }
        orders.extend(handles.map(|at| Order::Target { at }));
        let doings = [Doing::Flavour(0), Doing::Flavour(1)];
        let mut events = vec![What::Goal(None), What::Heavy(0), What::Heavy(5)];
        for run in [0, 1, 2, 1 << 30, (1 << 30) + 1, u32::MAX] {
            for doing in doings {
                for kind in [None, Some(Word(0)), Some(Word(1)), Some(Word::NONE)] {
                    events.push(What::Started { run, doing, kind });
                }
                for why in [Word(0), Word(1), Word::NONE] {
                    events.push(What::Ended { run, doing, how: Ending::Failed(why) });
                }
                events.push(What::Ended { run, doing, how: Ending::Done });
                events.push(What::Ended { run, doing, how: Ending::Cancelled });
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
            let sent = Sent { mind: MindId(1), me: Handle(1), id: OrderId(1), order };
            see(mix_out(0, &[sent], &[]), format!("{order:?}"));
        }
        for what in events {
            let event = Event { at: 1, mind: MindId(1), what };
            see(mix_out(0, &[], &[event]), format!("{what:?}"));
        }
        see(0, "nothing".to_string());
    }
}
