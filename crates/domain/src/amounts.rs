//! Sets of values, and effects that count: the arithmetic of amounts.
//!
//! In:   values as positions among those of their variable; the position of an amount is its
//!       number less the low end of its range.
//! Out:  [`ValueSet`], which is closed under all that conditions do, and [`ShiftBy`], an effect that
//!       moves a value by so much.
//! Cost: a few comparisons; a set is a small value without memory of its own.
//!
//! An unknown value ([`UNKNOWN`]) is in no set: a position of its own
//! above all others.

/// The value of a variable that is not known: it equals no value.
pub const UNKNOWN: u16 = u16::MAX;

/// How many runs of values a set may have.
pub const MOST_RUNS: usize = 8;

/// Values of one variable, by position: at most [`MOST_RUNS`] runs with gaps between them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ValueSet {
    n_runs: u8,
    /// First and last of each, rising; the unused ones are zero.
    runs: [(u16, u16); MOST_RUNS],
}

impl ValueSet {
    /// No value.
    pub const EMPTY: ValueSet = ValueSet { n_runs: 0, runs: [(0, 0); MOST_RUNS] };

    /// The values from one to another, both included; none if the second is below the first.
    pub const fn run(first: u16, last: u16) -> ValueSet {
        if last < first {
            return ValueSet::EMPTY;
        }
        let mut runs = [(0, 0); MOST_RUNS];
        runs[0] = (first, last);
        ValueSet { n_runs: 1, runs }
    }

    /// One value.
    pub const fn one(value: u16) -> ValueSet {
        ValueSet::run(value, value)
    }

    /// All values of a variable that has so many.
    pub const fn all(n_values: u16) -> ValueSet {
        match n_values {
            0 => ValueSet::EMPTY,
            n => ValueSet::run(0, n - 1),
        }
    }

    /// The set of these values, which rise; `None` if they are in too many runs.
    pub fn of(values: impl IntoIterator<Item = u16>) -> Option<ValueSet> {
        let mut set = ValueSet::EMPTY;
        for value in values {
            set.push(value, value)?;
        }
        Some(set)
    }

    /// The set of these runs, which rise; `None` if there are too many.
    pub fn of_runs(runs: impl IntoIterator<Item = (u16, u16)>) -> Option<ValueSet> {
        let mut set = ValueSet::EMPTY;
        for (first, last) in runs {
            set.push(first, last)?;
        }
        Some(set)
    }

    /// Adds a run that does not begin before the last one; one that touches the last lengthens it.
    fn push(&mut self, first: u16, last: u16) -> Option<()> {
        if last < first {
            return Some(());
        }
        let n = usize::from(self.n_runs);
        if let Some(before) = self.runs[..n].last_mut()
            && first <= before.1.saturating_add(1)
        {
            before.1 = before.1.max(last);
            return Some(());
        }
        *self.runs.get_mut(n)? = (first, last);
        self.n_runs += 1;
        Some(())
    }

    /// Its runs, first and last of each, rising.
    #[inline]
    pub fn runs(&self) -> &[(u16, u16)] {
        &self.runs[..usize::from(self.n_runs)]
    }

    /// Whether a value is in it.
    #[inline]
    pub fn has(&self, value: u16) -> bool {
        self.runs().iter().any(|&(first, last)| first <= value && value <= last)
    }

    /// Whether nothing is in it.
    pub const fn is_empty(&self) -> bool {
        self.n_runs == 0
    }

    /// Its least and its greatest value.
    #[inline]
    pub fn ends(&self) -> Option<(u16, u16)> {
        Some((self.runs().first()?.0, self.runs().last()?.1))
    }

    /// The only value in it.
    pub fn only(&self) -> Option<u16> {
        match self.runs() {
            &[(first, last)] if first == last => Some(first),
            _ => None,
        }
    }

    /// How many values are in it.
    pub fn count(&self) -> usize {
        self.runs().iter().map(|&(first, last)| usize::from(last - first) + 1).sum()
    }

