//! A domain under watch: a file, what it includes, and the question of `throng plan`.
//!
//! In:   the file and the words of `plan`.
//! Out:  what `check` finds and `plan` answers.
//! Cost: that of loading and planning, each time.

use super::subject::{Answered, Broken, Good, MOST_LISTED, Subject};
use crate::args::plan::PlanArgs;
use crate::commands::check::with_notes;
use crate::commands::plan;
use crate::console::Fail;
use crate::loading;
use crate::question::{PlanQuestion, request, searched};
use crate::shapes::{AnswerShape, exit_code, outcome_word};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use throng::domain::{Surroundings, load_file_seen};
use throng::{Answer, Domain, Engine, Planner, Scratch};
use throng_domain::{self as model, Format, Severity};

/// A domain file and the question to it.
pub(crate) struct DomainFile {
    args: PlanArgs,
    format: Format,
    colour: bool,
    engine: Option<Engine>,
}

impl DomainFile {
    /// Understands what does not depend on the file's content; the rest may change with it.
    pub(crate) fn new(file: PathBuf, args: &PlanArgs, colour: bool) -> Result<DomainFile, Fail> {
        let mut args = args.clone();
        args.question.domain.file = file;
        let engine = args.planner.engine("watch")?;
        let format = loading::format_of(&args.question.domain.file, args.question.domain.format)?;
        Ok(DomainFile { args, format, colour, engine })
    }

    fn good(&self, files: &mut Vec<PathBuf>, stop: &Arc<AtomicBool>) -> Result<Good, Broken> {
        let path = &self.args.question.domain.file;
        let mut seen = |path: &std::path::Path| files.push(path.to_path_buf());
        let mut loaded = load_file_seen(
            path,
            self.format,
            &model::Limits::default(),
            &Surroundings {
                root: self.args.question.domain.root.clone(),
                ..Surroundings::default()
            },
            &mut seen,
        )
        .map_err(|error| Broken::unreadable(&error))?;
        with_notes(&mut loaded, None);
        if loaded.model.is_none() {
            return Err(Broken::report(&loaded.report, &loaded.sources, self.colour));
        }
        let warnings = loading::short(&loaded.report, Severity::Warning, &loaded.sources);
        let domain = Domain::from_loaded(loaded).map_err(|error| Broken::unreadable(&error))?;
        let fails = |fail: Fail| Broken::sentence(fail.reason());
        let question = searched(&domain, &self.args).map_err(fails)?;
        let request = request(&question, &self.args, self.engine, stop).map_err(fails)?;
        let answer = Planner::new().plan(&question.npc, &request, &mut Scratch::default());
        Ok(self.told(&question, &answer, warnings))
    }

    fn told(&self, question: &PlanQuestion, answer: &Answer, warnings: Vec<String>) -> Good {
        let head = plan::headline(question, answer);
        let headline = head.lines().map(str::trim).collect::<Vec<_>>().join(": ");
        let solved = answer.is_solved();
        let map = question.npc.domain().compiled().map();
        Good {
            headline,
            text: plan::text(question, answer, &self.args, MOST_LISTED),
            steps: answer.plan().names().filter(|_| solved).map(str::to_string).collect(),
            outcome: outcome_word(answer.outcome()),
            goal: answer.goal().map(|goal| map.goal(goal).to_string()),
            cost: solved.then(|| answer.plan().cost().to_string()),
            reason: (!solved).then(|| answer.reason()),
            warnings,
            json: json!(AnswerShape::new(None, &question.npc, answer)),
            code: exit_code(answer.outcome()),
        }
    }
}

impl Subject for DomainFile {
    fn files(&self) -> Vec<PathBuf> {
        vec![self.args.question.domain.file.clone()]
    }

    fn answer(&mut self, stop: &Arc<AtomicBool>) -> Answered {
        let mut files = self.files();
        let came = self.good(&mut files, stop);
        Answered { files, came }
    }
}
