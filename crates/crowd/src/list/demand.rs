//! Demands: a set of values per variable, as lanes of sixteen bits, and what must hold before an
//! action so that a demand holds after it.
//!
//! In:   variables with the number of their values; rules, which are actions whose needs are one
//!       run of values per amount.
//! Out:  regression, which is exact: sets of values per variable stay sets of values per variable.
//! Cost: a step per variable that a rule speaks of.
//!
//! In every form a lane of 0 asks for nothing, and more in it asks for more. A variable of few
//! values is a *mask*, a bit for each that is not allowed; one of many is two *bounds*, how much at
//! least, and how much at least below the top. Values are known: what is unknown is asked for
//! elsewhere, and nothing makes a value unknown.

use throng_domain::amounts::{ShiftBy, ShiftEnd, ValueSet};
use throng_domain::compile::PackedValue;

/// Variables with more values have bounds.
pub(super) const MOST_IN_MASK: usize = 16;

/// Where a variable lies in a demand, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Nothing is ever asked of it.
    None,
    /// A bit per value that is not allowed.
    Mask { lane: usize },
    /// At least so much, and in the lane behind it: at least so much below the top.
    Bounds { lane: usize },
}

/// What becomes of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    Set(PackedValue),
    Shift(ShiftBy),
}

/// What a rule asks of a variable, and does to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) variable: usize,
    pub(super) need: Option<ValueSet>,
    pub(super) effect: Option<Effect>,
}

/// How demands are written.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    forms: Vec<Form>,
    tops: Vec<u16>,
    n_masks: usize,
    n_lanes: usize,
}

/// A rule on lanes: what it does to each that it speaks of.
#[derive(Clone, Debug)]
pub(super) struct LaneRule {
    ops: Vec<Op>,
    /// The lanes that it changes.
    changes: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Op {
    NeedMask {
        lane: usize,
        need: u16,
    },
    SetMask {
        lane: usize,
        bit: u16,
        need: u16,
    },
    /// By value before, the bit of the value after it, 0 if it cannot be; and the bits of all.
    ShiftMask {
        lane: usize,
        to: [u16; MOST_IN_MASK],
        all: u16,
    },
    NeedBounds {
        lane: usize,
        top: u16,
        need: (u16, u16),
    },
    SetBounds {
        lane: usize,
        top: u16,
        value: u16,
        need: (u16, u16),
    },
    ShiftBounds {
        lane: usize,
        top: u16,
        by: ShiftBy,
        need: (u16, u16),
    },
}

impl Layout {
    /// A layout for variables with so many values each, of which some are asked for.
    pub(super) fn new(sizes: &[u16], is_asked: impl Fn(usize) -> bool) -> Layout {
        let is_mask = |at: &usize| usize::from(sizes[*at]) <= MOST_IN_MASK;
        let asked = || (0..sizes.len()).filter(|&at| is_asked(at));
        let mut forms = vec![Form::None; sizes.len()];
        let mut n_lanes = 0;
        for at in asked().filter(is_mask) {
            forms[at] = Form::Mask { lane: n_lanes };
            n_lanes += 1;
        }
        let n_masks = n_lanes;
        for at in asked().filter(|at| !is_mask(at)) {
            forms[at] = Form::Bounds { lane: n_lanes };
            n_lanes += 2;
        }
        let tops = sizes.iter().map(|size| size.saturating_sub(1)).collect();
        Layout { forms, tops, n_masks, n_lanes }
    }

    pub(super) fn n_lanes(&self) -> usize {
        self.n_lanes
    }

    /// The first lanes are masks.
    pub(super) fn n_masks(&self) -> usize {
        self.n_masks
    }

    /// Writes a set of values, one run of bounds, into a demand that asks for nothing of its
    /// variable; `false` if nothing is in it.
    pub(super) fn write(&self, variable: usize, set: &ValueSet, demand: &mut [u16]) -> bool {
        match self.forms[variable] {
            Form::None => {}
            Form::Mask { lane } => demand[lane] = self.mask(variable, set),
            Form::Bounds { lane } => {
                let Some(bounds) = self.bounds(variable, set) else { return false };
                (demand[lane], demand[lane + 1]) = bounds;
            }
        }
        !set.is_empty()
    }

