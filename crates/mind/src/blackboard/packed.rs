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
        Ok(Forgotten { done: from.take()?, failed: from.take()?, why: from.take()? })
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
        // There is a reason if and only if something failed.
        if board.forgotten.why.is_some() != (board.forgotten.failed > 0) {
            return from.damaged("count of orders that failed");
        }
        let given = |id: OrderId| (1..=board.last).contains(&id.0);
        let rises = board.orders.is_sorted_by(|(one, _), (two, _)| one < two);
        if !rises || !board.orders.iter().all(|&(id, _)| given(id)) {
            return from.damaged("number of an order");
        }
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::tests::comes_back;

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
        comes_back::<Blackboard>(|trial, _| {
            let ids = 1..=trial.below(5) as u32;
            let failed = trial.below(2) as u32;
            Blackboard {
                orders: ids.clone().map(|id| (OrderId(id), trial.any())).collect(),
                forgotten: Forgotten {
                    done: trial.any(),
                    failed,
                    why: (failed > 0).then(|| trial.any()),
                },
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
