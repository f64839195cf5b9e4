//! The laboratory: what is measured, and what is kept as printed. Nothing published needs it.
//!
//! ```text
//! sizes, formulas ──▶ families ─┬─▶ `.npc`, JSON, PDDL, compiled tables
//!                               └─▶ printed (the papers' algorithms), seed (the text-file planner)
//!
//!                 ┌─▶ papers ─┐
//!                 ├─▶ minds  ─┤
//!                 ├─▶ boxes  ─┤
//! sizes, domains ─┼─▶ growth ─┼─▶ Report: records (JSON), tables, files (SVG, CSV, a page), wrong answers
//!                 └─▶ limits ─┘
//! ```
//!
//! In:   a [`Session`]: how much work is wanted, who is told about progress, a stop.
//! Out:  a [`Report`]; the caller prints it, writes its files, and fails on a wrong answer.
//! Cost: each suite says its own; seconds to minutes.
//!
//! The suites read clocks and `/proc`; they print nothing and write no file. `commands` adds all of
//! it to the command line, as the program `throng` of this repository; `bin` has the programs that
//! `cargo xtask bench` runs.
#![forbid(unsafe_code)]

pub mod boxes;
pub mod choices;
pub mod clock;
pub mod commands;
pub mod corpus;
pub mod families;
pub mod figures;
pub mod growth;
pub mod harness;
pub mod judge;
pub mod limits;
pub mod machine;
pub mod measuring;
pub mod members;
pub mod minds;
pub mod papers;
pub mod people;
pub mod printed;
pub mod program;
pub mod record;
pub mod report;
pub mod seed;
pub mod shared;
pub mod stories;
pub mod table;
pub mod tasks;
pub mod timed;
pub mod town;
pub mod truth;
pub mod warm;

pub use record::Record;
pub use report::{BenchError, BenchResult, Report, Session};
