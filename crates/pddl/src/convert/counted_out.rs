//! A ground task that counts as one that does not: its numbers written out.
//!
//! In:   a task that counts.
//! Out:  a named task in which a number is a variable, a test is derived from every value that it
//!       allows, and a change is an effect for every value; or why there is none.
//! Cost: linear in what is written.

use super::bounds::{Bounds, Ends};
use super::cases::{Move, cases};
use super::written_out::MOST_WRITTEN_OUT;
use crate::counted::{
    CountedChange, CountedTask, HOLDS, NumberChange, NumberRun, NumberTest, both,
};
use crate::named::{NamedTask, VariableNames};
use throng_domain::compile::PackedValue;
use throng_planner::forward::{Atom, Rule};

/// Why a task's numbers are not written out.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotWrittenOut {
    /// There would be too many values, rules or effects.
    TooMany {
        /// Where the limit was passed.
        at: String,
    },
    /// Nothing says how far a number goes.
    Endless {
        /// The number.
        number: String,
    },
    /// An operator changes a number in several ways, under conditions on something else.
    Several {
        /// The operator.
        operator: String,
        /// The number.
        number: String,
    },
}

throng_base::error! { NotWrittenOut {
    Self::TooMany { at } =>
        "not expressed: with numbers written out there are more than {MOST_WRITTEN_OUT} values, \
         rules and effects (at `{at}`); use smaller ranges";
    Self::Endless { number } =>
        "not expressed: nothing says how far `{number}` goes; ask for a most where it is \
         increased, and for a least where it is decreased, as in `(<= ({number}) 100)`";
    Self::Several { operator, number } =>
        "not expressed: `{operator}` changes `{number}` in several ways, under conditions on \
         something else; write one action for each";
} }

/// Writes the numbers of a task out.
///
/// # Errors
///
/// They are too many, have no ends, or change in several ways at once.
pub fn counted_out(task: &CountedTask) -> Result<NamedTask, NotWrittenOut> {
    let (old, named) = (&task.named.task, &task.named);
    let mut made = NamedTask {
        variables: named.variables.clone(),
        operators: named.operators.clone(),
        mutexes: named.mutexes.clone(),
        has_metric: named.has_metric,
        ..NamedTask::default()
    };
    for (at, (&size, &start)) in (0..).zip(old.sizes().iter().zip(old.start())) {
        match old.layer(at) {
            None => made.task.add_variable(size, start),
            Some(layer) => made.task.add_derived(size, start, layer),
        };
    }
    let mut maker = Maker {
        task,
        bounds: Bounds::new(task),
        made,
        numbers: Vec::new(),
        room: MOST_WRITTEN_OUT,
    };
    maker.add_numbers()?;
    for Rule { when, sets } in old.axioms() {
        maker.made.task.add_axiom(when.iter().copied(), sets);
    }
    maker.add_tests()?;
    for operator in 0..old.n_operators() as u32 {
        maker.add_operator(operator)?;
    }
    maker.made.task.set_goal(old.goal().iter().copied());
    Ok(maker.made)
}

/// A number written out: its variable and its ends.
#[derive(Clone, Copy)]
struct Written {
    variable: u32,
    low: i64,
    high: i64,
}

impl Written {
    fn atom(self, value: i64) -> Atom {
        Atom { variable: self.variable, value: (value - self.low) as PackedValue }
    }
}

struct Maker<'t> {
    task: &'t CountedTask,
    bounds: Bounds<'t>,
    made: NamedTask,
    numbers: Vec<Written>,
    /// How much more may be written.
    room: usize,
}

