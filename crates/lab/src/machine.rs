//! What was measured, and where: the head of every page of figures.
//!
//! In:   the checkout that the command runs in, and what the system tells about itself.
//! Out:  words: the commit, the machine, how busy it is.
//! Cost: two calls of git.
//!
//! Depends on nothing, so that packages outside the workspace can take it as a file.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The line that says what was measured and where, without its full stop: figures drift as the
/// program changes, and a page that names its commit shows it.
pub fn measured() -> String {
    let commit = match commit() {
        commit if commit.is_empty() => {
            format!("version {}, no commit at hand,", env!("CARGO_PKG_VERSION"))
        }
        commit => match commit.strip_suffix(CHANGED) {
            Some(commit) => format!("commit `{commit}` with changes that are not committed"),
            None => format!("commit `{commit}`"),
        },
    };
    format!("Measured at {commit} on {}", machine())
}

/// The same, with how busy the machine was.
pub fn measured_under_load() -> String {
    let busy = load().map_or_else(String::new, |load| format!(", load {load:.1}"));
    format!("{}{busy}", measured())
}

/// Behind a commit: files differ from it.
const CHANGED: char = '+';

/// The commit of the checkout that the command runs in, with a `+` if files differ from it, those of
/// `docs` apart, which such commands write; empty if there is none.
pub fn commit() -> String {
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    // Another project's checkout says nothing about this program.
    let ours = git(&["rev-parse", "--show-toplevel"])
        .is_some_and(|top| Path::new(&top).join("crates/lab/src/machine.rs").is_file());
    let commit = ours.then(|| git(&["rev-parse", "--short=12", "HEAD"])).flatten();
    let status = ["status", "--porcelain", "--", ":/", ":(exclude,top)docs"];
    match (commit, git(&status)) {
        (Some(commit), Some(changes)) if changes.is_empty() => commit,
        (Some(commit), _) => format!("{commit}{CHANGED}"),
        (None, _) => String::new(),
    }
}

/// Cores, processor, system: what a reader needs to judge the figures.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("unknown processor", |(_, model)| model.trim());
    let plural = if cores == 1 { "" } else { "s" };
    format!("{cores} core{plural}, {model}, {} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// How many programs wanted the processor in the last minute, on average; known on Linux.
fn load() -> Option<f64> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split_whitespace().next()?.parse().ok()
}
