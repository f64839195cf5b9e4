//! Search an area: everybody gets a place of his own, then the next.
//!
//! In:   members, where the enemy was last known, places around.
//! Out:  tasks `search`, each with a claim; facts `searched{node, index, knowledge}` of the squad.
//! Cost: pairs of members and places whenever somebody is free.
//!
//! Done when all places were searched. One that somebody refused to search is given to another.

use super::cover::look_again;
use super::team::{Mate, Team, assign, give, outcome};
use super::{Ground, Spot, distance, word};
use crate::blackboard::OrderState;
use crate::body::{Acting, Behaviour, Ending, Progress};
use crate::fact::Attribute;
use crate::memory::{FactId, FactRef};
use crate::orders::{OrderId, Slot};

/// How far from where the enemy was.
const REACH: f32 = 20.0;
/// How long a place counts as searched, in seconds.
const KEPT: f64 = 60.0;

/// `search_area`
pub struct SearchArea;

impl<W: Ground + ?Sized> Behaviour<W> for SearchArea {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        acting.forget_all("searched");
        // Whatever they did before is over.
        match send_out(acting, |_| true) {
            0 => Progress::Failed(acting.word("nobody")),
            _ => look_again(acting),
        }
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        settle(acting);
        let sent = send_out(acting, Mate::is_free);
        let all = outcome(acting.board, OrderId(0));
        match (sent + all.open, all.done, all.why) {
            (0, 0, Some(why)) => Progress::Failed(why),
            (0, ..) => Progress::Done,
            _ => look_again(acting),
        }
    }

    fn end(&self, acting: &mut Acting<'_, W>, _: Ending) {
        acting.forget_all("searched");
    }
}

/// Places whose search has ended: done, or to be given to another.
fn settle<W: ?Sized>(acting: &mut Acting<'_, W>) {
    let (kind, done) = (acting.word("searched"), acting.word("done"));
    let open: Vec<(FactId, OrderId)> = acting
        .memory
        .of_kind(kind)
        .filter(|fact| fact.word(Attribute::Knowledge) != Some(done))
        // Orders are counted from 1 and few.
        .filter_map(|fact| Some((fact.id(), OrderId(fact.number(Attribute::Index)? as u32))))
        .collect();
    for (fact, order) in open {
        match acting.board.state_of(order) {
            Some(OrderState::Open) => {}
            Some(OrderState::Done) => {
                acting.memory.set(fact, Attribute::Knowledge, done.into(), 1.0, acting.now);
            }
            Some(OrderState::Failed(_)) | None => _ = acting.memory.remove(fact),
        }
    }
}

/// Gives everybody of these a place; says how many got one.
fn send_out<W: Ground + ?Sized>(acting: &mut Acting<'_, W>, of: fn(&Mate) -> bool) -> usize {
    let team = Team::of(acting);
    let around = team.enemy.map_or(team.middle, |enemy| enemy.at);
    let known = word(acting.spec, "searched");
    let is_new = |spot: &Spot| {
        let name = if let Slot::Place(name) = spot.slot { Some(name) } else { None };
        let is_it = |fact: FactRef<'_>| fact.word(Attribute::Node) == name;
        name.is_some() && !acting.memory.of_kind(known).any(is_it)
    };
    let mut spots = acting.world.places(&team.handles(), around, REACH);
    spots.retain(is_new);
    let free: Vec<Mate> = team.mates.iter().filter(|mate| of(mate)).copied().collect();
    let price = |mate: &Mate, spot: &Spot| Some(distance(mate.at, spot.place));
    let given = assign(&free, &spots, price);
    let count = given.len();
    let keep = acting.spec.pace.ticks(KEPT);
    for (mate, spot) in given {
        let order = give(acting, "search", &free[mate], spots[spot], None);
        if let Slot::Place(name) = spots[spot].slot {
            let fact = acting.fact("searched").with(Attribute::Node, name, 1.0);
            let fact = fact.with(Attribute::Index, order.0 as f32, 1.0);
            acting.remember_one(fact, &[Attribute::Node], keep);
        }
    }
    count
}
