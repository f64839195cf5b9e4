//! What squads and members are told: facts, and nothing else.
//!
//! In:   members, their tasks, what they know.
//! Out:  `member{object, position, amount, knowledge, task, event, node}` and what the [`Ground`]
//!       hands on for the squad; `task{task, index, position, source, node, object}` for a member.
//! Cost: a fact for each member and each thing known, twice a second and when a task changes.

use super::Ground;
use super::duty::index_of;
use super::squads::{LOOK, Squads};
use super::task::Task;
use crate::fact::{Attribute, EntityId, FactDraft};
use crate::mind::Mind;
use crate::minds::Minds;
use crate::orders::{Message, Slot};
use crate::spec::Spec;
use crate::time::{Tick, after};
use crate::words::Word;

impl Squads {
    /// Tells a squad's mind where its members are, what they are at, and what they know. What is
    /// not told again runs out soon after the next telling.
    pub(super) fn tell<W: Ground + ?Sized + Sync>(
        &mut self,
        at: usize,
        minds: &mut Minds<W>,
        world: &W,
        now: Tick,
    ) {
        let look = minds.spec().pace.ticks(LOOK).max(1);
        self.squads[at].tell = after(now, look);
        let squad = &self.squads[at];
        let members = squad.members.iter().filter_map(|member| minds.mind(member.mind));
        let members: Vec<&Mind> = members.collect();
        let mut facts = Vec::new();
        for (rank, mind) in members.iter().enumerate() {
            let task = self.tasks.iter().find(|task| task.member == mind.id());
            facts.push(member_fact(mind, rank, task, minds.spec()));
        }
        facts.extend(world.known_to(&members));
        let n = members.len().max(1) as f32;
        let mut middle = [0.0; 3];
        for mind in &members {
            middle.iter_mut().zip(mind.here()).for_each(|(sum, at)| *sum += at / n);
        }
        let (mind, keep) = (squad.mind, after(look, 1));
        for fact in facts {
            minds.tell(mind, Message::Retold(Box::new(fact.keep(keep))));
        }
        minds.set_place(mind, middle);
    }
}

/// What a member is told.
pub(super) fn task_fact(task: &Task, spec: &Spec, squad: EntityId) -> FactDraft {
    let mut fact = FactDraft::new(spec.squad_words.task)
        .with(Attribute::Task, task.what, 1.0)
        .with(Attribute::Index, index_of(task.number), 1.0)
        .with(Attribute::Position, task.place, 1.0)
        .with(Attribute::Source, squad, 1.0);
    if let Slot::Place(node) = task.slot {
        fact = fact.with(Attribute::Node, node, 1.0);
    }
    // A thing is what the task is about, unless it is about somebody.
    let thing = if let Slot::Thing(thing) = task.slot { Some(thing) } else { None };
    match task.about.or(thing) {
        Some(about) => fact.with(Attribute::Object, about, 1.0),
        None => fact,
    }
}

/// What a squad is told of a member.
fn member_fact(mind: &Mind, rank: usize, task: Option<&Task>, spec: &Spec) -> FactDraft {
    let words = spec.squad_words;
    let fact = FactDraft::new(words.member)
        .with(Attribute::Object, mind.me(), 1.0)
        .with(Attribute::Position, mind.here(), 1.0)
        .with(Attribute::Amount, rank as f32, 1.0);
    let Some(task) = task else {
        return fact.with(Attribute::Knowledge, words.free, 1.0);
    };
    let is_at_it = task.doing != Word::NONE;
    let state = if is_at_it { words.underway } else { words.elsewhere };
    let mut fact =
        fact.with(Attribute::Knowledge, state, 1.0).with(Attribute::Task, task.what, 1.0);
    if is_at_it {
        fact = fact.with(Attribute::Event, task.doing, 1.0);
    }
    match task.slot {
        Slot::Place(node) => fact.with(Attribute::Node, node, 1.0),
        Slot::Free | Slot::Thing(_) => fact,
    }
}
