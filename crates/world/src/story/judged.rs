//! A story as a test: played to its end, one result per promise.
//!
//! In:   a model with a `story`.
//! Out:  each promise with its place and why it was broken, what never happened; or why the story
//!       cannot be played.
//! Cost: the whole story, on one thread.

use super::Story;
use super::promise::Verdict;
use super::run::{Play, PlayError};
use super::staging::Staging;
use throng_domain::{Model, Span};

/// How a promise came out.
#[non_exhaustive]
pub struct Judged {
    /// `cover: soldier is alive`.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// Why it was broken, and when; `None`: it was kept.
    pub broken: Option<String>,
}

/// A story that was played to its end.
#[non_exhaustive]
#[derive(Default)]
pub struct JudgedStory {
    /// How its promises came out, in the order of the text.
    pub promises: Vec<Judged>,
    /// What was to be done when something holds that never did.
    pub never: Vec<String>,
    /// Of all that happened.
    pub digest: u64,
}

/// Plays the story of a model, with this seed or its own, and judges it; no results if the model
/// tells none, or if it was stopped before the end.
///
/// # Errors
///
/// Why the story cannot be played.
pub fn judge(
    model: &Model,
    seed: Option<u64>,
    stop: impl Fn() -> bool,
) -> Result<JudgedStory, PlayError> {
    judge_staged(model, &Staging::of_seed(seed), stop)
}

/// The same, staged in another way.
///
/// # Errors
///
/// Why the story cannot be played.
pub fn judge_staged(
    model: &Model,
    staging: &Staging,
    stop: impl Fn() -> bool,
) -> Result<JudgedStory, PlayError> {
    if !Story::is_in(model) {
        return Ok(JudgedStory::default());
    }
    let mut play = Play::staged(model, staging, 1)?;
    while !stop() && play.tick() {}
    if !play.is_over() {
        return Ok(JudgedStory::default());
    }
    let (name, pace) = (&play.story().name, play.story().pace);
    let judged = play.judge().verdicts().map(|(promise, verdict)| Judged {
        name: format!("{name}: {}", promise.text),
        span: promise.span,
        broken: match verdict {
            Verdict::Kept(_) => None,
            Verdict::Broken(at, why) => Some(format!("{:.1} s: {why}", pace.seconds(*at))),
            Verdict::Open => Some("it was never decided".to_string()),
        },
    });
    let never = play.not_yet().map(|entry| entry.text.clone());
    Ok(JudgedStory { promises: judged.collect(), never: never.collect(), digest: play.digest() })
}
