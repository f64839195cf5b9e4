//! All tests of this crate that look at it from outside, in one program: one link step.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod amounts;
mod beside;
mod commits;
mod common;
mod costs;
mod declared;
mod effects;
mod endings;
mod heavy;
mod lives;
mod memory;
mod memory_policy;
mod mistakes;
mod orders;
mod patched;
mod picked;
mod plain_memory;
mod prize;
mod questions;
mod random_life;
mod reload;
mod saved;
mod select;
mod select_others;
mod select_types;
mod shown;
mod spec;
mod tape;
mod turns;
mod vocabulary;
