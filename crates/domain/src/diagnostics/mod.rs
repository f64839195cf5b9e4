//! Mistakes as data: what is wrong, where, and what to do about it.
//!
//! In:   readers and the model builder report as they go; nothing stops at the first mistake.
//! Out:  a [`Report`]: every [`Diagnostic`] once, in the order of the text.
//! Cost: one hash lookup per report; the search for nearest names has a budget of its own,
//!       so that a file full of typos stays linear.
//!
//! How they look on a terminal is the edge's business; [`Diagnostic::short`] is the one-line
//! form that editors parse.

mod catalogue;

pub use catalogue::Code;

use crate::names::{begins_name, plain_of, prefix_of};
use crate::source::{Sources, Span};
use std::collections::HashSet;
use throng_base::nearest::NearestBudget;

/// Whether a diagnostic stops the load.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The domain cannot be used until this is fixed.
    Error,
    /// Works, but is probably not what was meant.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// One mistake: a code, a place, what is wrong, and the cure.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Which kind of mistake.
    pub code: Code,
    /// What to underline.
    pub span: Span,
    /// What is wrong, one sentence without a full stop; names the nearest known name.
    pub text: String,
    /// What to do about it.
    pub cure: String,
    /// A second place that explains the first, with a few words: "first declared here".
    pub also: Option<(Span, &'static str)>,
}

impl Diagnostic {
    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// One line for editors: `file:line:column: error[E050]: text`.
    pub fn short(&self, sources: &Sources) -> String {
        let place = sources.place(self.span);
        let file = sources.file(self.span.file).map_or("", |file| file.name());
        format!(
            "{file}:{}:{}: {}[{}]: {}; help: {}",
            place.line,
            place.column,
            self.severity().word(),
            self.code.id(),
            self.text,
            self.cure
        )
    }
}

/// How many errors and how many warnings are kept; more are counted. A file with more than
/// this has one mistake made very often.
const KEPT: usize = 10_000;
/// Names of more characters than this are cut in messages: the place shows where they stand.
const LONGEST_NAME: usize = 80;
/// No message is longer, in bytes, whatever a stranger's text makes of it.
const LONGEST_TEXT: usize = 2000;

throng_base::readable! {
    /// All diagnostics of one load.
    #[derive(Clone, Debug, Default)]
    pub struct Report {
        /// Every diagnostic, in the order of the text.
        diagnostics: Vec<Diagnostic> => &[Diagnostic],
        seen: HashSet<(Code, Span)> as _,
        /// How many errors there were, kept or not.
        errors: usize,
        /// How many warnings there were, kept or not.
        warnings: usize,
        /// How many diagnostics came after the first ten thousand errors or ten thousand warnings
        /// and were only counted.
        not_kept: usize,
        nearest_budget: NearestBudget as _,
    }
}

