//! What the measuring programs share: how they begin and end.
//!
//! In:   the words behind the program's name.
//! Out:  exit code 0 if all is well, 1 if a bar is missed, 2 for an error, which is printed.
#![allow(clippy::print_stderr, reason = "for the programs of `bin`")]

use crate::report::BenchResult;
use std::process::ExitCode;

/// Whether all bars are met.
pub type Outcome = BenchResult<bool>;

/// Runs a program.
pub fn program(run: impl FnOnce(&[&str]) -> Outcome) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {}", error.text());
            ExitCode::from(2)
        }
    }
}
