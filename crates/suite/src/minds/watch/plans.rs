//! Plans are made for a cause and lead to their goal; where there is none, there is none.
//!
//! In:   a mind after a tick in which it planned.
//! Out:  nothing, or what is wrong with its plan.
//! Cost: a walk over the plan; a search of all states when a mind says that there is no plan.

use super::super::legal::{Legal, name};
use super::{Moment, Seen, Watch};
use throng_domain::model::GoalId;
use throng_mind::body::Ending;
use throng_mind::choose::Standing;
use throng_mind::events::{Event, EventKind};

impl Watch {
    /// Plans are made for a cause, lead to their goal, and where there is none there is none.
    pub(super) fn plans(
        &mut self,
        moment: &Moment<'_>,
        before: Option<GoalId>,
        seen: &mut Seen,
    ) -> Result<(), String> {
        let Moment { mind, now, events, stage, .. } = *moment;
        let calls = mind.plan().asked();
        let asked = calls > std::mem::replace(&mut self.calls, calls);
        let planned = events.iter().find_map(|event| match event.what {
            EventKind::Planned { goal, steps, .. } => Some((goal, steps)),
            _ => None,
        });
        let no_plan = events.iter().any(|event| matches!(event.what, EventKind::NoPlan(_)));
        let stands = |standing| mind.goals().all().iter().any(|goal| goal.standing == standing);
        let tried = stands(Standing::NoPlan) || stands(Standing::GaveUp);
        let kept = before.is_some() && before == self.active && tried;
        let goal = mind.plan().goal();
        let reconsiders = goal.is_some_and(|goal| moment.spec.goal(goal).reconsiders.is_some());
        let is_new = mind.plan().made() == now;
        let has_cause = mind.plan().cause().is_some() && (is_new || kept || reconsiders);
        if asked && planned.is_none() && !has_cause {
            return Err(format!("planned without a cause: {:?}", mind.plan()));
        }
        // What a step that is done at once has changed hides where the plan began.
        let done = |event: &Event| matches!(event.what, EventKind::Ended { how: Ending::Done, .. });
        if events.iter().any(done) || (planned.is_none() && !no_plan) {
            return Ok(());
        }
        let legal = legal(moment);
        let mut values = mind.state().values().to_vec();
        if let Some((goal, steps)) = planned {
            let plan = mind.plan();
            if plan.goal() != Some(goal) || plan.steps().len() != usize::from(steps) {
                return Err(format!("told of {planned:?}, has {plan:?}"));
            }
            let model = stage.domain.model();
            if self.active.is_none_or(|active| name(model, active) != name(model, goal)) {
                return Err(format!("wants {:?}, plans for {goal:?}", self.active));
            }
            let walked = legal.walk(plan.steps(), &mut values, false);
            if walked.is_err() || !legal.reached(goal, &values) {
                return Err(format!("{walked:?}: the new plan does not work: {plan:?}"));
            }
            seen.add("plans", 1);
            seen.add("steps", u64::from(steps));
        } else {
            let all = mind.goals().all().iter();
            let wanted = all.filter(|goal| goal.standing == Standing::NoPlan).map(|goal| goal.goal);
            let wanted: Vec<GoalId> = wanted.collect();
            if legal.is_in_reach(&wanted, &values) {
                return Err(format!("one of {wanted:?} has a plan"));
            }
            seen.add("no_plans", 1);
        }
        Ok(())
    }
}

/// What a mind may do now, by the model.
pub(super) fn legal<'m>(moment: &Moment<'m>) -> Legal<'m> {
    let model = moment.stage.domain.model();
    let (mind, state) = (moment.mind, moment.mind.state());
    let kind = moment.spec.domain.npc(mind.npc());
    let forbidden = |id| kind.local_action(id).is_some_and(|local| state.forbidden().has(local));
    // What only pauses goes on if it is under way.
    let paused = |id| kind.local_action(id).is_some_and(|local| state.is_paused(local));
    let holds =
        |used: throng_domain::model::CheckUse| state.checks().holds(used.check) == used.expected;
    Legal::new(model, &model.npcs()[mind.npc().index()], holds, forbidden, paused)
}
