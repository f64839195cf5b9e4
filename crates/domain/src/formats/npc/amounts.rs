//! Costs and priorities in `.npc` text.

use super::syntax::Word;
use crate::build::ModelBuilder;
use crate::diagnostics::Code;
use crate::number::{Cost, ParseCostError};
use crate::source::Span;

/// Reads a cost: above zero, at most a million, at most three places.
pub(crate) fn cost(text: &str, span: Span, builder: &mut ModelBuilder<'_>) -> Option<Cost> {
    match Cost::parse(text) {
        Ok(Cost(0)) | Err(ParseCostError::Malformed) => builder.report.say(
            Code::CostNotPositive,
            span,
            format!("the cost `{text}` is not a number above zero"),
            "write a number above zero; what should be nearly free can cost `0.001`",
        ),
        Ok(cost) => return Some(cost),
        Err(problem) => not_a_number(text, span, problem, "cost", builder),
    }
    None
}

/// Reads the cost that a test expects of a plan: as [`cost`], but where nothing has to be done it
/// is zero.
pub(crate) fn expected_cost(
    text: &str,
    span: Span,
    builder: &mut ModelBuilder<'_>,
) -> Option<Cost> {
    match Cost::parse(text) {
        Ok(cost) => Some(cost),
        Err(_) => cost(text, span, builder),
    }
}

/// Reads a priority: zero to a million, at most three places.
pub(crate) fn priority(text: &str, span: Span, builder: &mut ModelBuilder<'_>) -> Option<Cost> {
    match Cost::parse(text) {
        Ok(priority) => return Some(priority),
        Err(ParseCostError::Malformed) => builder.report.say(
            Code::PriorityNotANumber,
            span,
            format!("the priority `{text}` is not a number from 0 to 1000000"),
            "write such a number; goals of higher priority are tried first",
        ),
        Err(problem) => not_a_number(text, span, problem, "priority", builder),
    }
    None
}

fn not_a_number(
    text: &str,
    span: Span,
    problem: ParseCostError,
    what: &str,
    builder: &mut ModelBuilder<'_>,
) {
    match problem {
        ParseCostError::TooFine => builder.report.say(
            Code::TooManyPlaces,
            span,
            format!("`{text}` has more than three places after the point"),
            "round it to three places: numbers are kept in thousandths, so that sums are exact",
        ),
        _ => builder.report.say(
            Code::NumberTooLarge,
            span,
            format!("the {what} `{text}` is above 1000000"),
            "use a smaller scale: only the proportions matter",
        ),
    }
}

/// Reads a small whole number, such as an expected length.
pub(crate) fn length(word: Word<'_>, builder: &mut ModelBuilder<'_>) -> Option<u32> {
    let length = word.text.parse().ok();
    if length.is_none() {
        builder.report.say(
            Code::NumberTooLarge,
            word.span,
            format!("`{}` is no length of a plan", word.text),
            "write how many actions the plan has, as in `expect length 7`",
        );
    }
    length
}
