//! Why a world cannot be built so, and how that is told.

use crate::cell::Cell;
use std::fmt;

/// Why something cannot be part of a world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorldError {
    /// The map is empty or longer than 200 cells.
    MapSize {
        /// Cells from left to right.
        width: usize,
        /// Cells from top to bottom.
        height: usize,
    },
    /// This means nothing in a map.
    Letter {
        /// What stands there.
        letter: char,
        /// Where.
        cell: Cell,
    },
    /// Two cells have this mark.
    MarkTwice(char),
    /// This lies in a wall or outside.
    NoFloor(String),
    /// Another has this name.
    NameTwice(String),
    /// A thing needs at least one state.
    NoStates(String),
    /// Something needs a thing, or a state of a thing, that there is not.
    NeedUnknown {
        /// Whose need.
        of: String,
        /// Which thing or state.
        missing: String,
    },
    /// Two doors or windows in one cell.
    LinkTwice(String),
    /// There are as many as there may be.
    TooMany(&'static str),
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorldError::MapSize { width, height } => {
                write!(f, "a map of {width} × {height} cells; 1 to 200 are possible each way")
            }
            WorldError::Letter { letter, cell } => write!(
                f,
                "`{letter}` in column {}, row {} of the map; `#` is wall, `.` or blank floor, \
                 a letter or digit a mark",
                cell.x + 1,
                cell.y + 1
            ),
            WorldError::MarkTwice(letter) => {
                write!(f, "two cells of the map have the mark `{letter}`")
            }
            WorldError::NoFloor(name) => write!(f, "`{name}` is put into a wall or off the map"),
            WorldError::NameTwice(name) => write!(f, "there are two of the name `{name}`"),
            WorldError::NoStates(name) => write!(f, "`{name}` has no state; name at least one"),
            WorldError::NeedUnknown { of, missing } => {
                write!(f, "`{of}` needs `{missing}`, which is no thing or state declared before it")
            }
            WorldError::LinkTwice(name) => {
                write!(f, "`{name}` is in the cell of another door or window")
            }
            WorldError::TooMany(what) => write!(f, "too many {what}"),
        }
    }
}

impl std::error::Error for WorldError {}
