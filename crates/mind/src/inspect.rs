//! Inspection: all that a mind believes, wants and does at a moment, and why.
//!
//! In:   a mind, its spec.
//! Out:  an [`Inspection`]: plain data with names, and as text.
//! Cost: allocates, and plans again for the goals that have no plan, to say why; not for the frame.

mod asks;
mod besides;
mod empty;
mod idle;
mod names;
mod pauses;
mod picks;
mod text;
mod told;
mod why_not;

pub use asks::{CheckView, QuestionView};
pub use besides::BesideView;
pub use empty::EmptyReason;
pub use idle::IdleReason;
pub use names::{key_name, named_key, with_held, with_keys};
pub use pauses::CoolingView;
pub use picks::{CandidateView, LeftOut, PickView, WhyPicked, why_words};
pub use text::{cause_words, doing_words};
pub use told::{EventText, goal_name};

use crate::choose::{GoalState, Standing};
use crate::events::{Activity, Cause};
use crate::fact::{Attribute, Value};
use crate::memory::{FactRef, Memory};
use crate::mind::Mind;
use crate::planning::Waits;
use crate::spec::Spec;
use crate::time::{NEVER, Tick};
use throng_domain::compile::{LocalAction, UNKNOWN};
use throng_domain::model::{ActionId, CheckId, Fact, GoalId, ValueId, VariableId};
use throng_planner::explain::{Distinctness, alternatives};
use throng_planner::{Call, Context, Outcome, Problem, Solver};

/// How many states may be looked at to say why, or what the runner-up is.
const NODES: u64 = 20_000;

/// A goal, seen from outside.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct GoalView {
    /// Its name.
    pub name: String,
    /// From 0 to 1.
    pub relevance: f32,
    /// Relevance times priority.
    pub score: f32,
    /// How it stands.
    pub standing: Standing,
    /// Why it is not pursued, in words; empty for the active one.
    pub why_not: String,
}

/// An attribute of a fact, seen from outside.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct AttributeView {
    /// Its name.
    pub name: &'static str,
    /// Its value in words.
    pub value: String,
    /// From 0 to 1.
    pub confidence: f32,
}

/// A fact, seen from outside.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct FactView {
    /// Its kind.
    pub kind: String,
    /// Its writer: a sensor or an action.
    pub writer: String,
    /// Seconds since it was updated.
    pub age: f64,
    /// Seconds until it is forgotten; `None`: never.
    pub expires_in: Option<f64>,
    /// What it says.
    pub attributes: Vec<AttributeView>,
}

/// A step of the plan, seen from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct StepView {
    /// The action.
    pub action: String,
    /// `done`, `now` or `next`.
    pub status: &'static str,
}

/// An action that is not there, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AbsentView {
    /// The action.
    pub action: String,
    /// Why not.
    pub why: String,
}

/// A mind at a moment.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Inspection {
    /// The tick.
    pub tick: Tick,
    /// The name of its type.
    pub npc: String,
    /// Where it is.
    pub here: [f32; 3],
    /// What it does, in words.
    pub doing: String,
    /// Why it does that.
    pub why: String,
    /// What it does beside that.
    pub besides: Vec<BesideView>,
    /// The goal it pursues.
    pub goal: Option<String>,
    /// The plan, step by step.
    pub plan: Vec<StepView>,
    /// The price of the plan when it was made.
    pub cost: f64,
    /// The cheapest plan that is really another, with its price, if one was found.
    pub runner_up: Option<(Vec<String>, f64)>,
    /// All goals.
    pub goals: Vec<GoalView>,
    /// All facts.
    pub facts: Vec<FactView>,
    /// How many facts it can hold.
    pub memory_bound: usize,
    /// Every variable of its type with its value; `None`: unknown.
    pub state: Vec<(String, Option<String>)>,
    /// Checks that do not hold.
    pub false_checks: Vec<String>,
    /// What each slot holds.
    pub picks: Vec<PickView>,
    /// What it has for itself, in words; only [`Minds::inspect`](crate::Minds::inspect) knows.
    pub claims: Vec<String>,
    /// Checks that the game tells, or is asked for, as the file declares.
    pub told_checks: Vec<CheckView>,
    /// Questions to the game that wait for an answer.
    pub asks: Vec<QuestionView>,
    /// Actions that are not there, and why.
    pub absent: Vec<AbsentView>,
    /// Actions that are not there for a while for themselves: they cool, or by chance.
    pub cooling: Vec<CoolingView>,
    /// Sensors with the seconds since they ran; `None`: never.
    pub sensors: Vec<(String, Option<f64>)>,
    /// How often it asked the planner.
    pub asked: u32,
    /// How many stimuli were pushed out by others before a sensor ran on them.
    pub missed: u64,
}

