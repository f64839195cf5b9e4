//! What a mind has picked: the things that matter to it now, each under a name.
//!
//! In:   what selections choose.
//! Out:  [`Picks`]: what every slot holds, since when, and why.
//! Cost: 40 bytes a slot.
//!
//! A `select NAME: one …` has a slot called `NAME`; `best K` has `NAME.1` to `NAME.K`. A slot's
//! number is a name, not a rank.

use crate::fact::{Attribute, EntityId, FactDraft, Value};
use crate::memory::FactId;
use crate::time::{NEVER, Tick};
use crate::versions::Versions;
use crate::words::Word;
use throng_base::{codec_enum, codec_struct};

/// Slots by position: there are at most sixty-four in a file.
pub type SlotSet = u64;

/// The set of so many slots from one on.
pub(crate) fn slot_set(first: u16, n: u16) -> SlotSet {
    let bit = |slot: u16| 1u64.checked_shl(slot.into()).unwrap_or(0);
    (first..first.saturating_add(n)).fold(0, |set, slot| set | bit(slot))
}

/// What tells one candidate from another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Key {
    /// Nothing: the slot is empty.
    #[default]
    None,
    /// A thing of the game.
    Entity(EntityId),
    /// A word, as the name of a place.
    Word(Word),
    /// A number, by its bits.
    Number(u32),
    /// The fact itself: it names nothing.
    Fact(FactId),
}

impl Key {
    /// The thing of the game, if it is one.
    #[must_use]
    pub fn entity(self) -> Option<EntityId> {
        match self {
            Key::Entity(entity) => Some(entity),
            _ => None,
        }
    }

    /// The word, if it is one.
    #[must_use]
    pub fn word(self) -> Option<Word> {
        match self {
            Key::Word(word) => Some(word),
            _ => None,
        }
    }

    /// What a fact to be told is about: the thing, else the place; nothing if it names neither.
    pub(crate) fn of(fact: &FactDraft) -> Key {
        let value = |at: Attribute| fact.attributes[at as usize].map(|(value, _)| value);
        match value(Attribute::Object).or_else(|| value(Attribute::Node)) {
            Some(Value::Entity(entity)) => Key::Entity(entity),
            Some(Value::Word(word)) => Key::Word(word),
            _ => Key::None,
        }
    }

    /// The key of a number.
    #[must_use]
    pub fn number(number: f32) -> Key {
        // Zero has one key.
        Key::Number((number + 0.0).to_bits())
    }

    /// Whether others can see to it that nobody else has it: facts are one mind's own.
    #[must_use]
    pub fn can_be_claimed(self) -> bool {
        matches!(self, Key::Entity(_) | Key::Word(_))
    }
}

/// Why a slot holds what it holds, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum PickReason {
    /// It was the best, and the slot was empty.
    Best,
    /// What was there before is no candidate any more; an empty slot never held anything else.
    #[default]
    Gone,
    /// It is better than what was there before by more than the margin.
    Better,
    /// What was there before is another's.
    Taken,
    /// What was there before others of the same side had picked earlier.
    Shared,
    /// The selection's `while` does not hold.
    Off,
}

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pick {
    /// Which thing; [`Key::None`] of an empty slot.
    pub key: Key,
    /// The fact that speaks of it.
    pub fact: FactId,
    /// From 0 to 1, when it was last looked at.
    pub score: f32,
    /// The tick since which the slot holds this.
    pub since: Tick,
    /// Why it was picked, or why there is nothing.
    pub why: PickReason,
    /// Since when it has failed the filter; [`NEVER`]: it has not.
    pub fails_since: Tick,
    /// When something that the slot held was last lost, and not only outbid: what was begun before
    /// is about that.
    pub lost: Tick,
}

impl Default for Pick {
    fn default() -> Self {
        Pick {
            key: Key::None,
            fact: FactId::default(),
            score: 0.0,
            since: 0,
            why: PickReason::Gone,
            fails_since: NEVER,
            lost: 0,
        }
    }
}

impl Pick {
    /// Whether the slot holds anything.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.key != Key::None
    }
}

/// When a selection is to be made anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Look {
    /// Not before this, unless a pick is gone.
    pub(crate) due: Tick,
    /// Time alone may change what is picked at this moment.
    pub(crate) wake: Tick,
    /// A pick may be gone at this moment.
    pub(crate) gone: Tick,
    /// What it asks for has changed since it was made.
    pub(crate) pending: bool,
}

/// What selections were last made of.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Made {
    pub(crate) from: Versions,
    pub(crate) state: u64,
    pub(crate) others: u64,
    pub(crate) pins: SlotSet,
}

