//! Stories of the corpus, played as a game would.
//!
//! In:   a loaded story.
//! Out:  its play, and the promises that it broke.

use crate::report::BenchResult;
use throng::Domain;
use throng_world::body::body;
use throng_world::story::Story;
use throng_world::story::promise::Verdict;
use throng_world::story::run::Play;

/// The story of a domain, at its beginning, on one thread.
///
/// # Errors
///
/// If it is not one.
pub fn play(domain: &Domain) -> BenchResult<Play> {
    play_on(domain, 1)
}

/// The same on so many threads.
///
/// # Errors
///
/// If it is no story.
pub fn play_on(domain: &Domain, threads: usize) -> BenchResult<Play> {
    let story = Story::read(domain.model()).map_err(|_| "the story cannot be read")?;
    let spec = domain.mind_spec(story.pace.ticks_per_second)?;
    Ok(Play::new(story, domain.model(), spec, body(), threads)?)
}

/// The texts of the promises that are not kept.
pub fn broken(play: &Play) -> Vec<String> {
    let verdicts = play.judge().verdicts();
    let broken = verdicts.filter(|(_, verdict)| !matches!(verdict, Verdict::Kept(_)));
    broken.map(|(promise, _)| promise.text.clone()).collect()
}
