//! The planner that users call: picks the goal, picks the engine, hands out the answer.
//!
//! In:   an [`Npc`], a [`Request`], a [`Scratch`].
//! Out:  an [`Answer`], or with [`Planner::plan_into`] an outcome and the caller's own plan.
//! Cost: the engine's; nothing is allocated once the scratch is warm.

mod alternatives;
mod progress;

pub(crate) use alternatives::is_satisfied;

use crate::answer::{Answer, Plan};
use crate::domain::Domain;
use crate::npc::Npc;
use crate::request::{GoalSelection, Request, Target};
use throng_domain::Cost;
use throng_domain::compile::LocalAction;
use throng_domain::model::{ActionId, Conditions, GoalId, Wants};
use throng_planner::choose::choose;
use throng_planner::topological::Moves;
use throng_planner::topological::small::{SmallGoal, SmallProblem};
use throng_planner::{AnyOf, Call, Engine, EngineReason, Outcome, Problem, Proof, Solver};

/// Who answered, and why.
type Chosen = Option<(Engine, EngineReason)>;

/// Answers requests. Shared freely; keeps nothing between calls.
///
/// ```
/// use throng::prelude::*;
///
/// # let domain = Domain::from_text(
/// #     "domain door\nvar door: shut, open\naction push: door shut -> open   if unlocked\n\
/// #      goal out: door = open\nnpc guest\n    can push\n    wants out\n    starts door = shut",
/// # )?;
/// let npc = Npc::new(&domain, "guest")?;
/// let (planner, mut scratch) = (Planner::new(), Scratch::default());
/// let answer = planner.plan(&npc, &Request::best(), &mut scratch);
/// assert_eq!(answer.plan().names().collect::<Vec<_>>(), ["push"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Planner {}

/// Working memory of planning. Keep one per thread and reuse it: once warm, planning
/// allocates nothing.
#[derive(Debug, Default)]
pub struct Scratch {
    problem: Option<Problem>,
    solver: Solver,
    order: Vec<GoalId>,
    alternatives: AnyOf<(GoalId, Chosen), ActionId>,
    /// The plan that is worth most so far.
    worth_most: Vec<ActionId>,
    progress: progress::Progress,
}

impl Planner {
    /// A planner.
    pub fn new() -> Planner {
        Planner {}
    }

    /// Answers a request.
    pub fn plan(&self, npc: &Npc, request: &Request, scratch: &mut Scratch) -> Answer {
        self.answer(npc, request, scratch, false)
    }

    /// Goes on with a search that gave up at a limit, if `npc` and `request` ask the same
    /// again (the limits may differ); otherwise begins anew. The answer is the one that a
    /// single call with the limits added up would have given.
    pub fn resume(&self, npc: &Npc, request: &Request, scratch: &mut Scratch) -> Answer {
        self.answer(npc, request, scratch, true)
    }

    fn answer(&self, npc: &Npc, request: &Request, scratch: &mut Scratch, resume: bool) -> Answer {
        let mut plan = Plan::empty(npc.domain());
        let (outcome, goal) = answer(npc, request, scratch, &mut plan, resume);
        // Nothing is chosen if nothing had to be planned; say who would have.
        let (engine, because) =
            scratch.solver.chosen.unwrap_or_else(|| who_would_plan(npc, request.engine));
        let nodes = scratch.solver.nodes;
        Answer { outcome, plan, goal, npc: npc.type_id(), engine, because, nodes }
    }

    /// Answers a request into the caller's plan, which is reused; gives the outcome and the
    /// goal it is about.
    #[inline]
    pub fn plan_into(
        &self,
        npc: &Npc,
        request: &Request,
        scratch: &mut Scratch,
        plan: &mut Plan,
    ) -> (Outcome, Option<GoalId>) {
        answer(npc, request, scratch, plan, false)
    }

    /// [Resumes](Planner::resume) into the caller's plan, which is reused.
    pub fn resume_into(
        &self,
        npc: &Npc,
        request: &Request,
        scratch: &mut Scratch,
        plan: &mut Plan,
    ) -> (Outcome, Option<GoalId>) {
        answer(npc, request, scratch, plan, true)
    }

    /// Which engine would answer for an NPC as it is now, and why.
    pub fn choice(&self, npc: &Npc) -> (Engine, String) {
        let (engine, because) = who_would_plan(npc, None);
        (engine, because.sentence(npc.domain().compiled(), npc.kind()))
    }
}

fn who_would_plan(npc: &Npc, asked: Option<Engine>) -> (Engine, EngineReason) {
    let problem = npc.problem(&[]);
    let call = Call::new(npc.domain().compiled(), &problem).engine(asked);
    choose(&call, &mut Moves::default())
}

