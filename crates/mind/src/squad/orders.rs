//! Orders that say themselves what they are: a task for one, and a march.
//!
//! In:   members, the leader, what the file gives the behaviour; a fact `objective{position}`.
//! Out:  a task of any name for the member that is best placed; the task `move` for who leads.
//! Cost: a look at the members.

use super::cover::look_again;
use super::flank::keep_firing;
use super::team::{Mate, Team, give, outcome};
use super::tried::{self, Done};
use super::{Ground, Spot, distance};
use crate::body::{Acting, Behaviour, Ending, Progress};
use crate::fact::{Attribute, EntityId, Position};
use crate::orders::{OrderId, TaskSlot};
use crate::words::Word;

/// How near to what it is about a task is done, and how far from it at least.
const NEAR_ENOUGH: f32 = 12.0;
const TOO_NEAR: f32 = 5.5;

/// `give(TASK, REF)`: one member is to do this, about what is picked: one without a task if there is
/// any, the nearest to it first. Who refuses or cannot is not asked again; then the next is. Who lays
/// fire goes on with it. `state` is the last order of the fire.
pub struct Give;

impl<W: Ground + ?Sized> Behaviour<W> for Give {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        tried::forget(acting);
        let team = Team::of(acting);
        // Whoever fires goes on: this is about one more.
        team.enemy.iter().for_each(|enemy| _ = keep_firing(acting, &team, enemy));
        *acting.state = u64::from(acting.board.last);
        ask_the_next(acting)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        tried::settle(acting, Done::IsOver);
        let all = outcome(acting.board, OrderId(*acting.state as u32));
        match (all.open, all.done) {
            (_, 1..) => Progress::Done,
            (0, 0) => ask_the_next(acting),
            _ => look_again(acting),
        }
    }

    fn end(&self, acting: &mut Acting<'_, W>, _: Ending) {
        tried::forget(acting);
    }
}

fn ask_the_next<W: Ground + ?Sized>(acting: &mut Acting<'_, W>) -> Progress {
    let (team, words) = (Team::of(acting), acting.spec.squad_words);
    let Some(what) = acting.given(0) else { return Progress::Failed(words.nobody) };
    let Some((about, place)) = meant(acting, acting.given(1), &team) else {
        return Progress::Failed(words.gone);
    };
    let far = |mate: &Mate| (!mate.is_free(), distance(mate.at, place));
    let mates = team.mates.iter().filter(|mate| mate.task != words.suppress);
    let mates = mates.filter(|mate| !tried::has_ended(acting, mate));
    let next = mates.min_by(|a, b| {
        let ((a_busy, a_far), (b_busy, b_far)) = (far(a), far(b));
        a_busy.cmp(&b_busy).then(a_far.total_cmp(&b_far)).then(a.rank.cmp(&b.rank))
    });
    let Some(&mate) = next else { return Progress::Failed(words.refused) };
    let spot = spot_for(acting, &team, &mate, about.map(|_| place));
    tried::try_it(acting, what, &mate, spot, about);
    look_again(acting)
}

/// Where it is to be done: in cover at a throw's distance from what it is about, the nearest to who
/// does it; without any, where he is.
fn spot_for<W: Ground + ?Sized>(
    acting: &Acting<'_, W>,
    team: &Team,
    mate: &Mate,
    about: Option<Position>,
) -> Spot {
    let around = about.unwrap_or(mate.at);
    let mut spots = match about {
        Some(_) => team.covers(acting, around, NEAR_ENOUGH),
        None => Vec::new(),
    };
    spots.retain(|spot| distance(spot.place, around) >= TOO_NEAR && !team.is_anothers(spot, mate));
    let far = |spot: &Spot| distance(spot.place, mate.at);
    let nearest =
        spots.into_iter().reduce(|best, next| if far(&next) < far(&best) { next } else { best });
    nearest.unwrap_or(Spot { slot: TaskSlot::Free, place: mate.at })
}

/// What the task is about, and where that is: what a selection has picked, else the enemy, else the
/// middle of the squad.
fn meant<W: ?Sized>(
    acting: &Acting<'_, W>,
    named: Option<Word>,
    team: &Team,
) -> Option<(Option<EntityId>, Position)> {
    let Some(named) = named else {
        let enemy = team.enemy.map(|enemy| (Some(enemy.object), enemy.at));
        return Some(enemy.unwrap_or((None, team.middle)));
    };
    let pick = acting.picked(acting.spec.words.text(named))?;
    let fact = acting.memory.get(pick.fact)?;
    Some((pick.key.entity(), fact.position(Attribute::Position)?))
}

/// `move_in_formation`: who leads goes to the `objective`; the others keep their places beside him by
/// themselves. Done when he is there.
pub struct MoveInFormation;

impl<W: Ground + ?Sized> Behaviour<W> for MoveInFormation {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let (team, words) = (Team::of(acting), acting.spec.squad_words);
        let objectives = acting.memory.of_kind(words.objective);
        let latest = objectives.max_by_key(|fact| (fact.updated(), std::cmp::Reverse(fact.id())));
        let Some(place) = latest.and_then(|fact| fact.position(Attribute::Position)) else {
            return Progress::Failed(words.gone);
        };
        // Where nobody is to lead the first goes ahead; where somebody should and is lost, nobody.
        let leader = acting.memory.of_kind(words.leader).next();
        let leader = leader.map(|fact| fact.entity(Attribute::Object));
        let is_leader = |mate: &&Mate| leader.is_none_or(|leader| Some(mate.me) == leader);
        let Some(mate) = team.mates.iter().find(is_leader) else {
            return Progress::Failed(words.nobody);
        };
        give(acting, words.go, mate, Spot { slot: TaskSlot::Free, place }, None);
        look_again(acting)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        outcome(acting.board, OrderId(0)).ended().unwrap_or_else(|| look_again(acting))
    }
}
