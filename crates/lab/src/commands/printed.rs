//! `throng plan --planner papers/…`: what an algorithm as printed answers, and whether that is
//! right.
//!
//! In:   the question of `plan`, and which algorithm.
//! Out:  its plan if it can be carried out; else what it answers instead, what is wrong with
//!       that, and what the exact planner says. With `--trace`, its sheet before all that.
//! Cost: the algorithm's own; the exact planner is asked only where the algorithm has no valid
//!       plan, or if no goal is named.
//!
//! Algorithms as printed answer with invalid plans and refuse what can be solved. So no plan of
//! theirs is presented before the independent replay has found it valid.

use crate::printed::{self, Failure, Printed};
use clap::ArgMatches;
use serde_json::{Value, json};
use throng::check::{Failure as Invalid, Verdict};
use throng::{Cost, GoalId, Npc, Outcome, Planner, Scratch, Step, Target};
use throng_base::text::count;
use throng_cli::{AskedPlan, CommandResult, Console, CostShape, FINE, Fail, NO, outcome_word};
use throng_domain::compile::LocalAction;

/// Their names.
pub(super) const NAMES: [&str; 4] =
    ["papers/p", "papers/topoplan", "papers/topoplan-without-ghosts", "papers/backstrom"];

/// The algorithm that `plan` is to ask, if it is one of these.
pub(super) fn asked(words: &ArgMatches) -> Option<Printed> {
    // `--plans` and `--partial` want plans to rely on: these refuse it by its name.
    let is_long = words.contains_id("plans") || words.get_flag("partial");
    let mut names = words.get_raw("planner")?;
    Printed::named(names.next()?.to_str()?).filter(|_| !is_long)
}

/// What became of the question.
enum Found {
    /// A plan that was replayed to the goal.
    Valid(Cost),
    /// Actions that do not lead there.
    Invalid(Invalid, throng::Answer),
    /// No plan: the printed line that gives up, in words and by its number.
    Refused(String, Option<&'static str>, throng::Answer),
}

pub(super) fn run(
    planner: Printed,
    words: &ArgMatches,
    console: &mut Console<'_>,
) -> CommandResult {
    let asked = AskedPlan::read(words, console)?;
    let report = report(planner, &asked).map_err(|fail| asked.complain(fail, console))?;
    match asked.json {
        true => console.json(&report.shape())?,
        false => report.print(console)?,
    }
    Ok(if matches!(report.found, Found::Valid(_)) { FINE } else { NO })
}

fn report(planner: Printed, asked: &AskedPlan) -> Result<Report<'_>, Fail> {
    let npc = &asked.question.npc;
    let goal = match &asked.question.want {
        Target::Goal(goal) => Some(*goal),
        Target::Conditions(_) => None,
        Target::Best | Target::Any(_) => exact(asked).goal(),
    };
    let wanted = asked.question.wanted(goal);
    let problem = npc.problem(wanted);
    let domain = npc.domain().compiled();
    let (answer, sheet) = match asked.trace {
        true => printed::plan_with_trace(planner, domain, &problem),
        false => {
            (printed::plan(planner, problem.kind(domain), &problem, &mut |_| {}), String::new())
        }
    };
    let mut steps = Vec::new();
    let found = match answer {
        Ok(plan) => {
            steps = named(npc, &plan);
            let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
            match asked.question.judge(wanted, &names)? {
                Verdict::Valid { cost } => Found::Valid(cost),
                Verdict::Invalid(why) => Found::Invalid(why, exact(asked)),
            }
        }
        Err(failure) => {
            let why = failure.sentence(domain, problem.kind(domain));
            if let Some(cure) = cure(failure) {
                let name = planner.name();
                let text = format!("`{name}` cannot take this question: {why}; {cure}");
                return Err(Fail::known("not_for_this_planner", text));
            }
            Found::Refused(why, failure.line(), exact(asked))
        }
    };
    Ok(Report { asked, planner, goal, steps, found, sheet })
}

/// What to do about it; `None` if the algorithm says with it that there is no plan.
fn cure(failure: Failure) -> Option<&'static str> {
    match failure {
        _ if failure.line().is_some() => None,
        Failure::OutsideGoal(_) | Failure::OutsideRange(_) | Failure::Contradiction => None,
        Failure::UnknownStart(_) => Some("give it one as in `variable=value`"),
        Failure::NoGoalValue(_) | Failure::GoalRange(_) => {
            Some("name a value for every variable with `--to`")
        }
        _ => Some("`--planner auto` takes it"),
    }
}

fn exact(asked: &AskedPlan) -> throng::Answer {
    Planner::new().plan(&asked.question.npc, &asked.request, &mut Scratch::default())
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
    asked: &'q AskedPlan,
    planner: Printed,
    goal: Option<GoalId>,
    steps: Vec<Step<'q>>,
    found: Found,
    sheet: String,
}

