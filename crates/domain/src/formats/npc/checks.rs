//! The context checks of one action, each once and without contradiction.

use super::syntax::ActionSyntax;
use crate::build::ModelBuilder;
use crate::diagnostics::Code;
use crate::model::{CheckId, CheckUse};
use crate::source::Span;
use std::collections::HashMap;

/// The checks of an action statement; `None`, with a report, if some cannot be had.
pub(super) fn checks(
    syntax: &ActionSyntax<'_>,
    builder: &mut ModelBuilder<'_>,
) -> Option<Vec<CheckUse>> {
    let mut uses = CheckUses::default();
    let mut complete = true;
    for word in &syntax.checks {
        let name = (word.name.text, word.name.span);
        complete &= uses.add(syntax.head.name.text, name, !word.negated, builder);
    }
    complete.then_some(uses.list)
}

/// The checks of one action, each once.
#[derive(Default)]
pub(crate) struct CheckUses {
    pub(crate) list: Vec<CheckUse>,
    seen: HashMap<CheckId, (bool, Span)>,
}

impl CheckUses {
    /// Adds a check; `false`, with a report, if it cannot be added.
    pub(crate) fn add(
        &mut self,
        action: &str,
        (name, span): (&str, Span),
        expected: bool,
        builder: &mut ModelBuilder<'_>,
    ) -> bool {
        let Some(check) = builder.check_named(name, span) else { return false };
        match self.seen.get(&check) {
            None => {
                self.seen.insert(check, (expected, span));
                self.list.push(CheckUse { check, expected });
                true
            }
            Some(&(first, _)) if first == expected => true,
            Some(&(_, first)) => {
                builder.report.say_also(
                    Code::ContradictoryCheck,
                    span,
                    (first, "the opposite is here"),
                    format!("`{action}` asks for `{name}` and for its opposite"),
                    "keep one: with both, the action could never run",
                );
                false
            }
        }
    }
}
