//! C0, C2S and "one per cycle": what the loops of single variables may pass.
//!
//! A value is *requested* if an action needs it while changing something else. A loop without
//! requested values is never gone round; one with a single requested value at most once; with
//! several, a plan may have to go round again and again.
//!
//! Definitions 4 and 5 of "Topological Planning with Post-unique and Unary Actions", reading an
//! intersection where it prints `Req(v) ∪ Cycle(v)`.
//!
//! Cost: one look at each loop and those who request its values.

use super::findings::{Breach, Findings, MOST_NAMED, Violation};
use super::{Class, Cycle, Structure, basic};

/// C0: no loop passes a requested value.
pub(super) fn check_c0(structure: &Structure<'_>, findings: &mut Findings) {
    for cycle in structure.cycles() {
        for &needed in &cycle.requested {
            findings.add(Class::C0, || {
                let actions = cycle.actions.iter().take(MOST_NAMED);
                let cycle = actions.map(|&action| structure.id(action)).collect();
                let breach = Breach::OnLoop { needed: structure.npc.fact(needed), cycle };
                basic::named(structure, Class::C0, needed, breach)
            });
        }
    }
}

/// C2S: a loop with a requested value has two actions and one such value.
pub(super) fn check_c2s(structure: &Structure<'_>, findings: &mut Findings) {
    for cycle in structure.cycles() {
        match cycle.is_too_long() {
            true => add_long(structure, cycle, Class::C2S, findings),
            false => add_uneven(structure, cycle, Class::C2S, findings),
        }
    }
}

/// No loop has two requested values.
pub(super) fn check_one_per_cycle(structure: &Structure<'_>, findings: &mut Findings) {
    for cycle in structure.cycles() {
        add_uneven(structure, cycle, Class::OnePerCycle, findings);
    }
}

/// Refuses a loop of more than two actions; the line to change is that of its last action.
pub(super) fn add_long(
    structure: &Structure<'_>,
    cycle: &Cycle,
    class: Class,
    findings: &mut Findings,
) {
    let Some(&needed) = cycle.requested.first() else { return };
    let (Some(by), Some(&last)) = (structure.requesters(needed).next(), cycle.actions.iter().max())
    else {
        return;
    };
    findings.add(class, || {
        let others = cycle.actions.iter().filter(|&&action| action != last);
        let others = others.map(|&action| structure.id(action));
        let breach = Breach::LongLoop {
            needed: structure.npc.fact(needed),
            by: structure.id(by),
            length: cycle.actions.len(),
        };
        Violation::new(class, structure.id(last), others, breach)
    });
}

/// Refuses a loop with several requested values.
fn add_uneven(structure: &Structure<'_>, cycle: &Cycle, class: Class, findings: &mut Findings) {
    let requested = cycle.requested.iter().copied();
    basic::add_uneven(structure, class, requested, findings, |odd, usual, usual_by| {
        Breach::TwoOnLoop { odd, usual, usual_by }
    });
}
