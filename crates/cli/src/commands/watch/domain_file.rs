//! A domain under watch: a file, what it includes, and the question of `throng plan`.
//!
//! In:   the file and the words of `plan`.
//! Out:  what `check` finds and `plan` answers.
//! Cost: that of loading and planning, each time.

use super::subject::{Answered, Broken, Good, MOST_LISTED, Subject, Written};
use crate::args::PlanArgs;
use crate::commands::check::with_notes;
use crate::commands::plan;
use crate::console::{Console, Fail};
use crate::extension::Extension;
use crate::loading;
use crate::question::{Limits, Question, engine, mode, question, request};
use crate::shapes::{AnswerShape, exit_code, outcome_word};
use serde_json::value::{RawValue, to_raw_value};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use throng::domain::load_file_seen;
use throng::{Answer, Domain, Engine, Outcome, Planner, Scratch};
use throng_domain::{self as model, Format, Severity};

/// A domain file and the question to it.
pub(crate) struct DomainFile {
    args: PlanArgs,
    format: Format,
    colour: bool,
    engine: Option<Engine>,
}

impl DomainFile {
    /// Understands what does not depend on the file's content; the rest may be mended in it.
    pub(crate) fn new(
        file: PathBuf,
        args: &PlanArgs,
        colour: bool,
        extension: Extension,
    ) -> Result<DomainFile, Fail> {
        let mut args = args.clone();
        args.question.file = file;
        mode(&args.mode)?;
        let engine = engine(&args.planner, "watch", extension)?;
        let said = args.question.format.map(Format::from);
        let format = loading::format_of(&args.question.file, said)?;
        Ok(DomainFile { args, format, colour, engine })
    }

    fn good(&self, files: &mut Vec<PathBuf>, stop: &Arc<AtomicBool>) -> Result<Good, Broken> {
        let path = &self.args.question.file;
        let mut seen = |path: &std::path::Path| files.push(path.to_path_buf());
        let mut loaded = load_file_seen(path, self.format, &model::Limits::default(), &mut seen)
            .map_err(|error| Broken::sentence("unreadable", error.to_string()))?;
        with_notes(&mut loaded);
        if loaded.model.is_none() {
            return Err(Broken::report(&loaded.report, &loaded.sources, self.colour));
        }
        let warnings = loaded.report.diagnostics().iter();
        let warnings = warnings.filter(|d| d.severity() == Severity::Warning);
        let warnings: Vec<String> = warnings.map(|d| d.short(&loaded.sources)).collect();
        let domain = Domain::from_loaded(loaded)
            .map_err(|error| Broken::sentence("unreadable", error.to_string()))?;
        let (question, answer) = self.ask(&domain, stop).map_err(|fail| {
            let (code, text) = fail.coded();
            Broken::sentence(code, text)
        })?;
        Ok(self.told(&question, &answer, warnings))
    }

    fn ask(&self, domain: &Domain, stop: &Arc<AtomicBool>) -> Result<(Question, Answer), Fail> {
        let args = &self.args;
        let limits = Limits { max_nodes: args.max_nodes, memory: Some(args.memory) };
        let question = Question { limits, ..question(domain, &args.question)? };
        let request = request(&question, args, self.engine, stop)?;
        let answer = Planner::new().plan(&question.npc, &request, &mut Scratch::default());
        Ok((question, answer))
    }

    fn told(&self, question: &Question, answer: &Answer, warnings: Vec<String>) -> Good {
        let head = Written::by(|console| plan::headline(question, answer, console)).out;
        let text = Written::by(|console| self.show(question, answer, console)).out;
        let headline = head.lines().map(str::trim).collect::<Vec<_>>().join(": ");
        let solved = answer.is_solved();
        let map = question.npc.domain().compiled().map();
        Good {
            headline,
            text,
            steps: answer.plan().names().filter(|_| solved).map(str::to_string).collect(),
            outcome: outcome_word(answer.outcome()).to_string(),
            goal: answer.goal().map(|goal| map.goal(goal).to_string()),
            cost: solved.then(|| answer.plan().cost().to_string()),
            reason: (!solved).then(|| answer.reason()),
            warnings,
            json: to_raw_value(&AnswerShape::new(RawValue::NULL, &question.npc, answer)).ok(),
            code: exit_code(answer.outcome()),
        }
    }

    /// As `plan` shows it.
    fn show(
        &self,
        question: &Question,
        answer: &Answer,
        console: &mut Console<'_>,
    ) -> Result<(), Fail> {
        plan::headline(question, answer, console)?;
        if matches!(answer.outcome(), Outcome::Plan { .. }) {
            let steps = answer.plan().steps();
            let more = steps.len().saturating_sub(MOST_LISTED);
            match self.args.trace {
                true => plan::walk(&question.npc, answer, console)?,
                false => plan::list(steps.take(MOST_LISTED), &question.npc, console)?,
            }
            if more > 0 && !self.args.trace {
                console.line(&format!("  … and {more} more"))?;
            }
        }
        match self.args.stats {
            true => plan::stats(answer, console),
            false => Ok(()),
        }
    }
}

impl Subject for DomainFile {
    fn title(&self) -> String {
        self.args.question.file.display().to_string()
    }

    fn files(&self) -> Vec<PathBuf> {
        vec![self.args.question.file.clone()]
    }

    fn answer(&mut self, stop: &Arc<AtomicBool>) -> Answered {
        let mut files = self.files();
        let came = self.good(&mut files, stop);
        Answered { files, came }
    }
}
