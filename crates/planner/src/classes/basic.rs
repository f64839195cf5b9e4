//! The four classes that are asked of actions and variables one by one: U, P, S and B.
//!
//! - U, unary: every action changes exactly one variable, from one value. An action that sets a
//!   variable of two values from any value is one move, from the other value. From any of several
//!   values it is as many moves, so it is not unary. An action that changes nothing is not unary
//!   either; planners leave it out. Nor is one that counts: it moves a value by so much, or asks
//!   for a set of values.
//! - P, post-unique: no two actions set the same value. Asked of all actions of the type together.
//!   Actions that exclude each other, by an override or by opposite checks, still break it here; the
//!   violation says so, because then the enabled actions of any one call keep it. What moves an
//!   amount breaks it, because it sets whatever value comes out.
//! - S, single-valued: all actions that look at a variable without changing it want the same value.
//!   One that wants any of several breaks it.
//! - B, binary: no variable of the type has more than two values.
//!
//! Cost: one look at each action, variable, and value with its setters and those who need it; pairs
//!       are compared for a few setters only.

use super::findings::{Breach, Findings, MOST_NAMED, Violation, Where};
use super::{Class, Structure};
use crate::tables::as_move;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable};
use throng_domain::model::{ActionId, Fact, VariableId};

pub(super) fn check_unary(structure: &Structure<'_>, findings: &mut Findings) {
    let npc = structure.npc;
    let counting = npc.local_actions().filter(|&action| npc.counts(action));
    add_counting(structure, Class::Unary, counting, findings, |action| structure.counted(action));
    let others = npc.local_actions().filter(|&action| !npc.counts(action));
    for action in others.filter(|&action| as_move(npc, action).is_none()) {
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
    // What is moved up and down has whatever value the steps before have left: each of those who
    // move it can bring about a value that another one sets.
    let moves = npc.local_actions().filter(|&action| !npc.shifts(action).is_empty());
    add_counting(structure, Class::PostUnique, moves, findings, |action| structure.moves(action));
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

/// One violation for all actions that count: what they have in common is told once.
fn add_counting(
    structure: &Structure<'_>,
    class: Class,
    actions: impl Iterator<Item = LocalAction>,
    findings: &mut Findings,
    counted: impl Fn(LocalAction) -> Vec<VariableId>,
) {
    let actions: Vec<LocalAction> = actions.collect();
    let Some((&first, others)) = actions.split_first() else { return };
    findings.add(class, || {
        let mut variables: Vec<VariableId> =
            actions.iter().flat_map(|&action| counted(action)).collect();
        variables.sort_unstable();
        variables.dedup();
        let others = others.iter().map(|&action| structure.id(action));
        Violation::new(class, structure.id(first), others, Breach::Counts(variables))
    });
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
    let npc = structure.npc;
    let asking = npc.local_actions().filter(|&action| !structure.asked_ranges(action).is_empty());
    let asked = |action| structure.asked_ranges(action);
    add_counting(structure, Class::SingleValued, asking, findings, asked);
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
    let counting = npc.local_actions().filter(|&action| npc.counts(action));
    let mut counted: Vec<VariableId> =
        counting.flat_map(|action| structure.counted(action)).collect();
    counted.sort_unstable();
    counted.dedup();
    let is_counted = |variable: LocalVariable| {
        let id = npc.variables()[variable.index()];
        counted.binary_search(&id).is_ok()
    };
    let large = || npc.local_variables().filter(|&variable| npc.n_values(variable) > 2);
    if let Some(first) = large().find(|&variable| is_counted(variable)) {
        findings.add(Class::Binary, || Violation {
            class: Class::Binary,
            place: Where::Variable(npc.variables()[first.index()]),
            actions: Vec::new(),
            n_actions: 0,
            breach: Breach::Counts(
                large().filter(|&v| is_counted(v)).map(|v| npc.variables()[v.index()]).collect(),
            ),
        });
    }
    for variable in large().filter(|&variable| !is_counted(variable)) {
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
