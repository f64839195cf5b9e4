//! Goods: how much of a ware somebody or something has.
//!
//! In:   names of wares, amounts, for how much one is sold, how many there is room for.
//! Out:  the same, counted up and down; never below nothing, never above the room.
//! Cost: a walk over a handful of wares.

use throng_base::codec_struct;
use throng_mind::words::Word;

/// So many sorts of wares one holder has at most.
pub const MOST_WARES: usize = 8;
/// Nobody has more of one ware.
pub const MOST_OF_ONE: u32 = 1_000_000;

/// A ware of a holder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ware {
    /// What: `bread`, `coins`.
    pub name: Word,
    /// How much of it there is.
    pub amount: u32,
    /// How much there is room for.
    pub most: u32,
    /// What one of it costs, in `coins`.
    pub price: u32,
}

codec_struct!(Ware { name, amount, most, price });

/// What a holder has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Goods(Vec<Ware>);

codec_struct!(Goods(wares));

impl Goods {
    /// These; of two of one name the first.
    pub(crate) fn of(wares: impl IntoIterator<Item = Ware>) -> Self {
        let mut goods = Goods::default();
        for ware in wares {
            if goods.get(ware.name).is_none() && goods.0.len() < MOST_WARES {
                goods.0.push(Ware { amount: ware.amount.min(ware.most), ..ware });
            }
        }
        goods
    }

    /// All of them, in the order in which they came.
    pub fn wares(&self) -> &[Ware] {
        &self.0
    }

    /// One of them.
    pub fn get(&self, name: Word) -> Option<&Ware> {
        self.0.iter().find(|ware| ware.name == name)
    }

    /// How much there is of one.
    pub fn amount(&self, name: Word) -> u32 {
        self.get(name).map_or(0, |ware| ware.amount)
    }

    /// How much more of one there is room for.
    pub fn room(&self, name: Word) -> u32 {
        self.get(name).map_or(0, |ware| ware.most - ware.amount)
    }

    /// Takes some away: as much as there is.
    pub(crate) fn take(&mut self, name: Word, amount: u32) -> u32 {
        let Some(ware) = self.0.iter_mut().find(|ware| ware.name == name) else { return 0 };
        let taken = amount.min(ware.amount);
        ware.amount -= taken;
        taken
    }

    /// Puts some in: as much as there is room for.
    pub(crate) fn put(&mut self, name: Word, amount: u32) -> u32 {
        let Some(ware) = self.0.iter_mut().find(|ware| ware.name == name) else { return 0 };
        let put = amount.min(ware.most - ware.amount);
        ware.amount += put;
        put
    }

    /// Room for a ware that there was none of so far.
    pub(crate) fn begin(&mut self, name: Word) {
        if self.get(name).is_none() && self.0.len() < MOST_WARES {
            self.0.push(Ware { name, amount: 0, most: MOST_OF_ONE, price: 0 });
        }
    }

    /// Whether they can be somebody's.
    pub(crate) fn is_sound(&self) -> bool {
        let fits = |ware: &Ware| ware.amount <= ware.most && ware.most <= MOST_OF_ONE;
        let once = |at: usize| self.0[..at].iter().all(|other| other.name != self.0[at].name);
        self.0.len() <= MOST_WARES && self.0.iter().all(fits) && (1..self.0.len()).all(once)
    }

    /// Whether these are the same wares, whatever there is of them.
    pub(crate) fn is_like(&self, other: &Goods) -> bool {
        let plain = |ware: &Ware| Ware { amount: 0, ..*ware };
        self.0.iter().map(plain).eq(other.0.iter().map(plain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    const BREAD: Word = Word(1);
    const COINS: Word = Word(2);

    fn ware(name: Word, amount: u32, most: u32) -> Ware {
        Ware { name, amount, most, price: 2 }
    }

    #[test]
    fn goods_come_back() {
        comes_back::<Ware>(|trial, _| Ware {
            name: trial.any(),
            amount: trial.any(),
            most: trial.any(),
            price: trial.any(),
        });
        comes_back::<Goods>(|trial, _| Goods(trial.any()));
    }

    #[test]
    fn nobody_takes_more_than_there_is_or_puts_more_than_there_is_room_for() {
        let mut goods = Goods::of([ware(BREAD, 3, 5), ware(BREAD, 9, 9)]);
        assert_eq!((goods.take(BREAD, 2), goods.amount(BREAD)), (2, 1));
        assert_eq!((goods.put(BREAD, 9), goods.room(BREAD)), (4, 0));
        assert_eq!((goods.take(COINS, 1), goods.put(COINS, 1)), (0, 0));
        goods.begin(COINS);
        assert_eq!((goods.put(COINS, 7), goods.take(COINS, 8)), (7, 7));
        assert!(goods.is_sound() && !Goods(vec![ware(BREAD, 6, 5)]).is_sound());
    }
}
