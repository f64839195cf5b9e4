//! In which order rules are followed: a derived fact's layer is above all whose absence it uses.
//!
//! In:   rules.
//! Out:  a layer per derived fact, from 0 on, or a fact that depends on its own absence.
//! Cost: every rule once per layer that its head rises.

use super::limits::{Checked, Guard};
use super::propositional::{Ground, fact_of, holds};

/// By fact its layer, 0 for facts that are not derived; or a fact that depends on its own
/// absence.
pub(super) fn layers(ground: &Ground, guard: &Guard<'_>) -> Checked<Result<Vec<u32>, u32>> {
    let mut layers = vec![0; ground.n_facts()];
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); ground.n_facts()];
    for (at, rule) in ground.rules.iter().enumerate() {
        for fact in ground.when(rule).iter().map(|&literal| fact_of(literal)) {
            if ground.is_derived[fact as usize] {
                users[fact as usize].push(at as u32);
            }
        }
    }
    let mut heads: Vec<u32> = ground.rules.iter().map(|rule| rule.fact).collect();
    heads.sort_unstable();
    heads.dedup();
    let highest = heads.len() as u32;
    let mut open: Vec<u32> = (0..ground.rules.len() as u32).collect();
    while let Some(at) = open.pop() {
        let rule = &ground.rules[at as usize];
        guard.work(1 + ground.when(rule).len() as u64)?;
        let derived = ground.when(rule).iter().filter(|&&l| ground.is_derived[fact_of(l) as usize]);
        let above = derived.map(|&l| layers[fact_of(l) as usize] + u32::from(!holds(l)));
        let layer = above.max().unwrap_or(0);
        if layer > layers[rule.fact as usize] {
            // Without a circle there are fewer steps up than derived facts.
            if layer >= highest {
                return Ok(Err(rule.fact));
            }
            layers[rule.fact as usize] = layer;
            open.extend_from_slice(&users[rule.fact as usize]);
        }
    }
    Ok(Ok(layers))
}

#[cfg(test)]
mod tests {
    use super::super::limits::Limits;
    use super::super::propositional::literal;
    use super::*;

    /// Facts 0 to 3 are derived, 4 is not; rules as body and head.
    fn check(rules: &[(&[u32], u32)], expected: Result<[u32; 4], ()>) {
        let mut ground = Ground {
            starts: vec![false; 5],
            is_derived: vec![true, true, true, true, false],
            ..Ground::default()
        };
        for (body, fact) in rules {
            ground.add_rule(body, *fact);
        }
        let found = layers(&ground, &Guard::new(&Limits::default(), None)).unwrap().map_err(drop);
        assert_eq!(found.map(|layers| [layers[0], layers[1], layers[2], layers[3]]), expected);
    }

    #[test]
    fn a_fact_is_above_those_whose_absence_it_uses() {
        let (yes, no) = (|fact| literal(fact, true), |fact| literal(fact, false));
        check(&[(&[yes(4)], 0), (&[no(0)], 1), (&[yes(1)], 2)], Ok([0, 1, 1, 0]));
        check(&[(&[no(2)], 3), (&[no(1)], 2), (&[no(0)], 1), (&[no(4)], 0)], Ok([0, 1, 2, 3]));
    }

    #[test]
    fn facts_may_support_each_other_but_not_by_absence() {
        let (yes, no) = (|fact| literal(fact, true), |fact| literal(fact, false));
        check(&[(&[yes(1)], 0), (&[yes(0)], 1), (&[yes(4)], 0)], Ok([0, 0, 0, 0]));
        check(&[(&[no(1)], 0), (&[yes(0)], 1)], Err(()));
        check(&[(&[no(0)], 0)], Err(()));
    }
}
