//! The world: its parts, and what is asked of them.
//!
//! In:   rows of text as a map, drafts; an actor, a cell, a name.
//! Out:  who and what is there, near, dangerous.
//! Cost: what is near, unless said otherwise; paths and lines of sight are the heavy ones.
//!
//! | part | what it keeps |
//! |---|---|
//! | `Site` | the map, things, nodes: what does not act |
//! | `Actors` | actors, their orders under way, targets aimed at |
//! | `Noises`, grenades | what was heard of late, what will go off |
//! | outbox | what minds are told next |
//!
//! What changes several parts at once is in the files below this one: [`orders`] first, then a
//! file for each subsystem. Names become [`Word`](throng_mind::words::Word)s in the table handed
//! over. Hand over the table that the minds use, or a copy of it: a table only grows at its end, so
//! all words of the original mean the same.

mod accuracy;
mod fighting;
mod ground;
mod hands;
mod meeting;
mod navigation;
pub mod orders;
mod script;
mod snapshot;
mod stimuli;
mod trade;

use crate::actor::{Actor, Posture};
use crate::actors::Actors;
use crate::build::{ActorDraft, NodeDraft, ThingDraft};
use crate::cell::Cell;
use crate::error::WorldError;
use crate::grenade::Grenade;
use crate::news::{MOST_NEWS, News};
use crate::node::Node;
use crate::noise::{Noise, Noises};
use crate::paths::{Manner, Path};
use crate::rules::Rules;
use crate::sight::is_before;
use crate::site::Site;
use crate::thing::ThingKind;
use std::ops::Deref;
use throng_kit::Vocabulary;
use throng_mind::fact::EntityId;
use throng_mind::orders::Message;
use throng_mind::time::{Pace, Tick};
use throng_mind::words::Words;

/// Orders of scripts are counted from here, far above those of minds.
const FIRST_COMMAND: u32 = 1 << 31;

/// Everything there is. Copies go on alike.
#[derive(Clone, Debug)]
pub struct World {
    /// The words that the world uses.
    pub words: Vocabulary,
    /// How long, how far, how much.
    pub rules: Rules,
    now: Tick,
    site: Site,
    actors: Actors,
    /// By number, in order.
    grenades: Vec<Grenade>,
    noises: Noises,
    /// What minds are told next, oldest first: ends of orders, and stimuli.
    outbox: Vec<(EntityId, Message)>,
    /// What happened, for those who watch, until it is fetched.
    news: Vec<News>,
    /// Handles are given out upwards and to all kinds alike.
    next_handle: u64,
    next_command: u32,
}

/// What is only asked of the map, the things and the nodes, the site answers.
impl Deref for World {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}

impl World {
    /// A world without actors, things and nodes.
    ///
    /// # Errors
    ///
    /// What is wrong with the map.
    pub fn new(rows: &[&str], pace: Pace, words: &mut Words) -> Result<World, WorldError> {
        let site = Site::new(rows)?;
        Ok(World {
            words: Vocabulary::new(words),
            rules: Rules::at(pace),
            now: 0,
            actors: Actors::new(site.grid()),
            site,
            grenades: Vec::new(),
            noises: Noises::default(),
            outbox: Vec::new(),
            news: Vec::new(),
            next_handle: 1,
            next_command: FIRST_COMMAND,
        })
    }

    /// Adds an actor, also while the world runs: in the cell of the draft, or as near to it as
    /// nobody else is.
    ///
    /// # Errors
    ///
    /// Why it cannot be there.
    pub fn add_actor(
        &mut self,
        draft: &ActorDraft,
        words: &mut Words,
    ) -> Result<EntityId, WorldError> {
        if self.grid().is_wall(draft.cell) {
            return Err(WorldError::NoFloor(draft.name.to_string()));
        }
        for name in draft.owns.iter().chain(&draft.carries) {
            self.called(&draft.name, name, words)?;
        }
        let cell = self.room_near(draft.cell, EntityId(self.next_handle));
        let cell = cell.ok_or_else(|| WorldError::NoRoom(draft.name.to_string()))?;
        self.actors.add(EntityId(self.next_handle), cell, draft, words)?;
        let handle = self.give_handle();
        self.equip(handle, draft, words);
        let on = draft.on.as_ref().and_then(|name| self.thing_named(words.find(name)?));
        self.seat(handle, draft.posture, on.map(|thing| thing.handle));
        Ok(handle)
    }

