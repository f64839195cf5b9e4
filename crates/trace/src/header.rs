//! What a recording says of itself, before anything happens.
//!
//! In:   the file of the minds, the words and the code they knew, notes of the caller.
//! Out:  bytes and back.
//! Cost: the texts.

use crate::source::RecordingSource;
use throng_base::codec_struct;

/// What a recording says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The file in force when the recording begins.
    pub source: RecordingSource,
    /// All words of the minds, by number.
    pub words: Vec<String>,
    /// The sensors that there was code for.
    pub sensors: Vec<String>,
    /// The behaviours that there was code for.
    pub behaviours: Vec<String>,
    /// What else the caller wanted to be known, as `story` and its name.
    pub notes: Vec<(String, String)>,
    /// How often the file had been replaced before.
    pub(crate) era: u32,
}

impl Header {
    /// A note of the caller.
    pub fn note(&self, name: &str) -> Option<&str> {
        self.notes.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }
}

codec_struct!(Header { source, words, sensors, behaviours, notes, era: counter });

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::{Trial, comes_back};
    use throng_mind::time::Pace;

    #[test]
    fn what_a_recording_says_of_itself_comes_back() {
        let source = |trial: &mut Trial| RecordingSource {
            files: trial.any(),
            pace: Pace { ticks_per_second: trial.any() },
        };
        comes_back::<RecordingSource>(|trial, _| source(trial));
        comes_back::<Header>(|trial, _| Header {
            source: source(trial),
            words: trial.any(),
            sensors: trial.any(),
            behaviours: trial.any(),
            notes: trial.any(),
            era: trial.below(1 << 31) as u32,
        });
    }
}
