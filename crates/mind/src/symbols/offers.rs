//! What the planner is offered: which actions are there, and what they cost now.
//!
//! In:   checks, what was learnt, doubts, the rules of price.
//! Out:  the mask of actions and the list of costs; whether they have changed.
//! Cost: one pass over the actions and the rules.
//!
//! Actions that failed, or had no effect, are doubted: they are not there for a while.

use super::{Around, State};
use crate::chance::{Luck, name_of};
use crate::condition::{Ref, Situation};
use crate::events::EventKind;
use crate::spec::watched::{Inputs, Watched};
use crate::spec::{PriceSpec, Spec};
use crate::time::{NEVER, Tick, after};
use throng_base::mix::hash;
use throng_domain::Cost;
use throng_domain::compile::{LocalAction, NpcTables};
use throng_domain::model::ActionId;
use throng_planner::ActionMask;

impl State {
    pub(super) fn update_enabled(
        &mut self,
        spec: &Spec,
        from: &Situation<'_>,
        is_due: bool,
        around: Around<'_>,
    ) -> bool {
        let (now, bound) = (from.now, from.picks.bound());
        let is_same = bound == self.kept.bound && self.doubts.is_empty() && now < self.kept.enabled;
        if is_same && !is_due {
            self.wake = self.wake.min(self.kept.enabled);
            return false;
        }
        self.kept.bound = bound;
        let other = std::mem::replace(&mut self.wake, NEVER);
        let kind = spec.domain.npc(self.npc);
        let all = (0..kind.n_actions() as u32).map(LocalAction);
        all.for_each(|action| self.forbidden.set(action, false));
        for (rule, _) in spec.learns.iter().zip(&*self.learnt).filter(|(_, known)| !**known) {
            forbid(&mut self.forbidden, kind, &rule.actions);
        }
        if !spec.selects.is_empty() {
            let empty = !bound;
            for (&action, local) in kind.actions().iter().zip((0..).map(LocalAction)) {
                if spec.action(action).named & empty != 0 {
                    self.forbidden.set(local, true);
                }
            }
        }
        for doubt in &self.doubts {
            if doubt.until > now {
                self.wake = self.wake.min(doubt.until);
                forbid(&mut self.forbidden, kind, &[doubt.action]);
            }
        }
        // Those that work again need not be remembered.
        self.doubts.retain(|doubt| doubt.until > now || doubt.misses > 0 || doubt.fails > 0);
        self.pause(spec, now, around);
        self.kept.enabled = self.wake;
        self.wake = self.wake.min(other);
        let before = hash(self.enabled.words().iter().copied());
        self.enabled.fill_enabled(kind, &self.checks, &self.forbidden);
        before != hash(self.enabled.words().iter().copied())
    }

    pub(super) fn update_costs(
        &mut self,
        spec: &Spec,
        from: &Situation<'_>,
        inputs: Inputs,
        luck: Luck,
    ) -> bool {
        if spec.prices.is_empty() {
            return false;
        }
        let kind = spec.domain.npc(self.npc);
        let mut changed = false;
        if self.costs.len() != kind.n_actions() {
            self.costs.clear();
            self.costs.extend((0..kind.n_actions() as u32).map(|at| kind.cost(LocalAction(at))));
            changed = true;
        }
        let all = || spec.prices.iter().zip(&spec.watched.prices);
        let is_due = |state: &Self, of: Watched| state.kept.is_due(of, inputs, from.now);
        let any = spec.watched.prices_overlap && all().any(|(_, of)| is_due(self, *of));
        if any {
            changed |= self.price_together(spec, from, luck);
            return changed;
        }
        for (price, &watched) in all() {
            if !is_due(self, watched) {
                continue;
            }
            let mut wake = NEVER;
            for &(action, it) in &price.actions {
                let Some(local) = kind.local_action(action) else { continue };
                let base = kind.cost(local);
                let cost = self.price(spec, price, (action, it), base, (from, luck), &mut wake);
                changed |= std::mem::replace(&mut self.costs[local.index()], cost) != cost;
            }
            self.kept.set_clock(watched, wake);
        }
        changed
    }

    /// Prices of which one comes after another for the same action: all of them.
    fn price_together(&mut self, spec: &Spec, from: &Situation<'_>, luck: Luck) -> bool {
        let kind = spec.domain.npc(self.npc);
        let before = hash(self.costs.iter().copied());
        self.costs.clear();
        self.costs.extend((0..kind.n_actions() as u32).map(|at| kind.cost(LocalAction(at))));
        for (price, &watched) in spec.prices.iter().zip(&spec.watched.prices) {
            let mut wake = NEVER;
            for &(action, it) in &price.actions {
                let Some(local) = kind.local_action(action) else { continue };
                let so_far = self.costs[local.index()];
                let cost = self.price(spec, price, (action, it), so_far, (from, luck), &mut wake);
                self.costs[local.index()] = cost;
            }
            self.kept.set_clock(watched, wake);
        }
        before != hash(self.costs.iter().copied())
    }

