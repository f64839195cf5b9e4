//! Sensors for what startles: `hear` and `see_danger`.
//!
//! In:   stimuli `noise`, `grenade`.
//! Out:  `disturbance{position, stimulus, radius, object, event}`,
//!       `danger{position, radius, time, object}`, `grenade{object}`.
//! Cost: `hear` is light, `see_danger` casts a ray: heavy.

use crate::facts::{eye_of, forget_first, is_in_view, place_of};
use crate::scene::{Mark, Scene};
use throng_mind::fact::{Attribute, FactDraft};
use throng_mind::memory::FactRef;
use throng_mind::{Sensing, Work};

/// On `noise`: something was heard. What one's own side does is no disturbance.
pub(crate) fn hear<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let (world, words) = (sensing.world, sensing.world.words());
    let Some(&noise) = sensing.stimulus else { return Work::Light };
    let side = world.side(sensing.me);
    let is_own = |source| world.body(source).is_some() && world.side(source) == side;
    if noise.source.is_some_and(is_own) {
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
pub(crate) fn see_danger<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let words = sensing.world.words();
    let Some(&grenade) = sensing.stimulus else { return Work::Light };
    let Some(object) = grenade.object else { return Work::Light };
    let mark = Mark { what: Some(object), place: grenade.position };
    let is_shielded = place_of(sensing.world, sensing.me)
        .is_some_and(|here| !is_in_view(sensing.world, eye_of(sensing.me, here), mark));
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
    let is_new = sensing.memory().about(words.grenade, object).next().is_none();
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
