//! What the tests here begin with: the spec of a text.

use std::sync::Arc;
use throng_domain::formats::{load, no_includes};
use throng_domain::{CompiledDomain, Format, Limits, Model};
use throng_mind::spec::Spec;
use throng_mind::time::Pace;

pub(crate) const PACE: Pace = Pace { ticks_per_second: 10 };

/// The model of a text that has no mistakes.
pub(crate) fn model(text: &str) -> Model {
    let (limits, words) = (Limits::default(), &throng_mind::notes::WORDS);
    let loaded = load("test.npc", text, Format::Npc, &limits, words, &mut no_includes);
    let diagnostics = loaded.report.diagnostics().iter();
    let lines: Vec<String> = diagnostics.map(|it| it.short(&loaded.sources)).collect();
    loaded.model.unwrap_or_else(|| panic!("{}", lines.join("\n")))
}

/// What a text without mistakes says about minds, at ten ticks a second.
pub(crate) fn spec(text: &str) -> Spec {
    let model = model(text);
    let read = Spec::read(&model, Arc::new(CompiledDomain::new(&model)), PACE);
    read.unwrap_or_else(|report| panic!("{:?}", report.diagnostics()))
}
