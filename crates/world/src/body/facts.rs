//! What sensors and behaviours have in common: facts that lose attributes, the enemy, cells.
//!
//! In:   memory and world.
//! Out:  the fact or thing that is meant.
//! Cost: a walk over the facts of a kind.

use crate::cell::Cell;
use crate::paths::MOST_EYES;
use crate::thing::Thing;
use crate::world::World;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::memory::{FactId, FactRef, Memory};
use throng_mind::orders::Order;
use throng_mind::time::{Tick, after};
use throng_mind::words::Word;
use throng_mind::{Acting, Progress, Sensing};

/// Updates the sensor's fact that agrees in the attributes `same`, or remembers a new one. An
/// attribute that the draft does not have is gone: who has left a node stands at none.
pub(super) fn rewrite(
    sensing: &mut Sensing<'_, World>,
    draft: FactDraft,
    same: &[Attribute],
) -> FactId {
    let value = |fact: FactRef<'_>, at: Attribute| fact.get(at).map(|(value, _)| value);
    let wanted = |at: Attribute| draft.attributes[at as usize].map(|(value, _)| value);
    let has_more = |fact: &FactRef<'_>| {
        same.iter().all(|&at| value(*fact, at) == wanted(at))
            && Attribute::ALL.iter().any(|&at| fact.get(at).is_some() && wanted(at).is_none())
    };
    forget_first(sensing, draft.kind, has_more);
    sensing.remember_one(draft, same)
}

/// The cell that a mind is in.
pub(super) fn my_cell(world: &World, me: EntityId) -> Option<Cell> {
    world.actor(me).map(|actor| actor.cell)
}

/// The living enemy to care about: the one seen most surely, of equals the one seen last, of those
/// the nearest.
pub(super) fn enemy<'m>(memory: &'m Memory, world: &World, here: Position) -> Option<FactRef<'m>> {
    let words = &world.words;
    let living = memory.of_kind(words.character).filter(|fact| {
        fact.word(Attribute::Knowledge) != Some(words.dead)
            && fact.entity(Attribute::Object).is_some()
    });
    let far = |fact: FactRef<'_>| {
        fact.position(Attribute::Position)
            .map_or(i64::MAX, |place| Cell::of(here).distance_squared(Cell::of(place)))
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

/// Whether a fact about a character says that he is in view.
pub(super) fn is_surely_seen(fact: FactRef<'_>) -> bool {
    fact.sure(Attribute::Stimulus) >= 1.0
}

/// The enemy that a behaviour is about: the one aimed at while it is remembered as alive, else the
/// one to care about. One aimed at who hides gives way to one who is surely seen.
pub(super) fn target(acting: &Acting<'_, World>) -> Option<(EntityId, Cell)> {
    let words = &acting.world.words;
    let is_target = |fact: &FactRef<'_>| {
        fact.entity(Attribute::Object) == acting.board.target
            && fact.word(Attribute::Knowledge) != Some(words.dead)
    };
    let aimed = acting.board.target.and_then(|_| {
        let mut facts = acting.memory.of_kind(words.character);
        facts.find(is_target)
    });
    let fact = match aimed.filter(|&fact| is_surely_seen(fact)) {
        Some(fact) => fact,
        None => {
            let other = enemy(acting.memory, acting.world, acting.here);
            other.filter(|&other| aimed.is_none() || is_surely_seen(other)).or(aimed)?
        }
    };
    let place = fact.position(Attribute::Position)?;
    Some((fact.entity(Attribute::Object)?, Cell::of(place)))
}

/// What a word of a mind means as a place: a node, a thing, an actor.
pub(super) fn cell_called(world: &World, name: Word) -> Option<Cell> {
    let node = world.nodes().named(name).map(|node| node.cell);
    let thing = || world.thing_named(name).map(|thing| thing.cell);
    let actor = || world.actors().named(name).map(|actor| actor.cell);
    node.or_else(thing).or_else(actor)
}

/// The first parameter of an action as a thing of the world.
pub(super) fn named_thing<'w>(acting: &Acting<'w, World>) -> Option<&'w Thing> {
    acting.world.thing_named(acting.parameter(0)?)
}

/// The links that a mind believes impassable.
pub(super) fn blocked_links(memory: &Memory, world: &World) -> Vec<EntityId> {
    let facts = memory.of_kind(world.words.blocked);
    let links = facts.filter_map(|fact| fact.word(Attribute::Link));
    links.filter_map(|link| Some(world.thing_named(link)?.handle)).collect()
}

/// Where living enemies are believed to be, the nearest first.
pub(super) fn believed_enemies(memory: &Memory, world: &World, here: Position) -> Vec<Cell> {
    let dead = Some(world.words.dead);
    let others = memory.of_kind(world.words.character);
    let living = others.filter(|fact| fact.word(Attribute::Knowledge) != dead);
    let places = living.filter_map(|fact| fact.position(Attribute::Position));
    let mut cells: Vec<Cell> = places.map(Cell::of).collect();
    cells.sort_unstable_by_key(|cell| (Cell::of(here).distance_squared(*cell), cell.y, cell.x));
    cells.dedup();
    cells.truncate(MOST_EYES);
    cells
}

/// Forgets the first fact of a kind that is meant.
pub(super) fn forget_first(
    sensing: &mut Sensing<'_, World>,
    kind: Word,
    is_it: impl Fn(&FactRef<'_>) -> bool,
) {
    let known = sensing.memory().of_kind(kind).find(is_it).map(FactRef::id);
    known.into_iter().for_each(|known| sensing.forget(known));
}

/// What the action is called without its parameters: the animation that is played for it.
pub(super) fn own_name(acting: &Acting<'_, World>) -> Word {
    acting.action.map_or(Word::NONE, |action| acting.spec.action(action).template)
}

/// An order that is about no thing and no place.
pub(super) fn other(what: Word) -> Order {
    Order::Other { what, on: None, name: Word::NONE, place: [0.0; 3], amount: 0.0 }
}

/// To be asked again after so many seconds.
pub(super) fn soon(acting: &Acting<'_, World>, seconds: f64) -> Progress {
    Progress::Until(after(acting.now, acting.spec.pace.ticks(seconds).max(1)))
}
