//! Hands: uses things, and does everything else that is not a weapon's business.
//!
//! In:   `Use` and `Other` orders.
//! Out:  things in other states, carried, ridden; postures; what is avoided.
//! Cost: a look-up or two per order.
//!
//! What is possible is asked when the order is given and again when it is due: meanwhile the door
//! may be blocked, the item taken, the actor elsewhere.

use super::World;
use super::orders::Begun;
use crate::actor::{Posture, Weapon};
use crate::cell::Cell;
use crate::paths::MOST_EYES;
use crate::thing::ThingKind;
use throng_mind::fact::EntityId;
use throng_mind::orders::Order;
use throng_mind::words::Word;

impl World {
    pub(super) fn begin_hands(&mut self, index: usize, order: Order) -> Begun {
        if let Some(begun) = self.begin_trade(index, &order) {
            return begun;
        }
        if let Some((what, on)) = self.as_use(&order) {
            return self.begin_use(index, what, on);
        }
        let words = &self.words;
        let Order::Other { what, on, name, place, amount } = order else {
            return Err(words.unknown);
        };
        let is_on = self.actors[index].on.is_some();
        Ok(Some(match what {
            _ if what == words.avoid => return self.avoid(index, on, name, place).map(|()| None),
            _ if what == words.wait => self.rules.pace.ticks(f64::from(amount)),
            _ if what == words.crouch || what == words.stand => self.rules.change_posture,
            _ if what == words.cloak || what == words.uncloak => self.rules.cloak,
            _ if what == words.throw => {
                self.can_throw(index, Cell::of(place))?;
                self.rules.throw
            }
            _ if is_on && (what == words.dismount || what == words.descend) => self.rules.use_thing,
            _ => return Err(words.unknown),
        }))
    }

