//! What actors have picked, by name.
//!
//! In:   the picks of a mind.
//! Out:  names of actors, things and nodes for what slots hold; actions with these names; why a
//!       pick has changed, in words.
//! Cost: allocates; for those who watch, and for promises about picks.

use super::cast::Cast;
use crate::cell::Cell;
use throng_mind::Mind;
use throng_mind::effects::Circle;
use throng_mind::events::EventKind;
use throng_mind::fact::{Attribute, EntityId};
use throng_mind::inspect::{EventText, named_key, with_held, with_keys};
use throng_mind::orders::MindId;
use throng_mind::select::{Key, Pick, PickReason};
use throng_mind::words::Word;

/// How an action is shown that has a slot as a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ShowSlots {
    /// `goto(c7)`
    #[default]
    Held,
    /// `goto(cover.2=c7)`
    Both,
}

/// A score in thousandths, for people: one that others have pressed down is small, and not nothing.
fn score_text(score: u16) -> String {
    match score {
        0..5 => "under 0.01".to_string(),
        _ => format!("{:.2}", f64::from(score) / 1000.0),
    }
}

/// Whether a slot is meant by a name: its own, or that of its selection.
fn is_called(slot: &str, name: &str) -> bool {
    slot == name || slot.rsplit_once('.').is_some_and(|(select, _)| select == name)
}

impl Cast {
    /// What a key of an actor or squad stands for, by name; `None` of an empty slot. What is only a
    /// fact is called by its kind.
    pub fn key_name(&self, voice: usize, key: Key) -> Option<String> {
        let name = |entity| self.thing_name(entity);
        let named = || named_key(self.minds().spec(), self.mind(voice), key, &name);
        (key != Key::None).then(named)
    }

    /// The same, and of a fact also where it is.
    pub fn key_and_place(&self, voice: usize, key: Key) -> Option<String> {
        let name = self.key_name(voice, key)?;
        let Key::Fact(fact) = key else { return Some(name) };
        let fact = self.mind(voice).and_then(|mind| mind.memory().get(fact));
        let place = fact.and_then(|fact| fact.position(Attribute::Position));
        Some(place.map_or(name.clone(), |[x, y, _]| format!("{name} at ({x:.1} {y:.1})")))
    }

    /// What a thing of the world is called; by its number if it has no name.
    pub fn thing_name(&self, entity: EntityId) -> String {
        self.name_in_full(entity).map_or_else(|| format!("#{}", entity.0), str::to_string)
    }

    /// Who has a mind, by name.
    pub fn mind_name(&self, mind: MindId) -> String {
        let voices = (0..self.story().actors.len()).chain(self.squad_voices());
        let is_it = |voice: &usize| self.mind(*voice).is_some_and(|it| it.id() == mind);
        let voice = voices.into_iter().find(is_it);
        voice.map_or_else(|| format!("mind {}", mind.0), |voice| self.voice_name(voice).to_string())
    }

    /// What the slots of a selection hold, or the one slot of that name.
    pub(super) fn picks_named(&self, voice: usize, name: &str) -> impl Iterator<Item = Pick> {
        let slots = self.minds().spec().slots.iter();
        let picks = self.mind(voice).map_or(&[][..], |mind| mind.picks().slots());
        let named = slots.zip(picks).filter(move |(slot, _)| is_called(slot, name));
        named.map(|(_, pick)| *pick).filter(Pick::is_bound)
    }

    /// The names of what the slots of a selection hold.
    pub(super) fn picked_names(&self, voice: usize, name: &str) -> Vec<String> {
        self.picks_named(voice, name).filter_map(|pick| self.key_name(voice, pick.key)).collect()
    }

    /// Whether an actor stands at what a slot of a selection holds: beside it, if it is a thing.
    pub(super) fn stands_at_pick(&self, actor: usize, name: &str) -> bool {
        let here = self.handle(actor).and_then(|handle| self.world().actor(handle));
        let Some(here) = here.map(|actor| actor.cell) else { return false };
        self.picks_named(actor, name).any(|pick| {
            let is_thing = pick.key.entity().is_some_and(|it| self.world().thing(it).is_some());
            let cell = self.cell_of_key(pick.key);
            cell.is_some_and(|cell| here == cell || is_thing && here.is_beside(cell))
        })
    }

    /// How far an actor is from what another has picked; from the nearest, if that is several.
    pub(super) fn far_from_picked(&self, one: usize, who: usize, name: &str) -> Option<f32> {
        let here = self.world().actor(self.living(one)?)?.cell;
        let cells = self.picks_named(who, name).filter_map(|pick| self.cell_of_key(pick.key));
        cells.map(|cell| cell.distance(here)).min_by(f32::total_cmp)
    }

