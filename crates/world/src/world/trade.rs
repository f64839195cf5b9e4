//! Trade: goods change hands.
//!
//! In:   `Other buy`, `fetch`, `deliver`, `make`, `consume`, with the thing that it is about (`on`) and
//!       the ware (`name`; without one, the thing's first).
//! Out:  goods of actors and things, counted up and down.
//! Cost: a look-up or two per order.
//!
//! | order | what it does | fails with |
//! |---|---|---|
//! | `buy` | one of the ware for its price in `coins` | `sold_out`, `poor` |
//! | `fetch` | takes all that the thing has | `sold_out` |
//! | `deliver` | puts in what he has, as much as there is room for | `gone` (he has none), `full` |
//! | `make` | fills the thing up | `full`, `needs` |
//! | `consume` | one of his own is gone, wherever he is | `gone` |
//! | all but the last | from the thing's cell or one of the eight around it | `gone`, `too_far` |
//!
//! What is possible is asked when the order is given and again when it is due.

use super::World;
use super::orders::Begun;
use throng_mind::fact::EntityId;
use throng_mind::orders::Order;
use throng_mind::words::Word;

/// What is done with goods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Trade {
    Buy,
    Fetch,
    Deliver,
    Make,
    Consume,
}

/// What is done with which ware of which thing, by position.
struct Deal {
    what: Trade,
    ware: Word,
    thing: usize,
}

impl World {
    /// What an order does with goods, if it is about them.
    fn trade_of(&self, order: &Order) -> Option<(Trade, Option<EntityId>, Word)> {
        let Order::Other { what, on, name, .. } = *order else { return None };
        let words = &self.words;
        let all = [
            (words.buy, Trade::Buy),
            (words.fetch, Trade::Fetch),
            (words.deliver, Trade::Deliver),
            (words.make, Trade::Make),
            (words.consume, Trade::Consume),
        ];
        let (_, trade) = all.into_iter().find(|(word, _)| *word == what)?;
        Some((trade, on, name))
    }

    /// Begins what is done with goods; `None` if the order is about something else.
    pub(super) fn begin_trade(&self, index: usize, order: &Order) -> Option<Begun> {
        let (what, on, ware) = self.trade_of(order)?;
        Some(self.deal(index, what, on, ware).map(|_| Some(self.rules.use_thing)))
    }

    /// Does what is done with goods; `None` if the order is about something else.
    pub(super) fn do_trade(&mut self, index: usize, order: &Order) -> Option<Result<(), Word>> {
        let (what, on, ware) = self.trade_of(order)?;
        Some(self.deal(index, what, on, ware).map(|deal| self.close(index, &deal)))
    }

    /// What would be done, or why it cannot be.
    fn deal(
        &self,
        index: usize,
        what: Trade,
        on: Option<EntityId>,
        ware: Word,
    ) -> Result<Deal, Word> {
        let (me, words) = (&self.actors[index], &self.words);
        if what == Trade::Consume {
            let has_one = me.goods.amount(ware) > 0;
            return has_one.then_some(Deal { what, ware, thing: 0 }).ok_or(words.gone);
        }
        let thing = on.and_then(|on| self.things().index_of(on)).ok_or(words.gone)?;
        let it = &self.things()[thing];
        let first = it.goods.wares().first().map_or(Word::NONE, |ware| ware.name);
        let ware = if ware == Word::NONE { first } else { ware };
        let Some(offer) = it.goods.get(ware) else { return Err(words.unknown) };
        match what {
            _ if !me.cell.is_beside(it.cell) => Err(words.too_far),
            Trade::Make if !self.may_use(it, me.handle) => Err(words.needs),
            Trade::Buy | Trade::Fetch if offer.amount == 0 => Err(words.sold_out),
            Trade::Buy if me.goods.amount(words.coins) < offer.price => Err(words.poor),
            Trade::Deliver if me.goods.amount(ware) == 0 => Err(words.gone),
            Trade::Deliver | Trade::Make if offer.amount == offer.most => Err(words.full),
            _ => Ok(Deal { what, ware, thing }),
        }
    }

    fn close(&mut self, index: usize, &Deal { what, ware, thing }: &Deal) {
        let coins = self.words.coins;
        let mut me = self.actors.edit(index);
        if what == Trade::Consume {
            me.goods.take(ware, 1);
            return;
        }
        let mut it = self.site.edit_thing(thing);
        match what {
            Trade::Buy => {
                let price = it.goods.get(ware).map_or(0, |offer| offer.price);
                let paid = me.goods.take(coins, price);
                // A stall without a till lets the coins go elsewhere.
                it.goods.put(coins, paid);
                it.goods.take(ware, 1);
                me.goods.begin(ware);
                me.goods.put(ware, 1);
            }
            Trade::Fetch => {
                me.goods.begin(ware);
                let room = me.goods.room(ware);
                let taken = it.goods.take(ware, room);
                me.goods.put(ware, taken);
            }
            Trade::Deliver => {
                let put = it.goods.put(ware, me.goods.amount(ware));
                me.goods.take(ware, put);
            }
            Trade::Make => {
                let room = it.goods.room(ware);
                it.goods.put(ware, room);
            }
            Trade::Consume => {}
        }
    }
}
