//! What a file says about minds is what the spec holds, and what it says wrongly is told.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod everything;
mod mistakes;

use std::sync::Arc;
use throng_domain::formats::{load, no_includes};
use throng_domain::{Format, Limits, Model, Report};
use throng_mind::spec::Spec;
use throng_mind::time::Pace;
use throng_planner::PreparedDomain;

const PACE: Pace = Pace { ticks_per_second: 10 };

/// A text with every statement and clause about minds.
const EVERYTHING: &str = include_str!("everything.npc");

fn model(text: &str) -> Model {
    let loaded = load(
        "test.npc",
        text,
        Format::Npc,
        &Limits::default(),
        &throng_mind::notes::WORDS,
        &mut no_includes,
    );
    let lines: Vec<String> =
        loaded.report.diagnostics().iter().map(|d| d.short(&loaded.sources)).collect();
    loaded.model.unwrap_or_else(|| panic!("{}", lines.join("\n")))
}

fn read(model: &Model) -> Result<Spec, Report> {
    Spec::read(model, Arc::new(PreparedDomain::new(model)), PACE)
}

/// The mistakes of a text, one line each.
fn mistakes(text: &str) -> Vec<String> {
    let model = model(text);
    let Err(report) = read(&model) else { return Vec::new() };
    report.diagnostics().iter().map(|d| d.short(model.sources())).collect()
}
