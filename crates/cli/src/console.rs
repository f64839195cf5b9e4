//! The three streams, and what can go wrong with them.

use crate::shapes::Mistake;
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
    /// Whether somebody watches the results as they come, in colour or not.
    pub watched_out: bool,
    /// Whether somebody watches the messages as they come, in colour or not.
    pub watched_err: bool,
    /// Set by Ctrl-C.
    pub stop: Arc<AtomicBool>,
    /// Set by a command that sees `stop` soon and has something to say then: it is given longer.
    pub ends_by_itself: Arc<AtomicBool>,
    /// Set while a command draws on the whole screen: it must be left as it was found.
    pub on_screen: Arc<AtomicBool>,
    /// Whether nobody can read results any more, for commands that wait long between two.
    pub reader_is_gone: fn() -> bool,
}

/// To a screen of our own, without a cursor and without lines that break by themselves.
const ENTER_SCREEN: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
/// Back to how it was.
const LEAVE_SCREEN: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";

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
        /// The same one by one, with places; empty if the sentence is all.
        mistakes: Vec<Mistake>,
    },
    /// A limit was hit before anything could be written.
    Limit(String),
}

impl Fail {
    /// A complaint of a known kind that reads the same everywhere.
    pub(crate) fn known(code: &'static str, message: impl Into<String>) -> Fail {
        let message = message.into();
        Fail::Known { code, text: message.clone(), message, mistakes: Vec::new() }
    }

    /// For programs: the kind and all that is to say.
    pub(crate) fn coded(self) -> (&'static str, String) {
        match self {
            Fail::ReaderGone => ("bad_question", "the reader went away".to_string()),
            Fail::Bad(text) => ("bad_question", text),
            Fail::Known { code, text, .. } => (code, text),
            Fail::Limit(text) => ("limit", text),
        }
    }

    /// For programs: everything that is wrong, one by one.
    pub(crate) fn mistakes(&self) -> Vec<Mistake> {
        match self {
            Fail::Known { mistakes, .. } if !mistakes.is_empty() => mistakes.clone(),
            other => {
                let (code, text) = other.clone().coded();
                vec![Mistake::sentence(code, text)]
            }
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

    /// Takes the whole screen.
    pub(crate) fn enter_screen(&mut self) -> Result<(), Fail> {
        self.on_screen.store(true, Ordering::SeqCst);
        self.print(ENTER_SCREEN)?;
        self.flush()
    }

    /// Gives the screen back, whatever happened before; nothing if it was not taken.
    pub(crate) fn leave_screen(&mut self) -> Result<(), Fail> {
        if !self.on_screen.swap(false, Ordering::SeqCst) {
            return Ok(());
        }
        self.print(LEAVE_SCREEN)?;
        self.flush()
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Gives the screen back from outside the command, for the last moment of a program that cannot
/// wait for it. The streams may be in the command's hands, so the terminal itself is opened.
pub fn leave_screen_at_once(on_screen: &AtomicBool) {
    if on_screen.swap(false, Ordering::SeqCst) {
        let terminal = std::fs::OpenOptions::new().write(true).open("/dev/tty");
        // Nothing is left to do where that is not possible.
        let _ = terminal.and_then(|mut terminal| terminal.write_all(LEAVE_SCREEN.as_bytes()));
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
