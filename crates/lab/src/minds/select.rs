//! Selections made anew: soldiers with 160 facts and 16 selections.
//!
//! In:   soldiers whose enemies move once a second, so that every selection is due and has changed.
//! Out:  nanoseconds of the phase `select` per mind when all are made, and in ticks in which nothing
//!       has changed.
//! Cost: rounds of a second of story each.
//!
//! Nobody plans here, so that nothing is pinned, and each soldier has a side and things of its own:
//! what others have is measured in `claims`. Whom each picks as its target must be whom a plain loop
//! over its memory picks, in every round, and its covers those of the loop when they are first picked.

use super::bytes::Bytes;
use super::fight::{cost_of_the_clock, wall_nanoseconds};
use super::soldiers::{FACTS, Knowledge, Nowhere, PACE, SELECTS, minds, tell};
use crate::report::{BenchResult, Session};
use throng_mind::events::{Event, EventKind};
use throng_mind::fact::{Attribute, EntityId, FactDraft, Position};
use throng_mind::memory::{FactRef, Memory};
use throng_mind::orders::{Message, MindId};
use throng_mind::select::Key;
use throng_mind::tick::PHASES;
use throng_mind::time::Tick;
use throng_mind::words::{Word, Words};
use throng_mind::{Mind, Minds};

/// What was asked for: at most so many nanoseconds.
pub(super) const AIM: f64 = 15_000.0;

/// What selections cost.
pub(super) struct Selecting {
    pub(super) minds: usize,
    /// Nanoseconds per mind of the phase in which all are made, and in which nothing has changed.
    pub(super) all: f64,
    pub(super) quiet: f64,
    /// Of the soldier that takes most, its memory full.
    pub(super) bytes: Bytes,
}

/// Minds, and the seconds that they live.
const MINDS: usize = 100;
const ROUNDS: u32 = 40;

/// So many things are told to a soldier in a tick.
const AT_ONCE: usize = 8;

/// What numbers of one soldier are apart from those of the next.
const APART: u64 = 1000;

pub(super) fn measure(session: &mut Session<'_>) -> BenchResult<Selecting> {
    session.begin("selections, with 160 facts")?;
    let n = session.pick(MINDS, 5);
    let mut minds = minds(n, false)?;
    let words = minds.spec().words.clone();
    let found = minds.spec().selects.len();
    if found != SELECTS {
        session.wrong.push(format!("the soldiers have {found} selections, not {SELECTS}"));
    }
    minds.set_budget(Some(0));
    minds.measure_by(Some(wall_nanoseconds));
    let ids: Vec<MindId> = minds.iter().map(Mind::id).collect();
    let known = |at: usize| Knowledge { words: &words, first: APART * (at as u64 + 1) };
    // Of enemies they learn last: without a target no cover is picked. They are told a few things at a
    // time, as they would be in a game: what waits for a mind takes room too.
    let mut rest: Vec<Vec<FactDraft>> = (0..n).map(|at| known(at).rest()).collect();
    for (at, &id) in ids.iter().enumerate() {
        minds.set_side(id, Word(at as u32))?;
    }
    for now in 1..PACE {
        for (&id, rest) in ids.iter().zip(&mut rest) {
            let few = rest.drain(..rest.len().min(AT_ONCE)).collect();
            tell(&mut minds, id, few, false)?;
        }
        minds.tick(&Nowhere, now);
    }
    let mut all = f64::INFINITY;
    let mut held = vec![Key::None; n];
    for second in 0..session.pick(ROUNDS, 3) {
        session.go_on()?;
        for (at, &id) in ids.iter().enumerate() {
            tell(&mut minds, id, known(at).news(second), second > 0)?;
        }
        all = all.min(selecting(&mut minds, (second + 1) * PACE));
        for (at, mind) in minds.iter().enumerate() {
            check(mind, known(at), minds.now(), &mut held[at], session);
        }
    }
    let bytes = Bytes::most(minds.iter()).ok_or("there are no soldiers")?;
    let quiet = quiet(&mut minds, &words, session)?;
    Ok(Selecting { minds: n, all, quiet, bytes })
}

/// Nanoseconds per mind of the phase in one tick.
fn selecting(minds: &mut Minds<Nowhere>, now: Tick) -> f64 {
    let select = PHASES.iter().position(|phase| phase.name == "select").unwrap_or(0);
    let before = minds.costs()[select];
    minds.tick(&Nowhere, now);
    let spent = (minds.costs()[select] - before) as f64 / minds.len().max(1) as f64;
    // The clock itself is asked once in the phase.
    (spent - cost_of_the_clock() as f64).max(0.0)
}

/// The same in ticks in which nothing changes: no noise grows older, and nobody is told anything.
fn quiet(minds: &mut Minds<Nowhere>, words: &Words, session: &mut Session<'_>) -> BenchResult<f64> {
    let noises = FactDraft::new(words.find("disturbance").unwrap_or(Word::NONE));
    let ids: Vec<MindId> = minds.iter().map(Mind::id).collect();
    for id in ids {
        minds.tell(id, Message::Untold(Box::new(noises)))?;
    }
    // Until the harm of the first seconds is forgiven, and all that this has changed looked at.
    for _ in 0..5 {
        selecting(minds, minds.now() + PACE);
    }
    let (begin, mut least) = (minds.now(), f64::INFINITY);
    for now in begin + 1..begin + PACE {
        least = least.min(selecting(minds, now));
        let is_pick = |event: &&Event| matches!(event.what, EventKind::Picked { .. });
        let picks = minds.events().iter().filter(is_pick).count();
        if picks > 0 {
            session.wrong.push(format!("{picks} picks though nothing changed"));
        }
    }
    Ok(least)
}

