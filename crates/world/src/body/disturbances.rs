//! Sensors for what startles: `hear` and `see_danger`.
//!
//! In:   stimuli `noise`, `grenade`.
//! Out:  `disturbance{position, stimulus, radius, object, event}`,
//!       `danger{position, radius, time, object}`, `grenade{object}`.
//! Cost: `hear` is light, `see_danger` casts a ray: heavy.

use super::facts::{my_cell, word};
use crate::cell::Cell;
use crate::world::World;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Value};
use throng_mind::memory::FactRef;
use throng_mind::{Sensing, Work};

/// On `noise`: something was heard. What one's own side does is no disturbance.
pub(super) fn hear(sensing: &mut Sensing<'_, World>) -> Work {
    let (world, words) = (sensing.world, &sensing.world.words);
    let Some(&noise) = sensing.stimulus else { return Work::Light };
    let source = noise.source.and_then(|source| world.actor(source));
    let me = world.actor(sensing.me);
    if source.zip(me).is_some_and(|(source, me)| source.side == me.side) {
        return Work::Light;
    }
    let draft = FactDraft::new(words.disturbance)
        .with(Attribute::Position, Value::Position(noise.position), noise.strength)
        .with(Attribute::Stimulus, word(words.noise), noise.strength)
        .with(Attribute::Radius, Value::Number(noise.radius), 1.0)
        .with(Attribute::Event, word(noise.event), 1.0);
    let draft = match noise.source {
        Some(source) => draft.with(Attribute::Object, Value::Entity(source), noise.strength),
        None => draft,
    };
    sensing.remember_one(draft, &[Attribute::Stimulus, Attribute::Position]);
    Work::Light
}

/// On `grenade`: a danger until it goes off, unless something stands between; and once, when it
/// is first noticed, a disturbance.
/// That it was noticed is a fact too, `grenade{object}`, until it goes off: who has looked at the
/// disturbance is not startled by the same grenade again, and by the next one he is.
pub(super) fn see_danger(sensing: &mut Sensing<'_, World>) -> Work {
    let words = &sensing.world.words;
    let Some(&grenade) = sensing.stimulus else { return Work::Light };
    let Some(object) = grenade.object else { return Work::Light };
    let is_shielded = my_cell(sensing.world, sensing.me)
        .is_some_and(|here| !sensing.world.line_of_sight(here, Cell::of(grenade.position)));
    let fuse = sensing.spec.pace.ticks(f64::from(grenade.amount));
    let place = Value::Position(grenade.position);
    let draft = FactDraft::new(words.danger)
        .with(Attribute::Position, place, 1.0)
        .with(Attribute::Radius, Value::Number(grenade.radius), 1.0)
        .with(Attribute::Time, Value::Number(grenade.amount), 1.0)
        .with(Attribute::Object, Value::Entity(object), 1.0)
        .keep(fuse.saturating_add(1));
    if is_shielded {
        forget_danger(sensing, object);
    } else {
        sensing.remember_one(draft, &[Attribute::Object]);
    }
    let is_it = |fact: FactRef<'_>| fact.entity(Attribute::Object) == Some(object);
    let is_new = !sensing.memory().of_kind(words.grenade).any(is_it);
    let noticed = FactDraft::new(words.grenade)
        .with(Attribute::Object, Value::Entity(object), 1.0)
        .keep(fuse.saturating_add(1));
    sensing.remember_one(noticed, &[Attribute::Object]);
    if is_new {
        let draft = FactDraft::new(words.disturbance)
            .with(Attribute::Position, place, 1.0)
            .with(Attribute::Stimulus, word(words.grenade), 1.0)
            .with(Attribute::Radius, Value::Number(grenade.radius), 1.0)
            .with(Attribute::Object, Value::Entity(object), 1.0);
        sensing.remember(draft);
    }
    Work::Heavy
}

fn forget_danger(sensing: &mut Sensing<'_, World>, object: EntityId) {
    let is_it = |fact: &FactRef<'_>| fact.entity(Attribute::Object) == Some(object);
    let danger = sensing.world.words.danger;
    let known = sensing.memory().of_kind(danger).find(is_it).map(FactRef::id);
    if let Some(known) = known {
        sensing.forget(known);
    }
}
