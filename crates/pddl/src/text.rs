//! Texts that may be too long: one that grows until it is or the caller says stop; quotations.

use crate::asking::Asking;
use std::fmt;

/// A text on its way. Formatting into it fails once it is too long, or the caller said stop.
pub(crate) struct Growing<'s> {
    text: String,
    most_bytes: usize,
    asking: Asking<'s>,
}

impl<'s> Growing<'s> {
    pub(crate) fn new(most_bytes: usize, stop: &'s dyn Fn() -> bool) -> Self {
        Growing { text: String::new(), most_bytes, asking: Asking::new(stop) }
    }

    /// The text; `None` if the caller said stop.
    pub(crate) fn finished(self) -> Option<String> {
        (!self.asking.is_over()).then_some(self.text)
    }
}

impl fmt::Write for Growing<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.text.push_str(piece);
        let is_over = self.asking.step() || self.text.len() > self.most_bytes;
        if is_over { Err(fmt::Error) } else { Ok(()) }
    }
}

/// The first characters of a text, for a message.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
