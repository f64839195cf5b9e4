//! Questions as bytes and back.

use super::{AskedQuestion, MOST_KEPT, MOST_OPEN, QuestionId, QuestionStatus, Questions, Reply};
use crate::known::Known;
use throng_base::{codec_enum, codec_struct};

codec_struct!(decode QuestionId);
codec_enum!("status of a question" QuestionStatus { 0 => Filed, 1 => HandedOut, 2 => Answered });

codec_struct!(
    in known: Known<'_>;
    AskedQuestion {
        ask,
        number: counter,
        since: past(known.now),
        status,
        reply,
        replied: past(known.now),
        sensors,
        unread,
        by_run,
        by_check,
    }
    where |it| it.reply == it.reply.cleaned(), "reply with numbers"
    where |it| it.is_open() || it.reply != Reply::Waiting, "reply to a question that was answered"
    where |it| known.has_sensors(it.sensors | it.unread), "sensor that asks"
);

codec_struct!(
    in known: Known<'_>;
    Questions { all in known, last: counter }
    where |it| it.all.len() <= MOST_KEPT && it.open().count() <= MOST_OPEN, "list of questions"
    where |it| it.all.iter().all(|one| (1..=it.last).contains(&one.number)), "number of a question"
    where |it| it.are_different(), "questions that differ"
);

impl Questions {
    /// No two have one number, and no two want to know the same.
    fn are_different(&self) -> bool {
        let differs = |one: &AskedQuestion, two: &AskedQuestion| {
            one.number != two.number && !one.ask.is_same(&two.ask)
        };
        let mut all = self.all.iter().enumerate();
        all.all(|(at, one)| self.all[..at].iter().all(|two| differs(one, two)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn numbers_and_states_of_questions_come_back() {
        comes_back::<QuestionId>(|trial, _| QuestionId(trial.any()));
        comes_back::<QuestionStatus>(|_, round| match round % 3 {
            0 => QuestionStatus::Filed,
            1 => QuestionStatus::HandedOut,
            _ => QuestionStatus::Answered,
        });
    }
}
