//! The JSON twin: the expanded model for tools.
//!
//! ```text
//! text ─▶ tree (values with places) ─▶ read ─▶ model
//! model ─▶ write ─▶ text
//! ```
//!
//! The reader is our own because a mistake in a generated file deserves a line and a column,
//! a nearest key and a cure as much as one in a hand-written file, and because keys that
//! stand twice must be seen. It accepts exactly RFC 8259.

mod read;
pub mod tree;
mod write;

pub use read::read_value;
pub use write::{quote, write};

use crate::diagnostics::Report;
use crate::limits::Limits;
use crate::model::Model;
use crate::notes::NoteWords;
use crate::source::{FileId, Sources};

/// Reads the first of `sources`, which is JSON text.
pub(super) fn read(
    sources: &Sources,
    limits: &Limits,
    words: &[&'static NoteWords],
) -> (Option<Model>, Report) {
    let text = sources.file(FileId(0)).map_or("", |file| file.text());
    match tree::parse(text, FileId(0), limits.json_depth) {
        Ok(value) => read_value(&value, sources, limits, words),
        Err(diagnostic) => {
            let mut report = Report::default();
            report.add(diagnostic);
            (None, report)
        }
    }
}
