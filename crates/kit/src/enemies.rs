//! Sensors for others: `see`, `lose`, `call_out`, `aim`, `pinned`, `hurt`, `watch`; older names of the
//! first two that care for enemies alone: `see_enemy`, `lose_enemy`.
//!
//! In:   stimuli `sight`, `damage`, `deed`; who aims at him.
//! Out:  `character{object, position, stimulus, knowledge, node, amount}` for enemies, the same as
//!       `friend` and `person` for others; `body{object, position, stimulus, node}` of the dead;
//!       `pinned{object}`, `aimed{source}`,
//!       `damage{damage, amount, source, position}`, `deed{event, object, source, position}`; into the
//!       shared memory `alarm{object, position, node, source, knowledge}`.
//! Cost: `see` and `lose` cast one ray a run: heavy, unless the engine answers later. The others are
//!       light.
//!
//! Who is seen is surely there. Who is not seen any more is remembered where he was last seen,
//! less and less surely, until the fact expires. No doubt makes the fact younger: its age is the time
//! since he was last seen, or told of.

use crate::facts::{are_enemies, eye_of, forget_first, is_surely_seen, name, place_of};
use crate::lists::Lent;
use crate::questions::{Found, KEPT, are_waiting, sees};
use crate::scene::{Attitude, Mark, Scene, Seen};
use throng_mind::fact::{Attribute, EntityId, FactDraft};
use throng_mind::memory::{FactId, FactRef};
use throng_mind::questions::{Ask, Point, Reply};
use throng_mind::words::Word;
use throng_mind::{Sensing, Work};

/// How sure he is of an enemy just lost from sight; each look without him takes a tenth.
const JUST_LOST: f32 = 0.6;
/// Whom nobody has told of for so many seconds is overdue: engines look around twice a second.
const OVERDUE: f64 = 0.6;
/// Who was looked at so many seconds ago need not be again, while questions wait.
const WELL_KNOWN: f64 = 0.8;
/// Below this nothing is taken any more: expiry ends it.
const LEAST_SURE: f32 = 0.3;

/// On `sight`: a ray to whom it is about.
pub(crate) fn see<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    look_at(sensing, true)
}

/// The same for enemies alone.
pub(crate) fn see_enemy<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    look_at(sensing, false)
}

fn look_at<W: Scene>(sensing: &mut Sensing<'_, W>, everybody: bool) -> Work {
    if let Some((ask, reply)) = sensing.answer {
        see_answered(sensing, &ask, reply, everybody);
        return Work::Light;
    }
    let Some(other) = sensing.stimulus.and_then(|it| it.object) else { return Work::Light };
    let Some(body) = sensing.world.body(other) else { return Work::Light };
    let is_enemy = are_enemies(sensing.world, sensing.me, other);
    if other == sensing.me || !(everybody || is_enemy) {
        return Work::Light;
    }
    // Of friends and strangers the stimulus is enough: a ray for each would hold up the enemies.
    if !is_enemy {
        remember_seen(sensing, other, &body, everybody);
        return Work::Light;
    }
    if is_known_well(sensing, other) {
        return Work::Light;
    }
    let (seen, body) = is_seen(sensing, other, body);
    if seen.it == Some(true) {
        remember_seen(sensing, other, &body, everybody);
    }
    seen.work
}

/// The engine has answered whether somebody is in view.
fn see_answered<W: Scene>(sensing: &mut Sensing<'_, W>, ask: &Ask, reply: Reply, everybody: bool) {
    if let Some((other, body)) = answered_of(sensing, ask, reply)
        && reply.holds() == Some(true)
    {
        remember_seen(sensing, other, &body, everybody);
    }
}

/// Whom a reply is about, where he was when he was looked at: he may have gone since.
fn answered_of<W: Scene>(
    sensing: &Sensing<'_, W>,
    ask: &Ask,
    reply: Reply,
) -> Option<(EntityId, Seen)> {
    let Point { what, place } = ask.about()?;
    let body = sensing.world.body(what?)?;
    let place = if let Reply::At(place) = reply { place } else { place };
    Some((what?, Seen { place, ..body }))
}

