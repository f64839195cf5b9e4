//! What a planner answers: an outcome, a plan to walk, a reason to read.

use crate::domain::Domain;
use throng_domain::Cost;
use throng_domain::compile::{LocalAction, NpcTables};
use throng_domain::model::{ActionId, GoalId, Model, NpcTypeId};
use throng_planner::{Engine, EngineReason, Outcome, Reason};

/// An answer, with everything needed to read it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Answer {
    pub(crate) outcome: Outcome,
    pub(crate) plan: Plan,
    pub(crate) goal: Option<GoalId>,
    pub(crate) npc: NpcTypeId,
    pub(crate) engine: Engine,
    pub(crate) because: EngineReason,
    pub(crate) nodes: u64,
}

impl Answer {
    throng_base::getters! {
        /// What came out.
        outcome: &Outcome;
        /// The plan; empty unless the outcome is a plan.
        plan: &Plan;
        /// The goal that the answer is about; `None` if facts were asked for.
        goal: Option<GoalId>;
        /// The engine that answered.
        engine: Engine;
        /// How many states were expanded.
        nodes: u64;
    }

    /// The plan, given away.
    pub fn into_plan(self) -> Plan {
        self.plan
    }

    /// Whether there is a plan to follow, or nothing to do.
    pub fn is_solved(&self) -> bool {
        matches!(self.outcome, Outcome::Plan { .. } | Outcome::Satisfied)
    }

    /// Why that engine.
    pub fn because(&self) -> String {
        let compiled = self.plan.domain.compiled();
        self.because.sentence(compiled, compiled.npc(self.npc))
    }

    /// Why there is no plan, as data; found when it is first asked for.
    pub fn why_impossible(&self) -> Option<&Reason> {
        match &self.outcome {
            Outcome::Impossible(proof) => Some(proof.reason(self.plan.domain.compiled())),
            _ => None,
        }
    }

    /// Why there is no plan, as a sentence; empty if there is one.
    pub fn reason(&self) -> String {
        match &self.outcome {
            Outcome::Impossible(proof) => proof.sentence(self.plan.domain.compiled()),
            Outcome::GaveUp(limit) => limit.sentence().to_string(),
            Outcome::Plan { .. } | Outcome::Satisfied => String::new(),
        }
    }

    /// A stable word for the reason; empty if there is a plan.
    pub fn reason_code(&self) -> &'static str {
        match &self.outcome {
            Outcome::Impossible(proof) => proof.reason(self.plan.domain.compiled()).code(),
            Outcome::GaveUp(limit) => limit.code(),
            Outcome::Plan { .. } | Outcome::Satisfied => "",
        }
    }
}

/// Actions in the order to do them.
#[derive(Clone, Debug)]
#[must_use]
pub struct Plan {
    pub(crate) domain: Domain,
    pub(crate) actions: Vec<ActionId>,
    /// What each of them costs, if the NPC has costs of its own; else empty.
    pub(crate) own_costs: Vec<Cost>,
    pub(crate) cost: Cost,
}

/// One action of a plan.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Step<'p> {
    /// Its position, from 0.
    pub index: usize,
    /// The action.
    pub action: ActionId,
    /// Its name.
    pub name: &'p str,
    /// Its price.
    pub cost: Cost,
    /// What it consists of, in the order to do it; nothing unless it is a compound.
    pub parts: &'p [ActionId],
    model: &'p Model,
}

impl<'p> Step<'p> {
    /// A step that does an action of the domain.
    pub fn of(domain: &'p Domain, index: usize, action: ActionId) -> Option<Step<'p>> {
        let model = domain.model();
        (action.index() < model.actions().len()).then(|| Step::new(model, index, action))
    }

    fn new(model: &'p Model, index: usize, action: ActionId) -> Step<'p> {
        let declared = &model.actions()[action.index()];
        let (name, cost, parts) = (declared.name(), declared.cost(), declared.parts());
        Step { index, action, name, cost, parts, model }
    }

    /// The names of its parts.
    pub fn part_names(&self) -> impl ExactSizeIterator<Item = &'p str> {
        let model = self.model;
        self.parts.iter().map(move |part| model.actions()[part.index()].name())
    }
}

impl Plan {
    throng_base::getters! {
        /// The domain it is of.
        domain: &Domain;
        /// The sum of its costs.
        cost: Cost;
        /// Its actions by id.
        actions: &[ActionId];
    }

    /// A plan of nothing, to be filled again and again.
    pub fn empty(domain: &Domain) -> Plan {
        Plan { domain: domain.clone(), actions: Vec::new(), own_costs: Vec::new(), cost: Cost(0) }
    }

    /// How many actions it has.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// The action to do first.
    pub fn first(&self) -> Option<Step<'_>> {
        self.steps().next()
    }

    /// Its actions with names and costs.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = Step<'_>> {
        let model = self.domain.model();
        self.actions.iter().enumerate().map(move |(index, &action)| {
            let step = Step::new(model, index, action);
            Step { cost: self.own_costs.get(index).copied().unwrap_or(step.cost), ..step }
        })
    }

    /// Its actions with the parts of compounds in their place: what there is to do, in order.
    pub fn unfolded(&self) -> impl Iterator<Item = ActionId> + '_ {
        let model = self.domain.model();
        self.actions.iter().flat_map(move |action| {
            let parts = model.actions()[action.index()].parts();
            if parts.is_empty() { std::slice::from_ref(action) } else { parts }.iter().copied()
        })
    }

    /// Its actions that a type does, in the numbers of the type.
    pub(crate) fn local_steps(&self, kind: &NpcTables) -> Vec<LocalAction> {
        self.actions.iter().filter_map(|&id| kind.local_action(id)).collect()
    }

    /// Its actions with equal ones in a row told once: each run as its first step, and how many
    /// steps it has.
    ///
    /// ```
    /// use throng::prelude::*;
    ///
    /// # let domain = Domain::from_json(
    /// #     r#"{"throng": 1, "domain": "wood", "variables": [{"name": "logs", "range": [0, 9]}],
    /// #        "actions": [{"name": "chop", "shifts": {"logs": 1}}]}"#,
    /// # )?;
    /// let mut npc = Npc::new(&domain, "wood")?;
    /// npc.set_amount("logs", 2)?;
    /// let request = Request::to_conditions(domain.conditions("logs >= 5")?);
    /// let plan = Planner::new().plan(&npc, &request, &mut Scratch::default()).into_plan();
    /// let told: Vec<_> = plan.runs().map(|(step, times)| (step.name, times)).collect();
    /// assert_eq!(told, [("chop", 3)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn runs(&self) -> impl Iterator<Item = (Step<'_>, usize)> {
        let mut steps = self.steps().peekable();
        std::iter::from_fn(move || {
            let first = steps.next()?;
            let mut times = 1;
            while steps.next_if(|next| next.action == first.action).is_some() {
                times += 1;
            }
            Some((first, times))
        })
    }

    /// The names of its actions with equal ones in a row told once, as `chop ×3`: for people.
    pub fn told(&self) -> Vec<String> {
        let told = |(step, times): (Step<'_>, usize)| match times {
            1 => step.name.to_string(),
            _ => format!("{} ×{times}", step.name),
        };
        self.runs().map(told).collect()
    }

    /// The names of its actions.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.steps().map(|step| step.name)
    }
}
