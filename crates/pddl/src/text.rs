//! A text that grows until it is too long or the caller says stop.

use std::fmt;

/// Pieces of text between two questions.
const ASK_EVERY: u32 = 1 << 12;

/// A text on its way. Formatting into it fails once it is too long, or the caller said stop.
pub(crate) struct Growing<'s> {
    text: String,
    most_bytes: usize,
    stop: &'s dyn Fn() -> bool,
    pieces: u32,
    is_over: bool,
}

impl<'s> Growing<'s> {
    pub(crate) fn new(most_bytes: usize, stop: &'s dyn Fn() -> bool) -> Self {
        Growing { text: String::new(), most_bytes, stop, pieces: 0, is_over: false }
    }

    /// The text; `None` if the caller said stop.
    pub(crate) fn finished(self) -> Option<String> {
        (!self.is_over).then_some(self.text)
    }
}

impl fmt::Write for Growing<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.pieces = self.pieces.wrapping_add(1);
        self.is_over |= self.pieces.is_multiple_of(ASK_EVERY) && (self.stop)();
        self.text.push_str(piece);
        let goes_on = !self.is_over && self.text.len() <= self.most_bytes;
        if goes_on { Ok(()) } else { Err(fmt::Error) }
    }
}