    /// Whether a mind has asked in the last tick for what its next step is about: whose it is was decided
    /// after it, and nobody sets out before that.
    pub(super) fn has_just_asked(&self, mind: &Mind) -> bool {
        let (spec, now) = (self.minds().spec(), self.minds().now());
        let slots = mind.plan().step().map_or(&[][..], |step| &spec.action(step).slots);
        let picks = slots.iter().flatten().filter_map(|&slot| mind.picks().get(slot.into()));
        let is_new = |pick: Pick| {
            let mut claims = self.minds().claims().iter();
            claims.any(|it| (it.key, it.since) == (pick.key, now))
        };
        picks.into_iter().any(is_new)
    }

    fn cell_of_key(&self, key: Key) -> Option<Cell> {
        let named = |word| self.world().nodes().iter().find(|node| node.name == word);
        match key {
            Key::Entity(entity) => self.world().cell_of(entity),
            Key::Word(word) => named(word).map(|node| node.cell),
            _ => None,
        }
    }

    /// A text in which slots that stand as parameters are shown with what they hold.
    pub fn with_names(&self, voice: usize, text: &str, how: ShowSlots) -> String {
        let Some(mind) = self.mind(voice) else { return text.to_string() };
        let name = |entity| self.thing_name(entity);
        with_held(self.minds().spec(), mind, text, how == ShowSlots::Both, &name)
    }

    /// The same for what has ended in this tick: with what its slots held when it did.
    pub(super) fn with_old_names(&self, voice: usize, text: &str, how: ShowSlots) -> String {
        let Some(mind) = self.mind(voice) else { return text.to_string() };
        let held = |at: usize| {
            let is_it = |it: &&(usize, u16, Key)| it.0 == voice && usize::from(it.1) == at;
            let before = self.let_go.iter().find(is_it).map(|it| it.2);
            before.filter(|&key| key != Key::None).or_else(|| Some(mind.picks().get(at)?.key))
        };
        let name = |entity| self.thing_name(entity);
        with_keys(self.minds().spec(), mind, text, how == ShowSlots::Both, &held, &name)
    }

    /// That a slot holds something else, with names; `None` if that is not what happened.
    pub(super) fn tell_pick(&self, voice: usize, what: EventKind) -> Option<EventText> {
        let EventKind::Picked { slot, now, before, score, why } = what else { return None };
        let slot = self.minds().spec().slots.get(usize::from(slot))?;
        let old = self.key_name(voice, before).unwrap_or_else(|| "what it had".to_string());
        let is_dead = before
            .entity()
            .is_some_and(|entity| self.world().actor(entity).is_some_and(|actor| !actor.alive));
        let why = match why {
            PickReason::Best => None,
            PickReason::Gone if is_dead => Some(format!("{old} is dead")),
            PickReason::Gone if before == Key::None => None,
            PickReason::Gone if matches!(before, Key::Fact(_)) => {
                Some("what it was about is forgotten, or no choice any more".to_string())
            }
            PickReason::Gone => Some(format!("{old} is no choice any more")),
            PickReason::Better => Some(format!("better than {old}")),
            PickReason::Taken => Some(format!("{old} is another's")),
            PickReason::Shared => Some(format!("others had {old} before")),
            PickReason::Off => Some("nothing is to be picked now".to_string()),
        };
        Some(match self.key_name(voice, now) {
            Some(name) => {
                let name = format!("{slot} {name} ({})", score_text(score));
                EventText::new("picked", "picks", name, why)
            }
            None => EventText::new("picked", "has no more", slot.clone(), why),
        })
    }

    /// That somebody tells others something, or is told, with names; `None` if that is not what
    /// happened.
    pub(super) fn tell_told(&self, voice: usize, what: EventKind) -> Option<EventText> {
        match what {
            EventKind::Tells { kind, about, to } => {
                let what = self.told_of(voice, kind, about);
                let whom = match to {
                    Some(Circle::Squad) => "its squad",
                    Some(Circle::Side) => "its side",
                    Some(Circle::All) => "everybody",
                    None => "all who are near",
                };
                Some(EventText::new("tells", "tells", format!("{what} to {whom}"), None))
            }
            EventKind::Told { kind, about, by } => {
                let what = self.told_of(voice, kind, about);
                let name = format!("{what} by {}", self.mind_name(by));
                Some(EventText::new("told", "is told", name, None))
            }
            _ => None,
        }
    }

    /// `character b.3`: what a fact that is told is about.
    pub(super) fn told_of(&self, voice: usize, kind: Word, about: Key) -> String {
        let kind = self.words().text(kind);
        match self.key_name(voice, about) {
            Some(name) => format!("{kind} {name}"),
            None => kind.to_string(),
        }
    }
}
