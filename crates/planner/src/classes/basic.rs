//! The four classes that are asked of actions and variables one by one: U, P, S and B.
//!
//! - U, unary: every action changes exactly one variable, from one value. An action that sets a
//!   variable of two values from any value is one move, from the other value. From any of several
//!   values it is as many moves, so it is not unary. An action that changes nothing is not unary
//!   either; planners leave it out.
//! - P, post-unique: no two actions set the same value. Asked of all actions of the type together.
//!   Actions that exclude each other, by an override or by opposite checks, still break it here; the
//!   violation says so, because then the enabled actions of any one call keep it.
//! - S, single-valued: all actions that look at a variable without changing it want the same value.
//! - B, binary: no variable of the type has more than two values.
//!
//! Cost: one look at each action, variable, and value with its setters and those who need it; pairs
//!       are compared for a few setters only.

use super::findings::{Breach, Findings, MOST_NAMED, Violation, Where};
use super::{Class, Structure};
use crate::tables::as_move;
use throng_domain::compile::{LocalAction, LocalFact};
use throng_domain::model::{ActionId, Fact};

pub(super) fn check_unary(structure: &Structure<'_>, findings: &mut Findings) {
    let npc = structure.npc;
    for action in npc.local_actions().filter(|&action| as_move(npc, action).is_none()) {
        findings.add(Class::Unary, || {
            let variable = |set: &LocalFact| structure.npc.fact(*set).variable;
            let breach = match npc.sets(action) {
                [] => Breach::ChangesNothing,
                [set] => Breach::FromAny(structure.npc.fact(*set), npc.n_values(set.variable)),
                several => Breach::ChangesSeveral(several.iter().map(variable).collect()),
            };
            Violation::new(Class::Unary, structure.id(action), [], breach)
        });
    }
}

pub(super) fn check_post_unique(structure: &Structure<'_>, findings: &mut Findings) {
    let npc = structure.npc;
    for fact in npc.local_variables().flat_map(|variable| npc.facts_of(variable)) {
        let setters = npc.setters(npc.slot(fact));
        let [others @ .., last] = setters else { continue };
        if others.is_empty() {
            continue;
        }
        findings.add(Class::PostUnique, || {
            let apart = are_apart(structure, setters);
            let breach = Breach::SameValue { fact: structure.npc.fact(fact), apart };
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

pub(super) fn check_single_valued(structure: &Structure<'_>, findings: &mut Findings) {
    for variable in structure.npc.local_variables() {
        let facts = structure.npc.facts_of(variable);
        add_uneven(structure, Class::SingleValued, facts, findings, |odd, usual, usual_by| {
            Breach::TwoDuringValues { odd, usual, usual_by }
        });
    }
}

/// Adds a violation for each of some facts that is needed, but for the usual one: that which is
/// needed most often; of equals, the one declared first.
pub(super) fn add_uneven(
    structure: &Structure<'_>,
    class: Class,
    facts: impl Iterator<Item = LocalFact>,
    findings: &mut Findings,
    breach: fn(Fact, Fact, ActionId) -> Breach,
) {
    let counted = facts.map(|fact| (fact, structure.requesters(fact).count()));
    let mut needed: Vec<(LocalFact, usize)> = counted.filter(|&(_, count)| count > 0).collect();
    needed.sort_unstable();
    let most = needed.iter().map(|&(_, count)| count).max();
    let usual = needed.iter().find(|&&(_, count)| Some(count) == most).map(|&(fact, _)| fact);
    let usual_by = usual.and_then(|usual| structure.requesters(usual).next());
    let (Some(usual), Some(usual_by)) = (usual, usual_by) else { return };
    for odd in needed.iter().map(|&(fact, _)| fact).filter(|&fact| fact != usual) {
        findings.add(class, || {
            let (usual, usual_by) = (structure.npc.fact(usual), structure.id(usual_by));
            named(structure, class, odd, breach(structure.npc.fact(odd), usual, usual_by))
        });
    }
}

/// A violation that names those who request a fact, the first of them as the one to change.
pub(super) fn named(
    structure: &Structure<'_>,
    class: Class,
    fact: LocalFact,
    breach: Breach,
) -> Violation {
    let mut actions = structure.requesters(fact).map(|action| structure.id(action));
    // There is always one; the fallback keeps this total.
    let first = actions.next().unwrap_or(ActionId::at(0));
    Violation::new(class, first, actions, breach)
}

pub(super) fn check_binary(structure: &Structure<'_>, findings: &mut Findings) {
    let npc = structure.npc;
    for variable in npc.local_variables().filter(|&variable| npc.n_values(variable) > 2) {
        findings.add(Class::Binary, || {
            let id = npc.variables()[variable.index()];
            let mut violation = Violation {
                class: Class::Binary,
                place: Where::Variable(id),
                actions: Vec::new(),
                n_actions: 0,
                breach: Breach::ManyValues(id, npc.n_values(variable)),
            };
            let setters = npc.setters_of(variable);
            setters.for_each(|(_, action)| violation.name(structure.id(action)));
            violation
        });
    }
}
