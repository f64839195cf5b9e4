//! The questions of one mind: those that are open, and the last replies.
//!
//! In:   what its sensors, its action and its checks ask; what the game answers.
//! Out:  replies; the questions that are to be handed out; who is to be told of a reply.
//! Cost: a step per question; room for all of them is taken when the first is asked.

use super::{Ask, MOST_OPEN, Reply};
use crate::time::{NEVER, Tick, after};
use crate::words::Word;

/// So many questions are remembered, those with a reply too: beyond that the oldest reply goes.
pub(crate) const MOST_KEPT: usize = 24;

/// How far a question has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuestionStatus {
    /// Asked, and not handed out yet.
    Filed,
    /// The game has it.
    HandedOut,
    /// It has a reply, which may be that there is none.
    Answered,
}

/// A question, with its last reply.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AskedQuestion {
    /// What is asked.
    pub ask: Ask,
    /// Its number among those of the mind; asked again it has another.
    pub number: u32,
    /// When it was last asked.
    pub since: Tick,
    /// How far it has come.
    pub status: QuestionStatus,
    /// The last reply; [`Reply::Waiting`] if there was none.
    pub reply: Reply,
    /// When that came.
    pub replied: Tick,
    /// The sensors that asked, by position in the mind: they are told of the reply.
    pub(super) sensors: u64,
    /// Those that have not been told of the last reply yet.
    pub(super) unread: u64,
    /// The action under way asked.
    pub(super) by_run: bool,
    /// A check asked: its reply is kept longest.
    pub(super) by_check: bool,
}

impl AskedQuestion {
    /// Whether it waits for an answer.
    pub fn is_open(&self) -> bool {
        self.status != QuestionStatus::Answered
    }
}

/// Who asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asker {
    /// A sensor, by position in the mind.
    Sensor(usize),
    /// The action under way.
    Run,
    /// A check.
    Check,
}

impl Asker {
    fn bit(self) -> u64 {
        match self {
            Asker::Sensor(at) => sensor_bit(at),
            Asker::Run | Asker::Check => 0,
        }
    }
}

/// Sensors beyond the sixty-fourth of a type are told with it.
fn sensor_bit(at: usize) -> u64 {
    1 << at.min(63)
}

/// The questions of one mind.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Questions {
    pub(super) all: Vec<AskedQuestion>,
    /// The number of the one asked last.
    pub(super) last: u32,
}

impl Questions {
    /// All that are remembered: open, or with a reply.
    pub fn all(&self) -> &[AskedQuestion] {
        &self.all
    }

    /// Those that wait for an answer.
    pub fn open(&self) -> impl Iterator<Item = &AskedQuestion> {
        self.all.iter().filter(|it| it.is_open())
    }

    /// The last reply to a question, and when it came.
    pub fn reply_to(&self, ask: &Ask) -> Option<(Reply, Tick)> {
        let known = self.all.iter().find(|it| it.ask.is_same(ask))?;
        (known.reply != Reply::Waiting).then_some((known.reply, known.replied))
    }

    /// The number of the one asked last.
    pub(crate) fn last(&self) -> u32 {
        self.last
    }

    /// Whether there never was one.
    #[inline]
    pub(crate) fn are_none(&self) -> bool {
        self.last == 0
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.all.capacity() * size_of::<AskedQuestion>()
    }

    /// The reply if there is one younger than `keeps`; else the question is asked, unless `most` are
    /// open already.
    pub(crate) fn ask(
        &mut self,
        ask: Ask,
        keeps: Tick,
        asker: Asker,
        now: Tick,
        most: usize,
    ) -> Reply {
        let ask = ask.cleaned();
        let known = self.all.iter().position(|it| it.ask.is_same(&ask));
        if let Some(it) = known.map(|at| &mut self.all[at]) {
            it.by_check |= asker == Asker::Check;
            if it.reply != Reply::Waiting && now.saturating_sub(it.replied) < keeps {
                return it.reply;
            }
            if it.is_open() {
                it.sensors |= asker.bit();
                it.by_run |= asker == Asker::Run;
                if it.status == QuestionStatus::Filed {
                    // Nobody has it yet: it may as well be about where things are now.
                    it.ask = ask;
                }
                return Reply::Waiting;
            }
        }
        if self.open().count() >= most.min(MOST_OPEN) {
            return Reply::Waiting;
        }
        self.last = self.last.wrapping_add(1).max(1);
        let new = AskedQuestion {
            ask,
            number: self.last,
            since: now,
            status: QuestionStatus::Filed,
            reply: Reply::Waiting,
            replied: 0,
            sensors: asker.bit(),
            unread: 0,
            by_run: asker == Asker::Run,
            by_check: asker == Asker::Check,
        };
        match known.map(|at| &mut self.all[at]) {
            Some(old) => {
                // The last reply counts until there is another.
                let AskedQuestion { reply, replied, unread, by_check, .. } = *old;
                *old = AskedQuestion { reply, replied, unread, by_check, ..new };
            }
            None => {
                self.make_room();
                self.all.push(new);
            }
        }
        Reply::Waiting
    }

    /// Lets the oldest reply go if there is no room for another question.
    fn make_room(&mut self) {
        if self.all.capacity() == 0 {
            self.all.reserve_exact(MOST_KEPT);
        }
        if self.all.len() >= MOST_KEPT {
            let answered = self.all.iter().enumerate().filter(|(_, it)| !it.is_open());
            let oldest = answered.min_by_key(|(_, it)| (it.by_check, it.replied, it.number));
            if let Some((at, _)) = oldest {
                self.all.remove(at);
            }
        }
    }

