//! The sensor `exposure`: which spots enemies see into, and from which they can be hit.
//!
//! In:   what is picked or may be, where enemies are believed to be.
//! Out:  `exposed{object, source}`: the spot is seen from there and does not protect against it;
//!       `reach{object, source}`: from the spot, or from where he is, the enemy can be hit;
//!       `masked{object, source}`: from the spot the target cannot be hit. What is neither was not
//!       looked at yet: who hopes asks `not masked`, who must be sure asks `reach`.
//! Cost: a ray for each picked spot and the target, and for a few candidates and enemies in turns:
//!       heavy. Of an engine that answers later a few rays at a time are asked, and none while other
//!       questions wait for their turn.

use crate::facts::{forget_first, living_enemies, place_of};
use crate::geometry::distance;
use crate::lists::Lent;
use crate::questions::{are_waiting, count_open, protects, ray};
use crate::references::of_pick;
use crate::scene::{Eye, Mark, Scene};
use crate::targets::sensed_target;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::memory::FactRef;
use throng_mind::questions::{Ask, Point, Reply};
use throng_mind::select::{Key, Pick};
use throng_mind::words::Word;
use throng_mind::{Sensing, Work};

/// So many of the nearest enemies count for candidates.
const MOST_ENEMIES: usize = 4;
/// So many pairs of candidate and enemy are looked at in a run.
const PAIRS: usize = 4;
/// So many rays are asked at a time, and for so many seconds none is asked again.
const MOST_ASKED: usize = 3;
const REPLY_KEPT: f64 = 0.6;

/// Looks at what is picked, and at some of what may be. `state` counts the pairs of the latter.
pub(crate) fn exposure<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let (world, me) = (sensing.world, sensing.me);
    let Some(here) = place_of(world, me) else { return Work::Light };
    let mut enemies = enemies(sensing, here);
    if enemies.is_empty() {
        sensing.forget_the_rest();
        return Work::Light;
    }
    let target = sensed_target(sensing).and_then(|(what, place)| Some((what?, place)));
    let target = target.unwrap_or(enemies[0]);
    if let Some((ask, reply)) = sensing.answer {
        answered(sensing, here, (&ask, reply), target);
        return Work::Light;
    }
    let mut work = judge_own(sensing, here, target);
    let mut spots = spots_of(sensing, true);
    for &spot in spots.iter() {
        work = judge(sensing, spot, target, target.0).max(work);
    }
    for spot in spots_of(sensing, false).iter() {
        if !spots.contains(spot) {
            spots.push(*spot);
        }
    }
    // All of them against everybody, the target last: a pair is a spot and who may see it.
    enemies.retain(|enemy| enemy.0 != target.0);
    enemies.push(target);
    let (n, turn) = (spots.len() * enemies.len(), *sensing.state as usize);
    for step in 0..PAIRS.min(n) {
        let pair = (turn + step) % n;
        let (spot, enemy) = (spots[pair / enemies.len()], enemies[pair % enemies.len()]);
        work = judge(sensing, spot, enemy, target.0).max(work);
    }
    *sensing.state = ((turn + PAIRS) % n.max(1)) as u64;
    work
}

/// The engine has answered a question: what was asked is judged anew, now with a reply.
fn answered<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    here: Position,
    (ask, reply): (&Ask, Reply),
    target: (EntityId, Position),
) {
    let enemy = |point: Point| Some((point.what?, point.place));
    match *ask {
        Ask::Sight { from: Some(Point { what, .. }), to } if what == Some(sensing.me) => {
            if let Some(enemy) = enemy(to) {
                judge_own(sensing, here, enemy);
            }
        }
        Ask::Sight { from: Some(from), to: spot } => {
            if let (Some(spot), Some(enemy)) = (spot.what, enemy(from)) {
                judge(sensing, spot, enemy, target.0);
            }
        }
        // It was asked because the spot is seen.
        Ask::Cover { spot, from } => {
            let exposed = sensing.world.words().exposed;
            if let (Some(spot), Some(enemy)) = (spot.what, from.what) {
                note(sensing, exposed, (spot, enemy), reply.holds().map(|covered| !covered));
            }
        }
        _ => {}
    }
}

/// Whether another ray may be asked for, or is answered already.
fn may_look<W: Scene>(sensing: &Sensing<'_, W>, ask: &Ask) -> bool {
    let is_own = |it: &Ask| matches!(it, Ask::Sight { from: Some(_), .. } | Ask::Cover { .. });
    let is_known = sensing.questions().all().iter().any(|it| it.ask.is_same(ask));
    let is_full = are_waiting(sensing) || count_open(sensing, is_own) >= MOST_ASKED;
    is_known && sensing.answer.is_some() || !is_full
}

