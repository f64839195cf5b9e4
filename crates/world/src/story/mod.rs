//! A story: a map, who and what is on it, what happens when, and what must come of it.
//!
//! In:   the `story`, `map`, `actor`, `thing`, `node`, `at` and `promise` statements of a file.
//! Out:  a [`Story`] as plain data ([`Story::read`]); the same played ([`run::Play`]) and judged
//!       ([`promise::Judge`]).
//! Cost: one entry per statement.
//!
//! Actors, things and nodes are known by their position in the lists of the story. Actions and
//! goals are known by their position in the model that the story was read with.

mod answering;
pub mod cast;
mod check;
pub mod facts;
pub mod incident;
pub mod judged;
pub mod log;
pub mod only;
mod own_names;
pub mod picks;
pub mod promise;
pub mod read;
pub mod retold;
pub mod run;
pub mod squads;
pub mod staging;
pub mod tell;
pub mod witness;

use crate::build::{ActorDraft, NodeDraft, ThingDraft};
use crate::cell::Cell;
use facts::{FactPattern, Telling};
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
    /// `noise at MARK radius N [event WORD]`
    Noise {
        /// In which cell.
        at: Cell,
        /// How far it is heard, in cells.
        radius: u16,
        /// What it is; a `bang` if it does not say.
        event: Option<String>,
    },
    /// `ACTOR is told KIND(…) and KIND(…) for SECONDS`, `everybody is told …`
    Tells(Vec<Telling>),
}

/// When an entry of the script happens.
#[derive(Clone, PartialEq, Debug)]
pub enum Cue {
    /// `at SECONDS`: in this tick.
    At(Tick),
    /// `at SECONDS to SECONDS`: from this tick to that one, everybody in a tick of his own.
    Between(Tick, Tick),
    /// `when ACTOR at MARK`: once, as soon as it holds.
    Reaches(usize, Spot),
    /// `when ACTOR is dead`
    Dead(usize),
    /// `when THING = STATE`
    Is(Need),
}

impl Cue {
    /// The tick, if it is one.
    pub fn tick(&self) -> Option<Tick> {
        if let Cue::At(tick) = self { Some(*tick) } else { None }
    }
}

/// `at SECONDS: …`, `when …: …`
#[derive(Clone, PartialEq, Debug)]
pub struct ScriptEntry {
    /// When.
    pub cue: Cue,
    /// The actor that does it, by position in [`Story::actors`]; `None` if no actor does, or all.
    pub who: Option<usize>,
    /// What it does.
    pub deed: Deed,
    /// As written, for those who watch.
    pub text: String,
}

/// Actions that a promise speaks of: one, or all of a template; or what is done between or beside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// As written.
    pub text: String,
    /// Positions among the actions of the model, rising.
    pub actions: Vec<u32>,
    /// Position among the flavours of the file, if it is one.
    pub flavour: Option<u16>,
    /// Position among what the file has beside steps, if it is that.
    pub beside: Option<u16>,
    /// What must be in its slot then, if it is said by name: `goto(c7)`.
    pub shown: Option<String>,
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
    /// It has an item with it, or this weapon.
    Has(String),
    /// `never at SPOT`
    NeverAt(Spot),
    /// `THING never = STATE`
    NeverIs(Need),
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
    /// The game is asked no more questions in a tick.
    QuestionsAtMost(u32),
    /// It is given this task, does it, or refuses it; or it leads a squad of this type.
    Task(SquadWhat, String),
    /// No two of the living are ever at one node.
    NobodyShares,
    /// No mind is ever without both an action and a reason for that.
    NobodyStands,
    /// A slot of this selection, or this slot, held something, or the one of this name.
    Picks(String, Option<String>),
    /// It stood at what a slot of this selection held.
    AtPick(String),
    /// It was there, and is not any more.
    Leaves(Spot),
    /// It is never farther from that actor, until then.
    Within(f32, usize, Tick),
    /// It is so near to that actor at some moment.
    ComesWithin(f32, usize),
    /// No mind ever knows such a fact.
    NobodyKnows(FactPattern),
    /// No mind, or none of the actors behind it, has nothing to do for so long while it knows such
    /// a fact; what it does for one of these goals, by position in the model, counts as nothing.
    NobodyIdle(Tick, FactPattern, Vec<u32>, Option<Vec<usize>>),
    /// Whoever kills does one of these soon.
    AfterKill(Reaction),
    /// Of these, whoever sees one of them dead does one of these soon.
    AfterDeath(Vec<usize>, Reaction),
    /// No two of a side hold one pick of this selection for so long while another enemy threatens.
    NobodyDoubles(String, Tick),
    /// Nothing is begun and given up at once without a reason.
    NobodyTwitches,
    /// Whoever dies dies of something.
    DeathsHaveCauses,
    /// These throw at most so many grenades in so many ticks.
    ThrowsAtMost(u32, Vec<usize>, Tick),
    /// None of the first is hurt by one of the second.
    NobodyHurt(Vec<usize>, Vec<usize>),
    /// It begins this never while so many are about whom it has picked.
    NeverAmong(Step, Crowd),
    /// It is cloaked whenever so many of these could see it; so many ticks at most it is not.
    Cloaked(u32, Vec<usize>, Tick),
}