/// A goal of a small type is answered here and now; all else is asked for.
#[inline(never)]
fn answer(
    npc: &Npc,
    request: &Request,
    scratch: &mut Scratch,
    plan: &mut Plan,
    resume: bool,
) -> (Outcome, Option<GoalId>) {
    scratch.solver.begin();
    if let Target::Goal(goal) = request.want
        && let Some(cost) = straight(npc, goal, request.engine, scratch, plan)
    {
        return (Outcome::Plan { cost }, Some(goal));
    }
    run(npc, request, scratch, plan, resume)
}

#[inline(never)]
fn run(
    npc: &Npc,
    request: &Request,
    scratch: &mut Scratch,
    plan: &mut Plan,
    resume: bool,
) -> (Outcome, Option<GoalId>) {
    plan.clear(npc.domain());
    // One goal is resumed by its engine; several must know which of them are decided.
    let several = request.is_limited() && matches!(request.want, Target::Best | Target::Any(_));
    if several {
        scratch.progress.begin(npc, request, !resume);
    }
    let answer = asked(npc, request, scratch, plan, resume);
    if several {
        scratch.progress.end(npc, request, &answer.0);
    }
    answer
}

/// Answers what is asked for.
fn asked(
    npc: &Npc,
    request: &Request,
    scratch: &mut Scratch,
    plan: &mut Plan,
    resume: bool,
) -> (Outcome, Option<GoalId>) {
    let compiled = npc.domain().compiled();
    match &request.want {
        Target::Best => best(npc, request, scratch, plan, resume),
        Target::Goal(goal) => match compiled.goals().get(goal.index()) {
            Some(_) => (by_problem(npc, *goal, request, scratch, plan, resume), Some(*goal)),
            None => (Outcome::Impossible(Proof::foreign(npc.type_id())), None),
        },
        Target::Any(goals) => {
            let known = goals.iter().copied().filter(|id| id.index() < compiled.goals().len());
            alternatives::any(npc, known, request, scratch, plan, resume)
        }
        Target::Conditions(wants) => {
            (for_conditions(npc, wants, request, scratch, plan, resume), None)
        }
    }
}

#[inline(never)]
fn for_conditions(
    npc: &Npc,
    wants: &Wants,
    request: &Request,
    scratch: &mut Scratch,
    plan: &mut Plan,
    resume: bool,
) -> Outcome {
    let wants = wants.conditions();
    if !npc.domain().map().has_conditions(wants) {
        return Outcome::Impossible(Proof::foreign(npc.type_id()));
    }
    for_facts(npc, wants, request, scratch, plan, resume)
}

/// Tries the NPC's unsatisfied goals, the most important first, until one has a plan; or, if
/// worth decides, all of them.
///
/// Goals that serve one name count as one: any of them will do.
///
/// A goal whose search gives up ends it: going on would pretend that it has no plan. If none
/// has a plan, the answer is about the most important.
fn best(
    npc: &Npc,
    request: &Request,
    scratch: &mut Scratch,
    plan: &mut Plan,
    resume: bool,
) -> (Outcome, Option<GoalId>) {
    let compiled = npc.domain().compiled();
    let mut order = std::mem::take(&mut scratch.order);
    order.clear();
    order.extend(npc.kind().goals().iter().filter(|id| !alternatives::is_satisfied(npc, **id)));
    order.sort_unstable_by_key(|&id| (std::cmp::Reverse(compiled.goal(id).priority()), id));
    let mut first_no = None;
    let mut found = None;
    // For worth, the best plan so far, and what it is worth.
    let mut kept = std::mem::take(&mut scratch.worth_most);
    let mut most = None;
    for (at, &goal) in order.iter().enumerate() {
        let group = compiled.goal(goal).group();
        let same = |id: &GoalId| group.is_some() && compiled.goal(*id).group() == group;
        plan.clear(npc.domain());
        let answer = match group {
            Some(_) if order[..at].iter().any(same) => continue,
            Some(_) => {
                let goals = order.iter().copied().filter(same);
                alternatives::any(npc, goals, request, scratch, plan, resume)
            }
            None => (for_goal(npc, goal, request, scratch, plan, resume), Some(goal)),
        };
        match (&answer.0, request.among) {
            (Outcome::Impossible(_), _) => {
                first_no.get_or_insert(answer);
            }
            (&Outcome::Plan { cost }, GoalSelection::Worth) => {
                let worth = i128::from(compiled.goal(goal).priority().0) - i128::from(cost.0);
                // The order is by priority, then as declared: look at the declaration too.
                let better = most.is_none_or(|(best, first, _)| (worth, first) > (best, goal));
                if better {
                    most = Some((worth, goal, scratch.solver.chosen));
                    found = Some(answer);
                    kept.clone_from(&plan.actions);
                }
            }
            _ => {
                found = Some(answer);
                most = None;
                break;
            }
        }
    }
    if let (Some((_, _, chosen)), Some((Outcome::Plan { cost }, _))) = (most, &found) {
        scratch.solver.chosen = chosen;
        plan.take(npc, *cost, kept.iter().copied());
    }
    scratch.worth_most = kept;
    scratch.order = order;
    // Of alternatives only one need hold: the answer is about a goal that does.
    let holds = |id: &&GoalId| npc.has_all(compiled.goal(**id).conditions());
    let satisfied = || (Outcome::Satisfied, npc.kind().goals().iter().find(holds).copied());
    found.or(first_no).unwrap_or_else(satisfied)
}

