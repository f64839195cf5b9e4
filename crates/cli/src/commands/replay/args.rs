//! The words of `throng replay`.

use crate::commands::play::args::{Moment, moment, speed};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The recording
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Tell of this NPC or squad only: its name, or the number of its mind
    #[arg(long, value_name = "NPC")]
    pub(crate) npc: Option<String>,
    /// Show what every mind believed, wanted and did at this moment, and why: a tick as `30`, or
    /// seconds as `2.5s`
    #[arg(long, value_name = "MOMENT", value_parser = moment, allow_hyphen_values = true)]
    pub(crate) at: Option<Moment>,
    /// Replay all of it and compare every tick and keyframe with what was recorded
    #[arg(long, conflicts_with_all = ["at", "npc", "make_test"])]
    pub(crate) check: bool,
    /// Neither wait nor draw: only whether all is as recorded
    #[arg(long, conflicts_with_all = ["at", "npc"])]
    pub(crate) fast: bool,
    /// How many times as fast as its own pace it is drawn
    #[arg(long, value_name = "X", default_value = "1", value_parser = speed, allow_hyphen_values = true)]
    pub(crate) speed: f64,
    /// Write a story that promises what happened: it passes as long as the NPCs behave like this
    #[arg(long, value_name = "OUT.npc", conflicts_with_all = ["at", "npc", "fast"])]
    pub(crate) make_test: Option<PathBuf>,
    /// Print a JSON line per event, and one at the end
    #[arg(long)]
    pub(crate) json: bool,
}
