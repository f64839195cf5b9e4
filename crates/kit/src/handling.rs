//! Handling things: `pick_up`, `use`, `mount`, `dismount`, `kick`, `climb`.
//!
//! In:   a thing: the first parameter, else the one that he stands at, else the nearest of the kind.
//! Out:  `Use` orders.
//! Cost: an order, or two if he has to go there first.
//!
//! Context effects: a door that holds against a kick is remembered for twenty seconds as
//! `blocked{link}`. Who climbs is engaged with the ladder until he is at its top, whatever comes
//! between, unless he is driven off it.

use crate::facts::{name, other, place_of, thing_called};
use crate::going::{link_of, move_to};
use crate::lists::Lent;
use crate::needed::state_wanted;
use crate::reacting::play;
use crate::references::{given, given_thing};
use crate::scene::{Scene, Thing};
use crate::words::Vocabulary;
use throng_mind::blackboard::OrderState;
use throng_mind::fact::{Attribute, FactDraft};
use throng_mind::orders::{Order, OrderId};
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Ending, Progress};

/// How long a door that held is remembered, in seconds.
const DOOR_KEPT: f64 = 20.0;
/// How far a thing may be that no parameter names, in steps.
const REACH: f32 = 10.0;

/// Something done with a thing that is at hand.
pub(crate) struct Handling {
    /// Only this kind, if no parameter names the thing; [`Word::NONE`]: any.
    kind: fn(&Vocabulary) -> Word,
    /// What is done; the second parameter, if there is one, says so instead.
    what: fn(&Vocabulary) -> Word,
}

/// Takes an item.
pub(crate) const PICK_UP: Handling =
    Handling { kind: |words| words.item, what: |words| words.pick_up };
/// Puts a thing into the state that the second parameter names, else into its next one.
pub(crate) const USE: Handling = Handling { kind: |_| Word::NONE, what: |_| Word::NONE };
/// Gets on a vehicle.
pub(crate) const MOUNT: Handling =
    Handling { kind: |words| words.vehicle, what: |words| words.mount };

impl<W: Scene> Behaviour<W> for Handling {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let words = acting.world.words();
        let spot = given(acting, 0).and_then(|it| acting.world.spot(it.what?));
        if spot.is_some() {
            // A place to work at has no states: to be there and busy is all.
            play(acting);
            return Progress::Waiting;
        }
        let Some(thing) = thing_of(acting, (self.kind)(words)) else {
            return Progress::Failed(words.gone);
        };
        let usual = (self.what)(words);
        // What somebody needs of it says more than what comes next.
        let wanted = || (usual == Word::NONE).then(|| state_wanted(acting, thing.id)).flatten();
        let what = acting.given(1).or_else(wanted).unwrap_or(usual);
        acting.board.order(Order::Use { what, on: thing.id });
        Progress::Waiting
    }
}

/// The thing that an action is about.
fn thing_of<W: Scene>(acting: &Acting<'_, W>, kind: Word) -> Option<Thing> {
    let world = acting.world;
    let words = world.words();
    // Weapons lie about as other items do.
    let is_item = |thing: &Thing| kind == words.item && thing.kind == words.weapon;
    let is_kind = |thing: &Thing| kind == Word::NONE || thing.kind == kind || is_item(thing);
    let here = place_of(world, acting.me)?;
    let at_hand = || world.thing(world.stands_at(acting.me)?).filter(is_kind);
    let near = || {
        let mut near = Lent::new();
        world.things(here, REACH, &mut near);
        near.iter().copied().find(is_kind)
    };
    given_thing(acting).or_else(at_hand).or_else(near)
}

/// Goes to a door and kicks it: done if it opens, failed with `held` if it holds. `state` is the
/// door's number, and below it that of the kick's order. What he is engaged with stays as it is.
pub(crate) struct Kick;

impl<W: Scene> Behaviour<W> for Kick {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let words = acting.world.words();
        let Some(door) = door_of(acting) else {
            return Progress::Failed(words.gone);
        };
        // What the others do meanwhile does not change which door this is about.
        *acting.state = u64::from(door.name.0) << 32;
        move_to(acting, door.place, Word::NONE, words.run);
        Progress::Waiting
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let words = acting.world.words();
        let (door, kick) = (Word((*acting.state >> 32) as u32), OrderId(*acting.state as u32));
        // A door without a name is the one that it was when he set out, as far as he knows.
        let door = thing_called(acting.world, door).or_else(|| door_of(acting));
        let Some(door) = door else { return Progress::Failed(words.gone) };
        if kick == OrderId(0) {
            return match acting.board.progress() {
                Progress::Done => {
                    let order = Order::Use { what: words.kick, on: door.id };
                    *acting.state |= u64::from(acting.board.order(order).0);
                    Progress::Waiting
                }
                other => other,
            };
        }
        match acting.board.state_of(kick) {
            Some(OrderState::Failed(why)) if why == words.blocked => {
                remember_blocked(acting, &door);
                Progress::Failed(words.held)
            }
            Some(OrderState::Failed(why)) => Progress::Failed(why),
            Some(OrderState::Done) => Progress::Done,
            _ => Progress::Waiting,
        }
    }
}