/// So many of a side within so many cells of whom a selection holds, himself among them.
#[derive(Clone, PartialEq, Debug)]
pub struct Crowd {
    /// How many.
    pub count: u32,
    /// Of whom.
    pub of: Vec<usize>,
    /// Only those count whom it could see for longer than this: who has only just come into view is not
    /// noticed yet. `None`: all count.
    pub in_view: Option<Tick>,
    /// How near.
    pub cells: f32,
    /// The selection.
    pub select: String,
}

/// What somebody is to do soon after something.
#[derive(Clone, PartialEq, Debug)]
pub struct Reaction {
    /// Selections that pick another, or anything.
    pub picks: Vec<String>,
    /// Goals that become active, by position in the model.
    pub wants: Vec<u32>,
    /// Within how many ticks.
    pub within: Tick,
}

impl Claim {
    /// Whether it is about what must not be.
    pub fn is_never(&self) -> bool {
        matches!(
            self,
            Claim::NeverDoes(_)
                | Claim::NeverPlans(_)
                | Claim::NeverAt(_)
                | Claim::NeverIs(_)
                | Claim::NeverAmong(..)
        )
    }
}

/// How many of a group must keep a promise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HowMany {
    /// `some SIDE …`: one is enough.
    Some,
    /// `one of SIDE …`: one, and no other.
    One,
    /// `side SIDE …`, `everybody …`: each.
    Each,
    /// `nobody of SIDE …`: none may.
    None,
}

/// `promise …`
#[derive(Clone, PartialEq, Debug)]
pub struct Promise {
    /// As written, without the first word.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Whose promise it is, by position in [`Story::actors`]; behind them come the types of
    /// squads, by position in [`Story::squads`]. `None`: it is about things, about several, or
    /// about all.
    pub who: Option<usize>,
    /// The actors whose promise it is, if it is about several, and how many of them must keep it.
    pub among: Option<(HowMany, Vec<usize>)>,
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
    /// How often a shot hits at best; without, every shot with a clear line does.
    pub accuracy: Option<f32>,
    /// Whether any number of actors may be in one cell.
    pub bodies_pass: bool,
    /// The rows of the map, all of one length; marks are in them.
    pub map: Vec<String>,
    /// The marks of the map, by row and column; one of which `each` is said, once for every cell.
    pub marks: Vec<Mark>,
    /// Who is in it.
    pub actors: Vec<ActorDraft>,
    /// What is in it.
    pub things: Vec<ThingDraft>,
    /// Places that minds know by name.
    pub nodes: Vec<NodeDraft>,
    /// The types of squads that may form, by position in the model, in the order of the text.
    pub squads: Vec<usize>,
    /// What happens: first what has a time, by time and at the same time in the order of the text;
    /// then what waits for something, in the order of the text.
    pub script: Vec<ScriptEntry>,
    /// What chance is drawn from; 0 unless the story says another.
    pub seed: u64,
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

    /// The actors of a side, by position.
    pub fn of_side(&self, side: &str) -> Vec<usize> {
        (0..self.actors.len()).filter(|&actor| self.actors[actor].side == side).collect()
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

    /// The rows of the map without marks: a mark is under a roof if the floor beside it in its row is.
    pub fn floor(&self) -> Vec<String> {
        let mut rows: Vec<Vec<char>> = self.map.iter().map(|row| row.chars().collect()).collect();
        while roof_one_more(&mut rows) {}
        let plain = |c: char| if matches!(c, '#' | ',') { c } else { '.' };
        rows.into_iter().map(|row| row.into_iter().map(plain).collect()).collect()
    }

    /// The names of all marks of the map.
    pub fn mark_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.marks.iter().map(|mark| mark.name.as_str())
    }

    /// What a cell is called: the node, thing or mark that is there, if one is.
    pub fn place_name(&self, cell: Cell) -> Option<&str> {
        let nodes = self.nodes.iter().map(|it| (it.name.as_str(), it.cell));
        let things = self.things.iter().map(|it| (it.name.as_str(), it.cell));
        let marks = self.marks.iter().map(|it| (it.name.as_str(), it.cell));
        nodes.chain(things).chain(marks).find(|(_, at)| *at == cell).map(|(name, _)| name)
    }

    /// Whether a model has a story, right or wrong.
    pub fn is_in(model: &throng_domain::Model) -> bool {
        model.notes().iter().any(|note| note.keyword.word == "story")
    }
}

/// Roofs marks that are beside a roof in their row; says whether there were any.
fn roof_one_more(rows: &mut [Vec<char>]) -> bool {
    let mut any = false;
    for row in rows {
        for x in 0..row.len() {
            let left = x.checked_sub(1).and_then(|left| row.get(left));
            let beside = left == Some(&',') || row.get(x + 1) == Some(&',');
            if row[x].is_alphabetic() && beside {
                (row[x], any) = (',', true);
            }
        }
    }
    any
}
