//! Actions one after the other, as one: what they require together, and what they leave behind.
//!
//! In:   what each part requires and changes, in the order to do them.
//! Out:  what must hold before the first; what is otherwise after the last. Nothing, if that is no
//!       single value and no single shift.
//! Cost: each condition and change of each part once, in a map; amounts by runs and pieces, not by
//!       values.
//!
//! A part's need that a part before provides, or needs too, is none of the whole. What a part asks
//! of an amount that parts before have moved is asked of the value before them.

mod moves;

use crate::amounts::ValueSet;
use crate::model::*;
use crate::token::Relation;
use moves::{Moves, Together};
use std::collections::BTreeMap;

/// What one part requires and changes.
#[derive(Clone, Copy)]
pub(crate) struct Part<'p> {
    pub(crate) asks: Conditions<'p>,
    pub(crate) sets: &'p [Fact],
    pub(crate) shifts: &'p [Shift],
}

impl<'p> Part<'p> {
    pub(crate) fn of(action: &'p Action) -> Self {
        Part { asks: action.conditions(), sets: action.sets(), shifts: action.shifts() }
    }
}

/// What all parts together require and change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Whole {
    pub(crate) requires: Vec<Fact>,
    pub(crate) ranges: Vec<Range>,
    pub(crate) comparisons: Vec<Comparison>,
    pub(crate) sets: Vec<Fact>,
    pub(crate) shifts: Vec<Shift>,
}

/// The value of a variable while the parts run, if it is known.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub(crate) value: ValueId,
    /// The part that needs or sets it.
    pub(crate) part: usize,
    /// Whether that part sets it.
    pub(crate) is_set: bool,
}

/// A need of a part that cannot hold where it stands.
pub(crate) enum Cannot {
    /// A value, where another one is known.
    Value(Fact, Known),
    /// A set of values, none of which there can be since that part.
    Set(Range, usize),
    /// Something about an amount that is no condition on the values before all parts.
    Tell(VariableId),
}

/// What is known of a variable while the parts run.
#[derive(Clone)]
struct Course {
    /// What must hold before the first part; nothing asked if none.
    asked: Option<ValueSet>,
    now: Now,
    /// The part that needed or changed it last.
    part: usize,
}

#[derive(Clone)]
enum Now {
    /// What it was.
    AsBefore,
    Value(u16),
    Moved(Moves),
}

/// Some parts as one action.
#[derive(Default)]
pub(crate) struct Sequence {
    parts: usize,
    courses: BTreeMap<VariableId, Course>,
    comparisons: Vec<Comparison>,
}

impl Course {
    fn new(part: usize) -> Self {
        Course { asked: None, now: Now::AsBefore, part }
    }

    /// The one value that it has now, and whether a part brought it about.
    fn value(&self) -> Option<(u16, bool)> {
        let before = self.asked.and_then(|asked| asked.only());
        match &self.now {
            Now::AsBefore => before.map(|value| (value, false)),
            Now::Value(value) => Some((*value, true)),
            Now::Moved(moves) => Some((moves.apply(before?)?, true)),
        }
    }

    /// Asks that it is now one of these values; gives back whether it can be, or nothing if that
    /// cannot be told.
    fn ask(&mut self, values: &ValueSet) -> Option<bool> {
        let before = match &self.now {
            Now::Value(value) => return Some(values.has(*value)),
            Now::AsBefore => *values,
            Now::Moved(moves) => moves.before(values)?,
        };
        let both = match self.asked {
            None => before,
            Some(asked) => asked.both(&before)?,
        };
        if !both.is_empty() {
            self.asked = Some(both);
        }
        Some(!both.is_empty())
    }
}

impl Sequence {
    /// Adds a part; `n_values` says how many values a variable has. Gives back those of its needs
    /// that cannot hold there.
    pub(crate) fn add(
        &mut self,
        part: Part<'_>,
        n_values: impl Fn(VariableId) -> u16,
    ) -> Vec<Cannot> {
        let at = self.parts;
        self.parts += 1;
        let mut cannot = Vec::new();
        for &need in part.asks.facts {
            let values = ValueSet::one(need.value.0 as u16);
            self.ask(at, Range { variable: need.variable, values }, &mut cannot);
        }
        for &range in part.asks.ranges {
            self.ask(at, range, &mut cannot);
        }
        for &comparison in part.asks.comparisons {
            self.compare(at, comparison, &n_values, &mut cannot);
        }
        for &Fact { variable, value } in part.sets {
            let course = self.courses.entry(variable).or_insert(Course::new(at));
            (course.now, course.part) = (Now::Value(value.0 as u16), at);
        }
        for &Shift { variable, by } in part.shifts {
            let course = self.courses.entry(variable).or_insert(Course::new(at));
            let size = n_values(variable);
            let now = match &course.now {
                Now::Value(value) => by.apply(*value, size).map(Now::Value),
                Now::AsBefore => Some(Now::Moved(Moves::of(by, size))),
                Now::Moved(moves) => moves.and_then(by, size).map(Now::Moved),
            };
            match now {
                Some(now) => (course.now, course.part) = (now, at),
                None => cannot.push(Cannot::Tell(variable)),
            }
        }
        cannot
    }

