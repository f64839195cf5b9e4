//! How many changes away each fact is that is out of reach, and by which action.
//!
//! In:   a problem, and what could be reached at all.
//! Out:  for each fact the least sum of changes that would bring it into reach, and the action to
//!       do it then; one check, if its other answer alone brings the goal into reach.
//! Cost: each need of each action once, in a queue; for the one check, an exploration per check,
//!       up to a bound.
//!
//! Changes are counted in millionths, so that of as many the likelier come first: what a check
//! answers is said anew each time, what the world or the domain is like is not. Needs are added
//! up, so a change that serves two of them counts twice: this only chooses what to tell.

use crate::absence::{asks, wrong};
use crate::asks::{Unmet, unmet_standing};
use crate::context::{ActionMask, Checks, is_enabled};
use crate::problem::Problem;
use crate::relaxed::{Relaxed, known_facts};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use throng_domain::compile::{LocalAction, LocalFact, NpcTables, UNKNOWN};
use throng_domain::model::{CheckId, CheckUse};

/// Another answer to a check.
const CHECK: u64 = 1_000_000;
/// A value that is unknown has to be said.
pub(super) const UNSAID: u64 = 1_001_000;
/// The world has to change a variable.
pub(super) const WORLD: u64 = 1_002_000;
/// An action is no longer forbidden or overridden.
const LET: u64 = 1_003_000;
/// A value that no action sets.
pub(super) const NOBODY: u64 = 1_004_000;
/// The check that is told: its other answer is all that it takes.
const TOLD: u64 = 1_000;
/// An action on the way, at least.
const STEP: u64 = 1;
/// The price of an action counts for a tenth each, up to this: all actions of a way together are
/// less than the smallest difference between changes.
const DEAREST: u64 = 99;
const TENTH: u64 = 100;

/// How much work goes into the one check: checks times actions and values. Some microseconds: a
/// game may hear "impossible" in every frame. Beyond, the sum of changes decides, and `whynot`
/// still tries each check.
const MOST_WORK: usize = 1_000;

/// What is nearest, by slot.
pub(super) struct Nearest {
    far: Vec<u64>,
    by: Vec<Option<LocalAction>>,
    queue: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Nearest {
    /// Of a problem whose goal is out of reach.
    pub(super) fn new(npc: &NpcTables, problem: &Problem, relaxed: &Relaxed) -> Nearest {
        let (far, by) = (vec![u64::MAX; npc.n_slots()], vec![None; npc.n_slots()]);
        let mut nearest = Nearest { far, by, queue: BinaryHeap::with_capacity(npc.n_slots()) };
        for fact in npc.local_variables().flat_map(|variable| npc.facts_of(variable)) {
            let slot = npc.slot(fact);
            if relaxed.has(npc, fact) {
                nearest.far[slot] = 0;
            } else if npc.setters(slot).is_empty() {
                nearest.far[slot] = match problem.start()[fact.variable.index()] {
                    UNKNOWN => UNSAID,
                    _ if npc.can_change(fact.variable) => NOBODY,
                    _ => WORLD,
                };
                nearest.queue.push(Reverse((nearest.far[slot], slot)));
            }
        }
        let repairs = Repairs::new(npc, problem);
        // By action: the needs that are out of reach, and the changes up to now.
        let mut open: Vec<(usize, u64)> = Vec::with_capacity(npc.n_actions());
        for action in npc.local_actions() {
            let missing = npc.needs(action).iter().filter(|&&need| !relaxed.has(npc, need)).count();
            let repair = repairs.of(action);
            open.push((missing, repair));
            if missing == 0 {
                nearest.offer(npc, problem, action, repair);
            }
        }
        while let Some(Reverse((far, slot))) = nearest.queue.pop() {
            if far > nearest.far[slot] {
                continue;
            }
            for &action in npc.needed_by(slot) {
                let (missing, sum) = &mut open[action.index()];
                *missing -= 1;
                *sum = sum.saturating_add(far);
                if let (0, sum) = (*missing, *sum) {
                    nearest.offer(npc, problem, action, sum);
                }
            }
        }
        nearest
    }

    /// The action that would set a fact; `None` if no changes of this kind bring it into reach, or
    /// none is needed.
    pub(super) fn by(&self, npc: &NpcTables, fact: LocalFact) -> Option<LocalAction> {
        self.by[npc.slot(fact)]
    }

    /// How far all of these facts are together; those in reach are not far.
    pub(super) fn far(&self, npc: &NpcTables, facts: &[LocalFact]) -> u64 {
        let each = facts.iter().map(|&fact| self.far[npc.slot(fact)]);
        each.fold(0, u64::saturating_add)
    }

    /// Tells of each fact that an action sets how far it is, if it is so far by that action.
    fn offer(&mut self, npc: &NpcTables, problem: &Problem, action: LocalAction, far: u64) {
        let far = far.saturating_add(step(npc, problem, action));
        for &set in npc.sets(action) {
            let slot = npc.slot(set);
            if far < self.far[slot] {
                self.far[slot] = far;
                self.by[slot] = Some(action);
                self.queue.push(Reverse((far, slot)));
            }
        }
    }
}

/// An action on the way: of as many changes, those that cheaper actions follow are nearer, and then
/// those that fewer do.
pub(super) fn step(npc: &NpcTables, problem: &Problem, action: LocalAction) -> u64 {
    STEP + (problem.cost(npc, action) / TENTH).min(DEAREST)
}

/// What it takes that actions are there.
pub(super) struct Repairs<'p> {
    npc: &'p NpcTables,
    problem: &'p Problem,
    /// The check whose other answer alone brings the goal into reach, if there is one; with the
    /// answers then. It is what is told, so it counts next to nothing.
    only: Option<(CheckId, Checks)>,
    /// By action, what it takes that no other overrides it.
    overridden: Vec<u64>,
}

