//! What the planner is offered: which actions are there, and what they cost now.
//!
//! In:   checks, what was learnt, doubts, the rules of price.
//! Out:  the mask of actions and the list of costs; whether they have changed.
//! Cost: one pass over the actions and the rules.

use super::State;
use crate::condition::Situation;
use crate::spec::Spec;
use crate::time::Tick;
use throng_base::mix::hash;
use throng_domain::Cost;
use throng_domain::compile::{LocalAction, NpcTables};
use throng_domain::model::ActionId;
use throng_planner::ActionMask;

impl State {
    pub(super) fn update_there(&mut self, spec: &Spec, now: Tick) -> bool {
        let kind = spec.domain.npc(self.npc);
        let all = (0..kind.n_actions() as u32).map(LocalAction);
        all.for_each(|action| self.forbidden.set(action, false));
        for (rule, _) in spec.learns.iter().zip(&self.learnt).filter(|(_, known)| !**known) {
            forbid(&mut self.forbidden, kind, &rule.actions);
        }
        for doubt in &self.doubts {
            if doubt.until > now {
                self.wake = self.wake.min(doubt.until);
                forbid(&mut self.forbidden, kind, &[doubt.action]);
            }
        }
        // Those that work again need not be remembered.
        self.doubts.retain(|doubt| doubt.until > now || doubt.misses > 0 || doubt.fails > 0);
        let before = hash(self.there.words().iter().copied());
        self.there.fill_enabled(kind, &self.checks, &self.forbidden);
        before != hash(self.there.words().iter().copied())
    }

    pub(super) fn update_costs(&mut self, spec: &Spec, from: &Situation<'_>) -> bool {
        if spec.prices.is_empty() {
            return false;
        }
        let kind = spec.domain.npc(self.npc);
        let before = hash(self.costs.iter().copied());
        self.costs.clear();
        self.costs.extend((0..kind.n_actions() as u32).map(|at| kind.cost(LocalAction(at))));
        for price in &spec.prices {
            for &(action, it) in &price.actions {
                let Some(local) = kind.local_action(action) else { continue };
                let situation = Situation { values: &self.values, it, ..*from };
                let wake = &mut self.wake;
                let cost = price.rules.iter().find_map(|(measure, condition)| {
                    let holds = condition.as_ref().is_none_or(|c| c.holds(&situation, wake));
                    let cost = holds.then(|| measure.value(&situation, wake)).flatten();
                    cost.filter(|cost| *cost > 0.0)
                });
                if let Some(cost) = cost {
                    let milli = (f64::from(cost) * 1000.0).round() as u64;
                    self.costs[local.index()] = milli.clamp(1, Cost::MAX.0);
                }
            }
        }
        before != hash(self.costs.iter().copied())
    }
}

fn forbid(mask: &mut ActionMask, kind: &NpcTables, actions: &[ActionId]) {
    for local in actions.iter().filter_map(|&action| kind.local_action(action)) {
        mask.set(local, true);
    }
}
