//! `nested`: C2*, and the two actions of a loop needed both ways want no different things.
//!
//! Take the loop's variable out of the causal graph. In every part that contains a requester of
//! the loop, what the one action of the loop needs during itself includes what the other needs,
//! or the other way round. Then a linear sort is exact for goals that name every variable.
//!
//! Cost: linear in the needs of the loops' actions, with a sort.

use super::causal::Part;
use super::findings::{Breach, Findings, Violation};
use super::{Class, Cycle, Structure};
use throng_domain::compile::{LocalAction, LocalFact};

pub(super) fn check(structure: &Structure<'_>, findings: &mut Findings) {
    for cycle in structure.cycles().iter().filter(|cycle| cycle.is_needed_both_ways()) {
        let &[one, other] = &cycle.actions[..] else { continue };
        let Some((only_one, only_other)) = different(structure, cycle, one, other) else {
            continue;
        };
        findings.add(Class::Nested, || {
            let n_needs = |action| structure.during(action).count();
            let (first, second) = (structure.fact(only_one), structure.fact(only_other));
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
    let part_of = |variable| structure.causal().parts().part(cycle.variable, variable);
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

fn first_in(facts: &[(Part, LocalFact)], part: Part) -> Option<LocalFact> {
    let at = facts.partition_point(|&(its, _)| its < part);
    facts.get(at).filter(|(its, _)| *its == part).map(|&(_, fact)| fact)
}
