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

use super::balance::Check;
use super::candidates::{Candidate, first_candidates};
use super::knowledge::Knowledge;
use super::limits::{Checked, Guard};
use super::propositional::Ground;
use super::prune::prune;
use super::reach::Reached;
use super::unreachable::Halt;
use std::collections::HashSet;

/// A task of the planning field needs a few dozen.
const MOST_CANDIDATES: usize = 300;

/// Groups of facts of which at most one holds at a time: each sorted, none within another.
pub(super) type Groups = Vec<Vec<u32>>;

/// Finds groups, and what they mean for the facts.
pub(super) fn invariants(
    reached: &Reached<'_>,
    ground: &Ground,
    guard: &Guard<'_>,
) -> Checked<(Groups, Knowledge)> {
    let normal = reached.normal;
    let mut found = Found::new(ground);
    let mut open = first_candidates(reached.lifted, normal, MOST_CANDIDATES);
    let mut seen: HashSet<Candidate> = open.iter().cloned().collect();
    let mut next = 0;
    while next < open.len().min(MOST_CANDIDATES) {
        let candidate = open[next].clone();
        next += 1;
        let mut check = Check::new(&candidate, reached, ground, &found.can_hold, guard)?;
        check.all_operators(normal, &candidate)?;
        found.take(&check, guard)?;
        for &(schema, source) in &check.hints {
            let mut refined = candidate.refined(&normal.schemas[schema as usize], source as usize);
            refined.retain(|candidate| seen.insert(candidate.clone()));
            let is_refined = !refined.is_empty();
            open.append(&mut refined);
            if is_refined {
                break;
            }
        }
    }
    found.finish(ground.n_facts(), guard)
}

/// Prunes with what is known now, until nothing more goes.
pub(super) fn prune_known(
    mut ground: Ground,
    known: &Knowledge,
    guard: &Guard<'_>,
) -> Result<Ground, Halt> {
    let size = |ground: &Ground| (ground.operators.len(), ground.effects.len());
    loop {
        let before = size(&ground);
        ground = prune(&ground, known, guard)?;
        if size(&ground) == before {
            return Ok(ground);
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
    groups: Groups,
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

    fn take(&mut self, check: &Check<'_>, guard: &Guard<'_>) -> Checked<()> {
        guard.pass(check.members.len() + check.instances.len())?;
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
                // In the group, and the group with each fact; rows double when they grow.
                guard.hold(2 * size_of::<Vec<u32>>() + facts.len() * 4 * size_of::<u32>())?;
                self.groups.push(facts);
            }
        }
        Ok(())
    }

    /// The groups without those within others, and what they mean.
    fn finish(mut self, n_facts: usize, guard: &Guard<'_>) -> Checked<(Groups, Knowledge)> {
        // The largest first, so that a group within another comes after it.
        self.groups.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        let mut by_fact: Vec<Vec<u32>> = vec![Vec::new(); n_facts];
        let mut kept = Groups::new();
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
