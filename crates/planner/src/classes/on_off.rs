//! C2* and `nested`: pairs of actions that switch a variable on and off, both ways needed by other
//! actions.
//!
//! Loops with a requested value have two actions. Where both its values are requested, the two
//! groups of requesters must have nothing to do with each other once the variable is taken out.
//! There are two readings of that:
//!
//! - *strict*, the one that the class stands for: what the two groups change is not connected in
//!   the undirected causal graph without the variable;
//! - *printed* (Definition 7): the requesters are not connected in the action graph without the
//!   variable's own actions. That graph has no links for values that no action sets, and so lets in
//!   problems that need an action twice.
//!
//! Strict implies printed, so only what strict refuses is looked at again for the printed one.
//!
//! `nested` asks more: the two actions of a loop needed both ways want no different things. Take the
//! loop's variable out of the causal graph. In every part that contains a requester of the loop,
//! what the one action of the loop needs during itself includes what the other needs, or the other
//! way round. Then a linear sort is exact for goals that name every variable.
//!
//! Cost: `nested` is linear in the needs of the loops' actions, with a sort; strict is linear, with a binary search for each requester. Printed is a search of the
//! action graph for each loop that strict refuses and printed accepts; after [`MOST_SEARCHES`]
//! of them it is left undecided, that is, not claimed.

use super::causal::Part;
use super::findings::{Breach, Findings, Violation};
use super::loops::add_long;
use super::{Class, Cycle, Structure};
use crate::tables::as_move;
use throng_base::reset;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables};

/// For how many loops the printed reading is looked into.
const MOST_SEARCHES: usize = 64;

/// For how many loops the link between the two groups is traced.
const MOST_TRACED: usize = 4;

/// The strict reading.
pub(super) fn check(structure: &Structure<'_>, findings: &mut Findings) {
    for (at, cycle) in structure.cycles().iter().enumerate() {
        if cycle.is_too_long() {
            add_long(structure, cycle, Class::C2Star, findings);
        }
        let Some(pair) = linked(structure, cycle) else { continue };
        findings.linked_cycles.push(at);
        let traced = findings.linked_cycles.len() <= MOST_TRACED;
        findings.add(Class::C2Star, || violation(structure, cycle, pair, traced));
    }
}

/// Two requesters, one of each value of a loop, whose variables hang together without the
/// loop's variable; the first of the smaller group comes first.
fn linked(structure: &Structure<'_>, cycle: &Cycle) -> Option<(LocalAction, LocalAction)> {
    let &[one, other] = &cycle.requested[..] else { return None };
    if !cycle.is_needed_both_ways() {
        return None;
    }
    let mut parts: Vec<_> = parts(structure, one).collect();
    parts.sort_unstable();
    let (first, second) = self::parts(structure, other)
        .find_map(|(part, action)| Some((first_in(&parts, part)?, action)))?;
    let size = |fact: LocalFact| structure.requesters(fact).count();
    Some(if size(other) < size(one) { (second, first) } else { (first, second) })
}

/// Those who request a fact, each with the part of the causal graph that it changes.
fn parts<'s>(
    structure: &'s Structure<'_>,
    fact: LocalFact,
) -> impl Iterator<Item = (Part, LocalAction)> + 's {
    structure.requesters(fact).filter_map(move |action| {
        let moved = structure.moved(action)?;
        Some((structure.causal().parts.part(fact.variable, moved), action))
    })
}

fn violation(
    structure: &Structure<'_>,
    cycle: &Cycle,
    (first, second): (LocalAction, LocalAction),
    traced: bool,
) -> Violation {
    let needs = |action: LocalAction| {
        let need = structure.during(action).find(|need| need.variable == cycle.variable);
        // Requesters have such a need; the fallback keeps this total.
        structure.npc.fact(need.unwrap_or(LocalFact { variable: cycle.variable, value: 0 }))
    };
    let way = match (structure.moved(first), structure.moved(second)) {
        (Some(from), Some(to)) if traced => structure.causal().way(cycle.variable, from, to),
        _ => None,
    };
    let id = |variable: &LocalVariable| structure.npc.variables()[variable.index()];
    let through = way.unwrap_or_default().iter().map(id).collect();
    let breach = Breach::Linked { one: needs(first), other: needs(second), through };
    Violation::new(Class::C2Star, structure.id(first), [structure.id(second)], breach)
}

