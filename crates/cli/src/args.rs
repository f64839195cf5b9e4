//! The words of the command line.

use crate::commands::convert::args::ConvertArgs;
use crate::commands::gen_rust::GenArgs;
use crate::commands::play::args::PlayArgs;
use crate::commands::replay::args::ReplayArgs;
use crate::commands::stats::args::StatsArgs;
use crate::commands::watch::args::WatchArgs;
use crate::field::args::{PddlArgs, SasArgs};
use crate::life::args::CrowdArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use throng_domain::Format;

/// Plans for non-player characters: a plan or a reason, always.
#[derive(Parser)]
#[command(
    name = "throng",
    version,
    after_help = "Exit codes: 0 yes · 1 no (impossible, invalid, failed) · 2 bad input · 3 limit hit · 130 Ctrl-C\n\n\
                  First steps:\n  throng demo\n  throng plan domains/papers/horse_breeder_000.npc\n  throng why domains/papers/western.npc Blacksmith"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Shows the main job in one go: plans one NPC, explains it, then a town, then a million
    #[command(after_help = "Example:\n  throng demo")]
    Demo(DemoArgs),
    /// Reads files, checks them, lists every mistake and its cure
    #[command(
        after_help = "Examples:\n  throng check stable.npc\n  throng check --format short *.npc    one line each, for editors"
    )]
    Check(CheckArgs),
    /// Prints the canonical layout of files; keeps comments
    #[command(
        after_help = "Examples:\n  throng fmt stable.npc            print it\n  throng fmt --write *.npc         rewrite the files\n  throng fmt --check *.npc         exit 1 if a file differs"
    )]
    Fmt(FmtArgs),
    /// Converts between .npc, JSON, PDDL and .sas, and says what has no words there
    #[command(after_help = "Examples:\n  \
        throng convert stable.npc stable.json\n  \
        throng convert stable.json -                                 print .npc text\n  \
        throng convert western.npc smith.sas --npc Blacksmith --goal close_smithy\n  \
        throng convert stable.npc stable.pddl                        stable-domain.pddl, stable-problem.pddl\n  \
        throng convert domain.pddl problem.pddl task.sas\n  \
        throng convert domain.pddl problem.pddl task.npc")]
    Convert(ConvertArgs),
    /// Says which restrictions each NPC type keeps, what breaks them, and what is promised
    #[command(
        after_help = "Examples:\n  throng classes stable.npc\n  throng classes western.npc Blacksmith --json"
    )]
    Classes(ClassesArgs),
    /// Finds a cheapest plan, or says why there is none
    #[command(after_help = "Examples:\n  \
        throng plan stable.npc\n  \
        throng plan western.npc Blacksmith --goal close_smithy\n  \
        throng plan stable.npc haystack=in_hands --to water=in_trough,bucket=on_floor\n  \
        throng plan soldier.npc TargetIsAimingAtMe=true --goal Dodge --without at_node,room_for_roll\n  \
        throng plan soldier.npc --goal KillEnemy --cost Attack=0.5,AttackMelee=7\n  \
        throng plan stable.npc --plans 3              the three cheapest plans that differ\n  \
        throng plan stable.npc --partial              which steps must come before which")]
    Plan(PlanOnlyArgs),
    /// Explains a plan: what each step needs, enables and costs, and the next best plan
    #[command(after_help = "Example:\n  throng why stable.npc haystack=in_hands")]
    Why(PlanArgs),
    /// Explains why there is no plan and the nearest fix, or why an action is not in the plan
    #[command(after_help = "Examples:\n  \
        throng whynot stable.npc haystack=in_feeder\n  \
        throng whynot soldier.npc --goal KillEnemy --action Attack")]
    Whynot(WhyNotArgs),
    /// Runs the `test` statements of files and folders, and plays their stories
    #[command(
        after_help = "Examples:\n  throng test stable.npc\n  throng test domains/papers --junit report.xml"
    )]
    Test(TestArgs),
    /// The machine door: one JSON problem a line in, one JSON answer a line out
    #[command(after_help = "Example:\n  \
        echo '{\"id\": 1, \"file\": \"stable.npc\", \"goal\": \"feed_horses\"}' | throng solve")]
    Solve(SolveArgs),
    /// Keeps a crowd busy frame by frame, and says what that took: times, sources, memory
    #[command(after_help = "Examples:\n  \
        throng crowd domains/papers/town.npc --npcs 1000000 --frames 600\n  \
        throng crowd western.npc --npc Blacksmith --tables never\n  \
        throng crowd town.npc --budget 20000,100000 --every 8    far groups every 8th frame")]
    Crowd(CrowdArgs),
    /// Plays a story: minds in a small world, tick by tick, and what was promised of them
    #[command(after_help = "Examples:\n  \
        throng play cover                       the story domains/stories/cover.npc, drawn\n  \
        throng play cover --fast                only whether its promises are kept\n  \
        throng play cover door pipe --fast      several, a summary each\n  \
        throng play cover | less                what happens, a line each\n  \
        throng play cover --at 3.5s             what everybody believes, wants and does then\n  \
        throng play cover --record cover.trace  also into a file, for `throng replay`\n  \
        throng play cover --at 3s --save cover.save\n  \
        throng play cover --resume cover.save")]
    Play(PlayArgs),
    /// Replays a recording: tick by tick, any moment, checked, or made a test
    #[command(after_help = "Examples:\n  \
        throng play cover --record cover.trace\n  \
        throng replay cover.trace                     as `throng play` showed it\n  \
        throng replay cover.trace --at 3.5s --npc soldier\n  \
        throng replay cover.trace --check             is every tick as recorded?\n  \
        throng replay cover.trace --make-test cover_test.npc")]
    Replay(ReplayArgs),
    /// Counts: who plans how often and why, what is done, and what can never be in a plan
    #[command(after_help = "Examples:\n  \
        throng stats western_day                     the story is played; tables\n  \
        throng stats western_day --svg pictures      and pictures\n  \
        throng stats cover.trace                     of a recording\n  \
        throng stats stable.npc                      which actions can be in no plan, and why\n  \
        throng stats western.npc --npc Blacksmith --json")]
    Stats(StatsArgs),
    /// Plans anew whenever a file is saved, and shows what changed in the plan
    #[command(after_help = "Examples:\n  \
        throng watch stable.npc\n  \
        throng watch western.npc Blacksmith --goal close_smithy\n  \
        throng watch stable.npc smithy.npc            several files, an answer each\n  \
        throng watch domain.pddl problem.pddl         tasks of the planning field, .sas, too\n  \
        throng watch stable.npc --json | my_tool      a JSON line for each change")]
    Watch(WatchArgs),
    /// Tasks of the planning field (PDDL): solves, judges plans, counts, classifies
    #[command(after_help = "Examples:\n  \
        throng pddl solve domain.pddl problem.pddl --mode fast --time 10\n  \
        throng pddl validate domain.pddl problem.pddl plan.txt")]
    Pddl(PddlArgs),
    /// Ground tasks of the planning field (.sas): solves, counts, classifies
    #[command(after_help = "Example:\n  throng sas solve output.sas")]
    Sas(SasArgs),
    /// Replays a plan independently of the planner; names the step that fails
    #[command(after_help = "Example:\n  \
        throng validate stable.npc --goal feed_horses --plan take_haystack,fill_feeder")]
    Validate(ValidateArgs),
    /// Writes a domain as Rust
    #[command(after_help = "Example:\n  throng gen rust stable.npc --out src/stable.rs")]
    Gen(GenArgs),
}

