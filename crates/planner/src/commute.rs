//! Whether two steps may change places: both orders run from the same states, to the same states.
//!
//! In:   two actions of a type, and what stands still (for comparisons).
//! Out:  whether their order matters; for one variable, or for all.
//! Cost: per variable that both touch a few values: what two steps make of a value is a straight
//!       line between the ends of the sets they ask for, the stops of their shifts, and what is
//!       moved onto these.
//!
//! Variables are judged one by one, because what can run is a set of values per variable. So two
//! steps that never run in a row may be called dependent, and never the other way round.

use crate::asks::{Does, asked_of, does};
use throng_domain::amounts::{ShiftEnd, ValueSet};
use throng_domain::compile::{LocalAction, LocalVariable, NpcTables, PackedValue, UNKNOWN};

/// Whether the order of two steps never matters.
pub(crate) fn commute(
    npc: &NpcTables,
    start: &[PackedValue],
    a: LocalAction,
    b: LocalAction,
) -> bool {
    let is_fine = |variable| commute_on(npc, start, variable, a, b);
    a == b || (changed(npc, a).all(is_fine) && changed(npc, b).all(is_fine))
}

/// The same as far as counting goes: what two steps do to variables of which one of them asks for a
/// set of values, or which it moves.
pub(crate) fn commute_counting(
    npc: &NpcTables,
    start: &[PackedValue],
    a: LocalAction,
    b: LocalAction,
) -> bool {
    let is_counted =
        |&variable: &LocalVariable| counts(npc, a, variable) || counts(npc, b, variable);
    let is_fine = |variable| commute_on(npc, start, variable, a, b);
    let both = changed(npc, a).chain(changed(npc, b));
    a == b || both.filter(is_counted).all(is_fine)
}

/// The variables that an action changes.
fn changed(npc: &NpcTables, action: LocalAction) -> impl Iterator<Item = LocalVariable> + '_ {
    let sets = npc.sets(action).iter().map(|set| set.variable);
    sets.chain(npc.shifts(action).iter().map(|shift| shift.variable))
}

fn counts(npc: &NpcTables, action: LocalAction, variable: LocalVariable) -> bool {
    npc.shifts(action).iter().any(|shift| shift.variable == variable)
        || npc.ranges(action).iter().any(|range| range.variable == variable)
        || npc.comparisons(action).iter().any(|it| it.variable == variable)
}

/// What an action makes of the values of a variable.
struct Touch {
    asked: Option<ValueSet>,
    does: Does,
    n_values: PackedValue,
}

impl Touch {
    fn of(
        npc: &NpcTables,
        start: &[PackedValue],
        variable: LocalVariable,
        action: LocalAction,
    ) -> Touch {
        Touch {
            asked: asked_of(npc, start, action, variable),
            does: does(npc, action, variable),
            n_values: npc.n_values(variable) as PackedValue,
        }
    }

    /// What becomes of a value; `None` if it is not taken.
    fn run(&self, value: PackedValue) -> Option<PackedValue> {
        if self.asked.is_some_and(|asked| !asked.has(value)) {
            return None;
        }
        match self.does {
            Does::Nothing => Some(value),
            Does::Sets(to) => Some(to),
            Does::Shifts(shift) => shift.by.apply(value, self.n_values),
        }
    }

    fn by(&self) -> i32 {
        match self.does {
            Does::Shifts(shift) => shift.by.by,
            _ => 0,
        }
    }

    /// The values beside which it becomes another straight line.
    fn ends(&self) -> impl Iterator<Item = i32> + '_ {
        let runs = self.asked.as_ref().map_or(&[][..], ValueSet::runs).iter();
        let asked = runs.flat_map(|&(first, last)| [i32::from(first), i32::from(last)]);
        let top = i32::from(self.n_values) - 1;
        let stops = match self.does {
            Does::Shifts(shift) => match shift.by.end {
                ShiftEnd::Stop(stop) => [i32::from(stop), i32::from(stop) - shift.by.by],
                ShiftEnd::Refuse => [top - shift.by.by, -shift.by.by],
            },
            _ => [0, top],
        };
        asked.chain(stops).chain([0, top])
    }
}

/// Whether two steps make the same of every value of a variable, whichever comes first.
pub(crate) fn commute_on(
    npc: &NpcTables,
    start: &[PackedValue],
    variable: LocalVariable,
    a: LocalAction,
    b: LocalAction,
) -> bool {
    let [a, b] = [a, b].map(|action| Touch::of(npc, start, variable, action));
    let is_same = |value: PackedValue| {
        let one = a.run(value).and_then(|value| b.run(value));
        one == b.run(value).and_then(|value| a.run(value))
    };
    let beside = |value: i32| {
        (value - 1..=value + 1).all(|value| match u16::try_from(value) {
            Ok(value) if value < a.n_values => is_same(value),
            _ => true,
        })
    };
    let both =
        |one: &Touch, other: &Touch| one.ends().all(|end| beside(end) && beside(end - other.by()));
    is_same(UNKNOWN) && both(&a, &b) && both(&b, &a)
}
