//! All actors, who of them is busy, and what they aim at.
//!
//! In:   actors as drafts; their targets; who got an order.
//! Out:  actors by position, number, name and place; those that a tick must visit.
//! Cost: as [`Register`]; a look-up in a sorted set for aims.

use crate::actor::jobs::Jobs;
use crate::actor::{Actor, Control, OFF_THE_MAP, Posture, Weapon};
use crate::build::{ActorDraft, MOST_ACTORS};
use crate::cell::Cell;
use crate::error::WorldError;
use crate::goods::Goods;
use crate::grid::Grid;
use crate::register::{Edit, Register};
use std::collections::BTreeSet;
use std::ops::Deref;
use throng_mind::fact::EntityId;
use throng_mind::words::{Word, Words};

/// All actors; [`Register`] says who is where.
#[derive(Clone, Debug)]
pub struct Actors {
    all: Register<Actor>,
    /// Target and who aims at it.
    aims: BTreeSet<(EntityId, EntityId)>,
    /// Actors with orders under way, by position, in order.
    busy: Vec<u32>,
    /// The dead who lie on the map, by position, in order.
    fallen: Vec<u32>,
}

/// What is only asked, the register answers.
impl Deref for Actors {
    type Target = Register<Actor>;

    fn deref(&self) -> &Register<Actor> {
        &self.all
    }
}

impl Actors {
    pub(crate) fn new(grid: &Grid) -> Self {
        Actors {
            all: Register::by_cell(grid),
            aims: BTreeSet::new(),
            busy: Vec::new(),
            fallen: Vec::new(),
        }
    }

    /// The same actors as they were saved; `None` if two have one name.
    pub(crate) fn restored(grid: &Grid, saved: Vec<Actor>) -> Option<Self> {
        let mut actors = Actors::new(grid);
        for actor in saved {
            actors.aims.extend(actor.aims_at.map(|at| (at, actor.handle)));
            let index = actors.all.add(actor).ok()?;
            actors.note_busy(index);
            actors.note_fallen(index);
        }
        Some(actors)
    }

    /// Adds an actor of this number in this cell.
    pub(crate) fn add(
        &mut self,
        handle: EntityId,
        cell: Cell,
        draft: &ActorDraft,
        words: &mut Words,
    ) -> Result<(), WorldError> {
        if self.all.len() >= MOST_ACTORS {
            return Err(WorldError::TooMany("actors"));
        }
        let name = words.intern(&draft.name);
        let side = if draft.side.is_empty() { Word::NONE } else { words.intern(&draft.side) };
        let weapon = draft.weapon.as_ref().map(|weapon| Weapon {
            name: words.intern(weapon),
            armed: draft.drawn,
            rounds: draft.rounds,
            holds: draft.rounds,
        });
        let actor = Actor {
            handle,
            name,
            text: draft.name.clone(),
            side,
            cell,
            facing: (0, 1),
            health: draft.health.max(1),
            weapon,
            spare: draft.spare,
            grenades: draft.grenades,
            carries: Vec::new(),
            owns: Vec::new(),
            goods: Goods::of(draft.wares.iter().map(|ware| ware.intern(words))),
            posture: Posture::Standing,
            on: None,
            climbed: 0,
            aims_at: None,
            alive: true,
            control: if draft.is_minded() { Control::Mind } else { Control::Script },
            avoids: Vec::new(),
            shuns: Vec::new(),
            blocked_by: None,
            holds_node: None,
            plays: None,
            pinned: None,
            cloaked: false,
            jobs: Jobs::default(),
        };
        self.all.add(actor).map(|_| ())
    }

    /// An actor to be changed, all but his target.
    pub(crate) fn edit(&mut self, index: usize) -> Edit<'_, Actor> {
        self.all.edit(index)
    }

    pub(crate) fn living_index(&self, handle: EntityId) -> Option<usize> {
        self.index_of(handle).filter(|&index| self[index].alive)
    }

    /// Lets an actor aim, or not any more.
    pub(crate) fn aim(&mut self, index: usize, at: Option<EntityId>) {
        let me = self[index].handle;
        let before = std::mem::replace(&mut self.edit(index).aims_at, at);
        before.into_iter().for_each(|before| _ = self.aims.remove(&(before, me)));
        self.aims.extend(at.map(|at| (at, me)));
    }

    /// Who aims at this actor, by number.
    pub fn aiming_at(&self, me: EntityId) -> impl Iterator<Item = &Actor> {
        let aims = self.aims.range((me, EntityId(0))..=(me, EntityId(u64::MAX)));
        aims.filter_map(|&(_, by)| self.get(by))
    }

    /// Notes an actor as busy, if he has an order under way.
    pub(crate) fn note_busy(&mut self, index: usize) {
        // There are at most 5,000 actors.
        if let Err(place) = self.busy.binary_search(&(index as u32))
            && !self[index].jobs.is_empty()
        {
            self.busy.insert(place, index as u32);
        }
    }

    /// Notes whether an actor lies dead on the map: to be called when that may have changed.
    pub(crate) fn note_fallen(&mut self, index: usize) {
        let (me, number) = (&self[index], index as u32);
        let lies = !me.alive && me.cell != OFF_THE_MAP;
        match (self.fallen.binary_search(&number), lies) {
            (Err(place), true) => self.fallen.insert(place, number),
            (Ok(place), false) => _ = self.fallen.remove(place),
            _ => {}
        }
    }

    /// The dead who lie on the map, by number.
    pub fn fallen(&self) -> impl Iterator<Item = &Actor> {
        self.fallen.iter().map(|&index| &self.all[index as usize])
    }

    /// Actors with orders under way, by position; of some the last one may have ended since.
    pub(crate) fn busy(&self) -> impl ExactSizeIterator<Item = usize> {
        self.busy.iter().map(|&index| index as usize)
    }

    /// Those whose orders have all ended are not busy any more.
    pub(crate) fn settle_busy(&mut self) {
        let all = &self.all;
        self.busy.retain(|&index| !all[index as usize].jobs.is_empty());
    }
}