    /// Gives an actor what is his own, and into his hands what he carries; what another holds
    /// already, or is no item, stays where it is.
    fn equip(&mut self, handle: EntityId, draft: &ActorDraft, words: &Words) {
        let Some(index) = self.actors.index_of(handle) else { return };
        let called = |world: &World, name: &String| world.things().index_named(words.find(name)?);
        for name in &draft.owns {
            let own = called(self, name).map(|at| self.things()[at].handle);
            self.actors.edit(index).owns.extend(own);
        }
        for name in &draft.carries {
            let is_free = |at: &usize| {
                let it = &self.things()[*at];
                it.kind == ThingKind::Item && it.held_by.is_none()
            };
            if let Some(item) = called(self, name).filter(is_free) {
                self.pick_up(index, item);
            }
        }
    }

    /// Adds a thing.
    ///
    /// # Errors
    ///
    /// Why it cannot be there.
    pub fn add_thing(
        &mut self,
        draft: &ThingDraft,
        words: &mut Words,
    ) -> Result<EntityId, WorldError> {
        self.site.add_thing(EntityId(self.next_handle), draft, &self.words, words)?;
        Ok(self.give_handle())
    }

    /// Adds a node.
    ///
    /// # Errors
    ///
    /// Why it cannot be there.
    pub fn add_node(
        &mut self,
        draft: &NodeDraft,
        words: &mut Words,
    ) -> Result<EntityId, WorldError> {
        self.site.add_node(EntityId(self.next_handle), draft, words)?;
        Ok(self.give_handle())
    }

    fn give_handle(&mut self) -> EntityId {
        let handle = EntityId(self.next_handle);
        self.next_handle += 1;
        handle
    }

    throng_base::getters! {
        /// The tick that is under way, or comes next: the number of steps so far.
        now: Tick;
        /// All actors, by number, the dead too.
        actors: &Actors;
        /// Grenades that have not gone off, by number.
        grenades: &[Grenade];
    }

