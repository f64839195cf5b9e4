//! Weapons: draw, holster, reload, drop, fire, suppress, melee, throw.
//!
//! In:   `Weapon` orders.
//! Out:  rounds spent, health taken, grenades, noise.
//! Cost: a line of sight per shot.
//!
//! No dice: a shot hits if the line is clear when it is fired, and if the one who fires is not kept
//! down by fire that is there for that (`suppress`). What is possible is asked when the
//! order is given and again when it is due.

use crate::actor::{Actor, Posture};
use crate::cell::Cell;
use crate::jobs::Ended;
use crate::world::World;
use throng_mind::fact::EntityId;
use throng_mind::orders::Order;
use throng_mind::squad::Ground;
use throng_mind::words::Word;

impl World {
    pub(crate) fn begin_weapon(&mut self, index: usize, what: Word, at: Option<EntityId>) -> Ended {
        if let Some(why) = self.cannot_weapon(index, what, at) {
            return Ended::Failed(why);
        }
        let (words, rules, me) = (&self.words, &self.rules, &self.actors[index]);
        let armed = me.weapon.is_some_and(|weapon| weapon.armed);
        let ticks = match what {
            _ if what == words.draw && armed => return Ended::Done,
            _ if what == words.holster && !armed => return Ended::Done,
            _ if what == words.drop => {
                self.drop_weapon(index);
                return Ended::Done;
            }
            _ if what == words.draw => rules.draw,
            _ if what == words.holster => rules.holster,
            _ if what == words.reload => rules.reload,
            _ if what == words.melee => rules.melee,
            _ if what == words.throw => rules.throw,
            // Who does not aim yet aims first.
            _ if me.aims_at != at => rules.fire.saturating_add(rules.aim),
            _ => rules.fire,
        };
        if let Some(at) = at {
            self.face(index, at);
        }
        Ended::Later(self.in_ticks(ticks))
    }

    pub(crate) fn use_weapon(&mut self, index: usize) {
        let now = self.now;
        let due = self.actors[index].jobs.weapon.take_if(|job| job.until <= now);
        let Some(job) = due else { return };
        let Order::Weapon { what, at } = job.order else { return };
        match self.do_weapon(index, what, at) {
            Ok(()) => self.finish(index, job.id),
            Err(why) => self.fail(index, job.id, why),
        }
    }

    /// Why it cannot be done, as things are.
    fn cannot_weapon(&self, index: usize, what: Word, at: Option<EntityId>) -> Option<Word> {
        let (words, me) = (&self.words, &self.actors[index]);
        let Some(weapon) = me.weapon else {
            return match what {
                _ if what == words.melee => self.cannot_hit(me, at),
                _ if what == words.throw => self.cannot_throw_at(index, at),
                _ if self.is_weapon_word(what) => Some(words.unarmed),
                _ => Some(words.unknown),
            };
        };
        match what {
            _ if what == words.melee => self.cannot_hit(me, at),
            _ if what == words.throw => self.cannot_throw_at(index, at),
            _ if what == words.reload => (weapon.holds == 0).then_some(words.unarmed),
            _ if what == words.fire && (!weapon.armed || weapon.holds == 0) => Some(words.unarmed),
            _ if what == words.fire && weapon.rounds == 0 => Some(words.empty),
            _ if what == words.fire => self.cannot_see(me, at),
            _ if what == words.suppress && (!weapon.armed || weapon.holds == 0) => {
                Some(words.unarmed)
            }
            _ if what == words.suppress && weapon.rounds == 0 => Some(words.empty),
            // Fire that is to keep heads down needs no line, only somebody within reach.
            _ if what == words.suppress => {
                self.cannot_see(me, at).filter(|&why| why != words.no_line)
            }
            _ => (!self.is_weapon_word(what)).then_some(words.unknown),
        }
    }

    fn is_weapon_word(&self, what: Word) -> bool {
        let words = &self.words;
        let known = [words.draw, words.holster, words.reload, words.drop, words.fire];
        known.contains(&what) || what == words.suppress
    }

    fn living(&self, at: Option<EntityId>) -> Option<&Actor> {
        at.and_then(|at| self.actor(at)).filter(|actor| actor.alive)
    }

    fn cannot_see(&self, me: &Actor, at: Option<EntityId>) -> Option<Word> {
        let reach = i64::from(self.rules.sight);
        match self.living(at) {
            None => Some(self.words.gone),
            Some(it) if me.cell.distance_squared(it.cell) > reach * reach => {
                Some(self.words.too_far)
            }
            Some(it) => (!self.line_of_sight(me.cell, it.cell)).then_some(self.words.no_line),
        }
    }

    fn cannot_hit(&self, me: &Actor, at: Option<EntityId>) -> Option<Word> {
        match self.living(at) {
            None => Some(self.words.gone),
            Some(it) => (!me.cell.is_beside(it.cell)).then_some(self.words.too_far),
        }
    }

    fn cannot_throw_at(&self, index: usize, at: Option<EntityId>) -> Option<Word> {
        match at.and_then(|at| self.cell_of(at)) {
            None => Some(self.words.gone),
            Some(cell) => self.cannot_throw(index, cell),
        }
    }

