//! `throng plan --planner …` of a planner that was added: what it answers, and whether that is
//! right.
//!
//! In:   the question of `plan`, and which algorithm.
//! Out:  its plan if it can be carried out; else what it answers instead, what is wrong with
//!       that, and what the exact planner says. With `--trace`, its sheet before all that.
//! Cost: the algorithm's own; the exact planner is asked only where the algorithm has no valid plan,
//!       or if nobody said which goal.
//!
//! Algorithms as printed in papers answer with invalid plans and refuse what can be solved. So no
//! plan of theirs is presented before the independent replay has found it valid.

use crate::args::PlanArgs;
use crate::commands::plan::{list, understand};
use crate::commands::validate::judge;
use crate::console::{CommandResult, Console, Fail, count};
use crate::extension::{Refusal, UntrustedPlanner};
use crate::question::{Question, request, wanted_facts};
use crate::shapes::{AnswerShape, CostNumber, PrintedShape, ReasonShape, outcome_word};
use crate::{FINE, NO};
use serde_json::value::RawValue;
use throng::check::{Failure as Invalid, Verdict};
use throng::{Answer, Cost, GoalId, Npc, Outcome, Planner, Request, Scratch, Step, Target};
use throng_domain::compile::LocalAction;

/// What became of the question.
enum Found {
    /// A plan that was replayed to the goal.
    Valid(Cost),
    /// Actions that do not lead there.
    Invalid(Invalid, Answer),
    /// No plan: the printed line that gives up, in words and by its number.
    Refused(String, Option<&'static str>, Answer),
}

pub(crate) fn run(
    planner: &'static dyn UntrustedPlanner,
    args: &PlanArgs,
    console: &mut Console<'_>,
) -> CommandResult {
    let question = understand(args, console)?;
    let request = request(&question, args, None, console.stop())?;
    let npc = &question.npc;
    let goal = match question.want {
        Target::Goal(goal) => Some(goal),
        Target::Facts(_) => None,
        Target::Best | Target::Any(_) => exact(npc, &request).goal(),
    };
    let wanted = wanted_facts(npc.domain(), &question.want, goal);
    let problem = npc.problem(&wanted);
    let compiled = npc.domain().compiled();
    let (told, sheet) = planner.plan(compiled, &problem, args.trace);
    let mut steps = Vec::new();
    let found = match told {
        Ok(plan) => {
            steps = named(npc, &plan);
            let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
            match judge(&question, &wanted, &names)? {
                Verdict::Valid { cost } => Found::Valid(cost),
                Verdict::Invalid(why) => Found::Invalid(why, exact(npc, &request)),
            }
        }
        Err(Refusal { why, cure: Some(cure), .. }) => {
            let text = format!("`{}` cannot take this question: {why}; {cure}", planner.name());
            return Err(Fail::known("not_for_this_planner", text));
        }
        Err(Refusal { why, line, cure: None }) => Found::Refused(why, line, exact(npc, &request)),
    };
    let report = Report { question: &question, planner, goal, steps, found, sheet };
    match args.question.json {
        true => console.json(&report.shape(args.trace))?,
        false => report.print(args.stats, console)?,
    }
    Ok(if matches!(report.found, Found::Valid(_)) { FINE } else { NO })
}

fn exact(npc: &Npc, request: &Request) -> Answer {
    Planner::new().plan(npc, request, &mut Scratch::default())
}

fn named<'n>(npc: &'n Npc, plan: &[LocalAction]) -> Vec<Step<'n>> {
    let domain = npc.domain();
    let ids = domain.compiled().npc(npc.type_id()).actions();
    let step = |(index, local): (usize, &LocalAction)| {
        let action = ids[local.index()];
        let mut step = Step::of(domain, index, action)?;
        step.cost = npc.cost(action).unwrap_or(step.cost);
        Some(step)
    };
    plan.iter().enumerate().filter_map(step).collect()
}

/// All there is to say.
struct Report<'q> {
    question: &'q Question,
    planner: &'static dyn UntrustedPlanner,
    goal: Option<GoalId>,
    steps: Vec<Step<'q>>,
    found: Found,
    sheet: String,
}

