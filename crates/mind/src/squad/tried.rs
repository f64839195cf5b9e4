//! What one run of a squad's action has tried: so that it ends, whatever is refused or taken.
//!
//! In:   tasks as they are given, and what became of their orders.
//! Out:  facts `tried{node, object, index, knowledge}`, one for each task: place, member, order,
//!       and how it ended. They are forgotten with the run.
//! Cost: a walk over the facts of the kind.
//!
//! A member that refuses twice is asked no more. A place that another has, or where a member could
//! not do it, is left out; what one only refused, or died over, another may do.

use super::Spot;
use super::team::{Mate, give};
use crate::blackboard::OrderState;
use crate::body::Acting;
use crate::fact::{Attribute, EntityId, FactDraft};
use crate::memory::{FactId, FactRef};
use crate::orders::OrderId;
use crate::time::NEVER;
use crate::words::Word;

/// A member that has refused so often in one run is asked no more.
const REFUSALS: usize = 2;

/// What is remembered of places where all went well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Done {
    /// One look is enough.
    IsOver,
    /// Another member may come later.
    IsOpen,
}

/// Gives a task, and notes its member and its place.
pub(super) fn try_it<W: ?Sized>(
    acting: &mut Acting<'_, W>,
    what: Word,
    mate: &Mate,
    spot: Spot,
    about: Option<EntityId>,
) {
    let order = give(acting, what, mate, spot, about);
    // Orders are counted from 1 and few.
    let fact = FactDraft::new(acting.spec.squad_words.tried)
        .with(Attribute::Object, mate.me, 1.0)
        .with(Attribute::Index, order.0 as f32, 1.0)
        .with_some(Attribute::Node, spot.slot.place(), 1.0);
    acting.remember(fact, NEVER);
}

/// Writes down how tasks have ended since the last look.
pub(super) fn settle<W: ?Sized>(acting: &mut Acting<'_, W>, done: Done) {
    let words = acting.spec.squad_words;
    let is_open = |fact: &FactRef<'_>| fact.word(Attribute::Knowledge).is_none();
    let ended = |fact: FactRef<'_>| {
        let order = OrderId(fact.number(Attribute::Index)? as u32);
        let state = acting.board.state_of(order);
        (state != Some(OrderState::Open)).then_some((fact.id(), state))
    };
    let open = acting.memory.of_kind(words.tried).filter(is_open);
    let ended: Vec<(FactId, Option<OrderState>)> = open.filter_map(ended).collect();
    for (fact, state) in ended {
        let knowledge = match state {
            Some(OrderState::Done) if done == Done::IsOver => words.done,
            // The member is dead or away, or has another task now: that says nothing of the place.
            Some(OrderState::Failed(why))
                if ![words.dead, words.gone, words.replaced].contains(&why) =>
            {
                match [words.refused, words.late].contains(&why) {
                    true => words.refused,
                    false => words.failed,
                }
            }
            _ => {
                acting.memory.remove(fact);
                continue;
            }
        };
        // It was there a moment ago.
        let _ = acting.memory.set(fact, Attribute::Knowledge, knowledge, 1.0, acting.now);
    }
}

/// Whether a member has not refused too often.
pub(super) fn may_ask<W: ?Sized>(acting: &Acting<'_, W>, mate: &Mate) -> bool {
    refusals(acting).filter(|fact| fact.entity(Attribute::Object) == Some(mate.me)).count()
        < REFUSALS
}

/// Whether a member has been asked, and will not or cannot.
pub(super) fn has_ended<W: ?Sized>(acting: &Acting<'_, W>, mate: &Mate) -> bool {
    let mut tried = acting.memory.of_kind(acting.spec.squad_words.tried);
    tried.any(|fact| {
        fact.entity(Attribute::Object) == Some(mate.me) && fact.word(Attribute::Knowledge).is_some()
    })
}

/// Whether a member has refused.
pub(super) fn has_refusals<W: ?Sized>(acting: &Acting<'_, W>) -> bool {
    refusals(acting).next().is_some()
}

fn refusals<'m, W: ?Sized>(acting: &'m Acting<'_, W>) -> impl Iterator<Item = FactRef<'m>> {
    let words = acting.spec.squad_words;
    let tried = acting.memory.of_kind(words.tried);
    tried.filter(move |fact| fact.word(Attribute::Knowledge) == Some(words.refused))
}

/// Whether a place is left to try: no member is on its way there, has done it or failed there.
pub(super) fn is_left<W: ?Sized>(acting: &Acting<'_, W>, spot: &Spot) -> bool {
    let Some(name) = spot.slot.place() else { return true };
    let words = acting.spec.squad_words;
    let mut tried = acting.memory.of_kind(words.tried);
    !tried.any(|fact| {
        let is_refused = fact.word(Attribute::Knowledge) == Some(words.refused);
        fact.word(Attribute::Node) == Some(name) && !is_refused
    })
}

/// A run begins or is over.
pub(super) fn forget<W: ?Sized>(acting: &mut Acting<'_, W>) {
    let kind = acting.spec.squad_words.tried;
    acting.memory.remove_if(|fact| fact.kind() == kind);
}
