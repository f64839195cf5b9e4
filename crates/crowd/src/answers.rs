//! How somebody stands: its status, its steps, its reason.
//!
//! In:   a handle.
//! Out:  what was found out when it was last served, as far as that still holds.
//! Cost: a look into the columns. If the group of the NPC changed since the last frame, also the
//!       comparison with that change; `settle` does it for all at once.

use crate::course::{Asked, Course};
use crate::crowd::Crowd;
use crate::following::Remainder;
use crate::groups::Difference;
use crate::plans::PlanId;
use crate::rows::Handle;
use throng_base::ones;
use throng_domain::Milli;
use throng_domain::model::ActionId;
use throng_planner::{Budget, Call, Outcome, Problem, Reason, Solver};

/// How somebody stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// Changed since it was served: has no plan to go by.
    Waiting,
    /// Has a plan and steps left to do.
    Following,
    /// Has what it wants.
    Satisfied,
    /// There is no plan; [`Crowd::reason`] says why.
    Impossible,
    /// A limit was hit before an answer was found.
    GaveUp,
}

impl Crowd {
    /// How somebody stands; `None` if it is not there.
    pub fn status(&self, npc: Handle) -> Option<Status> {
        Some(self.status_of(self.rows.find(npc)?))
    }

    pub(crate) fn status_of(&self, row: usize) -> Status {
        if self.is_waiting(row) {
            return Status::Waiting;
        }
        match PlanId(self.ids.get(row)) {
            PlanId::IMPOSSIBLE => Status::Impossible,
            PlanId::GAVE_UP => Status::GaveUp,
            _ if self.remainder(row).is_empty() => Status::Satisfied,
            _ => Status::Following,
        }
    }

    /// Whether a row waits, or would if its group's changes were looked at.
    pub(crate) fn is_waiting(&self, row: usize) -> bool {
        let group = usize::from(self.group[row]);
        if self.dirty.get(row) || !self.has_changes || !self.groups.is_unsettled(group) {
            return self.dirty.get(row);
        }
        let mut difference = Difference::default();
        self.groups.difference(self.kind(), group, &mut difference);
        self.is_affected(row, &difference, &mut self.state.clone())
    }

    /// Those whom the last call of [`Crowd::plan`] gave an answer, in the order of rows: whom a
    /// game has to tell, without asking everybody.
    pub fn just_served(&self) -> impl Iterator<Item = Handle> + '_ {
        let words = self.turns.chosen.words().iter().zip(self.dirty.words());
        let words = words.zip(self.rows.alive().words()).enumerate();
        words.flat_map(move |(at, ((chosen, dirty), alive))| {
            ones(chosen & !dirty & alive).map(move |bit| self.rows.handle(at * 64 + bit))
        })
    }

    /// The steps that somebody has still to do; none if it waits or has no plan.
    pub fn plan_of(&self, npc: Handle) -> impl ExactSizeIterator<Item = ActionId> + '_ {
        let row = self.rows.find(npc).filter(|&row| !self.is_waiting(row));
        let remainder = row.map_or(Remainder::NOTHING, |row| self.remainder(row));
        remainder.map(|action| self.kind().actions()[action.index()])
    }

    /// What the steps that somebody has still to do cost.
    pub fn cost_of(&self, npc: Handle) -> Milli {
        let Some(row) = self.rows.find(npc).filter(|&row| !self.is_waiting(row)) else {
            return Milli(0);
        };
        Milli(self.remainder(row).map(|action| self.kind().cost(action)).sum())
    }

    /// How many steps of its plan somebody has done.
    pub fn steps_done(&self, npc: Handle) -> usize {
        self.rows.find(npc).map_or(0, |row| self.step[row].into())
    }

    /// What somebody is to do now; `None` if it waits, has no plan, or has what it wants.
    pub fn next_action(&self, npc: Handle) -> Option<ActionId> {
        self.plan_of(npc).next()
    }

    /// Why somebody has no plan: asks the planner again, which is not for every frame, within
    /// the limits of a search. Of a choice it is that of the first goal that is asked for. `None`
    /// if it has a plan, is not there, or was given up.
    pub fn reason(&self, npc: Handle, solver: &mut Solver) -> Option<Reason> {
        let row = self.rows.find(npc)?;
        let mut problem = Problem::new(&self.domain, self.npc);
        let mut state = self.state.clone();
        let (nodes, bytes) = (self.settings.most_nodes, self.settings.search_bytes);
        solver.begin();
        let outcome = match self.goals.choice(self.goal[row]) {
            None => {
                self.fill_problem(row, self.goal[row], &mut problem, &mut state);
                let budget = Budget { nodes, bytes, stop: None };
                solver.solve(&Call::new(&self.domain, &problem).budget(budget))
            }
            Some(choice) => {
                let (problem, state) = (&mut problem, &mut state[..]);
                let asked = Asked { crowd: self, row, choice, solver, problem, state };
                Course::default().run(asked, nodes).0
            }
        };
        match outcome {
            Outcome::Impossible(proof) => Some(proof.reason(&self.domain).clone()),
            _ => None,
        }
    }
}
