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
use crate::site::Site;

impl Site {
    /// Whether nothing stands between two cells, however far.
    pub fn line_of_sight(&self, from: Cell, to: Cell) -> bool {
        let inside = self.grid().index(from).is_some() && self.grid().index(to).is_some();
        inside && !between(from.min(to), from.max(to)).any(|cell| self.is_opaque(cell))
    }

    /// Whether two cells are at most so far from each other and nothing stands between.
    pub(crate) fn sees(&self, from: Cell, to: Cell, reach: u16) -> bool {
        from.is_within(to, reach) && self.line_of_sight(from, to)
    }
}

/// Whether a cell lies in the field of view.
pub(crate) fn is_before(actor: &Actor, cell: Cell, degrees: f32) -> bool {
    actor.cell.has_before(actor.facing, cell, degrees)
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
