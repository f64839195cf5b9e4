//! The values that conditions on one variable leave: sets of any number of runs.
//!
//! In:   conditions, and the values of a combination.
//! Out:  [`Runs`], which conditions are computed with; a model's own sets have few runs.
//! Cost: linear in the runs of both sides; for words that are compared by size, in the values.

use super::alternatives::{Found, TooMany, Tree};
use super::{Demand, Expansion, Operand, Term};
use crate::build::ModelBuilder;
use crate::formats::npc::syntax::Relation;
use crate::model::{ValueId, VariableId};
use crate::names;

/// Values of one variable by position: runs with gaps between them, rising.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Runs(Vec<(u32, u32)>);

impl Runs {
    /// The values from one to another; none if the second is below the first.
    pub(super) fn run(first: u32, last: u32) -> Runs {
        if first <= last { Runs(vec![(first, last)]) } else { Runs::default() }
    }

    /// The first so many values.
    fn first(count: usize) -> Runs {
        count.checked_sub(1).map_or(Runs::default(), |last| Runs::run(0, last as u32))
    }

    /// Runs in any order; those that touch are joined.
    fn joined(mut runs: Vec<(u32, u32)>) -> Runs {
        runs.sort_unstable();
        let mut all: Vec<(u32, u32)> = Vec::with_capacity(runs.len());
        for (first, last) in runs {
            match all.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last);
                }
                _ => all.push((first, last)),
            }
        }
        Runs(all)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many runs there are.
    pub(super) fn n_runs(&self) -> usize {
        self.0.len()
    }

    /// The runs, as models number values.
    pub(super) fn to_positions(&self) -> Vec<(u16, u16)> {
        let position = |at: u32| u16::try_from(at).unwrap_or(u16::MAX);
        self.0.iter().map(|&(first, last)| (position(first), position(last))).collect()
    }

    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|&(first, last)| (last - first) as usize + 1).sum()
    }

    pub(super) fn values(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.0.iter().flat_map(|&(first, last)| first..=last).map(ValueId)
    }

    pub(super) fn has(&self, value: ValueId) -> bool {
        let at = self.0.partition_point(|&(_, last)| last < value.0);
        self.0.get(at).is_some_and(|&(first, _)| first <= value.0)
    }

    /// The only value in it.
    pub(super) fn only(&self) -> Option<ValueId> {
        match self.0[..] {
            [(first, last)] if first == last => Some(ValueId(first)),
            _ => None,
        }
    }

    /// Whether every value of `other` is in it.
    pub(super) fn has_all(&self, other: &Runs) -> bool {
        other.0.iter().all(|&(first, last)| {
            let at = self.0.partition_point(|run| run.1 < last);
            self.0.get(at).is_some_and(|run| run.0 <= first)
        })
    }

    /// What is in both.
    pub(super) fn both(&self, other: &Runs) -> Runs {
        let (mut all, mut a, mut b) = (Vec::new(), 0, 0);
        while let (Some(one), Some(two)) = (self.0.get(a), other.0.get(b)) {
            let (first, last) = (one.0.max(two.0), one.1.min(two.1));
            if first <= last {
                all.push((first, last));
            }
            if one.1 < two.1 { a += 1 } else { b += 1 }
        }
        Runs(all)
    }

    /// What is in one of them.
    pub(super) fn either(&self, other: &Runs) -> Runs {
        Runs::joined(self.0.iter().chain(&other.0).copied().collect())
    }

    /// What of the first so many values is not in it.
    fn others(&self, count: usize) -> Runs {
        let (mut all, mut next) = (Vec::new(), 0);
        for &(first, last) in &self.0 {
            if next < first {
                all.push((next, first - 1));
            }
            next = last + 1;
        }
        if (next as usize) < count {
            all.push((next, count as u32 - 1));
        }
        Runs(all)
    }
}

