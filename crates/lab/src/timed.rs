//! Several turns of the same work: the fastest, which counts, and how far it can be trusted.
//!
//! In:   what each turn took.
//! Out:  the fastest and the middle one.

use std::ops::Div;

/// What the turns of a piece of work took, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Timed {
    /// The fastest turn: the one that the machine disturbed least, and the one that counts.
    pub fastest: f64,
    /// The turn in the middle; no number where there were no turns.
    pub median: f64,
}

impl Timed {
    /// The fastest and the middle one of some turns.
    pub fn of(mut turns: Vec<f64>) -> Timed {
        turns.sort_unstable_by(f64::total_cmp);
        let turn = |at: usize| turns.get(at).copied().unwrap_or(f64::INFINITY);
        Timed { fastest: turn(0), median: turn(turns.len() / 2) }
    }

    /// How much more the turn in the middle took, as a share of the fastest: how far the figure
    /// can be trusted. `None` where there were no turns.
    pub fn spread(self) -> Option<f64> {
        let spread = self.median / self.fastest - 1.0;
        spread.is_finite().then_some(spread)
    }
}

impl From<f64> for Timed {
    /// A figure without turns.
    fn from(figure: f64) -> Timed {
        Timed { fastest: figure, median: f64::NAN }
    }
}

impl Div<f64> for Timed {
    type Output = Timed;

    /// In another unit, or of one of many pieces.
    fn div(self, by: f64) -> Timed {
        Timed { fastest: self.fastest / by, median: self.median / by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_how_much_longer_the_middle_took() {
        let timed = Timed::of(vec![5.0, 4.0, 9.0]);
        assert_eq!((timed.fastest, timed.median, timed.spread()), (4.0, 5.0, Some(0.25)));
        assert_eq!((timed / 2.0).spread(), Some(0.25));
        assert_eq!(Timed::from(3.0).spread(), None);
        assert_eq!(Timed::of(Vec::new()).spread(), None);
    }
}
