//! The words of `plan` and its siblings: `why`, `whynot`, `validate`, `watch`.

use super::DomainArgs;
use super::field::{Form, seconds};
use super::names::{CHOICES, DIFFERENCES, MODES, PlannerName, one_of, planners};
use crate::console::{Fail, bad};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;
use throng::{Distinctness, GoalSelection, Mode};

/// Who, from where, to where, under which circumstances.
#[derive(Args, Clone)]
pub(crate) struct QuestionArgs {
    #[command(flatten)]
    pub(crate) domain: DomainArgs,
    /// The NPC type (needed if there are several), and values it starts from instead of `starts`
    #[arg(value_name = "NPC | var=value")]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) wish: WishArgs,
    /// What actions cost here and now, instead of what the file says
    #[arg(long, value_name = "ACTION=COST,…", value_delimiter = ',')]
    pub(crate) cost: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is wanted, and which checks hold.
#[derive(Args, Clone)]
pub(crate) struct WishArgs {
    /// The goal; without it, the unsatisfied goal of highest priority that has a plan
    #[arg(long, value_name = "GOAL", conflicts_with = "to")]
    pub(crate) goal: Option<String>,
    /// What to reach, instead of a goal: values, and conditions such as `hp>=50` or `mood!=3`
    #[arg(long, value_name = "var=value,…", value_delimiter = ',')]
    pub(crate) to: Vec<String>,
    /// Context checks that hold although the file says that they do not by default
    #[arg(long, value_name = "CHECK,…", value_delimiter = ',', conflicts_with = "only")]
    pub(crate) with: Vec<String>,
    /// Context checks that do not hold
    #[arg(long, value_name = "CHECK,…", value_delimiter = ',', conflicts_with = "only")]
    pub(crate) without: Vec<String>,
    /// The only context checks that hold; `--only ""` for none
    #[arg(long, value_name = "CHECK,…", value_delimiter = ',')]
    pub(crate) only: Option<Vec<String>>,
}

#[derive(Args)]
pub(crate) struct PlanOnlyArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    /// List the K cheapest plans that differ
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) plans: Option<u32>,
    /// What makes plans differ: their actions, or also the order of these
    #[arg(long, value_name = "WHAT", default_value = "actions", value_parser = one_of(DIFFERENCES), requires = "plans")]
    pub(crate) different: Distinctness,
    /// Show which steps must come before which, and which may run at the same time
    #[arg(long, conflicts_with_all = ["plans", "trace"])]
    pub(crate) partial: bool,
}

#[derive(Args)]
pub(crate) struct WhyNotArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    /// Ask about this action instead: why is it not in the plan?
    #[arg(long, value_name = "ACTION")]
    pub(crate) action: Option<String>,
    /// Tell everything, not only what fits on a screen
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Args, Clone)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    /// Without a goal, how to choose among those that have a plan: by priority, or by worth (the
    /// priority less what the plan costs)
    #[arg(long, value_name = "HOW", default_value = "priority", value_parser = one_of(CHOICES))]
    pub(crate) choose: GoalSelection,
    /// Which engine
    #[arg(long, value_name = "PLANNER", default_value = "auto", value_parser = planners(&[]))]
    pub(crate) planner: PlannerName,
    /// Which plan
    #[arg(long, value_name = "MODE", default_value = "cheapest", value_parser = one_of(MODES))]
    pub(crate) mode: Mode,
    /// Give up after expanding so many states
    #[arg(long, value_name = "N", value_parser = states, allow_hyphen_values = true)]
    pub(crate) max_nodes: Option<u64>,
    /// Give up beyond so many megabytes of working memory
    #[arg(
        long,
        value_name = "MB",
        default_value = "1024",
        value_parser = megabytes,
        allow_hyphen_values = true
    )]
    pub(crate) memory: f64,
    /// Say how much work it was
    #[arg(long)]
    pub(crate) stats: bool,
    /// Show what changes at each step
    #[arg(long)]
    pub(crate) trace: bool,
}

/// A limit of states for the command line, where none at all is a slip.
pub(crate) fn states(text: &str) -> Result<u64, &'static str> {
    let states = whole_number(text).filter(|&states| states > 0);
    states.ok_or("a whole number above zero is needed")
}

/// A number of states; one too large to count to means no limit.
pub(crate) fn whole_number(text: &str) -> Option<u64> {
    let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then(|| text.parse().unwrap_or(u64::MAX))
}

/// A number above zero, and not above this.
pub(crate) fn up_to(most: f64, text: &str) -> Option<f64> {
    text.parse().ok().filter(|&number| number > 0.0 && number <= most)
}

pub(crate) fn megabytes(text: &str) -> Result<f64, &'static str> {
    up_to(f64::INFINITY, text).ok_or("a number above zero is needed")
}

// The options are those of `plan`, but nothing is searched for.
#[derive(Args)]
#[command(mut_arg("goal", |goal| {
    goal.help("The goal; without it, the unsatisfied goal of highest priority")
}))]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    /// The actions, in order; empty for the empty plan
    #[arg(long, value_name = "a,b,c", value_delimiter = ',', required = true)]
    pub(crate) plan: Vec<String>,
}

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
    /// The files among the words, and the words of `plan` without them.
    pub(crate) fn files(&self) -> Result<(Vec<PathBuf>, PlanArgs), Fail> {
        let mut plan = self.plan.clone();
        let (files, words): (Vec<String>, Vec<String>) =
            plan.question.words.drain(..).partition(|word| is_file(word));
        plan.question.words = words;
        let mut all = vec![plan.question.domain.file.clone()];
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

/// Whether a word is a file: it ends like one.
fn is_file(word: &str) -> bool {
    Form::of_path(Path::new(word)).is_some() && !word.contains('=')
}
