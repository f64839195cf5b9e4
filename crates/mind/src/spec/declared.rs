//! What a file declares, held against what it uses.
//!
//! In:   a model and its notes, read.
//! Out:  checks that nobody declares, once declarations have begun, or that are asked of what they
//!       do not range over; variables that are shared where every mind has its own.
//! Cost: one pass over the actions.

use super::Spec;
use super::defaults::{bare, parameters};
use super::read::Reading;
use crate::notes::MINDS;
use throng_base::DidYouMean;
use throng_domain::model::{CheckId, Model};
use throng_domain::notes::NoteOn;
use throng_domain::source::Span;
use throng_domain::{Code, Report};

impl Reading<'_> {
    /// What is used and cannot be.
    pub(super) fn check_declarations(&self, model: &Model, report: &mut Report) {
        let Spec { told_checks, asked_checks, body, .. } = &self.spec;
        if !told_checks.is_empty() || !asked_checks.is_empty() || body.is_some() {
            self.undeclared_checks(model, report);
        }
        self.checks_out_of_range(model, report);
        let about_minds = |note: &&throng_domain::notes::Note| {
            note.on == NoteOn::Itself && MINDS.statements.contains(note.keyword)
        };
        if !model.notes().iter().any(|note| about_minds(&note)) {
            return;
        }
        for variable in model.variables().iter().filter(|variable| variable.is_shared()) {
            let name = variable.name();
            let text = format!("`{name}` is shared, and every mind has a value of its own");
            let cure = format!(
                "write `var {name}` and a symbol; what one does, others are told: `then tells … to all`"
            );
            report.say(Code::SharedWithMinds, variable.span(), text, cure);
        }
    }

    /// Checks that no statement declares.
    fn undeclared_checks(&self, model: &Model, report: &mut Report) {
        let declared = |name: &str| self.checks.contains_key(bare(name));
        let names = || self.checks.keys().map(String::as_str);
        for (at, name) in model.checks().iter().enumerate().filter(|(_, name)| !declared(name)) {
            let span = asked_at(model, CheckId::at(at));
            // The order of a map is none.
            let mut known: Vec<&str> = names().collect();
            known.sort_unstable();
            let near = report.nearest(name, known.iter().copied()).map(str::to_string);
            let declare = format!("declare it: `check {name}: told default false`");
            let cure = match &near {
                Some(near) => format!("write `{near}`, or {declare}"),
                None => declare,
            };
            let text = format!("nobody answers the check `{name}`{}", DidYouMean(near.as_deref()));
            report.say(Code::UndeclaredCheck, span, text, cure);
        }
    }

    /// Checks that are asked of something that their parameter does not range over: `if free(spt)`.
    fn checks_out_of_range(&self, model: &Model, report: &mut Report) {
        for (at, ground) in model.checks().iter().enumerate() {
            let name = bare(ground);
            let Some(ranges) = self.check_ranges.get(name) else { continue };
            let mut given = parameters(ground).zip(ranges);
            let wrong = given.find(|(word, range)| !self.is_in_range(word, range));
            if let Some((word, range)) = wrong {
                let text =
                    format!("`{name}({word})` is asked, and `{word}` is no value of `{range}`");
                let cure = format!(
                    "write a parameter of the action, as in `if {name}(spot)`, or a value of `{range}`"
                );
                report.say(Code::NoteUnknown, asked_at(model, CheckId::at(at)), text, cure);
            }
        }
    }
}

/// The first action that asks for a check.
fn asked_at(model: &Model, check: CheckId) -> Span {
    let asks = model.actions().iter().find(|action| {
        let kinds = action.kinds().iter().flat_map(|kind| kind.checks());
        action.checks().iter().chain(kinds).any(|asked| asked.check == check)
    });
    asks.map_or_else(Span::default, |action| action.span())
}
