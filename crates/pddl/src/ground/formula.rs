//! Ground conditions, and how they become lists of literals.
//!
//! In:   `and` and `or` of literals, most of which turned out true or false.
//! Out:  alternatives, each a sorted list of literals.
//! Cost: a sort, times at most [`MOST_TERMS`] alternatives; beyond, an `or` becomes a helper, a
//!       derived fact with a rule per part. The same `or` is the same helper wherever it stands.

use super::limits::{ATOM_BYTES, Checked, EFFECT_LITERALS, Guard, LITERAL_BYTES};
use super::propositional::{Literal, opposite};
use std::collections::HashMap;

/// A condition without variables.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Formula {
    Literal(Literal),
    /// All of them; none is true.
    And(Vec<Formula>),
    /// One of them; none is false.
    Or(Vec<Formula>),
}

/// A literal, `and` or `or` within a formula, whose rows double when they grow.
pub(super) const FORMULA_BYTES: usize = 2 * size_of::<Formula>();

/// An operator, effect or rule is split into at most so many.
pub(super) const MOST_TERMS: usize = 16;

impl Formula {
    pub(super) const TRUE: Formula = Formula::And(Vec::new());
    pub(super) const FALSE: Formula = Formula::Or(Vec::new());

    pub(super) fn constant(truth: bool) -> Formula {
        if truth { Formula::TRUE } else { Formula::FALSE }
    }

    pub(super) fn is_constant(&self) -> bool {
        *self == Formula::TRUE || *self == Formula::FALSE
    }

    /// All of the parts, or one of them: flat, sorted, each once.
    pub(super) fn several(all: bool, parts: Vec<Formula>) -> Formula {
        // One that is false decides "all", one that is true decides "any".
        let decides = Formula::constant(!all);
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Formula::And(inner) if all => flat.extend(inner),
                Formula::Or(inner) if !all => flat.extend(inner),
                other if other == decides => return decides,
                other => flat.push(other),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let clash = flat.windows(2).any(|pair| match pair {
            [Formula::Literal(a), Formula::Literal(b)] => *b == opposite(*a),
            _ => false,
        });
        match all {
            _ if clash => decides,
            _ if flat.len() == 1 => flat.swap_remove(0),
            true => Formula::And(flat),
            false => Formula::Or(flat),
        }
    }

    /// How many literals, `and`s and `or`s it has.
    fn size(&self) -> usize {
        match self {
            Formula::Literal(_) => 1,
            Formula::And(parts) | Formula::Or(parts) => {
                1 + parts.iter().map(Formula::size).sum::<usize>()
            }
        }
    }

    /// How many alternatives it has.
    fn n_terms(&self) -> usize {
        match self {
            Formula::Literal(_) => 1,
            Formula::And(parts) => {
                parts.iter().fold(1, |product, part| product.saturating_mul(part.n_terms()))
            }
            Formula::Or(parts) => {
                parts.iter().fold(0, |sum, part| sum.saturating_add(part.n_terms()))
            }
        }
    }
}

/// Derived facts that stand for an `or`.
pub(super) struct Helpers<'a> {
    guard: &'a Guard<'a>,
    first: u32,
    numbers: HashMap<Vec<Formula>, u32>,
    /// The rules of all helpers: body and fact.
    pub(super) rules: Vec<(Vec<Literal>, u32)>,
    /// How many literals the rules have.
    pub(super) n_literals: usize,
}

