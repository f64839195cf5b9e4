//! Facts, messages and orders as the tape writes them.
//!
//! In:   values; or bytes, not to be trusted.
//! Out:  the same as bytes; or the values, or where the bytes are wrong.
//! Cost: numbers that are round are short.
//!
//! Drafts are written bit by bit, whatever the game's code put into them: what was accepted when
//! it was recorded is accepted again.

use crate::fact::{Attribute, FactDraft, Place, Value};
use crate::orders::{Message, Order, OrderId, Stimulus};
use crate::pack::{Damaged, Pack, Packer, Unpacker};

/// Writes a number of which the last bits are often zero: those of whole numbers and halves are.
pub(crate) fn pack_float(to: &mut Packer, number: f32) {
    to.number(u64::from(number.to_bits().swap_bytes()));
}

pub(crate) fn unpack_float(from: &mut Unpacker<'_>) -> Result<f32, Damaged> {
    Ok(f32::from_bits(from.take::<u32>()?.swap_bytes()))
}

pub(super) fn pack_place(to: &mut Packer, place: &Place) {
    place.iter().for_each(|&at| pack_float(to, at));
}

pub(super) fn unpack_place(from: &mut Unpacker<'_>) -> Result<Place, Damaged> {
    Ok([unpack_float(from)?, unpack_float(from)?, unpack_float(from)?])
}

/// Writes a length of time of which the longest is frequent.
pub(crate) fn pack_keep(to: &mut Packer, keep: u32) {
    to.number(u64::from(keep.wrapping_add(1)));
}

pub(crate) fn unpack_keep(from: &mut Unpacker<'_>) -> Result<u32, Damaged> {
    Ok(from.take::<u32>()?.wrapping_sub(1))
}

/// A value is sure, unless this bit says that a confidence comes first.
const UNSURE: u8 = 4;

/// Writes those attributes of a draft that the mask names.
pub(crate) fn pack_attributes(to: &mut Packer, attributes: &[Option<(Value, f32)>; 16], mask: u16) {
    mask.pack(to);
    let mut left = mask;
    while left != 0 {
        let at = left.trailing_zeros() as usize;
        left &= left - 1;
        let Some((value, sure)) = attributes[at] else { continue };
        let unsure = if sure.to_bits() == 1.0_f32.to_bits() { 0 } else { UNSURE };
        to.bytes.push(value.sort() as u8 | unsure);
        if unsure != 0 {
            pack_float(to, sure);
        }
        match value {
            Value::Place(place) => pack_place(to, &place),
            Value::Word(word) => word.pack(to),
            Value::Handle(handle) => handle.pack(to),
            Value::Number(number) => pack_float(to, number),
        }
    }
}

/// Reads what [`pack_attributes`] wrote.
pub(crate) fn unpack_attributes(
    from: &mut Unpacker<'_>,
) -> Result<[Option<(Value, f32)>; 16], Damaged> {
    let mask: u16 = from.take()?;
    let mut attributes = [None; 16];
    for at in (0..Attribute::ALL.len()).filter(|at| mask >> at & 1 == 1) {
        let tag = from.raw(1)?[0];
        let sure = if tag & UNSURE == 0 { 1.0 } else { unpack_float(from)? };
        let value = match tag & !UNSURE {
            0 => Value::Place(unpack_place(from)?),
            1 => Value::Word(from.take()?),
            2 => Value::Handle(from.take()?),
            3 => Value::Number(unpack_float(from)?),
            _ => return from.damaged("value of a fact"),
        };
        attributes[at] = Some((value, sure));
    }
    Ok(attributes)
}

/// A bit for each attribute that a draft has.
pub(super) fn mask_of(draft: &FactDraft) -> u16 {
    let has = |at: usize| u16::from(draft.attributes[at].is_some()) << at;
    (0..Attribute::ALL.len()).map(has).sum()
}

pub(super) fn pack_draft(to: &mut Packer, draft: &FactDraft) {
    to.put(&draft.kind).put(&draft.keep.is_some());
    if let Some(keep) = draft.keep {
        pack_keep(to, keep);
    }
    pack_attributes(to, &draft.attributes, mask_of(draft));
}

