//! `var` statements into declarations: values, groups of values, and one variable for each value
//! of a parameter.
//!
//! In:   a statement; selects, and of a template the variables before it, are declared.
//! Out:  declarations for the builder.
//! Cost: linear in the values.

use super::syntax::*;
use super::template;
use crate::build::{GroupDraft, ModelBuilder, ValuesDraft, VariableDraft};
use crate::diagnostics::Code;
use crate::names;
use crate::source::Span;
use std::borrow::Cow;
use std::ops::Range;

/// Declares what a statement without parameters says.
pub(super) fn plain(syntax: &VariableSyntax<'_>, builder: &mut ModelBuilder) {
    let name = match &syntax.head.arguments {
        Arguments::Parameters(_) => return,
        Arguments::None => syntax.head.name.text.to_string(),
        Arguments::Values(values) => {
            let words: Vec<&str> = values.iter().map(|word| word.text).collect();
            format!("{}({})", syntax.head.name.text, words.join(" "))
        }
    };
    declare(syntax, &[(name, String::new())], builder);
}

/// Declares the variables of a statement with a parameter, one for each of its values.
pub(super) fn templates(syntax: &VariableSyntax<'_>, builder: &mut ModelBuilder) {
    let Arguments::Parameters(parameters) = &syntax.head.arguments else { return };
    let base = syntax.head.name.text;
    if let [_, second, ..] = &parameters[..] {
        let text = format!("`{base}` has more than one parameter");
        let cure = format!("a variable is about one thing, as in `var {base}(p in prop): bool`");
        builder.report.say(Code::Expected, second.name.span, text, cure);
        builder.add_broken(base);
        return;
    }
    let Some(values) = template::values_of_parameter(&syntax.head, builder) else {
        builder.add_broken(base);
        return;
    };
    let suffixes = values.into_iter().map(|value| format!("({value})"));
    let names: Vec<_> = suffixes.map(|suffix| (format!("{base}{suffix}"), suffix)).collect();
    declare(syntax, &names, builder);
}

/// Declares variables that differ in their names alone; of each, how its former names end.
fn declare(syntax: &VariableSyntax<'_>, names: &[(String, String)], builder: &mut ModelBuilder) {
    let base = syntax.head.name.text;
    let errors = builder.report.errors();
    for (name, suffix) in names {
        if builder.is_full() {
            builder.add_broken(base);
            return;
        }
        let (values, groups) = values(&syntax.values, builder);
        if builder.report.errors() > errors {
            builder.add_broken(base);
            return;
        }
        builder.declare_variable(VariableDraft {
            name: name.clone(),
            values,
            groups,
            shared: syntax.shared,
            was: template::with_suffix(&syntax.was, suffix),
            span: syntax.head.span,
        });
    }
}

/// The values that are written, and which of them came as a group.
fn values<'t>(
    entries: &[Values<'t>],
    builder: &mut ModelBuilder,
) -> (ValuesDraft<'t>, Vec<GroupDraft>) {
    let mut values = Vec::with_capacity(entries.len());
    let mut groups = Vec::new();
    match entries {
        [Values::Range { first, last }] => {
            let (low, high) = range(first, last, builder).unwrap_or_default();
            return (ValuesDraft::Range { low, high }, groups);
        }
        [Values::One(word)] if word.text == "bool" => {
            values.extend(["false", "true"].map(|value| (value.into(), word.span)));
        }
        several => {
            for entry in several {
                match entry {
                    Values::One(word) => values.extend(single_value(word, builder)),
                    Values::Any(word) => {
                        let first = values.len();
                        let Some(names) = builder.members(*word) else { continue };
                        values.extend(names.into_iter().map(|name| (name.into(), word.span)));
                        let of = Range { start: first, end: values.len() };
                        groups.push(GroupDraft { name: word.text.to_string(), of });
                    }
                    Values::Range { first, last } => {
                        let span = first.span.to(last.span);
                        let numbers = range(first, last, builder).into_iter();
                        let numbers = numbers.flat_map(|(low, high)| low..=high);
                        values.extend(numbers.map(|number| (number.to_string().into(), span)));
                    }
                }
            }
        }
    }
    (ValuesDraft::Words(values), groups)
}

fn single_value<'t>(word: &Word<'t>, builder: &mut ModelBuilder) -> Option<(Cow<'t, str>, Span)> {
    if names::is_npc_value(word.text) {
        return Some((word.text.into(), word.span));
    }
    let text = format!("`{}` is not how a whole number is written", word.text);
    let cure = "write whole numbers without leading zeros and with at most fifteen digits";
    builder.report.say(Code::BadInteger, word.span, text, cure);
    None
}

/// The ends of a range; `None`, with a report, if it is none.
fn range(first: &Word<'_>, last: &Word<'_>, builder: &mut ModelBuilder) -> Option<(i64, i64)> {
    let span = first.span.to(last.span);
    if let (Some(low), Some(high)) = (names::as_integer(first.text), names::as_integer(last.text)) {
        return builder.range(low, high, span);
    }
    let long = |word: &Word<'_>| word.text.trim_start_matches('-').len() > 15;
    let cure = match long(first) || long(last) {
        true => "use smaller numbers: they have at most fifteen digits",
        false => "write two whole numbers without leading zeros, as in `var ammo: 0..6`",
    };
    let text = format!("`{}..{}` is no range of whole numbers", first.text, last.text);
    builder.report.say(Code::BadInteger, span, text, cure);
    None
}
