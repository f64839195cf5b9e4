//! The map: walls and marks.
//!
//! In:   rows of text: `#` wall, `.` or blank floor, `,` floor under a roof, a letter or digit: floor with that mark.
//! Out:  what is where.
//! Cost: a bit of a table per question.

use crate::cell::Cell;
use crate::error::WorldError;

/// The longest side of a map.
pub const LARGEST_SIDE: usize = 200;

/// Walls, and cells with marks.
#[derive(Clone, Debug)]
pub struct Grid {
    width: i16,
    height: i16,
    /// Cells of the same number are connected, were all doors and windows open; 0 for walls.
    regions: Vec<u16>,
    /// Cells under a roof.
    roofs: Vec<bool>,
    marks: Vec<(char, Cell)>,
}

impl Grid {
    /// Reads a map. Rows may differ in length: what is missing is wall.
    pub fn read(rows: &[&str]) -> Result<Grid, WorldError> {
        let width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        let height = rows.len();
        if width == 0 || width > LARGEST_SIDE || height > LARGEST_SIDE {
            return Err(WorldError::MapSize { width, height });
        }
        let (mut walls, mut marks) = (vec![true; width * height], Vec::new());
        let mut roofs = vec![false; width * height];
        for (y, row) in rows.iter().enumerate() {
            for (x, letter) in row.chars().enumerate() {
                // Both are at most 200.
                let cell = Cell::new(x as i16, y as i16);
                match letter {
                    '#' => continue,
                    '.' | ' ' => {}
                    ',' => roofs[y * width + x] = true,
                    _ if letter.is_alphanumeric() => {
                        if marks.iter().any(|&(known, _)| known == letter) {
                            return Err(WorldError::MarkTwice(letter));
                        }
                        marks.push((letter, cell));
                    }
                    _ => return Err(WorldError::Letter { letter, cell }),
                }
                walls[y * width + x] = false;
            }
        }
        let (width, height) = (width as i16, height as i16);
        let mut grid = Grid { width, height, regions: Vec::new(), roofs, marks };
        grid.regions = grid.flood(&walls);
        Ok(grid)
    }

    fn flood(&self, walls: &[bool]) -> Vec<u16> {
        let mut regions = vec![0; walls.len()];
        let mut last = 0;
        let mut open = Vec::new();
        for cell in self.cells() {
            open.push(cell);
            let mut is_new = true;
            while let Some(cell) = open.pop() {
                let Some(index) = self.index(cell) else { continue };
                if walls[index] || regions[index] != 0 {
                    continue;
                }
                // At most 20,000 regions: half of the cells of the largest map.
                last += u16::from(is_new);
                is_new = false;
                regions[index] = last;
                open.extend(cell.neighbours());
            }
        }
        regions
    }

    /// The part of the map that a cell belongs to: between two parts are walls, and no way. 0 for
    /// walls and outside.
    pub fn region(&self, cell: Cell) -> u16 {
        self.index(cell).map_or(0, |index| self.regions[index])
    }

    throng_base::getters! {
        /// Cells from left to right.
        width: i16;
        /// Cells from top to bottom.
        height: i16;
        /// All marks, in reading order.
        marks: &[(char, Cell)];
    }

    /// Whether a cell is wall, or outside.
    pub fn is_wall(&self, cell: Cell) -> bool {
        self.region(cell) == 0
    }

    /// Whether a cell is under a roof.
    pub fn is_roofed(&self, cell: Cell) -> bool {
        self.index(cell).is_some_and(|index| self.roofs[index])
    }

    /// All cells, row by row: the order of tables by cell.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// The position of a cell in tables by cell, row by row; `None` outside.
    pub fn index(&self, cell: Cell) -> Option<usize> {
        let inside = (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y);
        inside.then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }
}
