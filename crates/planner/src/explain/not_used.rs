//! Why one action is not in the plan.
//!
//! In:   a question, the plan it got (empty if none), an action.
//! Out:  the cause: it is not there, its needs cannot be met, it leads away from the goal, or the
//!       cheapest plan with it is dearer, and by how much.
//! Cost: two searches at most. The plan with the action is found on a varied domain that remembers
//!       in one more variable whether it was done, so its price is exact.

use super::asked::Asked;
use crate::absence::Absence;
use crate::asks::{asked_by, with_goal};
use crate::budget::{Limit, SearchBudget};
use crate::call::Call;
use crate::outcome::Outcome;
use crate::prepared::PreparedDomain;
use crate::problem::Problem;
use crate::reason::Reason;
use crate::solve::Solver;
use throng_domain::Cost;
use throng_domain::compile::{LocalAction, NpcTables, Variation};
use throng_domain::model::{ActionId, NpcTypeId};

/// Why an action is not in a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotUsed {
    /// It is in the plan, at this index first.
    InThePlan(usize),
    /// The NPC type cannot do it; these can.
    NotItsOwn(Vec<NpcTypeId>),
    /// It is not there now.
    NotThere(Absence),
    /// What it needs cannot be had from here.
    NeverReady(Reason),
    /// It can be done, but no plan for the goal has it.
    InNoPlan,
    /// There is a plan with it.
    InAnotherPlan {
        /// The cheapest one.
        plan: Vec<ActionId>,
        /// Its price.
        cost: Cost,
        /// Whether that plan falls apart without it.
        helps: bool,
    },
    /// A limit was hit before that was known.
    GaveUp(Limit),
}

/// Why `action` is not in `plan`, the answer to a question. Of several variants of its name it is
/// about the one that comes nearest to being in a plan.
pub fn not_used(
    asked: &Asked<'_>,
    action: ActionId,
    plan: &[ActionId],
    budget: &SearchBudget<'_>,
    solver: &mut Solver,
) -> NotUsed {
    let variants = asked.domain.map().variants(action);
    let mut nearest: Option<(_, NotUsed)> = None;
    for &variant in variants {
        let why = variant_not_used(asked, variant, plan, budget, solver);
        let far = (why.distance(), is_hopeless(asked, variant));
        if nearest.as_ref().is_none_or(|(best, _)| far < *best) {
            nearest = Some((far, why));
        }
    }
    match nearest {
        Some((_, why)) => why,
        None => variant_not_used(asked, action, plan, budget, solver),
    }
}

/// Whether an action needs a value that is another now and that nothing of the type changes.
fn is_hopeless(asked: &Asked<'_>, action: ActionId) -> bool {
    let kind = asked.kind();
    let Some(local) = kind.local_action(action) else { return true };
    let start = asked.start();
    let actions = || (0..kind.n_actions() as u32).map(LocalAction);
    kind.needs(local).iter().any(|need| {
        let is_set =
            |action: LocalAction| kind.sets(action).iter().any(|set| set.variable == need.variable);
        start[need.variable.index()] != need.value && !actions().any(is_set)
    })
}

fn variant_not_used(
    asked: &Asked<'_>,
    action: ActionId,
    plan: &[ActionId],
    budget: &SearchBudget<'_>,
    solver: &mut Solver,
) -> NotUsed {
    if let Some(step) = plan.iter().position(|&step| step == action) {
        return NotUsed::InThePlan(step);
    }
    let kind = asked.kind();
    let Some(local) = kind.local_action(action) else {
        let others = asked.domain.npcs().iter();
        let others = others.filter(|other| other.local_action(action).is_some());
        return NotUsed::NotItsOwn(others.map(NpcTables::id).collect());
    };
    if let Some(absence) = Absence::of(kind, asked.checks, asked.forbidden, &asked.start(), local) {
        return NotUsed::NotThere(absence);
    }
    let (domain, problem) = asked.varied(Variation::Mark(action));
    let mut solve = |domain: &PreparedDomain, problem: &Problem| {
        solver.begin();
        solver.solve(&Call::new(domain, problem).mode(asked.mode).budget(*budget))
    };
    match solve(&domain, &problem) {
        Outcome::Plan { cost } => {
            let ids = problem.kind(&domain).actions();
            let with = solver.plan.iter().map(|step| ids[step.index()]).collect();
            let helps = falls_apart(kind, &asked.problem(), &solver.plan, local);
            return NotUsed::InAnotherPlan { plan: with, cost, helps };
        }
        Outcome::GaveUp(limit) => return NotUsed::GaveUp(limit),
        Outcome::Impossible(_) | Outcome::Satisfied => {}
    }
    let ready = ready(kind, &asked.problem(), local);
    match solve(asked.domain, &ready) {
        Outcome::Impossible(proof) => NotUsed::NeverReady(proof.reason(asked.domain).clone()),
        Outcome::GaveUp(limit) => NotUsed::GaveUp(limit),
        Outcome::Plan { .. } | Outcome::Satisfied => NotUsed::InNoPlan,
    }
}

