//! The task that a member of a squad has, as it knows it.
//!
//! In:   the facts `task` that the squad has told it, and `duty` that it reports with.
//! Out:  what is to be done, and whether what it does is for another task.
//! Cost: a walk over the facts of a kind.

use crate::fact::{Attribute, EntityId, Position};
use crate::memory::{FactRef, Memory};
use crate::spec::Spec;
use crate::words::Word;

/// A task as its member knows it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Duty {
    /// The number of the task, in the range that facts can hold.
    pub index: f32,
    /// What is to be done.
    pub what: Word,
    /// The position to do it at.
    pub place: Position,
    /// The named place that the member has meanwhile, or [`Word::NONE`].
    pub node: Word,
    /// The entity that it is against or about.
    pub about: Option<EntityId>,
}

/// The task that a member was told last; `None` if there is none.
pub fn my_task(memory: &Memory, spec: &Spec) -> Option<Duty> {
    let tasks = memory.of_kind(spec.squad_words.task);
    let told = tasks.filter(|fact| fact.writer() == spec.told);
    let last = told.max_by_key(|fact| fact.updated())?;
    Some(Duty {
        index: last.number(Attribute::Index)?,
        what: last.word(Attribute::Task)?,
        place: last.position(Attribute::Position)?,
        node: last.word(Attribute::Node).unwrap_or(Word::NONE),
        about: last.entity(Attribute::Object),
    })
}

/// Whether what a member does for a task is for another than it has by now.
pub(crate) fn is_on_another_task(memory: &Memory, spec: &Spec) -> bool {
    let underway = Some(spec.squad_words.underway);
    let mut duties = memory.of_kind(spec.squad_words.duty);
    let is_underway = |fact: &FactRef<'_>| fact.word(Attribute::Knowledge) == underway;
    let begun = duties.find(is_underway).and_then(|fact| fact.number(Attribute::Index));
    let task = my_task(memory, spec).map(|task| task.index);
    begun.is_some_and(|begun| task.is_some_and(|task| task != begun))
}
