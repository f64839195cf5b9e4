//! The words of `throng play`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct PlayArgs {
    /// A file, or the bare name of a story in domains/stories
    pub(crate) story: PathBuf,
    /// Neither wait nor draw: only the promises and a summary
    #[arg(long)]
    pub(crate) fast: bool,
    /// Play to this tick and show what every mind believes, wants and does, and why
    #[arg(long, value_name = "TICK")]
    pub(crate) at: Option<u32>,
    /// How many times as fast as the story's own pace it is drawn
    #[arg(long, value_name = "X", default_value = "1", value_parser = speed, allow_hyphen_values = true)]
    pub(crate) speed: f64,
    /// How many threads think; the story is the same for any number
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Print a JSON line per event, and one at the end
    #[arg(long)]
    pub(crate) json: bool,
}

fn speed(text: &str) -> Result<f64, &'static str> {
    match text.parse::<f64>() {
        Ok(speed) if speed > 0.0 && speed <= 1000.0 => Ok(speed),
        _ => Err("a number above 0 is needed, at most 1000"),
    }
}
