//! How an NPC stands: its status, its steps, its aim, its reason; and who has nothing to do.
//!
//! In:   a handle; or a crowd that was served.
//! Out:  what was found out when it was last served, as far as that still holds.
//! Cost: a look into the columns. If the group of the NPC changed since the last frame, also the
//!       comparison with that change; `settle` does it for all at once.

use super::{Crowd, WaitingFor};
use crate::changes::is_waiting;
use crate::choice_search::{Asked, ChoiceSearch};
use crate::goals::CrowdGoalId;
use crate::groups::GroupId;
use crate::ledger::Remainder;
use crate::plans::PlanId;
use crate::rows::NpcHandle;
use throng_base::{Digest64, ones};
use throng_domain::Cost;
use throng_domain::model::ActionId;
use throng_planner::{Call, Outcome, Problem, Reason, SearchBudget, Solver};

/// How an NPC stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
#[must_use]
pub enum Status {
    /// Changed since it was served: has no plan to go by.
    Waiting,
    /// Has a plan and steps left to do, the next of which may wait for what others have claimed:
    /// see [`Crowd::is_queued`].
    Following,
    /// Has what it wants.
    Satisfied,
    /// There is no plan; [`Crowd::reason`] says why.
    Impossible,
    /// A limit was hit before an answer was found.
    GaveUp,
}

/// An NPC that has nothing to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[must_use]
pub struct Idle {
    /// The NPC.
    pub npc: NpcHandle,
    /// Satisfied, without a plan, or given up.
    pub status: Status,
    /// What it wanted.
    pub goal: CrowdGoalId,
    /// Its group.
    pub group: GroupId,
    /// How many steps of its last plan it has done.
    pub steps_done: usize,
}

impl Crowd {
    /// How an NPC stands; `None` if it is not there.
    pub fn status(&self, npc: NpcHandle) -> Option<Status> {
        Some(self.status_of(self.core.columns.find(npc)?))
    }

    fn status_of(&self, row: usize) -> Status {
        if is_waiting(&self.core, row) {
            return Status::Waiting;
        }
        match PlanId(self.core.columns.id(row)) {
            PlanId::IMPOSSIBLE => Status::Impossible,
            PlanId::GAVE_UP => Status::GaveUp,
            _ if self.core.remainder(row).is_empty() => Status::Satisfied,
            _ => Status::Following,
        }
    }

    /// The row of an NPC that does not wait.
    fn settled_row(&self, npc: NpcHandle) -> Option<usize> {
        self.core.columns.find(npc).filter(|&row| !is_waiting(&self.core, row))
    }

