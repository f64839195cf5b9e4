//! A task of the planning field under watch: two PDDL files, or one `.sas`.
//!
//! In:   the files, the mode and the limits.
//! Out:  what `pddl solve` or `sas solve` answers, and warnings about the files.
//! Cost: that of the command each time.

use super::subject::{Answered, Broken, Good, MOST_LISTED, Subject};
use crate::args::field::{LimitArgs, SearchArgs, TaskFiles};
use crate::args::names::{PlannerName, TaskPlannerName};
use crate::args::plan::PlanArgs;
use crate::commands::{pddl, sas};
use crate::console::{Console, Fail, bad, count};
use crate::field::files::reading;
use crate::field::run::RunLimits;
use crate::loading::short;
use crate::shapes::ReasonShape;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use throng_domain::Severity;
use throng_pddl::lifted::Lifted;
use throng_pddl::read::Reading;

/// A task and how to solve it.
pub(crate) struct FieldTask {
    /// A domain and a problem in PDDL, or one `.sas`.
    files: Vec<PathBuf>,
    search: SearchArgs,
    colour: bool,
}

impl FieldTask {
    pub(crate) fn new(
        files: Vec<PathBuf>,
        args: &PlanArgs,
        time: Option<Duration>,
        colour: bool,
    ) -> Result<FieldTask, Fail> {
        let search = search(args, time, &files[0])?;
        Ok(FieldTask { files, search, colour })
    }

    fn good(&self, stop: &Arc<AtomicBool>) -> Result<Good, Broken> {
        let mut console = Console::silent(std::io::sink()).stopped_by(stop);
        let limits = RunLimits::new(&self.search.limits, self.search.max_nodes, &console);
        let mut warnings = Vec::new();
        let answer = match &self.files[..] {
            [domain, problem] => {
                let files = TaskFiles { domain: domain.clone(), problem: problem.clone() };
                let read = self.read(&files, &limits, &mut warnings, &mut console)?;
                let planner = TaskPlannerName(None);
                pddl::answer(&self.search, planner, |_| read, &limits, &mut console)
            }
            files => sas::answer(&self.search, &files[0], &limits, &mut console),
        };
        let answer = answer.map_err(|fail| Broken::fail(&fail))?;
        let name = self.files.last().and_then(|file| Some(file.file_stem()?.to_owned()));
        let name = name.unwrap_or_default();
        let (steps, cost, reason) = match &answer.came {
            Ok((steps, cost)) => (steps.clone(), Some(cost.to_string()), None),
            Err(reason) => (Vec::new(), None, Some(reason.text.clone())),
        };
        let came = match &answer.came {
            Ok((steps, _)) if steps.is_empty() => "holds already, nothing to do".to_string(),
            Ok((steps, cost)) => format!("{}, cost {cost}", count(steps.len(), "step")),
            Err(reason) => format!("{}: {}", answer.outcome().replace('_', " "), reason.text),
        };
        let headline = format!("{}: {came}", name.to_string_lossy());
        let width = steps.len().to_string().len();
        let listed = steps.iter().take(MOST_LISTED).enumerate();
        let listed = listed.map(|(at, step)| format!("  {:width$}. {step}\n", at + 1));
        let mut text = format!("{headline}\n{}", listed.collect::<String>());
        if steps.len() > MOST_LISTED {
            text.push_str(&format!("  … and {} more\n", steps.len() - MOST_LISTED));
        }
        Ok(Good {
            headline,
            text,
            steps,
            outcome: answer.outcome(),
            goal: None,
            cost,
            reason,
            warnings,
            json: answer.shape(false),
            code: answer.code(),
        })
    }

    /// The task of two files, or that a limit was hit; a task with mistakes is broken.
    fn read(
        &self,
        files: &TaskFiles,
        limits: &RunLimits,
        warnings: &mut Vec<String>,
        console: &mut Console<'_>,
    ) -> Result<Result<Lifted, Fail>, Broken> {
        match reading(files, limits, console) {
            Ok(Reading { task, report, sources, .. }) => {
                *warnings = short(&report, Severity::Warning, &sources);
                task.map(Ok).ok_or_else(|| Broken::report(&report, &sources, self.colour))
            }
            Err(limit @ Fail::Limit { .. }) => Ok(Err(limit)),
            Err(fail) => Err(Broken::sentence(ReasonShape { code: "unreadable", ..fail.reason() })),
        }
    }
}

impl Subject for FieldTask {
    fn files(&self) -> Vec<PathBuf> {
        self.files.clone()
    }

    fn answer(&mut self, stop: &Arc<AtomicBool>) -> Answered {
        Answered { files: self.files(), came: self.good(stop) }
    }
}

/// The words of `plan` that a task of the field understands, too; others are refused.
fn search(args: &PlanArgs, time: Option<Duration>, file: &Path) -> Result<SearchArgs, Fail> {
    let (asked, wish) = (&args.question, &args.question.wish);
    let lists = [&asked.words, &wish.to, &wish.without, &asked.cost];
    let is_a_question = lists.iter().any(|list| !list.is_empty())
        || wish.goal.is_some()
        || wish.only.is_some()
        || asked.domain.format.is_some();
    let is_auto = matches!(args.planner, PlannerName::Engine(None));
    if is_a_question || !is_auto || args.trace || args.stats {
        return bad(format!(
            "`{}` says itself who wants what; beside it only `--mode`, `--time`, \
             `--max-nodes`, `--memory`, `--json` and `--once` are understood",
            file.display()
        ));
    }
    Ok(SearchArgs {
        mode: Some(args.mode),
        limits: LimitArgs { time, memory: args.memory },
        max_nodes: args.max_nodes,
        out: None,
        stats: false,
        json: true,
    })
}
