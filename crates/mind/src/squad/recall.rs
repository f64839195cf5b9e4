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
    /// Members forget tasks that are not theirs. By position: nothing is allocated where nothing is
    /// to be forgotten.
    pub(super) fn recall_members(&mut self) {
        for squad in 0..self.all.squads.len() {
            for at in 0..self.all.squads[squad].members.len() {
                let mind = self.all.squads[squad].members[at].mind;
                let task = self.all.tasks.iter().find(|task| task.member == mind);
                self.recall(mind, task.map(|task| index_of(task.number)));
            }
        }
    }

    /// A mind forgets what squads have told it to do, but for the task of this number. Each is taken
    /// back once, in the order of the facts; they are all still there, since what is told now is
    /// heard in the next tick.
    pub(super) fn recall(&mut self, mind: MindId, own: Option<f32>) {
        let mut seen = 0;
        while let Some(index) = self.stale_task(mind, own, seen) {
            self.untell(mind, index);
            seen += 1;
        }
    }

    /// The number of the n-th task that a mind remembers and that is not its own.
    fn stale_task(&self, mind: MindId, own: Option<f32>, n: usize) -> Option<f32> {
        let spec = self.minds.spec();
        let tasks = self.minds.mind(mind)?.memory().of_kind(spec.squad_words.task);
        let told = tasks.filter(|fact| fact.writer() == spec.told).filter(is_of_squads);
        let numbers = told.filter_map(|fact| fact.number(Attribute::Index));
        numbers.filter(|&number| Some(number) != own).nth(n)
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
