//! Stories of texts: read, before their first tick, and played to a moment. A text with mistakes
//! fails the test with all of them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::sync::Arc;
use throng_domain::formats::{Loaded, load, no_includes};
use throng_domain::{Format, Limits, Model, Report, Sources};
use throng_mind::memory::FactRef;
use throng_mind::spec::Spec;
use throng_mind::time::Pace;
use throng_mind::{Body, PreparedDomain};
use throng_world::body::body;
use throng_world::story::Story;
use throng_world::story::run::Play;
use throng_world::world::World;

/// A text as it is loaded, right or wrong.
pub(crate) fn loaded(text: &str) -> Loaded {
    let (limits, words) = (Limits::default(), &throng_mind::notes::WORDS);
    load("t.npc", text, Format::Npc, &limits, words, &mut no_includes)
}

/// The same with the files that it uses, by name.
pub(crate) fn loaded_with(text: &str, files: &[(&str, &str)]) -> Loaded {
    let mut fetch = |path: &str| {
        let found = files.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.to_string()).ok_or_else(|| "no such file".to_string())
    };
    let (limits, words) = (Limits::default(), &throng_mind::notes::WORDS);
    load("t.npc", text, Format::Npc, &limits, words, &mut fetch)
}

/// The model of a text that is right as a domain.
pub(crate) fn model(text: &str) -> (Model, Sources) {
    right(loaded(text))
}

fn right(Loaded { model, report, sources }: Loaded) -> (Model, Sources) {
    let model = model.unwrap_or_else(|| panic!("{}", told(&report, &sources).join("\n")));
    (model, sources)
}

/// What its minds are made of.
pub(crate) fn spec(model: &Model, pace: Pace) -> Result<Spec, Report> {
    Spec::read(model, Arc::new(PreparedDomain::new(model)), pace)
}

/// A report, a line each.
pub(crate) fn told(report: &Report, sources: &Sources) -> Vec<String> {
    report.diagnostics().iter().map(|it| it.short(sources)).collect()
}

/// A story before its first tick.
pub(crate) fn tale(text: &str) -> Play {
    tale_with(text, body(), 1)
}

/// The same with other code, on several threads.
pub(crate) fn tale_with(text: &str, body: Body<World>, threads: usize) -> Play {
    played(model(text), body, threads)
}

/// A story of several files, before its first tick.
pub(crate) fn tale_of(text: &str, files: &[(&str, &str)]) -> Play {
    played(right(loaded_with(text, files)), body(), 1)
}

fn played((model, sources): (Model, Sources), body: Body<World>, threads: usize) -> Play {
    let fails = |report: Report| -> ! { panic!("{}", told(&report, &sources).join("\n")) };
    let story = Story::read(&model).unwrap_or_else(|report| fails(report));
    let spec = spec(&model, story.pace).unwrap_or_else(|report| fails(report));
    Play::new(story, &model, spec, body, threads).unwrap()
}

/// An NPC that does nothing, with these sensors, in this story.
pub(crate) fn idler(sensors: &str, story: &str) -> Play {
    let domain = "domain test\nvar calm: bool\naction wait: calm -> true\n\
        goal rest: calm = true\nnpc idler\n    can wait\n    wants rest\n    starts calm = true\n";
    tale(&format!("{domain}{sensors}\nstory test \"A test.\" lasts 60\n{story}"))
}

/// Plays to a moment.
pub(crate) fn until(play: &mut Play, seconds: f64) {
    let end = play.story().pace.ticks(seconds);
    while play.now() < end {
        assert!(play.tick(), "the story is over");
    }
}

/// The facts of a kind that the first actor has.
pub(crate) fn facts<'p>(play: &'p Play, kind: &str) -> Vec<FactRef<'p>> {
    let kind = play.cast().words().find(kind).unwrap();
    play.cast().mind(0).unwrap().memory().of_kind(kind).collect()
}
