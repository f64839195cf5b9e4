//! The whole screen of a terminal: its size, the codes that draw on it, waiting between frames.
//!
//! In:   lines.
//! Out:  what is written to draw them from the top.
//! Cost: linear in the text.

use crate::edge::Styled;
use std::time::{Duration, Instant};

/// To a screen of our own, without a cursor and without lines that break by themselves.
pub(crate) const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
/// Back to how it was.
pub(crate) const LEAVE: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/// How often a wait looks whether Ctrl-C was pressed.
pub(crate) const NAP: Duration = Duration::from_millis(20);

/// Columns and lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Size {
    /// The size of the terminal: as said by the environment, else as the terminal says, else the
    /// usual one.
    pub(crate) fn now() -> Size {
        let said = |name: &str| std::env::var(name).ok()?.parse().ok().filter(|&size| size > 0);
        let (width, height) = terminal_size().unwrap_or((80, 24));
        Size { width: said("COLUMNS").unwrap_or(width), height: said("LINES").unwrap_or(height) }
    }
}

#[cfg(unix)]
fn terminal_size() -> Option<(usize, usize)> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout()).ok()?;
    let known = size.ws_col > 0 && size.ws_row > 0;
    known.then(|| (size.ws_col.into(), size.ws_row.into()))
}

#[cfg(not(unix))]
fn terminal_size() -> Option<(usize, usize)> {
    None
}

/// A clean screen with a text from its top.
pub(crate) fn cleared(lines: &Styled) -> Styled {
    let mut text = Styled::default();
    text.code("\x1b[H\x1b[2J");
    text.push(lines);
    text
}

/// Lines over those that are there: what is drawn often does not flicker.
pub(crate) fn over(lines: impl IntoIterator<Item = Styled>) -> Styled {
    let mut text = Styled::default();
    text.code("\x1b[H");
    for (at, line) in lines.into_iter().enumerate() {
        // No line break after the last: the screen would roll.
        text.code(if at == 0 { "" } else { "\r\n" });
        text.push(&line);
        text.code("\x1b[K");
    }
    text.code("\x1b[J");
    text
}

/// Waits until it is time, or nobody wants to wait any more.
pub(crate) fn wait(due: Instant, is_over: impl Fn() -> bool) {
    while !is_over() && Instant::now() < due {
        std::thread::sleep(NAP.min(due.saturating_duration_since(Instant::now())));
    }
}
