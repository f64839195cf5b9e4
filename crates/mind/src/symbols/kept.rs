//! What is kept of the answers of rules, so that only those are asked again for which something has
//! changed; and the plain twin that asks all of them.
//!
//! In:   which kinds of facts have changed, what else rules depend on.
//! Out:  a set of inputs that are otherwise than when rules were last asked.
//! Cost: a few comparisons; four bytes for each rule whose answer may change by itself.

use super::State;
#[cfg(debug_assertions)]
use crate::chance::Luck;
use crate::condition::Situation;
use crate::memory::KindSet;
use crate::picks::SlotSet;
#[cfg(debug_assertions)]
use crate::spec::CheckSpec;
use crate::spec::Spec;
use crate::spec::watched::{HERE, Inputs, PICKS, SHARED, VALUES, Watched};
use crate::time::{NEVER, Tick};
use crate::versions::Versions;

/// What is known of the answers of rules: until when they hold, and for what. It follows from the rest,
/// so states that differ only in this are equal, and it is not saved: a state that comes back asks all
/// rules once.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    pub(super) is_known: bool,
    /// What was picked when rules were last asked, and which slots held something.
    picks: u64,
    pub(super) bound: SlotSet,
    /// A value was another after rules were last asked than before.
    pub(super) values_moved: bool,
    /// What was otherwise when this was last brought up to date than the time before.
    pub(super) changed: Inputs,
    /// When the answer of a rule may change by itself, for those that may.
    pub(super) clocks: Vec<Tick>,
    /// The same of which actions are there.
    pub(super) enabled: Tick,
}

impl PartialEq for Kept {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Kept {
    /// Whether a rule is to be asked again.
    #[inline]
    pub(super) fn is_due(&self, of: Watched, changed: Inputs, now: Tick) -> bool {
        of.inputs & changed != 0 || of.clock.is_some_and(|at| self.clocks[usize::from(at)] <= now)
    }

    /// A rule was asked; its answer may change by itself at this moment.
    #[inline]
    pub(super) fn set_clock(&mut self, of: Watched, wake: Tick) {
        debug_assert!(
            of.clock.is_some() || wake == NEVER,
            "time matters to a rule without a clock"
        );
        if let Some(at) = of.clock {
            self.clocks[usize::from(at)] = wake;
        }
    }
}

impl State {
    /// Something has changed that is in no memory: planning depends on it, and so may any rule.
    pub(super) fn touch(&mut self) {
        self.dirty = true;
        self.kept.is_known = false;
    }

    /// Rules are asked anew, whatever has changed.
    pub(crate) fn forget_answers(&mut self) {
        self.kept.is_known = false;
    }

    /// What was otherwise when this was last brought up to date than the time before: all, if that is
    /// not known. Who asks in each tick in which this is brought up to date misses nothing.
    pub(crate) fn changed(&self) -> Inputs {
        if self.kept.is_known { self.kept.changed } else { Inputs::MAX }
    }

    /// What rules depend on that is otherwise than when they were last asked: all, if that is not known.
    pub(super) fn changed_inputs(
        &mut self,
        spec: &Spec,
        from: &Situation<'_>,
        kinds: KindSet,
        seen: &Versions,
    ) -> Inputs {
        let picks = std::mem::replace(&mut self.kept.picks, from.picks.version());
        if !self.kept.is_known || self.kept.clocks.len() != spec.watched.n_clocks {
            self.kept.clocks.clear();
            self.kept.clocks.resize(spec.watched.n_clocks, NEVER);
            return Inputs::MAX;
        }
        let more = [
            (HERE, self.seen.here != seen.here),
            (PICKS, picks != from.picks.version()),
            (SHARED, self.seen.shared != seen.shared),
            (VALUES, self.kept.values_moved),
        ];
        let more = more.into_iter().filter(|(_, has_changed)| *has_changed);
        more.fold(Inputs::from(kinds.0), |all, (input, _)| all | input)
    }

    /// The plain twin: rules that were not asked would have given the same, and none is asked too late.
    #[cfg(debug_assertions)]
    pub(super) fn assert_as_made_anew(&self, spec: &Spec, from: &Situation<'_>, luck: Luck) {
        let is_kept = |of: &Watched, wake: Tick| match of.clock {
            Some(at) => self.kept.clocks[usize::from(at)] <= wake,
            None => wake == NEVER,
        };
        // What reads a value that was another before this pass is asked in the next.
        let is_settled = |of: &Watched| !self.kept.values_moved || of.inputs & VALUES == 0;
        for (symbol, of) in spec.symbols.iter().zip(&spec.watched.symbols) {
            let is_believed = self.beliefs.iter().any(|it| it.variable == symbol.variable);
            let mut wake = NEVER;
            let value = self.by_rules(symbol, from, &mut wake);
            if !is_believed && is_settled(of) {
                assert_eq!(value, self.values[symbol.variable.index()], "{symbol:?}");
                assert!(is_kept(of, wake), "{symbol:?}");
            }
        }
        let situation = Situation { values: &self.values, ..*from };
        for (check, of) in spec.checks.iter().zip(&spec.watched.checks) {
            let CheckSpec { check: id, condition, needs } = check;
            let mut wake = NEVER;
            let is_bound = needs & !from.picks.bound() == 0;
            let holds = is_bound && condition.holds(&situation, &mut wake);
            if !self.told.contains(id) {
                assert_eq!(holds, self.checks.holds(*id), "{check:?}");
                assert!(is_kept(of, wake), "{check:?}");
            }
        }
        let kind = spec.domain.npc(self.npc);
        let prices = spec.prices.iter().filter(|_| !spec.watched.prices_overlap);
        for (price, of) in prices.zip(&spec.watched.prices) {
            for &(action, it) in &price.actions {
                let Some(local) = kind.local_action(action) else { continue };
                let (base, mut wake) = (kind.cost(local), NEVER);
                let cost = self.price(spec, price, (action, it), base, (from, luck), &mut wake);
                assert_eq!(cost, self.costs[local.index()], "{price:?}");
                assert!(is_kept(of, wake), "{price:?}");
            }
        }
    }
}
