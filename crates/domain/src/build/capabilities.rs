//! Capabilities: names for lists of actions, gone once NPC types have been read.

use crate::model::ActionId;
use crate::source::Span;
use std::collections::HashMap;

/// A capability and whether an NPC type has it.
pub(super) struct Capability {
    pub(super) name: String,
    pub(super) members: Vec<ActionId>,
    pub(super) span: Span,
    used: bool,
}

/// All of them, in declared order.
#[derive(Default)]
pub(super) struct Capabilities {
    index: HashMap<String, usize>,
    list: Vec<Capability>,
}

impl Capabilities {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Capability> {
        self.index.get(name).map(|&at| &self.list[at])
    }

    pub(super) fn add(&mut self, name: &str, members: Vec<ActionId>, span: Span) {
        self.index.insert(name.to_string(), self.list.len());
        self.list.push(Capability { name: name.to_string(), members, span, used: false });
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|capability| capability.name.as_str())
    }

    /// An NPC type has this one.
    pub(super) fn mark_used(&mut self, name: &str) {
        if let Some(&at) = self.index.get(name) {
            self.list[at].used = true;
        }
    }

    pub(super) fn unused(&self) -> impl Iterator<Item = &Capability> {
        self.list.iter().filter(|capability| !capability.used)
    }
}
