//! The site: the map and everything on it that does not act: things and nodes.
//!
//! In:   rows of text as a map; things and nodes as drafts.
//! Out:  what fills a cell, what a thing needs, whether a node exists; sight (`sight.rs`) and ways
//!       (`paths.rs`) are walks over it.
//! Cost: a look-up per question; a map is flooded once.

use crate::build::{MOST_THINGS, NodeDraft, ThingDraft};
use crate::cell::Cell;
use crate::error::WorldError;
use crate::goods::Goods;
use crate::grid::Grid;
use crate::node::Node;
use crate::register::{Edit, Register};
use crate::thing::{Need, Thing, ThingKind, Wire};
use throng_kit::Vocabulary;
use throng_mind::fact::EntityId;
use throng_mind::time::{Tick, after};
use throng_mind::words::{Word, Words};

/// The sort of nodes that only who leaps gets to.
const PERCH: &str = "perch";

/// What fills a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fill {
    Wall,
    Nothing,
    /// A door or a window, by position among the things.
    Link(u16),
}

/// The map, things and nodes.
#[derive(Clone, Debug)]
pub struct Site {
    grid: Grid,
    /// By cell.
    fills: Vec<Fill>,
    /// The cells of nodes that only who leaps gets to, rising.
    perches: Vec<Cell>,
    things: Register<Thing>,
    nodes: Register<Node>,
    /// Things that go back by themselves, by position.
    lasting: Vec<usize>,
}

impl Site {
    /// A map with nothing on it.
    pub(crate) fn new(rows: &[&str]) -> Result<Site, WorldError> {
        let grid = Grid::read(rows)?;
        let fill = |cell| if grid.is_wall(cell) { Fill::Wall } else { Fill::Nothing };
        let fills = grid.cells().map(fill).collect();
        let (things, nodes) = (Register::new(&grid), Register::new(&grid));
        Ok(Site { grid, fills, things, nodes, perches: Vec::new(), lasting: Vec::new() })
    }

    /// Adds a thing of this number; gives its position.
    pub(crate) fn add_thing(
        &mut self,
        handle: EntityId,
        draft: &ThingDraft,
        own: &Vocabulary,
        words: &mut Words,
    ) -> Result<usize, WorldError> {
        let cell = self.room(&draft.name, draft.cell, self.things.len(), "things")?;
        if draft.states.is_empty() {
            return Err(WorldError::NoStates(draft.name.clone()));
        }
        let is_link = draft.kind.is_link();
        if is_link && self.fills[cell] != Fill::Nothing {
            return Err(WorldError::LinkTwice(draft.name.clone()));
        }
        let needs = self.read_needs(&draft.name, &draft.needs, words)?;
        let keys = self.read_keys(&draft.name, &draft.keys, words)?;
        let follows = self.read_wires(draft, words)?;
        let name = words.intern(&draft.name);
        let sort = if draft.sort.is_empty() { draft.kind.name() } else { &draft.sort };
        let sort = words.intern(sort);
        let states: Vec<Word> = draft.states.iter().map(|state| words.intern(state)).collect();
        let is_shut = |state: &Word| [own.shut, own.closed].contains(state);
        let shut_at = states.iter().position(is_shut).filter(|_| draft.kind == ThingKind::Door);
        let index = self.things.add(Thing {
            handle,
            name,
            text: draft.name.clone(),
            kind: draft.kind,
            sort,
            cell: draft.cell,
            states,
            at: 0,
            shut_at,
            needs,
            keys,
            follows,
            leads: Vec::new(),
            blocked: draft.blocked,
            held_by: None,
            arms: draft.arms,
            holds: draft.arms.unwrap_or(0),
            goods: Goods::of(draft.wares.iter().map(|ware| ware.intern(words))),
            lasts: draft.lasts,
            back_at: None,
        })?;
        for wire in 0..self.things[index].follows.len() {
            let leader = self.things.index_of(self.things[index].follows[wire].leader);
            if let Some(leader) = leader.filter(|&at| !self.things[at].leads.contains(&index)) {
                self.things.edit(leader).leads.push(index);
            }
        }
        if draft.lasts.is_some() {
            self.lasting.push(index);
        }
        if is_link {
            // There are at most 5,000 things.
            self.fills[cell] = Fill::Link(index as u16);
        }
        Ok(index)
    }

