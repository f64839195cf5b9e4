//! Who and what is near: squares of the map with lists of members.
//!
//! In:   members by position, with a cell and a tag (the side, for actors).
//! Out:  the members of the squares that a circle touches.
//! Cost: a sorted insertion when a member crosses into another square; questions walk the squares,
//!       but who is in a cell is one look where members do not share cells.

use crate::cell::Cell;
use throng_mind::words::Word;

/// Cells per side of a square: small beside a map, about as far as one sees.
const SIDE: i32 = 16;

#[derive(Clone, Debug, Default)]
struct Square {
    members: Vec<u32>,
    /// How many members have which tag.
    tags: Vec<(Word, u32)>,
}

impl Square {
    fn insert(&mut self, member: u32, tag: Word) {
        if let Err(place) = self.members.binary_search(&member) {
            self.members.insert(place, member);
            match self.tags.iter_mut().find(|(known, _)| *known == tag) {
                Some((_, count)) => *count += 1,
                None => self.tags.push((tag, 1)),
            }
        }
    }

    fn remove(&mut self, member: u32, tag: Word) {
        if let Ok(place) = self.members.binary_search(&member) {
            self.members.remove(place);
            if let Some(known) = self.tags.iter().position(|&(known, _)| known == tag) {
                self.tags[known].1 -= 1;
                self.tags.retain(|&(_, count)| count > 0);
            }
        }
    }
}

/// Members by square of the map.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    across: i32,
    down: i32,
    squares: Vec<Square>,
    /// By cell, row by row: who came there last, counted from 1; 0 for nobody. Says who is there
    /// as long as no two are in one cell. Empty where nobody asks.
    last: Vec<u32>,
    width: i16,
    height: i16,
}

/// Where a member is found, and under which tag; `None`: nowhere.
pub(crate) type Found = Option<(Cell, Word)>;

impl Near {
    /// Nobody yet; `by_cell` says whether [`Near::last_in`] will be asked.
    pub(crate) fn new(width: i16, height: i16, by_cell: bool) -> Self {
        let (across, down) = (i32::from(width) / SIDE + 1, i32::from(height) / SIDE + 1);
        let squares = vec![Square::default(); (across * down) as usize];
        // Sides of maps are from 1 to 200.
        let n_cells = if by_cell { width as usize * height as usize } else { 0 };
        Near { across, down, squares, last: vec![0; n_cells], width, height }
    }

    fn cell_index(&self, cell: Cell) -> Option<usize> {
        let inside = (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y);
        let index = || cell.y as usize * self.width as usize + cell.x as usize;
        inside.then(index).filter(|&index| index < self.last.len())
    }

    /// The member in a cell, if no two are ever in one; else one that is there, or nobody.
    pub(crate) fn last_in(&self, cell: Cell) -> Option<usize> {
        let last = self.last[self.cell_index(cell)?];
        last.checked_sub(1).map(|member| member as usize)
    }

    /// Takes over who is in which cell.
    fn change_cell(&mut self, member: usize, before: Option<Cell>, after: Option<Cell>) {
        let number = member as u32 + 1;
        if before == after {
            return;
        }
        if let Some(index) = before.and_then(|cell| self.cell_index(cell))
            && self.last[index] == number
        {
            self.last[index] = 0;
        }
        if let Some(index) = after.and_then(|cell| self.cell_index(cell)) {
            self.last[index] = number;
        }
    }

    fn square_of(&self, cell: Cell) -> usize {
        let column = (i32::from(cell.x) / SIDE).clamp(0, self.across - 1);
        let row = (i32::from(cell.y) / SIDE).clamp(0, self.down - 1);
        (row * self.across + column) as usize
    }

    /// Takes over a change: where the member was found before, and where it is now.
    pub(crate) fn change(&mut self, member: usize, before: Found, after: Found) {
        self.change_cell(member, before.map(|(cell, _)| cell), after.map(|(cell, _)| cell));
        let square = |found: Found| found.map(|(cell, tag)| (self.square_of(cell), tag));
        let (before, after) = (square(before), square(after));
        if before == after {
            return;
        }
        if let Some((square, tag)) = before {
            self.squares[square].remove(member as u32, tag);
        }
        if let Some((square, tag)) = after {
            self.squares[square].insert(member as u32, tag);
        }
    }

    fn touched(&self, around: Cell, radius: u16) -> impl Iterator<Item = &Square> {
        let radius = i32::from(radius);
        let range = |middle: i16, last: i32| {
            let middle = i32::from(middle);
            let low = ((middle - radius) / SIDE).clamp(0, last);
            low..=((middle + radius) / SIDE).clamp(0, last)
        };
        let columns = range(around.x, self.across - 1);
        let rows = range(around.y, self.down - 1);
        rows.flat_map(move |row| columns.clone().map(move |column| (row, column)))
            .map(|(row, column)| &self.squares[(row * self.across + column) as usize])
    }

    /// Members of the squares that the circle touches: all that are in it, and some beside. With a
    /// tag, only of squares in which one has a tag that is neither this nor none.
    pub(crate) fn around(
        &self,
        cell: Cell,
        radius: u16,
        other_than: Option<Word>,
    ) -> impl Iterator<Item = usize> {
        let has_others = move |square: &&Square| {
            let is_other = |tag| square.tags.iter().any(|&(it, _)| it != tag && it != Word::NONE);
            other_than.is_none_or(is_other)
        };
        let squares = self.touched(cell, radius).filter(has_others);
        squares.flat_map(|square| square.members.iter().map(|&member| member as usize))
    }
}