/// Whether a question about somebody can wait: others of his wait for their turn, and it is not long
/// since he was looked at.
fn is_known_well<W: Scene>(sensing: &Sensing<'_, W>, other: EntityId) -> bool {
    let Some(body) = sensing.world.body(other) else { return false };
    let ask = Ask::sight(Point::of(other, body.place));
    let is_fresh =
        |(_, at): (Reply, _)| sensing.now.saturating_sub(at) < sensing.spec.pace.ticks(WELL_KNOWN);
    are_waiting(sensing) && sensing.questions().reply_to(&ask).is_some_and(is_fresh)
}

/// A ray to one of those remembered: the enemy taken for seen who was not for longest, else each in
/// turns. One that it does not reach is less surely there.
pub(crate) fn lose<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let words = sensing.world.words();
    lose_of(sensing, &[words.character, words.friend, words.person], true)
}

/// The same for enemies alone.
pub(crate) fn lose_enemy<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let character = sensing.world.words().character;
    lose_of(sensing, &[character], false)
}

fn lose_of<W: Scene>(sensing: &mut Sensing<'_, W>, kinds: &[Word], everybody: bool) -> Work {
    if let Some((ask, reply)) = sensing.answer {
        lose_answered(sensing, kinds, (&ask, reply), everybody);
        return Work::Light;
    }
    let (world, turn) = (sensing.world, *sensing.state as usize);
    let dead = Some(world.words().dead);
    let living = |fact: &FactRef<'_>| fact.word(Attribute::Knowledge) != dead;
    let known = || kinds.iter().flat_map(|&kind| sensing.memory().of_kind(kind)).filter(living);
    let n = known().count();
    let Some(in_turn) = turn.checked_rem(n).and_then(|at| known().nth(at)) else {
        return Work::Light;
    };
    // Among many nobody may be taken for seen until his turn comes.
    let character = world.words().character;
    let is_overdue = |fact: &FactRef<'_>| {
        let age = sensing.now.saturating_sub(fact.updated());
        fact.kind() == character && is_surely_seen(*fact) && age >= sensing.spec.pace.ticks(OVERDUE)
    };
    let overdue = known().filter(is_overdue).min_by_key(|fact| (fact.updated(), fact.id()));
    let fact = overdue.unwrap_or(in_turn);
    let (id, other) = (fact.id(), fact.entity(Attribute::Object));
    if overdue.is_none() {
        *sensing.state = ((turn % n + 1) % n) as u64;
    }
    let Some(other) = other else { return Work::Light };
    let Some(body) = world.body(other) else { return Work::Light };
    let (seen, body) = is_seen(sensing, other, body);
    seen.it.into_iter().for_each(|seen| note_looked(sensing, id, (other, &body), seen, everybody));
    seen.work
}

/// The engine has answered whether one of those remembered is in view.
fn lose_answered<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    kinds: &[Word],
    (ask, reply): (&Ask, Reply),
    everybody: bool,
) {
    let (Some(seen), Some((other, body))) = (reply.holds(), answered_of(sensing, ask, reply))
    else {
        return;
    };
    let dead = Some(sensing.world.words().dead);
    let mut known = kinds.iter().flat_map(|&kind| sensing.memory().about(kind, other));
    let living = known.find(|fact| fact.word(Attribute::Knowledge) != dead).map(FactRef::id);
    if let Some(id) = living {
        note_looked(sensing, id, (other, &body), seen, everybody);
    }
}

