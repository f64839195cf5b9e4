//! What a behaviour is about: the slot, thing or place that the file gives it.
//!
//! In:   `does throw(target)`, the parameters of the action, what is picked, memory.
//! Out:  an entity, its name, and where the mind believes it to be.
//! Cost: a walk over the slots, a look-up.
//!
//! A word that is a slot means what is picked; any other word means what is called so.

use crate::own::name_of;
use crate::scene::{Scene, Thing};
use throng_mind::Acting;
use throng_mind::fact::{Attribute, EntityId, Position};
use throng_mind::memory::Memory;
use throng_mind::select::{Key, Pick};
use throng_mind::spec::Spec;
use throng_mind::words::Word;

/// Something that a file refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reference {
    /// Which entity; `None` for a noise without a source.
    pub(crate) what: Option<EntityId>,
    /// What it is called, or [`Word::NONE`].
    pub(crate) name: Word,
    /// Where it is believed to be.
    pub(crate) place: Option<Position>,
}

/// Whether a word that a file gives is a slot, or the name of several.
pub(crate) fn is_slot(spec: &Spec, word: &str) -> bool {
    let map = spec.domain.map();
    map.find_slot(word).is_some() || map.find_select(word).is_some()
}

/// What is picked, as something of the world.
pub(crate) fn of_pick<W: Scene>(world: &W, memory: &Memory, pick: Pick) -> Reference {
    let what = match pick.key {
        Key::Entity(entity) => Some(entity),
        Key::Word(word) => world.named(word),
        Key::None | Key::Number(_) | Key::Fact(_) => None,
    };
    let fact = memory.get(pick.fact);
    let believed = fact.and_then(|fact| fact.position(Attribute::Position));
    // Spots and things stay where they are; the fact may be of another writer's kind.
    let place = believed.or_else(|| world.place(what?));
    let own = pick.key.word().or_else(|| name_of(world, what?));
    Reference { what, name: own.unwrap_or(Word::NONE), place }
}

/// What the file gives a behaviour, by position; `None` if it gives nothing there, or a slot that is
/// empty.
pub(crate) fn given<W: Scene>(acting: &Acting<'_, W>, at: usize) -> Option<Reference> {
    let word = acting.given(at)?;
    let text = acting.spec.words.text(word);
    if is_slot(acting.spec, text) {
        let pick = acting.picks().named(acting.spec, text)?;
        return Some(of_pick(acting.world, acting.memory, pick));
    }
    let what = acting.world.named(word);
    Some(Reference { what, name: word, place: what.and_then(|what| acting.world.place(what)) })
}

/// What is picked under a name that code knows.
pub(crate) fn picked<W: Scene>(acting: &Acting<'_, W>, slot: &str) -> Option<Reference> {
    acting.picked(slot).map(|pick| of_pick(acting.world, acting.memory, pick))
}

/// The first of what a behaviour is given as a thing of the world.
pub(crate) fn given_thing<W: Scene>(acting: &Acting<'_, W>) -> Option<Thing> {
    acting.world.thing(given(acting, 0)?.what?)
}
