//! Nodes: cells with a purpose and a name, as cover or a point of view.

use crate::build::Facing;
use crate::cell::Cell;
use crate::register::{Member, Numbered};
use crate::thing::Need;
use throng_mind::fact::EntityId;
use throng_mind::words::Word;

/// A place with a purpose.
///
/// Cover protects an actor in its cell from shots of every side, or of the side that it faces:
/// walls beside it only matter as they stop lines of sight. Its radius says against which targets
/// it is meant.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its number.
    pub handle: EntityId,
    /// Its name.
    pub name: Word,
    /// The same as text.
    pub text: String,
    /// What it is for: `cover`, `view`, `work` …
    pub kind: Word,
    /// Where it is.
    pub cell: Cell,
    /// The side that it protects from; without, from all.
    pub faces: Option<Facing>,
    /// It is of use only against a target so near to it, in cells; without, against any and none.
    pub radius: Option<u16>,
    /// It exists only while these hold: the cover that a flipped table makes.
    pub needs: Vec<Need>,
    /// Who holds it or is on the way to it.
    pub taken_by: Option<EntityId>,
}

impl Node {
    /// Whether it faces a cell; who is in its own cell is before everything.
    pub fn faces_cell(&self, cell: Cell) -> bool {
        self.faces.is_none_or(|it| self.cell.has_before(it.towards, cell, f32::from(it.degrees)))
    }
}

impl Member for Node {
    fn name(&self) -> (Word, &str) {
        (self.name, &self.text)
    }

    fn found(&self) -> Option<(Cell, Word)> {
        Some((self.cell, Word::NONE))
    }
}

impl Numbered for Node {
    fn handle(&self) -> EntityId {
        self.handle
    }
}
