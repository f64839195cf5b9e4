//! One number for everything that a crowd has come to.
//!
//! In:   a crowd, at any time.
//! Out:  a digest of who is there, in which state, with which goal, standing and steps left.
//! Cost: one pass over the rows; for tests and reports, not for frames.
//!
//! It is made of values and actions, not of how they are kept: the same for any number of
//! threads, and from tables, memory, planner or searches. The wide kernel takes the same actions
//! but may order them otherwise, which the digest tells.

use crate::answers::Status;
use crate::crowd::Crowd;
use throng_base::Digest64;

impl Crowd {
    /// A digest of all states, goals and plans.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest64::new();
        let mut state = self.state.clone();
        for row in self.rows.alive().iter() {
            digest.word(row as u64);
            self.read_state(row, &mut state);
            state.iter().for_each(|&value| digest.word(value));
            digest.word(u64::from(self.group[row]) << 16 | u64::from(self.goal[row]));
            let status = self.status_of(row);
            digest.word(status as u64);
            if status == Status::Following {
                self.remainder(row).for_each(|action| digest.word(action.index() as u64 + 1));
            }
        }
        digest.value()
    }
}
