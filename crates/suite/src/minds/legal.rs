//! What a mind may do, by the model alone.
//!
//! In:   the model, a type, which checks hold, which actions are taken out.
//! Out:  which actions are there; whether steps can be done one after the other; whether anything
//!       leads to a goal.
//! Cost: a pass over the actions per question; all states in reach for the last.

use std::collections::HashSet;
use throng_domain::Model;
use throng_domain::compile::PackedValue;
use throng_domain::model::{Action, ActionId, CheckUse, Fact, GoalId, NpcType};

/// The rules of a moment.
pub(super) struct Legal<'m> {
    model: &'m Model,
    /// The actions that are there, by position.
    there: Vec<bool>,
    /// Checks hold and nobody forbids it, kinds and overrides aside.
    allowed: Vec<bool>,
}

impl<'m> Legal<'m> {
    pub(super) fn new(
        model: &'m Model,
        npc: &NpcType,
        holds: impl Fn(CheckUse) -> bool,
        forbidden: impl Fn(ActionId) -> bool,
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
            allowed[id.index()] = answered(action.checks()) && !forbidden(id);
            enabled[id.index()] = allowed[id.index()] && has_kind(action);
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
        let sets = |fact: &Fact| action.sets().iter().any(|set| set.variable == fact.variable);
        let needed = action.requires().iter().filter(|fact| !under_way || !sets(fact));
        let mut needed =
            needed.map(|fact| (fact.variable.index(), fact.value.index() as PackedValue));
        if !needed.all(|(variable, value)| values[variable] == value) {
            return None;
        }
        for set in action.sets() {
            values[set.variable.index()] = set.value.index() as PackedValue;
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
        let fits = |fact: &Fact| values[fact.variable.index()] == fact.value.index() as PackedValue;
        alternatives.into_iter().any(|at| goals[at].wants().iter().all(fits))
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
