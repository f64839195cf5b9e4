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
use super::frames::{Frames, Job, What};
use std::collections::VecDeque;
use std::mem::{replace, swap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use throng_base::codec::Encoder;

/// So many bytes, or jobs, are worth waking somebody.
const MUCH: usize = 1 << 14;
const MANY: usize = 32;
/// With more the tick works itself. There is never room for more jobs, so a recorder that is warm
/// takes no more.
const TOO_MUCH: usize = 1 << 23;
const TOO_MANY: usize = 64;
/// Room of a job that is larger is kept of so few; all others together have what may wait.
const LARGE: usize = TOO_MUCH / TOO_MANY;
const FEW: usize = 2;

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
    /// Room for a keyframe, which is much longer than a tick.
    room: Encoder,
    /// Nothing is done any more after this.
    error: Option<RecorderError>,
    has_failed: bool,
    is_closing: bool,
}

impl Waiting {
    fn is_enough(&self) -> bool {
        self.bytes > MUCH || self.jobs.len() >= MANY
    }

    /// Keeps the room of a job that is done, within bounds.
    fn keep(&mut self, mut job: Job, is_keyframe: bool) {
        if is_keyframe {
            swap(&mut self.room, &mut job.payload);
            self.room.bytes.clear();
            // There was another keyframe when this one began.
            if job.payload.bytes.capacity() > LARGE {
                job.payload = Encoder::default();
            }
        }
        if job.bytes() <= LARGE || self.spare.len() < FEW {
            job.clear();
            self.spare.push(job);
        }
    }
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

    /// Takes a job in, and puts an empty one in its place, with the room of one that is done.
    ///
    /// # Errors
    ///
    /// Why one before it, or this one, could not be done; told once.
    pub(super) fn put(&self, job: &mut Job) -> Result<(), RecorderError> {
        let mut waiting = self.shared.waiting();
        // A keyframe is long: it may wait as well if not too much waits before it.
        let before = waiting.bytes;
        waiting.bytes += job.bytes();
        let spare = waiting.spare.pop().unwrap_or_default();
        waiting.jobs.push_back(replace(job, spare));
        let jobs = waiting.jobs.len();
        let (is_enough, mut error) = (waiting.is_enough(), waiting.error.take());
        drop(waiting);
        if self.helper.is_none() || before > TOO_MUCH || jobs >= TOO_MANY {
            drop(self.shared.work());
            error = error.or_else(|| self.error());
        } else if is_enough {
            self.shared.begin.notify_one();
        }
        error.map_or(Ok(()), Err)
    }

