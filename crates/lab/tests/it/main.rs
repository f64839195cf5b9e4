//! All tests of this crate that look at it from outside, in one program: one link step.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod boxes;
