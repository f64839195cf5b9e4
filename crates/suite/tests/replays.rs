//! Every story can be recorded and lives again from its recording alone: without the world,
//! without the code, tick by tick the same.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may stop")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use throng::Domain;
use throng_mind::inspect::Inspection;
use throng_mind::orders::MindId;
use throng_mind::time::Tick;
use throng_trace::{Recorder, Replay, Settings, Source};
use throng_world::body::body;
use throng_world::story::Story;
use throng_world::story::run::Play;

fn stories() -> Vec<PathBuf> {
    let folder = throng_suite::corpus::folder().join("stories");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn begin(domain: &Domain, threads: usize) -> Play {
    let story = Story::read(domain.model()).unwrap();
    let spec = domain.minds(story.pace.ticks_per_second).unwrap();
    Play::new(story, domain.model(), spec, body(), threads).unwrap()
}

/// A writer whose bytes can be looked at.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A story played to its end and recorded, with what it was at some ticks.
struct Recorded {
    bytes: Vec<u8>,
    digest: u64,
    /// By tick, the digest of the minds.
    minds: Vec<u64>,
    /// Minds as they were inspected while they lived.
    inspected: Vec<(Tick, MindId, Inspection)>,
}

fn record(domain: &Domain, threads: usize, keyframe_every: f64, inspect_every: Tick) -> Recorded {
    let mut play = begin(domain, threads);
    let source = Source::of(domain.model().sources(), play.story().pace);
    let settings = Settings { keyframe_every, ..Settings::usual() };
    let to = Shared::default();
    let mut recorder =
        Recorder::to(to.clone(), settings, play.minds_mut(), source, b"game").unwrap();
    let mut minds = vec![play.minds().digest()];
    let mut inspected = Vec::new();
    while play.tick() {
        recorder.after_tick(play.minds_mut(), b"game").unwrap();
        minds.push(play.minds().digest());
        if play.now() % inspect_every == 0 {
            let seen = |mind: &throng_mind::Mind| {
                (play.now(), mind.id(), play.minds().inspect(mind.id()).unwrap())
            };
            inspected.extend(play.minds().iter().map(seen));
        }
    }
    let figures = recorder.finish(play.minds_mut(), b"game").unwrap();
    let bytes = to.0.lock().unwrap().clone();
    println!("{} bytes, {figures:?}", bytes.len());
    Recorded { bytes, digest: play.digest(), minds, inspected }
}

#[test]
fn every_story_lives_again_from_its_recording_alone() {
    for file in stories() {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let domain = Domain::from_file(&file).unwrap();
        let recorded = record(&domain, 1, 10.0, 25);
        let mut play = begin(&domain, 1);
        while play.tick() {}
        assert_eq!(play.digest(), recorded.digest, "{name}: recording changes nothing");
        let mut replay = Replay::open(recorded.bytes.clone()).unwrap();
        assert_eq!(replay.damage(), None);
        for (tick, digest) in recorded.minds.iter().enumerate() {
            assert_eq!(replay.now() as usize, tick, "{name}");
            assert_eq!(replay.minds().digest(), *digest, "{name}, tick {tick}");
            let stepped = replay.step().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(stepped, tick + 1 < recorded.minds.len());
        }
        println!("{name}");
    }
}