    /// The frames, when all jobs are done.
    pub(super) fn frames(&self) -> MutexGuard<'_, Frames> {
        self.shared.work()
    }

    /// Why a job could not be done, if that was not told yet.
    pub(super) fn error(&self) -> Option<RecorderError> {
        self.shared.waiting().error.take()
    }

    /// The same of a ring, where nobody refuses to write; it is still to be told.
    pub(super) fn pending_error(&self) -> Option<RecorderError> {
        self.shared.waiting().error.as_ref().map(|error| match error {
            RecorderError::Lost => RecorderError::Lost,
            _ => RecorderError::TooMuch,
        })
    }

    /// Whether a job could not be done, told or not: none after it is.
    pub(super) fn has_failed(&self) -> bool {
        self.shared.waiting().has_failed
    }

    /// Gives the payload the room that is kept for keyframes.
    pub(super) fn lend_room(&self, payload: &mut Encoder) {
        swap(&mut self.shared.waiting().room, payload);
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let Some(helper) = self.helper.take() else { return };
        self.shared.waiting().is_closing = true;
        self.shared.begin.notify_one();
        // What the thread panicked with, if it did, was printed when it did.
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
            let is_keyframe = matches!(job.what, What::Keyframe(..));
            if !has_failed {
                let mut hand = Hand { shared: self, done: Err(RecorderError::Lost) };
                hand.done = frames.take(&mut job);
            }
            self.waiting().keep(job, is_keyframe);
        }
    }

    /// Works whenever there is enough, until it is time to go.
    fn help(&self) {
        loop {
            let mut waiting = self.waiting();
            while !waiting.is_enough() && !waiting.is_closing {
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

/// Tells how a job ended, also if it ends in a panic.
struct Hand<'a> {
    shared: &'a Shared,
    done: Result<(), RecorderError>,
}

impl Drop for Hand<'_> {
    fn drop(&mut self) {
        if let Err(error) = replace(&mut self.done, Ok(())) {
            let mut waiting = self.shared.waiting();
            (waiting.error, waiting.has_failed) = (Some(error), true);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]
mod tests {
    use super::super::frames::{Sink, What};
    use super::super::ring::{Ring, Segment};
    use super::*;
    use crate::header::Header;
    use crate::source::RecordingSource;
    use std::io;
    use throng_base::SplitMix;
    use throng_mind::time::Pace;

    fn keyframe(job: &mut Job, tick: u32) {
        let (files, pace) = (Vec::new(), Pace { ticks_per_second: 10 });
        let source = RecordingSource { files, pace };
        let [words, sensors, behaviours] = [const { Vec::new() }; 3];
        let header = Header { source, words, sensors, behaviours, notes: Vec::new(), era: 0 };
        job.payload.raw(&[0; 8]);
        job.payload.write(&tick);
        job.what = What::Keyframe(8, Some(Segment::new(tick, Arc::new(header), Vec::new())));
    }

    fn tick(job: &mut Job, tick: u32, dice: &mut SplitMix) {
        job.what = What::Tick;
        job.payload.write(&1u32);
        for mind in 0..dice.below(60) as u32 {
            let says = [mind as u8, dice.below(3) as u8, tick as u8];
            job.entries.push(mind, 10, &says[..dice.below(4)]);
        }
    }

    /// Jobs of many ticks; what is kept in the end, and how it was counted.
    fn made(desk: &Desk, waits: bool) -> (Vec<u8>, String) {
        let (mut dice, mut job) = (SplitMix::new(5), Job::default());
        for now in 0..3_000 {
            if now % 100 == 0 {
                keyframe(&mut job, now);
                desk.put(&mut job).unwrap();
            }
            tick(&mut job, now, &mut dice);
            desk.put(&mut job).unwrap();
            assert!(job.payload.bytes.is_empty() && job.entries.is_empty(), "room is empty");
            if waits && now % 7 == 0 {
                std::thread::yield_now();
            }
            if waits && now % 500 == 0 {
                // Whoever asks sees everything up to here.
                assert_eq!(desk.frames().figures.ticks, u64::from(now) + 1);
            }
        }
        let frames = desk.frames();
        let Sink::Ring(ring) = &frames.sink else { panic!("a ring") };
        (ring.save(0, Some(3_000)).unwrap(), format!("{:?}", frames.figures))
    }

    fn ring() -> Frames {
        Frames::new(Sink::Ring(Ring::new(1_000)))
    }

    #[test]
    fn the_ring_is_the_same_whoever_makes_the_frames() {
        let plain = made(&Desk::at_once(ring()), false);
        for waits in [false, true, false, true] {
            assert!(made(&Desk::beside(ring()), waits) == plain);
        }
    }

    #[test]
    fn a_desk_that_has_work_ends_when_nobody_wants_it() {
        let (mut dice, mut job) = (SplitMix::new(5), Job::default());
        for ticks in 0..40 {
            let desk = Desk::beside(ring());
            (0..ticks).for_each(|now| {
                tick(&mut job, now, &mut dice);
                desk.put(&mut job).unwrap();
            });
        }
    }

    /// A desk whose thread never has time.
    fn desk_without_time() -> Desk {
        let mut desk = Desk::at_once(ring());
        desk.helper = Some(std::thread::spawn(|| {}));
        desk
    }

    fn long_keyframe(job: &mut Job, now: u32, bytes: usize) {
        keyframe(job, now);
        job.payload.bytes.resize(bytes, 1);
    }

    #[test]
    fn a_long_keyframe_is_not_made_in_its_tick() {
        let (mut dice, mut job) = (SplitMix::new(5), Job::default());
        let desk = desk_without_time();
        let waiting = || desk.shared.waiting().jobs.len();
        long_keyframe(&mut job, 0, TOO_MUCH + 1);
        desk.put(&mut job).unwrap();
        assert_eq!(waiting(), 1);
        tick(&mut job, 0, &mut dice);
        desk.put(&mut job).unwrap();
        assert_eq!(waiting(), 0, "memory is bounded");
    }

    #[test]
    fn room_of_long_keyframes_is_kept_once() {
        let (mut dice, mut job) = (SplitMix::new(5), Job::default());
        let (desk, long) = (desk_without_time(), 4 * LARGE);
        for now in 0..200 {
            desk.lend_room(&mut job.payload);
            long_keyframe(&mut job, now, long);
            desk.put(&mut job).unwrap();
            tick(&mut job, now, &mut dice);
            desk.put(&mut job).unwrap();
        }
        drop(desk.frames());
        let waiting = desk.shared.waiting();
        let room = |payload: &Encoder| payload.bytes.capacity();
        assert!((long..=2 * long).contains(&room(&waiting.room)));
        let spare: Vec<usize> = waiting.spare.iter().map(|job| room(&job.payload)).collect();
        assert!(spare.len() > 10 && spare.iter().all(|&room| room <= LARGE), "{spare:?}");
    }

    #[test]
    fn room_of_long_ticks_is_kept_of_few() {
        let (says, mut job) = (vec![0; 2 * LARGE], Job::default());
        let desk = desk_without_time();
        for now in 0..40 {
            job.what = What::Tick;
            job.entries.push(now, 10, &says);
            desk.put(&mut job).unwrap();
        }
        drop(desk.frames());
        assert_eq!(desk.shared.waiting().spare.len(), FEW);
    }

    #[test]
    fn a_job_that_ends_in_a_panic_is_told_and_nothing_is_done_after_it() {
        struct Panics;
        impl io::Write for Panics {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                panic!("as it is to")
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let desk = Desk::beside(Frames::new(Sink::Writer { writer: Box::new(Panics), link: 0 }));
        let (mut dice, mut job) = (SplitMix::new(5), Job::default());
        let mut told = Vec::new();
        for now in 0..MANY as u32 {
            tick(&mut job, now, &mut dice);
            told.extend(desk.put(&mut job).err());
        }
        while desk.helper.as_ref().is_some_and(|helper| !helper.is_finished()) {
            std::thread::yield_now();
        }
        assert!(desk.has_failed());
        tick(&mut job, 99, &mut dice);
        told.extend(desk.put(&mut job).err());
        assert!(matches!(told[..], [RecorderError::Lost]), "{told:?}");
        assert!(desk.put(&mut job).is_ok() && desk.pending_error().is_none(), "it is told once");
        assert_eq!(desk.frames().figures.ticks, 1);
    }

    #[test]
    fn an_error_beside_the_ticks_is_told_once_and_nothing_is_done_after_it() {
        struct Refuses;
        impl io::Write for Refuses {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let sink = || Sink::Writer { writer: Box::new(Refuses), link: 0 };
        for desk in [Desk::at_once(Frames::new(sink())), Desk::beside(Frames::new(sink()))] {
            let (mut dice, mut job) = (SplitMix::new(5), Job::default());
            let mut errors = 0;
            for now in 0..100 {
                tick(&mut job, now, &mut dice);
                errors += usize::from(desk.put(&mut job).is_err());
            }
            let ticks = desk.frames().figures.ticks;
            errors += usize::from(desk.error().is_some());
            assert_eq!((errors, ticks), (1, 1));
        }
    }
}
