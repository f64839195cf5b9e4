//! Going: `goto`, `sneak`, `goto_target`, `traverse`, `escape`.
//!
//! In:   a name, the enemy, a link, the dangers remembered.
//! Out:  `Move` orders. Before each, navigation is told what is believed: links that are impassable,
//!       and for those who sneak the places of enemies. It knows nothing of them by itself.
//! Cost: an order or a few; `goto_target` looks up twice a second whether the enemy has moved.
//!
//! Context effect: who is stopped by a blocked door remembers for a while that this way leads
//! through it, as `path{node, knowledge = blocked, link}`. Who sneaks keeps an eye out, whatever his
//! senses: enemies in view that he does not know of he remembers as `character`, and he takes
//! another way when an enemy turns up or has moved.

use super::enemies::seen_as_fact;
use super::facts::{
    believed_enemies, blocked_links, cell_called, enemy, is_surely_seen, my_cell, named_thing,
    soon, target,
};
use crate::cell::Cell;
use crate::paths::{Manner, plain};
use crate::thing::{Thing, ThingKind};
use crate::world::World;
use throng_mind::blackboard::OrderState;
use throng_mind::fact::{Attribute, FactDraft};
use throng_mind::memory::FactRef;
use throng_mind::orders::{Order, OrderId};
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Ending, Progress};

/// How far one runs from a grenade, in cells.
const ESCAPE_REACH: u32 = 12;
/// How long a way that led to a blocked door is remembered as such, in seconds.
const WAY_KEPT: f64 = 5.0;
/// How long an enemy noticed while sneaking is remembered, in seconds.
const NOTICED_KEPT: f64 = 10.0;
/// The enemy is followed if he is so many cells from where he was when the way was found.
const MOVED_ON: f32 = 2.0;

/// Orders a move, round everything that is believed impassable.
pub(super) fn move_to(
    acting: &mut Acting<'_, World>,
    to: Cell,
    node: Word,
    manner: Word,
) -> OrderId {
    let words = &acting.world.words;
    let avoid = |on, name, place| Order::Other { what: words.avoid, on, name, place, amount: 0.0 };
    let me = acting.world.actor(acting.me);
    let links = blocked_links(acting.memory, acting.world);
    if me.is_some_and(|me| !(me.avoids.is_empty() && me.shuns.is_empty())) {
        acting.board.order(avoid(None, Word::NONE, [0.0; 3]));
    }
    for link in links {
        acting.board.order(avoid(Some(link), Word::NONE, [0.0; 3]));
    }
    if manner == words.sneak {
        for eye in believed_enemies(acting.memory, acting.world, acting.here) {
            acting.board.order(avoid(None, words.watched, eye.place()));
        }
    }
    acting.board.order(Order::Move { to: to.place(), node, manner })
}

/// In a fight one runs.
fn pace(acting: &Acting<'_, World>) -> Word {
    let words = &acting.world.words;
    match enemy(acting.memory, acting.world, acting.here) {
        Some(_) => words.run,
        None => words.walk,
    }
}

/// Goes to the node, thing or actor that the first parameter names.
pub(super) struct Goto {
    /// Out of the enemies' view as far as possible.
    pub(super) sneaking: bool,
}

impl Behaviour<World> for Goto {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let words = &acting.world.words;
        let name = acting.parameter(0).unwrap_or(Word::NONE);
        if name == words.target {
            return GotoTarget.start(acting);
        }
        let Some(to) = cell_called(acting.world, name) else {
            return Progress::Failed(words.gone);
        };
        if self.sneaking {
            return sneak_on(acting, to, name);
        }
        let manner = pace(acting);
        move_to(acting, to, name, manner);
        Progress::Waiting
    }

    fn go_on(&self, acting: &mut Acting<'_, World>) -> Progress {
        let name = acting.parameter(0).unwrap_or(Word::NONE);
        match cell_called(acting.world, name) {
            _ if name == acting.world.words.target => GotoTarget.go_on(acting),
            Some(to) if self.sneaking => sneak_on(acting, to, name),
            _ => acting.board.progress(),
        }
    }

    fn end(&self, acting: &mut Acting<'_, World>, how: Ending) {
        remember_the_door(acting, how);
    }
}

/// Sets out out of view, or anew if enemies are elsewhere than when he did. `state` is the number of
/// the order under way.
fn sneak_on(acting: &mut Acting<'_, World>, to: Cell, name: Word) -> Progress {
    notice_enemies(acting);
    let eyes = believed_enemies(acting.memory, acting.world, acting.here);
    let shunned = acting.world.actor(acting.me).map_or(&[][..], |me| &me.shuns);
    let is_known = |eye: &Cell| shunned.iter().any(|cell| cell.distance(*eye) < MOVED_ON);
    match acting.board.state_of(OrderId(*acting.state as u32)) {
        Some(OrderState::Failed(why)) => return Progress::Failed(why),
        Some(OrderState::Done) => return Progress::Done,
        Some(OrderState::Open) if eyes.iter().all(is_known) => {}
        _ => {
            let sneak = acting.world.words.sneak;
            *acting.state = u64::from(move_to(acting, to, name, sneak).0);
        }
    }
    soon(acting, 0.5)
}

