//! A small game in continuous space: people, walls, shots with chance by a seed.
//!
//! In:   orders of minds.
//! Out:  what became of them, and what can be sensed.
//! Cost: a walk over the people for each step.
//!
//! No grid: everybody is where he is. What the kit asks is answered in `answers.rs`, walls and ways are
//! in `walls.rs`, weapons in `shots.rs`.

use super::walls::Walls;
use throng::kit::geometry::distance;
use throng::kit::{SpotView, Vocabulary};
use throng::mind::prelude::*;

/// Ticks in a second.
pub(crate) const PACE: u32 = 10;
/// How far people see, and how fast they run in a tick.
pub(crate) const SIGHT: f32 = 24.0;
const RUN: f32 = 0.45;
const WALK: f32 = 0.3;

/// Somebody.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) id: EntityId,
    pub(crate) name: Word,
    pub(crate) side: Word,
    pub(crate) place: Position,
    pub(crate) health: f32,
    pub(crate) weapon: Option<Word>,
    pub(crate) in_hand: bool,
    pub(crate) rounds: u32,
    pub(crate) grenades: u32,
    pub(crate) aims_at: Option<EntityId>,
    pub(crate) pinned: Tick,
    pub(crate) crouched: bool,
    /// The mind that is told what he senses.
    pub(crate) mind: Option<MindId>,
    /// The rest of his way, the next corner last.
    way: Vec<Position>,
    pub(crate) going: Option<(OrderId, f32)>,
    /// What he does with his hands, and when that is done.
    pub(crate) busy: Vec<(OrderId, Order, Tick)>,
}

impl Person {
    /// Somebody with a loaded weapon in hand.
    pub(crate) fn new(id: u64, name: Word, side: Word, place: Position) -> Self {
        Person {
            id: EntityId(id),
            name,
            side,
            place,
            health: 100.0,
            weapon: Some(name),
            in_hand: true,
            rounds: MAGAZINE,
            grenades: 0,
            aims_at: None,
            pinned: 0,
            crouched: false,
            mind: None,
            way: Vec::new(),
            going: None,
            busy: Vec::new(),
        }
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.health > 0.0
    }
}

/// Rounds in a weapon.
pub(crate) const MAGAZINE: u32 = 12;

/// The game.
pub(crate) struct Field {
    pub(crate) words: Vocabulary,
    pub(crate) now: Tick,
    pub(crate) seed: u64,
    /// Of so many shots from near, out of all, one hits.
    pub(crate) accuracy: f32,
    pub(crate) people: Vec<Person>,
    pub(crate) walls: Walls,
    pub(crate) spots: Vec<SpotView>,
    /// Where a grenade lies, when it goes off, and who threw it.
    pub(crate) grenades: Vec<(EntityId, Position, Tick, EntityId)>,
    /// What minds are told next.
    told: Vec<(MindId, Message)>,
    /// Who killed whom.
    pub(crate) deaths: Vec<(Tick, EntityId, EntityId)>,
    /// Rays that minds have asked for.
    pub(crate) rays: Vec<IssuedQuestion>,
}

impl Field {
    pub(crate) fn new(words: Vocabulary, walls: Walls, seed: u64) -> Self {
        let (people, spots, grenades) = (Vec::new(), Vec::new(), Vec::new());
        let (told, deaths, rays, accuracy) = (Vec::new(), Vec::new(), Vec::new(), 0.7);
        Field { words, now: 0, seed, accuracy, people, walls, spots, grenades, told, deaths, rays }
    }

    pub(crate) fn person(&self, id: EntityId) -> Option<&Person> {
        self.people.iter().find(|person| person.id == id)
    }

    pub(crate) fn index(&self, id: EntityId) -> Option<usize> {
        self.people.iter().position(|person| person.id == id)
    }

    /// What minds are told since the last call.
    pub(crate) fn reports(&mut self) -> Vec<(MindId, Message)> {
        std::mem::take(&mut self.told)
    }

    /// Takes an order.
    pub(crate) fn take(&mut self, sent: &IssuedOrder) {
        let Some(at) = self.index(sent.me).filter(|&at| self.people[at].is_alive()) else {
            return self.end(sent.mind, sent.id, Err(self.words.dead));
        };
        let seconds = match sent.order {
            Order::Cancel(id) => {
                let me = &mut self.people[at];
                me.busy.retain(|(known, ..)| *known != id);
                me.going.take_if(|(known, _)| *known == id);
                return;
            }
            Order::Emit(stimulus) => return self.emit(&stimulus),
            Order::Move { to, manner, .. } => return self.set_out(at, sent, to, manner),
            Order::Weapon { what, at: whom, .. } => match self.can(at, what, whom) {
                Err(why) => return self.end(sent.mind, sent.id, Err(why)),
                Ok(()) if what == self.words.reload => 1.5,
                Ok(()) if self.people[at].aims_at != whom => 0.6,
                Ok(()) => 0.3,
            },
            Order::Animate { ticks, .. } => f64::from(ticks) / f64::from(PACE),
            Order::Other { what, .. } if what == self.words.avoid => 0.0,
            Order::Other { what, amount, .. } if what == self.words.wait => f64::from(amount),
            _ => 0.3,
        };
        // What is done with the same hands is done instead.
        let is_weapon = |order: &Order| matches!(order, Order::Weapon { .. });
        if is_weapon(&sent.order) {
            let me = &mut self.people[at];
            let older: Vec<OrderId> =
                me.busy.extract_if(.., |(_, it, _)| is_weapon(it)).map(|it| it.0).collect();
            older.into_iter().for_each(|id| self.end(sent.mind, id, Err(self.words.replaced)));
        }
        let until = self.now + (seconds * f64::from(PACE)).round().max(1.0) as Tick;
        self.people[at].busy.push((sent.id, sent.order, until));
    }