    /// Its values, rising.
    pub fn values(&self) -> impl Iterator<Item = u16> + '_ {
        self.runs().iter().flat_map(|&(first, last)| first..=last)
    }

    /// Whether every value of `other` is in it.
    pub fn has_all(&self, other: &ValueSet) -> bool {
        let in_one = |run: &(u16, u16)| self.runs().iter().any(|r| r.0 <= run.0 && run.1 <= r.1);
        other.runs().iter().all(in_one)
    }

    /// What is in both; `None` if that has too many runs.
    pub fn both(&self, other: &ValueSet) -> Option<ValueSet> {
        let (mut set, mut from) = (ValueSet::EMPTY, 0);
        for &(first, last) in self.runs() {
            for (at, &(f, l)) in other.runs().iter().enumerate().skip(from) {
                if f > last {
                    break;
                }
                set.push(first.max(f), last.min(l))?;
                if l <= last {
                    from = at + 1;
                }
            }
        }
        Some(set)
    }

    /// What is in one of them; `None` if that has too many runs.
    pub fn either(&self, other: &ValueSet) -> Option<ValueSet> {
        let (mut a, mut b) = (self.runs(), other.runs());
        let mut set = ValueSet::EMPTY;
        loop {
            let list = match (a.first(), b.first()) {
                (Some(x), Some(y)) if x <= y => &mut a,
                (_, Some(_)) => &mut b,
                (Some(_), None) => &mut a,
                (None, None) => return Some(set),
            };
            if let Some((&(first, last), rest)) = list.split_first() {
                set.push(first, last)?;
                *list = rest;
            }
        }
    }

    /// The same to the ends of a variable with so many values, where it reaches the ends of `within`:
    /// what both have in common stays.
    pub(crate) fn widened(mut self, within: &ValueSet, n_values: u16) -> ValueSet {
        let (Some((low, high)), n) = (within.ends(), usize::from(self.n_runs)) else { return self };
        if let Some(first) = self.runs[..n].first_mut().filter(|first| first.0 == low) {
            first.0 = 0;
        }
        if let Some(last) = self.runs[..n].last_mut().filter(|last| last.1 == high) {
            last.1 = last.1.max(n_values.saturating_sub(1));
        }
        self
    }

    /// The values of a variable with so many that are not in it; `None` if they have too many runs.
    pub fn others(&self, n_values: u16) -> Option<ValueSet> {
        let (mut set, mut next) = (ValueSet::EMPTY, Some(0));
        for &(first, last) in self.runs() {
            if let (Some(from), Some(to)) = (next, first.checked_sub(1)) {
                set.push(from, to.min(n_values.saturating_sub(1)))?;
            }
            next = last.checked_add(1);
        }
        if let (Some(from), Some(to)) = (next, n_values.checked_sub(1)) {
            set.push(from, to)?;
        }
        Some(set)
    }
}

/// What happens to a [`ShiftBy`] at the end of the range.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ShiftEnd {
    /// It cannot be done where it would leave the range.
    Refuse,
    /// It stops at this value: a rise never goes above it, a fall never below; a value that is
    /// beyond already stays.
    Stop(u16),
}

/// An effect that counts: moves a known value up or down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ShiftBy {
    /// By how much; not zero.
    pub by: i32,
    /// What happens at the end.
    pub end: ShiftEnd,
}

impl ShiftBy {
    /// What a value becomes, of a variable with so many; `None` if it would leave the range, or is
    /// unknown.
    #[inline]
    pub fn apply(self, value: u16, n_values: u16) -> Option<u16> {
        if value >= n_values {
            return None;
        }
        let sum = i32::from(value) + self.by;
        match self.end {
            ShiftEnd::Refuse => u16::try_from(sum).ok().filter(|&sum| sum < n_values),
            ShiftEnd::Stop(stop) => {
                let (value, stop) = (i32::from(value), i32::from(stop));
                let moved = match self.by >= 0 {
                    true => value.max(sum.min(stop)),
                    false => value.min(sum.max(stop)),
                };
                Some(moved as u16)
            }
        }
    }

