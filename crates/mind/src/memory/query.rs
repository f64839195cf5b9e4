//! Questions to a memory: one fact that matches, how many do, the surest of a kind.
//!
//! In:   what is asked, as a closure or as kind and attribute.
//! Out:  the fact, or the number.
//! Cost: a walk over the facts there are.

use super::{FactRef, Memory};
use crate::fact::Attribute;
use crate::words::Word;

impl Memory {
    /// The first fact, by slot, for which this holds.
    ///
    /// ```
    /// use throng_mind::fact::{Attribute, FactDraft, Value};
    /// use throng_mind::{memory::Memory, words::Words};
    ///
    /// let mut words = Words::default();
    /// let [thing, door, things] = ["thing", "door", "things"].map(|word| words.intern(word));
    /// let mut memory = Memory::new(32);
    /// let draft = FactDraft::new(thing).with(Attribute::Stimulus, Value::Word(door), 1.0);
    /// let id = memory.add(&draft, things, 0, 100);
    ///
    /// let found = memory.find(|fact| fact.word(Attribute::Stimulus) == Some(door));
    /// assert_eq!(found.map(|fact| fact.id()), Some(id));
    /// assert!(memory.find(|fact| fact.kind() == door).is_none());
    /// ```
    pub fn find(&self, mut wanted: impl FnMut(FactRef<'_>) -> bool) -> Option<FactRef<'_>> {
        self.iter().find(|fact| wanted(*fact))
    }

    /// How many facts there are for which this holds.
    ///
    /// ```
    /// use throng_mind::fact::{Attribute, FactDraft, Value};
    /// use throng_mind::{memory::Memory, words::Words};
    ///
    /// let mut words = Words::default();
    /// let [noise, loud, hear] = ["disturbance", "noise", "hear"].map(|word| words.intern(word));
    /// let mut memory = Memory::new(32);
    /// for loudness in [0.2, 0.6, 0.9] {
    ///     let draft = FactDraft::new(noise);
    ///     memory.add(&draft.with(Attribute::Stimulus, Value::Word(loud), loudness), hear, 0, 100);
    /// }
    ///
    /// assert_eq!(memory.count(|fact| fact.sure(Attribute::Stimulus) > 0.5), 2);
    /// ```
    pub fn count(&self, mut wanted: impl FnMut(FactRef<'_>) -> bool) -> usize {
        self.iter().filter(|fact| wanted(*fact)).count()
    }

    /// Of the facts of a kind the one whose attribute is surest; of equals the one updated last,
    /// then the lowest slot.
    ///
    /// Which of two equals was updated last [`Memory::version`] does not tell: who keeps the answer
    /// holds [`Memory::refreshed`] too.
    ///
    /// A sensor that writes how near a place is as the confidence of its position, and how well
    /// an entity is seen as that of the stimulus, so answers for the nearest and the most visible:
    ///
    /// ```
    /// use throng_mind::fact::{Attribute, FactDraft, Value};
    /// use throng_mind::{memory::Memory, words::Words};
    ///
    /// let mut words = Words::default();
    /// let [node, wall, car, nodes] =
    ///     ["node", "wall", "car", "nodes"].map(|word| words.intern(word));
    /// let mut memory = Memory::new(32);
    /// for (name, place, nearness) in [(wall, [9.0, 0.0, 0.0], 0.1), (car, [2.0, 0.0, 0.0], 0.8)] {
    ///     let draft = FactDraft::new(node)
    ///         .with(Attribute::Node, Value::Word(name), 1.0)
    ///         .with(Attribute::Position, Value::Position(place), nearness);
    ///     memory.add(&draft, nodes, 0, 100);
    /// }
    ///
    /// let nearest = memory.surest(node, Attribute::Position);
    /// assert_eq!(nearest.and_then(|fact| fact.word(Attribute::Node)), Some(car));
    /// ```
    pub fn surest(&self, kind: Word, attribute: Attribute) -> Option<FactRef<'_>> {
        let mut best = None;
        for at in self.kin.of(kind) {
            let slot = &self.slots[at];
            if slot.kind != kind {
                continue;
            }
            let Some(sure) = self.pool.sure(slot.record(), attribute as usize) else { continue };
            if best.is_none_or(|(_, than)| (sure, slot.updated) > than) {
                best = Some((at, (sure, slot.updated)));
            }
        }
        best.map(|(at, _)| self.fact(at))
    }
}
