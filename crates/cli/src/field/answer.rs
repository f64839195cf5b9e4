//! What `pddl solve` and `sas solve` print.
//!
//! In:   what a search came to, as words.
//! Out:  the plan in the field's usual format, or JSON; the exit code.
//!
//! The usual format: a step a line, `(move a b)`, then `; cost = 3 (unit cost)`, or
//! `(general cost)` if the task has a metric.

use crate::args::field::SearchArgs;
use crate::args::names::MODES;
use crate::console::{CommandResult, Console, Fail, count};
use crate::extension::Work;
use crate::field::measure::{Stopwatch, peak_kilobytes};
use crate::field::run::{Finished, Hit, RunLimits, Steps};
use crate::shapes::{CostShape, ReasonShape};
use crate::writing::replace;
use crate::{FINE, LIMIT, NO};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use throng::{Cost, Mode};
use throng_pddl::plan::plan_text;

/// Three digits behind the point.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// Everything about an answer.
pub(crate) struct TaskAnswer {
    pub(crate) finished: Finished<Steps>,
    pub(crate) work: Work,
    pub(crate) planner: &'static str,
    pub(crate) mode: Mode,
    pub(crate) has_metric: bool,
    pub(crate) stopwatch: Stopwatch,
}

impl TaskAnswer {
    /// Prints it, and gives the exit code.
    pub(crate) fn print(
        &self,
        args: &SearchArgs,
        limits: &RunLimits,
        console: &mut Console<'_>,
    ) -> CommandResult {
        if let (Finished::Plan((steps, cost)), Some(path)) = (&self.finished, &args.out) {
            replace(path, plan_text(steps, *cost, self.has_metric))?;
        }
        match args.json {
            true => console.json(&self.shape(args.stats, limits))?,
            false => self.tell(args, limits, console)?,
        }
        Ok(self.code())
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self.finished {
            Finished::Plan(_) => FINE,
            Finished::Impossible(_) => NO,
            Finished::Limit(_) => LIMIT,
        }
    }

    /// The plan and what it costs, if there is one.
    pub(crate) fn plan(&self) -> Option<(&[String], Cost)> {
        match &self.finished {
            Finished::Plan((steps, cost)) => Some((steps, *cost)),
            _ => None,
        }
    }

    /// Why there is no plan, if there is none.
    pub(crate) fn reason(&self, limits: &RunLimits) -> Option<ReasonShape> {
        match &self.finished {
            Finished::Plan(_) => None,
            Finished::Impossible(why) => {
                let text = why.clone().unwrap_or_else(|| self.impossible());
                Some(ReasonShape { code: "unreachable", text })
            }
            Finished::Limit(stopped) => {
                Some(ReasonShape { code: code(stopped.hit), text: stopped.sentence(limits) })
            }
        }
    }

    fn impossible(&self) -> String {
        let states = self.work.states;
        match self.work.has_dead_ends {
            true => format!("every state that could lead to the goal was tried ({states})"),
            false => format!(
                "the goal holds in none of the {} that can be reached",
                count(states as usize, "state")
            ),
        }
    }

    /// `plan`, `satisfied`, `impossible` or `gave_up`.
    pub(crate) fn outcome(&self) -> &'static str {
        match &self.finished {
            Finished::Plan((steps, _)) if steps.is_empty() => "satisfied",
            Finished::Plan(_) => "plan",
            Finished::Impossible(_) => "impossible",
            Finished::Limit(_) => "gave_up",
        }
    }

    /// The answer for programs.
    pub(crate) fn shape(&self, stats: bool, limits: &RunLimits) -> Value {
        let plan = self.plan();
        let mode = MODES.iter().find(|(_, mode)| *mode == self.mode);
        let Work { nodes, generated, states, .. } = self.work;
        let mut shape = json!({
            "outcome": self.outcome(),
            "plan": plan.map(|(steps, _)| steps),
            "length": plan.map(|(steps, _)| steps.len()),
            "cost": plan.map(|(_, cost)| CostShape(cost)),
            "planner": self.planner,
            "mode": mode.map(|(name, _)| name),
            "reason": self.reason(limits),
            // States expanded; successors made, known states among them; different states met.
            "nodes": nodes, "generated": generated, "states": states,
        });
        if stats {
            shape["stats"] = self.stats();
        }
        shape
    }

    /// Milliseconds by phase, in the order of time, and memory.
    fn stats(&self) -> Value {
        let mut phases = Map::new();
        for &(phase, milliseconds) in self.stopwatch.phases() {
            let before = phases.get(phase).and_then(Value::as_f64).unwrap_or(0.0);
            phases.insert(phase.to_string(), json!(before + milliseconds));
        }
        phases.values_mut().for_each(|sum| *sum = json!(sum.as_f64().map(rounded)));
        let all = self.stopwatch.phases().iter().map(|phase| phase.1);
        json!({
            "phases": phases,
            "total_ms": rounded(all.sum()),
            "bytes": self.work.bytes,
            "bytes_per_state": rounded(self.bytes_per_state()),
            // Where the system tells.
            "peak_bytes": peak_kilobytes().map(|kilobytes| kilobytes * 1024),
        })
    }

    fn bytes_per_state(&self) -> f64 {
        self.work.bytes as f64 / self.work.states.max(1) as f64
    }

    fn tell(
        &self,
        args: &SearchArgs,
        limits: &RunLimits,
        console: &mut Console<'_>,
    ) -> Result<(), Fail> {
        match (self.plan(), &args.out) {
            (Some((steps, cost)), None) => {
                console.print(&plan_text(steps, cost, self.has_metric))?;
            }
            (Some((steps, cost)), Some(path)) => {
                let (steps, path) = (count(steps.len(), "step"), path.display());
                console.message(&format!("wrote `{path}`: {steps}, cost {cost}"));
            }
            (None, _) => {
                let why = self.reason(limits).map_or(String::new(), |reason| reason.text);
                let is_limit = matches!(self.finished, Finished::Limit(_));
                writeln!(console, "; {}: {why}", if is_limit { "gave up" } else { "impossible" })?;
            }
        }
        if args.stats {
            // Beside the plan, so that the plan can be handed on.
            console.message(&self.stats_text());
        }
        Ok(())
    }

    fn stats_text(&self) -> String {
        let mut text = String::new();
        for (phase, milliseconds) in self.stopwatch.phases() {
            let _ = writeln!(text, "{phase:<20} {milliseconds:>12.3} ms");
        }
        let Work { nodes, generated, states, bytes, .. } = self.work;
        let counts = [
            ("expanded", nodes),
            ("generated", generated),
            ("states", states),
            ("bytes of states", bytes),
        ];
        for (name, count) in counts {
            let _ = writeln!(text, "{name:<20} {count:>12}");
        }
        let _ = write!(text, "{:<20} {:>12.1}", "bytes per state", self.bytes_per_state());
        if let Some(peak) = peak_kilobytes() {
            let _ = write!(text, "\n{:<20} {:>12}", "peak bytes", peak * 1024);
        }
        text
    }
}

fn code(hit: Hit) -> &'static str {
    match hit {
        Hit::Time => "time_limit",
        Hit::Memory => "memory_limit",
        Hit::Nodes => "node_limit",
        Hit::Size => "size_limit",
        Hit::Interrupted => "stopped",
    }
}
