//! Proofs that need no states: they hold however many there are.
//!
//! In:   a type, what may have any value, what can ever be there.
//! Out:  the needs of an action that can never hold, whether anybody asks for what it sets, and a
//!       cheaper action that does the same.
//! Cost: each need and setting once; for twins, pairs of actions as far as the work reaches.

use super::contexts::Contexts;
use super::meter::Meter;
use super::space::starts;
use super::{Circumstances, GoalGroup};
use crate::asks::{as_range, written_by};
use crate::context::{ActionMask, Context};
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use crate::reason::Values;
use crate::relaxed::{Relaxed, relevant_to};
use std::collections::HashSet;
use throng_domain::compile::{
    LocalAction, LocalComparison, LocalFact, LocalRange, NpcTables, PackedValue, UNKNOWN,
};

pub(super) struct Proofs {
    /// What could become true if nothing were ever lost.
    reached: Relaxed,
    /// How far amounts get then; only where all that something starts with is known.
    amounts: Option<Values>,
    /// By action: whether it sets something that a goal, or an action on the way to one, asks for.
    pub(super) asked: Vec<bool>,
    /// By action: a cheaper one that is there whenever it is and does the same.
    pub(super) twins: Vec<Option<LocalAction>>,
    /// By action: the first that overrides it.
    pub(super) overriders: Vec<Option<LocalAction>>,
}

impl Proofs {
    pub(super) fn new(
        domain: &PreparedDomain,
        kind: &NpcTables,
        goal_groups: &[GoalGroup],
        given: &Circumstances,
        contexts: &Contexts,
        meter: &mut Meter<'_>,
    ) -> Proofs {
        let priced: HashSet<LocalAction> =
            given.prices.iter().filter_map(|(id, _)| kind.local_action(*id)).collect();
        let all = kind.local_actions();
        // A twin is the better thing to say; who has none for lack of work is judged otherwise.
        let mut twin = |action: LocalAction| {
            let others = beside(kind, action);
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
        let wanted = || goal_groups.iter().flat_map(|group| &group.alternatives);
        let facts = wanted().flat_map(|wants| &wants.facts);
        let counted = wanted().flat_map(|wants| wants.counted());
        Proofs {
            twins: all.map(&mut twin).collect(),
            reached: reached(kind, given, &contexts.ever),
            amounts: amounts(domain, kind, given, &contexts.ever),
            asked: relevant_to(kind, facts, counted, |action| contexts.ever[action.index()]),
            overriders: overriders(kind),
        }
    }

    /// What an action needs that can never hold.
    pub(super) fn never_holds(&self, kind: &NpcTables, action: LocalAction) -> Vec<LocalRange> {
        let needs = kind.needs(action).iter().map(|&need| as_range(need));
        let all = needs.chain(kind.ranges(action).iter().copied());
        let never = all.filter(|need| !self.can_hold(kind, need));
        let told = never.map(|need| {
            let written = written_by(kind, action, need);
            if self.can_hold(kind, &written) { need } else { written }
        });
        told.collect()
    }

    fn can_hold(&self, kind: &NpcTables, need: &LocalRange) -> bool {
        let has = |value| self.reached.has(kind, LocalFact { variable: need.variable, value });
        let may = self.amounts.as_ref().is_none_or(|amounts| amounts.can_have(need));
        may && need.values.values().any(has)
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

/// Those that may do the same as an action: they change one variable alike.
fn beside(kind: &NpcTables, action: LocalAction) -> Vec<LocalAction> {
    if let Some(set) = kind.sets(action).first() {
        return kind.setters(kind.slot(*set)).to_vec();
    }
    let Some(shift) = kind.shifts(action).first() else { return Vec::new() };
    kind.local_actions().filter(|&other| kind.shifts(other).contains(shift)).collect()
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
    let ranges = kind.ranges(action);
    // What the one allows of a variable, the other must take.
    let takes = |asked: &LocalRange| {
        let fact = needs.iter().find(|need| need.variable == asked.variable);
        let range = ranges.iter().find(|range| range.variable == asked.variable);
        fact.is_some_and(|need| asked.values.has(need.value))
            || range.is_some_and(|range| asked.values.has_all(&range.values))
    };
    let compares = |it: &LocalComparison| kind.comparisons(action).contains(it);
    kind.needs(other).iter().all(|need| needs.contains(need))
        && kind.ranges(other).iter().all(takes)
        && kind.comparisons(other).iter().all(compares)
        && after(kind.sets(action)) == after(kind.sets(other))
        && kind.shifts(action) == kind.shifts(other)
}

/// How far amounts get if nothing is ever lost; `None` where there are none, or something may start
/// with any value.
fn amounts(
    domain: &PreparedDomain,
    kind: &NpcTables,
    given: &Circumstances,
    ever: &[bool],
) -> Option<Values> {
    let start: Option<Vec<PackedValue>> = starts(kind, given).into_iter().collect();
    let start = start.filter(|_| kind.has_amounts())?;
    let mut enabled = ActionMask::none(kind.n_actions());
    kind.local_actions().for_each(|action| enabled.set(action, ever[action.index()]));
    let mut problem = Problem::new(domain, kind.id()).without_reasons();
    let (checks, forbidden) = (problem.checks().clone(), problem.forbidden().clone());
    let context = Context { checks: &checks, forbidden: &forbidden, enabled: Some(&enabled) };
    problem.fill(domain, kind.id(), |_| UNKNOWN, &[], context);
    problem.set_start(kind, &start);
    Some(Values::new(kind, &problem))
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
