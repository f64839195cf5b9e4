//! What actions and goals ask, as one set of values per variable.
//!
//! In:   a problem, an action of its type.
//! Out:  facts, ranges and comparisons alike as sets; what an action does to a variable; what
//!       stands still and keeps an action away.
//! Cost: a look at what the action asks; short lists are allocated. For explanations, not for the
//!       frame.

use crate::problem::{Problem, compared};
use throng_domain::amounts::{ShiftBy, ValueSet};
use throng_domain::compile::{
    LocalAction, LocalFact, LocalRange, LocalShift, LocalVariable, NpcTables, PackedValue,
};
use throng_domain::model::{Comparison, Fact, Range};

/// What an action does to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Does {
    /// Nothing.
    Nothing,
    /// It is this one afterwards.
    Sets(PackedValue),
    /// It moves.
    Shifts(LocalShift),
}

/// What an action does to a variable.
pub(crate) fn does(npc: &NpcTables, action: LocalAction, variable: LocalVariable) -> Does {
    if let Some(set) = npc.sets(action).iter().find(|set| set.variable == variable) {
        return Does::Sets(set.value);
    }
    let shift = npc.shifts(action).iter().find(|shift| shift.variable == variable);
    shift.map_or(Does::Nothing, |&shift| Does::Shifts(shift))
}

/// A fact as a set of one value.
pub(crate) fn as_range(fact: LocalFact) -> LocalRange {
    LocalRange { variable: fact.variable, values: ValueSet::one(fact.value) }
}

/// A set of values in the numbers of the domain.
pub(crate) fn global(npc: &NpcTables, range: LocalRange) -> Range {
    Range { variable: npc.variables()[range.variable.index()], values: range.values }
}

/// All that an action asks, by variable, comparisons as what they allow from this start. Sets that
/// have more in common than a set can hold stay two.
pub(crate) fn asked_by(
    npc: &NpcTables,
    start: &[PackedValue],
    action: LocalAction,
) -> Vec<LocalRange> {
    let mut all: Vec<LocalRange> = npc.needs(action).iter().map(|&fact| as_range(fact)).collect();
    all.extend_from_slice(npc.ranges(action));
    for it in npc.comparisons(action) {
        let n_values = npc.n_values(it.variable) as PackedValue;
        let values = compared(&it.comparison, start[it.other.index()], n_values);
        narrow(&mut all, LocalRange { variable: it.variable, values });
    }
    all.sort_unstable();
    all
}

fn narrow(all: &mut Vec<LocalRange>, range: LocalRange) {
    let known = all.iter_mut().find(|known| known.variable == range.variable);
    let both = known.as_ref().and_then(|known| known.values.both(&range.values));
    match (known, both) {
        (Some(known), Some(both)) => known.values = both,
        _ => all.push(range),
    }
}

/// The values that an action takes of a variable; `None` if it does not ask.
pub(crate) fn asked_of(
    npc: &NpcTables,
    start: &[PackedValue],
    action: LocalAction,
    variable: LocalVariable,
) -> Option<ValueSet> {
    let fact = npc.needs(action).iter().find(|need| need.variable == variable);
    let range = npc.ranges(action).iter().find(|range| range.variable == variable);
    let mut all = fact.map(|need| ValueSet::one(need.value)).or(range.map(|range| range.values));
    for it in npc.comparisons(action).iter().filter(|it| it.variable == variable) {
        let n_values = npc.n_values(variable) as PackedValue;
        let values = compared(&it.comparison, start[it.other.index()], n_values);
        // One run or two beside a set: what they have in common is a set, too.
        all = Some(all.map_or(values, |all| all.both(&values).unwrap_or(all)));
    }
    all
}

/// What is asked of an amount that is moved, without the room that a rise needs; and that room.
pub(crate) fn as_written(
    asked: ValueSet,
    shift: Option<ShiftBy>,
    n_values: PackedValue,
) -> (ValueSet, Option<ValueSet>) {
    let room = shift.filter(|shift| shift.by > 0).and_then(|shift| shift.domain(n_values).ends());
    let (Some((_, room)), Some((_, last))) = (room, asked.ends()) else { return (asked, None) };
    if room != last || last + 1 >= n_values {
        return (asked, None);
    }
    match asked.either(&ValueSet::run(last + 1, n_values - 1)) {
        Some(written) => (written, Some(ValueSet::run(0, room))),
        None => (asked, None),
    }
}

/// What an action asks of a variable, without the room that its rise needs.
pub(crate) fn written_by(npc: &NpcTables, action: LocalAction, asked: LocalRange) -> LocalRange {
    let shift = npc.shifts(action).iter().find(|shift| shift.variable == asked.variable);
    let n_values = npc.n_values(asked.variable) as PackedValue;
    let (values, _) = as_written(asked.values, shift.map(|shift| shift.by), n_values);
    LocalRange { values, ..asked }
}

/// All that a problem wants of the type's own variables, facts first.
pub(crate) fn wanted(problem: &Problem) -> Vec<LocalRange> {
    let facts = problem.goal().iter().map(|&fact| as_range(fact));
    facts.chain(problem.goal_ranges().iter().copied()).collect()
}

/// The same problem with another goal, in sets of values.
pub(crate) fn with_goal(problem: &Problem, goal: &[LocalRange]) -> Problem {
    let fact = |range: &LocalRange| {
        range.values.only().map(|value| LocalFact { variable: range.variable, value })
    };
    let facts: Vec<LocalFact> = goal.iter().filter_map(fact).collect();
    let ranges = goal.iter().copied().filter(|range| range.values.only().is_none());
    problem.with_goals(&facts, &ranges.collect::<Vec<_>>())
}

/// Something that an action asks of what stands still, and that does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmet {
    /// A variable has none of the values.
    Range {
        /// What is asked.
        asked: Range,
        /// What it has; `None` if that is unknown.
        now: Option<Fact>,
    },
    /// Two amounts do not stand to each other as they should.
    Comparison {
        /// What is asked.
        asked: Comparison,
        /// What the two have; `None` if that is unknown.
        now: [Option<Fact>; 2],
    },
}

/// What an action asks of variables that nothing of the type changes, and that does not hold.
pub(crate) fn unmet_standing(
    npc: &NpcTables,
    start: &[PackedValue],
    action: LocalAction,
) -> Vec<Unmet> {
    if !npc.has_amounts() {
        return Vec::new();
    }
    let now = |variable: LocalVariable| {
        let value = start[variable.index()];
        let is_known = usize::from(value) < npc.n_values(variable);
        is_known.then(|| npc.fact(LocalFact { variable, value }))
    };
    let ranges = npc.ranges(action).iter().filter(|range| !npc.can_change(range.variable));
    let ranges = ranges.filter(|range| !range.values.has(start[range.variable.index()]));
    let ranges =
        ranges.map(|&range| Unmet::Range { asked: global(npc, range), now: now(range.variable) });
    let others = npc.comparisons(action).iter().filter(|it| !npc.can_change(it.variable));
    let others = others.filter(|it| !it.holds(start)).map(|it| Unmet::Comparison {
        asked: it.comparison,
        now: [now(it.variable), now(it.other)],
    });
    ranges.chain(others).collect()
}