/// The question how to get to where an action can be done.
pub(super) fn ready(npc: &NpcTables, problem: &Problem, action: LocalAction) -> Problem {
    with_goal(problem, &asked_by(npc, problem.start(), action))
}

/// Whether a plan no longer works once every step of an action is taken out of it, together with
/// the steps that then cannot run.
fn falls_apart(npc: &NpcTables, problem: &Problem, plan: &[LocalAction], out: LocalAction) -> bool {
    let mut state = problem.start().to_vec();
    for &action in plan.iter().filter(|&&action| action != out) {
        if npc.can_run(action, &state) {
            npc.run(action, &mut state);
        }
    }
    !problem.is_goal(&state)
}

impl NotUsed {
    /// How far it is from being in a plan; of two that are in one the price decides.
    fn distance(&self) -> (u8, u64) {
        match self {
            NotUsed::InThePlan(_) => (0, 0),
            NotUsed::InAnotherPlan { cost, .. } => (1, cost.0),
            NotUsed::InNoPlan => (2, 0),
            NotUsed::GaveUp(_) => (3, 0),
            NotUsed::NeverReady(_) => (4, 0),
            NotUsed::NotThere(_) => (5, 0),
            NotUsed::NotItsOwn(_) => (6, 0),
        }
    }

    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            NotUsed::InThePlan(_) => "in_the_plan",
            NotUsed::NotItsOwn(_) => "cannot_do",
            NotUsed::NotThere(absence) => absence.code(),
            NotUsed::NeverReady(_) => "never_ready",
            NotUsed::InNoPlan => "in_no_plan",
            NotUsed::InAnotherPlan { .. } => "dearer",
            NotUsed::GaveUp(limit) => limit.code(),
        }
    }

    /// The cause as a sentence, without a full stop. `cost` is that of the plan without the action;
    /// `None` if there is none.
    pub fn sentence(&self, asked: &Asked<'_>, action: ActionId, cost: Option<Cost>) -> String {
        let map = asked.domain.map();
        let (name, who) = (map.action(action), map.npc(asked.npc));
        match self {
            NotUsed::InThePlan(step) => format!("`{name}` is in the plan, as step {}", step + 1),
            NotUsed::NotItsOwn(others) => {
                let others: Vec<String> =
                    others.iter().map(|&other| format!("`{}`", map.npc(other))).collect();
                let others = match &others[..] {
                    [] => "nobody can; add it to a `can`".to_string(),
                    some => format!("those who can: {}", some.join(", ")),
                };
                format!("`{who}` cannot do `{name}`; {others}")
            }
            NotUsed::NotThere(Absence::Overridden { by, .. }) => {
                format!("`{name}` is not there: `{}` is, and overrides it", map.action(*by))
            }
            NotUsed::NotThere(absence) => {
                format!("`{name}` is not there: {}", absence.sentence(map))
            }
            NotUsed::NeverReady(reason) => {
                format!("`{name}` can never be done from here: {}", reason.sentence(asked.domain))
            }
            NotUsed::InNoPlan => {
                let but = match cost {
                    Some(_) => "the goal cannot be reached by any plan that has it",
                    None => "with or without it there is no plan",
                };
                format!("`{name}` can be done from here, but {but}")
            }
            NotUsed::InAnotherPlan { cost: with, helps, .. } => {
                let more = match cost.map(|cost| (cost.0, with.0.saturating_sub(cost.0))) {
                    Some((_, 0)) => "no more than the plan".to_string(),
                    Some((_, more)) => format!("{} more than the plan", Cost(more)),
                    None => "and there is none without it".to_string(),
                };
                let text = format!("the cheapest plan with `{name}` costs {with}, {more}");
                match helps {
                    true => text,
                    false => format!("{text}; it would be for nothing: that plan works without it"),
                }
            }
            NotUsed::GaveUp(limit) => format!("`{name}`: {}", limit.sentence()),
        }
    }
}
