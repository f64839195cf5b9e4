//! Shifts one after the other, as one function of the value before them.
//!
//! In:   shifts of one amount, each done with what the one before gives.
//! Out:  pieces on which the value moves by so much or ends at one value; which values come out in
//!       a set; and whether all of it is one shift again.
//! Cost: linear in the pieces, of which each shift adds at most two.

use crate::amounts::{ShiftBy, ShiftEnd, ValueSet};

/// More pieces than this are no action that a designer would write.
const MOST_PIECES: usize = 64;

/// What becomes of values that lie side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum To {
    By(i32),
    At(u16),
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    first: u16,
    last: u16,
    to: To,
}

impl Piece {
    fn apply(&self, value: u16) -> u16 {
        match self.to {
            To::By(by) => (i32::from(value) + by) as u16,
            To::At(at) => at,
        }
    }
}

/// What becomes of each value of an amount; never falls where the value rises.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// Rising, with gaps where it cannot be done.
    pieces: Vec<Piece>,
    n_values: u16,
}

/// What all shifts together do.
pub(super) enum Together {
    Stays,
    Becomes(u16),
    Shifts(ShiftBy),
}

impl Moves {
    pub(super) fn of(shift: ShiftBy, n_values: u16) -> Moves {
        Moves { pieces: pieces(shift, n_values), n_values }
    }

    /// The same with one more shift; `None` if there are too many pieces.
    pub(super) fn and_then(&self, shift: ShiftBy, n_values: u16) -> Option<Moves> {
        let next = pieces(shift, n_values);
        let mut all: Vec<Piece> = Vec::new();
        for piece in &self.pieces {
            for then in &next {
                let (first, last, to) = match (piece.to, then.to) {
                    (To::At(at), _) if at < then.first || at > then.last => continue,
                    (To::At(at), _) => (piece.first, piece.last, To::At(then.apply(at))),
                    (To::By(by), to) => {
                        let back = |value: u16| i32::from(value) - by;
                        let first = back(then.first).max(piece.first.into());
                        let last = back(then.last).min(piece.last.into());
                        if first > last {
                            continue;
                        }
                        let to = match to {
                            To::By(more) => To::By(by + more),
                            at => at,
                        };
                        (first as u16, last as u16, to)
                    }
                };
                match all.last_mut() {
                    Some(before) if before.to == to && before.last + 1 == first => {
                        before.last = last;
                    }
                    _ => all.push(Piece { first, last, to }),
                }
            }
        }
        (all.len() <= MOST_PIECES).then_some(Moves { pieces: all, n_values: self.n_values })
    }

