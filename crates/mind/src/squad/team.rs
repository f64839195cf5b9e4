//! The squad's side: its members, the enemy, tasks for members.
//!
//! In:   the facts that a squad's mind was told.
//! Out:  mates, the enemy, orders for tasks; what became of the orders of the action under way.
//! Cost: a walk over the facts; pairs of mates and spots.

use super::{Ground, Spot, distance};
use crate::blackboard::{Blackboard, Forgotten, OrderState};
use crate::body::{Acting, Progress};
use crate::fact::{Attribute, EntityId, Position};
use crate::memory::FactRef;
use crate::orders::{Order, OrderId, TaskSlot};
use crate::words::Word;
use throng_domain::model::SelectId;

/// Standing at a place means to be so near.
const AT: f32 = 0.75;

/// A member, as its squad knows it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mate {
    /// The entity.
    pub me: EntityId,
    /// Its position.
    pub at: Position,
    /// Its task, or [`Word::NONE`].
    pub task: Word,
    /// What it does for the task, by the name of the behaviour; [`Word::NONE`]: nothing, or something else.
    pub doing: Word,
    /// What its task claims.
    pub slot: TaskSlot,
    /// Its place in the order in which members came.
    pub rank: u32,
}

impl Mate {
    /// Whether it has no task.
    pub fn is_free(&self) -> bool {
        self.task == Word::NONE
    }

    /// Whether it stands at a spot.
    pub fn is_at(&self, spot: &Spot) -> bool {
        distance(self.at, spot.place) <= AT
    }
}

/// The enemy that a squad cares about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Enemy {
    /// The entity.
    pub object: EntityId,
    /// The position where it is believed to be.
    pub at: Position,
    /// How sure that is.
    pub sure: f32,
}

/// All that a squad knows of itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Team {
    /// The members, in the order in which they came.
    pub mates: Vec<Mate>,
    /// The middle of them.
    pub middle: Position,
    /// What the file's `select prize` has picked; without one, the living enemy most surely known, of
    /// equals the nearest.
    pub enemy: Option<Enemy>,
}

impl Team {
    /// As the squad's mind remembers it.
    pub fn of<W: ?Sized>(acting: &Acting<'_, W>) -> Team {
        let words = acting.spec.squad_words;
        let mate = |fact: FactRef<'_>| {
            Some(Mate {
                me: fact.entity(Attribute::Object)?,
                at: fact.position(Attribute::Position)?,
                task: fact.word(Attribute::Task).unwrap_or(Word::NONE),
                doing: fact.word(Attribute::Event).unwrap_or(Word::NONE),
                slot: fact.word(Attribute::Node).map_or(TaskSlot::Free, TaskSlot::Place),
                // Ranks are small whole numbers.
                rank: fact.number(Attribute::Amount)? as u32,
            })
        };
        let members = acting.memory.of_kind(words.member);
        let mut mates: Vec<Mate> = members.filter_map(mate).collect();
        mates.sort_by_key(|mate| (mate.rank, mate.me));
        let (here, dead) = (acting.here, words.dead);
        let others = acting.memory.of_kind(words.character);
        let living = others.filter(|fact| fact.word(Attribute::Knowledge) != Some(dead));
        let enemies = living.filter_map(|fact| {
            let (at, object) =
                (fact.position(Attribute::Position)?, fact.entity(Attribute::Object)?);
            Some(Enemy { object, at, sure: fact.sure(Attribute::Position) })
        });
        let enemy = match prize_of(acting) {
            Some(prize) => picked(acting, prize),
            None => enemies.reduce(|best, next| {
                let far = |enemy: &Enemy| distance(here, enemy.at);
                let is_nearer = next.sure == best.sure && far(&next) < far(&best);
                if next.sure > best.sure || is_nearer { next } else { best }
            }),
        };
        Team { mates, middle: here, enemy }
    }

    /// Members without this task.
    pub(super) fn without(&self, task: Word) -> Vec<Mate> {
        self.mates.iter().filter(|mate| mate.task != task).copied().collect()
    }

    /// The entities of all members.
    pub fn handles(&self) -> Vec<EntityId> {
        self.mates.iter().map(|mate| mate.me).collect()
    }

    /// Cover for these within reach, without spots where another mate stands or is on its way to.
    pub fn covers<W: Ground + ?Sized>(
        &self,
        acting: &Acting<'_, W>,
        around: Position,
        reach: f32,
    ) -> Vec<Spot> {
        let against = self.enemy.map(|enemy| enemy.at);
        acting.world.covers(&self.handles(), around, reach, against)
    }

    /// Whether a spot is another mate's: it stands there, or its task claims it.
    pub fn is_anothers(&self, spot: &Spot, mate: &Mate) -> bool {
        let has = |other: &Mate| {
            other.me != mate.me
                && (other.is_at(spot) || (other.slot == spot.slot && spot.slot != TaskSlot::Free))
        };
        self.mates.iter().any(has)
    }
}

