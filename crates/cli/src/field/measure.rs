//! What `--stats` measures: time per phase, and the peak of memory.
//!
//! In:   when a phase begins.
//! Out:  the phases with their times, in order.
//! Cost: a look at the clock per phase.

use std::time::Instant;

/// Times by phase.
#[derive(Default)]
pub(crate) struct Stopwatch {
    since: Option<(&'static str, Instant)>,
    /// In milliseconds.
    pub(crate) phases: Vec<(&'static str, f64)>,
}

impl Stopwatch {
    /// A phase begins, and the one before ends.
    pub(crate) fn begin(&mut self, phase: &'static str) {
        self.end();
        self.since = Some((phase, Instant::now()));
    }

    /// The last phase ends.
    pub(crate) fn end(&mut self) {
        if let Some((phase, since)) = self.since.take() {
            let milliseconds = since.elapsed().as_secs_f64() * 1e3;
            self.phases.push((phase, milliseconds));
        }
    }
}

/// The peak of resident memory; known on Linux.
pub fn peak_kilobytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
