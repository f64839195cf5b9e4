//! The sensors `self` and `clock`: where I am, how I hold myself, what I have in hand.
//!
//! In:   the actor.
//! Out:  `self{position, node, knowledge, object}` and `weapon{knowledge, stimulus, amount, node}`.
//! Cost: light; looks at the things and nodes of nine cells.

use super::facts::rewrite;
use crate::actor::{Actor, Posture};
use crate::world::World;
use throng_mind::fact::{Attribute, FactDraft};
use throng_mind::{Sensing, Work};

/// Looks at the actor itself, and moves the mind to where it is.
pub(super) fn sense_self(sensing: &mut Sensing<'_, World>) -> Work {
    let world = sensing.world;
    let Some(actor) = world.actor(sensing.me) else { return Work::Light };
    *sensing.here = actor.cell.place();
    let own = own(sensing, actor);
    rewrite(sensing, own, &[]);
    rewrite(sensing, weapon(world, actor), &[]);
    Work::Light
}

/// How late it is, in seconds of the story.
pub(super) fn clock(sensing: &mut Sensing<'_, World>) -> Work {
    let seconds = sensing.spec.pace.seconds(sensing.now) as f32;
    let draft = FactDraft::new(sensing.word("day"));
    sensing.remember_one(draft.with(Attribute::Time, seconds, 1.0), &[]);
    Work::Light
}

fn own(sensing: &Sensing<'_, World>, actor: &Actor) -> FactDraft {
    let words = &sensing.world.words;
    let posture = match actor.posture {
        Posture::Standing => words.standing,
        Posture::Crouched => words.crouched,
        Posture::Riding => words.riding,
        Posture::Climbing => words.climbing,
    };
    FactDraft::new(sensing.word("self"))
        .with(Attribute::Position, actor.cell.place(), 1.0)
        .with(Attribute::Knowledge, posture, 1.0)
        .with(Attribute::Object, actor.handle, 1.0)
        .with_some(Attribute::Node, sensing.world.stands_at(actor.cell), 1.0)
}

fn weapon(world: &World, actor: &Actor) -> FactDraft {
    let words = &world.words;
    let draft = FactDraft::new(words.weapon);
    let Some(weapon) = actor.weapon else {
        return draft.with(Attribute::Knowledge, words.none, 1.0);
    };
    let held = if weapon.armed { words.armed } else { words.holstered };
    // What only hits at arm's length never runs out.
    let is_loaded = weapon.rounds > 0 || weapon.holds == 0;
    let loaded = if is_loaded { words.loaded } else { words.empty };
    draft
        .with(Attribute::Knowledge, held, 1.0)
        .with(Attribute::Stimulus, loaded, 1.0)
        .with(Attribute::Amount, f32::from(weapon.rounds), 1.0)
        .with(Attribute::Node, weapon.name, 1.0)
}
