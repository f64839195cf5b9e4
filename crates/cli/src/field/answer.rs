//! What `pddl solve` and `sas solve` print.
//!
//! In:   what a search came to, as words.
//! Out:  the plan in the field's usual format, or JSON; the exit code.
//!
//! The usual format: a step a line, `(move a b)`, then `; cost = 3 (unit cost)`, or
//! `(general cost)` if the task has a metric.

use crate::console::{CommandResult, Console, Fail, count};
use crate::extension::Work;
use crate::field::args::SearchArgs;
use crate::field::measure::Stopwatch;
use crate::field::run::{Finished, Hit, RunLimits};
use crate::shapes::{CostNumber, ReasonShape};
use crate::writing::replace;
use crate::{FINE, LIMIT, NO};
use serde::Serialize;
use serde::ser::Serializer;
use throng::{Cost, Mode};

/// The answer of `pddl solve` and `sas solve`.
#[derive(Serialize)]
struct TaskAnswerShape<'a> {
    outcome: &'static str,
    plan: Option<&'a [String]>,
    length: Option<usize>,
    cost: Option<CostNumber>,
    planner: &'a str,
    mode: &'static str,
    reason: Option<ReasonShape>,
    /// States expanded.
    nodes: u64,
    /// Successors made, known states among them.
    generated: u64,
    /// Different states met.
    states: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<StatsShape<'a>>,
}

#[derive(Serialize)]
struct StatsShape<'a> {
    phases: Phases<'a>,
    total_ms: f64,
    bytes: u64,
    bytes_per_state: f64,
    /// Where the system tells.
    peak_bytes: Option<u64>,
}

/// Milliseconds by phase, in the order of time.
struct Phases<'a>(Vec<(&'a str, f64)>);

impl Serialize for Phases<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// Three digits behind the point.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// Everything about an answer.
pub(crate) struct TaskAnswer<'a> {
    /// The steps, as `(move a b)`, and what they cost together.
    pub(crate) finished: Finished<(Vec<String>, Cost)>,
    /// Why there is no plan, in words, if that is known better than "everything was tried".
    pub(crate) why: Option<String>,
    pub(crate) work: Work,
    pub(crate) planner: &'a str,
    pub(crate) mode: Mode,
    pub(crate) has_metric: bool,
    pub(crate) stopwatch: Stopwatch,
}

impl TaskAnswer<'_> {
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
            true => console.json(&self.shape(args, limits))?,
            false => self.tell(args, limits, console)?,
        }
        Ok(match self.finished {
            Finished::Plan(_) => FINE,
            Finished::Impossible => NO,
            Finished::Limit(_) => LIMIT,
        })
    }

    fn reason(&self, limits: &RunLimits) -> Option<ReasonShape> {
        let (code, text) = match &self.finished {
            Finished::Plan(_) => return None,
            Finished::Impossible => ("unreachable", self.impossible()),
            Finished::Limit(hit) => (code(*hit), self.limit(*hit, limits)),
        };
        Some(ReasonShape { code: code.to_string(), text })
    }

    fn impossible(&self) -> String {
        match &self.why {
            Some(why) => why.clone(),
            None if self.work.has_dead_ends => {
                format!("every state that could lead to the goal was tried ({})", self.work.states)
            }
            None => format!(
                "the goal holds in none of the {} that can be reached",
                count(self.work.states as usize, "state")
            ),
        }
    }

    fn limit(&self, hit: Hit, limits: &RunLimits) -> String {
        self.why.clone().unwrap_or_else(|| limits.sentence(hit))
    }

    fn shape(&self, args: &SearchArgs, limits: &RunLimits) -> TaskAnswerShape<'_> {
        let (plan, cost) = match &self.finished {
            Finished::Plan((steps, cost)) => (Some(&steps[..]), Some(CostNumber(*cost))),
            _ => (None, None),
        };
        TaskAnswerShape {
            outcome: match &self.finished {
                Finished::Plan((steps, _)) if steps.is_empty() => "satisfied",
                Finished::Plan(_) => "plan",
                Finished::Impossible => "impossible",
                Finished::Limit(_) => "gave_up",
            },
            plan,
            length: plan.map(<[String]>::len),
            cost,
            planner: self.planner,
            mode: match self.mode {
                Mode::Cheapest => "cheapest",
                Mode::Shortest => "shortest",
                Mode::Fast => "fast",
            },
            reason: self.reason(limits),
            nodes: self.work.nodes,
            generated: self.work.generated,
            states: self.work.states,
            stats: args.stats.then(|| self.stats()),
        }
    }

    fn stats(&self) -> StatsShape<'_> {
        let phases = self.stopwatch.phases();
        let mut by_name: Vec<(&str, f64)> = Vec::new();
        for &(phase, milliseconds) in phases {
            match by_name.iter_mut().find(|known| known.0 == phase) {
                Some(known) => known.1 += milliseconds,
                None => by_name.push((phase, milliseconds)),
            }
        }
        by_name.iter_mut().for_each(|phase| phase.1 = rounded(phase.1));
        StatsShape {
            phases: Phases(by_name),
            total_ms: rounded(phases.iter().map(|phase| phase.1).sum()),
            bytes: self.work.bytes,
            bytes_per_state: rounded(self.work.bytes as f64 / self.work.states.max(1) as f64),
            peak_bytes: Stopwatch::peak_bytes(),
        }
    }

    fn tell(
        &self,
        args: &SearchArgs,
        limits: &RunLimits,
        console: &mut Console<'_>,
    ) -> Result<(), Fail> {
        match (&self.finished, &args.out) {
            (Finished::Plan((steps, cost)), None) => {
                console.print(&plan_text(steps, *cost, self.has_metric))?;
            }
            (Finished::Plan((steps, cost)), Some(path)) => {
                let (steps, path) = (count(steps.len(), "step"), path.display());
                console.message(&format!("wrote `{path}`: {steps}, cost {cost}"));
            }
            (Finished::Impossible, _) => {
                console.line(&format!("; impossible: {}", self.impossible()))?;
            }
            (Finished::Limit(hit), _) => {
                console.line(&format!("; gave up: {}", self.limit(*hit, limits)))?;
            }
        }
        if args.stats {
            // Beside the plan, so that the plan can be handed on.
            console.message(&self.stats_text());
        }
        Ok(())
    }

    fn stats_text(&self) -> String {
        let Work { nodes, generated, states, bytes, .. } = self.work;
        let per_state = bytes as f64 / states.max(1) as f64;
        let mut lines: Vec<String> = Vec::new();
        for (phase, milliseconds) in self.stopwatch.phases() {
            lines.push(format!("{phase:<20} {milliseconds:>12.3} ms"));
        }
        lines.push(format!("{:<20} {nodes:>12}", "expanded"));
        lines.push(format!("{:<20} {generated:>12}", "generated"));
        lines.push(format!("{:<20} {states:>12}", "states"));
        lines.push(format!("{:<20} {bytes:>12}", "bytes of states"));
        lines.push(format!("{:<20} {per_state:>12.1}", "bytes per state"));
        if let Some(peak) = Stopwatch::peak_bytes() {
            lines.push(format!("{:<20} {peak:>12}", "peak bytes"));
        }
        lines.join("\n")
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

/// A plan as the field writes it.
pub(crate) fn plan_text(steps: &[String], cost: Cost, has_metric: bool) -> String {
    let mut text = String::new();
    for step in steps {
        text.push_str(step);
        text.push('\n');
    }
    let kind = if has_metric { "general" } else { "unit" };
    text.push_str(&format!("; cost = {cost} ({kind} cost)\n"));
    text
}
