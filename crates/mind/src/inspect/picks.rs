//! What was picked, and why, from outside: candidates with what they score by, and what was left
//! out.
//!
//! In:   a mind, its spec, what others have.
//! Out:  plain data, with the names of slots and actions; things of the game are called as the
//!       caller calls them.
//! Cost: allocates, and makes the selection again; not for the frame.

use super::key_name;
use crate::condition::{Condition, It, Situation};
use crate::memory::{FactId, Memory};
use crate::mind::Mind;
use crate::orders::MindId;
use crate::picks::{SlotSet, slot_set};
use crate::select::{Chooser, Key, Others, PickReason};
use crate::spec::{SelectSpec, Spec};
use crate::time::{NEVER, Tick, after};
use throng_domain::model::ActionId;

/// Why something was picked, or nothing, in words.
pub fn why_words(why: PickReason) -> &'static str {
    match why {
        PickReason::Best => "it is the best there is",
        PickReason::Gone => "what was picked before is no candidate any more",
        PickReason::Better => "it is better than what was picked before",
        PickReason::Taken => "what was picked before is another's",
        PickReason::Shared => "others had picked the same before",
        PickReason::Off => "nothing is to be picked now",
    }
}

/// A slot, seen from outside.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PickView {
    /// Its name.
    pub slot: String,
    /// What it holds.
    pub key: Key,
    /// The same in words; `None`: it is empty.
    pub holds: Option<String>,
    /// From 0 to 1.
    pub score: f32,
    /// Seconds since it holds this.
    pub since: f64,
    /// Why.
    pub why: &'static str,
    /// What runs is about it, so it is exchanged only if it is no candidate any more.
    pub pinned: bool,
    /// Seconds for which it is kept whatever others score.
    pub kept_for: f64,
}

/// Why a fact is no candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum LeftOut {
    /// It fails the `where`.
    Filter,
    /// Its score is nothing.
    NoScore,
    /// As many others have it as may.
    Taken,
}

/// A fact that may be picked, or might have been.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct CandidateView {
    /// Which thing.
    pub key: Key,
    /// The fact that speaks of it.
    pub fact: FactId,
    /// From 0 to 1, without margin.
    pub score: f32,
    /// What each term of the score gives.
    pub factors: Vec<f32>,
    /// What each of them measures; `None`: there is nothing to measure.
    pub measured: Vec<Option<f32>>,
    /// Which others of the side count against it, and for how many seconds they have had it.
    pub others: Vec<(MindId, f64)>,
    /// Which others have it for themselves, and for how many seconds.
    pub holders: Vec<(MindId, f64)>,
    /// Why it is no candidate, if it is none.
    pub left_out: Option<LeftOut>,
    /// The part of the `where` that it fails, as the file says it.
    pub fails: Option<String>,
}

/// Why a selection holds what it holds.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct WhyPicked {
    /// What its slots hold.
    pub slots: Vec<PickView>,
    /// All facts that it may pick from, the best first, those that are left out last.
    pub candidates: Vec<CandidateView>,
    /// Another must score above this to take the place of the least of what is picked.
    pub bar: Option<f32>,
    /// The terms of the score, as the file says them.
    pub terms: Vec<String>,
    /// The score is times this for each of the others, if others count.
    pub spread: Option<f32>,
    /// Its `while` does not hold: nothing is picked, whatever there is.
    pub is_off: bool,
}

impl Mind {
    /// What each slot holds, in words.
    pub(super) fn picks_view(&self, spec: &Spec, now: Tick) -> Vec<PickView> {
        (0..self.picks.slots().len()).filter_map(|slot| self.pick_view(spec, slot, now)).collect()
    }

    /// Why a selection holds what it holds; `None` if there is no such.
    pub(crate) fn why_picked(
        &self,
        spec: &Spec,
        name: &str,
        shared: &Memory,
        others: &Others,
        now: Tick,
    ) -> Option<WhyPicked> {
        let id = spec.domain.map().find_select(name)?;
        let select = spec.selects.iter().find(|select| select.select == id)?;
        let situation = self.outside_situation(spec, shared, now);
        let chooser = Chooser { id: self.id, side: self.side, pins: 0, others };
        let mut candidates: Vec<CandidateView> = Vec::new();
        for fact in select.of.iter().flat_map(|pattern| pattern.facts(&situation)) {
            let is_new = candidates.iter().all(|known| known.fact != fact.id());
            if is_new && select.is_of(fact, &situation, &mut NEVER.clone()) {
                let key = select.key(fact);
                candidates.push(candidate(select, key, fact.id(), &situation, &chooser));
            }
        }
        candidates.sort_by(|a, b| {
            let out = a.left_out.is_some().cmp(&b.left_out.is_some());
            out.then(b.score.total_cmp(&a.score)).then(a.key.cmp(&b.key)).then(a.fact.cmp(&b.fact))
        });
        let own = usize::from(select.slots.start)..usize::from(select.slots.end);
        let all = self.picks_view(spec, now);
        let slots: Vec<PickView> = all.get(own).unwrap_or_default().to_vec();
        let held = slots.iter().filter(|slot| slot.holds.is_some());
        let least = held.map(|slot| slot.score).reduce(f32::min);
        let bar = least.map(|score| score * (1.0 + select.margin));
        let during = select.during.as_ref();
        let is_off = during.is_some_and(|during| !during.holds(&situation, &mut NEVER.clone()));
        let (terms, spread) = (select.score_words.clone(), select.spread);
        Some(WhyPicked { slots, candidates, bar, terms, spread, is_off })
    }

