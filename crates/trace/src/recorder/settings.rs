//! Settings, figures and errors of a recorder.

use std::io;
use throng_mind::MindError;
use throng_mind::time::Pace;

/// How to record.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
#[must_use]
pub struct RecorderSettings {
    /// Seconds between two keyframes. Fewer make seeking faster and files larger.
    pub keyframe_every: f64,
    /// Names and texts that the recording carries, as `story` and its name.
    pub notes: Vec<(String, String)>,
}

/// A keyframe every ten seconds, no notes.
impl Default for RecorderSettings {
    fn default() -> Self {
        RecorderSettings { keyframe_every: 10.0, notes: Vec::new() }
    }
}

impl RecorderSettings {
    /// For a game of this pace: keyframes of a slow one are at least a hundred ticks apart, because
    /// their cost is spread over ticks.
    pub fn paced(pace: Pace) -> Self {
        let seconds = 100.0 / f64::from(pace.ticks_per_second.max(1));
        RecorderSettings::default().keyframe_every(seconds.max(10.0))
    }

    /// The same with so many seconds between two keyframes.
    pub fn keyframe_every(self, seconds: f64) -> Self {
        RecorderSettings { keyframe_every: seconds, ..self }
    }

    /// The same with a note.
    pub fn note(mut self, name: &str, text: &str) -> Self {
        self.notes.push((name.to_string(), text.to_string()));
        self
    }
}

/// Why a recording ends before its minds do.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecorderError {
    /// The writer refuses.
    Writer(io::Error),
    /// Not all that entered the minds since the last [`after_tick`](super::Recorder::after_tick) is
    /// known, or it is not one tick.
    NotRecorded,
    /// Another recorder records these minds already.
    Taken(MindError),
    /// A file was loaded under the minds without [`Recorder::reloaded`](super::Recorder::reloaded).
    Reload,
    /// Time went back, or stood still.
    Time,
    /// More happened in this tick, or the minds are more, than a recording holds.
    TooMuch,
    /// The recorder's own thread stopped in the middle of a tick.
    Lost,
    /// It was stopped before.
    Before,
    /// This recorder keeps nothing: it has a writer.
    NoRing,
}

throng_base::error! { RecorderError {
    Self::Writer(error) => "the recording cannot be written: {error}";
    Self::NotRecorded =>
        "not all that entered the minds is known: `after_tick` was left out once, or the minds \
         were restored, or recording was turned off";
    Self::Taken(error) => "{error}";
    Self::Reload => "a new file was loaded and `reloaded` was not called";
    Self::Time => "ticks must count up";
    Self::TooMuch => "more happened in a tick than a recording holds";
    Self::Lost => "the recorder's thread stopped in the middle of a tick";
    Self::Before => "the recording was stopped before";
    Self::NoRing => "the recorder has a writer and keeps nothing itself";
} source {
    Self::Writer(error) => error;
    Self::Taken(error) => error;
} }

/// The size of a recording so far, dropped frames included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct RecorderFigures {
    /// Ticks recorded.
    pub ticks: u64,
    /// Calls of minds and answers of code that entered.
    pub entries: u64,
    /// Events of the minds.
    pub events: u64,
    /// Bytes of the ticks, their frames included.
    pub tick_bytes: u64,
    /// Keyframes written.
    pub keyframes: u64,
    /// Bytes of the keyframes.
    pub keyframe_bytes: u64,
    /// Bytes of the file's texts, words and notes.
    pub header_bytes: u64,
}
