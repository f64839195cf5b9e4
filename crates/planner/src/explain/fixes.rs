//! The nearest fix: every single change that gives a plan, the cheapest first.
//!
//! In:   a question without a plan, and limits.
//! Out:  the changes that help, each with the plan it gives; how many could not be decided.
//! Cost: a problem per change, and a search for those that pass two proofs of uselessness: the goal
//!       stays out of reach even if nothing is ever lost, or the change concerns nothing that is.
//!
//! No change is called useless without a proof, so an empty list with nothing undecided says that
//! no single change helps.

use super::asked::Asked;
use super::change::{Change, compounds_with, nearest};
use super::loosen::loosen;
use super::nearest_value::nearest_value;
use crate::absence::Absence;
use crate::asks::{Does, Unmet, does};
use crate::budget::{Limit, Mode, SearchBudget};
use crate::call::Call;
use crate::counting::{CountingTask, DemandList};
use crate::outcome::Outcome;
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use crate::relaxed::Relaxed;
use crate::solve::{PATIENCE_NODES, Solver};
use throng_domain::Cost;
use throng_domain::compile::{LocalFact, PackedValue};
use throng_domain::model::{ActionId, Fact, Range, VariableId};

/// A list of all that leads to the goal is made up to so many entries: some milliseconds.
const MOST_ENTRIES: usize = 512;

/// How much work may go into looking for fixes.
#[derive(Clone, Copy)]
pub struct FixLimits<'b> {
    /// Changes to look at.
    pub changes: usize,
    /// States to expand over all changes, more or less.
    pub nodes: u64,
    /// What the search for one change may take.
    pub each: SearchBudget<'b>,
}

impl FixLimits<'_> {
    /// Enough for the domains of games; a few seconds where nothing can be decided. A change gets
    /// what the search from the goal may take, and as much again for the one from the start.
    pub const DEFAULT: FixLimits<'static> = FixLimits {
        changes: 20_000,
        nodes: 400_000,
        each: SearchBudget { nodes: 2 * PATIENCE_NODES, ..SearchBudget::DEFAULT },
    };
}

/// What kind of help a change is. The order is that of the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// It mends what stands in the way.
    Mends,
    /// It gives away a part of the goal: what is wanted holds from the start.
    GivesGoal,
    /// It makes an action easier than it was meant to be.
    DropsNeed,
}

/// A change that gives a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Fix {
    /// The change.
    pub change: Change,
    /// What kind of help it is.
    pub group: Group,
    /// The plan after it; empty if nothing is left to do.
    pub plan: Vec<ActionId>,
    /// Its price.
    pub cost: Cost,
}

/// What came of looking for fixes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Fixes {
    /// The changes that help: by group, then the cheapest plan first, then in order of changes.
    pub found: Vec<Fix>,
    /// How many changes there are.
    pub changes: usize,
    /// How many of them could not be decided within the limits; they may help or not.
    pub undecided: usize,
    /// These.
    pub open: Vec<Change>,
    /// The limit that left the first of these open.
    pub limit: Option<Limit>,
}

/// Tries every single change.
pub fn fixes(asked: &Asked<'_>, limits: &FixLimits<'_>, solver: &mut Solver) -> Fixes {
    let all = Change::all(asked);
    let mut trial =
        Trial { asked: *asked, limits, solver, base: Base::new(asked), nodes: 0, list: None };
    let mut fixes = Fixes { changes: all.len(), ..Fixes::default() };
    for (at, &change) in all.iter().enumerate() {
        let stopped = limits.each.stop.is_some_and(|stop| stop());
        if stopped || at >= limits.changes || trial.nodes >= limits.nodes {
            fixes.undecided += all.len() - at;
            fixes.open.extend_from_slice(&all[at..]);
            fixes.limit = fixes.limit.or(Some(if stopped { Limit::Stopped } else { Limit::Nodes }));
            break;
        }
        if !trial.base.may_help(asked, change) {
            continue;
        }
        match trial.fixes_by(change) {
            Ok(found) => fixes.found.extend(found),
            Err(limit) => {
                fixes.undecided += 1;
                fixes.open.push(change);
                fixes.limit = fixes.limit.or(Some(limit));
            }
        }
    }
    let measure = |fix: &Fix| match asked.mode {
        Mode::Cheapest => fix.cost.0,
        Mode::Shortest | Mode::Fast => fix.plan.len() as u64,
    };
    fixes.found.sort_by_key(|fix| (fix.group, measure(fix), fix.change));
    fixes
}

