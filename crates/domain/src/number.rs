//! Exact decimal numbers with three places: costs and priorities.
//!
//! Kept as whole thousandths so that sums are exact and equal costs compare equal; floating
//! point would let two plans of the same price differ by a rounding.

use std::fmt;

/// A decimal number in thousandths: `2.5` is `Cost(2500)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cost(pub u64);

/// Why a text is not a cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseCostError {
    /// Not a plain decimal number.
    Malformed,
    /// More than three places after the point.
    TooFine,
    /// Above [`Cost::MAX`].
    TooLarge,
}

impl Cost {
    /// 1, the cost of an action that names none.
    pub const ONE: Cost = Cost(1000);
    /// 10⁶, the largest cost and priority.
    pub const MAX: Cost = Cost(1_000_000_000);

    /// Reads `12`, `0.5`, `1.250`; a JSON exponent (`1e3`) is understood too.
    ///
    /// # Errors
    ///
    /// If it is no decimal number, finer than thousandths, or above [`Cost::MAX`].
    pub fn parse(text: &str) -> Result<Cost, ParseCostError> {
        match Cost::of_few_digits(text) {
            Some(cost) => Ok(cost),
            None => Cost::parse_any(text),
        }
    }

    /// Most numbers are short: up to six digits, and up to three behind a point.
    fn of_few_digits(text: &str) -> Option<Cost> {
        let bytes = text.as_bytes();
        let (mut thousandths, mut point) = (0, None);
        for (at, &byte) in bytes.iter().enumerate() {
            match byte {
                b'0'..=b'9' => thousandths = thousandths * 10 + u64::from(byte - b'0'),
                b'.' if point.is_none() => point = Some(at),
                _ => return None,
            }
            if at > 9 {
                return None;
            }
        }
        let whole = point.unwrap_or(bytes.len());
        let places = point.map_or(0, |point| bytes.len() - point - 1);
        let is_short = matches!(whole, 1..=6) && (point.is_none() || matches!(places, 1..=3));
        is_short.then(|| Cost(thousandths * [1000, 100, 10, 1][places]))
    }

    /// The same of any text.
    fn parse_any(text: &str) -> Result<Cost, ParseCostError> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()),
            None => (text, Some(0)),
        };
        let exponent = exponent.ok_or(ParseCostError::Malformed)?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let dot_without_digits = mantissa.contains('.') && fraction.is_empty();
        if whole.is_empty() || dot_without_digits || !all_digits(whole) || !all_digits(fraction) {
            return Err(ParseCostError::Malformed);
        }
        let digits = format!("{whole}{fraction}");
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Ok(Cost(0));
        }
        // The value is digits × 10^shift thousandths.
        let places = i32::try_from(fraction.len()).map_err(|_| ParseCostError::TooFine)?;
        let shift = exponent.saturating_sub(places).saturating_add(3);
        let trimmed = digits.trim_end_matches('0');
        let dropped = i32::try_from(digits.len() - trimmed.len()).unwrap_or(i32::MAX);
        let shift = shift.saturating_add(dropped);
        if shift < 0 {
            return Err(ParseCostError::TooFine);
        }
        if trimmed.len() + shift as usize > 10 {
            return Err(ParseCostError::TooLarge);
        }
        let value: u64 = trimmed.parse().map_err(|_| ParseCostError::Malformed)?;
        let value = value * 10u64.pow(shift as u32);
        if value > Cost::MAX.0 { Err(ParseCostError::TooLarge) } else { Ok(Cost(value)) }
    }

    /// Whether it is a whole number.
    pub fn is_whole(self) -> bool {
        self.0.is_multiple_of(1000)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1000, self.0 % 1000);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let places = format!("{rest:03}");
        write!(f, "{whole}.{}", places.trim_end_matches('0'))
    }
}

/// The plain digits of a number as other languages write it: `1000` for `1e3`, `1_000`, `1,000` and
/// `1k`, `2.5` for `2.5f`; `None` of anything else.
pub fn plain_number(word: &str) -> Option<String> {
    let is_plain = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
            && text.matches('.').count() <= 1
    };
    let shifted = |number: &str, zeros: usize| {
        let (whole, places) = number.split_once('.').unwrap_or((number, ""));
        let places = places.trim_end_matches('0');
        let zeros = zeros.checked_sub(places.len())?;
        Some(format!("{whole}{places}{}", "0".repeat(zeros))).filter(|_| is_plain(number))
    };
    if let Some((number, power)) = word.split_once(['e', 'E']) {
        let power = power.strip_prefix('+').unwrap_or(power);
        return shifted(number, power.parse().ok().filter(|&zeros| zeros <= 12)?);
    }
    if let Some(thousands) = word.strip_suffix(['k', 'K']) {
        return shifted(thousands, 3);
    }
    let joined = word.replace(['_', ',', '\''], "");
    if joined.len() < word.len() && is_plain(&joined) {
        return Some(joined);
    }
    // A unit behind a number.
    let units = ["sec", "min", "ms", "px", "mb", "MB", "f", "s", "h", "m", "x", "%"];
    let number = units.iter().find_map(|unit| word.strip_suffix(unit))?;
    is_plain(number).then(|| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_other_languages_have_plain_digits() {
        for (word, plain) in [
            ("1e3", Some("1000")),
            ("1e6", Some("1000000")),
            ("2.5e1", Some("25")),
            ("1.25e1", None),
            ("1_000", Some("1000")),
            ("1,000,000", Some("1000000")),
            ("10k", Some("10000")),
            ("2.5f", Some("2.5")),
            ("10s", Some("10")),
            ("1e99", None),
            ("3rd", None),
            ("e3", None),
            ("k", None),
            ("x", None),
            ("1.2.3", None),
            ("12", None),
        ] {
            assert_eq!(plain_number(word).as_deref(), plain, "{word}");
        }
    }

    #[test]
    fn decimals_are_exact_and_print_as_written() {
        for text in ["1", "0.001", "2.5", "1000000", "0.125", "999999.999", "10"] {
            assert_eq!(Cost::parse(text).map(|m| m.to_string()), Ok(text.to_string()));
        }
        assert_eq!(Cost::parse("1.500"), Ok(Cost(1500)));
        assert_eq!(Cost::parse("1e3"), Ok(Cost(1_000_000)));
        assert_eq!(Cost::parse("15e-1"), Ok(Cost(1500)));
    }

    #[test]
    fn few_digits_are_read_like_any() {
        let parts = ["", "0", "00", "1", "12", "120", "999999", "1000000", "01", "x"];
        for text in parts.iter().flat_map(|whole| {
            let points = parts.iter().map(move |places| format!("{whole}.{places}"));
            points.chain([whole.to_string()])
        }) {
            assert_eq!(Cost::parse(&text), Cost::parse_any(&text), "{text}");
        }
    }

    #[test]
    fn what_is_no_cost_is_refused_with_its_kind() {
        assert_eq!(Cost::parse("1.0005"), Err(ParseCostError::TooFine));
        assert_eq!(Cost::parse("1000000.001"), Err(ParseCostError::TooLarge));
        assert_eq!(Cost::parse("99999999999999999999"), Err(ParseCostError::TooLarge));
        assert_eq!(Cost::parse("1e999999999"), Err(ParseCostError::TooLarge));
        for text in ["", "-1", "1.", ".5", "1,5", "NaN", "1e", "0x10", "+1"] {
            assert_eq!(Cost::parse(text), Err(ParseCostError::Malformed), "{text}");
        }
    }
}