fn action_name(spec: &Spec, action: ActionId) -> String {
    spec.domain.map().action(action).to_string()
}

impl Mind {
    /// All that it believes, wants and does, and why.
    pub fn inspect(&self, spec: &Spec, now: Tick) -> Inspection {
        let map = spec.domain.map();
        let kind = spec.domain.npc(self.npc);
        let state = |&id: &VariableId| {
            let value = self.state.values()[id.index()];
            let fact = Fact { variable: id, value: ValueId::at(value.into()) };
            let name = (value != UNKNOWN).then(|| map.value(fact).to_string());
            (map.variable(id).to_string(), name)
        };
        let seconds = |ticks: Tick| spec.pace.seconds(ticks);
        let sensor = |(at, ran): (usize, Option<Tick>)| {
            let name = spec.words.text(spec.sensors[at].name).to_string();
            (name, ran.map(|ran| seconds(now.saturating_sub(ran))))
        };
        let is_asked = |check: CheckId| {
            let mut actions = (0..kind.n_actions() as u32).map(LocalAction);
            actions.any(|action| kind.checks(action).iter().any(|used| used.check == check))
        };
        let checks = (0..map.n_checks()).map(CheckId::at);
        let false_checks = checks.filter(|&id| !self.state.checks().holds(id) && is_asked(id));
        let told = |&(check, _): &(CheckId, bool)| CheckView {
            name: map.check(check).to_string(),
            holds: self.state.checks().holds(check),
            age: {
                let at = self.state.told_at.iter().find(|(known, _)| *known == check);
                at.map(|(_, at)| seconds(now.saturating_sub(*at)))
            },
            by: "told",
            lacks: None,
        };
        let asked = spec.asked_checks.iter().map(|check| self.asked_check_view(spec, check, now));
        let goals = self.goals.all().iter().map(|standings| self.goal_view(spec, standings, now));
        Inspection {
            tick: now,
            npc: map.npc(self.npc).to_string(),
            here: self.here,
            doing: self.doing(spec),
            why: self.why(spec, now),
            besides: self.besides_view(spec, now),
            goal: self.goals.active().map(|goal| map.goal(goal).to_string()),
            plan: self.plan_view(spec),
            cost: self.plan.cost as f64 / 1000.0,
            runner_up: self.runner_up(spec),
            goals: goals.collect(),
            facts: facts(spec, &self.memory, now),
            memory_bound: self.memory.bound(),
            state: kind.variables().iter().map(state).collect(),
            false_checks: false_checks.map(|id| map.check(id).to_string()).collect(),
            picks: self.picks_view(spec, now),
            claims: Vec::new(),
            told_checks: spec.told_checks.iter().map(told).chain(asked).collect(),
            asks: self.questions_view(spec, now),
            absent: self.absent(spec, now),
            cooling: self.pauses(spec, now),
            sensors: self.senses.last_runs().map(sensor).collect(),
            asked: self.plan.asked(),
            missed: self.senses.missed(),
        }
    }

    /// What it does, in words; never empty.
    pub fn doing(&self, spec: &Spec) -> String {
        let Some(run) = self.follow.run() else { return "nothing".to_string() };
        let mut words = doing_words(spec, run.doing);
        if let Some(kind) = run.kind {
            words.push_str(&format!(" ({})", spec.words.text(kind)));
        }
        words
    }

    /// Why it does what it does, or does nothing; never empty.
    pub fn why(&self, spec: &Spec, now: Tick) -> String {
        let map = spec.domain.map();
        if let Some(waits) = self.plan.waits.filter(|waits| waits.holds_up) {
            return waiting(spec, waits, now);
        }
        if let Some(goal) = self.plan.goal {
            let cause = self.plan.cause.map_or("", cause_words);
            let broken = self.plan.broken_at.filter(|_| {
                matches!(self.plan.cause, Some(Cause::PlanInvalid | Cause::StepFailed))
            });
            let about = broken.map(|a| format!(" (`{}`)", action_name(spec, a)));
            let waits = self.plan.waits.map(|waits| format!("; {}", waiting(spec, waits, now)));
            return format!(
                "for `{}`, planned because {cause}{}{}",
                map.goal(goal),
                about.unwrap_or_default(),
                waits.unwrap_or_default()
            );
        }
        match self.why_no_plan(spec, now) {
            Some(reason) => format!("no plan: {reason}"),
            None if self.goals.all().is_empty() => {
                "it wants nothing: its type has no goals".to_string()
            }
            None => "all that it wants holds, or does not matter now".to_string(),
        }
    }