pub(super) fn unpack_draft(from: &mut Unpacker<'_>) -> Result<FactDraft, Damaged> {
    let mut draft = FactDraft::new(from.take()?);
    draft.keep = if from.take()? { Some(unpack_keep(from)?) } else { None };
    draft.attributes = unpack_attributes(from)?;
    Ok(draft)
}

pub(super) fn pack_message(to: &mut Packer, message: &Message) {
    match message {
        Message::Stimulus(stimulus) => {
            let &Stimulus { kind, position, strength, radius, source, object, event, amount } =
                stimulus;
            to.put(&0u8).put(&kind);
            pack_place(to, &position);
            [strength, radius, amount].into_iter().for_each(|number| pack_float(to, number));
            to.put(&source).put(&object).put(&event);
        }
        Message::Told(fact) => {
            to.put(&1u8);
            pack_draft(to, fact);
        }
        Message::Retold(fact) => {
            to.put(&4u8);
            pack_draft(to, fact);
        }
        Message::Untold(fact) => {
            to.put(&5u8);
            pack_draft(to, fact);
        }
        Message::Done(OrderId(order)) => _ = to.put(&2u8).put(order),
        Message::Failed(OrderId(order), why) => _ = to.put(&3u8).put(order).put(why),
    }
}

pub(super) fn unpack_message(from: &mut Unpacker<'_>) -> Result<Message, Damaged> {
    Ok(match from.take::<u8>()? {
        0 => {
            let (kind, position) = (from.take()?, unpack_place(from)?);
            let (strength, radius) = (unpack_float(from)?, unpack_float(from)?);
            let amount = unpack_float(from)?;
            let (source, object, event) = (from.take()?, from.take()?, from.take()?);
            Message::Stimulus(Stimulus {
                kind,
                position,
                strength,
                radius,
                source,
                object,
                event,
                amount,
            })
        }
        1 => Message::Told(Box::new(unpack_draft(from)?)),
        2 => Message::Done(OrderId(from.take()?)),
        3 => Message::Failed(OrderId(from.take()?), from.take()?),
        4 => Message::Retold(Box::new(unpack_draft(from)?)),
        5 => Message::Untold(Box::new(unpack_draft(from)?)),
        _ => return from.damaged("message"),
    })
}

pub(super) fn pack_order(to: &mut Packer, order: &Order) {
    match *order {
        Order::Move { to: place, node, manner } => {
            to.put(&0u8).put(&node).put(&manner);
            pack_place(to, &place);
        }
        Order::Weapon { what, at } => _ = to.put(&1u8).put(&what).put(&at),
        Order::Animate { what, ticks } => _ = to.put(&2u8).put(&what).put(&ticks),
        Order::Target { at } => _ = to.put(&3u8).put(&at),
        Order::Use { what, on } => _ = to.put(&4u8).put(&what).put(&on),
        Order::Other { what, on, name, place } => {
            to.put(&5u8).put(&what).put(&on).put(&name);
            pack_place(to, &place);
        }
        Order::Cancel(OrderId(order)) => _ = to.put(&6u8).put(&order),
        Order::Task { what, to: who, place, slot, about } => {
            to.put(&7u8).put(&what).put(&who).put(&slot).put(&about);
            pack_place(to, &place);
        }
    }
}

pub(super) fn unpack_order(kind: u8, from: &mut Unpacker<'_>) -> Result<Order, Damaged> {
    Ok(match kind {
        0 => {
            let (node, manner) = (from.take()?, from.take()?);
            Order::Move { to: unpack_place(from)?, node, manner }
        }
        1 => Order::Weapon { what: from.take()?, at: from.take()? },
        2 => Order::Animate { what: from.take()?, ticks: from.take()? },
        3 => Order::Target { at: from.take()? },
        4 => Order::Use { what: from.take()?, on: from.take()? },
        5 => {
            let (what, on, name) = (from.take()?, from.take()?, from.take()?);
            Order::Other { what, on, name, place: unpack_place(from)? }
        }
        6 => Order::Cancel(OrderId(from.take()?)),
        7 => {
            let (what, to) = (from.take()?, from.take()?);
            let (slot, about) = (from.take()?, from.take()?);
            Order::Task { what, to, place: unpack_place(from)?, slot, about }
        }
        _ => return from.damaged("order"),
    })
}
