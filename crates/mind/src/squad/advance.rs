//! Advancing: from cover to cover towards the enemy.
//!
//! In:   members, the enemy, free cover ahead.
//! Out:  tasks `move` to cover that is nearer to the enemy; of an orderly advance also `suppress`
//!       for those that do not move.
//! Cost: pairs of members and cover for each bound.
//!
//! *In cover*: each goes from cover to cover at its own pace. *Orderly*: one half goes while the
//! other fires, then they change. Done when none can get nearer any more. A member that refuses twice is
//! [left behind](super::tried), and so is cover that is another's: an advance ends.

use super::cover::look_again;
use super::team::{Enemy, Mate, Team, assign, give, outcome};
use super::tried::{self, Done};
use super::{Ground, Spot, distance};
use crate::body::{Acting, Behaviour, Ending, Progress};
use crate::orders::{OrderId, TaskSlot};

/// How far the next cover may be.
const BOUND: f32 = 10.0;
/// A bound brings one at least so much nearer.
const NEARER: f32 = 1.5;
/// No member goes so near to the enemy.
const CLOSE: f32 = 3.0;
/// No member is sent on more often in one advance: an enemy that backs off is not followed for ever.
const MOST_BOUNDS: u32 = 30;

/// `advance_in_cover`. `state` is how many bounds may still be given.
pub struct AdvanceInCover;

impl<W: Ground + ?Sized> Behaviour<W> for AdvanceInCover {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let Some((team, enemy)) = team_and_enemy(acting) else {
            return Progress::Failed(acting.spec.squad_words.gone);
        };
        tried::forget(acting);
        *acting.state = u64::from(MOST_BOUNDS) * team.mates.len() as u64;
        let movers = team.mates.clone();
        match bound(acting, &team, &enemy, &movers) {
            0 => Progress::Failed(acting.spec.squad_words.no_cover),
            _ => look_again(acting),
        }
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let Some((team, enemy)) = team_and_enemy(acting) else {
            return Progress::Failed(acting.spec.squad_words.gone);
        };
        tried::settle(acting, Done::IsOpen);
        // A member that has arrived goes on; one with a new task is no longer free.
        let free: Vec<Mate> = team.mates.iter().filter(|mate| mate.is_free()).copied().collect();
        let given = bound(acting, &team, &enemy, &free);
        let ended = outcome(acting.board, OrderId(0)).ended().filter(|_| given == 0);
        ended.unwrap_or_else(|| look_again(acting))
    }

    fn end(&self, acting: &mut Acting<'_, W>, _: Ending) {
        tried::forget(acting);
    }
}

/// `orderly_advance`. `state` is the number of rounds, twice and one more if a member has got
/// ahead, above the last order before those that move now.
pub struct OrderlyAdvance;

impl<W: Ground + ?Sized> Behaviour<W> for OrderlyAdvance {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        tried::forget(acting);
        match round(acting, 0, false) {
            Progress::Done => Progress::Failed(acting.spec.squad_words.no_cover),
            other => other,
        }
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let (rounds, mark) = ((*acting.state >> 33) as u32, OrderId(*acting.state as u32));
        let moves = outcome(acting.board, mark);
        if moves.open > 0 {
            return look_again(acting);
        }
        tried::settle(acting, Done::IsOpen);
        let is_ahead = *acting.state >> 32 & 1 == 1 || moves.done > 0;
        match round(acting, rounds, is_ahead) {
            Progress::Done if !is_ahead && tried::has_refusals(acting) => {
                Progress::Failed(acting.spec.squad_words.refused)
            }
            other => other,
        }
    }

    fn end(&self, acting: &mut Acting<'_, W>, _: Ending) {
        tried::forget(acting);
    }
}

/// One half fires, the other goes; if it cannot, the other way round. Done if neither can.
fn round<W: Ground + ?Sized>(acting: &mut Acting<'_, W>, rounds: u32, is_ahead: bool) -> Progress {
    let words = acting.spec.squad_words;
    let Some((team, enemy)) = team_and_enemy(acting) else {
        return Progress::Failed(words.gone);
    };
    let open: Vec<OrderId> = acting.board.orders().map(|(id, _)| id).collect();
    open.into_iter().for_each(|id| _ = acting.board.cancel(id));
    // Each half has every second round.
    for turn in (rounds..MOST_BOUNDS * 2).take(2) {
        let moves = |mate: &&Mate| mate.rank % 2 == turn % 2;
        let movers: Vec<Mate> = team.mates.iter().filter(moves).copied().collect();
        let ahead = ahead(acting, &team, &enemy, &movers);
        if ahead.is_empty() {
            continue;
        }
        for mate in team.mates.iter().filter(|mate| !moves(mate)) {
            let spot = own_spot(acting, &team, mate);
            give(acting, words.suppress, mate, spot, Some(enemy.object));
        }
        let mark = acting.board.last;
        for (mate, spot) in ahead {
            tried::try_it(acting, words.go, &mate, spot, Some(enemy.object));
        }
        *acting.state = u64::from(turn + 1) << 33 | u64::from(is_ahead) << 32 | u64::from(mark);
        return look_again(acting);
    }
    Progress::Done
}

fn team_and_enemy<W: ?Sized>(acting: &Acting<'_, W>) -> Option<(Team, Enemy)> {
    let team = Team::of(acting);
    let enemy = team.enemy.filter(|_| !team.mates.is_empty())?;
    Some((team, enemy))
}

/// Sends these one bound ahead; says how many could.
fn bound<W: Ground + ?Sized>(
    acting: &mut Acting<'_, W>,
    team: &Team,
    enemy: &Enemy,
    movers: &[Mate],
) -> usize {
    let mut ahead = ahead(acting, team, enemy, movers);
    ahead.truncate(usize::try_from(*acting.state).unwrap_or(usize::MAX));
    let count = ahead.len();
    *acting.state -= count as u64;
    for (mate, spot) in ahead {
        let go = acting.spec.squad_words.go;
        tried::try_it(acting, go, &mate, spot, Some(enemy.object));
    }
    count
}

/// The next cover for each of these that has one.
fn ahead<W: Ground + ?Sized>(
    acting: &Acting<'_, W>,
    team: &Team,
    enemy: &Enemy,
    movers: &[Mate],
) -> Vec<(Mate, Spot)> {
    let mut spots = team.covers(acting, team.middle, BOUND * 2.0);
    spots.retain(|spot| tried::is_left(acting, spot));
    let movers: Vec<Mate> =
        movers.iter().filter(|mate| tried::may_ask(acting, mate)).copied().collect();
    let price = |mate: &Mate, spot: &Spot| {
        let (far, left) = (distance(mate.at, spot.place), distance(spot.place, enemy.at));
        let is_ahead = left + NEARER <= distance(mate.at, enemy.at) && left >= CLOSE;
        (is_ahead && far <= BOUND && !team.is_anothers(spot, mate)).then_some(far)
    };
    let given = assign(&movers, &spots, price);
    given.into_iter().map(|(mate, spot)| (movers[mate], spots[spot])).collect()
}

/// The cover that a mate stands in, else the bare place.
pub(super) fn own_spot<W: Ground + ?Sized>(
    acting: &Acting<'_, W>,
    team: &Team,
    mate: &Mate,
) -> Spot {
    let covers = team.covers(acting, mate.at, 2.0);
    let own = covers.into_iter().find(|spot| mate.is_at(spot) && !team.is_anothers(spot, mate));
    own.unwrap_or(Spot { slot: TaskSlot::Free, place: mate.at })
}
