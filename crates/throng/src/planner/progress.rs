//! What is known already of a request about several goals that gave up at a limit.
//!
//! In:   the answers for single goals, as they come.
//! Out:  the same again when the request is resumed, so that no goal is planned for twice.
//! Cost: a copy of each answer, and only for requests that have a limit.
//!
//! Without it, a request resumed in slices would begin with its first goal every time, and never
//! come to its second.

use super::{Chosen, Scratch};
use crate::answer::Plan;
use crate::npc::Npc;
use crate::request::{GoalSelection, Request, Target};
use throng_domain::compile::Digest;
use throng_domain::model::{ActionId, GoalId};
use throng_planner::{Engine, Mode, Outcome, Problem};

/// The answers so far, kept between calls.
#[derive(Debug, Default)]
pub(super) struct Progress {
    about: Option<About>,
    decided: Vec<Decided>,
    actions: Vec<ActionId>,
}

/// Who asked for what; limits left aside.
#[derive(PartialEq, Debug)]
struct About {
    digest: Digest,
    /// Where the NPC stands; without a goal.
    problem: Problem,
    want: Target,
    mode: Mode,
    among: GoalSelection,
    engine: Option<Engine>,
}

#[derive(Debug)]
struct Decided {
    goal: GoalId,
    outcome: Outcome,
    chosen: Chosen,
    nodes: u64,
    /// Where its plan lies among the actions.
    plan: std::ops::Range<usize>,
}

impl About {
    fn new(npc: &Npc, request: &Request) -> About {
        About {
            digest: npc.domain().compiled().digest(),
            problem: npc.problem(&[]),
            want: request.want.clone(),
            mode: request.mode,
            among: request.among,
            engine: request.engine,
        }
    }
}

impl Progress {
    /// Forgets what is about something else.
    pub(super) fn begin(&mut self, npc: &Npc, request: &Request, anew: bool) {
        let is_same =
            !anew && self.about.as_ref().is_some_and(|about| *about == About::new(npc, request));
        if !is_same {
            self.forget();
        }
    }

    /// Keeps the answers for the same request again if it gave up; else forgets them.
    pub(super) fn end(&mut self, npc: &Npc, request: &Request, outcome: &Outcome) {
        if !matches!(outcome, Outcome::GaveUp(_)) {
            self.forget();
        } else if self.about.is_none() && !self.decided.is_empty() {
            self.about = Some(About::new(npc, request));
        }
    }

    fn forget(&mut self) {
        self.about = None;
        self.decided.clear();
        self.actions.clear();
    }

    /// Keeps an answer, unless it is that of a limit.
    pub(super) fn keep(
        &mut self,
        goal: GoalId,
        outcome: &Outcome,
        chosen: Chosen,
        nodes: u64,
        plan: &Plan,
    ) {
        if matches!(outcome, Outcome::GaveUp(_)) {
            return;
        }
        let first = self.actions.len();
        self.actions.extend_from_slice(&plan.actions);
        let (outcome, plan) = (outcome.clone(), first..self.actions.len());
        self.decided.push(Decided { goal, outcome, chosen, nodes, plan });
    }
}

/// The answer for a goal that was decided in an earlier call for the same request.
pub(super) fn known(
    npc: &Npc,
    goal: GoalId,
    scratch: &mut Scratch,
    plan: &mut Plan,
) -> Option<Outcome> {
    let Progress { decided, actions, .. } = &scratch.progress;
    let known = decided.iter().find(|known| known.goal == goal)?;
    scratch.solver.nodes += known.nodes;
    scratch.solver.chosen = known.chosen;
    if let Outcome::Plan { cost } = known.outcome {
        plan.take(npc, cost, actions[known.plan.clone()].iter().copied());
    }
    Some(known.outcome.clone())
}
