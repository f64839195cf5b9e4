//! Ways: the cheapest path by what the mover believes.
//!
//! In:   from, to, manner, links to avoid, and what each cell costs besides: all as the mover
//!       believes it, not as it is.
//! Out:  cells to enter, the cost, and the first link on the way.
//! Cost: A* of the `pathfinding` crate over the floor, in four directions; allocates.
//!
//! That a door is blocked is not seen from afar: ways lead through it unless it is avoided.

pub use crate::actor::Manner;
use crate::cell::Cell;
use crate::rules::Rules;
use crate::site::Site;
use crate::thing::{Thing, ThingKind};
use pathfinding::directed::astar::astar;
use std::collections::HashSet;
use throng_mind::fact::EntityId;

/// A way from one cell to another.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
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

impl Site {
    /// The cheapest way; ties are broken the same way each time. If `to` cannot be stood in (a
    /// wall, a window, a shut or avoided door), the way ends in one of the four cells beside it.
    /// What a cell costs besides counts up to 50,000.
    pub(crate) fn path(
        &self,
        (from, to): (Cell, Cell),
        manner: Manner,
        avoid: &[EntityId],
        besides: &dyn Fn(Cell) -> u32,
        rules: &Rules,
    ) -> Option<Path> {
        let stops_beside = !self.can_stand(to, manner, avoid);
        let region = self.grid().region(from);
        let ends = |cell: Cell| match stops_beside {
            true => cell.steps(to) == 1 && self.can_stand(cell, manner, avoid),
            false => cell == to,
        };
        // Without an end in this part of the map, a search would visit all of it for nothing.
        let is_there = |cell: Cell| region != 0 && self.grid().region(cell) == region && ends(cell);
        if from != to && !is_there(to) && !to.neighbours().into_iter().any(is_there) {
            return None;
        }
        let ways = |&cell: &Cell| {
            let enter = move |next: Cell| {
                let price = self.entry_cost(next, manner, avoid, rules)?;
                Some((next, price + besides(next).min(MOST_BESIDES)))
            };
            cell.neighbours().into_iter().filter_map(enter)
        };
        let left = |cell: &Cell| cell.steps(to).saturating_sub(u32::from(stops_beside));
        let arrived = |&cell: &Cell| ends(cell) || (cell == from && from == to);
        let (mut cells, cost) = astar(&from, ways, left, arrived)?;
        cells.remove(0);
        let closed = |&cell: &Cell| self.link_at(cell).filter(|link| is_closed(link));
        let first_link = cells.iter().find_map(closed).map(|thing| thing.handle);
        Some(Path { cells, cost, first_link })
    }

    /// What it costs to enter a cell; `None` if that is impossible.
    fn entry_cost(
        &self,
        cell: Cell,
        manner: Manner,
        avoid: &[EntityId],
        rules: &Rules,
    ) -> Option<u32> {
        if self.grid().is_wall(cell) || self.is_out_of_reach(cell, manner) {
            return None;
        }
        match self.link_at(cell) {
            Some(link) if avoid.contains(&link.handle) => None,
            Some(link) if link.kind == ThingKind::Window => {
                (manner == Manner::Dive).then(|| 1 + rules.window_cost.min(MOST_BESIDES))
            }
            Some(link) if link.is_shut_door() => Some(1 + rules.door_cost.min(MOST_BESIDES)),
            Some(_) | None => Some(1),
        }
    }

    /// Whether a way may end there for one who avoids these links.
    fn can_stand(&self, cell: Cell, manner: Manner, avoid: &[EntityId]) -> bool {
        let stops = |link: &Thing| is_closed(link) || avoid.contains(&link.handle);
        let is_floor = !self.grid().is_wall(cell) && !self.is_out_of_reach(cell, manner);
        is_floor && !self.link_at(cell).is_some_and(stops)
    }

    /// Whether one has to leap to get there, and does not.
    fn is_out_of_reach(&self, cell: Cell, manner: Manner) -> bool {
        manner != Manner::Leap && self.is_perch(cell)
    }

    /// The nearest cell that can be walked to through open doors, that none of these dangers
    /// reaches, each a cell and a radius, and that may be stood in, at most `reach` steps away; of
    /// several the first in reading order. Floods outwards until it finds one.
    pub(crate) fn nearest_safe(
        &self,
        from: Cell,
        reach: u32,
        dangers: &[(Cell, u16)],
        is_free: &dyn Fn(Cell) -> bool,
    ) -> Option<Cell> {
        let is_danger = |cell: Cell| dangers.iter().any(|&(at, r)| self.sees(at, cell, r));
        let mut visited: HashSet<Cell> = HashSet::new();
        let mut ring = vec![from];
        for _ in 0..=reach {
            let safe = ring.iter().filter(|&&cell| !is_danger(cell) && is_free(cell));
            if let Some(&cell) = safe.min_by_key(|cell| (cell.y, cell.x)) {
                return Some(cell);
            }
            let around = ring.iter().flat_map(|cell| cell.neighbours());
            let is_new = |cell: &Cell| {
                let is_window = self.link_at(*cell).is_some_and(|it| it.kind == ThingKind::Window);
                let is_floor = !self.is_opaque(*cell) && !self.is_perch(*cell);
                is_floor && !is_window && visited.insert(*cell)
            };
            ring = around.filter(is_new).collect();
        }
        None
    }
}

/// Whether a link stops who does not open it or dive.
fn is_closed(link: &Thing) -> bool {
    link.kind == ThingKind::Window || link.is_shut_door()
}
