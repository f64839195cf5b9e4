//! What holds at a moment: a word or a number for every known variable.
//!
//! In:   facts of the model, values by name.
//! Out:  [`Value`]s that compare by what they say.
//! Cost: none to speak of; a number is a number, not the name of one.

use std::collections::HashMap;
use std::fmt;
use throng_domain::model::Variable;
use throng_domain::{Fact, Model};

/// The value of every known variable, by name.
pub(crate) type State<'m> = HashMap<&'m str, Value<'m>>;

/// A value as the designer thinks of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value<'m> {
    /// Of a variable that lists its values.
    Word(&'m str),
    /// Of an amount.
    Number(i64),
}

impl<'m> Value<'m> {
    /// The variable of a fact, by name, and its value.
    pub(crate) fn of_fact(model: &'m Model, fact: Fact) -> (&'m str, Value<'m>) {
        let variable = &model[fact.variable];
        (variable.name(), Value::at(variable, fact.value.index()))
    }

    /// The value at a position among those of a variable.
    pub(crate) fn at(variable: &'m Variable, position: usize) -> Value<'m> {
        match variable.values().ends() {
            Some((low, _)) => Value::Number(low.saturating_add_unsigned(position as u64)),
            None => Value::Word(variable.values().get(position).map_or("", String::as_str)),
        }
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Word(word) => f.write_str(word),
            Value::Number(number) => number.fmt(f),
        }
    }
}

/// A value of a variable by name: of an amount, a plain number within its range.
pub(crate) fn read<'m>(variable: &'m Variable, name: &str) -> Option<Value<'m>> {
    let Some((low, high)) = variable.values().ends() else {
        return variable.values().iter().find(|known| *known == name).map(|word| Value::Word(word));
    };
    let number: i64 = name.parse().ok()?;
    // As numbers are written: no `+3`, no `007`.
    let is_plain = number.to_string() == name;
    (is_plain && low <= number && number <= high).then_some(Value::Number(number))
}
