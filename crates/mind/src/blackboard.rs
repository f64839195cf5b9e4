//! The blackboard: the one door out of a mind.
//!
//! In:   orders from behaviours.
//! Out:  the same to the subsystems, and what became of them to the behaviours.
//! Cost: a short list; orders of what is under way only.
//!
//! Several things may be under way at once. Each has orders of its own: a behaviour sees those that
//! it has given itself, whatever is done beside it.
//!
//! Besides it keeps what an action has set as the way things are until another sets it
//! otherwise: what the mind aims at, where it goes. That outlives the action, so an NPC that
//! stops climbing to shoot still knows that it is on a ladder.

use crate::fact::{EntityId, Position};
use crate::orders::{Order, OrderId};
use crate::progress::Progress;
use crate::words::Word;
use throng_base::{codec_enum, codec_struct};

/// So many orders of one action are remembered; those under way are even if they are more.
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

/// What became of the orders of an action that are no longer remembered one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Forgotten {
    /// How many were carried out.
    pub done: u32,
    /// How many could not be.
    pub failed: u32,
    /// Why the first of these could not.
    pub why: Option<Word>,
}

/// The orders of one thing that is under way.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct GivenOrders {
    /// Oldest first.
    pub(crate) orders: Vec<(OrderId, OrderState)>,
    /// Older ones.
    pub(crate) forgotten: Forgotten,
}

impl GivenOrders {
    fn add(&mut self, id: OrderId) {
        self.make_room();
        self.take_room();
        self.orders.push((id, OrderState::Open));
    }

    /// Takes room for all that are remembered, if there is none yet.
    pub(crate) fn take_room(&mut self) {
        if self.orders.capacity() == 0 {
            self.orders.reserve_exact(MOST_ORDERS);
        }
    }

    /// A long action gives many orders: of the oldest that have ended only the number is kept.
    fn make_room(&mut self) {
        if self.orders.len() < MOST_ORDERS {
            return;
        }
        let has_ended = |(_, state): &(OrderId, OrderState)| *state != OrderState::Open;
        let Some(oldest) = self.orders.iter().position(has_ended) else { return };
        let Forgotten { done, failed, why } = &mut self.forgotten;
        match self.orders.remove(oldest).1 {
            OrderState::Failed(word) => {
                *failed = failed.saturating_add(1);
                why.get_or_insert(word);
            }
            OrderState::Done | OrderState::Open => *done = done.saturating_add(1),
        }
    }

    /// Whether an order is under way.
    pub(crate) fn is_waiting(&self) -> bool {
        self.orders.iter().any(|(_, state)| *state == OrderState::Open)
    }

    /// An order that is under way has ended; `false` if it is not under way.
    pub(crate) fn report(&mut self, id: OrderId, state: OrderState) -> bool {
        let order = self.orders.iter_mut().find(|(known, _)| *known == id);
        let order = order.filter(|(_, known)| *known == OrderState::Open);
        order.map(|(_, known)| *known = state).is_some()
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.orders.capacity() * size_of::<(OrderId, OrderState)>()
    }
}

/// Where orders are written.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Blackboard {
    /// Orders of the action under way; while something else is asked, of that.
    pub(crate) given: GivenOrders,
    /// What goes out at the end of the tick.
    pub(crate) out: Vec<(OrderId, Order)>,
    pub(crate) last: u32,
    /// The entity that the mind aims at.
    pub target: Option<EntityId>,
    /// Where it is going.
    pub destination: Option<Position>,
    /// What it is in the middle of, as `climbing`; kept until a behaviour says otherwise.
    pub engaged: Option<Word>,
    /// With what, as the name of a ladder.
    pub engaged_with: Option<Word>,
}

impl Blackboard {
    /// Gives an order. One that nothing becomes of ([`Order::is_reported`]) has the number 0.
    pub fn order(&mut self, order: Order) -> OrderId {
        if let Order::Emit(_) = order {
            self.out.push((OrderId(0), order));
            return OrderId(0);
        }
        self.last += 1;
        let id = OrderId(self.last);
        match order {
            Order::Target { at } => self.target = at,
            Order::Move { to, .. } => self.destination = Some(to),
            _ => {}
        }
        self.given.add(id);
        self.out.push((id, order));
        id
    }

    /// Whether an order is under way.
    pub(crate) fn is_waiting(&self) -> bool {
        self.given.is_waiting()
    }

    /// How an order of the action under way is doing; `None` if it is of another action, or ended
    /// many orders ago.
    pub fn state_of(&self, id: OrderId) -> Option<OrderState> {
        self.given.orders.iter().find(|(known, _)| *known == id).map(|&(_, state)| state)
    }

    /// The orders of the action under way, oldest first.
    pub fn orders(&self) -> impl Iterator<Item = (OrderId, OrderState)> {
        self.given.orders.iter().copied()
    }

    /// How those older orders of the action under way ended that [`orders`](Self::orders) has no
    /// longer.
    pub fn forgotten(&self) -> Forgotten {
        self.given.forgotten
    }

    /// An order of the action under way is no longer wanted; `false` if it is not under way.
    pub fn cancel(&mut self, id: OrderId) -> bool {
        let is_it =
            |(known, state): &(OrderId, OrderState)| *known == id && *state == OrderState::Open;
        let Some(at) = self.given.orders.iter().position(is_it) else { return false };
        self.given.orders.remove(at);
        self.out.push((OrderId(0), Order::Cancel(id)));
        true
    }

