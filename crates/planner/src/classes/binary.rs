//! B, binary: no variable of the type has more than two values.
//!
//! Cost: one look at each variable.

use super::findings::{Breach, Findings, Violation, Where};
use super::{Class, Structure};

pub(super) fn check(structure: &Structure<'_>, findings: &mut Findings) {
    let npc = structure.npc;
    for variable in structure.npc.local_variables().filter(|&variable| npc.n_values(variable) > 2) {
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
