//! Why this plan, why not that action, why none, and what to change: the same that `throng why`
//! and `throng whynot` print, for programs.
//!
//! In:   what [`Planner::plan`] takes.
//! Out:  its answer, with causes, alternatives or fixes; names and places are filled in.
//! Cost: several searches; meant for tools and debug views, not for the frame.

mod members;
mod passed_over;

pub use passed_over::{PassedOver, Worth};

use crate::answer::{Answer, Plan};
use crate::npc::Npc;
use crate::planner::{Planner, Scratch};
use crate::request::Request;
use throng_domain::model::{ActionId, Conditions, GoalId};
use throng_domain::{Cost, Location};
use throng_planner::explain::{
    Asked, Causes, Change, Distinctness, EnumerationEnd, Group, NotUsed, PartialOrder, causes,
    chain, partial_order,
};
use throng_planner::{Limit, Outcome, Reason, SearchBudget};

/// How much work goes into a runner-up, unless the request says otherwise: ways looked at, times
/// what each costs in a type of this many actions and variables. A second or two at most.
const RUNNER_UP_WORK: u64 = 1_000_000;
/// And how many ways at least and at most.
const RUNNER_UP_NODES: (u64, u64) = (1_000, 50_000);

/// The cheapest plans that differ.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct Plans {
    /// The answer to the request; its plan comes first in the list.
    pub answer: Answer,
    /// The plans, the cheapest first; empty if the answer is not a plan.
    pub plans: Vec<Plan>,
    /// Why there are not more.
    pub ended: EnumerationEnd,
}

/// Why a plan is as it is.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct Why {
    /// The answer it is about.
    pub answer: Answer,
    /// The steps of its plan.
    pub steps: Vec<WhyStep>,
    /// What would be done if this plan were not.
    pub runner_up: RunnerUp,
}

/// One step of a plan, explained.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WhyStep {
    /// What it needs and what it enables.
    pub causes: Causes,
    /// Its price.
    pub cost: Cost,
    /// The price of the plan up to here, this step included.
    pub sum: Cost,
}

/// The cheapest plan that differs in more than the order of its steps.
#[derive(Clone, Debug)]
pub enum RunnerUp {
    /// There is no plan to compare with.
    NoPlan,
    /// Every other plan does all of this one and more, or the same in another order.
    NoOther,
    /// This one.
    Plan(Plan),
    /// None was found before a limit was hit.
    Unknown {
        /// The limit.
        limit: Limit,
        /// How many ways were looked at.
        nodes: u64,
    },
}

/// Why there is no plan, and what would give one.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct WhyNot {
    /// The answer it is about; there may be a plan after all.
    pub answer: Answer,
    /// From what is wanted down to the root; empty if there is a plan.
    pub causes: Vec<Explanation>,
    /// The same for the other alternatives of the goal, as far as it differs.
    pub other_causes: Vec<OtherCauses>,
    /// Single changes that give a plan; `None` unless it is certain that there is none.
    pub fixes: Option<Advices>,
    /// What the plan of the answer is worth, if that decided among the goals.
    pub worth: Option<Worth>,
    /// Goals that were not taken although they matter more, if no goal was named; if worth
    /// decided, also those that have a plan and are worth less.
    pub passed_over: Vec<PassedOver>,
}

/// Why another alternative of the goal has no plan either.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OtherCauses {
    /// The alternative.
    pub goal: GoalId,
    /// From what is wanted down to the root.
    pub causes: Vec<Explanation>,
}

/// A sentence and the place it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The sentence, without a full stop.
    pub text: String,
    /// The file and the line; `None` if it is about no place.
    pub place: Option<(String, u32)>,
}

/// Single changes that give a plan.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Advices {
    /// By group, then the cheapest plan first.
    pub list: Vec<Advice>,
    /// How many changes were tried.
    pub tried: usize,
    /// How many could not be decided within the limits.
    pub undecided: usize,
}

