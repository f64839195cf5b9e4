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
use super::knowledge::Knowledge;
use super::limits::{Guard, Limits, Refusal};
use super::normalise::Normal;
use super::propositional::{Effect, Ground, Literal, Operator, fact_of, holds, literal, opposite};
use super::prune::prune;
use super::reach::Reached;
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
        let mut check = Check::new(&candidate, reached, &found.can_hold, &mut guard)?;
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
    let (groups, known) = found.finish(reached.ground.n_facts(), &mut guard)?;
    reached.work += guard.work;
    apply(lifted, reached, &known, &mut guard)?;
    Ok(Groups { groups })
}

/// Prunes with what is known now, until nothing more goes.
fn apply(
    lifted: &Lifted,
    reached: &mut Reached,
    known: &Knowledge,
    guard: &mut Guard<'_>,
) -> Result<(), Refusal> {
    loop {
        let size = |ground: &Ground| (ground.operators.len(), ground.effects.len());
        let before = size(&reached.ground);
        match prune(&reached.ground, known, guard)? {
            Ok(ground) => reached.ground = ground,
            Err(never) => {
                let name = |fact| reached.facts.pddl(fact, lifted, &reached.relations);
                reached.unreachable = Some(never.told(name));
                reached.ground = Ground::default();
            }
        }
        if size(&reached.ground) == before {
            return Ok(());
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
    fn finish(
        mut self,
        n_facts: usize,
        guard: &mut Guard<'_>,
    ) -> Result<(Vec<Vec<u32>>, Knowledge), Refusal> {
        // The largest first, so that a group within another comes after it.
        self.groups.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        let mut by_fact: Vec<Vec<u32>> = vec![Vec::new(); n_facts];
        let mut kept: Vec<Vec<u32>> = Vec::new();
        for group in self.groups {
            guard.pass(group.len() * (1 + by_fact[group[0] as usize].len()))?;
            let is_within = |other: &u32| {
                let other = &kept[*other as usize];
                group.iter().all(|fact| other.binary_search(fact).is_ok())
            };
            if !by_fact[group[0] as usize].iter().any(is_within) {
                group.iter().for_each(|&fact| by_fact[fact as usize].push(kept.len() as u32));
                kept.push(group);
            }
        }
        Ok((kept, Knowledge { dead: self.dead, groups: by_fact }))
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
    fn new(
        candidate: &Candidate,
        reached: &'a Reached,
        can_hold: &[bool],
        guard: &mut Guard<'_>,
    ) -> Result<Self, Refusal> {
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
                guard.pass(1)?;
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
        Ok(check)
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
        let mut touched = Touched::default();
        for operator in self.ground.operators.iter().filter(|op| adds[op.schema as usize]) {
            let effects = self.ground.effects(operator);
            guard.work(effects.len() as u64)?;
            self.touch(operator, &mut touched);
            for additions in touched.additions.chunk_by(|a, b| a.0 == b.0) {
                let instance = additions[0].0;
                let part = Part {
                    instance,
                    all_needs: self.ground.needs(operator),
                    needs: of_instance(&touched.needs, instance),
                    deletions: of_instance(&touched.deletions, instance),
                };
                if additions.len() > MOST_ADDITIONS {
                    self.instances[instance as usize].is_broken = true;
                    continue;
                }
                guard.work((additions.len() * additions.len()) as u64)?;
                guard.pass(additions.len() * (part.needs.len() + part.deletions.len()))?;
                self.operator(operator.schema, &part, additions);
            }
        }
        Ok(())
    }

    /// What of an operator is about instances that it adds to.
    fn touch(&self, operator: &Operator, touched: &mut Touched) {
        let of = |fact: u32| self.instance_of[fact as usize];
        let is_open =
            |&instance: &u32| instance != NONE && !self.instances[instance as usize].is_broken;
        let Touched { additions, deletions, needs } = touched;
        additions.clear();
        deletions.clear();
        needs.clear();
        for effect in self.ground.effects(operator) {
            let instance = of(effect.fact);
            if is_open(&instance) {
                let row = if effect.adds { &mut *additions } else { &mut *deletions };
                row.push((instance, *effect));
            }
        }
        if additions.is_empty() {
            return;
        }
        let literals = self.ground.needs(operator).iter().copied();
        let members = literals.map(|literal| (of(fact_of(literal)), literal));
        needs.extend(members.filter(|(instance, _)| is_open(instance)));
        additions.sort_by_key(|(instance, _)| *instance);
        deletions.sort_by_key(|(instance, _)| *instance);
        needs.sort_by_key(|(instance, _)| *instance);
    }

    /// Whether an operator leaves an instance as it should be.
    fn operator(&mut self, schema: u32, part: &Part<'_>, additions: &[(u32, Effect)]) {
        let at_once = additions.iter().enumerate().any(|(at, (_, one))| {
            let mut others = additions[..at].iter().map(|(_, other)| other);
            others.any(|other| one.fact != other.fact && !self.exclude(part, one, other))
        });
        if at_once {
            self.instances[part.instance as usize].is_broken = true;
            return;
        }
        for (_, addition) in additions {
            let balance = self.balance(part, addition);
            let at = &mut self.instances[part.instance as usize];
            match balance {
                Balance::Replaces => {}
                Balance::Enters if at.n_facts > 1 => at.is_entered = true,
                Balance::Enters | Balance::Breaks => {
                    at.is_broken = true;
                    let hint = (schema, addition.source);
                    if self.hints.len() < MOST_HINTS && !self.hints.contains(&hint) {
                        self.hints.push(hint);
                    }
                    return;
                }
            }
        }
    }

    /// What must hold before an addition, of the facts of the instance: literals.
    fn before<'b>(
        &'b self,
        part: &'b Part<'_>,
        when: &'b [Literal],
    ) -> impl Iterator<Item = Literal> + 'b {
        let is_member = |l: &Literal| self.instance_of[fact_of(*l) as usize] == part.instance;
        let needs = part.needs.iter().map(|(_, literal)| *literal);
        needs.chain(when.iter().copied().filter(is_member))
    }

    /// Whether two additions never happen together.
    fn exclude(&self, part: &Part<'_>, one: &Effect, other: &Effect) -> bool {
        let (first, second) = (self.ground.when(one), self.ground.when(other));
        let mut held = None;
        first.iter().any(|&literal| second.binary_search(&opposite(literal)).is_ok())
            || self
                .before(part, first)
                .chain(self.before(part, second))
                .any(|l| holds(l) && *held.get_or_insert(l) != l)
    }

    fn balance(&self, part: &Part<'_>, addition: &Effect) -> Balance {
        let when = self.ground.when(addition);
        // What is surely deleted if it holds.
        let is_deleted = |deletion: &Effect| {
            let is_sure = |l: &Literal| {
                part.all_needs.binary_search(l).is_ok()
                    || when.binary_search(l).is_ok()
                    || *l == literal(deletion.fact, true)
            };
            self.ground.when(deletion).iter().all(is_sure)
        };
        let deletions = || part.deletions.iter().map(|(_, e)| e).filter(|e| is_deleted(e));
        let members = || self.before(part, when).filter(|&l| holds(l)).map(fact_of);
        if let Some(held) = members().next() {
            // Where two of them would have to hold before, it never happens.
            let is_replaced = held == addition.fact
                || members().any(|other| other != held)
                || deletions().any(|deletion| deletion.fact == held);
            return if is_replaced { Balance::Replaces } else { Balance::Breaks };
        }
        let absent = self.before(part, when).filter(|&l| !holds(l)).map(fact_of);
        let mut gone: Vec<u32> = deletions().map(|deletion| deletion.fact).chain(absent).collect();
        gone.retain(|&fact| fact != addition.fact);
        gone.sort_unstable();
        gone.dedup();
        let is_alone = gone.len() + 1 == self.instances[part.instance as usize].n_facts;
        if is_alone { Balance::Enters } else { Balance::Breaks }
    }
}

/// What of one operator is about instances, each row sorted by instance.
#[derive(Default)]
struct Touched {
    additions: Vec<(u32, Effect)>,
    deletions: Vec<(u32, Effect)>,
    needs: Vec<(u32, Literal)>,
}

/// What of one operator is about one instance.
struct Part<'a> {
    instance: u32,
    /// What the operator needs, of this instance or not.
    all_needs: &'a [Literal],
    needs: &'a [(u32, Literal)],
    deletions: &'a [(u32, Effect)],
}

/// The stretch of one instance.
fn of_instance<T>(row: &[(u32, T)], instance: u32) -> &[(u32, T)] {
    let from = row.partition_point(|(of, _)| *of < instance);
    let n = row[from..].partition_point(|(of, _)| *of == instance);
    &row[from..from + n]
}

enum Balance {
    /// The fact takes the place of one that is needed.
    Replaces,
    /// No other holds afterwards, whichever did before.
    Enters,
    /// Nothing says so.
    Breaks,
}
