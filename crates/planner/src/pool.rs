//! A few threads that wait for work, and a loop that they share.
//!
//! In:   a slice and what to do with each of its items.
//! Out:  every item was visited exactly once, by some thread; the caller works too.
//! Cost: no allocation per call; a lock when work begins and when a thread is done with it, one
//!       atomic step per handful of items. One thread means a plain loop, and no thread is made.
//!
//! A named kernel with `unsafe`: threads outlive the call that gives them work, so the borrow of
//! the items and of the closure is hidden from the compiler while the call lasts. The contract is
//! in one sentence: *the caller does not leave `each` before every thread that took the job has
//! handed it back, and after that no thread can take it.* The safe twin is the plain loop in
//! [`Pool::each`] that serves one thread. Scoped threads would be safe but are made anew each time
//! (tens of microseconds); the usual pool of tasks allocates for every call from outside.
//!
//! What it synchronises with comes from `crate::sync`, so that a model checker can put its own
//! there and try this very file in every order of steps (`models/src/lib.rs`).
#![allow(unsafe_code, reason = "a named kernel; see above")]

use crate::sync::{
    Arc, AtomicBool, AtomicU64, AtomicUsize, Builder, Condvar, JoinHandle, LOOKS, Mutex,
    MutexGuard, Ordering, spin_loop,
};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::PoisonError;

/// How many handfuls of items there are per thread: enough that none waits long for the last.
const HANDFULS: usize = 8;

/// Threads that are kept between calls.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    /// Somebody is inside [`Pool::each`]; whoever comes in between works alone.
    taken: AtomicBool,
}

#[derive(Debug)]
struct Shared {
    desk: Mutex<Desk>,
    /// There is a job, or it is time to go.
    begin: Condvar,
    /// The last thread has handed the job back.
    end: Condvar,
    /// Counts jobs, for those who look without the lock.
    jobs: AtomicU64,
    /// How many threads have the job, for a caller who looks without the lock.
    inside: AtomicUsize,
    /// The first item that nobody has taken.
    next: AtomicUsize,
}

#[derive(Debug, Default)]
struct Desk {
    job: Option<Job>,
    /// Counts jobs, so that nobody takes the same one twice.
    number: u64,
    sleeping: usize,
    closing: bool,
    panic: Option<Panic>,
}

/// What a thread panicked with.
type Panic = Box<dyn Any + Send>;

/// A call of `each` without its types.
#[derive(Clone, Copy, Debug)]
struct Job {
    /// The `Call` that `visit` was made for.
    call: *const (),
    /// Visits one item.
    ///
    /// # Safety
    ///
    /// `call` is alive, the index is below `n_items`, and nobody else visits that item.
    visit: unsafe fn(*const (), usize),
    n_items: usize,
    handful: usize,
}

// SAFETY: `call` points to a `Call<T>` with `T: Send` items, of which each is visited by one thread
// only, and to a closure that is `Sync`; that is all threads do with it.
unsafe impl Send for Job {}

/// What `Job::call` points to.
struct Call<'c, T> {
    items: *mut T,
    work: &'c (dyn Fn(usize, &mut T) + Sync),
}

