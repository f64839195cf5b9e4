//! What a suite is given and what it gives back.
//!
//! In:   a [`Session`] from the edge.
//! Out:  a [`Report`], or why there is none.

use crate::measuring::Sweep;
use crate::record::{self, Record};
use std::fmt;

/// Gives the peak of memory of a case.
pub type PeakOf<'s> = Box<dyn FnMut(&str) -> Option<u64> + 's>;

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
    pub peak_of: PeakOf<'s>,
    /// Wrong answers of ours so far, in words. There should be none.
    pub wrong: Vec<String>,
    /// What drives everything else out of the caches, where a suite wants that.
    pub sweep: Sweep,
}

impl Default for Session<'_> {
    /// Measures at full size, tells nothing, is never stopped and knows no peaks.
    fn default() -> Self {
        Session {
            quick: false,
            progress: Box::new(|_| {}),
            stop: Box::new(|| false),
            peak_of: Box::new(|_| None),
            wrong: Vec::new(),
            sweep: Sweep::default(),
        }
    }
}

impl Session<'_> {
    /// Tells what comes next.
    ///
    /// # Errors
    ///
    /// If the session is stopped.
    pub fn begin(&mut self, what: &str) -> BenchResult {
        (self.progress)(what);
        self.go_on()
    }

    /// Whether to.
    ///
    /// # Errors
    ///
    /// If the session is stopped.
    pub fn go_on(&self) -> BenchResult {
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
}

impl Report {
    /// The tables of a suite followed by that of its records, which are the last of the page.
    pub fn new(tables: &str, records: Vec<Record>) -> Report {
        let tables = format!("{tables}\n{}", record::table(&records));
        Report { records, tables, files: Vec::new() }
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

/// What a suite or a part of it gives.
pub type BenchResult<T = ()> = Result<T, BenchError>;

/// Why a suite gave no report. Whatever can be said is a reason, so `?` takes any error and any
/// sentence; it is no error of the standard library itself, or that would be two ways to say it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BenchError {
    /// The session was stopped.
    Stopped,
    /// Something that should have worked did not: what.
    Broken(String),
}

impl BenchError {
    /// The reason in words.
    pub fn text(&self) -> &str {
        match self {
            BenchError::Stopped => "stopped",
            BenchError::Broken(what) => what,
        }
    }
}

impl<E: fmt::Display> From<E> for BenchError {
    fn from(why: E) -> BenchError {
        BenchError::Broken(why.to_string())
    }
}
