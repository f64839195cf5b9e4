//! A ground task that counts: a named task with whole numbers beside its variables.
//!
//! In:   made of a domain with amounts, or by grounding a task with numeric fluents.
//! Out:  what is written as PDDL, as a domain, or with its numbers written out.
//! Cost: plain vectors.
//!
//! A condition on numbers is a *test*: a derived variable of the named task that no rule derives.
//! Its value is `HOLDS` where what it stands for holds. So conditions and goals are lists of
//! facts as everywhere, and whoever cannot count sees facts that are never true.

use crate::named::{NamedTask, VariableNames};
use std::collections::{BTreeMap, HashMap};
use throng_domain::Relation;
use throng_domain::compile::PackedValue;
use throng_planner::forward::Atom;

/// The value of a test that holds.
pub(crate) const HOLDS: PackedValue = 0;
/// The value of one that does not.
pub(crate) const FAILS: PackedValue = 1;

/// A ground task with numbers.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CountedTask {
    /// Its words: variables, operators, costs, the goal.
    pub named: NamedTask,
    /// Its numbers.
    pub numbers: Vec<Number>,
    /// By derived variable of the named task, what it stands for.
    pub tests: BTreeMap<u32, NumberTest>,
    /// By operator, what it does to numbers.
    pub changes: Vec<Vec<CountedChange>>,
}

/// Something that has a whole number as its value.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// Its name.
    pub name: String,
    /// Its value at the start.
    pub start: i64,
}

/// What a test asks for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NumberTest {
    /// That a number is in one of some runs.
    In(u32, Vec<NumberRun>),
    /// That two numbers stand to each other.
    Compare(u32, Relation, u32),
    /// That a variable has one of some values.
    Words(u32, Vec<PackedValue>),
}

/// Numbers from one to another, both included; without an end all that follow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NumberRun {
    /// The least.
    pub first: Option<i64>,
    /// The greatest.
    pub last: Option<i64>,
}

/// What an operator does to a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedChange {
    /// It happens where all facts of one of these hold; one that is empty always does.
    pub when: Vec<Vec<Atom>>,
    /// The number.
    pub number: u32,
    /// What becomes of it.
    pub what: NumberChange,
}

/// How a number changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NumberChange {
    /// It becomes so much.
    Set(i64),
    /// It becomes so much more.
    Add(i64),
}

impl CountedTask {
    /// The fact that a test holds; the same test twice is one variable.
    pub(crate) fn test(&mut self, known: &mut Known, test: NumberTest, name: &str) -> Atom {
        let Some(&atom) = known.get(&test) else {
            let atom = Atom { variable: self.named.task.add_derived(2, FAILS, 0), value: HOLDS };
            let values = vec![format!("Atom {name}()"), format!("NegatedAtom {name}()")];
            self.named.variables.push(VariableNames { name: name.to_owned(), values });
            self.tests.insert(atom.variable, test.clone());
            known.insert(test, atom);
            return atom;
        };
        atom
    }
}

/// The tests that have a variable already.
pub(crate) type Known = HashMap<NumberTest, Atom>;

/// The relation seen from the other side.
pub(crate) fn turned(relation: Relation) -> Relation {
    match relation {
        Relation::Is | Relation::IsNot => relation,
        Relation::Less => Relation::More,
        Relation::AtMost => Relation::AtLeast,
        Relation::More => Relation::Less,
        Relation::AtLeast => Relation::AtMost,
    }
}

/// The numbers in a relation to one.
pub(crate) fn runs_of(relation: Relation, n: i64) -> Vec<NumberRun> {
    let run = |first, last| NumberRun { first, last };
    let (below, above) = (n.saturating_sub(1), n.saturating_add(1));
    match relation {
        Relation::Is => vec![run(Some(n), Some(n))],
        Relation::IsNot => vec![run(None, Some(below)), run(Some(above), None)],
        Relation::Less => vec![run(None, Some(below))],
        Relation::AtMost => vec![run(None, Some(n))],
        Relation::More => vec![run(Some(above), None)],
        Relation::AtLeast => vec![run(Some(n), None)],
    }
}

/// An end of a run as a number: the first, or the last.
fn first(run: &NumberRun) -> i64 {
    run.first.unwrap_or(i64::MIN)
}

fn last(run: &NumberRun) -> i64 {
    run.last.unwrap_or(i64::MAX)
}

/// What is in both; both rise.
pub(crate) fn both(one: &[NumberRun], other: &[NumberRun]) -> Vec<NumberRun> {
    let mut made = Vec::new();
    for a in one {
        for b in other {
            if first(a).max(first(b)) <= last(a).min(last(b)) {
                let least = if first(a) >= first(b) { a.first } else { b.first };
                let most = if last(a) <= last(b) { a.last } else { b.last };
                made.push(NumberRun { first: least, last: most });
            }
        }
    }
    made
}

/// What is not in it; it rises.
pub(crate) fn others(runs: &[NumberRun]) -> Vec<NumberRun> {
    let mut made = vec![NumberRun { first: None, last: None }];
    for run in runs {
        let below =
            run.first.map(|first| NumberRun { first: None, last: Some(first.saturating_sub(1)) });
        let above =
            run.last.map(|last| NumberRun { first: Some(last.saturating_add(1)), last: None });
        let outside: Vec<NumberRun> = below.into_iter().chain(above).collect();
        made = both(&made, &outside);
    }
    made
}

/// What is in one of them, rising; those that touch are one.
pub(crate) fn united(mut runs: Vec<NumberRun>) -> Vec<NumberRun> {
    runs.sort_unstable_by_key(|run| (first(run), last(run)));
    let mut made: Vec<NumberRun> = Vec::new();
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
