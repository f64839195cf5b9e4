//! What `pddl solve` and `sas solve` print.
//!
//! In:   what a search came to, as words.
//! Out:  the plan in the field's usual format, or JSON; the exit code.
//!
//! The usual format: a step a line, `(move a b)`, then `; cost = 3 (unit cost)`, or
//! `(general cost)` if the task has a metric.

use crate::args::field::SearchArgs;
use crate::args::names::{MODES, TaskPlannerName};
use crate::console::{CommandResult, Console, Fail, count};
use crate::extension::Work;
use crate::field::measure::{Stopwatch, peak_kilobytes};
use crate::field::run::{Came, Run, RunLimits, UNREACHABLE};
use crate::shapes::{CostShape, ReasonShape, rounded};
use crate::writing::replace;
use crate::{FINE, LIMIT, NO};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use throng::Mode;
use throng_pddl::plan::plan_text;

/// Everything about an answer.
pub(crate) struct TaskAnswer {
    pub(crate) came: Came,
    work: Work,
    planner: &'static str,
    mode: Mode,
    has_metric: bool,
    stopwatch: Stopwatch,
}

/// Reads and solves a task; that a limit was hit is an answer too.
pub(crate) fn answered(
    search: &SearchArgs,
    planner: TaskPlannerName,
    limits: &RunLimits,
    console: &mut Console<'_>,
    solve: impl FnOnce(&mut Run<'_, '_>) -> Result<Came, Fail>,
) -> Result<TaskAnswer, Fail> {
    let usual = planner.0.map_or(Mode::Cheapest, |added| added.usual());
    let mut run = Run::new(limits, search.mode.unwrap_or(usual), console);
    run.stopwatch.begin("read");
    let came = match solve(&mut run) {
        Err(Fail::Limit { code, text }) => Err(ReasonShape { code, text }),
        came => came?,
    };
    run.stopwatch.end();
    let Run { work, mode, has_metric, stopwatch, .. } = run;
    Ok(TaskAnswer { came, work, planner: planner.name(), mode, has_metric, stopwatch })
}

impl TaskAnswer {
    /// Prints it, and gives the exit code.
    pub(crate) fn print(&self, args: &SearchArgs, console: &mut Console<'_>) -> CommandResult {
        if let (Ok((steps, cost)), Some(path)) = (&self.came, &args.out) {
            replace(path, plan_text(steps, *cost, self.has_metric))?;
        }
        match args.json {
            true => console.json(&self.shape(args.stats))?,
            false => self.tell(args, console)?,
        }
        Ok(self.code())
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match &self.came {
            Ok(_) => FINE,
            Err(reason) if reason.code == UNREACHABLE => NO,
            Err(_) => LIMIT,
        }
    }

    /// `plan`, `satisfied`, `impossible` or `gave_up`.
    pub(crate) fn outcome(&self) -> &'static str {
        match &self.came {
            Ok((steps, _)) if steps.is_empty() => "satisfied",
            Ok(_) => "plan",
            Err(reason) if reason.code == UNREACHABLE => "impossible",
            Err(_) => "gave_up",
        }
    }

    /// The answer for programs.
    pub(crate) fn shape(&self, stats: bool) -> Value {
        let plan = self.came.as_ref().ok();
        let mode = MODES.iter().find(|(_, mode)| *mode == self.mode);
        let Work { nodes, generated, states, .. } = self.work;
        let mut shape = json!({
            "outcome": self.outcome(),
            "plan": plan.map(|(steps, _)| steps),
            "length": plan.map(|(steps, _)| steps.len()),
            "cost": plan.map(|(_, cost)| CostShape(*cost)),
            "planner": self.planner,
            "mode": mode.map(|(name, _)| name),
            "reason": self.came.as_ref().err(),
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
        for &(phase, milliseconds) in &self.stopwatch.phases {
            let before = phases.get(phase).and_then(Value::as_f64).unwrap_or(0.0);
            phases.insert(phase.to_string(), json!(before + milliseconds));
        }
        phases.values_mut().for_each(|sum| *sum = json!(sum.as_f64().map(rounded)));
        let all = self.stopwatch.phases.iter().map(|phase| phase.1);
        json!({
            "phases": phases,
            "total_ms": rounded(all.sum::<f64>()),
            "bytes": self.work.bytes,
            "bytes_per_state": rounded(self.bytes_per_state()),
            // Where the system tells.
            "peak_bytes": peak_kilobytes().map(|kilobytes| kilobytes * 1024),
        })
    }

    fn bytes_per_state(&self) -> f64 {
        self.work.bytes as f64 / self.work.states.max(1) as f64
    }

    fn tell(&self, args: &SearchArgs, console: &mut Console<'_>) -> Result<(), Fail> {
        match (&self.came, &args.out) {
            (Ok((steps, cost)), None) => {
                console.print(&plan_text(steps, *cost, self.has_metric))?;
            }
            (Ok((steps, cost)), Some(path)) => {
                let (steps, path) = (count(steps.len(), "step"), path.display());
                console.message(&format!("wrote `{path}`: {steps}, cost {cost}"));
            }
            (Err(reason), _) => {
                writeln!(console, "; {}: {}", self.outcome().replace('_', " "), reason.text)?;
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
        for (phase, milliseconds) in &self.stopwatch.phases {
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
