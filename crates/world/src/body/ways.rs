//! Sensors for ways: `path_target` and `pass_target`.
//!
//! In:   where enemies are believed to be, links believed impassable, nodes.
//! Out:  `path{node, amount, knowledge, link}`, `desire{desire = hold}`.
//! Cost: one search of a way per run: heavy.

use super::facts::{believed_enemies, blocked_links, enemy, forget_first, my_cell, rewrite};
use crate::cell::Cell;
use crate::paths::{Manner, Path, plain};
use crate::world::World;
use throng_mind::fact::{Attribute, FactDraft};
use throng_mind::memory::FactRef;
use throng_mind::words::Word;
use throng_mind::{Sensing, Work};

/// How far `pass_target` looks for places to go to, and how many it tries.
const REACH: f32 = 40.0;
const MOST_PLACES: usize = 8;

/// The way to the enemy: `clear` (a window on it is dived through), or `blocked` by the shut door
/// `link`; without a link there is no way at all.
pub(super) fn path_target(sensing: &mut Sensing<'_, World>) -> Work {
    let world = sensing.world;
    let Some(from) = my_cell(world, sensing.me) else { return Work::Light };
    let known = enemy(sensing.memory(), world, *sensing.here);
    let Some(to) = known.and_then(|fact| fact.position(Attribute::Position)) else {
        sensing.forget_the_rest();
        return Work::Light;
    };
    let avoid = blocked_links(sensing.memory(), world);
    let path = world.path(from, Cell::of(to), Manner::Dive, &avoid, &plain);
    let draft = told(world, world.words.target, path.as_ref());
    rewrite(sensing, draft, &[Attribute::Node]);
    Work::Heavy
}

/// A way as a fact.
fn told(world: &World, to: Word, path: Option<&Path>) -> FactDraft {
    let words = &world.words;
    let draft = FactDraft::new(words.path).with(Attribute::Node, to, 1.0);
    let Some(path) = path else {
        return draft.with(Attribute::Knowledge, words.blocked, 1.0);
    };
    let link = path.first_link.and_then(|link| world.thing(link));
    let is_shut = link.is_some_and(|link| link.is_shut_door());
    let state = if is_shut { words.blocked } else { words.clear };
    draft
        .with(Attribute::Knowledge, state, 1.0)
        .with(Attribute::Amount, path.cost as f32, 1.0)
        .with_some(Attribute::Link, link.map(|link| link.name), 1.0)
}

/// Ways to the nodes around that no enemy watches, one node a run: `clear`, or `watched`. As long
/// as no clear one is known, the wish to hold. `state` is the node whose turn it is.
pub(super) fn pass_target(sensing: &mut Sensing<'_, World>) -> Work {
    let (world, turn) = (sensing.world, *sensing.state as usize);
    let Some(from) = my_cell(world, sensing.me) else { return Work::Light };
    let eyes = believed_enemies(sensing.memory(), world, *sensing.here);
    let mut places = world.nodes_near(sensing.me, from, REACH);
    places.retain(|node| node.cell != from);
    places.truncate(MOST_PLACES);
    // By name, so that the order does not change while he moves.
    places.sort_unstable_by(|a, b| a.text.cmp(&b.text));
    if places.is_empty() || eyes.is_empty() {
        // Without a threat or a place there is nothing to say.
        sensing.forget_the_rest();
        return Work::Light;
    }
    let place = places[turn % places.len()];
    *sensing.state = ((turn + 1) % places.len()) as u64;
    let avoid = blocked_links(sensing.memory(), world);
    let path = world.path(from, place.cell, Manner::Sneak, &avoid, &world.cost_of_view(&eyes));
    let mut draft = told(world, place.name, path.as_ref());
    if path.is_some_and(|path| is_watched(world, &eyes, &path)) {
        draft = draft.with(Attribute::Knowledge, world.words.watched, 1.0);
    }
    rewrite(sensing, draft, &[Attribute::Node]);
    hold_or_not(sensing);
    Work::Heavy
}

fn is_watched(world: &World, eyes: &[Cell], path: &Path) -> bool {
    let besides = world.cost_of_view(eyes);
    path.cells.iter().any(|&cell| besides(cell) > 0)
}

/// The wish to hold, while no way is known to be clear.
fn hold_or_not(sensing: &mut Sensing<'_, World>) {
    let words = &sensing.world.words;
    let is_clear = |fact: FactRef<'_>| {
        fact.word(Attribute::Knowledge) == Some(words.clear)
            && fact.word(Attribute::Node) != Some(words.target)
    };
    let one_is_clear = sensing.memory().of_kind(words.path).any(is_clear);
    if one_is_clear {
        let is_hold = |fact: &FactRef<'_>| fact.word(Attribute::Desire) == Some(words.hold);
        forget_first(sensing, words.desire, is_hold);
    } else {
        let draft = FactDraft::new(words.desire).with(Attribute::Desire, words.hold, 1.0);
        sensing.remember_one(draft, &[Attribute::Desire]);
    }
}