/// What a mind has picked.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Picks {
    /// By slot.
    pub(crate) slots: Vec<Pick>,
    /// By selection, in the order in which they are made.
    pub(crate) looks: Vec<Look>,
    pub(crate) made: Made,
    /// The slots that it asks to have for itself.
    pub(crate) asks: SlotSet,
    /// What was under way and has brought about what it was to, by its number.
    pub(crate) fulfilled: u32,
    /// Changes whenever a slot holds something else.
    pub(crate) version: u64,
}

impl Picks {
    /// Whether these are others bit by bit: two zeros may differ in their sign.
    pub(crate) fn is_same(&self, other: &Picks) -> bool {
        let mut slots = self.slots.iter().zip(&other.slots);
        slots.all(|(one, two)| one.score.to_bits() == two.score.to_bits())
            && self.made.from.is_same(&other.made.from)
            && self == other
    }

    /// All slots are empty.
    pub(crate) fn new(n_slots: usize, n_selects: usize) -> Self {
        let look = Look { pending: true, ..Look::default() };
        let (slots, looks) = (vec![Pick::default(); n_slots], vec![look; n_selects]);
        Picks { slots, looks, ..Picks::default() }
    }

    /// Those of a file without selections.
    pub(crate) const fn nothing() -> Self {
        let from = Versions::nothing();
        Picks {
            slots: Vec::new(),
            looks: Vec::new(),
            made: Made { from, state: 0, others: 0, pins: 0 },
            asks: 0,
            fulfilled: 0,
            version: 0,
        }
    }

    /// The slots that hold something.
    pub(crate) fn bound(&self) -> SlotSet {
        let slots = self.slots.iter().enumerate().filter(|(_, pick)| pick.is_bound());
        slots.fold(0, |all, (slot, _)| all | 1 << slot)
    }

    /// The slots that lost what they held after a moment.
    pub(crate) fn lost_since(&self, moment: Tick) -> SlotSet {
        let slots = self.slots.iter().enumerate().filter(|(_, pick)| pick.lost > moment);
        slots.fold(0, |all, (slot, _)| all | 1 << slot)
    }

    /// The slots that hold something else than at a moment.
    pub(crate) fn rebound_since(&self, moment: Tick) -> SlotSet {
        let slots = self.slots.iter().enumerate().filter(|(_, pick)| pick.since > moment);
        slots.fold(0, |all, (slot, _)| all | 1 << slot)
    }

    /// When one of these selections is due.
    pub(crate) fn wake(&self, made: &[u16]) -> Tick {
        let due = |look: &Look| {
            let wake = if look.pending { look.due } else { look.wake.max(look.due) };
            wake.min(look.gone)
        };
        let looks = made.iter().filter_map(|&at| self.looks.get(usize::from(at)));
        looks.map(due).min().unwrap_or(NEVER)
    }

    throng_base::getters! {
        /// What each slot holds, by position among the slots of the file.
        slots: &[Pick];

        /// Changes whenever a slot holds something else.
        version: u64;
    }

    /// What a slot holds; `None` if it is empty.
    #[must_use]
    pub fn get(&self, slot: usize) -> Option<Pick> {
        self.slots.get(slot).copied().filter(Pick::is_bound)
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Pick>() + self.looks.capacity() * size_of::<Look>()
    }
}

codec_enum!("what was picked" Key {
    0 => None,
    1 => Entity(entity),
    2 => Word(word),
    3 => Number(bits),
    4 => Fact(fact),
});

codec_enum!("why something was picked" PickReason {
    0 => Best,
    1 => Gone,
    2 => Better,
    3 => Taken,
    4 => Shared,
    5 => Off,
});

codec_struct!(Look { due, wake, gone, pending });

codec_struct!(Made { from, state, others, pins });

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn keys_and_reasons_come_back() {
        comes_back::<Key>(|trial, round| match round % 5 {
            0 => Key::None,
            1 => Key::Entity(trial.any()),
            2 => Key::Word(trial.any()),
            3 => Key::Number(trial.any()),
            _ => Key::Fact(trial.any()),
        });
        // The list of choices is checked by the compiler.
        comes_back::<PickReason>(|trial, _| trial.any());
        comes_back::<Look>(|trial, _| Look {
            due: trial.any(),
            wake: trial.any(),
            gone: trial.any(),
            pending: trial.any(),
        });
        comes_back::<Made>(|trial, _| Made {
            from: trial.any(),
            state: trial.any(),
            others: trial.any(),
            pins: trial.any(),
        });
    }

    #[test]
    fn zero_is_one_number() {
        assert_eq!(Key::number(0.0), Key::number(-0.0));
        assert_ne!(Key::number(0.0), Key::number(1.0));
    }
}
