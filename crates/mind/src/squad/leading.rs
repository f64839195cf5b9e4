//! Who leads a squad, and what its members and its mind are told of that.
//!
//! In:   the types that lead, in their order; members; where the one is who leads.
//! Out:  the leader of each squad, or that it has none for a while; facts
//!       `leader{object, position, direction, knowledge = alive | lost}`.
//! Cost: a look at the members when there is a change; a fact for each twice a second.
//!
//! The leader is the first member of the first type that has one; within a type by the number of the
//! mind. When he is gone nobody leads for the time of the succession, then the next one does. One of
//! an earlier type who joins takes over.

use super::squads::{LOOK, Squad, Step};
use super::{Ground, distance};
use crate::fact::{Attribute, FactDraft, Position};
use crate::minds::Minds;
use crate::orders::{Message, MindId};
use crate::spec::{Spec, SquadSpec};
use crate::time::{Tick, after};

/// Who has moved so little has not turned.
const STANDS: f32 = 0.3;

impl Squad {
    /// Who goes ahead of it and calls out its orders: who leads, or, where the file lets nobody lead,
    /// its first member. `None` while nobody leads who should.
    pub(super) fn head(&self, spec: &Spec) -> Option<MindId> {
        match spec.squads.get(self.kind)?.leader.is_empty() {
            true => self.members.first().map(|member| member.mind),
            false => self.leader,
        }
    }

    /// The position of a mind's type among those that lead.
    fn rank<W: ?Sized + Sync>(
        spec: &SquadSpec,
        minds: &Minds<W>,
        mind: MindId,
    ) -> Option<(usize, MindId)> {
        let npc = minds.mind(mind)?.npc();
        Some((spec.leader.iter().position(|&it| it == npc)?, mind))
    }
}

impl<W: Ground + ?Sized + Sync> Step<'_, W> {
    /// Sees to it that squads that are to have a leader have one.
    pub(super) fn lead(&mut self, now: Tick) {
        for at in 0..self.all.squads.len() {
            let Some(spec) = self.minds.spec().squads.get(self.all.squads[at].kind) else {
                continue;
            };
            if spec.leader.is_empty() {
                continue;
            }
            let squad = &self.all.squads[at];
            let ranks = squad.members.iter();
            let ranks = ranks.filter_map(|it| Squad::rank(spec, self.minds, it.mind));
            let first = ranks.min();
            let has = squad.leader.filter(|&leader| squad.has(leader));
            let has = has.and_then(|leader| Squad::rank(spec, self.minds, leader));
            let succession = spec.succession;
            let next = match (has, first) {
                // One of an earlier type takes over; else who leads goes on.
                (Some(has), Some(first)) if first.0 < has.0 => Some(first.1),
                (Some(has), _) => Some(has.1),
                (None, first) => {
                    let since = match (squad.leader, squad.lost) {
                        (Some(_), _) => Some(now),
                        (None, since) => since,
                    };
                    self.all.squads[at].lost = since;
                    let is_over = since.is_none_or(|since| now >= after(since, succession));
                    first.filter(|_| is_over).map(|(_, mind)| mind)
                }
            };
            let squad = &mut self.all.squads[at];
            if squad.leader != next {
                if next.is_some() {
                    squad.lost = None;
                }
                squad.leader = next;
                self.turn(at);
                self.say_who_leads(at, true);
                self.all.squads[at].tell = 0;
            }
        }
    }

    /// Which way its head goes.
    pub(super) fn turn(&mut self, at: usize) {
        let head = self.all.squads[at].head(self.minds.spec());
        let Some(head) = head.and_then(|head| self.minds.mind(head)) else { return };
        let (who, here) = (head.id(), head.here());
        let squad = &mut self.all.squads[at];
        match squad.led_from {
            Some((led, from)) if led == who => {
                let far = distance(from, here);
                if far > STANDS {
                    let by: Position = [here[0] - from[0], here[1] - from[1], here[2] - from[2]];
                    squad.heading = by.map(|it| it / far);
                    squad.led_from = Some((who, here));
                }
            }
            // Which way another went is not his.
            _ => (squad.heading, squad.led_from) = ([0.0; 3], Some((who, here))),
        }
    }

    /// Tells the squad's mind and its members who leads; what was told of another before is taken
    /// back in the same breath.
    pub(super) fn say_who_leads(&mut self, at: usize, is_new: bool) {
        let Some(fact) = self.leader_fact(at) else { return };
        for n in 0..=self.all.squads[at].members.len() {
            let squad = &self.all.squads[at];
            let to = n.checked_sub(1).map_or(squad.mind, |n| squad.members[n].mind);
            if is_new {
                let like = FactDraft::new(fact.kind);
                self.send(to, Message::Untold(Box::new(like)));
            }
            self.send(to, Message::Retold(Box::new(fact)));
        }
    }

    /// What a squad's mind and its members are told; `None` if nobody is to lead.
    fn leader_fact(&self, at: usize) -> Option<FactDraft> {
        let squad = &self.all.squads[at];
        let spec = self.minds.spec();
        if spec.squads.get(squad.kind)?.leader.is_empty() {
            return None;
        }
        let words = spec.squad_words;
        let keep = after(spec.pace.ticks(LOOK).max(1), 1);
        let fact = FactDraft::new(words.leader).keep(keep);
        let Some(leader) = squad.leader.and_then(|leader| self.minds.mind(leader)) else {
            return Some(fact.with(Attribute::Knowledge, words.lost, 1.0));
        };
        let heading = Some(squad.heading).filter(|it| *it != [0.0; 3]);
        Some(
            fact.with(Attribute::Knowledge, words.alive, 1.0)
                .with(Attribute::Object, leader.me(), 1.0)
                .with(Attribute::Position, leader.here(), 1.0)
                .with_some(Attribute::Direction, heading, 1.0),
        )
    }
}
