//! What an action does to a row, worked out once per type.
//!
//! In:   the type and its private variables.
//! Out:  for each action the difference it makes to a state, and what it needs and
//!       sets of shared variables.
//! Cost: a look-up.

use crate::space::Space;
use std::ops::Range;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, PackedValue};

#[derive(Clone, Debug)]
struct Effect {
    /// What to add to the number of a state in which the action can be done; `None` if that
    /// depends on the state.
    difference: Option<i64>,
    /// What stays of a packed state of one word, and what is written into it.
    keep: u64,
    write: u64,
    shared_needs: Range<u32>,
    shared_sets: Range<u32>,
}

/// The effects of all actions of a type.
#[derive(Debug)]
pub(crate) struct Effects {
    of: Vec<Effect>,
    facts: Vec<LocalFact>,
}

impl Effects {
    pub(crate) fn new(npc: &NpcTables, space: &Space) -> Effects {
        let mut effects = Effects { of: Vec::with_capacity(npc.n_actions()), facts: Vec::new() };
        for action in (0..npc.n_actions() as u32).map(LocalAction) {
            let shared_needs = effects.keep(npc.needs(action), space);
            let shared_sets = effects.keep(npc.sets(action), space);
            let difference = difference(npc, space, action);
            let own = npc.sets(action).iter().filter(|set| !space.is_shared(set.variable));
            let (mut keep, mut write) = (u64::MAX, 0);
            for set in own {
                keep &= !npc.layout().field_mask(set.variable.index());
                write |= npc.layout().field_bits(set.variable.index(), set.value);
            }
            effects.of.push(Effect { difference, keep, write, shared_needs, shared_sets });
        }
        effects
    }

    fn keep(&mut self, facts: &[LocalFact], space: &Space) -> Range<u32> {
        let first = self.facts.len() as u32;
        self.facts.extend(facts.iter().filter(|fact| space.is_shared(fact.variable)));
        first..self.facts.len() as u32
    }

    fn facts(&self, range: &Range<u32>) -> &[LocalFact] {
        &self.facts[range.start as usize..range.end as usize]
    }

    /// What an action adds to the number of the state, if that is always the same.
    pub(crate) fn difference(&self, action: LocalAction) -> Option<i64> {
        self.of[action.index()].difference
    }

    /// A packed state of one word after an action; shared values left aside.
    pub(crate) fn after(&self, action: LocalAction, word: u64) -> u64 {
        let effect = &self.of[action.index()];
        (word & effect.keep) | effect.write
    }

    /// Whether an action reads or writes what a group shares.
    pub(crate) fn touches_shared(&self, action: LocalAction) -> bool {
        let effect = &self.of[action.index()];
        !(effect.shared_needs.is_empty() && effect.shared_sets.is_empty())
    }

    /// Whether the shared values that an action needs are there.
    pub(crate) fn shared_needs_hold(&self, action: LocalAction, state: &[PackedValue]) -> bool {
        let needs = self.facts(&self.of[action.index()].shared_needs);
        needs.iter().all(|need| state[need.variable.index()] == need.value)
    }

    /// The shared values that an action sets.
    pub(crate) fn shared_sets(&self, action: LocalAction) -> &[LocalFact] {
        self.facts(&self.of[action.index()].shared_sets)
    }
}

fn difference(npc: &NpcTables, space: &Space, action: LocalAction) -> Option<i64> {
    space.n_states()?;
    let mut sum = 0i64;
    for set in npc.sets(action).iter().filter(|set| !space.is_shared(set.variable)) {
        let needs = npc.needs(action).iter();
        let from = needs.clone().find(|need| need.variable == set.variable)?;
        let weight = i64::try_from(space.weight(set.variable)).ok()?;
        let step = i64::from(set.value) - i64::from(from.value);
        sum = sum.checked_add(step.checked_mul(weight)?)?;
    }
    Some(sum)
}
