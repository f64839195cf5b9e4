//! Fighting: weapons, grenades, harm and death.
//!
//! In:   `Weapon` orders, fuses, who is hurt by what.
//! Out:  rounds spent, health taken, grenades, noise; at no health, death.
//! Cost: a line of sight per shot; per grenade and look, the actors near it.
//!
//! A shot hits if the line is clear when it is fired, if the one who fires is not kept down by fire
//! that is there for that (`suppress`), and as often as [`accuracy`](super::accuracy) says. What is possible is asked when the
//! order is given and again when it is due.

use super::World;
use super::orders::Begun;
use crate::actor::{Actor, Weapon};
use crate::cell::Cell;
use crate::grenade::{Grenade, MOST_GRENADES};
use crate::news::News;
use throng_mind::fact::{EntityId, Position};
use throng_mind::orders::Order;
use throng_mind::squad::Ground;
use throng_mind::words::Word;

/// What is done with a weapon.
#[derive(Clone, Copy)]
pub(super) struct Handling {
    /// `draw`, `fire`, `throw` …
    pub(super) what: Word,
    /// At whom.
    pub(super) at: Option<EntityId>,
    /// Where to, if that is not where he is.
    pub(super) to: Option<Position>,
}

impl World {
    pub(super) fn begin_weapon(&mut self, index: usize, handling: Handling) -> Begun {
        self.can_weapon(index, handling)?;
        let Handling { what, at, to } = handling;
        let (words, rules, me) = (&self.words, &self.rules, &self.actors[index]);
        let armed = me.weapon.is_some_and(|weapon| weapon.armed);
        let ticks = match what {
            _ if what == words.draw && armed => return Ok(None),
            _ if what == words.holster && !armed => return Ok(None),
            _ if what == words.drop => {
                self.drop_weapon(index);
                return Ok(None);
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
        match (to, at) {
            (Some(to), _) => self.face_cell(index, Cell::of(to)),
            (None, Some(at)) => self.face(index, at),
            (None, None) => {}
        }
        Ok(Some(ticks))
    }

    /// Whether it can be done, as things are; else why not.
    fn can_weapon(&self, index: usize, handling: Handling) -> Result<(), Word> {
        let Handling { what, at, .. } = handling;
        let (words, me) = (&self.words, &self.actors[index]);
        let handled = [words.draw, words.holster, words.drop, words.reload];
        let is_shot = what == words.fire || what == words.suppress;
        match me.weapon {
            _ if what == words.melee => self.can_hit(me, at),
            _ if what == words.throw => self.can_throw(index, self.thrown_to(handling)?),
            _ if !is_shot && !handled.contains(&what) => Err(words.unknown),
            None => Err(words.unarmed),
            Some(weapon) if what == words.reload && weapon.holds == 0 => Err(words.unarmed),
            Some(_) if what == words.reload && me.spare == Some(0) => Err(words.empty),
            Some(weapon) if is_shot && (!weapon.armed || weapon.holds == 0) => Err(words.unarmed),
            Some(weapon) if is_shot && weapon.rounds == 0 => Err(words.empty),
            Some(_) if is_shot => match self.can_shoot(me, at) {
                // Fire that is to keep heads down needs no line, only a target within reach.
                Err(why) if what == words.suppress && why == words.no_line => Ok(()),
                other => other,
            },
            Some(_) => Ok(()),
        }
    }

    /// The cell that a grenade is thrown to.
    fn thrown_to(&self, Handling { at, to, .. }: Handling) -> Result<Cell, Word> {
        let to = to.map(Cell::of).or_else(|| self.cell_of(at?));
        to.ok_or(self.words.gone)
    }

    fn living(&self, at: Option<EntityId>) -> Result<&Actor, Word> {
        at.and_then(|at| self.actor(at)).filter(|it| it.alive).ok_or(self.words.gone)
    }

    fn can_shoot(&self, me: &Actor, at: Option<EntityId>) -> Result<(), Word> {
        let it = self.living(at)?;
        match () {
            () if !me.cell.is_within(it.cell, self.rules.sight) => Err(self.words.too_far),
            () if self.is_hidden(it, me.cell) => Err(self.words.no_line),
            () if !self.line_of_sight(me.cell, it.cell) => Err(self.words.no_line),
            () => Ok(()),
        }
    }

    fn can_hit(&self, me: &Actor, at: Option<EntityId>) -> Result<(), Word> {
        let it = self.living(at)?;
        if me.cell.is_beside(it.cell) { Ok(()) } else { Err(self.words.too_far) }
    }

    pub(super) fn can_throw(&self, index: usize, to: Cell) -> Result<(), Word> {
        let me = &self.actors[index];
        let is_near = me.cell.is_within(to, self.rules.throw_range);
        match () {
            () if me.grenades == 0 => Err(self.words.empty),
            () if !is_near || self.grid().is_wall(to) => Err(self.words.too_far),
            () => Ok(()),
        }
    }

    pub(super) fn use_weapon(&mut self, index: usize, order: Order) -> Result<(), Word> {
        let Order::Weapon { what, at, to } = order else { return Ok(()) };
        let handling = Handling { what, at, to };
        let words = &self.words;
        let is_shot = what == words.fire || what == words.suppress;
        match self.can_weapon(index, handling) {
            // The target has stepped behind something: the shot is fired, and misses.
            Err(why) if is_shot && (why == words.no_line || why == words.too_far) => {}
            possible => possible?,
        }
        let shows = is_shot || what == words.melee || what == words.throw;
        if shows && self.actors[index].cloaked {
            self.actors.edit(index).cloaked = false;
        }
        let (words, me) = (&self.words, &self.actors[index]);
        match at {
            Some(at) if is_shot => {
                // Fire at a place instead of at somebody is fired without a look.
                let is_blind = what == words.suppress && to.is_some();
                self.fire_at(index, at, is_blind);
                if what == self.words.suppress {
                    self.pin(index, at);
                }
            }
            Some(at) if what == words.melee => {
                let strength = if me.weapon.is_some_and(|weapon| weapon.armed) { 1 } else { 2 };
                let (by, harm) = (me.handle, self.rules.melee_damage / strength);
                self.hurt(at, harm, self.words.blow, Some(by));
            }
            _ if what == words.throw => self.throw(index, self.thrown_to(handling)?)?,
            _ => {
                // Drawn, holstered or reloaded.
                if what == words.reload {
                    self.reload(index);
                } else if let Some(weapon) = &mut self.actors.edit(index).weapon {
                    weapon.armed = what == words.draw;
                }
            }
        }
        Ok(())
    }

    /// Fills the weapon, from the spare rounds if they are counted.
    fn reload(&mut self, index: usize) {
        let mut me = self.actors.edit(index);
        let Some(weapon) = me.weapon else { return };
        let missing = weapon.holds.saturating_sub(weapon.rounds);
        let taken = me.spare.map_or(missing, |spare| spare.min(missing));
        me.spare = me.spare.map(|spare| spare - taken);
        me.weapon = Some(Weapon { rounds: weapon.rounds + taken, ..weapon });
    }

    pub(super) fn throw(&mut self, index: usize, to: Cell) -> Result<(), Word> {
        self.can_throw(index, to)?;
        let me = self.actors[index].handle;
        self.drop_grenade(to, Some(me)).ok_or(self.words.too_far)?;
        self.actors.edit(index).grenades -= 1;
        Ok(())
    }

    /// Fires one round, with a look or blindly: heard by all around, and a hit if the line is clear
    /// and no fire keeps his head down.
    pub(super) fn fire_at(&mut self, index: usize, at: EntityId, is_blind: bool) {
        let mut me = self.actors.edit(index);
        let (from, by) = (me.cell, me.handle);
        if let Some(weapon) = &mut me.weapon {
            weapon.rounds = weapon.rounds.saturating_sub(1);
        }
        drop(me);
        self.face(index, at);
        self.actors.aim(index, Some(at));
        self.note(News::Shot { by, at });
        self.make_noise(from, self.rules.shot_noise, self.words.shot, Some(by));
        let me = &self.actors[index];
        if !self.is_pinned(me) && self.can_shoot(me, Some(at)).is_ok() {
            let hit = self.actor(at).filter(|it| self.hits(me, it, is_blind));
            if let Some(harm) = hit.map(|it| self.shot_harm(me, it)) {
                self.hurt(at, harm, self.words.shot, Some(by));
            }
        }
    }

    /// Keeps the target's head down if the shot hits near it.
    fn pin(&mut self, index: usize, at: EntityId) {
        let from = self.actors[index].cell.place();
        let until = self.in_ticks(self.rules.pinned);
        if let Some(target) = self.actors.living_index(at)
            && Ground::reaches(self, from, self.actors[target].cell.place())
        {
            self.actors.edit(target).pinned = Some(until);
        }
    }

    /// Puts the weapon down, or away for good if it is no thing of the world.
    pub(super) fn drop_weapon(&mut self, index: usize) {
        let thing = self.note_rounds(index);
        self.actors.edit(index).weapon = None;
        if let Some(thing) = thing {
            let handle = self.things()[thing].handle;
            self.actors.edit(index).carries.retain(|&held| held != handle);
            self.lay_down(thing);
        }
    }

    /// Writes down in the thing that an actor fights with, if it is one that he carries, how many
    /// rounds are left in it; gives which thing that is.
    pub(super) fn note_rounds(&mut self, index: usize) -> Option<usize> {
        let me = &self.actors[index];
        let weapon = me.weapon?;
        let thing = self.things().index_named(weapon.name)?;
        if !me.carries.contains(&self.things()[thing].handle) {
            return None;
        }
        self.site.edit_thing(thing).arms = Some(weapon.rounds);
        Some(thing)
    }

    /// Takes health; `what` is the kind of harm. The dead are not hurt.
    pub fn hurt(&mut self, actor: EntityId, amount: i32, what: Word, source: Option<EntityId>) {
        let Some(index) = self.actors.living_index(actor) else { return };
        let amount = amount.max(0);
        let health = self.actors[index].health.saturating_sub(amount).max(0);
        self.actors.edit(index).health = health;
        self.tell_of_damage(index, what, amount, source);
        self.note(News::Hurt { whom: actor, amount, left: health, what, by: source });
        if health == 0 {
            self.note(News::Died { whom: actor, what, by: source });
            self.die(index);
        }
    }

    /// The only place where an actor dies: his orders fail, he lets go of everything.
    fn die(&mut self, index: usize) {
        self.fail_all(index, self.words.dead);
        self.release_node(index);
        self.let_go_of_all(index);
        self.actors.aim(index, None);
        let mut me = self.actors.edit(index);
        (me.alive, me.plays) = (false, None);
        let handle = me.handle;
        drop(me);
        self.actors.note_fallen(index);
        let aiming: Vec<EntityId> =
            self.actors().aiming_at(handle).map(|actor| actor.handle).collect();
        for by in aiming {
            self.actors.index_of(by).into_iter().for_each(|by| self.actors.aim(by, None));
        }
    }

    /// A grenade with a burning fuse in a cell; `None` in walls, or if there are 256.
    pub fn drop_grenade(&mut self, cell: Cell, thrower: Option<EntityId>) -> Option<EntityId> {
        if self.grid().is_wall(cell) || self.grenades.len() >= MOST_GRENADES {
            return None;
        }
        let (fuse, radius) = (self.rules.fuse.max(1), self.rules.grenade_radius);
        let handle = self.give_handle();
        let grenade = Grenade { handle, cell, fuse, radius, thrower };
        self.grenades.push(grenade);
        self.note(News::Thrown { by: thrower, to: cell });
        self.tell_of_grenade(&grenade);
        Some(handle)
    }

    /// Counts the fuses down; what is due goes off, by number. The others are told of again at
    /// each look.
    pub(super) fn burn_fuses(&mut self) {
        self.grenades.iter_mut().for_each(|grenade| grenade.fuse -= 1);
        let due: Vec<Grenade> = self.grenades.extract_if(.., |grenade| grenade.fuse == 0).collect();
        due.iter().for_each(|grenade| self.go_off(grenade));
        if self.now.is_multiple_of(self.rules.look.max(1)) {
            for grenade in self.grenades.clone() {
                self.tell_of_grenade(&grenade);
            }
        }
    }

    fn go_off(&mut self, grenade: &Grenade) {
        let near = self.actors.around(grenade.cell, grenade.radius);
        let hit = near.filter(|(_, it)| self.site.sees(grenade.cell, it.cell, grenade.radius));
        let mut hit: Vec<EntityId> = hit.map(|(_, actor)| actor.handle).collect();
        hit.sort_unstable();
        let blast = self.words.blast;
        self.note(News::Blast { by: grenade.thrower, at: grenade.cell });
        for actor in hit {
            let distance = self.cell_of(actor).map_or(0.0, |cell| cell.distance(grenade.cell));
            let harm = self.blast_harm(distance, grenade.radius);
            self.hurt(actor, harm, blast, grenade.thrower);
        }
        self.make_noise(grenade.cell, self.rules.blast_noise, blast, grenade.thrower);
    }
}
