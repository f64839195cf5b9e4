//! Which mind is in which squad: those near each other, for as long as they stay near.
//!
//! In:   the minds that can be in a squad, their places and sides.
//! Out:  squads without members that have strayed; squads that ended, grew or are new.
//! Cost: for each mind in none a look at all squads, and the square of those that stay alone.
//!
//! A member stays while it is near, a little farther than it had to be to come in, so none comes
//! and goes at the edge; and while it has a task, wherever that leads it. If a squad falls apart
//! its larger part goes on.

use super::squads::{Member, SQUAD, Squad, Step};
use super::task::{Task, TaskEnd};
use super::{Ground, distance};
use crate::fact::{EntityId, Position};
use crate::mind::Mind;
use crate::minds::Minds;
use crate::spec::SquadSpec;
use crate::time::Tick;
use crate::words::Word;

/// A member stays up to so many times the distance at which it came in.
const STAYS: f32 = 1.5;

/// A mind in no squad.
#[derive(Clone, Copy)]
struct Single {
    member: Member,
    place: Position,
    side: Word,
}

impl<W: Ground + ?Sized + Sync> Step<'_, W> {
    /// Members that stray leave; a squad that is too small ends.
    pub(super) fn shrink(&mut self, world: &W) {
        // From behind: a squad that ends moves none that is still to come.
        for at in (0..self.all.squads.len()).rev() {
            let number = self.all.squads[at].number;
            let Some(spec) = self.spec_of(number) else { continue };
            let (within, least) = (spec.within, spec.least);
            let members = self.all.squads[at].members.clone();
            let near = largest_part(&places_of(&members, self.minds), within * STAYS);
            for (index, &member) in members.iter().enumerate() {
                // A member on the squad's own business has not strayed.
                let has_task = self.all.tasks.iter().any(|task| task.member == member.mind);
                let has_task = has_task || self.all.unheard(member.mind).is_some();
                if !near.contains(&index) && !has_task {
                    self.dismiss(number, member, TaskEnd::Cancelled);
                }
            }
            if self.all.squads[at].members.len() < least {
                self.end_squad(number, world);
            }
        }
    }

    /// A squad ends, and with it its tasks and its mind.
    pub(super) fn end_squad(&mut self, number: u32, world: &W) {
        let Some(at) = self.all.at(number) else { return };
        let of_it = |task: &&Task| task.squad == number;
        while let Some(task) = self.all.tasks.iter().find(of_it).map(|task| task.number) {
            self.end(task, TaskEnd::Cancelled);
        }
        self.let_forget(at, |_| true);
        let squad = self.all.squads.remove(at);
        self.all.waiting.retain(|sent| sent.mind != squad.mind);
        self.all.ended.push(squad.mind);
        // A squad may end because its mind has.
        let _ = self.minds.despawn(squad.mind, world);
    }

    /// Those in no squad join one that is near, or form one.
    pub(super) fn join(&mut self, world: &W, now: Tick) {
        for kind in 0..self.minds.spec().squads.len() {
            let spec = self.minds.spec().squads[kind].clone();
            let mut alone = Vec::new();
            for single in self.singles(&spec, world) {
                // It may have been in a squad before it was put aside.
                self.recall(single.member.mind, None);
                match self.squad_near(kind, &single, &spec, world) {
                    Some(at) => {
                        self.all.squads[at].members.push(single.member);
                        self.all.squads[at].tell = 0;
                    }
                    None => alone.push(single),
                }
            }
            let mut sides: Vec<Word> = alone.iter().map(|single| single.side).collect();
            sides.sort_unstable();
            sides.dedup();
            for side in sides {
                let of_side = alone.iter().filter(|single| single.side == side);
                let of_side: Vec<Single> = of_side.copied().collect();
                let places: Vec<Position> = of_side.iter().map(|single| single.place).collect();
                for group in groups(&places, spec.within, spec.least, spec.most) {
                    let members = group.into_iter().map(|at| of_side[at].member).collect();
                    self.form(kind, members, now);
                }
            }
        }
    }

    /// Minds that can be in a squad and are in none, oldest first.
    fn singles(&self, spec: &SquadSpec, world: &W) -> Vec<Single> {
        let members = self.all.squads.iter().flat_map(|squad| &squad.members);
        let mut taken: Vec<_> = members.map(|member| member.mind).collect();
        taken.sort_unstable();
        let is_free = |mind: &&Mind| {
            spec.of.contains(&mind.npc()) && taken.binary_search(&mind.id()).is_err()
        };
        let single = |mind: &Mind| Single {
            member: Member { mind: mind.id(), me: mind.me() },
            place: mind.here(),
            side: world.side(mind.me()),
        };
        let singles = self.minds.iter().filter(is_free).map(single);
        singles.filter(|single| single.side != Word::NONE).collect()
    }

    /// The squad with room whose nearest member is nearest, and near enough.
    fn squad_near(
        &self,
        kind: usize,
        single: &Single,
        spec: &SquadSpec,
        world: &W,
    ) -> Option<usize> {
        let fits = |squad: &Squad| {
            let side = squad.members.first().map(|first| world.side(first.me));
            let has_room = squad.members.len() < spec.most;
            squad.kind == kind && has_room && side == Some(single.side)
        };
        let squads = self.all.squads.iter().enumerate().filter(|(_, squad)| fits(squad));
        let far = |squad: &Squad| nearest(&places_of(&squad.members, self.minds), single.place);
        let near = squads.filter_map(|(at, squad)| Some((at, far(squad)?)));
        closest(near.filter(|&(_, far)| far <= spec.within)).map(|(at, _)| at)
    }

    fn form(&mut self, kind: usize, members: Vec<Member>, now: Tick) {
        self.all.last_squad += 1;
        let number = self.all.last_squad;
        let npc = self.minds.spec().squads[kind].npc;
        let mind = self.minds.spawn(npc, EntityId(SQUAD | u64::from(number)));
        self.all.squads.extend(mind.map(|mind| Squad::new(number, kind, mind, members, now)));
    }
}

