//! The `.npc` language: reading, canonical layout, writing.
//!
//! ```text
//! text ─▶ lex ─▶ parse ─▶ expand ─▶ model        (read)
//!           └──────┴────▶ layout ─▶ text         (format)
//! model ─────────────────────────▶ write ─▶ text (write)
//! ```

mod amounts;
mod expand;
mod includes;
mod layout;
mod lex;
mod parse;
mod syntax;
mod template;
mod write;

pub(crate) use amounts::{cost, priority};
pub(crate) use expand::{goal_and_to, without_and_only};
pub use layout::format;
pub(crate) use template::contradictory_check;
pub use write::{CannotExpress, write};

use super::Fetch;
use crate::build::ModelBuilder;
use crate::diagnostics::{Code, Report};
use crate::limits::Limits;
use crate::model::Model;
use crate::source::{FileId, Sources, Span};
use syntax::{Statement, Word};

/// Reads the first of `sources`, which is `.npc` text, and the files it includes.
pub(super) fn read(
    sources: &mut Sources,
    limits: &Limits,
    fetch: &mut Fetch<'_>,
) -> (Option<Model>, Report) {
    let mut report = Report::default();
    includes::gather(sources, limits, fetch, &mut report);
    let sources = &*sources;
    let mut statements = Vec::new();
    let mut broken = Vec::new();
    for (index, file) in sources.files().iter().enumerate() {
        let id = FileId(u16::try_from(index).unwrap_or(u16::MAX));
        let lexed = lex::lex(file.text(), id, &mut report);
        let parsed = parse::parse(&lexed.tokens, id, &mut report);
        statements.extend(parsed.tree.statements);
        broken.extend(parsed.broken);
    }
    let name = domain_name(&statements, &mut report);
    let mut builder = ModelBuilder::new(limits, report);
    builder.set_name(name);
    broken.iter().for_each(|name| builder.add_broken(name));
    expand::expand(&statements, &mut builder);
    builder.finish(sources)
}

/// The name of the domain: one, given in the first file, repeated in others at most.
fn domain_name<'t>(statements: &[Statement<'t>], report: &mut Report) -> &'t str {
    let mut named: Option<Word<'t>> = None;
    for statement in statements {
        let Statement::Domain(word) = statement else { continue };
        match named {
            None => named = Some(*word),
            Some(first) if first.text != word.text => report.say_twice(
                Code::TwoDomains,
                word.span,
                first.span,
                format!("this is domain `{}`, the first file is `{}`", word.text, first.text),
                "an included file has the same `domain` line or none".to_string(),
            ),
            Some(first) if first.span.file == word.span.file => report.say_twice(
                Code::TwoDomains,
                word.span,
                first.span,
                "the domain is named twice".to_string(),
                "remove one of the two lines".to_string(),
            ),
            Some(_) => {}
        }
    }
    match named {
        Some(word) if word.span.file == FileId(0) => word.text,
        _ => {
            report.say(
                Code::NoDomain,
                Span::default(),
                "the file does not name its domain",
                "begin it with a line such as `domain stable`",
            );
            ""
        }
    }
}
