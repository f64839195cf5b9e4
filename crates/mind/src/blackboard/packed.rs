//! A blackboard as bytes and back.

use super::{Blackboard, OrderState};
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

impl Pack for Blackboard {
    fn pack(&self, to: &mut Packer) {
        let Blackboard { orders, out, last, target, destination, engaged, engaged_with } = self;
        to.put(last).put(orders).put(out);
        to.put(target).put(destination).put(engaged).put(engaged_with);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let board = Blackboard {
            last: from.counter()?,
            orders: from.take()?,
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
