//! Statements into declarations: the meaning of the `.npc` tree.
//!
//! In:   all statements of all files, order free.
//! Out:  declarations handed to the [`ModelBuilder`] in the order it wants them.
//! Cost: linear in the statements and in what templates become (`template.rs`).

use super::syntax::*;
use super::template;
use crate::build::{ModelBuilder, ValuesDraft, VariableDraft};
use crate::diagnostics::Code;
use crate::names;
use crate::source::Span;

/// Hands every statement to the builder, each kind after those that it speaks of.
pub(super) fn expand(statements: &[Statement<'_>], builder: &mut ModelBuilder) {
    macro_rules! each {
        ($($kind:ident($it:ident) => $declare:expr;)*) => {$(
            for statement in statements {
                if let Statement::$kind($it) = statement {
                    $declare;
                }
            }
        )*};
    }
    each! {
        Variable(it) => variable(it, builder);
        Action(it) => template::actions(it, builder);
        Compound(it) => builder.declare_compound(it);
        Goal(it) => template::goals(it, builder);
        Capability(it) => builder.declare_capability(it.name.text, &it.members, it.name.span);
        Prefer(it) => builder.declare_preference(&it.before, &it.after, it.span);
        Npc(it) => builder.declare_npc(it);
        Test(it) => test(it, builder);
        Note(note) => builder.add_note(note.clone());
    }
}

fn test(syntax: &TestSyntax<'_>, builder: &mut ModelBuilder) {
    let wanted = template::wanted(syntax.draft.name, &syntax.to, builder);
    builder.declare_test(&syntax.draft, wanted);
}

fn variable(syntax: &VariableSyntax<'_>, builder: &mut ModelBuilder) {
    if builder.is_full() {
        builder.add_broken(syntax.name.text);
        return;
    }
    let errors = builder.report.errors();
    let mut values = Vec::new();
    let mut amount = None;
    match &syntax.values[..] {
        [Values::Range { first, last }] => amount = range(first, last, builder),
        [Values::One(word)] if word.text == "bool" => {
            values.extend(["false", "true"].map(|value| (value.to_string(), word.span)));
        }
        several => {
            for entry in several {
                match entry {
                    Values::One(word) => values.extend(single_value(word, builder)),
                    Values::Range { first, last } => {
                        let span = first.span.to(last.span);
                        let numbers = range(first, last, builder).into_iter();
                        let numbers = numbers.flat_map(|(low, high)| low..=high);
                        values.extend(numbers.map(|number| (number.to_string(), span)));
                    }
                }
            }
        }
    }
    if builder.report.errors() > errors {
        builder.add_broken(syntax.name.text);
        return;
    }
    builder.declare_variable(VariableDraft {
        name: syntax.name.text.to_string(),
        values: match amount {
            Some((low, high)) => ValuesDraft::Range { low, high },
            None => ValuesDraft::Words(values),
        },
        shared: syntax.shared,
        was: syntax.was.clone(),
        span: syntax.name.span,
    });
}

fn single_value(word: &Word<'_>, builder: &mut ModelBuilder) -> Option<(String, Span)> {
    if names::is_npc_value(word.text) {
        return Some((word.text.to_string(), word.span));
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