    /// Whether it changes one of these values, with which it can be done.
    pub(crate) fn moves(self, values: &ValueSet) -> bool {
        let (ShiftEnd::Stop(stop), Some((least, greatest))) = (self.end, values.ends()) else {
            return self.by != 0 && !values.is_empty();
        };
        // What lies at the stop or beyond stays.
        if self.by > 0 { least < stop } else { self.by < 0 && greatest > stop }
    }

    /// The values that it can be done with, of a variable with so many.
    pub fn domain(self, n_values: u16) -> ValueSet {
        let all = ValueSet::all(n_values);
        let (ShiftEnd::Refuse, Some((_, top))) = (self.end, all.ends()) else { return all };
        let (first, last) = match self.by >= 0 {
            true => (0, i32::from(top) - self.by),
            false => (-self.by, i32::from(top)),
        };
        match (u16::try_from(first), u16::try_from(last)) {
            (Ok(first), Ok(last)) => ValueSet::run(first, last),
            _ => ValueSet::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: u16 = 9;

    fn every_set() -> impl Iterator<Item = (u32, ValueSet)> {
        (0..1u32 << N).map(|bits| {
            (bits, ValueSet::of((0..N).filter(|value| bits >> value & 1 == 1)).unwrap())
        })
    }

    fn bits(set: &ValueSet) -> u32 {
        (0..N).filter(|&value| set.has(value)).fold(0, |bits, value| bits | 1 << value)
    }

    #[test]
    fn every_operation_is_that_of_sets() {
        let all: Vec<_> = every_set().collect();
        for (a, set) in &all {
            assert_eq!(bits(set), *a);
            assert_eq!(set.count(), a.count_ones() as usize);
            assert_eq!(set.is_empty(), *a == 0);
            assert_eq!(set.only().is_some(), a.is_power_of_two());
            assert_eq!(bits(&set.others(N).unwrap()), !a & ((1 << N) - 1));
            assert_eq!(ValueSet::of(set.values()), Some(*set));
            assert_eq!(ValueSet::of_runs(set.runs().iter().copied()), Some(*set));
            for (b, other) in all.iter().step_by(7) {
                assert_eq!(bits(&set.both(other).unwrap()), a & b, "{set:?} {other:?}");
                assert_eq!(bits(&set.either(other).unwrap()), a | b, "{set:?} {other:?}");
                assert_eq!(set.has_all(other), a & b == *b);
            }
        }
    }

    #[test]
    fn too_many_runs_are_no_set() {
        assert!(ValueSet::of((0..MOST_RUNS as u16).map(|at| 2 * at)).is_some());
        assert!(ValueSet::of((0..=MOST_RUNS as u16).map(|at| 2 * at)).is_none());
        let even = ValueSet::of((0..MOST_RUNS as u16).map(|at| 4 * at)).unwrap();
        let odd = ValueSet::of((0..MOST_RUNS as u16).map(|at| 4 * at + 2)).unwrap();
        assert_eq!(even.either(&odd), None);
        assert_eq!(even.both(&odd), Some(ValueSet::EMPTY));
        assert_eq!(ValueSet::run(0, 65_534).others(65_535), Some(ValueSet::EMPTY));
    }

    #[test]
    fn a_shift_is_refused_or_stops() {
        for by in (-12..=12).filter(|&by| by != 0) {
            let refuse = ShiftBy { by, end: ShiftEnd::Refuse };
            for value in 0..N {
                let sum = i32::from(value) + by;
                let inside = (0..i32::from(N)).contains(&sum);
                assert_eq!(refuse.apply(value, N), inside.then_some(sum as u16));
                assert_eq!(refuse.domain(N).has(value), inside);
                for stop in 0..N {
                    let shift = ShiftBy { by, end: ShiftEnd::Stop(stop) };
                    let beyond = if by > 0 { value >= stop } else { value <= stop };
                    let past = if by > 0 { sum > stop.into() } else { sum < stop.into() };
                    let moved = if past { stop } else { sum as u16 };
                    let expected = if beyond { value } else { moved };
                    assert_eq!(shift.apply(value, N), Some(expected), "{by} {value} {stop}");
                    assert_eq!(shift.domain(N), ValueSet::all(N));
                }
            }
            assert_eq!(refuse.apply(u16::MAX, N), None);
        }
    }
}
