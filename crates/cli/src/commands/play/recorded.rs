//! A story that is recorded while it is played.
//!
//! In:   a play before its next tick, the texts it was read from, a file to write.
//! Out:  a recording: written tick by tick, or at the end the last seconds.
//! Cost: a write per tick; with `--last`, memory for these seconds.
//!
//! Frames go to the file as they come, each in one piece, so whatever ends the program leaves a
//! file that can be read up to its last tick; what the file had before is gone from the first tick
//! on. The last seconds are written at the end, as a whole. Keyframes carry the whole play, so that the world
//! can be shown again.

use super::staged::Staged;
use crate::console::{Fail, plain};
use crate::loading::begins_recording;
use crate::writing::{may_replace, replace};
use std::fmt::Display;
use std::fs::File;
use std::path::{Path, PathBuf};
use throng::replace::can_replace;
use throng_trace::{Recorder, RecorderSettings, Recording, RecordingSource};
use throng_world::story::run::Play;

/// The name of the note that says which story it is.
pub(crate) const STORY: &str = "story";

/// A story being recorded.
pub(crate) struct Recorded {
    play: Play,
    recorder: Recorder,
    path: PathBuf,
    /// Of the last seconds only: how many.
    last: Option<f64>,
}

impl Recorded {
    /// Begins to record into a file.
    pub(crate) fn begin(
        mut play: Play,
        source: RecordingSource,
        path: &Path,
        last: Option<f64>,
    ) -> Result<Recorded, Fail> {
        may_replace(path, begins_recording, "no recording", "--record")?;
        let settings = RecorderSettings::paced(play.story().pace).note(STORY, &play.story().name);
        let game = play.save_stage();
        let minds = play.minds_mut();
        let recorder = match last {
            Some(seconds) => {
                can_replace(path).map_err(|error| cannot(path, plain(&error)))?;
                Recorder::ring(seconds, settings, minds, source, &game)
            }
            None => {
                let file = File::create(path).map_err(|error| cannot(path, plain(&error)))?;
                Recorder::to(file, settings, minds, source, &game)
            }
        };
        let recorder = recorder.map_err(|stopped| cannot(path, stopped))?;
        Ok(Recorded { play, recorder, path: path.to_path_buf(), last })
    }

    /// Ends the recording; gives the play back, and what was written in a sentence.
    pub(crate) fn finish(self) -> Result<(Play, String), Fail> {
        let Recorded { mut play, mut recorder, path, last } = self;
        let game = play.save_stage();
        let figures = recorder.finish(play.minds_mut(), &game);
        let figures = figures.map_err(|stopped| cannot(&path, stopped))?;
        if let Some(seconds) = last {
            let bytes = recorder.save_last(seconds).unwrap_or_default();
            replace(&path, &bytes)?;
            return Ok((play, what_is_in(bytes, &path)));
        }
        let bytes = std::fs::metadata(&path).map_or(0, |found| found.len());
        let (ticks, entries) = (figures.ticks, figures.entries);
        let text = format!(
            "recorded {ticks} ticks, {entries} entries, {bytes} bytes into `{}`",
            path.display()
        );
        Ok((play, text))
    }
}

impl Staged for Recorded {
    fn tick(&mut self) -> Result<Option<&Play>, Fail> {
        if !Play::tick(&mut self.play) {
            return Ok(None);
        }
        let cast = self.play.cast();
        self.recorder
            .name_picks(self.play.minds(), |thing| cast.name_in_full(thing).map(str::to_string));
        let due = self.recorder.is_keyframe_due(self.play.minds());
        let game = if due { self.play.save_stage() } else { Vec::new() };
        let recorded = self.recorder.after_tick(self.play.minds_mut(), &game);
        recorded.map_err(|stopped| cannot(&self.path, stopped))?;
        Ok(Some(&self.play))
    }
}

/// What a recording of the last seconds has: it begins with a keyframe, most likely earlier than
/// was asked for.
fn what_is_in(bytes: Vec<u8>, path: &Path) -> String {
    let (n_bytes, file) = (bytes.len(), path.display());
    let Ok(recording) = Recording::read(bytes) else {
        return format!("recorded nothing into `{file}`: there was no tick");
    };
    let (first, last) = (recording.first(), recording.last());
    let pace = recording.header().source.pace;
    let (from, to, ticks) = (pace.seconds(first), pace.seconds(last), last - first);
    format!(
        "recorded {ticks} ticks, {n_bytes} bytes into `{file}`: from tick {first}, {from:.1} s, to \
         tick {last}, {to:.1} s"
    )
}

fn cannot(path: &Path, why: impl Display) -> Fail {
    Fail::Bad(format!("cannot record into `{}`: {why}", path.display()))
}
