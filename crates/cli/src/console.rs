//! The three streams, and what can go wrong with them.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where a command reads and writes.
pub struct Console<'c> {
    /// Standard input.
    pub input: Box<dyn BufRead + 'c>,
    /// Results.
    pub out: Box<dyn Write + 'c>,
    /// Messages.
    pub err: Box<dyn Write + 'c>,
    /// Whether results may be coloured.
    pub colour_out: bool,
    /// Whether messages may be coloured.
    pub colour_err: bool,
    /// Whether somebody watches the messages as they come, in colour or not.
    pub watched_err: bool,
    /// Set by Ctrl-C.
    pub stop: Arc<AtomicBool>,
    /// Set by a command that sees `stop` soon and has something to say then: it is given longer.
    pub ends_by_itself: Arc<AtomicBool>,
}

/// Why a command ends early.
#[derive(Clone)]
pub(crate) enum Fail {
    /// Whoever read our results went away.
    ReaderGone,
    /// Bad input or usage: the message says what and how to mend it.
    Bad(String),
    /// The same of a kind that programs tell apart.
    Known {
        /// The kind, as in the reasons of JSON answers.
        code: &'static str,
        /// What people read, after what was shown already.
        message: String,
        /// What programs read: all of it.
        text: String,
    },
}

impl Fail {
    /// A complaint of a known kind that reads the same everywhere.
    pub(crate) fn known(code: &'static str, message: impl Into<String>) -> Fail {
        let message = message.into();
        Fail::Known { code, text: message.clone(), message }
    }

    /// For programs: the kind and all that is to say.
    pub(crate) fn coded(self) -> (&'static str, String) {
        match self {
            Fail::ReaderGone => ("bad_question", "the reader went away".to_string()),
            Fail::Bad(text) => ("bad_question", text),
            Fail::Known { code, text, .. } => (code, text),
        }
    }
}

/// The exit code of a command, or why it ended early.
pub(crate) type Outcome = Result<u8, Fail>;

/// A complaint about input.
pub(crate) fn bad<T>(message: impl Into<String>) -> Result<T, Fail> {
    Err(Fail::Bad(message.into()))
}

impl Console<'_> {
    /// Prints a part of the results as it is.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), Fail> {
        self.out.write_all(text.as_bytes()).map_err(|error| writing(&error))
    }

    /// Prints a line of the results.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Fail> {
        self.print(text)?;
        self.print("\n")
    }

    /// Prints a value as one line of JSON.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize) -> Result<(), Fail> {
        match serde_json::to_string(value) {
            Ok(text) => self.line(&text),
            Err(error) => bad(format!("cannot write JSON: {error}")),
        }
    }

    /// Prints a message beside the results, after those that came before it. Whether anybody
    /// reads messages changes no outcome.
    pub(crate) fn message(&mut self, text: &str) {
        let _ = self.out.flush();
        let _ = writeln!(self.err, "{text}");
    }

    /// Hands buffered results on.
    pub(crate) fn flush(&mut self) -> Result<(), Fail> {
        self.out.flush().map_err(|error| writing(&error))
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

fn writing(error: &io::Error) -> Fail {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Fail::ReaderGone,
        _ => Fail::Bad(format!("cannot write the results: {}", plain(error))),
    }
}

/// What the system said, without its error number.
pub(crate) fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_string(),
        io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        _ => {
            let text = error.to_string();
            match text.find(" (os error ") {
                Some(end) => text[..end].to_string(),
                None => text,
            }
        }
    }
}

/// `1 file`, `2 files`.
pub(crate) fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