    /// What the orders of the action say together: failed if one has, done if all are.
    pub fn progress(&self) -> Progress {
        let failed = self.given.orders.iter().find_map(|&(_, state)| match state {
            OrderState::Failed(why) => Some(why),
            _ => None,
        });
        let all_done = self.given.orders.iter().all(|&(_, state)| state == OrderState::Done);
        match self.given.forgotten.why.or(failed) {
            Some(why) => Progress::Failed(why),
            None if all_done => Progress::Done,
            None => Progress::Waiting,
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.given.heap_bytes() + self.out.capacity() * size_of::<(OrderId, Order)>()
    }

    /// A subsystem reports; `false` if the order is not under way.
    pub(crate) fn report(&mut self, id: OrderId, state: OrderState) -> bool {
        self.given.report(id, state)
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
        self.given.forgotten = Forgotten::default();
        for (id, state) in self.given.orders.drain(..) {
            if state == OrderState::Open {
                self.out.push((OrderId(0), Order::Cancel(id)));
            }
        }
    }

    /// Orders to go somewhere that were given since so many waited are not to go out, and cannot be
    /// carried out for this reason; says how many there were.
    pub(crate) fn drop_moves(&mut self, from: usize, why: Word) -> usize {
        let mut at = from.min(self.out.len());
        let mut dropped = 0;
        while let Some(&(id, order)) = self.out.get(at) {
            if matches!(order, Order::Move { .. }) {
                self.out.remove(at);
                self.given.report(id, OrderState::Failed(why));
                dropped += 1;
            } else {
                at += 1;
            }
        }
        dropped
    }
}

codec_enum!("state of an order" OrderState { 0 => Open, 1 => Done, 2 => Failed(why) });

codec_struct!(Forgotten { done, failed, why });

codec_struct!(
    GivenOrders { orders, forgotten }
    where |given| given.forgotten.why.is_some() == (given.forgotten.failed > 0),
        "count of orders that failed"
    where |given| given.orders.is_sorted_by(|(one, _), (two, _)| one < two)
        && given.orders.iter().all(|(id, _)| id.0 > 0),
        "number of an order"
);

codec_struct!(
    Blackboard {
        last: counter, given, out, target, destination, engaged, engaged_with,
    }
    where |board| board.has_given(&board.given), "number of an order"
);

impl Blackboard {
    /// Whether these orders can have been given by it.
    pub(crate) fn has_given(&self, given: &GivenOrders) -> bool {
        given.orders.last().is_none_or(|(id, _)| id.0 <= self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::RangeInclusive;
    use throng_base::codec::trial::{Trial, comes_back};

    fn give(board: &mut Blackboard) -> OrderId {
        board.order(Order::Target { at: None })
    }

    #[test]
    fn orders_that_failed_do_not_pile_up_and_are_still_known_to_have() {
        let mut board = Blackboard::default();
        let lasting = give(&mut board);
        for at in 0..100 {
            let order = give(&mut board);
            board.report(order, OrderState::Failed(Word(at)));
        }
        assert_eq!(board.orders().count(), MOST_ORDERS);
        assert_eq!(board.state_of(lasting), Some(OrderState::Open), "what is under way stays");
        let left = MOST_ORDERS as u32 - 1;
        let forgotten = Forgotten { done: 0, failed: 100 - left, why: Some(Word(0)) };
        assert_eq!(board.forgotten(), forgotten);
        assert_eq!(board.progress(), Progress::Failed(Word(0)));
    }

    #[test]
    fn what_was_done_is_counted_beyond_what_is_remembered() {
        let mut board = Blackboard::default();
        for _ in 0..40 {
            let order = give(&mut board);
            board.report(order, OrderState::Done);
        }
        let remembered = board.orders().count() as u32;
        assert_eq!(board.forgotten(), Forgotten { done: 40 - remembered, ..Default::default() });
        assert_eq!(board.progress(), Progress::Done);
        board.close();
        assert_eq!((board.orders().count(), board.forgotten()), (0, Forgotten::default()));
    }

    #[test]
    fn ways_that_must_not_be_gone_fail_and_do_not_go_out() {
        let mut board = Blackboard::default();
        let go = Order::Move { to: [1.0; 3], node: Word::NONE, manner: Word::NONE };
        let before = board.order(go);
        let from = board.out.len();
        let (aims, goes) = (give(&mut board), board.order(go));
        assert_eq!(board.drop_moves(from, Word(7)), 1);
        let sent: Vec<OrderId> = board.out.iter().map(|(id, _)| *id).collect();
        assert_eq!(sent, [before, aims], "what was given before, and what is no way, goes out");
        assert_eq!(board.state_of(goes), Some(OrderState::Failed(Word(7))));
        assert_eq!(board.progress(), Progress::Failed(Word(7)));
    }

    #[test]
    fn a_blackboard_comes_back() {
        comes_back::<OrderState>(|trial, round| match round % 3 {
            0 => OrderState::Open,
            1 => OrderState::Done,
            _ => OrderState::Failed(trial.any()),
        });
        comes_back::<Forgotten>(|trial, _| Forgotten {
            done: trial.any(),
            failed: trial.any(),
            why: trial.any(),
        });
        fn given(trial: &mut Trial, ids: RangeInclusive<u32>) -> GivenOrders {
            let failed = trial.below(2) as u32;
            GivenOrders {
                orders: ids.map(|id| (OrderId(id), trial.any())).collect(),
                forgotten: Forgotten {
                    done: trial.any(),
                    failed,
                    why: (failed > 0).then(|| trial.any()),
                },
            }
        }
        comes_back::<GivenOrders>(|trial, _| {
            let last = trial.below(5) as u32;
            given(trial, 1..=last)
        });
        comes_back::<Blackboard>(|trial, _| {
            let ids = 1..=trial.below(5) as u32;
            Blackboard {
                given: given(trial, ids.clone()),
                out: trial.any(),
                last: ids.end() + trial.below(300) as u32,
                target: trial.any(),
                destination: trial.any(),
                engaged: trial.any(),
                engaged_with: trial.any(),
            }
        });
    }
}
