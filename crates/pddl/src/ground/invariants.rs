//! Phase 3: groups of facts of which at most one holds at a time.
//!
//! In:   the ground task and candidates from its schemas.
//! Out:  groups, each proven; and the task without what they exclude.
//! Cost: every operator once per candidate that it adds to; at most [`MOST_CANDIDATES`].
//!
//! The proof is by induction, on the ground operators, instance by instance: the start has at
//! most one fact of the group, and no operator makes it two. An addition is balanced where
//! (a) the operator needs a fact of the group and deletes it (or adds just that one), or
//! (b) it deletes, or needs not to hold, every other fact of the group.
//! What a lifted proof would refuse because of instances that cannot happen, this one accepts.

use super::candidates::{Candidate, first_candidates};
use super::limits::{Guard, Limits, Refusal};
use super::normalise::Normal;
use super::propositional::{Effect, Ground, Literal, Operator, fact_of, holds, literal, opposite};
use super::prune::{Knowledge, prune};
use super::reach::{Reached, unreachable_text};
use super::relation::Relation;
use crate::lifted::Lifted;
use std::collections::HashSet;

/// Groups of facts of which at most one holds at a time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Groups {
    /// Each sorted; none within another.
    pub(super) groups: Vec<Vec<u32>>,
}

/// A task of the planning field needs a few dozen.
const MOST_CANDIDATES: usize = 300;
/// How many additions out of balance are looked at for a way to mend the candidate.
const MOST_HINTS: usize = 4;
/// An operator that adds more facts to one group is taken to break it.
const MOST_ADDITIONS: usize = 64;

/// Finds groups, and takes out of the task what they exclude.
///
/// # Errors
///
/// If a limit is reached or `stop` says so.
pub fn invariants(
    lifted: &Lifted,
    normal: &Normal,
    reached: &mut Reached,
    limits: &Limits,
    stop: Option<&dyn Fn() -> bool>,
) -> Result<Groups, Refusal> {
    if reached.unreachable.is_some() {
        return Ok(Groups::default());
    }
    let mut guard = Guard::new(limits, stop);
    let mut found = Found::new(&reached.ground);
    let mut open = first_candidates(lifted, normal);
    let mut seen: HashSet<Candidate> = open.iter().cloned().collect();
    let mut next = 0;
    while next < open.len().min(MOST_CANDIDATES) {
        let candidate = open[next].clone();
        next += 1;
        let mut check = Check::new(&candidate, reached, &found.can_hold);
        check.all_operators(normal, &candidate, &mut guard)?;
        found.take(&check);
        for &(schema, source) in &check.hints {
            let mut refined = candidate.refined(&normal.schemas[schema as usize], source as usize);
            refined.retain(|candidate| seen.insert(candidate.clone()));
            let is_mended = !refined.is_empty();
            open.append(&mut refined);
            if is_mended {
                break;
            }
        }
    }
    let (groups, known) = found.finish(reached.ground.n_facts());
    reached.work += guard.work;
    apply(lifted, reached, &known);
    Ok(Groups { groups })
}

/// Prunes with what is known now, until nothing more goes.
fn apply(lifted: &Lifted, reached: &mut Reached, known: &Knowledge) {
    loop {
        let size = |ground: &Ground| (ground.operators.len(), ground.effects.len());
        let before = size(&reached.ground);
        match prune(&reached.ground, known) {
            Ok(ground) => reached.ground = ground,
            Err(literal) => {
                let name = |fact| reached.facts.pddl(fact, lifted, &reached.relations);
                reached.unreachable = Some(unreachable_text(literal, name));
                reached.ground = Ground::default();
            }
        }
        if size(&reached.ground) == before {
            return;
        }
    }
}

/// What the candidates gave so far.
struct Found {
    /// By fact, whether it can hold.
    can_hold: Vec<bool>,
    /// By fact, whether an operator changes it.
    changes: Vec<bool>,
    dead: Vec<bool>,
    groups: Vec<Vec<u32>>,
}

