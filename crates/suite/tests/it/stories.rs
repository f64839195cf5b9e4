//! Every story of the corpus keeps its promises, in the same way twice and with any number of
//! threads.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may stop")]

use std::path::PathBuf;
use throng::Domain;
use throng_mind::BodyError;
use throng_mind::spec::Spec;
use throng_mind::time::Pace;
use throng_world::body::body;
use throng_world::story::Story;
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;

/// The stories there must be: the papers' own and the variations with one cause removed.
const KNOWN: usize = 32;

fn stories() -> Vec<PathBuf> {
    let folder = throng_lab::corpus::folder().join("stories");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn play(domain: &Domain, threads: usize) -> Play {
    let story = Story::read(domain.model()).unwrap();
    let spec = domain.mind_spec(story.pace.ticks_per_second).unwrap();
    assert_eq!(spec.pace, Pace { ticks_per_second: story.pace.ticks_per_second });
    let mut play = Play::new(story, domain.model(), spec, body(), threads).unwrap();
    while play.tick() {}
    assert!(play.minds().mistakes().is_empty(), "{:#?}", play.minds().mistakes());
    play
}

/// Each story uses a part of the world's code; a name that was mistyped there would be used by none.
#[test]
fn sensors_and_behaviours_of_the_world_are_used_by_stories() {
    let domains: Vec<Domain> =
        stories().iter().map(|file| Domain::from_file(file).unwrap()).collect();
    let specs: Vec<Spec> = domains.iter().map(|domain| domain.mind_spec(10).unwrap()).collect();
    let told = body().check(&specs.iter().collect::<Vec<_>>()).unwrap_err();
    let unused = told.all.iter().map(|error| match error {
        BodyError::NoSensor { name, .. } | BodyError::NoAction { name, .. } => name.as_str(),
        other => panic!("{other}"),
    });
    // Of these the world's own tests tell.
    assert!(unused.eq(["hurt", "melee", "stand"]), "{told}");
}

#[test]
fn every_story_keeps_its_promises_the_same_way_with_any_number_of_threads() {
    let files = stories();
    assert!(files.len() >= KNOWN, "{} stories", files.len());
    let mut broken = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name.ends_with(".npc"), "nothing but stories is in this folder: {name}");
        let domain = Domain::from_file(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(domain.warnings().warnings(), 0, "{name}: {:?}", domain.warnings());
        let first = play(&domain, 1);
        assert!(!first.story().promises.is_empty(), "{name} promises nothing");
        for (promise, verdict) in first.judge().verdicts() {
            if !matches!(verdict, Verdict::Kept(_)) {
                broken.push(format!("{name}: {}: {verdict:?}", promise.text));
            }
        }
        for threads in [1, 2, 7] {
            assert_eq!(
                play(&domain, threads).digest(),
                first.digest(),
                "{name}, {threads} threads"
            );
        }
        println!("{name}: {} ticks, digest {:016x}", first.now(), first.digest());
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
