//! The `.npc` language: reading, canonical layout, writing.
//!
//! ```text
//! text ─▶ lex ─▶ parse ─▶ expand ─▶ model        (read)
//!           └──────┴────▶ layout ─▶ text         (format)
//! model ─────────────────────────▶ write ─▶ text (write)
//! ```

mod expand;
mod includes;
mod keywords;
mod layout;
mod lex;
mod parse;
mod syntax;
mod template;
mod write;

pub(crate) use keywords::Keywords;
pub use layout::format;
pub(crate) use lex::lex;
pub(crate) use parse::read_note;
pub use write::{ExpressError, write};

use super::{Fetch, Format};
use crate::build::{Missing, ModelBuilder};
use crate::diagnostics::{Code, Report};
use crate::limits::Limits;
use crate::model::Model;
use crate::notes::NoteWords;
use crate::source::{FileId, Sources, Span};
use includes::TextArena;
use syntax::{Statement, Word};

/// Reads the first of `sources`, which is `.npc` text, and the files it includes.
pub(super) fn read(
    sources: &mut Sources,
    limits: &Limits,
    words: &[&'static NoteWords],
    fetch: &mut Fetch<'_>,
) -> (Option<Model>, Report) {
    let mut report = Report::default();
    let keywords = Keywords::new(words);
    let first =
        TextArena::new(sources.file(FileId(0)).map_or("".into(), |file| file.shared_text()));
    let files = includes::gather(sources, &first, limits, &keywords, fetch, &mut report);
    let (mut statements, mut clause_notes) = (Vec::new(), Vec::new());
    let mut broken = Vec::new();
    let mut missing = Missing { names: !files.complete, ..Missing::default() };
    for (index, parsed) in files.parsed.into_iter().enumerate() {
        statements.extend(parsed.tree.statements);
        clause_notes.extend(parsed.tree.notes);
        broken.extend(parsed.broken);
        missing.domain |= parsed.missing.domain && index == 0;
        missing.names |= parsed.missing.names;
        missing.checks |= parsed.missing.checks;
    }
    let name = domain_name(&statements, &mut report, missing.domain);
    let mut builder = ModelBuilder::new(limits, report, Format::Npc, words);
    if let Some(word) = name {
        builder.set_name(word.text, word.span);
    }
    broken.iter().for_each(|name| builder.add_broken(name));
    builder.missing = missing;
    expand::expand(&statements, &mut builder);
    clause_notes.into_iter().for_each(|note| builder.add_note(note));
    builder.finish(sources)
}

/// The name of the domain: one, given in the first file, repeated in others at most. If the
/// line that names it is broken, its absence is not reported again.
fn domain_name<'t>(
    statements: &[Statement<'t>],
    report: &mut Report,
    broken: bool,
) -> Option<Word<'t>> {
    let mut named: Option<Word<'t>> = None;
    for statement in statements {
        let Statement::Domain(word) = statement else { continue };
        match named {
            None => named = Some(*word),
            Some(first) if first.span.file == word.span.file => report.say_also(
                Code::TwoDomains,
                word.span,
                (first.span, "first named here"),
                "the domain is named twice",
                "remove one of the two lines",
            ),
            Some(first) if first.text != word.text => report.say_also(
                Code::TwoDomains,
                word.span,
                (first.span, "the domain is named here"),
                format!("this file belongs to `{}`, not to `{}`", word.text, first.text),
                format!("write `domain {}` here, or remove the line", first.text),
            ),
            Some(_) => {}
        }
    }
    let named = named.filter(|word| word.span.file == FileId(0));
    if named.is_none() && !broken {
        let text = "the file does not name its domain";
        let cure = "begin it with a line such as `domain stable`";
        report.say(Code::NoDomain, Span::default(), text, cure);
    }
    named
}
