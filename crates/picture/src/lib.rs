//! Pictures for people, with their numbers beside them: curves, bars, rows.
//!
//! In:   points, heights, names.
//! Out:  SVG, and the same as CSV.
//! Cost: a few milliseconds.
#![forbid(unsafe_code)]

mod draw;
pub mod figure;
pub mod rows;

use plotters::drawing::DrawingAreaErrorKind;
use std::error::Error;
use std::fmt;

/// Why a picture cannot be drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawError(String);

/// What the plotter says.
impl<E: Error + Send + Sync> From<DrawingAreaErrorKind<E>> for DrawError {
    fn from(error: DrawingAreaErrorKind<E>) -> DrawError {
        DrawError(error.to_string())
    }
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for DrawError {}

/// Four digits of a number. What is not a number at all becomes 0: JSON has no word for it.
pub fn rounded(number: f64) -> f64 {
    if !number.is_finite() || number == 0.0 {
        return 0.0;
    }
    let scale = 10f64.powi(3 - number.abs().log10().floor() as i32);
    // A scale below one would bring digits back that the division had taken away.
    if scale >= 1.0 { (number * scale).round() / scale } else { number.round() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_four_digits() {
        let all = [12.3456, 0.000_123_456, 123_456.7, 0.0, f64::NAN].map(rounded);
        assert_eq!(all, [12.35, 0.000_123_5, 123_457.0, 0.0, 0.0]);
    }
}
