//! Hands: uses things, and does everything else that is not a weapon's business.
//!
//! In:   `Use` and `Other` orders.
//! Out:  things in other states, carried, ridden; postures; what is avoided.
//! Cost: a look-up or two per order.
//!
//! What is possible is asked when the order is given and again when it is due: meanwhile the door
//! may be blocked, the item taken, the actor elsewhere.

use crate::actor::{Posture, Weapon};
use crate::cell::Cell;
use crate::jobs::Ended;
use crate::paths::MOST_EYES;
use crate::thing::ThingKind;
use crate::world::World;
use throng_mind::fact::EntityId;
use throng_mind::orders::Order;
use throng_mind::words::Word;

impl World {
    pub(crate) fn begin_hands(&mut self, index: usize, order: Order) -> Ended {
        if let Some((what, on)) = self.as_use(&order) {
            return self.begin_use(index, what, on);
        }
        let Order::Other { what, on, name, place, amount } = order else {
            return Ended::Failed(self.words.unknown);
        };
        let words = &self.words;
        let ticks = match what {
            _ if what == words.avoid => return self.avoid(index, on, name, place),
            _ if what == words.wait => self.rules.pace.ticks(f64::from(amount)),
            _ if what == words.crouch || what == words.stand => self.rules.change_posture,
            _ if what == words.throw => match self.cannot_throw(index, Cell::of(place)) {
                Some(why) => return Ended::Failed(why),
                None => self.rules.throw,
            },
            _ if (what == words.dismount || what == words.descend)
                && self.actors[index].on.is_some() =>
            {
                self.rules.use_thing
            }
            _ => return Ended::Failed(words.unknown),
        };
        Ended::Later(self.in_ticks(ticks))
    }

    pub(crate) fn use_hands(&mut self, index: usize) {
        let now = self.now;
        let due = self.actors[index].jobs.hands.take_if(|job| job.until <= now);
        let Some(job) = due else { return };
        let done = match (self.as_use(&job.order), job.order) {
            (Some((what, on)), _) => self.do_use(index, what, on),
            (None, Order::Other { what, place, .. }) => self.do_other(index, what, place),
            _ => Ok(()),
        };
        match done {
            Ok(()) => self.finish(index, job.id),
            Err(why) => self.fail(index, job.id, why),
        }
    }

    /// What is to be done with which thing, if the order is about a thing.
    fn as_use(&self, order: &Order) -> Option<(Word, EntityId)> {
        match *order {
            Order::Use { what, on } => Some((what, on)),
            Order::Other { what, .. } if what == self.words.avoid => None,
            Order::Other { what, on: Some(on), .. } => Some((what, on)),
            Order::Other { what, name, .. } => Some((what, self.thing_named(name)?.handle)),
            _ => None,
        }
    }

    fn begin_use(&mut self, index: usize, what: Word, on: EntityId) -> Ended {
        let thing = match self.usable(index, what, on) {
            Ok(thing) => thing,
            Err(why) => return Ended::Failed(why),
        };
        self.face(index, on);
        let (it, words) = (&self.things[thing], &self.words);
        let is_door = it.kind == ThingKind::Door;
        let ticks = match what {
            _ if it.state() == what => return Ended::Done,
            _ if is_door && what == words.kick => self.rules.kick,
            _ if is_door && (what == words.open || what == words.shut) => self.rules.open_door,
            _ => self.rules.use_thing,
        };
        Ended::Later(self.in_ticks(ticks))
    }

    /// The thing by position, or why it cannot be used so.
    fn usable(&self, index: usize, what: Word, on: EntityId) -> Result<usize, Word> {
        let (me, words) = (&self.actors[index], &self.words);
        let thing = self.thing_index(on).ok_or(words.gone)?;
        let it = &self.things[thing];
        let is_taking = what == words.pick_up || what == words.mount;
        let only_for = [
            (words.pick_up, ThingKind::Item),
            (words.mount, ThingKind::Vehicle),
            (words.climb, ThingKind::Ladder),
            (words.kick, ThingKind::Door),
        ];
        match () {
            _ if !me.cell.is_beside(it.cell) => Err(words.too_far),
            _ if is_taking && it.held_by.is_some() => Err(words.held),
            // What another holds is out of reach; one's own can be used.
            _ if it.held_by.is_some_and(|by| by != me.handle) => Err(words.held),
            _ if only_for.iter().any(|&(word, kind)| word == what && kind != it.kind) => {
                Err(words.unknown)
            }
            // That a door is held by its needs shows when it is tried.
            _ if it.kind != ThingKind::Door && !self.are_met(&it.needs) => Err(words.needs),
            _ => Ok(thing),
        }
    }

    fn do_use(&mut self, index: usize, what: Word, on: EntityId) -> Result<(), Word> {
        let thing = self.usable(index, what, on)?;
        let words = &self.words;
        match what {
            _ if what == words.kick => self.kick(index, thing),
            _ if what == words.pick_up => {
                self.pick_up(index, thing);
                Ok(())
            }
            _ if what == words.mount || what == words.climb => {
                self.get_on(index, thing);
                Ok(())
            }
            _ => self.change(index, thing, what),
        }
    }

    fn kick(&mut self, index: usize, door: usize) -> Result<(), Word> {
        let (cell, me) = (self.things[door].cell, self.actors[index].handle);
        self.make_noise(cell, self.rules.kick_noise, self.words.bang, Some(me));
        self.try_door(index, door)
    }