impl<'q> Report<'q> {
    /// The headline without who wants what.
    fn verdict(&self) -> String {
        let actions = count(self.steps.len(), "action");
        match &self.found {
            Found::Valid(_) if self.steps.is_empty() => "holds already, nothing to do".to_string(),
            Found::Valid(cost) => format!("{actions}, cost {cost}"),
            Found::Invalid(why, _) => {
                let these = if self.steps.len() == 1 { "this" } else { "these" };
                let actions = match self.steps.len() {
                    0 => "no action".to_string(),
                    _ => format!("{these} {actions}"),
                };
                format!("the printed algorithm answers with {actions}, but {why}: not a plan")
            }
            Found::Refused(..) => "the printed algorithm finds no plan".to_string(),
        }
    }

    /// What the exact planner says about it, in a line.
    fn second_opinion(&self) -> Option<String> {
        let (refused, answer) = match &self.found {
            Found::Valid(_) => return None,
            Found::Invalid(_, answer) => (false, answer),
            Found::Refused(.., answer) => (true, answer),
        };
        Some(match answer.outcome() {
            Outcome::Plan { cost } => {
                let actions = count(answer.plan().len(), "action");
                format!("the exact planner has a plan: {actions}, cost {cost}")
            }
            Outcome::Satisfied => "the exact planner finds nothing to do".to_string(),
            Outcome::Impossible(_) if refused => {
                format!("the exact planner agrees: {}", answer.reason())
            }
            Outcome::Impossible(_) => {
                format!("the exact planner proves that there is no plan: {}", answer.reason())
            }
            Outcome::GaveUp(_) => format!("the exact planner gave up: {}", answer.reason()),
        })
    }

    fn print(&self, stats: bool, console: &mut Console<'_>) -> Result<(), Fail> {
        if !self.sheet.is_empty() {
            console.line(&self.sheet)?;
        }
        let (who, what) = (self.question.npc.type_name(), self.question.wish(self.goal));
        console.line(&format!("{who} → {what}: {}", self.verdict()))?;
        if let Found::Refused(why, ..) = &self.found {
            console.line(&format!("  {why}"))?;
        }
        list(self.steps.iter().copied(), &self.question.npc, console)?;
        if let Some(opinion) = self.second_opinion() {
            console.line(&format!("  {opinion}"))?;
        }
        match stats {
            true => console.line(&format!("  planner {}, 0 states expanded", self.planner.name())),
            false => Ok(()),
        }
    }

    /// The answer as data: that of `plan`, with what the algorithm said beside it.
    fn shape(&self, trace: bool) -> AnswerShape<'_> {
        let names = || self.steps.iter().map(|step| step.name).collect::<Vec<_>>();
        let map = self.question.npc.domain().compiled().map();
        let (outcome, reason, cost) = match &self.found {
            Found::Valid(cost) if self.steps.is_empty() => ("satisfied", None, Some(*cost)),
            Found::Valid(cost) => ("plan", None, Some(*cost)),
            Found::Invalid(..) => ("impossible", Some(("printed_invalid", String::new())), None),
            Found::Refused(why, ..) => {
                ("impossible", Some(("printed_refusal", format!(": {why}"))), None)
            }
        };
        let opinion = self.second_opinion().map_or(String::new(), |text| format!("; {text}"));
        let reason = reason.map(|(code, why)| ReasonShape {
            code: code.to_string(),
            text: format!("{}{why}{opinion}", self.verdict()),
        });
        let (failed_step, failed_line, exact) = match &self.found {
            Found::Valid(_) => (None, None, None),
            Found::Invalid(why, exact) => (why.step, None, Some(exact)),
            Found::Refused(_, line, exact) => (None, *line, Some(exact)),
        };
        let refused = matches!(self.found, Found::Refused(..));
        let printed = PrintedShape {
            plan: (!refused).then(names),
            valid: (!refused).then_some(cost.is_some()),
            failed_step,
            failed_line,
            exact: exact.map(|answer| outcome_word(answer.outcome())),
            trace: trace.then(|| self.sheet.lines().collect()),
        };
        AnswerShape {
            id: RawValue::NULL,
            line: None,
            outcome,
            plan: cost.map(|_| names()),
            cost: cost.map(CostNumber),
            planner: Some(self.planner.name()),
            reason,
            nodes: 0,
            goal: self.goal.map(|goal| map.goal(goal)),
            parts: None,
            kinds: None,
            printed: Some(printed),
        }
    }
}
