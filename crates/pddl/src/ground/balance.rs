//! A candidate held against every operator: which of its instances stay one at a time.
//!
//! In:   a candidate and the ground task.
//! Out:  its instances, those broken marked; and hints how the candidate may be refined.
//! Cost: every operator that adds to the candidate once, and a sort of its effects; of each
//!       instance every addition with every deletion, and at most [`MOST_ADDITIONS`] additions.

use super::candidates::Candidate;
use super::limits::{Checked, Guard};
use super::normalise::{Normal, Schema};
use super::propositional::{Effect, Ground, Literal, Operator, fact_of, holds, literal, opposite};
use super::reach::Reached;
use super::relation::Relation;

/// How many additions out of balance are looked at for a way to refine the candidate.
const MOST_HINTS: usize = 4;
/// An operator that adds more facts to one group is taken to break it.
const MOST_ADDITIONS: usize = 64;

/// Not in any instance.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Default)]
pub(super) struct Instance {
    n_facts: usize,
    pub(super) n_at_start: usize,
    pub(super) is_broken: bool,
    /// Whether an operator may add a fact where none of them holds.
    pub(super) is_entered: bool,
}

/// A candidate held against the operators.
pub(super) struct Check<'a> {
    ground: &'a Ground,
    guard: &'a Guard<'a>,
    /// By fact.
    pub(super) instance_of: Vec<u32>,
    pub(super) members: Vec<u32>,
    pub(super) instances: Vec<Instance>,
    /// Schemas and lifted effects whose additions are not balanced.
    pub(super) hints: Vec<(u32, u32)>,
}

impl<'a> Check<'a> {
    pub(super) fn new(
        candidate: &Candidate,
        reached: &Reached<'_>,
        ground: &'a Ground,
        can_hold: &[bool],
        guard: &'a Guard<'a>,
    ) -> Checked<Self> {
        let mut keys = Relation::new(candidate.n_fixed());
        let mut check = Check {
            ground,
            guard,
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

    pub(super) fn all_operators(&mut self, normal: &Normal, of: &Candidate) -> Checked<()> {
        let adds = |schema: &Schema| {
            let mut adding = schema.effects.iter().filter(|effect| effect.adds);
            adding.any(|effect| of.has(effect.atom.predicate.index()))
        };
        let adds: Vec<bool> = normal.schemas.iter().map(adds).collect();
        let mut touched = Touched::default();
        for operator in self.ground.operators.iter().filter(|op| adds[op.schema as usize]) {
            let effects = self.ground.effects(operator);
            self.guard.work(effects.len() as u64)?;
            self.touch(operator, &mut touched);
            for additions in touched.additions.chunk_by(|a, b| a.0 == b.0) {
                let instance = additions[0].0;
                let share = Share {
                    instance,
                    all_needs: self.ground.needs(operator),
                    needs: of_instance(&touched.needs, instance),
                    deletions: of_instance(&touched.deletions, instance),
                };
                if additions.len() > MOST_ADDITIONS {
                    self.instances[instance as usize].is_broken = true;
                    continue;
                }
                self.guard.work((additions.len() * additions.len()) as u64)?;
                self.guard.pass(additions.len() * (share.needs.len() + share.deletions.len()))?;
                self.operator(operator.schema, &share, additions);
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
    fn operator(&mut self, schema: u32, share: &Share<'_>, additions: &[(u32, Effect)]) {
        let at_once = additions.iter().enumerate().any(|(at, (_, one))| {
            let mut others = additions[..at].iter().map(|(_, other)| other);
            others.any(|other| one.fact != other.fact && !self.exclude(share, one, other))
        });
        if at_once {
            self.instances[share.instance as usize].is_broken = true;
            return;
        }
        for (_, addition) in additions {
            let balance = self.balance(share, addition);
            let at = &mut self.instances[share.instance as usize];
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
    fn before(&self, share: &Share<'_>, when: &[Literal]) -> impl Iterator<Item = Literal> {
        let is_member = |l: &Literal| self.instance_of[fact_of(*l) as usize] == share.instance;
        let needs = share.needs.iter().map(|(_, literal)| *literal);
        needs.chain(when.iter().copied().filter(is_member))
    }

    /// Whether two additions never happen together.
    fn exclude(&self, share: &Share<'_>, one: &Effect, other: &Effect) -> bool {
        let (first, second) = (self.ground.when(one), self.ground.when(other));
        let mut held = None;
        first.iter().any(|&literal| second.binary_search(&opposite(literal)).is_ok())
            || self
                .before(share, first)
                .chain(self.before(share, second))
                .any(|l| holds(l) && *held.get_or_insert(l) != l)
    }

    fn balance(&self, share: &Share<'_>, addition: &Effect) -> Balance {
        let when = self.ground.when(addition);
        // What is surely deleted if it holds.
        let is_deleted = |deletion: &Effect| {
            let is_sure = |l: &Literal| {
                share.all_needs.binary_search(l).is_ok()
                    || when.binary_search(l).is_ok()
                    || *l == literal(deletion.fact, true)
            };
            self.ground.when(deletion).iter().all(is_sure)
        };
        let deletions = || share.deletions.iter().map(|(_, e)| e).filter(|e| is_deleted(e));
        let members = || self.before(share, when).filter(|&l| holds(l)).map(fact_of);
        if let Some(held) = members().next() {
            // Where two of them would have to hold before, it never happens.
            let is_replaced = held == addition.fact
                || members().any(|other| other != held)
                || deletions().any(|deletion| deletion.fact == held);
            return if is_replaced { Balance::Replaces } else { Balance::Breaks };
        }
        let absent = self.before(share, when).filter(|&l| !holds(l)).map(fact_of);
        let mut gone: Vec<u32> = deletions().map(|deletion| deletion.fact).chain(absent).collect();
        gone.retain(|&fact| fact != addition.fact);
        gone.sort_unstable();
        gone.dedup();
        let is_alone = gone.len() + 1 == self.instances[share.instance as usize].n_facts;
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
struct Share<'a> {
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
