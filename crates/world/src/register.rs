//! Members of one kind (actors, things, nodes), found by position, name, number and place.
//!
//! In:   members, added at the end and changed through `Register::edit`.
//! Out:  who they are, who is called so, who is near.
//! Cost: a hash look-up by name, a binary search by number; near: the squares around.
//!
//! What is found where follows from the members and is kept right by the guard that changes them:
//! nothing else can change one.

use crate::cell::Cell;
use crate::error::WorldError;
use crate::grid::Grid;
use crate::near::{Found, Near};
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use throng_mind::fact::EntityId;
use throng_mind::words::Word;

/// What a register must know of its members.
pub trait Member {
    /// Its name and the same as text; both stay what they are.
    fn name(&self) -> (Word, &str);
    /// Where a look around finds it, and under which tag; `None` while none does.
    fn found(&self) -> Option<(Cell, Word)>;
}

/// Members with numbers, which rise.
pub trait Numbered: Member {
    /// Its number.
    fn handle(&self) -> EntityId;
}

/// All members of a kind.
#[derive(Clone, Debug)]
pub struct Register<M> {
    members: Vec<M>,
    /// By name; only looked up, never walked.
    names: HashMap<Word, usize>,
    near: Near,
}

impl<M: Member> Register<M> {
    pub(crate) fn new(grid: &Grid) -> Self {
        Register::with(Near::new(grid.width(), grid.height(), false))
    }

    /// The same for members of which no two are in one cell: [`Register::last_in`] says who is
    /// there.
    pub(crate) fn by_cell(grid: &Grid) -> Self {
        Register::with(Near::new(grid.width(), grid.height(), true))
    }

    fn with(near: Near) -> Self {
        Register { members: Vec::new(), names: HashMap::new(), near }
    }

    /// Adds a member, if no other of its kind has its name; gives its position.
    pub(crate) fn add(&mut self, member: M) -> Result<usize, WorldError> {
        let (index, (name, text)) = (self.members.len(), member.name());
        if self.names.contains_key(&name) {
            return Err(WorldError::NameTwice(text.to_string()));
        }
        self.names.insert(name, index);
        self.near.change(index, None, member.found());
        self.members.push(member);
        Ok(index)
    }

    pub(crate) fn index_named(&self, name: Word) -> Option<usize> {
        self.names.get(&name).copied()
    }

    /// The one of this name.
    pub fn named(&self, name: Word) -> Option<&M> {
        self.members.get(self.index_named(name)?)
    }

    /// A member to be changed; where it is found follows when the guard is dropped.
    pub(crate) fn edit(&mut self, index: usize) -> Edit<'_, M> {
        let before = self.members[index].found();
        Edit { register: self, index, before }
    }

    /// Members that can be found in or near a circle, with their positions: all that are in it, and
    /// some beside.
    pub(crate) fn around(&self, cell: Cell, radius: u16) -> impl Iterator<Item = (usize, &M)> {
        self.near.around(cell, radius, None).map(|index| (index, &self.members[index]))
    }

    /// The same, without squares in which all have this tag or none.
    pub(crate) fn others_around(
        &self,
        cell: Cell,
        radius: u16,
        tag: Word,
    ) -> impl Iterator<Item = (usize, &M)> {
        let others = self.near.around(cell, radius, Some(tag));
        others.map(|index| (index, &self.members[index]))
    }

    /// The position of the member in a cell, of a register by cell.
    pub(crate) fn last_in(&self, cell: Cell) -> Option<usize> {
        self.near.last_in(cell)
    }

    /// Members at most so far away, the nearest first, then by name.
    pub fn nearest(&self, from: Cell, reach: f32) -> Vec<&M> {
        // The cast saturates, and turns what is no number into zero.
        let around = self.around(from, reach.ceil() as u16).map(|(_, member)| member);
        let cell = |member: &M| member.found().map_or(from, |(cell, _)| cell);
        let is_near = |member: &&M| from.distance(cell(member)) <= reach;
        let mut near: Vec<&M> = around.filter(is_near).collect();
        near.sort_unstable_by_key(|it| (from.distance_squared(cell(it)), it.name().1));
        near
    }
}

impl<M: Numbered> Register<M> {
    pub(crate) fn index_of(&self, handle: EntityId) -> Option<usize> {
        self.members.binary_search_by_key(&handle, M::handle).ok()
    }

    /// The one of this number.
    pub fn get(&self, handle: EntityId) -> Option<&M> {
        self.members.get(self.index_of(handle)?)
    }
}

/// All of them, in the order of adding.
impl<M> Deref for Register<M> {
    type Target = [M];

    fn deref(&self) -> &[M] {
        &self.members
    }
}

/// A member that is being changed.
pub(crate) struct Edit<'r, M: Member> {
    register: &'r mut Register<M>,
    index: usize,
    before: Found,
}

impl<M: Member> Deref for Edit<'_, M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.register.members[self.index]
    }
}

impl<M: Member> DerefMut for Edit<'_, M> {
    fn deref_mut(&mut self) -> &mut M {
        &mut self.register.members[self.index]
    }
}

impl<M: Member> Drop for Edit<'_, M> {
    fn drop(&mut self) {
        let after = self.register.members[self.index].found();
        self.register.near.change(self.index, self.before, after);
    }
}