    /// Adds a node of this number; gives its position.
    pub(crate) fn add_node(
        &mut self,
        handle: EntityId,
        draft: &NodeDraft,
        words: &mut Words,
    ) -> Result<usize, WorldError> {
        self.room(&draft.name, draft.cell, self.nodes.len(), "nodes")?;
        let needs = self.read_needs(&draft.name, &draft.needs, words)?;
        if draft.sort == PERCH
            && let Err(place) = self.perches.binary_search(&draft.cell)
        {
            self.perches.insert(place, draft.cell);
        }
        self.nodes.add(Node {
            handle,
            name: words.intern(&draft.name),
            text: draft.name.clone(),
            kind: words.intern(&draft.sort),
            cell: draft.cell,
            faces: draft.faces,
            radius: draft.radius,
            needs,
            taken_by: None,
        })
    }

    /// The position of a cell of the floor in tables by cell, if one more fits there.
    fn room(
        &self,
        name: &str,
        cell: Cell,
        count: usize,
        what: &'static str,
    ) -> Result<usize, WorldError> {
        if count >= MOST_THINGS {
            return Err(WorldError::TooMany(what));
        }
        let index = self.grid.index(cell).filter(|_| !self.grid.is_wall(cell));
        index.ok_or_else(|| WorldError::NoFloor(name.to_string()))
    }

    fn read_needs(
        &self,
        of: &str,
        needs: &[(String, String)],
        words: &Words,
    ) -> Result<Vec<Need>, WorldError> {
        let read = |(name, state): &(String, String)| self.read_need(of, name, state, words);
        needs.iter().map(read).collect()
    }

    fn read_need(
        &self,
        of: &str,
        name: &str,
        state: &str,
        words: &Words,
    ) -> Result<Need, WorldError> {
        let thing = self.called(of, name, words)?;
        let word = words.find(state).filter(|word| thing.states.contains(word));
        Ok(Need { thing: thing.handle, state: word.ok_or_else(|| unknown(of, state))? })
    }

    /// A thing by its name as text, for who needs it.
    pub(crate) fn called(&self, of: &str, name: &str, words: &Words) -> Result<&Thing, WorldError> {
        let thing = words.find(name).and_then(|name| self.things.named(name));
        thing.ok_or_else(|| unknown(of, name))
    }

    fn read_keys(
        &self,
        of: &str,
        keys: &[String],
        words: &Words,
    ) -> Result<Vec<EntityId>, WorldError> {
        let read = |key: &String| {
            let thing = self.called(of, key, words)?;
            let is_item = thing.kind == ThingKind::Item;
            is_item.then_some(thing.handle).ok_or_else(|| unknown(of, key))
        };
        keys.iter().map(read).collect()
    }

    fn read_wires(&self, draft: &ThingDraft, words: &Words) -> Result<Vec<Wire>, WorldError> {
        let read = |(leader, when, becomes): &(String, String, String)| {
            let Need { thing, state } = self.read_need(&draft.name, leader, when, words)?;
            let at = draft.states.iter().position(|state| state == becomes);
            let becomes = at.ok_or_else(|| unknown(&draft.name, becomes))?;
            Ok(Wire { leader: thing, when: state, becomes })
        };
        draft.follows.iter().map(read).collect()
    }

    throng_base::getters! {
        /// The map.
        grid: &Grid;
        /// All things, by number.
        things: &Register<Thing>;
        /// All nodes, also those that do not exist now; in the order of adding.
        nodes: &Register<Node>;
    }

    /// A thing by number.
    pub fn thing(&self, handle: EntityId) -> Option<&Thing> {
        self.things.get(handle)
    }

    /// A thing by name.
    pub fn thing_named(&self, name: Word) -> Option<&Thing> {
        self.things.named(name)
    }

    /// A node by number.
    pub fn node(&self, handle: EntityId) -> Option<&Node> {
        self.nodes.get(handle)
    }

