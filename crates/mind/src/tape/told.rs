//! What leaves minds, in one number: two replays that order and tell the same have the same.
//!
//! In:   orders and events.
//! Out:  a number.
//! Cost: a few multiplications each.

use crate::body::Ending;
use crate::events::{Doing, Event, What};
use crate::fact::{Handle, Place};
use crate::orders::{Order, Sent, Slot};

struct Mixed(u64);

impl Mixed {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9fb2_1c65_1e98_df25).rotate_left(29);
    }

    fn two(&mut self, high: u32, low: u32) {
        self.add(u64::from(high) << 32 | u64::from(low));
    }

    fn handle(&mut self, handle: Option<Handle>) {
        self.add(handle.map_or(u64::MAX, |handle| handle.0));
    }

    fn place(&mut self, [x, y, z]: Place) {
        self.two(x.to_bits(), y.to_bits());
        self.add(u64::from(z.to_bits()));
    }

    fn doing(&mut self, doing: Doing) {
        match doing {
            Doing::Step(action) => self.two(0, action.index() as u32),
            Doing::Otherwise(action) => self.two(1, action.index() as u32),
            Doing::Flavour(at) => self.two(2, u32::from(at)),
        }
    }

    fn order(&mut self, sent: &Sent) {
        let Sent { mind, me, id, order } = sent;
        self.two(mind.0, id.0);
        self.add(me.0);
        match *order {
            Order::Move { to, node, manner } => {
                self.place(to);
                self.two(node.0, manner.0);
            }
            Order::Weapon { what, at } => {
                self.two(1, what.0);
                self.handle(at);
            }
            Order::Animate { what, ticks } => self.two(what.0, ticks),
            Order::Target { at } => self.handle(at),
            Order::Use { what, on } => {
                self.two(4, what.0);
                self.add(on.0);
            }
            Order::Other { what, on, name, place } => {
                self.two(what.0, name.0);
                self.handle(on);
                self.place(place);
            }
            Order::Cancel(id) => self.two(6, id.0),
            Order::Task { what, to, place, slot, about } => {
                self.two(7, what.0);
                self.add(to.0);
                self.place(place);
                match slot {
                    Slot::Free => self.add(0),
                    Slot::Place(name) => self.two(1, name.0),
                    Slot::Thing(thing) => {
                        self.add(2);
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
            What::Goal(goal) => self.two(1, goal.map_or(u32::MAX, |goal| goal.index() as u32)),
            What::Planned { cause, goal, steps } => {
                self.two(2 << 8 | cause as u32, (goal.index() as u32) << 16 ^ u32::from(steps));
            }
            What::NoPlan(cause) => self.two(3, cause as u32),
            What::Started { run, doing, kind } => {
                self.two(run, kind.map_or(0, |kind| kind.0.wrapping_add(2)));
                self.doing(doing);
            }
            What::Ended { run, doing, how } => {
                let how = match how {
                    Ending::Done => 0,
                    Ending::Cancelled => 1,
                    Ending::Failed(why) => u64::from(why.0) + 2,
                };
                self.add(u64::from(run) << 34 ^ how);
                self.doing(doing);
            }
            What::Skipped(action) => self.two(6, action.index() as u32),
            What::NoEffect(action) => self.two(7, action.index() as u32),
            What::Doubted(action) => self.two(8, action.index() as u32),
            What::Learnt(action) => self.two(9, action.index() as u32),
            What::Waits(cause) => self.two(11, cause as u32),
            What::Heavy(sensor) => self.two(10, u32::from(sensor)),
        }
    }
}

/// A number with so many orders and events more in it.
pub(crate) fn mix_out(before: u64, orders: &[Sent], events: &[Event]) -> u64 {
    let mut mixed = Mixed(before);
    mixed.two(orders.len() as u32, events.len() as u32);
    orders.iter().for_each(|order| mixed.order(order));
    events.iter().for_each(|event| mixed.event(event));
    mixed.0
}
