//! A tape being read.
//!
//! In:   the entries of a tick.
//! Out:  to each call of a mind its answer, in order; or where there is none.
//! Cost: a look-up per call; not for the frame.

use super::{Divergence, Entries, MindCall, Wrong};
use crate::orders::MindId;
use crate::time::Tick;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Answers that are still to be given.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) entries: Arc<Entries>,
    /// By mind: positions of its answers.
    pub(crate) left: HashMap<u32, VecDeque<u32>>,
    /// The first call that had no answer.
    pub(crate) wrong: Option<Divergence>,
    /// How many words there are: answers know no others.
    pub(crate) words: u32,
}

impl Reading {
    /// The answers of some of the entries.
    pub(crate) fn of(entries: &Arc<Entries>, from: usize, to: usize, words: u32) -> Self {
        let mut left: HashMap<u32, VecDeque<u32>> = HashMap::new();
        for at in from..to {
            left.entry(entries.marks[at].mind).or_default().push_back(at as u32);
        }
        Reading { entries: Arc::clone(entries), left, wrong: None, words }
    }

    /// Moves the answers of some minds to a tape of their own.
    pub(crate) fn part(&mut self, minds: impl Iterator<Item = u32>) -> Reading {
        let left = minds.filter_map(|mind| self.left.remove_entry(&mind)).collect();
        Reading { entries: Arc::clone(&self.entries), left, wrong: None, words: self.words }
    }

    /// What the next entry of a mind says, if it is about this call.
    pub(crate) fn next<'e>(
        &mut self,
        entries: &'e Entries,
        now: Tick,
        mind: MindId,
        asked: MindCall,
    ) -> Option<&'e [u8]> {
        if self.wrong.is_some() {
            return None;
        }
        let next = self.left.get_mut(&mind.0).and_then(VecDeque::pop_front);
        let Some(at) = next else {
            self.diverged(now, Some(mind), Wrong::NoAnswer(asked));
            return None;
        };
        let (_, number, says) = entries.entry(at as usize);
        if number == asked.number() {
            return Some(says);
        }
        let wrong = match MindCall::of(number) {
            Some(recorded) => Wrong::OtherAnswer { asked, recorded },
            None => Wrong::Unknown(number),
        };
        self.diverged(now, Some(mind), wrong);
        None
    }

    /// The first thing that is wrong counts: what comes later may follow from it.
    pub(crate) fn diverged(&mut self, tick: Tick, mind: Option<MindId>, wrong: Wrong) {
        self.wrong.get_or_insert(Divergence { tick, mind, npc: None, wrong });
    }

    /// What is wrong when all calls were made.
    pub(crate) fn end(mut self, now: Tick) -> Option<Divergence> {
        if self.wrong.is_none() {
            let first = self.left.values().filter_map(VecDeque::front).min();
            if let Some(&at) = first {
                let (mind, number, _) = self.entries.entry(at as usize);
                let wrong = MindCall::of(number).map_or(Wrong::Unknown(number), Wrong::NotAsked);
                self.diverged(now, Some(MindId(mind)), wrong);
            }
        }
        self.wrong
    }
}