/// Visits the item at an index.
///
/// # Safety
///
/// `call` points to a living `Call<T>`, `index` is below its number of items, and nobody else
/// visits or has that item while this runs.
unsafe fn visit<T>(call: *const (), index: usize) {
    // SAFETY: the caller promises a living `Call<T>`.
    let call = unsafe { &*call.cast::<Call<'_, T>>() };
    // SAFETY: the caller promises that the index is in bounds and the item is ours alone.
    let item = unsafe { &mut *call.items.add(index) };
    (call.work)(index, item);
}

impl Pool {
    /// A pool in which so many threads work, the caller counted; at least one. If the system
    /// refuses a thread there are fewer, which changes no result.
    pub fn new(threads: usize) -> Self {
        let shared = Arc::new(Shared {
            desk: Mutex::default(),
            begin: Condvar::new(),
            end: Condvar::new(),
            jobs: AtomicU64::new(0),
            inside: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
        });
        let worker = |_| {
            let shared = Arc::clone(&shared);
            Builder::new().name("throng".into()).spawn(move || shared.serve()).ok()
        };
        let workers = (1..threads).map_while(worker).collect();
        Pool { shared, workers, taken: AtomicBool::new(false) }
    }

    /// How many threads work, the caller counted.
    pub fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Does `work` with every item and its index, each exactly once, and returns when all are
    /// done. A call from within `work`, or while another thread calls, runs on the calling
    /// thread alone.
    ///
    /// # Panics
    ///
    /// If `work` panics, with the same payload, after all threads have stopped; items that
    /// nobody had begun are then left out.
    pub fn each<T: Send>(&self, items: &mut [T], work: &(dyn Fn(usize, &mut T) + Sync)) {
        let alone = self.workers.is_empty() || items.len() < 2;
        if alone || self.taken.swap(true, Ordering::Acquire) {
            items.iter_mut().enumerate().for_each(|(at, item)| work(at, item));
            return;
        }
        let n_items = items.len();
        let call = Call { items: items.as_mut_ptr(), work };
        let handful = (n_items / (self.threads() * HANDFULS)).max(1);
        let job = Job { call: (&raw const call).cast(), visit: visit::<T>, n_items, handful };
        self.shared.publish(job);
        // SAFETY: `call` and the items live until the end of this function, which does not go
        // on before `take_back` says that no thread has the job, nor can take it.
        let own = unsafe { self.shared.work_on(job) };
        let others = self.shared.take_back();
        self.taken.store(false, Ordering::Release);
        if let Some(payload) = own.err().or(others) {
            resume_unwind(payload);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.desk().closing = true;
        self.shared.jobs.fetch_add(1, Ordering::Release);
        self.shared.begin.notify_all();
        for worker in self.workers.drain(..) {
            // It catches what it runs; there is nothing to hear from it.
            _ = worker.join();
        }
    }
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        // Nothing panics while the lock is held.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, job: Job) {
        let mut desk = self.desk();
        self.next.store(0, Ordering::Relaxed);
        desk.job = Some(job);
        desk.number += 1;
        self.jobs.fetch_add(1, Ordering::Release);
        let sleeping = desk.sleeping;
        drop(desk);
        if sleeping > 0 {
            self.begin.notify_all();
        }
    }

    /// Visits items until none is left; the panic that ended it, if one did.
    ///
    /// # Safety
    ///
    /// The job's `call` and its items stay alive and untouched by others until this returns, and
    /// `next` was reset for this job.
    unsafe fn work_on(&self, job: Job) -> Result<(), Panic> {
        let result = catch_unwind(AssertUnwindSafe(|| {
            loop {
                let first = self.next.fetch_add(job.handful, Ordering::Relaxed);
                if first >= job.n_items {
                    return;
                }
                for index in first..job.n_items.min(first + job.handful) {
                    // SAFETY: the index is in bounds, and `fetch_add` gives it to nobody else;
                    // the rest is the caller's promise.
                    unsafe { (job.visit)(job.call, index) };
                }
            }
        }));
        // Nobody needs to begin what will not be used. (Not the largest number: others still add.)
        // The others need not go on.
        result.inspect_err(|_| self.next.store(job.n_items, Ordering::Relaxed))
    }

    /// Ends the job for those who have not taken it, and waits for those who have.
    fn take_back(&self) -> Option<Panic> {
        let mut desk = self.desk();
        desk.job = None;
        drop(desk);
        for _ in 0..LOOKS {
            if self.inside.load(Ordering::Acquire) == 0 {
                break;
            }
            spin_loop();
        }
        let mut desk = self.desk();
        while self.inside.load(Ordering::Acquire) > 0 {
            desk = self.end.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
        desk.panic.take()
    }

    /// The life of a worker.
    fn serve(&self) {
        let mut seen = 0;
        while let Some(job) = self.next_job(&mut seen) {
            // SAFETY: the job was taken under the lock and counted in `inside`, so its caller
            // waits until this thread hands it back below.
            let result = unsafe { self.work_on(job) };
            let mut desk = self.desk();
            if let Err(panic) = result {
                desk.panic.get_or_insert(panic);
            }
            // Under the lock, so that a caller about to wait cannot miss it.
            if self.inside.fetch_sub(1, Ordering::Release) == 1 {
                self.end.notify_one();
            }
        }
    }

    /// Waits for a job after number `seen`, and takes it if it is still there; `None` when the
    /// pool closes.
    fn next_job(&self, seen: &mut u64) -> Option<Job> {
        loop {
            let mut looks = LOOKS;
            while looks > 0 && self.jobs.load(Ordering::Acquire) == *seen {
                looks -= 1;
                spin_loop();
            }
            let mut desk = self.desk();
            if desk.number == *seen && !desk.closing {
                desk.sleeping += 1;
                desk = self.begin.wait(desk).unwrap_or_else(PoisonError::into_inner);
                desk.sleeping -= 1;
            }
            if desk.closing {
                return None;
            }
            if desk.number != *seen {
                *seen = desk.number;
                // Who comes too late finds none, and waits for the next.
                if let Some(job) = desk.job {
                    self.inside.fetch_add(1, Ordering::Relaxed);
                    return Some(job);
                }
            }
        }
    }
}
