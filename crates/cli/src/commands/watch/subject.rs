//! What can be watched: something made of files that gives an answer.
//!
//! In:   files, and the words of the command line.
//! Out:  an answer in all the ways it is shown, or what is wrong; and the files it came from.
//!
//! A trait, because domains and the planning field's files are answered by different means and
//! watched alike.

use super::steps::Change;
use crate::console::Fail;
use crate::edge::Styled;
use crate::loading::short;
use crate::render;
use crate::shapes::{Mistake, ReasonShape};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use throng::LoadError;
use throng_domain::{Report, Severity, Sources};

/// Steps that are listed; a plan may have millions.
pub(crate) const MOST_LISTED: usize = 1000;

/// Something that is answered anew when its files change.
pub(crate) trait Subject {
    /// The files that it certainly is made of.
    fn files(&self) -> Vec<PathBuf>;

    /// What it is called.
    fn title(&self) -> String {
        let names: Vec<String> = self.files().iter().map(|it| it.display().to_string()).collect();
        names.join(" ")
    }

    /// Loads and answers; gives up soon when `stop` is set, and then any answer will do.
    fn answer(&mut self, stop: &Arc<AtomicBool>) -> Answered;
}

/// What came of one reading of the files.
pub(crate) struct Answered {
    /// All files that were asked for, found or not.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) came: Result<Good, Broken>,
}

/// An answer.
pub(crate) struct Good {
    /// Who wants what, and what came of it, on one line and without the steps.
    pub(crate) headline: String,
    /// The answer as its own command shows it.
    pub(crate) text: String,
    /// The steps of the plan; none if there is no plan.
    pub(crate) steps: Vec<String>,
    /// `plan`, `satisfied`, `impossible` or `gave_up`.
    pub(crate) outcome: &'static str,
    pub(crate) goal: Option<String>,
    pub(crate) cost: Option<String>,
    pub(crate) reason: Option<String>,
    /// Warnings about the files, a line each.
    pub(crate) warnings: Vec<String>,
    /// The answer as its own command prints it for programs.
    pub(crate) json: Value,
    /// The exit code of its own command.
    pub(crate) code: u8,
}

/// What is wrong.
pub(crate) struct Broken {
    /// Each mistake with quoted lines and all, for people.
    pub(crate) pictures: Vec<Styled>,
    /// A line for each mistake.
    pub(crate) lines: Vec<String>,
    /// The mistakes for programs.
    pub(crate) mistakes: Vec<Mistake>,
    /// How many there are; not all may be kept.
    pub(crate) errors: usize,
}

impl Broken {
    /// A complaint of one sentence.
    pub(crate) fn sentence(reason: ReasonShape) -> Broken {
        let text = reason.text.clone();
        let pictures = vec![Styled::plain(&format!("error: {text}"))];
        Broken { pictures, lines: vec![text], mistakes: vec![Mistake::sentence(reason)], errors: 1 }
    }

    /// Why a file cannot be read.
    pub(crate) fn unreadable(error: &LoadError) -> Broken {
        Broken::sentence(ReasonShape { code: "unreadable", text: error.to_string() })
    }

    /// Why a command could not answer.
    pub(crate) fn fail(fail: &Fail) -> Broken {
        Broken { mistakes: fail.mistakes(), ..Broken::sentence(fail.reason()) }
    }

    /// What a reader found.
    pub(crate) fn report(report: &Report, sources: &Sources, colour: bool) -> Broken {
        Broken {
            pictures: render::errors(report, sources, colour),
            lines: short(report, Severity::Error, sources),
            mistakes: Mistake::all(report, sources),
            errors: report.errors(),
        }
    }
}

/// What is different from the answer before.
pub(crate) struct News {
    /// A line for each difference but the steps.
    pub(crate) facts: Vec<String>,
    pub(crate) steps: Vec<Change>,
}

impl News {
    pub(crate) fn between(before: &Good, after: &Good) -> News {
        let mut facts = Vec::new();
        if before.outcome != after.outcome {
            facts.push(format!("{} → {}", before.outcome, after.outcome));
        }
        let told = |text: &Option<String>| text.as_deref().unwrap_or("none").to_string();
        if before.goal != after.goal {
            facts.push(format!("goal {} → {}", told(&before.goal), told(&after.goal)));
        }
        if before.cost != after.cost && before.cost.is_some() && after.cost.is_some() {
            facts.push(format!("cost {} → {}", told(&before.cost), told(&after.cost)));
        }
        if before.steps.len() != after.steps.len() {
            facts.push(format!("length {} → {}", before.steps.len(), after.steps.len()));
        }
        if before.outcome == after.outcome && before.reason != after.reason {
            facts.push("another reason".to_string());
        }
        News { facts, steps: super::steps::changes(&before.steps, &after.steps) }
    }

    pub(crate) fn is_none(&self) -> bool {
        self.facts.is_empty() && self.steps.is_empty()
    }
}
