//! Tests, run with their times: which are the slowest.
//!
//! In:   a `cargo test` command without documentation tests.
//! Out:  its output as it comes, and the ten tests that took longest.
//!
//! The test harness tells times only when it believes to be a nightly one; where there is `env`
//! (on Unix) each test program, and nothing else, is told so. Elsewhere no times are printed.

use crate::command::{Outcome, words};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// How many tests are shown.
const SHOWN: usize = 10;
/// Each test program runs with this in its environment.
const RUNNER: &str = "target.'cfg(unix)'.runner = ['env', 'RUSTC_BOOTSTRAP=1']";

/// Runs the tests.
pub(crate) fn run(command: &mut Command) -> Outcome {
    if cfg!(unix) {
        command.args(["--config", RUNNER, "--", "-Zunstable-options", "--report-time"]);
    }
    let cannot = |error: std::io::Error| format!("`cargo test` cannot be run: {error}");
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(cannot)?;
    let mut times = Vec::new();
    for line in child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines) {
        let line = line.map_err(cannot)?;
        times.extend(time(&line));
        println!("{line}");
    }
    let status = child.wait().map_err(cannot)?;
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (seconds, name) in times.iter().take(SHOWN) {
        println!("{seconds:>7.1} s  {name}");
    }
    if status.success() { Ok(()) } else { Err(format!("`{}`: {status}", words(command))) }
}

/// The seconds and the name of a test, from a line like `test name ... ok <0.123s>`.
fn time(line: &str) -> Option<(f64, String)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let seconds = rest.rsplit_once('<')?.1.strip_suffix("s>")?;
    Some((seconds.parse().ok()?, name.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_from_what_the_harness_says() {
        assert_eq!(time("test a::b ... ok <1.250s>"), Some((1.25, "a::b".to_string())));
        assert_eq!(time("test a::b ... ok"), None);
        assert_eq!(time("test result: ok. 3 passed; finished in 0.00s"), None);
    }
}
