//! Sensors for what startles: `hear` and `see_danger`.
//!
//! In:   stimuli `noise`, `grenade`.
//! Out:  `disturbance{position, stimulus, radius, object, event}`,
//!       `danger{position, radius, time, object}`, `grenade{object, radius, stimulus}`.
//! Cost: `hear` is light, `see_danger` casts a ray: heavy, unless the engine answers later.

use crate::facts::{eye_of, forget_first, place_of};
use crate::questions::{Found, KEPT, sees};
use crate::scene::{Mark, Scene};
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::questions::{Ask, Point, Reply};
use throng_mind::time::Tick;
use throng_mind::words::Word;
use throng_mind::{Sensing, Work};

/// On `noise`: something was heard. What one's own side does is no disturbance; who is of no side
/// hears all others.
pub(crate) fn hear<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let (world, words) = (sensing.world, sensing.world.words());
    let Some(&noise) = sensing.stimulus else { return Work::Light };
    let side = world.side(sensing.me);
    let has_side = side != Word::NONE;
    let is_own = |source| has_side && world.body(source).is_some() && world.side(source) == side;
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

/// A grenade that was told of, and when it goes off.
struct Grenade {
    object: EntityId,
    place: Position,
    radius: f32,
    fuse: Tick,
}

/// Writes down that a grenade can reach him, or that it cannot; and when he first knows which, that
/// it startles him.
fn note_danger<W: Scene>(sensing: &mut Sensing<'_, W>, grenade: &Grenade, is_open: bool) {
    let words = sensing.world.words();
    let &Grenade { object, place, radius, fuse } = grenade;
    if is_open {
        let seconds = sensing.spec.pace.seconds(fuse) as f32;
        let draft = FactDraft::new(words.danger)
            .with(Attribute::Position, place, 1.0)
            .with(Attribute::Radius, radius, 1.0)
            .with(Attribute::Time, seconds, 1.0)
            .with(Attribute::Object, object, 1.0)
            .keep(fuse.saturating_add(1));
        sensing.remember_one(draft, &[Attribute::Object]);
    } else {
        forget_first(sensing, words.danger, |fact| fact.entity(Attribute::Object) == Some(object));
    }
    let mut known = sensing.memory().about(words.grenade, object);
    if !known.any(|fact| fact.word(Attribute::Stimulus) == Some(words.seen)) {
        let draft = FactDraft::new(words.disturbance)
            .with(Attribute::Position, place, 1.0)
            .with(Attribute::Stimulus, words.grenade, 1.0)
            .with(Attribute::Radius, radius, 1.0)
            .with(Attribute::Object, object, 1.0);
        sensing.remember(draft);
        note_grenade(sensing, grenade, true);
    }
}

/// Writes down that there is a grenade, until it goes off.
fn note_grenade<W: Scene>(sensing: &mut Sensing<'_, W>, grenade: &Grenade, is_seen: bool) {
    let words = sensing.world.words();
    let draft = FactDraft::new(words.grenade)
        .with(Attribute::Object, grenade.object, 1.0)
        .with(Attribute::Radius, grenade.radius, 1.0)
        .with_some(Attribute::Stimulus, is_seen.then_some(words.seen), 1.0)
        .keep(grenade.fuse.saturating_add(1));
    sensing.remember_one(draft, &[Attribute::Object]);
}

/// The engine has answered whether something stands between him and a grenade that he was told of; or
/// it never will, and he goes by the worst.
fn danger_answered<W: Scene>(sensing: &mut Sensing<'_, W>, ask: &Ask, reply: Reply) {
    let words = sensing.world.words();
    let Some(Point { what: Some(object), place }) = ask.about() else { return };
    let mut known = sensing.memory().about(words.grenade, object);
    let Some(told) = known.next().map(|it| (it.expires(), it.number(Attribute::Radius))) else {
        return;
    };
    let fuse = told.0.saturating_sub(sensing.now).saturating_sub(1);
    let grenade = Grenade { object, place, radius: told.1.unwrap_or(0.0), fuse };
    note_danger(sensing, &grenade, reply.holds().unwrap_or(true));
}

/// On `grenade`: a danger until it goes off, unless something stands between. And once, when he first
/// knows which, a disturbance.
/// That it was noticed is a fact too, `grenade{object, radius, stimulus = seen}`, until it goes off:
/// who has looked at the disturbance is not startled by the same grenade again, and by the next one
/// he is.
pub(crate) fn see_danger<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let words = sensing.world.words();
    if let Some((ask, reply)) = sensing.answer {
        danger_answered(sensing, &ask, reply);
        return Work::Light;
    }
    let Some(&told) = sensing.stimulus else { return Work::Light };
    let Some(object) = told.object else { return Work::Light };
    let fuse = sensing.spec.pace.ticks(f64::from(told.amount));
    let grenade = Grenade { object, place: told.position, radius: told.radius, fuse };
    let mark = Mark { what: Some(object), place: told.position };
    let here = place_of(sensing.world, sensing.me);
    let seen = here.map(|here| sees(sensing, eye_of(sensing.me, here), mark, KEPT));
    let mut known = sensing.memory().about(words.grenade, object);
    let is_seen = known.any(|fact| fact.word(Attribute::Stimulus) == Some(words.seen));
    note_grenade(sensing, &grenade, is_seen);
    let is_open = match seen {
        // He goes by what he was told last.
        Some(Found { it: None, .. }) => {
            let last = sensing.questions().reply_to(&Ask::sight(mark.into()));
            last.and_then(|(reply, _)| reply.holds())
        }
        Some(seen) => seen.it,
        None => Some(true),
    };
    if let Some(is_open) = is_open {
        note_danger(sensing, &grenade, is_open);
    }
    seen.map_or(Work::Heavy, |seen| seen.work)
}
