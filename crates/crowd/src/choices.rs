//! Goals that are choices: their tables, and what came of them.
//!
//! In:   the tables of the goals that a choice is made of; or somebody who has chosen.
//! Out:  one table of the choice, as fast as any other; the goal that was chosen.
//! Cost: a table takes a pass over the states, beside the tables of its goals; who has chosen what
//!       is found by a replay of its steps.

use crate::crowd::Crowd;
use crate::goals::{Choice, GoalRef};
use crate::plans::{PlanId, Plans};
use crate::rows::Handle;
use crate::table::PolicyTable;
use crate::tables::{Made, Making, Progress};

impl Crowd {
    /// The goal that somebody is after: its own, or of a choice the one that the steps left lead
    /// to or, if there are none, one that holds. `None` if it waits, or has no plan.
    pub fn aim_of(&self, npc: Handle) -> Option<GoalRef> {
        let row = self.rows.find(npc).filter(|&row| !self.is_waiting(row))?;
        let id = PlanId(self.ids.get(row));
        if matches!(id, PlanId::IMPOSSIBLE | PlanId::GAVE_UP) {
            return None;
        }
        let goal = self.goal[row];
        let Some(choice) = self.goals.choice(goal) else { return Some(GoalRef(goal)) };
        let mut now = self.state.clone();
        self.read_state(row, &mut now);
        let mut then = now.clone();
        for action in self.remainder(row) {
            for set in self.kind().sets(action) {
                then[set.variable.index()] = set.value;
            }
        }
        let moves = !self.remainder(row).is_empty();
        let held = |one: &[u16]| self.goals.holds_one(one, |variable| now[variable.index()]);
        let stages = choice.stages.iter().filter(|stage| !moves || !held(stage));
        let holds = |part: &u16| self.goals.holds_one(&[*part], |variable| then[variable.index()]);
        stages.flatten().copied().find(holds).map(GoalRef)
    }

    /// Makes the table of a choice from those of its goals, which are made if need be. None can be
    /// had if one of theirs cannot.
    pub(crate) fn make_choice_table(
        &mut self,
        situation: u32,
        goal: u16,
        most_nodes: u64,
        progress: Progress<'_>,
    ) -> Making {
        let mut all = Making { made: Made::No, nodes: 0, tables: 0 };
        let Some(choice) = self.goals.choice(goal).cloned() else { return all };
        for part in choice.parts() {
            if self.has_table(situation, part) {
                continue;
            }
            if self.may_have_table(situation, part) {
                let left = most_nodes.saturating_sub(all.nodes);
                let making = self.make_table(situation, part, left, progress);
                all.nodes = all.nodes.saturating_add(making.nodes);
                all.tables += making.tables;
                if making.made == Made::Stopped {
                    all.made = Made::Stopped;
                    return all;
                }
            }
            if !self.has_table(situation, part) {
                let refused =
                    self.groups.policy(situation, part).map(|of| (of.no_table, of.no_room));
                let (no_table, no_room) = refused.unwrap_or_default();
                if let Some(policy) = self.groups.policy_mut(situation, goal) {
                    (policy.no_table, policy.no_room) = (no_table, no_room);
                }
                return all;
            }
        }
        let states = self.space.n_states().unwrap_or(u64::MAX);
        let is_affordable = states <= most_nodes.saturating_sub(all.nodes);
        // Its goals may have taken the room.
        if is_affordable && self.may_have_table(situation, goal) {
            let table = self.merged(situation, &choice, states);
            all.nodes = all.nodes.saturating_add(states);
            if let Some(table) = table {
                self.groups.set_table(situation, goal, table);
                all.tables += 1;
                all.made = Made::Yes;
            }
        }
        all
    }

    pub(crate) fn has_table(&self, situation: u32, goal: u16) -> bool {
        self.groups.policy(situation, goal).is_some_and(|policy| policy.table.is_some())
    }

    /// What each state chooses; `None` if a table is missing.
    fn merged(&self, situation: u32, choice: &Choice, states: u64) -> Option<PolicyTable> {
        let table = |&part: &u16| self.groups.policy(situation, part)?.table.as_ref();
        let stages: Vec<Vec<&PolicyTable>> = choice
            .stages
            .iter()
            .map(|stage| stage.iter().map(table).collect())
            .collect::<Option<_>>()?;
        let (mut ids, mut used, mut is_used) = (Vec::new(), Vec::new(), Vec::new());
        for state in 0..states {
            let id = chosen(&stages, state, &self.plans);
            ids.push(id.0);
            if id.is_plan() {
                is_used.resize(is_used.len().max(id.index() + 1), false);
                if !std::mem::replace(&mut is_used[id.index()], true) {
                    used.push(id);
                }
            }
        }
        Some(PolicyTable::of_ids(ids, used))
    }
}

/// What a state chooses.
fn chosen(stages: &[Vec<&PolicyTable>], state: u64, plans: &Plans) -> PlanId {
    let mut answer = PlanId::SATISFIED;
    for stage in stages {
        let ids = || stage.iter().map(|table| table.plan(state));
        if ids().any(|id| id == PlanId::SATISFIED) {
            continue;
        }
        // Of equals the first.
        if let Some(least) = ids().filter(|id| id.is_plan()).min_by_key(|&id| plans.cost(id)) {
            return least;
        }
        answer = PlanId::IMPOSSIBLE;
    }
    answer
}
