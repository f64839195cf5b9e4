//! Many things measured in one run: all take turns, the fastest turn of each counts.
//!
//! In:   pieces of work, each with how often a turn does it.
//! Out:  nanoseconds on the processor for one piece.
//! Cost: rounds times the sum of all turns.
//!
//! What else the machine does falls on all of them alike, and the fastest turn is the one it
//! disturbed least.

use crate::measuring::thread_nanoseconds;
use crate::report::{BenchError, Session};

/// Work that takes turns with other work.
pub struct Turn<'w> {
    work: Box<dyn FnMut() + 'w>,
    times: u64,
    /// Nanoseconds of the fastest turn, for one piece of work.
    fastest: f64,
}

impl<'w> Turn<'w> {
    /// Work that a turn does so often.
    pub fn new(times: u64, work: impl FnMut() + 'w) -> Self {
        Turn { work: Box::new(work), times: times.max(1), fastest: f64::INFINITY }
    }

    /// Work that a turn does until about so many nanoseconds are gone, judged by doing it once.
    pub fn lasting(nanoseconds: u64, mut work: impl FnMut() + 'w) -> Self {
        let begin = thread_nanoseconds();
        work();
        let once = (thread_nanoseconds() - begin).max(1);
        Turn::new(nanoseconds / once, work)
    }

    /// Nanoseconds for one piece of work; infinite before the first turn.
    pub fn nanoseconds(&self) -> f64 {
        self.fastest
    }

    fn take(&mut self) {
        let begin = thread_nanoseconds();
        for _ in 0..self.times {
            (self.work)();
        }
        let spent = (thread_nanoseconds() - begin) as f64;
        self.fastest = self.fastest.min(spent / self.times as f64);
    }
}

/// Lets all take their turns, so often.
///
/// # Errors
///
/// If somebody wants to stop.
pub fn take_turns(
    rounds: usize,
    turns: &mut [Turn<'_>],
    session: &mut Session<'_>,
) -> Result<(), BenchError> {
    for _ in 0..rounds {
        for turn in turns.iter_mut() {
            if (session.stop)() {
                return Err(BenchError::Stopped);
            }
            turn.take();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn all_take_turns_and_each_does_its_share() {
        let seen = RefCell::new(String::new());
        let mut turns = vec![
            Turn::new(2, || seen.borrow_mut().push('a')),
            Turn::new(1, || seen.borrow_mut().push('b')),
        ];
        let mut session =
            Session { quick: true, progress: &mut |_| {}, stop: &|| false, peak_of: &mut |_| None };
        assert_eq!(take_turns(3, &mut turns, &mut session), Ok(()));
        assert!(turns.iter().all(|turn| turn.nanoseconds().is_finite()));
        session.stop = &|| true;
        assert_eq!(take_turns(3, &mut turns, &mut session), Err(BenchError::Stopped));
        drop(turns);
        assert_eq!(seen.into_inner(), "aabaabaab");
    }
}
