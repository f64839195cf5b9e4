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

/// Mixes words into one; the constants are those of FNV, over words.
struct Mixed(u64);

impl Mixed {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
    }
}

impl Crowd {
    /// A digest of all states, goals and plans.
    pub fn digest(&self) -> u64 {
        let mut mixed = Mixed(0xcbf2_9ce4_8422_2325);
        let mut state = self.state.clone();
        for row in self.rows.alive().iter() {
            mixed.add(row as u64);
            self.read_state(row, &mut state);
            state.iter().for_each(|&value| mixed.add(value.into()));
            mixed.add(u64::from(self.group[row]) << 16 | u64::from(self.goal[row]));
            let status = self.status_of(row);
            mixed.add(status as u64);
            if status == Status::Following {
                self.remainder(row).for_each(|action| mixed.add(action.index() as u64 + 1));
            }
        }
        mixed.0
    }
}
