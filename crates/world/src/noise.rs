//! Noise: heard within its radius, walls or not.
//!
//! In:   where, how far, what, its maker.
//! Out:  what was heard of late, for sensors.
//! Cost: at most 256 are kept.

use crate::cell::Cell;
use throng_base::codec_struct;
use throng_mind::fact::EntityId;
use throng_mind::time::Tick;
use throng_mind::words::Word;

/// Something that could be heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Noise {
    /// Where it was made.
    pub cell: Cell,
    /// How far, in cells.
    pub radius: u16,
    /// What it was: `shot`, `blast`, `bang` …
    pub what: Word,
    /// Who made it; `None` if no actor did.
    pub source: Option<EntityId>,
    /// The tick in which it was made.
    pub at: Tick,
}

codec_struct!(Noise { cell, radius, what, source, at });

/// So many noises are kept at most; the oldest go first.
const MOST_NOISES: usize = 256;

/// What could be heard of late, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Noises(Vec<Noise>);

impl Noises {
    /// These, if they could be kept at this moment.
    pub(crate) fn of(noises: Vec<Noise>, now: Tick) -> Option<Noises> {
        let fits = noises.len() <= MOST_NOISES
            && noises.is_sorted_by_key(|noise| noise.at)
            && noises.iter().all(|noise| noise.at <= now);
        fits.then_some(Noises(noises))
    }

    pub(crate) fn all(&self) -> &[Noise] {
        &self.0
    }

    pub(crate) fn add(&mut self, noise: Noise) {
        if self.0.len() >= MOST_NOISES {
            self.0.remove(0);
        }
        self.0.push(noise);
    }

    /// Forgets what is older than so many ticks.
    pub(crate) fn forget(&mut self, now: Tick, kept: Tick) {
        let young = self.0.partition_point(|noise| now.saturating_sub(noise.at) > kept);
        self.0.drain(..young);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn noises_come_back() {
        comes_back::<Noise>(|trial, _| Noise {
            cell: trial.any(),
            radius: trial.any(),
            what: trial.any(),
            source: trial.any(),
            at: trial.any(),
        });
    }
}