/// A single change that gives a plan.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Advice {
    /// The change.
    pub change: Change,
    /// What kind of help it is.
    pub group: Group,
    /// The change in words, and where.
    pub told: Explanation,
    /// Of an amount: the position of the value that it has; `None` if that is unknown.
    pub now: Option<u16>,
    /// Of an amount: the position of the nearest value that gives a plan.
    pub to: Option<u16>,
    /// The plan after it; empty if nothing is left to do.
    pub plan: Plan,
}

/// Why an action is not in the plan.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct WhyNotAction {
    /// The answer it is about.
    pub answer: Answer,
    /// The cause.
    pub why: NotUsed,
    /// The cause in words, with the place of the action.
    pub told: Explanation,
    /// If it can never be done: the links down to the root.
    pub causes: Vec<Explanation>,
    /// The cheapest plan with the action, if the cause is its price.
    pub with: Option<Plan>,
}

impl Planner {
    /// The cheapest plans that differ, up to `most` of them: the answer to the request first, then
    /// others. A plan that only does more than a listed one is no other plan.
    pub fn plans(
        &self,
        npc: &Npc,
        request: &Request,
        most: usize,
        different: Distinctness,
        scratch: &mut Scratch,
    ) -> Plans {
        let answer = self.plan(npc, request, scratch);
        if !matches!(answer.outcome, Outcome::Plan { .. }) || most == 0 {
            return Plans { answer, plans: Vec::new(), ended: EnumerationEnd::NoMore };
        }
        let mut plans = vec![answer.plan.clone()];
        let budget = request.budget();
        let (others, ended, _) = others(npc, request, &answer, different, most - 1, &budget);
        plans.extend(others);
        Plans { answer, plans, ended }
    }

    /// Answers a request and explains the plan: causes and costs of its steps, and the runner-up.
    pub fn why(&self, npc: &Npc, request: &Request, scratch: &mut Scratch) -> Why {
        let answer = self.plan(npc, request, scratch);
        let problem = npc.problem(&members::wanted(npc, request, &answer)[0]);
        let local = answer.plan.local_steps(npc.kind());
        let mut sum = Cost(0);
        let steps = causes(npc.kind(), &problem, &local).into_iter().zip(&local);
        let steps = steps.map(|(causes, &action)| {
            let cost = Cost(problem.cost(npc.kind(), action));
            sum = Cost(sum.0.saturating_add(cost.0));
            WhyStep { causes, cost, sum }
        });
        let steps = steps.collect();
        let runner_up = runner_up(npc, request, &answer);
        Why { answer, steps, runner_up }
    }

    /// Answers a request; if there is no plan, says why and which single changes would give one.
    pub fn why_not(&self, npc: &Npc, request: &Request, scratch: &mut Scratch) -> WhyNot {
        let answer = self.plan(npc, request, scratch);
        let passed_over = passed_over::passed_over(npc, request, &answer, scratch);
        let worth = passed_over::worth(npc, request, &answer);
        let Some(reason) = answer.why_impossible() else {
            let (causes, other_causes) = (Vec::new(), Vec::new());
            return WhyNot { answer, causes, other_causes, fixes: None, worth, passed_over };
        };
        let mut causes = goal_chain(npc, answer.goal, reason);
        let fixes = members::advices(npc, request, &answer);
        causes.extend(members::unnamed_check(npc, reason, &fixes));
        let other_causes = members::other_causes(npc, request, &answer, scratch);
        WhyNot { answer, causes, other_causes, fixes: Some(fixes), worth, passed_over }
    }

    /// Answers a request, and says why an action is not in its plan.
    pub fn why_not_action(
        &self,
        npc: &Npc,
        request: &Request,
        action: ActionId,
        scratch: &mut Scratch,
    ) -> WhyNotAction {
        let answer = self.plan(npc, request, scratch);
        let why = members::why_not_used(npc, request, &answer, action);
        let asked = npc.asked(&[], request.mode);
        let cost = answer.is_solved().then(|| answer.plan.cost());
        let place = npc.domain().compiled().map().action_place(action);
        let told = told(npc, why.sentence(&asked, action, cost), Some(place));
        let causes = match &why {
            NotUsed::NeverReady(reason) => told_chain(npc, reason),
            _ => Vec::new(),
        };
        let with = match &why {
            NotUsed::InAnotherPlan { plan, cost, .. } => Some(plan_of(npc, plan, *cost)),
            _ => None,
        };
        WhyNotAction { answer, why, told, causes, with }
    }

