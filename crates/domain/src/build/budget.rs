//! What a model may grow to: counted before anything is stored, each limit told once.
//!
//! In:   how much more is about to be written out.
//! Out:  whether there is room; a report the first time there is none.
//! Cost: an addition.

use super::Kind;
use crate::diagnostics::{Code, Report};
use crate::limits::Limits;
use crate::source::Span;

/// What was spent of the limits.
pub(super) struct Budget<'l> {
    limits: &'l Limits,
    entries: usize,
    /// Told that entries are used up.
    told_entries: bool,
    /// Told that there are too many of these.
    told: Vec<Kind>,
    full: bool,
}

impl<'l> Budget<'l> {
    pub(super) fn new(limits: &'l Limits) -> Self {
        Budget { limits, entries: 0, told_entries: false, told: Vec::new(), full: false }
    }

    pub(super) fn limits(&self) -> &'l Limits {
        self.limits
    }

    /// Whether a limit was passed that makes writing out templates useless.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Counts so many more entries; `false`, with a report, beyond the limit.
    pub(super) fn spend(&mut self, count: usize, span: Span, report: &mut Report) -> bool {
        self.entries = self.entries.saturating_add(count);
        if self.entries <= self.limits.entries {
            return true;
        }
        self.full = true;
        if !std::mem::replace(&mut self.told_entries, true) {
            let limit = self.limits.entries;
            let text = format!("the domain, written out, has more than {limit} entries");
            let cure = "use fewer or smaller templates, lists and NPC types, or split the domain";
            report.say(Code::TooMuchInTotal, span, text, cure);
        }
        false
    }

    /// Whether one more can be declared beside `count` others; reported if not.
    pub(super) fn admits(
        &mut self,
        kind: Kind,
        count: usize,
        span: Span,
        report: &mut Report,
    ) -> bool {
        let (limit, code) = match kind {
            Kind::Variable => (self.limits.variables, Code::TooManyVariables),
            Kind::Action => (self.limits.actions, Code::TooManyActions),
            _ => (self.limits.declarations, Code::TooManyDeclarations),
        };
        if count < limit {
            return true;
        }
        self.full |= kind != Kind::Variable;
        if !self.told.contains(&kind) {
            self.told.push(kind);
            too_many(kind.plural(), limit, code, span, report);
        }
        false
    }

    /// Whether a name is short enough; reported if not.
    pub(super) fn name_fits(&self, name: &str, span: Span, report: &mut Report) -> bool {
        let limit = self.limits.name_bytes;
        if name.len() > limit {
            let text = format!("a name of {} bytes; at most {limit} are allowed", name.len());
            report.say(Code::NameTooLong, span, text, "shorten it");
        }
        name.len() <= limit
    }
}

pub(super) fn too_many(what: &str, limit: usize, code: Code, span: Span, report: &mut Report) {
    let text = format!("too many {what}: the limit is {limit}");
    let cure = "split the domain, or raise the limit where it is loaded if you trust the text";
    report.say(code, span, text, cure);
}
