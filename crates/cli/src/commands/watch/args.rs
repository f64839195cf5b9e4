//! The words of `throng watch`.

use crate::args::PlanArgs;
use crate::console::{Fail, bad};
use crate::field::args::seconds;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    /// For tasks of the planning field: give up after so many seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) time: Option<Duration>,
    /// Answer once and end, with the exit code of `plan`
    #[arg(long)]
    pub(crate) once: bool,
}

impl WatchArgs {
    /// The files among the words, and the words of `plan` without them. A word is a file if it
    /// ends like one.
    pub(crate) fn files(&self) -> Result<(Vec<PathBuf>, PlanArgs), Fail> {
        let mut plan = self.plan.clone();
        let (files, words): (Vec<String>, Vec<String>) =
            plan.question.words.drain(..).partition(|word| is_file(word));
        plan.question.words = words;
        let mut all = vec![plan.question.file.clone()];
        for file in files.into_iter().map(PathBuf::from) {
            if all.contains(&file) {
                return bad(format!("`{}` stands twice", file.display()));
            }
            all.push(file);
        }
        if all.iter().any(|file| file == Path::new("-")) {
            return bad("standard input cannot be watched; name a file");
        }
        Ok((all, plan))
    }
}

/// What a file is, as its ending tells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Domain,
    Pddl,
    Sas,
}

impl Kind {
    pub(crate) fn of(path: &Path) -> Kind {
        match ending(&path.to_string_lossy()).as_deref() {
            Some("pddl") => Kind::Pddl,
            Some("sas") => Kind::Sas,
            _ => Kind::Domain,
        }
    }
}

fn ending(name: &str) -> Option<String> {
    name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase())
}

fn is_file(word: &str) -> bool {
    let is_known = matches!(ending(word).as_deref(), Some("npc" | "json" | "pddl" | "sas"));
    is_known && !word.contains('=')
}
