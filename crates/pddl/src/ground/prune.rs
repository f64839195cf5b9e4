//! What of a ground task can never happen, or changes nothing, taken out.
//!
//! In:   a ground task, and what is known of facts that exclude each other.
//! Out:  the task without operators that cannot become applicable even if nothing were ever
//!       lost, without conditions that are always true, without effects that change nothing; or
//!       what of the goal can never hold.
//! Cost: linear in the task, a few times.
//!
//! A fact and its negation are reached apart: a negative condition is true where the fact does
//! not hold at the start or something deletes it.

use super::knowledge::Knowledge;
use super::limits::{Checked, Guard};
use super::propositional::{Effect, Ground, Literal, fact_of, holds, literal, opposite};
use super::rebuild::rebuild;
use super::unreachable::Halt;
use throng_base::Rows;

/// Takes out what never happens; or gives the first literal of the goal that can never hold, or
/// the first two that exclude each other.
pub(super) fn prune(ground: &Ground, known: &Knowledge, guard: &Guard<'_>) -> Result<Ground, Halt> {
    let mut reach = Reach::new(ground, known, guard)?;
    let mut can = reach.run()?;
    while reach.add_certain(&can)? {
        can = reach.run()?;
    }
    if let Some(&never) = ground.goal.iter().find(|&&literal| !can.literals[literal as usize]) {
        return Err(Halt::Literal(never));
    }
    if let Some((one, other)) = known.clash(&ground.goal) {
        return Err(Halt::Pair(one, other));
    }
    Ok(rebuild(ground, known, &can, guard)?)
}

/// The literals that can become true, and the operators, effects and rules that can happen.
pub(super) struct Can {
    pub(super) literals: Vec<bool>,
    /// Operators, then their effects one after the other, then rules.
    pub(super) items: Vec<bool>,
}

/// The fixed point: every item waits for so many literals.
struct Reach<'a> {
    ground: &'a Ground,
    guard: &'a Guard<'a>,
    /// By item, how many literals it waits for; `NEVER` if it cannot happen.
    waits: Vec<u32>,
    /// By literal, the items that wait for it.
    waiting: Rows<u32>,
    /// By operator, the item of its first effect.
    first_effects: Vec<u32>,
    first_rule: usize,
    known: &'a Knowledge,
    /// Derived facts that always hold.
    certain: Vec<bool>,
}

const NEVER: u32 = u32::MAX;