impl Found {
    fn new(ground: &Ground) -> Self {
        let mut can_hold = ground.starts.clone();
        let mut changes = vec![false; ground.n_facts()];
        for effect in ground.operators.iter().flat_map(|operator| ground.effects(operator)) {
            can_hold[effect.fact as usize] |= effect.adds;
            changes[effect.fact as usize] = true;
        }
        Found { can_hold, changes, dead: vec![false; ground.n_facts()], groups: Vec::new() }
    }

    fn take(&mut self, check: &Check<'_>) {
        let mut members = vec![Vec::new(); check.instances.len()];
        for &fact in &check.members {
            let instance = check.instance_of[fact as usize] as usize;
            if !check.instances[instance].is_broken {
                members[instance].push(fact);
            }
        }
        for (facts, instance) in members.into_iter().zip(&check.instances) {
            if instance.is_broken {
                continue;
            }
            if instance.n_at_start == 0 && !instance.is_entered {
                facts.iter().for_each(|&fact| self.dead[fact as usize] = true);
            }
            let mut facts: Vec<u32> =
                facts.into_iter().filter(|&fact| self.changes[fact as usize]).collect();
            if facts.len() > 1 {
                facts.sort_unstable();
                self.groups.push(facts);
            }
        }
    }

    /// The groups without those within others, and what they mean.
    fn finish(mut self, n_facts: usize) -> (Vec<Vec<u32>>, Knowledge) {
        // The largest first, so that a group within another comes after it.
        self.groups.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        let mut by_fact: Vec<Vec<u32>> = vec![Vec::new(); n_facts];
        let mut kept: Vec<Vec<u32>> = Vec::new();
        for group in self.groups {
            let is_within = |other: &u32| {
                let other = &kept[*other as usize];
                group.iter().all(|fact| other.binary_search(fact).is_ok())
            };
            if !by_fact[group[0] as usize].iter().any(is_within) {
                group.iter().for_each(|&fact| by_fact[fact as usize].push(kept.len() as u32));
                kept.push(group);
            }
        }
        (kept, Knowledge { dead: self.dead, groups: by_fact })
    }
}

/// Not in any instance.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Default)]
struct Instance {
    n_facts: usize,
    n_at_start: usize,
    is_broken: bool,
    /// Whether an operator may add a fact where none of them holds.
    is_entered: bool,
}

/// A candidate held against the operators.
struct Check<'a> {
    ground: &'a Ground,
    /// By fact.
    instance_of: Vec<u32>,
    members: Vec<u32>,
    instances: Vec<Instance>,
    /// Schemas and lifted effects whose additions are not balanced.
    hints: Vec<(u32, u32)>,
}

impl<'a> Check<'a> {
    fn new(candidate: &Candidate, reached: &'a Reached, can_hold: &[bool]) -> Self {
        let ground = &reached.ground;
        let mut keys = Relation::new(candidate.n_fixed());
        let mut check = Check {
            ground,
            instance_of: vec![NONE; ground.n_facts()],
            members: Vec::new(),
            instances: Vec::new(),
            hints: Vec::new(),
        };
        let mut key = Vec::new();
        for part in &candidate.parts {
            let relation = &reached.relations[part.predicate];
            let facts = reached.facts.of(part.predicate);
            for (tuple, fact) in facts.enumerate().filter(|(_, fact)| can_hold[*fact as usize]) {
                let objects = relation.tuple(tuple as u32);
                key.clear();
                key.extend(part.fixed.iter().map(|&position| objects[position]));
                let known = keys.insert(&key).or_else(|| keys.find(&key)).unwrap_or_default();
                if known as usize == check.instances.len() {
                    check.instances.push(Instance::default());
                }
                let instance = &mut check.instances[known as usize];
                instance.n_facts += 1;
                instance.n_at_start += usize::from(ground.starts[fact as usize]);
                instance.is_broken = instance.n_at_start > 1;
                check.instance_of[fact as usize] = known;
                check.members.push(fact);
            }
        }
        check
    }