    /// The goal that matters most of those that have no plan, and why; `None` if all that it
    /// wants holds, does not matter, or waits because something that mattered more lingers.
    pub fn why_no_plan(&self, spec: &Spec, now: Tick) -> Option<String> {
        let wanted = self.goals.all().iter().filter(|goal| {
            use Standing::{HeldBack, Irrelevant, Satisfied};
            !matches!(goal.standing, Satisfied | Irrelevant | HeldBack)
        });
        let most = wanted.max_by(|a, b| a.score.total_cmp(&b.score))?;
        let view = self.goal_view(spec, self.nearest_alternative(spec, most), now);
        Some(format!("`{}`: {}", view.name, view.why_not))
    }

    /// Of alternatives that one wish gives, as `danger != near` does, and that have no plan, the one
    /// that is least out of reach.
    fn nearest_alternative<'g>(&'g self, spec: &Spec, goal: &'g GoalState) -> &'g GoalState {
        let wish = |goal: GoalId| spec.domain.map().wish(goal);
        let is_one = |other: &&GoalState| {
            other.standing == Standing::NoPlan && wish(other.goal) == wish(goal.goal)
        };
        let alternatives = || self.goals.all().iter().filter(is_one);
        if goal.standing != Standing::NoPlan || alternatives().count() < 2 {
            return goal;
        }
        let mut solver = Solver::default();
        let mut far = |other: &GoalState| {
            let problem = self.problem(spec, other.goal);
            match solver.solve(&Call::new(&spec.domain, &problem).nodes(NODES)) {
                Outcome::Impossible(proof) => proof.far(&spec.domain).unwrap_or(u64::MAX),
                _ => u64::MAX,
            }
        };
        alternatives().min_by_key(|other| far(other)).unwrap_or(goal)
    }

    fn plan_view(&self, spec: &Spec) -> Vec<StepView> {
        let at = self.plan.at;
        let running =
            matches!(self.follow.run(), Some(run) if matches!(run.doing, Activity::Step(_)));
        let status = |step: usize| match step.cmp(&at) {
            std::cmp::Ordering::Less => "done",
            std::cmp::Ordering::Equal if running => "now",
            _ => "next",
        };
        let steps = self.plan.steps.iter().enumerate();
        steps.map(|(n, &a)| StepView { action: action_name(spec, a), status: status(n) }).collect()
    }

    fn goal_view(&self, spec: &Spec, standings: &GoalState, now: Tick) -> GoalView {
        let &GoalState { goal, relevance, score, standing, rests_until, .. } = standings;
        let why_not = match standing {
            Standing::Active => String::new(),
            Standing::Satisfied => "it holds".to_string(),
            Standing::Irrelevant => "it does not matter now: its relevance is 0".to_string(),
            Standing::Resting => {
                let left = spec.pace.seconds(rests_until.saturating_sub(now));
                format!("it was left not long ago and rests for another {left:.1} s")
            }
            Standing::Outscored => match self.goals.active() {
                Some(active) => {
                    let margin = spec.goal(active).margin * 100.0;
                    format!(
                        "it does not score {margin:.0} % higher than `{}`, or that one has its time",
                        spec.domain.map().goal(active)
                    )
                }
                None => "it has not been tried yet".to_string(),
            },
            Standing::NoPlan => self.reason(spec, goal, now),
            Standing::GaveUp => "the planner's budget was not enough to find a plan".to_string(),
            Standing::HeldBack => {
                let left = self.goals.lingers_until().saturating_sub(now);
                let seconds = spec.pace.seconds(left);
                format!("something that mattered more was reached, and lingers {seconds:.1} s more")
            }
        };
        GoalView {
            name: spec.domain.map().goal(goal).to_string(),
            relevance,
            score,
            standing,
            why_not,
        }
    }

    fn problem(&self, spec: &Spec, goal: GoalId) -> Problem {
        let mut problem = Problem::new(&spec.domain, self.npc);
        let values = self.state.values();
        let (checks, forbidden) = (self.state.checks(), self.state.forbidden());
        problem.fill(
            &spec.domain,
            self.npc,
            |at| values[at],
            spec.domain.goal(goal).conditions(),
            Context::new(checks, forbidden),
        );
        if !self.state.costs().is_empty() {
            problem.set_costs(self.state.costs());
        }
        problem
    }

    /// Why there is no plan for a goal, as things are.
    fn reason(&self, spec: &Spec, goal: GoalId, now: Tick) -> String {
        let problem = self.problem(spec, goal);
        let mut solver = Solver::default();
        match solver.solve(&Call::new(&spec.domain, &problem).nodes(NODES)) {
            Outcome::Impossible(proof) => {
                let mut text = proof.sentence(&spec.domain);
                // The planner knows only that it was told to do without; the mind knows why.
                for AbsentView { action, why } in &self.not_there(spec, now) {
                    if text.contains(&format!("`{action}` would set")) {
                        text = text.replace("but the caller forbids it", &format!("but {why}"));
                    } else if text.contains(&format!("`{action}`")) {
                        text.push_str(&format!(" ({action}: {why})"));
                    }
                }
                text
            }
            Outcome::GaveUp(limit) => limit.sentence().to_string(),
            Outcome::Plan { .. } | Outcome::Satisfied => {
                "it will be tried in the next tick".to_string()
            }
        }
    }

