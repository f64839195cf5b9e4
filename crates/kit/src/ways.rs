//! Sensors for ways: `ways`; older ones that know no selections: `path_target` and `pass_target`.
//!
//! In:   what is picked or may be, where enemies are believed to be, links believed impassable.
//! Out:  `path{object, node, amount, knowledge, link}`, `desire{desire = hold}`.
//! Cost: one search of a way per run, of `ways` two, and two more where windows are the only way:
//!       heavy, unless the engine answers later.

use crate::facts::{believed_enemies, blocked_links, eye_of, forget_first, place_of, rewrite};
use crate::geometry::{HERE, distance};
use crate::lists::Lent;
use crate::own::name_of;
use crate::places::free_spots;
use crate::questions::{Found, are_waiting, count_open, way, way_of};
use crate::references::of_pick;
use crate::scene::{EngineAnswer, Mark, Scene, Trip, Way};
use crate::targets::sensed_target;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::memory::{FactId, FactRef};
use throng_mind::questions::{Ask, Point, Reply};
use throng_mind::select::{Key, Pick};
use throng_mind::time::Tick;
use throng_mind::words::Word;
use throng_mind::{Sensing, Work};

/// How far `pass_target` looks for places to go to, and how many it tries.
const REACH: f32 = 40.0;
const MOST_PLACES: usize = 8;
/// How many ways `ways` looks for in a run, and to how many candidates of a selection.
const MOST_SEARCHES: usize = 2;
const MOST_CANDIDATES: usize = 8;

/// The ways to what is picked, and to what may be: those that are known least come first, what is
/// picked before what may be. A way that the engine does not know yet stays as it was.
pub(crate) fn ways<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let world = sensing.world;
    let Some(from) = place_of(world, sensing.me) else { return Work::Light };
    if let Some((ask, reply)) = sensing.answer {
        answered(sensing, from, &ask, reply);
        return Work::Light;
    }
    let goals = goals(sensing);
    let mut work = Work::Light;
    for goal in goals.iter().take(MOST_SEARCHES) {
        if may_search(sensing) {
            work = look_for(sensing, from, goal.what, goal.place).max(work);
        }
    }
    work
}

/// The engine has answered a question about a way.
fn answered<W: Scene>(sensing: &mut Sensing<'_, W>, from: Position, ask: &Ask, reply: Reply) {
    let Ask::Path { to: Point { what: Some(what), place }, manner, .. } = *ask else { return };
    // Of a way through windows it is known that there is none on foot.
    match way_of(reply).filter(|_| manner == sensing.world.words().dive) {
        Some(way) => write_down(sensing, what, through_window(way)),
        None => _ = look_for(sensing, from, what, place),
    }
}

/// Whether another way may be asked for.
fn may_search<W: Scene>(sensing: &Sensing<'_, W>) -> bool {
    let is_way = |ask: &Ask| matches!(ask, Ask::Path { .. });
    !are_waiting(sensing) && count_open(sensing, is_way) < MOST_SEARCHES
}

/// Looks for the way to something, and writes it down if it is known.
fn look_for<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    from: Position,
    what: EntityId,
    place: Position,
) -> Work {
    let found = way_or_window(sensing, from, Mark { what: Some(what), place });
    found.it.into_iter().for_each(|way| write_down(sensing, what, way));
    found.work
}

fn write_down<W: Scene>(sensing: &mut Sensing<'_, W>, what: EntityId, way: EngineAnswer<Way>) {
    let world = sensing.world;
    let draft = told(world, name_of(world, what), way).with(Attribute::Object, what, 1.0);
    rewrite(sensing, draft, &[Attribute::Object]);
}

/// A window stands in the way as a shut door does.
fn through_window(way: EngineAnswer<Way>) -> EngineAnswer<Way> {
    match way {
        EngineAnswer::Now(way) => EngineAnswer::Now(Way { shut: true, ..way }),
        other => other,
    }
}

/// The way on foot; where there is none, the one through a window, which stands in the way as a shut
/// door does: he dives through it first (`traverse`) and goes on from there.
fn way_or_window<W: Scene>(
    sensing: &mut Sensing<'_, W>,
    from: Position,
    to: Mark,
) -> Found<EngineAnswer<Way>> {
    let (words, from) = (sensing.world.words(), eye_of(sensing.me, from));
    let avoid = blocked_links(sensing.memory(), sensing.world);
    let trip = |manner: Word| Trip { manner, avoid: &avoid, eyes: &[] };
    let on_foot = way(sensing, from, to, &trip(words.run));
    if on_foot.it != Some(EngineAnswer::Never) {
        return on_foot;
    }
    let dived = way(sensing, from, to, &trip(words.dive));
    Found { it: dived.it.map(through_window), ..dived }
}

/// Something to know the way to.
#[derive(Clone, Copy, Debug)]
struct Destination {
    what: EntityId,
    place: Position,
    is_picked: bool,
    /// When the way to it was last looked for.
    known: Option<Tick>,
    /// Of equals the first of them comes first.
    rank: usize,
}

