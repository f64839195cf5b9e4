//! Cells: where everything is, in whole numbers.

use throng_base::codec_struct;
use throng_mind::fact::Position;

/// A cell of the map; x to the right, y downwards, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cell {
    /// Column.
    pub x: i16,
    /// Row.
    pub y: i16,
}

codec_struct!(Cell { x, y });

impl Cell {
    /// The cell in this column and row.
    pub const fn new(x: i16, y: i16) -> Self {
        Cell { x, y }
    }

    /// The same as minds are told it.
    pub fn place(self) -> Position {
        [f32::from(self.x), f32::from(self.y), 0.0]
    }

    /// The cell that a place lies in: the nearest whole numbers; far off is the last cell there is.
    pub fn of(place: Position) -> Self {
        // Casts saturate, and turn what is no number into zero.
        Cell { x: place[0].round() as i16, y: place[1].round() as i16 }
    }

    /// How far, as the crow flies.
    pub fn distance(self, other: Cell) -> f32 {
        (self.distance_squared(other) as f32).sqrt()
    }

    /// How far, squared: for comparing without roots.
    pub fn distance_squared(self, other: Cell) -> i64 {
        let (dx, dy) = self.to(other);
        i64::from(dx) * i64::from(dx) + i64::from(dy) * i64::from(dy)
    }

    /// Whether the other is at most so far away.
    pub fn is_within(self, other: Cell, radius: u16) -> bool {
        self.distance_squared(other) <= i64::from(radius) * i64::from(radius)
    }

    /// Steps to the side and down that lead from here to there.
    pub fn to(self, other: Cell) -> (i32, i32) {
        (i32::from(other.x) - i32::from(self.x), i32::from(other.y) - i32::from(self.y))
    }

    /// The fewest steps a walker needs on open floor: it goes in four directions.
    pub fn steps(self, other: Cell) -> u32 {
        let (dx, dy) = self.to(other);
        dx.unsigned_abs() + dy.unsigned_abs()
    }

    /// Whether it is the same cell or one of the eight around it: what can be touched.
    pub fn is_beside(self, other: Cell) -> bool {
        let (dx, dy) = self.to(other);
        dx.abs() <= 1 && dy.abs() <= 1
    }

    /// Whether a cell lies in the sector of so many degrees around a direction, seen from here.
    pub(crate) fn has_before(self, facing: (i16, i16), cell: Cell, degrees: f32) -> bool {
        let (dx, dy) = self.to(cell);
        let (fx, fy) = (i32::from(facing.0), i32::from(facing.1));
        let along = (dx * fx + dy * fy) as f32;
        let lengths = ((dx * dx + dy * dy) as f32).sqrt() * ((fx * fx + fy * fy) as f32).sqrt();
        // The edge belongs to it; the margin keeps it there whatever the cosine is rounded to.
        along >= lengths * ((degrees / 2.0).to_radians().cos() - 1e-4)
    }

    /// The cells above, left, right and below.
    pub fn neighbours(self) -> [Cell; 4] {
        let Cell { x, y } = self;
        [
            Cell::new(x, y.saturating_sub(1)),
            Cell::new(x.saturating_sub(1), y),
            Cell::new(x.saturating_add(1), y),
            Cell::new(x, y.saturating_add(1)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn cells_come_back() {
        comes_back::<Cell>(|trial, _| Cell { x: trial.any(), y: trial.any() });
    }
}