#[derive(Args)]
pub(crate) struct DemoArgs {
    /// How many NPCs live in the town at the end
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) npcs: u64,
    /// Print the plans of the town as JSON, and nothing of the crowd
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Files to check; `-` reads standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// How to list (full, short), or what the files are (npc, json) if their endings do not tell
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Vec<CheckFormat>,
    /// Print a JSON list
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    Full,
    Short,
    Npc,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileFormat {
    Npc,
    Json,
}

impl From<FileFormat> for Format {
    fn from(format: FileFormat) -> Format {
        match format {
            FileFormat::Npc => Format::Npc,
            FileFormat::Json => Format::Json,
        }
    }
}

#[derive(Args)]
pub(crate) struct FmtArgs {
    /// Files to lay out; `-` reads standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Only say which files differ from their canonical layout; exit 1 if any
    #[arg(long, conflicts_with = "write")]
    pub(crate) check: bool,
    /// Rewrite the files instead of printing
    #[arg(long, short)]
    pub(crate) write: bool,
    /// What the files are, if their endings do not tell
    #[arg(long)]
    pub(crate) format: Option<FileFormat>,
    /// Print a JSON list
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ClassesArgs {
    /// The domain file; `-` reads standard input
    pub(crate) file: PathBuf,
    /// The NPC type; all if none is named
    pub(crate) npc: Option<String>,
    /// What the file is, if its ending does not tell
    #[arg(long)]
    pub(crate) format: Option<FileFormat>,
    /// Print a JSON list
    #[arg(long)]
    pub(crate) json: bool,
}

/// Who, from where, to where, under which circumstances.
#[derive(Args, Clone)]
pub(crate) struct QuestionArgs {
    /// The domain file
    pub(crate) file: PathBuf,
    /// The NPC type (needed if there are several), and values it starts from instead of `starts`
    #[arg(value_name = "NPC | var=value")]
    pub(crate) words: Vec<String>,
    /// The goal; without it, the unsatisfied goal of highest priority that has a plan
    #[arg(long, value_name = "GOAL", conflicts_with = "to")]
    pub(crate) goal: Option<String>,
    /// Values to reach, instead of a goal
    #[arg(long, value_name = "var=value,…", value_delimiter = ',')]
    pub(crate) to: Vec<String>,
    /// Context checks that do not hold
    #[arg(long, value_name = "CHECK,…", value_delimiter = ',', conflicts_with = "only")]
    pub(crate) without: Vec<String>,
    /// The only context checks that hold; `--only ""` for none
    #[arg(long, value_name = "CHECK,…", value_delimiter = ',')]
    pub(crate) only: Option<Vec<String>>,
    /// What actions cost here and now, instead of what the file says
    #[arg(long, value_name = "ACTION=COST,…", value_delimiter = ',')]
    pub(crate) cost: Vec<String>,
    /// What the file is, if its ending does not tell
    #[arg(long)]
    pub(crate) format: Option<FileFormat>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct PlanOnlyArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    /// List the K cheapest plans that differ
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) plans: Option<u32>,
    /// What makes plans differ: their actions, or also the order of these
    #[arg(long, value_name = "WHAT", default_value = "actions", requires = "plans")]
    pub(crate) different: DifferentIn,
    /// Show which steps must come before which, and which may run at the same time
    #[arg(long, conflicts_with_all = ["plans", "trace"])]
    pub(crate) partial: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DifferentIn {
    Actions,
    Order,
}

#[derive(Args)]
pub(crate) struct WhyNotArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,
    /// Ask about this action instead: why is it not in the plan?
    #[arg(long, value_name = "ACTION")]
    pub(crate) action: Option<String>,
}

