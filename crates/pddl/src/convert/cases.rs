//! What an operator does to one number, as changes that a domain knows.
//!
//! In:   the changes of the number, and the values that the operator allows.
//! Out:  cases: values, and one change for all of them. A change that stops at an end is one case.
//! Cost: linear in the places where what happens changes.

use super::bounds::{Bounds, Ends};
use crate::counted::{CountedChange, NumberChange, NumberRun, both, united};
use throng_planner::forward::Atom;

/// What happens to some values of a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Case {
    /// The values; rising, within the ends of the number.
    pub(super) runs: Vec<NumberRun>,
    pub(super) what: Move,
}

/// One change of a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Move {
    Stay,
    Set(i64),
    Add(i64),
    /// So much more, or less, but never beyond this.
    Until(i64, i64),
}

impl Move {
    pub(super) fn apply(self, value: i64) -> i64 {
        match self {
            Move::Stay => value,
            Move::Set(to) => to,
            Move::Add(by) => value.saturating_add(by),
            Move::Until(by, end) if by > 0 => value.max(value.saturating_add(by).min(end)),
            Move::Until(by, end) => value.min(value.saturating_add(by).max(end)),
        }
    }
}

/// A condition of a change that is about something else than its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ForeignCondition;

/// The cases of one number, those that it stays at among them; values that would leave the ends,
/// or become two values at once, are in none.
pub(super) fn cases(
    bounds: &Bounds<'_>,
    number: u32,
    ends: Ends,
    allowed: &[NumberRun],
    changes: &[&CountedChange],
) -> Result<Vec<Case>, ForeignCondition> {
    let mut conditions = Vec::with_capacity(changes.len());
    for change in changes {
        let is_own = |&atom: &Atom| bounds.allowed(number, atom).is_some();
        if !change.when.iter().flatten().all(is_own) {
            return Err(ForeignCondition);
        }
        let runs = change.when.iter().flat_map(|when| bounds.all_allow(number, when));
        conditions.push((runs.collect::<Vec<NumberRun>>(), change.what));
    }
    let allowed = both(allowed, &[ends.run()]);
    let mut found: Vec<Case> = Vec::new();
    for piece in pieces(&allowed, &conditions) {
        let (Some(first), Some(last)) = (piece.first, piece.last) else { continue };
        let Some(what) = happens(first, &conditions) else { continue };
        // Where it ends within the range.
        let (low, high) = match what {
            Move::Add(by) => (ends.low.saturating_sub(by), ends.high.saturating_sub(by)),
            _ => (ends.low, ends.high),
        };
        let (first, last) = (first.max(low), last.min(high));
        if first > last {
            continue;
        }
        let piece = NumberRun { first: Some(first), last: Some(last) };
        match found.last_mut() {
            Some(case) if case.what == what => case.runs.push(piece),
            _ => found.push(Case { runs: vec![piece], what }),
        }
    }
    if let Some(what) = stopping(&found, ends) {
        let runs = found.iter().flat_map(|case| case.runs.iter().copied());
        return Ok(vec![Case { runs: united(runs.collect()), what }]);
    }
    // Runs of one change that are apart are one case.
    let mut made: Vec<Case> = Vec::new();
    for case in found {
        match made.iter_mut().find(|known| known.what == case.what) {
            Some(known) => known.runs.extend(case.runs),
            None => made.push(case),
        }
    }
    for case in &mut made {
        case.runs = united(std::mem::take(&mut case.runs));
    }
    Ok(made)
}

/// The allowed values in pieces on which the same happens.
fn pieces(allowed: &[NumberRun], conditions: &[(Vec<NumberRun>, NumberChange)]) -> Vec<NumberRun> {
    let mut begins: Vec<i64> = Vec::new();
    for run in conditions.iter().flat_map(|(runs, _)| runs) {
        begins.extend(run.first);
        begins.extend(run.last.map(|last| last.saturating_add(1)));
    }
    begins.sort_unstable();
    begins.dedup();
    let mut made = Vec::new();
    for run in allowed {
        let (Some(mut from), Some(last)) = (run.first, run.last) else { continue };
        for &begin in &begins {
            if begin > from && begin <= last {
                made.push(NumberRun { first: Some(from), last: Some(begin - 1) });
                from = begin;
            }
        }
        made.push(NumberRun { first: Some(from), last: Some(last) });
    }
    made
}

/// What happens to a value; `None` if it would become two values at once.
fn happens(value: i64, conditions: &[(Vec<NumberRun>, NumberChange)]) -> Option<Move> {
    let is_in = |run: &NumberRun| {
        run.first.is_none_or(|first| first <= value) && run.last.is_none_or(|last| value <= last)
    };
    let (mut set, mut added) = (None, None);
    for (_, what) in conditions.iter().filter(|(runs, _)| runs.iter().any(is_in)) {
        match *what {
            NumberChange::Set(to) if set.is_some_and(|set| set != to) => return None,
            NumberChange::Set(to) => set = Some(to),
            NumberChange::Add(by) => added = Some(added.unwrap_or(0i64).saturating_add(by)),
        }
    }
    match (set, added) {
        (Some(_), Some(_)) => None,
        (Some(to), None) => Some(Move::Set(to)),
        (None, Some(by)) if by != 0 => Some(Move::Add(by)),
        (None, _) => Some(Move::Stay),
    }
}

/// The one change that stops at an end and does what several cases do.
fn stopping(cases: &[Case], ends: Ends) -> Option<Move> {
    if cases.len() < 2 {
        return None;
    }
    let runs = || cases.iter().flat_map(|case| case.runs.iter().map(move |run| (case.what, run)));
    let steps = cases.iter().filter_map(|case| match case.what {
        Move::Add(by) => Some(by),
        _ => None,
    });
    let mut steps: Vec<i64> = steps.collect();
    let mut stops: Vec<i64> = Vec::new();
    for (what, run) in runs() {
        match what {
            Move::Set(to) => stops.push(to),
            Move::Add(by) => {
                let end = if by > 0 { run.last } else { run.first };
                stops.extend(end.map(|end| end.saturating_add(by)));
            }
            _ => {}
        }
    }
    if steps.is_empty() {
        steps.extend(stops.iter().flat_map(|&stop| [stop - ends.low, stop - ends.high]));
    }
    let options = steps.iter().flat_map(|&by| stops.iter().map(move |&stop| Move::Until(by, stop)));
    // On either side of the stop, and of where stopping begins, each is a straight line.
    let agrees = |option: &Move| {
        let &Move::Until(by, stop) = option else { return false };
        by != 0
            && (ends.low..=ends.high).contains(&stop)
            && runs().all(|(what, run)| {
                let (Some(first), Some(last)) = (run.first, run.last) else { return false };
                let bends = [stop, stop.saturating_sub(by)];
                let near = bends.iter().flat_map(|&at| [at - 1, at, at + 1]);
                let near = near.filter(|at| (first..=last).contains(at));
                let mut values = [first, last].into_iter().chain(near);
                values.all(|value| what.apply(value) == option.apply(value))
            })
    };
    options.into_iter().find(agrees)
}
