//! What is done beside the step, as files write it: `beside`, and the channels of `uses`.
//!
//! In:   `beside call_out: say(contact) with goto if target uses voice every 6`.
//! Out:  a [`BesideSpec`], and which NPC types have it.
//! Cost: one pass; for each type a walk over what it can do.
//!
//! An NPC type has what stands beside one of the actions that it can do. What stands beside any action
//! it has if it can do one of the same file: who uses another's file does not speak with his voice. The
//! mind of a squad has no body, so it has only what names one of its own actions.

use super::conditions::Scope;
use super::parts::{Seen, listed, no_part};
use super::read::{Read, Reading};
use super::{Spec, defaults};
use crate::chance::Chance;
use crate::channels::{Channel, ChannelSet};
use crate::condition::{Condition, Ref, Source};
use crate::effects::EffectMoment;
use crate::picks::{Picks, SlotSet, slot_set};
use crate::time::Tick;
use crate::words::Word;
use throng_base::DidYouMean;
use throng_domain::model::{ActionId, Model};
use throng_domain::notes::{Note, NoteReader, WordKind};
use throng_domain::{Code, Report};

/// The words that begin the parts of a beside.
const PARTS: [&str; 10] =
    ["with", "if", "uses", "every", "takes", "chance", "first", "then", "else", "finally"];

/// `beside NAME: BEHAVIOUR(GIVEN) with ACTIONS if CONDITION uses CHANNELS …`
#[derive(Clone, PartialEq, Debug)]
pub struct BesideSpec {
    /// Its name.
    pub name: Word,
    /// The behaviour that does it.
    pub does: Word,
    /// What the behaviour is given: slots, or words.
    pub given: Vec<Word>,
    /// By what is given: the slots that it is, if it is some.
    pub slots: Vec<Option<(u16, u16)>>,
    /// Only while one of these is under way, in order; empty: whatever is.
    pub with: Vec<ActionId>,
    /// Only while this holds.
    pub condition: Option<Condition>,
    /// The channels that it takes.
    pub uses: ChannelSet,
    /// It begins at most once in so many ticks.
    pub every: Tick,
    /// How long it takes, if no code says otherwise.
    pub takes: Tick,
    /// How often it may begin at all.
    pub chance: Option<Chance>,
    /// Position in [`Spec::effects`] of what it does besides its behaviour.
    pub effects: Option<usize>,
}

impl BesideSpec {
    /// Whether all that it is given is there: of several slots one is enough.
    pub(crate) fn is_bound(&self, picks: &Picks) -> bool {
        let mut groups = self.slots.iter().flatten();
        let bound = picks.bound();
        groups.all(|&(first, n)| bound & slot_set(first, n) != 0)
    }

    /// The slots that must hold the same all the while: it is about what they held.
    pub(crate) fn pins(&self) -> SlotSet {
        let single = self.slots.iter().flatten().filter(|(_, n)| *n == 1);
        single.fold(0, |all, &(slot, _)| all | slot_set(slot, 1))
    }

    /// What files call `it` in its effects: the first of what it is given.
    pub(crate) fn first_given(&self) -> Option<Ref> {
        let word = self.given.first()?;
        let slots = self.slots.first().copied().flatten();
        Some(slots.map_or(Ref::Word(*word), |(first, n)| Ref::Slots(first, n)))
    }
}

