//! Beliefs are about an instance: before a slot holds something else, what is believed of what it
//! held is judged.
//!
//! In:   the slots that are about to change, and the situation with what they still hold.
//! Out:  beliefs about it confirmed, counted as misses, or dropped without a verdict; what is done to
//!       that end told to have come true.
//! Cost: one pass over beliefs and effects, and only when something changes.
//!
//! Else a kill would be without effect: by the time the senses have looked, the symbol speaks of
//! the next enemy.

use super::{Belief, State};
use crate::condition::Situation;
use crate::events::EventKind;
use crate::picks::{SlotSet, slot_set};
use crate::senses::Senses;
use crate::spec::{Spec, SymbolSpec};
use throng_base::ones;
use throng_domain::compile::{PackedValue, UNKNOWN};
use throng_domain::model::{ActionId, ValueId, VariableId};

impl Spec {
    /// The slots that a value of a variable is about: those that its symbol asks for, the one that
    /// the value is, and the one that the variable speaks of.
    pub(crate) fn slots_about(&self, variable: VariableId, value: PackedValue) -> SlotSet {
        let map = self.domain.map();
        let is = map.value_slot(variable, ValueId::at(value.into()));
        let slots = is.into_iter().chain(map.variable_slot(variable));
        let own = slots.fold(0, |all, slot| all | slot_set(slot.index() as u16, 1));
        own | self.symbol_of(variable).map_or(0, |symbol| symbol.asks)
    }

    fn symbol_of(&self, variable: VariableId) -> Option<&SymbolSpec> {
        self.symbols.iter().find(|symbol| symbol.variable == variable)
    }
}

impl State {
    /// Some slots are about to hold something else. `under_way` is what is being done; says whether
    /// that has brought about what it was to, as far as it is about what these slots held.
    pub(crate) fn settle(
        &mut self,
        spec: &Spec,
        senses: &Senses,
        from: &Situation<'_>,
        changing: SlotSet,
        under_way: Option<ActionId>,
        event: &mut impl FnMut(EventKind),
    ) -> bool {
        let mut at = 0;
        while let Some(&belief) = self.beliefs.get(at) {
            let about = spec.slots_about(belief.variable, belief.value) & changing;
            if about == 0 {
                at += 1;
                continue;
            }
            self.beliefs.remove(at);
            // Memory decides again what it is.
            self.kept.is_known = false;
            self.judge(spec, senses, from, belief, about, event);
        }
        let came_true = under_way.is_some_and(|action| {
            let came_true = self.has_come_true(spec, from, action, changing);
            if came_true {
                self.confirm(spec, from.now, action, true, event);
            }
            came_true
        });
        // What no symbol speaks of does not follow by itself.
        let kind = spec.domain.npc(self.npc);
        for &variable in kind.variables() {
            let value = self.values[variable.index()];
            let known = value != UNKNOWN && spec.symbol_of(variable).is_none();
            if known && spec.slots_about(variable, value) & changing != 0 {
                self.values[variable.index()] = UNKNOWN;
                self.touch();
            }
        }
        // Doubts were about another thing.
        let n_doubts = self.doubts.len();
        self.doubts.retain(|doubt| spec.action(doubt.action).pins() & changing == 0);
        if n_doubts != self.doubts.len() {
            self.touch();
        }
        came_true
    }

    fn judge(
        &mut self,
        spec: &Spec,
        senses: &Senses,
        from: &Situation<'_>,
        belief: Belief,
        about: SlotSet,
        event: &mut impl FnMut(EventKind),
    ) {
        let (Some(action), Some(symbol)) = (belief.action, spec.symbol_of(belief.variable)) else {
            return;
        };
        // What is not remembered any more cannot be judged.
        if !is_known(from, about) {
            return;
        }
        let value = self.by_rules(symbol, from, &mut 0);
        if belief.came_true(value) {
            self.confirm(spec, from.now, action, true, event);
        } else if senses.have_looked(spec, belief.variable, belief.since) {
            self.confirm(spec, from.now, action, false, event);
        }
    }

    /// Whether all effects of an action that are about what these slots hold are to be seen.
    fn has_come_true(
        &mut self,
        spec: &Spec,
        from: &Situation<'_>,
        action: ActionId,
        changing: SlotSet,
    ) -> bool {
        let kind = spec.domain.npc(self.npc);
        let Some(local) = kind.local_action(action) else { return false };
        let mut any = false;
        for &effect in kind.sets(local) {
            let variable = kind.fact(effect).variable;
            let about = spec.slots_about(variable, effect.value) & changing;
            let Some(symbol) = spec.symbol_of(variable).filter(|_| about != 0) else { continue };
            if !is_known(from, about) || self.by_rules(symbol, from, &mut 0) != effect.value {
                return false;
            }
            any = true;
        }
        any
    }
}

/// Whether there is still a fact of what each of these slots holds.
fn is_known(from: &Situation<'_>, slots: SlotSet) -> bool {
    ones(slots)
        .all(|slot| from.picks.get(slot).is_some_and(|pick| from.memory.get(pick.fact).is_some()))
}
