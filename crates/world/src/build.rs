//! Building a world, at load: this may refuse, and says why.
//!
//! In:   rows of text, then actors, things and nodes as drafts with their names as text.
//! Out:  a [`World`], or what is wrong.
//! Cost: a hash look-up per name; a map is flooded once.
//!
//! Names become [`Word`]s in the table handed over. Hand over the table that the minds use, or a
//! copy of it: a table only grows at its end, so all words of the original mean the same.

use crate::actor::{Actor, Control, Posture, Weapon};
use crate::cell::Cell;
use crate::grid::Grid;
use crate::jobs::Jobs;
use crate::near::Near;
use crate::node::Node;
pub use crate::refused::WorldError;
use crate::rules::Rules;
use crate::thing::{Need, Thing, ThingKind};
use crate::vocabulary::Vocabulary;
use crate::world::World;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use throng_mind::fact::EntityId;
use throng_mind::time::Pace;
use throng_mind::words::{Word, Words};

/// The most actors in a world.
pub const MOST_ACTORS: usize = 5_000;
/// The most things, and the most nodes.
pub const MOST_THINGS: usize = 5_000;

/// Orders of scripts are counted from here, far above those of minds.
const FIRST_COMMAND: u32 = 1 << 31;

/// An actor to be.
#[derive(Clone, Debug)]
pub struct ActorDraft<'d> {
    /// Its name; nobody else's.
    pub name: &'d str,
    /// Where.
    pub cell: Cell,
    /// Its side; empty: nobody's enemy.
    pub side: &'d str,
    /// Who decides what it does.
    pub control: Control,
    /// What it can take.
    pub health: i32,
    /// The weapon's name; empty: none.
    pub weapon: &'d str,
    /// Whether the weapon is in hand.
    pub armed: bool,
    /// Rounds that the weapon holds and has; 0 for what hits at arm's length.
    pub rounds: u16,
    /// Grenades that it carries.
    pub grenades: u16,
}

impl<'d> ActorDraft<'d> {
    /// Somebody with a mind, a health of 100, no side and no weapon.
    pub fn new(name: &'d str, cell: Cell) -> Self {
        ActorDraft {
            name,
            cell,
            side: "",
            control: Control::Mind,
            health: 100,
            weapon: "",
            armed: false,
            rounds: 12,
            grenades: 0,
        }
    }
}

/// A thing to be.
#[derive(Clone, Debug)]
pub struct ThingDraft<'d> {
    /// Its name; no other thing's.
    pub name: &'d str,
    /// Where.
    pub cell: Cell,
    /// What kind.
    pub kind: ThingKind,
    /// What it can be in; it begins in the first.
    pub states: &'d [&'d str],
    /// What must hold for it to be used: things added before, and their states.
    pub needs: &'d [(&'d str, &'d str)],
    /// Cannot be opened.
    pub blocked: bool,
    /// An item that is a weapon: the rounds in it, 0 for what hits at arm's length.
    pub arms: Option<u16>,
}

impl<'d> ThingDraft<'d> {
    /// A thing that needs nothing; an item is a weapon for arm's length.
    pub fn new(name: &'d str, cell: Cell, kind: ThingKind, states: &'d [&'d str]) -> Self {
        let arms = (kind == ThingKind::Item).then_some(0);
        ThingDraft { name, cell, kind, states, needs: &[], blocked: false, arms }
    }
}

/// A node to be.
#[derive(Clone, Debug)]
pub struct NodeDraft<'d> {
    /// Its name; no other node's.
    pub name: &'d str,
    /// Where.
    pub cell: Cell,
    /// What it is for.
    pub kind: &'d str,
    /// It is of use only against a target so near to it, in cells.
    pub radius: Option<u16>,
    /// It exists only while these hold: things added before, and their states.
    pub needs: &'d [(&'d str, &'d str)],
}

impl World {
    /// A world with nobody in it.
    pub fn new(rows: &[&str], pace: Pace, words: &mut Words) -> Result<World, WorldError> {
        let grid = Grid::read(rows)?;
        let (width, height) = (grid.width(), grid.height());
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
        let opaque: Vec<bool> = cells.map(|cell| grid.is_wall(cell)).collect();
        let near = Near::new(width, height);
        Ok(World {
            words: Vocabulary::new(words),
            rules: Rules::at(pace),
            grid,
            now: 0,
            actors: Vec::new(),
            things: Vec::new(),
            grenades: Vec::new(),
            nodes: Vec::new(),
            noises: Vec::new(),
            reports: Vec::new(),
            next_handle: 1,
            next_command: FIRST_COMMAND,
            active: Vec::new(),
            aims: BTreeSet::new(),
            links: vec![None; opaque.len()],
            opaque,
            actors_near: near.clone(),
            things_near: near.clone(),
            nodes_near: near,
            actor_names: HashMap::new(),
            thing_names: HashMap::new(),
            node_names: HashMap::new(),
        })
    }

