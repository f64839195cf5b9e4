//! Navigation: goes along a way, opens doors, dives through windows, takes nodes.
//!
//! In:   `Move` orders.
//! Out:  actors in other cells; the order's end: arrived, or what stopped it.
//! Cost: one search per order; then a comparison per tick, and a cell now and then.
//!
//! A way is found once, with what the mover believes. A shut door on it is opened; a blocked one,
//! or one whose needs do not hold, stops the mover with `blocked`.

use crate::actor::Posture;
use crate::cell::Cell;
use crate::jobs::Going;
use crate::paths::Manner;
use crate::thing::ThingKind;
use crate::world::World;
use throng_mind::orders::OrderId;
use throng_mind::words::Word;

impl World {
    pub(crate) fn begin_move(
        &mut self,
        index: usize,
        id: OrderId,
        to: Cell,
        node: Word,
        manner: Word,
    ) {
        self.release_node(index);
        self.actors[index].blocked_by = None;
        if let Err(why) = self.take_node(index, node) {
            return self.fail(index, id, why);
        }
        let manner = self.manner(manner);
        match self.way_of(index, to, manner) {
            None => self.stop_moving(index, id, self.words.no_path),
            Some(path) if path.cells.is_empty() => self.finish(index, id),
            Some(path) => {
                let rest = path.cells.into_iter().rev().collect();
                self.rise(index, manner);
                self.next_leg(index, Going { id, to, manner, rest, until: 0, opening: None });
            }
        }
    }

    pub(crate) fn navigate(&mut self, index: usize) {
        let now = self.now;
        let due = self.actors[index].jobs.moving.take_if(|going| going.until <= now);
        let Some(mut going) = due else { return };
        let Some(&next) = going.rest.last() else { return self.finish(index, going.id) };
        let shut = self.link_index(next).filter(|&link| self.things[link].is_shut_door());
        match (shut, going.opening.take()) {
            // Nothing in the way, any more.
            (None, Some(_)) => self.next_leg(index, going),
            (None, None) => {
                going.rest.pop();
                self.enter(index, next);
                match going.rest.is_empty() {
                    true => self.finish(index, going.id),
                    false => self.next_leg(index, going),
                }
            }
            // It was shut before him.
            (Some(_), None) => self.next_leg(index, going),
            (Some(door), Some(_)) => match self.open_door(door) {
                true => self.next_leg(index, going),
                false => {
                    self.actors[index].blocked_by = Some(self.things[door].handle);
                    self.stop_moving(index, going.id, self.words.blocked);
                }
            },
        }
    }

    /// Sets out for the next cell, or to open the door before it.
    fn next_leg(&mut self, index: usize, mut going: Going) {
        let Some(&next) = going.rest.last() else { return };
        let (dx, dy) = self.actors[index].cell.to(next);
        self.actors[index].facing = (dx.signum() as i16, dy.signum() as i16);
        let link = self.link_index(next).map(|link| &self.things[link]);
        let door = link.filter(|link| link.is_shut_door()).map(|door| door.handle);
        let is_window = link.is_some_and(|link| link.kind == ThingKind::Window);
        let ticks = match door {
            Some(_) => self.rules.open_door,
            None if is_window => self.rules.dive,
            None => self.ticks_per_cell(going.manner),
        };
        going.opening = door;
        going.until = self.in_ticks(ticks);
        self.actors[index].jobs.moving = Some(going);
    }

    /// Ends a way before its end.
    fn stop_moving(&mut self, index: usize, id: OrderId, why: Word) {
        self.release_node(index);
        self.fail(index, id, why);
    }

    /// Somebody was put elsewhere: goes on from there, or fails.
    pub(crate) fn go_on_from_here(&mut self, index: usize) {
        let Some(going) = self.actors[index].jobs.moving.take() else { return };
        match self.way_of(index, going.to, going.manner) {
            None => self.stop_moving(index, going.id, self.words.no_path),
            Some(path) if path.cells.is_empty() => self.finish(index, going.id),
            Some(path) => {
                let rest = path.cells.into_iter().rev().collect();
                self.next_leg(index, Going { rest, ..going });
            }
        }
    }

    /// Moves somebody and all that he holds; the only place where an actor's cell changes.
    pub(crate) fn enter(&mut self, index: usize, cell: Cell) {
        let actor = &mut self.actors[index];
        let before = std::mem::replace(&mut actor.cell, cell);
        if actor.alive {
            self.actors_near.shift(index, before, cell, actor.side);
        }
        if actor.posture == Posture::Climbing && before != cell {
            (actor.posture, actor.on, actor.climbed) = (Posture::Standing, None, 0);
        }
        let ridden = actor.on.filter(|_| actor.posture == Posture::Riding);
        for at in 0..actor.carries.len() + usize::from(ridden.is_some()) {
            let held = self.actors[index].carries.get(at).copied().or(ridden);
            if let Some(thing) = held.and_then(|held| self.thing_index(held)) {
                self.things[thing].cell = cell;
            }
        }
    }

    /// Who walks does so upright; who sneaks, crouched.
    fn rise(&mut self, index: usize, manner: Manner) {
        let posture = &mut self.actors[index].posture;
        match (*posture, manner) {
            (Posture::Standing, Manner::Sneak) => *posture = Posture::Crouched,
            (Posture::Crouched, Manner::Walk | Manner::Run | Manner::Dive) => {
                *posture = Posture::Standing;
            }
            _ => {}
        }
    }

    fn take_node(&mut self, index: usize, name: Word) -> Result<(), Word> {
        let Some(&node) = self.node_names.get(&name) else { return Ok(()) };
        if !self.exists(&self.nodes[node]) {
            return Err(self.words.needs);
        }
        let cell = self.nodes[node].cell;
        let me = self.actors[index].handle;
        let stands_there = self.actors_near(cell, 0.0).iter().any(|other| other.handle != me);
        if self.nodes[node].taken_by.is_some() || stands_there {
            return Err(self.words.taken);
        }
        self.nodes[node].taken_by = Some(self.actors[index].handle);
        self.actors[index].holds_node = Some(node);
        Ok(())
    }

    pub(crate) fn release_node(&mut self, index: usize) {
        if let Some(node) = self.actors[index].holds_node.take() {
            self.nodes[node].taken_by = None;
        }
    }

    /// Opens a shut door; `false` if it is blocked or its needs do not hold.
    pub(crate) fn open_door(&mut self, door: usize) -> bool {
        let thing = &self.things[door];
        if thing.blocked || !self.are_met(&thing.needs) {
            return false;
        }
        let open = thing.states.iter().position(|&state| state == self.words.open);
        let other = || (0..thing.states.len()).find(|&at| Some(at) != thing.shut_at);
        match open.or_else(other) {
            Some(state) => self.put_into_state(door, state),
            // It knows no other state than shut.
            None => return false,
        }
        true
    }

    /// The only place where a thing's state changes: sight depends on doors.
    pub(crate) fn put_into_state(&mut self, thing: usize, state: usize) {
        self.things[thing].at = state;
        let (cell, is_shut) = (self.things[thing].cell, self.things[thing].is_shut_door());
        if self.things[thing].kind == ThingKind::Door
            && let Some(index) = self.grid.index(cell)
        {
            self.opaque[index] = is_shut;
        }
    }

    pub(crate) fn link_index(&self, cell: Cell) -> Option<usize> {
        self.links[self.grid.index(cell)?].map(usize::from)
    }

    pub(crate) fn is_window(&self, cell: Cell) -> bool {
        self.link_at(cell).is_some_and(|link| link.kind == ThingKind::Window)
    }
}
