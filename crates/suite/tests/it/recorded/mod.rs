//! Stories played and recorded, for the tests of recordings.

#![allow(clippy::unwrap_used, dead_code, reason = "each test uses a part of this, and may stop")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use throng::Domain;
use throng_mind::inspect::Inspection;
use throng_mind::orders::MindId;
use throng_mind::time::Tick;
use throng_trace::{Recorder, RecorderFigures, RecorderSettings, RecordingSource};
use throng_world::body::body;
use throng_world::story::Story;
use throng_world::story::run::Play;

/// All stories and levels, by name.
pub(crate) fn stories() -> Vec<PathBuf> {
    throng_lab::corpus::stories().unwrap()
}

/// A story or level by its bare name.
pub(crate) fn story(name: &str) -> Domain {
    Domain::from_file(throng_lab::corpus::story(name)).unwrap()
}

/// A story before its first tick.
pub(crate) fn begin(domain: &Domain, threads: usize) -> Play {
    let story = Story::read(domain.model()).unwrap();
    let spec = domain.mind_spec(story.pace.ticks_per_second).unwrap();
    Play::new(story, domain.model(), spec, body(), threads).unwrap()
}

/// The texts of a story that is being played.
pub(crate) fn source(domain: &Domain, play: &Play) -> RecordingSource {
    RecordingSource::of(domain.model().sources(), play.story().pace)
}

/// A writer whose bytes can be looked at.
#[derive(Clone, Default)]
pub(crate) struct Bytes(pub(crate) Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A story played to its end and recorded.
pub(crate) struct Recorded {
    /// The recording.
    pub(crate) bytes: Vec<u8>,
    /// Of the play.
    pub(crate) digest: u64,
    /// By tick, of the minds.
    pub(crate) minds: Vec<u64>,
    /// Minds as they were inspected while they lived.
    pub(crate) inspected: Vec<(Tick, MindId, Inspection)>,
    /// What it took.
    pub(crate) figures: RecorderFigures,
}

/// What the game keeps beside the minds, in these tests.
pub(crate) const GAME: &[u8] = b"the game";

/// Plays a story to its end and records it.
pub(crate) fn record(
    domain: &Domain,
    threads: usize,
    keyframe_every: f64,
    inspect: Tick,
) -> Recorded {
    record_play(domain, begin(domain, threads), keyframe_every, inspect)
}

/// Plays on to the end and records it.
pub(crate) fn record_play(
    domain: &Domain,
    mut play: Play,
    keyframe_every: f64,
    inspect: Tick,
) -> Recorded {
    let settings = RecorderSettings::default().keyframe_every(keyframe_every);
    let (to, source) = (Bytes::default(), source(domain, &play));
    let mut recorder = Recorder::to(to.clone(), settings, play.minds_mut(), source, GAME).unwrap();
    let mut minds = vec![play.minds().digest()];
    let mut inspected = Vec::new();
    while play.tick() {
        let name = |thing| play.cast().name_in_full(thing).map(str::to_string);
        recorder.name_picks(play.minds(), name);
        recorder.after_tick(play.minds_mut(), GAME).unwrap();
        minds.push(play.minds().digest());
        if inspect > 0 && play.now().is_multiple_of(inspect) {
            let ids = play.minds().iter().map(|mind| mind.id()).take(10);
            inspected.extend(ids.map(|id| (play.now(), id, play.minds().inspect(id).unwrap())));
        }
    }
    let figures = recorder.finish(play.minds_mut(), GAME).unwrap();
    let bytes = to.0.lock().unwrap().clone();
    Recorded { bytes, digest: play.digest(), minds, inspected, figures }
}
