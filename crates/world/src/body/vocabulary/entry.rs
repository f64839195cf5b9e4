//! What is said of a sensor, of a behaviour, and of the facts that they write.

use throng_mind::fact::Attribute;

/// What an attribute of a fact can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Can {
    /// Not a word: a place, a number, somebody or something.
    NoWord,
    /// One of these words.
    Words(&'static [&'static str]),
    /// The name of a node.
    Node,
    /// The name of a thing.
    Thing,
    /// The name of a node or a thing.
    NodeOrThing,
    /// The name of a node, a thing or an actor.
    Named,
    /// The name of an actor.
    Actor,
    /// The name of a weapon.
    Weapon,
    /// A side.
    Side,
    /// A state of a thing.
    State,
    /// What a node is good for.
    Sort,
    /// The bare name of an action.
    Action,
    /// What is done for a task, or why it failed.
    Duty,
}

/// Facts that somebody writes.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Their kind.
    pub kind: &'static str,
    /// Whether they go into the memory that all share.
    pub shared: bool,
    /// The attributes that they can have, and what these can be.
    pub attributes: &'static [(Attribute, Can)],
}

/// When a sensor usually runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Usual {
    /// On this stimulus, and on no other: its code looks at what arrived.
    On(&'static str),
    /// Every so many seconds; other rates, and any stimulus, do as well.
    Every(f32),
}

/// A sensor of the world.
#[derive(Clone, Copy, Debug)]
pub struct SensorEntry {
    /// Its name in files.
    pub name: &'static str,
    /// When it runs.
    pub when: Usual,
    /// What it writes.
    pub writes: &'static [Facts],
    /// What it is for.
    pub line: &'static str,
}

impl SensorEntry {
    /// The statement that declares it: `sensor hear: on noise`.
    pub fn statement(&self) -> String {
        match self.when {
            Usual::On(stimulus) => format!("sensor {}: on {stimulus}", self.name),
            Usual::Every(seconds) => format!("sensor {}: every {seconds}", self.name),
        }
    }
}

/// A behaviour of the world.
#[derive(Clone, Copy, Debug)]
pub struct BehaviourEntry {
    /// Its name in files.
    pub name: &'static str,
    /// What the parameters of an action that it does mean; empty: it looks at none.
    pub parameters: &'static str,
    /// What must be so; empty: nothing.
    pub needs: &'static str,
    /// What it does.
    pub line: &'static str,
    /// Facts that it leaves.
    pub writes: &'static [Facts],
    /// What it makes of facts that are there already.
    pub changes: &'static [Facts],
}
