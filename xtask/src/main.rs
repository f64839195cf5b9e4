//! The project's own tools: `cargo xtask test` is all of continuous integration.
//!
//! In:   a command and its options.
//! Out:  what the command prints; exit code 0 if all is well, 1 if not, 2 for a wrong command.
//!
//! Needs nothing but the Rust toolchain, so that what passes on one machine passes on any.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod bench;
#[path = "../../crates/lab/src/figures.rs"]
#[allow(unreachable_pub, reason = "a file of the lab, where others use it")]
mod collected;
mod command;
mod fuzz;
mod lines;
#[path = "../../crates/lab/src/machine.rs"]
#[allow(dead_code, unreachable_pub, reason = "a file of the lab, where others use the rest")]
mod machine;
mod package;
mod slow;
mod test;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <command>

  test [--long]                 everything that is checked: format, lints, tests, documents,
                                tidy, fuzzing; --long tries more random domains and fuzzes longer
  tidy [--quick]                crate edges, paths, headers, forbidden words, circles of modules,
                                names taken twice, the README's commands; --quick without those
  lines [FOLDER]                lines of code, documents, comments and tests of every crate, here or
                                in another checkout
  package                       the published crates packed, unpacked, built and tested from there
  fuzz [TARGET] [--seconds N] [--seed N]
                                damaged input for everything that reads; 30 s for each target
  bench all [NAME]...           every measurement, one after the other: all pages of figures anew,
                                docs/what-holds.md, and what changed since the last commit
  bench peers                   Throng beside other planning libraries, in one run
  bench numbers                 the same on domains with amounts, with bars
  bench growth                  time and memory of a check by size of the file, into
                                docs/benchmarks.md
  bench topological             time and memory of a plan by size of the problem, into the same
  bench instructions            instructions of a plan, counted by valgrind, into the same
  bench forward                 forward search beside a plain one, into docs/benchmarks.md
  bench recording               stories with a recorder and without, into the same
  bench downward [boxes|folder|exchange]
                                Throng beside Fast Downward on PDDL, where Python can fetch it;
                                a section alone is printed only
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        [] | ["-h" | "--help" | "help"] => {
            print!("{HELP}");
            Ok(())
        }
        ["test"] => test::run(false),
        ["test", "--long"] => test::run(true),
        ["tidy"] => tidy::run(true),
        ["tidy", "--quick"] => tidy::run(false),
        ["package"] => package::run(),
        ["lines"] => lines::run(None),
        ["lines", folder] => lines::run(Some(folder)),
        ["fuzz", ref options @ ..] => match fuzz::Options::read(options) {
            Ok(options) => fuzz::run(&options),
            Err(message) => return wrong(&message),
        },
        ["bench", "all", ref names @ ..] => bench::all(names),
        ["bench", name] if bench::PROGRAMS.contains(&name) => bench::program(name),
        ["bench", "instructions"] => bench::instructions(),
        ["bench", "peers"] => bench::peers(),
        ["bench", "numbers"] => bench::numbers(),
        ["bench", "downward"] => bench::downward(None),
        ["bench", "downward", section] => bench::downward(Some(section)),
        _ => return wrong(&format!("`{}` is no command", words.join(" "))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn wrong(message: &str) -> ExitCode {
    eprintln!("error: {message}\n\n{HELP}");
    ExitCode::from(2)
}
