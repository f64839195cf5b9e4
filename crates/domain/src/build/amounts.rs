//! Costs, priorities and lengths, as texts write them.

use super::Word;
use crate::diagnostics::{Code, Report};
use crate::number::{Cost, ParseCostError};

/// Reads a cost: above zero, at most a million, at most three places.
pub(super) fn cost(Word { text, span }: Word<'_>, report: &mut Report) -> Option<Cost> {
    match Cost::parse(text) {
        Ok(Cost(0)) | Err(ParseCostError::Malformed) => report.say(
            Code::CostNotPositive,
            span,
            format!("the cost `{text}` is not a number above zero"),
            "write a number above zero; what should be nearly free can cost `0.001`",
        ),
        Ok(cost) => return Some(cost),
        Err(problem) => out_of_bounds(Word { text, span }, problem, "cost", report),
    }
    None
}

/// Reads the cost that a test expects of a plan: as [`cost`], but where nothing has to be done it
/// is zero.
pub(super) fn expected_cost(word: Word<'_>, report: &mut Report) -> Option<Cost> {
    Cost::parse(word.text).ok().or_else(|| cost(word, report))
}

/// Reads a priority: zero to a million, at most three places.
pub(crate) fn priority(Word { text, span }: Word<'_>, report: &mut Report) -> Option<Cost> {
    match Cost::parse(text) {
        Ok(priority) => return Some(priority),
        Err(ParseCostError::Malformed) => report.say(
            Code::PriorityNotANumber,
            span,
            format!("the priority `{text}` is not a number from 0 to 1000000"),
            "write such a number; goals of higher priority are tried first",
        ),
        Err(problem) => out_of_bounds(Word { text, span }, problem, "priority", report),
    }
    None
}

fn out_of_bounds(
    Word { text, span }: Word<'_>,
    problem: ParseCostError,
    what: &str,
    report: &mut Report,
) {
    match problem {
        ParseCostError::TooFine => report.say(
            Code::TooManyPlaces,
            span,
            format!("`{text}` has more than three places after the point"),
            "round it to three places: numbers are kept in thousandths, so that sums are exact",
        ),
        _ => report.say(
            Code::NumberTooLarge,
            span,
            format!("the {what} `{text}` is above 1000000"),
            "use a smaller scale: only the proportions matter",
        ),
    }
}

/// Reads the length that a test expects of a plan.
pub(super) fn length(Word { text, span }: Word<'_>, report: &mut Report) -> Option<u32> {
    let length = text.parse().ok();
    if length.is_none() {
        let cure = "write how many actions the plan has, as in `expect length 7`";
        report.say(Code::NumberTooLarge, span, format!("`{text}` is no length of a plan"), cure);
    }
    length
}
