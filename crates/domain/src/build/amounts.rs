//! Costs, priorities and lengths, as texts write them.

use super::{ModelBuilder, Word};
use crate::diagnostics::Code;
use crate::number::{Cost, ParseCostError};

impl ModelBuilder {
    /// Reads a cost, if one is written: above zero, at most a million, at most three places.
    pub(crate) fn price(&mut self, word: Option<Word<'_>>) -> Option<Option<Cost>> {
        word.map_or(Some(None), |word| self.amount(word, "cost", Cost(1)).map(Some))
    }

    /// Reads the cost that a test expects of a plan: where nothing has to be done it is zero.
    pub(super) fn expected_cost(&mut self, word: Word<'_>) -> Option<Cost> {
        self.amount(word, "cost", Cost(0))
    }

    /// Reads a priority, 1 unless one is written: zero to a million, at most three places.
    pub(crate) fn priority(&mut self, word: Option<Word<'_>>) -> Option<Cost> {
        word.map_or(Some(Cost::ONE), |word| self.amount(word, "priority", Cost(0)))
    }

    fn amount(&mut self, word: Word<'_>, what: &str, least: Cost) -> Option<Cost> {
        let Word { text, span } = word;
        let (code, text, cure) = match Cost::parse(text) {
            Ok(amount) if amount >= least => return Some(amount),
            Err(ParseCostError::TooFine) => (
                Code::TooManyPlaces,
                format!("`{text}` has more than three places after the point"),
                "round it to three places: numbers are kept in thousandths, so that sums are exact",
            ),
            Err(ParseCostError::TooLarge) => (
                Code::NumberTooLarge,
                format!("the {what} `{text}` is above 1000000"),
                "use a smaller scale: only the proportions matter",
            ),
            _ if what == "cost" => (
                Code::CostNotPositive,
                format!("the cost `{text}` is not a number above zero"),
                "write a number above zero; what should be nearly free can cost `0.001`",
            ),
            _ => (
                Code::PriorityNotANumber,
                format!("the priority `{text}` is not a number from 0 to 1000000"),
                "write such a number; goals of higher priority are tried first",
            ),
        };
        self.report.say(code, span, text, cure);
        None
    }

    /// Reads the length that a test expects of a plan.
    pub(super) fn length(&mut self, Word { text, span }: Word<'_>) -> Option<u32> {
        let length = text.parse().ok();
        if length.is_none() {
            let cure = "write how many actions the plan has, as in `expect length 7`";
            let text = format!("`{text}` is no length of a plan");
            self.report.say(Code::NumberTooLarge, span, text, cure);
        }
        length
    }
}
