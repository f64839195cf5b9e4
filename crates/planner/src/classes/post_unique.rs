//! P, post-unique: no two actions set the same value.
//!
//! Asked of all actions of the type together. Actions that exclude each other, by an override or
//! by opposite checks, still break it here; the violation says so, because then the enabled
//! actions of any one call keep it.
//!
//! Cost: one look at each value and its setters; pairs are compared for a few setters only.

use super::findings::{Breach, Findings, MOST_NAMED, Violation};
use super::{Class, Structure};
use throng_domain::compile::LocalAction;

pub(super) fn check(structure: &Structure<'_>, findings: &mut Findings) {
    let npc = structure.npc;
    for fact in
        structure.npc.local_variables().flat_map(|variable| structure.npc.facts_of(variable))
    {
        let [others @ .., last] = npc.setters(npc.slot(fact)) else { continue };
        if others.is_empty() {
            continue;
        }
        findings.add(Class::PostUnique, || {
            let apart = are_apart(structure, npc.setters(npc.slot(fact)));
            let breach = Breach::SameValue { fact: structure.fact(fact), apart };
            let others = others.iter().map(|&action| structure.id(action));
            // The one declared last is the one most likely just added.
            Violation::new(Class::PostUnique, structure.id(*last), others, breach)
        });
    }
}

/// Whether no two of the actions are ever there together. Many are not compared.
fn are_apart(structure: &Structure<'_>, actions: &[LocalAction]) -> bool {
    let pairs = || {
        let firsts = actions.iter().enumerate();
        firsts.flat_map(|(at, &one)| actions[at + 1..].iter().map(move |&other| (one, other)))
    };
    actions.len() <= MOST_NAMED && pairs().all(|(one, other)| exclude(structure, one, other))
}

fn exclude(structure: &Structure<'_>, one: LocalAction, other: LocalAction) -> bool {
    let npc = structure.npc;
    let overrides = npc.overrides(one).contains(&other) || npc.overrides(other).contains(&one);
    let opposite = || {
        npc.checks(one).iter().any(|check| {
            let others = npc.checks(other).iter();
            others.into_iter().any(|its| its.check == check.check && its.expected != check.expected)
        })
    };
    overrides || opposite()
}
