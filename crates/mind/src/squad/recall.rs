//! Tasks that are over are forgotten by the members that were told.
//!
//! In:   what members remember of tasks, and the tasks that there are.
//! Out:  `Untold` for each that is not theirs.
//! Cost: a walk over the facts of a kind for each member.
//!
//! A mind that was put aside when its task ended could not be told. Without this it would go on with
//! a task that the squad has long given to another.

use super::Ground;
use super::duty::index_of;
use super::squads::{SQUAD, Step};
use crate::fact::{Attribute, FactDraft};
use crate::memory::FactRef;
use crate::orders::{Message, MindId};

impl<W: Ground + ?Sized + Sync> Step<'_, W> {
    /// Members forget tasks that are not theirs.
    pub(super) fn recall_members(&mut self) {
        let members = self.all.squads.iter().flat_map(|squad| &squad.members);
        let members: Vec<MindId> = members.map(|member| member.mind).collect();
        for mind in members {
            let task = self.all.tasks.iter().find(|task| task.member == mind);
            self.recall(mind, task.map(|task| index_of(task.number)));
        }
    }

    /// A mind forgets what squads have told it to do, but for the task of this number.
    pub(super) fn recall(&mut self, mind: MindId, own: Option<f32>) {
        let spec = self.minds.spec();
        let memory = self.minds.mind(mind).map(|mind| mind.memory());
        let tasks = memory.into_iter().flat_map(|memory| memory.of_kind(spec.squad_words.task));
        let told = tasks.filter(|fact| fact.writer() == spec.told).filter(is_of_squads);
        let numbers = told.filter_map(|fact| fact.number(Attribute::Index));
        let stale: Vec<f32> = numbers.filter(|&number| Some(number) != own).collect();
        stale.into_iter().for_each(|index| self.untell(mind, index));
    }

    /// Takes the task of this number back.
    pub(super) fn untell(&mut self, member: MindId, index: f32) {
        let like = FactDraft::new(self.minds.spec().squad_words.task);
        let like = like.with(Attribute::Index, index, 1.0);
        self.send(member, Message::Untold(Box::new(like)));
    }
}

/// A game may tell tasks of its own.
fn is_of_squads(fact: &FactRef<'_>) -> bool {
    fact.entity(Attribute::Source).is_some_and(|source| source.0 & SQUAD != 0)
}
