//! A story as a test: played to its end, one result per promise.
//!
//! In:   a model with a `story`.
//! Out:  each promise with its place and why it was broken; or why the story cannot be played.
//! Cost: the whole story, on one thread.

use super::story_and_spec;
use crate::console::Console;
use throng_domain::{Model, Report, Span};
use throng_world::story::Story;
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;

/// How a promise came out.
pub(crate) struct Judged {
    /// `cover: soldier is alive`.
    pub(crate) name: String,
    /// Where it stands.
    pub(crate) span: Span,
    /// Why it was broken, and when; `None`: it was kept.
    pub(crate) broken: Option<String>,
}

/// Why there are no results.
pub(crate) enum NotPlayed {
    /// There are mistakes in what the file says of minds and of the story.
    Mistakes(Report),
    /// The world refuses it.
    Refused(String),
    /// Ctrl-C was pressed.
    Interrupted,
}

/// Plays the story of a model and judges it; nothing if the model tells none.
pub(crate) fn judge(model: &Model, console: &Console<'_>) -> Result<Vec<Judged>, NotPlayed> {
    if !Story::is_in(model) {
        return Ok(Vec::new());
    }
    let (story, spec) = story_and_spec(model).map_err(NotPlayed::Mistakes)?;
    let play = Play::new(story, model, spec, throng_world::body::body(), 1);
    let mut play = play.map_err(|error| NotPlayed::Refused(error.to_string()))?;
    while !console.interrupted() && play.tick() {}
    if !play.is_over() {
        return Err(NotPlayed::Interrupted);
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
