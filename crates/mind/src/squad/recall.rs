//! Tasks that are no longer anybody's are forgotten by who was told.
//!
//! In:   what members remember of tasks, and the tasks that there are.
//! Out:  `Untold` for each that is not theirs.
//! Cost: a walk over the facts of a kind for each member.
//!
//! Whoever was away when his task ended, with his mind put aside, could not be told. Without this he
//! would go on with a task that the squad has long given to another.

use super::duty::index_of;
use super::squads::{SQUAD, Squads};
use super::{Ground, Task};
use crate::fact::{Attribute, FactDraft};
use crate::memory::FactRef;
use crate::minds::Minds;
use crate::orders::{Message, MindId};

impl Squads {
    /// Members forget tasks that are not theirs.
    pub(super) fn recall_members<W: Ground + ?Sized + Sync>(&self, minds: &mut Minds<W>) {
        for member in self.squads.iter().flat_map(|squad| &squad.members) {
            let task = self.tasks.iter().find(|task| task.member == member.mind);
            recall(member.mind, task, minds);
        }
    }
}

/// Somebody forgets what squads have told him to do, but for this task.
pub(super) fn recall<W: ?Sized + Sync>(mind: MindId, task: Option<&Task>, minds: &mut Minds<W>) {
    let own = task.map(|task| index_of(task.number));
    // Each is taken back once, in the order of the facts. They are all still there: what is told
    // now is heard in the next tick.
    let mut seen = 0;
    while let Some(stale) = stale_task(mind, own, seen, minds) {
        untell(mind, stale, minds);
        seen += 1;
    }
}

/// The number of the n-th task that somebody remembers and that is not his own.
fn stale_task<W: ?Sized + Sync>(
    mind: MindId,
    own: Option<f32>,
    n: usize,
    minds: &Minds<W>,
) -> Option<f32> {
    let spec = minds.spec();
    let tasks = minds.mind(mind)?.memory().of_kind(spec.squad_words.task);
    let told = tasks.filter(|fact| fact.writer() == spec.told).filter(is_of_squads);
    let numbers = told.filter_map(|fact| fact.number(Attribute::Index));
    numbers.filter(|&number| Some(number) != own).nth(n)
}

/// A game may tell tasks of its own.
fn is_of_squads(fact: &FactRef<'_>) -> bool {
    fact.entity(Attribute::Source).is_some_and(|source| source.0 & SQUAD != 0)
}

/// Takes the task of this number back.
pub(super) fn untell<W: ?Sized + Sync>(member: MindId, index: f32, minds: &mut Minds<W>) {
    let like = FactDraft::new(minds.spec().squad_words.task);
    let like = like.with(Attribute::Index, index, 1.0);
    minds.tell(member, Message::Untold(Box::new(like)));
}