impl Report {
    /// Adds a diagnostic; the same code at the same place counts once, so that a mistake in
    /// a template is one mistake however many actions it would have become. What is not kept
    /// any more is not remembered either, only counted.
    pub fn add(&mut self, mut diagnostic: Diagnostic) {
        // Counted apart, so that warnings never crowd out the error that stops the load.
        let count = match diagnostic.severity() {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if *count >= KEPT {
            *count += 1;
            self.not_kept += 1;
            return;
        }
        if !self.seen.insert((diagnostic.code, diagnostic.span)) {
            return;
        }
        *count += 1;
        make_readable(&mut diagnostic.text);
        make_readable(&mut diagnostic.cure);
        self.diagnostics.push(diagnostic);
    }

    /// Adds a diagnostic made of its parts.
    pub fn say(
        &mut self,
        code: Code,
        span: Span,
        text: impl Into<String>,
        cure: impl Into<String>,
    ) {
        self.add(Diagnostic { code, span, text: text.into(), cure: cure.into(), also: None });
    }

    /// Adds a diagnostic with a second place that explains the first.
    pub fn say_also(
        &mut self,
        code: Code,
        span: Span,
        also: (Span, &'static str),
        text: impl Into<String>,
        cure: impl Into<String>,
    ) {
        let (text, cure) = (text.into(), cure.into());
        self.add(Diagnostic { code, span, text, cure, also: Some(also) });
    }

    /// Adds a diagnostic about something declared before, elsewhere.
    pub fn say_twice(
        &mut self,
        code: Code,
        span: Span,
        first: Span,
        text: impl Into<String>,
        cure: impl Into<String>,
    ) {
        self.say_also(code, span, (first, "first declared here"), text, cure);
    }

    /// The known name nearest to `name`, if one is near enough to be meant and an error about
    /// it would still be kept. Of what `use … as beast` has renamed, the name that its own file says
    /// is as good; where that is what was said, the whole name is missing.
    pub fn nearest<'n>(
        &mut self,
        name: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> Option<&'n str> {
        if self.errors >= KEPT {
            return None;
        }
        let near = self.nearest_budget.search(name, known.clone());
        if near.is_some() || !prefix_of(name).is_empty() {
            return near;
        }
        let mut renamed = known.filter(|known| {
            // A number behind the dot is that of a slot.
            !prefix_of(known).is_empty() && plain_of(known).starts_with(begins_name)
        });
        let whole = renamed.clone().find(|known| plain_of(known) == name);
        whole.or_else(|| self.nearest_budget.search(name, renamed.by_ref().map(plain_of)))
    }

    /// Whether anything was an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Puts the diagnostics in the order of the text. Readers call it once at the end.
    pub fn sort(&mut self) {
        self.diagnostics.sort_by_key(|d| (d.span, d.code));
    }
}

/// Makes a message that quotes a stranger's text fit to be read: nothing hidden in it, and not
/// too long.
pub fn make_readable(text: &mut String) {
    make_visible(text);
    shorten(text);
}

/// Writes out characters that a terminal would obey instead of showing: controls, and those
/// that turn the direction of text around.
fn make_visible(text: &mut String) {
    let is_hidden = |c: char| {
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        c.is_control() || turns
    };
    if text.contains(is_hidden) {
        let shown = |c: char| if is_hidden(c) { c.escape_unicode().to_string() } else { c.into() };
        *text = text.chars().map(shown).collect();
    }
}

/// Cuts overlong names, which stand between backquotes, and overlong messages.
fn shorten(text: &mut String) {
    if text.len() <= LONGEST_NAME {
        return;
    }
    if text.split('`').any(|part| part.chars().nth(LONGEST_NAME).is_some()) {
        let parts = text.split('`').enumerate().map(|(index, part)| {
            let end = part.char_indices().nth(LONGEST_NAME).filter(|_| index % 2 == 1);
            end.map_or(part.to_string(), |(end, _)| format!("{}…", &part[..end]))
        });
        *text = parts.collect::<Vec<_>>().join("`");
    }
    if text.len() > LONGEST_TEXT {
        let end = (0..=LONGEST_TEXT).rev().find(|&end| text.is_char_boundary(end));
        text.truncate(end.unwrap_or(0));
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report_of(codes: impl Iterator<Item = Code>) -> Report {
        let mut report = Report::default();
        for (at, code) in codes.enumerate() {
            report.say(code, Span { start: at as u32, ..Span::default() }, "text", "cure");
        }
        report
    }

    #[test]
    fn many_warnings_do_not_hide_an_error() {
        let codes = std::iter::repeat_n(Code::ListedTwice, KEPT + 5);
        let report = report_of(codes.chain([Code::UnknownGoal]));
        assert_eq!((report.errors(), report.warnings(), report.not_kept()), (1, KEPT + 5, 5));
        assert!(report.diagnostics().iter().any(|d| d.code == Code::UnknownGoal));
    }

    #[test]
    fn long_names_are_cut_in_messages() {
        let mut text = format!("unknown variable `{}`; did you mean `ü`?", "ü".repeat(10_000));
        shorten(&mut text);
        assert_eq!(text, format!("unknown variable `{}…`; did you mean `ü`?", "ü".repeat(80)));
        let mut text = "ü".repeat(10_000);
        shorten(&mut text);
        assert!(text.len() < LONGEST_TEXT + 4 && text.ends_with('…'));
    }
}
