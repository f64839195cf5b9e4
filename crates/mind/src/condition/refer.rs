//! What references refer to: `it`, `me`, what slots hold.
//!
//! In:   a [`Ref`] and a [`Situation`].
//! Out:  whether a value is it, and how far a place is from it.
//! Cost: a step per slot.

use super::evaluate::between;
use super::{It, Ref, Situation};
use crate::fact::{Attribute, Position, Sort, Value};
use crate::picks::Key;
use crate::words::Word;

impl Ref {
    /// Shows all that it refers to, until one gives something.
    #[inline]
    fn find<R>(self, situation: &Situation<'_>, mut of: impl FnMut(It) -> Option<R>) -> Option<R> {
        let &Situation { picks, it, me, .. } = situation;
        match self {
            Ref::It => of(it),
            Ref::Me => of(It { key: Key::Entity(me), fact: None }),
            Ref::Word(word) => of(It { key: Key::Word(word), fact: None }),
            Ref::Slots(first, n) => (first..first.saturating_add(n)).find_map(|slot| {
                let pick = picks.get(slot.into())?;
                of(It { key: pick.key, fact: Some(pick.fact) })
            }),
        }
    }

    /// Whether the value of an attribute is what this refers to, or one of it.
    pub(crate) fn is(self, attribute: Attribute, value: Value, situation: &Situation<'_>) -> bool {
        let name = |it: It| situation.name(it).filter(|_| attribute == Attribute::Node);
        let is_it = |it: It| match (value, it.key) {
            (Value::Entity(entity), Key::Entity(wanted)) => entity == wanted,
            (Value::Word(word), Key::Word(wanted)) => word == wanted,
            // Things may have a name too.
            (Value::Word(word), _) => name(it) == Some(word),
            (Value::Number(number), key @ Key::Number(_)) => Key::number(number) == key,
            _ => false,
        };
        self.find(situation, |it| is_it(it).then_some(())).is_some()
    }

    /// The only value of an `object` or `node` that [is](Self::is) this; `None` of several, and of
    /// nothing.
    #[inline]
    pub(super) fn value(self, attribute: Attribute, situation: &Situation<'_>) -> Option<Value> {
        match (self, attribute) {
            (Ref::Slots(_, 2..), _) => None,
            (_, Attribute::Object) => situation.value_of(self, Sort::Entity),
            (_, Attribute::Node) => situation.value_of(self, Sort::Word),
            _ => None,
        }
    }

    /// How far a place is from what this refers to; from the nearest if that is several. `None` if
    /// it has no place.
    pub(super) fn distance(self, there: Position, situation: &Situation<'_>) -> Option<f32> {
        if self == Ref::Me {
            return between(there, situation.here);
        }
        let mut nearest: Option<f32> = None;
        let _: Option<()> = self.find(situation, |it| {
            let far = between(there, situation.place(it)?)?;
            nearest = Some(nearest.map_or(far, |known| known.min(far)));
            None
        });
        nearest
    }
}

impl Situation<'_> {
    /// What `it` is where it refers to something else.
    pub(crate) fn it_of(&self, what: Ref) -> It {
        what.find(self, Some).unwrap_or_default()
    }

    /// What something refers to, as a value of a sort; `None` if that is nothing.
    pub(crate) fn value_of(&self, what: Ref, sort: Sort) -> Option<Value> {
        let it = what.find(self, Some)?;
        match sort {
            Sort::Entity => it.key.entity().map(Value::Entity),
            Sort::Word => it.key.word().or_else(|| self.name(it)).map(Value::Word),
            Sort::Position if what == Ref::Me => Some(Value::Position(self.here)),
            Sort::Position => self.place(it).map(Value::Position),
            Sort::Number => None,
        }
    }

    /// Where the fact says that it is.
    fn place(&self, it: It) -> Option<Position> {
        self.memory.get(it.fact?)?.position(Attribute::Position)
    }

    /// What the fact calls it.
    fn name(&self, it: It) -> Option<Word> {
        self.memory.get(it.fact?)?.word(Attribute::Node)
    }
}
