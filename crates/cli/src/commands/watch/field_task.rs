//! A task of the planning field under watch: two PDDL files, or one `.sas`.
//!
//! In:   the files, the mode and the limits.
//! Out:  what `pddl solve` or `sas solve` answers, and warnings about the files.
//! Cost: that of the command each time; PDDL is read once more, for its mistakes with their
//!       places.

use super::subject::{Answered, Broken, Good, MOST_LISTED, Subject, Written};
use crate::args::PlanArgs;
use crate::commands::{pddl, sas};
use crate::console::{Fail, bad, count};
use crate::field::args::{
    GROUNDED, LimitArgs, PddlArgs, PddlCommand, PddlSolveArgs, SasArgs, SasCommand, SasSolveArgs,
    SearchArgs, TaskFiles,
};
use crate::field::files::text;
use crate::question::mode;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use throng_domain::Severity;
use throng_pddl::read::{Limits, Text, read_task};

/// A task and how to solve it.
pub(crate) struct FieldTask {
    solver: Solver,
    colour: bool,
}

/// The command that answers.
enum Solver {
    Pddl(PddlArgs, [PathBuf; 2]),
    Sas(SasArgs, PathBuf),
}

impl FieldTask {
    pub(crate) fn pddl(
        both: [PathBuf; 2],
        args: &PlanArgs,
        time: Option<Duration>,
        colour: bool,
    ) -> Result<FieldTask, Fail> {
        let [domain, problem] = both.clone();
        let files = TaskFiles { domain, problem };
        let (search, planner) = (search(args, time, &both[0])?, GROUNDED.to_string());
        let command = PddlCommand::Solve(PddlSolveArgs { files, search, planner });
        Ok(FieldTask { solver: Solver::Pddl(PddlArgs { command }, both), colour })
    }

    pub(crate) fn sas(
        file: PathBuf,
        args: &PlanArgs,
        time: Option<Duration>,
        colour: bool,
    ) -> Result<FieldTask, Fail> {
        let search = search(args, time, &file)?;
        let command = SasCommand::Solve(SasSolveArgs { file: file.clone(), search });
        Ok(FieldTask { solver: Solver::Sas(SasArgs { command }, file), colour })
    }

    fn good(&self, stop: &Arc<AtomicBool>) -> Result<Good, Broken> {
        let (warnings, written) = match &self.solver {
            Solver::Pddl(args, files) => {
                let warnings = self.read(files)?;
                (warnings, Written::until(stop, |console| pddl::run(args, console)))
            }
            Solver::Sas(args, _) => {
                (Vec::new(), Written::until(stop, |console| sas::run(args, console)))
            }
        };
        let code = written.came.map_err(Broken::fail)?;
        let strange = |_| Broken::sentence("bad_answer", "the answer cannot be read".to_string());
        let answer: Shape = serde_json::from_str(&written.out).map_err(strange)?;
        let json = RawValue::from_string(written.out.trim_end().to_string()).ok();
        let headline = format!("{}: {}", self.name(), answer.headline());
        let mut text = format!("{headline}\n");
        let steps = answer.plan.unwrap_or_default();
        let width = steps.len().to_string().len();
        for (at, step) in steps.iter().take(MOST_LISTED).enumerate() {
            text.push_str(&format!("  {:width$}. {step}\n", at + 1));
        }
        if steps.len() > MOST_LISTED {
            text.push_str(&format!("  … and {} more\n", steps.len() - MOST_LISTED));
        }
        Ok(Good {
            headline,
            text,
            steps,
            outcome: answer.outcome,
            goal: None,
            cost: answer.cost.map(|cost| cost.to_string()),
            reason: answer.reason.map(|reason| reason.text),
            warnings,
            json,
            code,
        })
    }

    /// What is to say about the files; a task with mistakes is broken.
    fn read(&self, files: &[PathBuf; 2]) -> Result<Vec<String>, Broken> {
        let limits = Limits::default();
        let fetch = |path: &Path| {
            let read = Written::by(|console| text(path, limits.text_bytes, console));
            read.came.map_err(|fail| Broken::sentence("unreadable", fail.coded().1))
        };
        let (domain, problem) = (fetch(&files[0])?, fetch(&files[1])?);
        let names = files.each_ref().map(|path| path.display().to_string());
        let domain = Text { name: &names[0], text: &domain };
        let problem = Text { name: &names[1], text: &problem };
        let reading = read_task(domain, problem, &limits);
        if reading.task.is_none() {
            return Err(Broken::report(&reading.report, &reading.sources, self.colour));
        }
        let warnings = reading.report.diagnostics().iter();
        let warnings = warnings.filter(|found| found.severity() == Severity::Warning);
        Ok(warnings.map(|found| found.short(&reading.sources)).collect())
    }

    /// The name of the problem's file, without its ending.
    fn name(&self) -> String {
        let path = match &self.solver {
            Solver::Pddl(_, [_, problem]) => problem,
            Solver::Sas(_, file) => file,
        };
        path.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    }
}

impl Subject for FieldTask {
    fn title(&self) -> String {
        let names: Vec<String> = self.files().iter().map(|it| it.display().to_string()).collect();
        names.join(" ")
    }

    fn files(&self) -> Vec<PathBuf> {
        match &self.solver {
            Solver::Pddl(_, files) => files.to_vec(),
            Solver::Sas(_, file) => vec![file.clone()],
        }
    }

    fn answer(&mut self, stop: &Arc<AtomicBool>) -> Answered {
        Answered { files: self.files(), came: self.good(stop) }
    }
}

/// The words of `plan` that a task of the field understands, too; others are refused.
fn search(args: &PlanArgs, time: Option<Duration>, file: &Path) -> Result<SearchArgs, Fail> {
    let asked = &args.question;
    let lists = [&asked.words, &asked.to, &asked.without, &asked.cost];
    let is_a_question = lists.iter().any(|list| !list.is_empty())
        || asked.goal.is_some()
        || asked.only.is_some()
        || asked.format.is_some();
    if is_a_question || args.planner != "auto" || args.trace || args.stats {
        return bad(format!(
            "`{}` says itself who wants what; beside it only `--mode`, `--time`, \
             `--max-nodes`, `--memory`, `--json` and `--once` are understood",
            file.display()
        ));
    }
    mode(&args.mode)?;
    Ok(SearchArgs {
        mode: Some(args.mode.clone()),
        limits: LimitArgs { time, memory: args.memory },
        max_nodes: args.max_nodes,
        out: None,
        stats: false,
        json: true,
    })
}

/// What is read of an answer.
#[derive(Deserialize)]
struct Shape {
    outcome: String,
    plan: Option<Vec<String>>,
    cost: Option<f64>,
    reason: Option<Reason>,
}

#[derive(Deserialize)]
struct Reason {
    text: String,
}

impl Shape {
    fn headline(&self) -> String {
        match (&self.plan, &self.reason) {
            (Some(steps), _) if steps.is_empty() => "holds already, nothing to do".to_string(),
            (Some(steps), _) => {
                format!("{}, cost {}", count(steps.len(), "step"), self.cost.unwrap_or_default())
            }
            (None, Some(reason)) if self.outcome == "gave_up" => {
                format!("gave up: {}", reason.text)
            }
            (None, Some(reason)) => format!("{}: {}", self.outcome, reason.text),
            (None, None) => self.outcome.clone(),
        }
    }
}
