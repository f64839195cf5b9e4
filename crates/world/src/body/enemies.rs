//! Sensors for others: `see_enemy`, `lose_enemy`, `call_out`, `aim`, `hurt`, `watch`.
//!
//! In:   stimuli `sight`, `damage`, `deed`; who aims at him.
//! Out:  `character{object, position, stimulus, knowledge, node, amount, time}`, `aimed{source}`,
//!       `damage{damage, amount, source, position}`, `deed{event, source, position}`; into the
//!       shared memory `alarm{object, position, node, source, knowledge}`.
//! Cost: `see_enemy` and `lose_enemy` cast one ray a run: heavy. The others are light.
//!
//! Who is seen is surely there. Who is not seen any more is remembered where he was last seen,
//! less and less surely, until the fact expires. Each doubt rewrites the fact, so its age does not
//! tell when he was last seen: `time` does, in seconds of the story. Who is in view has none.

use super::facts::{forget_first, my_cell};
use crate::actor::Actor;
use crate::world::World;
use throng_mind::fact::{Attribute, EntityId, FactDraft};
use throng_mind::memory::FactRef;
use throng_mind::{Sensing, Work};

/// How sure he is of an enemy just lost from sight; each look without him takes a tenth.
const JUST_LOST: f32 = 0.6;
/// Below this nothing is taken any more: expiry ends it.
const LEAST_SURE: f32 = 0.3;

/// On `sight`: a ray to the enemy that it is about.
pub(super) fn see_enemy(sensing: &mut Sensing<'_, World>) -> Work {
    let world = sensing.world;
    let Some(other) = sensing.stimulus.and_then(|it| world.actor(it.object?)) else {
        return Work::Light;
    };
    if is_seen(world, sensing.me, other) {
        remember_seen(sensing, other);
    }
    Work::Heavy
}

/// A ray to one of those remembered, in turns: one that it does not reach is less surely there.
pub(super) fn lose_enemy(sensing: &mut Sensing<'_, World>) -> Work {
    let (world, turn) = (sensing.world, *sensing.state as usize);
    let character = world.words.character;
    let living = |fact: &FactRef<'_>| fact.word(Attribute::Knowledge) != Some(world.words.dead);
    let n = sensing.memory().of_kind(character).filter(living).count();
    if n == 0 {
        return Work::Light;
    }
    *sensing.state = ((turn % n + 1) % n) as u64;
    let fact = sensing.memory().of_kind(character).filter(living).nth(turn % n);
    let Some(fact) = fact else { return Work::Light };
    let (id, sure) = (fact.id(), fact.sure(Attribute::Stimulus));
    let object = fact.entity(Attribute::Object);
    let Some(other) = object.and_then(|object| world.actor(object)) else { return Work::Light };
    if is_seen(world, sensing.me, other) {
        sensing.forget(id);
        remember_seen(sensing, other);
        return Work::Heavy;
    }
    let less = if sure >= 1.0 { JUST_LOST } else { (sure - 0.1).max(LEAST_SURE) };
    // He is less and less surely there, and the fact is as old as the last sight of him.
    for attribute in [Attribute::Position, Attribute::Stimulus, Attribute::Knowledge] {
        sensing.lower(id, attribute, less);
    }
    Work::Heavy
}

fn is_seen(world: &World, me: EntityId, other: &Actor) -> bool {
    my_cell(world, me).is_some_and(|from| world.is_in_view(from, other.cell))
}

/// An actor in view, as one who sees him remembers him.
pub(super) fn seen_as_fact(world: &World, other: &Actor) -> FactDraft {
    let words = &world.words;
    let state = if other.alive { words.alive } else { words.dead };
    FactDraft::new(words.character)
        .with(Attribute::Object, other.handle, 1.0)
        .with(Attribute::Position, other.cell.place(), 1.0)
        .with(Attribute::Stimulus, words.seen, 1.0)
        .with(Attribute::Knowledge, state, 1.0)
        .with(Attribute::Node, other.name, 1.0)
        .with(Attribute::Amount, other.health as f32, 1.0)
}