/// Somebody who is remembered was looked for: he is there, or less surely where he was.
fn note_looked<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    id: FactId,
    (other, body): (EntityId, &Seen),
    seen: bool,
    everybody: bool,
) {
    if seen {
        sensing.forget(id);
        remember_seen(sensing, other, body, everybody);
        return;
    }
    let sure = sensing.memory().get(id).map_or(0.0, |fact| fact.sure(Attribute::Stimulus));
    let less = if sure >= 1.0 { JUST_LOST } else { (sure - 0.1).max(LEAST_SURE) };
    // He is less and less surely there, and the fact is as old as the last sight of him.
    for attribute in [Attribute::Position, Attribute::Stimulus, Attribute::Knowledge] {
        sensing.lower(id, attribute, less);
    }
}

/// Whether somebody is in view, and where he is: where he was, if the engine has said so a moment ago.
fn is_seen<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    other: EntityId,
    body: Seen,
) -> (Found<bool>, Seen) {
    let mark = Mark { what: Some(other), place: body.place };
    let Some(from) = place_of(sensing.world, sensing.me) else {
        return (Found { it: Some(false), work: Work::Light }, body);
    };
    let seen = sees(sensing, eye_of(sensing.me, from), mark, KEPT);
    let reply = sensing.questions().reply_to(&Ask::sight(mark.into()));
    let place =
        reply.and_then(|(reply, _)| if let Reply::At(it) = reply { Some(it) } else { None });
    (seen, Seen { place: place.unwrap_or(body.place), ..body })
}

/// Somebody in view, as one who sees him remembers him.
pub(crate) fn seen_as_fact<W: Scene>(
    world: &W,
    me: EntityId,
    other: EntityId,
    body: &Seen,
) -> FactDraft {
    let words = world.words();
    let state = if body.alive { words.alive } else { words.dead };
    let kind = match world.attitude(me, other) {
        Attitude::Enemy => words.character,
        Attitude::Friend => words.friend,
        Attitude::Neutral => words.person,
    };
    FactDraft::new(kind)
        .with(Attribute::Object, other, 1.0)
        .with(Attribute::Position, body.place, 1.0)
        .with(Attribute::Stimulus, words.seen, 1.0)
        .with(Attribute::Knowledge, state, 1.0)
        .with_some(Attribute::Node, name(body.name), 1.0)
        .with(Attribute::Amount, body.health, 1.0)
}

/// Writes down somebody in view, in place of what was believed of him. Of the dead there is a fact
/// `body` too; a friend who is dead is a friend no longer, while of an enemy who is dead it is known
/// that he is.
fn remember_seen<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    other: EntityId,
    body: &Seen,
    everybody: bool,
) {
    let draft = seen_as_fact(sensing.world, sensing.me, other, body);
    let is_about_him = |fact: &FactRef<'_>| fact.entity(Attribute::Object) == Some(other);
    if body.alive || draft.kind == sensing.world.words().character {
        let id = sensing.remember_one(draft, &[Attribute::Object]);
        // What the other of the two sensors wrote about him.
        forget_first(sensing, draft.kind, |fact| fact.id() != id && is_about_him(fact));
    } else {
        forget_first(sensing, draft.kind, is_about_him);
    }
    if everybody && !body.alive {
        let lies = body_as_fact(sensing.world, draft.kind, other, body);
        forget_first(sensing, lies.kind, is_about_him);
        sensing.remember(lies);
    }
}

/// One who lies there, as who sees him remembers him.
fn body_as_fact<W: Scene>(world: &W, kind: Word, other: EntityId, body: &Seen) -> FactDraft {
    let words = world.words();
    let whose = match kind {
        _ if kind == words.character => words.enemy,
        _ => kind,
    };
    FactDraft::new(words.body)
        .with(Attribute::Object, other, 1.0)
        .with(Attribute::Position, body.place, 1.0)
        .with(Attribute::Stimulus, whose, 1.0)
        .with_some(Attribute::Node, name(body.name), 1.0)
}

