//! What squads and members are told: facts, and nothing else.
//!
//! In:   members, their tasks, what they know.
//! Out:  `member{object, position, amount, knowledge, task, event, node, source}` and what the
//!       [`Ground`] hands on for the squad; `task{task, index, position, source, node, object}` for a member.
//!       `Untold` for each task that a member remembers and that is not its own.
//! Cost: a fact for each member and each thing known, twice a second and when a task changes; a
//!       walk over the facts of a kind for each member.
//!
//! A mind that was put aside when its task ended could not be told. If it were not recalled, it
//! would go on with a task that the squad has long given to another.

use super::Ground;
use super::duty::index_of;
use super::squads::{LOOK, SQUAD, Step};
use super::task::Task;
use crate::fact::{Attribute, EntityId, FactDraft};
use crate::memory::FactRef;
use crate::mind::Mind;
use crate::orders::{Message, MindId, TaskSlot};
use crate::spec::Spec;
use crate::time::{Tick, after};
use crate::words::Word;

impl<W: Ground + ?Sized + Sync> Step<'_, W> {
    /// Tells a squad's mind where its members are, what they are at, and what they know. What is
    /// not told again runs out soon after the next telling.
    pub(super) fn tell(&mut self, at: usize, world: &W, now: Tick) {
        let look = self.minds.spec().pace.ticks(LOOK).max(1);
        self.all.squads[at].tell = after(now, look);
        let squad = &self.all.squads[at];
        let members = squad.members.iter().filter_map(|member| self.minds.mind(member.mind));
        let members: Vec<&Mind> = members.collect();
        let mut facts = Vec::new();
        for (rank, mind) in members.iter().enumerate() {
            let task = self.all.tasks.iter().find(|task| task.member == mind.id());
            let fights = reported(mind, self.minds.spec(), squad.kind);
            let fact = member_fact(mind, rank, task, self.minds.spec());
            facts.push(fact.with_some(Attribute::Source, fights, 1.0));
        }
        facts.extend(world.known_to(&members));
        let n = members.len().max(1) as f32;
        let mut middle = [0.0; 3];
        for mind in &members {
            middle.iter_mut().zip(mind.here()).for_each(|(sum, at)| *sum += at / n);
        }
        let (mind, keep) = (squad.mind, after(look, 1));
        for fact in facts {
            self.send(mind, Message::Retold(Box::new(fact.keep(keep))));
        }
        // A position that a sensor made up may not be finite: then the squad stays where it is.
        let _ = self.minds.set_place(mind, middle);
        self.turn(at);
        self.say_who_leads(at, false);
        self.form_up(at, world);
    }

    /// Members forget tasks that are not theirs. By position: nothing is allocated where nothing is
    /// to be forgotten.
    pub(super) fn recall_members(&mut self) {
        for squad in 0..self.all.squads.len() {
            for at in 0..self.all.squads[squad].members.len() {
                let mind = self.all.squads[squad].members[at].mind;
                let told = |task: &&Task| task.member == mind && task.told;
                let task = self.all.tasks.iter().find(told).map(|task| task.number);
                // Who has not heard of a new task, or that his is over, keeps the one that he has.
                let own = task.or_else(|| self.all.unheard(mind));
                self.recall(mind, own.map(index_of));
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

/// What a member is told.
pub(super) fn task_fact(task: &Task, spec: &Spec, squad: EntityId) -> FactDraft {
    // A thing is what the task is about, unless it is about another entity.
    let thing = if let TaskSlot::Thing(thing) = task.slot { Some(thing) } else { None };
    FactDraft::new(spec.squad_words.task)
        .with(Attribute::Task, task.what, 1.0)
        .with(Attribute::Index, index_of(task.number), 1.0)
        .with(Attribute::Position, task.place, 1.0)
        .with(Attribute::Source, squad, 1.0)
        .with_some(Attribute::Node, task.slot.place(), 1.0)
        .with_some(Attribute::Object, task.about.or(thing), 1.0)
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
    let doing = Some(task.doing).filter(|doing| *doing != Word::NONE);
    let state = if doing.is_some() { words.underway } else { words.elsewhere };
    fact.with(Attribute::Knowledge, state, 1.0)
        .with(Attribute::Task, task.what, 1.0)
        .with_some(Attribute::Event, doing, 1.0)
        .with_some(Attribute::Node, task.slot.place(), 1.0)
}

/// What a member has picked, of the selection that its squad is told of.
fn reported(mind: &Mind, spec: &Spec, squad: usize) -> Option<EntityId> {
    let select = spec.squads.get(squad)?.reports?;
    mind.picks().of(spec, select).find_map(|pick| pick.key.entity())
}

/// A game may tell tasks of its own.
fn is_of_squads(fact: &FactRef<'_>) -> bool {
    fact.entity(Attribute::Source).is_some_and(|source| source.0 & SQUAD != 0)
}
