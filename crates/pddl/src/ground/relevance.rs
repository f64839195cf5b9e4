//! What the goal can ever ask for, and the task without the rest.
//!
//! In:   a ground task.
//! Out:  the operators that can help, with the effects that matter.
//! Cost: linear in the task.
//!
//! A literal matters if it is in the goal, in what a helping operator needs, or decides whether
//! an effect on a fact that matters happens. An operator helps if it makes a literal true that
//! matters; one that does not is in no shortest plan, and none gets longer without it.

use super::limits::{Guard, Refusal};
use super::propositional::{
    Effect, Ground, Literal, Operator, Range, fact_of, holds, literal, opposite,
};

/// The task without what no goal asks for.
///
/// # Errors
///
/// If the caller says stop.
pub(super) fn keep_relevant(ground: &Ground, guard: &mut Guard<'_>) -> Result<Ground, Refusal> {
    let matters = Relevance::new(ground).run(guard)?;
    let is_kept =
        |fact: u32| matters[literal(fact, true) as usize] || matters[literal(fact, false) as usize];
    let mut kept = Ground {
        literals: ground.literals.clone(),
        goal: ground.goal.clone(),
        starts: ground.starts.clone(),
        is_derived: ground.is_derived.clone(),
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

struct Relevance<'a> {
    ground: &'a Ground,
    /// By fact, where its effects end in the row: operator and effect.
    ends: Vec<u32>,
    by_fact: Vec<(u32, Effect)>,
    rule_ends: Vec<u32>,
    rules_by_fact: Vec<u32>,
    matters: Vec<bool>,
    open: Vec<Literal>,
}

impl<'a> Relevance<'a> {
    fn new(ground: &'a Ground) -> Self {
        let mut by_fact = Vec::new();
        for (at, operator) in ground.operators.iter().enumerate() {
            by_fact.extend(ground.effects(operator).iter().map(|effect| (at as u32, *effect)));
        }
        by_fact.sort_by_key(|(_, effect)| effect.fact);
        let mut rules_by_fact: Vec<u32> = (0..ground.rules.len() as u32).collect();
        rules_by_fact.sort_by_key(|&rule| ground.rules[rule as usize].fact);
        let ends = ends(ground.n_facts(), by_fact.iter().map(|(_, effect)| effect.fact));
        let of_rules = rules_by_fact.iter().map(|&rule| ground.rules[rule as usize].fact);
        let rule_ends = self::ends(ground.n_facts(), of_rules);
        let matters = vec![false; ground.n_facts() * 2];
        Relevance { ground, ends, by_fact, rule_ends, rules_by_fact, matters, open: Vec::new() }
    }

    fn run(mut self, guard: &mut Guard<'_>) -> Result<Vec<bool>, Refusal> {
        let ground = self.ground;
        let mut helps = vec![false; ground.operators.len()];
        ground.goal.iter().for_each(|&literal| self.mark(literal));
        while let Some(literal) = self.open.pop() {
            let fact = fact_of(literal) as usize;
            for at in self.ends[fact]..self.ends[fact + 1] {
                let (operator, effect) = self.by_fact[at as usize];
                guard.pass(1 + ground.when(&effect).len())?;
                let is_achieved = effect.adds == holds(literal);
                for &condition in ground.when(&effect) {
                    self.mark(if is_achieved { condition } else { opposite(condition) });
                }
                if is_achieved && !std::mem::replace(&mut helps[operator as usize], true) {
                    let needs = ground.needs(&ground.operators[operator as usize]);
                    needs.iter().for_each(|&need| self.mark(need));
                }
            }
            for at in self.rule_ends[fact]..self.rule_ends[fact + 1] {
                let rule = &ground.rules[self.rules_by_fact[at as usize] as usize];
                guard.pass(1 + ground.body(rule).len())?;
                for &condition in ground.body(rule) {
                    self.mark(if holds(literal) { condition } else { opposite(condition) });
                }
            }
        }
        Ok(self.matters)
    }

    fn mark(&mut self, literal: Literal) {
        if !std::mem::replace(&mut self.matters[literal as usize], true) {
            self.open.push(literal);
        }
    }
}

/// Where the entries of every fact begin, in a row sorted by fact; one more at the end.
fn ends(n_facts: usize, facts: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut ends = vec![0; n_facts + 1];
    facts.for_each(|fact| ends[fact as usize + 1] += 1);
    for at in 1..ends.len() {
        ends[at] += ends[at - 1];
    }
    ends
}
