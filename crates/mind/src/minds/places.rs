//! Where minds are kept: in groups, in the order of their numbers.
//!
//! In:   minds that come and go.
//! Out:  for every number the group and the place in it.
//! Cost: a mind that comes last costs one step; one that goes, or comes between others, a pass over its
//!       group.

use super::Minds;
use crate::mind::Mind;
use crate::orders::MindId;
use crate::turns::{GROUP, Group};

impl<W: ?Sized + Sync> Minds<W> {
    /// Gives a mind its place, behind all others.
    pub(super) fn place(&mut self, mind: Mind) {
        if self.groups.last().is_none_or(|group| group.minds.len() >= GROUP) {
            self.groups.push(Group::new(self.nodes));
        }
        let group = self.groups.len() - 1;
        let minds = &mut self.groups[group].minds;
        self.places.insert(mind.id, (group as u32, minds.len() as u32));
        minds.push(mind);
    }

    /// Writes down anew where the minds from a group on are.
    fn note_places(&mut self, from_group: usize) {
        for (at, later) in self.groups.iter().enumerate().skip(from_group) {
            for (place, mind) in later.minds.iter().enumerate() {
                self.places.insert(mind.id, (at as u32, place as u32));
            }
        }
    }

    /// Takes a mind out of its place.
    pub(super) fn remove(&mut self, id: MindId) -> Option<Mind> {
        let (group, at) = self.places.remove(&id)?;
        let group_at = group as usize;
        let mind = self.groups[group_at].minds.remove(at as usize);
        for (later, mind) in self.groups[group_at].minds.iter().enumerate().skip(at as usize) {
            self.places.insert(mind.id, (group, later as u32));
        }
        if self.groups[group_at].minds.is_empty() {
            self.groups.remove(group_at);
            self.note_places(group_at);
        }
        Some(mind)
    }

    /// Gives minds their places anew.
    pub(crate) fn settle(&mut self, minds: Vec<Mind>) {
        self.groups.clear();
        self.places.clear();
        minds.into_iter().for_each(|mind| self.place(mind));
    }

    /// Gives a mind its place among the others: minds stand in the order of their numbers.
    pub(super) fn place_by_number(&mut self, mind: Mind) {
        let is_before = |group: &Group| group.minds.last().is_none_or(|last| last.id < mind.id);
        let at = self.groups.partition_point(is_before);
        let Some(group) = self.groups.get_mut(at) else { return self.place(mind) };
        let place = group.minds.partition_point(|other| other.id < mind.id);
        group.minds.insert(place, mind);
        if group.minds.len() < 2 * GROUP {
            for (place, mind) in group.minds.iter().enumerate().skip(place) {
                self.places.insert(mind.id, (at as u32, place as u32));
            }
            return;
        }
        // A group is what a thread takes at a time: it must not grow without end.
        let mut half = Group::new(self.nodes);
        half.minds.extend(group.minds.drain(GROUP..));
        self.groups.insert(at + 1, half);
        self.note_places(at);
    }

    pub(super) fn mind_mut(&mut self, id: MindId) -> Option<&mut Mind> {
        let (group, at) = self.places.get(&id).copied()?;
        self.groups.get_mut(group as usize)?.minds.get_mut(at as usize)
    }
}
