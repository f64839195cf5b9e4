//! Amounts in the module: a number with its ends instead of a name for each value.
//!
//! In:   the model and its identifiers.
//! Out:  a type for each amount; what facts, rows and goals say about numbers.
//! Cost: linear in the model; nothing depends on how wide a range is.
//!
//! A module of a domain in which nothing counts has none of it.

use super::layout::{Item, Page, in_comment, quoted};
use super::names::{DERIVED, matching};
use super::{GENERATED, Names};
use crate::amounts::ShiftEnd;
use crate::model::{Comparison, Model, Range, Shift, VariableId};

/// Whether rows have anything to say about amounts, or of words of which several will do.
pub(super) fn has_amounts(model: &Model) -> bool {
    model.variables().iter().any(|variable| variable.values().ends().is_some())
        || model.actions().iter().any(|action| action.counts())
        || model.goals().iter().any(|goal| !goal.ranges().is_empty())
}

/// The least type that holds every number of a range.
fn holder((low, high): (i64, i64)) -> &'static str {
    match (u16::try_from(low), u16::try_from(high), i32::try_from(low), i32::try_from(high)) {
        (Ok(_), Ok(_), ..) => "u16",
        (_, _, Ok(_), Ok(_)) => "i32",
        _ => "i64",
    }
}

/// The type of an amount's values.
pub(super) fn write(name: &str, type_name: &str, (low, high): (i64, i64), page: &mut Page) {
    let holder = holder((low, high));
    let comment = format!("A value of {}: a number from {low} to {high}.", in_comment(name));
    let mut item = Item::new(&[&comment], &[GENERATED, DERIVED]);
    item.line(0, &format!("pub struct {type_name}({holder});"));
    page.item(item);

    let mut item = Item::new(&[], &[GENERATED]);
    item.line(0, &format!("impl {type_name} {{"));
    item.line(1, "/// The least number.");
    item.line(1, &format!("pub const MIN: i64 = {low};"));
    item.line(1, "/// The greatest number.");
    item.line(1, &format!("pub const MAX: i64 = {high};"));
    item.method(
        "The value that is this number; `None` if it is outside the range.",
        "const fn new(number: i64) -> Option<Self>",
        &[
            "if Self::MIN <= number && number <= Self::MAX {".to_string(),
            match holder {
                "i64" => "    Some(Self(number))".to_string(),
                _ => format!("    Some(Self(number as {holder}))"),
            },
            "} else {".to_string(),
            "    None".to_string(),
            "}".to_string(),
        ],
    );
    let number = if holder == "i64" { "self.0" } else { "self.0 as i64" };
    item.method("The number that it is.", "const fn number(self) -> i64", &[number]);
    item.method(
        "Its own number: the index of Throng's id.",
        "const fn index(self) -> usize",
        &["(self.number() - Self::MIN) as usize"],
    );
    item.method(
        "The one of this index.",
        "const fn from_index(index: usize) -> Option<Self>",
        &[
            "if index <= (Self::MAX - Self::MIN) as usize {",
            "    Self::new(Self::MIN + index as i64)",
            "} else {",
            "    None",
            "}",
        ],
    );
    item.line(0, "}");
    page.item(item);
}

/// What a fact says of its value, in a module with amounts: the name of a word, the number of an
/// amount.
pub(super) fn write_numbers<'n>(
    model: &Model,
    made: &Names,
    name_of: &dyn Fn(&str) -> &'n str,
    item: &mut Item,
) {
    let each = || made.variables.iter().zip(&made.value_types).zip(model.variables());
    let is_amount = |variable: &crate::model::Variable| variable.values().ends().is_some();
    let names = each().map(|((it, of), variable)| match is_amount(variable) {
        true => format!("Self::{it}(_) => None,"),
        false => format!("Self::{it}(value) => Some({}),", name_of(of)),
    });
    item.method(
        "The name of the value; `None` if it is an amount.",
        "const fn value_name(self) -> Option<&'static str>",
        &matching("self", names),
    );
    let numbers = each().map(|((it, of), variable)| match (is_amount(variable), of.as_str()) {
        (true, _) => format!("Self::{it}(value) => value.number(),"),
        (false, "bool") => format!("Self::{it}(value) => value as i64,"),
        (false, _) => format!("Self::{it}(value) => value.index() as i64,"),
    });
    item.method(
        "The number of an amount; of another value its index. Ranges and shifts speak of these.",
        "const fn number(self) -> i64",
        &matching("self", numbers),
    );
}

impl Names {
    fn variable(&self, variable: VariableId) -> String {
        format!("Variable::{}", self.variables[variable.index()])
    }

    /// `(Variable::Hp, &[(50, 100)])`.
    pub(super) fn ranges(&self, model: &Model, ranges: &[Range]) -> Vec<String> {
        let range = |range: &Range| {
            let low = low_of(model, range.variable);
            let runs = range.values.runs().iter();
            let runs =
                runs.map(|run| format!("({}, {})", low + i64::from(run.0), low + i64::from(run.1)));
            let runs: Vec<String> = runs.collect();
            format!("({}, &[{}])", self.variable(range.variable), runs.join(", "))
        };
        ranges.iter().map(range).collect()
    }

    /// `(Variable::Gold, ">=", Variable::Price)`.
    pub(super) fn compared(&self, comparisons: &[Comparison]) -> Vec<String> {
        let compared = |it: &Comparison| {
            let (left, right) = (self.variable(it.variable), self.variable(it.other));
            format!("({left}, {}, {right})", quoted(it.relation.sign()))
        };
        comparisons.iter().map(compared).collect()
    }

    /// `(Variable::Hp, 10, Some(100))`.
    pub(super) fn shifts(&self, model: &Model, shifts: &[Shift]) -> Vec<String> {
        let shift = |shift: &Shift| {
            let stop = match shift.by.end {
                ShiftEnd::Refuse => "None".to_string(),
                ShiftEnd::Stop(at) => {
                    format!("Some({})", low_of(model, shift.variable) + i64::from(at))
                }
            };
            format!("({}, {}, {stop})", self.variable(shift.variable), shift.by.by)
        };
        shifts.iter().map(shift).collect()
    }
}

/// The number of the first value; of words, none.
fn low_of(model: &Model, variable: VariableId) -> i64 {
    model[variable].values().ends().map_or(0, |ends| ends.0)
}