/// Where living enemies are believed to be, the nearest first.
fn enemies<W: Scene>(sensing: &Sensing<'_, W>, here: Position) -> Lent<(EntityId, Position)> {
    let living = living_enemies(sensing.memory(), sensing.world, sensing.me);
    let mut all: Lent<(EntityId, Position)> = living
        .filter_map(|it| Some((it.entity(Attribute::Object)?, it.position(Attribute::Position)?)))
        .collect();
    all.sort_unstable_by(|a, b| {
        distance(here, a.1).total_cmp(&distance(here, b.1)).then(a.0.cmp(&b.0))
    });
    all.truncate(MOST_ENEMIES);
    all
}

/// Spots that are picked, or that may be.
fn spots_of<W: Scene>(sensing: &Sensing<'_, W>, picked: bool) -> Lent<EntityId> {
    let (world, memory) = (sensing.world, sensing.memory());
    let spot =
        |pick: Pick| of_pick(world, memory, pick).what.filter(|&it| world.spot(it).is_some());
    let of_slots = sensing.picks().slots().iter().filter(|pick| picked && pick.is_bound());
    let of_slots = of_slots.filter_map(|&pick| spot(pick));
    let pick = |(key, fact): (Key, _)| Pick { key, fact, ..Pick::default() };
    let of_selects = (!picked).then(|| sensing.all_candidates()).into_iter().flatten().flatten();
    let of_selects = of_selects.filter_map(|it| spot(pick(it)));
    let mut all = Lent::new();
    for it in of_slots.chain(of_selects) {
        if !all.contains(&it) {
            all.push(it);
        }
    }
    all
}

/// Whether the enemy can be hit from where he is.
fn judge_own<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    here: Position,
    enemy: (EntityId, Position),
) -> Work {
    let me = sensing.me;
    let (eye, mark) =
        (Eye { who: Some(me), place: here }, Mark { what: Some(enemy.0), place: enemy.1 });
    if !may_look(sensing, &Ask::Sight { from: Some(eye.into()), to: mark.into() }) {
        return Work::Light;
    }
    let seen = ray(sensing, eye, mark, REPLY_KEPT);
    let reach = sensing.world.words().reach;
    note(sensing, reach, (me, enemy.0), seen.it);
    seen.work
}

/// Whether a spot is seen from where an enemy is, and protects against him; and whether the target
/// cannot be hit from it.
fn judge<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    spot: EntityId,
    enemy: (EntityId, Position),
    target: EntityId,
) -> Work {
    let (world, words) = (sensing.world, sensing.world.words());
    let Some(place) = world.place(spot) else { return Work::Light };
    let (eye, mark) =
        (Eye { who: Some(enemy.0), place: enemy.1 }, Mark { what: Some(spot), place });
    if !may_look(sensing, &Ask::Sight { from: Some(eye.into()), to: mark.into() }) {
        return Work::Light;
    }
    let found = ray(sensing, eye, mark, REPLY_KEPT);
    let Some(seen) = found.it else { return found.work };
    note(sensing, words.reach, (spot, enemy.0), Some(seen));
    let is_covered = match seen {
        true => protects(sensing, mark, Mark { what: Some(enemy.0), place: enemy.1 }),
        false => Some(true),
    };
    note(sensing, words.exposed, (spot, enemy.0), is_covered.map(|is_covered| !is_covered));
    // Of the target alone: of all enemies they would fill his memory.
    if enemy.0 == target {
        note(sensing, words.masked, (spot, enemy.0), Some(!seen));
    }
    found.work
}

/// Writes down that something is so, or forgets it.
fn note<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    kind: Word,
    (object, source): (EntityId, EntityId),
    is_so: Option<bool>,
) {
    match is_so {
        Some(true) => {
            let draft = FactDraft::new(kind).with(Attribute::Object, object, 1.0).with(
                Attribute::Source,
                source,
                1.0,
            );
            sensing.remember_one(draft, &[Attribute::Object, Attribute::Source]);
        }
        Some(false) => {
            let is_it = |fact: &FactRef<'_>| {
                fact.entity(Attribute::Object) == Some(object)
                    && fact.entity(Attribute::Source) == Some(source)
            };
            forget_first(sensing, kind, is_it);
        }
        None => {}
    }
}
