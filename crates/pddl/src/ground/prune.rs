//! What of a ground task can never happen, or changes nothing, taken out.
//!
//! In:   a ground task, and what is known of facts that exclude each other.
//! Out:  the task without operators that cannot become applicable even if nothing were ever
//!       lost, without conditions that are always true, without effects that change nothing; or
//!       the literal of the goal that can never hold.
//! Cost: linear in the task, a few times.
//!
//! A fact and its negation are reached apart: a negative condition is true where the fact does
//! not hold at the start or something deletes it.

use super::propositional::{
    Effect, Ground, Literal, Operator, Range, Rule, fact_of, holds, literal, opposite,
};

/// What is known beside the task.
#[derive(Clone, Default, Debug)]
pub(super) struct Knowledge {
    /// Facts that never hold; may be shorter than the facts.
    pub(super) dead: Vec<bool>,
    /// By fact, the groups it is in; may be shorter than the facts. Of a group at most one
    /// holds.
    pub(super) groups: Vec<Vec<u32>>,
}

impl Knowledge {
    fn is_dead(&self, fact: u32) -> bool {
        self.dead.get(fact as usize).is_some_and(|dead| *dead)
    }

    fn groups_of(&self, fact: u32) -> &[u32] {
        self.groups.get(fact as usize).map_or(&[], |groups| groups)
    }

    /// Whether the literals together ask for two facts of one group.
    pub(super) fn exclude(&self, literals: impl Iterator<Item = Literal>) -> bool {
        if self.groups.is_empty() {
            return false;
        }
        let mut seen: Vec<(u32, u32)> = Vec::new();
        for fact in literals.filter(|&literal| holds(literal)).map(fact_of) {
            seen.extend(self.groups_of(fact).iter().map(|&group| (group, fact)));
        }
        seen.sort_unstable();
        seen.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1)
    }
}

/// Takes out what never happens.
///
/// # Errors
///
/// Gives the first literal of the goal that can never hold.
pub(super) fn prune(ground: &Ground, known: &Knowledge) -> Result<Ground, Literal> {
    let mut reach = Reach::new(ground, known);
    let mut can;
    loop {
        can = reach.run();
        if !reach.add_certain(&can) {
            break;
        }
    }
    if let Some(&never) = ground.goal.iter().find(|&&literal| !can.literals[literal as usize]) {
        return Err(never);
    }
    if known.exclude(ground.goal.iter().copied()) {
        // Two of them exclude each other; the last is as good to name as any.
        return Err(ground.goal.iter().copied().rfind(|&l| holds(l)).unwrap_or_default());
    }
    Ok(Rebuild { ground, known, can: &can.literals, made: Ground::default() }.run(&can))
}

/// The literals that can become true, and the operators, effects and rules that can happen.
struct Can {
    literals: Vec<bool>,
    /// Operators, then their effects one after the other, then rules.
    items: Vec<bool>,
}

/// The fixed point: every item waits for so many literals.
struct Reach<'a> {
    ground: &'a Ground,
    /// By item, how many literals it waits for; `NEVER` if it cannot happen.
    waits: Vec<u32>,
    /// By literal, the items that wait for it, one after the other.
    ends: Vec<u32>,
    waiting: Vec<u32>,
    /// By operator, the item of its first effect.
    first_effects: Vec<u32>,
    first_rule: usize,
    known: &'a Knowledge,
    /// Derived facts that always hold.
    certain: Vec<bool>,
}

const NEVER: u32 = u32::MAX;

/// A rule is compared with so many others of its fact, to see whether one makes it needless.
const MOST_COMPARED: usize = 1000;

