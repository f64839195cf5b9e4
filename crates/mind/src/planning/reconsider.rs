//! A plan that works, held against a cheaper one: `goal … reconsiders SECONDS`.
//!
//! In:   a plan under way, and a state that has changed since it was made or last held against
//!       others.
//! Out:  the cheaper plan in its place, if it is cheaper by more than the goal's margin.
//! Cost: one question to the planner in so many seconds, and only if something has changed; what is
//!       known from before costs a look-up.
//!
//! Prices are those of now, for both: the rest of the plan costs what it costs from here.

use super::ask::{Found, Scratch};
use super::{Cause, PlanBook};
use crate::known::Known;
use crate::spec::Spec;
use crate::symbols::State;
use crate::time::{NEVER, Tick, after};
use throng_base::codec::{DecodeError, Decoder, Encoder};

/// When a plan was made, or last held against a cheaper one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Considered {
    /// The version of the state then.
    version: u64,
    at: Tick,
}

impl PlanBook {
    /// A plan was made; only where it is reconsidered that is kept.
    pub(super) fn begin_to_consider(&mut self, spec: &Spec, version: u64, now: Tick) {
        let reconsiders = self.goal.and_then(|goal| spec.goal(goal).reconsiders);
        self.considered =
            reconsiders.map_or(Considered::default(), |_| Considered { version, at: now });
    }

    /// When it is to be held against a cheaper one, as the state is; [`NEVER`] unless that has
    /// changed.
    pub(crate) fn reconsiders_at(&self, spec: &Spec, version: u64) -> Tick {
        let reconsiders = self.goal.and_then(|goal| spec.goal(goal).reconsiders);
        let changed = reconsiders.filter(|_| self.considered.version != version);
        changed.map_or(NEVER, |ticks| after(self.considered.at, ticks))
    }

    /// Asks for a cheaper plan and takes it; says whether there is one.
    pub(crate) fn reconsider(
        &mut self,
        spec: &Spec,
        state: &State,
        now: Tick,
        scratch: &mut Scratch,
    ) -> bool {
        let Some(goal) = self.goal else { return false };
        self.considered = Considered { version: state.version(), at: now };
        let (Found::Plan(cost), goal_found) = self.plan_for(spec, state, goal, scratch) else {
            return false;
        };
        let kind = spec.domain.npc(state.npc);
        let rest = &self.steps[self.at.min(self.steps.len())..];
        let price = |local| state.costs().get(local as usize).copied();
        let costs = rest.iter().filter_map(|&action| {
            let local = kind.local_action(action)?;
            Some(price(local.0).unwrap_or_else(|| kind.cost(local)))
        });
        let rest = costs.fold(0, u64::saturating_add);
        if cost as f64 * (1.0 + f64::from(spec.goal(goal).margin)) >= rest as f64 {
            return false;
        }
        self.steps.clear();
        self.steps.extend(scratch.best.iter().map(|a| kind.actions()[a.index()]));
        (self.goal, self.at, self.cost) = (Some(goal_found), 0, cost);
        self.checked = state.version();
        (self.cause, self.made) = (Some(Cause::Cheaper), now);
        self.serial += 1;
        true
    }
}

// Minds whose goals do not reconsider say nothing of it, as they did before any could.
pub(super) fn write_considered(it: &Considered, to: &mut Encoder, known: &Known<'_>) {
    if known.says_more {
        to.number(it.version);
        to.write(&it.at);
    }
}

pub(super) fn read_considered(
    from: &mut Decoder<'_>,
    known: &Known<'_>,
) -> Result<Considered, DecodeError> {
    if !known.says_more {
        return Ok(Considered::default());
    }
    Ok(Considered { version: from.long_counter()?, at: from.past(known.now)? })
}