    fn set_out(&mut self, at: usize, sent: &IssuedOrder, to: Position, manner: Word) {
        let Some((mut way, _)) = self.walls.way(self.people[at].place, to) else {
            return self.end(sent.mind, sent.id, Err(self.words.no_path));
        };
        way.reverse();
        let pace = if manner == self.words.walk { WALK } else { RUN };
        let me = &mut self.people[at];
        let older = me.going.replace((sent.id, pace));
        (me.way, me.crouched) = (way, manner == self.words.sneak);
        if let Some((id, _)) = older {
            self.end(sent.mind, id, Err(self.words.replaced));
        }
    }

    /// A tick of the game.
    pub(crate) fn step(&mut self) {
        self.now += 1;
        for at in 0..self.people.len() {
            self.walk(at);
            let now = self.now;
            let due: Vec<(OrderId, Order, Tick)> =
                self.people[at].busy.extract_if(.., |(_, _, until)| *until <= now).collect();
            for (id, order, _) in due {
                let Some(mind) = self.people[at].mind else { continue };
                let done = self.carry_out(at, order);
                self.end(mind, id, done);
            }
        }
        let now = self.now;
        let due: Vec<_> = self.grenades.extract_if(.., |(_, _, until, _)| *until <= now).collect();
        for (_, place, _, by) in due {
            self.noise(place, 30.0, self.words.blast, Some(by));
            for at in 0..self.people.len() {
                let there = self.people[at].place;
                if distance(there, place) <= 4.0 && self.walls.is_clear(place, there) {
                    self.hurt(at, 100.0, self.words.blast, by);
                }
            }
        }
        self.look();
    }

    /// Goes on along his way. Who would step on somebody waits.
    fn walk(&mut self, at: usize) {
        let me = &self.people[at];
        let Some((id, pace)) = me.going else { return };
        let (mut left, mut place, mut way) = (pace, me.place, me.way.clone());
        while let Some(&next) = way.last().filter(|_| left > 0.0) {
            let far = distance(place, next);
            if far > left {
                let part = left / far;
                place = [0, 1, 2].map(|axis| place[axis] + (next[axis] - place[axis]) * part);
                break;
            }
            (left, place) = (left - far, next);
            way.pop();
        }
        let is_near = |it: &Person, to| distance(it.place, to) < 0.5;
        let others =
            || self.people.iter().filter(|it| it.is_alive() && it.id != self.people[at].id);
        let is_taken = others().any(|it| is_near(it, place) && !is_near(it, self.people[at].place));
        if is_taken {
            // Whoever stands at the end of the way has taken it.
            if way.len() <= 1 && others().any(|it| way.last().is_none_or(|&to| is_near(it, to))) {
                self.stop(at, id, Err(self.words.taken));
            }
            return;
        }
        let is_there = way.is_empty();
        (self.people[at].place, self.people[at].way) = (place, way);
        if is_there {
            self.stop(at, id, Ok(()));
        }
    }

    fn stop(&mut self, at: usize, id: OrderId, how: Result<(), Word>) {
        self.people[at].going = None;
        if let Some(mind) = self.people[at].mind {
            self.end(mind, id, how);
        }
    }

    /// Something that can be heard.
    pub(crate) fn noise(&mut self, place: Position, radius: f32, what: Word, by: Option<EntityId>) {
        let noise =
            Stimulus { radius, event: what, source: by, ..Stimulus::new(self.words.noise, place) };
        self.emit(&noise);
    }

    fn emit(&mut self, heard: &Stimulus) {
        for at in 0..self.people.len() {
            let far = distance(self.people[at].place, heard.position);
            if far <= heard.radius && heard.source != Some(self.people[at].id) {
                let strength = 1.0 - far / (heard.radius + 1.0);
                self.tell(at, Stimulus { strength, ..*heard });
            }
        }
    }

    /// Twice a second, in turns, everybody sees who is in view, and grenades.
    fn look(&mut self) {
        let turn = self.now % 5;
        for at in (0..self.people.len()).filter(|&at| at as u32 % 5 == turn) {
            let from = self.people[at].place;
            let in_view = |to| distance(from, to) <= SIGHT && self.walls.is_clear(from, to);
            let people =
                self.people.iter().filter(|it| it.id != self.people[at].id && in_view(it.place));
            let mut seen: Vec<Stimulus> = people
                .map(|it| Stimulus {
                    object: Some(it.id),
                    ..Stimulus::new(self.words.sight, it.place)
                })
                .collect();
            seen.extend(self.grenades.iter().filter(|it| in_view(it.1)).map(|it| Stimulus {
                object: Some(it.0),
                radius: 4.0,
                amount: (it.2 - self.now) as f32 / PACE as f32,
                source: Some(it.3),
                ..Stimulus::new(self.words.grenade, it.1)
            }));
            seen.into_iter().for_each(|it| self.tell(at, it));
        }
    }

    pub(crate) fn tell(&mut self, at: usize, stimulus: Stimulus) {
        if let Some(mind) = self.people[at].mind.filter(|_| self.people[at].is_alive()) {
            self.told.push((mind, Message::Stimulus(stimulus)));
        }
    }

    fn end(&mut self, mind: MindId, id: OrderId, how: Result<(), Word>) {
        if id != OrderId(0) {
            let message = how.map_or_else(|why| Message::Failed(id, why), |()| Message::Done(id));
            self.told.push((mind, message));
        }
    }
}