    /// Writes the demand that only a state satisfies; `false` if one of its values is unknown.
    pub(super) fn write_state(&self, state: &[PackedValue], demand: &mut [u16]) -> bool {
        for ((form, &top), &value) in self.forms.iter().zip(&self.tops).zip(state) {
            match *form {
                Form::None => {}
                _ if value > top => return false,
                Form::Mask { lane } => demand[lane] = !(1 << value),
                Form::Bounds { lane } => (demand[lane], demand[lane + 1]) = (value, top - value),
            }
        }
        true
    }

    /// The values of a mask that are not in a set.
    fn mask(&self, variable: usize, set: &ValueSet) -> u16 {
        let top = self.tops[variable];
        (0..=top).filter(|&value| !set.has(value)).fold(0, |bits, value| bits | 1 << value)
    }

    /// The bounds of a run.
    fn bounds(&self, variable: usize, set: &ValueSet) -> Option<(u16, u16)> {
        let (first, last) = set.ends()?;
        Some((first, self.tops[variable] - last.min(self.tops[variable])))
    }

    /// A rule on lanes; `None` if it can never be done, or changes nothing that is asked for.
    pub(super) fn rule(&self, terms: &[Term]) -> Option<LaneRule> {
        let mut rule = LaneRule { ops: Vec::new(), changes: Vec::new() };
        for term in terms {
            let top = self.tops[term.variable];
            let all = match term.effect {
                Some(Effect::Shift(by)) => by.domain(top.saturating_add(1)),
                _ => ValueSet::run(0, top),
            };
            // Both are one run where they are bounds, so nothing is split.
            let need = term.need.map_or(Some(all), |need| need.both(&all))?;
            if need.is_empty() {
                return None;
            }
            let op = match self.forms[term.variable] {
                Form::None => continue,
                Form::Mask { lane } => {
                    let mask = self.mask(term.variable, &need);
                    match term.effect {
                        None => Op::NeedMask { lane, need: mask },
                        Some(Effect::Set(value)) => {
                            Op::SetMask { lane, bit: 1 << value, need: mask }
                        }
                        Some(Effect::Shift(by)) => {
                            let mut to = [0; MOST_IN_MASK];
                            for value in need.values() {
                                let after = by.apply(value, top + 1);
                                to[usize::from(value)] = after.map_or(0, |after| 1 << after);
                            }
                            let all = self.mask(term.variable, &ValueSet::EMPTY);
                            Op::ShiftMask { lane, to, all }
                        }
                    }
                }
                Form::Bounds { lane } => {
                    let need = self.bounds(term.variable, &need)?;
                    match term.effect {
                        None => Op::NeedBounds { lane, top, need },
                        Some(Effect::Set(value)) => Op::SetBounds { lane, top, value, need },
                        Some(Effect::Shift(by)) => Op::ShiftBounds { lane, top, by, need },
                    }
                }
            };
            if term.effect.is_some() {
                rule.changes.extend(op.lanes());
            }
            rule.ops.push(op);
        }
        (!rule.changes.is_empty()).then_some(rule)
    }
}

impl Op {
    fn lanes(self) -> std::ops::Range<usize> {
        match self {
            Op::NeedMask { lane, .. } | Op::SetMask { lane, .. } | Op::ShiftMask { lane, .. } => {
                lane..lane + 1
            }
            Op::NeedBounds { lane, .. }
            | Op::SetBounds { lane, .. }
            | Op::ShiftBounds { lane, .. } => lane..lane + 2,
        }
    }
}

impl LaneRule {
    /// Whether it does something about what a demand asks for.
    pub(super) fn serves(&self, after: &[u16]) -> bool {
        self.changes.iter().any(|&lane| after[lane] != 0)
    }

