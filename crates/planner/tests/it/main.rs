//! All tests of this crate that look at it from outside, in one program: one link step.

mod pool;
