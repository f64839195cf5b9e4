//! Questions in a tick: what checks ask, what becomes of replies.
//!
//! In:   checks that the file says to ask for, what is picked, what is wanted, replies.
//! Out:  questions that matter, filed; checks as they were last answered; those dropped that were
//!       open for too long.
//! Cost: nothing for a mind that asks nothing; else a step per question, and per check and action.
//!
//! A check is asked for when it matters: an action of the type that needs it would otherwise be there,
//! or would be if others that are asked for held, too; and one of the goals is wanted. Until the first answer it is as the file says by default; after that
//! the last answer counts, and it is asked for again when that is older than it `keeps`.

use super::{Context, MindTick};
use crate::choose::Standing;
use crate::events::{Event, EventKind};
use crate::mind::Mind;
use crate::picks::Key;
use crate::questions::{Asker, MOST_OPEN};
use crate::spec::AskedCheck;
use crate::time::{NEVER, Tick, after};
use throng_domain::model::{ActionId, CheckId, CheckUse};

impl<W: ?Sized> MindTick<'_, W> {
    /// Drops questions that were open for too long.
    pub(super) fn drop_old_questions(&mut self) {
        let Context { spec, now, .. } = *self.context;
        let Mind { id, questions, follow, .. } = &mut *self.mind;
        let events = &mut self.outbox.events;
        if questions.are_none() {
            return;
        }
        questions.drop_old(spec.question_patience(), now, |ask, handed_out, of_run| {
            follow.news |= of_run;
            let about = ask.about().and_then(|it| it.what).map_or(Key::None, Key::Entity);
            let what = EventKind::Unanswered { what: ask.kind(), about, handed_out };
            events.push(Event { at: now, mind: *id, what });
        });
    }

    /// Checks are as they were last answered.
    pub(super) fn answer_checks(&mut self) {
        let spec = self.context.spec;
        for check in &spec.asked_checks {
            if self.mind.state.told.contains(&check.check) {
                continue;
            }
            let is_bound = check.needs & !self.mind.picks.bound() == 0;
            let ask = is_bound.then(|| check.ask(&self.situation())).flatten();
            let reply = ask.and_then(|ask| self.mind.questions.reply_to(&ask));
            let holds = reply.and_then(|(reply, _)| reply.holds()).unwrap_or(check.default);
            self.mind.state.answer_check(check.check, is_bound && holds);
        }
    }

    /// Asks for the checks that matter and are not known, or not any more.
    pub(super) fn ask_for_checks(&mut self) {
        let Context { spec, now, .. } = *self.context;
        if spec.asked_checks.is_empty() || !self.wants_something() {
            return;
        }
        for check in &spec.asked_checks {
            if !self.matters(check) {
                continue;
            }
            let Some(ask) = check.ask(&self.situation()) else { continue };
            let questions = &mut self.mind.questions;
            let before = questions.last();
            let _ = questions.ask(ask, check.keeps, Asker::Check, now, MOST_OPEN);
            self.outbox.filed += questions.last().wrapping_sub(before);
        }
    }

    /// Whether a goal has relevance and does not hold.
    fn wants_something(&self) -> bool {
        let is_wanted = |standing| !matches!(standing, Standing::Satisfied | Standing::Irrelevant);
        self.mind.goals.all().iter().any(|goal| is_wanted(goal.standing))
    }

    /// Whether an action that needs a check would otherwise be there.
    fn matters(&self, check: &AskedCheck) -> bool {
        self.may_ask(check) && check.actions.iter().any(|&it| self.lacks(it, check))
    }

    /// Whether the game is to say what a check is: it has not said so itself, and what the check is
    /// about is there.
    fn may_ask(&self, check: &AskedCheck) -> bool {
        let Mind { state, picks, .. } = &*self.mind;
        !state.told.contains(&check.check) && check.needs & !picks.bound() == 0
    }

    /// Whether an action is there, or would be if this check said otherwise, and with it those that
    /// are asked for and not known: two that an action needs would wait for each other.
    fn lacks(&self, action: ActionId, check: &AskedCheck) -> bool {
        let kind = self.context.spec.domain.npc(self.mind.npc);
        let Some(local) = kind.local_action(action) else { return false };
        let state = &self.mind.state;
        let may_hold = |uses: &[CheckUse]| {
            uses.iter().all(|used| {
                let holds = state.checks().holds(used.check) == used.expected;
                holds || used.check == check.check || self.is_unknown(used.check)
            })
        };
        let kinds = kind.kinds(local);
        let has_kind = kinds.is_empty() || kinds.iter().any(|it| may_hold(kind.kind_checks(*it)));
        !state.forbidden().has(local) && may_hold(kind.checks(local)) && has_kind
    }

    /// Whether a check is asked for, and the last answer is old, or there was none.
    fn is_unknown(&self, check: CheckId) -> bool {
        let Context { spec, now, .. } = *self.context;
        let asked = spec.asked_checks.iter().find(|it| it.check == check);
        asked.filter(|it| self.may_ask(it)).is_some_and(|asked| {
            let ask = asked.ask(&self.situation());
            let reply = ask.map(|ask| self.mind.questions.reply_to(&ask));
            // What it is about is not known: it cannot be asked.
            reply.is_some_and(|reply| {
                reply.is_none_or(|(_, replied)| now >= after(replied, asked.keeps))
            })
        })
    }

    /// When something happens to questions by itself: one is dropped, or asked again.
    pub(super) fn questions_wake(&self) -> Tick {
        let Context { spec, now, .. } = *self.context;
        let questions = &self.mind.questions;
        if questions.are_none() {
            return NEVER;
        }
        let again = spec.asked_checks.iter().filter_map(|check| {
            let (_, replied) = questions.reply_to(&check.ask(&self.situation())?)?;
            Some(after(replied, check.keeps)).filter(|&at| at > now)
        });
        again.min().unwrap_or(NEVER).min(questions.wake(spec.question_patience(), now))
    }
}
