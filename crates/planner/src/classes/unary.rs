//! U, unary: every action changes exactly one variable, from one value.
//!
//! An action that sets a variable of two values from any value is one move, from the other
//! value. From any of several values it is as many moves, so it is not unary. An action that
//! changes nothing is not unary either; planners leave it out.
//!
//! Cost: one look at each action.

use super::findings::{Breach, Findings, Violation};
use super::{Class, Structure};
use crate::tables::as_move;
use throng_domain::compile::LocalFact;

pub(super) fn check(structure: &Structure<'_>, findings: &mut Findings) {
    let npc = structure.npc;
    for action in structure.npc.local_actions().filter(|&action| as_move(npc, action).is_none()) {
        findings.add(Class::Unary, || {
            let variable = |set: &LocalFact| structure.fact(*set).variable;
            let breach = match npc.sets(action) {
                [] => Breach::ChangesNothing,
                [set] => Breach::FromAny(structure.fact(*set), npc.n_values(set.variable)),
                several => Breach::ChangesSeveral(several.iter().map(variable).collect()),
            };
            Violation::new(Class::Unary, structure.id(action), [], breach)
        });
    }
}
