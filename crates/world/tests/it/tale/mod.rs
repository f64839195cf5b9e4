//! A story of a text, before its first tick; a text with mistakes fails the test with all of them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::sync::Arc;
use throng_domain::formats::{load, no_includes};
use throng_domain::{Format, Limits};
use throng_mind::PreparedDomain;
use throng_mind::spec::Spec;
use throng_world::body::body;
use throng_world::story::Story;
use throng_world::story::run::Play;

pub(crate) fn tale(text: &str) -> Play {
    let loaded = load(
        "test.npc",
        text,
        Format::Npc,
        &Limits::default(),
        &throng_mind::notes::WORDS,
        &mut no_includes,
    );
    let told = |report: &throng_domain::Report| {
        let short = report.diagnostics().iter().map(|d| d.short(&loaded.sources));
        short.collect::<Vec<_>>().join("\n")
    };
    let model = loaded.model.as_ref().unwrap_or_else(|| panic!("{}", told(&loaded.report)));
    let story = Story::read(model).unwrap_or_else(|report| panic!("{}", told(&report)));
    let domain = Arc::new(PreparedDomain::new(model));
    let spec = Spec::read(model, domain, story.pace);
    let spec = spec.unwrap_or_else(|report| panic!("{}", told(&report)));
    Play::new(story, model, spec, body(), 1).unwrap()
}
