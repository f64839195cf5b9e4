//! What the tables of one NPC type are made of, and the same with one thing otherwise.
//!
//! In:   the model, one of its NPC types, and perhaps a [`Variation`].
//! Out:  its actions, goals and starts, borrowed from the model where nothing is changed.
//! Cost: a few words per action of the type.
//!
//! Variations answer "what if": they are made to be planned with and thrown away, never to be
//! kept beside the domain that users loaded.

use super::packed::PackedValue;
use crate::amounts::ValueSet;
use crate::model::*;
use crate::number::Cost;
use crate::sequence::{Part, Sequence};
use std::borrow::Cow;
use std::collections::HashSet;

/// One thing that could be otherwise about an NPC type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variation {
    /// It can also do this action.
    Grant(ActionId),
    /// An action does not require this, be it done by itself or as a part of a compound. Of a
    /// compound: none of its parts needs it at the outset.
    DropNeed(ActionId, Fact),
    /// An action does not ask for a set of values of this variable, be it done by itself or as a
    /// part of a compound; what its shift of it needs it still needs. Of a compound: at the outset.
    DropRange(ActionId, VariableId),
    /// An action asks for this set of values instead of what it asks of the variable, likewise.
    SetRange(ActionId, Range),
    /// An action does not compare two amounts in this way.
    DropComparison(ActionId, Comparison),
    /// The first action does not override the second.
    DropOverride(ActionId, ActionId),
    /// Whether this action was done is remembered in a variable of its own: the one after the last
    /// of the domain, with the values 0 (not yet) and 1 (done).
    Mark(ActionId),
}

/// An action as one NPC type sees it.
pub(super) struct ActionView<'m> {
    pub(super) id: ActionId,
    pub(super) requires: Cow<'m, [Fact]>,
    pub(super) sets: Cow<'m, [Fact]>,
    pub(super) ranges: Cow<'m, [Range]>,
    pub(super) comparisons: Cow<'m, [Comparison]>,
    pub(super) shifts: Cow<'m, [Shift]>,
    pub(super) checks: &'m [CheckUse],
    pub(super) overrides: Cow<'m, [ActionId]>,
    pub(super) cost: Cost,
    pub(super) kinds: &'m [ActionKind],
}

/// One NPC type in pieces.
pub(super) struct TypeView<'m> {
    model: &'m Model,
    pub(super) id: NpcTypeId,
    /// By id.
    pub(super) actions: Vec<ActionView<'m>>,
    pub(super) goals: Vec<(GoalId, Conditions<'m>)>,
    pub(super) starts: &'m [Fact],
}

impl<'m> TypeView<'m> {
    /// The type as the model has it.
    pub(super) fn of(model: &'m Model, id: NpcTypeId) -> Self {
        let npc = &model[id];
        TypeView {
            model,
            id,
            actions: npc.can.iter().map(|&action| ActionView::of(model, action)).collect(),
            goals: npc.wants.iter().map(|&id| (id, model[id].conditions())).collect(),
            starts: &npc.starts,
        }
    }

    /// Changes one thing. What does not apply changes nothing.
    pub(super) fn vary(&mut self, variation: Variation) {
        let at = |id: ActionId| self.actions.binary_search_by_key(&id, |action| action.id);
        match variation {
            Variation::Grant(id) => {
                if let (Err(at), true) = (at(id), id.index() < self.model.actions.len())
                    && !self.compares_with_what_changes(id)
                {
                    self.actions.insert(at, ActionView::of(self.model, id));
                }
            }
            Variation::DropNeed(id, need) => {
                self.actions.iter_mut().for_each(|action| action.do_without(self.model, id, need));
            }
            Variation::DropRange(id, variable) => {
                let asked = (variable, None);
                self.actions.iter_mut().for_each(|action| action.ask_else(self.model, id, asked));
            }
            Variation::SetRange(id, Range { variable, values }) => {
                let asked = (variable, Some(values));
                self.actions.iter_mut().for_each(|action| action.ask_else(self.model, id, asked));
            }
            Variation::DropComparison(id, comparison) => {
                if let Ok(at) = at(id) {
                    self.actions[at].comparisons.to_mut().retain(|it| *it != comparison);
                }
            }
            Variation::DropOverride(by, other) => {
                if let Ok(at) = at(by) {
                    self.actions[at].overrides.to_mut().retain(|id| *id != other);
                }
            }
            Variation::Mark(id) => {
                if let Ok(at) = at(id) {
                    let done = mark_of(self.model, true);
                    self.actions[at].sets.to_mut().push(done);
                }
            }
        }
    }

    /// Whether with this action something would be compared with an amount that changes: the right
    /// side of a comparison is looked at once, when a question is asked.
    fn compares_with_what_changes(&self, new: ActionId) -> bool {
        let others = |action: ActionId| self.model[action].comparisons().iter().map(|it| it.other);
        let own = self.actions.iter().map(|action| action.id);
        let compared: HashSet<VariableId> = own.clone().chain([new]).flat_map(others).collect();
        let wanted = self.goals.iter().flat_map(|(_, wants)| wants.comparisons);
        let compared: HashSet<VariableId> = wanted.map(|it| it.other).chain(compared).collect();
        let changed = |action: ActionId| self.model[action].changed();
        !compared.is_empty()
            && own.chain([new]).flat_map(changed).any(|variable| compared.contains(&variable))
    }

