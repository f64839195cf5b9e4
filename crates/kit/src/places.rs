//! Sensors for places: `spots` and `things`; an older one that names places only: `nodes`.
//!
//! In:   what is near.
//! Out:  `spot{object, node, position, knowledge, direction, radius, index}`,
//!       `node{node, position, knowledge, index}`, surer the nearer, and
//!       `thing{node, knowledge, position, object, stimulus}`, with the `stock` of each; `needed.rs` has
//!       the facts `need`.
//! Cost: all sort what is near: heavy. Each clears what it wrote before and does not find again.

use crate::facts::{forget_first, name, place_of};
use crate::geometry::{HERE, distance};
use crate::lists::Lent;
use crate::needed;
use crate::own::note_stock;
use crate::scene::{Scene, SpotView, Thing};
use crate::targets::sensed_target;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::memory::FactRef;
use throng_mind::{Sensing, Work};

/// How far nodes and things are known, in cells.
const REACH: f32 = 40.0;
/// So many of the nearest are remembered: memory has room for other facts too.
const MOST_NODES: usize = 8;
const MOST_THINGS: usize = 10;
/// Beyond these a few more: the nearest of kinds of which there are none so near.
const MORE_THINGS: usize = 10;
const OF_EACH_KIND: usize = 2;
const MOST_SPOTS: usize = 24;
/// Of each sort of spots these are, however near others are.
const OF_EACH_SORT: usize = 3;

/// Spots that are free for somebody, at most so far away, the nearest first.
pub(crate) fn free_spots<W: Scene>(
    world: &W,
    me: EntityId,
    from: Position,
    reach: f32,
) -> Lent<SpotView> {
    let mut near = Lent::new();
    world.spots(from, reach, &mut near);
    near.retain(|spot| spot.held_by.is_none_or(|by| by == me));
    near
}

/// Who stands on spots.
struct Standing(Lent<EntityId>);

impl Standing {
    /// Whether another than this one does.
    fn another<W: Scene>(&mut self, world: &W, place: Position, me: EntityId) -> bool {
        self.0.clear();
        world.near(place, HERE, &mut self.0);
        self.0.iter().any(|&other| other != me)
    }
}

/// Spots around that no other has, the nearest first. One that he has picked stays known while
/// somebody only comes by.
pub(crate) fn spots<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let (world, me) = (sensing.world, sensing.me);
    let Some(from) = place_of(world, me) else { return Work::Light };
    let target = sensed_target(sensing).map(|(_, place)| place);
    let mut standing = Standing(Lent::new());
    let picked = |what| sensing.picks().slots().iter().any(|it| it.key.entity() == Some(what));
    let mut near = free_spots(world, me, from, REACH);
    needed::add_wanting(sensing, from, REACH, &mut near);
    near.retain(|spot| {
        let contains = |radius| target.is_none_or(|to| distance(spot.place, to) <= radius);
        spot.radius.is_none_or(contains)
            && (picked(spot.id) || !standing.another(world, spot.place, me))
    });
    keep_some_of_each_sort(&mut near);
    // The nearest last: in a full memory the far ones make room for the near ones.
    for (rank, spot) in near.iter().enumerate().rev() {
        let draft = FactDraft::new(world.words().spot)
            .with(Attribute::Object, spot.id, 1.0)
            .with_some(Attribute::Node, name(spot.name), 1.0)
            .with(Attribute::Position, spot.place, 1.0)
            .with(Attribute::Knowledge, spot.sort, 1.0)
            .with_some(Attribute::Direction, spot.faces.map(|faces| faces.direction), 1.0)
            .with_some(Attribute::Radius, spot.radius, 1.0)
            .with(Attribute::Index, rank as f32, 1.0);
        sensing.remember_one(draft, &[Attribute::Object]);
    }
    sensing.forget_the_rest();
    Work::Heavy
}