fn places_of<W: ?Sized + Sync>(members: &[Member], minds: &Minds<W>) -> Vec<Position> {
    members.iter().map(|member| minds.mind(member.mind).map_or([0.0; 3], Mind::here)).collect()
}

/// All of them in parts that hang together, of at most `most`; each rises.
fn parts(places: &[Position], within: f32, most: usize) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..places.len()).collect();
    let mut all = Vec::new();
    while let Some(&first) = left.first() {
        let mut part = grow(places, &left, first, within, most);
        left.retain(|at| !part.contains(at));
        part.sort_unstable();
        all.push(part);
    }
    all
}

/// Of these, the largest part that hangs together; of equals the one with the first.
fn largest_part(places: &[Position], within: f32) -> Vec<usize> {
    let all = parts(places, within, usize::MAX).into_iter();
    all.reduce(|best, next| if next.len() > best.len() { next } else { best }).unwrap_or_default()
}

/// Groups of at least `least` and at most `most`; those in none are too far from others.
fn groups(places: &[Position], within: f32, least: usize, most: usize) -> Vec<Vec<usize>> {
    let mut all = parts(places, within, most);
    all.retain(|group| group.len() >= least);
    all
}

/// How far it is to the nearest of some places.
fn nearest(places: &[Position], to: Position) -> Option<f32> {
    places
        .iter()
        .map(|&place| distance(place, to))
        .reduce(|best, far| if far < best { far } else { best })
}

/// The one of the shortest way; of equals the first.
fn closest(all: impl Iterator<Item = (usize, f32)>) -> Option<(usize, f32)> {
    all.reduce(|best, next| if next.1 < best.1 { next } else { best })
}

/// One and those near it, the nearest first, until there are enough.
fn grow(places: &[Position], left: &[usize], first: usize, within: f32, most: usize) -> Vec<usize> {
    let mut group = vec![first];
    while group.len() < most {
        let inside: Vec<Position> = group.iter().map(|&at| places[at]).collect();
        let others = left.iter().filter(|at| !group.contains(at));
        let far = others.filter_map(|&at| Some((at, nearest(&inside, places[at])?)));
        match closest(far) {
            Some((at, far)) if far <= within => group.push(at),
            _ => break,
        }
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(at: &[f32]) -> Vec<Position> {
        at.iter().map(|&x| [x, 0.0, 0.0]).collect()
    }

    #[test]
    fn who_is_near_another_belongs_to_him() {
        let places = line(&[0.0, 10.0, 2.0, 12.0, 4.0, 50.0]);
        assert_eq!(groups(&places, 3.0, 2, 6), [vec![0, 2, 4], vec![1, 3]]);
        assert_eq!(groups(&places, 3.0, 3, 6), [vec![0, 2, 4]]);
    }

    #[test]
    fn groups_are_not_larger_than_they_may_be() {
        let places = line(&[0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(groups(&places, 1.5, 2, 2), [vec![0, 1], vec![2, 3]]);
    }

    #[test]
    fn the_larger_part_stays_and_of_equals_the_first() {
        assert_eq!(largest_part(&line(&[0.0, 9.0, 1.0]), 2.0), [0, 2]);
        assert_eq!(largest_part(&line(&[0.0, 9.0, 1.0, 10.0]), 2.0), [0, 2]);
        assert!(largest_part(&[], 2.0).is_empty());
    }
}
