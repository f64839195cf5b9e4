//! The words of `throng crowd`.

use super::DomainArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use throng::crowd::FrameBudget;

#[derive(Args)]
pub(crate) struct CrowdArgs {
    #[command(flatten)]
    pub(crate) domain: DomainArgs,
    /// How many NPCs, spread over the types that want something
    #[arg(long, value_name = "N", default_value = "100000")]
    pub(crate) npcs: u64,
    /// How many frames to live
    #[arg(long, value_name = "F", default_value = "300", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) frames: u64,
    /// How many threads; all that the machine has if none is said
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Only NPCs of this type
    #[arg(long, value_name = "TYPE")]
    pub(crate) npc: Option<String>,
    /// Into how many groups they are divided, each with checks and shared values of its own; one
    /// for every thousand NPCs if none is said, at most a thousand
    #[arg(long, value_name = "G", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) groups: Option<u16>,
    /// The share of NPCs that the world disturbs in each frame
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = millionths, allow_hyphen_values = true)]
    pub(crate) drift: u64,
    /// Each group has a check or a shared value changed every so many frames; 0 for never
    #[arg(long, value_name = "FRAMES", default_value = "20")]
    pub(crate) change: u64,
    /// The second half of the groups is far away: its NPCs have their turn every K frames
    #[arg(long, value_name = "K", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) every: u16,
    /// Let everybody choose among what its type wants by priority, rather than want one thing after
    /// the other
    #[arg(long)]
    pub(crate) by_priority: bool,
    /// The most NPCs to serve in a frame, and the most plans, table states and search nodes
    #[arg(long, value_name = "NPCS,NODES", default_value = "all,20000", value_parser = budget)]
    pub(crate) budget: FrameBudget,
    /// When tables of all states are made
    #[arg(long, value_name = "WHEN", default_value = "at-load")]
    pub(crate) tables: WhenTables,
    /// Keep the tables made at load in this folder, and read them from there the next time
    #[arg(long, value_name = "DIR")]
    pub(crate) table_folder: Option<PathBuf>,
    /// Let nobody be served by the wide kernel, which may order the steps of a plan otherwise
    #[arg(long)]
    pub(crate) no_wide: bool,
    /// Where chance begins; the same seed gives the same days
    #[arg(long, value_name = "SEED", default_value = "1")]
    pub(crate) seed: u64,
    /// Refuse a crowd whose columns would take more than so many megabytes
    #[arg(long, value_name = "MB", default_value = "4096")]
    pub(crate) memory: u64,
    /// Print all figures as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhenTables {
    /// Before the first frame, for the situations that groups begin in; others on first use
    AtLoad,
    /// In the frame in which somebody first asks
    OnFirstUse,
    /// Not at all: remembered answers, the wide kernel, the planner
    Never,
}

/// A percentage as millionths.
fn millionths(text: &str) -> Result<u64, &'static str> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let percent = text.parse::<f64>().ok().filter(|&percent| is_plain && percent <= 100.0);
    let millionths = percent.map(|percent| (percent * 10_000.0).round() as u64);
    millionths.ok_or("a percentage is needed, as 0.5, from 0 to 100")
}

fn budget(text: &str) -> Result<FrameBudget, &'static str> {
    let number = |word: &str| match word.trim() {
        "all" => Some(u64::MAX),
        word => word.parse().ok(),
    };
    let both = text.split_once(',').and_then(|(npcs, nodes)| number(npcs).zip(number(nodes)));
    let most = |npcs: u64| npcs.try_into().unwrap_or(usize::MAX);
    both.map(|(npcs, nodes)| FrameBudget { npcs: most(npcs), nodes })
        .ok_or("two whole numbers are needed, as 5000,20000; `all` stands for no limit")
}
