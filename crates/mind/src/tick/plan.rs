//! Phase 7, in two halves: what must be seen to, and the planner asked.
//!
//! In:   state, goals, the plan and the action under way.
//! Out:  of the first half a [`PlanRequest`] to ask the planner, if there is a reason to; of the second
//!       another plan, or none. A mind that may not ask yet waits, and says so.
//! Cost: nothing while the plan is good; else the planner's.
//!
//! Between the halves it is decided whose turn it is: by [`turns`](crate::turns) if the minds have
//! a budget. Without one the second half follows the first at once.

use super::{Context, MindTick};
use crate::choose::{Standing, Tried};
use crate::events::{Activity, Cause, Event, EventKind};
use crate::mind::Mind;
use crate::planning::{Rest, Scratch, Waits};
use crate::spec::Spec;
use crate::time::Tick;

/// What the first half leaves to the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlanRequest {
    cause: Cause,
    /// The goals that are tried.
    tried: Tried,
    /// The plan there is cannot be gone on with.
    is_needed: bool,
    /// What was noted in the plan as the need, to be noted again if it has to wait.
    noted: Option<Cause>,
    /// There is a goal to ask the planner for; else what is left to do costs nothing.
    pub(crate) asks: bool,
    /// What it would ask for first is urgent.
    pub(crate) is_urgent: bool,
    /// The plan is good: it is to be held against a cheaper one.
    reconsiders: bool,
}

impl<W: ?Sized> MindTick<'_, W> {
    /// Both halves: sees whether the plan is still good, and makes another if it is not, or if a
    /// better goal has one.
    pub(super) fn plan(&mut self, scratch: &mut Scratch) {
        if let Some(request) = self.replan_if_needed(scratch) {
            self.ask(&request, self.context.may_ask, scratch);
        }
    }

    /// The first half: whether the planner is to be asked, and why.
    pub(super) fn replan_if_needed(&mut self, scratch: &mut Scratch) -> Option<PlanRequest> {
        let Context { spec, now, .. } = *self.context;
        let mind = &mut *self.mind;
        let id = mind.id;
        let late = std::mem::take(&mut mind.plan.late);
        let run = mind.follow.run.filter(|run| run.serial == mind.plan.serial);
        let step = run.and_then(|run| match run.doing {
            Activity::Step(action) if run.step == mind.plan.at => Some(action),
            _ => None,
        });
        // What must not be broken goes on to its end, whatever happens.
        if step.is_some_and(|action| !spec.action(action).parts.is_empty()) {
            mind.plan.waits = None;
            return None;
        }
        // What was only just begun goes on for a moment, unless an urgent goal has a plan.
        if self.is_committed() {
            return self.ask_for_urgent_ones();
        }
        let (mind, outbox) = (&mut *self.mind, &mut *self.outbox);
        let mut event = |what| outbox.events.push(Event { at: now, mind: id, what });
        // A step of which an order has just ended is heard first: it may have done its part, and what
        // looks wrong now may be its doing. But not twice in a row: orders may end all the time.
        // What it does for a task that is another by now is over anyway.
        if step.is_some() && mind.follow.news && !late && !mind.follow.another_task {
            mind.plan.late = true;
            return None;
        }
        let noted = mind.plan.need.take();
        let mut need = noted;
        if mind.plan.goal.is_some() && need.is_none() {
            need = see_to_the_rest(mind, spec, (now, step.is_some()), scratch, &mut event);
        }
        let (cause, tried) = match (need, mind.plan.goal) {
            (Some(cause), _) => (cause, Tried::All),
            (None, Some(_)) => (Cause::BetterGoal, Tried::Better),
            (None, None) if mind.goals.lacks_a_plan() => (Cause::TryAgain, Tried::All),
            (None, None) => (Cause::NothingToDo, Tried::All),
        };
        let first = mind.goals.first_untried(tried, spec);
        let is_urgent = first.or(mind.plan.goal).is_some_and(|goal| spec.goal(goal).urgent);
        if need.is_none() && first.is_none() {
            if now >= mind.plan.reconsiders_at(spec, mind.state.version()) {
                return Some(PlanRequest {
                    cause: Cause::Cheaper,
                    tried: Tried::Better,
                    is_needed: false,
                    noted: None,
                    asks: true,
                    is_urgent,
                    reconsiders: true,
                });
            }
            mind.plan.waits = None;
            return None;
        }
        let is_urgent = is_urgent && first.is_some();
        Some(PlanRequest {
            cause,
            tried,
            is_needed: need.is_some(),
            noted,
            asks: first.is_some(),
            is_urgent,
            reconsiders: false,
        })
    }

    /// What is under way goes on; but urgent goals that have not been tried are.
    fn ask_for_urgent_ones(&mut self) -> Option<PlanRequest> {
        let (spec, mind) = (self.context.spec, &mut *self.mind);
        if mind.goals.first_untried(Tried::Urgent, spec).is_none() {
            mind.plan.waits = None;
            return None;
        }
        Some(PlanRequest {
            cause: Cause::BetterGoal,
            tried: Tried::Urgent,
            is_needed: false,
            noted: None,
            asks: true,
            is_urgent: true,
            reconsiders: false,
        })
    }

    /// The second half: asks the planner, or waits if it `may` not yet.
    pub(super) fn ask(&mut self, request: &PlanRequest, may: bool, scratch: &mut Scratch) {
        let Context { spec, now, .. } = *self.context;
        let (mind, outbox) = (&mut *self.mind, &mut *self.outbox);
        let id = mind.id;
        let mut event = |what| outbox.events.push(Event { at: now, mind: id, what });
        let &PlanRequest { cause, tried, is_needed, .. } = request;
        if request.asks && !may {
            mind.plan.need = request.noted;
            let holds_up = is_needed || mind.plan.goal.is_none();
            let since = mind.plan.waits.map_or(now, |waits| waits.since);
            if mind.plan.waits.is_none() {
                event(EventKind::Waits(cause));
            }
            mind.plan.waits = Some(Waits { cause, since, holds_up });
            return;
        }
        mind.plan.waits = None;
        let Mind { plan, goals, state, .. } = mind;
        let before = goals.active();
        if request.reconsiders {
            if plan.reconsider(spec, state, now, scratch)
                && let Some(goal) = plan.goal
            {
                event(EventKind::Planned { cause, goal, steps: plan.steps.len() as u16 });
            }
            return;
        }
        match plan.make(spec, state, goals, cause, tried, now, scratch) {
            Some(at) => {
                goals.activate(spec, Some(at), now);
                if let Some(goal) = plan.goal {
                    let steps = plan.steps.len() as u16;
                    event(EventKind::Planned { cause, goal, steps });
                }
            }
            // The plan there was is still good.
            None if !is_needed && plan.goal.is_some() => return,
            None => {
                let news = plan.goal.is_some() || plan.cause != Some(cause) || is_needed;
                plan.drop_plan();
                (plan.cause, plan.made) = (Some(cause), now);
                goals.activate(spec, None, now);
                if news {
                    event(EventKind::NoPlan(cause));
                }
            }
        }
        if goals.active() != before {
            event(EventKind::Goal(goals.active()));
        }
    }
}

