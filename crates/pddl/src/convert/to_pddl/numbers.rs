//! The numbers of a task in PDDL: functions, tests, changes.
//!
//! In:   a task that counts.
//! Out:  its parts of the text.
//! Cost: linear.

use super::{All, Writer, Written};
use crate::counted::{CountedChange, HOLDS, NumberChange, NumberRun, NumberTest};
use crate::text::Growing;
use std::fmt::{self, Write};
use throng_domain::Relation;
use throng_planner::forward::Atom;

impl Writer<'_> {
    pub(super) fn functions(&self, text: &mut Growing<'_>) -> fmt::Result {
        let costs = self.named.has_metric.then_some("total-cost");
        let names = self.words.numbers.iter().map(String::as_str).chain(costs);
        let names: Vec<String> = names.map(|name| format!("({name})")).collect();
        match names.is_empty() {
            true => Ok(()),
            false => writeln!(text, "  (:functions {})", names.join(" ")),
        }
    }

    /// What an operator does to numbers.
    pub(super) fn changes(&self, operator: u32) -> &[CountedChange] {
        self.counted.changes.get(operator as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether a number changes only where something holds.
    pub(super) fn moves_if(&self) -> bool {
        self.counted.changes.iter().flatten().any(|change| !always(change))
    }

    /// Whether a test or a change has alternatives.
    pub(super) fn chooses(&self) -> bool {
        let several = |test: &NumberTest| match test {
            NumberTest::In(_, runs) => runs.len() != 1,
            NumberTest::Words(_, values) => values.len() != 1,
            NumberTest::Compare(_, relation, _) => *relation == Relation::IsNot,
        };
        self.counted.tests.values().any(several)
            || self.counted.changes.iter().flatten().any(|change| change.when.len() != 1)
    }

    pub(super) fn change(&self, text: &mut Growing<'_>, change: &CountedChange) -> fmt::Result {
        let name = &self.words.numbers[change.number as usize];
        let (word, number) = match change.what {
            NumberChange::Set(number) => ("assign", number.to_string()),
            NumberChange::Add(by) if by < 0 => ("decrease", by.unsigned_abs().to_string()),
            NumberChange::Add(by) => ("increase", by.to_string()),
        };
        if always(change) {
            return write!(text, "({word} ({name}) {number})");
        }
        write!(text, "(when ")?;
        match &change.when[..] {
            [only] => write!(text, "{}", All(self, only))?,
            several => {
                write!(text, "(or")?;
                several.iter().try_for_each(|when| write!(text, " {}", All(self, when)))?;
                write!(text, ")")?;
            }
        }
        write!(text, " ({word} ({name}) {number}))")
    }
}

fn always(change: &CountedChange) -> bool {
    change.when.iter().any(Vec::is_empty)
}

/// The two ends of a number within one run, which need no `and` of their own among other facts.
pub(super) fn two_ends(writer: &Writer<'_>, atom: Atom) -> Option<String> {
    let Some(NumberTest::In(number, runs)) = writer.counted.tests.get(&atom.variable) else {
        return None;
    };
    let &[NumberRun { first: Some(first), last: Some(last) }] = &runs[..] else { return None };
    let name = &writer.words.numbers[*number as usize];
    let is_plain = atom.value == HOLDS && first != last;
    is_plain.then(|| format!("(>= ({name}) {first}) (<= ({name}) {last})"))
}

/// What a test asks for.
pub(super) struct Tested<'w>(pub(super) &'w Writer<'w>, pub(super) &'w NumberTest);

impl fmt::Display for Tested<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tested(writer, test) = *self;
        let name = |number: u32| &writer.words.numbers[number as usize];
        match test {
            NumberTest::In(number, runs) => {
                let name = name(*number);
                any(
                    f,
                    runs.iter().map(|&NumberRun { first, last }| match (first, last) {
                        (None, None) => "(and)".to_owned(),
                        (Some(first), Some(last)) if first == last => {
                            format!("(= ({name}) {first})")
                        }
                        (Some(first), None) => format!("(>= ({name}) {first})"),
                        (None, Some(last)) => format!("(<= ({name}) {last})"),
                        (Some(first), Some(last)) => {
                            format!("(and (>= ({name}) {first}) (<= ({name}) {last}))")
                        }
                    }),
                )
            }
            &NumberTest::Compare(number, Relation::IsNot, other) => {
                let (number, other) = (name(number), name(other));
                write!(f, "(or (< ({number}) ({other})) (> ({number}) ({other})))")
            }
            &NumberTest::Compare(number, relation, other) => {
                write!(f, "({} ({}) ({}))", relation.sign(), name(number), name(other))
            }
            &NumberTest::Words(variable, ref values) => {
                let word = |&value| Written(writer, Atom { variable, value }).to_string();
                any(f, values.iter().map(word))
            }
        }
    }
}

/// The only one, or `(or …)` of all.
fn any(f: &mut fmt::Formatter<'_>, parts: impl ExactSizeIterator<Item = String>) -> fmt::Result {
    if parts.len() == 1 {
        return parts.into_iter().try_for_each(|part| f.write_str(&part));
    }
    write!(f, "(or")?;
    parts.into_iter().try_for_each(|part| write!(f, " {part}"))?;
    write!(f, ")")
}