impl<'p> Repairs<'p> {
    fn new(npc: &'p NpcTables, problem: &'p Problem) -> Self {
        Repairs::with(npc, problem, only_check(npc, problem))
    }

    /// Without a look for the one check that would do.
    pub(super) fn plain(npc: &'p NpcTables, problem: &'p Problem) -> Self {
        Repairs::with(npc, problem, None)
    }

    fn with(npc: &'p NpcTables, problem: &'p Problem, only: Option<(CheckId, Checks)>) -> Self {
        let mut overridden = vec![0; npc.n_actions()];
        let enabled = |checks, by| is_enabled(npc, checks, problem.forbidden(), by);
        let all = npc.local_actions();
        let with = all.filter(|&by| !npc.overrides(by).is_empty());
        for by in with.filter(|&by| enabled(problem.checks(), by)) {
            let ends = only.as_ref().is_some_and(|(_, checks)| !enabled(checks, by));
            let take = if ends { TOLD } else { LET };
            npc.overrides(by).iter().for_each(|other| overridden[other.index()] += take);
        }
        Repairs { npc, problem, only, overridden }
    }

    pub(super) fn of(&self, action: LocalAction) -> u64 {
        let (npc, problem) = (self.npc, self.problem);
        if problem.enabled().has(action) {
            return 0;
        }
        let kinds = npc.kinds(action).iter().map(|&kind| self.of_checks(npc.kind_checks(kind)));
        let forbidden = if problem.forbidden().has(action) { LET } else { 0 };
        let checks = self.of_checks(npc.checks(action)) + kinds.min().unwrap_or(0);
        let standing: u64 = unmet_standing(npc, problem.start(), action).iter().map(far).sum();
        checks + forbidden + standing + self.overridden[action.index()]
    }

    fn of_checks(&self, uses: &[CheckUse]) -> u64 {
        let is_only = |check| self.only.as_ref().is_some_and(|(only, _)| *only == check);
        let wrong = wrong(self.problem.checks(), uses);
        wrong.map(|wrong| if is_only(wrong.check) { TOLD } else { CHECK }).sum()
    }
}

/// What it takes that something holds of what stands still.
fn far(unmet: &Unmet) -> u64 {
    let is_known = match unmet {
        Unmet::Range { now, .. } => now.is_some(),
        Unmet::Comparison { now, .. } => now.iter().all(Option::is_some),
    };
    if is_known { WORLD } else { UNSAID }
}

/// A check whose other answer alone brings the goal into reach, with all answers then: one that
/// the caller did not mention, if there is one, else the first.
fn only_check(npc: &NpcTables, problem: &Problem) -> Option<(CheckId, Checks)> {
    let size = npc.n_actions() + npc.n_slots();
    let mut checks: BTreeSet<(bool, CheckId)> = BTreeSet::new();
    for check in npc.local_actions().flat_map(|action| asks(npc, action)) {
        checks.insert((problem.checks().is_told(check), check));
        // As soon as it is too much: the rest need not be gathered.
        if checks.len() * size > MOST_WORK {
            return None;
        }
    }
    if checks.is_empty() {
        return None;
    }
    let mut relaxed = Relaxed::default();
    let mut in_reach = |enabled: &ActionMask| {
        let is_enabled = |action| enabled.has(action);
        relaxed.explore_from(npc, known_facts(problem.start()), is_enabled);
        relaxed.missing(npc, problem).is_none()
    };
    // As if every check had the answer that every action asks for.
    let mut enabled = ActionMask::default();
    enabled.fill_all_but(npc, problem.forbidden());
    if !in_reach(&enabled) {
        return None;
    }
    let mut answers = problem.checks().clone();
    let mut helps = |check| {
        answers.set(check, !answers.holds(check));
        problem.enabled_with(npc, &answers, &mut enabled);
        // Without an action more nothing more is in reach.
        let helps = !problem.enabled().has_all(&enabled) && in_reach(&enabled);
        answers.set(check, !answers.holds(check));
        helps
    };
    let (_, only) = checks.into_iter().find(|&(_, check)| helps(check))?;
    answers.set(only, !answers.holds(only));
    Some((only, answers))
}