impl<'a> Helpers<'a> {
    /// Helpers that are numbered from `first` on.
    pub(super) fn new(first: usize, guard: &'a Guard<'a>) -> Self {
        let (first, numbers, rules) = (first as u32, HashMap::new(), Vec::new());
        Helpers { guard, first, numbers, rules, n_literals: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The alternatives of a formula, at most [`MOST_TERMS`].
    pub(super) fn alternatives(&mut self, formula: Formula) -> Checked<Vec<Vec<Literal>>> {
        if let Some(literals) = plain(&formula) {
            return Ok(vec![literals]);
        }
        let formula = self.made_small(formula)?;
        let size = formula.size() * MOST_TERMS.min(formula.n_terms());
        self.guard.pass(size)?;
        self.guard.lend(2 * size * size_of::<Literal>())?;
        let mut terms = Vec::new();
        for mut term in expanded(&formula) {
            term.sort_unstable();
            term.dedup();
            if !term.windows(2).any(|pair| pair[1] == opposite(pair[0])) && !terms.contains(&term) {
                terms.push(term);
            }
        }
        Ok(terms)
    }

    /// One literal list that holds exactly when the formula does; `None` if it never does.
    pub(super) fn conjunction(&mut self, formula: Formula) -> Checked<Option<Vec<Literal>>> {
        let parts = match formula {
            Formula::And(parts) => parts,
            Formula::Or(parts) if parts.is_empty() => return Ok(None),
            other => vec![other],
        };
        let mut literals: Vec<Literal> = Vec::with_capacity(parts.len());
        for part in parts {
            literals.push(match part {
                Formula::Literal(literal) => literal,
                Formula::And(_) => self.helper(vec![part])?,
                Formula::Or(parts) => self.helper(parts)?,
            });
        }
        literals.sort_unstable();
        literals.dedup();
        Ok(Some(literals))
    }

    fn made_small(&mut self, formula: Formula) -> Checked<Formula> {
        if formula.n_terms() <= MOST_TERMS {
            return Ok(formula);
        }
        Ok(match formula {
            Formula::Or(parts) => Formula::Literal(self.helper(parts)?),
            Formula::And(mut parts) => {
                let sizes: Vec<usize> = parts.iter().map(Formula::n_terms).collect();
                let mut by_size: Vec<usize> = (0..parts.len()).collect();
                by_size.sort_by_key(|&at| sizes[at]);
                let mut product: usize = 1;
                let n_small = by_size.iter().take_while(|&&at| {
                    product = product.saturating_mul(sizes[at]);
                    product <= MOST_TERMS
                });
                let n_small = n_small.count();
                // The largest first, so that few helpers do; the last of equals.
                for &at in by_size[n_small..].iter().rev() {
                    let part = std::mem::replace(&mut parts[at], Formula::TRUE);
                    parts[at] = match part {
                        Formula::Or(inner) => Formula::Literal(self.helper(inner)?),
                        other => other,
                    };
                }
                Formula::And(parts)
            }
            other => other,
        })
    }

    /// The helper of an `or`.
    fn helper(&mut self, parts: Vec<Formula>) -> Checked<Literal> {
        let size: usize = parts.iter().map(Formula::size).sum();
        self.guard.pass(size)?;
        if let Some(&fact) = self.numbers.get(&parts) {
            return Ok(fact * 2);
        }
        // Kept as the key, and a derived fact of its own.
        self.guard.hold(ATOM_BYTES + size * FORMULA_BYTES)?;
        let fact = self.first + self.numbers.len() as u32;
        self.numbers.insert(parts.clone(), fact);
        for part in parts {
            for body in self.alternatives(part)? {
                let of_body = (EFFECT_LITERALS + body.len()) * LITERAL_BYTES;
                self.guard.hold(2 * size_of::<(Vec<Literal>, u32)>() + of_body)?;
                self.n_literals += body.len();
                self.rules.push((body, fact));
            }
        }
        Ok(fact * 2)
    }
}

/// The literals of a formula that is nothing but literals that must hold; they are sorted.
fn plain(formula: &Formula) -> Option<Vec<Literal>> {
    let Formula::And(parts) = formula else { return None };
    let literals = parts.iter().map(|part| match part {
        Formula::Literal(literal) => Some(*literal),
        _ => None,
    });
    literals.collect()
}

fn expanded(formula: &Formula) -> Vec<Vec<Literal>> {
    match formula {
        Formula::Literal(literal) => vec![vec![*literal]],
        Formula::Or(parts) => parts.iter().flat_map(expanded).collect(),
        Formula::And(parts) => {
            let mut terms = vec![Vec::new()];
            for part in parts {
                let further = expanded(part);
                if let [only] = &further[..] {
                    terms.iter_mut().for_each(|term: &mut Vec<Literal>| term.extend(only));
                    continue;
                }
                let joined = |one: &Vec<Literal>| {
                    further.iter().map(|other| [&one[..], other].concat()).collect::<Vec<_>>()
                };
                terms = terms.iter().flat_map(joined).collect();
            }
            terms
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use super::super::limits::Limits;

    fn or(literals: &[Literal]) -> Formula {
        Formula::several(false, literals.iter().map(|&literal| Formula::Literal(literal)).collect())
    }

    #[test]
    fn what_contradicts_itself_is_false_and_what_cannot_fail_is_true() {
        let both = vec![Formula::Literal(4), Formula::Literal(5)];
        assert_eq!(Formula::several(true, both), Formula::FALSE);
        assert_eq!(or(&[4, 5]), Formula::TRUE);
    }

    #[test]
    fn a_small_product_is_multiplied_out() {
        let both = Formula::several(true, vec![or(&[0, 2]), or(&[4, 6])]);
        let guard = Guard::new(&Limits::default(), None);
        let terms = Helpers::new(100, &guard).alternatives(both).unwrap();
        assert_eq!(terms, [[0, 4], [0, 6], [2, 4], [2, 6]]);
    }

    #[test]
    fn a_large_product_gets_helpers_with_one_rule_per_part() {
        let ors: Vec<Formula> = (0..10).map(|at| or(&[at * 4, at * 4 + 2])).collect();
        let guard = Guard::new(&Limits::default(), None);
        let mut helpers = Helpers::new(100, &guard);
        let terms = helpers.alternatives(Formula::several(true, ors.clone())).unwrap();
        assert_eq!(terms.len(), 16);
        assert_eq!(helpers.len(), 6);
        assert_eq!(helpers.rules.len(), 12);
        // The same again makes none anew.
        helpers.alternatives(Formula::several(true, ors)).unwrap();
        assert_eq!(helpers.len(), 6);
    }
}
