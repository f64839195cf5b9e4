//! All tests of this crate that look at it from outside, in one program: one link step.

mod costs;
mod endings;
mod memory;
mod memory_policy;
mod mistakes;
mod patched;
mod plain_memory;
mod reload;
mod saved;
mod spec;
mod tape;
mod turns;