/// Writes down an actor in view, in place of what was believed of him.
fn remember_seen(sensing: &mut Sensing<'_, World>, other: &Actor) {
    let words = &sensing.world.words;
    let draft = seen_as_fact(sensing.world, other);
    let id = sensing.remember_one(draft, &[Attribute::Object]);
    let object = Some(other.handle);
    let is_double =
        |fact: &FactRef<'_>| fact.id() != id && fact.entity(Attribute::Object) == object;
    // What the other of the two sensors wrote about him.
    forget_first(sensing, words.character, is_double);
}

/// Tells all minds of the enemies in view: `alarm{object, position, node, source, knowledge}` in
/// the shared memory, `knowledge` being the side that called. An enemy that an alarm tells of is not
/// called out again before it has expired.
pub(super) fn call_out(sensing: &mut Sensing<'_, World>) -> Work {
    let (world, alarm) = (sensing.world, sensing.word("alarm"));
    let Some(me) = world.actor(sensing.me) else { return Work::Light };
    let (words, shared) = (&world.words, sensing.shared);
    let is_known = |object: EntityId| {
        let mut alarms = shared.of_kind(alarm);
        alarms.any(|fact| {
            fact.entity(Attribute::Object) == Some(object)
                && fact.word(Attribute::Knowledge) == Some(me.side)
        })
    };
    let news: Vec<FactDraft> = {
        let seen = sensing.memory().of_kind(words.character).filter(|fact| {
            fact.sure(Attribute::Stimulus) >= 1.0
                && fact.word(Attribute::Knowledge) == Some(words.alive)
        });
        let told = seen.filter_map(|fact| {
            let object = fact.entity(Attribute::Object).filter(|&object| !is_known(object))?;
            let draft = FactDraft::new(alarm)
                .with(Attribute::Object, object, 1.0)
                .with(Attribute::Position, fact.position(Attribute::Position)?, 1.0)
                .with(Attribute::Node, fact.word(Attribute::Node)?, 1.0)
                .with(Attribute::Source, me.handle, 1.0)
                .with(Attribute::Knowledge, me.side, 1.0);
            Some(draft)
        });
        told.collect()
    };
    news.into_iter().for_each(|draft| sensing.share(draft));
    Work::Light
}

/// Who has me in his sights.
pub(super) fn aim(sensing: &mut Sensing<'_, World>) -> Work {
    let world = sensing.world;
    let Some(me) = world.actor(sensing.me) else { return Work::Light };
    for other in world.actors().aiming_at(sensing.me).filter(|other| other.is_enemy_of(me)) {
        let draft = FactDraft::new(world.words.aimed)
            .with(Attribute::Source, other.handle, 1.0)
            .with(Attribute::Position, other.cell.place(), 1.0);
        sensing.remember_one(draft, &[Attribute::Source]);
    }
    sensing.forget_the_rest();
    Work::Light
}

/// On `damage`: what hit me, and from where.
pub(super) fn hurt(sensing: &mut Sensing<'_, World>) -> Work {
    let Some(&stimulus) = sensing.stimulus else { return Work::Light };
    let draft = FactDraft::new(sensing.world.words.damage)
        .with(Attribute::Damage, stimulus.event, 1.0)
        .with(Attribute::Amount, stimulus.amount, 1.0)
        .with(Attribute::Position, stimulus.position, 1.0)
        .with_some(Attribute::Source, stimulus.source, 1.0);
    sensing.remember(draft);
    Work::Light
}

/// On `deed`: what I saw another do; one fact for each deed of each.
pub(super) fn watch(sensing: &mut Sensing<'_, World>) -> Work {
    let Some(&stimulus) = sensing.stimulus else { return Work::Light };
    let draft = FactDraft::new(sensing.world.words.deed)
        .with(Attribute::Event, stimulus.event, 1.0)
        .with(Attribute::Position, stimulus.position, 1.0)
        .with_some(Attribute::Source, stimulus.source, 1.0);
    sensing.remember_one(draft, &[Attribute::Event, Attribute::Source]);
    Work::Light
}
