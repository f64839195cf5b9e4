//! What is said to a recorder, and what it says: settings, figures, why it stops.

use std::fmt;
use std::io;
use throng_mind::time::Pace;

/// How to record.
#[derive(Clone, PartialEq, Debug)]
pub struct RecorderSettings {
    /// So many seconds lie between two keyframes. Fewer make seeking faster and files larger.
    pub keyframe_every: f64,
    /// Names and texts that the recording is to carry, as `story` and its name.
    pub notes: Vec<(String, String)>,
}

impl RecorderSettings {
    /// A keyframe every ten seconds, no notes.
    pub fn usual() -> Self {
        RecorderSettings { keyframe_every: 10.0, notes: Vec::new() }
    }

    /// The same for a game of this pace: of a slow one keyframes are at least a hundred ticks apart,
    /// for what they cost is spread over ticks.
    pub fn paced(pace: Pace) -> Self {
        let seconds = 100.0 / f64::from(pace.ticks_per_second.max(1));
        RecorderSettings { keyframe_every: seconds.max(10.0), ..RecorderSettings::usual() }
    }

    /// The same with a note.
    pub fn note(mut self, name: &str, text: &str) -> Self {
        self.notes.push((name.to_string(), text.to_string()));
        self
    }
}

/// Why a recording ends before its minds do.
#[derive(Debug)]
pub enum RecorderError {
    /// The writer refuses.
    Writer(io::Error),
    /// Not all that entered the minds since the last tick is known, or it is more than one tick.
    NotRecorded,
    /// Somebody records these minds already.
    Taken,
    /// A file was loaded under the minds without [`Recorder::reloaded`](super::Recorder::reloaded).
    Reload,
    /// Time went back, or stood still.
    Time,
    /// More happened in this tick, or the minds are more, than a recording holds.
    TooMuch,
    /// It was stopped before.
    Before,
}

impl fmt::Display for RecorderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecorderError::Writer(error) => write!(f, "the recording cannot be written: {error}"),
            RecorderError::NotRecorded => write!(
                f,
                "not all that entered the minds is known: `after_tick` was left out once, or the \
                 minds were restored, or somebody else has turned recording off"
            ),
            RecorderError::Taken => write!(f, "somebody records these minds already"),
            RecorderError::Reload => {
                write!(f, "a new file was loaded and `reloaded` was not called")
            }
            RecorderError::Time => write!(f, "ticks must count up"),
            RecorderError::TooMuch => write!(f, "more happened in a tick than a recording holds"),
            RecorderError::Before => write!(f, "the recording was stopped before"),
        }
    }
}

impl std::error::Error for RecorderError {}

/// What a recording came to so far, dropped frames included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecorderFigures {
    /// Ticks.
    pub ticks: u64,
    /// All that entered: calls of minds and answers of code.
    pub entries: u64,
    /// All that happened in minds: what they tell as events.
    pub events: u64,
    /// Bytes of the ticks, their frames included.
    pub tick_bytes: u64,
    /// Keyframes.
    pub keyframes: u64,
    /// Their bytes.
    pub keyframe_bytes: u64,
    /// Bytes of the file's texts, words and notes.
    pub header_bytes: u64,
}