#[derive(Args, Clone)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
    /// Without a goal, how to choose among those that can be had: priority, or worth (the
    /// priority less what the plan costs)
    #[arg(long, value_name = "HOW", default_value = "priority")]
    pub(crate) choose: String,
    /// Which engine: auto, topological, goap, forward
    #[arg(long, value_name = "PLANNER", default_value = "auto")]
    pub(crate) planner: String,
    /// Which plan: cheapest, shortest, fast
    #[arg(long, value_name = "MODE", default_value = "cheapest")]
    pub(crate) mode: String,
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

pub(crate) fn megabytes(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(megabytes) if megabytes > 0.0 => Ok(megabytes),
        _ => Err("a number above zero is needed"),
    }
}

#[derive(Args)]
pub(crate) struct TestArgs {
    /// Files and folders
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Also write a JUnit report
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct SolveArgs {
    /// The file of problems; `-` or nothing reads standard input
    pub(crate) file: Option<PathBuf>,
    /// The folder that `file` of a line is read from and may not leave, not even by a link; the
    /// one it is run in, if none is named
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Refuse `file`: domains stand in the lines themselves
    #[arg(long, conflicts_with = "root")]
    pub(crate) no_files: bool,
    /// Accepted for uniformity: the answers are always JSON
    #[arg(long)]
    pub(crate) json: bool,
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
