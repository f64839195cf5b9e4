//! The tables of one NPC type: only what it touches, numbered densely.
//!
//! In:   the model and one of its NPC types.
//! Out:  needs, settings, costs, checks and overrides of its actions; for every variable and
//!       value (a *slot*) who sets it and who needs it.
//! Cost: linear in the actions of the type; a look-up is an index or a binary search.

mod run;

use super::Rows;
use super::packed::{PackedValue, StateLayout, UNKNOWN};
use super::type_view::TypeView;
use crate::amounts::{ShiftBy, ValueSet};
use crate::model::*;
use crate::source::clip;
use std::fmt;
use std::sync::Arc;

throng_base::typed_id! {
    /// Position of a variable among those of an NPC type.
    pub struct LocalVariable(pub u32);
    /// Position of an action among those of an NPC type.
    pub struct LocalAction(pub u32);
}

/// A variable of an NPC type having a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalFact {
    /// The variable.
    pub variable: LocalVariable,
    /// Its value.
    pub value: PackedValue,
}

/// A variable of an NPC type having one of some values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalRange {
    /// The variable.
    pub variable: LocalVariable,
    /// Its values; some.
    pub values: ValueSet,
}

/// A variable of an NPC type compared with another one, which no action of the type changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalComparison {
    /// The variable on the left.
    pub variable: LocalVariable,
    /// The variable on the right.
    pub other: LocalVariable,
    /// The same in the numbers of the domain.
    pub comparison: Comparison,
}

impl LocalComparison {
    /// Whether it holds in a state.
    pub fn holds(&self, state: &[PackedValue]) -> bool {
        self.comparison.holds(state[self.variable.index()], state[self.other.index()])
    }
}

/// A variable of an NPC type whose value moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalShift {
    /// The variable.
    pub variable: LocalVariable,
    /// By how much, and what happens at the end.
    pub by: ShiftBy,
}

/// Which tables these are: clones are the same, and nothing else is, whatever a digest says. Who
/// keeps one keeps its address from being given to other tables.
#[derive(Clone, Default)]
pub struct Stamp(Arc<()>);

impl PartialEq for Stamp {
    fn eq(&self, other: &Stamp) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Stamp {}

impl fmt::Debug for Stamp {
    /// The address says nothing about the tables, so equal tables look equal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stamp")
    }
}

throng_base::readable! {
    /// One NPC type, compiled.
    #[derive(Clone, Default, Debug)]
    pub struct NpcTables {
        /// Which NPC type of the domain this is.
        id: NpcTypeId,
        /// Its variables: those its actions, goals and starts touch, by id.
        variables: Vec<VariableId> => &[VariableId],
        /// Its actions, by id.
        actions: Vec<ActionId> => &[ActionId],
        /// The goals it wants, by id.
        goals: Vec<GoalId> => &[GoalId],
        /// The values it starts with, by variable.
        starts: Vec<Fact> => &[Fact],
        /// How its states are packed and numbered.
        layout: StateLayout => &StateLayout,
        slot_starts: Vec<u32> as _,
        needs: Rows<LocalFact> as _,
        sets: Rows<LocalFact> as _,
        setters: Rows<LocalAction> as _,
        needed_by: Rows<LocalAction> as _,
        checks: Rows<CheckUse> as _,
        overrides: Rows<LocalAction> as _,
        costs: Vec<u64> as _,
        ranges: Rows<LocalRange> as _,
        comparisons: Rows<LocalComparison> as _,
        shifts: Rows<LocalShift> as _,
        /// Whether some action has a range, a comparison or a shift.
        has_amounts: bool,
        /// By variable, whether some action sets or shifts it.
        changes: Vec<bool> as _,
        /// What the goals want of amounts, in the order of `goals`.
        want_ranges: Rows<LocalRange> as _,
        want_comparisons: Rows<LocalComparison> as _,
        /// Whether some goal wants more than facts.
        wants_amounts: bool as _,
        /// What the goals want, in the order of `goals`.
        wants: Rows<LocalFact> as _,
        /// The same as masks of the packed state, where that is one word.
        want_words: Vec<(u64, u64)> as _,
        kinds: Rows<LocalKind> as _,
        kind_checks: Vec<CheckUse> as _,
        /// What should come before what, among its actions; the most important wish first.
        preferences: Vec<LocalPreference> => &[LocalPreference],
        /// Which tables these are: what was learned from them can be kept beside it.
        stamp: Stamp => &Stamp,
    }
}

