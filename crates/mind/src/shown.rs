//! What a step under way has done already, as far as that shows.
//!
//! In:   a step that counts, the amounts that it moves as they were when it began, the state now.
//! Out:  how much of its effect shows; what its amounts will be when it has ended.
//! Cost: one pass over its effects.
//!
//! Only what a `symbol` rule sets can show; the rest is the mind's own book, which is written when a
//! step ends. Amounts move by themselves too, as hunger does. One that has moved some of the way is
//! on its way; half of it is enough for an effect.

use crate::spec::Spec;
use throng_domain::compile::{LocalShift, LocalVariable, NpcTables, PackedValue, UNKNOWN};
use throng_domain::model::{ActionId, NpcTypeId};

/// How much of a step's effect shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Shown {
    /// Nothing, or it cannot.
    Not,
    /// Something.
    Partly,
    /// All of it, of amounts at least half the way.
    Mostly,
    /// All of it.
    Wholly,
}

/// How much of the effect of a step that counts shows. `begun` has the values that it moves as they
/// were when it began, in the order of its shifts.
pub(crate) fn shown(
    spec: &Spec,
    (npc, values): (NpcTypeId, &[PackedValue]),
    action: ActionId,
    begun: &[PackedValue],
) -> Shown {
    let kind = spec.domain.npc(npc);
    let Some(local) = kind.local_action(action) else { return Shown::Not };
    let value = |local: LocalVariable| {
        let variable = kind.variables()[local.index()];
        let can_show = spec.symbols.iter().any(|symbol| symbol.variable == variable);
        can_show.then(|| values[variable.index()])
    };
    let sets = kind.sets(local).iter().filter_map(|set| {
        let now = value(set.variable)?;
        Some(if now == set.value { Shown::Wholly } else { Shown::Not })
    });
    let shifts = kind.shifts(local).iter().zip(begun).filter_map(|(shift, &begun)| {
        let (now, to) = (value(shift.variable)?, kind.shifted(*shift, begun)?);
        // At the end of its way it cannot show.
        (to != begun).then(|| way(begun, to, now))
    });
    let each = sets.chain(shifts).map(|shown| (shown, shown));
    match each.reduce(|one, two| (one.0.min(two.0), one.1.max(two.1))) {
        Some((least, _)) if least >= Shown::Mostly => least,
        Some((_, most)) if most > Shown::Not => Shown::Partly,
        _ => Shown::Not,
    }
}

/// How much of its way an amount has gone.
fn way(from: PackedValue, to: PackedValue, now: PackedValue) -> Shown {
    let [whole, gone] = [to, now].map(|it| i32::from(it) - i32::from(from));
    match gone * whole.signum() {
        _ if now == UNKNOWN => Shown::Not,
        gone if gone <= 0 => Shown::Not,
        gone if gone >= whole.abs() => Shown::Wholly,
        gone if 2 * gone >= whole.abs() => Shown::Mostly,
        _ => Shown::Partly,
    }
}

/// Whether an amount that was to go from one value to another has gone at least half the way.
pub(crate) fn has_moved(from: PackedValue, to: PackedValue, now: PackedValue) -> bool {
    now != UNKNOWN && (from == to || way(from, to, now) >= Shown::Mostly)
}

/// What an amount will be when the step under way that moves it has ended. On its way it will come
/// to the end of it, and beyond that it stays; elsewhere it moves from where it is, or, if that is
/// refused, from where it was.
pub(crate) fn expected(
    kind: &NpcTables,
    shift: LocalShift,
    begun: PackedValue,
    now: PackedValue,
) -> PackedValue {
    let Some(to) = kind.shifted(shift, begun) else {
        return kind.shifted(shift, now).unwrap_or(now);
    };
    match way(begun, to, now) {
        Shown::Wholly => now,
        Shown::Partly | Shown::Mostly => to,
        Shown::Not => kind.shifted(shift, now).unwrap_or(to),
    }
}

/// What an amount is now that an action that moves it is done: as it is if that shows already, else
/// moved from there; nothing if it cannot move so.
pub(crate) fn moved(
    kind: &NpcTables,
    shift: LocalShift,
    begun: Option<PackedValue>,
    now: PackedValue,
) -> Option<PackedValue> {
    let to = begun.and_then(|begun| Some((begun, kind.shifted(shift, begun)?)));
    match to {
        Some((begun, to)) if way(begun, to, now) >= Shown::Mostly => Some(now),
        // Where it drifted so far that the shift is refused, the way from the beginning counts.
        _ => kind.shifted(shift, now).or(to.map(|(_, to)| to)),
    }
}
