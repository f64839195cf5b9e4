//! The `.npc` language: reading, canonical layout, writing.
//!
//! ```text
//! text ─▶ lex ─▶ parse ─▶ statements ─▶ expand ─▶ model (read; of most files all in one go)
//!           └──────┴────▶ layout ─▶ text                (format)
//! model ─────────────────────────────▶ write ─▶ text    (write)
//! ```

mod expand;
mod in_order;
mod includes;
mod keywords;
mod layout;
mod lex;
mod parse;
mod rename;
mod statements;
mod syntax;
mod template;
mod variables;
mod write;

pub(crate) use keywords::Keywords;
pub use layout::format;
pub(crate) use lex::lex;
pub(crate) use parse::read_note;
pub use write::{ExpressError, write};

use super::{Fetch, Format, Setting};
use crate::build::{Missing, ModelBuilder};
use crate::diagnostics::{Code, Report};
use crate::model::Model;
use crate::source::{FileId, Sources, Span};
use includes::TextArena;
use rename::{Declared, Outside, Renaming, shared_kinds};
use statements::Parsed;
use std::sync::Arc;
use syntax::Word;

/// Reads the first of `sources`, which is `.npc` text, and the files it includes.
pub(super) fn read(
    sources: &mut Sources,
    setting: &Setting<'_>,
    fetch: &mut Fetch<'_>,
) -> (Option<Model>, Report) {
    let Setting { limits, words, level, .. } = *setting;
    let keywords = Keywords::new(words);
    let text = sources.file(FileId(0)).map_or_else(Arc::default, |file| file.shared_text());
    let mut builder = ModelBuilder::new(limits, Report::default(), Format::Npc, words);
    builder.level = level.clone();
    if in_order::read(&text, &keywords, &mut builder) {
        return builder.finish(sources);
    }
    drop(builder);
    read_by_kind(text, sources, setting, fetch)
}

/// The same of a text in which things are used before they are declared, or that includes others.
fn read_by_kind(
    text: Arc<String>,
    sources: &mut Sources,
    setting: &Setting<'_>,
    fetch: &mut Fetch<'_>,
) -> (Option<Model>, Report) {
    let Setting { limits, words, level, .. } = *setting;
    let keywords = Keywords::new(words);
    let (mut report, first) = (Report::default(), TextArena::new(text));
    let files = includes::gather(sources, &first, setting, &keywords, fetch, &mut report);
    let outside = names_outside(&files.parsed, &keywords);
    let mut renamed = Vec::with_capacity(files.parsed.len());
    let mut missing = Missing { names: !files.complete, ..Missing::default() };
    for (index, (mut parsed, _)) in files.parsed.into_iter().enumerate() {
        let renaming = outside[index].as_ref().map(|(declared, (text, places))| {
            let renaming = Renaming::new(declared, text, places);
            renaming.file(&mut parsed, &keywords);
            renaming
        });
        let gaps = &parsed.found.missing;
        missing.domain |= gaps.domain && index == 0;
        missing.names |= gaps.names;
        missing.checks |= gaps.checks;
        renamed.push((parsed, renaming));
    }
    let named = renamed.iter().flat_map(|(parsed, _)| &parsed.domains);
    let name = domain_name(named, &mut report, missing.domain);
    let mut builder = ModelBuilder::new(limits, report, Format::Npc, words);
    if let Some(word) = name {
        builder.set_name(word.text, word.span);
    }
    builder.level = level.clone();
    let broken = renamed.iter().flat_map(|(parsed, _)| &parsed.found.broken);
    broken.for_each(|name| builder.add_broken(name));
    builder.missing = missing;
    expand::expand(renamed, &keywords, &mut builder);
    builder.finish(sources)
}

/// Of each file that goes by a name, what it declares and how others say that.
fn names_outside(
    files: &[(Parsed<'_>, Option<&str>)],
    words: &Keywords<'_>,
) -> Vec<Option<(Declared, Outside)>> {
    if files.iter().all(|(_, name)| name.is_none()) {
        return files.iter().map(|_| None).collect();
    }
    let shared: Vec<_> = files.iter().map(|(parsed, _)| shared_kinds(parsed, words)).collect();
    let named = files.iter().enumerate().map(|(at, (parsed, name))| {
        let others = shared.iter().enumerate().filter(|(other, _)| *other != at);
        let elsewhere = others.flat_map(|(_, kinds)| kinds.iter().cloned()).collect();
        let declared = name.map(|_| Declared::of(parsed, words, &elsewhere))?;
        let outside = declared.outside(name.unwrap_or_default());
        Some((declared, outside))
    });
    named.collect()
}

/// The name of the domain: given in the first file; what others belong to elsewhere is theirs. If
/// the line that names it is broken, its absence is not reported again.
fn domain_name<'n, 't: 'n>(
    words: impl Iterator<Item = &'n Word<'t>>,
    report: &mut Report,
    broken: bool,
) -> Option<Word<'t>> {
    let mut named: Option<Word<'t>> = None;
    for word in words {
        let same = named.filter(|first| first.span.file == word.span.file);
        match same {
            None if word.span.file != FileId(0) => {}
            None => named = Some(*word),
            Some(first) => report.say_also(
                Code::TwoDomains,
                word.span,
                (first.span, "first named here"),
                "the domain is named twice",
                "remove one of the two lines",
            ),
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
