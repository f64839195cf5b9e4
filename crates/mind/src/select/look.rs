//! One selection, made: who the candidates are, and which of them have the slots.
//!
//! In:   a [`SelectSpec`], the situation with what is picked now, what others have, what is pinned.
//! Out:  what each of its slots is to hold; when time alone may change that.
//! Cost: one pass over the facts of its kinds, with its conditions and terms for each; a sort of the
//!       candidates. Nothing is allocated once the list has its room.
//!
//! A pick in force counts `1 + margin` times. One that is pinned, or has its `keep` time, beats all
//! while it is a candidate. Who has a slot keeps it; the others fill the free ones in order.

use super::others::Others;
use super::{Key, Pick, PickReason, SlotSet};
use crate::condition::{It, Situation};
use crate::fact::{Attribute, Value};
use crate::memory::{FactId, FactRef};
use crate::orders::MindId;
use crate::picks::slot_set;
use crate::spec::SelectSpec;
use crate::time::{NEVER, Tick, after};
use crate::words::Word;

/// So many slots a selection has at most.
pub(crate) const MOST_SLOTS: usize = 8;

/// A fact that may be picked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Candidate {
    pub(crate) key: Key,
    pub(crate) fact: FactId,
    pub(crate) score: f32,
    /// What it is compared by: the score with its margin, or beyond all.
    rank: f32,
}

/// Who selects, and what it must not exchange.
#[derive(Clone, Copy)]
pub(crate) struct Chooser<'c> {
    pub(crate) id: MindId,
    pub(crate) side: Word,
    pub(crate) pins: SlotSet,
    pub(crate) others: &'c Others,
}

/// What the slots of a selection are to hold.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Chosen {
    pub(crate) slots: [Pick; MOST_SLOTS],
    /// When time alone may change it.
    pub(crate) wake: Tick,
}

impl SelectSpec {
    /// What makes a fact be about what it is about.
    pub(crate) fn key(&self, fact: FactRef<'_>) -> Key {
        let key = |attribute| match fact.get(attribute)?.0 {
            Value::Entity(entity) => Some(Key::Entity(entity)),
            Value::Word(word) => Some(Key::Word(word)),
            Value::Number(number) => Some(Key::number(number)),
            Value::Position(_) => None,
        };
        let found = match self.by {
            Some(attribute) => key(attribute),
            None => key(Attribute::Object).or_else(|| key(Attribute::Node)),
        };
        found.unwrap_or(Key::Fact(fact.id()))
    }

    /// Whether a fact is one of those that it picks from; `wake` is lowered to when that may change.
    pub(crate) fn is_of(
        &self,
        fact: FactRef<'_>,
        situation: &Situation<'_>,
        wake: &mut Tick,
    ) -> bool {
        self.of
            .iter()
            .any(|pattern| pattern.is_about(fact) && pattern.matches(fact, situation, wake))
    }

    /// Whether `it`, a candidate, passes the filter.
    pub(crate) fn passes(&self, situation: &Situation<'_>, wake: &mut Tick) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.holds(situation, wake))
    }

    /// What `it`, a candidate, scores by itself.
    pub(crate) fn own_score(&self, situation: &Situation<'_>, wake: &mut Tick) -> f32 {
        let mut score = 1.0;
        for term in &self.score {
            score *= term.value(situation, wake);
            // Nothing that is measured after this makes it more.
            if score == 0.0 {
                return 0.0;
            }
        }
        if score.is_nan() { 0.0 } else { score.clamp(0.0, 1.0) }
    }

