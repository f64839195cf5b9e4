//! Benchmarks as a product: suites that answer correctly or fail, plots, records.
//!
//! ```text
//!                 ┌─▶ papers ─┐
//!                 ├─▶ minds  ─┤
//!                 ├─▶ boxes  ─┤
//! sizes, domains ─┼─▶ growth ─┼─▶ Report: records (JSON), tables, files (SVG, CSV, a page), wrong answers
//!                 └─▶ limits ─┘
//! ```
//!
//! In:   a [`Session`]: how much work is wanted, somebody to tell about progress, a stop.
//! Out:  a [`Report`]; whoever asked prints it, writes its files, and fails on a wrong answer.
//! Cost: each suite says its own; seconds to minutes.
//!
//! This crate reads clocks and `/proc`; it prints nothing and writes no file.
#![forbid(unsafe_code)]

pub mod boxes;
pub mod corpus;
pub mod families;
pub mod figure;
pub mod growth;
pub mod judge;
pub mod limits;
pub mod machine;
pub mod measuring;
pub mod members;
pub mod minds;
pub mod papers;
pub mod printed;
pub mod protocol;
pub mod record;
pub mod report;
pub mod rows;
pub mod seed;
pub mod shared;
pub mod tasks;
pub mod town;
pub mod truth;
pub mod turns;
pub mod warm;

mod draw;

pub use record::Record;
pub use report::{Failed, Report, Session};
