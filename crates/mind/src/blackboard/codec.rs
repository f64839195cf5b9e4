//! A blackboard as bytes and back.

use super::{Blackboard, Forgotten, OrderState};
use throng_base::{codec_enum, codec_struct};

codec_enum!("state of an order" OrderState { 0 => Open, 1 => Done, 2 => Failed(why) });

codec_struct!(Forgotten { done, failed, why });

codec_struct!(
    Blackboard {
        last: counter, orders, forgotten, out, target, destination, engaged, engaged_with,
    }
    where |board| board.forgotten.why.is_some() == (board.forgotten.failed > 0),
        "count of orders that failed"
    where |board| board.orders.is_sorted_by(|(one, _), (two, _)| one < two)
        && board.orders.iter().all(|(id, _)| (1..=board.last).contains(&id.0)),
        "number of an order"
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::OrderId;
    use throng_base::codec::trial::comes_back;

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
