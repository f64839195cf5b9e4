//! Where frames are made: at once, or beside the ticks on a thread of the recorder's own.
//!
//! In:   jobs, one after a tick, one more with a keyframe.
//! Out:  frames, in the order of the jobs; the first error, told with the next job.
//! Cost: a lock per job that nobody else wants; the thread is woken once for many ticks.
//!
//! A ring is asked for rarely, so what a tick brings waits until there is enough to be worth waking
//! somebody. Whoever wants to know what is in the ring does first what still waits. So does the
//! tick itself when too much has come together: then the machine has no time to spare, and memory is
//! bounded all the same. Jobs are taken only by who holds the frames, so their order is that of the
//! ticks and the ring has the same bytes whoever did them. The thread ends with the recorder.

use super::RecorderError;
use super::frames::{Frames, Job};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

/// So many bytes are worth waking somebody.
const MUCH: usize = 1 << 16;
/// With more, or more jobs, the tick works itself.
const TOO_MUCH: usize = 1 << 23;
const MOST_JOBS: usize = 1 << 10;

/// Where frames are made.
pub(super) struct Desk {
    shared: Arc<Shared>,
    /// Who works beside the ticks; without one every job is done at once.
    helper: Option<JoinHandle<()>>,
}

struct Shared {
    waiting: Mutex<Waiting>,
    /// There is enough to do, or it is time to go.
    begin: Condvar,
    frames: Mutex<Frames>,
}

#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    bytes: usize,
    /// Done; their room is for the next ones.
    spare: Vec<Job>,
    /// Nothing is done any more after this.
    error: Option<RecorderError>,
    has_failed: bool,
    is_closing: bool,
}

impl Desk {
    /// Every job is done at once.
    pub(super) fn at_once(frames: Frames) -> Self {
        let (waiting, begin) = (Mutex::default(), Condvar::new());
        let shared = Shared { waiting, begin, frames: Mutex::new(frames) };
        Desk { shared: Arc::new(shared), helper: None }
    }

    /// Jobs are done beside the ticks; at once where there are no threads.
    pub(super) fn beside(frames: Frames) -> Self {
        let mut desk = Desk::at_once(frames);
        let shared = Arc::clone(&desk.shared);
        let helper = Builder::new().name("throng recorder".to_string());
        desk.helper = helper.spawn(move || shared.help()).ok();
        desk
    }

    /// An empty job, with the room of one that is done.
    pub(super) fn spare(&self) -> Job {
        self.shared.waiting().spare.pop().unwrap_or_default()
    }

    /// Takes a job in.
    ///
    /// # Errors
    ///
    /// Why one before it, or this one, could not be done; told once.
    pub(super) fn put(&self, job: Job) -> Result<(), RecorderError> {
        let mut waiting = self.shared.waiting();
        waiting.bytes += job.bytes();
        waiting.jobs.push_back(job);
        let (bytes, jobs) = (waiting.bytes, waiting.jobs.len());
        drop(waiting);
        if self.helper.is_none() || bytes > TOO_MUCH || jobs > MOST_JOBS {
            drop(self.shared.work());
        } else if bytes > MUCH {
            self.shared.begin.notify_one();
        }
        self.shared.waiting().error.take().map_or(Ok(()), Err)
    }

    /// The frames, when all jobs are done.
    pub(super) fn frames(&self) -> MutexGuard<'_, Frames> {
        self.shared.work()
    }

    /// Why a job could not be done, if that was not told yet.
    pub(super) fn error(&self) -> Option<RecorderError> {
        self.shared.waiting().error.take()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let Some(helper) = self.helper.take() else { return };
        self.shared.waiting().is_closing = true;
        self.shared.begin.notify_one();
        // What the thread panicked with, if it did, was told when it did.
        _ = helper.join();
    }
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does all that waits, in order.
    fn work(&self) -> MutexGuard<'_, Frames> {
        let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let mut waiting = self.waiting();
            let Some(mut job) = waiting.jobs.pop_front() else { return frames };
            waiting.bytes = waiting.bytes.saturating_sub(job.bytes());
            let has_failed = waiting.has_failed;
            drop(waiting);
            let done = match has_failed {
                true => Ok(()),
                false => frames.take(&mut job),
            };
            job.clear();
            let mut waiting = self.waiting();
            if let Err(error) = done {
                (waiting.error, waiting.has_failed) = (Some(error), true);
            }
            waiting.spare.push(job);
        }
    }

    /// Works whenever there is enough, until it is time to go.
    fn help(&self) {
        loop {
            let mut waiting = self.waiting();
            while waiting.bytes <= MUCH && !waiting.is_closing {
                waiting = self.begin.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
            if waiting.is_closing {
                return;
            }
            drop(waiting);
            drop(self.work());
        }
    }
}
