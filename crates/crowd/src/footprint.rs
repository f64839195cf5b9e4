//! What the steps that a row has still to do want of what its group shares.
//!
//! In:   a row, the values of its group.
//! Out:  a [`Want`] for each shared variable that the steps, or the goal behind them, speak of; and
//!       whether the steps can be done from those values at all.
//! Cost: one walk along the steps; of a goal that is a choice, the state at their end.

use crate::claims::Want;
use crate::core::Core;
use crate::goals::Choice;
use throng_domain::amounts::ValueSet;
use throng_domain::compile::{LocalComparison, LocalFact, LocalRange, LocalVariable, PackedValue};

/// No want of a variable yet.
const NONE: u32 = u32::MAX;

/// The wants of a row.
#[derive(Debug, Default)]
pub(crate) struct Footprint {
    wants: Vec<Want>,
    /// By variable of the type: its place among the wants.
    place: Vec<u32>,
    fits: bool,
    /// They depend on the row's own values, not on its steps alone.
    is_own: bool,
    /// Working memory: the state along the way, and the one before it.
    state: Vec<PackedValue>,
    before: Vec<PackedValue>,
}

impl Footprint {
    throng_base::getters! { pub(crate):
        wants: &[Want];
        /// Whether the steps can be done from the values that are there.
        fits: bool;
        is_own: bool;
    }

    /// Works out what a row wants.
    pub(crate) fn fill(&mut self, core: &Core, row: usize) {
        let n = core.kind.npc().variables().len();
        self.wants.clear();
        self.place.clear();
        self.place.resize(n, NONE);
        self.state.resize(n, 0);
        self.state.copy_from_slice(core.shared(row));
        (self.fits, self.is_own) = (true, false);
        let goal = core.columns.goal(row);
        let choice = core.goals.choice(goal);
        let compares = core.kind.effects().compares_shared()
            || !core.goals.wanted(goal).comparisons.is_empty();
        if choice.is_some() || compares {
            self.is_own = true;
            core.columns.read(row, &core.kind, &mut self.state);
            self.before.clone_from(&self.state);
        }
        let effects = core.kind.effects();
        for action in core.remainder(row) {
            let (facts, ranges, comparisons) = effects.shared_conditions(action);
            self.need(core, facts, ranges, comparisons);
            for change in effects.shared_changes(action) {
                let now = self.state[change.variable.index()];
                let want = self.want(change.variable);
                let can = change.note(now, want);
                self.fits &= can;
            }
            match self.is_own {
                true => core.kind.npc().run(action, &mut self.state),
                false => {
                    for change in effects.shared_changes(action) {
                        let value = &mut self.state[change.variable.index()];
                        *value = change.after(*value);
                    }
                }
            }
        }
        let aim = choice.map_or(Some(goal), |choice| self.aim(core, choice));
        if let Some(aim) = aim {
            let wanted = core.goals.wanted(aim);
            self.need(core, wanted.facts, wanted.ranges, wanted.comparisons);
        }
    }

    /// The part of a choice that the steps lead to.
    fn aim(&self, core: &Core, choice: &Choice) -> Option<u16> {
        let holds = |part: u16, state: &[PackedValue]| {
            core.goals.holds_one(&[part], |variable| state[variable.index()])
        };
        let new = choice.parts().filter(|&part| !holds(part, &self.before));
        new.chain(choice.parts()).find(|&part| holds(part, &self.state))
    }

    /// Conditions, of which those that speak of shared variables count.
    fn need(
        &mut self,
        core: &Core,
        facts: &[LocalFact],
        ranges: &[LocalRange],
        comparisons: &[LocalComparison],
    ) {
        let is_shared = |variable: LocalVariable| core.kind.space().is_shared(variable);
        for fact in facts.iter().filter(|fact| is_shared(fact.variable)) {
            self.need_one(fact.variable, &ValueSet::one(fact.value));
        }
        for range in ranges.iter().filter(|range| is_shared(range.variable)) {
            self.need_one(range.variable, &range.values);
        }
        for it in comparisons {
            let [left, right] = [it.variable, it.other].map(|one| self.state[one.index()]);
            if is_shared(it.variable) || is_shared(it.other) {
                self.fits &= it.comparison.holds(left, right);
            }
            if is_shared(it.variable) {
                let with = i64::from(right) + it.comparison.offset;
                self.want(it.variable).compare(left, it.comparison.relation, with);
            }
            if is_shared(it.other) {
                // Nobody of this type changes it; others are not to either.
                self.need_one(it.other, &ValueSet::one(right));
            }
        }
    }

    fn need_one(&mut self, variable: LocalVariable, values: &ValueSet) {
        let now = self.state[variable.index()];
        let holds = self.want(variable).need(now, values);
        self.fits &= holds;
    }

    fn want(&mut self, variable: LocalVariable) -> &mut Want {
        let place = &mut self.place[variable.index()];
        if *place == NONE {
            *place = self.wants.len() as u32;
            self.wants.push(Want::of(variable));
        }
        &mut self.wants[*place as usize]
    }

    /// Whatever is touched is wanted alone: the steps are out of date, and others come soon.
    pub(crate) fn have_alone(&mut self) {
        self.wants.iter_mut().for_each(Want::have_alone);
    }
}
