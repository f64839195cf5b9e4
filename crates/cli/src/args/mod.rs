//! The words of the command line: all that clap reads.
//!
//! In:   words.
//! Out:  a [`Command`] with its options; names stand for what they mean already.
//! Cost: none to speak of.

pub(crate) mod crowd;
pub(crate) mod field;
pub(crate) mod names;
pub(crate) mod plan;
pub(crate) mod play;

use clap::{Args, Parser, Subcommand, ValueEnum};
use crowd::CrowdArgs;
use field::{ConvertArgs, PddlCommand, SasCommand};
use names::{FORMATS, one_of};
use plan::{PlanArgs, PlanOnlyArgs, ValidateArgs, WatchArgs, WhyNotArgs};
use play::{PlayArgs, ReplayArgs, StatsArgs};
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
        after_help = "Examples:\n  throng check stable.npc\n  throng check --format short *.npc    one line each, for editors\n  throng check levels/*.npc            also what each level has nothing for\n  throng check guard.npc --vocabulary game.json"
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
        throng play cover --at 3.5s --npc soldier    only of him\n  \
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
    #[command(subcommand)]
    Pddl(PddlCommand),
    /// Ground tasks of the planning field (.sas): solves, counts, classifies
    #[command(after_help = "Example:\n  throng sas solve output.sas")]
    #[command(subcommand)]
    Sas(SasCommand),
    /// Replays a plan independently of the planner; names the step that fails
    #[command(after_help = "Example:\n  \
        throng validate stable.npc --goal feed_horses --plan take_haystack,fill_feeder")]
    Validate(ValidateArgs),
    /// Writes a domain as Rust
    #[command(after_help = "Example:\n  throng gen rust stable.npc --out src/stable.rs")]
    #[command(subcommand)]
    Gen(GenWhat),
}

/// A domain file.
#[derive(Args, Clone)]
pub(crate) struct DomainArgs {
    /// The domain file; `-` reads standard input
    pub(crate) file: PathBuf,
    /// What the file is, if its ending does not tell
    #[arg(long, value_parser = one_of(FORMATS))]
    pub(crate) format: Option<Format>,
    /// The folder that included files lie in; without it, that of the file
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
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
    /// The folder that included files lie in; without it, that of the file
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// How to list (full, short), or what the files are (npc, json) if their endings do not tell
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Vec<CheckFormat>,
    /// What the game's code understands and writes, as `Body::describe` says it in JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) vocabulary: Option<PathBuf>,
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
    #[arg(long, value_parser = one_of(FORMATS))]
    pub(crate) format: Option<Format>,
    /// Print a JSON list
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ClassesArgs {
    #[command(flatten)]
    pub(crate) domain: DomainArgs,
    /// The NPC type; all if none is named
    pub(crate) npc: Option<String>,
    /// Print a JSON list
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct TestArgs {
    /// Files and folders
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// The folder that included files lie in; without it, that of the file
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Play every story on the seeds 1 to N; a promise must be kept on all of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) seeds: Option<u16>,
    /// Let the world answer rays and ways so many ticks late, as an engine may; promises about when
    /// something comes have half a second more
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) late: Option<u32>,
    /// How many questions the world is asked in one tick; the others wait for their turn
    #[arg(long, value_name = "N")]
    pub(crate) questions: Option<u32>,
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

#[derive(Subcommand)]
pub(crate) enum GenWhat {
    /// A domain as a Rust module: typed names, numbers and tables; needs nothing else
    #[command(after_help = "Examples:\n  \
        throng gen rust stable.npc --out src/stable.rs\n  \
        throng gen rust stable.npc | less")]
    Rust(RustArgs),
}

#[derive(Args)]
pub(crate) struct RustArgs {
    #[command(flatten)]
    pub(crate) domain: DomainArgs,
    /// The file to write; without it, print. A file that is the same already is left alone
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON: what was made, and the module itself without --out
    #[arg(long)]
    pub(crate) json: bool,
}
