//! A text that grows until the caller says stop.

use std::fmt;

/// Pieces of text between two questions.
const ASK_EVERY: u32 = 1 << 12;

/// A text on its way. Once the caller said stop, formatting into it fails.
pub(crate) struct Growing<'s> {
    text: String,
    stop: &'s dyn Fn() -> bool,
    pieces: u32,
    is_over: bool,
}

impl<'s> Growing<'s> {
    pub(crate) fn new(stop: &'s dyn Fn() -> bool) -> Self {
        Growing { text: String::new(), stop, pieces: 0, is_over: false }
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn push(&mut self, c: char) {
        self.text.push(c);
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
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
        if self.is_over { Err(fmt::Error) } else { Ok(()) }
    }
}
