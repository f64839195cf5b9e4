//! The ground task on its way: facts that hold or not, before they become variables.
//!
//! In:   instances of actions and axioms.
//! Out:  flat rows that are pruned, grouped and at last made variables.
//!
//! Facts are numbered: by predicate, within it in the order they were reached; after those of
//! the predicates come helpers, derived facts that stand for an `or` too large to split.

use super::relation::Relation;

/// A fact that must hold (even) or must not (odd): twice the fact's number, plus one.
pub(super) type Literal = u32;

pub(super) fn literal(fact: u32, holds: bool) -> Literal {
    fact * 2 + u32::from(!holds)
}

pub(super) fn fact_of(literal: Literal) -> u32 {
    literal / 2
}

pub(super) fn holds(literal: Literal) -> bool {
    literal.is_multiple_of(2)
}

/// The literal that is true when this one is not.
pub(super) fn opposite(literal: Literal) -> Literal {
    literal ^ 1
}

/// A stretch of a flat row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Range {
    from: u32,
    to: u32,
}

impl Range {
    pub(super) fn new(from: usize, to: usize) -> Self {
        Range { from: from as u32, to: to as u32 }
    }

    pub(super) fn of<T>(self, row: &[T]) -> &[T] {
        &row[self.from as usize..self.to as usize]
    }
}

/// An instance of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Operator {
    /// Of which schema, and which of its instances.
    pub(super) schema: u32,
    pub(super) tuple: u32,
    /// Literals, sorted.
    pub(super) needs: Range,
    pub(super) effects: Range,
}

/// What an operator does to a fact; or a way in which a derived fact holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effect {
    /// Literals, sorted.
    pub(super) when: Range,
    pub(super) fact: u32,
    pub(super) adds: bool,
    /// The number of the lifted effect.
    pub(super) source: u32,
}

/// Operators, rules and a goal over facts.
#[derive(Clone, Default, Debug)]
pub(super) struct Ground {
    pub(super) literals: Vec<Literal>,
    pub(super) operators: Vec<Operator>,
    pub(super) effects: Vec<Effect>,
    /// Each adds a derived fact.
    pub(super) rules: Vec<Effect>,
    pub(super) goal: Vec<Literal>,
    /// By fact, whether it holds at the start.
    pub(super) starts: Vec<bool>,
    /// By fact, whether rules say when it holds.
    pub(super) is_derived: Vec<bool>,
    /// By fact, whether it stands for a comparison of numbers; empty if none does.
    pub(super) is_comparison: Vec<bool>,
}

impl Ground {
    pub(super) fn n_facts(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn add_literals(&mut self, literals: &[Literal]) -> Range {
        let from = self.literals.len();
        self.literals.extend_from_slice(literals);
        Range::new(from, self.literals.len())
    }

    pub(super) fn needs(&self, operator: &Operator) -> &[Literal] {
        operator.needs.of(&self.literals)
    }

    pub(super) fn effects(&self, operator: &Operator) -> &[Effect] {
        operator.effects.of(&self.effects)
    }

    pub(super) fn when(&self, effect: &Effect) -> &[Literal] {
        effect.when.of(&self.literals)
    }

    /// Adds a way in which a derived fact holds.
    pub(super) fn add_rule(&mut self, body: &[Literal], fact: u32) {
        let when = self.add_literals(body);
        self.rules.push(Effect { when, fact, adds: true, source: 0 });
    }
}

/// Which predicate and which of its tuples each fact is.
#[derive(Clone, Default, Debug)]
pub(super) struct FactNumbers {
    /// By predicate, the number of its first fact; one more at the end.
    firsts: Vec<u32>,
}

impl FactNumbers {
    /// Numbers the tuples of the predicates that change.
    pub(super) fn new(relations: &[Relation], is_static: &[bool]) -> Self {
        let mut firsts = vec![0];
        let mut next = 0;
        for (relation, is_static) in relations.iter().zip(is_static) {
            next += if *is_static { 0 } else { relation.len() as u32 };
            firsts.push(next);
        }
        FactNumbers { firsts }
    }

    /// How many facts have predicates; helpers come after them.
    pub(super) fn len(&self) -> usize {
        self.firsts.last().map_or(0, |&last| last as usize)
    }

    pub(super) fn number(&self, predicate: usize, tuple: u32) -> u32 {
        self.firsts[predicate] + tuple
    }

    /// The facts of a predicate.
    pub(super) fn of(&self, predicate: usize) -> std::ops::Range<u32> {
        self.firsts[predicate]..self.firsts[predicate + 1]
    }

    /// The predicate and tuple of a fact; `None` for a helper.
    pub(super) fn origin(&self, fact: u32) -> Option<(usize, u32)> {
        if fact as usize >= self.len() {
            return None;
        }
        let predicate = self.firsts.partition_point(|&first| first <= fact) - 1;
        Some((predicate, fact - self.firsts[predicate]))
    }
}