    fn piece(&self, value: u16) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.first <= value && value <= piece.last)
    }

    /// What a value becomes.
    pub(super) fn apply(&self, value: u16) -> Option<u16> {
        self.piece(value).map(|piece| piece.apply(value))
    }

    /// The values that become one of these; `None` if they are in too many runs.
    pub(super) fn before(&self, after: &ValueSet) -> Option<ValueSet> {
        let mut runs = Vec::new();
        for piece in &self.pieces {
            match piece.to {
                To::At(at) if after.has(at) => runs.push((piece.first, piece.last)),
                To::At(_) => {}
                To::By(by) => {
                    for &(first, last) in after.runs() {
                        let first = (i32::from(first) - by).max(piece.first.into());
                        let last = (i32::from(last) - by).min(piece.last.into());
                        if first <= last {
                            runs.push((first as u16, last as u16));
                        }
                    }
                }
            }
        }
        ValueSet::of_runs(runs)
    }

    /// What it does with these values, all of which it can be done with; `None` if that is neither
    /// a value nor a shift.
    pub(super) fn together(&self, values: &ValueSet) -> Option<Together> {
        let (least, greatest) = values.ends()?;
        let [low, high] = [self.apply(least)?, self.apply(greatest)?];
        if low == high {
            // It never falls, so all that lies between ends there too.
            return Some(if values.only() == Some(low) {
                Together::Stays
            } else {
                Together::Becomes(low)
            });
        }
        let stays =
            Moves { pieces: vec![Piece { first: 0, last: u16::MAX, to: To::By(0) }], ..*self };
        if self.agrees(&stays, values) {
            return Some(Together::Stays);
        }
        let shift = self
            .candidates(values)
            .into_iter()
            .find(|&shift| shift.by != 0 && self.agrees(&Moves::of(shift, self.n_values), values));
        shift.map(Together::Shifts)
    }

    /// The shifts that it could be, plain ones first.
    fn candidates(&self, values: &ValueSet) -> Vec<ShiftBy> {
        let ends = |piece: &Piece| {
            let inside = ValueSet::run(piece.first, piece.last).both(values)?;
            Some((inside.ends()?, piece.to))
        };
        let seen: Vec<((u16, u16), To)> = self.pieces.iter().filter_map(ends).collect();
        // By how much the ends of each piece move, and where a shift of them may stop: where they
        // come to lie, or just before what stays.
        let (mut by, mut stops) = (Vec::new(), Vec::new());
        for &((first, last), to) in &seen {
            let piece = Piece { first, last, to };
            for value in [first, last] {
                let after = piece.apply(value);
                by.push(i32::from(after) - i32::from(value));
                stops.push(Some(after));
                if after == value {
                    stops.extend([value.checked_sub(1), value.checked_add(1)]);
                }
            }
        }
        by.retain(|&by| by != 0);
        by.sort_by_key(|by| -by.abs());
        by.dedup();
        let mut stops: Vec<u16> =
            stops.into_iter().flatten().filter(|&it| it < self.n_values).collect();
        stops.sort_unstable();
        stops.dedup();
        // Plain shifts first; of those that stop, the farthest: the others were stopped.
        let plain = by.iter().map(|&by| ShiftBy { by, end: ShiftEnd::Refuse });
        let mut found: Vec<ShiftBy> = plain.collect();
        for &by in &by {
            found.extend(stops.iter().map(|&stop| ShiftBy { by, end: ShiftEnd::Stop(stop) }));
        }
        found
    }

    /// Whether it does the same with these values.
    fn agrees(&self, other: &Moves, values: &ValueSet) -> bool {
        values.runs().iter().all(|&(first, last)| {
            let mut at = first;
            loop {
                let (Some(one), Some(two)) = (self.piece(at), other.piece(at)) else {
                    return false;
                };
                let end = one.last.min(two.last).min(last);
                let same =
                    if end == at { one.apply(at) == two.apply(at) } else { one.to == two.to };
                if !same || end == last {
                    return same;
                }
                at = end + 1;
            }
        })
    }
}

/// What a shift does.
fn pieces(shift: ShiftBy, n_values: u16) -> Vec<Piece> {
    let ShiftBy { by, end } = shift;
    let top = i32::from(n_values) - 1;
    let (from, to) = match end {
        ShiftEnd::Refuse => (0.max(-by), top.min(top - by)),
        ShiftEnd::Stop(stop) if by >= 0 => (0, i32::from(stop) - by),
        ShiftEnd::Stop(stop) => (i32::from(stop) - by, top),
    };
    let mut all = vec![(from, to, To::By(by))];
    if let ShiftEnd::Stop(at) = end {
        let stop = i32::from(at);
        match by >= 0 {
            true => all.extend([(to + 1, stop, To::At(at)), (stop + 1, top, To::By(0))]),
            false => all
                .splice(0..0, [(0, stop - 1, To::By(0)), (stop, from - 1, To::At(at))])
                .for_each(drop),
        }
    }
    let inside = all.into_iter().map(|(first, last, to)| (first.max(0), last.min(top), to));
    let some = inside.filter(|(first, last, _)| first <= last);
    some.map(|(first, last, to)| Piece { first: first as u16, last: last as u16, to }).collect()
}
