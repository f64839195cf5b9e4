//! Sensors for what startles: `hear` and `see_danger`.
//!
//! In:   stimuli `noise`, `grenade`.
//! Out:  `disturbance{position, stimulus, radius, object, event}`,
//!       `danger{position, radius, time, object}`, `grenade{object}`.
//! Cost: `hear` is light, `see_danger` casts a ray: heavy.

use super::facts::{forget_first, my_cell};
use crate::cell::Cell;
use crate::world::World;
use throng_mind::fact::{Attribute, FactDraft};
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
        .with(Attribute::Position, noise.position, noise.strength)
        .with(Attribute::Stimulus, words.noise, noise.strength)
        .with(Attribute::Radius, noise.radius, 1.0)
        .with(Attribute::Event, noise.event, 1.0)
        .with_some(Attribute::Object, noise.source, noise.strength);
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
    let place = grenade.position;
    let draft = FactDraft::new(words.danger)
        .with(Attribute::Position, place, 1.0)
        .with(Attribute::Radius, grenade.radius, 1.0)
        .with(Attribute::Time, grenade.amount, 1.0)
        .with(Attribute::Object, object, 1.0)
        .keep(fuse.saturating_add(1));
    let is_it = |fact: &FactRef<'_>| fact.entity(Attribute::Object) == Some(object);
    if is_shielded {
        forget_first(sensing, words.danger, is_it);
    } else {
        sensing.remember_one(draft, &[Attribute::Object]);
    }
    let is_new = sensing.memory().of_kind(words.grenade).find(is_it).is_none();
    let noticed = FactDraft::new(words.grenade)
        .with(Attribute::Object, object, 1.0)
        .keep(fuse.saturating_add(1));
    sensing.remember_one(noticed, &[Attribute::Object]);
    if is_new {
        let draft = FactDraft::new(words.disturbance)
            .with(Attribute::Position, place, 1.0)
            .with(Attribute::Stimulus, words.grenade, 1.0)
            .with(Attribute::Radius, grenade.radius, 1.0)
            .with(Attribute::Object, object, 1.0);
        sensing.remember(draft);
    }
    Work::Heavy
}
