//! Which signatures of an action can be done in a state.
//!
//! In:   the state's atoms sorted into columns by predicate; an action's digits and checks.
//! Out:  the values of the action's parameters, once per way to do it.
//! Cost: [`Tuples::Counted`], as printed: the product of the columns' lengths. [`Tuples::Joined`]:
//!       only tuples whose beginning agrees.
//!
//! Section 5 of the seed. Columns first: an action whose positive preconditions have an empty
//! column is passed over at once. A number with one digit per column is counted up, the last
//! digit first, and each number is a tuple of atoms whose predicates fit; what is left is whether
//! the recorded places of each parameter have the same object.
//!
//! A predicate is its name and its number of arguments, so columns never mix arities. The seed
//! notes that no predicate of the state may have the name of a negative precondition; taken
//! literally that forbids to take a box while anybody holds another. Here an empty column says at
//! once that a negative precondition is met, and else the atom itself is looked up.

use super::compile::{CONSTANTS, Program};
use super::kept::{Kept, States};
use super::meter::Meter;
use super::schema::{Check, Digit, Schema, Spot};
use super::shared::Shared;
use throng_planner::Limit;

/// How tuples are gone through. Both give the same signatures in the same order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Tuples {
    /// All of them, as the seed counts.
    #[default]
    Counted,
    /// A disagreement turns the digit where it shows, which leaves out all tuples that begin
    /// alike.
    Joined,
}

/// How many tuples are tried between two looks at the caller's stop.
const TUPLES_PER_LOOK: u64 = 1 << 14;

/// A state as the procedure sees it.
pub(super) struct View<'s, K> {
    pub(super) program: &'s Program,
    /// All atoms met, the state's among them.
    pub(super) atoms: &'s Shared,
    /// By predicate, the state's atoms.
    pub(super) columns: &'s [Vec<u32>],
    pub(super) states: &'s States<K>,
    pub(super) tuples: Tuples,
}

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    number: Vec<usize>,
    /// What each digit points at: an atom or an object.
    chosen: Vec<u32>,
    values: Vec<u32>,
    row: Vec<u32>,
}

/// How far the signatures of a state may go.
#[derive(Clone, Copy)]
pub(super) struct Within<'s> {
    /// Asked every so often.
    pub(super) stop: Option<&'s dyn Fn() -> bool>,
    /// At most so many values of parameters.
    pub(super) values: usize,
}

