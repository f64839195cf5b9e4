//! Words, things and facts as bytes and back.

use super::{Damaged, Pack, Packer, Unpacker};
use crate::fact::{Attribute, FactDraft, Handle, Value};
use crate::words::Word;

impl Pack for Word {
    fn pack(&self, to: &mut Packer) {
        // The word that means none is the highest number; so it is short too.
        self.0.wrapping_add(1).pack(to);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let word = Word(from.take::<u32>()?.wrapping_sub(1));
        let found = match &from.were {
            _ if word == Word::NONE => Some(word),
            Some(were) => were.get(word.0 as usize).copied(),
            None => Some(word).filter(|word| word.0 < from.words),
        };
        found.map_or_else(|| from.damaged("word of the table"), Ok)
    }
}

impl Pack for Handle {
    fn pack(&self, to: &mut Packer) {
        self.0.pack(to);
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(Handle(from.take()?))
    }
}

impl Pack for Value {
    fn pack(&self, to: &mut Packer) {
        match self {
            Value::Place(place) => to.put(&0u8).put(place),
            Value::Word(word) => to.put(&1u8).put(word),
            Value::Handle(handle) => to.put(&2u8).put(handle),
            Value::Number(number) => to.put(&3u8).put(number),
        };
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        Ok(match from.take::<u8>()? {
            0 => Value::Place(from.take()?),
            1 => Value::Word(from.take()?),
            2 => Value::Handle(from.take()?),
            3 => Value::Number(from.take()?),
            _ => return from.damaged("value of a fact"),
        })
    }
}

impl Pack for FactDraft {
    fn pack(&self, to: &mut Packer) {
        // Who builds one by hand can write what no fact has; a save must not be lost by it.
        let FactDraft { kind, keep, attributes, wrong: _ } = &self.cleaned();
        let has = |at: usize| u16::from(attributes[at].is_some()) << at;
        let mask = (0..attributes.len()).map(has).sum::<u16>();
        to.put(kind).put(keep).put(&mask);
        for (value, sure) in attributes.iter().flatten() {
            // Most of what is known is known for sure.
            match *sure == 1.0 {
                true => to.put(&true).put(value),
                false => to.put(&false).put(sure).put(value),
            };
        }
    }

    fn unpack(from: &mut Unpacker<'_>) -> Result<Self, Damaged> {
        let mut draft = FactDraft::new(from.take()?);
        draft.keep = from.take()?;
        let mask: u16 = from.take()?;
        for attribute in Attribute::ALL {
            if mask & 1 << attribute as u16 == 0 {
                continue;
            }
            let sure = if from.take()? { 1.0 } else { from.take()? };
            draft = draft.with(attribute, from.take::<Value>()?, sure);
            // What `with` does not take is no fact that was ever written.
            let taken = draft.attributes[attribute as usize];
            if taken.is_none_or(|(_, kept)| kept.to_bits() != f32::to_bits(sure)) {
                return from.damaged("fact");
            }
        }
        Ok(draft)
    }
}
