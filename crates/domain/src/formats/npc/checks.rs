//! The context checks of one action, each once and without contradiction.

use super::amounts;
use super::syntax::{CheckWord, KindSyntax};
use crate::build::ModelBuilder;
use crate::diagnostics::Code;
use crate::model::{ActionKind, CheckId, CheckUse};
use crate::number::Cost;
use crate::source::Span;
use std::collections::HashMap;

/// The checks of an action; `None`, with a report, if some cannot be had.
pub(super) fn checks(
    action: &str,
    words: &[CheckWord<'_>],
    builder: &mut ModelBuilder<'_>,
) -> Option<Vec<CheckUse>> {
    let mut uses = CheckUses::default();
    let mut complete = true;
    for word in words {
        let name = (word.name.text, word.name.span);
        complete &= uses.add(action, name, !word.negated, builder);
    }
    complete.then_some(uses.list)
}

/// The kinds of an action; `None`, with a report, if some cannot be had.
pub(super) fn kinds(
    action: &str,
    words: &[KindSyntax<'_>],
    builder: &mut ModelBuilder<'_>,
) -> Option<Vec<ActionKind>> {
    let mut kinds = Vec::with_capacity(words.len());
    let mut complete = true;
    for word in words {
        let cost = match &word.cost {
            Some(cost) => amounts::cost(cost.text, cost.span, builder),
            None => Some(Cost::ONE),
        };
        match (cost, checks(action, &word.checks, builder)) {
            (Some(cost), Some(checks)) => {
                kinds.push(ActionKind { name: word.name.text.to_string(), checks, cost });
            }
            _ => complete = false,
        }
    }
    let named = words.iter().map(|word| (word.name.text, word.name.span));
    (builder.kinds_differ(action, named) && complete).then_some(kinds)
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