    fn all_operators(
        &mut self,
        normal: &Normal,
        candidate: &Candidate,
        guard: &mut Guard<'_>,
    ) -> Result<(), Refusal> {
        let adds: Vec<bool> = normal
            .schemas
            .iter()
            .map(|schema| {
                let mut adding = schema.effects.iter().filter(|effect| effect.adds);
                adding.any(|effect| candidate.has(effect.atom.predicate.0 as usize))
            })
            .collect();
        let mut additions = Vec::new();
        for operator in self.ground.operators.iter().filter(|op| adds[op.schema as usize]) {
            let effects = self.ground.effects(operator);
            guard.work(effects.len() as u64)?;
            additions.clear();
            for effect in effects.iter().filter(|effect| effect.adds) {
                let instance = self.instance_of[effect.fact as usize];
                if instance != NONE && !self.instances[instance as usize].is_broken {
                    additions.push((instance, *effect));
                }
            }
            additions.sort_by_key(|(instance, _)| *instance);
            for same in additions.chunk_by(|a, b| a.0 == b.0) {
                guard.work((same.len() * same.len()) as u64)?;
                self.operator(operator, same[0].0, same);
            }
        }
        Ok(())
    }

    /// Whether an operator leaves an instance as it should be.
    fn operator(&mut self, operator: &Operator, instance: u32, additions: &[(u32, Effect)]) {
        let too_heavy = additions.len() > MOST_ADDITIONS
            || additions.iter().enumerate().any(|(at, (_, one))| {
                let mut others = additions[..at].iter().map(|(_, other)| other);
                others.any(|other| {
                    one.fact != other.fact && !self.exclude(operator, instance, one, other)
                })
            });
        if too_heavy {
            self.instances[instance as usize].is_broken = true;
            return;
        }
        for (_, addition) in additions {
            let balance = self.balance(operator, instance, addition);
            let at = &mut self.instances[instance as usize];
            match balance {
                Balance::Replaces => {}
                Balance::Enters if at.n_facts > 1 => at.is_entered = true,
                Balance::Enters | Balance::Breaks => {
                    at.is_broken = true;
                    let hint = (operator.schema, addition.source);
                    if self.hints.len() < MOST_HINTS && !self.hints.contains(&hint) {
                        self.hints.push(hint);
                    }
                    return;
                }
            }
        }
    }

    /// Whether two additions never happen together.
    fn exclude(&self, operator: &Operator, instance: u32, one: &Effect, other: &Effect) -> bool {
        let (first, second) = (self.ground.when(one), self.ground.when(other));
        let mut held = None;
        let needs = self.ground.needs(operator);
        first.iter().any(|&literal| second.contains(&opposite(literal)))
            || needs.iter().chain(first).chain(second).any(|&l| {
                let is_member = holds(l) && self.instance_of[fact_of(l) as usize] == instance;
                is_member && *held.get_or_insert(l) != l
            })
    }

    fn balance(&self, operator: &Operator, instance: u32, addition: &Effect) -> Balance {
        let needs = self.ground.needs(operator);
        let when = self.ground.when(addition);
        let before = || needs.iter().chain(when).copied();
        let is_member = |fact: u32| self.instance_of[fact as usize] == instance;
        // What is surely deleted if it holds.
        let is_deleted = |deletion: &Effect| {
            let sure =
                |l: &Literal| before().any(|b| b == *l) || *l == literal(deletion.fact, true);
            !deletion.adds && self.ground.when(deletion).iter().all(sure)
        };
        let deletions = || self.ground.effects(operator).iter().filter(|e| is_deleted(e));
        let members = || before().filter(|&l| holds(l)).map(fact_of).filter(|&f| is_member(f));
        if let Some(held) = members().next() {
            // Where two of them would have to hold before, it never happens.
            let is_replaced = held == addition.fact
                || members().any(|other| other != held)
                || deletions().any(|deletion| deletion.fact == held);
            return if is_replaced { Balance::Replaces } else { Balance::Breaks };
        }
        let absent = before().filter(|&l| !holds(l)).map(fact_of);
        let mut gone: Vec<u32> = deletions().map(|deletion| deletion.fact).chain(absent).collect();
        gone.retain(|&fact| is_member(fact) && fact != addition.fact);
        gone.sort_unstable();
        gone.dedup();
        let is_alone = gone.len() + 1 == self.instances[instance as usize].n_facts;
        if is_alone { Balance::Enters } else { Balance::Breaks }
    }
}

enum Balance {
    /// The fact takes the place of one that is needed.
    Replaces,
    /// No other holds afterwards, whichever did before.
    Enters,
    /// Nothing says so.
    Breaks,
}
