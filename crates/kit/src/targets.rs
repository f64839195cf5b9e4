//! Whom a behaviour or a sensor is about.
//!
//! In:   the slot that the file gives, else the pick `target`; in files without a `select target`, memory and what is aimed at.
//! Out:  the enemy, with where he is believed to be.
//! Cost: a look-up, or a walk over the facts of a kind.
//!
//! **The fallback.** A file with a `select target` chooses by it alone: without a pick there is no
//! target. Files without one are older than selections; for them, and only for them, [`enemy`] chooses.

use crate::facts::{is_surely_seen, living_enemies};
use crate::geometry::distance;
use crate::references::{is_slot, of_pick, picked};
use crate::scene::Scene;
use throng_mind::fact::{Attribute, EntityId, Position};
use throng_mind::memory::{FactRef, Memory};
use throng_mind::time::Tick;
use throng_mind::words::Word;
use throng_mind::{Acting, Sensing};

/// The slot that says whom he fights.
pub(crate) const TARGET: &str = "target";

/// The slot that says whom a behaviour is about: `does lunge(prey)`, else `target`.
pub(crate) fn target_slot<'a, W: Scene>(acting: &Acting<'a, W>) -> &'a str {
    let given = acting.action.and_then(|id| acting.spec.action(id).given.first());
    let is_somebody = |word: &&Word| {
        let named = || acting.world.named(**word).is_some_and(|it| acting.world.body(it).is_some());
        is_slot(acting.spec, acting.spec.words.text(**word)) || named()
    };
    given.filter(is_somebody).map_or(TARGET, |&word| acting.spec.words.text(word))
}

/// Whether the file itself says whom he fights.
pub(crate) fn is_selected<W: Scene>(acting: &Acting<'_, W>) -> bool {
    acting.has_slot(target_slot(acting))
}

/// Whom a sensor is about, with where he is believed to be.
pub(crate) fn sensed_target<W: Scene>(
    sensing: &Sensing<'_, W>,
) -> Option<(Option<EntityId>, Position)> {
    if sensing.has_slot(TARGET) {
        let pick = of_pick(sensing.world, sensing.memory(), sensing.picked(TARGET)?);
        return Some((pick.what, pick.place?)).filter(|_| pick.what != Some(sensing.me));
    }
    let known = enemy(sensing.memory(), sensing.world, (sensing.me, *sensing.here))?;
    Some((known.entity(Attribute::Object), known.position(Attribute::Position)?))
}

/// The enemy that a behaviour is about, with where he is believed to be: never oneself.
pub(crate) fn target<W: Scene>(acting: &Acting<'_, W>) -> Option<(EntityId, Position)> {
    let target = match is_selected(acting) {
        true => picked(acting, target_slot(acting)).and_then(|it| Some((it.what?, it.place?))),
        false => somebody_given(acting).or_else(|| aimed_or_enemy(acting)),
    };
    target.filter(|&(who, _)| who != acting.me)
}

/// Whom the file gives by name: `does attack(eve)`.
fn somebody_given<W: Scene>(acting: &Acting<'_, W>) -> Option<(EntityId, Position)> {
    let word = *acting.spec.action(acting.action?).given.first()?;
    let who = acting.world.named(word).filter(|&who| acting.world.body(who).is_some())?;
    let known = acting.memory.about(acting.world.words().character, who).next();
    let believed = known.and_then(|fact| fact.position(Attribute::Position));
    Some((who, believed.or_else(|| acting.world.place(who))?))
}

/// The fallback: the living enemy seen most surely, of equals the one seen last, of those the
/// nearest.
pub(crate) fn enemy<'m, W: Scene>(
    memory: &'m Memory,
    world: &W,
    (me, here): (EntityId, Position),
) -> Option<FactRef<'m>> {
    let living = living_enemies(memory, world, me);
    let living = living.filter(|fact| fact.entity(Attribute::Object).is_some());
    let far = |fact: FactRef<'_>| {
        fact.position(Attribute::Position).map_or(f32::INFINITY, |place| distance(here, place))
    };
    living.reduce(|best, next| {
        let (old, new) = (best.sure(Attribute::Stimulus), next.sure(Attribute::Stimulus));
        // Of those in view the nearest; of those lost the one seen last.
        let seen =
            |fact: FactRef<'_>| if is_surely_seen(fact) { Tick::MAX } else { fact.updated() };
        let later = seen(next).cmp(&seen(best));
        let is_nearer = later.is_eq() && far(next) < far(best);
        let is_better = new > old || (new == old && (later.is_gt() || is_nearer));
        if is_better { next } else { best }
    })
}

/// The fallback: the one aimed at while it is remembered as alive, else the one to care about. One
/// aimed at who hides gives way to one who is surely seen.
fn aimed_or_enemy<W: Scene>(acting: &Acting<'_, W>) -> Option<(EntityId, Position)> {
    let words = acting.world.words();
    let lives = |fact: &FactRef<'_>| fact.word(Attribute::Knowledge) != Some(words.dead);
    let known = |target| acting.memory.about(words.character, target).find(lives);
    let aimed = acting.board.target.and_then(known);
    let fact = match aimed.filter(|&fact| is_surely_seen(fact)) {
        Some(fact) => fact,
        None => {
            let other = enemy(acting.memory, acting.world, (acting.me, acting.here));
            other.filter(|&other| aimed.is_none() || is_surely_seen(other)).or(aimed)?
        }
    };
    let place = fact.position(Attribute::Position)?;
    Some((fact.entity(Attribute::Object)?, place))
}