impl Reading<'_> {
    /// `CHANNEL, CHANNEL`.
    pub(super) fn channels(&mut self, r: &mut NoteReader<'_, '_>) -> Read<ChannelSet> {
        let (mut uses, mut is_known) = (ChannelSet::NONE, true);
        listed(r, |r| {
            let word = r.name("a channel, as in `uses hands, head`")?;
            let names = Channel::ALL.map(Channel::name);
            match Channel::named(&word.text) {
                Some(channel) => uses = uses.with(channel),
                None => {
                    let did = DidYouMean(r.report.nearest(&word.text, names.into_iter()));
                    let text = format!("there is no channel `{}`{did}", word.text);
                    let cure = format!("use one of: {}", names.join(", "));
                    r.report.say(Code::ChannelNeverFree, word.span, text, cure);
                    is_known = false;
                }
            }
            Ok(())
        })?;
        // What is meant is unknown, so nothing is said of what it meets.
        Ok(if is_known { uses } else { ChannelSet::NONE })
    }

    /// `NAME: BEHAVIOUR(GIVEN, …) with ACTION, … if CONDITION uses CHANNEL, … every SECONDS takes SECONDS
    /// chance F per SECONDS first|then|else|finally EFFECTS`.
    pub(super) fn beside(&mut self, note: &Note, r: &mut NoteReader<'_, '_>) -> Read<()> {
        let name = r.name("its name, as in `beside call_out: say(contact) uses voice`")?;
        let word = self.spec.words.intern(&name.text);
        let known = self.spec.besides.iter().position(|beside| beside.name == word);
        if let Some(first) = known.and_then(|at| self.beside_places.get(at).copied()) {
            let text = format!("`beside {}` is declared twice", name.text);
            let cure = "rename one of them".to_string();
            r.report.say_twice(Code::NoteTwice, name.span, first, text, cure);
        }
        r.sign(WordKind::Colon)?;
        let does = r.name("the behaviour that does it, as in `beside call_out: say(contact)`")?;
        let does = self.spec.words.intern(&does.text);
        let given = self.given_to_code(r, "what it is about, as in `say(contact)`")?;
        let slots = given.iter().map(|&word| self.slots_named(word)).collect();
        let mut beside = BesideSpec {
            name: word,
            does,
            given,
            slots,
            with: Vec::new(),
            condition: None,
            uses: ChannelSet::ALL,
            every: 0,
            takes: self.spec.pace.ticks(defaults::TAKES),
            chance: None,
            effects: None,
        };
        let mut seen = Seen::default();
        while !r.is_done() {
            match seen.part(r, &PARTS) {
                Some("with") => beside.with = self.actions(r)?,
                Some("if") => beside.condition = Some(self.condition(r, Scope::Elsewhere)?),
                Some("uses") => beside.uses = self.channels(r)?,
                Some("every") => beside.every = self.seconds(r, "seconds, as in `every 6`")?,
                Some("takes") => beside.takes = self.seconds(r, "seconds, as in `takes 1.5`")?,
                Some("chance") => beside.chance = Some(self.chance(&name.text, r)?),
                Some(part) => {
                    let moment = EffectMoment::ALL.into_iter().find(|it| it.name() == part);
                    let scope = Scope::Price { has_it: !beside.given.is_empty() };
                    let effects = self.joined_effects(r, scope)?;
                    if let Some(moment) = moment {
                        let (of, at) = (beside.effects, (note.span, &mut *r));
                        let added = self.add_effects(of, &name.text, moment, effects, at);
                        beside.effects = Some(added);
                    }
                }
                None => return Err(no_part(r, "a beside", &PARTS)),
            }
        }
        if self.spec.besides.len() >= usize::from(u16::MAX) {
            let text = format!("more than {} besides", u16::MAX);
            r.report.say(Code::TooManyDeclarations, name.span, text, "leave some out");
            return Ok(());
        }
        self.spec.besides.push(beside);
        self.beside_places.push(name.span);
        Ok(())
    }

    /// The slots that a word names, the first and how many.
    fn slots_named(&self, word: Word) -> Option<(u16, u16)> {
        match self.slots_of(self.spec.words.text(word))? {
            Source::Slots(first, n) => Some((first, n)),
            _ => None,
        }
    }

    /// Tells of what can never begin: whenever it might, its channels are taken.
    pub(super) fn check_besides(&mut self, report: &mut Report) {
        for (at, &span) in (0u16..).zip(&self.beside_places) {
            let beside = &self.spec.besides[usize::from(at)];
            let goes_with = match beside.with.is_empty() {
                true => self.all_beside(at),
                false => beside.with.clone(),
            };
            let is_taken = |id: &ActionId| self.spec.action(*id).uses.meets(beside.uses);
            let Some(first) = goes_with.first().filter(|_| goes_with.iter().all(is_taken)) else {
                continue;
            };
            let (name, uses) = (self.spec.words.text(beside.name), beside.uses);
            // The one that has not said what it takes is the likeliest to be mended.
            let is_silent = |id: &&ActionId| self.spec.action(**id).uses == ChannelSet::ALL;
            let first = self.spec.action(*goes_with.iter().find(is_silent).unwrap_or(first));
            let (action, own) = (self.spec.words.text(first.template), first.uses);
            let is_one = |id: &ActionId| self.spec.action(*id).template == first.template;
            let which = match beside.with.is_empty() {
                true => "every action of the types that have it",
                false if goes_with.iter().all(is_one) => "the action that it goes with",
                false => "every action that it goes with",
            };
            let text =
                format!("`{name}` can never begin: {which} takes one of its channels ({uses})");
            let cure = match (uses, own) {
                (ChannelSet::ALL, _) => {
                    "say which channels it takes itself, as in `uses voice`".to_string()
                }
                (_, ChannelSet::ALL) => {
                    let all = Channel::ALL.map(Channel::name).join(", ");
                    format!(
                        "say which channels `{action}` takes, as in `uses legs`; it has all of \
                         them ({all}) as long as it does not say"
                    )
                }
                _ => format!(
                    "`{action}` uses {own}: let one of the two use less, or let `{name}` go with \
                     another action"
                ),
            };
            report.say(Code::ChannelNeverFree, span, text, cure);
        }
    }

    /// All that those do who have something beside any action; nothing if one of them may be idle for a
    /// while, with all channels free.
    fn all_beside(&self, at: u16) -> Vec<ActionId> {
        let spec = &self.spec;
        let kinds = spec.npcs.iter().zip(spec.domain.npcs());
        let having = kinds.filter(|(own, _)| own.besides.contains(&at));
        // What is done without a plan, and is there at all times.
        let is_always_there = |id: ActionId| {
            let action = spec.action(id);
            action.cooldown.is_none() && action.chance.is_none() && action.named == 0
        };
        let mut all = Vec::new();
        for (own, kind) in having {
            let is_busy = own.otherwise.is_some_and(is_always_there) && own.otherwise_after == 0;
            if !is_busy || kind.goals().iter().any(|&goal| spec.goal(goal).lingers > 0) {
                return Vec::new();
            }
            all.extend_from_slice(kind.actions());
        }
        all
    }

    /// Gives every type what it does beside.
    pub(super) fn give_besides(&mut self, model: &Model) {
        if self.spec.besides.is_empty() {
            return;
        }
        self.spec.wrong_channel = self.spec.words.intern("wrong_channel");
        let Spec { besides, npcs, squads, domain, actions, .. } = &mut self.spec;
        for (at, own) in npcs.iter_mut().enumerate() {
            let Some(kind) = domain.npcs().get(at) else { continue };
            let is_squad = squads.iter().any(|squad| squad.npc == kind.id());
            // Of a compound its parts too.
            let whole = kind.actions().iter().copied();
            let can: Vec<ActionId> = whole
                .flat_map(|id| actions[id.index()].parts.iter().copied().chain([id]))
                .collect();
            let places = (0u16..).zip(besides.iter().zip(&self.beside_places));
            let has = places.filter(|(_, (beside, place))| match beside.with.is_empty() {
                true => {
                    let file = |id: &ActionId| model.actions()[id.index()].span().file;
                    !is_squad && can.iter().any(|id| file(id) == place.file)
                }
                false => can.iter().any(|id| beside.with.binary_search(id).is_ok()),
            });
            own.besides = has.map(|(at, _)| at).collect();
        }
    }
}
