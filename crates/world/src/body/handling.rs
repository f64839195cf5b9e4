//! Handling things: `pick_up`, `use`, `mount`, `dismount`, `kick`, `climb`.
//!
//! In:   a thing: the first parameter, else the one that he stands at, else the nearest of the kind.
//! Out:  `Use` orders.
//! Cost: an order, or two if he has to go there first.
//!
//! Context effects: a door that holds against a kick is remembered for twenty seconds as
//! `blocked{link}`. Who climbs is engaged with the ladder until he is at its top, whatever comes
//! between, unless he is driven off it.

use super::facts::{my_cell, named_thing, other};
use super::going::{link_of, move_to};
use crate::actor::Posture;
use crate::thing::{Thing, ThingKind};
use crate::world::World;
use throng_mind::blackboard::OrderState;
use throng_mind::fact::{Attribute, EntityId, FactDraft};
use throng_mind::orders::{Order, OrderId};
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Ending, Progress};

/// How long a door that held is remembered, in seconds.
const DOOR_KEPT: f64 = 20.0;
/// How far a thing may be that no parameter names, in cells.
const REACH: f32 = 10.0;

/// Something done with a thing that is at hand.
pub(super) struct Handling {
    /// Only this kind, if no parameter names the thing.
    kind: Option<ThingKind>,
    /// What is done; the second parameter, if there is one, says so instead.
    what: fn(&World) -> Word,
}

/// Takes an item.
pub(super) const PICK_UP: Handling =
    Handling { kind: Some(ThingKind::Item), what: |world| world.words.pick_up };
/// Puts a thing into the state that the second parameter names, else into its next one.
pub(super) const USE: Handling = Handling { kind: None, what: |_| Word::NONE };
/// Gets on a vehicle.
pub(super) const MOUNT: Handling =
    Handling { kind: Some(ThingKind::Vehicle), what: |world| world.words.mount };

impl Behaviour<World> for Handling {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let Some(thing) = thing_of(acting, self.kind) else {
            return Progress::Failed(acting.world.words.gone);
        };
        let what = acting.parameter(1).unwrap_or((self.what)(acting.world));
        acting.board.order(Order::Use { what, on: thing.handle });
        Progress::Waiting
    }
}

/// The thing that an action is about.
fn thing_of<'w>(acting: &Acting<'w, World>, kind: Option<ThingKind>) -> Option<&'w Thing> {
    let (world, is_kind) = (acting.world, |thing: &Thing| kind.is_none_or(|it| thing.kind == it));
    let here = my_cell(world, acting.me)?;
    let at_hand = || world.thing_named(world.stands_at(here)?).filter(|thing| is_kind(thing));
    let near = || world.things().nearest(here, REACH).into_iter().find(|thing| is_kind(thing));
    named_thing(acting).or_else(at_hand).or_else(near)
}

/// Goes to a door and kicks it: done if it opens, failed with `held` if it holds. `state` is the
/// door's number, and below it that of the kick's order. What he is engaged with stays as it is.
pub(super) struct Kick;

impl Behaviour<World> for Kick {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let words = &acting.world.words;
        let Some(door) = link_of(acting, &[ThingKind::Door]) else {
            return Progress::Failed(words.gone);
        };
        // What the others do meanwhile does not change which door this is about. Handles count
        // from 1 and stay small.
        *acting.state = door.handle.0 << 32;
        move_to(acting, door.cell, Word::NONE, words.run);
        Progress::Waiting
    }

    fn go_on(&self, acting: &mut Acting<'_, World>) -> Progress {
        let words = &acting.world.words;
        let (door, kick) = (EntityId(*acting.state >> 32), OrderId(*acting.state as u32));
        let Some(door) = acting.world.thing(door) else { return Progress::Failed(words.gone) };
        if kick == OrderId(0) {
            return match acting.board.progress() {
                Progress::Done => {
                    let order = Order::Use { what: words.kick, on: door.handle };
                    *acting.state |= u64::from(acting.board.order(order).0);
                    Progress::Waiting
                }
                other => other,
            };
        }
        match acting.board.state_of(kick) {
            Some(OrderState::Failed(why)) if why == words.blocked => {
                remember_blocked(acting, door.name);
                Progress::Failed(words.held)
            }
            Some(OrderState::Failed(why)) => Progress::Failed(why),
            Some(OrderState::Done) => Progress::Done,
            _ => Progress::Waiting,
        }
    }
}