/// A goal of the domain: by the tables made at load if they serve it, else like any facts.
fn for_goal(
    npc: &Npc,
    goal: GoalId,
    request: &Request,
    scratch: &mut Scratch,
    plan: &mut Plan,
    resume: bool,
) -> Outcome {
    match straight(npc, goal, request.engine, scratch, plan) {
        Some(cost) => Outcome::Plan { cost },
        None => by_problem(npc, goal, request, scratch, plan, resume),
    }
}

/// The straight way: from the NPC's packed state to the caller's plan, nothing in between. `None`
/// leaves the answer to others, and the plan empty.
#[inline(always)]
fn straight(
    npc: &Npc,
    goal: GoalId,
    engine: Option<Engine>,
    scratch: &mut Scratch,
    plan: &mut Plan,
) -> Option<Cost> {
    let small = npc.small_problem(goal)?;
    plan.set_domain(npc.domain());
    let name = |_, id| id;
    let cost = scratch.solver.solve_small_into(&small, engine, name, &mut plan.actions)?;
    plan.price(npc, cost);
    Some(cost)
}

fn by_problem(
    npc: &Npc,
    goal: GoalId,
    request: &Request,
    scratch: &mut Scratch,
    plan: &mut Plan,
    resume: bool,
) -> Outcome {
    let wants = npc.domain().compiled().goal(goal).conditions();
    if !request.is_limited() || matches!(request.want, Target::Goal(_)) {
        return for_facts(npc, wants, request, scratch, plan, resume);
    }
    if let Some(outcome) = progress::known(npc, goal, scratch, plan) {
        return outcome;
    }
    let before = scratch.solver.nodes;
    let outcome = for_facts(npc, wants, request, scratch, plan, resume);
    let (chosen, nodes) = (scratch.solver.chosen, scratch.solver.nodes - before);
    scratch.progress.keep(goal, &outcome, chosen, nodes, plan);
    outcome
}

fn for_facts(
    npc: &Npc,
    goal: Conditions<'_>,
    request: &Request,
    scratch: &mut Scratch,
    plan: &mut Plan,
    resume: bool,
) -> Outcome {
    let compiled = npc.domain().compiled();
    let problem = scratch.problem.get_or_insert_with(|| Problem::new(compiled, npc.type_id()));
    npc.fill(problem, goal);
    let call = Call::new(compiled, problem).mode(request.mode).engine(request.engine);
    let call = call.start_words(&npc.words);
    let outcome = scratch.solver.solve(&call.budget(request.budget()).resume(resume));
    if let Outcome::Plan { cost } = outcome {
        plan.take_steps(npc, cost, &scratch.solver.plan);
    }
    outcome
}

impl Plan {
    #[inline]
    fn set_domain(&mut self, domain: &Domain) {
        if !self.domain.is_same(domain) {
            self.domain = domain.clone();
        }
    }

    fn clear(&mut self, domain: &Domain) {
        self.set_domain(domain);
        self.actions.clear();
        self.own_costs.clear();
        self.cost = Cost(0);
    }

    /// Becomes a plan of these steps.
    pub(crate) fn take(&mut self, npc: &Npc, cost: Cost, ids: impl Iterator<Item = ActionId>) {
        self.clear(npc.domain());
        self.actions.extend(ids);
        self.price(npc, cost);
    }

    fn take_steps(&mut self, npc: &Npc, cost: Cost, steps: &[LocalAction]) {
        let ids = npc.kind().actions();
        self.take(npc, cost, steps.iter().map(|local| ids[local.index()]));
    }

    /// Says what its steps cost the NPC, if that is not what the domain says.
    #[inline]
    fn price(&mut self, npc: &Npc, cost: Cost) {
        self.cost = cost;
        self.own_costs.clear();
        if !npc.costs.is_empty() {
            self.own_costs.extend(self.actions.iter().filter_map(|&id| npc.cost(id)));
        }
    }
}

impl Npc {
    /// The question in machine words, if the type is small and the goal asks for nothing else.
    #[inline]
    fn small_problem(&self, goal: GoalId) -> Option<SmallProblem<'_>> {
        let (npc, tables) = (self.kind(), self.small.as_deref()?);
        let (facts, look, see) = tables.wants(goal)?;
        let (start, enabled, costs) = (self.word, self.enabled_word, &self.costs);
        Some(SmallProblem {
            npc,
            tables,
            start,
            goal: SmallGoal { facts, look, see },
            enabled,
            costs,
        })
    }
}