    pub(super) fn use_hands(&mut self, index: usize, order: Order) -> Result<(), Word> {
        if let Some(done) = self.do_trade(index, &order) {
            return done;
        }
        match (self.as_use(&order), order) {
            (Some((what, on)), _) => self.do_use(index, what, on),
            (None, Order::Other { what, place, .. }) => self.do_other(index, what, place),
            _ => Ok(()),
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

    fn begin_use(&mut self, index: usize, what: Word, on: EntityId) -> Begun {
        let thing = self.usable(index, what, on)?;
        self.face(index, on);
        let (it, words) = (&self.things()[thing], &self.words);
        let is_door = it.kind == ThingKind::Door;
        Ok(match what {
            _ if it.state() == what => None,
            _ if is_door && what == words.kick => Some(self.rules.kick),
            _ if is_door && [words.open, words.shut].contains(&what) => Some(self.rules.open_door),
            _ => Some(self.rules.use_thing),
        })
    }

    /// The thing by position, or why it cannot be used so.
    fn usable(&self, index: usize, what: Word, on: EntityId) -> Result<usize, Word> {
        let (me, words) = (&self.actors[index], &self.words);
        let thing = self.things().index_of(on).ok_or(words.gone)?;
        let it = &self.things()[thing];
        let is_taking = what == words.pick_up || what == words.mount;
        let only_for = [
            (words.pick_up, ThingKind::Item),
            (words.mount, ThingKind::Vehicle),
            (words.climb, ThingKind::Ladder),
            (words.kick, ThingKind::Door),
        ];
        match it.held_by {
            _ if !me.cell.is_beside(it.cell) => Err(words.too_far),
            // What another holds is out of reach; one's own can be used.
            Some(by) if is_taking || by != me.handle => Err(words.held),
            _ if only_for.iter().any(|&(word, kind)| word == what && kind != it.kind) => {
                Err(words.unknown)
            }
            // That a door is held by its needs shows when it is tried.
            _ if it.kind != ThingKind::Door && !self.may_use(it, me.handle) => Err(words.needs),
            _ => Ok(thing),
        }
    }

    fn do_use(&mut self, index: usize, what: Word, on: EntityId) -> Result<(), Word> {
        let thing = self.usable(index, what, on)?;
        let words = &self.words;
        match what {
            _ if what == words.kick => {
                let (cell, me) = (self.things()[thing].cell, self.actors[index].handle);
                self.make_noise(cell, self.rules.kick_noise, self.words.bang, Some(me));
                return self.try_door(index, thing);
            }
            _ if what == words.pick_up => self.pick_up(index, thing),
            _ if what == words.mount || what == words.climb => {
                if self.is_taken(self.things()[thing].cell, self.actors[index].handle) {
                    return Err(self.words.taken);
                }
                self.get_on(index, thing);
            }
            _ => return self.change(index, thing, what),
        }
        Ok(())
    }

    /// Opens a door if it is shut.
    fn try_door(&mut self, index: usize, door: usize) -> Result<(), Word> {
        let who = self.actors[index].handle;
        if self.things()[door].is_shut_door() && !self.site.open_door(door, self.words.open, who) {
            let door = self.things()[door].handle;
            self.actors.edit(index).blocked_by = Some(door);
            return Err(self.words.blocked);
        }
        Ok(())
    }

    /// Puts a thing into the state called so, else into its next.
    fn change(&mut self, index: usize, thing: usize, what: Word) -> Result<(), Word> {
        // Whatever it is to become, a shut door must open first. That a key is missing shows in the
        // lock; who kicks it learns only that it holds.
        let is_locked = {
            let it = &self.things()[thing];
            it.is_shut_door() && !it.blocked && !self.may_use(it, self.actors[index].handle)
        };
        if is_locked {
            return Err(self.words.needs);
        }
        self.try_door(index, thing)?;
        let it = &self.things()[thing];
        let is_shutting = it.kind == ThingKind::Door && what == self.words.shut;
        let named = it.state_called(what).or(it.shut_at.filter(|_| is_shutting));
        let state = match named {
            Some(state) => state,
            // The door was opened, by this or another word.
            None if it.kind == ThingKind::Door => return Ok(()),
            None if it.states.len() == 1 => return Err(self.words.used),
            None => (it.at + 1) % it.states.len(),
        };
        self.site.put(thing, state);
        Ok(())
    }

    /// An item is carried from now on; it is fought with if it is a gun, or he has nothing else to
    /// fight with.
    pub(super) fn pick_up(&mut self, index: usize, item: usize) {
        self.hold(index, item);
        let it = &self.things()[item];
        let (handle, taken) = (it.handle, it.state_called(self.words.taken));
        let is_better = it.holds > 0 || self.actors[index].weapon.is_none();
        if let Some(rounds) = it.arms.filter(|_| is_better) {
            let weapon = Weapon { name: it.name, armed: true, rounds, holds: it.holds };
            self.note_rounds(index);
            self.actors.edit(index).weapon = Some(weapon);
        }
        self.actors.edit(index).carries.push(handle);
        if let Some(taken) = taken {
            self.site.put(item, taken);
        }
    }

    fn get_on(&mut self, index: usize, thing: usize) {
        self.get_off(index);
        self.enter(index, self.things()[thing].cell);
        let (on, rides) = (self.things()[thing].handle, self.is_vehicle(thing));
        if rides {
            self.hold(index, thing);
        }
        let mut me = self.actors.edit(index);
        me.posture = if rides { Posture::Riding } else { Posture::Climbing };
        (me.climbed, me.on) = (0, Some(on));
    }

    fn is_vehicle(&self, thing: usize) -> bool {
        self.things()[thing].kind == ThingKind::Vehicle
    }

    fn get_off(&mut self, index: usize) {
        let mut me = self.actors.edit(index);
        if let Some(on) = me.on.take() {
            (me.posture, me.climbed) = (Posture::Standing, 0);
            if let Some(thing) = self.site.things().index_of(on) {
                self.site.edit_thing(thing).held_by = None;
            }
        }
    }

    fn hold(&mut self, index: usize, thing: usize) {
        let (me, mut it) = (&self.actors[index], self.site.edit_thing(thing));
        (it.held_by, it.cell) = (Some(me.handle), me.cell);
    }

    /// Puts an actor into a posture at once; on what, if it is a vehicle or a ladder. Nothing
    /// happens if there is no such actor or thing, or it is held.
    pub(crate) fn seat(&mut self, actor: EntityId, posture: Posture, on: Option<EntityId>) {
        let Some(index) = self.actors.index_of(actor) else { return };
        let Some(on) = on else { return self.actors.edit(index).posture = posture };
        let thing = self.things().index_of(on);
        let is_free = |at: &usize| {
            let it = &self.things()[*at];
            it.held_by.is_none() && !self.is_taken(it.cell, actor)
        };
        if let Some(thing) = thing.filter(is_free) {
            self.get_on(index, thing);
        }
    }

    /// Everything that an actor holds or rides lies where he is, the weapon too if he had picked it
    /// up. One that is no thing of the world stays his.
    pub(super) fn let_go_of_all(&mut self, index: usize) {
        self.get_off(index);
        if self.note_rounds(index).is_some() {
            self.actors.edit(index).weapon = None;
        }
        let carries = std::mem::take(&mut self.actors.edit(index).carries);
        for held in carries {
            self.things().index_of(held).into_iter().for_each(|thing| self.lay_down(thing));
        }
    }

    /// A carried thing lies where its carrier is, not taken any more.
    pub(super) fn lay_down(&mut self, thing: usize) {
        let taken = self.words.taken;
        let mut it = self.site.edit_thing(thing);
        it.held_by = None;
        let free = it.states.iter().position(|&state| state != taken);
        let free = free.filter(|_| it.state() == taken);
        drop(it);
        if let Some(free) = free {
            self.site.put(thing, free);
        }
    }

    fn do_other(&mut self, index: usize, what: Word, place: [f32; 3]) -> Result<(), Word> {
        let words = &self.words;
        let mut me = self.actors.edit(index);
        let on_foot = matches!(me.posture, Posture::Standing | Posture::Crouched);
        match what {
            _ if what == words.crouch && on_foot => me.posture = Posture::Crouched,
            _ if what == words.stand && on_foot => me.posture = Posture::Standing,
            _ if what == words.cloak => me.cloaked = true,
            _ if what == words.uncloak => me.cloaked = false,
            _ if what == words.dismount || what == words.descend => {
                drop(me);
                self.get_off(index);
            }
            _ if what == words.throw => {
                drop(me);
                return self.throw(index, Cell::of(place));
            }
            _ => {}
        }
        Ok(())
    }

    /// Notes what an actor's ways are to avoid, or forgets all of it.
    fn avoid(
        &mut self,
        index: usize,
        on: Option<EntityId>,
        name: Word,
        place: [f32; 3],
    ) -> Result<(), Word> {
        let link = on.or_else(|| self.thing_named(name).map(|thing| thing.handle));
        let is_there = link.is_some_and(|link| self.thing(link).is_some());
        let mut me = self.actors.edit(index);
        match link {
            _ if on.is_none() && name == self.words.watched => {
                if me.shuns.len() < MOST_EYES {
                    me.shuns.push(Cell::of(place));
                }
            }
            Some(link) if is_there => {
                if let Err(place) = me.avoids.binary_search(&link) {
                    me.avoids.insert(place, link);
                }
            }
            None if name == Word::NONE => {
                me.avoids.clear();
                me.shuns.clear();
            }
            _ => return Err(self.words.gone),
        }
        Ok(())
    }
}