    fn try_door(&mut self, index: usize, door: usize) -> Result<(), Word> {
        if self.things[door].is_shut_door() && !self.open_door(door) {
            self.actors[index].blocked_by = Some(self.things[door].handle);
            return Err(self.words.blocked);
        }
        Ok(())
    }

    /// Puts a thing into the state called so, else into its next.
    fn change(&mut self, index: usize, thing: usize, what: Word) -> Result<(), Word> {
        let it = &self.things[thing];
        if it.is_shut_door() {
            // Whatever it is to become, it must open first.
            self.try_door(index, thing)?;
        }
        let it = &self.things[thing];
        let is_shutting = it.kind == ThingKind::Door && what == self.words.shut;
        let named = it.states.iter().position(|&state| state == what);
        let count = it.states.len();
        match named.or(it.shut_at.filter(|_| is_shutting)) {
            Some(state) => self.put_into_state(thing, state),
            // The door was opened, by this or another word.
            None if it.kind == ThingKind::Door => {}
            None if count == 1 => return Err(self.words.used),
            None => self.put_into_state(thing, (it.at + 1) % count),
        }
        Ok(())
    }

    fn pick_up(&mut self, index: usize, item: usize) {
        self.hold(index, item);
        let it = &self.things[item];
        if let Some(rounds) = it.arms {
            let weapon = Weapon { name: it.name, armed: true, rounds, holds: it.holds };
            self.note_rounds(index);
            self.actors[index].weapon = Some(weapon);
        }
        let it = &self.things[item];
        self.actors[index].carries.push(it.handle);
        if let Some(taken) = it.states.iter().position(|&state| state == self.words.taken) {
            self.put_into_state(item, taken);
        }
    }

    fn get_on(&mut self, index: usize, thing: usize) {
        self.get_off(index);
        self.enter(index, self.things[thing].cell);
        let rides = self.things[thing].kind == ThingKind::Vehicle;
        if rides {
            self.hold(index, thing);
        }
        let actor = &mut self.actors[index];
        actor.posture = if rides { Posture::Riding } else { Posture::Climbing };
        actor.climbed = 0;
        actor.on = Some(self.things[thing].handle);
    }

    fn get_off(&mut self, index: usize) {
        if let Some(on) = self.actors[index].on.take() {
            (self.actors[index].posture, self.actors[index].climbed) = (Posture::Standing, 0);
            if let Some(thing) = self.thing_index(on) {
                self.let_go(thing);
            }
        }
    }

    fn hold(&mut self, index: usize, thing: usize) {
        self.things_near.remove(thing, self.things[thing].cell, Word::NONE);
        self.things[thing].held_by = Some(self.actors[index].handle);
        self.things[thing].cell = self.actors[index].cell;
    }

    pub(crate) fn let_go(&mut self, thing: usize) {
        if self.things[thing].held_by.take().is_some() {
            self.things_near.insert(thing, self.things[thing].cell, Word::NONE);
        }
    }

    /// Everything that somebody holds or rides lies where he is, the weapon too if he had picked it
    /// up. One that is no thing of the world stays his.
    pub(crate) fn let_go_of_all(&mut self, index: usize) {
        self.get_off(index);
        if self.note_rounds(index).is_some() {
            self.actors[index].weapon = None;
        }
        for held in std::mem::take(&mut self.actors[index].carries) {
            self.thing_index(held).into_iter().for_each(|thing| self.lay_down(thing));
        }
    }

    /// A carried thing lies where its carrier is, not taken any more.
    pub(crate) fn lay_down(&mut self, thing: usize) {
        self.let_go(thing);
        let (it, taken) = (&self.things[thing], self.words.taken);
        let free = it.states.iter().position(|&state| state != taken);
        if let Some(free) = free.filter(|_| it.state() == taken) {
            self.put_into_state(thing, free);
        }
    }

    fn do_other(&mut self, index: usize, what: Word, place: [f32; 3]) -> Result<(), Word> {
        let words = &self.words;
        let actor = &mut self.actors[index];
        let on_foot = matches!(actor.posture, Posture::Standing | Posture::Crouched);
        match what {
            _ if what == words.crouch && on_foot => actor.posture = Posture::Crouched,
            _ if what == words.stand && on_foot => actor.posture = Posture::Standing,
            _ if what == words.dismount || what == words.descend => self.get_off(index),
            _ if what == words.throw => return self.throw(index, Cell::of(place)),
            _ => {}
        }
        Ok(())
    }

    fn avoid(&mut self, index: usize, on: Option<EntityId>, name: Word, place: [f32; 3]) -> Ended {
        if on.is_none() && name == self.words.watched {
            let shuns = &mut self.actors[index].shuns;
            if shuns.len() < MOST_EYES {
                shuns.push(Cell::of(place));
            }
            return Ended::Done;
        }
        let named = || self.thing_named(name).map(|thing| thing.handle);
        match on.or_else(named) {
            Some(link) if self.thing(link).is_none() => return Ended::Failed(self.words.gone),
            Some(link) => {
                let avoids = &mut self.actors[index].avoids;
                if let Err(place) = avoids.binary_search(&link) {
                    avoids.insert(place, link);
                }
            }
            None if name == Word::NONE => {
                self.actors[index].avoids.clear();
                self.actors[index].shuns.clear();
            }
            None => return Ended::Failed(self.words.gone),
        }
        Ended::Done
    }
}
