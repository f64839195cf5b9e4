//! Ways: the cheapest path for somebody who believes what he believes.
//!
//! In:   from, to, manner, links to avoid, and what each cell costs besides: all as the mover
//!       believes it, not as it is.
//! Out:  cells to enter, the cost, and the first link on the way.
//! Cost: A* of the `pathfinding` crate over the floor, in four directions; allocates.
//!
//! Nobody sees from afar that a door is blocked: ways lead through it unless it is avoided.

use crate::cell::Cell;
use crate::thing::{Thing, ThingKind};
use crate::world::World;
use pathfinding::directed::astar::astar;
use throng_mind::fact::EntityId;
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// How somebody goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Manner {
    /// Upright.
    Walk,
    /// Fast.
    Run,
    /// Low and slow, out of view of enemies where possible.
    Sneak,
    /// As run, and through windows.
    Dive,
}

/// A way from one cell to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The cells to enter, in order; without the first, with the last.
    pub cells: Vec<Cell>,
    /// One for each cell, and what doors, windows and the cells' own costs add.
    pub cost: u32,
    /// The first shut door (blocked or not) or window on it.
    pub first_link: Option<EntityId>,
}

/// Cells that cost nothing besides.
pub fn plain(_: Cell) -> u32 {
    0
}

/// What a cell may cost besides, so that no sum over a map overflows.
const MOST_BESIDES: u32 = 50_000;

/// A sneaking actor minds so many of the nearest enemies that he knows of.
pub(crate) const MOST_EYES: usize = 8;

impl World {
    /// The cheapest way; ties are broken the same way each time. If nobody can stand in `to` (a
    /// wall, a window, a shut or avoided door), the way ends in one of the four cells beside it.
    /// What a cell costs besides counts up to 50,000.
    pub fn path(
        &self,
        from: Cell,
        to: Cell,
        manner: Manner,
        avoid: &[EntityId],
        besides: &dyn Fn(Cell) -> u32,
    ) -> Option<Path> {
        let stops_beside = !self.can_stand(to, avoid);
        let region = self.grid.region(from);
        let ends = |cell: Cell| match stops_beside {
            true => cell.steps(to) == 1 && self.can_stand(cell, avoid),
            false => cell == to,
        };
        // Without an end in this part of the map, a search would visit all of it for nothing.
        let is_there = |cell: Cell| region != 0 && self.grid.region(cell) == region && ends(cell);
        if from != to && !is_there(to) && !to.neighbours().into_iter().any(is_there) {
            return None;
        }
        let ways = |&cell: &Cell| {
            let enter = move |next: Cell| {
                let price = self.entry_cost(next, manner, avoid)?;
                Some((next, price + besides(next).min(MOST_BESIDES)))
            };
            cell.neighbours().into_iter().filter_map(enter)
        };
        let left = |cell: &Cell| cell.steps(to).saturating_sub(u32::from(stops_beside));
        let arrived = |&cell: &Cell| ends(cell) || (cell == from && from == to);
        let (mut cells, cost) = astar(&from, ways, left, arrived)?;
        cells.remove(0);
        let is_closed = |thing: &&Thing| thing.kind == ThingKind::Window || thing.is_shut_door();
        let closed = |&cell: &Cell| self.link_at(cell).filter(is_closed);
        let first_link = cells.iter().find_map(closed).map(|thing| thing.handle);
        Some(Path { cells, cost, first_link })
    }

    /// What it costs to enter a cell; `None` if that is impossible.
    fn entry_cost(&self, cell: Cell, manner: Manner, avoid: &[EntityId]) -> Option<u32> {
        if self.grid.is_wall(cell) {
            return None;
        }
        match self.link_at(cell) {
            None => Some(1),
            Some(link) if avoid.contains(&link.handle) => None,
            Some(link) if link.kind == ThingKind::Window => {
                (manner == Manner::Dive).then(|| 1 + self.rules.window_cost.min(MOST_BESIDES))
            }
            Some(link) if link.is_shut_door() => Some(1 + self.rules.door_cost.min(MOST_BESIDES)),
            Some(_) => Some(1),
        }
    }

    /// Whether somebody who avoids these links can end his way there.
    fn can_stand(&self, cell: Cell, avoid: &[EntityId]) -> bool {
        let stops = |link: &Thing| {
            link.kind == ThingKind::Window || link.is_shut_door() || avoid.contains(&link.handle)
        };
        !self.grid.is_wall(cell) && !self.link_at(cell).is_some_and(stops)
    }

    /// The door or window in a cell.
    pub fn link_at(&self, cell: Cell) -> Option<&Thing> {
        let link = self.links[self.grid.index(cell)?]?;
        self.things.get(usize::from(link))
    }

    /// What cells cost besides if one had rather not be seen from these: for [`World::path`].
    pub fn cost_of_view(&self, eyes: &[Cell]) -> impl Fn(Cell) -> u32 {
        let reach = i64::from(self.rules.sight);
        move |cell| {
            let sees = |eye: &Cell| {
                eye.distance_squared(cell) <= reach * reach && self.line_of_sight(*eye, cell)
            };
            let seen = eyes.iter().any(sees);
            if seen { self.rules.seen_cost } else { 0 }
        }
    }

    /// The way that an actor takes by an order of his: round what he avoids, and sneaking out of
    /// the view of those whom he believes to be about.
    pub(crate) fn way_of(&self, index: usize, to: Cell, manner: Manner) -> Option<Path> {
        let me = &self.actors[index];
        if manner != Manner::Sneak {
            return self.path(me.cell, to, manner, &me.avoids, &plain);
        }
        self.path(me.cell, to, manner, &me.avoids, &self.cost_of_view(&me.shuns))
    }

    /// What a word says about going; [`Manner::Walk`] for other words.
    pub fn manner(&self, word: Word) -> Manner {
        let words = &self.words;
        match word {
            _ if word == words.run => Manner::Run,
            _ if word == words.sneak => Manner::Sneak,
            _ if word == words.dive => Manner::Dive,
            _ => Manner::Walk,
        }
    }

    /// Ticks that a cell takes; at least one.
    pub fn ticks_per_cell(&self, manner: Manner) -> Tick {
        let ticks = match manner {
            Manner::Walk => self.rules.walk,
            Manner::Run | Manner::Dive => self.rules.run,
            Manner::Sneak => self.rules.sneak,
        };
        ticks.max(1)
    }
}
