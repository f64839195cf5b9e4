//! The squads of a story: the step between ticks, and what happened in it, in words.
//!
//! In:   the minds and the world, before a tick of the minds.
//! Out:  squads with names, who is in them, tasks given and ended; as data and as lines.
//! Cost: a step of the squads; text is allocated for those who watch.
//!
//! A *voice* is who has a mind: actors by their position in the story, and behind them the
//! squads in the order in which they formed. A squad is called like its type; the second of a type
//! `fireteam.2`, and so on.

mod codec;

use super::cast::Cast;
use std::fmt;
use throng_mind::fact::EntityId;
use throng_mind::orders::{MindId, TaskSlot};
use throng_mind::spec::Spec;
use throng_mind::squad::{Squads, TaskEnd, TaskEvent, TaskNews};
use throng_mind::words::Word;

/// A squad that is, or was.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SquadVoice {
    pub(super) name: String,
    /// Position among the `squad` statements.
    pub(super) kind: usize,
    pub(super) mind: MindId,
    /// Who was in it after the last step; empty if it is no more.
    members: Vec<EntityId>,
    /// Who led it after the last step.
    leader: Option<MindId>,
}

/// All squads, and those that were.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Command {
    pub(super) squads: Squads,
    pub(super) voices: Vec<SquadVoice>,
    told: Vec<SquadTold>,
}

/// Why somebody goes on with what is over.
const UNHEARD: &str = "he has not heard it yet";

/// What happened to a squad or a task.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SquadTold {
    /// The squad or the member, as a voice.
    pub who: usize,
    /// What happened to it.
    pub what: SquadWhat,
    /// Of a squad its members, of a task what is to be done and where, of one who leads the squad.
    pub name: String,
    /// Of a task given, by which squad; of one that ended, how, or that its member has not heard so.
    pub why: Option<String>,
}

/// What kind of thing happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SquadWhat {
    /// Its members have changed; without any it is no more.
    Members,
    /// This one leads a squad from now on.
    Leads,
    /// A squad has lost its leader.
    Leaderless,
    /// A task was given, and this one knows of it.
    Given,
    /// A task has ended.
    Ended(TaskEnd),
}

impl SquadTold {
    /// A word for it, for machines.
    pub fn id(&self) -> &'static str {
        match self.what {
            SquadWhat::Members => "squad",
            SquadWhat::Leads => "leads",
            SquadWhat::Leaderless => "leaderless",
            SquadWhat::Given => "task",
            SquadWhat::Ended(_) => "task_end",
        }
    }
}

impl fmt::Display for SquadTold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.what {
            SquadWhat::Members if name.is_empty() => write!(f, "is no more"),
            SquadWhat::Members => write!(f, "is {name}"),
            SquadWhat::Leads => write!(f, "leads {name}"),
            SquadWhat::Leaderless => write!(f, "has lost its leader"),
            SquadWhat::Given => write!(f, "is told to {name}"),
            SquadWhat::Ended(TaskEnd::Done) => write!(f, "reports: {name} is done"),
            SquadWhat::Ended(TaskEnd::Failed(_)) => {
                write!(f, "reports: cannot {name}: {}", self.why.as_deref().unwrap_or("failed"))
            }
            SquadWhat::Ended(TaskEnd::Refused) => write!(f, "refuses to {name}"),
            SquadWhat::Ended(TaskEnd::Cancelled) => write!(f, "need not {name} any more"),
            SquadWhat::Ended(TaskEnd::Dead) => write!(f, "can {name} no longer: he is dead"),
            SquadWhat::Ended(TaskEnd::TimedOut) => write!(f, "took too long to {name}"),
        }?;
        match &self.why {
            Some(why) if why == UNHEARD => write!(f, ": {UNHEARD}"),
            _ => Ok(()),
        }
    }
}

/// What a squad of this kind is called that forms after those.
fn name_of_voice(spec: &Spec, kind: usize, before: &[SquadVoice]) -> String {
    let base = spec.squads.get(kind).map_or("", |squad| spec.domain.map().npc(squad.npc));
    match before.iter().filter(|it| it.kind == kind).count() {
        0 => base.to_string(),
        n => format!("{base}.{}", n + 1),
    }
}

impl Cast {
    /// The step of the squads, before the minds' tick.
    pub(super) fn step_squads(&mut self) {
        let Cast { command, minds, world, by_mind, story, .. } = self;
        command.squads.step(minds, &*world, world.now());
        command.squads.noises().iter().for_each(|noise| world.emit(noise));
        command.told.clear();
        for squad in command.squads.all() {
            if !command.voices.iter().any(|voice| voice.mind == squad.mind) {
                let name = name_of_voice(minds.spec(), squad.kind, &command.voices);
                let (kind, mind) = (squad.kind, squad.mind);
                let at = story.actors.len() + command.voices.len();
                let me = minds.mind(mind).map_or(EntityId::default(), throng_mind::Mind::me);
                by_mind.insert(mind, (at, me));
                let (members, leader) = (Vec::new(), None);
                command.voices.push(SquadVoice { name, kind, mind, members, leader });
            }
        }
        self.tell_rosters();
        self.tell_leaders();
        self.tell_tasks();
    }

