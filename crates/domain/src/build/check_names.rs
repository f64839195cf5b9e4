//! Checks need no declaration, so a slip makes a new one: warnings about names that look like one.
//!
//! In:   the checks that actions ask for, with their places and how often.
//! Out:  a warning for a check that no note declares, that no test names, and that is called like a variable, or
//!       one letter away from a variable or another check.
//! Cost: every such check against every name, up to a number of pairs; beyond it only equal names
//!       are found.

use super::{ModelBuilder, kinds_of};
use crate::diagnostics::Code;
use crate::model::{CheckId, CheckUse, TestContext};
use crate::names;
use crate::notes::Role;
use std::collections::HashSet;
use std::sync::Arc;

/// So many pairs of names are compared at most; about a hundredth of a second.
const PAIRS: usize = 250_000;
/// Shorter names are often one letter apart, and mean it.
const SHORTEST: usize = 5;

impl ModelBuilder {
    pub(super) fn lint_check_names(&mut self) {
        let known = self.known_checks();
        let (variables, checks) = (self.model.variables.len(), self.model.checks.len());
        let few = checks.saturating_mul(checks + variables) <= PAIRS;
        for at in (0..checks).filter(|&at| !known.contains(&at)) {
            let name = bare(&self.model.checks[at]);
            let near = |other: &str| few && slip(name, other) != Slip::None;
            let names = || self.model.variables.iter().map(|variable| variable.name.as_str());
            let same = self.model.find_variable(name).map(|_| name);
            let variable = same.or_else(|| names().find(|other| near(other)));
            let (text, cure) = if let Some(variable) = variable {
                let text = match variable == name {
                    true => format!("check `{name}` is asked of the game, not of the variable"),
                    false => format!("check `{name}` is nearly the variable `{variable}`"),
                };
                let cure = self.cure_of_variable(variable);
                (text, cure)
            } else if let Some(other) = self.check_meant(at, &known, few) {
                let text = format!("check `{name}` is nearly the check `{other}`");
                (text, format!("write `{other}`, or a name that differs more"))
            } else {
                continue;
            };
            self.report.say(Code::CheckLooksLikeAnother, self.check_uses[at].0, text, cure);
        }
    }

    /// Reports checks that are called like a variable where checks are declared: there the variable
    /// is meant.
    pub(super) fn judge_check_names(&mut self) {
        if self.declared_checks.is_empty() && self.model.selects.is_empty() {
            return;
        }
        let known = self.known_checks();
        for at in (0..self.model.checks.len()).filter(|at| !known.contains(at)) {
            let name = bare(&self.model.checks[at]);
            if self.model.find_variable(name).is_some() {
                let text = format!("`{name}` is a variable, and `if` asks a check");
                let (span, cure) = (self.check_uses[at].0, self.cure_of_variable(name));
                self.report.say(Code::CheckOrVariable, span, text, cure);
            }
        }
    }

    /// How to ask a variable where a check stands.
    fn cure_of_variable(&self, variable: &str) -> String {
        // Which value is meant cannot be told; of a yes-or-no one `true` reads as `if` does.
        let id = self.model.find_variable(variable);
        let values = id.map(|id| &self.model[id].values[..]);
        let yes = |values: &[String]| values.iter().any(|value| value == "true");
        let value = match values {
            Some(values) if yes(values) => "true",
            Some([first, ..]) => first,
            _ => "…",
        };
        let ask = format!("{variable} = {value}");
        self.format.words(
            format!(
                "to ask the variable, say its value, as in `while {ask}`; else rename the check"
            ),
            "to ask the variable, put it into `requires`; else rename the check".to_string(),
        )
    }

    /// Forgets the checks of instances that turned out not to exist, and numbers the others as
    /// actions mention them: so they are numbered in whatever form the model comes back.
    pub(crate) fn settle_checks(&mut self) {
        let mut numbers: Vec<Option<CheckId>> = vec![None; self.model.checks.len()];
        let mut order = Vec::with_capacity(numbers.len());
        let mut visit = |used: &CheckUse| {
            numbers[used.check.index()].get_or_insert_with(|| {
                order.push(used.check.index());
                CheckId::at(order.len() - 1)
            });
        };
        for action in self.model.actions.iter() {
            let of_kinds = action.kinds().iter().flat_map(|kind| &kind.checks);
            action.checks().iter().chain(of_kinds).for_each(&mut visit);
        }
        if order.iter().enumerate().all(|(at, &was)| at == was) && order.len() == numbers.len() {
            return;
        }
        let renumber = |checks: &mut Vec<CheckUse>| {
            for used in checks {
                used.check = numbers[used.check.index()].unwrap_or(used.check);
            }
        };
        for action in Arc::make_mut(&mut self.model.actions) {
            if action.checks().is_empty() && action.kinds().is_empty() {
                continue;
            }
            let mut kinds = action.kinds().to_vec();
            kinds.iter_mut().for_each(|kind| renumber(&mut kind.checks));
            let more = action.more_mut();
            renumber(&mut more.checks);
            more.kinds = kinds_of(kinds);
        }
        let names: Vec<String> = order.iter().map(|&at| self.model.checks[at].clone()).collect();
        let slots = order.iter().map(|&at| self.model.check_slots[at].clone()).collect();
        self.check_uses = order.iter().map(|&at| self.check_uses[at]).collect();
        self.model.check_slots = Arc::new(slots);
        self.model.set_checks(names);
    }