    /// The variables that its actions, goals and starts touch, by id.
    pub(super) fn touched_variables(&self) -> Vec<VariableId> {
        let mut variables: Vec<VariableId> = self.starts.iter().map(|fact| fact.variable).collect();
        for action in &self.actions {
            variables.extend(action.conditions().variables());
            variables.extend(action.sets.iter().map(|fact| fact.variable));
            variables.extend(action.shifts.iter().map(|shift| shift.variable));
        }
        self.goals.iter().for_each(|(_, wants)| variables.extend(wants.variables()));
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// Which steps should come before which.
    pub(super) fn preferences(&self) -> &'m [OrderPreference] {
        &self.model.preferences
    }

    /// How many values a variable has; the mark, beyond the model's variables, has two.
    pub(super) fn n_values(&self, id: VariableId) -> PackedValue {
        self.model
            .variables
            .get(id.index())
            .map_or(2, |variable| variable.values.len() as PackedValue)
    }
}

impl<'m> ActionView<'m> {
    fn of(model: &'m Model, id: ActionId) -> Self {
        let action = &model[id];
        ActionView {
            id,
            requires: Cow::Borrowed(action.requires()),
            sets: Cow::Borrowed(action.sets()),
            ranges: Cow::Borrowed(action.ranges()),
            comparisons: Cow::Borrowed(action.comparisons()),
            shifts: Cow::Borrowed(action.shifts()),
            checks: action.checks(),
            overrides: Cow::Borrowed(action.overrides()),
            cost: action.cost,
            kinds: action.kinds(),
        }
    }

    fn conditions(&self) -> Conditions<'_> {
        let ActionView { requires, ranges, comparisons, .. } = self;
        Conditions { facts: requires, ranges, comparisons }
    }

    /// Lets the action that is called `id` do without a need, which is this one or a part of it.
    fn do_without(&mut self, model: &Model, id: ActionId, need: Fact) {
        let parts = model[self.id].parts();
        if parts.is_empty() {
            if self.id == id {
                self.requires.to_mut().retain(|fact| *fact != need);
            }
            return;
        }
        if self.id != id && !parts.contains(&id) {
            return;
        }
        // What had to be as the parts leave it is now something that they set.
        let mut whole = Sequence::default();
        for &part in parts {
            let action = &model[part];
            let is_kept = |fact: &&Fact| match self.id == id {
                // What the parts have set themselves is not needed any more, but there all the same.
                true => fact.variable != need.variable,
                false => part != id || **fact != need,
            };
            let facts: Vec<Fact> = action.requires().iter().filter(is_kept).copied().collect();
            let asks = Conditions { facts: &facts, ..action.conditions() };
            whole.add(Part { asks, ..Part::of(action) }, |id| n_values(model, id));
        }
        self.become_whole(&whole);
    }

    /// Takes over what a sequence is as one action, if it is one.
    fn become_whole(&mut self, sequence: &Sequence) {
        let Ok(whole) = sequence.whole() else { return };
        (self.requires, self.sets) = (whole.requires.into(), whole.sets.into());
        (self.ranges, self.shifts) = (whole.ranges.into(), whole.shifts.into());
        self.comparisons = whole.comparisons.into();
    }

    /// Lets the action that is called `id`, which is this one or a part of it, ask for other values
    /// of a variable; for none in particular, if none are said. To ask for all values is still to
    /// ask that it is known. If it could then never be done, nothing changes.
    fn ask_else(
        &mut self,
        model: &Model,
        id: ActionId,
        (variable, values): (VariableId, Option<ValueSet>),
    ) {
        let itself = [self.id];
        let parts = match model[self.id].parts() {
            parts if parts.contains(&id) => parts,
            _ if self.id == id => &itself[..],
            _ => return,
        };
        let size = n_values(model, variable);
        let mut whole = Sequence::default();
        for &part in parts {
            let action = &model[part];
            let (mut facts, mut ranges) = (action.requires().to_vec(), action.ranges().to_vec());
            let shift = action.shifts().iter().find(|shift| shift.variable == variable);
            if part == id {
                facts.retain(|fact| fact.variable != variable);
                ranges.retain(|range| range.variable != variable);
                let needed = shift.map(|shift| shift.by.domain(size));
                let both = match (needed, values) {
                    (Some(needed), Some(values)) => needed.both(&values),
                    (needed, values) => needed.or(values),
                };
                ranges.extend(both.map(|values| Range { variable, values }));
            }
            let asks = Conditions { facts: &facts, ranges: &ranges, ..action.conditions() };
            let cannot = whole.add(Part { asks, ..Part::of(action) }, |id| n_values(model, id));
            if !cannot.is_empty() {
                return;
            }
        }
        self.become_whole(&whole);
    }
}

fn n_values(model: &Model, id: VariableId) -> PackedValue {
    model[id].values.len() as PackedValue
}

/// The fact that a marked action was done, or was not.
pub(super) fn mark_of(model: &Model, done: bool) -> Fact {
    Fact { variable: VariableId::at(model.variables.len()), value: ValueId(u32::from(done)) }
}
