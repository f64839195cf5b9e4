//! S, single-valued: all actions that look at a variable without changing it want the same value.
//!
//! Cost: one look at each value and those who need it.

use super::findings::{Breach, Findings, Violation};
use super::{Class, Structure};
use throng_domain::compile::LocalFact;
use throng_domain::model::ActionId;

pub(super) fn check(structure: &Structure<'_>, findings: &mut Findings) {
    for variable in structure.npc.local_variables() {
        for Uneven { odd, usual, usual_by } in uneven(structure, structure.npc.facts_of(variable)) {
            findings.add(Class::SingleValued, || {
                let breach = Breach::TwoDuringValues {
                    odd: structure.fact(odd),
                    usual: structure.fact(usual),
                    usual_by,
                };
                named(structure, Class::SingleValued, odd, breach)
            });
        }
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

/// A value that is needed beside the usual one.
pub(super) struct Uneven {
    /// The value.
    pub(super) odd: LocalFact,
    /// The value needed most often; of equals, the one declared first.
    pub(super) usual: LocalFact,
    /// One who needs the usual value.
    pub(super) usual_by: ActionId,
}

/// The needed facts but for the one needed most often.
pub(super) fn uneven(
    structure: &Structure<'_>,
    facts: impl Iterator<Item = LocalFact>,
) -> Vec<Uneven> {
    let counted = facts.map(|fact| (fact, structure.requesters(fact).count()));
    let mut needed: Vec<(LocalFact, usize)> = counted.filter(|&(_, count)| count > 0).collect();
    needed.sort_unstable();
    let most = needed.iter().map(|&(_, count)| count).max();
    let usual = needed.iter().find(|&&(_, count)| Some(count) == most).map(|&(fact, _)| fact);
    let usual_by = usual.and_then(|usual| structure.requesters(usual).next());
    let (Some(usual), Some(usual_by)) = (usual, usual_by) else { return Vec::new() };
    let usual_by = structure.id(usual_by);
    let odd = needed.iter().map(|&(fact, _)| fact).filter(|&fact| fact != usual);
    odd.map(|odd| Uneven { odd, usual, usual_by }).collect()
}
