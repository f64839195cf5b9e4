//! Sight: straight lines between cells.
//!
//! In:   two cells.
//! Out:  whether nothing stands between them.
//! Cost: one question per cell of the line.
//!
//! Lines are those of Bresenham, drawn from the lesser cell to the greater, so that sight is
//! symmetric. Walls and shut doors stop them; the two ends do not count. Actors stop nothing.

use crate::actor::Actor;
use crate::cell::Cell;
use crate::world::World;

impl World {
    /// Whether a wall or a shut door fills this cell.
    pub fn is_opaque(&self, cell: Cell) -> bool {
        self.grid.is_wall(cell)
    }

    /// Whether nothing stands between two cells, however far.
    pub fn line_of_sight(&self, from: Cell, to: Cell) -> bool {
        let _ = (from, to);
        false
    }

    /// Whether an actor can see a cell: near enough, nothing between, and, with a field of view
    /// in degrees, not behind him.
    pub fn sees(&self, actor: &Actor, cell: Cell, field_of_view: Option<f32>) -> bool {
        let _ = (actor, cell, field_of_view);
        false
    }
}
