//! The functions of a task, and numbers: what actions cost, what is counted.
//!
//! In:   `(:functions …)`, uses, and the words of numbers.
//! Out:  numbers for names, costs in thousandths; a report of what is unknown or no cost.
//! Cost: a hash lookup per use.

use super::notes::Notes;
use super::predicates::{signature, some_arguments};
use super::tree::Form;
use super::typed::groups;
use super::types::Types;
use crate::lifted::{Action, CostTerm, Function, FunctionId};
use std::collections::{HashMap, HashSet};
use throng_domain::number::ParseCostError;
use throng_domain::{Code, Cost, Span};

/// The functions so far.
#[derive(Default)]
pub(super) struct Functions<'t> {
    pub(super) list: Vec<Function>,
    numbers: HashMap<&'t str, FunctionId>,
    spans: Vec<Span>,
    /// Those that are added to the cost of some action.
    pub(super) costs: HashSet<FunctionId>,
}

impl<'t> Functions<'t> {
    /// `(:functions …)`.
    pub(super) fn read(&mut self, section: Form<'t>, types: &Types<'t>, notes: &mut Notes<'t>) {
        for group in groups(section.rest(), notes) {
            if let Some(other) = group.types.iter().find(|of| of.name != Some("number")) {
                notes.refuse(Code::PddlObjectFluent, other.form, "only numbers may be values");
            }
            for form in group.names {
                let Some((name, arguments)) = signature(form, "a function", types, notes) else {
                    continue;
                };
                let (n_known, span) = (self.list.len(), form.span());
                if let Some(&known) = self.numbers.get(name) {
                    let text = format!("function `{name}` is declared twice");
                    let (first, cure) = (self.spans[known.index()], "remove one of the two");
                    notes.report.say_twice(Code::PddlPredicateTwice, span, first, text, cure);
                } else if notes.has_room_for_another(n_known, "functions", span) {
                    self.numbers.insert(name, FunctionId(n_known as u32));
                    self.spans.push(span);
                    let name = name.to_string();
                    self.list.push(Function { name, arguments, is_number: false });
                }
            }
        }
    }

    /// Whether a function has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.numbers.contains_key(name)
    }

    /// The function of a name with so many arguments.
    pub(super) fn find(
        &self,
        form: Form<'t>,
        name: &'t str,
        notes: &mut Notes<'t>,
    ) -> Option<FunctionId> {
        let n_arguments = form.rest().count();
        let code = Code::PddlUnknownFunction;
        let Some(&known) = self.numbers.get(name) else {
            if notes.is_first(code, name) {
                let names = self.list.iter().map(|known| &known.name[..]);
                let nearest = notes.report.nearest(name, names);
                let arguments = some_arguments(n_arguments);
                let declare = format!("declare it: `(:functions ({name}{arguments}) - number)`");
                notes.unknown((code, "function"), (form.head_span(), name), nearest, declare);
            }
            return None;
        };
        let declared = self.list[known.index()].arguments.len();
        if declared == n_arguments {
            return Some(known);
        }
        let text = format!("`{name}` has {declared} arguments, here {n_arguments}");
        let also = (self.spans[known.index()], "declared here");
        let cure = "write as many as declared, or correct the declaration";
        notes.report.say_also(Code::PddlWrongCount, form.span(), also, text, cure);
        None
    }
}

/// Reports actions that cost a number that changes.
pub(super) fn check_costs(actions: &[Action], functions: &Functions<'_>, notes: &mut Notes<'_>) {
    let changes = actions.iter().flat_map(|action| &action.changes);
    let changing: HashSet<FunctionId> = changes.map(|change| change.function).collect();
    for action in actions {
        let moving = action.cost.iter().find_map(|cost| match cost {
            CostTerm::Function(function, _) => changing.get(function),
            CostTerm::Number(_) => None,
        });
        if let Some(function) = moving {
            let (name, of) = (&functions.list[function.index()].name, &action.name);
            let text = format!("`{of}` costs `{name}`, which changes");
            let cure = "let it cost a number, or a function that no action changes";
            notes.report.say(Code::PddlCost, action.span, text, cure);
        }
    }
}

/// A cost: zero or more, at most [`Cost::MAX`].
pub(super) fn number<'t>(form: Form<'t>, notes: &mut Notes<'t>) -> Option<Cost> {
    let word = form.word().unwrap_or_default();
    let (code, text, cure) = match Cost::parse(word) {
        Ok(number) => return Some(number),
        Err(ParseCostError::TooLarge) => {
            let text = format!("{word} is more than {}, the largest cost", Cost::MAX);
            (Code::NumberTooLarge, text, "divide all costs by the same number")
        }
        Err(ParseCostError::TooFine) => {
            let text = format!("{word} has more than three places after the point");
            (Code::TooManyPlaces, text, "round it, or multiply all costs by the same number")
        }
        Err(ParseCostError::Malformed) => {
            let text = match word.parse::<f64>() {
                Ok(number) if number < 0.0 => format!("the cost {word} is below zero"),
                _ => format!("`{}` is no cost", form.written()),
            };
            (Code::PddlCost, text, "write a number of zero or more, such as `3` or `0.5`")
        }
    };
    notes.report.say(code, form.span(), text, cure);
    None
}

/// Larger numbers are not counted with; sums of as many as there can be steps fit into 64 bits.
pub(super) const LARGEST: i64 = 1_000_000_000;

/// A whole number, of either sign; a point is followed by zeros.
pub(super) fn whole(word: &str) -> Option<i64> {
    let digits = match word.split_once('.') {
        Some((digits, places)) if places.bytes().all(|byte| byte == b'0') => digits,
        Some(_) => return None,
        None => word,
    };
    // As long as a number of at most [`LARGEST`] can be, so that it never overflows.
    digits.parse().ok().filter(|number| (-LARGEST..=LARGEST).contains(number))
}

/// A whole number that is counted with; `None` after a mistake.
pub(super) fn whole_number<'t>(form: Form<'t>, notes: &mut Notes<'t>) -> Option<i64> {
    let word = form.word().unwrap_or_default();
    let number = whole(word);
    if number.is_none() {
        let (code, text, cure) = match word.parse::<f64>() {
            Ok(number) if number.abs() > LARGEST as f64 => {
                let text = format!("{word} is beyond {LARGEST}, the largest number");
                (Code::NumberTooLarge, text, "count in a larger unit, such as hundreds")
            }
            Ok(number) if number.is_finite() => {
                let text = format!("{word} is no whole number");
                (Code::BadInteger, text, "count in a smaller unit, such as tenths")
            }
            _ => {
                let text = format!("a number is expected here, not `{}`", form.written());
                (Code::BadInteger, text, "write a whole number such as `5`")
            }
        };
        notes.report.say(code, form.span(), text, cure);
    }
    number
}
