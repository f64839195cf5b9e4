//! What a task uses, in the words of `:requirements`, whatever its files declare.
//!
//! In:   a lifted task.
//! Out:  the words, in the usual order.
//! Cost: a look at every condition.

use crate::lifted::{Condition, Lifted};
use std::collections::BTreeSet;

/// All words, in the usual order.
const WORDS: [&str; 10] = [
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":equality",
    ":disjunctive-preconditions",
    ":existential-preconditions",
    ":universal-preconditions",
    ":conditional-effects",
    ":derived-predicates",
    ":action-costs",
];

impl Lifted {
    /// What the task uses, in the words of `:requirements`.
    pub fn features(&self) -> Vec<&'static str> {
        let mut uses = BTreeSet::from([":strips"]);
        let effects = || self.actions.iter().flat_map(|action| &action.effects);
        let is_conditional = |condition: &Condition| *condition != Condition::And(Vec::new());
        let of_task = [
            (self.types.len() > 1, ":typing"),
            (
                effects().any(|it| is_conditional(&it.condition) || !it.forall.is_empty()),
                ":conditional-effects",
            ),
            (!self.axioms.is_empty(), ":derived-predicates"),
            (self.has_metric || !self.functions.is_empty(), ":action-costs"),
        ];
        uses.extend(of_task.into_iter().filter(|(used, _)| *used).map(|(_, word)| word));
        let of_actions = self.actions.iter().map(|action| &action.condition);
        let conditions = of_actions
            .chain(effects().map(|effect| &effect.condition))
            .chain(self.axioms.iter().map(|axiom| &axiom.condition));
        conditions.chain([&self.goal]).for_each(|condition| {
            condition.visit(&mut |part| uses.extend(word(part)));
        });
        WORDS.into_iter().filter(|word| uses.contains(word)).collect()
    }
}

/// What a condition needs by itself.
fn word(condition: &Condition) -> Option<&'static str> {
    match condition {
        Condition::And(_) | Condition::Atom(_) => None,
        Condition::Or(_) | Condition::Imply(..) => Some(":disjunctive-preconditions"),
        // `(not (= a b))` is what equality is for.
        Condition::Not(part) if matches!(**part, Condition::Equal(..)) => None,
        Condition::Not(_) => Some(":negative-preconditions"),
        Condition::Exists(..) => Some(":existential-preconditions"),
        Condition::Forall(..) => Some(":universal-preconditions"),
        Condition::Equal(..) => Some(":equality"),
    }
}