    /// The cheapest plan that is really another than the one followed.
    fn runner_up(&self, spec: &Spec) -> Option<(Vec<String>, f64)> {
        let goal = self.plan.goal?;
        let kind = spec.domain.npc(self.npc);
        let own: Vec<_> = self.plan.steps[self.plan.at.min(self.plan.steps.len())..]
            .iter()
            .filter_map(|&action| kind.local_action(action))
            .collect();
        let problem = self.problem(spec, goal);
        let call = Call::new(&spec.domain, &problem).nodes(NODES);
        let ways = alternatives(&call, Distinctness::Actions, &[own], 1);
        let other = ways.found.first()?;
        let names = other.steps.iter().map(|a| action_name(spec, kind.actions()[a.index()]));
        Some((names.collect(), other.cost.0 as f64 / 1000.0))
    }

    /// The actions that are not there, for a while or longer, as a sentence goes on.
    fn not_there(&self, spec: &Spec, now: Tick) -> Vec<AbsentView> {
        let mut list = self.absent(spec, now);
        let cooling = self.pauses(spec, now);
        for &action in spec.domain.npc(self.npc).actions() {
            let template = spec.words.text(spec.action(action).template);
            let why = cooling.iter().find(|it| it.action == template).map(|it| match it.chance {
                None => format!("it {}", it.why),
                Some(_) => it.why.clone(),
            });
            list.extend(why.map(|why| AbsentView { action: action_name(spec, action), why }));
        }
        list
    }

    /// The actions that are not there for the mind's own reasons.
    fn absent(&self, spec: &Spec, now: Tick) -> Vec<AbsentView> {
        let unlearnt = spec.learns.iter().flat_map(|rule| &rule.actions);
        let kind = spec.domain.npc(self.npc);
        let mut list: Vec<AbsentView> = unlearnt
            .filter(|&&action| kind.local_action(action).is_some())
            .filter(|&&action| !self.state.knows(spec, action))
            .map(|&action| AbsentView {
                action: action_name(spec, action),
                why: "it has not been learnt yet".to_string(),
            })
            .collect();
        list.dedup();
        for doubt in self.state.doubts.iter().filter(|doubt| doubt.until > now) {
            let left = spec.pace.seconds(doubt.until - now);
            list.push(AbsentView {
                action: action_name(spec, doubt.action),
                why: format!("it failed or had no effect; it is tried again in {left:.1} s"),
            });
        }
        for &action in kind.actions() {
            let why = self.lacks(spec, action);
            list.extend(why.map(|why| AbsentView { action: action_name(spec, action), why }));
        }
        list
    }
}

/// That it waits for its turn to ask the planner, how long already, and why.
fn waiting(spec: &Spec, waits: Waits, now: Tick) -> String {
    let seconds = spec.pace.seconds(now.saturating_sub(waits.since));
    let cause = cause_words(waits.cause);
    format!("waiting for its turn to plan for {seconds:.1} s, because {cause}")
}

/// All facts of a memory, seen from outside.
pub fn facts(spec: &Spec, memory: &Memory, now: Tick) -> Vec<FactView> {
    memory.iter().map(|fact| fact_view(spec, fact, now)).collect()
}

fn fact_view(spec: &Spec, fact: FactRef<'_>, now: Tick) -> FactView {
    let attribute = |attribute: Attribute| {
        let (value, confidence) = fact.get(attribute)?;
        let value = match value {
            Value::Position([x, y, 0.0]) => format!("({x:.1} {y:.1})"),
            Value::Position([x, y, z]) => format!("({x:.1} {y:.1} {z:.1})"),
            Value::Word(word) => spec.words.text(word).to_string(),
            Value::Entity(handle) => format!("#{}", handle.0),
            Value::Number(number) => format!("{number}"),
        };
        Some(AttributeView { name: attribute.name(), value, confidence })
    };
    let seconds = |ticks: Tick| spec.pace.seconds(ticks);
    FactView {
        kind: spec.words.text(fact.kind()).to_string(),
        writer: spec.words.text(fact.writer()).to_string(),
        age: seconds(now.saturating_sub(fact.updated())),
        expires_in: (fact.expires() != NEVER).then(|| seconds(fact.expires().saturating_sub(now))),
        attributes: Attribute::ALL.into_iter().filter_map(attribute).collect(),
    }
}
