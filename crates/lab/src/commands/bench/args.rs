//! The words of `throng bench`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum SuiteArgs {
    /// The figures and experiments of the papers, with their planners and ours
    #[command(after_help = "Example:\n  throng bench papers --out docs/papers")]
    Papers(BenchOut),
    /// Plans for a crowd beside what the machine can do at best
    #[command(after_help = "Example:\n  throng bench limits --json")]
    Limits(BenchOut),
    /// What minds cost: quiet beside the naive loop, in combat, a thousand in a day, bytes
    #[command(after_help = "Example:\n  throng bench minds --out docs/mind-costs")]
    Minds(BenchOut),
    /// Boxes: more objects for the same plan; the text-file planner and the grounded one
    #[command(after_help = "Example:\n  throng bench scaling --out docs/boxes")]
    Scaling(BenchOut),
    /// Boxes: long plans in many orders; the text-file planner and the grounded one
    #[command(after_help = "Example:\n  throng bench competition --out docs/boxes")]
    Competition(BenchOut),
    /// Time and bytes as variables, values, actions, needs and NPCs grow, each alone
    #[command(after_help = "Example:\n  throng bench growth --out docs/growth")]
    Growth(GrowthArgs),
}

#[derive(Args)]
pub(crate) struct GrowthArgs {
    #[command(flatten)]
    pub(crate) out: BenchOut,
    /// Makes one case, as in `variables:1000`, and prints the peak of memory in bytes; the
    /// command runs itself this way
    #[arg(long, hide = true, value_name = "CASE", conflicts_with_all = ["out", "json", "quick"])]
    pub(crate) peak: Option<String>,
}

#[derive(Args)]
pub(crate) struct BenchOut {
    /// The folder to write a page, figures (SVG) and points (CSV) into; without it, only print
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print the records as one JSON list
    #[arg(long)]
    pub(crate) json: bool,
    /// Tiny sizes and one round: shows that everything works, measures nothing; for tests
    #[arg(long, hide = true)]
    pub(crate) quick: bool,
}
