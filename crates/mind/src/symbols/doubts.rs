//! Doubts: actions that failed, or had no effect, are not there for a while.

use super::State;
use crate::events::EventKind;
use crate::spec::Spec;
use crate::time::{Tick, after};
use throng_domain::model::ActionId;

/// How often `retry` is doubled at most: thirty-two times as long.
const LONGEST_RETRY: u8 = 5;

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
}

impl State {
    /// An action failed: it is not there for a while, each time in a row for twice as long.
    pub(crate) fn fail(&mut self, spec: &Spec, action: ActionId, now: Tick) {
        let retry = spec.npcs[self.npc.index()].retry;
        let doubt = self.doubt_mut(action);
        let until = after(now, retry.saturating_mul(1 << doubt.fails.min(LONGEST_RETRY)));
        doubt.fails = doubt.fails.saturating_add(1);
        doubt.until = until.max(doubt.until);
        self.dirty = true;
    }

    fn doubt_mut(&mut self, action: ActionId) -> &mut Doubt {
        let known = self.doubts.iter().position(|doubt| doubt.action == action);
        let at = known.unwrap_or_else(|| {
            self.doubts.push(Doubt { action, misses: 0, fails: 0, until: 0 });
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
        let doubt = self.doubt_mut(action);
        doubt.misses = doubt.misses.saturating_add(1);
        if doubt.misses >= limit {
            doubt.misses = 0;
            doubt.until = after(now, ticks).max(doubt.until);
            event(EventKind::Doubted(action));
        }
    }
}