/// Gives a task.
pub(super) fn give<W: ?Sized>(
    acting: &mut Acting<'_, W>,
    what: Word,
    mate: &Mate,
    spot: Spot,
    about: Option<EntityId>,
) -> OrderId {
    let Spot { slot, place } = spot;
    acting.board.order(Order::Task { what, to: mate.me, place, slot, about })
}

/// The selection that says which enemy a squad cares about, if its file has one.
fn prize_of<W: ?Sized>(acting: &Acting<'_, W>) -> Option<SelectId> {
    acting.spec.squads.iter().find(|squad| squad.npc == acting.npc)?.prize
}

/// The enemy that is picked.
fn picked<W: ?Sized>(acting: &Acting<'_, W>, prize: SelectId) -> Option<Enemy> {
    let fact = acting.memory.get(acting.picks.of(acting.spec, prize).next()?.fact)?;
    let (object, at) = (fact.entity(Attribute::Object)?, fact.position(Attribute::Position)?);
    Some(Enemy { object, at, sure: fact.sure(Attribute::Position) })
}

/// Lets a mate go on with the task that it has, where it is.
pub(super) fn go_on_with<W: ?Sized>(acting: &mut Acting<'_, W>, mate: &Mate, about: EntityId) {
    let spot = Spot { slot: mate.slot, place: mate.at };
    give(acting, mate.task, mate, spot, Some(about));
}

/// Assigns spots: pairs of a position among the mates and one among the spots, each at most once,
/// the cheapest pairs first. A price of `None` is no pair.
pub fn assign(
    mates: &[Mate],
    spots: &[Spot],
    price: impl Fn(&Mate, &Spot) -> Option<f32>,
) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
    for (at, mate) in mates.iter().enumerate() {
        let prices = spots.iter().enumerate();
        pairs.extend(prices.filter_map(|(to, spot)| Some((price(mate, spot)?, at, to))));
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut given: Vec<(usize, usize)> = Vec::new();
    for (_, at, to) in pairs {
        if given.iter().all(|&(mate, spot)| mate != at && spot != to) {
            given.push((at, to));
        }
    }
    given.sort_unstable();
    given
}

/// What became of the orders of the action under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderCounts {
    /// How many are under way.
    pub open: usize,
    /// How many were done.
    pub done: usize,
    /// How many failed.
    pub failed: usize,
    /// Why the last of these did.
    pub why: Option<Word>,
}

impl OrderCounts {
    /// Done when every order has ended and one was done; failed if none was; `None` while some are
    /// under way.
    pub(super) fn ended(&self) -> Option<Progress> {
        match (self.open, self.done, self.why) {
            (0, 0, Some(why)) => Some(Progress::Failed(why)),
            (0, ..) => Some(Progress::Done),
            _ => None,
        }
    }
}

/// What became of the orders behind this one, as far as the board has them one by one; of all of
/// the action behind number 0, those too that it only counts.
pub fn outcome(board: &Blackboard, behind: OrderId) -> OrderCounts {
    let mut all = OrderCounts { open: 0, done: 0, failed: 0, why: None };
    if behind == OrderId(0) {
        let Forgotten { done, failed, why } = board.forgotten();
        all = OrderCounts { open: 0, done: done as usize, failed: failed as usize, why };
    }
    for (_, state) in board.orders().filter(|(id, _)| *id > behind) {
        match state {
            OrderState::Open => all.open += 1,
            OrderState::Done => all.done += 1,
            OrderState::Failed(why) => (all.failed, all.why) = (all.failed + 1, Some(why)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_success_counts_however_long_ago_it_was() {
        let mut board = Blackboard::default();
        let mut give = |state| {
            let order = board.order(Order::Target { at: None });
            board.report(order, state);
        };
        give(OrderState::Done);
        (0..50).for_each(|_| give(OrderState::Failed(Word(7))));
        let all = OrderCounts { open: 0, done: 1, failed: 50, why: Some(Word(7)) };
        assert_eq!(outcome(&board, OrderId(0)), all);
    }
}