/// Leaves as many as are remembered: the nearest of each sort before others that are nearer, so that
/// a square full of seats does not hide the only bed.
fn keep_some_of_each_sort(near: &mut Lent<SpotView>) {
    if near.len() <= MOST_SPOTS {
        return;
    }
    let mut kept: Lent<SpotView> = Lent::new();
    for spot in near.iter() {
        let others = kept.iter().filter(|other| other.sort == spot.sort).count();
        if others < OF_EACH_SORT && kept.len() < MOST_SPOTS {
            kept.push(*spot);
        }
    }
    let n_more = MOST_SPOTS - kept.len();
    let rest: Lent<SpotView> = {
        let is_kept = |spot: &SpotView| kept.iter().any(|other| other.id == spot.id);
        near.iter().filter(|spot| !is_kept(spot)).take(n_more).copied().collect()
    };
    near.retain(|spot| kept.iter().chain(rest.iter()).any(|other| other.id == spot.id));
}

/// Nodes to go to: those that are there, that no other has taken or stands in, and whose radius,
/// if they have one, contains the enemy to care about: without an enemy they are of no use. All of
/// the nearest has the confidence 1, of the farthest 0; it is written first, so that in a full
/// memory the far ones make room for the near ones.
pub(crate) fn nodes<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let (world, me) = (sensing.world, sensing.me);
    let Some(from) = place_of(world, me) else { return Work::Light };
    let target = sensed_target(sensing).map(|(_, place)| place);
    let mut standing = Standing(Lent::new());
    let mut near = free_spots(world, me, from, REACH);
    near.retain(|spot| {
        let contains = |radius| target.is_some_and(|to| distance(spot.place, to) <= radius);
        !standing.another(world, spot.place, me) && spot.radius.is_none_or(contains)
    });
    near.truncate(MOST_NODES);
    let far = |at: Option<&SpotView>| at.map_or(0.0, |spot| distance(from, spot.place));
    let (nearest, farthest) = (far(near.first()), far(near.last()));
    for (rank, spot) in near.iter().enumerate().rev() {
        let beyond = distance(from, spot.place) - nearest;
        let sure = if farthest > nearest { 1.0 - beyond / (farthest - nearest) } else { 1.0 };
        let draft = FactDraft::new(world.words().node)
            .with(Attribute::Node, spot.name, sure)
            .with(Attribute::Position, spot.place, sure)
            .with(Attribute::Knowledge, spot.sort, sure)
            .with(Attribute::Index, rank as f32, sure);
        sensing.remember_one(draft, &[Attribute::Node]);
    }
    sensing.forget_the_rest();
    Work::Heavy
}

/// Things that nobody holds, and the state they are in.
pub(crate) fn things<W: Scene>(sensing: &mut Sensing<'_, W>) -> Work {
    let world = sensing.world;
    let Some(from) = place_of(world, sensing.me) else { return Work::Light };
    let mut near = Lent::new();
    world.things(from, REACH, &mut near);
    let is_first = |at: usize, thing: &Thing| {
        let others = near[..at].iter().filter(|other| other.kind == thing.kind);
        at < MOST_THINGS || others.count() < OF_EACH_KIND
    };
    let known = near.iter().enumerate().filter(|(at, thing)| is_first(*at, thing));
    for (_, thing) in known.take(MOST_THINGS + MORE_THINGS) {
        let id = sensing.remember_one(thing_as_fact(world, thing), &[Attribute::Object]);
        let is_double = |fact: &FactRef<'_>| {
            fact.id() != id && fact.entity(Attribute::Object) == Some(thing.id)
        };
        // What he knew of it from a look is older than this.
        forget_first(sensing, world.words().thing, is_double);
        note_stock(sensing, thing.id);
    }
    needed::remember(sensing, from, REACH, &near);
    sensing.forget_the_rest();
    Work::Heavy
}

/// A thing and its state, as one who sees it remembers them.
pub(crate) fn thing_as_fact<W: Scene>(world: &W, thing: &Thing) -> FactDraft {
    FactDraft::new(world.words().thing)
        .with_some(Attribute::Node, name(thing.name), 1.0)
        .with(Attribute::Knowledge, thing.state, 1.0)
        .with(Attribute::Position, thing.place, 1.0)
        .with(Attribute::Object, thing.id, 1.0)
        .with(Attribute::Stimulus, thing.kind, 1.0)
}
