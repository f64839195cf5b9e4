//! What a file says about minds is what the spec holds, and what it says wrongly is told.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may panic")]

mod everything;
mod groups;
mod mistakes;

use crate::common::{PACE, model};
use std::sync::Arc;
use throng_domain::{Model, Report};
use throng_mind::spec::Spec;
use throng_planner::PreparedDomain;

/// A text with every statement and clause about minds.
const EVERYTHING: &str = include_str!("everything.npc");

fn read(model: &Model) -> Result<Spec, Report> {
    Spec::read(model, Arc::new(PreparedDomain::new(model)), PACE)
}

/// The mistakes of a text, one line each.
pub(crate) fn mistakes(text: &str) -> Vec<String> {
    let model = model(text);
    let Err(report) = read(&model) else { return Vec::new() };
    report.diagnostics().iter().map(|d| d.short(model.sources())).collect()
}
