//! What a body understands and writes, as data: a file is held against it without being run.
//!
//! In:   what code says of itself: [`Body::describes`](crate::Body::describes), or a JSON text.
//! Out:  a [`BodyVocabulary`]: sensors and the facts that they write, behaviours and what they are
//!       given, stimuli.
//! Cost: lists; a look-up is a walk.
//!
//! The words of a file mean nothing by themselves: memory takes any. So a slip of the fingers is a
//! fact that never comes, and only who knows what code writes can tell.

mod check;
mod fitting;
mod given;
mod json;
mod level_words;
mod remembered;
mod writers;

pub use check::FileCheck;
pub use level_words::{AnyLevel, LevelWords};
pub use remembered::{is_asked, remembered};
pub use writers::Writers;

use crate::fact::Attribute;

/// What an attribute of a fact can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CanBe {
    /// Not a word: a place, a number, an entity.
    NoWord,
    /// One of these words.
    Words(Vec<String>),
    /// The name of something in the level: `node`, `thing`, whatever the game calls them.
    NameOf(String),
}

/// Facts of a kind that code writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactWords {
    /// Their kind.
    pub kind: String,
    /// Whether they go into the memory that all share.
    pub shared: bool,
    /// The attributes that they can have, and what these can be.
    pub attributes: Vec<(Attribute, CanBe)>,
}

/// When a sensor usually runs.
#[derive(Clone, PartialEq, Debug)]
pub enum UsualTime {
    /// On this stimulus, and on no other: its code looks at what arrived.
    On(String),
    /// Every so many seconds; other rates, and any stimulus, do as well.
    Every(f32),
}

/// A sensor.
#[derive(Clone, PartialEq, Debug)]
pub struct SensorWords {
    /// Its name in files.
    pub name: String,
    /// When it runs; `None`: as the file says.
    pub when: Option<UsualTime>,
    /// What it writes; `None`: that is not known.
    pub writes: Option<Vec<FactWords>>,
}

impl SensorWords {
    /// The statement that declares it: `sensor hear: on noise`.
    pub fn statement(&self) -> String {
        let name = &self.name;
        match &self.when {
            Some(UsualTime::On(stimulus)) => format!("sensor {name}: on {stimulus}"),
            Some(UsualTime::Every(seconds)) => format!("sensor {name}: every {seconds}"),
            None => format!("sensor {name}: every 0.5"),
        }
    }
}

/// A behaviour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BehaviourWords {
    /// Its name in files.
    pub name: String,
    /// How many things it must be given, and how many it looks at.
    pub given: (usize, usize),
    /// What the first of them is the name of, unless it is a slot: `node`, `thing`, whatever the game
    /// calls them; `None`: it may be any word.
    pub about: Option<String>,
    /// Facts that it leaves; `None`: that is not known.
    pub writes: Option<Vec<FactWords>>,
    /// What it makes of facts that are there already.
    pub changes: Vec<FactWords>,
    /// Of a squad: the tasks that it gives.
    pub gives: Vec<String>,
}

impl BehaviourWords {
    /// One of which only the name is known.
    pub fn bare(name: &str) -> Self {
        let (name, given) = (name.to_string(), (0, usize::MAX));
        let (about, writes) = (None, None);
        BehaviourWords { name, given, about, writes, changes: Vec::new(), gives: Vec::new() }
    }
}

/// All of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BodyVocabulary {
    /// What files call it: `body kit`.
    pub name: String,
    /// The stimuli that the engine sends; empty: any.
    pub stimuli: Vec<String>,
    /// All sensors.
    pub sensors: Vec<SensorWords>,
    /// All behaviours.
    pub behaviours: Vec<BehaviourWords>,
    /// The questions that the engine understands (`asks sight of target`); empty: any.
    pub questions: Vec<String>,
    /// What squads tell their members.
    pub told_to_members: Vec<FactWords>,
    /// What squads are told.
    pub told_to_squads: Vec<FactWords>,
}

impl BodyVocabulary {
    /// The sensor of this name.
    pub fn sensor(&self, name: &str) -> Option<&SensorWords> {
        self.sensors.iter().find(|it| it.name == name)
    }

    /// The behaviour of this name.
    pub fn behaviour(&self, name: &str) -> Option<&BehaviourWords> {
        self.behaviours.iter().find(|it| it.name == name)
    }

    /// This and another; where both have a name, the other's counts.
    #[must_use]
    pub fn and(mut self, other: BodyVocabulary) -> Self {
        self.sensors.retain(|it| other.sensor(&it.name).is_none());
        self.behaviours.retain(|it| other.behaviour(&it.name).is_none());
        self.sensors.extend(other.sensors);
        self.behaviours.extend(other.behaviours);
        merge(&mut self.stimuli, other.stimuli);
        merge(&mut self.questions, other.questions);
        merge(&mut self.told_to_members, other.told_to_members);
        merge(&mut self.told_to_squads, other.told_to_squads);
        if !other.name.is_empty() {
            self.name = other.name;
        }
        self
    }
}

/// Each once.
fn merge<T: PartialEq>(list: &mut Vec<T>, other: Vec<T>) {
    for it in other {
        if !list.contains(&it) {
            list.push(it);
        }
    }
}
