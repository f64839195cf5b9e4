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
use super::change::{Change, compounds_with};
use crate::budget::{Limit, Mode, SearchBudget};
use crate::call::Call;
use crate::outcome::Outcome;
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use crate::relaxed::Relaxed;
use crate::solve::{PATIENCE_NODES, Solver};
use throng_domain::Cost;
use throng_domain::compile::{LocalFact, PackedValue};
use throng_domain::model::{ActionId, Fact};

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
    let mut base = Base::new(asked);
    let mut nodes = 0;
    let mut fixes = Fixes { changes: all.len(), ..Fixes::default() };
    for (at, &change) in all.iter().enumerate() {
        let stopped = limits.each.stop.is_some_and(|stop| stop());
        if stopped || at >= limits.changes || nodes >= limits.nodes {
            fixes.undecided += all.len() - at;
            fixes.open.extend_from_slice(&all[at..]);
            fixes.limit = fixes.limit.or(Some(if stopped { Limit::Stopped } else { Limit::Nodes }));
            break;
        }
        if !base.may_help(asked, change) {
            continue;
        }
        solver.begin();
        let tried = base.try_change(asked, change, limits, solver);
        nodes += solver.nodes;
        match tried {
            Ok(fix) => fixes.found.extend(fix),
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

/// What could ever become true without any change.
struct Base {
    problem: Problem,
    relaxed: Relaxed,
    goal_in_reach: bool,
    /// The same of a change; working memory.
    changed: Relaxed,
}

/// Whether the goal is in reach if nothing that was true is ever lost. A `false` is a proof.
fn may_be_possible(relaxed: &mut Relaxed, domain: &PreparedDomain, problem: &Problem) -> bool {
    let npc = problem.kind(domain);
    relaxed.explore(npc, problem);
    problem.outside().iter().all(|fact| fact.holds) && relaxed.missing(npc, problem).is_none()
}

impl Base {
    fn new(asked: &Asked<'_>) -> Base {
        let (problem, mut relaxed) = (asked.problem(), Relaxed::default());
        let goal_in_reach = may_be_possible(&mut relaxed, asked.domain, &problem);
        Base { problem, relaxed, goal_in_reach, changed: Relaxed::default() }
    }

    fn try_change(
        &mut self,
        asked: &Asked<'_>,
        change: Change,
        limits: &FixLimits<'_>,
        solver: &mut Solver,
    ) -> Result<Option<Fix>, Limit> {
        let (domain, problem) = change.apply(asked);
        if !may_be_possible(&mut self.changed, &domain, &problem) {
            return Ok(None);
        }
        let call = Call::new(&domain, &problem).mode(asked.mode).budget(limits.each);
        let cost = match solver.solve(&call) {
            Outcome::Plan { cost } => cost,
            Outcome::Satisfied => Cost(0),
            Outcome::Impossible(_) => return Ok(None),
            Outcome::GaveUp(limit) => return Err(limit),
        };
        let ids = problem.kind(&domain).actions();
        let plan = solver.plan.iter().map(|step| ids[step.index()]).collect();
        let group = match change {
            Change::Value(fact) if asked.goal.contains(&fact) => Group::GivesGoal,
            Change::DropNeed { .. } => Group::DropsNeed,
            _ => Group::Mends,
        };
        Ok(Some(Fix { change, group, plan, cost }))
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
                self.goal_in_reach
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
                if self.goal_in_reach { eased.next().is_some() } else { eased.any(is_new) }
            }
            _ => true,
        }
    }
}
