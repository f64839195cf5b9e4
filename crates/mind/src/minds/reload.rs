//! Another version of the file while minds live.
//!
//! In:   a new spec, the same code.
//! Out:  minds that remember what they knew, by name, and think anew.
//! Cost: one pass over minds and facts; not for the frame.
//!
//! What is under way is cancelled first, with the old file's words. Facts, what was told and not
//! yet heard, values, learnt actions and the game's own answers to checks are kept where the new
//! file has their names. If it lacks the type of a living mind, or needs code that is not there, it is
//! refused, all that is wrong is told at once, and nothing is changed.

use super::{Losses, Lost, Minds};
use crate::effects::{Team, TeamCooling};
use crate::events::Cause;
use crate::fact::{FactDraft, Value};
use crate::fit::{BodyError, ReloadError, TypeGone};
use crate::former::Former;
use crate::memory::{FactId, FactRef, Memory};
use crate::mind::Mind;
use crate::orders::Message;
use crate::select::{Claim, Key, Others, Pick};
use crate::spec::Spec;
use crate::tape::{MindCall, NO_MIND};
use crate::time::Tick;
use crate::words::Word;
use std::sync::Arc;
use throng_base::nearest;
use throng_domain::compile::{CarriedValue, PackedValue as StateValue, UNKNOWN};
use throng_domain::model::{ActionId, NpcTypeId};

/// The result of a reload.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reloaded {
    /// Minds that go on.
    pub kept: usize,
    /// Minds whose type is gone; none unless [`Minds::reload_and_end`] was asked.
    pub ended: usize,
    /// Values that the new file does not have, and are unknown now or as the type starts.
    pub values_lost: usize,
    /// Numbers that are out of the range of their amounts now; the nearest took their places.
    pub values_clamped: usize,
    /// What the code has and the new file does not, as [`Minds::new`] would tell it. A designer may
    /// take an action out while the game runs; a name that was mistyped looks the same.
    pub unused: Vec<BodyError>,
}

impl<W: ?Sized + Sync> Minds<W> {
    /// Replaces the file under living minds. Orders and events of the cancelled actions are with
    /// those of the last tick; the events are in the old file's numbers, so tell them before.
    ///
    /// # Errors
    ///
    /// The new file has a polled sensor without code, or lacks the type of a living mind; then
    /// everything is as before. A type that has another name now says `was`; minds that are to go are
    /// [despawned](Self::despawn) before, or see [`reload_and_end`](Self::reload_and_end).
    pub fn reload(&mut self, spec: Spec, world: &W) -> Result<Reloaded, ReloadError> {
        let gone = self.types_gone(&spec);
        self.replace(spec, world, gone)
    }

    /// The same, and minds whose type the new file does not have end: what they do is cancelled,
    /// and [`Reloaded::ended`] counts them.
    ///
    /// # Errors
    ///
    /// The new file has a polled sensor without code; then everything is as before.
    pub fn reload_and_end(&mut self, spec: Spec, world: &W) -> Result<Reloaded, ReloadError> {
        self.replace(spec, world, Vec::new())
    }

    /// The types of living minds that a file does not have, by number.
    fn types_gone(&self, spec: &Spec) -> Vec<TypeGone> {
        let (old, new) = (self.spec.domain.map(), spec.domain.map());
        let mut counts = vec![0; self.spec.npcs.len()];
        self.iter().for_each(|mind| counts[mind.npc.index()] += 1);
        let counted = old.npc_names().zip(counts);
        let gone = counted.filter(|(name, minds)| *minds > 0 && new.find_npc(name).is_none());
        gone.map(|(name, minds)| {
            let nearest = nearest(name, new.npc_names());
            let nearest = nearest.map(str::to_string);
            TypeGone { name: name.to_string(), minds, nearest }
        })
        .collect()
    }

    /// Goes over to the new file unless something stands in the way.
    fn replace(
        &mut self,
        mut spec: Spec,
        world: &W,
        gone: Vec<TypeGone>,
    ) -> Result<Reloaded, ReloadError> {
        let (wires, unused) = match self.code.wires_for(&mut spec) {
            Ok(fits) if gone.is_empty() => fits,
            fits => return Err(ReloadError { code: fits.err(), gone }),
        };
        let mut result = Reloaded { kept: 0, ended: 0, values_lost: 0, values_clamped: 0, unused };
        // The file itself is for the owner of the recording; not so its words, some of which come
        // from code.
        self.tape.door(NO_MIND, MindCall::Reload, |to| _ = to.write(&spec.words));
        let mut all: Vec<Mind> = self.groups.drain(..).flat_map(|group| group.minds).collect();
        // What is shared in the end is in the old file's words, and carried with the rest.
        self.between_ticks(|minds, outbox| {
            all.iter_mut().for_each(|mind| minds.cancel(mind, world, outbox));
        });
        let file = Arc::clone(&self.spec);
        let old = Former { names: file.names(), words: &file.words.texts };
        let tables = Arc::clone(&spec.domain);
        let mut kept = Vec::with_capacity(all.len());
        let mut losses = Losses::default();
        for mind in all {
            let Some(npc) = tables.map().find_npc(old.npc(mind.npc)) else {
                result.ended += 1;
                continue;
            };
            kept.push(carry_mind(mind, npc, old, &mut spec, self.now, &mut losses));
        }
        self.shared = carry_facts(&self.shared, old, &mut spec, self.shared.bound());
        self.others = carry_others(&self.others, old, &mut spec, &kept);
        carry_cooling(&mut self.cooling, old, &mut spec);
        result.kept = kept.len();
        result.values_lost = losses.count(&[Lost::Variable, Lost::Value]);
        result.values_clamped = losses.count(&[Lost::Number]);
        self.former = None;
        self.code.rewire(wires);
        self.spec = Arc::new(spec);
        self.settle(kept);
        self.hand_out_again();
        Ok(result)
    }
}

