//! All tests that look at the lab and at its program from outside, in one program: one link step.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod bench;
mod boxes;
mod classes;
mod common;
mod crowd;
mod exit_codes;
mod explain;
mod families;
mod files;
mod gen_rust;
mod groups;
mod help_and_demo;
mod interrupts;
mod papers;
mod pddl;
mod plan;
mod play;
mod published;
mod replay;
mod run_pages;
mod sas;
mod solve;
mod solve_streams;
mod stats;
mod terminal;
mod validate_and_test;
mod watch;
mod worth;
mod writers;

#[path = "../../../suite/src/golden.rs"]
#[allow(dead_code, unreachable_pub, reason = "each crate uses a part of it")]
mod golden;

#[path = "../../../suite/src/page_blocks.rs"]
#[allow(dead_code, unreachable_pub, reason = "each crate uses a part of it")]
mod page_blocks;
