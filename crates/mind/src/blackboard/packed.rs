//! A blackboard as bytes and back.

use super::{Blackboard, Forgotten, OrderState};
use crate::orders::OrderId;
use crate::pack::{Damaged, Pack, Packer, Unpacker};

impl Pack for OrderState {
    fn pack(&self, to: &mut Packer) {
        match self {
            OrderState::Open => to.put(&0u8),
            OrderState::Done => to.put(&1u8),
            OrderState::Failed(why) => to.put(&2u8).put(why),
        };
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(match from.take::<u8>()? {
            0 => OrderState::Open,
            1 => OrderState::Done,
            2 => OrderState::Failed(from.take()?),
            _ => return from.damaged("state of an order"),
        })
    }
}

impl Pack for Forgotten {
    fn pack(&self, to: &mut Packer) {
        let Forgotten { done, failed, why } = self;
        to.put(done).put(failed).put(why);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let forgotten = Forgotten { done: from.take()?, failed: from.take()?, why: from.take()? };
        // There is a reason if and only if something failed.
        if forgotten.why.is_some() != (forgotten.failed > 0) {
            return from.damaged("count of orders that failed");
        }
        Ok(forgotten)
    }
}

impl Pack for Blackboard {
    fn pack(&self, to: &mut Packer) {
        let Blackboard { orders, forgotten, out, last, target, destination, engaged, engaged_with } =
            self;
        to.put(last).put(orders).put(forgotten).put(out);
        to.put(target).put(destination).put(engaged).put(engaged_with);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let board = Blackboard {
            last: from.counter()?,
            orders: from.take()?,
            forgotten: from.take()?,
            out: from.take()?,
            target: from.take()?,
            destination: from.take()?,
            engaged: from.take()?,
            engaged_with: from.take()?,
        };
        let given = |id: OrderId| (1..=board.last).contains(&id.0);
        let rises = board.orders.is_sorted_by(|(one, _), (two, _)| one < two);
        if !rises || !board.orders.iter().all(|&(id, _)| given(id)) {
            return from.damaged("number of an order");
        }
        Ok(board)
    }
}
