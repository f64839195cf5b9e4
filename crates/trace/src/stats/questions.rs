//! What was counted of questions to the game: how many, and how late the answers came.
//!
//! In:   minds after each tick; events.
//! Out:  a [`QuestionStats`] for each type.
//! Cost: a look at the questions that minds remember, a tick.

use super::Stats;
use throng_mind::Minds;
use throng_mind::questions::{QuestionStatus, Reply};

/// The questions of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QuestionStats {
    /// How many the game was given.
    pub asked: u64,
    /// How many it has answered.
    pub answered: u64,
    /// Of these, how many later than in the tick after they were asked.
    pub late: u64,
    /// The ticks from question to answer, together.
    pub ticks: u64,
    /// How many were dropped without an answer.
    pub unanswered: u64,
}

/// Counts the questions that were handed out in a tick, and those that have got their reply.
pub(super) fn look<W: ?Sized + Sync>(stats: &mut Stats, minds: &Minds<W>) {
    for question in minds.questions() {
        let npc = minds.mind(question.mind).map(|mind| mind.npc());
        let own = npc.and_then(|npc| stats.types.get_mut(npc.index()));
        own.into_iter().for_each(|own| own.questions.asked += 1);
    }
    for mind in minds.iter() {
        let Some(own) = stats.types.get_mut(mind.npc().index()) else { continue };
        let replied = mind
            .questions()
            .all()
            .iter()
            .filter(|it| it.status == QuestionStatus::Answered && it.replied == minds.now());
        for question in replied {
            if question.reply == Reply::Unanswered {
                own.questions.unanswered += 1;
                continue;
            }
            let ticks = question.replied.saturating_sub(question.since);
            own.questions.answered += 1;
            own.questions.late += u64::from(ticks > 1);
            own.questions.ticks += u64::from(ticks);
        }
    }
}