impl<K: Kept> View<'_, K> {
    /// Appends the values of the parameters to `into`, signature by signature; gives how many.
    pub(super) fn signatures<M: Meter>(
        &self,
        schema: &Schema,
        scratch: &mut Scratch,
        into: &mut Vec<u32>,
        within: Within<'_>,
        meter: &mut M,
    ) -> Result<u32, Limit> {
        if schema.digits.iter().any(|digit| self.list(digit).is_empty()) {
            meter.passed_over();
            return Ok(0);
        }
        scratch.number.clear();
        scratch.number.resize(schema.digits.len(), 0);
        scratch.chosen.clear();
        scratch.chosen.extend(schema.digits.iter().map(|digit| self.list(digit)[0]));
        let (mut tried, mut found) = (0u64, 0);
        loop {
            tried += 1;
            if tried % TUPLES_PER_LOOK == 0 && within.stop.is_some_and(|stop| stop()) {
                return Err(Limit::Stopped);
            }
            let failed = schema.checks.iter().find(|check| !self.agrees(schema, check, scratch));
            if failed.is_none() && self.meets_the_rest(schema, scratch) {
                into.extend_from_slice(&scratch.values);
                found += 1;
                if into.len() > within.values {
                    return Err(Limit::Memory);
                }
            }
            let last = schema.digits.len();
            let turned = match (failed, self.tuples) {
                (Some(check), Tuples::Joined) => usize::from(check.digit()) + 1,
                _ => last,
            };
            if !self.count_up(schema, scratch, turned) {
                meter.tuples(tried, u64::from(found));
                return Ok(found);
            }
        }
    }

    /// Turns the last of the first `turned` digits, and those before it as they overflow; `false`
    /// when all tuples have been.
    fn count_up(&self, schema: &Schema, scratch: &mut Scratch, turned: usize) -> bool {
        for digit in turned..schema.digits.len() {
            self.turn(schema, scratch, digit, 0);
        }
        for digit in (0..turned).rev() {
            let next = scratch.number[digit] + 1;
            if next < self.list(&schema.digits[digit]).len() {
                self.turn(schema, scratch, digit, next);
                return true;
            }
            self.turn(schema, scratch, digit, 0);
        }
        false
    }

    fn turn(&self, schema: &Schema, scratch: &mut Scratch, digit: usize, to: usize) {
        scratch.number[digit] = to;
        scratch.chosen[digit] = self.list(&schema.digits[digit])[to];
    }

    fn list<'l>(&'l self, digit: &'l Digit) -> &'l [u32] {
        match digit {
            Digit::Objects(objects) => objects,
            Digit::Atoms(predicate) if self.program.is_fixed[predicate.0 as usize] => {
                &self.program.fixed_columns[predicate.0 as usize]
            }
            Digit::Atoms(predicate) => &self.columns[predicate.0 as usize],
        }
    }

    /// The object at a spot of the tuple.
    #[inline]
    fn object(&self, schema: &Schema, spot: Spot, scratch: &Scratch) -> u32 {
        let chosen = scratch.chosen[usize::from(spot.digit)];
        match &schema.digits[usize::from(spot.digit)] {
            Digit::Objects(_) => chosen,
            Digit::Atoms(predicate) if self.program.is_fixed[predicate.0 as usize] => {
                self.program.fixed.get(chosen, spot.argument as usize)
            }
            Digit::Atoms(_) => self.atoms.get(chosen, spot.argument as usize),
        }
    }

    fn agrees(&self, schema: &Schema, check: &Check, scratch: &Scratch) -> bool {
        match check {
            Check::Same(first, second) => {
                self.object(schema, *first, scratch) == self.object(schema, *second, scratch)
            }
            Check::Constant(spot, object) => self.object(schema, *spot, scratch) == *object,
            Check::Type(spot, allowed) => allowed[self.object(schema, *spot, scratch) as usize],
        }
    }

    /// Writes the values of the parameters; whether equalities and negative preconditions agree.
    fn meets_the_rest(&self, schema: &Schema, scratch: &mut Scratch) -> bool {
        scratch.values.clear();
        for &source in &schema.sources {
            let object = self.object(schema, source, scratch);
            scratch.values.push(object);
        }
        let Scratch { values, row, .. } = scratch;
        let same =
            |&(a, b, same): &(u32, u32, bool)| (value(a, values) == value(b, values)) == same;
        schema.equalities.iter().all(same)
            && (schema.ranges.d..schema.ranges.p).all(|at| {
                let written = schema.predicates.get(at);
                let predicate = self.program.written.get(written, 0) as usize;
                let is_fixed = self.program.is_fixed[predicate];
                if !is_fixed && self.columns[predicate].is_empty() {
                    return true;
                }
                ground(&self.program.written, written, values, row);
                match is_fixed {
                    true => self.program.fixed.find(row).is_none(),
                    false => self.atoms.find(row).is_none_or(|atom| !self.states.holds(atom)),
                }
            })
    }
}

/// A predicate as written, with the parameters' values in place: the row of an atom.
#[inline]
pub(super) fn ground(written: &Shared, position: u32, values: &[u32], row: &mut Vec<u32>) {
    row.clear();
    written.append_to(position, row);
    for term in row.iter_mut().skip(1) {
        *term = value(*term, values);
    }
}

#[inline]
fn value(term: u32, values: &[u32]) -> u32 {
    match term.checked_sub(CONSTANTS) {
        Some(object) => object,
        None => values[term as usize],
    }
}
