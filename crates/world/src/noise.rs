//! Noise: heard within its radius, walls or not.
//!
//! In:   where, how far, what, by whom.
//! Out:  a stimulus for each mind in the radius, surer the nearer; and a list of what was heard
//!       of late, for sensors.
//! Cost: the actors near it.

use crate::cell::Cell;
use crate::world::World;
use throng_mind::fact::EntityId;
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
    pub source: Option<EntityId>,
    /// When.
    pub at: Tick,
}

/// So many noises are kept at most; the oldest go first.
pub(crate) const MOST_NOISES: usize = 256;

impl World {
    /// Something that can be heard.
    pub fn make_noise(&mut self, cell: Cell, radius: u16, what: Word, source: Option<EntityId>) {
        let noise = Noise { cell, radius, what, source, at: self.now };
        if self.noises.len() >= MOST_NOISES {
            self.noises.remove(0);
        }
        self.noises.push(noise);
        self.tell_of_noise(&noise);
    }

    pub(crate) fn forget_noises(&mut self) {
        let (now, kept) = (self.now, self.rules.noise_kept);
        let is_old = |noise: &Noise| now.saturating_sub(noise.at) > kept;
        if self.noises.first().is_some_and(is_old) {
            self.noises.retain(|noise| !is_old(noise));
        }
    }
}
