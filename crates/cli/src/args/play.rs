//! The words of `throng play`, `throng replay` and `throng stats`.

use super::plan::up_to;
use clap::Args;
use std::path::PathBuf;
use throng_mind::time::{Pace, Tick};

#[derive(Args)]
pub(crate) struct PlayArgs {
    /// A file, or the bare name of a story in domains/stories or domains/levels; several with --fast
    #[arg(required = true, value_name = "STORY")]
    pub(crate) stories: Vec<PathBuf>,
    /// The folder that included files lie in; without it, that of the file
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Neither wait nor draw: only the promises and a summary
    #[arg(long)]
    pub(crate) fast: bool,
    /// Play to this moment and show what every mind believes, wants and does, and why: a tick as
    /// `30`, or seconds as `2.5s`
    #[arg(long, value_name = "MOMENT", value_parser = moment, conflicts_with = "fast", allow_hyphen_values = true)]
    pub(crate) at: Option<Moment>,
    /// With --at, tell of this NPC or squad only
    #[arg(long, value_name = "NPC", requires = "at", conflicts_with = "save")]
    pub(crate) npc: Option<String>,
    /// With --at and --npc, tell why this selection holds what it holds (its candidates, what they
    /// score by, what was left out), or why this action is not done, as `reload` or `goto(c9)`
    #[arg(long, value_name = "NAME")]
    pub(crate) why: Option<String>,
    /// Draw chance from this number instead of the story's own
    #[arg(long, value_name = "N", conflicts_with_all = ["record", "resume", "save"], value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    pub(crate) seed: Option<u64>,
    /// How many times as fast as the story's own pace it is drawn
    #[arg(long, value_name = "X", default_value = "1", value_parser = speed, allow_hyphen_values = true)]
    pub(crate) speed: f64,
    /// How many threads think; the story is the same for any number
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Print a JSON line per event, and one at the end
    #[arg(long)]
    pub(crate) json: bool,
    /// Record it into this file, to be replayed with `throng replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Record only the last seconds, written when the story ends or Ctrl-C ends it
    #[arg(long, value_name = "SECONDS", requires = "record", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) last: Option<f64>,
    /// Play to the moment of --at and save the game there
    #[arg(long, value_name = "FILE", requires = "at", conflicts_with = "record")]
    pub(crate) save: Option<PathBuf>,
    /// Go on from a game saved with --save, with its --late and --questions
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// How many minds may ask the planner in one tick; the others wait for their turn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) budget: Option<u32>,
    /// Let the world answer rays and ways so many ticks late, as an engine may; promises about when
    /// something comes have half a second more
    #[arg(long, value_name = "TICKS", conflicts_with = "resume", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(crate) late: Option<u32>,
    /// How many questions the world is asked in one tick; the others wait for their turn
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub(crate) questions: Option<u32>,
    /// Also print what the log leaves out: idling, sensors at work, who hears which shot, who is told
    #[arg(long, conflicts_with_all = ["fast", "json"])]
    pub(crate) all: bool,
    /// Show actions with the slot and what it holds, as `goto(cover.2=c7)`
    #[arg(long)]
    pub(crate) slots: bool,
    /// With --json, also tell when a sensor did heavy work
    #[arg(long, requires = "json")]
    pub(crate) sensors: bool,
}

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
    /// With --at and --npc, tell why this selection held what it held (its candidates, what they
    /// scored by, what was left out), or why this action was not done, as `reload` or `goto(c9)`
    #[arg(long, value_name = "NAME")]
    pub(crate) why: Option<String>,
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
    /// Also print what the log leaves out: idling, sensors at work, who hears which shot, who is told
    #[arg(long, conflicts_with_all = ["fast", "json"])]
    pub(crate) all: bool,
    /// Show actions with the slot and what it holds, as `goto(cover.2=c7)`
    #[arg(long)]
    pub(crate) slots: bool,
    /// Print a JSON line per event, and one at the end
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct StatsArgs {
    /// A story, which is played (a file, or a bare name in domains/stories or domains/levels), a recording, or a
    /// domain
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The folder that included files lie in; without it, that of the file
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
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

/// A moment of a story, as said.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Moment {
    Tick(Tick),
    Seconds(f64),
}

impl Moment {
    /// The tick that is meant: the first that is not before it. `None`: beyond all counting.
    pub(crate) fn tick(self, pace: Pace) -> Option<Tick> {
        match self {
            Moment::Tick(tick) => Some(tick),
            Moment::Seconds(seconds) => {
                let ticks = seconds * f64::from(pace.ticks_per_second);
                // What is a whole tick but for the last digits is that tick.
                let ticks = (ticks - 1e-6).ceil().max(0.0);
                (ticks <= f64::from(Tick::MAX)).then_some(ticks as Tick)
            }
        }
    }
}

throng_base::display! { Moment {
    Moment::Tick(tick) => "tick {tick}; seconds are said as in `2.5s`";
    Moment::Seconds(seconds) => "second {seconds}";
} }

fn moment(text: &str) -> Result<Moment, &'static str> {
    let said = match text.strip_suffix('s') {
        None => text.parse().ok().map(Moment::Tick),
        Some(seconds) => {
            let plain = seconds.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            seconds.parse().ok().filter(|_| plain).map(Moment::Seconds)
        }
    };
    said.ok_or("a moment is a tick, as in `30`, or seconds, as in `2.5s`")
}

fn seconds(text: &str) -> Result<f64, &'static str> {
    up_to(86_400.0, text).ok_or("a number of seconds above 0 is needed, at most 86400")
}

fn speed(text: &str) -> Result<f64, &'static str> {
    up_to(1000.0, text).ok_or("a number above 0 is needed, at most 1000")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_ticks_or_seconds() {
        let pace = Pace { ticks_per_second: 10 };
        let tick = |text: &str| moment(text).ok().and_then(|moment| moment.tick(pace));
        assert_eq!(tick("30"), Some(30));
        assert_eq!(tick("2.5s"), Some(25));
        assert_eq!(tick("0.3s"), Some(3));
        assert_eq!(tick("0.31s"), Some(4));
        assert_eq!(tick("9999999999999s"), None);
        for wrong in ["", "s", "2.5", "-1", "-1s", "1e3s", "infs", "nans", "soon"] {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
    }
}
