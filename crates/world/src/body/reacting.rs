//! Reacting: `look`, `look_at`, `inspect`, `survey`, `flinch`, `crouch`, `stand`, `wait`.
//!
//! In:   the surest disturbance, or a danger.
//! Out:  a turn of the head, a walk, a posture.
//! Cost: an order or two.
//!
//! Context effects: who has looked at a disturbance, inspected it or surveyed the area forgets it.
//! Flinching clears nothing: the danger is gone when the grenade has gone off.

use super::facts::{my_cell, named_thing, other, own_name};
use super::going::move_to;
use super::places::thing_as_fact;
use crate::cell::Cell;
use crate::thing::Thing;
use crate::vocabulary::Vocabulary;
use crate::world::World;
use throng_mind::fact::Attribute;
use throng_mind::memory::FactRef;
use throng_mind::orders::{Order, OrderId};
use throng_mind::time::after;
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Ending, Progress};

/// Disturbances so near to one that was dealt with, in cells, are the same.
const SAME: f32 = 2.0;
/// How long is remembered what a thing looked like, in seconds.
const LOOK_KEPT: f64 = 3600.0;

/// The surest disturbance.
fn disturbance<'m>(acting: &'m Acting<'_, World>) -> Option<FactRef<'m>> {
    acting.memory.surest(acting.world.words.disturbance, Attribute::Position)
}

/// Keeps in `state` which disturbance this is about; 0: none. Cells have small coordinates.
fn keep(cell: Cell) -> u64 {
    1 << 32 | u64::from(cell.x as u16) << 16 | u64::from(cell.y as u16)
}

fn kept(state: u64) -> Option<Cell> {
    (state != 0).then(|| Cell::new((state >> 16) as i16, state as i16))
}

/// Forgets the disturbance that this was about, if it was dealt with.
fn clear(acting: &mut Acting<'_, World>, how: Ending) {
    let Some(cell) = kept(*acting.state).filter(|_| how == Ending::Done) else { return };
    let kind = acting.world.words.disturbance;
    acting.memory.remove_if(|fact| {
        let place = fact.position(Attribute::Position);
        fact.kind() == kind && place.is_some_and(|at| Cell::of(at).distance(cell) <= SAME)
    });
}

/// Plays the animation of the action, for as long as it takes.
pub(super) fn play(acting: &mut Acting<'_, World>) -> OrderId {
    let (what, ticks) = (own_name(acting), acting.takes());
    acting.board.order(Order::Animate { what, ticks })
}

/// Turns to the surest disturbance and watches it for a while.
pub(super) struct Look;

impl Behaviour<World> for Look {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let Some(fact) = disturbance(acting) else { return Progress::Done };
        let (place, at) = (fact.position(Attribute::Position), fact.entity(Attribute::Object));
        *acting.state = place.map_or(0, |place| keep(Cell::of(place)));
        let at = at.filter(|&at| acting.world.cell_of(at).is_some());
        // A character who is gone, or a noise, is looked at where it was.
        if at.is_some() {
            acting.board.order(Order::Target { at });
        }
        play(acting);
        // What goes off meanwhile was looked at too.
        Progress::Until(after(acting.now, acting.takes()))
    }

    fn go_on(&self, acting: &mut Acting<'_, World>) -> Progress {
        let end = after(acting.since, acting.takes());
        if acting.now >= end { Progress::Done } else { Progress::Until(end) }
    }

    fn end(&self, acting: &mut Acting<'_, World>, how: Ending) {
        clear(acting, how);
    }
}

/// Turns to the thing that the first parameter names, and remembers for an hour the state that it is
/// in at the end. Fails with `no_line` if it is not in view.
pub(super) struct LookAt;