    /// Which others of the side have picked something before the chooser did, if it holds that
    /// since a moment; else who has it at all.
    pub(crate) fn earlier<'c>(
        &self,
        chooser: &Chooser<'c>,
        key: Key,
        held: Option<Tick>,
    ) -> impl Iterator<Item = (MindId, Tick)> + use<'c> {
        let before = held.map(|since| (since, chooser.id));
        let Chooser { id, side, others, .. } = *chooser;
        others.picked(self.slots.start, key, side, before, id)
    }

    /// The factor that a candidate's score has because of others.
    pub(crate) fn shared(&self, earlier: usize) -> f32 {
        self.spread.map_or(1.0, |spread| spread.powi(earlier.min(64) as i32))
    }

    /// Makes the selection.
    pub(crate) fn choose(
        &self,
        situation: &Situation<'_>,
        chooser: &Chooser<'_>,
        list: &mut Vec<Candidate>,
    ) -> Chosen {
        let now = situation.now;
        let mut wake = NEVER;
        list.clear();
        let mut held = Held::of(self, situation);
        if self.during.as_ref().is_some_and(|during| !during.holds(situation, &mut wake)) {
            held.why = [PickReason::Off; MOST_SLOTS];
            return held.assigned(self, list, now, wake);
        }
        for pattern in &self.of {
            let mut flips = NEVER;
            for fact in pattern.each(situation, &mut flips) {
                self.consider(fact, situation, chooser, &mut held, list, &mut wake);
            }
            wake = wake.min(flips);
        }
        self.keep_what_fails(&mut held, list, now, &mut wake);
        list.sort_unstable_by(|a, b| {
            b.rank.total_cmp(&a.rank).then(a.key.cmp(&b.key)).then(a.fact.cmp(&b.fact))
        });
        held.assigned(self, list, now, wake)
    }

    /// Takes a fact in, if it is a candidate.
    fn consider(
        &self,
        fact: FactRef<'_>,
        situation: &Situation<'_>,
        chooser: &Chooser<'_>,
        held: &mut Held,
        list: &mut Vec<Candidate>,
        wake: &mut Tick,
    ) {
        let now = situation.now;
        let key = self.key(fact);
        let slot = held.slot(key);
        if self.claims.is_some_and(|most| chooser.others.is_taken(key, chooser.id, most)) {
            if let Some(slot) = slot {
                held.why[slot] = PickReason::Taken;
            }
            return;
        }
        if let Some(slot) = slot {
            held.match_with(slot, fact.id());
        }
        let it = It { key, fact: Some(fact.id()) };
        let situation = &Situation { it, ..*situation };
        if !self.passes(situation, wake) {
            return;
        }
        let own = self.own_score(situation, wake);
        if own <= 0.0 {
            return;
        }
        let since = slot.map(|slot| held.before[slot].since);
        let earlier = match self.spread {
            Some(_) => self.earlier(chooser, key, since).count(),
            None => 0,
        };
        let score = own * self.shared(earlier);
        let mut rank = score;
        if let Some(slot) = slot {
            held.passed[slot] = true;
            rank *= 1.0 + self.margin;
            let kept_until = after(held.before[slot].since, self.keep);
            let is_kept = kept_until > now && earlier == 0;
            if is_kept {
                *wake = kept_until.min(*wake);
            }
            if earlier > 0 {
                held.why[slot] = PickReason::Shared;
            } else {
                held.why[slot] = PickReason::Better;
            }
            let is_pinned = chooser.pins & slot_set(self.slots.start + slot as u16, 1) != 0;
            if is_kept || is_pinned {
                rank = f32::INFINITY;
            }
        }
        let candidate = Candidate { key, fact: fact.id(), score, rank };
        match list.iter_mut().find(|other| other.key == key) {
            Some(other) if (other.score, candidate.fact) < (score, other.fact) => {
                *other = candidate
            }
            Some(_) => {}
            None => list.push(candidate),
        }
    }

    /// What is held and fails only the filter stays for the `keep` time.
    fn keep_what_fails(
        &self,
        held: &mut Held,
        list: &mut Vec<Candidate>,
        now: Tick,
        wake: &mut Tick,
    ) {
        for slot in 0..self.slots.len() {
            let pick = &mut held.before[slot];
            let matched = held.matched[slot].filter(|_| pick.is_bound() && !held.passed[slot]);
            let Some(fact) = matched else {
                pick.fails_since = NEVER;
                continue;
            };
            pick.fails_since = pick.fails_since.min(now);
            let until = after(pick.fails_since, self.keep);
            if until > now {
                *wake = until.min(*wake);
                let Pick { key, score, .. } = *pick;
                list.push(Candidate { key, fact, score, rank: f32::INFINITY });
            } else {
                held.why[slot] = PickReason::Gone;
            }
        }
    }
}

/// What the slots of a selection held, and what became of it.
struct Held {
    before: [Pick; MOST_SLOTS],
    n_slots: usize,
    /// Why it would go.
    why: [PickReason; MOST_SLOTS],
    /// A fact of it that is one of those that are picked from: the one picked, if that still is.
    matched: [Option<FactId>; MOST_SLOTS],
    /// It is a candidate.
    passed: [bool; MOST_SLOTS],
}

impl Held {
    fn of(spec: &SelectSpec, situation: &Situation<'_>) -> Self {
        let mut before = [Pick::default(); MOST_SLOTS];
        let slots = usize::from(spec.slots.start)..usize::from(spec.slots.end);
        let picks = situation.picks.slots().get(slots).unwrap_or_default();
        before.iter_mut().zip(picks).for_each(|(to, pick)| *to = *pick);
        let no = [false; MOST_SLOTS];
        let why = [PickReason::Gone; MOST_SLOTS];
        let matched = [None; MOST_SLOTS];
        Held { before, n_slots: picks.len().min(MOST_SLOTS), why, matched, passed: no }
    }

    /// A fact about what a slot holds is one of those that are picked from.
    fn match_with(&mut self, slot: usize, fact: FactId) {
        let known = &mut self.matched[slot];
        if known.is_none() || fact == self.before[slot].fact {
            *known = Some(fact);
        }
    }

    /// The slot that holds something.
    fn slot(&self, key: Key) -> Option<usize> {
        self.before[..self.n_slots].iter().position(|pick| pick.key == key && pick.is_bound())
    }

    /// The best have the slots; who has one keeps it.
    fn assigned(&self, spec: &SelectSpec, list: &[Candidate], now: Tick, wake: Tick) -> Chosen {
        let n_slots = self.n_slots;
        let best = &list[..list.len().min(spec.slots.len()).min(n_slots)];
        let mut slots = self.before;
        let mut is_free = [true; MOST_SLOTS];
        for candidate in best {
            let Some(slot) = self.slot(candidate.key) else { continue };
            let Candidate { fact, score, .. } = *candidate;
            slots[slot] = Pick { fact, score, ..slots[slot] };
            is_free[slot] = false;
        }
        let mut new = best.iter().filter(|candidate| self.slot(candidate.key).is_none());
        for slot in (0..n_slots).filter(|&slot| is_free[slot]) {
            let before = &self.before[slot];
            let is_bound = before.is_bound();
            // Who was only outbid is still there: what is done goes on, on the other.
            let is_lost =
                is_bound && !matches!(self.why[slot], PickReason::Better | PickReason::Shared);
            let lost = if is_lost { now } else { before.lost };
            let why = if is_bound { self.why[slot] } else { PickReason::Best };
            slots[slot] = match new.next() {
                Some(&Candidate { key, fact, score, .. }) => {
                    Pick { key, fact, score, since: now, why, lost, ..Pick::default() }
                }
                None if is_bound => Pick { since: now, why, lost, ..Pick::default() },
                None => *before,
            };
        }
        Chosen { slots, wake }
    }
}