    /// Writes what must hold before it so that a demand holds after it; `false` if nothing can.
    pub(super) fn before(&self, after: &[u16], before: &mut [u16]) -> bool {
        before.copy_from_slice(after);
        self.ops.iter().all(|op| op.before(after, before))
    }
}

impl Op {
    fn before(&self, after: &[u16], before: &mut [u16]) -> bool {
        match *self {
            Op::NeedMask { lane, need } => {
                before[lane] |= need;
                true
            }
            Op::SetMask { lane, bit, need } => {
                before[lane] = need;
                after[lane] & bit == 0
            }
            Op::ShiftMask { lane, to, all } => {
                let is_fine = |(_, bit): &(usize, &u16)| **bit != 0 && after[lane] & **bit == 0;
                let may = to.iter().enumerate().filter(is_fine);
                let may = may.fold(0u16, |bits, (value, _)| bits | 1 << value);
                before[lane] = all & !may;
                may != 0
            }
            Op::NeedBounds { lane, top, need } => {
                before[lane] = before[lane].max(need.0);
                before[lane + 1] = before[lane + 1].max(need.1);
                fits(before, lane, top)
            }
            Op::SetBounds { lane, top, value, need } => {
                (before[lane], before[lane + 1]) = need;
                after[lane] <= value && after[lane + 1] <= top - value
            }
            Op::ShiftBounds { lane, top, by, need } => {
                let wanted = (after[lane], top - after[lane + 1].min(top));
                let Some((first, last)) = preimage(by, wanted, top) else { return false };
                before[lane] = first.max(need.0);
                before[lane + 1] = (top - last).max(need.1);
                fits(before, lane, top)
            }
        }
    }
}

/// Whether two bounds leave something between them.
fn fits(demand: &[u16], lane: usize, top: u16) -> bool {
    u32::from(demand[lane]) + u32::from(demand[lane + 1]) <= u32::from(top)
}

/// The run of values that a shift takes into another; `None` if there is none.
fn preimage(shift: ShiftBy, (first, last): (u16, u16), top: u16) -> Option<(u16, u16)> {
    let (first, last, top) = (i64::from(first), i64::from(last), i64::from(top));
    let by = i64::from(shift.by);
    let (low, high) = match shift.end {
        ShiftEnd::Refuse => (first - by, last - by),
        ShiftEnd::Stop(stop) => {
            let stop = i64::from(stop);
            match by >= 0 {
                true => {
                    let low = if first <= stop { first - by } else { first };
                    let high = if stop <= last { last } else { last - by };
                    (low, high)
                }
                false => {
                    let low = if first <= stop { first } else { first - by };
                    let high = if stop <= last { last - by } else { last };
                    (low, high)
                }
            }
        }
    };
    let (low, high) = (low.max(0), high.min(top));
    (low <= high).then_some((low as u16, high as u16))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every set of a variable of few values: masks and bounds against trying every value.
    #[test]
    fn regression_is_exact_for_every_run_and_every_shift() {
        let sizes = [7u16, 7];
        for stop in (0..7).map(ShiftEnd::Stop).chain([ShiftEnd::Refuse]) {
            for by in (-8..=8).filter(|&by| by != 0) {
                let shift = ShiftBy { by, end: stop };
                for (first, last) in (0..7u16).flat_map(|a| (a..7).map(move |b| (a, b))) {
                    let wanted = ValueSet::run(first, last);
                    let to = |value: u16| shift.apply(value, 7).filter(|&it| wanted.has(it));
                    let exact: Vec<u16> = (0..7).filter(|&it| to(it).is_some()).collect();
                    let range = preimage(shift, (first, last), 6);
                    let found = range.map_or(Vec::new(), |(low, high)| (low..=high).collect());
                    let domain = shift.domain(7);
                    let found: Vec<u16> = found.into_iter().filter(|&it| domain.has(it)).collect();
                    assert_eq!(found, exact, "{shift:?} into {first}..{last}");
                    let layout = Layout::new(&sizes, |at| at == 0);
                    let need = ValueSet::run(1, 5).both(&domain).unwrap();
                    let effect = Some(Effect::Shift(shift));
                    let Some(rule) = layout.rule(&[Term { variable: 0, need: Some(need), effect }])
                    else {
                        continue;
                    };
                    let (mut after, mut before) = ([0], [0]);
                    layout.write(0, &wanted, &mut after);
                    let can = rule.before(&after, &mut before);
                    let allowed: Vec<u16> =
                        (0..7).filter(|value| can && before[0] >> value & 1 == 0).collect();
                    let exact: Vec<u16> = exact.into_iter().filter(|&it| need.has(it)).collect();
                    assert_eq!(allowed, exact, "{shift:?} into {first}..{last}");
                }
            }
        }
    }
}
