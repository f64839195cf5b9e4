//! Why a world cannot be built so, and how that is told.

use crate::cell::Cell;

/// Why something cannot be part of a world.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
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
        /// The cell it stands in.
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
        /// The name of what has the need.
        of: String,
        /// Which thing or state.
        missing: String,
    },
    /// Two doors or windows in one cell.
    LinkTwice(String),
    /// Everything that can be reached from where this begins is taken.
    NoRoom(String),
    /// There are as many as there may be.
    TooMany(&'static str),
}

throng_base::error! { WorldError {
    Self::MapSize { width, height } =>
        "a map of {width} × {height} cells; 1 to 200 are possible each way";
    Self::Letter { letter, cell } =>
        "`{letter}` in column {}, row {} of the map; `#` is wall, `.` or blank floor, \
         a letter or digit a mark", cell.x + 1, cell.y + 1;
    Self::MarkTwice(letter) => "two cells of the map have the mark `{letter}`";
    Self::NoFloor(name) => "`{name}` is put into a wall or off the map";
    Self::NameTwice(name) => "there are two of the name `{name}`";
    Self::NoStates(name) => "`{name}` has no state; name at least one";
    Self::NeedUnknown { of, missing } =>
        "`{of}` needs `{missing}`, which is no thing or state declared before it";
    Self::LinkTwice(name) => "`{name}` is in the cell of another door or window";
    Self::NoRoom(name) => "`{name}` has no room: others stand wherever it could be";
    Self::TooMany(what) => "too many {what}";
} }