/// A way to do an action: which checks it asks for, what it costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalKind {
    first_check: u32,
    end_of_checks: u32,
    /// Its price beside the other kinds, in thousandths.
    pub cost: u64,
}

/// Steps of some actions that should come before steps of others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalPreference {
    /// Those to come first.
    pub before: Vec<LocalAction>,
    /// Those to come later.
    pub after: Vec<LocalAction>,
}

impl NpcTables {
    /// The tables of a type, perhaps varied.
    pub(super) fn new(parts: &TypeView<'_>) -> Self {
        let variables = parts.touched_variables();
        let local = |fact: &Fact| LocalFact {
            variable: LocalVariable(position(&variables, fact.variable)),
            value: fact.value.0 as PackedValue,
        };
        let at = |id: VariableId| LocalVariable(position(&variables, id));
        let range = |it: &Range| LocalRange { variable: at(it.variable), values: it.values };
        let comparison = |it: &Comparison| LocalComparison {
            variable: at(it.variable),
            other: at(it.other),
            comparison: *it,
        };
        let shift = |it: &Shift| LocalShift { variable: at(it.variable), by: it.by };
        let actions = || parts.actions.iter();
        let ids: Vec<ActionId> = actions().map(|action| action.id).collect();
        let known = |id: &ActionId| ids.binary_search(id).ok().map(|at| LocalAction(at as u32));
        let sizes = variables.iter().map(|&id| parts.n_values(id)).collect();
        let mut npc_type = NpcTables {
            id: parts.id,
            needs: Rows::from_lists(actions().map(|action| action.requires.iter().map(local))),
            sets: Rows::from_lists(actions().map(|action| action.sets.iter().map(local))),
            wants: Rows::from_lists(
                parts.goals.iter().map(|(_, wants)| wants.facts.iter().map(local)),
            ),
            want_ranges: Rows::from_lists(
                parts.goals.iter().map(|(_, wants)| wants.ranges.iter().map(range)),
            ),
            want_comparisons: Rows::from_lists(
                parts.goals.iter().map(|(_, wants)| wants.comparisons.iter().map(comparison)),
            ),
            ranges: Rows::from_lists(actions().map(|action| action.ranges.iter().map(range))),
            comparisons: Rows::from_lists(
                actions().map(|action| action.comparisons.iter().map(comparison)),
            ),
            shifts: Rows::from_lists(actions().map(|action| action.shifts.iter().map(shift))),
            checks: Rows::from_lists(actions().map(|action| action.checks.iter().copied())),
            overrides: Rows::from_lists(
                actions().map(|action| action.overrides.iter().filter_map(known)),
            ),
            costs: actions().map(|action| action.cost.0).collect(),
            goals: parts.goals.iter().map(|(id, _)| *id).collect(),
            starts: parts.starts.to_vec(),
            actions: ids,
            variables,
            ..NpcTables::default()
        };
        for action in actions() {
            let kinds: Vec<LocalKind> =
                action.kinds.iter().map(|kind| npc_type.kind(kind)).collect();
            npc_type.kinds.push(&kinds);
        }
        npc_type.add_wishes(parts);
        npc_type.with_sizes(sizes)
    }

    fn kind(&mut self, kind: &ActionKind) -> LocalKind {
        let first_check = clip(self.kind_checks.len());
        self.kind_checks.extend_from_slice(&kind.checks);
        LocalKind { first_check, end_of_checks: clip(self.kind_checks.len()), cost: kind.cost.0 }
    }

    fn add_wishes(&mut self, parts: &TypeView<'_>) {
        let own = |ids: &[ActionId]| -> Vec<LocalAction> {
            ids.iter().filter_map(|&id| self.local_action(id)).collect()
        };
        let preferences = parts.preferences().iter();
        let preferences =
            preferences.map(|w| LocalPreference { before: own(&w.before), after: own(&w.after) });
        let possible = |wish: &LocalPreference| !wish.before.is_empty() && !wish.after.is_empty();
        self.preferences = preferences.filter(possible).collect();
    }