impl<'a> Reach<'a> {
    fn new(ground: &'a Ground, known: &'a Knowledge, guard: &'a Guard<'a>) -> Checked<Self> {
        let mut conditions: Vec<(&[Literal], u32)> = Vec::new();
        // `more` is one for an effect: it waits for its operator, too.
        let mut add = |literals: &'a [Literal], is_clash: bool, more: u32| {
            let clash = is_clash || known.clash(literals).is_some();
            let waits = if clash { NEVER } else { literals.len() as u32 + more };
            conditions.push((literals, waits));
            guard.pass(1 + literals.len())
        };
        ground.operators.iter().try_for_each(|of| add(ground.needs(of), false, 0))?;
        let mut first_effects = Vec::with_capacity(ground.operators.len());
        let mut n_items = ground.operators.len();
        for operator in &ground.operators {
            first_effects.push(n_items as u32);
            let held = known.held(ground.needs(operator));
            guard.pass(1 + held.len())?;
            for effect in ground.effects(operator) {
                let when = ground.when(effect);
                let is_excluded = |&l: &Literal| holds(l) && known.is_excluded(fact_of(l), &held);
                add(when, when.iter().any(is_excluded), 1)?;
            }
            n_items += ground.effects(operator).len();
        }
        let first_rule = n_items;
        ground.rules.iter().try_for_each(|rule| add(ground.when(rule), false, 0))?;
        let pairs = conditions.iter().zip(0..).flat_map(|((literals, _), item)| {
            literals.iter().map(move |&literal| (literal as usize, item))
        });
        let waiting = Rows::from_pairs(ground.n_facts() * 2, pairs);
        let waits = conditions.iter().map(|&(_, waits)| waits).collect();
        let certain = vec![false; ground.n_facts()];
        Ok(Reach { ground, guard, waits, waiting, first_effects, first_rule, known, certain })
    }

    fn run(&self) -> Checked<Can> {
        let n_facts = self.ground.n_facts();
        let mut can =
            Can { literals: vec![false; n_facts * 2], items: vec![false; self.waits.len()] };
        let mut waits = self.waits.clone();
        let mut open: Vec<Literal> = Vec::new();
        for (fact, (&starts, &certain)) in (0..).zip(self.ground.starts.iter().zip(&self.certain)) {
            if starts || !certain {
                self.reach(literal(fact, starts), &mut can, &mut open);
            }
        }
        for item in 0..waits.len() {
            self.guard.pass(1)?;
            if waits[item] == 0 {
                self.happen(item, &mut waits, &mut can, &mut open);
            }
        }
        while let Some(literal) = open.pop() {
            let waiting = self.waiting.row(literal as usize);
            self.guard.pass(1 + waiting.len())?;
            for &item in waiting {
                let item = item as usize;
                if waits[item] != NEVER {
                    waits[item] -= 1;
                    if waits[item] == 0 {
                        self.happen(item, &mut waits, &mut can, &mut open);
                    }
                }
            }
        }
        Ok(can)
    }

    fn reach(&self, literal: Literal, can: &mut Can, open: &mut Vec<Literal>) {
        let is_dead = holds(literal) && self.known.is_dead(fact_of(literal));
        if !is_dead && !std::mem::replace(&mut can.literals[literal as usize], true) {
            open.push(literal);
        }
    }

    /// An operator with its effects, or a rule, can happen. Effects of an operator are counted
    /// down here, so this goes one level deep and no further.
    fn happen(&self, item: usize, waits: &mut [u32], can: &mut Can, open: &mut Vec<Literal>) {
        if std::mem::replace(&mut can.items[item], true) {
            return;
        }
        if item >= self.first_rule {
            let fact = self.ground.rules[item - self.first_rule].fact;
            return self.reach(literal(fact, true), can, open);
        }
        if item >= self.ground.operators.len() {
            let effect = self.effect(item);
            return self.reach(literal(effect.fact, effect.adds), can, open);
        }
        let first = self.first_effects[item] as usize;
        for (at, effect) in self.ground.effects(&self.ground.operators[item]).iter().enumerate() {
            let waits = &mut waits[first + at];
            if *waits != NEVER {
                *waits -= 1;
                if *waits == 0 && !std::mem::replace(&mut can.items[first + at], true) {
                    self.reach(literal(effect.fact, effect.adds), can, open);
                }
            }
        }
    }

    fn effect(&self, item: usize) -> &Effect {
        let operator = self.first_effects.partition_point(|&first| first as usize <= item) - 1;
        let at = item - self.first_effects[operator] as usize;
        &self.ground.effects(&self.ground.operators[operator])[at]
    }

    /// Finds derived facts that always hold; whether there are new ones.
    fn add_certain(&mut self, can: &Can) -> Checked<bool> {
        let can_fail = |literal: Literal| can.literals[opposite(literal) as usize];
        // By rule, how many of its literals are not sure; one is sure if it cannot fail or is of
        // a fact that always holds.
        let mut unsure: Vec<u32> = Vec::with_capacity(self.ground.rules.len());
        let mut open = Vec::new();
        let is_sure = |certain: &[bool], literal: Literal| {
            !can_fail(literal) || holds(literal) && certain[fact_of(literal) as usize]
        };
        for (at, rule) in self.ground.rules.iter().enumerate() {
            let body = self.ground.when(rule);
            self.guard.pass(1 + body.len())?;
            let n_unsure = body.iter().filter(|&&l| !is_sure(&self.certain, l)).count();
            unsure.push(n_unsure as u32);
            if n_unsure == 0 {
                open.push(at);
            }
        }
        let mut found = false;
        while let Some(at) = open.pop() {
            let fact = self.ground.rules[at].fact;
            if std::mem::replace(&mut self.certain[fact as usize], true) {
                continue;
            }
            found = true;
            let fact = literal(fact, true);
            if !can_fail(fact) {
                continue;
            }
            for &item in self.waiting.row(fact as usize) {
                self.guard.pass(1)?;
                let Some(rule) = (item as usize).checked_sub(self.first_rule) else { continue };
                unsure[rule] -= 1;
                if unsure[rule] == 0 {
                    open.push(rule);
                }
            }
        }
        Ok(found)
    }
}
