//! An allocator that counts what the calling thread asks for, for tests of "allocates nothing".

// It cannot be written without `unsafe`; it only forwards and counts.
#![allow(unsafe_code, reason = "it only forwards and counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<u64> = const { Cell::new(0) };
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    // During thread shutdown the counters are gone; nothing is measured there.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
    let _ = BYTES.try_with(|sum| sum.set(sum.get() + bytes as u64));
}

fn hold(bytes: i64) {
    let live = LIVE.try_with(|live| {
        live.set(live.get() + bytes);
        live.get()
    });
    let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.unwrap_or_default())));
}

// SAFETY: every call is forwarded unchanged to the system allocator, which upholds the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        hold(layout.size() as i64);
        // SAFETY: the caller's promises about `layout` are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        hold(-(layout.size() as i64));
        // SAFETY: the caller's promises about `pointer` and `layout` are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        hold(size as i64 - layout.size() as i64);
        // SAFETY: the caller's promises about all three are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How many bytes the calling thread asks for while it does this, given back or not.
#[allow(dead_code, reason = "not every test asks for this")]
pub(crate) fn bytes_of(work: impl FnOnce()) -> u64 {
    let before = BYTES.with(Cell::get);
    work();
    BYTES.with(Cell::get) - before
}

/// How many bytes more than before the calling thread has at once while it does this.
#[allow(dead_code, reason = "not every test asks for this")]
pub(crate) fn peak_of(work: impl FnOnce()) -> u64 {
    let before = LIVE.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    work();
    (PEAK.with(Cell::get) - before).max(0) as u64
}

/// How many bytes the calling thread holds more after it has made this, while it is there.
#[allow(dead_code, reason = "not every test asks for this")]
pub(crate) fn held_by<T>(make: impl FnOnce() -> T) -> i64 {
    let before = LIVE.with(Cell::get);
    let made = make();
    let after = LIVE.with(Cell::get);
    drop(made);
    after - before
}

/// How often the calling thread asks for memory while it does this.
#[allow(dead_code, reason = "not every test asks for this")]
pub(crate) fn allocations_of(work: impl FnOnce()) -> u64 {
    let before = so_far();
    work();
    so_far() - before
}

/// How often the calling thread has asked so far.
#[allow(dead_code, reason = "not every test asks for this")]
pub(crate) fn so_far() -> u64 {
    COUNT.with(Cell::get)
}
