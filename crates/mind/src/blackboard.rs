//! The blackboard: the one door out of a mind.
//!
//! In:   orders from behaviours.
//! Out:  the same to the subsystems, and what became of them to the behaviours.
//! Cost: a short list; orders of the action under way only.
//!
//! Besides it keeps what an action has set as the way things are until another sets it
//! otherwise: what the mind aims at, where it goes. That outlives the action, so somebody who
//! stops climbing to shoot still knows that he is on a ladder.

mod packed;

use crate::body::Progress;
use crate::fact::{Handle, Place};
use crate::orders::{Order, OrderId};
use crate::words::Word;

/// How many orders of one action are remembered, those under way not counted.
const MOST_ORDERS: usize = 16;

/// How an order is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderState {
    /// Under way.
    Open,
    /// Carried out.
    Done,
    /// Could not be carried out.
    Failed(Word),
}

/// Where orders are written.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Blackboard {
    /// Orders of the action under way, oldest first.
    pub(crate) orders: Vec<(OrderId, OrderState)>,
    /// What goes out at the end of the tick.
    pub(crate) out: Vec<(OrderId, Order)>,
    pub(crate) last: u32,
    /// Whom the mind aims at.
    pub target: Option<Handle>,
    /// Where it is going.
    pub destination: Option<Place>,
    /// What it is in the middle of, as `climbing`; kept until somebody says otherwise.
    pub engaged: Option<Word>,
    /// What with.
    pub engaged_with: Option<Word>,
}

impl Blackboard {
    /// Gives an order.
    pub fn order(&mut self, order: Order) -> OrderId {
        self.last += 1;
        let id = OrderId(self.last);
        match order {
            Order::Target { at } => self.target = at,
            Order::Move { to, .. } => self.destination = Some(to),
            _ => {}
        }
        self.make_room();
        self.orders.push((id, OrderState::Open));
        self.out.push((id, order));
        id
    }

    /// A long action gives many orders: the oldest that were carried out are forgotten.
    fn make_room(&mut self) {
        if self.orders.len() >= MOST_ORDERS {
            let done = |(_, state): &(OrderId, OrderState)| *state == OrderState::Done;
            if let Some(oldest) = self.orders.iter().position(done) {
                self.orders.remove(oldest);
            }
        }
    }

    /// Whether an order is under way.
    pub(crate) fn is_waiting(&self) -> bool {
        self.orders.iter().any(|(_, state)| *state == OrderState::Open)
    }

    /// How an order of the action under way is doing; `None` if it is of another action.
    pub fn state_of(&self, id: OrderId) -> Option<OrderState> {
        self.orders.iter().find(|(known, _)| *known == id).map(|&(_, state)| state)
    }

    /// The orders of the action under way, oldest first.
    pub fn orders(&self) -> impl Iterator<Item = (OrderId, OrderState)> {
        self.orders.iter().copied()
    }

    /// An order of the action under way is no longer wanted; `false` if it is not under way.
    pub fn cancel(&mut self, id: OrderId) -> bool {
        let is_it =
            |(known, state): &(OrderId, OrderState)| *known == id && *state == OrderState::Open;
        let Some(at) = self.orders.iter().position(is_it) else { return false };
        self.orders.remove(at);
        self.out.push((OrderId(0), Order::Cancel(id)));
        true
    }

    /// What the orders of the action say together: failed if one has, done if all are.
    pub fn progress(&self) -> Progress {
        let failed = self.orders.iter().find_map(|&(_, state)| match state {
            OrderState::Failed(why) => Some(why),
            _ => None,
        });
        let all_done = self.orders.iter().all(|&(_, state)| state == OrderState::Done);
        match failed {
            Some(why) => Progress::Failed(why),
            None if all_done => Progress::Done,
            None => Progress::Waiting,
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.orders.capacity() * size_of::<(OrderId, OrderState)>()
            + self.out.capacity() * size_of::<(OrderId, Order)>()
    }

    /// A subsystem reports; `false` if the order is not under way.
    pub(crate) fn report(&mut self, id: OrderId, state: OrderState) -> bool {
        let order = self.orders.iter_mut().find(|(known, _)| *known == id);
        let order = order.filter(|(_, known)| *known == OrderState::Open);
        order.map(|(_, known)| *known = state).is_some()
    }

    /// Takes over what another file's board kept.
    pub(crate) fn carry(&mut self, from: Blackboard, mut word: impl FnMut(Word) -> Word) {
        *self = Blackboard {
            last: from.last,
            target: from.target,
            destination: from.destination,
            engaged: from.engaged.map(&mut word),
            engaged_with: from.engaged_with.map(&mut word),
            ..Blackboard::default()
        };
    }

    /// The action is over: cancels what is under way.
    pub(crate) fn close(&mut self) {
        for (id, state) in self.orders.drain(..) {
            if state == OrderState::Open {
                self.out.push((OrderId(0), Order::Cancel(id)));
            }
        }
    }
}
