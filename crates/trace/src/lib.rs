//! What happened in minds, in a file that replays.
//!
//! In:   everything that enters minds, tick by tick, and now and then all that they are.
//! Out:  bytes, of which any tick can be brought back; what was planned, how often, and why.
//! Cost: a few bytes per event; bounded memory for those who keep only the last seconds.
//!
//! Does no I/O itself: bytes go to a writer of the caller's, and come from a slice.
#![forbid(unsafe_code)]

pub mod stats;
