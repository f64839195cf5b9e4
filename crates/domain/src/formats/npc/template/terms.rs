//! What a single word of a template means: a value, a parameter, a number.
//!
//! In:   a word, and the variable it stands beside.
//! Out:  a term or an operand; what it cannot be is reported with the cure.
//! Cost: a look-up.

use super::{Expansion, Operand, Term};
use crate::build::ModelBuilder;
use crate::diagnostics::Code;
use crate::formats::npc::syntax::{Arguments, Word};
use crate::model::VariableId;
use crate::names;
use crate::source::Span;

impl Expansion<'_> {
    pub(super) fn dimension_of(&self, name: &str) -> Option<usize> {
        self.parameters.get(name).copied()
    }

    pub(super) fn term(
        &self,
        variable: VariableId,
        word: Word<'_>,
        builder: &mut ModelBuilder,
    ) -> Option<Term> {
        if let Some(dimension) = self.dimension_of(word.text) {
            return Some(Term::Dimension(dimension));
        }
        if let Some(value) = builder.model.value_named(variable, word.text) {
            return Some(Term::Value(value));
        }
        if self.head_has_value(word.text) {
            let name = &builder.model[variable].name;
            builder.report.say(
                Code::UnknownValue,
                word.span,
                format!("`{name}` has no value `{}`, and it is no parameter either", word.text),
                format!(
                    "to make it a parameter, say whose values it takes: `{}({} in {name})`",
                    self.head.name.text, word.text
                ),
            );
            return None;
        }
        if builder.is_variable(word.text) {
            self.report_variable(variable, word, builder);
            return None;
        }
        builder.find_value(variable, word.text, word.span).map(Term::Value)
    }

    /// Whether the head has the word in parentheses, as in `go(place)`: probably a parameter
    /// that lacks its variable.
    fn head_has_value(&self, word: &str) -> bool {
        match &self.head.arguments {
            // No author writes more parameters than this; a hostile text might.
            Arguments::Values(values) => values.iter().take(16).any(|value| value.text == word),
            _ => false,
        }
    }

    /// Two variables side by side: a parameter has the value of both.
    fn report_variable(&self, variable: VariableId, word: Word<'_>, builder: &mut ModelBuilder) {
        let (name, other) = (self.head.name.text, word.text);
        if self.other_amount(variable, word, builder).is_some() {
            let text = format!("`{other}` is an amount, where a number should stand");
            let cure = "write the number: amounts can be compared with each other, \
                        but none is set to or counted by another";
            builder.report.say(Code::UnknownValue, word.span, text, cure);
            return;
        }
        let variable = &builder.model[variable].name;
        builder.report.say(
            Code::UnknownValue,
            word.span,
            format!("`{other}` is a variable, where a value of `{variable}` should stand"),
            format!(
                "give `{name}` a parameter: `{name}(any in {other})`; \
                 write `any` here, and `{other} = any` among its conditions"
            ),
        );
    }

    pub(super) fn number(
        &self,
        variable: VariableId,
        word: Word<'_>,
        builder: &mut ModelBuilder,
    ) -> Option<Operand> {
        if let Some(dimension) = self.dimension_of(word.text) {
            return Some(Operand::Term(Term::Dimension(dimension)));
        }
        let number = names::as_integer(word.text).map(Operand::Number);
        if number.is_none() && builder.is_variable(word.text) {
            self.report_variable(variable, word, builder);
        } else if number.is_none() {
            let text = format!("`{}` is not a whole number", word.text);
            let cure = "compare and count with whole numbers, as in `ammo >= 1` and `ammo -= 1`";
            builder.report.say(Code::BadInteger, word.span, text, cure);
        }
        number
    }

    /// `Some` if all values of the variable are numbers; reported if not.
    pub(super) fn needs_numbers(
        &self,
        variable: VariableId,
        sign: &str,
        span: Span,
        code: Code,
        builder: &mut ModelBuilder,
    ) -> Option<()> {
        let Some(values) = builder.model[variable].values().words() else { return Some(()) };
        let Some(word) = values.iter().find(|value| names::as_integer(value).is_none()) else {
            return Some(());
        };
        let name = &builder.model[variable].name;
        let text = format!("`{sign}` needs numbers, and `{name}` has values such as `{word}`");
        let cure = match code {
            Code::ComparesWords => format!(
                "compare words by `=` or `!=`, or give `{name}` numbers: `var {name}: 0..6`"
            ),
            _ => format!(
                "move it from word to word, as in `{name} {word} -> {}`, \
                 or give `{name}` numbers: `var {name}: 0..6`",
                values.iter().find(|value| *value != word).unwrap_or(word)
            ),
        };
        builder.report.say(code, span, text, cure);
        None
    }
}
