//! Facts as stories speak of them: what a mind must know, and what it is told.
//!
//! In:   names of kinds, attributes, words, actors, things and places.
//! Out:  whether a memory has such a fact; a fact to tell.
//! Cost: a walk over the facts of a kind.

use super::cast::Cast;
use super::incident::Incident;
use crate::cell::Cell;
use throng_domain::Relation;
use throng_mind::fact::{Attribute, FactDraft, Value};
use throng_mind::memory::FactRef;
use throng_mind::orders::Message;
use throng_mind::time::Tick;

/// What an attribute is, in a story.
#[derive(Clone, PartialEq, Debug)]
pub enum Said {
    /// A word.
    Word(String),
    /// A number.
    Number(f32),
    /// An actor, by position in the story.
    Actor(usize),
    /// A thing, by position in the story.
    Thing(usize),
    /// A place.
    Place(Cell),
}

/// What is asked of a fact.
#[derive(Clone, PartialEq, Debug)]
pub enum Asked {
    /// An attribute, compared.
    Is(Attribute, Relation, Said),
    /// How sure an attribute is.
    Sure(Attribute, Relation, f32),
    /// Seconds since it was updated.
    Age(Relation, f64),
}

/// Facts of a kind that pass all tests, or what a selection of that name has picked.
#[derive(Clone, PartialEq, Debug)]
pub struct FactPattern {
    /// The kind.
    pub kind: String,
    /// All must pass.
    pub tests: Vec<Asked>,
}

/// A fact that the script tells.
#[derive(Clone, PartialEq, Debug)]
pub struct Telling {
    /// The kind.
    pub kind: String,
    /// What it says.
    pub attributes: Vec<(Attribute, Said)>,
    /// How long it is remembered.
    pub keeps: Tick,
}

impl Telling {
    /// The words of it that minds must know from the beginning.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let said = self.attributes.iter().filter_map(|(_, said)| match said {
            Said::Word(word) => Some(word.as_str()),
            _ => None,
        });
        said.chain([self.kind.as_str()])
    }
}

impl Cast {
    /// What a story says, in the world as it is; `None`: it is not there.
    fn value(&self, said: &Said) -> Option<Value> {
        Some(match said {
            Said::Word(word) => Value::Word(self.word(word)),
            Said::Number(number) => Value::Number(*number),
            Said::Actor(actor) => Value::Entity(self.handle(*actor)?),
            Said::Thing(thing) => Value::Entity(self.things[*thing]),
            Said::Place(cell) => Value::Position(cell.place()),
        })
    }

    /// Whether an actor's mind has such a fact.
    pub(super) fn knows(&self, actor: usize, pattern: &FactPattern) -> bool {
        let Some(mind) = self.mind(actor) else { return false };
        let passes = |fact: &FactRef<'_>| pattern.tests.iter().all(|test| self.passes(*fact, test));
        mind.memory().of_kind(self.word(&pattern.kind)).any(|fact| passes(&fact))
    }

    fn passes(&self, fact: FactRef<'_>, test: &Asked) -> bool {
        match test {
            Asked::Is(attribute, relation, said) => {
                let found = fact.get(*attribute).map(|(value, _)| value);
                match (found, self.value(said)) {
                    (Some(Value::Number(one)), Some(Value::Number(two))) => {
                        relation.holds(one, two)
                    }
                    (Some(one), Some(two)) => (one == two) == (*relation == Relation::Is),
                    _ => false,
                }
            }
            Asked::Sure(attribute, relation, much) => relation.holds(fact.sure(*attribute), *much),
            Asked::Age(relation, seconds) => {
                let ticks = self.world.now().saturating_sub(fact.updated());
                relation.holds(self.story().pace.seconds(ticks), *seconds)
            }
        }
    }

    /// Tells an actor's mind facts, if it has one and what they are about is there.
    pub(super) fn tell_facts(&mut self, who: usize, tellings: &[Telling]) -> bool {
        let Some(mind) = self.roster.ids[who] else { return false };
        let mut worked = false;
        for telling in tellings {
            let Some(fact) = self.fact_of(telling) else { continue };
            worked |= self.minds.tell(mind, Message::Told(Box::new(fact))).is_ok();
            self.incidents.push(Incident::Told { who, kind: fact.kind });
        }
        worked
    }

    /// The fact of a telling; `None` if what it is about is not there.
    pub(super) fn fact_of(&self, telling: &Telling) -> Option<FactDraft> {
        let mut draft = FactDraft::new(self.word(&telling.kind)).keep(telling.keeps);
        for (attribute, said) in &telling.attributes {
            draft = draft.with(*attribute, self.value(said)?, 1.0);
        }
        Some(draft)
    }
}