/// Changes of a question on trial, one after the other.
pub(super) struct Trial<'t, 'q> {
    pub(super) asked: Asked<'q>,
    limits: &'t FixLimits<'t>,
    solver: &'t mut Solver,
    base: Base,
    /// States expanded so far.
    nodes: u64,
    /// All that leads to the goal, whatever the start; not asked for yet, or too much.
    list: Option<Option<DemandList>>,
}

impl<'t> Trial<'t, '_> {
    /// What a change comes to; of one that leaves open how much, the nearest that helps.
    fn fixes_by(&mut self, change: Change) -> Result<Vec<Fix>, Limit> {
        match change {
            Change::Amount(range) => Ok(nearest_value(self, range.variable)?.into_iter().collect()),
            Change::DropRange { action, variable } => loosen(self, action, variable),
            _ => Ok(self.plan_after(change)?.into_iter().collect()),
        }
    }

    /// What one question may take.
    pub(super) fn budget(&self) -> Result<SearchBudget<'t>, Limit> {
        match self.nodes < self.limits.nodes {
            true => Ok(self.limits.each),
            false => Err(Limit::Nodes),
        }
    }

    /// All that leads to the goal, whatever the start, if that is not too much.
    pub(super) fn list(&mut self) -> Option<&DemandList> {
        let (kind, problem) = (self.asked.kind(), &self.base.problem);
        let made = self.list.get_or_insert_with(|| {
            let mut task = CountingTask::default();
            task.fill(kind, problem, Mode::Shortest, &mut Vec::new());
            DemandList::build(&task, MOST_ENTRIES)
        });
        made.as_ref()
    }

    /// Counts work that was done elsewhere.
    pub(super) fn spend(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_add(nodes);
    }

    /// The plan after a change, if there is one.
    pub(super) fn plan_after(&mut self, change: Change) -> Result<Option<Fix>, Limit> {
        let (domain, problem) = change.apply(&self.asked);
        let problem = problem.without_reasons();
        if !may_be_possible(&mut self.base.changed, &domain, &problem) {
            return Ok(None);
        }
        let budget = self.budget()?;
        let call = Call::new(&domain, &problem).mode(self.asked.mode).budget(budget);
        self.solver.begin();
        let outcome = self.solver.solve(&call);
        self.nodes = self.nodes.saturating_add(self.solver.nodes);
        let cost = match outcome {
            Outcome::Plan { cost } => cost,
            Outcome::Satisfied => Cost(0),
            Outcome::Impossible(_) => return Ok(None),
            Outcome::GaveUp(limit) => return Err(limit),
        };
        let ids = problem.kind(&domain).actions();
        let plan = match cost {
            Cost(0) => Vec::new(),
            _ => self.solver.plan.iter().map(|step| ids[step.index()]).collect(),
        };
        let group = group(&self.asked, change, &plan);
        Ok(Some(Fix { change, group, plan, cost }))
    }
}

/// What kind of help a change is. An amount that the plan moves is an amount to work with, even if
/// as much is wanted of it.
fn group(asked: &Asked<'_>, change: Change, plan: &[ActionId]) -> Group {
    let kind = asked.kind();
    let is_moved = |variable: VariableId| {
        let local = kind.local_variable(variable);
        let mut steps = plan.iter().filter_map(|&id| kind.local_action(id));
        local.is_some_and(|local| steps.any(|step| does(kind, step, local) != Does::Nothing))
    };
    let gives = match change {
        Change::Value(fact) => asked.goal.facts.contains(&fact),
        Change::Amount(range) if is_moved(range.variable) => false,
        Change::Amount(range) => nearest(asked, range).is_some_and(|value| {
            let ranges = asked.goal.ranges.iter().filter(|want| want.variable == range.variable);
            let facts = asked.goal.facts.iter().filter(|want| want.variable == range.variable);
            let facts = facts.map(|&want| Range::from(want));
            let mut all = ranges.copied().chain(facts);
            all.any(|want| {
                let holds = asked.now(range.variable).is_some_and(|now| want.values.has(now));
                !holds && want.values.has(value)
            })
        }),
        _ => false,
    };
    match change {
        _ if gives => Group::GivesGoal,
        Change::DropNeed { .. }
        | Change::DropRange { .. }
        | Change::Loosen { .. }
        | Change::DropComparison { .. } => Group::DropsNeed,
        _ => Group::Mends,
    }
}

