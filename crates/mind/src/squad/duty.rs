//! The member's side of a task: what it is, and to report.
//!
//! In:   the fact `task{task, index, position, node, object, source}` that the squad has told it.
//! Out:  a fact `duty{index, knowledge, event}`, which the squad reads: `underway`, `done`, `failed`.
//! Cost: a walk over the facts of a kind.
//!
//! No member is made to obey: a task is a fact, and its goals decide whether it matters. What it does
//! for the task is done by behaviours inside [`OnDuty`], which report. Other actions, as reloading in
//! between, count as something else, for which squads have some patience.

use crate::body::{Acting, Behaviour, Ending, Progress};
use crate::duty::my_task;
use crate::fact::{Attribute, FactDraft};
use crate::memory::{FactRef, Memory};
use crate::spec::Spec;
use crate::time::NEVER;
use crate::words::Word;

/// How long a report is remembered, in seconds: squads read it in the next tick.
const REPORT_KEPT: f64 = 5.0;

/// A behaviour that carries out a task, or a part of it: while it runs, the squad sees that the
/// member is at it. It is bound to the number of the task: when the member has another it is
/// cancelled, and begun anew for that one.
pub struct OnDuty<B> {
    /// What the member does.
    pub does: B,
    /// Whether the task is done with it; not so of a walk to where it is to be done.
    pub is_all: bool,
}

impl<W: ?Sized, B: Behaviour<W>> Behaviour<W> for OnDuty<B> {
    fn start(&self, acting: &mut Acting<'_, W>) -> Progress {
        report_at_it(acting);
        self.does.start(acting)
    }

    fn go_on(&self, acting: &mut Acting<'_, W>) -> Progress {
        self.does.go_on(acting)
    }

    fn end(&self, acting: &mut Acting<'_, W>, how: Ending) {
        self.does.end(acting, how);
        // What was done for another task says nothing of this one.
        let begun = acting.memory.of_kind(acting.spec.squad_words.duty).next();
        let begun = begun.and_then(|fact| fact.number(Attribute::Index));
        let is_same = my_task(acting.memory, acting.spec).map(|task| task.index) == begun;
        let words = acting.spec.squad_words;
        match how {
            _ if !is_same => forget_duty(acting),
            Ending::Done if self.is_all => report(acting, words.done, Word::NONE),
            Ending::Failed(why) => report(acting, words.failed, why),
            _ => forget_duty(acting),
        }
    }
}

fn forget_duty<W: ?Sized>(acting: &mut Acting<'_, W>) {
    let kind = acting.spec.squad_words.duty;
    acting.memory.remove_if(|fact| fact.kind() == kind);
}

fn report_at_it<W: ?Sized>(acting: &mut Acting<'_, W>) {
    let does = acting.action.map_or(Word::NONE, |action| acting.spec.action(action).does);
    report(acting, acting.spec.squad_words.underway, does);
}

/// Writes down how the task is doing, and what the member does for it or why it failed, in place of what
/// was written before.
fn report<W: ?Sized>(acting: &mut Acting<'_, W>, state: Word, event: Word) {
    let Some(duty) = my_task(acting.memory, acting.spec) else {
        // Done without a task, as any NPC may that likes to hold a place.
        forget_duty(acting);
        return;
    };
    // Long enough for any task: it is taken back when the behaviour ends.
    let words = acting.spec.squad_words;
    let keep = match state == words.underway {
        true => NEVER,
        false => acting.spec.pace.ticks(REPORT_KEPT).max(1),
    };
    let draft = FactDraft::new(words.duty).with(Attribute::Index, duty.index, 1.0);
    let draft = draft.with(Attribute::Knowledge, state, 1.0);
    let draft = draft.with_some(Attribute::Event, Some(event).filter(|it| *it != Word::NONE), 1.0);
    let says_the_same = |fact: FactRef<'_>| {
        let same = |at: Attribute| fact.get(at) == draft.attributes[at as usize];
        [Attribute::Index, Attribute::Knowledge, Attribute::Event].into_iter().all(same)
    };
    if acting.memory.of_kind(draft.kind).all(|fact| !says_the_same(fact)) {
        forget_duty(acting);
        acting.remember(draft, keep);
    }
}

/// What a member reports of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Report {
    Nothing,
    /// The member is at it, by this behaviour.
    Underway(Word),
    Done,
    Failed(Word),
}

/// What a member's memory says of the task of this number.
pub(super) fn report_of(memory: &Memory, spec: &Spec, number: u32) -> Report {
    let (index, words) = (index_of(number), spec.squad_words);
    let is_it = |fact: &FactRef<'_>| fact.number(Attribute::Index) == Some(index);
    let Some(fact) = memory.of_kind(words.duty).find(is_it) else {
        return Report::Nothing;
    };
    let event = fact.word(Attribute::Event).unwrap_or(Word::NONE);
    match fact.word(Attribute::Knowledge) {
        Some(state) if state == words.done => Report::Done,
        Some(state) if state == words.failed => Report::Failed(event),
        _ => Report::Underway(event),
    }
}

/// The number of a task as facts can hold it: exactly, and again after sixteen million tasks.
pub(super) fn index_of(number: u32) -> f32 {
    (number % (1 << 24)) as f32
}
