//! What a suite is given and what it gives back.
//!
//! In:   a [`Session`] from the edge.
//! Out:  a [`Report`], or why there is none.

use crate::record::{self, Record};
use std::error::Error;
use std::fmt;
use throng_cli::picture::DrawError;

/// The edge: how much is wanted, who is told, who may stop it.
pub struct Session<'s> {
    /// Tiny sizes and few rounds: to see that everything works, not to measure.
    pub quick: bool,
    /// Is told what is measured now.
    pub progress: Box<dyn FnMut(&str) + 's>,
    /// Whether to end early.
    pub stop: Box<dyn Fn() -> bool + 's>,
    /// The peak of memory, in bytes, of a fresh process that does nothing but one case;
    /// `None` if that cannot be known here.
    pub peak_of: Box<dyn FnMut(&str) -> Option<u64> + 's>,
}

impl Default for Session<'_> {
    /// Measures at full size, tells nothing, is never stopped and knows no peaks.
    fn default() -> Self {
        Session {
            quick: false,
            progress: Box::new(|_| {}),
            stop: Box::new(|| false),
            peak_of: Box::new(|_| None),
        }
    }
}

impl Session<'_> {
    /// Tells what comes next.
    ///
    /// # Errors
    ///
    /// If the session is stopped.
    pub fn begin(&mut self, what: &str) -> Result<(), BenchError> {
        (self.progress)(what);
        self.go_on()
    }

    /// Whether to.
    ///
    /// # Errors
    ///
    /// If the session is stopped.
    pub fn go_on(&self) -> Result<(), BenchError> {
        if (self.stop)() { Err(BenchError::Stopped) } else { Ok(()) }
    }

    /// The first for measuring, the second for a quick look.
    pub fn pick<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }
}

/// A name and the content of a file.
pub type File = (String, String);

/// What a suite found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The comparisons.
    pub records: Vec<Record>,
    /// The tables, as Markdown.
    pub tables: String,
    /// Files for a folder.
    pub files: Vec<File>,
    /// Wrong answers of ours, in words. There should be none.
    pub wrong: Vec<String>,
}

impl Report {
    /// The tables of a suite followed by that of its records, which are the last of the page.
    pub fn new(tables: &str, records: Vec<Record>, wrong: Vec<String>) -> Report {
        let tables = format!("{tables}\n{}", record::table(&records));
        Report { records, tables, files: Vec::new(), wrong }
    }

    /// Adds files.
    pub fn with(mut self, files: impl IntoIterator<Item = File>) -> Report {
        self.files.extend(files);
        self
    }
}

/// The beginning of every page: its title, and the words of `throng bench` that write it.
pub fn page_head(title: &str, words: &str) -> String {
    format!(
        "# {title}\n\n\
         This page and its figures are written by\n\n\
         ```console\n\
         cargo run --release -- bench {words}\n\
         ```\n\n"
    )
}

/// Why a suite gave no report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BenchError {
    /// The session was stopped.
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