/// What a mind of another version of the file is in this one: it remembers what it knew, by name,
/// and thinks anew. Nothing of it is under way.
pub(crate) fn carry_mind(
    mind: Mind,
    npc: NpcTypeId,
    old: Former<'_>,
    spec: &mut Spec,
    now: Tick,
    losses: &mut Losses,
) -> Mind {
    let mut new = Mind::new(spec, npc, mind.id, mind.me, now);
    new.here = mind.here;
    new.side = carry(old, spec, mind.side);
    new.squad = mind.squad;
    new.state.pauses.cooling = mind.state.pauses.cooling.clone();
    for cooling in &mut new.state.pauses.cooling {
        cooling.template = carry(old, spec, cooling.template);
    }
    new.memory = carry_facts(&mind.memory, old, spec, new.memory.bound());
    losses.add(Lost::Facts, "", mind.memory.len() - new.memory.len().min(mind.memory.len()));
    new.questions = mind.questions.clone().carry(|word| carry(old, spec, word));
    carry_picks(&mind, &mut new, old, spec);
    carry_values(&mind, &mut new, old, spec, losses);
    // Whatever was begun has ended.
    new.follow.started = mind.follow.started;
    new.follow.ended = mind.follow.started;
    new.plan.serial = mind.plan.serial;
    new.plan.asked = mind.plan.asked;
    new.plan.need = Some(Cause::Reloaded);
    let goal = mind.plan.goal.map(|goal| old.names.goals[goal.index()].as_str());
    if let Some(goal) = goal.filter(|goal| spec.domain.map().find_goal(goal).is_none()) {
        losses.add(Lost::Goal, goal, 1);
    }
    carry_messages(&mind, &mut new, old, spec);
    new.board.carry(mind.board, |word| carry(old, spec, word));
    new
}

/// The same word in the new file's numbers.
pub(crate) fn carry(old: Former<'_>, new: &mut Spec, word: Word) -> Word {
    if word == Word::NONE { word } else { new.words.intern(old.word(word)) }
}

/// Carries what is picked, by the name of the slot and by what it holds: the fact is found anew.
fn carry_picks(mind: &Mind, new_mind: &mut Mind, old: Former<'_>, new: &mut Spec) {
    for (name, pick) in old.names.slots.iter().zip(mind.picks.slots()) {
        let key = carry_key(pick.key, old, new);
        let slot = new.domain.map().find_slot(name).filter(|_| key != Key::None);
        let mut made = new.selects_of(new_mind.npc).map(|(_, select)| &select.slots);
        // What its type makes no more nobody would ever take out of the slot.
        let slot = slot.filter(|slot| made.any(|own| own.contains(&(slot.index() as u16))));
        if let Some(slot) = slot {
            let fact = FactId::default();
            new_mind.picks.slots[slot.index()] = Pick { key, fact, ..*pick };
        }
    }
}

/// What cools for teams, in the new file's words.
pub(crate) fn carry_cooling(all: &mut [TeamCooling], old: Former<'_>, new: &mut Spec) {
    for cooling in all {
        cooling.template = carry(old, new, cooling.template);
        if let Team::Side(side) = &mut cooling.of {
            *side = carry(old, new, *side);
        }
    }
}

/// The same in the new file's words; facts are others by then.
pub(crate) fn carry_key(key: Key, old: Former<'_>, new: &mut Spec) -> Key {
    match key {
        Key::Word(word) => Key::Word(carry(old, new, word)),
        Key::Fact(_) => Key::None,
        Key::None | Key::Entity(_) | Key::Number(_) => key,
    }
}

/// The same claims, of those minds that go on.
pub(crate) fn carry_others(
    others: &Others,
    old: Former<'_>,
    new: &mut Spec,
    minds: &[Mind],
) -> Others {
    let mut carried = |claims: &[Claim]| -> Vec<Claim> {
        let goes_on = |claim: &&Claim| minds.binary_search_by_key(&claim.mind, Mind::id).is_ok();
        let living = claims.iter().filter(goes_on);
        living.map(|claim| Claim { key: carry_key(claim.key, old, new), ..*claim }).collect()
    };
    let (claims, given) = (carried(others.claims()), carried(&others.given));
    let mut others = others.with(claims, given);
    others.note_picks(new, minds.iter().map(Mind::picker));
    others
}

