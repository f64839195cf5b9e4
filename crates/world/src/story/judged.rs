//! A story as a test: played to its end, one result per promise.
//!
//! In:   a model with a `story`.
//! Out:  each promise with its place and why it was broken; or why the story cannot be played.
//! Cost: the whole story, on one thread.

use super::Story;
use super::promise::Verdict;
use super::run::{Play, PlayError};
use throng_domain::{Model, Span};

/// How a promise came out.
pub struct Judged {
    /// `cover: soldier is alive`.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// Why it was broken, and when; `None`: it was kept.
    pub broken: Option<String>,
}

/// Plays the story of a model and judges it; no results if the model tells none, or if it was
/// stopped before the end.
///
/// # Errors
///
/// Why the story cannot be played.
pub fn judge(model: &Model, stop: impl Fn() -> bool) -> Result<Vec<Judged>, PlayError> {
    if !Story::is_in(model) {
        return Ok(Vec::new());
    }
    let mut play = Play::of(model, 1)?;
    while !stop() && play.tick() {}
    if !play.is_over() {
        return Ok(Vec::new());
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
    Ok(judged.collect())
}
