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
    /// Whether a wall or a shut door fills this cell, or it is outside.
    pub fn is_opaque(&self, cell: Cell) -> bool {
        self.grid.index(cell).is_none_or(|index| self.opaque[index])
    }

    /// Whether nothing stands between two cells, however far.
    pub fn line_of_sight(&self, from: Cell, to: Cell) -> bool {
        let inside = self.grid.index(from).is_some() && self.grid.index(to).is_some();
        inside && !between(from.min(to), from.max(to)).any(|cell| self.is_opaque(cell))
    }

    /// Whether an actor can see a cell: near enough, nothing between, and, with a field of view
    /// in degrees, not outside it. The cell he stands in he always sees.
    pub fn sees(&self, actor: &Actor, cell: Cell, field_of_view: Option<f32>) -> bool {
        let reach = i64::from(self.rules.sight);
        actor.cell.distance_squared(cell) <= reach * reach
            && field_of_view.is_none_or(|degrees| is_before(actor, cell, degrees))
            && self.line_of_sight(actor.cell, cell)
    }
}

/// Whether a cell lies in the field of view.
fn is_before(actor: &Actor, cell: Cell, degrees: f32) -> bool {
    let (dx, dy) = actor.cell.to(cell);
    let (fx, fy) = (i32::from(actor.facing.0), i32::from(actor.facing.1));
    let along = (dx * fx + dy * fy) as f32;
    let lengths = ((dx * dx + dy * dy) as f32).sqrt() * ((fx * fx + fy * fy) as f32).sqrt();
    // The edge belongs to the field; the margin keeps it there whatever the cosine is rounded to.
    along >= lengths * ((degrees / 2.0).to_radians().cos() - 1e-4)
}

/// The cells strictly between two, along the line of Bresenham.
fn between(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    let (dx, dy) = from.to(to);
    let (step_x, step_y) = (dx.signum(), dy.signum());
    let (dx, dy) = (dx.abs(), -dy.abs());
    let (mut x, mut y, mut error) = (i32::from(from.x), i32::from(from.y), dx + dy);
    std::iter::from_fn(move || {
        let doubled = 2 * error;
        if doubled >= dy {
            error += dy;
            x += step_x;
        }
        if doubled <= dx {
            error += dx;
            y += step_y;
        }
        // Between two cells of a map: within 200.
        let cell = Cell::new(x as i16, y as i16);
        (cell != to && from != to).then_some(cell)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_passes_the_cells_between_its_ends() {
        let cells = |from, to| between(from, to).map(|cell| (cell.x, cell.y)).collect::<Vec<_>>();
        assert_eq!(cells(Cell::new(0, 0), Cell::new(3, 0)), [(1, 0), (2, 0)]);
        assert_eq!(cells(Cell::new(0, 0), Cell::new(2, 2)), [(1, 1)]);
        assert_eq!(cells(Cell::new(0, 3), Cell::new(2, 0)), [(1, 2), (1, 1)]);
        assert_eq!(cells(Cell::new(1, 1), Cell::new(1, 1)), []);
        assert_eq!(cells(Cell::new(1, 1), Cell::new(2, 1)), []);
    }
}