    /// What happened since the last call, oldest first, for who watches; at most 65,536.
    pub fn news(&mut self) -> std::vec::Drain<'_, News> {
        self.news.drain(..)
    }

    /// Notes what happened.
    fn note(&mut self, news: News) {
        if self.news.len() < MOST_NEWS {
            self.news.push(news);
        }
    }

    /// What could be heard of late, oldest first.
    pub fn noises(&self) -> &[Noise] {
        self.noises.all()
    }

    /// An actor by number.
    pub fn actor(&self, handle: EntityId) -> Option<&Actor> {
        self.actors.get(handle)
    }

    /// Where an actor, thing, node or grenade is.
    pub fn cell_of(&self, handle: EntityId) -> Option<Cell> {
        let actor = self.actor(handle).map(|actor| actor.cell);
        let thing = || self.thing(handle).map(|thing| thing.cell);
        let node = || self.node(handle).map(|node| node.cell);
        let grenade = || self.grenades.iter().find(|it| it.handle == handle).map(|it| it.cell);
        actor.or_else(thing).or_else(node).or_else(grenade)
    }

    /// Nodes that exist now and that no other actor has taken, at most so far away, the nearest
    /// first, then by name.
    pub fn nodes_near(&self, me: EntityId, from: Cell, reach: f32) -> Vec<&Node> {
        let mut near = self.nodes().nearest(from, reach);
        near.retain(|node| node.taken_by.is_none_or(|by| by == me) && self.exists(node));
        near
    }

    /// Whether one cell can be seen from another: within sight, and nothing between.
    pub fn is_in_view(&self, from: Cell, to: Cell) -> bool {
        self.site.sees(from, to, self.rules.sight)
    }

    /// Whether an actor is cloaked, and too far from a cell to be seen from there all the same. Nobody
    /// looks up: on a perch he is seen only from right below.
    pub fn is_hidden(&self, actor: &Actor, from: Cell) -> bool {
        let is_up = self.site.is_perch(actor.cell);
        let reach = if is_up { self.rules.perched_sight } else { self.rules.cloaked_sight };
        actor.cloaked && !from.is_within(actor.cell, reach)
    }

    /// Whether something can be seen from a cell: within sight, nothing between, and not cloaked
    /// farther than that helps.
    pub fn could_see(&self, from: Cell, what: Option<EntityId>, at: Cell) -> bool {
        let it = what.and_then(|what| self.actor(what));
        !it.is_some_and(|it| self.is_hidden(it, from)) && self.is_in_view(from, at)
    }

    /// Whether an actor can see a cell: near enough, nothing between, and, with a field of view
    /// in degrees, not outside it. The cell he stands in he always sees.
    pub fn sees(&self, actor: &Actor, cell: Cell, field_of_view: Option<f32>) -> bool {
        field_of_view.is_none_or(|degrees| is_before(actor, cell, degrees))
            && self.is_in_view(actor.cell, cell)
    }

    /// The cheapest way; ties are broken the same way each time. If `to` cannot be stood in (a
    /// wall, a window, a shut or avoided door), the way ends in one of the four cells beside it.
    /// What a cell costs besides counts up to 50,000.
    #[must_use]
    pub fn path(
        &self,
        from: Cell,
        to: Cell,
        manner: Manner,
        avoid: &[EntityId],
        besides: &dyn Fn(Cell) -> u32,
    ) -> Option<Path> {
        self.site.path((from, to), manner, avoid, besides, &self.rules)
    }

    /// The nearest cell that can be walked to through open doors, that none of these dangers
    /// reaches, each a cell and a radius, and where nobody else is, at most `reach` steps away; of
    /// several the first in reading order.
    pub fn nearest_safe(&self, from: Cell, reach: u32, dangers: &[(Cell, u16)]) -> Option<Cell> {
        let is_free = |cell: Cell| cell == from || self.standing_in(cell).is_none();
        self.site.nearest_safe(from, reach, dangers, &is_free)
    }

    /// The living in a cell.
    pub(crate) fn all_in(&self, cell: Cell) -> impl Iterator<Item = &Actor> {
        let near = self.actors.around(cell, 0).map(|(_, actor)| actor);
        near.filter(move |actor| actor.cell == cell)
    }

    /// What cells cost besides for one who prefers not to be seen from these: for [`World::path`].
    pub fn cost_of_view(&self, eyes: &[Cell]) -> impl Fn(Cell) -> u32 {
        move |cell| {
            let seen = eyes.iter().any(|&eye| self.is_in_view(eye, cell));
            if seen { self.rules.seen_cost } else { 0 }
        }
    }

    /// What cells cost besides for one who keeps away from these: so near he is seen, cloaked or not.
    pub fn cost_of_nearness(&self, eyes: &[Cell]) -> impl Fn(Cell) -> u32 {
        let reach = self.rules.cloaked_sight.saturating_add(2);
        move |cell| {
            let is_near = eyes.iter().any(|eye| eye.is_within(cell, reach));
            if is_near { self.rules.seen_cost } else { 0 }
        }
    }

    /// Whether fire keeps an actor's head down: he may shoot, and hits nothing.
    pub fn is_pinned(&self, actor: &Actor) -> bool {
        actor.pinned.is_some_and(|until| self.now < until)
    }

    /// Whether an actor is hard to hit from a cell: crouched, or at a node of cover that protects
    /// from there.
    pub fn is_covered_from(&self, actor: &Actor, from: Cell) -> bool {
        actor.posture == Posture::Crouched || self.is_behind_cover(actor, from)
    }

    /// Whether an actor is at a node of cover that protects from a cell.
    pub fn is_behind_cover(&self, actor: &Actor, from: Cell) -> bool {
        let mut nodes = self.nodes().around(actor.cell, 0);
        let shields = |node: &Node| self.is_cover_from(node, from) && self.exists(node);
        nodes.any(|(_, node)| node.cell == actor.cell && shields(node))
    }

    /// Whether a node is cover that protects who is in it from a cell, once it is there: who considers it
    /// counts on what it needs.
    pub fn protects(&self, node: EntityId, from: Cell) -> bool {
        self.node(node).is_some_and(|node| self.is_cover_from(node, from))
    }

    fn is_cover_from(&self, node: &Node, from: Cell) -> bool {
        node.kind == self.words.cover && node.faces_cell(from)
    }

    /// Actors on the map at most so far away, the living and the dead, by distance and then by
    /// number, added to a list.
    pub fn actors_near(&self, from: Cell, reach: f32, out: &mut Vec<EntityId>) {
        // The cast saturates, and turns what is no number into zero.
        let around = self.actors.around(from, reach.ceil() as u16).map(|(_, actor)| actor);
        let all = around.chain(self.actors.fallen());
        let near = all.filter(|actor| from.distance(actor.cell) <= reach);
        let first = out.len();
        out.extend(near.map(|actor| actor.handle));
        let far = |handle: &EntityId| {
            let cell = self.actor(*handle).map(|actor| actor.cell);
            (cell.map(|cell| from.distance_squared(cell)), *handle)
        };
        out[first..].sort_unstable_by_key(far);
    }
}
