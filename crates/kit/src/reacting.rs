//! Reacting: `recoil`, `look`, `look_at`, `inspect`, `survey`, `flinch`, `crouch`, `stand`, `say`, `wait`.
//!
//! In:   the surest disturbance, or a danger; a word.
//! Out:  a turn of the head, a walk, a posture, a noise.
//! Cost: an order or two.
//!
//! `look` and `say` do without animations when they are done beside a step, which may play one.
//!
//! Context effects: who has looked at a disturbance or inspected it forgets it; who has surveyed the
//! area too, in files without a `select stir`.
//! Flinching clears nothing: the danger is gone when the grenade has gone off.

use crate::facts::{eye_of, other, own_name, place_of, soon};
use crate::geometry::{distance, is_beside, pack, unpack};
use crate::going::move_to;
use crate::places::thing_as_fact;
use crate::references::{Reference, given, given_thing, picked};
use crate::scene::{EngineAnswer, Mark, Scene, Thing};
use crate::words::Vocabulary;
use throng_mind::fact::{Attribute, Position};
use throng_mind::orders::{Order, OrderId, Stimulus};
use throng_mind::questions::{Ask, Reply};
use throng_mind::time::after;
use throng_mind::words::Word;
use throng_mind::{Acting, Behaviour, Ending, Progress};

/// The slot of what there is to look into.
const STIR: &str = "stir";
/// Disturbances so near to one that was dealt with, in steps, are the same.
const SAME: f32 = 2.0;
/// How long is remembered what a thing looked like, in seconds.
const LOOK_KEPT: f64 = 3600.0;

/// What there is to look into: what the file gives, else the pick `stir`, else the surest disturbance.
fn disturbance<W: Scene>(acting: &Acting<'_, W>) -> Option<Reference> {
    let known = || {
        let kind = acting.world.words().disturbance;
        let fact = acting.memory.surest(kind, Attribute::Position)?;
        let (what, place) = (fact.entity(Attribute::Object), fact.position(Attribute::Position));
        Some(Reference { what, name: Word::NONE, place })
    };
    let given = given(acting, 0).filter(|it| it.place.is_some());
    given.or_else(|| picked(acting, STIR)).or_else(known)
}

/// Marks of `state`: there is a disturbance in it; it was looked at.
const KEPT: u64 = 1;
const LOOKED: u64 = 2;

/// Keeps in `state` which disturbance this is about; 0: none.
fn keep(place: Position) -> u64 {
    pack(place, KEPT)
}

fn kept(state: u64) -> Option<Position> {
    (state != 0).then(|| unpack(state).0)
}

/// Forgets the disturbance that this was about, if it was dealt with.
fn clear<W: Scene>(acting: &mut Acting<'_, W>, how: Ending) {
    let Some(kept) = kept(*acting.state).filter(|_| how == Ending::Done) else { return };
    let kind = acting.world.words().disturbance;
    acting.memory.remove_if(|fact| {
        let place = fact.position(Attribute::Position);
        fact.kind() == kind && place.is_some_and(|at| distance(at, kept) <= SAME)
    });
}

/// Plays the animation of the action, for as long as it takes.
pub(crate) fn play<W: Scene>(acting: &mut Acting<'_, W>) -> OrderId {
    let (what, ticks) = (own_name(acting), acting.takes());
    acting.board.order(Order::Animate { what, ticks })
}

/// Is thrown back by a hit, for as long as the file says.
pub(crate) fn recoil<W: Scene>(acting: &mut Acting<'_, W>) -> Progress {
    play(acting);
    Progress::Waiting
}

/// Turns to what there is to look into, and watches it for a while.
pub(crate) struct Look;

impl<W: Scene> Behaviour<W> for Look {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let Some(it) = disturbance(acting) else { return Progress::Done };
        let is_beside = acting.beside().is_some();
        // A glance on the way clears nothing up.
        *acting.state = it.place.filter(|_| !is_beside).map_or(0, keep);
        let at = it.what.filter(|&at| acting.world.place(at).is_some());
        // A character who is gone, or a noise, is looked at where it was.
        if at.is_some() {
            acting.board.order(Order::Target { at });
        }
        if !is_beside {
            play(acting);
        }
        // What goes off meanwhile was looked at too.
        Progress::Until(after(acting.now, acting.takes()))
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let end = after(acting.since, acting.takes());
        if acting.now >= end { Progress::Done } else { Progress::Until(end) }
    }

    fn end(&self, acting: &mut Acting<'_, W>, how: Ending) {
        clear(acting, how);
    }
}

/// Turns to the thing that the first parameter names, and remembers for an hour the state that it is
/// in at the end. Fails with `no_line` if it is not in view. `state` is 1 as soon as it is known that
/// it is.
pub(crate) struct LookAt;

