//! Rows that a change concerns, looked for by all threads.
//!
//! In:   what tells whether a row is concerned.
//! Out:  those concerned wait.
//! Cost: a look at the groups of 64 rows at a time; the telling of those that may be concerned.

use crate::columns::{ALONE, MOST_PARTS, rows_of_parts};
use crate::core::Core;
use throng_base::ones;

impl Core {
    /// All that are there, do not wait and are concerned wait from now on. Rows of which none has
    /// a group from the lowest to the highest that `may_be` hears are passed over, 64 at a time.
    /// Each part of the rows has working memory of its own.
    pub(crate) fn let_wait<S: Send>(
        &mut self,
        (memory, make): (&mut Vec<S>, &dyn Fn() -> S),
        may_be: &(dyn Fn(u16, u16) -> bool + Sync),
        is_concerned: &(dyn Fn(&Core, usize, &mut S) -> bool + Sync),
    ) {
        memory.resize_with(MOST_PARTS, make);
        // Whether a row waits is nothing to ask about those that do not.
        let mut waiting = std::mem::take(self.columns.waiting_mut());
        let words = rows_of_parts(self.columns.len()) / 64;
        let mut parts: [Option<(&mut [u64], &mut S)>; MOST_PARTS] = [const { None }; MOST_PARTS];
        let chunks = waiting.words_mut().chunks_mut(words);
        let mut n_parts = 0;
        for ((part, chunk), memory) in parts.iter_mut().zip(chunks).zip(memory) {
            *part = Some((chunk, memory));
            n_parts += 1;
        }
        let core = &*self;
        let (alive, spans) = (core.columns.rows().alive().words(), core.columns.spans());
        let work = |at: usize, part: &mut Option<(&mut [u64], &mut S)>| {
            let Some((waiting, memory)) = part else { return };
            for (nth, waiting) in waiting.iter_mut().enumerate() {
                let word = at * words + nth;
                let (low, high) = spans[word];
                if !may_be(low, high) {
                    continue;
                }
                for bit in ones(alive[word] & !*waiting) {
                    let is_concerned = is_concerned(core, word * 64 + bit, memory);
                    *waiting |= u64::from(is_concerned) << bit;
                }
            }
        };
        let n_words = spans.iter().filter(|(low, high)| may_be(*low, *high)).count();
        match 64 * n_words < ALONE {
            true => parts[..n_parts].iter_mut().enumerate().for_each(|(at, part)| work(at, part)),
            false => core.pool.each(&mut parts[..n_parts], &work),
        }
        *self.columns.waiting_mut() = waiting;
    }
}