    /// What a price says an action costs now; what it costs otherwise if it says nothing.
    pub(super) fn price(
        &self,
        spec: &Spec,
        price: &PriceSpec,
        (action, it): (ActionId, Ref),
        otherwise: u64,
        (from, luck): (&Situation<'_>, Luck),
        wake: &mut Tick,
    ) -> u64 {
        let it = from.it_of(it);
        let situation = Situation { values: &self.values, it, ..*from };
        let cost = price.rules.iter().find_map(|(measure, condition)| {
            let holds = condition.as_ref().is_none_or(|c| c.holds(&situation, wake));
            let cost = holds.then(|| measure.number(&situation, wake)).flatten();
            cost.filter(|cost| *cost > 0.0)
        });
        let mut milli = cost.map_or(otherwise, |cost| {
            ((f64::from(cost) * 1000.0).round() as u64).clamp(1, Cost::MAX.0)
        });
        if price.vary > 0.0 {
            let name = name_of(spec.domain.map().action(action));
            let varied = milli as f64 * luck.factor(name, price.vary);
            milli = (varied.round() as u64).clamp(1, Cost::MAX.0);
        }
        milli
    }
}

fn forbid(mask: &mut ActionMask, kind: &NpcTables, actions: &[ActionId]) {
    for local in actions.iter().filter_map(|&action| kind.local_action(action)) {
        mask.set(local, true);
    }
}

/// How often `retry` is doubled at most: thirty-two times as long.
const LONGEST_RETRY: u8 = 5;

/// Room for so many is taken with the first of them, and for all of the type when they are more.
const USUAL_DOUBTS: usize = 16;

/// An action that disappointed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Doubt {
    pub(crate) action: ActionId,
    /// How often in a row it had no effect.
    pub(crate) misses: u8,
    /// How often in a row it failed.
    pub(crate) fails: u8,
    /// It is not there before this moment.
    pub(crate) until: Tick,
    /// But it is from this one on, if the facts that it depends on say something else by then.
    pub(crate) earliest: Tick,
    /// What they said; 0 if it depends on none.
    pub(crate) read: u64,
}

impl State {
    /// An action failed: it is not there for a while, each time in a row for twice as long.
    /// What it depends on says this: see [`facts_read`](super::facts_read).
    pub(crate) fn fail(&mut self, spec: &Spec, action: ActionId, now: Tick, read: u64) {
        let retry = spec.npcs[self.npc.index()].retry;
        let earliest = self.earliest(spec, now);
        let doubt = self.doubt_mut(spec, action);
        // Without a reason to try again early there is no moment for it: it is not saved either.
        (doubt.earliest, doubt.read) = if read == 0 { (0, 0) } else { (earliest, read) };
        let until = after(now, retry.saturating_mul(1 << doubt.fails.min(LONGEST_RETRY)));
        doubt.fails = doubt.fails.saturating_add(1);
        doubt.until = until.max(doubt.until);
        self.touch();
    }

    fn doubt_mut(&mut self, spec: &Spec, action: ActionId) -> &mut Doubt {
        let known = self.doubts.iter().position(|doubt| doubt.action == action);
        let at = known.unwrap_or_else(|| {
            if self.doubts.len() == self.doubts.capacity() {
                // Twice in a mind's life: then there is room for all.
                let left = spec.domain.npc(self.npc).n_actions().saturating_sub(self.doubts.len());
                let more = if self.doubts.is_empty() { USUAL_DOUBTS.min(left) } else { left };
                self.doubts.reserve_exact(more);
            }
            self.doubts.push(Doubt { action, misses: 0, fails: 0, until: 0, earliest: 0, read: 0 });
            self.doubts.len() - 1
        });
        &mut self.doubts[at]
    }

    /// The senses have looked: the action had its effect, or had not.
    pub(super) fn confirm(
        &mut self,
        spec: &Spec,
        now: Tick,
        action: ActionId,
        came_true: bool,
        event: &mut impl FnMut(EventKind),
    ) {
        if came_true {
            if let Some(doubt) = self.doubts.iter_mut().find(|doubt| doubt.action == action) {
                doubt.misses = 0;
            }
            return;
        }
        event(EventKind::NoEffect(action));
        let (limit, ticks) = spec.npcs[self.npc.index()].doubt;
        let doubt = self.doubt_mut(spec, action);
        doubt.misses = doubt.misses.saturating_add(1);
        if doubt.misses >= limit {
            doubt.misses = 0;
            doubt.until = after(now, ticks).max(doubt.until);
            // The world changes all the time, and changed nothing for it twice: it waits to the end.
            (doubt.earliest, doubt.read) = (0, 0);
            event(EventKind::Doubted(action));
        }
    }
}
