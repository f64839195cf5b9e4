//! Noise: heard within its radius, walls or not.
//!
//! In:   where, how far, what, by whom.
//! Out:  a stimulus for each mind in the radius, surer the nearer; and a list of what was heard
//!       of late, for sensors.
//! Cost: the actors near it.

use crate::cell::Cell;
use throng_mind::fact::Handle;
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// Something that could be heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Noise {
    /// Where.
    pub cell: Cell,
    /// How far, in cells.
    pub radius: u16,
    /// What it was: `shot`, `blast`, `bang` …
    pub what: Word,
    /// Who made it.
    pub source: Option<Handle>,
    /// When.
    pub at: Tick,
}