impl Maker<'_> {
    fn take(&mut self, count: usize, at: impl FnOnce() -> String) -> Result<(), NotWrittenOut> {
        match self.room.checked_sub(count) {
            Some(room) => self.room = room,
            None => return Err(NotWrittenOut::TooMany { at: at() }),
        }
        Ok(())
    }

    fn add_numbers(&mut self) -> Result<(), NotWrittenOut> {
        for (number, ends) in self.task.numbers.iter().zip(self.bounds.ends()) {
            let (low, high) = match ends {
                None => (number.start, number.start),
                Some(ends) => {
                    if ends.is_low_assumed || ends.is_high_assumed {
                        return Err(NotWrittenOut::Endless { number: number.name.clone() });
                    }
                    (ends.low, ends.high)
                }
            };
            let n_values = usize::try_from(high.saturating_sub(low)).unwrap_or(usize::MAX);
            self.take(n_values.saturating_add(1), || number.name.clone())?;
            let start = (number.start - low) as PackedValue;
            let variable = self.made.task.add_variable(n_values as u32 + 1, start);
            let name = &number.name;
            let values = (low..=high).map(|value| format!("Atom {name}({value})")).collect();
            self.made.variables.push(VariableNames { name: name.clone(), values });
            self.numbers.push(Written { variable, low, high });
        }
        Ok(())
    }

    /// A rule for every value, or pair of values, for which a test holds.
    fn add_tests(&mut self) -> Result<(), NotWrittenOut> {
        for (&variable, test) in &self.task.tests {
            let name = || self.task.named.variables[variable as usize].name.clone();
            let when: Vec<Vec<Atom>> = match test {
                NumberTest::In(number, runs) => {
                    let written = self.numbers[*number as usize];
                    within(written, runs).map(|value| vec![written.atom(value)]).collect()
                }
                &NumberTest::Compare(one, relation, other) => {
                    let [one, other] = [one, other].map(|at| self.numbers[at as usize]);
                    let pairs = (one.high - one.low + 1).saturating_mul(other.high - other.low + 1);
                    self.take(usize::try_from(pairs).unwrap_or(usize::MAX), name)?;
                    let pairs = (one.low..=one.high)
                        .flat_map(|a| (other.low..=other.high).map(move |b| (a, b)));
                    let holding = pairs.filter(|(a, b)| relation.holds(a, b));
                    let atoms = holding.map(|(a, b)| vec![one.atom(a), other.atom(b)]);
                    // Of a number and itself: only where both are the same, which is one fact.
                    let is_same = one.variable == other.variable;
                    let atoms = atoms.filter(|both| !is_same || both[0] == both[1]);
                    atoms.map(|both| if is_same { vec![both[0]] } else { both }).collect()
                }
                NumberTest::Words(of, values) => {
                    let atom = |&value| vec![Atom { variable: *of, value }];
                    values.iter().map(atom).collect()
                }
            };
            self.take(when.len(), name)?;
            for atoms in when {
                self.made.task.add_axiom(atoms.into_iter(), Atom { variable, value: HOLDS });
            }
        }
        Ok(())
    }

    fn add_operator(&mut self, operator: u32) -> Result<(), NotWrittenOut> {
        let old = &self.task.named.task;
        let name = || self.task.named.operators.get(operator as usize).to_owned();
        let changes = self.task.changes.get(operator as usize).map_or(&[][..], Vec::as_slice);
        let mut effects: Vec<(Vec<Atom>, Atom)> = Vec::new();
        let mut numbers: Vec<u32> = changes.iter().map(|change| change.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            let written = self.numbers[number as usize];
            let own: Vec<&CountedChange> =
                changes.iter().filter(|it| it.number == number).collect();
            let Written { low, high, .. } = written;
            let ends = Ends { low, high, is_low_assumed: false, is_high_assumed: false };
            let allowed = self.bounds.all_allow(number, old.needs(operator));
            let several = || NotWrittenOut::Several {
                operator: name(),
                number: self.task.numbers[number as usize].name.clone(),
            };
            let mut made = Vec::new();
            if let Ok(cases) = cases(&self.bounds, number, ends, &allowed, &own) {
                let n_values = |runs: &[NumberRun]| within(written, runs).count();
                let n_allowed = n_values(&allowed);
                // Values in no case cannot be had with this operator.
                if cases.iter().map(|case| n_values(&case.runs)).sum::<usize>() != n_allowed {
                    return Err(several());
                }
                for case in cases.iter().filter(|case| case.what != Move::Stay) {
                    for value in within(written, &case.runs) {
                        made.push((vec![written.atom(value)], case.what.apply(value), value));
                    }
                }
            } else if let [change] = own[..] {
                for when in &change.when {
                    // Where the condition on the number itself does not hold nothing happens.
                    let runs = both(&allowed, &self.bounds.all_allow(number, when));
                    for value in within(written, &runs) {
                        let to = match change.what {
                            NumberChange::Set(to) => to,
                            NumberChange::Add(by) => value.saturating_add(by),
                        };
                        let when = when.iter().copied().chain([written.atom(value)]).collect();
                        made.push((when, to, value));
                    }
                }
            } else {
                return Err(several());
            }
            for (when, to, from) in made {
                if !(written.low..=written.high).contains(&to) {
                    return Err(several());
                }
                if to != from {
                    effects.push((when, written.atom(to)));
                }
            }
        }
        self.take(1 + effects.len(), name)?;
        let [needs, sets] = [old.needs(operator), old.sets(operator)];
        self.made.task.add_operator(
            needs.iter().copied(),
            sets.iter().copied(),
            old.cost(operator),
        );
        for Rule { when, sets } in old.effects(operator) {
            self.made.task.add_effect(when.iter().copied(), sets);
        }
        for (when, sets) in effects {
            self.made.task.add_effect(when.into_iter(), sets);
        }
        Ok(())
    }
}

/// The values of a number within some runs.
fn within(written: Written, runs: &[NumberRun]) -> impl Iterator<Item = i64> {
    runs.iter().flat_map(move |run| {
        let first = run.first.unwrap_or(written.low).max(written.low);
        first..=run.last.unwrap_or(written.high).min(written.high)
    })
}