    /// Checks that a note answers or a test names: they are meant as they are written.
    fn known_checks(&self) -> HashSet<usize> {
        let named = self.model.first_words(Role::AnswersCheck);
        let named: HashSet<&str> = named.map(|word| word.text.as_str()).collect();
        let checks = self.model.checks.iter().enumerate();
        let declared = checks.filter(|(_, name)| named.contains(bare(name))).map(|(at, _)| at);
        let tested = self.model.tests.iter().flat_map(|test| {
            let (TestContext::Without(checks) | TestContext::Only(checks)) = &test.context;
            checks.iter().copied().map(CheckId::index)
        });
        declared.chain(tested).collect()
    }

    /// The check that was probably meant by this one: two letters are swapped, or one is another and
    /// the name stands only here while the other is known or stands in several places.
    fn check_meant(&self, at: usize, known: &HashSet<usize>, few: bool) -> Option<&str> {
        let name = bare(&self.model.checks[at]);
        let uses = |at: usize| self.check_uses[at].1;
        let others = self.model.checks.iter().enumerate().filter(|&(other, _)| few && other != at);
        let others = others.map(|(other, text)| (other, bare(text)));
        let meant = others.filter(|&(other, text)| match slip(name, text) {
            Slip::None => false,
            // Of two that stand equally often the later is the slip.
            Slip::Swap => known.contains(&other) || (uses(at), other) < (uses(other), at),
            Slip::Letter => uses(at) == 1 && (known.contains(&other) || uses(other) > 1),
        });
        meant.map(|(_, text)| text).next()
    }
}

/// A check without what it is about.
fn bare(name: &str) -> &str {
    names::template_of(name).unwrap_or(name)
}

/// How one name could have become another by a slip of the fingers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slip {
    None,
    /// Two neighbours are swapped.
    Swap,
    /// A letter is missing, too many, or another.
    Letter,
}

fn slip(one: &str, other: &str) -> Slip {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if a.len().min(b.len()) < SHORTEST || a.len().abs_diff(b.len()) > 1 || a == b {
        return Slip::None;
    }
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[same..], &b[same..]);
    // `door_1` and `door_2`, `door` and `doors` are meant.
    let counts = |rest: &[char]| rest.first().is_some_and(|c| c.is_numeric() || *c == '_');
    let plural = |rest: &[char]| matches!(rest, ['s']);
    if counts(rest_a) || counts(rest_b) || plural(rest_a) || plural(rest_b) {
        return Slip::None;
    }
    let after = |rest: &[char], n: usize| rest.get(n..).map(<[char]>::to_vec);
    match (rest_a, rest_b) {
        ([a1, a2, tail_a @ ..], [b1, b2, tail_b @ ..])
            if (a1, a2) == (b2, b1) && tail_a == tail_b =>
        {
            Slip::Swap
        }
        _ if after(rest_a, 1) == after(rest_b, 1)
            || after(rest_a, 1).as_deref() == Some(rest_b)
            || after(rest_b, 1).as_deref() == Some(rest_a) =>
        {
            Slip::Letter
        }
        _ => Slip::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_one_letter_and_no_number() {
        for (one, other, expected) in [
            ("night", "nigth", Slip::Swap),
            ("raining", "rainig", Slip::Letter),
            ("raining", "rainning", Slip::Letter),
            ("raining", "reining", Slip::Letter),
            ("raining", "training", Slip::Letter),
            ("door_1", "door_2", Slip::None),
            ("enemy", "enemys", Slip::None),
            ("near", "hear", Slip::None),
            ("in_range", "out_range", Slip::None),
            ("night", "night", Slip::None),
        ] {
            assert_eq!(slip(one, other), expected, "{one} {other}");
            assert_eq!(slip(other, one), expected, "{other} {one}");
        }
    }
}
