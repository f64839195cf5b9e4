//! What a model may grow to: counted before anything is stored, each limit told once.
//!
//! In:   how much more is about to be written out.
//! Out:  whether there is room; a report the first time there is none.
//! Cost: an addition.

use super::{Kind, ModelBuilder};
use crate::diagnostics::Code;
use crate::source::Span;

/// What was spent of the limits.
#[derive(Default)]
pub(super) struct Spent {
    entries: usize,
    /// Told that entries are used up.
    told_entries: bool,
    /// Told that there are too many of these.
    told: Vec<Kind>,
    full: bool,
}

impl ModelBuilder {
    /// Whether a limit was passed, and said to be, so that no template need be written out
    /// any more.
    pub(crate) fn is_full(&self) -> bool {
        self.spent.full
    }

    /// Counts so many more written-out entries; `false`, with a report, beyond the limit.
    pub(crate) fn spend(&mut self, count: usize, span: Span) -> bool {
        let (spent, limit) = (&mut self.spent, self.limits.entries);
        spent.entries = spent.entries.saturating_add(count);
        if spent.entries <= limit {
            return true;
        }
        spent.full = true;
        if !std::mem::replace(&mut spent.told_entries, true) {
            let text = format!("the domain, written out, has more than {limit} entries");
            let cure = "use fewer or smaller templates, lists and NPC types, or split the domain";
            self.report.say(Code::TooMuchInTotal, span, text, cure);
        }
        false
    }

    /// Whether one more can be declared beside `count` others; reported if not.
    pub(super) fn has_room(&mut self, kind: Kind, count: usize, span: Span) -> bool {
        let (limit, code) = match kind {
            Kind::Variable => (self.limits.variables, Code::TooManyVariables),
            Kind::Action => (self.limits.actions, Code::TooManyActions),
            _ => (self.limits.declarations, Code::TooManyDeclarations),
        };
        if count < limit {
            return true;
        }
        self.spent.full |= kind != Kind::Variable;
        if !self.spent.told.contains(&kind) {
            self.spent.told.push(kind);
            self.too_many(kind.plural(), limit, code, span);
        }
        false
    }

    /// Whether one more of a kind can be declared by this name, beside `count` others; reported
    /// if not, and then the name counts as broken.
    pub(super) fn admits(&mut self, kind: Kind, count: usize, name: &str, span: Span) -> bool {
        let admits = self.has_room(kind, count, span) && self.name_fits(name, span);
        // Nothing refers to a test.
        if !admits && kind != Kind::Test {
            self.add_broken(name);
        }
        admits
    }

    /// Whether a name is short enough; reported if not.
    pub(super) fn name_fits(&mut self, name: &str, span: Span) -> bool {
        let limit = self.limits.name_bytes;
        if name.len() > limit {
            let text = format!("a name of {} bytes; at most {limit} are allowed", name.len());
            self.report.say(Code::NameTooLong, span, text, "shorten it");
        }
        name.len() <= limit
    }

    pub(super) fn too_many(&mut self, what: &str, limit: usize, code: Code, span: Span) {
        let text = format!("too many {what}: the limit is {limit}");
        let cure = "split the domain, or raise the limit where it is loaded if you trust the text";
        self.report.say(code, span, text, cure);
    }
}
