//! Search an area: every member gets a place of its own, then the next.
//!
//! In:   members, where the enemy was last known, places around.
//! Out:  tasks `search`, each with a claim; what was [tried](super::tried).
//! Cost: pairs of members and places whenever a member is free.
//!
//! Done when all places were searched, or as many as the squad's memory has room for. One that
//! a member refused to search is given to another; one that could not be searched is left out.

use super::cover::look_again;
use super::team::{Mate, Team, assign, outcome};
use super::tried::{self, Done};
use super::{Ground, Spot, TaskSlot, distance};
use crate::body::{Acting, Behaviour, Ending, Progress};
use crate::orders::OrderId;

/// How far from where the enemy was.
const REACH: f32 = 20.0;

/// `search_area`. `state` is how many tasks it may still give: it ends, whatever happens.
pub struct SearchArea;

impl<W: Ground + ?Sized> Behaviour<W> for SearchArea {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        tried::forget(acting);
        *acting.state = room(acting);
        // Whatever they did before is over.
        match send_out(acting, |_| true) {
            0 => Progress::Failed(acting.spec.squad_words.nobody),
            _ => look_again(acting),
        }
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        tried::settle(acting, Done::IsOver);
        let sent = send_out(acting, Mate::is_free);
        let ended = outcome(acting.board, OrderId(0)).ended().filter(|_| sent == 0);
        ended.unwrap_or_else(|| look_again(acting))
    }

    fn end(&self, acting: &mut Acting<'_, W>, _: Ending) {
        tried::forget(acting);
    }
}

/// How many tasks can be remembered: of the room that is free, a quarter is left for news.
fn room<W: ?Sized>(acting: &Acting<'_, W>) -> u64 {
    let free = acting.memory.bound().saturating_sub(acting.memory.len());
    (free - free / 4).max(1) as u64
}

/// Gives each of these members a place; says how many got one.
fn send_out<W: Ground + ?Sized>(acting: &mut Acting<'_, W>, of: fn(&Mate) -> bool) -> usize {
    let team = Team::of(acting);
    let around = team.enemy.map_or(team.middle, |enemy| enemy.at);
    let mut spots = acting.world.places(&team.handles(), around, REACH);
    spots.retain(|spot| matches!(spot.slot, TaskSlot::Place(_)) && tried::is_left(acting, spot));
    let free = team.mates.iter().filter(|mate| of(mate) && tried::may_ask(acting, mate));
    let free: Vec<Mate> = free.copied().collect();
    let price = |mate: &Mate, spot: &Spot| Some(distance(mate.at, spot.place));
    let mut given = assign(&free, &spots, price);
    given.truncate(usize::try_from(*acting.state).unwrap_or(usize::MAX));
    *acting.state -= given.len() as u64;
    for &(mate, spot) in &given {
        let search = acting.spec.squad_words.search;
        tried::try_it(acting, search, &free[mate], spots[spot], None);
    }
    given.len()
}
