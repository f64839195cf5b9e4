//! Get to cover: every member gets one of its own. Hold the ground: every member keeps one, or its
//! position.
//!
//! In:   members, the enemy, free cover around.
//! Out:  tasks `cover`, each with a claim: a member that finds none left gets no task. Tasks
//!       `hold`, given again to members without one, as to one that fled, when it is free again.
//! Cost: pairs of members and cover, once; to hold, whenever a member is free.
//!
//! Getting there is done when every task has ended and a member has got there; `no_cover` if there
//! is none. Holding goes on until the squad wants something else.

use super::team::{Mate, Team, assign, give, outcome};
use super::{Ground, Spot, distance};
use crate::body::{Acting, Behaviour, Progress};
use crate::orders::{OrderId, TaskSlot};
use crate::time::after;

/// How far cover may be from the middle of the squad.
const REACH: f32 = 20.0;
/// Seconds between two looks.
pub(super) const LOOK: f64 = 0.5;

/// `get_to_cover`
pub struct GetToCover;

impl<W: Ground + ?Sized> Behaviour<W> for GetToCover {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let (team, words) = (Team::of(acting), acting.spec.squad_words);
        if team.mates.is_empty() {
            return Progress::Failed(words.nobody);
        }
        let spots = team.covers(acting, team.middle, REACH);
        let price = |mate: &Mate, spot: &Spot| price(&team, mate, spot);
        let given = assign(&team.mates, &spots, price);
        if given.is_empty() {
            return Progress::Failed(words.no_cover);
        }
        let about = team.enemy.map(|enemy| enemy.object);
        for (mate, spot) in given {
            give(acting, words.cover, &team.mates[mate], spots[spot], about);
        }
        Progress::Waiting
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        outcome(acting.board, OrderId(0)).ended().unwrap_or_else(|| look_again(acting))
    }
}

/// The cover that the member stands in is best; then the nearest that no mate has.
pub(super) fn price(team: &Team, mate: &Mate, spot: &Spot) -> Option<f32> {
    (!team.is_anothers(spot, mate)).then(|| distance(mate.at, spot.place))
}

/// Asked again soon, or when a task has ended.
pub(super) fn look_again<W: ?Sized>(acting: &Acting<'_, W>) -> Progress {
    Progress::Until(after(acting.now, acting.spec.pace.ticks(LOOK).max(1)))
}

/// How far cover may be from the middle of the squad.
const HOLD_REACH: f32 = 12.0;

/// `hold_ground`
pub struct HoldGround;

impl<W: Ground + ?Sized> Behaviour<W> for HoldGround {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let team = Team::of(acting);
        let mates = team.mates.clone();
        post(acting, &team, &mates)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let team = Team::of(acting);
        let free: Vec<Mate> = team.mates.iter().filter(|mate| mate.is_free()).copied().collect();
        post(acting, &team, &free)
    }
}

/// Gives each of these a place.
fn post<W: Ground + ?Sized>(acting: &mut Acting<'_, W>, team: &Team, mates: &[Mate]) -> Progress {
    let spots = team.covers(acting, team.middle, HOLD_REACH);
    let given = assign(mates, &spots, |mate, spot| price(team, mate, spot));
    for (at, mate) in mates.iter().enumerate() {
        let cover = given.iter().find(|&&(to, _)| to == at).map(|&(_, spot)| spots[spot]);
        let spot = cover.unwrap_or(Spot { slot: TaskSlot::Free, place: mate.at });
        let (hold, about) = (acting.spec.squad_words.hold, team.enemy.map(|enemy| enemy.object));
        give(acting, hold, mate, spot, about);
    }
    look_again(acting)
}
