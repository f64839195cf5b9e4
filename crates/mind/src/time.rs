//! Time as counted by the caller: ticks, and how many make a second.

use throng_base::codec_struct;

/// A moment, counted in ticks from the beginning.
pub type Tick = u32;

/// Never, for moments that do not come.
pub const NEVER: Tick = Tick::MAX;

/// How many ticks make a second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// At least one.
    pub ticks_per_second: u32,
}

codec_struct!(Pace { ticks_per_second });

impl Pace {
    /// Seconds as ticks, rounded to the nearest; nothing below zero, at most [`NEVER`].
    pub fn ticks(self, seconds: f64) -> Tick {
        let ticks = (seconds * f64::from(self.ticks_per_second.max(1))).round();
        // A cast saturates and turns what is no number into zero.
        ticks as Tick
    }

    /// Ticks as seconds.
    pub fn seconds(self, ticks: Tick) -> f64 {
        f64::from(ticks) / f64::from(self.ticks_per_second.max(1))
    }
}

/// A moment after another; [`NEVER`] if that is beyond the end of time.
pub fn after(now: Tick, ticks: Tick) -> Tick {
    now.saturating_add(ticks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn a_pace_comes_back() {
        comes_back::<Pace>(|trial, _| Pace { ticks_per_second: trial.any() });
    }
}
