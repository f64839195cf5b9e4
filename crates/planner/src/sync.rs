//! What the pool synchronises with: the standard library's.
//!
//! The model test of the pool (`models/src/lib.rs`) compiles `pool.rs` with a
//! module of this name that has the model checker's instead.

pub(crate) use std::hint::spin_loop;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard};
pub(crate) use std::thread::{Builder, JoinHandle};

/// How often a thread looks for work before it lies down: some ten microseconds, the time
/// between two passes of one frame.
pub(crate) const LOOKS: u32 = 500;
