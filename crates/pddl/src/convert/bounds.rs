//! How far the numbers of a task can go.
//!
//! In:   a task that counts.
//! Out:  per number its least and its greatest value, as far as conditions say; and what tests
//!       allow.
//! Cost: linear in the task.
//!
//! An operator that adds to a number makes it no more than the most that it asks for, and what it
//! adds. So a number has a greatest value if all that raises it asks for a most.

use crate::counted::{CountedTask, HOLDS, NumberChange, Run, Test, runs_of, turned};
use throng_domain::Relation;
use throng_planner::forward::Atom;

/// So many values a number can have in a domain.
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
    pub(super) fn run(self) -> Run {
        Run { first: Some(self.low), last: Some(self.high) }
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
    pub(super) fn allowed(&self, number: u32, atom: Atom) -> Option<Vec<Run>> {
        let runs = match self.task.tests.get(&atom.variable)? {
            Test::In(of, runs) if *of == number => runs.clone(),
            &Test::Compare(of, relation, other) if of == number => {
                self.compared(relation, other)?
            }
            &Test::Compare(other, relation, of) if of == number => {
                self.compared(turned(relation), other)?
            }
            _ => return None,
        };
        Some(if atom.value == HOLDS { runs } else { others(&runs) })
    }

    /// The runs in a relation to a number that stands still.
    fn compared(&self, relation: Relation, other: u32) -> Option<Vec<Run>> {
        let stands = !self.is_changed[other as usize];
        stands.then(|| runs_of(relation, self.task.numbers[other as usize].start))
    }

    /// The runs of a number that all of some facts allow.
    pub(super) fn all_allow(&self, number: u32, atoms: &[Atom]) -> Vec<Run> {
        let mut runs = vec![Run { first: None, last: None }];
        for allowed in atoms.iter().filter_map(|&atom| self.allowed(number, atom)) {
            runs = both(&runs, &allowed);
        }
        runs
    }

    /// The ends of a number that changes; without one that conditions say, one is assumed.
    pub(super) fn ends(&self, number: u32) -> Ends {
        let start = self.task.numbers[number as usize].start;
        let (mut low, mut high) = (Some(start), Some(start));
        for (operator, changes) in (0..).zip(&self.task.changes) {
            let own = || changes.iter().filter(|change| change.number == number);
            let needs = self.task.named.task.needs(operator);
            let (mut fall, mut rise, mut n_moves) = (0i64, 0i64, 0);
            for change in own() {
                match change.what {
                    NumberChange::Set(to) => {
                        low = low.map(|low| low.min(to));
                        high = high.map(|high| high.max(to));
                    }
                    NumberChange::Add(by) => {
                        fall = fall.saturating_add(by.min(0));
                        rise = rise.saturating_add(by.max(0));
                        n_moves += 1;
                    }
                }
            }
            if n_moves == 0 {
                continue;
            }
            // Of one move its own condition counts, too.
            let mut from = self.all_allow(number, needs);
            if let (1, Some(change)) = (n_moves, own().find(|it| moves(it.what))) {
                let within = change.when.iter().flat_map(|when| self.all_allow(number, when));
                from = both(&from, &united(within.collect()));
            }
            let (Some(first), Some(last)) = (from.first(), from.last()) else { continue };
            let sum = |end: Option<i64>, by: i64| Some(end?.saturating_add(by));
            if fall < 0 {
                low = low.zip(sum(first.first, fall)).map(|(low, least)| low.min(least));
            }
            if rise > 0 {
                high = high.zip(sum(last.last, rise)).map(|(high, most)| high.max(most));
            }
        }
        let (is_low_assumed, is_high_assumed) = (low.is_none(), high.is_none());
        let (low, high) = match (low, high) {
            (Some(low), Some(high)) => (low, high),
            (Some(low), None) => (low, low.saturating_add(WIDEST - 1).max(start)),
            (None, Some(high)) => (high.saturating_sub(WIDEST - 1).min(start), high),
            (None, None) => {
                let low = start.saturating_sub(WIDEST / 2);
                (low, low.saturating_add(WIDEST - 1))
            }
        };
        Ends { low, high, is_low_assumed, is_high_assumed }
    }
}

fn moves(what: NumberChange) -> bool {
    matches!(what, NumberChange::Add(_))
}

/// An end of a run as a number: the first, or the last.
fn first(run: &Run) -> i64 {
    run.first.unwrap_or(i64::MIN)
}

fn last(run: &Run) -> i64 {
    run.last.unwrap_or(i64::MAX)
}

/// What is in both; both rise.
pub(super) fn both(one: &[Run], other: &[Run]) -> Vec<Run> {
    let mut made = Vec::new();
    for a in one {
        for b in other {
            if first(a).max(first(b)) <= last(a).min(last(b)) {
                let least = if first(a) >= first(b) { a.first } else { b.first };
                let most = if last(a) <= last(b) { a.last } else { b.last };
                made.push(Run { first: least, last: most });
            }
        }
    }
    made
}

/// What is not in it; it rises.
fn others(runs: &[Run]) -> Vec<Run> {
    let mut made = vec![Run { first: None, last: None }];
    for run in runs {
        let below = run.first.map(|first| Run { first: None, last: Some(first.saturating_sub(1)) });
        let above = run.last.map(|last| Run { first: Some(last.saturating_add(1)), last: None });
        let outside: Vec<Run> = below.into_iter().chain(above).collect();
        made = both(&made, &outside);
    }
    made
}

/// What is in one of them, rising; those that touch are one.
pub(super) fn united(mut runs: Vec<Run>) -> Vec<Run> {
    runs.sort_unstable_by_key(|run| (first(run), last(run)));
    let mut made: Vec<Run> = Vec::new();
    for run in runs {
        match made.last_mut() {
            Some(before) if first(&run) <= last(before).saturating_add(1) => {
                if last(&run) > last(before) {
                    before.last = run.last;
                }
            }
            _ => made.push(run),
        }
    }
    made
}