    /// A thing to be changed. Doors and windows stay in their cells.
    pub(crate) fn edit_thing(&mut self, thing: usize) -> Edit<'_, Thing> {
        self.things.edit(thing)
    }

    /// Who has a node from now on; gives who had it.
    pub(crate) fn set_taken(&mut self, node: usize, by: Option<EntityId>) -> Option<EntityId> {
        std::mem::replace(&mut self.nodes.edit(node).taken_by, by)
    }

    /// Whether all needs hold.
    pub(crate) fn are_met(&self, needs: &[Need]) -> bool {
        let met =
            |need: &Need| self.things.get(need.thing).is_some_and(|it| it.state() == need.state);
        needs.iter().all(met)
    }

    /// Whether an actor may use a thing: its needs hold, and he carries its keys.
    pub fn may_use(&self, thing: &Thing, who: EntityId) -> bool {
        let carries = |key: &EntityId| self.thing(*key).is_some_and(|it| it.held_by == Some(who));
        self.are_met(&thing.needs) && thing.keys.iter().all(carries)
    }

    /// Puts a thing into a state, by position; those that follow it come into theirs. A blocked
    /// door stays as it is.
    pub(crate) fn put(&mut self, thing: usize, at: usize) {
        self.things.edit(thing).at = at;
        let (leader, when) = (self.things[thing].handle, self.things[thing].state());
        for led in 0..self.things[thing].leads.len() {
            let led = self.things[thing].leads[led];
            let it = &self.things[led];
            let mut wires = it.follows.iter();
            let wire = wires.find(|wire| wire.leader == leader && wire.when == when);
            if let Some(becomes) = wire.map(|wire| wire.becomes)
                && it.at != becomes
                && !it.blocked
            {
                // Leaders were added before those that follow them: there is no circle.
                self.put(led, becomes);
            }
        }
    }

    /// Things that have lasted long enough go back into their first state.
    pub(crate) fn let_lapse(&mut self, now: Tick) {
        for at in 0..self.lasting.len() {
            let thing = self.lasting[at];
            let it = &self.things[thing];
            let back_at = match (it.at, it.back_at) {
                (0, _) => None,
                (_, Some(back_at)) if now >= back_at => {
                    self.put(thing, 0);
                    None
                }
                (_, Some(back_at)) => Some(back_at),
                (_, None) => it.lasts.map(|lasts| after(now, lasts)),
            };
            if self.things[thing].back_at != back_at {
                self.things.edit(thing).back_at = back_at;
            }
        }
    }

    /// Whether a node exists now.
    pub fn exists(&self, node: &Node) -> bool {
        self.are_met(&node.needs)
    }

    /// Whether a perch is in a cell: only who leaps gets there.
    pub fn is_perch(&self, cell: Cell) -> bool {
        self.perches.binary_search(&cell).is_ok()
    }

    /// The door or window in a cell, by position among the things.
    pub(crate) fn link_index(&self, cell: Cell) -> Option<usize> {
        match self.fills[self.grid.index(cell)?] {
            Fill::Link(link) => Some(usize::from(link)),
            Fill::Wall | Fill::Nothing => None,
        }
    }

    pub(crate) fn link_at(&self, cell: Cell) -> Option<&Thing> {
        self.link_index(cell).map(|link| &self.things[link])
    }

    /// Whether a wall or a shut door fills this cell, or it is outside.
    pub fn is_opaque(&self, cell: Cell) -> bool {
        self.grid.index(cell).is_none_or(|index| match self.fills[index] {
            Fill::Wall => true,
            Fill::Nothing => false,
            Fill::Link(link) => self.things[usize::from(link)].is_shut_door(),
        })
    }

    /// An actor opens a shut door, into the state called `open` if it has one; `false` if it is
    /// blocked, he may not use it, or it knows no state but shut.
    pub(crate) fn open_door(&mut self, door: usize, open: Word, who: EntityId) -> bool {
        let thing = &self.things[door];
        if thing.blocked || !self.may_use(thing, who) {
            return false;
        }
        let other = || (0..thing.states.len()).find(|&at| Some(at) != thing.shut_at);
        let Some(state) = thing.state_called(open).or_else(other) else { return false };
        self.put(door, state);
        true
    }

    /// The node or thing that an actor in this cell stands at: a node of this cell that exists,
    /// else a thing of it, else a thing in one of the eight cells around; the first by name. What
    /// is held does not count.
    pub fn stands_at(&self, cell: Cell) -> Option<Word> {
        self.spot_at(cell).map(|(_, name)| name)
    }

    /// The same with its number.
    pub fn spot_at(&self, cell: Cell) -> Option<(EntityId, Word)> {
        let nodes = self.nodes.around(cell, 0).map(|(_, node)| node);
        let here = nodes.filter(|node| node.cell == cell && self.exists(node));
        let node = here.min_by(|a, b| a.text.cmp(&b.text)).map(|node| (node.handle, node.name));
        let thing = || {
            let things = self.things.around(cell, 1).map(|(_, thing)| thing);
            let beside = things.filter(|thing| thing.cell.is_beside(cell));
            let first = beside.min_by_key(|thing| (thing.cell != cell, &thing.text));
            first.map(|thing| (thing.handle, thing.name))
        };
        node.or_else(thing)
    }
}

/// What something needs is not there.
fn unknown(of: &str, missing: &str) -> WorldError {
    WorldError::NeedUnknown { of: of.to_string(), missing: missing.to_string() }
}