/// Holds what a soldier has picked against a plain loop over its memory; `held` is its target.
fn check(mind: &Mind, knows: Knowledge<'_>, now: Tick, held: &mut Key, session: &mut Session<'_>) {
    let n_facts = mind.memory().len();
    if n_facts != FACTS {
        session.wrong.push(format!("a soldier knows {n_facts} facts, not {FACTS}"));
    }
    let twin = Twin { memory: mind.memory(), knows, now };
    let is_first = *held == Key::None;
    *held = twin.target(*held);
    let slots: Vec<Key> = mind.picks().slots().iter().map(|pick| pick.key).collect();
    if !slots.contains(held) {
        session.wrong.push(format!("{:?} fights another than the plain loop", mind.id()));
    }
    if is_first && !twin.covers(*held).iter().all(|cover| slots.contains(cover)) {
        session.wrong.push(format!("{:?} picks other covers than the plain loop", mind.id()));
    }
}

/// The selections `target` and `cover` of the soldiers' file, written out as loops.
struct Twin<'m> {
    memory: &'m Memory,
    knows: Knowledge<'m>,
    now: Tick,
}

impl Twin<'_> {
    fn of_kind(&self, kind: &str) -> impl Iterator<Item = FactRef<'_>> {
        let kind = self.knows.word(kind);
        self.memory.iter().filter(move |fact| fact.kind() == kind)
    }

    /// The best of all that score, and the others behind it.
    fn ranked(mut all: Vec<(f32, EntityId)>) -> Vec<Key> {
        all.retain(|(score, _)| *score > 0.0);
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        all.into_iter().map(|(_, entity)| Key::Entity(entity)).collect()
    }

    fn target(&self, held: Key) -> Key {
        let mut all = Vec::new();
        for fact in self.of_kind("character") {
            let Some(entity) = fact.entity(Attribute::Object) else { continue };
            let is_about = |it: &FactRef<'_>| it.entity(Attribute::Source) == Some(entity);
            let hurts = |it: &FactRef<'_>| is_about(it) && self.now - it.updated() < 3 * PACE;
            let threatens = self.of_kind("aimed").any(|it| is_about(&it))
                || self.of_kind("damage").any(|it| hurts(&it));
            let mut score = on(&[(0.0, 0.2), (1.0, 1.0)], fact.sure(Attribute::Stimulus))
                * on(&[(0.0, 1.0), (6.0, 0.9), (30.0, 0.3)], far(fact, [0.0; 3]))
                * if threatens { 1.0 } else { 0.6 };
            if held == Key::Entity(entity) {
                score *= 1.25;
            }
            if fact.word(Attribute::Knowledge) == Some(self.knows.word("alive")) {
                all.push((score, entity));
            }
        }
        Self::ranked(all).first().copied().unwrap_or_default()
    }

    /// The three best, if none is held yet.
    fn covers(&self, target: Key) -> Vec<Key> {
        let is_target = |it: &FactRef<'_>| it.entity(Attribute::Object) == target.entity();
        let there = self.of_kind("character").find(is_target);
        let there = there.and_then(|it| it.position(Attribute::Position)).unwrap_or_default();
        let mut all = Vec::new();
        for fact in self.of_kind("spot") {
            let Some(entity) = fact.entity(Attribute::Object) else { continue };
            let is_it = |it: &FactRef<'_>| it.entity(Attribute::Object) == Some(entity);
            let exposed = || self.of_kind("exposed").filter(is_it);
            let way = self.of_kind("path").find(is_it).and_then(|it| it.number(Attribute::Amount));
            let way = way.unwrap_or(far(fact, [0.0; 3]));
            let score = on(&[(0.0, 1.0), (8.0, 0.8), (25.0, 0.1)], way)
                * on(
                    &[(0.0, 0.0), (2.0, 0.3), (4.0, 0.8), (7.0, 1.0), (20.0, 1.0), (35.0, 0.4)],
                    far(fact, there),
                )
                * on(&[(0.0, 1.0), (1.0, 0.5), (3.0, 0.1)], exposed().count() as f32);
            let of_target = |it: &FactRef<'_>| it.entity(Attribute::Source) == target.entity();
            let reaches = self.of_kind("reach").any(|it| is_it(&it) && of_target(&it));
            let score = if reaches { score } else { score * 0.5 };
            let place = fact.position(Attribute::Position).unwrap_or_default();
            let in_danger = self.of_kind("danger").any(|it| far(it, place) <= 5.0);
            let is_near = far(fact, [0.0; 3]) < 16.0 && !in_danger;
            let is_seen = exposed().any(|it| of_target(&it));
            let is_cover = fact.word(Attribute::Knowledge) == Some(self.knows.word("cover"));
            if is_cover && is_near && !is_seen {
                all.push((score, entity));
            }
        }
        let mut best = Self::ranked(all);
        best.truncate(3);
        best
    }
}

fn far(fact: FactRef<'_>, from: Position) -> f32 {
    let there = fact.position(Attribute::Position).unwrap_or_default();
    (there[0] - from[0]).hypot(there[1] - from[1])
}

/// The height of a curve: straight between its points, flat outside.
fn on(points: &[(f32, f32)], x: f32) -> f32 {
    let between = points.windows(2).find(|pair| (pair[0].0..pair[1].0).contains(&x));
    match between {
        Some(pair) => {
            pair[0].1 + (pair[1].1 - pair[0].1) * (x - pair[0].0) / (pair[1].0 - pair[0].0)
        }
        None if x < points[0].0 => points[0].1,
        None => points[points.len() - 1].1,
    }
}