    /// Adds what follows from the numbers of a type and of the values that each variable has.
    pub(super) fn with_sizes(mut self, sizes: Vec<PackedValue>) -> Self {
        self.slot_starts = vec![0];
        for &size in &sizes {
            self.slot_starts.push(self.slot_starts[self.slot_starts.len() - 1] + u32::from(size));
        }
        self.layout = StateLayout::new(sizes);
        [self.setters, self.needed_by] = [&self.sets, &self.needs].map(|rows| self.by_slot(rows));
        let layout = &self.layout;
        let word = |facts: &[LocalFact]| {
            let masks = facts.iter().map(|f| layout.field_mask(f.variable.index()));
            let bits = facts.iter().map(|f| layout.field_bits(f.variable.index(), f.value));
            (masks.fold(0, |all, mask| all | mask), bits.fold(0, |all, bits| all | bits))
        };
        self.want_words = self.wants.iter().map(word).collect();
        self.changes = vec![false; self.variables.len()];
        let sets = self.sets.entries().iter().map(|set| set.variable);
        for variable in sets.chain(self.shifts.entries().iter().map(|shift| shift.variable)) {
            self.changes[variable.index()] = true;
        }
        let counting =
            [self.ranges.n_entries(), self.comparisons.n_entries(), self.shifts.n_entries()];
        self.has_amounts = counting != [0; 3];
        self.wants_amounts = self.want_ranges.n_entries() + self.want_comparisons.n_entries() > 0;
        self
    }

    /// Which actions have each slot in their rows.
    fn by_slot(&self, rows: &Rows<LocalFact>) -> Rows<LocalAction> {
        let n_slots = self.slot_starts[self.slot_starts.len() - 1] as usize;
        let pairs = rows.iter().enumerate().flat_map(|(action, row)| {
            row.iter().map(move |&fact| (self.slot(fact), LocalAction(action as u32)))
        });
        Rows::from_pairs(n_slots, pairs)
    }

    /// What one of its goals wants, and the same as the bits of a state of one word to look at
    /// and to see there; `None` if it does not want that goal, or more of it than facts.
    #[inline]
    pub fn wants(&self, goal: GoalId) -> Option<(&[LocalFact], u64, u64)> {
        // Most types want all goals of their domain.
        let at = match self.goals.get(goal.index()) {
            Some(&here) if here == goal => goal.index(),
            _ => self.goals.binary_search(&goal).ok()?,
        };
        if self.wants_amounts && self.has_wanted_amounts(at) {
            return None;
        }
        let (look, see) = self.want_words[at];
        Some((self.wants.row(at), look, see))
    }

    #[cold]
    #[inline(never)]
    fn has_wanted_amounts(&self, at: usize) -> bool {
        !(self.want_ranges.row(at).is_empty() && self.want_comparisons.row(at).is_empty())
    }

    /// Whether some action asks for a context check or overrides another; otherwise all that
    /// are not forbidden are there.
    pub fn has_context(&self) -> bool {
        self.checks.n_entries() > 0
            || self.overrides.n_entries() > 0
            || !self.kind_checks.is_empty()
    }

    /// The ways to do an action, in the order written; none if there is only one.
    pub fn kinds(&self, action: LocalAction) -> &[LocalKind] {
        self.kinds.row(action.index())
    }

    /// The context checks of a kind.
    pub fn kind_checks(&self, kind: LocalKind) -> &[CheckUse] {
        &self.kind_checks[kind.first_check as usize..kind.end_of_checks as usize]
    }

    /// All its actions, by number.
    pub fn local_actions(&self) -> impl DoubleEndedIterator<Item = LocalAction> + Clone + use<> {
        (0..self.actions.len() as u32).map(LocalAction)
    }

    /// All its variables, by number.
    pub fn local_variables(
        &self,
    ) -> impl DoubleEndedIterator<Item = LocalVariable> + Clone + use<> {
        (0..self.variables.len() as u32).map(LocalVariable)
    }

    /// All facts of a variable, by value.
    pub fn facts_of(&self, variable: LocalVariable) -> impl Iterator<Item = LocalFact> + use<> {
        (0..self.n_values(variable) as PackedValue).map(move |value| LocalFact { variable, value })
    }

    /// How many actions it has.
    pub fn n_actions(&self) -> usize {
        self.actions.len()
    }

    /// Its number for a variable of the domain; `None` if nothing it does touches it.
    pub fn local_variable(&self, id: VariableId) -> Option<LocalVariable> {
        // Most types of a small domain touch everything: then its own number is the domain's.
        if self.variables.get(id.index()) == Some(&id) {
            return Some(LocalVariable(id.0));
        }
        self.variables.binary_search(&id).ok().map(|at| LocalVariable(at as u32))
    }