    fn ask(&mut self, at: usize, range: Range, cannot: &mut Vec<Cannot>) {
        let course = self.courses.entry(range.variable).or_insert(Course::new(at));
        let (known, part, asked) = (course.value(), course.part, course.asked);
        let asks_more = match course.ask(&range.values) {
            None => {
                cannot.push(Cannot::Tell(range.variable));
                return;
            }
            Some(true) => course.asked != asked,
            Some(false) => {
                cannot.push(match (known, range.values.only()) {
                    (Some((value, is_set)), Some(need)) => {
                        let [need, value] = [need, value].map(|value| ValueId(value.into()));
                        let fact = Fact { variable: range.variable, value: need };
                        Cannot::Value(fact, Known { value, part, is_set })
                    }
                    _ => Cannot::Set(range, part),
                });
                return;
            }
        };
        if asks_more {
            course.part = at;
        }
    }

    /// Takes in that two amounts are compared: the right one as it was, the left one as it was or
    /// at a value.
    fn compare(
        &mut self,
        at: usize,
        it: Comparison,
        n_values: &impl Fn(VariableId) -> u16,
        cannot: &mut Vec<Cannot>,
    ) {
        let as_before = |course: Option<&Course>| {
            course.is_none_or(|course| matches!(course.now, Now::AsBefore))
        };
        if !as_before(self.courses.get(&it.other)) {
            cannot.push(Cannot::Tell(it.other));
            return;
        }
        match self.courses.get(&it.variable).map(|course| &course.now) {
            None | Some(Now::AsBefore) => self.comparisons.push(it),
            Some(&Now::Value(value)) => {
                let values = right_side(it, value, n_values(it.other));
                self.ask(at, Range { variable: it.other, values }, cannot);
            }
            Some(Now::Moved(_)) => cannot.push(Cannot::Tell(it.variable)),
        }
    }

    /// All parts as one.
    ///
    /// # Errors
    ///
    /// A variable that the parts together neither set nor shift in one way.
    pub(crate) fn whole(&self) -> Result<Whole, VariableId> {
        let mut whole = Whole::default();
        for (&variable, course) in &self.courses {
            let fact = |value: u16| Fact { variable, value: ValueId(value.into()) };
            let only = course.asked.and_then(|asked| asked.only());
            match (only, course.asked) {
                (Some(value), _) => whole.requires.push(fact(value)),
                (None, Some(values)) => whole.ranges.push(Range { variable, values }),
                (None, None) => {}
            }
            let end = match (&course.now, course.asked) {
                (Now::AsBefore, _) => Together::Stays,
                (Now::Value(value), _) => Together::Becomes(*value),
                (Now::Moved(moves), Some(asked)) => moves.together(&asked).ok_or(variable)?,
                (Now::Moved(_), None) => return Err(variable),
            };
            match end {
                Together::Becomes(value) if Some(value) != only => whole.sets.push(fact(value)),
                Together::Becomes(_) | Together::Stays => {}
                Together::Shifts(by) => whole.shifts.push(Shift { variable, by }),
            }
        }
        whole.comparisons = self.comparisons.clone();
        whole.comparisons.sort_unstable();
        whole.comparisons.dedup();
        Ok(whole)
    }
}

/// The values of the right amount, of so many, to which the left one at this value stands right.
fn right_side(it: Comparison, value: u16, n_values: u16) -> ValueSet {
    let number = i64::from(value) - it.offset;
    let (count, end) = (i64::from(n_values), |at: i64| at.clamp(0, i64::from(n_values)) as u16);
    // So many are below the number, and so many up to it.
    let (below, up_to) = (end(number), end((number + 1).clamp(0, count)));
    let (less, from) = (ValueSet::all(below), |first: u16| match n_values.checked_sub(1) {
        Some(last) => ValueSet::run(first, last),
        None => ValueSet::EMPTY,
    });
    match it.relation {
        Relation::Less => from(up_to),
        Relation::AtMost => from(below),
        Relation::More => less,
        Relation::AtLeast => ValueSet::all(up_to),
        Relation::Is => from(below).both(&ValueSet::all(up_to)).unwrap_or(ValueSet::EMPTY),
        Relation::IsNot => less.either(&from(up_to)).unwrap_or(ValueSet::EMPTY),
    }
}

#[cfg(test)]
mod tests;
