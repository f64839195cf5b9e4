//! Stimuli: what minds are told without asking.
//!
//! In:   what happens.
//! Out:  drafts of the kinds `sight`, `noise`, `grenade`, `damage`, `deed` for those concerned.
//! Cost: the actors near; each mind looks around once in `rules.look` ticks, in turns.
//!
//! | kind | attributes |
//! |---|---|
//! | `sight` | object (the enemy), position, direction to it |
//! | `noise` | position, radius, stimulus (what: its confidence falls with distance), source |
//! | `grenade` | position, radius, time (seconds left), object (the grenade), source |
//! | `damage` | damage (what), amount, source, position of the source |
//! | `deed` | event (the action), source, position |

use crate::cell::Cell;
use crate::grenade::Grenade;
use crate::noise::Noise;
use crate::world::World;
use throng_mind::fact::{Attribute, FactDraft, Handle, Value};
use throng_mind::orders::Message;
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
        let (me, it) = (&self.actors[index], &self.actors[other]);
        let (dx, dy) = me.cell.to(it.cell);
        let direction = Value::Place([dx as f32, dy as f32, 0.0]);
        let draft = FactDraft::new(self.words.sight)
            .with(Attribute::Object, Value::Handle(it.handle), 1.0)
            .with(Attribute::Position, Value::Place(it.cell.place()), 1.0)
            .with(Attribute::Direction, direction, 1.0);
        self.tell(index, draft);
    }

    pub(crate) fn tell_of_noise(&mut self, noise: &Noise) {
        let (place, radius) = (Value::Place(noise.cell.place()), f32::from(noise.radius));
        for (index, distance) in self.minds_within(noise.cell, noise.radius) {
            let sure = 1.0 - distance / (radius + 1.0);
            let draft = FactDraft::new(self.words.noise)
                .with(Attribute::Position, place, 1.0)
                .with(Attribute::Radius, Value::Number(radius), 1.0)
                .with(Attribute::Stimulus, Value::Word(noise.what), sure);
            // Nobody is startled by himself.
            if noise.source != Some(self.actors[index].handle) {
                self.tell(index, with_source(draft, noise.source));
            }
        }
    }

    /// Those who see a grenade, or are so near that they hear it fall.
    pub(crate) fn tell_of_grenade(&mut self, grenade: &Grenade) {
        let seconds = self.rules.pace.seconds(grenade.fuse) as f32;
        let draft = FactDraft::new(self.words.grenade)
            .with(Attribute::Position, Value::Place(grenade.cell.place()), 1.0)
            .with(Attribute::Radius, Value::Number(f32::from(grenade.radius)), 1.0)
            .with(Attribute::Time, Value::Number(seconds), 1.0)
            .with(Attribute::Object, Value::Handle(grenade.handle), 1.0);
        let draft = with_source(draft, grenade.thrower);
        for (index, distance) in self.minds_within(grenade.cell, self.rules.sight) {
            let is_near = distance <= f32::from(grenade.radius);
            if is_near || self.line_of_sight(self.actors[index].cell, grenade.cell) {
                self.tell(index, draft);
            }
        }
    }

    pub(crate) fn tell_of_damage(
        &mut self,
        index: usize,
        what: Word,
        amount: i32,
        source: Option<Handle>,
    ) {
        let mut draft = FactDraft::new(self.words.damage)
            .with(Attribute::Damage, Value::Word(what), 1.0)
            .with(Attribute::Amount, Value::Number(amount as f32), 1.0);
        if let Some(cell) = source.and_then(|source| self.cell_of(source)) {
            draft = draft.with(Attribute::Position, Value::Place(cell.place()), 1.0);
        }
        self.tell(index, with_source(draft, source));
    }

    pub(crate) fn tell_of_deed(&mut self, actor: usize, action: Word) {
        let (cell, handle) = (self.actors[actor].cell, self.actors[actor].handle);
        let draft = FactDraft::new(self.words.deed)
            .with(Attribute::Event, Value::Word(action), 1.0)
            .with(Attribute::Position, Value::Place(cell.place()), 1.0);
        for (index, _) in self.minds_within(cell, self.rules.sight) {
            if index != actor && self.line_of_sight(self.actors[index].cell, cell) {
                self.tell(index, with_source(draft, Some(handle)));
            }
        }
    }

    fn tell(&mut self, index: usize, draft: FactDraft) {
        if self.actors[index].is_minded() {
            self.reports.push((self.actors[index].handle, Message::Stimulus(draft)));
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

fn with_source(draft: FactDraft, source: Option<Handle>) -> FactDraft {
    match source {
        Some(source) => draft.with(Attribute::Source, Value::Handle(source), 1.0),
        None => draft,
    }
}
