//! What a mind asks of the game, seen from outside.
//!
//! In:   the questions of a mind, the checks that it asks for.
//! Out:  a [`QuestionView`] for each that is open; how each check came to be what it is.
//! Cost: text is allocated; not for the frame.

use super::key_name;
use crate::condition::Situation;
use crate::mind::Mind;
use crate::picks::Key;
use crate::questions::{Ask, AskKind, AskedQuestion, QuestionStatus, Reply};
use crate::spec::{AskedCheck, Spec};
use crate::time::Tick;

/// A check that the game tells, or is asked for.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct CheckView {
    /// Its name.
    pub name: String,
    /// Whether it holds.
    pub holds: bool,
    /// Seconds since the game told it, or answered; `None`: it never did, so it is as the file says by
    /// default.
    pub age: Option<f64>,
    /// How it came to be what it is: `told` by the game; of one that the game is asked for `answered`,
    /// `unanswered`, `asked` as long as there was no answer, or `empty` if a slot that it is about is:
    /// then it does not hold, whatever the default.
    pub by: &'static str,
    /// The slots that it is about and that are empty, in words.
    pub lacks: Option<String>,
}

/// A question that waits for an answer, seen from outside.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct QuestionView {
    /// Its number among those of the mind.
    pub number: u32,
    /// What is asked: `sight`, `path`, …
    pub what: String,
    /// What it is about; empty if that is a bare place, or nothing.
    pub about: String,
    /// From whom or what, if not from who asks; else empty.
    pub from: String,
    /// Seconds since it was asked.
    pub age: f64,
    /// Whether the game has it; else it waits for its turn.
    pub handed_out: bool,
}

throng_base::display! { QuestionView {
    Self { what, about, from, age, handed_out, .. } => "{what}{}{about}{}{from}, asked {age:.1} s ago{}",
        if about.is_empty() { "" } else { " of " },
        if from.is_empty() { "" } else { " from " },
        if *handed_out { "" } else { ", waits for its turn" };
} }

/// What a sort of question is called.
pub(super) fn question_word(spec: &Spec, kind: AskKind) -> &str {
    let named = AskKind::NAMED.iter().find(|(_, named)| *named == kind);
    match (named, kind) {
        (Some((name, _)), _) => name,
        (None, AskKind::Other(word)) => spec.words.text(word),
        (None, _) => "",
    }
}

impl Mind {
    /// The questions that wait for an answer.
    pub(super) fn questions_view(&self, spec: &Spec, now: Tick) -> Vec<QuestionView> {
        let name = |point: Option<crate::questions::Point>| {
            let what = point.and_then(|point| point.what);
            what.map_or(String::new(), |what| key_name(spec, Some(self), Key::Entity(what)))
        };
        let view = |it: &AskedQuestion| QuestionView {
            number: it.number,
            what: question_word(spec, it.ask.kind()).to_string(),
            about: name(it.ask.about()),
            from: name(it.ask.from()),
            age: spec.pace.seconds(now.saturating_sub(it.since)),
            handed_out: it.status == QuestionStatus::HandedOut,
        };
        self.questions.open().map(view).collect()
    }

    /// The question of a check, as things are.
    fn asked_for(&self, spec: &Spec, check: &AskedCheck, now: Tick) -> Option<Ask> {
        let (memory, values) = (&self.memory, self.state.values());
        let from = Situation {
            here: self.here,
            me: self.me,
            picks: &self.picks,
            ..Situation::new(memory, memory, values, now, spec.pace)
        };
        check.ask(&from)
    }

    /// A check that the game is asked for.
    pub(super) fn asked_check_view(&self, spec: &Spec, check: &AskedCheck, now: Tick) -> CheckView {
        let reply = self.asked_for(spec, check, now);
        let reply = reply.and_then(|ask| self.questions.reply_to(&ask));
        let is_told = self.state.told.contains(&check.check);
        let lacks = self.empty_of(spec, check.needs).filter(|_| !is_told);
        CheckView {
            name: spec.domain.map().check(check.check).to_string(),
            holds: self.state.checks().holds(check.check),
            age: {
                let told = self.state.told_at.iter().find(|(known, _)| *known == check.check);
                let at = if is_told { told.map(|it| it.1) } else { reply.map(|it| it.1) };
                at.map(|at| spec.pace.seconds(now.saturating_sub(at)))
            },
            by: match reply {
                _ if is_told => "told",
                _ if lacks.is_some() => "empty",
                Some((Reply::Unanswered, _)) => "unanswered",
                Some(_) => "answered",
                None => "asked",
            },
            lacks,
        }
    }
}
