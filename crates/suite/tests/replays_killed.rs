//! A process that is killed while it records leaves a file that replays up to its last whole tick.
//!
//! This test starts itself again as the process that records.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may stop")]

#[path = "it/recorded/mod.rs"]
mod recorded;

use recorded::{GAME, begin, record, source, story};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use throng_base::SplitMix;
use throng_trace::{Recorder, RecorderSettings, Replay};

const FILE: &str = "THRONG_TEST_RECORD_TO";
const STORY: &str = "ten_soldiers";
const TIMES: u64 = 25;

/// Writes a few bytes at a time, so that the end comes in the middle of a frame.
struct Drip(File);

impl Write for Drip {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(&bytes[..bytes.len().min(11)])
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// The process that is killed; in the test itself it has nothing to do.
#[test]
fn records_until_it_is_killed() {
    let Some(file) = std::env::var_os(FILE).map(PathBuf::from) else { return };
    let domain = story(STORY);
    let mut play = begin(&domain, 1);
    let source = source(&domain, &play);
    let settings = RecorderSettings::default().keyframe_every(2.0);
    let writer = Drip(File::create(file).unwrap());
    let mut recorder = Recorder::to(writer, settings, play.minds_mut(), source, GAME).unwrap();
    while play.tick() {
        let name = |thing| play.cast().name_in_full(thing).map(str::to_string);
        recorder.name_picks(play.minds(), name);
        recorder.after_tick(play.minds_mut(), GAME).unwrap();
    }
    // Who was too late to kill it finds a recording that is not finished.
    std::process::exit(0);
}

fn size(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |known| known.len())
}

#[test]
fn a_process_killed_while_it_records_leaves_a_file_that_replays_to_the_last_whole_tick() {
    if std::env::var_os(FILE).is_some() {
        return;
    }
    let truth = record(&story(STORY), 1, 2.0, 0);
    let mut dice = SplitMix::new(std::process::id().into());
    let (mut cut, mut early) = (0_usize, 0);
    for time in 0..TIMES {
        let name = format!("throng_killed_{}_{time}.trace", std::process::id());
        let file = std::env::temp_dir().join(name);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "records_until_it_is_killed", "--nocapture"])
            .env(FILE, &file)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let enough = dice.below(truth.bytes.len()) as u64;
        while size(&file) < enough && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        // This is `kill -9`; it may have ended by itself just now.
        let _ = child.kill();
        child.wait().unwrap();
        let bytes = std::fs::read(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(truth.bytes.starts_with(&bytes), "what was written is what is written");
        let Ok(mut replay) = Replay::open(bytes) else {
            early += 1;
            continue;
        };
        replay.check().unwrap();
        let last = replay.last() as usize;
        assert_eq!(replay.minds().digest(), truth.minds[last]);
        // Whoever is killed has not said that it is the end, not even after the last tick.
        let damage = replay.damage().unwrap_or_else(|| panic!("killed, and called whole"));
        assert_eq!(damage.tick as usize, last);
        cut += usize::from(damage.why.is_some());
    }
    println!("{cut} of {TIMES} ended in the middle of a frame, {early} before the first keyframe");
    assert!(cut > 0, "not once in the middle of a frame");
}
