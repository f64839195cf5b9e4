//! What a task uses, in the words of `:requirements`, whatever its files declare.
//!
//! In:   a lifted task.
//! Out:  the words, in the usual order.
//! Cost: a look at every condition.

use crate::lifted::{Condition, Effect, Lifted, NumberEffect};
use std::collections::BTreeSet;

pub(crate) const TYPING: &str = ":typing";
pub(crate) const NEGATIVE: &str = ":negative-preconditions";
pub(crate) const EQUALITY: &str = ":equality";
pub(crate) const DISJUNCTIVE: &str = ":disjunctive-preconditions";
pub(crate) const EXISTENTIAL: &str = ":existential-preconditions";
pub(crate) const UNIVERSAL: &str = ":universal-preconditions";
pub(crate) const CONDITIONAL: &str = ":conditional-effects";
pub(crate) const DERIVED: &str = ":derived-predicates";
pub(crate) const COSTS: &str = ":action-costs";
pub(crate) const NUMBERS: &str = ":numeric-fluents";

/// What has to be allowed, in the usual order; those that `:adl` allows come first.
pub(crate) const FEATURES: [&str; 10] = [
    TYPING,
    NEGATIVE,
    EQUALITY,
    DISJUNCTIVE,
    EXISTENTIAL,
    UNIVERSAL,
    CONDITIONAL,
    DERIVED,
    COSTS,
    NUMBERS,
];

impl Lifted {
    /// What the task uses, in the words of `:requirements`.
    pub fn features(&self) -> Vec<&'static str> {
        let mut uses = BTreeSet::new();
        let mut effects = self.actions.iter().flat_map(|action| &action.effects);
        let is_conditional =
            |of: &Effect| of.condition != Condition::default() || !of.forall.is_empty();
        let mut changes = self.actions.iter().flat_map(|action| &action.changes);
        let is_conditional_change = |of: &NumberEffect| of.condition != Condition::default();
        let of_task = [
            (self.types.len() > 1, TYPING),
            (effects.any(is_conditional) || changes.any(is_conditional_change), CONDITIONAL),
            (!self.axioms.is_empty(), DERIVED),
            (self.has_metric || self.functions.iter().any(|of| !of.is_number), COSTS),
            (self.has_numbers(), NUMBERS),
        ];
        uses.extend(of_task.into_iter().filter(|(used, _)| *used).map(|(_, word)| word));
        for (_, condition) in self.conditions() {
            condition.visit(&mut |part| uses.extend(word(part)));
        }
        let used = FEATURES.into_iter().filter(|word| uses.contains(word));
        std::iter::once(":strips").chain(used).collect()
    }
}

/// What a condition needs by itself.
fn word(condition: &Condition) -> Option<&'static str> {
    match condition {
        Condition::And(_) | Condition::Atom(_) | Condition::Compare(..) => None,
        Condition::Or(_) | Condition::Imply(..) => Some(DISJUNCTIVE),
        // `(not (= a b))` is what equality is for.
        Condition::Not(part) if matches!(**part, Condition::Equal(..)) => None,
        Condition::Not(_) => Some(NEGATIVE),
        Condition::Exists(..) => Some(EXISTENTIAL),
        Condition::Forall(..) => Some(UNIVERSAL),
        Condition::Equal(..) => Some(EQUALITY),
    }
}