fn door_of<W: Scene>(acting: &Acting<'_, W>) -> Option<Thing> {
    link_of(acting, |words| [words.door; 2])
}

fn remember_blocked<W: Scene>(acting: &mut Acting<'_, W>, door: &Thing) {
    let draft = FactDraft::new(acting.world.words().blocked)
        .with(Attribute::Object, door.id, 1.0)
        .with_some(Attribute::Link, name(door.name), 1.0);
    let keep = acting.spec.pace.ticks(DOOR_KEPT);
    acting.remember_one(draft, &[Attribute::Object], keep);
}

/// Climbs a ladder. Who is on it already, because he was interrupted, goes on from there, and what he
/// has climbed he need not climb again. Who is driven off it fails with `gone`. `state`
/// counts: 0 on the way to it, 1 getting on, 2 climbing, 3 getting off.
pub(crate) struct Climb;

impl Climb {
    fn next<W: Scene>(&self, acting: &mut Acting<'_, W>, ladder: &Thing) -> Progress {
        let words = acting.world.words();
        let climbed = acting.world.body(acting.me).map_or(0, |me| me.climbed);
        let left = acting.takes().saturating_sub(climbed);
        let order = match *acting.state {
            1 => Order::Use { what: words.climb, on: ladder.id },
            2 => Order::Animate { what: words.climb, ticks: left },
            3 => other(words.descend),
            _ => return Progress::Done,
        };
        acting.board.order(order);
        Progress::Waiting
    }
}

impl<W: Scene> Behaviour<W> for Climb {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let words = acting.world.words();
        let Some(ladder) = thing_of(acting, words.ladder) else {
            return Progress::Failed(words.gone);
        };
        let is_on = is_on(acting, &ladder);
        acting.board.engaged_with = Some(ladder.name);
        if is_on {
            acting.board.engaged = Some(words.climbing);
            *acting.state = 2;
            return self.next(acting, &ladder);
        }
        move_to(acting, ladder.place, Word::NONE, words.walk);
        Progress::Waiting
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let words = acting.world.words();
        let ladder = acting.board.engaged_with.and_then(|name| thing_called(acting.world, name));
        let Some(ladder) = ladder else { return Progress::Failed(words.gone) };
        if *acting.state == 2 && !is_on(acting, &ladder) {
            return Progress::Failed(words.gone);
        }
        match acting.board.progress() {
            Progress::Done => {
                *acting.state = acting.state.saturating_add(1);
                if *acting.state == 2 {
                    acting.board.engaged = Some(words.climbing);
                }
                self.next(acting, &ladder)
            }
            other => other,
        }
    }

    fn end(&self, acting: &mut Acting<'_, W>, how: Ending) {
        // Only the top ends it, or a fall: who stops to shoot is still on the ladder.
        let is_off = engaged_on(acting).is_none();
        if how == Ending::Done || is_off || acting.board.engaged.is_none() {
            (acting.board.engaged, acting.board.engaged_with) = (None, None);
        }
    }
}

/// Whether he is on this ladder.
fn is_on<W: Scene>(acting: &Acting<'_, W>, ladder: &Thing) -> bool {
    let (me, climbing) = (acting.world.body(acting.me), acting.world.words().climbing);
    me.is_some_and(|me| me.posture == climbing && me.on == Some(ladder.id))
}

/// The ladder that he is engaged with, if he is on it.
fn engaged_on<W: Scene>(acting: &Acting<'_, W>) -> Option<Thing> {
    let ladder = thing_called(acting.world, acting.board.engaged_with?);
    ladder.filter(|ladder| is_on(acting, ladder))
}

/// A behaviour before which it is settled what he is engaged in: who was driven off his ladder since
/// is not climbing any more.
pub(crate) struct Settled<W>(pub(crate) Box<dyn Behaviour<W>>);

impl<W: Scene> Behaviour<W> for Settled<W> {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let is_climbing = acting.board.engaged == Some(acting.world.words().climbing);
        if is_climbing && engaged_on(acting).is_none() {
            (acting.board.engaged, acting.board.engaged_with) = (None, None);
        }
        self.0.start(acting)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        self.0.go_on(acting)
    }

    fn end(&self, acting: &mut Acting<'_, W>, how: Ending) {
        self.0.end(acting, how);
    }
}
