//! Formations: where each member goes beside and behind its leader.
//!
//! In:   the places of the file's formation; the leader, where he is and which way he goes.
//! Out:  facts `formation{position, direction, index}` for the others, twice a second.
//! Cost: pairs of members and places; for each place a question for room.
//!
//! Places are turned by the leader's heading and moved to where there is room that can be reached;
//! two never have the same. Who has a place keeps it while another order of all of them is not
//! shorter by a quarter: so nobody crosses the others' way for a step less.

use super::squads::{LOOK, Step};
use super::{Ground, distance};
use crate::fact::{Attribute, FactDraft, Position};
use crate::mind::Mind;
use crate::orders::{Message, MindId};
use crate::time::after;
use throng_base::codec_struct;

/// Members change places if their ways together are so much shorter then.
const SHORTER: f32 = 0.75;
/// Who stands so near to another stands in its way.
const APART: f32 = 0.5;

/// The place of a member in the formation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rank {
    pub(super) mind: MindId,
    /// Its place in the list of the file.
    pub(super) index: u16,
}

codec_struct!(Rank { mind, index });

impl<W: Ground + ?Sized + Sync> Step<'_, W> {
    /// Tells the members of a squad where they go.
    pub(super) fn form_up(&mut self, at: usize, world: &W) {
        let spec = self.minds.spec();
        let squad = &self.all.squads[at];
        let Some(kind) = spec.squads.get(squad.kind).filter(|it| !it.formation.is_empty()) else {
            return;
        };
        let leader = squad.head(spec).and_then(|leader| self.minds.mind(leader));
        let Some(leader) = leader else { return };
        let (from, heading) = (leader.here(), squad.heading);
        let others = squad.members.iter().filter(|member| member.mind != leader.id());
        let others = others.filter_map(|member| self.minds.mind(member.mind));
        let others: Vec<&Mind> = others.collect();
        let mut places: Vec<(u16, Position)> = Vec::new();
        let mut taken = vec![from];
        for (index, &offset) in kind.formation.iter().enumerate().skip(1).take(others.len()) {
            let wanted = turned(offset, from, heading);
            if let Some(place) = world.room(from, wanted, &taken)
                && taken.iter().all(|&other| distance(other, place) >= APART)
            {
                taken.push(place);
                places.push((index as u16, place));
            }
        }
        let ranks = ranks(&squad.ranks, &others, &places);
        let words = spec.squad_words;
        let keep = after(spec.pace.ticks(LOOK).max(1), 1);
        let heading = Some(heading).filter(|it| *it != [0.0; 3]);
        for rank in &ranks {
            let Some(&(_, place)) = places.iter().find(|(index, _)| *index == rank.index) else {
                continue;
            };
            // One fact, whatever its number: the place before is taken back.
            self.send(rank.mind, Message::Untold(Box::new(FactDraft::new(words.formation))));
            let fact = FactDraft::new(words.formation)
                .with(Attribute::Position, place, 1.0)
                .with(Attribute::Index, f32::from(rank.index), 1.0)
                .with_some(Attribute::Direction, heading, 1.0);
            self.send(rank.mind, Message::Told(Box::new(fact.keep(keep))));
        }
        self.all.squads[at].ranks = ranks;
    }
}

/// A place of the formation, for a leader who is here and goes that way; one who has not gone
/// anywhere yet faces along the first axis.
fn turned([right, ahead]: [f32; 2], from: Position, heading: Position) -> Position {
    let [x, y] = match heading {
        [0.0, 0.0, _] => [1.0, 0.0],
        [x, y, _] => [x, y],
    };
    [from[0] + ahead * x - right * y, from[1] + ahead * y + right * x, from[2]]
}

/// Who has which place: as before, unless that is much longer than it need be.
fn ranks(before: &[Rank], others: &[&Mind], places: &[(u16, Position)]) -> Vec<Rank> {
    let here = |mind: MindId| others.iter().find(|it| it.id() == mind).map(|it| it.here());
    let place = |index: u16| places.iter().find(|(it, _)| *it == index).map(|&(_, place)| place);
    let far = |rank: &Rank| Some(distance(here(rank.mind)?, place(rank.index)?));
    let kept: Vec<Rank> = before.iter().filter(|rank| far(rank).is_some()).copied().collect();
    // The nearest pairs first.
    let mut pairs: Vec<(f32, Rank)> = Vec::new();
    for mind in others {
        let rank = |&(index, _): &(u16, Position)| Rank { mind: mind.id(), index };
        pairs.extend(places.iter().map(rank).filter_map(|rank| Some((far(&rank)?, rank))));
    }
    pairs.sort_by(|(a, one), (b, two)| {
        a.total_cmp(b).then((one.mind, one.index).cmp(&(two.mind, two.index)))
    });
    let fill = |mut ranks: Vec<Rank>| {
        for (_, rank) in &pairs {
            if ranks.iter().all(|it| it.mind != rank.mind && it.index != rank.index) {
                ranks.push(*rank);
            }
        }
        ranks.sort_by_key(|rank| rank.mind);
        ranks
    };
    let sum = |ranks: &[Rank]| ranks.iter().filter_map(far).sum::<f32>();
    let (old, new) = (fill(kept), fill(Vec::new()));
    if sum(&new) < sum(&old) * SHORTER { new } else { old }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn places_in_a_formation_come_back() {
        comes_back::<Rank>(|trial, _| Rank { mind: trial.any(), index: trial.any() });
    }

    #[test]
    fn a_formation_turns_with_its_leader() {
        let from = [10.0, 10.0, 0.0];
        // On a map whose second axis points down, the right hand of one who goes east is south.
        assert_eq!(turned([1.0, -2.0], from, [1.0, 0.0, 0.0]), [8.0, 11.0, 0.0]);
        assert_eq!(turned([1.0, -2.0], from, [0.0, 1.0, 0.0]), [9.0, 8.0, 0.0]);
        assert_eq!(turned([1.0, -2.0], from, [0.0; 3]), [8.0, 11.0, 0.0]);
    }
}
