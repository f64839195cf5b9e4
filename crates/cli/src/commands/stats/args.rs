//! The words of `throng stats`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct StatsArgs {
    /// A story, which is played (a file, or a bare name in domains/stories), a recording, or a
    /// domain
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Only this NPC type
    #[arg(long, value_name = "TYPE")]
    pub(crate) npc: Option<String>,
    /// Also draw: actions, plan lengths, causes, plans over time (SVG, and the points as CSV)
    #[arg(long, value_name = "FOLDER")]
    pub(crate) svg: Option<PathBuf>,
    /// How many states of a type are looked at to find actions that can be in no plan; the work
    /// at each is bounded as well, and what is not known by then is said
    #[arg(long, value_name = "N", default_value = "200000", value_parser = clap::value_parser!(u64).range(1..=50_000_000))]
    pub(crate) max_states: u64,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
