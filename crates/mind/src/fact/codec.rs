//! Things and facts as bytes and back.
//!
//! In:   values; or bytes, not to be trusted.
//! Out:  the same as bytes; or the values, or where the bytes are wrong.
//! Cost: what is known for sure takes no byte for it; numbers that are round are short.
//!
//! Drafts are written bit by bit, whatever the game's code put into them: what was accepted when it
//! was recorded is accepted again. What a memory holds is clean, and seen to by the memory.

use super::{Attribute, Attributes, EntityId, FactDraft, Value};
use crate::time::{NEVER, Tick};
use crate::words::Word;
use throng_base::codec::{Decode, DecodeError, Decoder, Encode, Encoder};
use throng_base::codec_struct;
use throng_base::ones;

codec_struct!(EntityId(number));

/// A value is sure, unless this bit of its first byte says that a confidence comes behind it.
const UNSURE: u8 = 4;

impl Encode for Value {
    fn encode(&self, to: &mut Encoder) {
        to.bytes.push(self.sort() as u8);
        match self {
            Value::Position(place) => to.write(place),
            Value::Word(word) => to.write(word),
            Value::Entity(handle) => to.write(handle),
            Value::Number(number) => to.write(number),
        };
    }
}

impl Decode for Value {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let sort = from.read()?;
        Value::of_sort(sort, from)
    }
}

impl Value {
    fn of_sort(sort: u8, from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        Ok(match sort {
            0 => Value::Position(from.read()?),
            1 => Value::Word(from.read()?),
            2 => Value::Entity(from.read()?),
            3 => Value::Number(from.read()?),
            _ => return from.error("value of a fact"),
        })
    }
}

/// A bit for each attribute that there is.
pub(crate) fn mask_of(attributes: &Attributes) -> u16 {
    let has = |at: usize| u16::from(attributes[at].is_some()) << at;
    (0..attributes.len()).map(has).sum()
}

/// Writes those attributes that the mask names.
#[inline]
pub(crate) fn encode_attributes(to: &mut Encoder, attributes: &Attributes, mask: u16) {
    encode_values(to, mask, ones(mask.into()).filter_map(|at| attributes[at]));
}

/// Writes what a fact says of itself, kept as long as is usual: as a draft of it would be written.
pub(crate) fn encode_fact(
    to: &mut Encoder,
    kind: Word,
    mask: u16,
    values: impl Iterator<Item = (Value, f32)>,
) {
    to.write(&kind).number(number_of(None));
    encode_values(to, mask, values);
}

#[inline]
fn encode_values(to: &mut Encoder, mask: u16, values: impl Iterator<Item = (Value, f32)>) {
    mask.encode(to);
    for (value, sure) in values {
        let start = to.bytes.len();
        value.encode(to);
        if sure.to_bits() != 1.0_f32.to_bits() {
            to.bytes[start] |= UNSURE;
            sure.encode(to);
        }
    }
}

/// Reads what [`encode_attributes`] wrote.
pub(crate) fn decode_attributes(from: &mut Decoder<'_>) -> Result<Attributes, DecodeError> {
    let mask: u16 = from.read()?;
    let mut attributes = [None; 16];
    for at in (0..Attribute::ALL.len()).filter(|at| mask >> at & 1 == 1) {
        let tag = from.raw(1)?[0];
        let value = Value::of_sort(tag & !UNSURE, from)?;
        let sure = if tag & UNSURE == 0 { 1.0 } else { from.read()? };
        attributes[at] = Some((value, sure));
    }
    Ok(attributes)
}

/// How long something is kept: as long as is usual and for ever are the shortest.
fn number_of(keep: Option<Tick>) -> u64 {
    match keep {
        None => 0,
        Some(NEVER) => 1,
        Some(ticks) => u64::from(ticks) + 2,
    }
}

fn keep_of(number: u64) -> Option<Option<Tick>> {
    Some(match number {
        0 => None,
        1 => Some(NEVER),
        more => Some(u32::try_from(more - 2).ok().filter(|&ticks| ticks != NEVER)?),
    })
}

impl Encode for FactDraft {
    fn encode(&self, to: &mut Encoder) {
        let FactDraft { kind, keep, attributes, wrong: _ } = self;
        to.write(kind).number(number_of(*keep));
        encode_attributes(to, attributes, mask_of(attributes));
    }
}

impl Decode for FactDraft {
    fn decode(from: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let mut draft = FactDraft::new(from.read()?);
        let Some(keep) = keep_of(from.number()?) else { return from.error("length of time") };
        draft.keep = keep;
        draft.attributes = decode_attributes(from)?;
        Ok(draft)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::words::Word;
    use throng_base::codec::trial::{Trial, comes_back};

    #[test]
    fn values_and_facts_come_back() {
        comes_back::<EntityId>(|trial, _| EntityId(trial.any()));
        let value = |trial: &mut Trial, sort: usize| match sort {
            0 => Value::Position(trial.any()),
            1 => Value::Word(trial.any()),
            2 => Value::Entity(trial.any()),
            _ => Value::Number(trial.any()),
        };
        comes_back::<Value>(|trial, round| value(trial, round % 4));
        comes_back::<FactDraft>(|trial, round| {
            let keep = [None, Some(NEVER), Some(NEVER - 1), Some(0), trial.any()][round % 5];
            let mut draft = FactDraft { keep, ..FactDraft::new(trial.any()) };
            for attribute in Attribute::ALL {
                let (sort, sure) = (trial.below(4), trial.any());
                draft = draft.with(attribute, value(trial, sort), sure);
            }
            draft
        });
    }

    /// Nothing comes from half of it, and what is usual is short.
    #[test]
    fn a_fact_comes_back_from_the_whole_only() {
        let fact = FactDraft::new(Word(3))
            .with(Attribute::Position, [1.0, -2.5, 0.0], 0.25)
            .with(Attribute::Object, EntityId(300), 1.0)
            .with(Attribute::Index, 4.0, 1.0)
            .keep(30);
        assert_eq!(Trial::new(0).comes_back(&fact), Ok(()));
        assert_eq!(Encoder::bytes_of(&Word::NONE).len(), 1);
        assert_eq!(Encoder::bytes_of(&FactDraft::new(Word(1)).keep(NEVER)).len(), 3);
    }

    #[test]
    fn a_fact_built_by_hand_does_not_spoil_what_it_is_written_with() {
        let mut draft = FactDraft::new(Word(1)).with(Attribute::Amount, 2.0, 1.0);
        draft.attributes[Attribute::Position as usize] = Some((Value::Word(Word(4)), 1.0));
        draft.attributes[Attribute::Radius as usize] = Some((Value::Number(f32::NAN), 7.5));
        let mut to = Encoder::default();
        to.write(&draft).write(&9u8);
        let (back, next): (FactDraft, u8) = Decoder::new(&to.bytes).read().unwrap();
        assert_eq!((Encoder::bytes_of(&back), next), (Encoder::bytes_of(&draft), 9));
        assert_eq!(back.cleaned(), draft.cleaned());
    }
}
