//! What is told and counted while two files are read.
//!
//! In:   mistakes, doubts and uses of features, by the files beside this one.
//! Out:  the report; whether there is room for more.
//! Cost: a hash lookup where something is told once; the search for nearest names has the
//!       report's budget.
//!
//! After a mistake reading goes on with something harmless in the broken thing's place: all
//! mistakes are told at once, and a task with an error is never handed out. A name that is
//! unknown is told where it stands first.

use super::limits::Limits;
use super::refused::REFUSED;
use super::requirements::Requirements;
use super::tree::Form;
use crate::asking::Asking;
use std::collections::HashSet;
use throng_base::DidYouMean;
use throng_domain::{Code, Report, Span};

/// The report so far, and what was counted.
pub(super) struct Notes<'t> {
    pub(super) limits: Limits,
    asking: &'t Asking<'t>,
    pub(super) report: Report,
    pub(super) requirements: Requirements,
    /// What was told and is not told again.
    told: HashSet<(Code, &'t str)>,
    /// Size of the task so far, written out.
    entries: usize,
}

impl<'t> Notes<'t> {
    pub(super) fn new(limits: &Limits, asking: &'t Asking<'t>, report: Report) -> Self {
        let (requirements, told) = (Requirements::default(), HashSet::new());
        Notes { report, limits: *limits, asking, requirements, told, entries: 0 }
    }

    /// The whole report, once all is read.
    pub(super) fn finish(mut self) -> Report {
        self.requirements.check(&mut self.report);
        self.report
    }

    /// Counts a step; whether the caller said stop.
    pub(super) fn is_over(&self) -> bool {
        self.asking.step()
    }

    /// Reports that something else should stand at a place.
    pub(super) fn expected(
        &mut self,
        span: Span,
        text: impl Into<String>,
        cure: impl Into<String>,
    ) {
        self.report.say(Code::Expected, span, text, cure);
    }

    /// Reports a feature that is known and refused, at its first use; `what` says which part of
    /// the text uses it.
    pub(super) fn refuse(&mut self, code: Code, form: Form<'t>, what: &str) {
        if let Some((_, text, cure)) = REFUSED.iter().find(|(known, ..)| *known == code)
            && self.is_first(code, "")
        {
            self.report.say(code, form.head_span(), format!("{text}: {what}"), *cure);
        }
    }

    /// Whether this is the first time that a code is told of a name.
    pub(super) fn is_first(&mut self, code: Code, name: &'t str) -> bool {
        self.told.insert((code, name))
    }

    /// Reports a name that is unknown, as it is written.
    pub(super) fn unknown(
        &mut self,
        (code, kind): (Code, &str),
        (span, written): (Span, &str),
        nearest: Option<&str>,
        declare: String,
    ) {
        let text = format!("unknown {kind} `{written}`{}", DidYouMean(nearest));
        let cure = match nearest {
            Some(nearest) => format!("write `{nearest}`, or {declare}"),
            None => declare,
        };
        self.report.say(code, span, text, cure);
    }

    /// Reports a keyword that is none of those that may stand at a place.
    pub(super) fn unknown_keyword(&mut self, span: Span, keyword: &str, known: &[&'static str]) {
        let nearest = self.report.nearest(keyword, known.iter().copied());
        let text = format!("unknown keyword `{keyword}`{}", DidYouMean(nearest));
        let cure = match nearest {
            Some(nearest) => format!("write `{nearest}`"),
            None => format!("here may stand: {}", listed(known)),
        };
        self.report.say(Code::PddlUnknownSection, span, text, cure);
    }

    /// Reports words that stand where a list should: `:precondition at ?x`.
    pub(super) fn words_without_parentheses(
        &mut self,
        what: &str,
        first: Form<'t>,
        more: impl Iterator<Item = Form<'t>>,
    ) {
        let mut span = first.span();
        let mut words = first.written();
        for form in more {
            span = span.to(form.span());
            if words.len() < 200 {
                words.push(' ');
                words.push_str(&form.written());
            }
        }
        let text = format!("{what} stands in parentheses, here `{words}`");
        self.expected(span, text, format!("write `({words})`"));
    }

    /// The word of a name that is declared; not a list, a variable or a keyword.
    pub(super) fn plain_name(&mut self, form: Form<'t>, what: &str) -> Option<&'t str> {
        let name = form.word().filter(|word| !word.starts_with(['?', ':']));
        if name.is_none() {
            let text = format!("`{}` cannot be the name of {what}", form.written());
            let cure = "write a plain word, without `?` or `:` in front and without parentheses";
            self.report.say(Code::BadName, form.head_span(), text, cure);
        }
        name
    }

    /// The parts of a list after its first word, if they are so many.
    pub(super) fn exactly<const N: usize>(
        &mut self,
        form: Form<'t>,
        pattern: &str,
    ) -> Option<[Form<'t>; N]> {
        // One more than wanted tells enough.
        let parts: Vec<Form<'t>> = form.rest().take(N + 1).collect();
        let found = parts.try_into().ok();
        if found.is_none() {
            let (head, count) = (form.head().unwrap_or_default(), form.rest().count());
            let parts = if N == 1 { "part" } else { "parts" };
            let text = format!("`{head}` has {N} {parts}, here {count}");
            self.expected(form.head_span(), text, format!("write it as in `{pattern}`"));
        }
        found
    }

    /// Counts what is about to be written out; `false`, with an error, beyond the limit; `false`
    /// too if the caller said stop.
    pub(super) fn has_room(&mut self, entries: usize, span: Span) -> bool {
        if self.asking.step() {
            return false;
        }
        self.entries = self.entries.saturating_add(entries);
        let most = self.limits.entries;
        if self.entries > most && self.is_first(Code::TooMuchInTotal, "") {
            let text = format!(
                "the task, written out, has more than {most} conditions, effects and types of objects"
            );
            let cure = "nest fewer effects below `when` and `forall`, or split the action";
            self.report.say(Code::TooMuchInTotal, span, text, cure);
        }
        self.entries <= most
    }

    /// Whether one more declaration fits; `false`, with an error, beyond the limit.
    pub(super) fn has_room_for_another(
        &mut self,
        so_far: usize,
        what: &'static str,
        span: Span,
    ) -> bool {
        let most = self.limits.declarations;
        if so_far >= most && self.is_first(Code::TooManyDeclarations, what) {
            let text = format!("more than {most} {what}");
            let cure = "split the task, or take fewer objects";
            self.report.say(Code::TooManyDeclarations, span, text, cure);
        }
        so_far < most
    }
}

/// Words in quotes, for a message.
pub(super) fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
