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
        conditions.chain([&self.goal]).for_each(|condition| note(condition, &mut uses));
        WORDS.into_iter().filter(|word| uses.contains(word)).collect()
    }
}

fn note(condition: &Condition, uses: &mut BTreeSet<&'static str>) {
    match condition {
        Condition::Atom(_) => {}
        Condition::And(parts) => parts.iter().for_each(|part| note(part, uses)),
        Condition::Or(parts) => {
            uses.insert(":disjunctive-preconditions");
            parts.iter().for_each(|part| note(part, uses));
        }
        Condition::Imply(first, second) => {
            uses.insert(":disjunctive-preconditions");
            [first, second].into_iter().for_each(|part| note(part, uses));
        }
        Condition::Not(part) => {
            // `(not (= a b))` is what equality is for.
            if !matches!(**part, Condition::Equal(..)) {
                uses.insert(":negative-preconditions");
            }
            note(part, uses);
        }
        Condition::Exists(_, part) => {
            uses.insert(":existential-preconditions");
            note(part, uses);
        }
        Condition::Forall(_, part) => {
            uses.insert(":universal-preconditions");
            note(part, uses);
        }
        Condition::Equal(..) => {
            uses.insert(":equality");
        }
    }
}