/// Remembers the enemies in view that he does not know of.
fn notice_enemies(acting: &mut Acting<'_, World>) {
    let world = acting.world;
    let keep = acting.spec.pace.ticks(NOTICED_KEPT);
    let me = world.actor(acting.me);
    for other in me.map_or(Vec::new(), |me| world.enemies_in_view(me)) {
        let character = world.words.character;
        let is_he = |fact: FactRef<'_>| {
            fact.kind() == character && fact.entity(Attribute::Object) == Some(other.handle)
        };
        let is_known = acting.memory.iter().any(|fact| is_he(fact) && is_surely_seen(fact));
        if !is_known {
            // What was believed of him is older than this.
            acting.memory.remove_if(is_he);
            acting.remember_one(seen_as_fact(world, other), &[Attribute::Object], keep);
        }
    }
}

/// Who was stopped by a blocked door knows where this way leads.
fn remember_the_door(acting: &mut Acting<'_, World>, how: Ending) {
    let (world, words) = (acting.world, &acting.world.words);
    let door = world.actor(acting.me).and_then(|me| world.thing(me.blocked_by?));
    let name = acting.parameter(0).filter(|&name| name != words.target);
    if let (Some(door), Some(name)) = (door, name)
        && how == Ending::Failed(words.blocked)
    {
        let draft = FactDraft::new(words.path)
            .with(Attribute::Node, name, 1.0)
            .with(Attribute::Knowledge, words.blocked, 1.0)
            .with(Attribute::Link, door.name, 1.0);
        let keep = acting.spec.pace.ticks(WAY_KEPT);
        acting.remember_one(draft, &[Attribute::Node], keep);
    }
}

/// Runs to where the enemy is believed to be, and after him; done at arm's length. `state` is the
/// number of the order under way.
pub(super) struct GotoTarget;

impl GotoTarget {
    fn follow(&self, acting: &mut Acting<'_, World>) -> Progress {
        let Some((object, to)) = target(acting) else {
            return Progress::Failed(acting.world.words.lost);
        };
        let Some(here) = my_cell(acting.world, acting.me) else {
            return Progress::Failed(acting.world.words.gone);
        };
        if here.is_beside(to) && acting.world.line_of_sight(here, to) {
            return Progress::Done;
        }
        acting.board.target = Some(object);
        let order = OrderId(*acting.state as u32);
        let going_to = acting.board.destination.map(Cell::of);
        let moved_on = going_to.is_none_or(|cell| cell.distance(to) >= MOVED_ON);
        match acting.board.state_of(order) {
            Some(OrderState::Failed(why)) => return Progress::Failed(why),
            Some(OrderState::Done) if !moved_on => {
                // He is not where he was believed to be.
                return Progress::Failed(acting.world.words.lost);
            }
            Some(OrderState::Open) if !moved_on => {}
            _ => {
                // Windows may be on the way.
                let dive = acting.world.words.dive;
                *acting.state = u64::from(move_to(acting, to, Word::NONE, dive).0);
            }
        }
        soon(acting, 0.5)
    }
}

impl Behaviour<World> for GotoTarget {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        acting.board.destination = None;
        self.follow(acting)
    }

    fn go_on(&self, acting: &mut Acting<'_, World>) -> Progress {
        self.follow(acting)
    }
}

/// The link of one of these kinds that an action is about: its parameter, else the one on the way to
/// the enemy. What is known of other ways does not count.
pub(super) fn link_of<'w>(acting: &Acting<'w, World>, kinds: &[ThingKind]) -> Option<&'w Thing> {
    let (world, words) = (acting.world, &acting.world.words);
    let on_the_way = || {
        let ways = acting.memory.of_kind(words.path);
        let mut ways = ways.filter(|way| way.word(Attribute::Node) == Some(words.target));
        ways.find_map(|way| world.thing_named(way.word(Attribute::Link)?))
    };
    named_thing(acting).or_else(on_the_way).filter(|link| kinds.contains(&link.kind))
}

/// Goes through a door or window to the other side.
pub(super) fn traverse(acting: &mut Acting<'_, World>) -> Progress {
    let (world, words) = (acting.world, &acting.world.words);
    let (Some(link), Some(here)) =
        (link_of(acting, &[ThingKind::Door, ThingKind::Window]), my_cell(world, acting.me))
    else {
        return Progress::Failed(words.gone);
    };
    // The other side is the one that is farther without it, or out of reach.
    let mut avoid = blocked_links(acting.memory, world);
    avoid.push(link.handle);
    let without = |&cell: &Cell| {
        let path = world.path(here, cell, Manner::Dive, &avoid, &plain);
        path.map_or(u32::MAX, |path| path.cost)
    };
    let beside = link.cell.neighbours().into_iter().filter(|&cell| !world.is_opaque(cell));
    let Some(far_side) = beside.max_by_key(without) else {
        return Progress::Failed(words.no_path);
    };
    move_to(acting, far_side, Word::NONE, words.dive);
    Progress::Waiting
}

/// Runs out of reach of every danger that he knows of.
pub(super) fn escape(acting: &mut Acting<'_, World>) -> Progress {
    let (world, words) = (acting.world, &acting.world.words);
    let here = my_cell(world, acting.me);
    let known = acting.memory.of_kind(words.danger).filter_map(|fact| {
        let (at, radius) = (fact.position(Attribute::Position)?, fact.number(Attribute::Radius)?);
        // The cast saturates.
        Some((Cell::of(at), radius.ceil() as u16))
    });
    let dangers: Vec<(Cell, u16)> = known.collect();
    match here.and_then(|here| world.nearest_safe(here, ESCAPE_REACH, &dangers)) {
        Some(safe) => {
            move_to(acting, safe, Word::NONE, words.run);
            Progress::Waiting
        }
        None => Progress::Failed(words.no_path),
    }
}