    fn tell_rosters(&mut self) {
        for at in 0..self.command.voices.len() {
            let voice = &self.command.voices[at];
            let squad = self.command.squads.all().iter().find(|squad| squad.mind == voice.mind);
            let now: Vec<EntityId> =
                squad.map_or(Vec::new(), |squad| squad.members.iter().map(|it| it.me).collect());
            if now != voice.members {
                let names: Vec<&str> = now.iter().filter_map(|&it| self.name_of(it)).collect();
                let (who, name) = (self.story.actors.len() + at, names.join(", "));
                let told = SquadTold { who, what: SquadWhat::Members, name, why: None };
                self.command.told.push(told);
                self.command.voices[at].members = now;
            }
        }
    }

    fn tell_leaders(&mut self) {
        for at in 0..self.command.voices.len() {
            let voice = &self.command.voices[at];
            let squad = self.command.squads.all().iter().find(|squad| squad.mind == voice.mind);
            let leader = squad.and_then(|squad| squad.leader);
            if leader == voice.leader {
                continue;
            }
            let actor = leader.and_then(|leader| self.by_mind.get(&leader));
            let (who, what) = match actor {
                Some(&(actor, _)) => (actor, SquadWhat::Leads),
                None => (self.story.actors.len() + at, SquadWhat::Leaderless),
            };
            let name = voice.name.clone();
            // One that is no more has lost more than that.
            if squad.is_some() {
                self.command.told.push(SquadTold { who, what, name, why: None });
            }
            self.command.voices[at].leader = leader;
        }
    }

    fn tell_tasks(&mut self) {
        let told = |news: &TaskNews| {
            // Of a task that its member has not heard of there is nothing to tell.
            let &(who, _) = self.by_mind.get(&news.task.member).filter(|_| news.task.told)?;
            let mut name = self.words().text(news.task.what).to_string();
            if let TaskSlot::Place(node) = news.task.slot {
                name += &format!(" at {}", self.words().text(node));
            }
            let squad = self.command.squads.all().iter().find(|it| it.number == news.task.squad);
            let squad = squad.and_then(|squad| self.by_mind.get(&squad.mind));
            let goes_on_with = self.command.squads.unheard(news.task.member);
            let (what, why) = match news.event {
                TaskEvent::Given => return None,
                TaskEvent::Told => {
                    let by = squad.map(|&(voice, _)| self.voice_name(voice).to_string());
                    (SquadWhat::Given, by)
                }
                TaskEvent::Ended(how) if goes_on_with == Some(news.task.number) => {
                    (SquadWhat::Ended(how), Some(UNHEARD.to_string()))
                }
                TaskEvent::Ended(how) => (SquadWhat::Ended(how), Some(self.end_words(how))),
            };
            Some(SquadTold { who, what, name, why })
        };
        let news = self.command.squads.news();
        let told: Vec<SquadTold> = news.iter().filter_map(told).collect();
        self.command.told.extend(told);
    }

    fn end_words(&self, how: TaskEnd) -> String {
        match how {
            TaskEnd::Done => "done".to_string(),
            TaskEnd::Failed(Word::NONE) => "failed".to_string(),
            TaskEnd::Failed(why) => super::tell::failure_words(self.words().text(why), ""),
            TaskEnd::Refused => "refused".to_string(),
            TaskEnd::Cancelled => "cancelled".to_string(),
            TaskEnd::Dead => "dead".to_string(),
            TaskEnd::TimedOut => "timed out".to_string(),
        }
    }

    /// What happened to squads and tasks before the minds' last tick.
    pub fn squad_news(&self) -> &[SquadTold] {
        &self.command.told
    }

    /// The squads, their tasks and claims.
    pub fn squads(&self) -> &Squads {
        &self.command.squads
    }

    /// The squad that a voice is, if it is no actor.
    pub(super) fn squad_voice(&self, voice: usize) -> Option<&SquadVoice> {
        self.command.voices.get(voice.checked_sub(self.story.actors.len())?)
    }

    /// The name of an actor or a squad.
    pub fn voice_name(&self, voice: usize) -> &str {
        let squad = || self.squad_voice(voice).map_or("", |squad| squad.name.as_str());
        self.story.actors.get(voice).map_or_else(squad, |actor| &actor.name)
    }

    /// How many squads have formed so far, whether they still are or not.
    pub fn squads_so_far(&self) -> usize {
        self.command.voices.len()
    }

    /// The name of what minds know by this number: an actor, a thing, or a squad that there is.
    pub fn name_in_full(&self, handle: EntityId) -> Option<&str> {
        let is_it = |&voice: &usize| self.mind(voice).is_some_and(|mind| mind.me() == handle);
        let squad = || self.squad_voices().find(is_it).map(|voice| self.voice_name(voice));
        self.name_of(handle).or_else(squad)
    }

    /// Squads that there are now, as voices.
    pub fn squad_voices(&self) -> impl Iterator<Item = usize> {
        let n = self.story.actors.len();
        let is_there = |&at: &usize| self.minds.mind(self.command.voices[at].mind).is_some();
        (0..self.command.voices.len()).filter(is_there).map(move |at| n + at)
    }

    /// Who is in a squad, by name.
    pub fn members_of(&self, voice: usize) -> Vec<&str> {
        let members = self.squad_voice(voice).map_or(&[][..], |squad| &squad.members);
        members.iter().filter_map(|&member| self.name_of(member)).collect()
    }
}
