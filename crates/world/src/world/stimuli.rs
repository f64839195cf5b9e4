//! Stimuli: what minds are told without asking.
//!
//! In:   what happens.
//! Out:  stimuli of the kinds `sight`, `noise`, `grenade`, `damage`, `deed` for those concerned.
//! Cost: the actors near; each mind looks around once in `rules.look` ticks, in turns.
//!
//! | kind | what it says besides its position |
//! |---|---|
//! | `sight` | object (the enemy; if `rules.sees_all`, also friends, others, and the dead) |
//! | `noise` | radius, event (what it was), strength (falls with distance), source |
//! | `grenade` | radius, amount (seconds left), object (the grenade), source |
//! | `damage` | event (what kind), amount, source; the position is the source's, else one's own |
//! | `deed` | event (the action), source |

use super::World;
use crate::actor::Actor;
use crate::cell::Cell;
use crate::grenade::Grenade;
use crate::news::News;
use crate::noise::Noise;
use throng_mind::fact::EntityId;
use throng_mind::orders::{Message, Stimulus};
use throng_mind::words::Word;

/// A look finds so many enemies at most, and tries so many lines of sight.
const MOST_SIGHTS: usize = 8;
const MOST_LINES: usize = 32;

impl World {
    /// Something that can be heard.
    pub fn make_noise(&mut self, cell: Cell, radius: u16, what: Word, source: Option<EntityId>) {
        let noise = Noise { cell, radius, what, source, at: self.now };
        self.noises.add(noise);
        if what != self.words.shot && what != self.words.blast {
            self.note(News::Noise { what, by: source, at: cell });
        }
        self.tell_of_noise(&noise);
    }

    /// Those whose turn it is look for enemies, or for all; who is in view is told of at each look.
    pub(super) fn look(&mut self) {
        let turns = self.rules.look.max(1);
        let first = (turns - self.now % turns) % turns;
        for index in (first as usize..self.actors().len()).step_by(turns as usize) {
            let me = &self.actors[index];
            let sees_all = self.rules.sees_all;
            if me.is_minded() && (sees_all || me.side != Word::NONE) {
                let told = |it: &Actor| Stimulus {
                    object: Some(it.handle),
                    ..Stimulus::new(self.words.sight, it.cell.place())
                };
                let mut others = self.enemies_in_view(me);
                if sees_all {
                    others.extend(self.others_in_view(me));
                }
                let seen: Vec<Stimulus> = others.into_iter().map(told).collect();
                seen.into_iter().for_each(|stimulus| self.tell(index, stimulus));
            }
        }
    }

    /// Enemies that an actor has in view, the nearest first; as many as a look finds.
    pub fn enemies_in_view(&self, me: &Actor) -> Vec<&Actor> {
        let reach = self.rules.sight;
        let around = self.actors.others_around(me.cell, reach, me.side);
        let enemies =
            around.filter(|(_, it)| it.is_enemy_of(me) && me.cell.is_within(it.cell, reach));
        let mut near: Vec<(i64, usize)> =
            enemies.map(|(at, it)| (me.cell.distance_squared(it.cell), at)).collect();
        near.sort_unstable();
        let lines = near.iter().take(MOST_LINES).map(|&(_, other)| &self.actors[other]);
        let seen = lines.filter(|it| !self.is_hidden(it, me.cell));
        seen.filter(|it| self.line_of_sight(me.cell, it.cell)).take(MOST_SIGHTS).collect()
    }

    /// Friends, those of no side, and the dead that an actor has in view, the nearest first; as
    /// many as a look finds.
    pub fn others_in_view(&self, me: &Actor) -> Vec<&Actor> {
        let mut near = Vec::new();
        self.actors_near(me.cell, f32::from(self.rules.sight), &mut near);
        let all = near.into_iter().filter_map(|handle| self.actor(handle));
        let others = all.filter(|it| it.handle != me.handle && !(it.alive && it.is_enemy_of(me)));
        let others = others.filter(|it| !self.is_hidden(it, me.cell));
        let lines = others.take(MOST_LINES).filter(|it| self.line_of_sight(me.cell, it.cell));
        lines.take(MOST_SIGHTS).collect()
    }

    /// An actor lets out something that can be sensed: whatever it is, it is heard.
    pub(crate) fn emit(&mut self, stimulus: &Stimulus) {
        let what = if stimulus.event == Word::NONE { stimulus.kind } else { stimulus.event };
        // A cast that does not fit is the nearest that does.
        let radius = stimulus.radius as u16;
        self.make_noise(Cell::of(stimulus.position), radius, what, stimulus.source);
    }

    fn tell_of_noise(&mut self, noise: &Noise) {
        let radius = f32::from(noise.radius);
        let heard = Stimulus {
            radius,
            source: noise.source,
            event: noise.what,
            ..Stimulus::new(self.words.noise, noise.cell.place())
        };
        for (index, distance) in self.minds_within(noise.cell, noise.radius) {
            // No actor is startled by himself.
            if noise.source != Some(self.actors[index].handle) {
                let strength = 1.0 - distance / (radius + 1.0);
                self.tell(index, Stimulus { strength, ..heard });
            }
        }
    }

    /// Those who see a grenade, or are so near that they hear it fall.
    pub(super) fn tell_of_grenade(&mut self, grenade: &Grenade) {
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

    pub(super) fn tell_of_damage(
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

    pub(super) fn tell_of_deed(&mut self, actor: usize, action: Word) {
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
            self.outbox.push((self.actors[index].handle, Message::Stimulus(stimulus)));
        }
    }

    /// Living actors with minds in a circle, by number, with their distance.
    fn minds_within(&self, cell: Cell, radius: u16) -> Vec<(usize, f32)> {
        let minds = self.actors.around(cell, radius).filter(|(_, actor)| actor.is_minded());
        let mut minds: Vec<_> = minds
            .map(|(index, actor)| (index, cell.distance(actor.cell)))
            .filter(|&(_, distance)| distance <= f32::from(radius))
            .collect();
        minds.sort_unstable_by_key(|&(index, _)| index);
        minds
    }
}