/// Carries what has arrived and was not taken in yet; orders have ended, so nothing of them.
fn carry_messages(mind: &Mind, new_mind: &mut Mind, old: Former<'_>, new: &mut Spec) {
    let arrived = mind.senses.waiting().map(|stimulus| Message::Stimulus(*stimulus));
    let messages = arrived.chain(mind.inbox.iter().cloned());
    new_mind.inbox.extend(messages.filter_map(|message| carry_message(message, old, new)));
}

/// The same message in the new file's words; nothing of orders, which have ended.
pub(crate) fn carry_message(
    mut message: Message,
    old: Former<'_>,
    new: &mut Spec,
) -> Option<Message> {
    match &mut message {
        Message::Stimulus(stimulus) => {
            stimulus.kind = carry(old, new, stimulus.kind);
            stimulus.event = carry(old, new, stimulus.event);
        }
        Message::Told(fact) | Message::Retold(fact) | Message::Untold(fact) => {
            carry_draft(fact, old, new);
        }
        Message::Done(_) | Message::Failed(..) => return None,
        Message::Answered(..) => {}
    }
    Some(message)
}

/// The same fact in the new file's words.
fn carry_draft(fact: &mut FactDraft, old: Former<'_>, new: &mut Spec) {
    fact.kind = carry(old, new, fact.kind);
    for (value, _) in fact.attributes.iter_mut().flatten() {
        if let Value::Word(word) = value {
            *word = carry(old, new, *word);
        }
    }
}

pub(crate) fn carry_facts(
    memory: &Memory,
    old: Former<'_>,
    new: &mut Spec,
    bound: usize,
) -> Memory {
    let mut carried = Memory::new(bound);
    let mut facts: Vec<FactRef<'_>> = memory.iter().collect();
    // If there is less room now, the oldest are the first to go.
    facts.sort_by_key(|fact| fact.updated());
    for fact in facts {
        let mut draft = fact.draft().cleaned();
        carry_draft(&mut draft, old, new);
        let writer = carry(old, new, fact.writer());
        let keep = fact.expires().saturating_sub(fact.updated());
        carried.add(&draft, writer, fact.updated(), keep);
    }
    carried
}

/// Carries values, the game's own answers and what was learnt, where the new file has the names.
fn carry_values(
    mind: &Mind,
    new_mind: &mut Mind,
    old: Former<'_>,
    new: &Spec,
    losses: &mut Losses,
) {
    let to = new.domain.map();
    for &variable in &old.names.npcs[mind.npc.index()].variables {
        let value = mind.state.values()[variable.index()];
        if value == UNKNOWN {
            continue;
        }
        let (name, values) = (old.variable(variable), old.values(variable));
        let said = || format!("{name} = {}", values.name(value));
        let Some(id) = to.find_variable(name) else {
            losses.add(Lost::Variable, &said(), 1);
            continue;
        };
        match values.carry(value, to, id) {
            CarriedValue::Same(value) => new_mind.state.set(id, value.index() as StateValue),
            CarriedValue::Nearest(value) => {
                new_mind.state.set(id, value.index() as StateValue);
                losses.add(Lost::Number, &said(), 1);
            }
            CarriedValue::Gone => losses.add(Lost::Value, &said(), 1),
        }
    }
    // What the game has answered itself it does not answer again.
    for &check in mind.state.told.iter() {
        match to.find_check(old.check(check)) {
            Some(id) => {
                new_mind.state.tell_check(id, mind.state.checks().holds(check));
                let at = mind.state.told_at.iter().find(|(known, _)| *known == check);
                at.into_iter().for_each(|&(_, at)| new_mind.state.note_told(new, id, at));
            }
            None => losses.add(Lost::Check, old.check(check), 1),
        }
    }
    let rules = mind.state.learnt.iter().enumerate().filter(|(_, learnt)| **learnt);
    let actions = rules.flat_map(|(at, _)| &old.names.learns[at]);
    let names = actions.map(|&action| old.action(action));
    let mut learnt: Vec<(&str, Option<ActionId>)> = Vec::new();
    for name in names {
        learnt.extend(to.find_actions(name).map(|id| (name, Some(id))));
        if learnt.last().is_none_or(|(known, _)| *known != name) {
            learnt.push((name, None));
        }
    }
    let knew = |id: &ActionId| learnt.iter().any(|(_, known)| *known == Some(*id));
    for (at, rule) in new.learns.iter().enumerate() {
        if !rule.actions.is_empty() && rule.actions.iter().all(knew) {
            new_mind.state.learn(at);
        }
    }
    for (name, id) in learnt {
        if id.is_none_or(|id| !new_mind.state.knows(new, id)) {
            losses.add(Lost::Learnt, name, 1);
        }
    }
}