    /// What its conditions are asked of, from outside.
    pub(super) fn outside_situation<'s>(
        &'s self,
        spec: &Spec,
        shared: &'s Memory,
        now: Tick,
    ) -> Situation<'s> {
        Situation {
            here: self.here,
            me: self.me,
            picks: &self.picks,
            ..Situation::new(&self.memory, shared, self.state.values(), now, spec.pace)
        }
    }

    fn pick_view(&self, spec: &Spec, at: usize, now: Tick) -> Option<PickView> {
        let (pick, slot) = (self.picks.slots().get(at)?, spec.slots.get(at)?);
        let of = |select: &&SelectSpec| select.slots.contains(&(at as u16));
        let keep = spec.selects.iter().find(of).map_or(0, |select| select.keep);
        let kept_until = after(pick.since, keep);
        let holds = pick.is_bound().then(|| key_name(spec, Some(self), pick.key));
        Some(PickView {
            slot: slot.clone(),
            key: pick.key,
            score: pick.score,
            since: spec.pace.seconds(now.saturating_sub(pick.since)),
            why: why_words(pick.why),
            pinned: holds.is_some() && self.picks.made.pins & slot_set(at as u16, 1) != 0,
            kept_for: match holds {
                Some(_) => spec.pace.seconds(kept_until.saturating_sub(now)),
                None => 0.0,
            },
            holds,
        })
    }

    /// The slots that an action names and that are empty, in words; `None` if there is none.
    pub(super) fn lacks(&self, spec: &Spec, action: ActionId) -> Option<String> {
        self.empty_of(spec, spec.action(action).named)
    }

    /// Those of some slots that are empty, in words; `None` if there is none.
    pub(super) fn empty_of(&self, spec: &Spec, slots: SlotSet) -> Option<String> {
        let empty = slots & !self.picks.bound();
        let slots = throng_base::ones(empty).filter_map(|slot| spec.slots.get(slot));
        let names: Vec<String> = slots.map(|slot| format!("`{slot}`")).collect();
        (!names.is_empty()).then(|| format!("nothing is picked as {}", names.join(", ")))
    }
}

fn candidate(
    select: &SelectSpec,
    key: Key,
    fact: FactId,
    from: &Situation<'_>,
    chooser: &Chooser<'_>,
) -> CandidateView {
    let situation = &Situation { it: It { key, fact: Some(fact) }, ..*from };
    let wake = &mut NEVER.clone();
    let seconds = |since: Tick| from.pace.seconds(from.now.saturating_sub(since));
    let others: Vec<(MindId, f64)> =
        earlier(select, key, from, chooser).map(|(id, at)| (id, seconds(at))).collect();
    let holders = match select.claims {
        Some(_) => chooser.others.holders(key),
        None => &[],
    };
    let holders = holders.iter().filter(|claim| claim.mind != chooser.id);
    let left_out = left_out(select, key, situation, chooser);
    CandidateView {
        key,
        fact,
        score: select.own_score(situation, wake) * select.shared(others.len()),
        factors: select.score.iter().map(|term| term.value(situation, wake)).collect(),
        measured: select.score.iter().map(|term| term.measure.value(situation, wake)).collect(),
        others,
        holders: holders.map(|claim| (claim.mind, seconds(claim.since))).collect(),
        fails: (left_out == Some(LeftOut::Filter)).then(|| failed(select, situation)),
        left_out,
    }
}

/// Which others of the side count against it.
fn earlier<'c>(
    select: &SelectSpec,
    key: Key,
    from: &Situation<'_>,
    chooser: &Chooser<'c>,
) -> impl Iterator<Item = (MindId, Tick)> + use<'c> {
    let own = usize::from(select.slots.start)..usize::from(select.slots.end);
    let mut own = from.picks.slots().get(own).unwrap_or_default().iter();
    let held = own.find(|pick| pick.key == key && pick.is_bound()).map(|pick| pick.since);
    let is_shared = select.spread.is_some();
    is_shared.then(|| select.earlier(chooser, key, held)).into_iter().flatten()
}

/// Why `it`, a fact of what it picks from, is no candidate; `None` if it is one.
pub(super) fn left_out(
    select: &SelectSpec,
    key: Key,
    situation: &Situation<'_>,
    chooser: &Chooser<'_>,
) -> Option<LeftOut> {
    let wake = &mut NEVER.clone();
    let is_taken = select.claims.is_some_and(|n| chooser.others.is_taken(key, chooser.id, n));
    let shared = || select.shared(earlier(select, key, situation, chooser).count());
    match () {
        () if is_taken => Some(LeftOut::Taken),
        () if !select.passes(situation, wake) => Some(LeftOut::Filter),
        () if select.own_score(situation, wake) * shared() <= 0.0 => Some(LeftOut::NoScore),
        () => None,
    }
}

/// The first part of the `where` that `it` fails; all of it if its parts cannot be told apart.
fn failed(select: &SelectSpec, situation: &Situation<'_>) -> String {
    let words = &select.filter_words;
    let parts = match &select.filter {
        Some(Condition::All(parts)) if parts.len() == words.len() => &parts[..],
        _ => &[],
    };
    let at = parts.iter().position(|part| !part.holds(situation, &mut NEVER.clone()));
    at.and_then(|at| words.get(at)).cloned().unwrap_or_else(|| words.join(" and "))
}
