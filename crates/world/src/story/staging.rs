//! How a story is staged: what is not said in the file and may be tried with every one.
//!
//! In:   a seed, answers that come late, a budget for questions.
//! Out:  the story as it is played and judged then.
//! Cost: one pass over the promises.
//!
//! Who waits for answers is a little later with everything: promises about when something comes have
//! half a second more. What must never be, or lasts until a moment, has not.

use super::{Claim, Promise, Story};
use throng_base::codec_struct;
use throng_mind::time::Tick;

/// How much later something may come where answers do, in seconds.
const SLACK_SECONDS: f64 = 0.5;

/// How a story is staged; by default as it says itself, with every answer at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Staging {
    /// Another seed than the story's own.
    pub seed: Option<u64>,
    /// Rays and ways are asked as questions, and answered so many ticks late.
    pub late: Option<Tick>,
    /// So many questions are handed out in a tick; `None`: all.
    pub questions: Option<u32>,
}

codec_struct!(Staging { seed, late, questions });

impl Staging {
    /// The story with another seed.
    pub fn of_seed(seed: Option<u64>) -> Self {
        Staging { seed, ..Staging::default() }
    }

    /// The story as it is staged.
    pub(super) fn stage(&self, story: &mut Story) {
        story.seed = self.seed.unwrap_or(story.seed);
        if self.late.is_some() {
            let slack = story.pace.ticks(SLACK_SECONDS);
            story.lasts = story.lasts.saturating_add(slack);
            story.promises.iter_mut().for_each(|promise| give_time(promise, slack));
        }
    }
}

/// Lets a promise be kept so much later.
fn give_time(promise: &mut Promise, slack: Tick) {
    let later = |at: &mut Tick| *at = at.saturating_add(slack);
    match &mut promise.claim {
        Claim::NobodyIdle(during, ..)
        | Claim::NobodyDoubles(_, during)
        | Claim::Cloaked(_, _, during) => later(during),
        Claim::AfterKill(reaction) | Claim::AfterDeath(_, reaction) => later(&mut reaction.within),
        Claim::NeverAmong(_, crowd) => crowd.in_view.iter_mut().for_each(later),
        // To live longer would be more.
        Claim::Alive(true) => {}
        claim if claim.is_never() => {}
        _ => promise.by.iter_mut().for_each(later),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn stagings_come_back() {
        comes_back::<Staging>(|trial, _| Staging {
            seed: trial.any(),
            late: trial.any(),
            questions: trial.any(),
        });
    }
}
