//! The words of `throng pddl`, `throng sas` and `throng convert`.

use super::names::{MODES, TaskPlannerName, one_of, task_planners};
use super::plan::{WishArgs, megabytes, states, up_to};
use clap::{Args, Subcommand, ValueEnum};
use std::path::{Path, PathBuf};
use std::time::Duration;
use throng::Mode;
use throng_domain::Format;

#[derive(Subcommand)]
pub(crate) enum PddlCommand {
    /// Finds a plan, or proves that there is none
    #[command(after_help = "Examples:\n  \
        throng pddl solve domain.pddl problem.pddl\n  \
        throng pddl solve domain.pddl problem.pddl --mode fast --time 10 --memory 4096 --out plan.txt")]
    Solve(PddlSolveArgs),
    /// Replays a plan on the task as written; names the step that fails
    #[command(after_help = "Examples:\n  \
        throng pddl validate domain.pddl problem.pddl plan.txt\n  \
        throng pddl solve domain.pddl problem.pddl | throng pddl validate domain.pddl problem.pddl -")]
    Validate(PddlValidateArgs),
    /// Counts what a task has, before and after grounding
    #[command(after_help = "Example:\n  throng pddl info domain.pddl problem.pddl")]
    Info(PddlTaskArgs),
    /// Says how far a task is from the class that is planned in linear time
    #[command(after_help = "Example:\n  throng pddl classes domain.pddl problem.pddl")]
    Classes(PddlTaskArgs),
}

/// A task in two files.
#[derive(Args)]
pub(crate) struct TaskFiles {
    /// The file of the domain
    pub(crate) domain: PathBuf,
    /// The file of the problem
    pub(crate) problem: PathBuf,
}

#[derive(Args)]
pub(crate) struct PddlTaskArgs {
    #[command(flatten)]
    pub(crate) files: TaskFiles,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct PddlSolveArgs {
    #[command(flatten)]
    pub(crate) files: TaskFiles,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Which planner
    #[arg(long, value_name = "PLANNER", default_value = "grounded", value_parser = task_planners(&[]))]
    pub(crate) planner: TaskPlannerName,
}

#[derive(Args)]
pub(crate) struct PddlValidateArgs {
    #[command(flatten)]
    pub(crate) task: PddlTaskArgs,
    /// The plan, `(move a b)` a line; `-` reads standard input
    pub(crate) plan: PathBuf,
}

#[derive(Subcommand)]
pub(crate) enum SasCommand {
    /// Finds a plan for a ground task, or proves that there is none
    #[command(after_help = "Examples:\n  throng sas solve output.sas\n  \
        throng sas solve output.sas --mode fast --time 2.5 --json")]
    Solve(SasSolveArgs),
    /// Counts what a ground task has
    #[command(after_help = "Example:\n  throng sas info output.sas")]
    Info(SasTaskArgs),
    /// Says how far a ground task is from the class that is planned in linear time
    #[command(after_help = "Example:\n  throng sas classes output.sas")]
    Classes(SasTaskArgs),
}

#[derive(Args)]
pub(crate) struct SasTaskArgs {
    /// The file; `-` reads standard input
    pub(crate) file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct SasSolveArgs {
    /// The file; `-` reads standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

/// How to search, and what to print.
#[derive(Args)]
pub(crate) struct SearchArgs {
    /// Which plan; the cheapest if nothing is said
    #[arg(long, value_name = "MODE", value_parser = one_of(MODES))]
    pub(crate) mode: Option<Mode>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Give up after expanding so many states
    #[arg(long, value_name = "N", value_parser = states, allow_hyphen_values = true)]
    pub(crate) max_nodes: Option<u64>,
    /// Write the plan into this file instead of printing it
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Say what it took: time per phase, states, bytes per state, peak of memory
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct LimitArgs {
    /// Give up after so many seconds, reading, grounding and judging included
    #[arg(long, value_name = "S", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) time: Option<Duration>,
    /// Give up beyond so many megabytes for the ground task, again for states, and again for
    /// judging the plan; the task as it is read comes on top
    #[arg(
        long,
        value_name = "MB",
        default_value = "1024",
        value_parser = megabytes,
        allow_hyphen_values = true
    )]
    pub(crate) memory: f64,
}

#[derive(Args)]
pub(crate) struct ConvertArgs {
    /// The file to read; of a task in PDDL the domain, then the problem
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write; `-` prints. PDDL has two, the domain and the problem: `NAME.pddl`
    /// alone writes NAME-domain.pddl and NAME-problem.pddl. Amounts are numeric fluents there; in
    /// .sas they are written out
    #[arg(value_name = "OUT", required = true, num_args = 1..=3)]
    pub(crate) others: Vec<PathBuf>,
    /// What the input is, if its ending does not tell
    #[arg(long)]
    pub(crate) format: Option<Form>,
    /// The folder that included files lie in; without it, that of the file
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// What the output is to be, if its ending does not tell
    #[arg(long)]
    pub(crate) out_format: Option<Form>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Print what was done as JSON; nothing beside the text itself with `-`
    #[arg(long)]
    pub(crate) json: bool,
    // Last: its heading holds for what follows.
    #[command(flatten)]
    pub(crate) asked: ConvertAsked,
}

/// Of a domain that becomes a task: which question about it.
#[derive(Args)]
#[command(next_help_heading = "For a domain that becomes a task", mut_arg("goal", |goal| {
    goal.help("The goal, if it wants several")
}))]
pub(crate) struct ConvertAsked {
    /// The NPC type, if there are several
    #[arg(long, value_name = "NPC")]
    pub(crate) npc: Option<String>,
    /// Values it starts from instead of `starts`
    #[arg(long, value_name = "var=value,…", value_delimiter = ',')]
    pub(crate) from: Vec<String>,
    #[command(flatten)]
    pub(crate) wish: WishArgs,
}

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Npc,
    Json,
    Pddl,
    Sas,
}

impl Form {
    /// As its ending tells.
    pub(crate) fn of_path(path: &Path) -> Option<Form> {
        Form::from_str(path.extension()?.to_str()?, true).ok()
    }

    /// The format of a domain; `None` for a task.
    pub(crate) fn of_domain(self) -> Option<Format> {
        match self {
            Form::Npc => Some(Format::Npc),
            Form::Json => Some(Format::Json),
            Form::Pddl | Form::Sas => None,
        }
    }
}

pub(crate) fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = up_to(f64::INFINITY, text);
    // More than can be counted is no limit.
    let duration = |it| Duration::try_from_secs_f64(it).unwrap_or(Duration::MAX);
    seconds.map(duration).ok_or("a number of seconds above zero is needed")
}
