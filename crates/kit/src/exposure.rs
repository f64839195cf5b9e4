//! The sensor `exposure`: which spots enemies see into, and from which they can be hit.
//!
//! In:   what is picked or may be, where enemies are believed to be.
//! Out:  `exposed{object, source}`: the spot is seen from there and does not protect against it;
//!       `reach{object, source}`: from the spot, or from where he is, the enemy can be hit;
//!       `masked{object, source}`: from the spot the target cannot be hit. What is neither was not
//!       looked at yet: who hopes asks `not masked`, who must be sure asks `reach`.
//! Cost: a ray for each picked spot and the target, and for a few candidates and enemies in turns:
//!       heavy.

use crate::facts::{forget_first, place_of};
use crate::geometry::distance;
use crate::lists::Lent;
use crate::references::{of_pick, selects};
use crate::scene::{EngineAnswer, Eye, Mark, Scene};
use crate::targets::sensed_target;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::memory::FactRef;
use throng_mind::select::{Key, Pick};
use throng_mind::words::Word;
use throng_mind::{Sensing, Work};

/// So many of the nearest enemies count for candidates.
const MOST_ENEMIES: usize = 4;
/// So many pairs of candidate and enemy are looked at in a run.
const PAIRS: usize = 4;

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
    judge_own(sensing, here, target);
    let mut spots = spots_of(sensing, true);
    spots.iter().for_each(|&spot| judge(sensing, spot, target, target.0));
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
        judge(sensing, spot, enemy, target.0);
    }
    *sensing.state = ((turn + PAIRS) % n.max(1)) as u64;
    Work::Heavy
}

/// Where living enemies are believed to be, the nearest first.
fn enemies<W: Scene>(sensing: &Sensing<'_, W>, here: Position) -> Lent<(EntityId, Position)> {
    let words = sensing.world.words();
    let known = sensing.memory().of_kind(words.character);
    let living = known.filter(|fact| fact.word(Attribute::Knowledge) != Some(words.dead));
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
    let of_selects = selects(sensing.spec).filter(|_| !picked);
    let of_selects =
        of_selects.flat_map(|name| sensing.candidates(name)).filter_map(|it| spot(pick(it)));
    let mut all = Lent::new();
    for it in of_slots.chain(of_selects) {
        if !all.contains(&it) {
            all.push(it);
        }
    }
    all
}

/// Whether the enemy can be hit from where he is.
fn judge_own<W: Scene>(sensing: &mut Sensing<'_, W>, here: Position, enemy: (EntityId, Position)) {
    let me = sensing.me;
    let eye = Eye { who: Some(me), place: here };
    let seen = sensing.world.sees(eye, Mark { what: Some(enemy.0), place: enemy.1 });
    let reach = sensing.world.words().reach;
    note(sensing, reach, (me, enemy.0), is_so(seen));
}

/// Whether a spot is seen from where an enemy is, and protects against him; and whether the target
/// cannot be hit from it.
fn judge<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    spot: EntityId,
    enemy: (EntityId, Position),
    target: EntityId,
) {
    let (world, words) = (sensing.world, sensing.world.words());
    let Some(place) = world.place(spot) else { return };
    let eye = Eye { who: Some(enemy.0), place: enemy.1 };
    let Some(seen) = is_so(world.sees(eye, Mark { what: Some(spot), place })) else { return };
    let protects = world.protects(spot, enemy.1) == EngineAnswer::Now(true);
    note(sensing, words.reach, (spot, enemy.0), Some(seen));
    note(sensing, words.exposed, (spot, enemy.0), Some(seen && !protects));
    // Of the target alone: of all enemies they would fill his memory.
    if enemy.0 == target {
        note(sensing, words.masked, (spot, enemy.0), Some(!seen));
    }
}

/// `None` if the engine does not know yet.
fn is_so(answer: EngineAnswer<f32>) -> Option<bool> {
    match answer {
        EngineAnswer::Now(how_well) => Some(how_well > 0.0),
        EngineAnswer::Later => None,
        EngineAnswer::Never => Some(false),
    }
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