/// Whether the rest of the plan is still good; if not, why a new one is needed.
fn see_to_the_rest(
    mind: &mut Mind,
    spec: &Spec,
    (now, running): (Tick, bool),
    scratch: &mut Scratch,
    event: &mut impl FnMut(EventKind),
) -> Option<Cause> {
    let active = mind.goals.active_at().map(|at| mind.goals.all()[at].standing);
    if active == Some(Standing::Irrelevant) {
        return Some(Cause::GoalIrrelevant);
    }
    let is_done = mind.follow.run.is_some_and(|run| run.run == mind.picks.fulfilled);
    let rebound = mind.picks.rebound_since(mind.plan.made);
    let rest = &mind.plan.steps[mind.plan.at.min(mind.plan.steps.len())..];
    if running && mind.follow.another_task {
        return Some(Cause::Reselected);
    }
    if running && is_done || rest.iter().any(|&step| spec.action(step).pins() & rebound != 0) {
        return Some(Cause::Reselected);
    }
    let begun = running.then_some(&mind.follow.begun[..]);
    match mind.plan.check(spec, &mind.state, begun, scratch) {
        Rest::From(from) => {
            // The one under way is ended where actions are ended.
            let first = mind.plan.at + usize::from(running);
            mind.plan.steps[first.min(from)..from]
                .iter()
                .for_each(|&a| event(EventKind::Skipped(a)));
            mind.plan.at = from;
            None
        }
        Rest::Reached => Some(Cause::GoalReached),
        Rest::Broken(step) => {
            let ended = mind.plan.at >= mind.plan.steps.len();
            mind.plan.broken_at = step;
            let cause = if ended { Cause::PlanEnded } else { Cause::PlanInvalid };
            // A pick that changed long ago is no reason why it breaks now.
            let just = mind.picks.rebound_since(mind.plan.made.max(now.saturating_sub(2)));
            Some(if just != 0 { Cause::Reselected } else { cause })
        }
    }
}