/// The thing to look at, if it is in view.
fn thing_in_view<'w>(acting: &Acting<'w, World>) -> Result<&'w Thing, Word> {
    let (world, words) = (acting.world, &acting.world.words);
    let thing = named_thing(acting).ok_or(words.gone)?;
    let me = world.actor(acting.me).ok_or(words.gone)?;
    if world.sees(me, thing.cell, None) { Ok(thing) } else { Err(words.no_line) }
}

impl Behaviour<World> for LookAt {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let thing = match thing_in_view(acting) {
            Ok(thing) => thing,
            Err(why) => return Progress::Failed(why),
        };
        acting.board.order(Order::Target { at: Some(thing.handle) });
        play(acting);
        Progress::Waiting
    }

    fn end(&self, acting: &mut Acting<'_, World>, how: Ending) {
        if how != Ending::Done {
            return;
        }
        let Ok(thing) = thing_in_view(acting) else { return };
        let kind = acting.world.words.thing;
        // Whatever was known of it is older.
        acting.memory.remove_if(|fact| {
            fact.kind() == kind && fact.word(Attribute::Node) == Some(thing.name)
        });
        let keep = acting.spec.pace.ticks(LOOK_KEPT);
        acting.remember(thing_as_fact(acting.world, thing), keep);
    }
}

/// Goes to the surest disturbance and looks what it was.
pub(super) struct Inspect;

impl Behaviour<World> for Inspect {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let place = disturbance(acting).and_then(|fact| fact.position(Attribute::Position));
        let Some(place) = place else { return Progress::Done };
        *acting.state = keep(Cell::of(place));
        let walk = acting.world.words.walk;
        move_to(acting, Cell::of(place), Word::NONE, walk);
        Progress::Waiting
    }

    fn go_on(&self, acting: &mut Acting<'_, World>) -> Progress {
        let here = my_cell(acting.world, acting.me);
        let is_there = here.zip(kept(*acting.state)).is_some_and(|(a, b)| a.is_beside(b));
        let has_looked = *acting.state >> 33 != 0;
        match acting.board.progress() {
            Progress::Done if is_there && !has_looked => {
                *acting.state |= 1 << 33;
                play(acting);
                Progress::Waiting
            }
            other => other,
        }
    }

    fn end(&self, acting: &mut Acting<'_, World>, how: Ending) {
        clear(acting, how);
    }
}

/// Looks around where he is.
pub(super) struct Survey;

impl Behaviour<World> for Survey {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        let place = disturbance(acting).and_then(|fact| fact.position(Attribute::Position));
        *acting.state = place.map_or(0, |place| keep(Cell::of(place)));
        play(acting);
        Progress::Waiting
    }

    fn end(&self, acting: &mut Acting<'_, World>, how: Ending) {
        clear(acting, how);
    }
}

/// Ducks and waits until every danger has passed.
pub(super) struct Flinch;

impl Behaviour<World> for Flinch {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        acting.board.order(other(acting.world.words.crouch));
        Progress::Running
    }

    fn go_on(&self, acting: &mut Acting<'_, World>) -> Progress {
        let danger = acting.world.words.danger;
        let is_over = acting.memory.of_kind(danger).next().is_none();
        match acting.board.progress() {
            Progress::Done | Progress::Waiting if !is_over => Progress::Running,
            other => other,
        }
    }
}

/// Does what takes no more than an order, as to crouch.
pub(super) struct Simply(pub(super) fn(&Vocabulary) -> Order);

impl Behaviour<World> for Simply {
    fn start(&self, acting: &mut Acting<'_, World>) -> Progress {
        acting.board.order((self.0)(&acting.world.words));
        Progress::Waiting
    }
}

/// Does nothing for as long as the file says.
pub(super) fn wait(acting: &mut Acting<'_, World>) -> Progress {
    let (what, name) = (acting.world.words.wait, Word::NONE);
    let amount = acting.spec.pace.seconds(acting.takes()) as f32;
    acting.board.order(Order::Other { what, on: None, name, place: [0.0; 3], amount });
    Progress::Waiting
}