impl Report<'_> {
    /// The headline without who wants what.
    fn verdict(&self) -> String {
        let actions = count(self.steps.len(), "action");
        match &self.found {
            Found::Valid(_) if self.steps.is_empty() => "holds already, nothing to do".to_string(),
            Found::Valid(cost) => format!("{actions}, cost {cost}"),
            Found::Invalid(why, _) => {
                let actions = match self.steps.len() {
                    0 => "no action".to_string(),
                    1 => format!("this {actions}"),
                    _ => format!("these {actions}"),
                };
                format!("the printed algorithm answers with {actions}, but {why}: not a plan")
            }
            Found::Refused(..) => "the printed algorithm finds no plan".to_string(),
        }
    }

    /// The answer of the exact planner, where it was asked.
    fn exact(&self) -> Option<&throng::Answer> {
        match &self.found {
            Found::Valid(_) => None,
            Found::Invalid(_, answer) | Found::Refused(.., answer) => Some(answer),
        }
    }

    /// What the exact planner says about it, in a line.
    fn second_opinion(&self) -> Option<String> {
        let (answer, is_refused) = (self.exact()?, matches!(self.found, Found::Refused(..)));
        Some(match answer.outcome() {
            Outcome::Plan { cost } => {
                let actions = count(answer.plan().len(), "action");
                format!("the exact planner has a plan: {actions}, cost {cost}")
            }
            Outcome::Satisfied => "the exact planner finds nothing to do".to_string(),
            Outcome::Impossible(_) if is_refused => {
                format!("the exact planner agrees: {}", answer.reason())
            }
            Outcome::Impossible(_) => {
                format!("the exact planner proves that there is no plan: {}", answer.reason())
            }
            Outcome::GaveUp(_) => format!("the exact planner gave up: {}", answer.reason()),
        })
    }

    fn print(&self, console: &mut Console<'_>) -> Result<(), Fail> {
        if !self.sheet.is_empty() {
            writeln!(console, "{}", self.sheet)?;
        }
        let (who, what) =
            (self.asked.question.npc.type_name(), self.asked.question.wish(self.goal));
        writeln!(console, "{who} → {what}: {}", self.verdict())?;
        if let Found::Refused(why, ..) = &self.found {
            writeln!(console, "  {why}")?;
        }
        console.print(&self.asked.list(self.steps.iter().copied()))?;
        if let Some(opinion) = self.second_opinion() {
            writeln!(console, "  {opinion}")?;
        }
        match self.asked.stats {
            true => writeln!(console, "  planner {}, 0 states expanded", self.planner.name()),
            false => Ok(()),
        }
    }

    /// The answer as data: that of `plan`, with what the algorithm said beside it. Scripts rely on
    /// it: keys are only ever added.
    fn shape(&self) -> Value {
        let names: Vec<&str> = self.steps.iter().map(|step| step.name).collect();
        let map = self.asked.question.npc.domain().compiled().map();
        let (outcome, code, cost) = match &self.found {
            Found::Valid(cost) if self.steps.is_empty() => ("satisfied", None, Some(*cost)),
            Found::Valid(cost) => ("plan", None, Some(*cost)),
            Found::Invalid(..) => ("impossible", Some("printed_invalid"), None),
            Found::Refused(..) => ("impossible", Some("printed_refusal"), None),
        };
        let (failed_step, failed_line, why) = match &self.found {
            Found::Valid(_) => (None, None, String::new()),
            Found::Invalid(why, _) => (why.step, None, String::new()),
            Found::Refused(why, line, _) => (None, *line, format!(": {why}")),
        };
        let opinion = self.second_opinion().map_or(String::new(), |text| format!("; {text}"));
        let reason = code
            .map(|code| json!({"code": code, "text": format!("{}{why}{opinion}", self.verdict())}));
        let is_refused = matches!(self.found, Found::Refused(..));
        let mut printed = json!({
            // Its actions, right or wrong; `null` if it finds no plan.
            "plan": (!is_refused).then_some(&names),
            // Whether they were replayed to the goal; `null` if there are none.
            "valid": (!is_refused).then_some(cost.is_some()),
            // The step that fails, from 1, and the printed line that gives up, as in `2.4`.
            "failed_step": failed_step, "failed_line": failed_line,
            "exact": self.exact().map(|answer| outcome_word(answer.outcome())),
        });
        if self.asked.trace {
            printed["trace"] = self.sheet.lines().collect();
        }
        json!({
            "id": null, "outcome": outcome, "plan": cost.map(|_| &names),
            "cost": cost.map(CostShape), "planner": self.planner.name(),
            "reason": reason, "nodes": 0, "goal": self.goal.map(|goal| map.goal(goal)),
            "printed": printed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_an_algorithm() {
        assert_eq!(Printed::ALL.map(Printed::name), NAMES);
    }
}