impl<'a> Reach<'a> {
    fn new(ground: &'a Ground, known: &'a Knowledge) -> Self {
        let mut conditions: Vec<(&[Literal], u32)> = Vec::new();
        for operator in &ground.operators {
            let needs = ground.needs(operator);
            let clash = known.exclude(needs.iter().copied());
            conditions.push((needs, if clash { NEVER } else { needs.len() as u32 }));
        }
        let mut first_effects = Vec::with_capacity(ground.operators.len());
        for operator in &ground.operators {
            first_effects.push(conditions.len() as u32);
            let needs = ground.needs(operator);
            for effect in ground.effects(operator) {
                let when = ground.when(effect);
                let clash = !when.is_empty() && known.exclude(needs.iter().chain(when).copied());
                // One more than its literals: the operator itself.
                conditions.push((when, if clash { NEVER } else { when.len() as u32 + 1 }));
            }
        }
        let first_rule = conditions.len();
        for rule in &ground.rules {
            let body = ground.body(rule);
            let clash = known.exclude(body.iter().copied());
            conditions.push((body, if clash { NEVER } else { body.len() as u32 }));
        }
        let mut ends = vec![0; ground.n_facts() * 2 + 1];
        for &literal in conditions.iter().flat_map(|(literals, _)| *literals) {
            ends[literal as usize + 1] += 1;
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut next = ends.clone();
        let mut waiting = vec![0; ends.last().map_or(0, |&end| end as usize)];
        for (item, (literals, _)) in conditions.iter().enumerate() {
            for &literal in *literals {
                waiting[next[literal as usize] as usize] = item as u32;
                next[literal as usize] += 1;
            }
        }
        let waits = conditions.iter().map(|&(_, waits)| waits).collect();
        let certain = vec![false; ground.n_facts()];
        Reach { ground, waits, ends, waiting, first_effects, first_rule, known, certain }
    }

    fn run(&self) -> Can {
        let n_facts = self.ground.n_facts();
        let mut can =
            Can { literals: vec![false; n_facts * 2], items: vec![false; self.waits.len()] };
        let mut waits = self.waits.clone();
        let mut open: Vec<Literal> = Vec::new();
        for fact in 0..n_facts as u32 {
            let (starts, certain) =
                (self.ground.starts[fact as usize], self.certain[fact as usize]);
            if starts {
                self.reach(literal(fact, true), &mut can, &mut open);
            } else if !certain {
                self.reach(literal(fact, false), &mut can, &mut open);
            }
        }
        for item in 0..waits.len() {
            if waits[item] == 0 {
                self.happen(item, &mut waits, &mut can, &mut open);
            }
        }
        while let Some(literal) = open.pop() {
            let at = literal as usize;
            for slot in self.ends[at]..self.ends[at + 1] {
                let item = self.waiting[slot as usize] as usize;
                if waits[item] != NEVER {
                    waits[item] -= 1;
                    if waits[item] == 0 {
                        self.happen(item, &mut waits, &mut can, &mut open);
                    }
                }
            }
        }
        can
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
    fn add_certain(&mut self, can: &Can) -> bool {
        let before = self.certain.iter().filter(|certain| **certain).count();
        loop {
            let mut found = false;
            for rule in &self.ground.rules {
                let is_sure = |&literal: &Literal| {
                    !can.literals[opposite(literal) as usize]
                        || holds(literal) && self.certain[fact_of(literal) as usize]
                };
                if !self.certain[rule.fact as usize] && self.ground.body(rule).iter().all(is_sure) {
                    self.certain[rule.fact as usize] = true;
                    found = true;
                }
            }
            if !found {
                break;
            }
        }
        self.certain.iter().filter(|certain| **certain).count() > before
    }
}

/// An effect on its way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Draft {
    fact: u32,
    adds: bool,
    when: Vec<Literal>,
    source: u32,
}

struct Rebuild<'a> {
    ground: &'a Ground,
    known: &'a Knowledge,
    can: &'a [bool],
    made: Ground,
}