/// The thing to look at, if it is in view; `None` if the engine has not said whether it is.
fn thing_in_view<W: Scene>(acting: &mut Acting<'_, W>) -> Result<Option<Thing>, Word> {
    let (world, words) = (acting.world, acting.world.words());
    let thing = given_thing(acting).ok_or(words.gone)?;
    let here = place_of(world, acting.me).ok_or(words.gone)?;
    let mark = Mark { what: Some(thing.id), place: thing.place };
    let seen = match world.sees(eye_of(acting.me, here), mark) {
        EngineAnswer::Now(how_well) => Some(how_well > 0.0),
        EngineAnswer::Never => Some(false),
        // What was in view when he began to look still is, as far as he knows.
        EngineAnswer::Later if *acting.state == 1 => Some(true),
        EngineAnswer::Later => match acting.ask(Ask::sight(mark.into())) {
            Reply::Waiting => None,
            reply => Some(reply.holds() == Some(true)),
        },
    };
    match seen {
        Some(false) => Err(words.no_line),
        seen => Ok(seen.map(|_| thing)),
    }
}

impl LookAt {
    fn look<W: Scene>(&self, acting: &mut Acting<'_, W>) -> Progress {
        match thing_in_view(acting) {
            Ok(Some(thing)) => {
                *acting.state = 1;
                acting.board.order(Order::Target { at: Some(thing.id) });
                play(acting);
                Progress::Waiting
            }
            Ok(None) => soon(acting, 0.1),
            Err(why) => Progress::Failed(why),
        }
    }
}

impl<W: Scene> Behaviour<W> for LookAt {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        self.look(acting)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        if *acting.state == 0 { self.look(acting) } else { acting.board.progress() }
    }

    fn end(&self, acting: &mut Acting<'_, W>, how: Ending) {
        if how != Ending::Done {
            return;
        }
        let Ok(Some(thing)) = thing_in_view(acting) else { return };
        let kind = acting.world.words().thing;
        // Whatever was known of it is older.
        acting.memory.remove_if(|fact| {
            fact.kind() == kind && fact.entity(Attribute::Object) == Some(thing.id)
        });
        let keep = acting.spec.pace.ticks(LOOK_KEPT);
        acting.remember(thing_as_fact(acting.world, &thing), keep);
    }
}

/// Goes to what there is to look into, and looks what it was.
pub(crate) struct Inspect;

impl<W: Scene> Behaviour<W> for Inspect {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let place = disturbance(acting).and_then(|it| it.place);
        let Some(place) = place else { return Progress::Done };
        *acting.state = keep(place);
        let walk = acting.world.words().walk;
        move_to(acting, place, Word::NONE, walk);
        Progress::Waiting
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let here = place_of(acting.world, acting.me);
        let is_there = here.zip(kept(*acting.state)).is_some_and(|(a, b)| is_beside(a, b));
        let has_looked = *acting.state & LOOKED != 0;
        match acting.board.progress() {
            Progress::Done if is_there && !has_looked => {
                *acting.state |= LOOKED;
                play(acting);
                Progress::Waiting
            }
            other => other,
        }
    }

    fn end(&self, acting: &mut Acting<'_, W>, how: Ending) {
        clear(acting, how);
    }
}

/// Looks around where he is. In a file with a `select stir` that is all: what is to be looked into
/// stays, unless the file says that it is forgotten.
pub(crate) struct Survey;

impl<W: Scene> Behaviour<W> for Survey {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let place = disturbance(acting).and_then(|it| it.place);
        *acting.state = place.filter(|_| !acting.has_slot(STIR)).map_or(0, keep);
        play(acting);
        Progress::Waiting
    }

    fn end(&self, acting: &mut Acting<'_, W>, how: Ending) {
        clear(acting, how);
    }
}

/// Ducks and waits until every danger has passed.
pub(crate) struct Flinch;

impl<W: Scene> Behaviour<W> for Flinch {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        acting.board.order(other(acting.world.words().crouch));
        Progress::Running
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let danger = acting.world.words().danger;
        let is_over = acting.memory.of_kind(danger).next().is_none();
        match acting.board.progress() {
            Progress::Done | Progress::Waiting if !is_over => Progress::Running,
            other => other,
        }
    }
}

/// Does what takes no more than an order, as to crouch.
pub(crate) struct Simply(pub(crate) fn(&Vocabulary) -> Order);

impl<W: Scene> Behaviour<W> for Simply {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        acting.board.order((self.0)(acting.world.words()));
        Progress::Waiting
    }
}

/// How far a word is heard, in steps.
const SPEECH: f32 = 8.0;

/// Says a word, for as long as the file says. For those of his side it is no disturbance.
pub(crate) struct Say;

impl<W: Scene> Behaviour<W> for Say {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        let (world, words) = (acting.world, acting.world.words());
        let Some(event) = acting.given(0) else { return Progress::Failed(words.unknown) };
        let Some(here) = place_of(world, acting.me) else { return Progress::Failed(words.gone) };
        let said = Stimulus {
            radius: SPEECH,
            source: Some(acting.me),
            event,
            ..Stimulus::new(words.noise, here)
        };
        acting.board.order(Order::Emit(said));
        Progress::Until(after(acting.now, acting.takes()))
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        let end = after(acting.since, acting.takes());
        if acting.now >= end { Progress::Done } else { Progress::Until(end) }
    }
}

/// Does nothing for as long as the file says.
pub(crate) fn wait<W: Scene>(acting: &mut Acting<'_, W>) -> Progress {
    let (what, name) = (acting.world.words().wait, Word::NONE);
    let amount = acting.spec.pace.seconds(acting.takes()) as f32;
    acting.board.order(Order::Other { what, on: None, name, place: [0.0; 3], amount });
    Progress::Waiting
}
