//! What `(:requirements …)` names, and what the files use of it.
//!
//! In:   the names as declared; each use of a feature, by the readers of conditions and effects.
//! Out:  a warning for each feature that is used and not named, at its first use.
//!
//! Without the section nothing is warned of: a file without requirements does not mean to name
//! them.

use super::tree::Form;
use crate::features::{COSTS, EXISTENTIAL, FEATURES, NEGATIVE, NUMBERS, UNIVERSAL};
use throng_base::DidYouMean;
use throng_domain::{Code, Report, Span};

/// Requirements that stand for several, or allow nothing that has to be allowed.
const OTHERS: [(&str, &[&str]); 6] = [
    (":strips", &[]),
    (":negation", &[NEGATIVE]),
    (":quantified-preconditions", &[EXISTENTIAL, UNIVERSAL]),
    (":adl", FEATURES.split_at(7).0),
    (":fluents", &[COSTS, NUMBERS]),
    (":numeric-fluents", &[COSTS, NUMBERS]),
];

/// Requirements that PDDL has and Throng does not serve.
const NOT_SERVED: &str = ":durative-actions :duration-inequalities :continuous-effects \
    :timed-initial-literals :timed-initial-fluents :preferences :constraints :time \
    :object-fluents :goal-utilities :probabilistic-effects :rewards :non-deterministic \
    :hierarchy :method-preconditions :multi-agent";

/// What was declared, and where each feature was used first.
#[derive(Default)]
pub(super) struct Requirements {
    is_declared: bool,
    allowed: Vec<&'static str>,
    used: Vec<(&'static str, Span)>,
}

impl Requirements {
    /// Remembers a use.
    pub(super) fn uses(&mut self, feature: &'static str, span: Span) {
        // Ten at most, so a list is searched fastest.
        if !self.used.iter().any(|&(used, _)| used == feature) {
            self.used.push((feature, span));
        }
    }

    /// `(:requirements :typing …)`.
    pub(super) fn read(&mut self, section: Form<'_>, report: &mut Report) {
        self.is_declared = true;
        for form in section.rest() {
            let Some(name) = form.word() else {
                let text = "a requirement is expected here, not a list";
                report.say(Code::Expected, form.span(), text, "write one such as `:typing`");
                continue;
            };
            let single = FEATURES.iter().find(|known| **known == name);
            let several = OTHERS.iter().find(|(known, _)| *known == name);
            self.allowed.extend(single);
            self.allowed.extend(several.map_or(&[][..], |(_, features)| features));
            if single.is_none() && several.is_none() {
                warn_of_requirement(form, name, report);
            }
        }
    }

    /// Warns of what is used and not declared, once all is read.
    pub(super) fn check(&self, report: &mut Report) {
        for (name, span) in self.used.iter().filter(|_| self.is_declared) {
            if !self.allowed.contains(name) {
                let text = format!("this uses `{name}`, which the requirements do not name");
                let cure = format!("add it: `(:requirements {name} …)`");
                report.say(Code::PddlRequirement, *span, text, cure);
            }
        }
    }
}

fn warn_of_requirement(form: Form<'_>, name: &str, report: &mut Report) {
    let (text, cure) = if NOT_SERVED.split(' ').any(|known| known == name) {
        let text = format!("`{name}` is not supported; what uses it is refused");
        (text, "remove it if nothing uses it".to_string())
    } else {
        let names = FEATURES.iter().copied();
        let nearest = report.nearest(name, names.chain(OTHERS.iter().map(|(name, _)| *name)));
        let cure = nearest.map_or("remove it".to_string(), |near| format!("write `{near}`"));
        (format!("unknown requirement `{name}`{}", DidYouMean(nearest)), cure)
    };
    report.say(Code::PddlUnknownRequirement, form.span(), text, cure);
}
