//! Suppress and flank, in three steps of one plan: lay fire, go round, strike.
//!
//! In:   members, the enemy, cover and places with a view of it.
//! Out:  tasks `suppress`, `flank` and `attack`. Each step goes on with the fire of the one before.
//! Cost: pairs of members and places, a way for each pair in question.
//!
//! The steps are actions of the squad's type, so the planner puts them together and puts others in
//! their place when one fails. A member that fires is seen in the fact `member(task = suppress,
//! event = suppress)`; when it dies the fact is gone, and what was built on it does not hold.

use super::advance::own_spot;
use super::cover::look_again;
use super::team::{Enemy, Mate, Team, assign, give, go_on_with, outcome};
use super::{Ground, Spot, distance};
use crate::blackboard::OrderState;
use crate::body::{Acting, Behaviour, Progress};
use crate::fact::Position;
use crate::orders::{OrderId, TaskSlot};
use crate::words::Word;

/// How far a place to fire from may be.
const REACH: f32 = 14.0;
/// Of so many one lays fire.
const PER_GUN: usize = 3;
/// What it costs to fire from the open instead of from cover, in cells.
const OPEN: f32 = 6.0;
/// A flank is seen from the enemy at least at this angle to the fire, as a cosine: 50 degrees.
const ASIDE: f32 = 0.64;
/// No member goes so near.
const CLOSE: f32 = 2.0;

/// `lay_fire`: done as soon as the fire is on.
pub struct LayFire;

impl<W: Ground + ?Sized> Behaviour<W> for LayFire {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let (team, words) = (Team::of(acting), acting.spec.squad_words);
        let Some(enemy) = team.enemy else { return Progress::Failed(words.gone) };
        let wanted = (team.mates.len() / PER_GUN).max(1);
        let mut guns = keep_firing(acting, &team, &enemy);
        let others = team.without(words.suppress);
        let spots = firing_spots(acting, &team, &enemy, &others);
        let price = |mate: &Mate, spot: &Spot| {
            let is_own = mate.at == spot.place;
            let is_bare = spot.slot == TaskSlot::Free;
            let may = !team.is_anothers(spot, mate) && (is_own || !is_bare);
            let open = if is_bare { OPEN } else { 0.0 };
            may.then(|| distance(mate.at, spot.place) + open)
        };
        let mut given = assign(&others, &spots, price);
        let mut chosen = Vec::new();
        // The cheapest first.
        given.sort_by(|&(a, to_a), &(b, to_b)| {
            let far = |mate: usize, to: usize| price(&others[mate], &spots[to]).unwrap_or(0.0);
            far(a, to_a).total_cmp(&far(b, to_b)).then(a.cmp(&b))
        });
        for (mate, spot) in given {
            if guns >= wanted {
                break;
            }
            give(acting, words.suppress, &others[mate], spots[spot], Some(enemy.object));
            chosen.push(others[mate].me);
            guns += 1;
        }
        // A member on its way round goes on: the squad may have lost its fire, not its plan.
        let is_left = |mate: &&Mate| mate.task == words.flank && !chosen.contains(&mate.me);
        for mate in others.iter().filter(is_left) {
            go_on_with(acting, mate, enemy.object);
        }
        if guns == 0 { Progress::Failed(words.no_line) } else { look_again(acting) }
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let all = outcome(acting.board, OrderId(0));
        let is_on = Team::of(acting).mates.iter().any(|mate| fires(acting, mate));
        match (all.open, all.why) {
            (0, why) => Progress::Failed(why.unwrap_or(Word::NONE)),
            _ if is_on => Progress::Done,
            _ => look_again(acting),
        }
    }
}

/// `flank`: done when every member that could go round is there, or none is on its way any more and
/// one is there. Fails when none fires any more. `state` is the last order of the fire.
pub struct Flank;

impl<W: Ground + ?Sized> Behaviour<W> for Flank {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let (team, words) = (Team::of(acting), acting.spec.squad_words);
        let Some(enemy) = team.enemy else { return Progress::Failed(words.gone) };
        keep_firing(acting, &team, &enemy);
        *acting.state = u64::from(acting.board.last);
        let guns = team.mates.iter().filter(|mate| mate.task == words.suppress);
        let guns: Vec<Position> = guns.map(|mate| mate.at).collect();
        let others = team.without(words.suppress);
        let mut spots = places_near(acting, &team, &enemy);
        spots.retain(|spot| is_flank(acting, spot, &enemy, &guns));
        let price = |mate: &Mate, spot: &Spot| {
            let may = !team.is_anothers(spot, mate);
            may.then(|| acting.world.way(mate.at, spot.place, Some(enemy.at))).flatten()
        };
        // A member that is on its way already goes on.
        let has_spot = |mate: &Mate| spots.iter().any(|spot| spot.slot == mate.slot);
        let is_on_his_way = |mate: &&Mate| mate.task == words.flank && has_spot(mate);
        let (on_their_way, rest): (Vec<&Mate>, Vec<&Mate>) = others.iter().partition(is_on_his_way);
        let rest: Vec<Mate> = rest.into_iter().copied().collect();
        let given = assign(&rest, &spots, price);
        for mate in &on_their_way {
            go_on_with(acting, mate, enemy.object);
        }
        for &(mate, spot) in &given {
            give(acting, words.flank, &rest[mate], spots[spot], Some(enemy.object));
        }
        match given.is_empty() && on_their_way.is_empty() {
            true => Progress::Failed(words.no_cover),
            false => look_again(acting),
        }
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let mark = OrderId(*acting.state as u32);
        let guns = || acting.board.orders().filter(|&(id, _)| id <= mark).map(|(_, state)| state);
        let silence = guns().find_map(|state| match state {
            OrderState::Failed(why) => Some(why),
            _ => None,
        });
        let silence = silence.filter(|_| guns().all(|state| state != OrderState::Open));
        let all = outcome(acting.board, mark);
        match (all.open, all.done, all.why) {
            (0, 0, why) => Progress::Failed(why.unwrap_or(Word::NONE)),
            (0, ..) => Progress::Done,
            _ => silence.map_or_else(|| look_again(acting), Progress::Failed),
        }
    }
}

