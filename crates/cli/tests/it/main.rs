//! All tests of this crate that look at it from outside, in one program: one link step.

mod bench;
mod classes;
mod common;
mod crowd;
mod exit_codes;
mod explain;
mod families;
mod files;
mod gen_rust;
mod help_and_demo;
mod interrupts;
mod papers;
mod pddl;
mod plan;
mod play;
mod replay;
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
