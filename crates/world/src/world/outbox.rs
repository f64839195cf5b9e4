//! What minds are told next: ends of orders, and stimuli.
//!
//! In:   messages, each with its receiver.
//! Out:  the same, oldest first.
//! Cost: a push each.

use throng_mind::fact::EntityId;
use throng_mind::orders::{Message, OrderId};

/// Messages that have not been fetched.
#[derive(Clone, Debug, Default)]
pub(super) struct Outbox(Vec<(EntityId, Message)>);

impl Outbox {
    pub(super) fn of(messages: Vec<(EntityId, Message)>) -> Self {
        Outbox(messages)
    }

    pub(super) fn all(&self) -> &Vec<(EntityId, Message)> {
        &self.0
    }

    pub(super) fn send(&mut self, to: EntityId, message: Message) {
        self.0.push((to, message));
    }

    pub(super) fn drain(&mut self) -> std::vec::Drain<'_, (EntityId, Message)> {
        self.0.drain(..)
    }

    /// Takes back the end of an order that is not wanted any more.
    pub(super) fn withdraw(&mut self, me: EntityId, id: OrderId) {
        let is_end = |message: &Message| matches!(message, Message::Done(end) | Message::Failed(end, _) if *end == id);
        self.0.retain(|(to, message)| *to != me || !is_end(message));
    }
}
