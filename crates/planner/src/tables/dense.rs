//! Tables of a large NPC type whose actions are all *moves* and need much: rows of bits.
//!
//! In:   the compiled type.
//! Out:  for every action the slots that it needs, and the actions that it waits for whenever
//!       they are in the plan: who sets what it needs, who needs what it ends.
//! Cost: at most two bytes for every byte of the lists that they replace: types that need little
//!       have no such tables.
//!
//! Made once at load. A mask of enabled actions only takes actions away, so the tables serve
//! every mask.

use super::as_move;
use throng_base::Rows;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables};

/// The tables of a dense type of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DenseMoves {
    slot_words: usize,
    action_words: usize,
    needs: Vec<u64>,
    before: Vec<u64>,
    facts: Vec<LocalFact>,
}

impl DenseMoves {
    /// The tables, if they are worth it. The actions must all be moves with values of their own.
    pub(super) fn new(npc: &NpcTables) -> Option<DenseMoves> {
        let actions = || npc.local_actions();
        let slot_words = npc.n_slots().div_ceil(64);
        let action_words = npc.n_actions().div_ceil(64);
        let n_needs: usize = actions().map(|action| npc.needs(action).len()).sum();
        if npc.n_actions() <= 64 || npc.n_actions() * (slot_words + action_words) > 2 * n_needs {
            return None;
        }
        let facts = npc.local_variables().flat_map(|variable| npc.facts_of(variable));
        let mut tables = DenseMoves {
            slot_words,
            action_words,
            needs: vec![0; npc.n_actions() * slot_words],
            before: vec![0; npc.n_actions() * action_words],
            facts: facts.collect(),
        };
        let mut leavers = Vec::with_capacity(npc.n_actions());
        for action in actions() {
            if npc.sets(action).is_empty() {
                // Part of no plan.
                continue;
            }
            let (set, source) = as_move(npc, action)?;
            leavers.push((npc.slot(LocalFact { variable: set.variable, value: source }), action));
            for need in npc.needs(action).iter().filter(|need| need.variable != set.variable) {
                let slot = npc.slot(*need);
                tables.needs[action.index() * slot_words + slot / 64] |= 1 << (slot % 64);
                for setter in npc.setters(slot) {
                    let first = action.index() * action_words;
                    tables.before[first + setter.index() / 64] |= 1 << (setter.0 % 64);
                }
            }
        }
        let leavers = Rows::from_pairs(npc.n_slots(), leavers.into_iter());
        for slot in 0..npc.n_slots() {
            tables.let_leavers_wait(npc, slot, leavers.row(slot));
        }
        Some(tables)
    }

    /// Who ends a value waits for those who need it.
    fn let_leavers_wait(&mut self, npc: &NpcTables, slot: usize, leavers: &[LocalAction]) {
        let variable = self.facts[slot].variable;
        let mut requesters = vec![0u64; self.action_words];
        for other in npc.needed_by(slot) {
            let moves_it = npc.sets(*other).iter().any(|set| set.variable == variable);
            requesters[other.index() / 64] |= u64::from(!moves_it) << (other.0 % 64);
        }
        for leaver in leavers {
            let row = &mut self.before[leaver.index() * self.action_words..][..self.action_words];
            row.iter_mut().zip(&requesters).for_each(|(word, more)| *word |= more);
        }
    }

    throng_base::getters! {
        /// How many words a set of slots takes.
        slot_words: usize;
        /// How many words a set of actions takes.
        action_words: usize;
    }

    /// The slots that must hold during an action, its own variable left out.
    pub fn needs(&self, action: LocalAction) -> &[u64] {
        &self.needs[action.index() * self.slot_words..][..self.slot_words]
    }

    /// The actions that come before it if they are in the plan, unless a walk brings a value
    /// back: who sets what it needs, who needs what it ends.
    pub fn before(&self, action: LocalAction) -> &[u64] {
        &self.before[action.index() * self.action_words..][..self.action_words]
    }

    /// The fact of a slot.
    pub fn fact(&self, slot: usize) -> LocalFact {
        self.facts[slot]
    }
}
