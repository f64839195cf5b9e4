//! What minds ask of the game, and what it answers.
//!
//! In:   questions that minds have filed; answers, in this tick or a later one.
//! Out:  the questions of a tick, the first in line first; answers in inboxes.
//! Cost: a look-up per answer; a pass over the minds in ticks in which a question waits.

use super::Minds;
use super::line;
use crate::orders::{Message, MindId};
use crate::questions::{IssuedQuestion, QuestionId, QuestionStatus, Reply};
use crate::tape::{MindCall, NO_MIND};

impl<W: ?Sized + Sync> Minds<W> {
    /// What the game is asked since the last tick, what matters most first: rays, ways, whatever
    /// sensors and checks want to know. Answer each when you can, in this frame or a later one;
    /// what is not answered within two seconds is taken for unknown. Minds that were
    /// [restored](Self::restore) ask again what was open.
    ///
    /// ```no_run
    /// # struct Engine;
    /// # impl Engine {
    /// #     fn queue(&mut self, _: &throng_mind::questions::IssuedQuestion) {}
    /// #     fn finished(&mut self) -> Vec<(throng_mind::questions::QuestionId, f32)> { Vec::new() }
    /// # }
    /// # fn frame(engine: &mut Engine, minds: &mut throng_mind::Minds<Engine>) {
    /// for question in minds.questions() {
    ///     engine.queue(question); // a ray or a path, for when there is time
    /// }
    /// for (id, how_well) in engine.finished() {
    ///     minds.answer(id, how_well); // of this frame's questions, or of earlier ones
    /// }
    /// # }
    /// ```
    pub fn questions(&self) -> &[IssuedQuestion] {
        &self.questions
    }

    /// Answers a question, at any time after it was asked; the mind knows in its next tick. `false` if
    /// there is no such question, or it was answered, or dropped: then nothing happens.
    pub fn answer(&mut self, id: QuestionId, reply: impl Into<Reply>) -> bool {
        let (mind, number) = (id.mind(), id.number());
        let reply = reply.into().cleaned();
        let is_asked = |mind: &crate::Mind| {
            let has_it = |it: &&crate::questions::AskedQuestion| {
                it.number == number && it.status == QuestionStatus::HandedOut
            };
            let is_it = |told: &Message| matches!(told, Message::Answered(of, _) if *of == number);
            mind.questions.all().iter().any(|it| has_it(&it)) && !mind.inbox.iter().any(is_it)
        };
        reply != Reply::Waiting
            && self.mind(mind).is_some_and(is_asked)
            && self.tell(mind, Message::Answered(number, reply)).is_ok()
    }

    /// How many questions the game is asked in one tick from now on, of all minds together: those of
    /// minds with an urgent goal first, then those about what is picked as `target`, then the oldest;
    /// but every other place is for the oldest that has waited for a second, if there is one. The
    /// others wait. `None`, as in the beginning: all. The number is saved with the minds, and recorded.
    pub fn set_questions(&mut self, most_per_tick: Option<u32>) {
        self.question_budget = most_per_tick;
        self.tape.door(NO_MIND, MindCall::Questions, |to| _ = to.write(&most_per_tick));
    }

    /// How many questions the game is asked in one tick.
    pub fn question_budget(&self) -> Option<u32> {
        self.question_budget
    }

    /// Hands out the questions of a tick.
    pub(super) fn hand_out_questions(&mut self) {
        if self.questions_wait {
            let Minds { groups, question_line, questions, spec, question_budget, .. } = self;
            self.questions_wait = line::hand_out(
                groups,
                question_line,
                questions,
                spec,
                (*question_budget, self.now),
            );
        }
    }

    /// The game has lost what it was asked: it is asked again.
    pub(super) fn hand_out_again(&mut self) {
        let Minds { groups, questions, .. } = self;
        questions.clear();
        let minds = groups.iter().flat_map(|group| &group.minds);
        questions.extend(minds.flat_map(line::again));
        self.questions_wait = true;
    }

    /// The same of one mind.
    pub(super) fn hand_out_again_of(&mut self, id: MindId) {
        self.forget_questions(id);
        let Minds { groups, places, questions, .. } = self;
        let place = places.get(&id).copied();
        let mind = place.and_then(|(group, at)| groups.get(group as usize)?.minds.get(at as usize));
        questions.extend(mind.into_iter().flat_map(line::again));
        self.questions_wait = true;
    }

    /// A mind asks nothing any more.
    pub(super) fn forget_questions(&mut self, id: MindId) {
        self.questions.retain(|question| question.mind != id);
    }
}
