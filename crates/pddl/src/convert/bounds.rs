//! How far the numbers of a task can go.
//!
//! In:   a task that counts.
//! Out:  per number its least and its greatest value, as far as conditions say; and what tests
//!       allow.
//! Cost: linear in the task.
//!
//! An operator that adds to a number makes it no more than the most that it asks for, and what it
//! adds. So a number has a greatest value if all that raises it asks for a most.

use crate::counted::{
    CountedChange, CountedTask, HOLDS, NumberChange, NumberRun, NumberTest, both, others, runs_of,
    turned, united,
};
use throng_domain::Relation;
use throng_planner::forward::Atom;

/// How far the ends of an amount of a domain can be apart.
pub(super) const WIDEST: i64 = 60_000;

/// The ends of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ends {
    pub(super) low: i64,
    pub(super) high: i64,
    /// Whether nothing says so.
    pub(super) is_low_assumed: bool,
    pub(super) is_high_assumed: bool,
}

impl Ends {
    /// The ends as one run.
    pub(super) fn run(self) -> NumberRun {
        NumberRun { first: Some(self.low), last: Some(self.high) }
    }
}

/// What is known of the numbers of a task.
pub(super) struct Bounds<'t> {
    task: &'t CountedTask,
    /// Per number whether something changes it.
    pub(super) is_changed: Vec<bool>,
}

impl<'t> Bounds<'t> {
    pub(super) fn new(task: &'t CountedTask) -> Self {
        let mut is_changed = vec![false; task.numbers.len()];
        for change in task.changes.iter().flatten() {
            is_changed[change.number as usize] = true;
        }
        Bounds { task, is_changed }
    }

    /// The runs of a number that a fact allows; `None` if it says nothing of it. What compares two
    /// numbers that both change says nothing either.
    pub(super) fn allowed(&self, number: u32, atom: Atom) -> Option<Vec<NumberRun>> {
        let runs = match self.task.tests.get(&atom.variable)? {
            NumberTest::In(of, runs) if *of == number => runs.clone(),
            &NumberTest::Compare(of, relation, other) if of == number => {
                self.compared(relation, other)?
            }
            &NumberTest::Compare(other, relation, of) if of == number => {
                self.compared(turned(relation), other)?
            }
            _ => return None,
        };
        Some(if atom.value == HOLDS { runs } else { others(&runs) })
    }

    /// The runs in a relation to a number that stands still.
    fn compared(&self, relation: Relation, other: u32) -> Option<Vec<NumberRun>> {
        let stands = !self.is_changed[other as usize];
        stands.then(|| runs_of(relation, self.task.numbers[other as usize].start))
    }

    /// The runs of a number that all of some facts allow.
    pub(super) fn all_allow(&self, number: u32, atoms: &[Atom]) -> Vec<NumberRun> {
        let mut runs = vec![NumberRun { first: None, last: None }];
        for allowed in atoms.iter().filter_map(|&atom| self.allowed(number, atom)) {
            runs = both(&runs, &allowed);
        }
        runs
    }

    /// The ends of all numbers that change; without one that conditions say, one is assumed.
    pub(super) fn ends(&self) -> Vec<Option<Ends>> {
        let starts = self.task.numbers.iter().map(|number| Some(number.start));
        let mut least: Vec<Option<i64>> = starts.collect();
        let mut most = least.clone();
        for (operator, changes) in (0..).zip(&self.task.changes) {
            let mut numbers: Vec<u32> = changes.iter().map(|change| change.number).collect();
            numbers.sort_unstable();
            numbers.dedup();
            for number in numbers {
                let own = changes.iter().filter(|change| change.number == number);
                let own: Vec<&CountedChange> = own.collect();
                let [least, most] = [&mut least, &mut most].map(|of| &mut of[number as usize]);
                self.stretch(operator, number, &own, least, most);
            }
        }
        let numbers = self.task.numbers.iter().zip(&self.is_changed).zip(least.iter().zip(&most));
        let ends = numbers.map(|((number, &is_changed), (&least, &most))| {
            is_changed.then(|| assumed(number.start, least, most))
        });
        ends.collect()
    }

    /// Moves the ends of a number to where an operator can bring it.
    fn stretch(
        &self,
        operator: u32,
        number: u32,
        changes: &[&CountedChange],
        least: &mut Option<i64>,
        most: &mut Option<i64>,
    ) {
        let needs = self.task.named.task.needs(operator);
        let (mut fall, mut rise) = (0i64, 0i64);
        for change in changes {
            match change.what {
                NumberChange::Set(to) => {
                    *least = least.map(|least| least.min(to));
                    *most = most.map(|most| most.max(to));
                }
                NumberChange::Add(by) => {
                    fall = fall.saturating_add(by.min(0));
                    rise = rise.saturating_add(by.max(0));
                }
            }
        }
        let mut from = self.all_allow(number, needs);
        // Of one move its own condition counts, too.
        let moves: Vec<_> = changes.iter().filter(|change| moves(change.what)).collect();
        if let [change] = moves[..] {
            let within = change.when.iter().flat_map(|when| self.all_allow(number, when));
            from = both(&from, &united(within.collect()));
        }
        let (Some(first), Some(last)) = (from.first(), from.last()) else { return };
        let sum = |end: Option<i64>, by: i64| Some(end?.saturating_add(by));
        if fall < 0 {
            *least = least.zip(sum(first.first, fall)).map(|(a, b)| a.min(b));
        }
        if rise > 0 {
            *most = most.zip(sum(last.last, rise)).map(|(a, b)| a.max(b));
        }
    }
}

/// The ends of a number that starts so, where those that conditions say are missing.
fn assumed(start: i64, low: Option<i64>, high: Option<i64>) -> Ends {
    let (is_low_assumed, is_high_assumed) = (low.is_none(), high.is_none());
    let (low, high) = match (low, high) {
        (Some(low), Some(high)) => (low, high),
        (Some(low), None) => (low, low.saturating_add(WIDEST).max(start)),
        (None, Some(high)) => (high.saturating_sub(WIDEST).min(start), high),
        (None, None) => {
            let low = start.saturating_sub(WIDEST / 2);
            (low, low.saturating_add(WIDEST))
        }
    };
    Ends { low, high, is_low_assumed, is_high_assumed }
}

fn moves(what: NumberChange) -> bool {
    matches!(what, NumberChange::Add(_))
}
