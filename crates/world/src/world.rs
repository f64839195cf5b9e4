//! The world: everything there is, and how it is found by number.

use crate::actor::Actor;
use crate::cell::Cell;
use crate::grenade::Grenade;
use crate::grid::Grid;
use crate::near::Near;
use crate::node::Node;
use crate::noise::Noise;
use crate::rules::Rules;
use crate::thing::Thing;
use crate::vocabulary::Vocabulary;
use std::collections::{BTreeSet, HashMap};
use throng_mind::fact::EntityId;
use throng_mind::orders::Message;
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// Where those are who have left a story.
pub(crate) const OFF_THE_MAP: Cell = Cell::new(-1, -1);

/// Everything there is. Copies go on alike.
#[derive(Clone, Debug)]
pub struct World {
    /// The words that the world uses.
    pub words: Vocabulary,
    /// How long, how far, how much.
    pub rules: Rules,
    pub(crate) grid: Grid,
    pub(crate) now: Tick,
    /// By number, in order: handles are given out upwards and to all kinds alike.
    pub(crate) actors: Vec<Actor>,
    pub(crate) things: Vec<Thing>,
    pub(crate) grenades: Vec<Grenade>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) noises: Vec<Noise>,
    pub(crate) reports: Vec<(EntityId, Message)>,
    pub(crate) next_handle: u64,
    pub(crate) next_command: u32,
    /// Actors with orders under way, by position, in order: all that a tick need visit.
    pub(crate) active: Vec<u32>,
    /// Who is aimed at, and by whom.
    pub(crate) aims: BTreeSet<(EntityId, EntityId)>,
    /// By cell: the door or window in it, by position in the things.
    pub(crate) links: Vec<Option<u16>>,
    /// By cell: whether it stops sight.
    pub(crate) opaque: Vec<bool>,
    /// The living.
    pub(crate) actors_near: Near,
    /// Things that nobody holds.
    pub(crate) things_near: Near,
    pub(crate) nodes_near: Near,
    /// By name; only looked up, never walked.
    pub(crate) actor_names: HashMap<Word, usize>,
    pub(crate) thing_names: HashMap<Word, usize>,
    pub(crate) node_names: HashMap<Word, usize>,
}

impl World {
    /// The tick that is under way, or comes next: the number of steps so far.
    pub fn now(&self) -> Tick {
        self.now
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Everybody, by number, the dead too.
    pub fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// All things, by number.
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// All nodes, also those that do not exist for now; in the order of adding.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Grenades that have not gone off, by number.
    pub fn grenades(&self) -> &[Grenade] {
        &self.grenades
    }

    /// What could be heard of late, oldest first.
    pub fn noises(&self) -> &[Noise] {
        &self.noises
    }

    /// An actor by number.
    pub fn actor(&self, handle: EntityId) -> Option<&Actor> {
        let index = self.actor_index(handle)?;
        self.actors.get(index)
    }

    /// A thing by number.
    pub fn thing(&self, handle: EntityId) -> Option<&Thing> {
        let index = self.thing_index(handle)?;
        self.things.get(index)
    }

    /// A grenade by number.
    pub fn grenade(&self, handle: EntityId) -> Option<&Grenade> {
        let at = self.grenades.binary_search_by_key(&handle, |grenade| grenade.handle).ok()?;
        self.grenades.get(at)
    }

    pub(crate) fn actor_index(&self, handle: EntityId) -> Option<usize> {
        self.actors.binary_search_by_key(&handle, |actor| actor.handle).ok()
    }

    pub(crate) fn thing_index(&self, handle: EntityId) -> Option<usize> {
        self.things.binary_search_by_key(&handle, |thing| thing.handle).ok()
    }
}
