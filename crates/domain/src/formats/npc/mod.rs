//! The `.npc` language: reading, canonical layout, writing.
//!
//! ```text
//! text ─▶ lex ─▶ parse ─▶ expand ─▶ model        (read)
//!           └──────┴────▶ layout ─▶ text         (format)
//! model ─────────────────────────▶ write ─▶ text (write)
//! ```

mod amounts;
mod checks;
mod expand;
mod includes;
mod keywords;
mod layout;
mod lex;
mod parse;
mod syntax;
mod template;
mod write;

pub(crate) use amounts::{cost, expected_cost, priority};
pub(crate) use checks::CheckUses;
pub(crate) use expand::{goal_and_to, without_and_only};
pub(crate) use keywords::Keywords;
pub use layout::format;
pub(crate) use lex::lex;
pub(crate) use parse::read_note;
pub use write::{ExpressError, write};

use super::{Fetch, Format};
use crate::build::{ModelBuilder, Unknown};
use crate::diagnostics::{Code, Report};
use crate::limits::Limits;
use crate::model::Model;
use crate::notes::NoteWords;
use crate::source::{FileId, Sources, Span};
use parse::Reported;
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
    let complete = includes::gather(sources, limits, fetch, &mut report);
    let sources = &*sources;
    let (mut statements, mut clause_notes) = (Vec::new(), Vec::new());
    let mut broken = Vec::new();
    let mut lost = Reported::default();
    for (index, file) in sources.files().iter().enumerate() {
        let id = FileId(u16::try_from(index).unwrap_or(u16::MAX));
        let lexed = lex::lex(file.text(), id, &mut report);
        let parsed = parse::parse(&lexed.tokens, id, &keywords, &mut report);
        statements.extend(parsed.tree.statements);
        clause_notes.extend(parsed.tree.notes);
        broken.extend(parsed.broken);
        lost.domain |= parsed.lost.domain && index == 0;
        lost.file |= parsed.lost.file;
        lost.checks |= parsed.lost.checks;
    }
    let name = domain_name(&statements, &mut report, lost.domain);
    let mut builder = ModelBuilder::new(limits, report, Format::Npc, words);
    if let Some(word) = name {
        builder.set_name(word.text, word.span);
    }
    broken.iter().for_each(|name| builder.add_broken(name));
    builder.set_unknown(Unknown { names: lost.file || !complete, checks: lost.checks });
    expand::expand(&statements, &mut builder);
    clause_notes.into_iter().for_each(|note| builder.add_note(note));
    builder.finish(sources)
}

/// The name of the domain: one, given in the first file, repeated in others at most. If the
/// line that names it is broken, its absence is no news.
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
        report.say(
            Code::NoDomain,
            Span::default(),
            "the file does not name its domain",
            "begin it with a line such as `domain stable`",
        );
    }
    named
}
