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
use std::collections::HashSet;
use throng_domain::compile::{LocalAction, LocalFact, LocalVariable, NpcTables};
use throng_domain::model::ActionId;

pub(super) struct Proofs {
    /// By slot: whether it could become true if nothing were ever lost.
    reached: Vec<bool>,
    /// By action: whether it sets something that a goal, or an action on the way to one, asks for.
    asked: Vec<bool>,
    /// By action: a cheaper one that is there whenever it is and does the same.
    twins: Vec<Option<LocalAction>>,
    /// By action: the first that overrides it.
    overriders: Vec<Option<LocalAction>>,
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
        let all = (0..kind.n_actions() as u32).map(LocalAction);
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
        Proofs {
            twins: all.map(&mut twin).collect(),
            reached: reached(kind, given, &contexts.ever),
            asked: asked(kind, &contexts.ever),
            overriders: overriders(kind),
        }
    }

    /// What an action needs that can never hold.
    pub(super) fn never_holds(&self, kind: &NpcTables, action: LocalAction) -> Vec<LocalFact> {
        let needs = kind.needs(action).iter().copied();
        needs.filter(|&need| !self.reached[kind.slot(need)]).collect()
    }

    /// What overrides an action.
    pub(super) fn overrider(&self, kind: &NpcTables, action: LocalAction) -> Option<ActionId> {
        self.overriders[action.index()].map(|by| kind.actions()[by.index()])
    }

    /// Whether somebody asks for what it sets.
    pub(super) fn is_asked(&self, action: LocalAction) -> bool {
        self.asked[action.index()]
    }

    /// A cheaper action that does the same.
    pub(super) fn twin(&self, action: LocalAction) -> Option<LocalAction> {
        self.twins[action.index()]
    }
}

fn overriders(kind: &NpcTables) -> Vec<Option<LocalAction>> {
    let mut overriders = vec![None; kind.n_actions()];
    for by in (0..kind.n_actions() as u32).map(LocalAction) {
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

/// What could become true, by slot, if nothing were ever lost.
fn reached(kind: &NpcTables, given: &Circumstances, ever: &[bool]) -> Vec<bool> {
    let mut reached = vec![false; kind.n_slots()];
    for (at, start) in starts(kind, given).into_iter().enumerate() {
        let variable = LocalVariable(at as u32);
        let values = 0..kind.n_values(variable);
        for value in values.filter(|&value| start.is_none_or(|start| usize::from(start) == value)) {
            reached[kind.slot(LocalFact { variable, value: value as _ })] = true;
        }
    }
    let open = |&action: &LocalAction| ever[action.index()];
    let mut missing: Vec<usize> = Vec::with_capacity(kind.n_actions());
    let mut ready: Vec<LocalAction> = Vec::new();
    for action in (0..kind.n_actions() as u32).map(LocalAction) {
        let needs = kind.needs(action).iter();
        missing.push(needs.filter(|&&need| !reached[kind.slot(need)]).count());
        ready.extend(Some(action).filter(|_| missing[action.index()] == 0).filter(open));
    }
    while let Some(action) = ready.pop() {
        for slot in kind.sets(action).iter().map(|&set| kind.slot(set)) {
            if !std::mem::replace(&mut reached[slot], true) {
                for &other in kind.needed_by(slot) {
                    missing[other.index()] -= 1;
                    ready.extend(Some(other).filter(|_| missing[other.index()] == 0).filter(open));
                }
            }
        }
    }
    reached
}

/// Which actions set something that is asked for. A plan with a step of the others is a plan
/// without it, too: nobody can tell the difference.
fn asked(kind: &NpcTables, ever: &[bool]) -> Vec<bool> {
    let mut asked = vec![false; kind.n_actions()];
    let mut demanded = vec![false; kind.n_slots()];
    let wants = kind.goals().iter().filter_map(|&goal| kind.wants(goal));
    let mut open: Vec<usize> =
        wants.flat_map(|(wants, ..)| wants).map(|&want| kind.slot(want)).collect();
    open.iter().for_each(|&slot| demanded[slot] = true);
    while let Some(slot) = open.pop() {
        for &action in kind.setters(slot).iter().filter(|action| ever[action.index()]) {
            if !std::mem::replace(&mut asked[action.index()], true) {
                let needs = kind.needs(action).iter().map(|&need| kind.slot(need));
                open.extend(needs.filter(|&slot| !std::mem::replace(&mut demanded[slot], true)));
            }
        }
    }
    asked
}
