//! What sensors and behaviours have in common: facts that lose attributes, who and what is meant.
//!
//! In:   memory and world.
//! Out:  the fact or thing that is meant.
//! Cost: a walk over the facts of a kind.

use crate::geometry::distance;
use crate::lists::Lent;
use crate::scene::{Attitude, Eye, Scene, Thing};
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::memory::{FactId, FactRef, Memory};
use throng_mind::orders::Order;
use throng_mind::time::after;
use throng_mind::words::Word;
use throng_mind::{Acting, Progress, Sensing};

/// A sneaking character minds so many of the nearest enemies that he knows of.
const MOST_EYES: usize = 8;

/// Updates the sensor's fact that agrees in the attributes `same`, or remembers a new one. An
/// attribute that the draft does not have is gone: who has left a node stands at none.
pub(crate) fn rewrite<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    draft: FactDraft,
    same: &[Attribute],
) -> FactId {
    let value = |fact: FactRef<'_>, at: Attribute| fact.get(at).map(|(value, _)| value);
    let wanted = |at: Attribute| draft.attributes[at as usize].map(|(value, _)| value);
    let has_more = |fact: &FactRef<'_>| {
        same.iter().all(|&at| value(*fact, at) == wanted(at)) && fact.says_more_than(&draft)
    };
    forget_first(sensing, draft.kind, has_more);
    sensing.remember_one(draft, same)
}

/// Where somebody is.
pub(crate) fn place_of<W: Scene>(world: &W, who: EntityId) -> Option<Position> {
    world.body(who).map(|body| body.place)
}

/// Somebody's eye where he is.
pub(crate) fn eye_of(who: EntityId, place: Position) -> Eye {
    Eye { who: Some(who), place }
}

/// Whether two are enemies.
pub(crate) fn are_enemies<W: Scene>(world: &W, me: EntityId, other: EntityId) -> bool {
    world.attitude(me, other) == Attitude::Enemy
}

/// A name as a value, if there is one.
pub(crate) fn name(word: Word) -> Option<Word> {
    Some(word).filter(|&word| word != Word::NONE)
}

/// Whether a fact about a character says that he is in view.
pub(crate) fn is_surely_seen(fact: FactRef<'_>) -> bool {
    fact.sure(Attribute::Stimulus) >= 1.0
}

/// The thing that is called so.
pub(crate) fn thing_called<W: Scene>(world: &W, name: Word) -> Option<Thing> {
    world.thing(world.named(name)?)
}

/// The links that a mind believes impassable.
pub(crate) fn blocked_links<W: Scene>(memory: &Memory, world: &W) -> Lent<EntityId> {
    let facts = memory.of_kind(world.words().blocked);
    let links = facts.filter_map(|fact| {
        let named = || world.named(fact.word(Attribute::Link)?);
        fact.entity(Attribute::Object).or_else(named)
    });
    links.collect()
}

/// What is remembered of living enemies. Nobody is one of his own, whatever others tell.
pub(crate) fn living_enemies<'m, W: Scene>(
    memory: &'m Memory,
    world: &W,
    me: EntityId,
) -> impl Iterator<Item = FactRef<'m>> + use<'m, W> {
    let dead = world.words().dead;
    let others = memory.of_kind(world.words().character);
    others.filter(move |fact| {
        fact.word(Attribute::Knowledge) != Some(dead) && fact.entity(Attribute::Object) != Some(me)
    })
}

/// Where living enemies are believed to be, the nearest first.
pub(crate) fn believed_enemies<W: Scene>(
    memory: &Memory,
    world: &W,
    (me, here): (EntityId, Position),
) -> Lent<Position> {
    let living = living_enemies(memory, world, me);
    let mut places: Lent<Position> =
        living.filter_map(|fact| fact.position(Attribute::Position)).collect();
    places.sort_unstable_by(|a, b| {
        let nearer = distance(here, *a).total_cmp(&distance(here, *b));
        nearer.then(a[1].total_cmp(&b[1])).then(a[0].total_cmp(&b[0]))
    });
    places.dedup();
    places.truncate(MOST_EYES);
    places
}

/// Forgets the first fact of a kind that is meant.
pub(crate) fn forget_first<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    kind: Word,
    is_it: impl Fn(&FactRef<'_>) -> bool,
) {
    let known = sensing.memory().of_kind(kind).find(is_it).map(FactRef::id);
    known.into_iter().for_each(|known| sensing.forget(known));
}

/// What the action is called without its parameters: the animation that is played for it. What is done
/// beside has a name of its own.
pub(crate) fn own_name<W: Scene>(acting: &Acting<'_, W>) -> Word {
    if let Some(beside) = acting.beside() {
        return beside.name;
    }
    acting.action.map_or(Word::NONE, |action| acting.spec.action(action).template)
}

/// An order that is about no thing and no place.
pub(crate) fn other(what: Word) -> Order {
    Order::Other { what, on: None, name: Word::NONE, place: [0.0; 3], amount: 0.0 }
}

/// To be asked again after so many seconds.
pub(crate) fn soon<W: Scene>(acting: &Acting<'_, W>, seconds: f64) -> Progress {
    Progress::Until(after(acting.now, acting.spec.pace.ticks(seconds).max(1)))
}