impl Rebuild<'_> {
    fn run(mut self, can: &Can) -> Ground {
        let ground = self.ground;
        self.made.starts.clone_from(&ground.starts);
        self.made.is_derived.clone_from(&ground.is_derived);
        let mut item = ground.operators.len();
        let mut drafts = Vec::new();
        for (at, operator) in ground.operators.iter().enumerate() {
            let effects = ground.effects(operator);
            if can.items[at] {
                self.add_operator(operator, &can.items[item..item + effects.len()], &mut drafts);
            }
            item += effects.len();
        }
        let mut rules = Vec::new();
        for (rule, _) in ground.rules.iter().zip(&can.items[item..]).filter(|(_, can)| **can) {
            let body = self.uncertain(ground.body(rule));
            let supports_itself = body.contains(&literal(rule.fact, true));
            let is_certain = !self.can[literal(rule.fact, false) as usize];
            if !supports_itself && !is_certain {
                rules.push((rule.fact, body));
            }
        }
        // By fact; the shortest first, as it may make longer ones needless.
        rules.sort_unstable_by(|(a, one), (b, other)| {
            (a, one.len(), one).cmp(&(b, other.len(), other))
        });
        for of_fact in rules.chunk_by(|(a, _), (b, _)| a == b) {
            let mut kept: Vec<&[Literal]> = Vec::new();
            for (fact, body) in of_fact {
                if !kept.iter().take(MOST_COMPARED).any(|shorter| is_within(shorter, body)) {
                    kept.push(body);
                    let when = self.made.add_literals(body);
                    self.made.rules.push(Rule { when, fact: *fact });
                }
            }
        }
        self.made.goal = self.uncertain(&ground.goal);
        self.made
    }

    /// The literals that can also be false.
    fn uncertain(&self, literals: &[Literal]) -> Vec<Literal> {
        let can_fail = |literal: &Literal| self.can[opposite(*literal) as usize];
        literals.iter().copied().filter(can_fail).collect()
    }

    fn add_operator(&mut self, operator: &Operator, can: &[bool], drafts: &mut Vec<Draft>) {
        let ground = self.ground;
        let needs = self.uncertain(ground.needs(operator));
        drafts.clear();
        for (effect, _) in ground.effects(operator).iter().zip(can).filter(|(_, can)| **can) {
            let changes = self.can[literal(effect.fact, !effect.adds) as usize];
            let when = ground.when(effect);
            if !changes || when.iter().any(|&literal| needs.contains(&opposite(literal))) {
                continue;
            }
            let mut when = self.uncertain(when);
            when.retain(|literal| !needs.contains(literal));
            let Effect { fact, adds, source, .. } = *effect;
            drafts.push(Draft { fact, adds, when, source });
        }
        // By fact; deletions first.
        drafts.sort_unstable();
        self.drop_idle(&needs, drafts);
        if drafts.is_empty() {
            return;
        }
        let first = self.made.effects.len();
        for draft in drafts.iter() {
            let when = self.made.add_literals(&draft.when);
            let Draft { fact, adds, source, .. } = *draft;
            self.made.effects.push(Effect { when, fact, adds, source });
        }
        let effects = Range::new(first, self.made.effects.len());
        let needs = self.made.add_literals(&needs);
        self.made.operators.push(Operator { needs, effects, ..*operator });
    }

    /// Drops effects that change nothing, fact by fact.
    fn drop_idle(&self, needs: &[Literal], drafts: &mut Vec<Draft>) {
        let mut kept = Vec::with_capacity(drafts.len());
        let mut of_fact = Vec::new();
        let mut left = drafts.drain(..).peekable();
        while let Some(first) = left.next() {
            let fact = first.fact;
            of_fact.push(first);
            while let Some(next) = left.next_if(|draft| draft.fact == fact) {
                of_fact.push(next);
            }
            self.drop_idle_of_fact(fact, needs, &mut of_fact);
            kept.append(&mut of_fact);
        }
        drop(left);
        *drafts = kept;
    }

    fn drop_idle_of_fact(&self, fact: u32, needs: &[Literal], drafts: &mut Vec<Draft>) {
        if drafts.len() > 1 {
            drop_repeated(drafts);
            // What is added again whenever it is deleted is not deleted.
            let adds: Vec<Vec<Literal>> =
                drafts.iter().filter(|draft| draft.adds).map(|draft| draft.when.clone()).collect();
            let added_again = |draft: &Draft| adds.iter().any(|add| is_within(add, &draft.when));
            drafts.retain(|draft| draft.adds || !added_again(draft));
        }
        drafts.retain(|draft| draft.adds || !self.is_false_before(fact, needs, &draft.when));
        if drafts.iter().all(|draft| draft.adds) {
            let fact = literal(fact, true);
            drafts.retain(|draft| !needs.contains(&fact) && !draft.when.contains(&fact));
        }
    }

    /// Whether a fact surely does not hold where an effect happens.
    fn is_false_before(&self, fact: u32, needs: &[Literal], when: &[Literal]) -> bool {
        let both = || needs.iter().chain(when).copied();
        both().any(|l| l == literal(fact, false))
            || !self.known.groups_of(fact).is_empty()
                && both().filter(|&l| holds(l) && fact_of(l) != fact).any(|l| {
                    let others = self.known.groups_of(fact_of(l));
                    self.known.groups_of(fact).iter().any(|group| others.contains(group))
                })
    }
}

/// Drops what happens in fewer cases than another of the same kind. All are of one fact.
fn drop_repeated(drafts: &mut Vec<Draft>) {
    let mut kept: Vec<Draft> = Vec::with_capacity(drafts.len());
    drafts.sort_by_key(|draft| draft.when.len());
    for draft in drafts.drain(..) {
        let covers =
            |other: &Draft| other.adds == draft.adds && is_within(&other.when, &draft.when);
        if !kept.iter().any(covers) {
            kept.push(draft);
        }
    }
    kept.sort_unstable();
    *drafts = kept;
}

fn is_within(some: &[Literal], all: &[Literal]) -> bool {
    some.iter().all(|literal| all.contains(literal))
}
