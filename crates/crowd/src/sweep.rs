//! What outlives the tables: answers and plans of situations that are forgotten.
//!
//! In:   policies that no longer exist.
//! Out:  memory without their answers, and an arena without plans that only they had.
//! Cost: one pass over memory, rows and tables, for some dozens of policies at a time; nobody can
//!       ask for what is swept, so it does no harm if it stays for a while.
//!
//! Nobody counts who goes by a plan of a table, as look-ups would pay for it. So those that are
//! still needed are found by looking: plans of living tables, of rows, of memory.

use crate::crowd::Crowd;
use crate::following::Remainder;
use crate::memo::Memo;
use crate::plans::PlanId;

/// So many policies are forgotten at a time.
const FEWEST_GONE: usize = 64;

impl Crowd {
    /// Forgets the answers and plans of policies that no longer exist, if there are some.
    pub(crate) fn forget_gone(&mut self) {
        if self.groups.gone.len() < FEWEST_GONE {
            return;
        }
        self.groups.gone.sort_unstable();
        if let Some(memo) = &mut self.memo {
            memo.forget_all(&self.groups.gone, |id| self.plans.release(id));
        }
        self.groups.gone.clear();
        self.sweep_plans();
    }

    /// Frees the plans of tables that nobody goes by any more.
    fn sweep_plans(&mut self) {
        let mut is_needed = std::mem::take(&mut self.work.is_needed);
        is_needed.clear();
        is_needed.resize(self.plans.max_id().index() + 1, false);
        let rows = (0..self.rows.len()).map(|row| self.ids.get(row));
        let rows = rows.filter(|&id| !Remainder::is_word(id)).map(PlanId);
        let tables = self.groups.tables().flat_map(|table| table.plans().iter().copied());
        let remembered = self.memo.iter().flat_map(Memo::plans);
        for id in rows.chain(tables).chain(remembered) {
            is_needed[id.index()] = true;
        }
        self.plans.unpin_all(|id| !is_needed[id.index()]);
        self.work.is_needed = is_needed;
    }
}