fn remember_blocked(acting: &mut Acting<'_, World>, door: Word) {
    let draft = FactDraft::new(acting.world.words.blocked).with(Attribute::Link, door, 1.0);
    let keep = acting.spec.pace.ticks(DOOR_KEPT);
    acting.remember_one(draft, &[Attribute::Link], keep);
}

/// Climbs a ladder. Who is on it already, because he was interrupted, goes on from there, and what he
/// has climbed he need not climb again. Who is driven off it fails with `gone`. `state`
/// counts: 0 on the way to it, 1 getting on, 2 climbing, 3 getting off.
pub(super) struct Climb;

impl Climb {
    fn next(&self, acting: &mut Acting<'_, World>, ladder: &Thing) -> Progress {
        let words = &acting.world.words;
        let climbed = acting.world.actor(acting.me).map_or(0, |me| me.climbed);
        let left = acting.takes().saturating_sub(climbed);
        let order = match *acting.state {
            1 => Order::Use { what: words.climb, on: ladder.handle },
            2 => Order::Animate { what: words.climb, ticks: left },
            3 => other(words.descend),
            _ => return Progress::Done,
        };
        acting.board.order(order);
        Progress::Waiting
    }
}

impl Behaviour<World> for Climb {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let words = &acting.world.words;
        let Some(ladder) = thing_of(acting, Some(ThingKind::Ladder)) else {
            return Progress::Failed(words.gone);
        };
        let is_on = is_on(acting, ladder);
        acting.board.engaged_with = Some(ladder.name);
        if is_on {
            acting.board.engaged = Some(words.climbing);
            *acting.state = 2;
            return self.next(acting, ladder);
        }
        move_to(acting, ladder.cell, Word::NONE, words.walk);
        Progress::Waiting
    }

    fn go_on(&self, acting: &mut Acting<'_, World>) -> Progress {
        let words = &acting.world.words;
        let ladder = acting.board.engaged_with.and_then(|name| acting.world.thing_named(name));
        let Some(ladder) = ladder else { return Progress::Failed(words.gone) };
        if *acting.state == 2 && !is_on(acting, ladder) {
            return Progress::Failed(words.gone);
        }
        match acting.board.progress() {
            Progress::Done => {
                *acting.state = acting.state.saturating_add(1);
                if *acting.state == 2 {
                    acting.board.engaged = Some(words.climbing);
                }
                self.next(acting, ladder)
            }
            other => other,
        }
    }

    fn end(&self, acting: &mut Acting<'_, World>, how: Ending) {
        // Only the top ends it, or a fall: who stops to shoot is still on the ladder.
        let is_off = engaged_on(acting).is_none();
        if how == Ending::Done || is_off || acting.board.engaged.is_none() {
            (acting.board.engaged, acting.board.engaged_with) = (None, None);
        }
    }
}

/// Whether he is on this ladder.
fn is_on(acting: &Acting<'_, World>, ladder: &Thing) -> bool {
    let me = acting.world.actor(acting.me);
    me.is_some_and(|me| me.posture == Posture::Climbing && me.on == Some(ladder.handle))
}

/// The ladder that he is engaged with, if he is on it.
fn engaged_on<'w>(acting: &Acting<'w, World>) -> Option<&'w Thing> {
    let ladder = acting.world.thing_named(acting.board.engaged_with?);
    ladder.filter(|ladder| is_on(acting, ladder))
}

/// A behaviour before which it is settled what he is engaged in: who was driven off his ladder since
/// is not climbing any more.
pub(super) struct Settled(pub(super) Box<dyn Behaviour<World>>);

impl Behaviour<World> for Settled {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let is_climbing = acting.board.engaged == Some(acting.world.words.climbing);
        if is_climbing && engaged_on(acting).is_none() {
            (acting.board.engaged, acting.board.engaged_with) = (None, None);
        }
        self.0.start(acting)
    }

    fn go_on(&self, acting: &mut Acting<'_, World>) -> Progress {
        self.0.go_on(acting)
    }

    fn end(&self, acting: &mut Acting<'_, World>, how: Ending) {
        self.0.end(acting, how);
    }
}