    /// Its number for an action of the domain; `None` if it cannot do it.
    pub fn local_action(&self, id: ActionId) -> Option<LocalAction> {
        self.actions.binary_search(&id).ok().map(|at| LocalAction(at as u32))
    }

    /// The domain's name for one of its facts.
    pub fn fact(&self, fact: LocalFact) -> Fact {
        Fact {
            variable: self.variables[fact.variable.index()],
            value: ValueId::at(usize::from(fact.value)),
        }
    }

    /// How many values a variable has.
    #[inline]
    pub fn n_values(&self, variable: LocalVariable) -> usize {
        let next = self.slot_starts[variable.index() + 1];
        (next - self.slot_starts[variable.index()]) as usize
    }

    /// How many slots (variable and value) there are.
    pub fn n_slots(&self) -> usize {
        self.setters.len()
    }

    /// The slot of a fact.
    #[inline]
    pub fn slot(&self, fact: LocalFact) -> usize {
        self.slot_starts[fact.variable.index()] as usize + usize::from(fact.value)
    }

    /// What an action requires, by variable.
    #[inline]
    pub fn needs(&self, action: LocalAction) -> &[LocalFact] {
        self.needs.row(action.index())
    }

    /// What an action sets, by variable.
    #[inline]
    pub fn sets(&self, action: LocalAction) -> &[LocalFact] {
        self.sets.row(action.index())
    }

    /// What an action requires of amounts, by variable: what its shifts need included.
    pub fn ranges(&self, action: LocalAction) -> &[LocalRange] {
        self.ranges.row(action.index())
    }

    /// How amounts must stand to each other for an action.
    pub fn comparisons(&self, action: LocalAction) -> &[LocalComparison] {
        self.comparisons.row(action.index())
    }

    /// How an action moves values, by variable.
    pub fn shifts(&self, action: LocalAction) -> &[LocalShift] {
        self.shifts.row(action.index())
    }

    /// Whether an action counts: moves an amount, or asks for a set of values of a variable that
    /// changes. What it asks of variables that stand still is known when a question is asked.
    pub fn counts(&self, action: LocalAction) -> bool {
        let asks = |variable: LocalVariable| self.can_change(variable);
        self.has_amounts
            && (!self.shifts(action).is_empty()
                || self.ranges(action).iter().any(|it| asks(it.variable))
                || self.comparisons(action).iter().any(|it| asks(it.variable)))
    }

    /// The actions that set the fact of a slot, by id.
    #[inline]
    pub fn setters(&self, slot: usize) -> &[LocalAction] {
        self.setters.row(slot)
    }

    /// The actions that require the fact of a slot, by id.
    #[inline]
    pub fn needed_by(&self, slot: usize) -> &[LocalAction] {
        self.needed_by.row(slot)
    }

    /// The context checks of an action.
    pub fn checks(&self, action: LocalAction) -> &[CheckUse] {
        self.checks.row(action.index())
    }

    /// Those of its actions that an action overrides.
    pub fn overrides(&self, action: LocalAction) -> &[LocalAction] {
        self.overrides.row(action.index())
    }

    /// The price of an action in thousandths.
    #[inline]
    pub fn cost(&self, action: LocalAction) -> u64 {
        self.costs[action.index()]
    }

    /// All ways to set a variable: the value, and an action that sets it.
    pub fn setters_of(
        &self,
        variable: LocalVariable,
    ) -> impl Iterator<Item = (LocalFact, LocalAction)> {
        let start = self.slot_starts[variable.index()];
        let end = self.slot_starts[variable.index() + 1];
        (start..end).flat_map(move |slot| {
            let fact = LocalFact { variable, value: (slot - start) as PackedValue };
            self.setters.row(slot as usize).iter().map(move |&action| (fact, action))
        })
    }

    /// Whether an action of this type sets or shifts a variable.
    pub fn can_change(&self, variable: LocalVariable) -> bool {
        self.changes[variable.index()]
    }

    /// A state in which every variable is unknown.
    pub fn unknown_state(&self) -> Vec<PackedValue> {
        vec![UNKNOWN; self.variables.len()]
    }
}

/// Where a touched variable stands; they all were collected, so the search always finds it.
fn position(variables: &[VariableId], id: VariableId) -> u32 {
    match variables.binary_search(&id) {
        Ok(at) | Err(at) => at as u32,
    }
}
