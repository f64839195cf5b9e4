//! What a suite is given and what it gives back.
//!
//! In:   a [`Session`] from the edge.
//! Out:  a [`Report`], or why there is none.

use crate::record::Record;
use std::error::Error;
use std::fmt;
use throng_cli::picture::DrawError;

/// The edge: how much is wanted, who is told, who may stop it.
pub struct Session<'s> {
    /// Tiny sizes and few rounds: to see that everything works, not to measure.
    pub quick: bool,
    /// Is told what is measured now.
    pub progress: &'s mut dyn FnMut(&str),
    /// Whether to end early.
    pub stop: &'s dyn Fn() -> bool,
    /// The peak of memory, in bytes, of a fresh process that does nothing but one case;
    /// `None` if that cannot be known here.
    pub peak_of: &'s mut dyn FnMut(&str) -> Option<u64>,
}

impl Session<'_> {
    /// Tells what comes next.
    ///
    /// # Errors
    ///
    /// If somebody wants to stop.
    pub fn begin(&mut self, what: &str) -> Result<(), BenchError> {
        (self.progress)(what);
        if (self.stop)() { Err(BenchError::Stopped) } else { Ok(()) }
    }

    /// The first for measuring, the second for a quick look.
    pub fn pick<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }
}

/// What a suite found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The comparisons.
    pub records: Vec<Record>,
    /// The tables, as Markdown.
    pub tables: String,
    /// Files for a folder: name and content.
    pub files: Vec<(String, String)>,
    /// Wrong answers of ours, in words. There should be none.
    pub wrong: Vec<String>,
}

/// Why a suite gave no report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BenchError {
    /// Somebody wanted to stop.
    Stopped,
    /// Something that should have worked did not: what.
    Broken(String),
}

impl BenchError {
    /// Wraps any error.
    pub fn because(error: impl fmt::Display) -> BenchError {
        BenchError::Broken(error.to_string())
    }
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BenchError::Stopped => f.write_str("stopped"),
            BenchError::Broken(what) => f.write_str(what),
        }
    }
}

impl Error for BenchError {}

impl From<DrawError> for BenchError {
    fn from(error: DrawError) -> BenchError {
        BenchError::because(error)
    }
}
