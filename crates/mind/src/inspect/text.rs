//! Inspections, causes, endings as text for people.

use super::{AttributeView, Inspection, StepView, action_name};
use crate::choose::Standing;
use crate::events::{Cause, Doing};
use crate::spec::Spec;
use std::fmt;

/// The cause of planning, in words.
pub fn cause_words(cause: Cause) -> &'static str {
    match cause {
        Cause::NothingToDo => "it had nothing to do",
        Cause::BetterGoal => "another goal became more important",
        Cause::GoalIrrelevant => "its goal lost its relevance",
        Cause::PlanInvalid => "the rest of its plan would not work any more",
        Cause::StepFailed => "a step of its plan failed",
        Cause::PlanEnded => "its plan came to its end and the goal does not hold",
        Cause::GoalReached => "its goal was reached",
        Cause::TryAgain => "something changed since no plan was found",
        Cause::Reloaded => "it was told to think anew",
    }
}

/// What is done, in words.
pub fn doing_words(spec: &Spec, doing: Doing) -> String {
    match doing {
        Doing::Step(action) | Doing::Otherwise(action) => action_name(spec, action),
        Doing::Flavour(at) => {
            let flavour = spec.flavours.get(usize::from(at));
            flavour.map_or(String::new(), |flavour| spec.words.text(flavour.name).to_string())
        }
    }
}

impl fmt::Display for Inspection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, _] = self.here;
        writeln!(f, "{} at ({x:.1} {y:.1}), tick {}", self.npc, self.tick)?;
        writeln!(f, "  does   {}", self.doing)?;
        writeln!(f, "  why    {}", self.why)?;
        if !self.plan.is_empty() {
            let mark = |step: &StepView| match step.status {
                "done" => format!("{} ✓", step.action),
                "now" => format!("[{}]", step.action),
                _ => step.action.clone(),
            };
            let steps: Vec<String> = self.plan.iter().map(mark).collect();
            writeln!(f, "  plan   {}   (cost {})", steps.join(" → "), self.cost)?;
        }
        if let Some((steps, cost)) = &self.runner_up {
            writeln!(f, "  else   {}   (cost {cost})", steps.join(" → "))?;
        }
        writeln!(f, "  goals")?;
        for goal in &self.goals {
            let mark = if goal.standing == Standing::Active { "▶" } else { " " };
            write!(
                f,
                "  {mark} {:<20} {:7.2} = {:.2} of its priority",
                goal.name, goal.score, goal.relevance
            )?;
            match goal.why_not.is_empty() {
                true => writeln!(f)?,
                false => writeln!(f, "; {}", goal.why_not)?,
            }
        }
        writeln!(f, "  facts  {} of {}", self.facts.len(), self.memory_bound)?;
        for fact in &self.facts {
            let words = |a: &AttributeView| format!("{} {} ({:.2})", a.name, a.value, a.confidence);
            let attributes: Vec<String> = fact.attributes.iter().map(words).collect();
            let expires = fact.expires_in.map_or("kept".to_string(), |s| format!("{s:.1} s left"));
            writeln!(
                f,
                "    {:<12} {:5.1} s old, {expires}, by {}: {}",
                fact.kind,
                fact.age,
                fact.writer,
                attributes.join(", ")
            )?;
        }
        let value = |(name, value): &(String, Option<String>)| {
            format!("{name} = {}", value.as_deref().unwrap_or("?"))
        };
        let state: Vec<String> = self.state.iter().map(value).collect();
        writeln!(f, "  state  {}", state.join(", "))?;
        if !self.false_checks.is_empty() {
            writeln!(f, "  false  {}", self.false_checks.join(", "))?;
        }
        for absent in &self.absent {
            writeln!(f, "  absent {}: {}", absent.action, absent.why)?;
        }
        let ran = |(name, ran): &(String, Option<f64>)| match ran {
            Some(ago) => format!("{name} {ago:.1} s ago"),
            None => format!("{name} never"),
        };
        let sensors: Vec<String> = self.sensors.iter().map(ran).collect();
        writeln!(f, "  senses {}", sensors.join(", "))?;
        writeln!(f, "  planned {} times, knew {} answers", self.planned.0, self.planned.1)
    }
}
