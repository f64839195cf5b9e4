//! Ground conditions, and how they become lists of literals.
//!
//! In:   `and` and `or` of literals, most of which turned out true or false.
//! Out:  alternatives, each a sorted list of literals.
//! Cost: a sort, times at most [`MOST_TERMS`] alternatives; beyond, an `or` becomes a helper, a
//!       derived fact with a rule per part. The same `or` is the same helper wherever it stands.

use super::limits::{ATOM_BYTES, EFFECT_LITERALS, GroundError, Guard, LITERAL_BYTES};
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

    pub(super) fn is_true(&self) -> bool {
        *self == Formula::TRUE
    }

    pub(super) fn is_false(&self) -> bool {
        *self == Formula::FALSE
    }

    pub(super) fn all(parts: Vec<Formula>) -> Formula {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Formula::And(inner) => flat.extend(inner),
                other if other.is_false() => return Formula::FALSE,
                other => flat.push(other),
            }
        }
        match tidied(flat) {
            None => Formula::FALSE,
            Some(Ok(only)) => only,
            Some(Err(parts)) => Formula::And(parts),
        }
    }

    pub(super) fn any(parts: Vec<Formula>) -> Formula {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Formula::Or(inner) => flat.extend(inner),
                other if other.is_true() => return Formula::TRUE,
                other => flat.push(other),
            }
        }
        match tidied(flat) {
            None => Formula::TRUE,
            Some(Ok(only)) => only,
            Some(Err(parts)) => Formula::Or(parts),
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

/// Sorted, each once; the only one if there is only one; `None` if a literal and its opposite
/// are among them.
fn tidied(mut parts: Vec<Formula>) -> Option<Result<Formula, Vec<Formula>>> {
    parts.sort_unstable();
    parts.dedup();
    let clash = parts.windows(2).any(|pair| match pair {
        [Formula::Literal(a), Formula::Literal(b)] => *b == opposite(*a),
        _ => false,
    });
    if clash {
        return None;
    }
    match parts.pop() {
        Some(only) if parts.is_empty() => Some(Ok(only)),
        Some(last) => {
            parts.push(last);
            Some(Err(parts))
        }
        None => Some(Err(parts)),
    }
}

/// Derived facts that stand for an `or`.
pub(super) struct Helpers {
    first: u32,
    numbers: HashMap<Vec<Formula>, u32>,
    /// The rules of all helpers: body and fact.
    pub(super) rules: Vec<(Vec<Literal>, u32)>,
    /// How many literals the rules have.
    pub(super) n_literals: usize,
}

impl Helpers {
    /// Helpers that are numbered from `first` on.
    pub(super) fn new(first: usize) -> Self {
        Helpers { first: first as u32, numbers: HashMap::new(), rules: Vec::new(), n_literals: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The alternatives of a formula, at most [`MOST_TERMS`].
    ///
    /// # Errors
    ///
    /// If a limit is reached or the caller says stop.
    pub(super) fn alternatives(
        &mut self,
        formula: Formula,
        guard: &mut Guard<'_>,
    ) -> Result<Vec<Vec<Literal>>, GroundError> {
        if let Some(literals) = plain(&formula) {
            return Ok(vec![literals]);
        }
        let formula = self.made_small(formula, guard)?;
        let size = formula.size() * MOST_TERMS.min(formula.n_terms());
        guard.pass(size)?;
        guard.lend(2 * size * size_of::<Literal>())?;
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
    ///
    /// # Errors
    ///
    /// If a limit is reached or the caller says stop.
    pub(super) fn conjunction(
        &mut self,
        formula: Formula,
        guard: &mut Guard<'_>,
    ) -> Result<Option<Vec<Literal>>, GroundError> {
        let parts = match formula {
            Formula::And(parts) => parts,
            Formula::Or(parts) if parts.is_empty() => return Ok(None),
            other => vec![other],
        };
        let mut literals: Vec<Literal> = Vec::with_capacity(parts.len());
        for part in parts {
            literals.push(match part {
                Formula::Literal(literal) => literal,
                Formula::And(_) => self.helper(vec![part], guard)?,
                Formula::Or(parts) => self.helper(parts, guard)?,
            });
        }
        literals.sort_unstable();
        literals.dedup();
        Ok(Some(literals))
    }

    fn made_small(
        &mut self,
        formula: Formula,
        guard: &mut Guard<'_>,
    ) -> Result<Formula, GroundError> {
        if formula.n_terms() <= MOST_TERMS {
            return Ok(formula);
        }
        Ok(match formula {
            Formula::Or(parts) => Formula::Literal(self.helper(parts, guard)?),
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
                        Formula::Or(inner) => Formula::Literal(self.helper(inner, guard)?),
                        other => other,
                    };
                }
                Formula::And(parts)
            }
            other => other,
        })
    }

    /// The helper of an `or`.
    fn helper(
        &mut self,
        parts: Vec<Formula>,
        guard: &mut Guard<'_>,
    ) -> Result<Literal, GroundError> {
        let size: usize = parts.iter().map(Formula::size).sum();
        guard.pass(size)?;
        if let Some(&fact) = self.numbers.get(&parts) {
            return Ok(fact * 2);
        }
        // Kept as the key, and a derived fact of its own.
        guard.hold(ATOM_BYTES + size * FORMULA_BYTES)?;
        let fact = self.first + self.numbers.len() as u32;
        self.numbers.insert(parts.clone(), fact);
        for part in parts {
            for body in self.alternatives(part, guard)? {
                guard.hold(2 * size_of::<(Vec<Literal>, u32)>() + body.len() * LITERAL_BYTES)?;
                guard.hold(EFFECT_LITERALS * LITERAL_BYTES)?;
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
                terms = terms
                    .iter()
                    .flat_map(|one: &Vec<Literal>| {
                        further.iter().map(|other| [&one[..], &other[..]].concat())
                    })
                    .collect();
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
        Formula::any(literals.iter().map(|&literal| Formula::Literal(literal)).collect())
    }

    #[test]
    fn what_contradicts_itself_is_false_and_what_cannot_fail_is_true() {
        assert!(Formula::all(vec![Formula::Literal(4), Formula::Literal(5)]).is_false());
        assert!(or(&[4, 5]).is_true());
    }

    #[test]
    fn a_small_product_is_multiplied_out() {
        let both = Formula::all(vec![or(&[0, 2]), or(&[4, 6])]);
        let mut guard = Guard::new(&Limits::USUAL, None);
        let terms = Helpers::new(100).alternatives(both, &mut guard).unwrap();
        assert_eq!(terms, [[0, 4], [0, 6], [2, 4], [2, 6]]);
    }

    #[test]
    fn a_large_product_gets_helpers_with_one_rule_per_part() {
        let ors: Vec<Formula> = (0..10).map(|at| or(&[at * 4, at * 4 + 2])).collect();
        let mut helpers = Helpers::new(100);
        let mut guard = Guard::new(&Limits::USUAL, None);
        let terms = helpers.alternatives(Formula::all(ors.clone()), &mut guard).unwrap();
        assert_eq!(terms.len(), 16);
        assert_eq!(helpers.len(), 6);
        assert_eq!(helpers.rules.len(), 12);
        // The same again makes none anew.
        helpers.alternatives(Formula::all(ors), &mut guard).unwrap();
        assert_eq!(helpers.len(), 6);
    }
}
