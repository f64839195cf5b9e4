//! Hold the ground: every member keeps a cover, or its position.
//!
//! In:   members, free cover around.
//! Out:  tasks `hold`, given again to members without one, as to one that fled, when it is free again.
//! Cost: pairs of members and cover whenever a member is free.
//!
//! It goes on until the squad wants something else.

use super::cover::{look_again, price};
use super::team::{Mate, Team, assign, give};
use super::{Ground, Spot};
use crate::body::{Acting, Behaviour, Progress};
use crate::orders::Slot;

/// How far cover may be from the middle of the squad.
const REACH: f32 = 12.0;

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
    let spots = team.covers(acting, team.middle, REACH);
    let given = assign(mates, &spots, |mate, spot| price(team, mate, spot));
    for (at, mate) in mates.iter().enumerate() {
        let cover = given.iter().find(|&&(to, _)| to == at).map(|&(_, spot)| spots[spot]);
        let spot = cover.unwrap_or(Spot { slot: Slot::Free, place: mate.at });
        let (hold, about) = (acting.spec.squad_words.hold, team.enemy.map(|enemy| enemy.object));
        give(acting, hold, mate, spot, about);
    }
    look_again(acting)
}
