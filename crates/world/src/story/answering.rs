//! The test bed as an engine that answers later: rays and ways as they were when they were asked.
//!
//! In:   the questions of minds after their tick.
//! Out:  a reply to each, so many ticks later.
//! Cost: the ray or the way; a step per reply that is under way.

use super::cast::Cast;
use crate::cell::Cell;
use crate::world::World;
use throng_base::codec_struct;
use throng_kit::questions::TripBeliefs;
use throng_kit::scene::Mark;
use throng_mind::Mind;
use throng_mind::questions::{Ask, IssuedQuestion, QuestionId, Reply};
use throng_mind::time::Tick;

/// A reply that is under way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct LateReply {
    due: Tick,
    id: QuestionId,
    reply: Reply,
}

codec_struct!(LateReply { due, id, reply } where |it| it.reply != Reply::Waiting, "reply");

impl World {
    /// What is so now.
    fn reply(&self, mind: &Mind, question: &IssuedQuestion) -> Reply {
        // Who moves is where he is.
        let place = |mark: Mark| {
            let actor = mark.what.and_then(|what| self.actor(what));
            actor.map_or_else(|| Cell::of(mark.place), |actor| actor.cell)
        };
        let to = question.to.map(Mark::from);
        match (question.ask, to) {
            (Ask::Sight { from: None, .. }, Some(to)) => {
                let (from, at) = (place(question.from.into()), place(to));
                if self.could_see(from, to.what, at) { at.place().into() } else { Reply::No }
            }
            (Ask::Sight { .. }, Some(to)) => {
                self.could_see(Cell::of(question.from.place), to.what, Cell::of(to.place)).into()
            }
            (Ask::Cover { .. }, Some(Mark { what: Some(spot), .. })) => {
                World::protects(self, spot, Cell::of(question.from.place)).into()
            }
            (Ask::Path { .. }, Some(to)) => match TripBeliefs::of(self, mind, question) {
                Some(beliefs) => self.way_now(question.from.into(), to, &beliefs.trip()).into(),
                None => Reply::Unanswered,
            },
            // It knows of nothing else.
            _ => Reply::Unanswered,
        }
    }
}

impl Cast {
    /// Answers the questions of the tick, and those of earlier ones that are due.
    pub(super) fn answer_questions(&mut self) {
        let Cast { world, minds, replies, .. } = self;
        let now = world.now();
        for question in minds.questions() {
            let is_known = replies.iter().any(|it| it.id == question.id);
            let Some(mind) = minds.mind(question.mind).filter(|_| !is_known) else { continue };
            let late = match question.ask {
                Ask::Path { .. } => world.rules.paths_later,
                _ => world.rules.rays_later,
            };
            let due = now.saturating_add(late.unwrap_or(0));
            replies.push(LateReply { due, id: question.id, reply: world.reply(mind, question) });
        }
        for it in replies.iter().filter(|it| it.due <= now) {
            // Who has ended need not know.
            let _ = minds.answer(it.id, it.reply);
        }
        replies.retain(|it| it.due > now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn replies_that_are_under_way_come_back() {
        comes_back::<LateReply>(|trial, round| LateReply {
            due: trial.any(),
            id: QuestionId(trial.any()),
            reply: Reply::Amount(round as f32),
        });
    }
}
