//! Sets of values with holes, however many: numbered, so that a demand holds a number.
//!
//! In:   runs of values, and how an action moves them.
//! Out:  a number per distinct set; what must hold before an action so that a set holds after it.
//! Cost: linear in runs; a set is kept once.
//!
//! Only amounts that are asked for with holes (`energy < 30 or energy = 50`), or wide ones that
//! are unknown at first, are demanded in this way.

use throng_base::mix::hash;
use throng_base::{IndexTable, Rows};
use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};

/// The set of everything, the unknown included: no demand.
pub(super) const ANY: u16 = 0;

/// A run of values, first and last.
type Run = (u16, u16);

/// Numbered sets, kept between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct RunSets {
    sets: Rows<Run>,
    table: IndexTable,
    made: Vec<Run>,
    pub(super) is_full: bool,
}

impl RunSets {
    pub(super) fn clear(&mut self) {
        self.sets.clear();
        self.table.reset(8);
        self.is_full = false;
        self.made.clear();
        self.made.push((0, u16::MAX));
        self.number();
    }

    pub(super) fn bytes(&self) -> usize {
        self.sets.bytes() + self.table.bytes()
    }

    pub(super) fn runs(&self, set: u16) -> &[Run] {
        self.sets.get(usize::from(set)).unwrap_or(&[])
    }

    /// The number of a set.
    pub(super) fn add(&mut self, values: &ValueSet) -> u16 {
        self.made.clear();
        self.made.extend_from_slice(values.runs());
        self.number()
    }

    /// The number of what was made.
    fn number(&mut self) -> u16 {
        let of = |runs: &[Run]| hash(runs.iter().map(|&(a, b)| u64::from(a) << 16 | u64::from(b)));
        let Some(next) = u16::try_from(self.sets.len()).ok().filter(|&next| next < u16::MAX) else {
            self.is_full = true;
            return ANY;
        };
        let (sets, made) = (&self.sets, &self.made);
        let is_same = |at: u32| sets.row(at as usize) == &made[..];
        let hash_of = |at: u32| of(sets.row(at as usize));
        let found = self.table.find_or_insert(of(made), u32::from(next), is_same, hash_of);
        if let Some(found) = found {
            return found as u16;
        }
        self.sets.push(&self.made);
        next
    }

    pub(super) fn has(&self, set: u16, value: u16) -> bool {
        self.runs(set).iter().any(|&(first, last)| first <= value && value <= last)
    }

    /// Whether every value of one set is in another.
    pub(super) fn is_within(&self, inner: u16, outer: u16) -> bool {
        let outer_runs = self.runs(outer);
        let is_in = |run: &Run| outer_runs.iter().any(|o| o.0 <= run.0 && run.1 <= o.1);
        inner == outer || self.runs(inner).iter().all(is_in)
    }

    /// What is in both; `None` if nothing is.
    pub(super) fn both(&mut self, set: u16, other: u16) -> Option<u16> {
        self.before(set, other, |run| run)
    }

    /// The values of `need` that a shift moves into a set, of a variable with so many; `None` if
    /// there are none.
    pub(super) fn before_shift(
        &mut self,
        set: u16,
        need: u16,
        shift: ShiftBy,
        size: u16,
    ) -> Option<u16> {
        self.before(set, need, |run| ends_before(shift, run, size))
    }

    fn before(&mut self, set: u16, need: u16, of: impl Fn(Run) -> Run) -> Option<u16> {
        self.made.clear();
        for &run in self.sets.get(usize::from(set))? {
            let (from, to) = of(run);
            for &(first, last) in self.sets.get(usize::from(need))? {
                let (first, last) = (first.max(from), last.min(to));
                if first > last {
                    continue;
                }
                match self.made.last_mut() {
                    Some(before) if before.1.saturating_add(1) >= first => before.1 = last,
                    _ => self.made.push((first, last)),
                }
            }
        }
        (!self.made.is_empty()).then(|| self.number())
    }
}

/// The run of known values that a shift moves into a run; the first is above the last if none is.
fn ends_before(shift: ShiftBy, (first, last): Run, size: u16) -> Run {
    let ShiftBy { by, end } = shift;
    let top = i32::from(size) - 1;
    let (first, last) = (i32::from(first), i32::from(last).min(top));
    let (from, to) = match end {
        ShiftEnd::Refuse => (first - by, last - by),
        ShiftEnd::Stop(stop) => {
            let stop = i32::from(stop);
            let moves = |beyond: bool| if beyond { 0 } else { by };
            match by > 0 {
                true => (first - moves(first > stop), last - moves(last >= stop)),
                false => (first - moves(first <= stop), last - moves(last < stop)),
            }
        }
    };
    let (from, to) = (from.max(0), to.min(top));
    match (u16::try_from(from), u16::try_from(to)) {
        (Ok(from), Ok(to)) => (from, to),
        _ => (1, 0),
    }
}