/// What is picked and what may be, those first whose ways are known least: not at all, then since
/// longest; of those not known, what is picked first.
fn goals<W: Scene>(sensing: &Sensing<'_, W>) -> Lent<Destination> {
    let (world, words) = (sensing.world, sensing.world.words());
    let known =
        |what: EntityId| sensing.memory().about(words.path, what).next().map(FactRef::updated);
    let mut goals: Lent<Destination> = Lent::new();
    let mut add = |key: Key, fact: FactId, is_picked: bool| {
        let pick = of_pick(world, sensing.memory(), Pick { key, fact, ..Pick::default() });
        let (Some(what), Some(place)) = (pick.what, pick.place) else { return };
        let is_new = goals.iter().all(|goal| goal.what != what);
        if what != sensing.me && is_new && !is_known_better(sensing, what) {
            let rank = goals.len();
            goals.push(Destination { what, place, is_picked, known: known(what), rank });
        }
    };
    for pick in sensing.picks().slots().iter().filter(|pick| pick.is_bound()) {
        add(pick.key, pick.fact, true);
    }
    for candidates in sensing.all_candidates() {
        candidates.take(MOST_CANDIDATES).for_each(|(key, fact)| add(key, fact, false));
    }
    goals.sort_unstable_by_key(|goal| (goal.known, !goal.is_picked, goal.rank));
    goals
}

/// Whether he has tried the way and knows where it led: that is worth more than what it looks like.
fn is_known_better<W: Scene>(sensing: &Sensing<'_, W>, what: EntityId) -> bool {
    let own = sensing.word("ways");
    sensing.memory().about(sensing.world.words().path, what).any(|way| way.writer() != own)
}

/// The way to the enemy: `clear` (a window on it is dived through), or `blocked` by the shut door
/// `link`; without a link there is no way at all.
pub(crate) fn path_target<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let world = sensing.world;
    let Some(from) = place_of(world, sensing.me) else { return Work::Light };
    let Some((what, place)) = sensed_target(sensing) else {
        sensing.forget_the_rest();
        return Work::Light;
    };
    let avoid = blocked_links(sensing.memory(), world);
    let trip = Trip { manner: world.words().dive, avoid: &avoid, eyes: &[] };
    let found = way(sensing, eye_of(sensing.me, from), Mark { what, place }, &trip);
    if let Some(way) = found.it {
        let draft = told(world, Some(world.words().target), way);
        // Beside a pick `target` the word is the pick: `path(object = target)` finds it.
        rewrite(sensing, draft.with_some(Attribute::Object, what, 1.0), &[Attribute::Node]);
    }
    found.work
}

/// A way as a fact.
fn told<W: Scene>(world: &W, to: Option<Word>, way: EngineAnswer<Way>) -> FactDraft {
    let words = world.words();
    let draft = FactDraft::new(words.path).with_some(Attribute::Node, to, 1.0);
    let EngineAnswer::Now(way) = way else {
        return draft.with(Attribute::Knowledge, words.blocked, 1.0);
    };
    let state = match way {
        Way { watched: true, .. } => words.watched,
        Way { shut: true, .. } => words.blocked,
        _ => words.clear,
    };
    let link = way.link.and_then(|link| name_of(world, link));
    draft.with(Attribute::Knowledge, state, 1.0).with(Attribute::Amount, way.cost, 1.0).with_some(
        Attribute::Link,
        link,
        1.0,
    )
}

/// Ways to the nodes around that no enemy watches, one node a run: `clear`, or `watched`. As long
/// as no clear one is known, the wish to hold. `state` is the node whose turn it is.
pub(crate) fn pass_target<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let (world, turn) = (sensing.world, *sensing.state as usize);
    let Some(from) = place_of(world, sensing.me) else { return Work::Light };
    let eyes = believed_enemies(sensing.memory(), world, (sensing.me, *sensing.here));
    let mut places = free_spots(world, sensing.me, from, REACH);
    places.retain(|spot| distance(spot.place, from) > HERE);
    places.truncate(MOST_PLACES);
    // By name, so that the order does not change while he moves.
    let words = &sensing.spec.words;
    places
        .sort_unstable_by(|a, b| words.text(a.name).cmp(words.text(b.name)).then(a.id.cmp(&b.id)));
    if places.is_empty() || eyes.is_empty() {
        // Without a threat or a place there is nothing to say.
        sensing.forget_the_rest();
        return Work::Light;
    }
    let asked = sensing.answer.and_then(|(ask, _)| ask.about()?.what);
    let spot = match places.iter().find(|spot| Some(spot.id) == asked) {
        Some(spot) => *spot,
        None if sensing.answer.is_some() => return Work::Light,
        None => {
            *sensing.state = ((turn + 1) % places.len()) as u64;
            places[turn % places.len()]
        }
    };
    let avoid = blocked_links(sensing.memory(), world);
    let trip = Trip { manner: world.words().sneak, avoid: &avoid, eyes: &eyes };
    let mark = Mark { what: Some(spot.id), place: spot.place };
    let found = way(sensing, eye_of(sensing.me, from), mark, &trip);
    if let Some(way) = found.it {
        rewrite(sensing, told(world, Some(spot.name), way), &[Attribute::Node]);
        hold_or_not(sensing);
    }
    found.work
}

/// The wish to hold, while no way is known to be clear.
fn hold_or_not<W: Scene>(sensing: &mut Sensing<'_, W>) {
    let words = sensing.world.words();
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