/// What could ever become true without any change.
struct Base {
    problem: Problem,
    relaxed: Relaxed,
    goal_in_reach: bool,
    /// Whether it takes an engine that counts: then nothing is known here.
    counts: bool,
    /// The same of a change; working memory.
    changed: Relaxed,
}

/// Whether the goal is in reach if nothing that was true is ever lost. A `false` is a proof. Engines
/// that count look for that themselves, and more closely.
fn may_be_possible(relaxed: &mut Relaxed, domain: &PreparedDomain, problem: &Problem) -> bool {
    let npc = problem.kind(domain);
    if problem.counts(npc) {
        return problem.outside_holds();
    }
    relaxed.explore(npc, problem);
    problem.outside_holds() && relaxed.missing(npc, problem).is_none()
}

impl Base {
    fn new(asked: &Asked<'_>) -> Base {
        let (problem, mut relaxed) = (asked.problem(), Relaxed::default());
        let goal_in_reach = may_be_possible(&mut relaxed, asked.domain, &problem);
        let counts = problem.counts(asked.kind());
        Base { problem, relaxed, goal_in_reach, counts, changed: Relaxed::default() }
    }

    fn reaches(&self, asked: &Asked<'_>, fact: Fact) -> bool {
        match asked.kind().local_variable(fact.variable) {
            Some(variable) => {
                let value = fact.value.index() as PackedValue;
                self.relaxed.has(asked.kind(), LocalFact { variable, value })
            }
            None => asked.holds(fact),
        }
    }

    /// Spares the variations that change nothing of what is in reach; a `false` is a proof.
    fn may_help(&self, asked: &Asked<'_>, change: Change) -> bool {
        match change {
            Change::Grant(id) => {
                let action = &asked.model.actions()[id.index()];
                let checks = action.checks().iter();
                if !checks.copied().all(|used| asked.checks.holds(used.check) == used.expected) {
                    return false;
                }
                let reaches = |fact: &Fact| self.reaches(asked, *fact);
                self.counts
                    || action.counts()
                    || self.goal_in_reach
                    || (action.requires().iter().all(reaches) && !action.sets().iter().all(reaches))
            }
            Change::DropNeed { action, need } => {
                let kind = asked.kind();
                let eased = compounds_with(asked, action).chain([action]);
                let eased = eased.filter_map(|id| kind.local_action(id));
                let mut eased = eased.filter(|&local| self.problem.enabled().has(local));
                // Something can be done of which nothing but this was out of reach.
                let is_new = |local| {
                    let mut needs = kind.needs(local).iter().map(|&other| kind.fact(other));
                    needs.all(|fact| (fact == need) != self.reaches(asked, fact))
                };
                match self.counts || self.goal_in_reach {
                    true => eased.next().is_some(),
                    false => eased.any(is_new),
                }
            }
            // What is not there for other reasons is not there with less to ask, either.
            Change::DropRange { action, variable } => self.may_be_there(
                asked,
                action,
                |unmet| matches!(unmet, Unmet::Range { asked, .. } if asked.variable == variable),
            ),
            Change::DropComparison { action, comparison } => self.may_be_there(
                asked,
                action,
                |unmet| matches!(unmet, Unmet::Comparison { asked, .. } if *asked == comparison),
            ),
            _ => true,
        }
    }

    /// Whether an action, or a compound that it is a part of, is there once it does not ask for
    /// something.
    fn may_be_there(
        &self,
        asked: &Asked<'_>,
        action: ActionId,
        is_dropped: impl Fn(&Unmet) -> bool,
    ) -> bool {
        let kind = asked.kind();
        let mut eased = compounds_with(asked, action).chain([action]);
        eased.any(|id| {
            let Some(local) = kind.local_action(id) else { return false };
            let (checks, forbidden) = (asked.checks, asked.forbidden);
            match Absence::of(kind, checks, forbidden, self.problem.start(), local) {
                None => true,
                Some(Absence::Standing(unmet)) => unmet.iter().all(&is_dropped),
                Some(_) => false,
            }
        })
    }
}