    /// The NPCs that the last call of [`Crowd::plan`] gave an answer, in the order of rows: those
    /// for which a game may have something new to show.
    pub fn just_served(&self) -> impl Iterator<Item = NpcHandle> + '_ {
        let (columns, rows) = (&self.core.columns, self.core.columns.rows());
        let words = self.core.turns.chosen().words().iter().zip(columns.waiting().words());
        let words = words.zip(rows.alive().words()).enumerate();
        words.flat_map(move |(at, ((chosen, waiting), alive))| {
            ones(chosen & !waiting & alive).map(move |bit| rows.handle(at * 64 + bit))
        })
    }

    /// All NPCs that neither wait nor have a step left to do, in the order of rows.
    pub fn idle(&self) -> impl Iterator<Item = Idle> + '_ {
        let (columns, rows) = (&self.core.columns, self.core.columns.rows());
        let words = rows.alive().words().iter().zip(columns.waiting().words());
        let words = words.zip(columns.moving().words()).enumerate();
        words.flat_map(move |(at, ((alive, waiting), moving))| {
            ones(alive & !waiting & !moving).filter_map(move |bit| {
                let row = at * 64 + bit;
                let status = self.status_of(row);
                (status != Status::Waiting).then(|| Idle {
                    npc: rows.handle(row),
                    status,
                    goal: CrowdGoalId(columns.goal(row)),
                    group: GroupId(columns.groups()[row]),
                    steps_done: columns.steps_done(row).into(),
                })
            })
        })
    }

    /// The steps that an NPC has still to do; none if it waits or has no plan.
    pub fn plan_of(&self, npc: NpcHandle) -> impl ExactSizeIterator<Item = ActionId> + '_ {
        let row = self.settled_row(npc);
        let remainder = row.map_or(Remainder::NOTHING, |row| self.core.remainder(row));
        remainder.map(|action| self.core.kind.npc().actions()[action.index()])
    }

    /// What the steps that an NPC has still to do cost.
    pub fn cost_of(&self, npc: NpcHandle) -> Cost {
        let kind = self.core.kind.npc();
        let cost = |row| self.core.remainder(row).map(|action| kind.cost(action)).sum();
        Cost(self.settled_row(npc).map_or(0, cost))
    }

    /// How many steps of its plan an NPC has done.
    pub fn steps_done(&self, npc: NpcHandle) -> usize {
        self.core.columns.find(npc).map_or(0, |row| self.core.columns.steps_done(row).into())
    }

    /// What an NPC is to do now; `None` if it waits, has no plan, or has what it wants; also if
    /// that touches what others have claimed.
    pub fn next_action(&self, npc: NpcHandle) -> Option<ActionId> {
        let row = self.settled_row(npc).filter(|&row| !self.core.is_queued(row))?;
        let action = self.core.remainder(row).next()?;
        Some(self.core.kind.npc().actions()[action.index()])
    }

    /// Whether an NPC has a plan, and its next step waits for what others have claimed:
    /// [`Crowd::waiting_for`] says what, and for whom.
    pub fn is_queued(&self, npc: NpcHandle) -> bool {
        self.queued_row(npc).is_some()
    }

    /// What an NPC waits for whose next step touches what others have claimed, and who is in its
    /// way; not for every frame. `None` if it waits for nobody. In a population, where others than
    /// those of its type may be in the way, ask [`Population::waiting_for`](crate::Population::waiting_for).
    pub fn waiting_for(&self, npc: NpcHandle) -> Option<WaitingFor> {
        let row = self.queued_row(npc)?;
        self.line.waiting_for(std::slice::from_ref(self), 0, row)
    }

    /// The row of an NPC that waits for a claim.
    pub(crate) fn queued_row(&self, npc: NpcHandle) -> Option<usize> {
        self.settled_row(npc).filter(|&row| self.core.is_queued(row))
    }

    /// The goal that an NPC is after: its own, or of a choice the one that the steps left lead
    /// to or, if there are none, one that holds. `None` if it waits, or has no plan.
    pub fn aim_of(&self, npc: NpcHandle) -> Option<CrowdGoalId> {
        let (row, core) = (self.settled_row(npc)?, &self.core);
        let id = PlanId(core.columns.id(row));
        if matches!(id, PlanId::IMPOSSIBLE | PlanId::GAVE_UP) {
            return None;
        }
        let goal = core.columns.goal(row);
        let Some(choice) = core.goals.choice(goal) else { return Some(CrowdGoalId(goal)) };
        let mut now = core.kind.npc().unknown_state();
        core.read_state(row, &mut now);
        let mut then = now.clone();
        core.remainder(row).for_each(|action| core.kind.npc().run(action, &mut then));
        let moves = !core.remainder(row).is_empty();
        let held = |one: &[u16]| core.goals.holds_one(one, |variable| now[variable.index()]);
        let stages = choice.stages.iter().filter(|stage| !moves || !held(stage));
        let holds = |part: &u16| core.goals.holds_one(&[*part], |variable| then[variable.index()]);
        stages.flatten().copied().find(holds).map(CrowdGoalId)
    }

    /// How an NPC would stand with another goal, if a table knows: one load, nothing planned,
    /// nothing changed. `None` if no table does, or its group was changed and not settled.
    pub fn peek(&self, npc: NpcHandle, goal: CrowdGoalId) -> Option<Status> {
        let (columns, groups) = (&self.core.columns, &self.core.groups);
        let row = columns.find(npc).filter(|_| self.core.goals.has(goal))?;
        // What was said since is in no table yet: `settle` first.
        let situation = groups.fresh_situation(columns.group(row))?;
        let table = groups.situations.table(situation, goal.0)?;
        match table.plan(columns.states().index(row)?) {
            PlanId::UNPLANNED => None,
            PlanId::SATISFIED => Some(Status::Satisfied),
            PlanId::IMPOSSIBLE => Some(Status::Impossible),
            PlanId::GAVE_UP => Some(Status::GaveUp),
            _ => Some(Status::Following),
        }
    }

    /// Whether an NPC has already what a goal wants; `false` if one of them does not exist.
    pub fn has(&self, npc: NpcHandle, goal: CrowdGoalId) -> bool {
        let row = self.core.columns.find(npc).filter(|_| self.core.goals.has(goal));
        let value = |row, variable| self.core.value(row, variable);
        row.is_some_and(|row| self.core.goals.holds(goal.0, |variable| value(row, variable)))
    }

    /// Why an NPC has no plan: asks the planner again, which is not for every frame, within
    /// the limits of a search. Of a choice it is that of the first goal that is asked for. `None`
    /// if it has a plan, is not there, or was given up.
    pub fn reason(&self, npc: NpcHandle, solver: &mut Solver) -> Option<Reason> {
        let (row, core) = (self.core.columns.find(npc)?, &self.core);
        let (domain, goal) = (core.kind.domain(), core.columns.goal(row));
        let mut problem = Problem::new(domain, core.kind.id());
        let mut state = core.kind.npc().unknown_state();
        let (nodes, bytes) = (core.settings.most_nodes, core.settings.search_bytes);
        solver.begin();
        let outcome = match core.goals.choice(goal) {
            None => {
                core.fill_problem(row, goal, &mut problem, &mut state);
                let budget = SearchBudget { nodes, bytes, stop: None };
                solver.solve(&Call::new(domain, &problem).budget(budget))
            }
            Some(choice) => {
                let (problem, state) = (&mut problem, &mut state[..]);
                let asked = Asked { core, row, choice, solver, problem, state };
                ChoiceSearch::default().run(asked, nodes).0
            }
        };
        match outcome {
            Outcome::Impossible(proof) => Some(proof.reason(domain).clone()),
            _ => None,
        }
    }

    /// A digest of all states, goals and plans; one pass over the rows, for tests and reports.
    ///
    /// It is made of values and actions, and of who waits for a claim, not of how they are kept: the same
    /// for any number of threads, and from tables, memory, planner or searches. The wide kernel takes the same
    /// actions but may order them otherwise, which the digest tells.
    pub fn digest(&self) -> u64 {
        let (core, columns) = (&self.core, &self.core.columns);
        let mut digest = Digest64::new();
        let mut state = core.kind.npc().unknown_state();
        for row in columns.rows().alive().iter() {
            digest.word(row as u64);
            core.read_state(row, &mut state);
            state.iter().for_each(|&value| digest.word(value));
            digest.word((columns.group(row) as u64) << 16 | u64::from(columns.goal(row)));
            let status = self.status_of(row);
            digest.word(status as u64);
            if status == Status::Following {
                core.remainder(row).for_each(|action| digest.word(action.index() as u64 + 1));
                if core.is_queued(row) {
                    digest.word(0u64);
                }
            }
        }
        digest.value()
    }
}