    /// The game answers; `None` if no such question is open, else whether the action under way asked.
    pub(crate) fn answer(&mut self, number: u32, reply: Reply, now: Tick) -> Option<bool> {
        let it = self.all.iter_mut().find(|it| it.number == number && it.is_open())?;
        if reply == Reply::Waiting {
            return None;
        }
        Some(it.end(reply.cleaned(), now))
    }

    /// Drops those that have been open for so long, and shows each: what was asked, whether the game
    /// had it, whether the action under way asked.
    pub(crate) fn drop_old(
        &mut self,
        patience: Tick,
        now: Tick,
        mut dropped: impl FnMut(&Ask, bool, bool),
    ) {
        for it in &mut self.all {
            if it.is_open() && now.saturating_sub(it.since) >= patience {
                let handed_out = it.status == QuestionStatus::HandedOut;
                let of_run = it.end(Reply::Unanswered, now);
                dropped(&it.ask, handed_out, of_run);
            }
        }
    }

    /// The next reply that a sensor has not been told of.
    pub(crate) fn take_unread(&mut self, at: usize) -> Option<(Ask, Reply)> {
        let bit = sensor_bit(at);
        let it = self.all.iter_mut().find(|it| it.unread & bit != 0)?;
        it.unread &= !bit;
        Some((it.ask, it.reply))
    }

    /// Those that are to be handed out.
    pub(crate) fn filed(&self) -> impl Iterator<Item = &AskedQuestion> {
        self.all.iter().filter(|it| it.status == QuestionStatus::Filed)
    }

    /// The game gets one.
    pub(crate) fn hand_out(&mut self, number: u32) -> Option<&AskedQuestion> {
        let it = self.all.iter_mut().find(|it| it.number == number)?;
        it.status = QuestionStatus::HandedOut;
        Some(it)
    }

    /// Nobody wants to know any more: none is open, replies are kept, nobody is to be told of them.
    pub(crate) fn withdraw(&mut self) {
        self.all.retain(|it| it.reply != Reply::Waiting);
        for it in &mut self.all {
            it.status = QuestionStatus::Answered;
            (it.sensors, it.unread, it.by_run) = (0, 0, false);
        }
    }

    /// The same in other words, and nobody but checks to be told: sensors are others now.
    pub(crate) fn carry(mut self, mut word: impl FnMut(Word) -> Word) -> Self {
        for it in &mut self.all {
            it.ask = it.ask.map(&mut word, |point| point);
            (it.sensors, it.unread, it.by_run) = (0, 0, false);
        }
        self
    }

    /// When something happens to them by itself: a question is dropped, a sensor is told.
    pub(crate) fn wake(&self, patience: Tick, now: Tick) -> Tick {
        let each = self.all.iter().map(|it| match it.is_open() {
            _ if it.unread != 0 => after(now, 1),
            true => after(it.since, patience),
            false => NEVER,
        });
        each.min().unwrap_or(NEVER)
    }
}

impl AskedQuestion {
    /// Its end; says whether the action under way asked.
    fn end(&mut self, reply: Reply, now: Tick) -> bool {
        (self.status, self.reply, self.replied) = (QuestionStatus::Answered, reply, now);
        (self.unread, self.sensors) = (self.unread | self.sensors, 0);
        std::mem::take(&mut self.by_run)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Point;
    use super::*;
    use crate::fact::EntityId;

    fn see(who: u64) -> Ask {
        Ask::sight(Point::of(EntityId(who), [0.0; 3]))
    }

    fn ask(it: &mut Questions, who: u64, now: Tick) -> Reply {
        it.ask(see(who), 5, Asker::Sensor(0), now, MOST_OPEN)
    }

    #[test]
    fn a_reply_is_given_while_it_is_young_and_then_asked_for_again() {
        let mut it = Questions::default();
        assert_eq!(ask(&mut it, 1, 0), Reply::Waiting);
        assert_eq!(ask(&mut it, 1, 1), Reply::Waiting);
        assert_eq!((it.all.len(), it.last), (1, 1), "one about one thing");
        assert_eq!(it.answer(1, Reply::Yes, 3), Some(false));
        assert_eq!(it.answer(1, Reply::No, 3), None, "it has one end");
        assert_eq!(it.take_unread(0), Some((see(1), Reply::Yes)));
        assert_eq!(it.take_unread(0), None);
        assert_eq!(ask(&mut it, 1, 7), Reply::Yes);
        assert_eq!(ask(&mut it, 1, 8), Reply::Waiting);
        assert_eq!(it.last, 2, "asked again it has another number");
        assert_eq!(it.reply_to(&see(1)), Some((Reply::Yes, 3)), "what is known counts until then");
    }

    #[test]
    fn no_more_than_eight_are_open_and_the_oldest_reply_makes_room() {
        let mut it = Questions::default();
        for who in 0..20 {
            ask(&mut it, who, 0);
        }
        assert_eq!(it.open().count(), MOST_OPEN);
        for who in 0..200 {
            ask(&mut it, who, 10 + who as Tick);
            let open: Vec<u32> = it.open().map(|it| it.number).collect();
            open.into_iter().for_each(|number| _ = it.answer(number, Reply::No, 10 + who as Tick));
        }
        assert_eq!(it.all.len(), MOST_KEPT);
        assert!(it.reply_to(&see(199)).is_some() && it.reply_to(&see(20)).is_none());
    }

    #[test]
    fn what_is_open_for_too_long_is_unanswered() {
        let mut it = Questions::default();
        ask(&mut it, 1, 0);
        assert_eq!(it.wake(20, 0), 20);
        let mut dropped = Vec::new();
        for now in [19, 20, 40] {
            it.drop_old(20, now, |ask, _, _| dropped.push((now, *ask)));
        }
        assert_eq!(dropped, [(20, see(1))]);
        assert_eq!(it.take_unread(0), Some((see(1), Reply::Unanswered)));
    }
}