/// Whom fire keeps down, of the enemies in view.
pub(crate) fn pinned<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let (world, words) = (sensing.world, sensing.world.words());
    let seen = sensing.memory().of_kind(words.character);
    let seen = seen.filter(|fact| fact.sure(Attribute::Stimulus) >= 1.0);
    let seen: Lent<EntityId> = seen.filter_map(|fact| fact.entity(Attribute::Object)).collect();
    let is_pinned = |&&it: &&EntityId| world.body(it).is_some_and(|it| it.alive && it.pinned);
    for &object in seen.iter().filter(is_pinned) {
        let draft = FactDraft::new(words.pinned).with(Attribute::Object, object, 1.0);
        sensing.remember_one(draft, &[Attribute::Object]);
    }
    sensing.forget_the_rest();
    Work::Light
}

/// Tells all minds of the enemies in view: `alarm{object, position, node, source, knowledge}` in
/// the shared memory, `knowledge` being the side that called. An enemy that an alarm tells of is not
/// called out again before it has expired.
pub(crate) fn call_out<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let (words, shared, me) = (sensing.world.words(), sensing.shared, sensing.me);
    let side = sensing.world.side(me);
    let is_known = |object: EntityId| {
        let mut alarms = shared.about(words.alarm, object);
        alarms.any(|fact| fact.word(Attribute::Knowledge) == Some(side))
    };
    let news: Lent<FactDraft> = {
        let seen = sensing.memory().of_kind(words.character).filter(|fact| {
            fact.sure(Attribute::Stimulus) >= 1.0
                && fact.word(Attribute::Knowledge) == Some(words.alive)
        });
        let told = seen.filter_map(|fact| {
            let object = fact.entity(Attribute::Object).filter(|&object| !is_known(object))?;
            let draft = FactDraft::new(words.alarm)
                .with(Attribute::Object, object, 1.0)
                .with(Attribute::Position, fact.position(Attribute::Position)?, 1.0)
                .with_some(Attribute::Node, fact.word(Attribute::Node), 1.0)
                .with(Attribute::Source, me, 1.0)
                .with(Attribute::Knowledge, side, 1.0);
            Some(draft)
        });
        told.collect()
    };
    news.iter().for_each(|draft| sensing.share(*draft));
    Work::Light
}

/// Who has me in his sights.
pub(crate) fn aim<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let (world, me) = (sensing.world, sensing.me);
    let mut aiming = Lent::new();
    world.aiming_at(me, &mut aiming);
    for other in aiming.iter().copied().filter(|&other| are_enemies(world, me, other)) {
        let Some(place) = place_of(world, other) else { continue };
        let draft = FactDraft::new(world.words().aimed).with(Attribute::Source, other, 1.0).with(
            Attribute::Position,
            place,
            1.0,
        );
        sensing.remember_one(draft, &[Attribute::Source]);
    }
    sensing.forget_the_rest();
    Work::Light
}

/// On `damage`: what hit me, and from where.
pub(crate) fn hurt<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let Some(&stimulus) = sensing.stimulus else { return Work::Light };
    let draft = FactDraft::new(sensing.world.words().damage)
        .with(Attribute::Damage, stimulus.event, 1.0)
        .with(Attribute::Amount, stimulus.amount, 1.0)
        .with(Attribute::Position, stimulus.position, 1.0)
        .with_some(Attribute::Source, stimulus.source, 1.0);
    sensing.remember(draft);
    Work::Light
}

/// On `deed`: what I saw another do; one fact for each deed of each.
pub(crate) fn watch<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let Some(&stimulus) = sensing.stimulus else { return Work::Light };
    let draft = FactDraft::new(sensing.world.words().deed)
        .with(Attribute::Event, stimulus.event, 1.0)
        .with(Attribute::Position, stimulus.position, 1.0)
        .with_some(Attribute::Object, stimulus.source, 1.0)
        .with_some(Attribute::Source, stimulus.source, 1.0);
    sensing.remember_one(draft, &[Attribute::Event, Attribute::Source]);
    Work::Light
}