impl Expansion<'_> {
    /// The values of its variable that a condition allows.
    pub(super) fn allowed(
        &self,
        demand: &Demand,
        choice: &[ValueId],
        builder: &ModelBuilder,
    ) -> Runs {
        let Demand { variable, relation, operand, .. } = *demand;
        let values = &builder.model[variable].values();
        if let Some((low, high)) = values.ends() {
            let number = self.number_of(variable, operand, choice, builder);
            return match number {
                Some(number) => numbers(relation, number, low, high),
                // A word is no number of the amount.
                None if relation == Relation::IsNot => Runs::first(values.len()),
                None => Runs::default(),
            };
        }
        if relation.is_by_size() {
            let other = self.operand_name(variable, operand, choice, builder);
            let holds = |name: &String| super::facts::holds(relation, name, &other);
            let met = values.iter().enumerate().filter(|(_, name)| holds(name));
            return Runs::joined(met.map(|(at, _)| (at as u32, at as u32)).collect());
        }
        let found = match operand {
            Operand::Term(term) => self.value_in(variable, term, choice, builder),
            Operand::Number(number) => builder.model.value_named(variable, &number.to_string()),
        };
        let one = found.map_or(Runs::default(), |value| Runs::run(value.0, value.0));
        if relation == Relation::Is { one } else { one.others(values.len()) }
    }

    /// The number that an amount is compared or counted with; `None` if a parameter is a word.
    pub(super) fn number_of(
        &self,
        variable: VariableId,
        operand: Operand,
        choice: &[ValueId],
        builder: &ModelBuilder,
    ) -> Option<i64> {
        match operand {
            Operand::Number(number) => Some(number),
            Operand::Term(Term::Value(value)) => {
                let (low, _) = builder.model[variable].values().ends()?;
                Some(low + i64::from(value.0))
            }
            Operand::Term(Term::Dimension(at)) => {
                let value = *choice.get(at)?;
                names::as_integer(self.dimensions[at].name(value, builder))
            }
        }
    }

    /// The values that a tree of conditions on one variable allows.
    pub(super) fn allowed_by_tree(
        &self,
        tree: &Tree,
        choice: &[ValueId],
        builder: &mut ModelBuilder,
    ) -> Found<Runs> {
        let spend = |count: usize, builder: &mut ModelBuilder| {
            if builder.spend(count, self.head.span) { Ok(()) } else { Err(TooMany) }
        };
        match tree {
            Tree::Leaf(demand) => {
                let is_words = builder.model[demand.variable].values().words().is_some();
                let by_size = is_words && demand.relation.is_by_size();
                let size = builder.model[demand.variable].values().len();
                spend(1 + if by_size { size } else { 0 }, builder)?;
                Ok(self.allowed(demand, choice, builder))
            }
            // Two amounts that are compared are no set of either.
            Tree::Compared(..) => Ok(Runs::default()),
            Tree::Any(list) => {
                let mut all = Vec::new();
                for tree in list {
                    let mut runs = self.allowed_by_tree(tree, choice, builder)?.0;
                    spend(runs.len(), builder)?;
                    all.append(&mut runs);
                }
                Ok(Runs::joined(all))
            }
            Tree::All(list) => {
                let mut all: Option<Runs> = None;
                for tree in list {
                    let runs = self.allowed_by_tree(tree, choice, builder)?;
                    let size = runs.n_runs() + all.as_ref().map_or(0, Runs::n_runs);
                    spend(size, builder)?;
                    all = Some(all.map_or(runs.clone(), |all| all.both(&runs)));
                }
                Ok(all.unwrap_or_default())
            }
        }
    }
}

/// The positions of a range where the number stands so to another one.
fn numbers(relation: Relation, number: i64, low: i64, high: i64) -> Runs {
    let count = usize::try_from(high - low + 1).unwrap_or(0);
    let at = |number: i64| (number - low).clamp(-1, high - low + 1);
    // The positions below the number, and those up to it.
    let below = |at: i64| Runs::first(usize::try_from(at.min(high - low + 1)).unwrap_or(0));
    let (less, up_to) = (below(at(number)), below(at(number) + 1));
    match relation {
        Relation::Less => less,
        Relation::AtMost => up_to,
        Relation::More => up_to.others(count),
        Relation::AtLeast => less.others(count),
        Relation::Is => up_to.both(&less.others(count)),
        Relation::IsNot => less.either(&up_to.others(count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: u32 = 8;

    fn set(bits: u32) -> Runs {
        Runs::joined((0..N).filter(|at| bits >> at & 1 == 1).map(|at| (at, at)).collect())
    }

    fn bits(runs: &Runs) -> u32 {
        (0..N + 2).filter(|&at| runs.has(ValueId(at))).fold(0, |bits, at| bits | 1 << at)
    }

    #[test]
    fn every_operation_is_that_of_sets() {
        for a in 0..1 << N {
            let one = set(a);
            assert_eq!((bits(&one), one.count()), (a, a.count_ones() as usize));
            assert_eq!(bits(&one.others(N as usize)), !a & ((1 << N) - 1));
            assert_eq!(one.only().is_some(), a.is_power_of_two());
            assert_eq!(one.values().count(), one.count());
            for b in (0..1 << N).step_by(5) {
                let other = set(b);
                assert_eq!(bits(&one.both(&other)), a & b);
                assert_eq!(one.either(&other), set(a | b));
                assert_eq!(one.has_all(&other), a & b == b);
            }
        }
    }

    #[test]
    fn numbers_outside_the_range_are_compared_too() {
        use Relation::*;
        let (low, high) = (-3i64, 4i64);
        for relation in [Is, IsNot, Less, AtMost, More, AtLeast] {
            for number in
                [-1_000_000_000_000_000, -5, -4, -3, -2, 0, 3, 4, 5, 6, i64::from(u32::MAX)]
            {
                let runs = numbers(relation, number, low, high);
                for is in low..=high {
                    let value = ValueId((is - low) as u32);
                    assert_eq!(runs.has(value), relation.holds(is, number), "{is} {number}");
                }
                assert_eq!(
                    runs.count(),
                    (low..=high).filter(|&is| relation.holds(is, number)).count()
                );
            }
        }
    }
}
