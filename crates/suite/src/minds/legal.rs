//! What a mind may do, by the model alone.
//!
//! In:   the model, a type, which checks hold, which actions are taken out.
//! Out:  which actions are there; whether steps can be done one after the other; whether anything
//!       leads to a goal.
//! Cost: a pass over the actions per question; all states in reach for the last.

use std::collections::HashSet;
use throng_domain::Model;
use throng_domain::compile::PackedValue;
use throng_domain::model::{
    Action, ActionId, CheckUse, Comparison, Conditions, Fact, GoalId, NpcType, Range, VariableId,
};

/// The rules of a moment.
pub(super) struct Legal<'m> {
    model: &'m Model,
    /// The actions that are there, by position.
    there: Vec<bool>,
    /// Checks hold and the game does not forbid it, kinds and overrides aside.
    allowed: Vec<bool>,
}

impl<'m> Legal<'m> {
    pub(super) fn new(
        model: &'m Model,
        npc: &NpcType,
        holds: impl Fn(CheckUse) -> bool,
        forbidden: impl Fn(ActionId) -> bool,
        paused: impl Fn(ActionId) -> bool,
    ) -> Self {
        let actions = model.actions();
        let answered = |checks: &[CheckUse]| checks.iter().all(|used| holds(*used));
        let has_kind = |action: &Action| {
            let kinds = action.kinds();
            kinds.is_empty() || kinds.iter().any(|kind| answered(kind.checks()))
        };
        let mut allowed = vec![false; actions.len()];
        let mut enabled = vec![false; actions.len()];
        for &id in npc.can() {
            let action = &actions[id.index()];
            allowed[id.index()] = answered(action.checks()) && (!forbidden(id) || paused(id));
            enabled[id.index()] = allowed[id.index()] && !forbidden(id) && has_kind(action);
        }
        let mut there = enabled.clone();
        for (at, action) in actions.iter().enumerate().filter(|(at, _)| enabled[*at]) {
            let others = action.overrides().iter().filter(|other| other.index() != at);
            others.for_each(|other| there[other.index()] = false);
        }
        Legal { model, there, allowed }
    }

    pub(super) fn is_there(&self, action: ActionId) -> bool {
        self.there[action.index()]
    }

    /// Does one step; `None` if it cannot be done.
    fn step(&self, at: usize, values: &mut [PackedValue], under_way: bool) -> Option<()> {
        let there = if under_way { &self.allowed } else { &self.there };
        if !there[at] {
            return None;
        }
        let action = &self.model.actions()[at];
        let changes = |id: VariableId| action.changed().any(|changed| changed == id);
        let asked = |id: VariableId| !under_way || !changes(id);
        let facts = action.requires().iter().filter(|fact| asked(fact.variable));
        let ranges = action.ranges().iter().filter(|range| asked(range.variable));
        let compared = action.comparisons().iter().filter(|it| asked(it.variable));
        let facts: Vec<Fact> = facts.copied().collect();
        let ranges: Vec<Range> = ranges.copied().collect();
        let comparisons: Vec<Comparison> = compared.copied().collect();
        let needed = Conditions { facts: &facts, ranges: &ranges, comparisons: &comparisons };
        if !needed.hold(|id| values[id.index()]) {
            return None;
        }
        for set in action.sets() {
            values[set.variable.index()] = set.value.index() as PackedValue;
        }
        for shift in action.shifts() {
            let n_values = self.model.variables()[shift.variable.index()].values().len();
            let value = &mut values[shift.variable.index()];
            *value = shift.by.apply(*value, n_values as PackedValue).unwrap_or(*value);
        }
        Some(())
    }

    /// Does the steps one after the other; the first that cannot be done is the error. Of one
    /// that is under way neither what it changes nor its kind is asked for.
    pub(super) fn walk(
        &self,
        steps: &[ActionId],
        values: &mut [PackedValue],
        under_way: bool,
    ) -> Result<(), usize> {
        for (at, step) in steps.iter().enumerate() {
            self.step(step.index(), values, under_way && at == 0).ok_or(at)?;
        }
        Ok(())
    }

    /// Whether a goal holds, or an alternative of it.
    pub(super) fn reached(&self, goal: GoalId, values: &[PackedValue]) -> bool {
        let goals = self.model.goals();
        let name = name(self.model, goal);
        let alternatives = (0..goals.len()).filter(|&at| served(&goals[at]) == name);
        let value = |id: VariableId| values[id.index()];
        alternatives.into_iter().any(|at| goals[at].conditions().hold(value))
    }

    /// Whether anything that can be done leads to one of the goals.
    pub(super) fn is_in_reach(&self, goals: &[GoalId], values: &[PackedValue]) -> bool {
        let mut known: HashSet<Vec<PackedValue>> = HashSet::from([values.to_vec()]);
        let mut open = vec![values.to_vec()];
        while let Some(state) = open.pop() {
            if goals.iter().any(|&goal| self.reached(goal, &state)) {
                return true;
            }
            for at in 0..self.model.actions().len() {
                let mut next = state.clone();
                if self.step(at, &mut next, false).is_some() && known.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        false
    }
}

fn served(goal: &throng_domain::model::Goal) -> &str {
    goal.serves().unwrap_or(goal.name())
}

/// What a goal is asked for as: alternatives have one name.
pub(super) fn name(model: &Model, goal: GoalId) -> &str {
    served(&model.goals()[goal.index()])
}
