//! What the pool synchronises with in the model: `loom`'s, under the names of the planner's own
//! `sync`.

pub(crate) use loom::hint::spin_loop;
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
pub(crate) use loom::sync::{Arc, Condvar, Mutex, MutexGuard};
pub(crate) use loom::thread::{Builder, JoinHandle};

/// One look is enough to have been looking.
pub(crate) const LOOKS: u32 = 1;
