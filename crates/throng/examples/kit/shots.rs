//! Weapons of the field: what can be done with them, what comes of it, who is hurt.
//!
//! In:   orders that are due.
//! Out:  rounds spent, health taken, grenades; noise.
//! Cost: a line of sight for each shot.
//!
//! Whether a shot hits follows from the seed, the tick and the two people: same seed, same fight.

use super::answers::protects;
use super::field::{Field, MAGAZINE, Person, SIGHT};
use throng::kit::geometry::distance;
use throng::mind::prelude::*;

impl Field {
    /// Whether something can be done with a weapon.
    pub(crate) fn can(&self, at: usize, what: Word, whom: Option<EntityId>) -> Result<(), Word> {
        let (me, words) = (&self.people[at], &self.words);
        let is_shot = what == words.fire || what == words.suppress;
        let target = whom.and_then(|whom| self.person(whom)).filter(|it| it.is_alive());
        match target {
            _ if what == words.throw && me.grenades == 0 => Err(words.empty),
            _ if is_shot && (me.weapon.is_none() || !me.in_hand) => Err(words.unarmed),
            _ if is_shot && me.rounds == 0 => Err(words.empty),
            None if is_shot || what == words.melee => Err(words.gone),
            Some(it) if what == words.melee && distance(it.place, me.place) > 1.5 => {
                Err(words.too_far)
            }
            Some(it) if what == words.fire && !self.walls.is_clear(me.place, it.place) => {
                Err(words.no_line)
            }
            _ => Ok(()),
        }
    }

    /// Does what is due.
    pub(crate) fn carry_out(&mut self, at: usize, order: Order) -> Result<(), Word> {
        let (by, from) = (self.people[at].id, self.people[at].place);
        match order {
            Order::Target { at: whom } => self.people[at].aims_at = whom,
            Order::Weapon { what, at: whom, to } => {
                let words = self.words.clone();
                self.can(at, what, whom)
                    .or_else(|why| if why == words.no_line { Ok(()) } else { Err(why) })?;
                let target = whom.and_then(|whom| self.index(whom));
                match target {
                    _ if what == words.reload => self.people[at].rounds = MAGAZINE,
                    _ if what == words.draw => self.people[at].in_hand = true,
                    _ if what == words.holster => self.people[at].in_hand = false,
                    _ if what == words.throw => {
                        let there = to.or(target.map(|it| self.people[it].place));
                        let there = there.ok_or(words.gone)?;
                        self.people[at].grenades -= 1;
                        let id = EntityId(1_000_000 + u64::from(self.now));
                        self.grenades.push((id, there, self.now + 25, by));
                    }
                    Some(target) if what == words.melee => self.hurt(target, 40.0, words.blow, by),
                    Some(target) => {
                        self.people[at].rounds -= 1;
                        self.people[at].aims_at = whom;
                        self.noise(from, 20.0, words.shot, Some(by));
                        if what == words.suppress {
                            self.people[target].pinned = self.now + 25;
                        }
                        if self.hits(at, target) {
                            self.hurt(target, 25.0, words.shot, by);
                        }
                    }
                    None => {}
                }
            }
            Order::Other { what, .. } if what == self.words.crouch => {
                self.people[at].crouched = true
            }
            Order::Other { what, .. } if what == self.words.stand => {
                self.people[at].crouched = false
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a shot hits, by the seed: worse from far, at who has cover, and by who is kept down.
    fn hits(&self, at: usize, target: usize) -> bool {
        let (me, it) = (&self.people[at], &self.people[target]);
        if !self.walls.is_clear(me.place, it.place) || me.pinned > self.now {
            return false;
        }
        let far = 1.0 - distance(me.place, it.place) / (2.0 * SIGHT);
        let cover = if self.is_covered(it, me.place) { 0.3 } else { 1.0 };
        let mixed = (self.seed ^ u64::from(self.now) << 20 ^ me.id.0 << 8 ^ it.id.0)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let dice = (mixed >> 40) as f32 / (1 << 24) as f32;
        dice < self.accuracy * far.max(0.2) * cover
    }

    fn is_covered(&self, who: &Person, from: Position) -> bool {
        let mut near = self.spots.iter().filter(|spot| distance(spot.place, who.place) < 0.6);
        who.crouched || near.any(|spot| protects(spot, from))
    }

    pub(crate) fn hurt(&mut self, at: usize, amount: f32, what: Word, by: EntityId) {
        if !self.people[at].is_alive() {
            return;
        }
        self.people[at].health -= amount;
        let from = self.person(by).map_or(self.people[at].place, |by| by.place);
        let harm = Stimulus {
            event: what,
            amount,
            source: Some(by),
            ..Stimulus::new(self.words.damage, from)
        };
        self.tell(at, harm);
        if !self.people[at].is_alive() {
            self.deaths.push((self.now, self.people[at].id, by));
            (self.people[at].going, self.people[at].aims_at) = (None, None);
            self.people[at].busy.clear();
        }
    }
}