/// `strike`: those that do not fire attack. Done when one of them has done it.
pub struct Strike;

impl<W: Ground + ?Sized> Behaviour<W> for Strike {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let (team, words) = (Team::of(acting), acting.spec.squad_words);
        let Some(enemy) = team.enemy else { return Progress::Failed(words.gone) };
        keep_firing(acting, &team, &enemy);
        *acting.state = u64::from(acting.board.last);
        let sent = attackers(acting, &team, &enemy, &team.without(words.suppress));
        for &(mate, spot) in &sent {
            give(acting, words.attack, &mate, spot, Some(enemy.object));
        }
        match sent.is_empty() {
            true => Progress::Failed(words.nobody),
            false => look_again(acting),
        }
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let all = outcome(acting.board, OrderId(*acting.state as u32));
        match (all.open, all.done, all.why) {
            (_, 1.., _) => Progress::Done,
            (0, 0, why) => Progress::Failed(why.unwrap_or(Word::NONE)),
            _ => look_again(acting),
        }
    }
}

/// Attackers and their spots: their own with a view of the enemy, else the nearest place with a view
/// of it. Without a view anywhere they try from where they are.
fn attackers<W: Ground + ?Sized>(
    acting: &Acting<'_, W>,
    team: &Team,
    enemy: &Enemy,
    mates: &[Mate],
) -> Vec<(Mate, Spot)> {
    let own = |mate: &Mate| (*mate, own_spot(acting, team, mate));
    let sees = |place: Position| acting.world.sees(place, enemy.at);
    let (here, elsewhere): (Vec<Mate>, Vec<Mate>) = mates.iter().partition(|mate| sees(mate.at));
    let mut sent: Vec<(Mate, Spot)> = here.iter().map(own).collect();
    let mut spots = places_near(acting, team, enemy);
    spots.retain(|spot| sees(spot.place) && distance(spot.place, enemy.at) >= CLOSE);
    let price = |mate: &Mate, spot: &Spot| {
        let may = !team.is_anothers(spot, mate);
        may.then(|| acting.world.way(mate.at, spot.place, None)).flatten()
    };
    let given = assign(&elsewhere, &spots, price);
    sent.extend(given.into_iter().map(|(mate, spot)| (elsewhere[mate], spots[spot])));
    if sent.is_empty() { mates.iter().map(own).collect() } else { sent }
}

/// Cover and other places around the enemy, each once.
fn places_near<W: Ground + ?Sized>(
    acting: &Acting<'_, W>,
    team: &Team,
    enemy: &Enemy,
) -> Vec<Spot> {
    let who = team.handles();
    let mut spots = acting.world.covers(&who, enemy.at, REACH, Some(enemy.at));
    for spot in acting.world.places(&who, enemy.at, REACH) {
        if spots.iter().all(|known| known.slot != spot.slot) {
            spots.push(spot);
        }
    }
    spots
}

/// Orders those that have the task to fire to go on with it; says how many.
pub(super) fn keep_firing<W: ?Sized>(
    acting: &mut Acting<'_, W>,
    team: &Team,
    enemy: &Enemy,
) -> usize {
    let suppress = acting.spec.squad_words.suppress;
    let guns: Vec<Mate> = team.mates.iter().filter(|mate| mate.task == suppress).copied().collect();
    for mate in &guns {
        go_on_with(acting, mate, enemy.object);
    }
    guns.len()
}

/// Whether a mate fires and is not on its way.
fn fires<W: ?Sized>(acting: &Acting<'_, W>, mate: &Mate) -> bool {
    let suppress = acting.spec.squad_words.suppress;
    mate.task == suppress && mate.doing == suppress
}

/// Cover from which fire reaches the enemy, and where they stand if it does from there.
fn firing_spots<W: Ground + ?Sized>(
    acting: &Acting<'_, W>,
    team: &Team,
    enemy: &Enemy,
    mates: &[Mate],
) -> Vec<Spot> {
    let mut spots = team.covers(acting, team.middle, REACH);
    let slot = TaskSlot::Free;
    spots.extend(mates.iter().map(|mate| Spot { slot, place: mate.at }));
    spots.retain(|spot| acting.world.reaches(spot.place, enemy.at));
    spots
}

/// Whether a spot has a view of the enemy from the side, as seen by those that fire.
fn is_flank<W: Ground + ?Sized>(
    acting: &Acting<'_, W>,
    spot: &Spot,
    enemy: &Enemy,
    guns: &[Position],
) -> bool {
    let to = |place: Position| [place[0] - enemy.at[0], place[1] - enemy.at[1]];
    let cosine = |a: [f32; 2], b: [f32; 2]| {
        let length = |v: [f32; 2]| (v[0] * v[0] + v[1] * v[1]).sqrt().max(1e-3);
        (a[0] * b[0] + a[1] * b[1]) / (length(a) * length(b))
    };
    let is_aside = |&gun: &Position| cosine(to(gun), to(spot.place)) <= ASIDE;
    distance(spot.place, enemy.at) >= CLOSE
        && guns.iter().all(is_aside)
        && acting.world.sees(spot.place, enemy.at)
}
