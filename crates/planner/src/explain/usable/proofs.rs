//! Proofs that need no states: they hold however many there are.
//!
//! In:   a type, what may have any value, what can ever be there.
//! Out:  the needs of an action that can never hold, whether anybody asks for what it sets, and a
//!       cheaper action that does the same.
//! Cost: each need and setting once; for twins, pairs of actions as far as the work reaches.

use super::Circumstances;
use super::contexts::Contexts;
use super::meter::Meter;
use super::space::starts;
use crate::relaxed::{Relaxed, relevant};
use std::collections::HashSet;
use throng_domain::compile::{LocalAction, LocalFact, NpcTables};

pub(super) struct Proofs {
    /// What could become true if nothing were ever lost.
    reached: Relaxed,
    /// By action: whether it sets something that a goal, or an action on the way to one, asks for.
    pub(super) asked: Vec<bool>,
    /// By action: a cheaper one that is there whenever it is and does the same.
    pub(super) twins: Vec<Option<LocalAction>>,
    /// By action: the first that overrides it.
    pub(super) overriders: Vec<Option<LocalAction>>,
}

impl Proofs {
    pub(super) fn new(
        kind: &NpcTables,
        given: &Circumstances,
        contexts: &Contexts,
        meter: &mut Meter<'_>,
    ) -> Proofs {
        let priced: HashSet<LocalAction> =
            given.prices.iter().filter_map(|(id, _)| kind.local_action(*id)).collect();
        let all = kind.local_actions();
        // A twin is the better thing to say; who has none for lack of work is judged otherwise.
        let mut twin = |action: LocalAction| {
            let set = kind.sets(action).first()?;
            let others = kind.setters(kind.slot(*set));
            meter.spend(others.len() as u64).ok()?;
            let may = |other: &LocalAction| {
                kind.cost(*other) < kind.cost(action)
                    && !priced.contains(&action)
                    && !priced.contains(other)
                    && does_the_same(kind, action, *other)
            };
            others.iter().copied().filter(may).find(|&other| {
                let work = contexts.masks.len() as u64;
                meter.spend(work).is_ok() && is_there_with(contexts, action, other)
            })
        };
        let wanted = kind.goals().iter().filter_map(|&goal| kind.wants(goal));
        let wanted = wanted.flat_map(|(wants, ..)| wants);
        Proofs {
            twins: all.map(&mut twin).collect(),
            reached: reached(kind, given, &contexts.ever),
            asked: relevant(kind, wanted, |action| contexts.ever[action.index()]),
            overriders: overriders(kind),
        }
    }

    /// What an action needs that can never hold.
    pub(super) fn never_holds(&self, kind: &NpcTables, action: LocalAction) -> Vec<LocalFact> {
        let needs = kind.needs(action).iter().copied();
        needs.filter(|&need| !self.reached.has(kind, need)).collect()
    }
}

fn overriders(kind: &NpcTables) -> Vec<Option<LocalAction>> {
    let mut overriders = vec![None; kind.n_actions()];
    for by in kind.local_actions() {
        for overridden in kind.overrides(by) {
            overriders[overridden.index()].get_or_insert(by);
        }
    }
    overriders
}

fn is_there_with(contexts: &Contexts, action: LocalAction, other: LocalAction) -> bool {
    contexts.complete && contexts.masks.iter().all(|mask| !mask.has(action) || mask.has(other))
}

/// Whether `other` can be done wherever `action` can, and leads to the same state there.
fn does_the_same(kind: &NpcTables, action: LocalAction, other: LocalAction) -> bool {
    let needs = kind.needs(action);
    let after = |sets: &[LocalFact]| {
        let kept = needs.iter().filter(|need| sets.iter().all(|set| set.variable != need.variable));
        let mut after: Vec<LocalFact> = kept.chain(sets).copied().collect();
        after.sort_unstable();
        after
    };
    kind.needs(other).iter().all(|need| needs.contains(need))
        && after(kind.sets(action)) == after(kind.sets(other))
}

/// What could become true if nothing were ever lost.
fn reached(kind: &NpcTables, given: &Circumstances, ever: &[bool]) -> Relaxed {
    let starts = starts(kind, given);
    let facts = kind.local_variables().flat_map(|variable| kind.facts_of(variable));
    let facts =
        facts.filter(|fact| starts[fact.variable.index()].is_none_or(|start| start == fact.value));
    let mut reached = Relaxed::default();
    reached.explore_from(kind, facts, |action| ever[action.index()]);
    reached
}
