//! What measurements share: the peak of memory, fresh processes.
//!
//! In:   what the system tells about itself.
//! Out:  bytes, the numbers that another process printed.

use std::hint::black_box;
use std::process::{Command, Stdio};
use throng_cli::peak_kilobytes;

/// The peak of this process's memory, in bytes; known on Linux.
pub fn peak_bytes() -> Option<u64> {
    peak_kilobytes().map(|kilobytes| kilobytes * 1024)
}

/// The whole numbers that a fresh process of this program prints for these words; `None` if it
/// fails or prints something else.
pub fn fresh(words: &[&str]) -> Option<Vec<u64>> {
    let mut fresh = Command::new(std::env::current_exe().ok()?);
    let output = fresh.args(words).stdin(Stdio::null()).output().ok()?;
    let said = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    said.split_whitespace().map(|number| number.parse().ok()).collect()
}

/// Bytes that a sweep goes through: several times the largest cache of usual machines.
pub const SWEEP_BYTES: usize = 128 << 20;

/// Memory that drives everything else out of the caches; none unless it is made.
#[derive(Default)]
pub struct Sweep {
    words: Vec<u64>,
}

impl Sweep {
    /// A sweep of so many bytes, [`SWEEP_BYTES`] for figures that count.
    pub fn new(bytes: usize) -> Sweep {
        Sweep { words: (0..(bytes / 8) as u64).collect() }
    }

    /// Reads and writes all of it.
    pub fn run(&mut self) {
        for word in &mut self.words {
            *word = word.wrapping_add(1);
        }
        black_box(self.words.last());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_touches_all_of_its_memory() {
        let mut sweep = Sweep::new(1 << 12);
        let before = sweep.words.clone();
        sweep.run();
        assert_eq!(before.len(), 512);
        assert!(before.iter().zip(&sweep.words).all(|(before, after)| before + 1 == *after));
    }
}
