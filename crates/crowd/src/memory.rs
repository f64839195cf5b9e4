//! The memory of a crowd: answers that were found before.
//!
//! In:   a question, as its key; answers of the planner and of searches.
//! Out:  the answer that was found to the same question.
//! Cost: a look-up. Memory for answers is taken when the first one is kept.
//!
//! Each answer that is kept holds a reference in the arena of plans.

use crate::memo::Memo;
use crate::plans::{PlanId, PlanStore};

/// Answers by question.
#[derive(Debug)]
pub(crate) struct Memory {
    memo: Option<Memo>,
    most: usize,
}

impl Memory {
    /// For so many answers.
    pub(crate) fn new(most: usize) -> Memory {
        Memory { memo: None, most }
    }

    /// The answer to a question: the number of a policy, then a state.
    pub(crate) fn get(&self, key: &[u64]) -> Option<PlanId> {
        self.memo.as_ref()?.get(key[0] as u32, &key[1..])
    }

    pub(crate) fn keep(&mut self, key: &[u64], id: PlanId, plans: &mut PlanStore) {
        // Who asks again what was given up wants another try.
        if self.most == 0 || id == PlanId::GAVE_UP {
            return;
        }
        let memo = self.memo.get_or_insert_with(|| Memo::new(self.most, key.len() - 1));
        plans.retain(id);
        if let Some(evicted) = memo.insert(key[0] as u32, &key[1..], id) {
            plans.release(evicted);
        }
    }

    /// Forgets all answers for policies that are sorted by number.
    pub(crate) fn forget(&mut self, policies: &[u32], plans: &mut PlanStore) {
        if let Some(memo) = &mut self.memo {
            memo.forget_all(policies, |id| plans.release(id));
        }
    }

    /// The plans of all answers.
    pub(crate) fn plans(&self) -> impl Iterator<Item = PlanId> + '_ {
        self.memo.iter().flat_map(|memo| memo.plans())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.memo.as_ref().map_or(0, Memo::bytes)
    }
}
