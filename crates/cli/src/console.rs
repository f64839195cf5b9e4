//! The three streams, and what can go wrong with them. Nobody else prints.
//!
//! In:   text, values, codes of our own.
//! Out:  bytes on the results or the messages, each text through the edge (`edge.rs`) first.
//! Cost: a look at each character.

use crate::edge::{Styled, escaped, visible};
use crate::render::render;
use crate::screen;
use crate::shapes::{Mistake, ReasonShape};
use std::fmt;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use throng::Surroundings;
pub(crate) use throng_base::text::count;
use throng_domain::{Report, Sources};
use throng_world::story::only::UnknownActorError;

/// Where a command reads and writes.
pub struct Console<'c> {
    input: Box<dyn BufRead + 'c>,
    /// Results; private, so that nothing goes around the edge.
    out: Box<dyn Write + 'c>,
    /// Messages.
    err: Box<dyn Write + 'c>,
    terminal: Terminal,
    signals: Signals,
    reader_is_gone: fn() -> bool,
    /// The folder that included files lie in, if the command line names one.
    root: Option<PathBuf>,
}

/// What reads the streams; nobody, if nothing is said.
#[derive(Clone, Copy, Default)]
pub struct Terminal {
    /// Whether results are read from a terminal, obedient or not.
    pub reads_out: bool,
    /// Whether results may be coloured.
    pub colour_out: bool,
    /// Whether messages may be coloured.
    pub colour_err: bool,
    /// Whether somebody watches the results as they come, in colour or not.
    pub watched_out: bool,
    /// Whether somebody watches the messages as they come, in colour or not.
    pub watched_err: bool,
}

/// What a command and whoever may end it tell each other; clones are the same.
#[derive(Clone, Default)]
pub struct Signals {
    /// Set by Ctrl-C.
    stop: Arc<AtomicBool>,
    /// Set by a command that sees `stop` soon and has something to say then: it is given longer.
    ends_by_itself: Arc<AtomicBool>,
    /// Set while a command draws on the whole screen: it must be left as it was found.
    on_screen: Arc<AtomicBool>,
}

impl Signals {
    /// Asks the command to stop; whether that was asked before.
    pub fn interrupt(&self) -> bool {
        self.stop.swap(true, Ordering::Relaxed)
    }

    /// Whether the command stops by itself, after its last words.
    pub fn has_last_words(&self) -> bool {
        self.ends_by_itself.load(Ordering::Relaxed)
    }

    /// Gives the screen back from outside the command, for the last moment of a program that
    /// cannot wait for it. The streams may be in the command's hands, so the terminal itself is
    /// opened.
    pub fn leave_screen_at_once(&self) {
        if self.on_screen.swap(false, Ordering::SeqCst) {
            let terminal = std::fs::OpenOptions::new().write(true).open("/dev/tty");
            // Nothing is left to do where that is not possible.
            let _ = terminal.and_then(|mut terminal| terminal.write_all(screen::LEAVE.as_bytes()));
        }
    }
}

/// How often a live line is written anew.
pub(crate) const LIVE: Duration = Duration::from_millis(100);

/// Why a command ends early.
pub enum Fail {
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
    Limit {
        /// Which one, as in the reasons of answers.
        code: &'static str,
        /// What people read.
        text: String,
    },
}

impl Fail {
    /// A complaint of a known kind that reads the same everywhere.
    pub fn known(code: &'static str, message: impl Into<String>) -> Fail {
        let message = message.into();
        Fail::Known { code, text: message.clone(), message, mistakes: Vec::new() }
    }

    /// For programs: the kind and all that is to say.
    pub(crate) fn reason(&self) -> ReasonShape {
        let (code, text) = match self {
            Fail::ReaderGone => ("bad_question", "the reader went away"),
            Fail::Bad(text) => ("bad_question", text.as_str()),
            Fail::Known { code, text, .. } => (*code, text.as_str()),
            Fail::Limit { text, .. } => ("limit", text.as_str()),
        };
        ReasonShape { code, text: text.to_string() }
    }

    /// For programs: everything that is wrong, one by one.
    pub(crate) fn mistakes(&self) -> Vec<Mistake> {
        match self {
            Fail::Known { mistakes, .. } if !mistakes.is_empty() => mistakes.clone(),
            other => vec![Mistake::sentence(other.reason())],
        }
    }
}

/// The exit code of a command, or why it ended early.
pub type CommandResult = Result<u8, Fail>;

impl From<UnknownActorError> for Fail {
    fn from(nobody: UnknownActorError) -> Fail {
        Fail::Bad(nobody.to_string())
    }
}

/// `because of the error above`, behind what the reader found.
pub(crate) fn because_of_errors(report: &Report) -> String {
    format!("because of the error{} above", if report.errors() == 1 { "" } else { "s" })
}