/// The printed reading. Only where U and P hold and the strict one has been checked.
pub(super) fn holds_as_printed(structure: &Structure<'_>, findings: &Findings) -> bool {
    let cycles = structure.cycles();
    if cycles.iter().any(Cycle::is_too_long) || findings.linked_cycles.len() > MOST_SEARCHES {
        return false;
    }
    let mut seen = Vec::new();
    findings.linked_cycles.iter().all(|&at| !are_related(structure, &cycles[at], &mut seen))
}

/// Whether a requester of the one value can be reached from one of the other in the action
/// graph without the actions of the loop's variable.
fn are_related(structure: &Structure<'_>, cycle: &Cycle, seen: &mut Vec<bool>) -> bool {
    let npc = structure.npc;
    let &[one, other] = &cycle.requested[..] else { return false };
    reset(seen, npc.n_actions(), false);
    let mut open: Vec<LocalAction> = structure.requesters(one).collect();
    open.iter().for_each(|action| seen[action.index()] = true);
    while let Some(action) = open.pop() {
        for next in neighbours(npc, action) {
            let own = structure.moved(next) == Some(cycle.variable);
            if !own && !std::mem::replace(&mut seen[next.index()], true) {
                open.push(next);
            }
        }
    }
    structure.requesters(other).any(|action| seen[action.index()])
}

/// The neighbours of a move in the action graph: who sets what it needs, who needs what it sets.
/// A move from any of two values needs the other one without saying so; who sets that one is its
/// only counterpart, so looking at the setters finds both directions.
fn neighbours(npc: &NpcTables, action: LocalAction) -> impl Iterator<Item = LocalAction> {
    let own = as_move(npc, action);
    let from = own.map(|(set, source)| LocalFact { variable: set.variable, value: source });
    let to = own.map(|(set, _)| set);
    let needs = npc.needs(action).iter().copied().chain(from);
    let setters = needs.flat_map(|need| npc.setters(npc.slot(need)).iter().copied());
    let needed_by = to.into_iter().flat_map(|set| npc.needed_by(npc.slot(set)).iter().copied());
    setters.chain(needed_by)
}

/// `nested`: in every part that contains a requester, the one action needs all that the other does.
pub(super) fn check_nested(structure: &Structure<'_>, findings: &mut Findings) {
    for cycle in structure.cycles().iter().filter(|cycle| cycle.is_needed_both_ways()) {
        let &[one, other] = &cycle.actions[..] else { continue };
        let Some((only_one, only_other)) = different(structure, cycle, one, other) else {
            continue;
        };
        findings.add(Class::Nested, || {
            let n_needs = |action| structure.during(action).count();
            let (first, second) = (structure.npc.fact(only_one), structure.npc.fact(only_other));
            // The action with fewer needs is the easier one to change.
            let (one, other, first, second) = match n_needs(other) < n_needs(one) {
                true => (other, one, second, first),
                false => (one, other, first, second),
            };
            let breach = Breach::Different { one: first, other: second };
            Violation::new(Class::Nested, structure.id(one), [structure.id(other)], breach)
        });
    }
}

/// Two facts of one part with requesters, each needed by only one of the two actions.
fn different(
    structure: &Structure<'_>,
    cycle: &Cycle,
    one: LocalAction,
    other: LocalAction,
) -> Option<(LocalFact, LocalFact)> {
    let part_of = |variable| structure.causal().parts.part(cycle.variable, variable);
    let only = |mine: LocalAction, theirs: LocalAction| -> Vec<(Part, LocalFact)> {
        let theirs = structure.npc.needs(theirs);
        let mine = structure.during(mine).filter(|need| theirs.binary_search(need).is_err());
        let mut mine: Vec<_> = mine.map(|need| (part_of(need.variable), need)).collect();
        mine.sort_unstable();
        mine
    };
    let (ones, others) = (only(one, other), only(other, one));
    if ones.is_empty() || others.is_empty() {
        return None;
    }
    let requesters = cycle.requested.iter().flat_map(|&fact| structure.requesters(fact));
    let parts = requesters.filter_map(|action| Some(part_of(structure.moved(action)?)));
    parts.into_iter().find_map(|part| Some((first_in(&ones, part)?, first_in(&others, part)?)))
}

/// What belongs first to a part, in a list by parts.
fn first_in<T: Copy>(list: &[(Part, T)], part: Part) -> Option<T> {
    let at = list.partition_point(|&(its, _)| its < part);
    list.get(at).filter(|(its, _)| *its == part).map(|&(_, first)| first)
}