    pub(crate) fn cannot_throw(&self, index: usize, to: Cell) -> Option<Word> {
        let (me, reach) = (&self.actors[index], i64::from(self.rules.throw_range));
        match () {
            _ if me.grenades == 0 => Some(self.words.empty),
            _ if me.cell.distance_squared(to) > reach * reach => Some(self.words.too_far),
            _ => self.grid.is_wall(to).then_some(self.words.too_far),
        }
    }

    fn do_weapon(&mut self, index: usize, what: Word, at: Option<EntityId>) -> Result<(), Word> {
        let (words, me) = (&self.words, &self.actors[index]);
        let is_shot = what == words.fire || what == words.suppress;
        match self.cannot_weapon(index, what, at) {
            // The target has stepped behind something: the shot is fired, and misses.
            Some(why) if is_shot && (why == words.no_line || why == words.too_far) => {}
            Some(why) => return Err(why),
            None => {}
        }
        match (what, at) {
            (_, Some(at)) if is_shot => {
                let by = me.handle;
                self.shoot(by, at);
                if what == self.words.suppress {
                    self.pin(index, at);
                }
            }
            (_, Some(at)) if what == words.melee => {
                let strength = if me.weapon.is_some_and(|weapon| weapon.armed) { 1 } else { 2 };
                let (by, harm) = (me.handle, self.rules.melee_damage / strength);
                self.hurt(at, harm, self.words.blow, Some(by));
            }
            (_, Some(at)) if what == words.throw => {
                let to = self.cell_of(at).ok_or(self.words.gone)?;
                self.throw(index, to)?;
            }
            _ => self.handle_weapon(index, what),
        }
        Ok(())
    }

    /// Draws, holsters, reloads.
    fn handle_weapon(&mut self, index: usize, what: Word) {
        let words = &self.words;
        if let Some(weapon) = &mut self.actors[index].weapon {
            match what {
                _ if what == words.reload => weapon.rounds = weapon.holds,
                _ => weapon.armed = what == words.draw,
            }
        }
    }

    pub(crate) fn throw(&mut self, index: usize, to: Cell) -> Result<(), Word> {
        if let Some(why) = self.cannot_throw(index, to) {
            return Err(why);
        }
        let me = self.actors[index].handle;
        if self.drop_grenade(to, Some(me)).is_none() {
            return Err(self.words.too_far);
        }
        self.actors[index].grenades -= 1;
        Ok(())
    }

    /// Fires one round: heard by all around, and a hit if the line is clear and nobody's fire keeps
    /// his head down.
    pub(crate) fn fire_at(&mut self, index: usize, at: EntityId) {
        let me = &mut self.actors[index];
        let (from, by) = (me.cell, me.handle);
        if let Some(weapon) = &mut me.weapon {
            weapon.rounds = weapon.rounds.saturating_sub(1);
        }
        self.face(index, at);
        self.set_aim(index, Some(at));
        self.make_noise(from, self.rules.shot_noise, self.words.shot, Some(by));
        let me = &self.actors[index];
        if !self.is_pinned(me) && self.cannot_see(me, Some(at)).is_none() {
            let covered = self.actor(at).is_some_and(|it| self.is_covered(it));
            let divided = if covered { self.rules.cover_divides.max(1) } else { 1 };
            self.hurt(at, self.rules.shot_damage / divided, self.words.shot, Some(by));
        }
    }

    /// Keeps somebody's head down if the shot hits near him.
    fn pin(&mut self, index: usize, at: EntityId) {
        let from = self.actors[index].cell.place();
        let until = self.in_ticks(self.rules.pinned);
        let Some(target) = self.actor_index(at).filter(|&target| self.actors[target].alive) else {
            return;
        };
        if Ground::reaches(self, from, self.actors[target].cell.place()) {
            self.actors[target].pinned = Some(until);
        }
    }

    /// Whether fire keeps somebody's head down: he may shoot, and hits nobody.
    pub fn is_pinned(&self, actor: &Actor) -> bool {
        actor.pinned.is_some_and(|until| self.now < until)
    }

    /// Whether somebody is hard to hit: crouched, or at a node of cover.
    pub fn is_covered(&self, actor: &Actor) -> bool {
        let mut nodes = self.nodes_near.around(actor.cell, 0).map(|index| &self.nodes[index]);
        actor.posture == Posture::Crouched
            || nodes.any(|node| {
                node.kind == self.words.cover && node.cell == actor.cell && self.exists(node)
            })
    }

    /// Puts the weapon down, or away for good if it is no thing of the world.
    pub(crate) fn drop_weapon(&mut self, index: usize) {
        let thing = self.note_rounds(index);
        self.actors[index].weapon = None;
        if let Some(thing) = thing {
            let handle = self.things[thing].handle;
            self.actors[index].carries.retain(|&held| held != handle);
            self.lay_down(thing);
        }
    }

    /// Writes down in the thing that somebody fights with, if it is one that he carries, how many
    /// rounds are left in it; says which thing that is.
    pub(crate) fn note_rounds(&mut self, index: usize) -> Option<usize> {
        let me = &self.actors[index];
        let weapon = me.weapon?;
        let carried = self.thing_named(weapon.name).map(|thing| thing.handle)?;
        let thing = self.thing_index(carried).filter(|_| me.carries.contains(&carried))?;
        self.things[thing].arms = Some(weapon.rounds);
        Some(thing)
    }
}