/// A complaint about input.
///
/// # Errors
///
/// Always.
pub fn bad<T>(message: impl Into<String>) -> Result<T, Fail> {
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
            terminal: Terminal::default(),
            signals: Signals::default(),
            reader_is_gone: || false,
            root: None,
        }
    }

    /// Lets included files lie anywhere in this folder, if there is one.
    pub(crate) fn set_root(&mut self, root: Option<&PathBuf>) {
        self.root = root.cloned();
    }

    /// Where files are read.
    pub(crate) fn surroundings(&self) -> Surroundings {
        Surroundings { root: self.root.clone(), ..Surroundings::default() }
    }

    /// Nothing to read, and nobody reads messages.
    pub fn silent(out: impl Write + 'c) -> Console<'c> {
        Console::new(io::empty(), out, io::sink())
    }

    /// The same streams, read by somebody.
    #[must_use]
    pub fn read_by(self, terminal: Terminal) -> Console<'c> {
        Console { terminal, ..self }
    }

    /// The same, listening to somebody outside.
    #[must_use]
    pub(crate) fn listening_to(
        self,
        signals: Signals,
        reader_is_gone: fn() -> bool,
    ) -> Console<'c> {
        Console { signals, reader_is_gone, ..self }
    }

    /// The same, stopped by this flag.
    #[must_use]
    pub(crate) fn stopped_by(mut self, stop: &Arc<AtomicBool>) -> Console<'c> {
        self.signals.stop = Arc::clone(stop);
        self
    }

    /// Standard input, to be read by the caller alone.
    pub(crate) fn take_input(&mut self) -> Box<dyn BufRead + 'c> {
        std::mem::replace(&mut self.input, Box::new(io::empty()))
    }
}

impl Console<'_> {
    /// Standard input.
    pub(crate) fn input(&mut self) -> &mut dyn BufRead {
        &mut *self.input
    }

    /// What reads the streams.
    pub fn terminal(&self) -> Terminal {
        self.terminal
    }

    /// Set by Ctrl-C.
    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.signals.stop
    }

    /// Says whether the command stops by itself when it is asked to; gives what was said before.
    pub(crate) fn set_ends_by_itself(&self, ends: bool) -> bool {
        self.signals.ends_by_itself.swap(ends, Ordering::Relaxed)
    }

    /// Whether nobody can read results any more, for commands that wait long between two.
    pub(crate) fn reader_is_gone(&self) -> fn() -> bool {
        self.reader_is_gone
    }

    /// Shows what a reader found beside the results.
    pub(crate) fn show(&mut self, report: &Report, sources: &Sources) {
        let picture = render(report, sources, self.terminal.colour_err);
        self.message_styled(&picture.trimmed());
    }

    /// Prints a part of the results.
    ///
    /// # Errors
    ///
    /// If nobody reads any more, or it cannot be written.
    pub fn print(&mut self, text: &str) -> Result<(), Fail> {
        self.write_out(&visible(text))
    }

    /// Prints a part of the results that has codes of our own.
    pub(crate) fn print_styled(&mut self, text: &Styled) -> Result<(), Fail> {
        self.write_out(text.as_str())
    }

    /// Prints results that are a file: to the letter where a program reads them, as other text on
    /// a terminal.
    ///
    /// # Errors
    ///
    /// If nobody reads any more, or it cannot be written.
    pub fn print_file(&mut self, text: &str) -> Result<(), Fail> {
        match self.terminal.reads_out {
            true => self.print(text),
            false => self.write_out(text),
        }
    }

    /// The results as a stream, for what is too long to be one text; each part that is written is
    /// text of its own.
    pub fn file_stream(&mut self) -> impl Write + '_ {
        FileStream { terminal: self.terminal.reads_out, out: &mut self.out }
    }

    fn write_out(&mut self, text: &str) -> Result<(), Fail> {
        self.out.write_all(text.as_bytes()).map_err(|error| writing(&error))
    }

    /// What `write!` and `writeln!` print a part of the results with.
    ///
    /// # Errors
    ///
    /// If nobody reads any more, or it cannot be written.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<(), Fail> {
        self.print(&fmt::format(text))
    }

    /// Prints a value as one line of JSON.
    ///
    /// # Errors
    ///
    /// If nobody reads any more, or it cannot be written.
    pub fn json(&mut self, value: &impl serde::Serialize) -> Result<(), Fail> {
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
    pub fn message(&mut self, text: &str) {
        self.message_styled(&Styled::plain(text));
    }

    /// Tells bad input for a command that goes on with its other files: `None`.
    pub(crate) fn go_on<T>(&mut self, outcome: Result<T, Fail>) -> Result<Option<T>, Fail> {
        match outcome {
            Err(Fail::Bad(message)) => {
                self.message(&format!("error: {message}"));
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    /// Prints a message that has codes of our own.
    pub(crate) fn message_styled(&mut self, text: &Styled) {
        let _ = self.out.flush();
        let _ = writeln!(self.err, "{}", text.as_str());
    }

    /// Writes a line over the last one beside the results: what is done so far. For those who
    /// watch only.
    pub(crate) fn progress(&mut self, text: &str) {
        if self.terminal.watched_err {
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
        self.signals.on_screen.store(true, Ordering::SeqCst);
        self.write_out(screen::ENTER)?;
        self.flush()
    }

    /// Gives the screen back, whatever happened before; nothing if it was not taken.
    pub(crate) fn leave_screen(&mut self) -> Result<(), Fail> {
        if !self.signals.on_screen.swap(false, Ordering::SeqCst) {
            return Ok(());
        }
        self.write_out(screen::LEAVE)?;
        self.flush()
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn interrupted(&self) -> bool {
        self.signals.stop.load(Ordering::Relaxed)
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

fn writing(error: &io::Error) -> Fail {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Fail::ReaderGone,
        _ => Fail::Bad(format!("cannot write the results: {}", plain(error))),
    }
}

/// What cannot be done with a file, and why.
pub(crate) fn cannot<T>(what: &str, path: &Path) -> impl Fn(io::Error) -> Result<T, Fail> {
    move |error| bad(format!("cannot {what} `{}`: {}", path.display(), plain(&error)))
}

/// What the system said, without its error number.
pub fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_string(),
        io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        _ => error.to_string().split(" (os error ").take(1).collect(),
    }
}