    /// The order that a plan of an NPC really needs: which steps must come before which, and which
    /// may run at the same time.
    pub fn partial_order(&self, npc: &Npc, plan: &Plan) -> PartialOrder {
        partial_order(npc.kind(), &npc.state, &plan.local_steps(npc.kind()))
    }
}

fn plan_of(npc: &Npc, actions: &[ActionId], cost: Cost) -> Plan {
    let mut plan = Plan::empty(npc.domain());
    plan.take(npc, cost, actions.iter().copied());
    plan
}

/// Plans beside that of an answer, why there are not more, and the ways looked at.
fn others(
    npc: &Npc,
    request: &Request,
    answer: &Answer,
    different: Distinctness,
    most: usize,
    budget: &SearchBudget<'_>,
) -> (Vec<Plan>, EnumerationEnd, u64) {
    let ways = members::others(npc, request, answer, different, most, budget);
    let ids = npc.kind().actions();
    let plans = ways.found.iter().map(|way| {
        let steps: Vec<ActionId> = way.steps.iter().map(|step| ids[step.index()]).collect();
        plan_of(npc, &steps, way.cost)
    });
    (plans.collect(), ways.ended, ways.nodes)
}

fn runner_up(npc: &Npc, request: &Request, answer: &Answer) -> RunnerUp {
    if !matches!(answer.outcome, Outcome::Plan { .. }) {
        return RunnerUp::NoPlan;
    }
    let mut budget = request.budget();
    if budget.nodes == SearchBudget::DEFAULT.nodes {
        let size = (npc.kind().n_actions() + npc.kind().variables().len()) as u64;
        let (least, most) = RUNNER_UP_NODES;
        budget.nodes = (RUNNER_UP_WORK / size.max(1)).clamp(least, most);
    }
    let (mut found, ended, nodes) = others(npc, request, answer, Distinctness::Actions, 1, &budget);
    match (found.pop(), ended) {
        (Some(plan), _) => RunnerUp::Plan(plan),
        (None, EnumerationEnd::Limit(limit)) => RunnerUp::Unknown { limit, nodes },
        (None, _) => RunnerUp::NoOther,
    }
}

fn told(npc: &Npc, text: String, place: Option<Location>) -> Explanation {
    let map = npc.domain().compiled().map();
    let place = place.filter(|place| place.line > 0);
    Explanation { text, place: place.map(|place| (map.file(place.file).to_string(), place.line)) }
}

fn told_chain(npc: &Npc, reason: &Reason) -> Vec<Explanation> {
    let links = chain(npc.domain().compiled(), reason).into_iter();
    links.map(|cause| told(npc, cause.text, cause.place)).collect()
}

/// The same for a goal of the domain.
fn goal_chain(npc: &Npc, goal: Option<GoalId>, reason: &Reason) -> Vec<Explanation> {
    let mut causes = told_chain(npc, reason);
    // What is wanted is better looked up where the goal is written.
    if let (Some(goal), [first, _, ..]) = (goal, &mut causes[..]) {
        let map = npc.domain().compiled().map();
        *first = told(npc, std::mem::take(&mut first.text), Some(map.goal_place(goal)));
    }
    causes
}

impl Npc {
    /// The question with all that could be otherwise about it.
    pub(crate) fn asked<'q>(
        &'q self,
        goal: impl Into<Conditions<'q>>,
        mode: crate::Mode,
    ) -> Asked<'q> {
        Asked {
            model: self.domain().model(),
            domain: self.domain().compiled(),
            npc: self.type_id(),
            values: &self.values,
            goal: goal.into(),
            checks: self.checks(),
            forbidden: &self.forbidden,
            costs: &self.costs,
            mode,
        }
    }
}