    /// Adds somebody, also while the world runs.
    pub fn add_actor(
        &mut self,
        draft: &ActorDraft,
        words: &mut Words,
    ) -> Result<EntityId, WorldError> {
        self.check_room(self.actors.len(), MOST_ACTORS, "actors")?;
        self.check_floor(draft.name, draft.cell)?;
        let name = words.intern(draft.name);
        let index = self.actors.len();
        claim_name(&mut self.actor_names, name, index, draft.name)?;
        let handle = self.give_handle();
        let side = if draft.side.is_empty() { Word::NONE } else { words.intern(draft.side) };
        let weapon = (!draft.weapon.is_empty()).then(|| Weapon {
            name: words.intern(draft.weapon),
            armed: draft.armed,
            rounds: draft.rounds,
            holds: draft.rounds,
        });
        let health = draft.health.max(1);
        self.actors_near.insert(index, draft.cell, side);
        self.actors.push(Actor {
            handle,
            name,
            text: draft.name.to_string(),
            side,
            cell: draft.cell,
            facing: (0, 1),
            health,
            weapon,
            grenades: draft.grenades,
            carries: Vec::new(),
            posture: Posture::Standing,
            on: None,
            climbed: 0,
            aims_at: None,
            alive: true,
            control: draft.control,
            avoids: Vec::new(),
            shuns: Vec::new(),
            blocked_by: None,
            holds_node: None,
            plays: None,
            pinned: None,
            jobs: Jobs::default(),
        });
        Ok(handle)
    }

    /// Adds a thing.
    pub fn add_thing(
        &mut self,
        draft: &ThingDraft,
        words: &mut Words,
    ) -> Result<EntityId, WorldError> {
        self.check_room(self.things.len(), MOST_THINGS, "things")?;
        self.check_floor(draft.name, draft.cell)?;
        if draft.states.is_empty() {
            return Err(WorldError::NoStates(draft.name.to_string()));
        }
        let cell_index = self.grid.index(draft.cell).filter(|_| draft.kind.is_link());
        if cell_index.is_some_and(|at| self.links[at].is_some()) {
            return Err(WorldError::LinkTwice(draft.name.to_string()));
        }
        let needs = self.read_needs(draft.name, draft.needs, words)?;
        let name = words.intern(draft.name);
        let index = self.things.len();
        claim_name(&mut self.thing_names, name, index, draft.name)?;
        let states: Vec<Word> = draft.states.iter().map(|state| words.intern(state)).collect();
        let is_shut = |state: &Word| [self.words.shut, self.words.closed].contains(state);
        let shut_at = states.iter().position(is_shut).filter(|_| draft.kind == ThingKind::Door);
        let handle = self.give_handle();
        self.things_near.insert(index, draft.cell, Word::NONE);
        self.things.push(Thing {
            handle,
            name,
            text: draft.name.to_string(),
            kind: draft.kind,
            cell: draft.cell,
            states,
            at: 0,
            shut_at,
            needs,
            blocked: draft.blocked,
            held_by: None,
            arms: draft.arms,
            holds: draft.arms.unwrap_or(0),
        });
        if let Some(at) = cell_index {
            // There are at most 5,000 things.
            self.links[at] = Some(index as u16);
        }
        self.put_into_state(index, 0);
        Ok(handle)
    }

    /// Adds a node; its position in [`World::nodes`].
    pub fn add_node(&mut self, draft: &NodeDraft, words: &mut Words) -> Result<usize, WorldError> {
        self.check_room(self.nodes.len(), MOST_THINGS, "nodes")?;
        self.check_floor(draft.name, draft.cell)?;
        let needs = self.read_needs(draft.name, draft.needs, words)?;
        let name = words.intern(draft.name);
        let index = self.nodes.len();
        claim_name(&mut self.node_names, name, index, draft.name)?;
        self.nodes_near.insert(index, draft.cell, Word::NONE);
        self.nodes.push(Node {
            name,
            text: draft.name.to_string(),
            kind: words.intern(draft.kind),
            cell: draft.cell,
            radius: draft.radius,
            needs,
            taken_by: None,
        });
        Ok(index)
    }

    pub(crate) fn give_handle(&mut self) -> EntityId {
        let handle = EntityId(self.next_handle);
        self.next_handle += 1;
        handle
    }

    fn check_room(&self, len: usize, most: usize, what: &'static str) -> Result<(), WorldError> {
        if len < most { Ok(()) } else { Err(WorldError::TooMany(what)) }
    }

    fn check_floor(&self, name: &str, cell: Cell) -> Result<(), WorldError> {
        match self.grid.is_wall(cell) {
            true => Err(WorldError::NoFloor(name.to_string())),
            false => Ok(()),
        }
    }

    fn read_needs(
        &self,
        of: &str,
        needs: &[(&str, &str)],
        words: &Words,
    ) -> Result<Vec<Need>, WorldError> {
        let unknown = |missing: &str| WorldError::NeedUnknown {
            of: of.to_string(),
            missing: missing.to_string(),
        };
        let read = |&(name, state): &(&str, &str)| {
            let thing = words.find(name).and_then(|name| self.thing_named(name));
            let thing = thing.ok_or_else(|| unknown(name))?;
            let word = words.find(state).filter(|word| thing.states.contains(word));
            Ok(Need { thing: thing.handle, state: word.ok_or_else(|| unknown(state))? })
        };
        needs.iter().map(read).collect()
    }
}

fn claim_name(
    names: &mut HashMap<Word, usize>,
    name: Word,
    index: usize,
    text: &str,
) -> Result<(), WorldError> {
    match names.entry(name) {
        Entry::Occupied(_) => Err(WorldError::NameTwice(text.to_string())),
        Entry::Vacant(free) => {
            free.insert(index);
            Ok(())
        }
    }
}
