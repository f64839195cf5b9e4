//! Stimuli: what minds are told without asking.
//!
//! In:   what happens.
//! Out:  stimuli of the kinds `sight`, `noise`, `grenade`, `damage`, `deed` for those concerned.
//! Cost: the actors near; each mind looks around once in `rules.look` ticks, in turns.
//!
//! | kind | what it says besides its position |
//! |---|---|
//! | `sight` | object (the enemy) |
//! | `noise` | radius, event (what it was), strength (falls with distance), source |
//! | `grenade` | radius, amount (seconds left), object (the grenade), source |
//! | `damage` | event (what kind), amount, source; the position is the source's, else one's own |
//! | `deed` | event (the action), source |

use crate::actor::Actor;
use crate::cell::Cell;
use crate::grenade::Grenade;
use crate::noise::Noise;
use crate::world::World;
use throng_mind::fact::EntityId;
use throng_mind::orders::{Message, Stimulus};
use throng_mind::words::Word;

/// A look finds so many enemies at most, and tries so many lines of sight.
const MOST_SIGHTS: usize = 8;
const MOST_LINES: usize = 32;

impl World {
    /// Those whose turn it is look for enemies; an enemy in view is told of at each look.
    pub(crate) fn look(&mut self) {
        let turns = self.rules.look.max(1);
        let first = (turns - self.now % turns) % turns;
        let mut near = Vec::new();
        for index in (first as usize..self.actors.len()).step_by(turns as usize) {
            if self.actors[index].is_minded() {
                self.look_around(index, &mut near);
            }
        }
    }

    fn look_around(&mut self, index: usize, near: &mut Vec<(i64, usize)>) {
        let me = &self.actors[index];
        if me.side == Word::NONE {
            return;
        }
        near.clear();
        near.extend(self.enemies_near(index, me.cell));
        near.sort_unstable();
        let (from, mut seen) = (me.cell, 0);
        for &(_, other) in near.iter().take(MOST_LINES) {
            if seen < MOST_SIGHTS && self.line_of_sight(from, self.actors[other].cell) {
                seen += 1;
                self.tell_of_sight(index, other);
            }
        }
    }

    /// Enemies that somebody has in view, the nearest first; as many as a look finds.
    pub fn enemies_in_view(&self, me: EntityId) -> Vec<&Actor> {
        let Some(index) = self.actor_index(me) else { return Vec::new() };
        let from = self.actors[index].cell;
        let mut near: Vec<_> = self.enemies_near(index, from).collect();
        near.sort_unstable();
        let lines = near.iter().take(MOST_LINES).map(|&(_, other)| &self.actors[other]);
        let seen = lines.filter(|other| self.line_of_sight(from, other.cell));
        seen.take(MOST_SIGHTS).collect()
    }

    /// Living enemies within sight, walls or not: distance squared and position.
    pub(crate) fn enemies_near(
        &self,
        index: usize,
        from: Cell,
    ) -> impl Iterator<Item = (i64, usize)> {
        let (me, reach) = (&self.actors[index], self.rules.sight);
        let limit = i64::from(reach) * i64::from(reach);
        self.actors_near
            .others_around(from, reach, me.side)
            .filter(move |&other| self.actors[other].is_enemy_of(me))
            .map(move |other| (from.distance_squared(self.actors[other].cell), other))
            .filter(move |&(distance, _)| distance <= limit)
    }

    fn tell_of_sight(&mut self, index: usize, other: usize) {
        let it = &self.actors[other];
        let object = Some(it.handle);
        let stimulus = Stimulus { object, ..Stimulus::new(self.words.sight, it.cell.place()) };
        self.tell(index, stimulus);
    }

    pub(crate) fn tell_of_noise(&mut self, noise: &Noise) {
        let radius = f32::from(noise.radius);
        let heard = Stimulus {
            radius,
            source: noise.source,
            event: noise.what,
            ..Stimulus::new(self.words.noise, noise.cell.place())
        };
        for (index, distance) in self.minds_within(noise.cell, noise.radius) {
            // Nobody is startled by himself.
            if noise.source != Some(self.actors[index].handle) {
                let strength = 1.0 - distance / (radius + 1.0);
                self.tell(index, Stimulus { strength, ..heard });
            }
        }
    }

    /// Those who see a grenade, or are so near that they hear it fall.
    pub(crate) fn tell_of_grenade(&mut self, grenade: &Grenade) {
        let stimulus = Stimulus {
            radius: f32::from(grenade.radius),
            amount: self.rules.pace.seconds(grenade.fuse) as f32,
            object: Some(grenade.handle),
            source: grenade.thrower,
            ..Stimulus::new(self.words.grenade, grenade.cell.place())
        };
        for (index, distance) in self.minds_within(grenade.cell, self.rules.sight) {
            let is_near = distance <= f32::from(grenade.radius);
            if is_near || self.line_of_sight(self.actors[index].cell, grenade.cell) {
                self.tell(index, stimulus);
            }
        }
    }

    pub(crate) fn tell_of_damage(
        &mut self,
        index: usize,
        what: Word,
        amount: i32,
        source: Option<EntityId>,
    ) {
        let from = source.and_then(|source| self.cell_of(source));
        let place = from.unwrap_or(self.actors[index].cell).place();
        let stimulus = Stimulus {
            event: what,
            amount: amount as f32,
            source,
            ..Stimulus::new(self.words.damage, place)
        };
        self.tell(index, stimulus);
    }

    pub(crate) fn tell_of_deed(&mut self, actor: usize, action: Word) {
        let (cell, handle) = (self.actors[actor].cell, self.actors[actor].handle);
        let stimulus = Stimulus {
            event: action,
            source: Some(handle),
            ..Stimulus::new(self.words.deed, cell.place())
        };
        for (index, _) in self.minds_within(cell, self.rules.sight) {
            if index != actor && self.line_of_sight(self.actors[index].cell, cell) {
                self.tell(index, stimulus);
            }
        }
    }

    fn tell(&mut self, index: usize, stimulus: Stimulus) {
        if self.actors[index].is_minded() {
            self.reports.push((self.actors[index].handle, Message::Stimulus(stimulus)));
        }
    }

    /// Living actors with minds in a circle, by number, with their distance.
    fn minds_within(&self, cell: Cell, radius: u16) -> Vec<(usize, f32)> {
        let near = self.actors_near.around(cell, radius);
        let minds = near.filter(|&index| self.actors[index].is_minded());
        let mut minds: Vec<_> = minds
            .map(|index| (index, cell.distance(self.actors[index].cell)))
            .filter(|&(_, distance)| distance <= f32::from(radius))
            .collect();
        minds.sort_unstable_by_key(|&(index, _)| index);
        minds
    }
}
