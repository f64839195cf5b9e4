//! What squads ask the world: cover, places, ways, views, and what members know.
//!
//! In:   members by handle or by mind, places.
//! Out:  nodes that are free for them, the cost of a way, facts about enemies.
//! Cost: the nodes near; a way is a search.

use super::World;
use crate::cell::Cell;
use crate::node::Node;
use crate::paths::{Manner, plain};
use std::collections::BTreeMap;
use throng_mind::Mind;
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::memory::FactRef;
use throng_mind::orders::TaskSlot;
use throng_mind::squad::{Ground, Spot};
use throng_mind::words::Word;

impl Ground for World {
    fn side(&self, who: EntityId) -> Word {
        self.actor(who).filter(|actor| actor.is_minded()).map_or(Word::NONE, |actor| actor.side)
    }

    /// Enemies as the member knows them who is surest; who knows that one is dead is believed.
    fn known_to(&self, members: &[&Mind]) -> Vec<FactDraft> {
        let is_dead = |fact: FactRef<'_>| {
            fact.word(Attribute::Knowledge) == Some(self.words.dead)
                && fact.sure(Attribute::Knowledge) >= 1.0
        };
        let worth =
            |fact: FactRef<'_>| (is_dead(fact), fact.sure(Attribute::Stimulus), fact.updated());
        let mut best: BTreeMap<EntityId, FactRef<'_>> = BTreeMap::new();
        for fact in members.iter().flat_map(|mind| mind.memory().of_kind(self.words.character)) {
            let Some(object) = fact.entity(Attribute::Object) else { continue };
            let known = best.entry(object).or_insert(fact);
            if worth(fact) > worth(*known) {
                *known = fact;
            }
        }
        best.into_values().map(FactRef::draft).collect()
    }

    fn covers(
        &self,
        who: &[EntityId],
        around: Position,
        reach: f32,
        against: Option<Position>,
    ) -> Vec<Spot> {
        let serves = |node: &Node| {
            let contains = |radius: u16| {
                against.is_some_and(|at| node.cell.distance(Cell::of(at)) <= f32::from(radius))
            };
            node.kind == self.words.cover && node.radius.is_none_or(contains)
        };
        self.spots(who, around, reach, &serves)
    }

    fn places(&self, who: &[EntityId], around: Position, reach: f32) -> Vec<Spot> {
        self.spots(who, around, reach, &|_| true)
    }

    fn way(&self, from: Position, to: Position, unseen_by: Option<Position>) -> Option<f32> {
        let (from, to) = (Cell::of(from), Cell::of(to));
        let path = match unseen_by {
            None => self.path(from, to, Manner::Run, &[], &plain),
            Some(eye) => {
                self.path(from, to, Manner::Sneak, &[], &self.cost_of_view(&[Cell::of(eye)]))
            }
        };
        path.map(|path| path.cost as f32)
    }

    fn sees(&self, from: Position, to: Position) -> bool {
        self.is_in_view(Cell::of(from), Cell::of(to))
    }

    /// Bullets that hit what he hides behind, or fly past him, keep him down as well.
    fn reaches(&self, from: Position, to: Position) -> bool {
        let (from, to) = (Cell::of(from), Cell::of(to));
        let near = to.neighbours().into_iter().chain([to]);
        from.distance(to) <= f32::from(self.rules.sight)
            && near.into_iter().any(|cell| self.line_of_sight(from, cell))
    }

    fn named(&self, name: Word) -> Option<EntityId> {
        throng_kit::scene::Spots::named(self, name)
    }

    /// The nearest cell in which one can stand, in rings around; of equals the first by row.
    fn room(&self, from: Position, near: Position, taken: &[Position]) -> Option<Position> {
        let (from, near) = (Cell::of(from), Cell::of(near));
        let is_taken = |cell: Cell| taken.iter().any(|&other| Cell::of(other) == cell);
        let side = -ROOM_WITHIN..=ROOM_WITHIN;
        let around = side.clone().flat_map(|dy| side.clone().map(move |dx| (dx, dy)));
        let cell = |(dx, dy): (i16, i16)| {
            Some(Cell::new(near.x.checked_add(dx)?, near.y.checked_add(dy)?))
        };
        let is_free = |cell: &Cell| {
            let link = self.site.link_at(*cell).is_some();
            !is_taken(*cell) && !self.grid().is_wall(*cell) && !link
        };
        let mut cells: Vec<Cell> = around.filter_map(cell).filter(is_free).collect();
        cells.sort_by_key(|cell| (near.distance_squared(*cell), cell.y, cell.x));
        let has_way = |cell: &Cell| self.path(from, *cell, Manner::Run, &[], &plain).is_some();
        cells.into_iter().find(has_way).map(Cell::place)
    }
}

/// How far from where it should be a place of a formation may be.
const ROOM_WITHIN: i16 = 4;

impl World {
    /// Nodes that exist and that no others than these have taken or stand in; the nearest first,
    /// then by name.
    fn spots(
        &self,
        who: &[EntityId],
        around: Position,
        reach: f32,
        serves: &dyn Fn(&Node) -> bool,
    ) -> Vec<Spot> {
        let from = Cell::of(around);
        let is_ours = |other: EntityId| who.contains(&other);
        let is_free = |node: &&Node| {
            node.taken_by.is_none_or(is_ours)
                && self.all_in(node.cell).all(|actor| is_ours(actor.handle))
        };
        let near = self.nodes().nearest(from, reach).into_iter();
        let free = near.filter(|node| self.exists(node) && serves(node)).filter(is_free);
        let spot =
            |node: &Node| Spot { slot: TaskSlot::Place(node.name), place: node.cell.place() };
        free.map(spot).collect()
    }
}
