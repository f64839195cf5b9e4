//! What the tables of one NPC type are made of, and the same with one thing otherwise.
//!
//! In:   the model, one of its NPC types, and perhaps a [`Variation`].
//! Out:  its actions, goals and starts, borrowed from the model where nothing is changed.
//! Cost: a few words per action of the type.
//!
//! Variations answer "what if": they are made to be planned with and thrown away, never to be
//! kept beside the domain that users loaded.

use super::packed::PackedValue;
use crate::model::*;
use crate::number::Cost;
use crate::sequence::Sequence;
use std::borrow::Cow;

/// One thing that could be otherwise about an NPC type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variation {
    /// It can also do this action.
    Grant(ActionId),
    /// An action does not require this, be it done by itself or as a part of a compound. Of a
    /// compound: none of its parts needs it at the outset.
    DropNeed(ActionId, Fact),
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
    pub(super) goals: Vec<(GoalId, &'m [Fact])>,
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
            goals: npc.wants.iter().map(|&id| (id, &model[id].wants[..])).collect(),
            starts: &npc.starts,
        }
    }

    /// Changes one thing. What does not apply changes nothing.
    pub(super) fn vary(&mut self, variation: Variation) {
        let at = |id: ActionId| self.actions.binary_search_by_key(&id, |action| action.id);
        match variation {
            Variation::Grant(id) => {
                if let (Err(at), true) = (at(id), id.index() < self.model.actions.len()) {
                    self.actions.insert(at, ActionView::of(self.model, id));
                }
            }
            Variation::DropNeed(id, need) => {
                self.actions.iter_mut().for_each(|action| action.do_without(self.model, id, need));
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

    /// The variables that its actions, goals and starts touch, by id.
    pub(super) fn touched_variables(&self) -> Vec<VariableId> {
        let in_actions = self.actions.iter().flat_map(|a| a.requires.iter().chain(a.sets.iter()));
        let in_goals = self.goals.iter().flat_map(|(_, wants)| *wants);
        let facts = in_actions.chain(in_goals).chain(self.starts);
        let mut variables: Vec<VariableId> = facts.map(|fact| fact.variable).collect();
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
            requires: Cow::Borrowed(&action.requires),
            sets: Cow::Borrowed(&action.sets),
            checks: &action.checks,
            overrides: Cow::Borrowed(&action.overrides),
            cost: action.cost,
            kinds: &action.kinds,
        }
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
            let needs = action.requires.iter().filter(|&&fact| part != id || fact != need);
            whole.add(&needs.copied().collect::<Vec<_>>(), &action.sets);
        }
        if self.id == id {
            whole.do_without(need);
        }
        (self.requires, self.sets) = (whole.requires().into(), whole.sets().into());
    }
}

/// The fact that a marked action was done, or was not.
pub(super) fn mark_of(model: &Model, done: bool) -> Fact {
    Fact { variable: VariableId::at(model.variables.len()), value: ValueId(u32::from(done)) }
}
