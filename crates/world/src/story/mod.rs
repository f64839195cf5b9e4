//! A story: a map, who and what is on it, what happens when, and what must come of it.
//!
//! In:   the `story`, `map`, `actor`, `thing`, `node`, `at` and `promise` statements of a file.
//! Out:  a [`Story`] as plain data ([`Story::read`]); the same played ([`run::Play`]) and judged
//!       ([`promise::Judge`]).
//! Cost: one entry per statement.
//!
//! Actors, things and nodes are known by their position in the lists of the story. Actions and
//! goals are known by their position in the model that the story was read with.

pub mod cast;
mod check;
pub mod judged;
pub mod only;
pub mod promise;
pub mod read;
pub mod retold;
pub mod run;
pub mod squads;
pub mod tell;
pub mod witness;

use crate::build::{ActorDraft, NodeDraft, ThingDraft};
use crate::cell::Cell;
use squads::SquadWhat;
use throng_domain::Span;
use throng_mind::time::{Pace, Tick};

/// A place of the map that a letter names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The letter.
    pub name: String,
    /// Where it stands.
    pub cell: Cell,
    /// Where that is in the text.
    pub span: Span,
}

/// `THING = STATE`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Need {
    /// Position in [`Story::things`].
    pub thing: usize,
    /// One of its states.
    pub state: String,
}

/// What the script does, or lets the one do that [`ScriptEntry::who`] is.
#[derive(Clone, PartialEq, Debug)]
pub enum Deed {
    /// `ACTOR moves to MARK`
    Moves(Cell),
    /// `ACTOR runs to MARK`
    Runs(Cell),
    /// `ACTOR throws grenade at MARK`
    Throws(Cell),
    /// `ACTOR aims at ACTOR`
    Aims(usize),
    /// `ACTOR fires at ACTOR`
    Fires(usize),
    /// `ACTOR loses weapon`
    LosesWeapon,
    /// `ACTOR dies`
    Dies,
    /// `ACTOR appears at MARK`
    Appears(Cell),
    /// `ACTOR leaves`
    Leaves,
    /// `THING = STATE`
    Becomes(Need),
    /// `THING is blocked`, `THING is free`
    Blocked {
        /// The door.
        thing: usize,
        /// Blocked, or free.
        blocked: bool,
    },
    /// `noise at MARK radius N`
    Noise {
        /// In which cell.
        at: Cell,
        /// How far it is heard, in cells.
        radius: u16,
    },
}

/// `at SECONDS: …`
#[derive(Clone, PartialEq, Debug)]
pub struct ScriptEntry {
    /// In which tick.
    pub at: Tick,
    /// The actor that does it, by position in [`Story::actors`]; `None` if no actor does.
    pub who: Option<usize>,
    /// What it does.
    pub deed: Deed,
    /// As written, for those who watch.
    pub text: String,
}

/// Actions that a promise speaks of: one, or all of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// As written.
    pub text: String,
    /// Positions among the actions of the model, rising.
    pub actions: Vec<u32>,
    /// Position among the flavours of the file, if it is one.
    pub flavour: Option<u16>,
}

/// A named place that a promise speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The name of the node, thing or mark.
    pub name: String,
    /// Where it is.
    pub cell: Cell,
    /// Whether to stand beside it is enough: things stand in the way.
    pub beside: bool,
}

/// What is promised, of the one that [`Promise::who`] is or of all.
#[derive(Clone, PartialEq, Debug)]
pub enum Claim {
    /// Some plan is exactly these steps.
    Plans(Vec<Step>),
    /// Runs of these end *done* in this order; others may lie between.
    Does(Vec<Step>),
    /// A run of this begins; if a kind is named, as this kind.
    Starts(Step, Option<String>),
    /// A run of this fails.
    Fails(Step),
    /// No run of this ends done.
    NeverDoes(Step),
    /// No plan has this.
    NeverPlans(Step),
    /// A goal of these becomes active, by position in the model.
    Wants(Vec<u32>),
    /// It lives, or not.
    Alive(bool),
    /// A thing is in a state.
    Is(Need),
    /// It is at a place.
    At(Spot),
    /// It had a fact of this kind and has none any more.
    Forgets(String),
    /// It has a fact of this kind.
    Remembers(String),
    /// It learns this.
    Learns(Step),
    /// Each mind asks for fewer plans per second than this, over the whole story.
    CallsBelow(f64),
    /// No mind has more heavy sensor runs in a tick.
    HeavyAtMost(u32),
    /// It is given this task, does it, or refuses it.
    Task(SquadWhat, String),
    /// No two of the living are ever at one node.
    NobodyShares,
    /// No mind is ever without both an action and a reason for that.
    NobodyStands,
}

/// `promise …`
#[derive(Clone, PartialEq, Debug)]
pub struct Promise {
    /// As written, without the first word.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Whose promise it is, by position in [`Story::actors`]; behind them come the types of
    /// squads, by position in [`Story::squads`]. `None`: it is about things, or about all.
    pub who: Option<usize>,
    /// What is promised.
    pub claim: Claim,
    /// Until when; `None`: until the end.
    pub by: Option<Tick>,
}

/// A story.
#[derive(Clone, PartialEq, Debug)]
pub struct Story {
    /// Its name.
    pub name: String,
    /// What it tells, in a sentence.
    pub sentence: String,
    /// How long it lasts.
    pub lasts: Tick,
    /// How long a second is.
    pub pace: Pace,
    /// The rows of the map, all of one length; marks are in them.
    pub map: Vec<String>,
    /// The marks of the map, by row and column.
    pub marks: Vec<Mark>,
    /// Who is in it.
    pub actors: Vec<ActorDraft>,
    /// What is in it.
    pub things: Vec<ThingDraft>,
    /// Places that minds know by name.
    pub nodes: Vec<NodeDraft>,
    /// The types of squads that may form, by position in the model, in the order of the text.
    pub squads: Vec<usize>,
    /// What happens, by time; at the same time in the order of the text.
    pub script: Vec<ScriptEntry>,
    /// What must come of it.
    pub promises: Vec<Promise>,
    /// Its statements in one number, word by word: what tells it from every other, wherever they
    /// stand and whatever else is in the file.
    pub digest: u128,
}

impl Story {
    /// Whether an actor is there from the beginning: not if the script first lets it appear.
    pub fn is_present(&self, who: usize) -> bool {
        let mut own = self.script.iter().filter(|entry| entry.who == Some(who));
        let first = own.find(|it| matches!(it.deed, Deed::Appears(_) | Deed::Leaves));
        first.is_none_or(|first| first.deed == Deed::Leaves)
    }

    /// The position of the actor called so.
    pub fn find_actor(&self, name: &str) -> Option<usize> {
        self.actor_names().position(|known| known == name)
    }

    /// The position of the thing called so.
    pub fn find_thing(&self, name: &str) -> Option<usize> {
        self.thing_names().position(|known| known == name)
    }

    /// The names of all actors, in order.
    pub fn actor_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.actors.iter().map(|actor| actor.name.as_str())
    }

    /// The names of all things, in order.
    pub fn thing_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.things.iter().map(|thing| thing.name.as_str())
    }

    /// The names of all nodes, in order.
    pub fn node_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.nodes.iter().map(|node| node.name.as_str())
    }

    /// The names of all marks of the map.
    pub fn mark_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.marks.iter().map(|mark| mark.name.as_str())
    }

    /// Whether a model has a story, right or wrong.
    pub fn is_in(model: &throng_domain::Model) -> bool {
        model.notes().iter().any(|note| note.keyword.word == "story")
    }
}
