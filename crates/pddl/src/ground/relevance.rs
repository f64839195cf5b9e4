//! What the goal can ever ask for, and the task without the rest.
//!
//! In:   a ground task.
//! Out:  the operators that can help, with the effects that matter.
//! Cost: linear in the task.
//!
//! A literal matters if it is in the goal, in what a helping operator needs, or decides whether
//! an effect on a fact that matters happens. Of a comparison of numbers both literals matter: what
//! counting brings about nobody chooses. An operator helps if it makes a literal true that
//! matters; one that does not is in no shortest plan, and none gets longer without it.

use super::limits::{Checked, Guard};
use super::propositional::{
    Effect, Ground, Literal, Operator, Range, fact_of, holds, literal, opposite,
};
use throng_base::Rows;

/// The task without what no goal asks for.
pub(super) fn keep_relevant(ground: &Ground, guard: &Guard<'_>) -> Checked<Ground> {
    let matters = relevant(ground, guard)?;
    let is_kept =
        |fact: u32| matters[literal(fact, true) as usize] || matters[literal(fact, false) as usize];
    let mut kept = Ground {
        literals: ground.literals.clone(),
        goal: ground.goal.clone(),
        starts: ground.starts.clone(),
        is_derived: ground.is_derived.clone(),
        is_comparison: ground.is_comparison.clone(),
        ..Ground::default()
    };
    for operator in &ground.operators {
        let effects = ground.effects(operator);
        guard.pass(1 + effects.len())?;
        let helps = |effect: &Effect| matters[literal(effect.fact, effect.adds) as usize];
        if effects.iter().any(helps) {
            let first = kept.effects.len();
            kept.effects.extend(effects.iter().filter(|effect| is_kept(effect.fact)));
            let effects = Range::new(first, kept.effects.len());
            kept.operators.push(Operator { effects, ..*operator });
        }
    }
    kept.rules = ground.rules.iter().filter(|rule| is_kept(rule.fact)).copied().collect();
    Ok(kept)
}

/// By literal, whether it matters.
fn relevant(ground: &Ground, guard: &Guard<'_>) -> Checked<Vec<bool>> {
    let effects = ground.operators.iter().zip(0u32..).flat_map(|(operator, at)| {
        let effects = ground.effects(operator).iter();
        effects.map(move |effect| (effect.fact as usize, (at, *effect)))
    });
    // Rules are effects of no operator.
    let rules = ground.rules.iter().map(|rule| (rule.fact as usize, (u32::MAX, *rule)));
    let by_fact = Rows::from_pairs(ground.n_facts(), effects.chain(rules));
    let mut helps = vec![false; ground.operators.len()];
    let mut matters = vec![false; ground.n_facts() * 2];
    let mut open: Vec<Literal> = Vec::new();
    let is_comparison = |literal| {
        let counts = ground.is_comparison.get(fact_of(literal) as usize);
        counts.is_some_and(|&counts| counts)
    };
    let mut mark = |literal: Literal, open: &mut Vec<Literal>| {
        let other = is_comparison(literal).then(|| opposite(literal));
        for literal in std::iter::once(literal).chain(other) {
            if !std::mem::replace(&mut matters[literal as usize], true) {
                open.push(literal);
            }
        }
    };
    ground.goal.iter().for_each(|&literal| mark(literal, &mut open));
    while let Some(literal) = open.pop() {
        for &(operator, effect) in by_fact.row(fact_of(literal) as usize) {
            guard.pass(1 + ground.when(&effect).len())?;
            let is_achieved = effect.adds == holds(literal);
            for &condition in ground.when(&effect) {
                mark(if is_achieved { condition } else { opposite(condition) }, &mut open);
            }
            if let Some(helps) = helps.get_mut(operator as usize).filter(|_| is_achieved)
                && !std::mem::replace(helps, true)
            {
                let needs = ground.needs(&ground.operators[operator as usize]);
                needs.iter().for_each(|&need| mark(need, &mut open));
            }
        }
    }
    Ok(matters)
}
