//! The three streams, and what can go wrong with them. Nobody else prints.
//!
//! In:   text, values, codes of our own.
//! Out:  bytes on the results or the messages, each text through the edge (`edge.rs`) first.
//! Cost: a look at each character.

use crate::edge::{Styled, escaped, visible};
use crate::shapes::Mistake;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use throng_world::story::only::NobodyError;

/// Where a command reads and writes.
pub struct Console<'c> {
    /// Standard input.
    pub input: Box<dyn BufRead + 'c>,
    /// Results; private, so that nothing goes around the edge.
    out: Box<dyn Write + 'c>,
    /// Messages.
    err: Box<dyn Write + 'c>,
    /// Whether results are read from a terminal, obedient or not.
    pub terminal_out: bool,
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

/// How often a live line is written anew.
pub(crate) const LIVE: Duration = Duration::from_millis(100);

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

impl From<NobodyError> for Fail {
    fn from(nobody: NobodyError) -> Fail {
        Fail::Bad(nobody.to_string())
    }
}

/// A complaint about input.
pub(crate) fn bad<T>(message: impl Into<String>) -> Result<T, Fail> {
    Err(Fail::Bad(message.into()))
}

impl<'c> Console<'c> {
    /// Streams that nobody watches.
    pub fn new(
        input: impl BufRead + 'c,
        out: impl Write + 'c,
        err: impl Write + 'c,
    ) -> Console<'c> {
        Console {
            input: Box::new(input),
            out: Box::new(out),
            err: Box::new(err),
            terminal_out: false,
            colour_out: false,
            colour_err: false,
            watched_out: false,
            watched_err: false,
            stop: Arc::default(),
            ends_by_itself: Arc::default(),
            on_screen: Arc::default(),
            reader_is_gone: || false,
        }
    }
}

impl Console<'_> {
    /// Prints a part of the results.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), Fail> {
        self.write_out(&visible(text))
    }

    /// Prints a part of the results that has codes of our own.
    pub(crate) fn print_styled(&mut self, text: &Styled) -> Result<(), Fail> {
        self.write_out(text.as_str())
    }

    /// Prints results that are a file: to the letter where a program reads them, as other text on
    /// a terminal.
    pub(crate) fn print_file(&mut self, text: &str) -> Result<(), Fail> {
        match self.terminal_out {
            true => self.print(text),
            false => self.write_out(text),
        }
    }

    /// The results as a stream, for what is too long to be one text; each part that is written is
    /// text of its own.
    pub(crate) fn file_stream(&mut self) -> impl Write + '_ {
        FileStream { terminal: self.terminal_out, out: &mut self.out }
    }

    fn write_out(&mut self, text: &str) -> Result<(), Fail> {
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
            Ok(text) => self.json_line(&text),
            Err(error) => bad(format!("cannot write JSON: {error}")),
        }
    }

    /// Prints a line of JSON that was written already.
    pub(crate) fn json_line(&mut self, json: &str) -> Result<(), Fail> {
        self.write_out(&escaped(json))?;
        self.write_out("\n")
    }

    /// Prints a message beside the results, after those that came before it. Whether anybody
    /// reads messages changes no outcome.
    pub(crate) fn message(&mut self, text: &str) {
        self.message_styled(&Styled::plain(text));
    }

    /// Prints a message that has codes of our own.
    pub(crate) fn message_styled(&mut self, text: &Styled) {
        let _ = self.out.flush();
        let _ = writeln!(self.err, "{}", text.as_str());
    }

    /// Writes a line over the last one beside the results: what is done so far. For those who
    /// watch only.
    pub(crate) fn progress(&mut self, text: &str) {
        if self.watched_err {
            let _ = write!(self.err, "\r{}\x1b[K", Styled::line(text).as_str());
            let _ = self.err.flush();
        }
    }

    /// Takes the line of [`Console::progress`] away.
    pub(crate) fn end_progress(&mut self) {
        self.progress("");
    }

    /// Hands buffered results on.
    pub(crate) fn flush(&mut self) -> Result<(), Fail> {
        self.out.flush().map_err(|error| writing(&error))
    }

    /// Takes the whole screen.
    pub(crate) fn enter_screen(&mut self) -> Result<(), Fail> {
        self.on_screen.store(true, Ordering::SeqCst);
        self.write_out(ENTER_SCREEN)?;
        self.flush()
    }

    /// Gives the screen back, whatever happened before; nothing if it was not taken.
    pub(crate) fn leave_screen(&mut self) -> Result<(), Fail> {
        if !self.on_screen.swap(false, Ordering::SeqCst) {
            return Ok(());
        }
        self.write_out(LEAVE_SCREEN)?;
        self.flush()
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Results that are a file, part by part.
struct FileStream<'s> {
    terminal: bool,
    out: &'s mut dyn Write,
}

impl Write for FileStream<'_> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        match self.terminal {
            true => self.out.write_all(visible(&String::from_utf8_lossy(part)).as_bytes())?,
            false => self.out.write_all(part)?,
        }
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Says what the program died of, when it dies of a mistake of its own.
pub fn last_words(text: &str) {
    // Where that cannot be written there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{}", visible(text));
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
